/* SPDX-License-Identifier: MIT */
/*
 * Accesses to the memory side that SMs share (sim/memory.h): a warp goes on after network.issue_cycles, waits for
 * results as for others, and at a fence of the device for all that it has under way.
 * Loads that need not bypass it look in the SM's first cache (model/l1.h) first: lanes whose sectors are there do not
 * leave the SM. Assumed: a line on its way is there after network.load_cycles for those that look meanwhile.
 * Not modelled: loads and stores of traces that say what waits for what,
 * which are timed by exec-global.c, for their replies would come too late for the table of values: only their
 * atomics meet those of other SMs.
 */
#include "sim/exec-memory.h"

#include "sim/exec.h"
#include "sim/fetch.h"

/* A reply names the slot and the warp that had it. */
#define SLOT_BITS 6

#define WORD_BYTES 4

static uint64_t reply_id(const Sm *sm, uint32_t slot, bool wanted)
{
	return sm->age[slot] << (SLOT_BITS + 1) | (uint64_t)wanted << SLOT_BITS | slot;
}

/* Addresses of the words of the warp's lanes. */
static void address_lanes(const Sm *sm, const Record *record, uint32_t width,
			  uint64_t *addresses)
{
	uint64_t base = sm->context->buffer_base[record->buffer - 1] + record->offset;

	for (uint32_t i = 0; i < record->n_lanes; i++)
		addresses[i] = (base + record->address[i]) & ~(uint64_t)(width - 1);
}

/* Sends it, unless no lane is left; returns when the warp can go on. */
static Cycle ask(Sm *sm, uint32_t slot, MemoryAccess *access)
{
	Warp *warp = &sm->warps[slot];

	if (access->n_lanes > 0) {
		access->sm = sm->id;
		access->id = reply_id(sm, slot, access->result);
		memory_access(sm->context->memory, access);
		warp->n_flying++;
		warp->n_wanted += access->result;
	}
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
	return ask_record(sm, slot, &access);
}

/* Leaves of a load's lanes those whose sectors are not in the SM's first cache. Returns when the others have
   theirs; 0: none has. */
static Cycle look_in_l1(Sm *sm, MemoryAccess *access, uint64_t *addresses)
{
	const Cycle now = access->issue, hit = now + sm->machine->global.l1_cycles;
	const Cycle filled = now + sm->machine->network->load_cycles;
	uint32_t n = 0;
	Cycle there = 0;

	for (uint32_t i = 0; i < access->n_lanes; i++) {
		uint64_t line = addresses[i] / L1_LINE_BYTES;
		uint32_t sector = 1u << addresses[i] % L1_LINE_BYTES / L1_SECTOR_BYTES;
		bool asked = false;
		Cycle coming;

		/* A sector that this access has just asked for counts as missing for its other lanes. */
		for (uint32_t k = 0; k < n && !asked; k++)
			asked = addresses[k] / L1_SECTOR_BYTES ==
				addresses[i] / L1_SECTOR_BYTES;
		if (asked || l1_look(&sm->l1, line, sector, now, &coming)) {
			l1_filled(&sm->l1, line, filled);
			addresses[n++] = addresses[i];
			continue;
		}
		there = MAX(there, MAX(hit, coming));
	}
	access->n_lanes = n;
	return there;
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

	address_lanes(sm, record, access.width, addresses);
	sm->statistics.global_segments += record->count;
	if (access.kind == ACCESS_LOAD && record->cache != CACHE_BYPASS && sm->l1.n_sets > 0) {
		Cycle there = look_in_l1(sm, &access, addresses);

		warp->replied_at = MAX(warp->replied_at, there);
	}
	return ask_record(sm, slot, &access);
}

Cycle global_ask_step(Sm *sm, uint32_t slot, const GlobalAsk *what, uint64_t own_base,
		      Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const GlobalAtomic *atomic = warp->global;
	uint64_t addresses[MAX_LANES];
	MemoryAccess access = {
		.issue = now,
		.kind = (AccessKind)what->kind,
		.result = what->result,
		.width = warp->record.width,
		.addresses = addresses,
		.served = what->served,
		.served_data = warp->global,
	};

	if (what->lanes == lanes_below(atomic->n_lanes)) {
		access.n_lanes = atomic->n_lanes;
		for (uint32_t i = 0; i < atomic->n_lanes; i++)
			addresses[i] = atomic->base + atomic->address[i];
	} else {
		for (LaneMask left = what->lanes; left; left &= left - 1)
			addresses[access.n_lanes++] =
				atomic->base + atomic->address[__builtin_ctzll(left)];
	}
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
	return sm->context->memory && record_in_buffer(record) &&
	       (!sm->scoreboard.dataflow || record->kind == RECORD_ATOMG);
}

Cycle global_fence_end(const Sm *sm, uint32_t slot, Cycle now)
{
	const Warp *warp = &sm->warps[slot];
	const Cycle alone = sm->machine->issue->fence_device_cycles;

	if (!sm->context->memory || now == warp->record_since)
		return now + alone;
	return MAX(warp->record_since + alone, now + sm->machine->network->fence_cycles);
}

/* --- Waits --- */

static MemoryWait needs(const Sm *sm, const Warp *warp)
{
	const Record *record = &warp->record;

	switch (record->kind) {
	case RECORD_FENCE:
		return record->scope == SCOPE_BLOCK ? WAIT_RESULTS : WAIT_ALL;
	/* Nothing but the use of a result waits for it. */
	case RECORD_BAR:
	case RECORD_LDS:
		return sm->machine->sm.scoreboard ? WAIT_NOTHING : WAIT_RESULTS;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		return sm->machine->sm.scoreboard ? WAIT_ROOM : WAIT_RESULTS;
	default:
		return WAIT_RESULTS;
	}
}

static bool is_over(const Sm *sm, const Warp *warp, MemoryWait wait)
{
	switch (wait) {
	case WAIT_RESULTS:
	case WAIT_STEP:
		return warp->n_wanted == 0;
	case WAIT_ALL:
		return warp->n_flying == 0;
	case WAIT_ROOM:
		return warp->n_flying < sm->machine->network->in_flight;
	default:
		return true;
	}
}

bool global_may_begin(Sm *sm, uint32_t slot, Cycle *ready)
{
	Warp *warp = &sm->warps[slot];
	MemoryWait wait = needs(sm, warp);
	Cycle at = wait == WAIT_RESULTS || wait == WAIT_ALL ? warp->replied_at : 0;

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

bool global_take_reply(Sm *sm, const MemoryReply *reply)
{
	uint32_t slot = reply->id & ((1u << SLOT_BITS) - 1);
	bool wanted = reply->id >> SLOT_BITS & 1;
	Warp *warp = &sm->warps[slot];

	sm->memory_at = MAX(sm->memory_at, reply->at);
	/* A store of a warp that has ended. */
	if (reply->id != reply_id(sm, slot, wanted) || warp->phase == WARP_ENDED)
		return false;
	warp->n_flying--;
	warp->n_wanted -= wanted;
	warp->replied_at = MAX(warp->replied_at, reply->at);
	if (warp->phase != WARP_PARKED || warp->memory_wait == WAIT_NOTHING ||
	    !is_over(sm, warp, warp->memory_wait))
		return false;
	warp->memory_wait = WAIT_NOTHING;
	sm_wake(sm, slot, MAX(warp->replied_at, warp->since));
	return true;
}
