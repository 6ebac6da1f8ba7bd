/* SPDX-License-Identifier: MIT */
/*
 * Global memory, as a latency and this SM's even share of the bandwidth; stores are not waited for,
 * nor atomics on it. Loads whose addresses the trace says go through the SM's first cache (model/memory/l1.h).
 * What the memory side that SMs share times is in exec-memory.c. Not modelled: the second cache, the order
 * of DRAM pages.
 */
#include "base/names.h"
#include "sim/sm/exec.h"
#include "sim/memory/exec-memory.h"
#include "sim/sm/fetch.h"

/* Takes so many segments' time of this SM's share. False: the end would lie beyond SIM_MAX_CYCLE. */
static bool take_share(Sm *sm, Cycle now, uint64_t segments)
{
	uint64_t time; /* 1/1024 cycles */

	if (__builtin_mul_overflow(segments, sm->segment_time, &time) ||
	    time / 1024 > SIM_MAX_CYCLE - now)
		return false;
	if (sm->global_free < now) {
		sm->global_free = now;
		sm->global_rest = 0;
	}
	time += sm->global_rest;
	sm->global_free += time / 1024;
	sm->global_rest = time % 1024;
	return sm->global_free <= SIM_MAX_CYCLE;
}

/* The first line of a record's buffer among those of all; 0 where the trace does not say which buffer it is. */
static uint64_t first_line_of(const Sm *sm, const Warp *warp)
{
	const Record *record = &warp->record;

	return record->buffer > 0
		       ? sm->context->first_line[record->buffer - 1] +
				 exec_local_begin(sm, 0, (uint64_t)(warp - sm->warps), record) /
					 L1_LINE_BYTES
		       : 0;
}

/* The lines that a record touches, each with its sectors and words. Returns how many. */
static uint32_t touched_lines(const Record *record, uint64_t first, uint64_t *lines,
			      uint32_t *sectors, uint32_t *words)
{
	const uint32_t mask = (1u << MAX(record->width / L1_WORD_BYTES, 1)) - 1;
	uint32_t n = 0;

	for (uint32_t i = 0; i < record->n_lanes; i++) {
		uint64_t byte = record->offset + record->address[i];
		uint64_t line = first + byte / L1_LINE_BYTES;
		uint32_t sector = byte % L1_LINE_BYTES / L1_SECTOR_BYTES, k = n;

		while (k > 0 && lines[k - 1] != line)
			k--;
		if (k == 0) {
			lines[n] = line;
			words[n] = 0;
			sectors[n++] = 0;
			k = n;
		}
		sectors[k - 1] |= 1u << sector;
		words[k - 1] |= mask << byte % L1_LINE_BYTES / L1_WORD_BYTES;
	}
	return n;
}

/* A load of a trace with addresses, through the SM's first cache. Returns when its result is there; NEVER if
   its end would lie beyond SIM_MAX_CYCLE. */
static Cycle cached_load(Sm *sm, const Warp *warp, Cycle now, uint32_t latency)
{
	const GlobalParameters *p = &sm->machine->global;
	uint64_t lines[MAX_LANES], missed[MAX_LANES];
	uint32_t sectors[MAX_LANES], words[MAX_LANES], n_missed = 0;
	uint32_t n =
		touched_lines(&warp->record, first_line_of(sm, warp), lines, sectors, words);
	Cycle ready = now + p->l1_cycles + (n > 2 ? (n - 2) * p->l1_line_cycles : 0), at;

	for (uint32_t i = 0; i < n; i++) {
		sectors[i] &= ~l1_stored(&sm->l1, lines[i], words[i]);
		if (l1_look(&sm->l1, lines[i], sectors[i], now, &at))
			missed[n_missed++] = lines[i];
		ready = MAX(ready, at);
	}
	sm->statistics.global_segments += n_missed;
	if (n_missed == 0)
		return ready;
	if (!take_share(sm, now, n_missed))
		return NEVER;
	ready = MAX(ready, sm->global_free + latency);
	for (uint32_t i = 0; i < n_missed; i++)
		l1_filled(&sm->l1, missed[i], ready);
	return ready;
}

/* Returns when the result of a load, or of an atomic, is there; NEVER if its end would lie beyond
   SIM_MAX_CYCLE. Of a store: `now`. */
static Cycle result_at(Sm *sm, const Warp *warp, Cycle now)
{
	const Record *record = &warp->record;
	const GlobalParameters *p = &sm->machine->global;
	bool dataflow = sm->scoreboard.dataflow != NULL;
	uint32_t latency = dataflow && p->load_cycles ? p->load_cycles : p->latency_cycles;
	bool waits = record->kind == RECORD_LDG || (dataflow && record->kind == RECORD_ATOMG);

	if (record->kind == RECORD_LDG && record->buffer > 0 && sm->l1.n_sets > 0 &&
	    record->cache != CACHE_BYPASS)
		return cached_load(sm, warp, now, latency);
	if (record->kind == RECORD_ATOMG)
		exec_drop_operated(sm, record, first_line_of(sm, warp));
	sm->statistics.global_segments += record->count;
	if (!take_share(sm, now, record->count))
		return NEVER;
	/* Stores, and atomics as reductions, leave their warp free; their bytes still take time. */
	return waits ? sm->global_free + latency : now;
}

static Cycle global(Sm *sm, Warp *warp, Cycle now)
{
	Cycle issued = now + sm->machine->sm.issue_cycles;
	Cycle ready = result_at(sm, warp, now);
	StoredSectors stored;

	if (ready == NEVER) {
		sm_fail(sm, SIM_TOO_LONG, warp, NULL, now);
		return issued;
	}
	if (warp->record.kind == RECORD_STG && sm->scoreboard.dataflow &&
	    sm->machine->global.store_cycles > 0)
		warp->block->stored_at = sm->global_free + sm->machine->global.store_cycles;
	if (sm->scoreboard.dataflow || (fetch_runs_ahead(sm) && ready > now)) {
		const Result result = {ready, warp->record.site, DELAY_ALL(STATE_GLOBAL)};

		if (ready > now)
			fetch_expect(sm, warp, &result, warp->record.kind == RECORD_LDG);
		ready = now + fetch_access_stall(sm);
	}
	if (warp->record.kind == RECORD_STG)
		exec_store(sm, &warp->record, first_line_of(sm, warp), now, &stored);
	if (warp->record.kind == RECORD_STG && sm->scoreboard.dataflow &&
	    sm->machine->global.sm_store_bytes_per_cycle > 0)
		ready = exec_send_store(sm, &warp->record, &stored, now);
	ready = MAX(ready, issued);
	if (sm->scoreboard.dataflow)
		exec_book_ahead(sm, now, ready, STATE_GLOBAL_QUEUE);
	else
		exec_book(sm, now, now, ready, 0, STATE_GLOBAL);
	return ready;
}

/* Counts a load or a store of thread-local memory, which has moved so many segments. */
static void count_local(Sm *sm, const Record *record, uint64_t segments)
{
	Statistics *statistics = &sm->statistics;

	if (record->kind == RECORD_LDG)
		statistics->local_loads++;
	else
		statistics->local_stores++;
	statistics->local_segments += segments;
	sm->sites[record->site].local_segments += segments;
}

void exec_global(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const bool shared = global_is_shared(sm, &warp->record);
	const uint64_t segments = sm->statistics.global_segments;
	Cycle ready;

	if (shared && warp->record.kind == RECORD_ATOMG) {
		exec_global_atomic(sm, slot, now);
		return;
	}
	ready = shared ? global_ask(sm, slot, now) : global(sm, warp, now);
	if (G_UNLIKELY(exec_is_local(sm, &warp->record)))
		count_local(sm, &warp->record, sm->statistics.global_segments - segments);

	exec_observe(sm, slot, record_kind_names[warp->record.kind], now, now, ready, 0);
	sm->progress_at = now;
	if (G_UNLIKELY(warp->wait_loop && warp->wait_loop->waiting)) {
		warp->in_record = true;
		warp->memory_wait = WAIT_LOOP;
		sm_park(sm, slot, ready, STATE_L2);
		return;
	}
	fetch_next(sm, slot, ready);
}
