/* SPDX-License-Identifier: MIT */
#include "sim/locks/global-locks.h"

#include <glib.h>

#include "base/spread.h"

#define WORD_BYTES  4
#define FIRST_LINES 64 /* room for so many at first: a power of 2 */

/* The words of a line that are held. */
typedef struct {
	uint64_t line; /* + 1; 0: free */
	uint32_t held; /* bit i: word i */
} LockLine;

/* Open addressing: a line that was ever asked for keeps its place. */
struct GlobalLocks {
	LockLine *lines;
	uint32_t n_lines, room; /* room: a power of 2, at least twice n_lines */
	Cycle changed_at;
};

GlobalLocks *global_locks_new(void)
{
	GlobalLocks *locks = g_new0(GlobalLocks, 1);

	locks->room = FIRST_LINES;
	locks->lines = g_new0(LockLine, locks->room);
	return locks;
}

void global_locks_free(GlobalLocks *locks)
{
	if (!locks)
		return;
	g_free(locks->lines);
	g_free(locks);
}

/* Where the line is, or is to be. */
static LockLine *place_of(const GlobalLocks *locks, uint64_t line)
{
	uint32_t i = (uint32_t)(spread_key(line) >> 32) & (locks->room - 1);

	while (locks->lines[i].line != 0 && locks->lines[i].line != line + 1)
		i = (i + 1) & (locks->room - 1);
	return &locks->lines[i];
}

static void grow(GlobalLocks *locks)
{
	LockLine *old = locks->lines;
	const uint32_t n = locks->room;

	locks->room *= 2;
	locks->lines = g_new0(LockLine, locks->room);
	for (uint32_t i = 0; i < n; i++)
		if (old[i].line != 0)
			*place_of(locks, old[i].line - 1) = old[i];
	g_free(old);
}

static LockLine *line_of(GlobalLocks *locks, uint64_t line)
{
	LockLine *place = place_of(locks, line);

	if (place->line != 0)
		return place;
	if (2 * (locks->n_lines + 1) > locks->room) {
		grow(locks);
		place = place_of(locks, line);
	}
	locks->n_lines++;
	place->line = line + 1;
	return place;
}

static bool is_in(const Packet *packet, uint64_t address)
{
	return address / LINE_BYTES == packet->line &&
	       (packet->sectors >> address % LINE_BYTES / SECTOR_BYTES & 1);
}

void global_locks_serve(void *data, const Packet *packet, Tick at)
{
	LockRequest *request = data;
	LockLine *line = line_of(request->locks, packet->line);

	for (LaneMask left = lanes_below(request->n_lanes) & ~request->served; left;
	     left &= left - 1) {
		const uint64_t address = request->addresses[__builtin_ctzll(left)];
		const uint32_t word = UINT32_C(1) << address % LINE_BYTES / WORD_BYTES;

		if (!is_in(packet, address))
			continue;
		request->served |= left & -left;
		/* What is free can be taken, what is held released. */
		if (!(line->held & word) == request->release)
			continue;
		line->held ^= word;
		request->won |= left & -left;
		request->locks->changed_at = at / TICKS_PER_CYCLE;
	}
	request->changed_at = request->locks->changed_at;
	request->pending = request->served != lanes_below(request->n_lanes);
}
