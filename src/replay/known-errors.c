/* SPDX-License-Identifier: MIT */
#include "replay/known-errors.h"

#include <string.h>

#define MUCH_GLOBAL 5 /* a fifth of the warps' time */

const char *known_kernels(const Statistics *statistics)
{
	static const char *const kinds[][2] = {
		{"no atomics and little global memory", "no atomics and much global memory"},
		{"atomics without retries and little global memory",
		 "atomics without retries and much global memory"},
		{"atomics that retry and little global memory",
		 "atomics that retry and much global memory"},
		{"spin locks and little global memory", "spin locks and much global memory"},
	};
	const AtomicCounters *atomics = &statistics->atomics;
	guint kind = 0;

	if (statistics->records[RECORD_CODE] == 0)
		return NULL;
	if (statistics->spin_attempts > 0)
		kind = 3;
	else if (atomics->attempts > atomics->successes)
		kind = 2;
	else if (atomics->warp_instructions > 0)
		kind = 1;
	return kinds[kind][statistics->warp_cycles[STATE_GLOBAL] >=
			   statistics->resident_warp_cycles / MUCH_GLOBAL];
}

const KnownError *known_kernel_error(const Machine *machine, const Statistics *statistics)
{
	const char *what = known_kernels(statistics);

	for (guint i = 0; what && machine->known && i < machine->known->kernels->len; i++) {
		const KnownError *error =
			&g_array_index(machine->known->kernels, KnownError, i);

		if (strcmp(error->what, what) == 0)
			return error;
	}
	return NULL;
}

const KnownError *known_change_error(const Machine *machine, const char *change)
{
	for (guint i = 0; machine->known && i < machine->known->changes->len; i++) {
		const KnownError *error =
			&g_array_index(machine->known->changes, KnownError, i);

		if (g_str_has_prefix(change, error->what))
			return error;
	}
	return NULL;
}
