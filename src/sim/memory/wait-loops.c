/* SPDX-License-Identifier: MIT */
#include "sim/memory/wait-loops.h"

#include <string.h>

#define WORD_AT(address) ((address) & ~UINT64_C(3))

/* A store on its way. */
typedef struct {
	WaitLoops *wait_loops;
	uint32_t n_lanes;
	uint64_t addresses[MAX_LANES];
} LoopStore;

struct WaitLoops {
	RecordSource *source;
	const uint64_t *base;
	const IssueParameters *issue;
	GMutex mutex;
	bool looked;	     /* through the whole source; below it nothing changes any more */
	GHashTable *writers; /* word -> the first block that stores it, + 1 */
	GHashTable *loops;   /* site -> LoopTime */
	GHashTable *stored;  /* words; only the memory's serving looks at it and changes it */
	GPtrArray *stores;   /* LoopStore: all ever made, */
	GPtrArray *
		spare; /* and those that are over: freed with the others. Under the mutex within a window */
};

WaitLoops *wait_loops_new(RecordSource *source, const uint64_t *base,
			  const IssueParameters *issue)
{
	WaitLoops *wait_loops = g_new0(WaitLoops, 1);

	wait_loops->source = source;
	wait_loops->base = base;
	wait_loops->issue = issue;
	g_mutex_init(&wait_loops->mutex);
	wait_loops->writers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	wait_loops->loops = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	wait_loops->stored = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	wait_loops->stores = g_ptr_array_new_with_free_func(g_free);
	wait_loops->spare = g_ptr_array_new();
	return wait_loops;
}

void wait_loops_free(WaitLoops *wait_loops)
{
	if (!wait_loops)
		return;
	g_mutex_clear(&wait_loops->mutex);
	g_hash_table_unref(wait_loops->writers);
	g_hash_table_unref(wait_loops->loops);
	g_hash_table_unref(wait_loops->stored);
	g_ptr_array_unref(wait_loops->stores);
	g_ptr_array_unref(wait_loops->spare);
	g_free(wait_loops);
}

void wait_loop_free(WaitLoop *wait_loop)
{
	if (!wait_loop)
		return;
	record_log_free(wait_loop->ahead);
	g_free(wait_loop);
}

/* --- The source: who stores what, and which loads are tries --- */

static bool is_past_l1(const Record *record, RecordKind kind)
{
	return record->kind == kind && record->buffer > 0 && record->cache == CACHE_BYPASS;
}

bool wait_loops_is_between(const Record *record)
{
	return record->kind == RECORD_CODE ||
	       (record->kind == RECORD_FENCE && record->scope == SCOPE_BLOCK);
}

bool wait_loops_is_again(const Record *first, const Record *record)
{
	if (!is_past_l1(record, RECORD_LDG) || record->buffer != first->buffer ||
	    record->n_lanes != first->n_lanes || record->width != first->width)
		return false;
	for (uint32_t i = 0; i < record->n_lanes; i++)
		if (record->offset + record->address[i] != first->offset + first->address[i])
			return false;
	return true;
}

static uint64_t word_of(const WaitLoops *wait_loops, const Record *record, uint32_t lane)
{
	return WORD_AT(wait_loops->base[record->buffer - 1] + record->offset +
		       record->address[lane]);
}

static void note_store(WaitLoops *wait_loops, const Record *record, uint64_t block)
{
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		uint64_t word = word_of(wait_loops, record, i);
		const guint before =
			GPOINTER_TO_UINT(g_hash_table_lookup(wait_loops->writers, &word));

		if (before == 0)
			g_hash_table_insert(wait_loops->writers, g_memdup2(&word, sizeof word),
					    GUINT_TO_POINTER((guint)block + 1));
	}
}

/* One instruction behind the other: what tries wait for is one chain. */
static void add_time(const WaitLoops *wait_loops, const Record *record, LoopTime *loop)
{
	const Dataflow *flow = wait_loops->source->kernel.dataflow;

	loop->instructions += record_instructions(record, flow);
	if (record->kind == RECORD_FENCE) {
		loop->cycles += wait_loops->issue->fence_block_cycles;
		return;
	}
	for (uint32_t i = 0; i < flow->gaps[record->gap].n_operations; i++) {
		IssueOperation operation;

		issue_prepare(wait_loops->issue, &flow->gaps[record->gap].operations[i],
			      &operation);
		loop->cycles += MAX(operation.latency, operation.stall);
	}
}

static void note_loop(WaitLoops *wait_loops, uint32_t site, const LoopTime *loop)
{
	if (!g_hash_table_contains(wait_loops->loops, GUINT_TO_POINTER(site)))
		g_hash_table_insert(wait_loops->loops, GUINT_TO_POINTER(site),
				    g_memdup2(loop, sizeof *loop));
}

static bool look_through_warp(WaitLoops *wait_loops, WarpStream *stream, uint64_t block)
{
	Record record, first = {0};
	LoopTime loop = {0};
	bool may_be_again = false;
	StreamStatus status;

	while ((status = stream->next(stream, &record)) == STREAM_RECORD) {
		if (is_past_l1(&record, RECORD_STG))
			note_store(wait_loops, &record, block);
		if (wait_loops_is_between(&record)) {
			add_time(wait_loops, &record, &loop);
			continue;
		}
		if (may_be_again && wait_loops_is_again(&first, &record)) {
			note_loop(wait_loops, first.site, &loop);
			note_loop(wait_loops, record.site, &loop);
		}
		may_be_again = is_past_l1(&record, RECORD_LDG);
		loop = (LoopTime){0};
		if (may_be_again)
			first = record;
	}
	return status == STREAM_END;
}

/* A source that fails says so when the run comes to it. */
static void look_through(WaitLoops *wait_loops)
{
	RecordSource *source = wait_loops->source;
	bool good = true;

	for (uint64_t block = 0; good && block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		for (uint32_t warp = 0; good && warp < info.n_warps; warp++) {
			WarpStream *stream = source->open_warp(source, block, warp);

			good = stream && look_through_warp(wait_loops, stream, block);
			if (stream)
				stream->close(stream);
		}
	}
	wait_loops->looked = true;
}

/* --- A warp --- */

static WaitLoop *wait_loop_new(WaitLoops *wait_loops)
{
	WaitLoop *wait_loop = g_new0(WaitLoop, 1);

	wait_loop->wait_loops = wait_loops;
	wait_loop->ahead = record_log_new();
	return wait_loop;
}

bool wait_loops_begin(WaitLoops *wait_loops, const Record *record, uint64_t block,
		      WaitLoop **wait_loop)
{
	uint64_t words[MAX_LANES];
	const LoopTime *loop;
	uint32_t n = 0;

	if (!is_past_l1(record, RECORD_LDG))
		return false;
	g_mutex_lock(&wait_loops->mutex);
	if (!wait_loops->looked)
		look_through(wait_loops);
	g_mutex_unlock(&wait_loops->mutex);
	loop = g_hash_table_lookup(wait_loops->loops, GUINT_TO_POINTER(record->site));
	if (!loop)
		return false;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		uint64_t word = word_of(wait_loops, record, i);
		const guint writer =
			GPOINTER_TO_UINT(g_hash_table_lookup(wait_loops->writers, &word));

		if (writer > 0 && writer - 1 < block)
			words[n++] = word;
	}
	if (n == 0)
		return false;
	if (!*wait_loop)
		*wait_loop = wait_loop_new(wait_loops);
	(*wait_loop)->loop = *loop;
	(*wait_loop)->n_words = n;
	memcpy((*wait_loop)->words, words, n * sizeof *words);
	return true;
}

/* --- The memory --- */

void wait_loops_serve_load(void *data, const Packet *packet, Tick at)
{
	WaitLoop *wait_loop = data;

	(void)packet;
	(void)at;
	wait_loop->there = true;
	for (uint32_t i = 0; wait_loop->there && i < wait_loop->n_words; i++)
		wait_loop->there = g_hash_table_contains(wait_loop->wait_loops->stored,
							 &wait_loop->words[i]);
}

void *wait_loops_store(WaitLoops *wait_loops, uint32_t n_lanes, const uint64_t *addresses)
{
	LoopStore *store;

	g_mutex_lock(&wait_loops->mutex);
	if (wait_loops->spare->len > 0) {
		store = g_ptr_array_steal_index_fast(wait_loops->spare,
						     wait_loops->spare->len - 1);
	} else {
		store = g_new(LoopStore, 1);
		g_ptr_array_add(wait_loops->stores, store);
	}
	g_mutex_unlock(&wait_loops->mutex);
	store->wait_loops = wait_loops;
	store->n_lanes = n_lanes;
	for (uint32_t i = 0; i < n_lanes; i++)
		store->addresses[i] = WORD_AT(addresses[i]);
	return store;
}

static bool is_in(const Packet *packet, uint64_t address)
{
	return address / LINE_BYTES == packet->line &&
	       (packet->sectors >> address % LINE_BYTES / SECTOR_BYTES & 1);
}

void wait_loops_serve_store(void *data, const Packet *packet, Tick at)
{
	LoopStore *store = data;
	WaitLoops *wait_loops = store->wait_loops;

	(void)at;
	for (uint32_t i = 0; i < store->n_lanes;) {
		const uint64_t address = store->addresses[i];

		if (!is_in(packet, address)) {
			i++;
			continue;
		}
		if (!g_hash_table_contains(wait_loops->stored, &address))
			g_hash_table_add(wait_loops->stored,
					 g_memdup2(&address, sizeof address));
		store->addresses[i] = store->addresses[--store->n_lanes];
	}
	/* Without the mutex, as `stored` above: the memory is served by one thread between two windows, when no SM's is at work
	   (run_window in sim/run/windows.c), and thread_pool_do orders the two. */
	if (store->n_lanes == 0)
		g_ptr_array_add(wait_loops->spare, store);
}
