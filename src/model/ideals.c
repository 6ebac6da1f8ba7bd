/* SPDX-License-Identifier: MIT */
#include "model/ideals.h"

#define X(name) #name,
const char *const ideal_names[N_IDEALS] = {IDEALS(X)};
#undef X

const char *const ideal_words[N_IDEALS] = {
	[IDEAL_bank_conflicts] = "bank conflicts",
	[IDEAL_same_word] = "same-word contention",
	[IDEAL_lock_aliases] = "words that share a lock bit",
	[IDEAL_spin_locks] = "spin locks",
	[IDEAL_l2_atomics] = "atomics at the L2",
	[IDEAL_global_latency] = "global memory latency",
	[IDEAL_global_bandwidth] = "global memory bandwidth",
	[IDEAL_barriers] = "barriers",
	[IDEAL_issue] = "issue slots and pipes",
	[IDEAL_instruction_latency] = "instruction latency",
};

#define X(name) offsetof(Ideals, name),
static const size_t offsets[N_IDEALS] = {IDEALS(X)};
#undef X

void ideals_set(Ideals *ideals, unsigned i)
{
	*(uint32_t *)(void *)((char *)ideals + offsets[i]) = 1;
}

uint32_t ideals_has(const Ideals *ideals, unsigned i)
{
	return *(const uint32_t *)(const void *)((const char *)ideals + offsets[i]);
}
