/* SPDX-License-Identifier: MIT */
/* The keys of mechanism `cas-loop` of global words, and what its designs cost in hardware. */
#include "model/cost.h"
#include "model/memory/global-cas-loop.h"

#define CYCLES(field, from)                                                                    \
	.path = "global.atomic.cas_loop." #field,                                              \
	KEY_CYCLES(GlobalCasLoopParameters, field, from)

const Key global_cas_loop_keys[N_GLOBAL_CAS_LOOP_KEYS] = {
	{CYCLES(operation_cycles, 1), .default_value = "10", .assumption = true,
	 .doc = "From a loaded word, or a failed compare-and-swap (CAS), to the CAS of the new "
		"value.",
	 .source = "as atomic.cas_loop.operation_cycles"},
	{CYCLES(retry_cycles, 1), .default_value = "15", .assumption = true,
	 .doc = "From a CAS that failed in some lanes to their next operation.",
	 .source = "as atomic.cas_loop.retry_cycles"},
	{CYCLES(exit_cycles, 1), .default_value = "28", .assumption = true,
	 .doc = "From the result of the CAS to the next instruction when all lanes are done.",
	 .source = "as atomic.cas_loop.exit_cycles"},
	{RETRY_KEY_WHO("global.atomic.cas_loop", GlobalCasLoopParameters), .neutral = true,
	 .doc = "Retry policy: which lanes try again. all: each lane that failed, in each "
		"further round of its warp. one-winner: of the lanes of a warp for one word "
		"one tries the CAS, and the others go on with what it brings back. fifo is of "
		"shared memory only: the L2 keeps no queue of lanes.",
	 .source = "a design: US 12,547,413"},
	{RETRY_KEY_BACK_OFF("global.atomic.cas_loop", GlobalCasLoopParameters), .neutral = true,
	 .doc = "Longest back-off: after a round in which no lane succeeded, a warp waits for "
		"a random time from 0 to this, and loads its words again; the limit doubles "
		"with each further such round.",
	 .source = "a design"},
	{RETRY_KEY_DOUBLINGS("global.atomic.cas_loop", GlobalCasLoopParameters)},
};

static const RetryParameters *retry_of(const CostMachine *machine)
{
	const GlobalCasLoopParameters *p = machine->global->own[GLOBAL_MECHANISM_cas_loop];

	return &p->retry;
}

/* Assumed: a unit next to each SM's port compares the address of one lane with those of the other 31, lane after lane. */
static void count_winner(const CostMachine *machine, CostPart *part)
{
	if (retry_of(machine)->who == RETRY_ALL)
		return;
	part->units = machine->n_sms;
	part->entries = part->bits = machine->n_warps * COST_LANES;
	part->gates = (COST_LANES - 1) * (uint64_t)machine->weights->compare_gates *
		      COST_ADDRESS_BITS;
}

static void count_back_off(const CostMachine *machine, CostPart *part)
{
	retry_count_back_off(retry_of(machine), machine, part);
}

const CostRow global_cas_loop_costs[N_GLOBAL_CAS_LOOP_COSTS] = {
	{"one winner, global words",
	 "per SM; a bit for each lane that leaves its swap to another, and comparators of "
	 "addresses (global.atomic.cas_loop.retry)",
	 count_winner},
	{"global back-off",
	 "per SM; counters of its warps (global.atomic.cas_loop.back_off_cycles)",
	 count_back_off},
};

bool global_cas_loop_has_queue(const GlobalAtomicParameters *parameters)
{
	const GlobalCasLoopParameters *p = parameters->own[GLOBAL_MECHANISM_cas_loop];

	return p->retry.who == RETRY_FIFO;
}
