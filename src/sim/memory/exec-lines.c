/* SPDX-License-Identifier: MIT */
/*
 * Loads that need not bypass it look in the SM's first cache (model/memory/l1.h) first: lanes whose sectors are there do not
 * leave the SM. Those that find theirs on the way wait for the access that brings it (sim/memory/misses.h).
 */
#include "sim/memory/exec-lines.h"

Cycle lines_take_turn(Sm *sm, uint32_t n_lines, Cycle now)
{
	const uint32_t each = sm->machine->global.line_cycles;
	const Cycle start = MAX(now, sm->lines_free);

	if (each == 0 || n_lines <= 2)
		return now;
	sm->lines_free = start + n_lines * each;
	return start;
}

/* Whether a sector is among those that this access has just asked for. */
static bool is_asked(const uint64_t *asked, uint32_t n, uint64_t sector)
{
	for (uint32_t k = 0; k < n; k++)
		if (asked[k] == sector)
			return true;
	return false;
}

/* The sector that lane i is the first to want: whether all of it that this lane and those behind it want was stored by this SM. */
static bool is_stored(Sm *sm, const MemoryAccess *access, const uint64_t *addresses, uint32_t i)
{
	const uint64_t sector = addresses[i] / L1_SECTOR_BYTES;
	const uint32_t mask = (1u << access->width / L1_WORD_BYTES) - 1;
	uint32_t words = 0;

	for (uint32_t k = i; k < access->n_lanes; k++)
		if (addresses[k] / L1_SECTOR_BYTES == sector)
			words |= mask << addresses[k] % L1_LINE_BYTES / L1_WORD_BYTES;
	return l1_stored(&sm->l1, addresses[i] / L1_LINE_BYTES, words) != 0;
}

/* A load that looks in the SM's first cache. */
typedef struct {
	uint64_t asked[MAX_LANES]; /* sectors that are missing, each once */
	uint32_t n_asked;
	Cycle there; /* what it has found is there then; 0: nothing */
	L1Found *found;
} Look;

static void follow(Look *look, uint16_t miss)
{
	L1Found *found = look->found;

	for (uint32_t i = 0; i < found->n_followed; i++)
		if (found->followed[i] == miss)
			return;
	found->followed[found->n_followed++] = miss;
}

/* A sector that it has not asked for: whether it is missing, and is asked for now. */
static bool look_for(Sm *sm, const MemoryAccess *access, uint64_t sector, Look *look)
{
	const uint64_t line = sector / L1_LINE_SECTORS;
	const uint32_t at = (uint32_t)(sector % L1_LINE_SECTORS);
	const Cycle hit = access->issue + sm->machine->global.l1_cycles;
	Cycle coming;
	uint16_t asked_by;

	if (!l1_misses(&sm->l1, line, at, access->issue, &coming, &asked_by)) {
		if (asked_by > 0)
			follow(look, asked_by);
		look->there = MAX(look->there, MAX(hit, coming));
		return false;
	}
	if (look->found->own == 0)
		look->found->own = misses_begin(&sm->misses);
	if (look->found->own > 0) { /* else there are too many: others ask for it, too */
		l1_ask(&sm->l1, line, at, look->found->own);
		misses_add_line(&sm->misses, look->found->own, line);
	}
	look->asked[look->n_asked++] = sector;
	return true;
}

/* Leaves of a load's lanes those whose sectors are not in the SM's first cache, nor on their way there. Returns when what is there is; 0:
   nothing is. */
static Cycle look_in_l1(Sm *sm, MemoryAccess *access, uint64_t *addresses, L1Found *found)
{
	const Cycle hit = access->issue + sm->machine->global.l1_cycles;
	Look look = {.found = found};
	uint64_t before = UINT64_MAX;
	uint32_t n = 0;
	bool missing = false;

	for (uint32_t i = 0; i < access->n_lanes; i++) {
		const uint64_t sector = addresses[i] / L1_SECTOR_BYTES;

		/* The lane before has found it as this one would: once asked for, it is missing for all of them. */
		if (sector != before) {
			missing = is_asked(look.asked, look.n_asked, sector);
			if (!missing && sm->l1.stored && is_stored(sm, access, addresses, i))
				look.there = MAX(look.there, hit);
			else if (!missing)
				missing = look_for(sm, access, sector, &look);
		}
		before = sector;
		addresses[n] = addresses[i];
		n += missing;
	}
	access->n_lanes = n;
	access->miss = found->own;
	return look.there;
}

#define BANKS	   32
#define BANK_BYTES 4

/* Passes through the first cache's data: different words of a bank one after the other, whichever lanes want them and however wide they are
   (measurements/h200/issue/issue-access-lines.csv: 32 lanes of 16 bytes that alternate between 4 lines take 4 passes; one word of 16 bytes for all
   lanes takes 1). A word is as wide as the access, and takes that many banks. */
static uint32_t data_passes(const MemoryAccess *access)
{
	const uint32_t columns = BANKS * BANK_BYTES / access->width;
	uint8_t in_column[BANKS * BANK_BYTES] = {0}, most = 0;

	for (uint32_t i = 0; i < access->n_lanes; i++) {
		const uint64_t word = access->addresses[i] / access->width;
		uint32_t k = i;

		while (k > 0 && access->addresses[k - 1] / access->width != word)
			k--;
		if (k == 0) {
			in_column[word % columns]++;
			most = MAX(most, in_column[word % columns]);
		}
	}
	return most;
}

/* While a load passes again and again because its words share banks, no store leaves the SM (measurements/h200/issue/issue-lines-both.csv: a
   load and a store of 32 lines take 64 cycles where their words lie in 32 banks and 97 where they share one; of 16 lines 32 and 48). */
static void hold_stores(Sm *sm, uint32_t width, uint32_t passes, Cycle start)
{
	const uint32_t least = MAX(width / BANK_BYTES, 1);

	if (passes > least && sm->stores.free > start)
		sm->stores.free += passes * sm->machine->global.line_cycles;
}

Cycle lines_pass(Sm *sm, MemoryAccess *access, uint32_t n_lines)
{
	const GlobalParameters *p = &sm->machine->global;
	const uint32_t data = data_passes(access);
	const uint32_t tags = (n_lines + p->l1_tags - 1) / p->l1_tags;
	const uint32_t cycles = MAX(data, tags) * p->line_cycles;
	const Cycle start = MAX(access->issue, sm->lines_free);

	if (cycles == 0)
		return 0;
	sm->lines_free = start + cycles;
	hold_stores(sm, access->width, data, start);
	shared_take(&sm->shared, access->issue, start, cycles);
	access->issue = start;
	return MAX(p->l1_line_cycles * (data - 1) + (tags - 1) * p->line_cycles, cycles - 1);
}

Cycle lines_hit_at(Sm *sm, MemoryAccess *access, uint64_t *addresses, Cycle further,
		   L1Found *found)
{
	const Cycle there = look_in_l1(sm, access, addresses, found);

	return there > 0 ? there + further : 0;
}

void lines_follow(Sm *sm, uint32_t slot, uint64_t id, const L1Found *found, Cycle there)
{
	Warp *warp = &sm->warps[slot];

	misses_follow(&sm->misses, found->followed, found->n_followed, found->own, id, there);
	if (found->own > 0)
		return; /* its own access counts for both */
	warp->n_flying++;
	warp->n_wanted++;
}
