/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `lock-bits` where locks are entries of a CAM (key table): content-addressable storage that is searched by the address of a
 * word, as in locks with owners in hardware (TPDS 2019, doi 10.1109/TPDS.2019.2955705). No two words share a lock; the number of words
 * that are locked at a time is limited.
 *
 * - LK looks its word up. Where the word has an entry, its lock is set: it fails as with a lock bit. Where it has none, one that is
 *   free becomes its own; where none is free, it fails (failures.full), whoever waits for what, and its lanes try in their warp's next round.
 * - Entries go to words in the order of their lowest lanes that try.
 * - UL frees the entry when a lock bit would be clear (hold_cycles). With retry fifo it stays with its word until nobody is left in the
 *   word's queue, which is the entry's.
 * - cam: one table, any entry takes any word. bank-cam: one beside each bank, for its words.
 * - The ideal lock_aliases, that no lane waits for locks of other words, gives each word an entry.
 * Not modeled: the time of a search, which is a lock bit's; the owner that an entry keeps (nothing but the end of an instruction that went
 * wrong needs it).
 */
#include <glib.h>

#include "model/atomic/lock-bits-tries.h"

struct LockCam {
	uint32_t n_parts, n_entries; /* of a part */
	const uint16_t *bank_of;     /* the part of each word; NULL: there is one */
	uint32_t *n_used;	     /* by part */
	uint32_t *words; /* of entries in use: [part * n_entries + 0 .. n_used - 1] */
	bool *has_entry; /* by word */
};

void lock_cam_init(LockBits *bits, const AtomicUnit *unit)
{
	const LockBitsParameters *p = bits->parameters;
	const bool banked = p->table == LOCK_TABLE_BANK_CAM;
	const BankTable *table = unit->shared->table;
	LockCam *cam;

	if (p->table == LOCK_TABLE_BITS || unit->shared->ideals->lock_aliases)
		return;
	cam = bits->cam = g_new0(LockCam, 1);
	cam->n_parts = banked ? table->n_banks : 1;
	cam->n_entries = p->cam_entries / cam->n_parts;
	cam->bank_of = banked ? table->bank_of : NULL;
	cam->n_used = g_new0(uint32_t, cam->n_parts);
	cam->words = g_new0(uint32_t, (gsize)cam->n_parts * cam->n_entries);
	cam->has_entry = g_new0(bool, bits->map->n_locks);
}

void lock_cam_clear(LockBits *bits)
{
	if (!bits->cam)
		return;
	g_free(bits->cam->n_used);
	g_free(bits->cam->words);
	g_free(bits->cam->has_entry);
	g_clear_pointer(&bits->cam, g_free);
}

static uint32_t part_of(const LockCam *cam, uint32_t word)
{
	return cam->bank_of ? cam->bank_of[word] : 0;
}

/* Frees the part's entries whose locks are clear at `start`. */
static void sweep(const LockBits *bits, const uint16_t *queues, uint32_t part, Cycle start)
{
	LockCam *cam = bits->cam;
	uint32_t *words = &cam->words[(gsize)part * cam->n_entries], n = cam->n_used[part];

	for (uint32_t i = 0; i < n;) {
		const uint32_t word = words[i];

		if (bits->free_at[word] > start || (queues && queues[word] != LOCK_NOBODY)) {
			i++;
			continue;
		}
		cam->has_entry[word] = false;
		words[i] = words[--n];
	}
	cam->n_used[part] = n;
}

bool lock_cam_has_room(const LockBits *bits, const uint16_t *queues, uint32_t word, Cycle start)
{
	const LockCam *cam = bits->cam;
	const uint32_t part = cam ? part_of(cam, word) : 0;

	if (!cam || cam->has_entry[word] || cam->n_used[part] < cam->n_entries)
		return true;
	sweep(bits, queues, part, start);
	return cam->n_used[part] < cam->n_entries;
}

void lock_cam_take(const LockBits *bits, uint32_t word)
{
	LockCam *cam = bits->cam;
	const uint32_t part = cam ? part_of(cam, word) : 0;

	if (!cam || cam->has_entry[word])
		return;
	g_assert(cam->n_used[part] < cam->n_entries);
	cam->has_entry[word] = true;
	cam->words[(gsize)part * cam->n_entries + cam->n_used[part]++] = word;
}

void lock_cam_snapshot(const LockBits *bits, Cycle now, Snapshot *snapshot)
{
	const LockCam *cam = bits->cam;

	for (uint32_t part = 0; cam && part < cam->n_parts; part++) {
		snapshot_add(snapshot, cam->n_used[part]);
		for (uint32_t i = 0; i < cam->n_used[part]; i++) {
			const uint32_t word = cam->words[(gsize)part * cam->n_entries + i];
			const Cycle free_at = bits->free_at[word];

			snapshot_add(snapshot, word);
			snapshot_add(snapshot, free_at == LOCK_HELD
						       ? LOCK_HELD
						       : snapshot_left(free_at, now));
		}
	}
}
