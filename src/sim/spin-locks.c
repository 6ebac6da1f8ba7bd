/* SPDX-License-Identifier: MIT */
#include "sim/spin-locks.h"

#include <glib.h>
#include <string.h>

void spin_locks_init(SpinLocks *locks, uint32_t n_words)
{
	*locks = (SpinLocks){.n_words = n_words};
}

void spin_locks_clear(SpinLocks *locks)
{
	g_clear_pointer(&locks->holder, g_free);
}

SpinOutcome spin_locks_try(SpinLocks *locks, uint32_t slot, const uint32_t *words, uint32_t n)
{
	if (!locks->holder)
		locks->holder = g_new0(uint8_t, locks->n_words);
	for (uint32_t i = 0; i < n; i++)
		if (locks->holder[words[i]])
			return SPIN_BUSY;
	for (uint32_t i = 0; i < n; i++) {
		if (locks->holder[words[i]])
			return SPIN_TWICE;
		locks->holder[words[i]] = (uint8_t)(slot + 1);
	}
	return SPIN_TAKEN;
}

void spin_locks_take(SpinLocks *locks, uint32_t slot, uint32_t word)
{
	if (!locks->holder)
		locks->holder = g_new0(uint8_t, locks->n_words);
	g_assert(locks->holder[word] == 0);
	locks->holder[word] = (uint8_t)(slot + 1);
}

bool spin_locks_release(SpinLocks *locks, uint32_t slot, uint32_t word)
{
	if (!locks->holder || locks->holder[word] != slot + 1)
		return false;
	locks->holder[word] = 0;
	return true;
}

bool spin_locks_held(const SpinLocks *locks, uint32_t word, uint32_t *slot)
{
	if (!locks->holder || !locks->holder[word])
		return false;
	*slot = locks->holder[word] - 1u;
	return true;
}

void spin_locks_end_block(SpinLocks *locks, uint32_t first, uint32_t end)
{
	if (locks->holder)
		memset(locks->holder + first, 0, end - first);
}
