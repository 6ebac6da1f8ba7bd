/* SPDX-License-Identifier: MIT */
/*
 * Loads that need not bypass it look in the SM's first cache (model/memory/l1.h) first: lanes whose sectors are there do not
 * leave the SM. Assumed: a line on its way is there after network.load_cycles for those that look meanwhile.
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

/* Whether a sector is among those that this access has just asked for, and, then or not, another one of its line: *of_line. */
static bool is_asked(const uint64_t *asked, uint32_t n, uint64_t sector, bool *of_line)
{
	*of_line = false;
	for (uint32_t k = 0; k < n; k++) {
		*of_line |= asked[k] / L1_LINE_SECTORS == sector / L1_LINE_SECTORS;
		if (asked[k] == sector)
			return true;
	}
	return false;
}

/* Leaves of a load's lanes those whose sectors are not in the SM's first cache, of *n_lines lines. Returns when the others have
   theirs; 0: none has. */
static Cycle look_in_l1(Sm *sm, MemoryAccess *access, uint64_t *addresses, uint32_t *n_lines)
{
	const Cycle now = access->issue, hit = now + sm->machine->global.l1_cycles;
	const Cycle filled = now + sm->machine->network->load_cycles;
	uint64_t asked[MAX_LANES], before = UINT64_MAX;
	uint32_t n = 0, n_asked = 0;
	bool missing = false, of_line;
	Cycle there = 0;

	*n_lines = 0;
	for (uint32_t i = 0; i < access->n_lanes; i++) {
		const uint64_t sector = addresses[i] / L1_SECTOR_BYTES;
		Cycle coming;

		/* The lane before has found it as this one would: once asked for, it is missing for all of them. */
		if (sector != before && !is_asked(asked, n_asked, sector, &of_line)) {
			missing = l1_look(&sm->l1, addresses[i] / L1_LINE_BYTES,
					  1u << sector % L1_LINE_SECTORS, now, &coming) != 0;
			if (missing) {
				asked[n_asked++] = sector;
				*n_lines += !of_line;
			} else {
				there = MAX(there, MAX(hit, coming));
			}
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

/* What lines beyond two take longer to come from the first cache. */
static Cycle further_lines(const Sm *sm, uint32_t n_lines)
{
	return sm->scoreboard.dataflow && n_lines > 2
		       ? (n_lines - 2) * sm->machine->global.l1_line_cycles
		       : 0;
}

Cycle lines_hit_at(Sm *sm, MemoryAccess *access, uint64_t *addresses, uint32_t n_lines)
{
	uint32_t n_missing, n_there;
	Cycle there = look_in_l1(sm, access, addresses, &n_missing), turn;

	if (there == 0)
		return 0;
	/* What a trace says of lines need not be what its addresses say. */
	n_there = n_lines - MIN(n_missing, n_lines);
	turn = lines_take_turn(sm, n_there, access->issue);
	return MAX(there + further_lines(sm, n_lines),
		   turn + sm->machine->global.l1_cycles + further_lines(sm, n_there));
}
