/* SPDX-License-Identifier: MIT */
#include "sim/sm/turns.h"

#define BIT(slot) (UINT64_C(1) << (slot))

Turns *turns_new(bool paced)
{
	Turns *turns = g_new0(Turns, 1);

	turns->paced = paced;
	turns->others = NEVER;
	return turns;
}

void turns_start_warp(Turns *turns, uint32_t slot, const WarpOrder *of)
{
	turns->of[slot] = of->at != NULL ? of : NULL;
	turns->n_begun[slot] = turns->place[slot] = 0;
}

void turns_end_warp(Turns *turns, uint32_t slot)
{
	turns->of[slot] = NULL;
}

/* Where the warp's next record begins, one that has an order. */
static uint32_t next_begin(const Turns *turns, uint32_t slot)
{
	const WarpOrder *of = turns->of[slot];

	if (turns->n_begun[slot] >= of->begins->len)
		return of->at->len;
	return g_array_index(of->begins, uint32_t, turns->n_begun[slot]);
}

/* When the next instruction came; NEVER: it did not, or nobody knows. */
static Cycle turn_of(const Turns *turns, uint32_t slot)
{
	const WarpOrder *of = turns->of[slot];

	if (of == NULL || turns->place[slot] >= of->at->len)
		return NEVER;
	return g_array_index(of->at, Cycle, turns->place[slot]);
}

/* A record can have had more instructions there, attempts that are not made here. */
static void find_place(Turns *turns, uint32_t slot, const NextKinds *next)
{
	if (turns->of[slot] && next->begins & BIT(slot))
		turns->place[slot] = next_begin(turns, slot);
}

/* An attempt that the warp did not make there. */
static bool is_one_more(const Turns *turns, uint32_t slot, const NextKinds *next)
{
	return !(next->begins & BIT(slot)) && turns->place[slot] >= next_begin(turns, slot);
}

/* What `paced` asks for beyond the order of the SM's instructions. */
static bool is_too_early(const Turns *turns, uint32_t slot, const NextKinds *next, Cycle now)
{
	const Cycle turn = turn_of(turns, slot);

	if (next->meets & BIT(slot) && turn > turns->met_turn &&
	    now < turns->met_at + (turn - turns->met_turn))
		return true;
	return next->asks & BIT(slot) && turn > turns->others;
}

static bool may_issue(const Turns *turns, uint32_t slot, const NextKinds *next, Cycle first,
		      Cycle now)
{
	const Cycle turn = turn_of(turns, slot);

	if (turn == NEVER || turn <= now || is_one_more(turns, slot, next))
		return true;
	return turn == first && !(turns->paced && is_too_early(turns, slot, next, now));
}

Cycle turns_first(const Turns *turns)
{
	Cycle first = NEVER;

	for (uint32_t slot = 0; slot < MAX_WARP_SLOTS; slot++)
		first = MIN(first, turn_of(turns, slot));
	return first;
}

uint64_t turns_whose(Turns *turns, uint64_t ready, const NextKinds *next, Cycle now)
{
	uint64_t may = 0;
	Cycle first;

	for (uint64_t left = ready; left; left &= left - 1)
		find_place(turns, (uint32_t)__builtin_ctzll(left), next);
	first = turns_first(turns);
	for (uint64_t left = ready; left; left &= left - 1)
		if (may_issue(turns, (uint32_t)__builtin_ctzll(left), next, first, now))
			may |= left & -left;
	return may;
}

void turns_issue(Turns *turns, uint32_t slot, const NextKinds *next, Cycle now)
{
	const Cycle turn = turn_of(turns, slot);

	if (turns->of[slot] == NULL)
		return;
	if (next->meets & BIT(slot) && turn != NEVER) {
		turns->met_turn = MAX(turns->met_turn, turn);
		turns->met_at = now;
	}
	turns->n_begun[slot] += next->begins >> slot & 1;
	turns->place[slot]++;
}
