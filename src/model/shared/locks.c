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

void lock_map_clear(LockMap *map)
{
	g_clear_pointer(&map->lock_of, g_free);
}
