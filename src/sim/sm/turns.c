/* SPDX-License-Identifier: MIT */
#include "sim/sm/turns.h"

#include <string.h>

#define BIT(slot) (UINT64_C(1) << (slot))

Turns *turns_new(RunOrderKind order)
{
	Turns *turns = g_new0(Turns, 1);

	turns->order = order;
	turns->others = turns->first = NEVER;
	memset(turns->turn, 0xff, sizeof turns->turn);
	return turns;
}

/* Its next instruction is another one: finds when that came, NEVER if it did not, or nobody knows. */
static void set_place(Turns *turns, uint32_t slot, uint32_t place)
{
	const WarpOrder *of = turns->of[slot];

	turns->place[slot] = place;
	turns->turn[slot] =
		of && place < of->at->len ? g_array_index(of->at, Cycle, place) : NEVER;
	turns->knows_first = false;
}

void turns_start_warp(Turns *turns, uint32_t slot, const WarpOrder *of)
{
	turns->of[slot] = of->at != NULL ? of : NULL;
	turns->n_begun[slot] = turns->n_swaps[slot] = 0;
	set_place(turns, slot, 0);
}

void turns_end_warp(Turns *turns, uint32_t slot)
{
	turns->of[slot] = NULL;
	set_place(turns, slot, 0);
}

/* Where the warp's next record begins, one that has an order. */
static uint32_t next_begin(const Turns *turns, uint32_t slot)
{
	const WarpOrder *of = turns->of[slot];

	if (turns->n_begun[slot] >= of->begins->len)
		return of->at->len;
	return g_array_index(of->begins, uint32_t, turns->n_begun[slot]);
}

/* A record can have had more instructions there, attempts that are not made here. */
static void find_place(Turns *turns, uint32_t slot, const NextKinds *next)
{
	if (turns->of[slot] && next->begins & BIT(slot) &&
	    turns->place[slot] != next_begin(turns, slot))
		set_place(turns, slot, next_begin(turns, slot));
}

/* An attempt that the warp did not make there. */
static bool is_one_more(const Turns *turns, uint32_t slot, const NextKinds *next)
{
	return !(next->begins & BIT(slot)) && turns->place[slot] >= next_begin(turns, slot);
}

/* What `paced` asks for beyond the order of the SM's instructions: not before then. NEVER: other SMs have to come first. */
static Cycle paced_from(const Turns *turns, uint32_t slot, const NextKinds *next)
{
	const Cycle turn = turns->turn[slot];

	if (turns->order != ORDER_PACED)
		return 0;
	if (next->asks & BIT(slot) && turn > turns->others)
		return NEVER;
	return next->meets & BIT(slot) && turn > turns->met_turn
		       ? turns->met_at + (turn - turns->met_turn)
		       : 0;
}

/* When the warp may issue its next instruction, if nothing changes before. */
static Cycle may_issue_from(Turns *turns, uint32_t slot, const NextKinds *next)
{
	const Cycle turn = turns->turn[slot];

	if (turn == NEVER || is_one_more(turns, slot, next))
		return 0;
	if (turns->order == ORDER_TIMED)
		return turn;
	return turn == turns_first(turns) ? MIN(turn, paced_from(turns, slot, next)) : turn;
}

Cycle turns_first(Turns *turns)
{
	if (turns->knows_first)
		return turns->first;
	turns->first = NEVER;
	for (uint32_t slot = 0; slot < MAX_WARP_SLOTS; slot++)
		turns->first = MIN(turns->first, turns->turn[slot]);
	turns->knows_first = true;
	return turns->first;
}

uint64_t turns_whose(Turns *turns, uint64_t ready, const NextKinds *next, Cycle now,
		     Cycle *from)
{
	uint64_t may = 0;

	*from = NEVER;
	for (uint64_t left = ready; left; left &= left - 1)
		find_place(turns, (uint32_t)__builtin_ctzll(left), next);
	for (uint64_t left = ready; left; left &= left - 1) {
		const Cycle at = may_issue_from(turns, (uint32_t)__builtin_ctzll(left), next);

		may |= at <= now ? left & -left : 0;
		*from = MIN(*from, at);
	}
	return may;
}

void turns_issue(Turns *turns, uint32_t slot, const NextKinds *next, Cycle now)
{
	const Cycle turn = turns->turn[slot];

	if (turns->of[slot] == NULL)
		return;
	if (next->meets & BIT(slot) && turn != NEVER) {
		turns->met_turn = MAX(turns->met_turn, turn);
		turns->met_at = now;
	}
	turns->n_begun[slot] += next->begins >> slot & 1;
	set_place(turns, slot, turns->place[slot] + 1);
}

bool turns_swap(Turns *turns, uint32_t slot, LaneMask *winners)
{
	const GArray *swaps = turns->of[slot] ? turns->of[slot]->swaps : NULL;
	uint32_t *n = &turns->n_swaps[slot];

	if (!swaps)
		return false;
	/* Its place is that of the next instruction already. */
	while (*n < swaps->len &&
	       g_array_index(swaps, WarpSwap, *n).place + 1 < turns->place[slot])
		++*n;
	if (*n == swaps->len ||
	    g_array_index(swaps, WarpSwap, *n).place + 1 != turns->place[slot])
		return false;
	*winners = g_array_index(swaps, WarpSwap, *n).winners;
	return true;
}
