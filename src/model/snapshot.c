/* SPDX-License-Identifier: MIT */
#include "model/snapshot.h"

#include <glib.h>
#include <string.h>

void snapshot_begin(Snapshot *snapshot, bool comparing)
{
	snapshot->differs = false;
	snapshot->comparing = comparing;
	snapshot->at = 0;
	if (comparing)
		return;
	snapshot->never = false;
	snapshot->n = 0;
}

void snapshot_clear(Snapshot *snapshot)
{
	g_clear_pointer(&snapshot->numbers, g_free);
}

void snapshot_add(Snapshot *snapshot, uint64_t number)
{
	if (snapshot->comparing) {
		snapshot->differs = snapshot->differs || snapshot->at == snapshot->n ||
				    snapshot->numbers[snapshot->at] != number;
		snapshot->at += !snapshot->differs;
		return;
	}
	if (snapshot->n == snapshot->room) {
		snapshot->room = MAX(2 * snapshot->room, 1024);
		snapshot->numbers = g_renew(uint64_t, snapshot->numbers, snapshot->room);
	}
	snapshot->numbers[snapshot->n++] = number;
}

void snapshot_add_bytes(Snapshot *snapshot, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
		uint64_t number = 0;

		memcpy(&number, from + done, MIN(size - done, sizeof number));
		snapshot_add(snapshot, number);
	}
}

bool snapshot_equals(const Snapshot *snapshot)
{
	return !snapshot->differs && !snapshot->never && snapshot->at == snapshot->n;
}
