/* SPDX-License-Identifier: MIT */
#include "sim/run/machine.h"

const char *const l1_split_names[N_L1_SPLITS] = {"none", "hopper"};
const char *const l1_stores_names[N_L1_STORES] = {"ignored", "words"};
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

Machine machine_in_state(const Machine *machine, const LaunchState *launch)
{
	Machine found = *machine;

	found.launch = *launch;
	return found;
}

CostMachine machine_hardware(const Machine *machine)
{
	return (CostMachine){
		.n_sms = machine->sm.count,
		.n_schedulers = machine->sm.schedulers,
		.n_warps = machine->sm.max_warps,
		.shared = &machine->shared,
		.atomic = &machine->atomic,
		.global = &machine->global_atomic,
		.combine = machine->combine,
		.l2 = machine->global.model == GLOBAL_SLICES ? machine->l2 : NULL,
		.weights = machine->cost,
	};
}

uint32_t machine_launch_sms(const Machine *machine)
{
	const uint32_t n = machine->sm.count, wanted = machine->launch.sms;

	return wanted > 0 && wanted < n ? wanted : n;
}
