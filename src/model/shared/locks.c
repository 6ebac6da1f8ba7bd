/* SPDX-License-Identifier: MIT */
#include "model/shared/locks.h"

#include <glib.h>

void lock_map_init(LockMap *map, const HashSpec *spec, uint32_t n_locks, uint32_t n_words)
{
	Hash hash;

	hash_build(spec, n_locks, &hash);
	map->n_locks = n_locks;
	map->modulo = hash_is_modulo(&hash);
	map->lock_of = hash_tabulate(&hash, n_words);
}

#define MOST_LOCKS (UINT16_MAX + 1u)

void lock_map_init_words(LockMap *map, uint32_t n_words)
{
	map->n_locks = CLAMP(n_words, 1, MOST_LOCKS);
	map->modulo = true;
	map->lock_of = g_new(uint16_t, MAX(n_words, 1));
	for (uint32_t word = 0; word < n_words; word++)
		map->lock_of[word] = (uint16_t)(word % map->n_locks);
}

void lock_map_clear(LockMap *map)
{
	g_clear_pointer(&map->lock_of, g_free);
}
