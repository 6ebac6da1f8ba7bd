/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a trace. Checksums stop a fuzzer at the door, so the same bytes are also taken as
 * records, as a segment's content would be, as data flow and as references.
 */
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/codec.h"
#include "trace/dataflow.h"
#include "trace/references.h"
#include "trace/summary.h"

#define MOST_BLOCKS                                                                            \
	1000 /* of a launch that are read: a small file of version 3 may have many */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_file(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open_bytes("fuzz", bytes, &error);
	g_autoptr(TraceCheck) check = NULL;

	g_assert((reader == NULL) == (error != NULL));
	if (!reader)
		return;
	check = trace_check_new(reader, 10);
	for (uint64_t block = 0; block < MIN(trace_source(reader)->n_blocks, MOST_BLOCKS);
	     block++)
		trace_check_block(check, block);
	trace_check_end(check);
}

/* What decodes must encode and decode again, and take no more bytes, but for a base below the lowest
   address, which our writer does not use. */
static void read_records(const TraceRules *rules, const uint8_t *at, const uint8_t *end)
{
	const char *problem = NULL;
	Record record, again;
	size_t used;

	while ((used = trace_decode_record(rules, at, end, &record, &problem)) > 0) {
		uint8_t bytes[TRACE_MAX_RECORD_BYTES] = {0};
		size_t n = trace_encode_record(rules, &record, bytes);

		g_assert(used <= (size_t)(end - at));
		g_assert(n <= used + 6);
		g_assert(trace_decode_padded(rules, bytes, &again, &problem) == n);
		g_assert(again.kind == record.kind && again.n_lanes == record.n_lanes);
		for (unsigned i = 0; again.kind == RECORD_ATOM && i < record.n_lanes; i++)
			g_assert(again.address[i] == record.address[i]);
		for (unsigned i = 0; record_in_buffer(&again) && i < record.n_lanes; i++)
			g_assert(again.offset + again.address[i] ==
				 record.offset + record.address[i]);
		at += used;
	}
	g_assert(problem);
}

/* Of a file with these stored blocks: what is good has all blocks in order, within the limits. */
static void read_references(const uint8_t *data, size_t size)
{
	static const TraceIndexEntry index[] = {
		{.block_id = 0, .n_records = 3, .n_warps = 1},
		{.block_id = 7, .n_records = UINT64_C(1) << 30, .n_warps = 2},
		{.block_id = 1000, .n_records = 100, .n_warps = 64}};
	References references = {0};
	uint64_t at = 0, before = 0;
	const char *problem =
		references_read(&references, data, size, index, G_N_ELEMENTS(index), &at);

	g_assert(at <= size);
	g_assert(problem || references.n_blocks <= TRACE_MAX_REFERRING + G_N_ELEMENTS(index));
	for (uint64_t block = 0; !problem && block < MIN(references.n_blocks, MOST_BLOCKS);
	     block++) {
		const Place place = references_place(&references, index, block);

		g_assert(block == 0 || place.block_id > before);
		g_assert(place.stored < G_N_ELEMENTS(index));
		g_assert(place.span || index[place.stored].block_id == place.block_id);
		for (uint32_t c = 0; place.span && c < place.span->template->n_classes; c++)
			g_assert(ABS(references_shift(&references, &place, c)) <
				 TRACE_MAX_SHIFT);
		before = place.block_id;
	}
	references_clear(&references);
}

static void read_dataflow(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
	DataflowBuilder *builder = dataflow_builder_new();
	const char *problem = NULL;
	Dataflow *flow;
	size_t at;

	flow = dataflow_read(bytes, 1000, &problem, &at);
	g_assert((flow == NULL) == (problem != NULL));
	if (flow) {
		g_autoptr(GByteArray) again = NULL;

		dataflow_builder_copy(builder, flow);
		again = dataflow_builder_bytes(builder);
		g_assert(again->len <= size);
	}
	dataflow_builder_free(builder);
	dataflow_free(flow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t buffer_bytes[] = {4096, UINT64_C(1) << 40};
	TraceRules rules = {.version = 2,
			    .lanes = 32,
			    .shared_bytes = TRACE_MAX_SHARED_BYTES,
			    .n_buffers = 2,
			    .buffer_bytes = buffer_bytes};

	read_file(data, size);
	read_records(&TRACE_RULES_1, data, data + size);
	read_records(&rules, data, data + size);
	rules.lanes = 64;
	read_records(&rules, data, data + size);
	read_dataflow(data, size);
	read_references(data, size);
	return 0;
}
