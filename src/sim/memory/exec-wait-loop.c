/* SPDX-License-Identifier: MIT */
/*
 * A warp that loads words until other blocks have stored them (sim/memory/wait-loops.h). The memory says whether they have when it
 * serves a try; between two tries the warp does what its loop does, as one chain.
 */
#include "sim/memory/exec-memory.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

/* Reads the stream up to the first record that is neither another try nor between two. */
static void pass_tries_over(Warp *warp)
{
	WaitLoop *wait_loop = warp->wait_loop;
	RecordLog *ahead = wait_loop->ahead;
	Record *record;

	record_log_clear(ahead);
	wait_loop->at = 0;
	do {
		record_log_keep_open(ahead, RECORD_LOG_FEW);
		record = record_log_room(ahead);
		wait_loop->ended = warp->stream->next(warp->stream, record) != STREAM_RECORD;
		if (wait_loop->ended)
			return;
		if (wait_loops_is_again(&warp->record, record))
			record_log_clear(ahead);
		else
			record_log_add(ahead);
	} while (ahead->n_added == 0 || wait_loops_is_between(record));
}

/* The warp's record is a load from global memory: whether it waits in it for what other blocks store. Then the loads
   behind it that do the same are passed over. */
static bool begin(Sm *sm, uint32_t slot)
{
	Warp *warp = &sm->warps[slot];

	if (warp->wait_loop && warp->wait_loop->waiting)
		return true; /* tries again */
	if (warp->wait_loop && warp->wait_loop->ahead->n_added > 0)
		return false; /* a broken stream */
	if (warp_locks_in_section(&warp->locks) ||
	    !wait_loops_begin(sm->context->wait_loops, &warp->record, warp->block->index,
			      &warp->wait_loop))
		return false;
	pass_tries_over(warp);
	return warp->wait_loop->waiting = true;
}

void exec_wait_loop_answered(Sm *sm, uint32_t slot, Cycle at, Cycle usable)
{
	Warp *warp = &sm->warps[slot];
	WaitLoop *wait_loop = warp->wait_loop;
	const Cycle since = warp->since;
	const uint32_t issue_cycles = sm->machine->sm.issue_cycles;

	at = MAX(at, since);
	if (!wait_loop->there) {
		/* The loop's instructions are issued within its time. */
		at = MAX(at, usable) +
		     MAX(wait_loop->loop.cycles, wait_loop->loop.instructions * issue_cycles);
		sm->statistics.warp_instructions += wait_loop->loop.instructions;
		sm->statistics.warp_cycles[warp->parked_as] -=
			(uint64_t)wait_loop->loop.instructions * issue_cycles;
		warp->memory_wait = WAIT_NOTHING;
		sm_wake(sm, slot, at);
		return;
	}
	wait_loop->waiting = false;
	sm->statistics.warp_cycles[warp->parked_as] += at - since;
	fetch_answered(sm, slot, at);
}

void exec_wait_loop_watch(Sm *sm, uint32_t slot, MemoryAccess *access)
{
	if (sm->warps[slot].record.cache != CACHE_BYPASS || !sm->context->wait_loops)
		return;
	if (access->kind == ACCESS_STORE) {
		access->served = wait_loops_serve_store;
		access->served_data = wait_loops_store(sm->context->wait_loops, access->n_lanes,
						       access->addresses);
	} else if (access->kind == ACCESS_LOAD && begin(sm, slot)) {
		access->served = wait_loops_serve_load;
		access->served_data = sm->warps[slot].wait_loop;
	}
}
