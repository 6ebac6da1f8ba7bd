/* SPDX-License-Identifier: MIT */
#include "trace-input.h"

#include <string.h>

#include <xxhash.h>
#include <zstd.h>

#include "trace/dataflow.h"

#define MAX_OPEN_LOCKS 3
#define MANY	       64 /* instructions of one record, where they are made fewer */

const uint64_t input_buffer_bytes[INPUT_BUFFERS] = {4096, UINT64_C(4) << 20, UINT64_C(1) << 40};
const char input_metadata[] =
	"{\"sites\":[{\"line\":1},{\"line\":2},{\"line\":3},{\"line\":4},{\"line\":5},"
	"{\"line\":6},{\"line\":7},{\"line\":8},{\"line\":9},{\"line\":10},{\"line\":11},{},{},"
	"{},{}],"
	"\"buffers\":[{\"bytes\":4096},{\"bytes\":4194304},{\"bytes\":1099511627776}]}";

TraceRules trace_input_rules(const uint8_t *data)
{
	const gboolean newer = (data[0] & INPUT_VERSION_2) != 0;

	return (TraceRules){.version = newer ? 2 : 1,
			    .lanes = newer && (data[0] & INPUT_LANES_64) != 0 ? 64 : 32,
			    .shared_bytes = data[1] % 49 * 1024u,
			    .n_buffers = INPUT_BUFFERS,
			    .buffer_bytes = input_buffer_bytes};
}

void trace_input_parts(const uint8_t *data, size_t size, InputPart *parts, size_t max,
		       size_t *n)
{
	size_t at = TRACE_INPUT_HEAD;

	for (*n = 0; *n < max && at + 2 < size; (*n)++) {
		const size_t length = (size_t)data[at] | (size_t)data[at + 1] << 8;
		InputPart *part = &parts[*n];

		part->at = at + 2;
		part->n = CLAMP(length, 1, size - part->at);
		at = part->at + part->n;
	}
}

/* --- Records: as they are, or the nearest that make a good trace --- */

/* The records of a warp that is being made. */
typedef struct {
	const TraceRules *rules;
	uint32_t n_gaps;
	GByteArray *bytes;
	uint64_t n_records;
	Record open[MAX_OPEN_LOCKS];
	uint32_t n_open;
} Records;

static void append(Records *records, const Record *record)
{
	uint8_t bytes[TRACE_MAX_RECORD_BYTES];
	const size_t n = trace_encode_record(records->rules, record, bytes);

	g_byte_array_append(records->bytes, bytes, (guint)n);
	records->n_records++;
}

/* Leaves of a record the lanes of a mask. FALSE: there are none. */
static gboolean keep_lanes(Record *record, LaneMask lanes)
{
	uint8_t n = 0, i = 0;

	for (LaneMask left = record->mask; left != 0; left &= left - 1, i++) {
		if ((lanes & left & -left) == 0)
			continue;
		record->address[n] = record->address[i];
		record->value[n] = record->value[i];
		record->compare[n++] = record->compare[i];
	}
	record->mask &= lanes;
	record->n_lanes = n;
	return n > 0;
}

/* Within a critical section are the lanes of its lock alone, no other lock, and all of them leave it; version 1 has no sections. */
static gboolean make_good_section(Records *records, Record *record)
{
	const Record *lock = records->n_open > 0 ? &records->open[0] : NULL;

	if (record->kind == RECORD_UNLOCK) {
		*record = *lock;
		record->kind = RECORD_UNLOCK;
	}
	return record->kind != RECORD_LOCK &&
	       (record->n_lanes == 0 || keep_lanes(record, lock->mask));
}

/* FALSE: there is no place for it. */
static gboolean make_good(Records *records, Record *record)
{
	if (records->n_open > 0 && records->rules->version > 1 &&
	    !make_good_section(records, record))
		return FALSE;
	if (record->site > INPUT_SITES)
		record->site %= INPUT_SITES + 1;
	switch (record->kind) {
	case RECORD_EXIT:
		return FALSE;
	case RECORD_ALU:
	case RECORD_UNKNOWN:
	case RECORD_SHFL:
	case RECORD_VOTE:
		record->count = (record->count - 1) % MANY + 1;
		return TRUE;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		record->count %= MANY;
		return TRUE;
	case RECORD_CODE:
		record->gap %= MAX(records->n_gaps, 1);
		return records->n_gaps > 0;
	case RECORD_BAR:
		record->barrier %= 4; /* or they hardly meet */
		return TRUE;
	case RECORD_LOCK:
		if (records->n_open == MAX_OPEN_LOCKS)
			return FALSE;
		records->open[records->n_open++] = *record;
		return TRUE;
	case RECORD_UNLOCK:
		if (records->n_open == 0)
			return FALSE;
		records->n_open--;
		return TRUE;
	default:
		return TRUE;
	}
}

/* What decodes of these bytes, every lock released, and an exit. */
static void make_good_warp(Records *records, const uint8_t *padded, size_t size)
{
	const size_t room =
		TRACE_MAX_SEGMENT_BYTES - (MAX_OPEN_LOCKS + 2) * TRACE_MAX_RECORD_BYTES;
	size_t used;

	for (size_t at = 0; at < size && records->bytes->len < room; at += used) {
		const char *problem;
		Record record;

		used = trace_decode_padded(records->rules, padded + at, &record, &problem);
		if (used != 0 && at + used <= size && make_good(records, &record))
			append(records, &record);
		used = MAX(used, 1);
	}
	while (records->n_open > 0) {
		Record *lock = &records->open[--records->n_open];

		lock->kind = RECORD_UNLOCK;
		append(records, lock);
	}
	append(records, &(Record){.kind = RECORD_EXIT});
}

/* At least 1 record, so that the count of a bad segment is bad as well. */
static void take_as_is(Records *records, const uint8_t *padded, size_t size)
{
	size_t used;

	g_byte_array_append(records->bytes, padded, (guint)size);
	for (size_t at = 0; at < size; at += used) {
		const char *problem;
		Record record;

		used = trace_decode_padded(records->rules, padded + at, &record, &problem);
		if (used == 0)
			break;
		records->n_records++;
	}
	records->n_records = MAX(records->n_records, 1);
}

/* --- The file around them --- */

typedef struct {
	GByteArray *bytes;
	TraceWarpEntry warps[INPUT_MAX_WARPS];
	TraceSegmentEntry segments[INPUT_MAX_WARPS];
	uint32_t n_warps;
	TraceIndexEntry blocks[INPUT_MAX_BLOCKS];
	uint32_t n_blocks;
} Builder;

static void put(Builder *builder, const void *bytes, size_t length)
{
	g_byte_array_append(builder->bytes, bytes, (guint)length);
}

/* A zstd frame. Every other one is not compressed, as short ones are that a writer made: they are read in place. */
static size_t store(uint8_t *stored, const uint8_t *raw, size_t n, gboolean compressed)
{
	static ZSTD_CCtx *context;
	size_t header = n < 256 ? 6 : 7;

	if (context == NULL)
		context = ZSTD_createCCtx();
	if (compressed)
		return ZSTD_compressCCtx(context, stored, TRACE_MAX_STORED_BYTES, raw, n, -5);
	memcpy(stored, n < 256 ? "\x28\xb5\x2f\xfd\x20" : "\x28\xb5\x2f\xfd\x60", 5);
	stored[5] = (uint8_t)(n < 256 ? n : n - 256);
	if (n >= 256)
		stored[6] = (uint8_t)((n - 256) >> 8);
	stored[header] = (uint8_t)(n << 3 | 1);
	stored[header + 1] = (uint8_t)(n >> 5);
	stored[header + 2] = (uint8_t)(n >> 13);
	memcpy(stored + header + 3, raw, n);
	return header + 3 + n;
}

static void put_warp(Builder *builder, const Records *records)
{
	const uint32_t w = builder->n_warps++;
	uint8_t stored[TRACE_MAX_STORED_BYTES];
	const size_t n = store(stored, records->bytes->data, records->bytes->len, w % 2 != 0);

	g_assert(!ZSTD_isError(n));
	builder->warps[w] = (TraceWarpEntry){.n_records = records->n_records, .n_segments = 1};
	builder->segments[w] = (TraceSegmentEntry){.offset = builder->bytes->len,
						   .stored_bytes = (uint32_t)n,
						   .raw_bytes = records->bytes->len,
						   .xxh64 = XXH64(stored, n, 0)};
	put(builder, stored, n);
}

static void put_part(Builder *builder, const TraceRules *rules, uint32_t n_gaps, gboolean as_is,
		     const uint8_t *data, size_t size)
{
	static uint8_t padded[INPUT_MAX_PART + TRACE_MAX_RECORD_BYTES];
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	Records records = {.rules = rules, .n_gaps = n_gaps, .bytes = bytes};

	size = MIN(size, INPUT_MAX_PART);
	memcpy(padded, data, size);
	memset(padded + size, 0, TRACE_MAX_RECORD_BYTES);
	if (as_is)
		take_as_is(&records, padded, size);
	else
		make_good_warp(&records, padded, size);
	put_warp(builder, &records);
}

/* The directory of a block of warps first .. last-1. */
static void put_block(Builder *builder, const TraceRules *rules, uint32_t first, uint32_t last)
{
	const uint32_t n = last - first, b = builder->n_blocks++;
	const TraceDirectoryHeader header = {.n_warps = n, .n_segments = n};
	TraceIndexEntry *entry = &builder->blocks[b];

	*entry = (TraceIndexEntry){.block_id = b * 3,
				   .directory_offset = builder->bytes->len,
				   .n_warps = n,
				   .shared_bytes = rules->shared_bytes};
	put(builder, &header, sizeof(header));
	put(builder, &builder->warps[first], n * sizeof(*builder->warps));
	put(builder, &builder->segments[first], n * sizeof(*builder->segments));
	for (uint32_t w = first; w < last; w++)
		entry->n_records += builder->warps[w].n_records;
	entry->directory_bytes = builder->bytes->len - (uint32_t)entry->directory_offset;
	entry->directory_xxh64 = XXH64(builder->bytes->data + entry->directory_offset,
				       entry->directory_bytes, 0);
}

static void put_blocks(Builder *builder, const TraceRules *rules, uint32_t wanted)
{
	const uint32_t n = MIN(wanted, builder->n_warps), each = builder->n_warps / n;

	for (uint32_t b = 0; b < n; b++)
		put_block(builder, rules, b * each,
			  b + 1 == n ? builder->n_warps : (b + 1) * each);
}

/* Data flow, metadata, index and footer. */
static void put_end(Builder *builder, const TraceRules *rules, const uint8_t *flow,
		    size_t flow_bytes, const char *metadata)
{
	const size_t index_bytes = builder->n_blocks * sizeof(*builder->blocks);
	struct {
		TraceExtension extension;
		TraceFooter footer;
	} end = {.extension = {.dataflow_offset = builder->bytes->len,
			       .dataflow_bytes = flow_bytes,
			       .dataflow_xxh64 = XXH64(flow, flow_bytes, 0),
			       .warp_lanes = rules->lanes},
		 .footer = {.n_blocks = builder->n_blocks,
			    .index_xxh64 = XXH64(builder->blocks, index_bytes, 0),
			    .metadata_offset = builder->bytes->len + flow_bytes,
			    .metadata_bytes = strlen(metadata),
			    .metadata_xxh64 = XXH64(metadata, strlen(metadata), 0)}};
	TraceFooter *footer = &end.footer;
	const char *from = rules->version == 1 ? (const char *)footer : (const char *)&end;

	footer->index_offset = footer->metadata_offset + footer->metadata_bytes;
	footer->footer_xxh64 =
		XXH64(from, (size_t)((const char *)&footer->footer_xxh64 - from), 0);
	memcpy(footer->magic, TRACE_FOOTER_MAGIC, sizeof(footer->magic));
	put(builder, flow, flow_bytes);
	put(builder, metadata, strlen(metadata));
	put(builder, builder->blocks, index_bytes);
	put(builder, from, (size_t)((const char *)(footer + 1) - from));
}

/* How many gaps these bytes of a data flow have. FALSE: they are none. */
static gboolean count_gaps(const uint8_t *flow, size_t flow_bytes, uint32_t *n_gaps)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(flow, flow_bytes);
	const char *problem = NULL;
	size_t at;
	Dataflow *dataflow = dataflow_read(bytes, INPUT_SITES, &problem, &at);

	*n_gaps = dataflow != NULL ? dataflow->n_gaps : 0;
	dataflow_free(dataflow);
	return problem == NULL;
}

GBytes *trace_input_file(const uint8_t *data, size_t size, const char *metadata)
{
	const gboolean as_is = size > 0 && (data[0] & INPUT_AS_IS) != 0;
	InputPart parts[INPUT_MAX_WARPS + 1];
	const uint8_t *flow = (const uint8_t *)"";
	size_t flow_bytes = 0, n = 0, first = 0;
	Builder builder = {0};
	TraceFileHeader header = {0};
	uint32_t n_gaps = 0;

	if (size > TRACE_INPUT_HEAD)
		trace_input_parts(data, size, parts, G_N_ELEMENTS(parts), &n);
	if (n == 0)
		return NULL;
	const TraceRules rules = trace_input_rules(data);

	if (rules.version == 2 && (data[0] & INPUT_DATAFLOW) != 0 && n > 1) {
		flow = data + parts[0].at;
		flow_bytes = parts[0].n;
		first = 1;
		if (!count_gaps(flow, flow_bytes, &n_gaps) && !as_is)
			flow_bytes = 0;
	}
	builder.bytes = g_byte_array_new();
	header.version = rules.version;
	memcpy(header.magic, TRACE_MAGIC, sizeof(header.magic));
	put(&builder, &header, sizeof(header));
	for (size_t i = first; i < n && builder.n_warps < INPUT_MAX_WARPS; i++)
		put_part(&builder, &rules, n_gaps, as_is, data + parts[i].at, parts[i].n);
	put_blocks(&builder, &rules, data[2] % INPUT_MAX_BLOCKS + 1u);
	put_end(&builder, &rules, flow, flow_bytes, metadata);
	return g_byte_array_free_to_bytes(builder.bytes);
}
