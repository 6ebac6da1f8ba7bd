/* SPDX-License-Identifier: MIT */
#include "sim/global-locks.h"

#include <glib.h>

struct GlobalLocks {
	GHashTable *held; /* guint64: addresses of words */
	Cycle changed_at;
};

GlobalLocks *global_locks_new(void)
{
	GlobalLocks *locks = g_new0(GlobalLocks, 1);

	locks->held = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return locks;
}

void global_locks_free(GlobalLocks *locks)
{
	if (!locks)
		return;
	g_hash_table_unref(locks->held);
	g_free(locks);
}

/* Whether the word could be taken, or was released. */
static bool change(GlobalLocks *locks, bool release, uint64_t address)
{
	if (release)
		return g_hash_table_remove(locks->held, &address);
	return g_hash_table_add(locks->held, g_memdup2(&address, sizeof address));
}

static bool is_in(const Packet *packet, uint64_t address)
{
	return address / LINE_BYTES == packet->line &&
	       (packet->sectors >> address % LINE_BYTES / SECTOR_BYTES & 1);
}

void global_locks_serve(void *data, const Packet *packet, Tick at)
{
	LockRequest *request = data;

	for (uint32_t i = 0; i < request->n_lanes; i++) {
		LaneMask lane = (LaneMask)1 << i;

		if ((request->served & lane) || !is_in(packet, request->addresses[i]))
			continue;
		request->served |= lane;
		if (!change(request->locks, request->release, request->addresses[i]))
			continue;
		request->won |= lane;
		request->locks->changed_at = at / TICKS_PER_CYCLE;
	}
	request->changed_at = request->locks->changed_at;
	request->pending = request->served != lanes_below(request->n_lanes);
}
