/* SPDX-License-Identifier: MIT */
/* Rows of the keys that make a thing ideal (model/ideals.h): what-ifs that no hardware is. */
#include "config/keys-own.h"

#define IDEAL(field)                                                                           \
	.path = "ideal." #field, KEY_FIELD(KEY_UINT32, uint32_t, Machine, ideal.field),        \
	.max = 1, .default_value = "0", .source = "0 is what hardware does"

const Key ideal_keys[N_IDEALS] = {
	[IDEAL_bank_conflicts] = {IDEAL(bank_conflicts), .formerly = "shared.conflict_free",
				  .acts_on = KEY_ACTS_SHARED,
				  .doc = "1: different words of a bank cost nothing extra."},
	[IDEAL_same_word] = {IDEAL(same_word),
			     .acts_on = KEY_ACTS_ATOMIC | KEY_ACTS_GLOBAL_ATOMIC,
			     .doc = "1: lanes that want one word of shared memory, of any "
				    "warp, do not wait for each other's atomics."},
	[IDEAL_lock_aliases] = {IDEAL(lock_aliases), .acts_on = KEY_ACTS_LOCK_BITS,
				.doc = "1: no two words share a lock bit."},
	[IDEAL_spin_locks] = {IDEAL(spin_locks), .acts_on = KEY_ACTS_SPIN_LOCK,
			      .doc = "1: software spin locks are found free at once."},
	[IDEAL_l2_atomics] = {IDEAL(l2_atomics), .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
			      .needs = "global.model",
			      .doc = "1: an atomic costs a slice of the L2 what a load of its "
				     "words costs, and no compare-and-swap fails."},
	[IDEAL_global_latency] = {IDEAL(global_latency), .acts_on = KEY_ACTS_ANY_GLOBAL,
				  .doc = "1: round trips to global memory take no time, or "
					 "the least that the model allows."},
	[IDEAL_global_bandwidth] = {IDEAL(global_bandwidth), .acts_on = KEY_ACTS_ANY_GLOBAL,
				    .doc = "1: ports, links, slices and DRAM are never busy; "
					   "atomics keep their slices."},
	[IDEAL_barriers] = {IDEAL(barriers), .acts_on = KEY_ACTS_BARRIER,
			    .doc = "1: no warp waits for others at a barrier."},
	[IDEAL_issue] = {IDEAL(issue),
			 .doc = "1: each warp issues as soon as it is ready: no slot and no "
				"pipe is busy."},
};
