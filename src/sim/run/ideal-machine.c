/* SPDX-License-Identifier: MIT */
#include "sim/run/ideal-machine.h"

#include "model/memory/memory-ideal.h"

static void take_latency(GlobalParameters *global, IssueParameters *issue)
{
	global->latency_cycles = global->load_cycles = global->store_cycles = 0;
	global->l1_cycles = 0;
	issue->fence_device_cycles = 0;
	issue->latency[CODE_TEXTURE] = issue->latency[CODE_TEXEL] = 1;
	issue->texture_per_pass_cycles = 0;
}

static void take_bandwidth(GlobalParameters *global, IssueParameters *issue)
{
	issue->texture_pass_cycles = 0;
	global->line_cycles = global->l1_line_cycles = 0;
	global->sm_bytes_per_cycle = global->sm_store_bytes_per_cycle = 0;
}

static void take_ports(SharedParameters *shared, IssueParameters *issue)
{
	shared->scheduler_port_cycles = shared->scheduler_port_load_cycles = 0;
	shared->scheduler_port_register_cycles = shared->warp_pass_cycles = 0;
	shared->queue_release_cycles = issue->predicated_off_access_cycles = 0;
}

const Machine *ideal_machine(const Machine *machine, IdealMachine *ideal)
{
	const Ideals *ideals = &machine->ideal;

	if (!ideals->global_latency && !ideals->global_bandwidth && !ideals->l2_atomics &&
	    !ideals->issue && !ideals->instruction_latency)
		return machine;
	*ideal = (IdealMachine){*machine, *machine->l2, *machine->network, *machine->dram,
				*machine->issue};
	memory_make_ideal(ideals, &ideal->l2, &ideal->network, &ideal->dram);
	if (ideals->global_latency)
		take_latency(&ideal->machine.global, &ideal->issue);
	if (ideals->global_bandwidth)
		take_bandwidth(&ideal->machine.global, &ideal->issue);
	if (ideals->issue && ideals->issue != IDEAL_BUT_PORTS)
		take_ports(&ideal->machine.shared, &ideal->issue);
	if (ideals->instruction_latency) {
		ideal->machine.sm.alu_latency_cycles = 0; /* its issue's time is left */
		issue_take_latency(&ideal->issue);
	}
	ideal->machine.l2 = &ideal->l2;
	ideal->machine.network = &ideal->network;
	ideal->machine.dram = &ideal->dram;
	ideal->machine.issue = &ideal->issue;
	return &ideal->machine;
}
