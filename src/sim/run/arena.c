/* SPDX-License-Identifier: MIT */
#include "sim/run/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#define CACHE_LINE_BYTES ((size_t)64)
#define FIRST_BYTES	 ((size_t)64 << 10) /* a run of one SM needs no more */
#define LARGE_PAGE_BYTES ((size_t)2 << 20)

static size_t round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* Pieces grow up to a large page, so that a short run takes little. */
static size_t piece_bytes(const Arena *arena, size_t bytes)
{
	const guint n = arena->pieces->len;
	const size_t least = MIN(FIRST_BYTES << MIN(n, 16), LARGE_PAGE_BYTES);

	return bytes <= least ? least : round_up(bytes, CACHE_LINE_BYTES);
}

static void add_piece(Arena *arena, size_t bytes)
{
	const size_t length = piece_bytes(arena, bytes);
	const bool large = length >= LARGE_PAGE_BYTES;
	void *piece = NULL;

	if (posix_memalign(&piece, large ? LARGE_PAGE_BYTES : CACHE_LINE_BYTES, length) != 0)
		g_error("no memory for %zu bytes", length);
#ifdef MADV_HUGEPAGE
	if (large)
		(void)madvise(piece, length / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES,
			      MADV_HUGEPAGE);
#endif
	g_ptr_array_add(arena->pieces, piece);
	arena->at = piece;
	arena->end = arena->at + length;
}

void arena_init(Arena *arena)
{
	g_mutex_init(&arena->lock);
	arena->pieces = g_ptr_array_new_with_free_func(free);
	arena->at = arena->end = NULL;
}

void arena_clear(Arena *arena)
{
	g_ptr_array_unref(arena->pieces);
	g_mutex_clear(&arena->lock);
}

void *arena_take(Arena *arena, size_t bytes)
{
	void *taken;

	bytes = round_up(bytes, CACHE_LINE_BYTES);
	g_mutex_lock(&arena->lock);
	if ((size_t)(arena->end - arena->at) < bytes)
		add_piece(arena, bytes);
	taken = arena->at;
	arena->at += bytes;
	g_mutex_unlock(&arena->lock);
	return taken;
}
