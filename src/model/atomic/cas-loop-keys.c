/* SPDX-License-Identifier: MIT */
/*
 * The keys of mechanism `cas-loop`, and what must hold between them.
 */
#include <glib.h>

#include "model/atomic/cas-loop.h"

#define PATH(name, was)		 .path = "atomic.cas_loop." name, .formerly = was
#define CYCLES(field, was, from) PATH(#field, was), KEY_CYCLES(CasLoopParameters, field, from)

const Key cas_loop_keys[N_CAS_LOOP_KEYS] = {
	{CYCLES(operation_cycles, NULL, 1), .default_value = "5",
	 .doc = "From the loaded word to the compare-and-swap (CAS) of the new value.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200
	 "/issue: issue-latency.csv, FADD 4, and 1 more to a memory instruction"},
	{CYCLES(cas_cycles, NULL, 1), .default_value = "31",
	 .doc = "Latency of the CAS, from issue to result.", .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, cas_ret, pos/1"},
	{CYCLES(write_cycles, NULL, 1), .default_value = "8",
	 .doc = "From the start of the CAS until a load finds the value that it stored.",
	 .measured_on = "NVIDIA H200",
	 .source =
		 KEY_H200 ": swap-steps.csv: a load 35 cycles after another warp's fails, one "
			  "36 after does not, and its swap starts 28 after it"},
	{PATH("cas_passes", "atomic.cas_loop.swap_passes atomic.loop_swap_passes"),
	 KEY_NUMBER(CasLoopParameters, cas_passes, 1, 16), .default_value = "2",
	 .doc = "Passes for which the CAS keeps the banks busy.", .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-throughput.csv, fadd_noret, pos/1, shift_words 32, 32 "
			    "warps"},
	{CYCLES(exit_cycles, "atomic.loop_exit_cycles", 1), .default_value = "33",
	 .doc = "From the result of the CAS to the next instruction when all lanes are done.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/1"},
	{CYCLES(retry_cycles, "atomic.loop_retry_cycles", 1), .default_value = "23",
	 .doc = "From the result of the CAS to the load of the retry when all lanes have "
		"failed.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200
	 ": swap-steps.csv, 2 warps, 32 common words: a failed round takes 82"},
	{CYCLES(diverged_retry_cycles, "atomic.cas_loop.split_cycles atomic.loop_split_cycles",
		1),
	 .default_value = "36",
	 .doc = "From the result of the CAS to the load of the retry when some lanes are done "
		"and some have failed.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/17 to pos/32"},
	{CYCLES(minority_first_retry_cycles,
		"atomic.cas_loop.switch_cycles atomic.loop_switch_cycles", 1),
	 .default_value = "71",
	 .doc = "As atomic.cas_loop.diverged_retry_cycles, the first time after a round that "
		"completed more lanes than it left.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/3 to pos/16"},
	{CYCLES(minority_retry_cycles, "atomic.cas_loop.again_cycles", 1),
	 .default_value = "20",
	 .doc = "As atomic.cas_loop.minority_first_retry_cycles, each further time.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/17 to pos/32, each further "
			    "lane"},
	{CYCLES(majority_exit_cycles, "atomic.cas_loop.leave_cycles atomic.loop_leave_cycles",
		0),
	 .default_value = "3",
	 .doc = "Added to a round that completes more lanes than it leaves.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, fadd_noret, pos/2"},
	{CYCLES(operation_64bit_cycles, "atomic.cas_loop.wide_operation_cycles", 0),
	 .default_value = "4", .doc = "Added to the operation on 64-bit values.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 "/issue: issue-latency.csv, DADD 8 and FADD 4"},
	{CYCLES(cas_64bit_cycles, "atomic.cas_loop.wide_cycles atomic.loop_wide_cycles", 0),
	 .default_value = "12", .doc = "Added after the CAS of a 64-bit operation.",
	 .measured_on = "NVIDIA H200", .source = KEY_H200 ": warp-latency.csv, u64add_ret"},
	{CYCLES(both_halves_64bit_cycles,
		"atomic.cas_loop.halves_cycles atomic.loop_halves_cycles", 0),
	 .default_value = "4",
	 .doc = "Added to a 64-bit round with lanes of both halves of the warp.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": warp-latency.csv, u64add_ret, bank32/19"},
	{RETRY_KEY_WHO("atomic.cas_loop", CasLoopParameters), .acts_on = KEY_ACTS_ATOMIC,
	 .doc = "Retry policy: which lanes try again, and when. all: each lane that failed, in "
		"each further round of its warp. one-winner: the load reserves its word until "
		"the CAS is done; a lane waits until its word is free, and one of a warp's "
		"lanes for that word tries. fifo: the same, and lanes get a word in the order "
		"of their requests. Waiting lanes take no issue slots.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": swap-steps.csv, warp-latency.csv: all; the others are designs: "
			    "US 12,547,413, TPDS 2019"},
	{RETRY_KEY_BACK_OFF("atomic.cas_loop", CasLoopParameters), .acts_on = KEY_ACTS_FAILURE,
	 .doc = "Longest back-off: after a round in which no lane succeeded, a warp waits for "
		"a random time from 0 to this; the limit doubles with each further such round.",
	 .measured_on = "NVIDIA H200",
	 .source = KEY_H200 ": swap-steps.csv: a failed round always takes 82"},
	{RETRY_KEY_DOUBLINGS("atomic.cas_loop", CasLoopParameters),
	 .acts_on = KEY_ACTS_FAILURE},
};

static const char *retry_problem(const AtomicParameters *atomic, const SharedParameters *shared,
				 uint32_t issue_cycles)
{
	const CasLoopParameters *p = atomic->own[MECHANISM_cas_loop];

	(void)shared;
	(void)issue_cycles;
	return retry_problem_of(&p->retry);
}

const MechanismRule cas_loop_rules[N_CAS_LOOP_RULES] = {
	{{"atomic.cas_loop.operation_cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
	{{"atomic.cas_loop.cas_cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
	{{"atomic.cas_loop.back_off_cycles", "atomic.cas_loop.retry"}, retry_problem},
};
