/* SPDX-License-Identifier: MIT */
#include "sim/run/statistics.h"

#include <glib.h>

const char *const warp_state_names[N_WARP_STATES] = {
#define X(constant, name, doc) [STATE_##constant] = name,
	WARP_STATES(X)
#undef X
};

/* All counters are uint64_t, so structs of counters add up as arrays of them. */
static void add(void *sum, const void *more, size_t bytes)
{
	uint64_t *s = sum;
	const uint64_t *m = more;

	for (size_t i = 0; i < bytes / sizeof *s; i++)
		s[i] += m[i];
}

uint64_t statistics_global_wait(const uint64_t *warp_cycles)
{
	uint64_t sum = 0;

	for (WarpState state = STATE_GLOBAL; state <= STATE_DRAM; state++)
		sum += warp_cycles[state];
	return sum;
}

void statistics_add(Statistics *sum, const Statistics *more)
{
	uint64_t cycles = MAX(sum->cycles, more->cycles);
	uint64_t busy_cycles = MAX(sum->busy_cycles, more->busy_cycles);
	uint64_t first = sum->blocks == 0    ? more->first_block_end
			 : more->blocks == 0 ? sum->first_block_end
					     : MIN(sum->first_block_end, more->first_block_end);

	G_STATIC_ASSERT(sizeof *sum % sizeof(uint64_t) == 0);
	add(sum, more, sizeof *sum);
	sum->cycles = cycles;
	sum->busy_cycles = busy_cycles;
	sum->first_block_end = first;
}
