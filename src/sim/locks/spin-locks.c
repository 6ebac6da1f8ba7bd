/* SPDX-License-Identifier: MIT */
#include "sim/locks/spin-locks.h"

#include <glib.h>
#include <string.h>

void spin_locks_init(SpinLocks *locks, uint32_t n_words)
{
	*locks = (SpinLocks){.n_words = n_words};
}

void spin_locks_clear(SpinLocks *locks)
{
	g_clear_pointer(&locks->holder, g_free);
	g_clear_pointer(&locks->free_at, g_free);
}

static void begin(SpinLocks *locks)
{
	if (locks->holder)
		return;
	locks->holder = g_new0(uint8_t, locks->n_words);
	locks->free_at = g_new0(Cycle, locks->n_words);
}

SpinOutcome spin_locks_try(SpinLocks *locks, uint32_t slot, const uint32_t *words, uint32_t n)
{
	begin(locks);
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

bool spin_locks_take(SpinLocks *locks, uint32_t slot, uint32_t word, Cycle at)
{
	begin(locks);
	if (locks->holder[word] || locks->free_at[word] > at)
		return false;
	locks->holder[word] = (uint8_t)(slot + 1);
	return true;
}

bool spin_locks_release(SpinLocks *locks, uint32_t slot, uint32_t word, Cycle at)
{
	if (!locks->holder || locks->holder[word] != slot + 1)
		return false;
	locks->holder[word] = 0;
	locks->free_at[word] = at;
	locks->last_free_at = MAX(locks->last_free_at, at);
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
	if (!locks->holder)
		return;
	memset(locks->holder + first, 0, end - first);
	memset(locks->free_at + first, 0, (end - first) * sizeof *locks->free_at);
}
