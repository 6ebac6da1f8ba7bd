/* SPDX-License-Identifier: MIT */
/*
 * Accesses to the memory side that SMs share (sim/memory.h): a warp goes on after network.issue_cycles, waits for
 * results as for others, and at a fence of the device for all that it has under way.
 * Loads that need not bypass it look in the SM's first cache (model/l1.h) first: lanes whose sectors are there do not
 * leave the SM. Assumed: a line on its way is there after network.load_cycles for those that look meanwhile.
 * Where the trace says what waits for what, the values that a load or an atomic brings are pending until its reply
 * is there.
 */
#include "sim/exec-memory.h"

#include <string.h>

#include "base/vectors.h"
#include "sim/exec.h"
#include "sim/fetch.h"

/* A reply names the slot, whether its warp wanted a result, how long that takes behind it (Use), the epoch that counts
   it, if one does, the warp that had the slot, and the site whose values it brings. */
#define SLOT_BITS  6
#define WANTED	   (1u << SLOT_BITS)
#define USE_SHIFT  (SLOT_BITS + 1)
#define USE_BITS   2
#define SENT_SHIFT (USE_SHIFT + USE_BITS)
#define COUNTED	   (1u << (SENT_SHIFT + EPOCH_BITS))
#define WARP_SHIFT (SENT_SHIFT + EPOCH_BITS + 1)
#define SITE_SHIFT 32

/* From a reply to the first use of what it brings. */
typedef enum {
	USE_AT_ONCE,
	USE_WORD, /* of a load whose lanes all name one word */
	USE_WARP, /* of any other */
} Use;

#define WORD_BYTES 4

static uint32_t slot_of(uint64_t id)
{
	return id & (WANTED - 1);
}

/* The part of the id that says which of the warps that have been in its slot. */
static uint32_t warp_id(const Sm *sm, uint32_t slot)
{
	return (uint32_t)(sm->age[slot] << WARP_SHIFT);
}

static uint64_t reply_id(const Sm *sm, uint32_t slot, bool wanted, Use use)
{
	return (uint64_t)sm->warps[slot].record.site << SITE_SHIFT | warp_id(sm, slot) |
	       (uint32_t)use << USE_SHIFT | (wanted ? WANTED : 0) | slot;
}

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

/* Addresses of the words of the warp's lanes. */
static void address_lanes(const Sm *sm, const Record *record, uint32_t width,
			  uint64_t *addresses)
{
	add_base(record->n_lanes, sm->context->buffer_base[record->buffer - 1] + record->offset,
		 record->address, ~(uint64_t)(width - 1), addresses);
}

/* Where the trace says nothing of values, all that is in the time of a step. */
static Use use_of(const Sm *sm, const MemoryAccess *access)
{
	if (!sm->scoreboard.dataflow || access->kind != ACCESS_LOAD)
		return USE_AT_ONCE;
	for (uint32_t i = 1; i < access->n_lanes; i++)
		if (access->addresses[i] != access->addresses[0])
			return USE_WARP;
	return USE_WORD;
}

static void touch_line(Warp *warp, uint32_t most, uint64_t line)
{
	for (uint32_t i = 0; i < MIN(warp->n_touched, most); i++)
		if (warp->touched[i] == line)
			return;
	if (most > 0)
		warp->touched[warp->n_touched++ % most] = line;
}

/* The warp's next fence asks where this access went, of which some lane is left: its first and its last lane. */
static void touch(const Sm *sm, uint32_t slot, const MemoryAccess *access)
{
	const uint32_t most = sm->machine->network->fence_lines;
	Warp *warp = &sm->warps[slot];

	touch_line(warp, most, access->addresses[0] / LINE_BYTES);
	touch_line(warp, most, access->addresses[access->n_lanes - 1] / LINE_BYTES);
}

/* Lines of loads, and of atomics without result, have turns in their SM. Only the latter are made to wait for theirs here: loads
   do so on an H200, too, but torch.grid_sample is right without it and would be 22 % too slow. Returns when the first line's is;
   an access of one or two, as most are, needs none. */
static Cycle take_turn(Sm *sm, uint32_t n_lines, Cycle now)
{
	const uint32_t each = sm->machine->global.line_cycles;
	const Cycle start = MAX(now, sm->lines_free);

	if (each == 0 || n_lines <= 2)
		return now;
	sm->lines_free = start + n_lines * each;
	return start;
}

/* Sends it, unless no lane is left. */
static void send(Sm *sm, uint32_t slot, MemoryAccess *access)
{
	Warp *warp = &sm->warps[slot];

	if (access->n_lanes == 0)
		return;
	if (!access->cached)
		sm->sent_at = access->issue;
	access->sm = sm->id;
	access->id = reply_id(sm, slot, access->result, use_of(sm, access));
	/* Fences wait for nobody else's loads. */
	if (access->kind != ACCESS_LOAD)
		access->id |= epochs_send(&sm->epochs) << SENT_SHIFT | COUNTED;
	sm->way_asked += memory_access(sm->context->memory, access);
	warp->way_end = sm->way_asked;
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
	if (sm->context->complete_path)
		return ACCESS_ATOMIC;
	return kind == RECORD_LDG ? ACCESS_LOAD : ACCESS_STORE;
}

/* Sends what a record wants; returns when the warp goes on. */
static Cycle ask_record(Sm *sm, uint32_t slot, MemoryAccess *access)
{
	Cycle ready = ask(sm, slot, access);

	exec_book(sm, access->issue, access->issue, ready, 0, STATE_GLOBAL);
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

	address_lanes(sm, record, WORD_BYTES, addresses);
	if (!sm->machine->free_spin_locks) {
		LockRequest *request = section_request(warp->section, sm->context->global_locks,
						       release, record->n_lanes, addresses);

		access.served = global_locks_serve;
		access.served_data = request;
		if (!release)
			warp->section->asked = request;
	}
	touch(sm, slot, &access);
	return ask_record(sm, slot, &access);
}

/* Whether a sector is among those that this access has just asked for. */
static bool is_asked(const uint64_t *asked, uint32_t n, uint64_t sector)
{
	for (uint32_t k = 0; k < n; k++)
		if (asked[k] == sector)
			return true;
	return false;
}

/* Leaves of a load's lanes those whose sectors are not in the SM's first cache. Returns when the others have
   theirs; 0: none has. */
static Cycle look_in_l1(Sm *sm, MemoryAccess *access, uint64_t *addresses)
{
	const Cycle now = access->issue, hit = now + sm->machine->global.l1_cycles;
	const Cycle filled = now + sm->machine->network->load_cycles;
	uint64_t asked[MAX_LANES], before = UINT64_MAX;
	uint32_t n = 0, n_asked = 0;
	bool missing = false;
	Cycle there = 0;

	for (uint32_t i = 0; i < access->n_lanes; i++) {
		const uint64_t sector = addresses[i] / L1_SECTOR_BYTES;
		Cycle coming;

		/* The lane before has found it as this one would: once asked for, it is missing for all of them. */
		if (sector != before && !is_asked(asked, n_asked, sector)) {
			missing = l1_look(&sm->l1, addresses[i] / L1_LINE_BYTES,
					  1u << sector % L1_LINE_SECTORS, now, &coming) != 0;
			if (missing)
				asked[n_asked++] = sector;
			else
				there = MAX(there, MAX(hit, coming));
		} else if (sector != before) {
			missing = true;
		}
		if (missing && sector != before)
			l1_filled(&sm->l1, addresses[i] / L1_LINE_BYTES, filled);
		before = sector;
		addresses[n] = addresses[i];
		n += missing;
	}
	access->n_lanes = n;
	return there;
}

/* When the first cache has what it holds of an access, and the warp its share of it. */
static Cycle hits_at(const Sm *sm, const Record *record, Cycle there)
{
	const uint32_t lines =
		sm->scoreboard.dataflow && record->count > 2 ? record->count - 2 : 0;

	return there + lines * sm->machine->global.l1_line_cycles;
}

/* What a load brings is pending if it has been sent, else there at `at`. */
static void expect(Sm *sm, uint32_t slot, const MemoryAccess *access, Cycle at)
{
	Warp *warp = &sm->warps[slot];
	const Result hit = {at, warp->record.site, 0, at - access->issue, STATE_GLOBAL};

	if (access->n_lanes == 0)
		fetch_expect(sm, warp, &hit, true);
	else
		scoreboard_result(&sm->scoreboard, slot, warp->record.site, SCOREBOARD_PENDING,
				  STATE_GLOBAL);
}

/* Words past the first cache that blocks may tell each other something by. */
static void watch(Sm *sm, uint32_t slot, MemoryAccess *access)
{
	if (sm->warps[slot].record.cache != CACHE_BYPASS || !sm->context->polls)
		return;
	if (access->kind == ACCESS_STORE) {
		access->served = polls_serve_store;
		access->served_data =
			polls_store(sm->context->polls, access->n_lanes, access->addresses);
	} else if (access->kind == ACCESS_LOAD && exec_poll_begin(sm, slot)) {
		access->served = polls_serve_load;
		access->served_data = sm->warps[slot].poll;
	}
}

Cycle global_ask(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
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
	Cycle ready, there = 0;

	if (access.kind == ACCESS_LOAD)
		take_turn(sm, record->count, now);
	address_lanes(sm, record, access.width, addresses);
	access.cached = access.kind == ACCESS_LOAD && record->cache != CACHE_BYPASS;
	sm->statistics.global_segments += record->count;
	if (access.kind == ACCESS_LOAD && record->cache != CACHE_BYPASS && sm->l1.n_sets > 0)
		there = hits_at(sm, record, look_in_l1(sm, &access, addresses));
	if (access.kind == ACCESS_STORE)
		touch(sm, slot, &access);
	if (!sm->scoreboard.dataflow) {
		warp->replied_at = MAX(warp->replied_at, there);
		return ask_record(sm, slot, &access);
	}
	if (access.result)
		expect(sm, slot, &access, there);
	watch(sm, slot, &access);
	send(sm, slot, &access);
	ready = now + fetch_access_stall(sm);
	if (record->kind == RECORD_STG && sm->machine->global.sm_store_bytes_per_cycle > 0)
		ready = exec_send_store(sm, record, now);
	exec_book(sm, now, now, ready, 0, STATE_GLOBAL);
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
		access.issue = take_turn(sm, warp->record.count, now);
	if (what->lanes) {
		sm->statistics.global_segments += warp->record.count;
	} else {
		addresses[access.n_lanes++] = own_base + what->own_byte;
		access.width = WORD_BYTES;
		sm->statistics.global_segments++;
	}
	return ask(sm, slot, &access);
}

void global_wait_step(Sm *sm, uint32_t slot, Cycle since)
{
	sm->warps[slot].memory_wait = WAIT_STEP;
	sm_park(sm, slot, since, STATE_GLOBAL);
}

bool global_is_shared(const Sm *sm, const Record *record)
{
	return sm->context->memory && record_in_buffer(record);
}

void global_ask_touched(Sm *sm, uint32_t slot, Cycle now)
{
	const uint32_t most = sm->machine->network->fence_lines;
	Warp *warp = &sm->warps[slot];

	for (uint32_t i = 0; i < MIN(warp->n_touched, most); i++) {
		const uint64_t address = warp->touched[i] * LINE_BYTES;
		MemoryAccess access = {
			.sm = sm->id,
			.id = reply_id(sm, slot, false, USE_AT_ONCE),
			.issue = now,
			.kind = ACCESS_ATOMIC,
			.result = true,
			.width = WORD_BYTES,
			.n_lanes = 1,
			.addresses = &address,
		};

		memory_access(sm->context->memory, &access);
		warp->n_flying++;
	}
	warp->n_touched = 0;
}

/* --- Waits --- */

/* Of a record that is no access to global memory. Where the trace says what waits for what, values do. */
static MemoryWait needs_results(const Sm *sm, const Record *record)
{
	/* Nothing but the use of a result waits for it. */
	if (!sm->scoreboard.dataflow)
		return (record->kind == RECORD_LDS || record->kind == RECORD_BAR) &&
				       sm->machine->sm.scoreboard
			       ? WAIT_NOTHING
			       : WAIT_RESULTS;
	return record->kind == RECORD_CODE || record->kind == RECORD_BAR ||
			       record->kind == RECORD_EXIT ||
			       scoreboard_site(&sm->scoreboard, record->site)
		       ? WAIT_NOTHING
		       : WAIT_RESULTS;
}

static MemoryWait needs(const Sm *sm, const Warp *warp)
{
	const Record *record = &warp->record;

	switch (record->kind) {
	case RECORD_FENCE:
		return record->scope == SCOPE_BLOCK ? WAIT_RESULTS : WAIT_NOTHING;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		return sm->machine->sm.scoreboard || sm->scoreboard.dataflow ? WAIT_ROOM
									     : WAIT_RESULTS;
	default:
		return needs_results(sm, record);
	}
}

static bool is_over(const Sm *sm, const Warp *warp, MemoryWait wait)
{
	switch (wait) {
	case WAIT_RESULTS:
	case WAIT_STEP:
		return warp->n_wanted == 0;
	case WAIT_ALL:
		return warp->n_flying == 0 && !warp->epoch_open;
	case WAIT_ROOM:
		return warp->n_flying < sm->machine->network->in_flight;
	default:
		return true;
	}
}

/* Whether the warp's record begins although its last access has no room in the way out: it is no access, nor its end. */
static bool needs_no_way(const Warp *warp)
{
	return warp->record.kind == RECORD_CODE || warp->record.kind == RECORD_ALU ||
	       warp->record.kind == RECORD_BAR;
}

static bool has_way(const Sm *sm, const Warp *warp)
{
	return warp->way_end <= sm->way_left + sm->machine->network->way_flits;
}

bool global_may_begin(Sm *sm, uint32_t slot, Cycle *ready)
{
	Warp *warp = &sm->warps[slot];
	MemoryWait wait = needs(sm, warp);
	Cycle at = wait == WAIT_RESULTS ? warp->replied_at : 0;

	if (sm->way_asked > 0 && !has_way(sm, warp) && !needs_no_way(warp)) {
		warp->memory_wait = WAIT_WAY;
		sm->way_waiting |= UINT64_C(1) << slot;
		sm_park(sm, slot, *ready, STATE_GLOBAL);
		return false;
	}
	if (!is_over(sm, warp, wait)) {
		warp->memory_wait = wait;
		sm_park(sm, slot, *ready, STATE_GLOBAL);
		return false;
	}
	if (at > *ready) {
		sm->statistics.warp_cycles[STATE_GLOBAL] += at - *ready;
		*ready = at;
	}
	return true;
}

/* When the values of a reply can be used. */
static Cycle usable_at(const Sm *sm, const MemoryReply *reply)
{
	const NetworkParameters *network = sm->machine->network;

	switch ((Use)(reply->id >> USE_SHIFT & ((1u << USE_BITS) - 1))) {
	case USE_WORD:
		return reply->at + network->use_cycles;
	case USE_WARP:
		return reply->at + network->use_cycles + network->use_warp_cycles;
	default:
		return reply->at;
	}
}

/* Fences for which all is there by the reply. */
static bool end_fences(Sm *sm, const MemoryReply *reply)
{
	bool ended = false;

	for (uint64_t left = sm->fencing; left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		if (warp->epoch_open && epochs_over(&sm->epochs, warp->fence_epoch)) {
			warp->epoch_open = false;
			warp->others_at = slot_of(reply->id) == slot ? 0 : reply->at;
		}
		if (is_over(sm, warp, WAIT_ALL)) {
			exec_fence_answered(sm, slot);
			ended = true;
		}
	}
	return ended;
}

/* Of the warp that asked. */
static bool take_own_reply(Sm *sm, const MemoryReply *reply)
{
	const uint32_t slot = slot_of(reply->id);
	const bool wanted = reply->id & WANTED;
	Warp *warp = &sm->warps[slot];

	/* A store of a warp that has ended. */
	if ((uint32_t)reply->id >> WARP_SHIFT != warp_id(sm, slot) >> WARP_SHIFT ||
	    warp->phase == WARP_ENDED)
		return false;
	warp->n_flying--;
	warp->n_wanted -= wanted;
	warp->been |=
		(uint8_t)((reply->near ? TOUCHED_NEAR : 0) | (reply->far ? TOUCHED_FAR : 0));
	warp->replied_at = MAX(warp->replied_at, reply->at);
	if (sm->scoreboard.dataflow && wanted)
		scoreboard_arrive(&sm->scoreboard, slot, (uint32_t)(reply->id >> SITE_SHIFT),
				  usable_at(sm, reply));
	if (warp->phase != WARP_PARKED || warp->memory_wait == WAIT_NOTHING ||
	    warp->memory_wait == WAIT_WAY)
		return false;
	if (warp->memory_wait == WAIT_POLL) {
		if (!wanted || reply->id >> SITE_SHIFT != warp->record.site)
			return false;
		exec_poll_answered(sm, slot, reply->at, usable_at(sm, reply));
		return true;
	}
	if (warp->memory_wait == WAIT_VALUES)
		return fetch_value_arrived(sm, slot);
	if (warp->memory_wait == WAIT_ALL || !is_over(sm, warp, warp->memory_wait))
		return false;
	warp->memory_wait = WAIT_NOTHING;
	sm_wake(sm, slot, MAX(warp->replied_at, warp->since));
	return true;
}

/* Who has waited for room in the way out can begin its record, or waits for what that needs else. */
static bool take_room(Sm *sm, const MemoryReply *reply)
{
	bool due = false;

	sm->way_left += reply->left;
	for (uint64_t left = sm->way_waiting; left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];
		Cycle ready = MAX(warp->since, reply->at);

		if (!has_way(sm, warp))
			continue;
		sm->way_waiting &= ~(UINT64_C(1) << slot);
		sm->statistics.warp_cycles[STATE_GLOBAL] += ready - warp->since;
		warp->memory_wait = WAIT_NOTHING;
		if (!global_may_begin(sm, slot, &ready))
			continue;
		warp->since = ready; /* booked already */
		sm_wake(sm, slot, ready);
		due = true;
	}
	return due;
}

bool global_take_reply(Sm *sm, const MemoryReply *reply)
{
	bool due;

	if (reply->left > 0)
		return take_room(sm, reply);
	sm->memory_at = MAX(sm->memory_at, reply->at);
	/* But what fences have asked. */
	if (reply->near && (uint32_t)reply->id & (WANTED | COUNTED))
		sm->near_at = MAX(sm->near_at, reply->at);
	if (reply->far && (uint32_t)reply->id & (WANTED | COUNTED))
		sm->far_at = MAX(sm->far_at, reply->at);
	if ((uint32_t)reply->id & COUNTED)
		epochs_answer(&sm->epochs, (uint32_t)reply->id >> SENT_SHIFT & (N_EPOCHS - 1));
	due = take_own_reply(sm, reply);
	return sm->fencing ? end_fences(sm, reply) || due : due;
}
