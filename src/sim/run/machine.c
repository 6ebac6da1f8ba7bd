/* SPDX-License-Identifier: MIT */
#include "sim/run/machine.h"

const char *const l1_split_names[N_L1_SPLITS] = {"none", "hopper"};
const char *const global_model_names[N_GLOBAL_MODELS] = {"flat", "slices"};

Machine machine_without_contention(const Machine *machine)
{
	Machine without = *machine;

	atomic_without_contention(&without.atomic);
	without.shared.conflict_free = 1;
	without.free_spin_locks = true;
	return without;
}
