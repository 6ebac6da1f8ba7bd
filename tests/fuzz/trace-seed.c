/* SPDX-License-Identifier: MIT */
/*
 * Cuts an input of fuzz targets (trace-input.h) out of a trace: a few warps of a few blocks, and of each some records.
 *
 *   trace-seed TRACE HEAD BLOCKS WARPS FROM RECORDS >INPUT
 *
 *   trace-seed INPUT >TRACE
 *
 * And back: the trace that an input is, to be looked at with atomsim.
 *
 * HEAD: the target's own bytes of the head, four numbers with commas. FROM: so many records of each warp are left out
 * first. Sites, buffers and gaps become the first that an input has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace-input.h"
#include "trace/dataflow.h"
#include "trace/reader.h"

typedef struct {
	const Dataflow *dataflow;    /* the trace's, or NULL */
	DataflowBuilder *flow;	     /* the input's */
	uint32_t sites[INPUT_SITES]; /* of the trace, in the order of those of the input */
	uint32_t n_sites;
	const KernelInfo *kernel;
	TraceRules rules; /* of the input */
} Cut;

static uint32_t map_site(Cut *cut, uint32_t site)
{
	uint32_t k = 0;

	while (k < cut->n_sites && cut->sites[k] != site)
		k++;
	if (site == 0 || k == INPUT_SITES)
		return 0;
	if (k == cut->n_sites) {
		cut->sites[cut->n_sites++] = site;
		if (cut->dataflow != NULL && site <= cut->dataflow->n_sites)
			dataflow_builder_site(cut->flow, k + 1,
					      &cut->dataflow->sites[site - 1]);
	}
	return k + 1;
}

static uint16_t map_buffer(const Cut *cut, uint16_t buffer)
{
	uint16_t k = 1;

	while (k < INPUT_BUFFERS &&
	       input_buffer_bytes[k - 1] < cut->kernel->buffer_bytes[buffer - 1])
		k++;
	return k;
}

/* Appends a record as the input has it; one that reaches beyond its shared memory is left out. */
static void append(Cut *cut, Record *record, GByteArray *bytes)
{
	uint8_t encoded[TRACE_MAX_RECORD_BYTES];
	const char *problem;
	size_t n;

	record->site = record->kind == RECORD_CODE ? 0 : map_site(cut, record->site);
	if (record->kind == RECORD_CODE) {
		const Gap *gap = &cut->dataflow->gaps[record->gap];

		record->gap =
			dataflow_builder_gap(cut->flow, gap->operations, gap->n_operations);
	}
	if (record_in_buffer(record))
		record->buffer = map_buffer(cut, record->buffer);
	n = trace_encode_record(&cut->rules, record, encoded);
	if (trace_decode_record(&cut->rules, encoded, encoded + n, record, &problem) == n)
		g_byte_array_append(bytes, encoded, (guint)n);
}

static void put_part(GByteArray *input, const GByteArray *bytes)
{
	const uint8_t length[] = {(uint8_t)bytes->len, (uint8_t)(bytes->len >> 8)};

	g_assert(bytes->len <= INPUT_MAX_PART);
	g_byte_array_append(input, length, sizeof(length));
	g_byte_array_append(input, bytes->data, bytes->len);
}

static void put_warp(Cut *cut, RecordSource *source, uint64_t block, uint32_t warp,
		     const guint64 from_to[2], GByteArray *input)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	WarpStream *stream = source->open_warp(source, block, warp);
	Record record;

	for (guint64 i = 0; i < from_to[1] && stream->next(stream, &record) == STREAM_RECORD &&
			    bytes->len + TRACE_MAX_RECORD_BYTES < INPUT_MAX_PART;
	     i++)
		if (i >= from_to[0])
			append(cut, &record, bytes);
	stream->close(stream);
	if (bytes->len == 0)
		g_byte_array_append(bytes, (const guint8 *)"", 1);
	put_part(input, bytes);
}

/* The head; then the data flow, which is known when all records are. */
static void print(const Cut *cut, const uint8_t *head, const GByteArray *warps)
{
	g_autoptr(GByteArray) flow = dataflow_builder_bytes(cut->flow);
	g_autoptr(GByteArray) input = g_byte_array_new();

	g_byte_array_append(input, head, TRACE_INPUT_HEAD);
	if ((head[0] & INPUT_DATAFLOW) != 0)
		put_part(input, flow);
	g_byte_array_append(input, warps->data, warps->len);
	fwrite(input->data, 1, input->len, stdout);
}

static int print_trace(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_autoptr(GBytes) trace = NULL;
	gsize size;

	if (!g_file_get_contents(path, &text, &size, &error))
		g_error("%s", error->message);
	trace = trace_input_file((const uint8_t *)text, size, input_metadata);
	if (trace == NULL)
		g_error("%s: no warp", path);
	fwrite(g_bytes_get_data(trace, NULL), 1, g_bytes_get_size(trace), stdout);
	return 0;
}

int main(int argc, char **argv)
{
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(GByteArray) warps = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	Cut cut = {.flow = dataflow_builder_new()};
	unsigned own[4];
	guint64 n_blocks, n_warps, from_to[2];
	RecordSource *source;
	BlockInfo info;

	if (argc == 2)
		return print_trace(argv[1]);
	if (argc != 7 ||
	    sscanf(argv[2], "%u,%u,%u,%u", &own[0], &own[1], &own[2], &own[3]) != 4)
		g_error("trace-seed TRACE A,B,C,D BLOCKS WARPS FROM RECORDS, or trace-seed "
			"INPUT");
	reader = trace_open(argv[1], &error);
	if (reader == NULL)
		g_error("%s", error->message);
	source = trace_source(reader);
	source->block_info(source, 0, &info);
	n_blocks = MIN(g_ascii_strtoull(argv[3], NULL, 10), source->n_blocks);
	n_warps = MIN(g_ascii_strtoull(argv[4], NULL, 10), info.n_warps);
	from_to[0] = g_ascii_strtoull(argv[5], NULL, 10);
	from_to[1] = from_to[0] + g_ascii_strtoull(argv[6], NULL, 10);
	cut.dataflow = source->kernel.dataflow;
	cut.kernel = &source->kernel;
	const gboolean newer = trace_records_version(reader) > 1;
	const uint8_t head[TRACE_INPUT_HEAD] = {
		(uint8_t)(own[0] | (newer ? INPUT_VERSION_2 : 0) |
			  (newer && source->kernel.warp_lanes == 64 ? INPUT_LANES_64 : 0) |
			  (cut.dataflow != NULL ? INPUT_DATAFLOW : 0)),
		(uint8_t)MIN((info.shared_bytes + 1023) / 1024, 48),
		(uint8_t)(n_blocks - 1),
		(uint8_t)own[1],
		(uint8_t)own[2],
		(uint8_t)own[3]};

	cut.rules = trace_input_rules(head);
	for (guint64 block = 0; block < n_blocks; block++)
		for (guint64 warp = 0; warp < n_warps; warp++)
			put_warp(&cut, source, block, (uint32_t)warp, from_to, warps);
	print(&cut, head, warps);
	dataflow_builder_free(cut.flow);
	return 0;
}
