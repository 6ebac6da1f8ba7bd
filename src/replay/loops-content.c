/* SPDX-License-Identifier: MIT */
/*
 * What the records of blocks are, batch by batch, before any of them runs. A batch begins where the warp's loop is at the same place as
 * at the batch before, as far as records name instructions, and, where a loop has barriers, behind one: all warps of a block then
 * leave out as many of them. Where barriers are rare none is left out.
 */
#include "base/dataflow.h"
#include "model/shared/shared.h"
#include "replay/loops-internal.h"

/* One warp's records as they are looked at. */
typedef struct {
	const Dataflow *dataflow;
	const SharedParameters *shared;
	SharedMemory banks; /* for passes alone */
	AskedLines *lines;
	uint32_t content;    /* that is being looked at */
	uint16_t *lanes_of;  /* each word: lanes of the atomic at hand */
	uint64_t *n_records; /* of each warp of the block */
	uint64_t *barriers;  /* where each batch of warp 0 begins: barriers before it */
	bool has_barriers;   /* warp 0, in each batch */
	const char *problem;
} Scan;

typedef struct {
	WarpBatches *batches;
	uint64_t index;	     /* of the record at hand */
	uint64_t n_barriers; /* passed, */
	bool after_barrier;  /* one just now */
	uint64_t key;	     /* of the record before */
	uint32_t batch;	     /* that it is in */
} Place;

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return x ^ x >> 32;
}

/* The instruction. */
static uint64_t key_of(const Record *record)
{
	return mix(record->kind + UINT64_C(16) * record->site) +
	       (record->kind == RECORD_CODE ? mix(~(uint64_t)record->gap) : 0);
}

/* Lanes of the word that most of them want. */
static uint32_t most_lanes(Scan *scan, const Record *record)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint32_t n = ++scan->lanes_of[record->address[i] / 4];

		most = MAX(most, n);
	}
	for (uint32_t i = 0; i < record->n_lanes; i++)
		scan->lanes_of[record->address[i] / 4] = 0;
	return most;
}

static void add(Scan *scan, uint32_t batch, const Record *record, double contents[N_CONTENTS])
{
	SharedPasses passes;
	uint32_t lines;

	contents[record->kind]++;
	contents[CONTENT_INSTRUCTIONS] += record_instructions(record, scan->dataflow);
	contents[CONTENT_LANES] += record->n_lanes;
	switch (record->kind) {
	case RECORD_ATOM:
		contents[CONTENT_SAME] += most_lanes(scan, record);
		/* fallthrough */
	case RECORD_LDS:
	case RECORD_STS:
		shared_passes(&scan->banks, record->kind == RECORD_LDS, record->width, 0,
			      record->address, record->mask, &passes);
		contents[CONTENT_PASSES] += passes.passes;
		break;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		contents[CONTENT_BYTES] += record->bytes;
		lines = asked_lines_of(scan->lines, scan->content, batch, record);
		contents[CONTENT_LINES] += lines;
		contents[CONTENT_NEW_LINES] += lines;
		break;
	default:
		break;
	}
}

/* Whether the record at hand begins another batch. */
static bool begins(const Scan *scan, uint32_t warp, const Place *place, uint64_t key)
{
	const double size = (double)scan->n_records[warp] / N_BATCHES;
	const uint32_t next = place->batch + 1;

	if (next == N_BATCHES || (scan->has_barriers && !place->after_barrier))
		return false;
	if (scan->has_barriers && warp > 0)
		return place->n_barriers == scan->barriers[next];
	return (double)place->index >= size * next &&
	       (next == 1 || key == place->batches->key[place->batch] ||
		(double)place->index >= size * (next + 0.5));
}

static void check(Scan *scan, const Record *record)
{
	if (record->kind == RECORD_LOCK || record->kind == RECORD_UNLOCK)
		scan->problem = "it has few waves of blocks, and critical sections";
	else if (record->kind == RECORD_BAR &&
		 (record->barrier > 0 || record->arrives || record->count > 0))
		scan->problem = "it has few waves of blocks, and barriers of parts of them";
}

static void look_at(Scan *scan, uint32_t warp, Place *place, const Record *record,
		    BlockContent *content)
{
	const uint64_t own = key_of(record);
	uint64_t key = mix(place->key) + own;

	if (!scan->has_barriers) /* those that there are nobody leaves out */
		key += mix(~place->n_barriers);
	check(scan, record);
	if (begins(scan, warp, place, key)) {
		place->batches->begin[++place->batch] = place->index;
		place->batches->key[place->batch] = key;
		if (warp == 0)
			scan->barriers[place->batch] = place->n_barriers;
	}
	add(scan, place->batch, record, content->batches[place->batch]);
	place->key = own;
	place->index++;
	place->after_barrier = record->kind == RECORD_BAR;
	place->n_barriers += place->after_barrier;
}

static bool scan_warp(Scan *scan, WarpStream *stream, uint32_t warp, BlockContent *content,
		      Record *record)
{
	Place place = {.batches = &content->warps[warp]};

	while (stream->next(stream, record) == STREAM_RECORD && !scan->problem) {
		look_at(scan, warp, &place, record, content);
		if (record->kind == RECORD_EXIT)
			break;
	}
	if (place.batch < N_BATCHES - 1 && !scan->problem)
		scan->problem = "it has few waves of blocks, and its warps no long loops";
	place.batches->begin[N_BATCHES] = place.index;
	return !scan->problem;
}

/* Whether warps meet at least once a batch. */
static bool has_barriers(WarpStream *stream, Record *record)
{
	uint32_t n = 0;

	while (n < N_BATCHES && stream->next(stream, record) == STREAM_RECORD)
		n += record->kind == RECORD_BAR;
	return n == N_BATCHES;
}

static void content_free(gpointer data)
{
	BlockContent *content = data;

	g_free(content->warps);
	g_free(content);
}

/* NULL: scan->problem says why. */
static BlockContent *scan_block(Scan *scan, RecordSource *source, uint64_t block,
				uint32_t n_warps)
{
	BlockContent *content = g_new0(BlockContent, 1);
	g_autofree Record *record = g_new(Record, 1);

	content->warps = g_new0(WarpBatches, n_warps);
	for (uint32_t pass = 0; pass <= n_warps && !scan->problem; pass++) {
		const uint32_t warp = pass ? pass - 1 : 0;
		WarpStream *stream = source->open_warp(source, block, warp);

		if (!stream)
			scan->problem = "a block cannot be read";
		else if (pass == 0)
			scan->has_barriers = has_barriers(stream, record);
		else
			scan_warp(scan, stream, warp, content, record);
		if (stream)
			stream->close(stream);
	}
	if (!scan->problem)
		return content;
	content_free(content);
	return NULL;
}

/* All blocks, each that is equal to one before it as that one. */
static void scan_blocks(Scan *scan, const SimRequest *request, TraceReader *reader,
			Contents *contents)
{
	RecordSource *source = request->source;
	g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);

	for (uint64_t block = 0; block < source->n_blocks && !scan->problem; block++) {
		const uint64_t same = source->same_block
					      ? source->same_block(source, block, EQUAL_RECORDS)
					      : block;
		gpointer entry = g_hash_table_lookup(seen, GSIZE_TO_POINTER(same));
		BlockContent *content;

		contents->content[block] =
			entry ? GPOINTER_TO_UINT(entry) - 1 : contents->contents->len;
		if (entry)
			continue;
		g_hash_table_insert(seen, GSIZE_TO_POINTER(same),
				    GUINT_TO_POINTER(contents->contents->len + 1));
		scan->content = contents->contents->len;
		if (!trace_warp_records(reader, block, scan->n_records))
			scan->problem = "a block cannot be read";
		for (uint32_t w = 0; w < contents->n_warps; w++)
			if (scan->n_records[w] < LEAST_BATCH_RECORDS * N_BATCHES)
				scan->problem = "it has few waves of blocks, and its warps no "
						"long loops";
		content = scan->problem ? NULL
					: scan_block(scan, source, block, contents->n_warps);
		if (content)
			g_ptr_array_add(contents->contents, content);
		contents->have_barriers |= scan->has_barriers;
	}
}

Contents *contents_new(const SimRequest *request, TraceReader *reader, const char **why)
{
	RecordSource *source = request->source;
	const uint32_t n_words = request->machine->shared.bytes / 4;
	Contents *contents = g_new0(Contents, 1);
	Scan scan = {.dataflow = source->kernel.dataflow, .shared = &request->machine->shared};
	const Ideals none = {0};
	BankTable table;
	BlockInfo first, info;

	source->block_info(source, 0, &first);
	for (uint64_t block = 1; block < source->n_blocks; block++) {
		source->block_info(source, block, &info);
		if (info.n_warps != first.n_warps || info.shared_bytes != first.shared_bytes)
			scan.problem = "its blocks are not all of one shape";
	}
	contents->n_warps = first.n_warps;
	contents->content = g_new0(uint32_t, source->n_blocks);
	contents->contents = g_ptr_array_new_with_free_func(content_free);
	bank_table_init(&table, scan.shared, n_words);
	shared_init(&scan.banks, scan.shared, &none, &table);
	scan.lanes_of = g_new0(uint16_t, n_words);
	scan.n_records = g_new0(uint64_t, first.n_warps);
	scan.barriers = g_new0(uint64_t, N_BATCHES);
	scan.lines = asked_lines_new(&source->kernel);
	scan_blocks(&scan, request, reader, contents);
	if (!scan.problem)
		asked_lines_count_new(scan.lines, contents);
	asked_lines_free(scan.lines);
	shared_clear(&scan.banks);
	bank_table_clear(&table);
	g_free(scan.lanes_of);
	g_free(scan.n_records);
	g_free(scan.barriers);
	*why = scan.problem;
	if (!scan.problem)
		return contents;
	contents_free(contents);
	return NULL;
}

void contents_free(Contents *contents)
{
	g_ptr_array_unref(contents->contents);
	g_free(contents->content);
	g_free(contents);
}
