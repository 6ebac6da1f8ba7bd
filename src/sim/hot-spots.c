/* SPDX-License-Identifier: MIT */
#include "sim/hot-spots.h"

#include <glib.h>

/* What a spot cost: lanes turned away and passes are each about one more turn of the hardware;
   sites know their cycles. */
static uint64_t cost(const HotSpot *spot)
{
	return spot->cycles ? spot->cycles : spot->failures + spot->passes;
}

/* Puts a spot into a table of the HOT_SPOTS costliest. Spots come in order of their number. */
static void offer(HotSpot *table, uint32_t *n, const HotSpot *spot)
{
	uint32_t at = *n;

	if (cost(spot) == 0)
		return;
	while (at > 0 && cost(&table[at - 1]) < cost(spot))
		at--;
	if (at == HOT_SPOTS)
		return;
	*n = MIN(*n + 1, HOT_SPOTS);
	for (uint32_t i = *n - 1; i > at; i--)
		table[i] = table[i - 1];
	table[at] = *spot;
}

/* A lock's failures are those of its words. */
static void collect_words_and_locks(const Sm *sms, uint32_t n_sms, SimResult *result)
{
	const RunContext *context = sms[0].context;
	g_autofree uint64_t *of_lock = g_new0(uint64_t, context->locks.n_locks);

	for (uint32_t word = 0; word < context->banks.n_words; word++) {
		HotSpot spot = {.id = word};

		for (uint32_t i = 0; i < n_sms; i++)
			spot.failures += sms[i].shared.failures[word];
		if (!spot.failures) /* most words have none, and there are many */
			continue;
		if (context->locks.lock_of)
			of_lock[context->locks.lock_of[word]] += spot.failures;
		offer(result->addresses, &result->n_addresses, &spot);
	}
	for (uint32_t lock = 0; lock < context->locks.n_locks; lock++) {
		HotSpot spot = {.id = lock, .failures = of_lock[lock]};

		offer(result->locks, &result->n_locks, &spot);
	}
}

void collect_hot_spots(const Sm *sms, uint32_t n_sms, SimResult *result)
{
	const RunContext *context = sms[0].context;

	collect_words_and_locks(sms, n_sms, result);
	for (uint32_t bank = 0; bank < context->machine->shared.banks; bank++) {
		HotSpot spot = {.id = bank};

		for (uint32_t i = 0; i < n_sms; i++) {
			spot.passes += sms[i].shared.bank_conflict_passes[bank];
			spot.lane_operations += sms[i].shared.bank_conflicts[bank];
		}
		offer(result->banks, &result->n_banks, &spot);
	}
	for (uint32_t site = 0; site <= context->n_sites; site++) {
		HotSpot spot = {.id = site};

		for (uint32_t i = 0; i < n_sms; i++) {
			spot.cycles += sms[i].sites[site].cycles;
			spot.failures += sms[i].sites[site].failures;
			spot.passes += sms[i].sites[site].passes;
			spot.lane_operations += sms[i].sites[site].lane_operations;
		}
		offer(result->sites, &result->n_sites, &spot);
	}
}

static void name_holder(const Sm *sm, Waiter *waiter, uint32_t slot)
{
	waiter->has_holder = true;
	waiter->holder_block = sm->warps[slot].block->index;
	waiter->holder_warp = sm->warps[slot].index;
}

/* False if the warp waits for nobody. */
static bool describe(const Sm *sm, const Warp *warp, Waiter *waiter)
{
	AtomicWait wait;

	*waiter = (Waiter){
		.block = warp->block->index,
		.sm = sm->id,
		.warp = warp->index,
		.since_cycle = warp->since,
		.site = warp->record.site,
	};
	if (warp->phase == WARP_BARRIER) {
		waiter->state = "barrier";
		return true;
	}
	if (warp->phase == WARP_ENDED || (!warp->spinning && !warp->in_record) ||
	    (warp->record.kind != RECORD_LOCK && warp->record.kind != RECORD_ATOM))
		return false;
	waiter->word = warp->record.address[0] / 4;
	if (warp->spinning) {
		waiter->state = "spin lock";
		waiter->since_cycle = warp->spinning_since;
		for (uint32_t i = 0; i < warp->record.n_lanes && !waiter->has_holder; i++) {
			uint32_t word = (warp->block->base_bytes + warp->record.address[i]) / 4;

			if (!sm->spin_holder[word])
				continue;
			waiter->word = warp->record.address[i] / 4;
			name_holder(sm, waiter, sm->spin_holder[word] - 1u);
		}
		return true;
	}
	waiter->state = warp->way->mechanism->has_locks ? "lock bit" : "atomic";
	if (warp->way->mechanism->waits &&
	    warp->way->mechanism->waits(warp->way->state, &warp->atomic, warp->since, &wait)) {
		waiter->word = warp->record.address[wait.lane] / 4;
		if (wait.has_holder)
			name_holder(sm, waiter, wait.slot);
	}
	return true;
}

void collect_waiters(const Sm *sm, SimResult *result)
{
	for (uint64_t left = sm->used_blocks; left; left &= left - 1) {
		const ResidentBlock *block = &sm->blocks[__builtin_ctzll(left)];

		for (uint64_t slots = block->slots; slots; slots &= slots - 1) {
			Waiter waiter;

			if (!describe(sm, &sm->warps[__builtin_ctzll(slots)], &waiter))
				continue;
			result->waiting++;
			if (result->n_waiters < MAX_WAITERS)
				result->waiters[result->n_waiters++] = waiter;
		}
	}
}
