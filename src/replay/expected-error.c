/* SPDX-License-Identifier: MIT */
#include "replay/expected-error.h"

#include "replay/launch-time.h"

/* Where classes part: round figures. */
#define MUCH_GLOBAL    5    /* a fifth of the warps' time */
#define MANY_CONFLICTS 4    /* a conflict pass for so many accesses */
#define SHORT_CYCLES   2000 /* what starts and ends a launch is a large part of fewer */

/* Launches without atomics and with few bank conflicts: by length and by what waits for global memory. */
static const char *plain_class(const Machine *machine, const Statistics *statistics)
{
	static const char *const classes[2][2] = {
		{"no atomics, little global memory, under 2,000 cycles",
		 "no atomics, much global memory, under 2,000 cycles"},
		{"no atomics, little global memory, 2,000 cycles or more",
		 "no atomics, much global memory, 2,000 cycles or more"},
	};
	const uint64_t cycles = launch_busy_cycles(machine, statistics);
	const uint64_t global = statistics_global_wait(statistics->warp_cycles) +
				statistics->warp_cycles[STATE_GLOBAL_QUEUE];

	return classes[cycles >= SHORT_CYCLES]
		      [global >= statistics->resident_warp_cycles / MUCH_GLOBAL];
}

const char *expected_class(const Machine *machine, const Statistics *statistics)
{
	const SharedCounters *shared = &statistics->shared;

	if (statistics->records[RECORD_CODE] == 0)
		return NULL;
	if (statistics->spin_attempts > 0)
		return "spin locks";
	if (statistics->blocks > machine_launch_sms(machine))
		return "more blocks than SMs";
	if (statistics->atomics.warp_instructions > 0)
		return "atomics on shared memory";
	if (statistics->records[RECORD_ATOMG] > 0)
		return "atomics on global memory alone";
	if (shared->conflict_passes > 0 &&
	    shared->conflict_passes * MANY_CONFLICTS >= shared->accesses)
		return "no atomics, many bank conflicts";
	return plain_class(machine, statistics);
}

static const ExpectedError *find(const GArray *errors, const char *what)
{
	for (guint i = 0; i < errors->len; i++) {
		const ExpectedError *error = &g_array_index(errors, ExpectedError, i);

		if (g_str_has_prefix(what, error->what))
			return error;
	}
	return NULL;
}

const ExpectedError *expected_launch_error(const Machine *machine, const Statistics *statistics)
{
	const char *class = expected_class(machine, statistics);

	return class && machine->expected ? find(machine->expected->launches, class) : NULL;
}

const ExpectedError *expected_change_error(const Machine *machine, const char *change)
{
	return machine->expected ? find(machine->expected->changes, change) : NULL;
}
