/* SPDX-License-Identifier: MIT */
/* Rows of the keys that make a thing ideal (model/ideals.h): what-ifs that no hardware is. */
#include "config/keys-own.h"

#define IDEAL(field)                                                                           \
	.path = "ideal." #field, KEY_FIELD(KEY_UINT32, uint32_t, Machine, ideal.field),        \
	.max = 1, .default_value = "0", .source = "0 is what hardware does"

const Key ideal_keys[N_IDEALS] = {
	[IDEAL_bank_conflicts] = {IDEAL(bank_conflicts), .formerly = "shared.conflict_free",
				  .acts_on = KEY_ACTS_SHARED,
				  .doc = "No bank conflicts if 1: different words of a bank "
					 "cost nothing extra."},
	[IDEAL_same_word] =
		{IDEAL(same_word), .acts_on = KEY_ACTS_ATOMIC | KEY_ACTS_GLOBAL_ATOMIC,
		 .doc = "No contention for words if 1: lanes that access one word of shared "
			"memory, of any warp, do not wait for each other's atomics."},
	[IDEAL_lock_aliases] = {IDEAL(lock_aliases), .acts_on = KEY_ACTS_LOCKS,
				.doc = "No aliases if 1: no two words share a lock bit, "
				       "and no CAM of locks is full."},
	[IDEAL_spin_locks] = {IDEAL(spin_locks), .acts_on = KEY_ACTS_SPIN_LOCK,
			      .doc = "No contention for software locks if 1: every attempt at "
				     "a spin lock finds it free."},
	[IDEAL_l2_atomics] =
		{IDEAL(l2_atomics), .acts_on = KEY_ACTS_GLOBAL_ATOMIC, .needs = "global.model",
		 .doc = "No contention at the L2 if 1: an atomic costs an L2 slice what a load "
			"of its words costs, and no compare-and-swap fails."},
	[IDEAL_global_latency] = {IDEAL(global_latency),
				  .acts_on = KEY_ACTS_ANY_GLOBAL | KEY_ACTS_CODE(CODE_TEXTURE),
				  .doc = "No global latency if 1: round trips to global memory "
					 "and textures take no time, or the least that the "
					 "model allows."},
	[IDEAL_global_bandwidth] =
		{IDEAL(global_bandwidth),
		 .acts_on = KEY_ACTS_ANY_GLOBAL | KEY_ACTS_CODE(CODE_TEXTURE),
		 .doc = "No bandwidth limit if 1: ports, links, slices, DRAM and the "
			"texture unit are never busy; atomics still occupy their slices."},
	[IDEAL_barriers] =
		{IDEAL(barriers), .acts_on = KEY_ACTS_BARRIER,
		 .doc = "No barriers if 1: no warp waits for other warps at a barrier."},
	[IDEAL_issue] = {IDEAL(issue),
			 .doc = "No limit of issue if 1: each warp issues as soon as it is "
				"ready; schedulers and pipes are never busy."},
	[IDEAL_instruction_latency] =
		{IDEAL(instruction_latency),
		 .doc = "No latency of instructions if 1: results of arithmetic, predicates, "
			"exchanges between lanes and branches take no time; memory, constants, "
			"issue slots and pipes stay as they are."},
};
