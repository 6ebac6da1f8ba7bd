/* SPDX-License-Identifier: MIT */
/*
 * Accesses to the memory side that SMs share (sim/memory/memory.h): a warp goes on after network.issue_cycles, waits for
 * results as for others, and at a fence of the device for all that it has under way.
 * Where the trace says what waits for what, the values that a load or an atomic brings are pending until its reply
 * is there.
 */
#include "sim/memory/exec-memory.h"

#include <string.h>

#include "base/vectors.h"
#include "sim/memory/exec-lines.h"
#include "sim/memory/exec-reply-id.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

#define WORD_BYTES 4

/* addresses[i] = (base + offsets[i]) & mask. Both have MAX_LANES entries; some behind n_lanes become undefined. */
static void add_base(uint32_t n_lanes, uint64_t base, const uint32_t *offsets, uint64_t mask,
		     uint64_t *addresses)
{
	for (uint32_t i = 0; i < n_lanes; i += 4) {
		FourNarrow narrow;
		FourWide wide;

		memcpy(&narrow, &offsets[i], sizeof narrow);
		wide = (__builtin_convertvector(narrow, FourWide) + base) & mask;
		memcpy(&addresses[i], &wide, sizeof wide);
	}
}

/* Where the record's buffer begins among all bytes. */
static uint64_t base_of(const Sm *sm, uint32_t slot, const Record *record)
{
	return sm->context->buffer_base[record->buffer - 1] +
	       exec_local_begin(sm, sm->id, slot, record);
}

/* Addresses of the words of the warp's lanes. */
static void address_lanes(uint64_t base, const Record *record, uint32_t width,
			  uint64_t *addresses)
{
	add_base(record->n_lanes, base + record->offset, record->address,
		 ~(uint64_t)(width - 1), addresses);
}

/* Where the trace says nothing of values, all that is in the time of a step. */
static Use use_of(const Sm *sm, const MemoryAccess *access)
{
	if (!sm->scoreboard.dataflow || access->kind != ACCESS_LOAD)
		return USE_AT_ONCE;
	if (access->in_row) /* it has the first lane's address alone */
		return access->n_lanes > 1 ? USE_WARP : USE_WORD;
	for (uint32_t i = 1; i < access->n_lanes; i++)
		if (access->addresses[i] != access->addresses[0])
			return USE_WARP;
	return USE_WORD;
}

/* Sends it, unless no lane is left. */
static void send(Sm *sm, uint32_t slot, MemoryAccess *access)
{
	Warp *warp = &sm->warps[slot];

	if (access->n_lanes == 0)
		return;
	if (!access->cached)
		fences_send(&sm->fences, access->issue);
	access->sm = sm->id;
	access->id = reply_id(sm, slot, access->result, use_of(sm, access));
	/* Fences wait for nobody else's loads. */
	if (access->kind != ACCESS_LOAD)
		access->id |= fences_count(&sm->fences) << SENT_SHIFT | COUNTED;
	memory_access(sm->context->memory, access);
	warp->n_flying++;
	warp->n_wanted += access->result;
}

/* Sends it; returns when the warp can go on. */
static Cycle ask(Sm *sm, uint32_t slot, MemoryAccess *access)
{
	send(sm, slot, access);
	return access->issue +
	       MAX(sm->machine->sm.issue_cycles, sm->machine->network->issue_cycles);
}

/* On the complete path the memory's atomic units do loads and stores too, lane by lane (paths.*). */
static AccessKind kind_of(const Sm *sm, RecordKind kind)
{
	if (sm->context->complete_path &&
	    (kind == RECORD_LDG || sm->machine->paths->rule != PATHS_ALL_BUT_STORES))
		return ACCESS_ATOMIC;
	return kind == RECORD_LDG ? ACCESS_LOAD : ACCESS_STORE;
}

/* Sends what a record wants; returns when the warp goes on. */
static Cycle ask_record(Sm *sm, uint32_t slot, MemoryAccess *access, Cycle now)
{
	Cycle ready = ask(sm, slot, access);

	exec_book(sm, now, access->issue, ready, 0, STATE_GLOBAL_QUEUE);
	return ready;
}

Cycle global_ask_locks(Sm *sm, uint32_t slot, Cycle now, bool release)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	uint64_t addresses[MAX_LANES];
	MemoryAccess access = {
		.issue = now,
		.kind = release ? ACCESS_ATOMIC : ACCESS_CAS,
		.result = !release,
		.tries = !release,
		.width = WORD_BYTES,
		.n_lanes = record->n_lanes,
		.addresses = addresses,
	};

	address_lanes(base_of(sm, slot, record), record, WORD_BYTES, addresses);
	if (!sm->machine->ideal.spin_locks) {
		access.served = global_locks_serve;
		access.served_data = warp_locks_request(&warp->locks, sm->context->global_locks,
							release, record->n_lanes, addresses);
	}
	return ask_record(sm, slot, &access, now);
}

/* What a load brings is pending if it has been sent or follows another one, else there at `at`. */
static void expect(Sm *sm, uint32_t slot, bool pending, Cycle at)
{
	Warp *warp = &sm->warps[slot];
	const Result hit = {at, warp->record.site, DELAY_ALL(STATE_L1)};
	const Result sent = {SCOREBOARD_PENDING, warp->record.site, DELAY_ALL(STATE_L2)};

	if (!pending)
		fetch_expect(sm, warp, &hit, true);
	else
		scoreboard_result(&sm->scoreboard, slot, &sent);
}

Cycle global_ask(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	const uint64_t base = base_of(sm, slot, record);
	uint64_t addresses[MAX_LANES];
	MemoryAccess access = {
		.issue = now,
		.kind = kind_of(sm, (RecordKind)record->kind),
		.result = record->kind == RECORD_LDG,
		/* A byte or two cost what their word does. */
		.width = MAX(record->width, WORD_BYTES),
		.n_lanes = record->n_lanes,
		.addresses = addresses,
	};
	Cycle ready, there = 0, further = 0;
	StoredSectors stored;
	L1Found found;
	Use use;

	found.n_followed = found.own = 0;
	address_lanes(base, record, access.width, addresses);
	use = use_of(sm, &access);
	access.cached = access.kind == ACCESS_LOAD && record->cache != CACHE_BYPASS;
	sm->statistics.global_segments += record->count;
	if (access.kind == ACCESS_LOAD)
		further = lines_pass(sm, &access, record->count);
	if (access.cached && sm->l1.n_sets > 0)
		there = lines_hit_at(sm, &access, addresses, further, &found);
	if (access.kind == ACCESS_STORE) {
		exec_store(sm, record, base / LINE_BYTES, now, &stored);
		if (sm->machine->global.sm_store_lines > 0)
			exec_merge_lanes(&access, addresses, &stored);
	}
	if (found.n_followed > 0)
		lines_follow(sm, slot, reply_id(sm, slot, true, use), &found,
			     there - MIN(there, use_cycles(sm->machine->network, use)));
	if (!sm->scoreboard.dataflow) {
		if (there > warp->results_at) {
			warp->results_at = there;
			warp->results_by = STATE_L1;
		}
		return ask_record(sm, slot, &access, now);
	}
	if (access.result)
		expect(sm, slot, access.n_lanes > 0 || found.n_followed > 0, there);
	exec_wait_loop_watch(sm, slot, &access);
	send(sm, slot, &access);
	ready = now + fetch_access_stall(sm);
	/* A store on the path of atomics leaves the SM as they do. */
	if (access.kind == ACCESS_STORE && sm->machine->global.sm_store_bytes_per_cycle > 0)
		ready = exec_send_store(sm, record, &stored, now);
	exec_book_ahead(sm, now, ready, STATE_GLOBAL_QUEUE);
	return ready;
}

Cycle global_ask_step(Sm *sm, uint32_t slot, GlobalAtomic *atomic, const GlobalAsk *what,
		      uint64_t own_base, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	uint64_t addresses[MAX_LANES];
	MemoryAccess access = {
		.issue = now,
		.kind = (AccessKind)what->kind,
		.result = what->result,
		.width = warp->record.width,
		.addresses = addresses,
		.served = what->served,
		.served_data = what->served ? atomic : NULL,
	};

	if (what->lanes == lanes_below(atomic->n_lanes)) {
		access.n_lanes = atomic->n_lanes;
		access.in_row =
			narrow_lanes_follow(atomic->n_lanes, access.width, atomic->address);
		addresses[0] = atomic->base + atomic->address[0];
		if (!access.in_row)
			add_base(atomic->n_lanes, atomic->base, atomic->address, UINT64_MAX,
				 addresses);
	} else {
		for (LaneMask left = what->lanes; left; left &= left - 1)
			addresses[access.n_lanes++] =
				atomic->base + atomic->address[__builtin_ctzll(left)];
	}
	if (what->kind >= ACCESS_ATOMIC && !what->result)
		access.issue = lines_take_turn(sm, warp->record.count, now);
	if (what->lanes) {
		sm->statistics.global_segments += warp->record.count;
	} else {
		addresses[access.n_lanes++] = own_base + what->own_byte;
		access.width = WORD_BYTES;
		sm->statistics.global_segments++;
	}
	return ask(sm, slot, &access);
}

Cycle global_ask_drained(Sm *sm, uint32_t slot, const CombineDrain *drain, AccessKind kind,
			 Cycle now)
{
	MemoryAccess access = {
		.issue = now,
		.kind = kind,
		.width = drain->width,
		.n_lanes = drain->n_lanes,
		.addresses = drain->address,
	};

	return ask(sm, slot, &access);
}

void global_wait_step(Sm *sm, uint32_t slot, Cycle since)
{
	sm->warps[slot].memory_wait = WAIT_STEP;
	sm_park(sm, slot, since, STATE_L2);
}

bool global_is_shared(const Sm *sm, const Record *record)
{
	return sm->context->memory && record_in_buffer(record);
}
