/* SPDX-License-Identifier: MIT */
/*
 * Combiner `buffer`: atomics on global memory stay in the SM until they must leave it.
 *
 * Modelled, after DAB (deterministic atomic buffering, MICRO 2020: buffers of warps or schedulers, fusion of equal words, a flush
 * where one is full, at fences and at the end), and with lines in place of words after buffering of commutative updates in the first cache:
 * - A buffer of an SM, of each of its schedulers or of each warp slot has so many entries, of a word or of a line of 128 bytes, each of one
 *   operation and type. A lane takes lane_cycles of it; its warp goes on when all of its lanes are in.
 * - fuse: a lane whose word and operation are there already, and no other operation on the word since, needs no entry.
 * - A lane that finds no entry waits until there is one: the buffer is emptied (evict all) or its oldest entries leave (oldest). The warp issues
 *   what leaves, an instruction for up to 32 words or for a line; others that come to a buffer that is being emptied help with that.
 * - Fences of the device or beyond empty it, and the end of a warp behind which no other could: the last one of its SM, scheduler or slot.
 * - order: what leaves together goes in the order of its arrival, or by address, whatever order its warps came in.
 * Assumed: barriers do not empty it, and loads of a word find it there as if it were in memory.
 * Not modelled: that DAB flushes all SMs at the same point in one order, and schedules warps so that each buffer's contents are the same in
 * every run: a run of this model is one order already, and waits for that are left out.
 */
#include "model/atomic/combiner.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/spread.h"
#include "model/atomic/combine-buffer.h"

#define LINE 128 /* bytes */
#define WORD 4

typedef struct {
	uint64_t byte;	/* address */
	uint32_t words; /* of a line: bit i: the one at byte + i * WORD; else 1 */
	uint32_t
		next; /* 1 + place of the next of its list; 0: none. Of what leaves: its place in the order of arrival */
	uint8_t operation, type, width;
} Entry;

/* A queue of entries in a ring. Lists of those whose addresses have one hash, oldest first: who leaves is the first of one. */
typedef struct {
	Entry *ring;	 /* NULL: never used */
	uint32_t *lists; /* 1 + place of the first; 0: none */
	uint32_t first, n;
	bool empties; /* nothing is taken until all have left */
	Cycle free;
} Buffer;

typedef struct {
	uint32_t bits; /* of hashes */
	Buffer buffers[MAX_WARP_SLOTS];
} Buffers;

static bool is_on(const void *own)
{
	return ((const Buffering *)own)->entries > 0;
}

static void *new (const void *own)
{
	const Buffering *p = own;
	Buffers *buffers = g_new0(Buffers, 1);

	while (1u << buffers->bits < p->entries)
		buffers->bits++;
	return buffers;
}

static void free_buffers(void *state)
{
	Buffers *buffers = state;

	for (uint32_t i = 0; i < MAX_WARP_SLOTS; i++) {
		g_free(buffers->buffers[i].ring);
		g_free(buffers->buffers[i].lists);
	}
	g_free(buffers);
}

static Buffer *buffer_of(const Buffering *p, Buffers *buffers, uint32_t slot,
			 uint32_t scheduler)
{
	const uint32_t i = p->per == PER_SM ? 0 : p->per == PER_SCHEDULER ? scheduler : slot;
	Buffer *buffer = &buffers->buffers[i];

	if (!buffer->ring) {
		buffer->ring = g_new0(Entry, p->entries);
		buffer->lists = g_new0(uint32_t, UINT64_C(1) << buffers->bits);
	}
	return buffer;
}

static uint32_t *list_of(const Buffers *buffers, const Buffer *buffer, uint64_t byte)
{
	return &buffer->lists[buffers->bits ? spread_key(byte) >> (64 - buffers->bits) : 0];
}

/* The youngest entry of this address, or NULL; *end: where its list ends. */
static Entry *find(const Buffers *buffers, const Buffer *buffer, uint64_t byte, uint32_t **end)
{
	Entry *found = NULL;

	*end = list_of(buffers, buffer, byte);
	while (**end) {
		Entry *entry = &buffer->ring[**end - 1];

		if (entry->byte == byte)
			found = entry;
		*end = &entry->next;
	}
	return found;
}

typedef enum { PUT_NEW, PUT_FUSED, PUT_NOT } Put;

/* One lane's operation comes into the buffer, if there is room. */
static Put put(const Buffering *p, const Buffers *buffers, Buffer *buffer,
	       const Combined *combined, uint64_t byte)
{
	const uint64_t key = p->entry == ENTRY_LINE ? byte / LINE * LINE : byte;
	const uint32_t word = UINT32_C(1) << (byte - key) / WORD;
	uint32_t *end, place;
	Entry *entry = find(buffers, buffer, key, &end);

	if (entry && entry->operation == combined->operation && entry->type == combined->type) {
		if (p->fuse && entry->words & word)
			return PUT_FUSED;
		if (!(entry->words & word)) {
			entry->words |= word;
			return PUT_NEW;
		}
	}
	if (buffer->n == p->entries)
		return PUT_NOT;
	place = (buffer->first + buffer->n++) % p->entries;
	buffer->ring[place] = (Entry){.byte = key,
				      .words = word,
				      .operation = (uint8_t)combined->operation,
				      .type = (uint8_t)combined->type,
				      .width = (uint8_t)combined->width};
	*end = place + 1;
	return PUT_NEW;
}

static void take(const void *own, void *state, Combined *combined, Cycle now, CombineStep *step)
{
	const Buffering *p = own;
	Buffer *buffer = buffer_of(p, state, combined->slot, combined->scheduler);
	uint32_t n = 0;

	if (buffer->n == 0)
		buffer->empties = false;
	while (n < combined->n_lanes && !buffer->empties) {
		const Put done =
			put(p, state, buffer, combined, combined->base + combined->address[n]);

		if (done == PUT_NOT)
			break;
		step->fused += done == PUT_FUSED;
		n++;
	}
	step->buffered = n;
	step->full = n < combined->n_lanes;
	if (n == 0)
		return;
	buffer->free = MAX(buffer->free, now) + (Cycle)n * p->lane_cycles;
	step->ready = buffer->free;
	combined_keep(combined, lanes_below(combined->n_lanes) & ~lanes_below(n));
}

/* Those of one address keep the order of their arrival: their operations may be different ones. */
static int by_address(const void *a, const void *b)
{
	const Entry *x = a, *y = b;

	if (x->byte != y->byte)
		return x->byte < y->byte ? -1 : 1;
	return x->next < y->next ? -1 : x->next > y->next;
}

/* All of them will leave, and nothing comes meanwhile: they need no lists. */
static void begin_to_empty(const Buffering *p, const Buffers *buffers, Buffer *buffer)
{
	g_autofree Entry *in_order = g_new(Entry, buffer->n);

	buffer->empties = true;
	memset(buffer->lists, 0, sizeof(uint32_t) << buffers->bits);
	for (uint32_t i = 0; i < buffer->n; i++) {
		in_order[i] = buffer->ring[(buffer->first + i) % p->entries];
		in_order[i].next = i;
	}
	if (p->order == ORDER_ADDRESS)
		qsort(in_order, buffer->n, sizeof *in_order, by_address);
	memcpy(buffer->ring, in_order, buffer->n * sizeof *in_order);
	buffer->first = 0;
}

/* Its first entry's words; takes it out. */
static void drain_entry(const Buffering *p, const Buffers *buffers, Buffer *buffer,
			CombineDrain *drain)
{
	const Entry *entry = &buffer->ring[buffer->first];

	for (uint32_t left = entry->words; left; left &= left - 1)
		drain->address[drain->n_lanes++] =
			entry->byte + (uint64_t)__builtin_ctz(left) * WORD;
	if (!buffer->empties)
		*list_of(buffers, buffer, entry->byte) = entry->next;
	buffer->first = (buffer->first + 1) % p->entries;
	buffer->n--;
}

static bool drain(const void *own, void *state, uint32_t slot, uint32_t scheduler, bool all,
		  CombineDrain *drain)
{
	const Buffering *p = own;
	Buffer *buffer = buffer_of(p, state, slot, scheduler);
	const Entry *first = &buffer->ring[buffer->first];

	if (buffer->n == 0)
		return false;
	if ((all || p->evict == EVICT_ALL) && !buffer->empties) {
		begin_to_empty(p, state, buffer);
		first = buffer->ring;
	}
	drain->n_lanes = 0;
	drain->operation = (Operation)first->operation;
	drain->type = (ValueType)first->type;
	drain->width = first->width;
	do
		drain_entry(p, state, buffer, drain);
	while (p->entry == ENTRY_WORD && buffer->n > 0 &&
	       drain->n_lanes < COMBINE_DRAIN_LANES &&
	       buffer->ring[buffer->first].operation == drain->operation &&
	       buffer->ring[buffer->first].type == drain->type);
	return true;
}

static bool outlives(const void *own, uint64_t others, uint64_t others_of_scheduler)
{
	const Buffering *p = own;

	return p->per == PER_SM ? others > 0
				: p->per == PER_SCHEDULER && others_of_scheduler > 0;
}

static bool is_idle(const void *state, Cycle now)
{
	const Buffers *buffers = state;

	for (uint32_t i = 0; i < MAX_WARP_SLOTS; i++)
		if (buffers->buffers[i].free > now)
			return false;
	return true;
}

const Combiner combiner_buffer = {
	.name = "buffer",
	.keys = {[MEMORY_GLOBAL] = &buffer_key_table},
	.costs = {[MEMORY_GLOBAL] = &buffer_cost},
	.at_once = true,
	.is_on = is_on,
	.new = new,
	.free = free_buffers,
	.take = take,
	.drain = drain,
	.outlives = outlives,
	.is_idle = is_idle,
};
