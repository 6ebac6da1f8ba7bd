/* SPDX-License-Identifier: MIT */
#include "sim/run/machine.h"

const char *const l1_split_names[N_L1_SPLITS] = {"none", "hopper"};
const char *const global_model_names[N_GLOBAL_MODELS] = {"flat", "slices"};

Machine machine_with_ideal(const Machine *machine, unsigned i)
{
	Machine with = *machine;

	ideals_set(&with.ideal, i);
	return with;
}

Machine machine_with_ideals(const Machine *machine, unsigned n)
{
	Machine with = *machine;

	for (unsigned i = 0; i < n; i++)
		ideals_set(&with.ideal, i);
	return with;
}
