/* SPDX-License-Identifier: MIT */
#include "capture-tools.h"

#include <string.h>

#include "base/error.h"
#include "base/little.h"
#include "base/names.h"
#include "gpu/convert/raw-file.h"

/* ---- A raw capture in memory */

static void add_chunk(GByteArray *raw, RawChunkKind kind, const void *bytes, guint n)
{
	RawChunkHeader header = {.kind = kind, .launch = 0, .bytes = n};

	g_byte_array_append(raw, (const guint8 *)&header, sizeof(header));
	g_byte_array_append(raw, bytes, n);
}

/* The address of the i-th lane is first + i * step. */
void capture_add_event(GByteArray *events, uint64_t pc, RawEventKind kind, uint32_t mask,
		       uint32_t flags, uint32_t detail, uint64_t first, uint64_t step)
{
	const RawEvent event = {.pc = CAPTURE_BASE + pc,
				.mask = mask,
				.kind = kind,
				.flags = flags,
				.detail = detail,
				.bytes = RAW_ADDRESS_BYTES(kind) ? 4 : 0};
	uint64_t addresses[TRACE_MAX_LANES];

	for (uint64_t i = 0; i < TRACE_MAX_LANES; i++)
		addresses[i] = first + i * step;
	capture_put_event(events, &event, addresses);
}

void capture_put_event(GByteArray *events, const RawEvent *event, const uint64_t *addresses)
{
	const guint n = RAW_ADDRESS_BYTES(event->kind);

	g_byte_array_append(events, (const guint8 *)event, sizeof(*event));
	for (int i = 0; n > 0 && i < __builtin_popcount(event->mask); i++) {
		const uint32_t narrow = (uint32_t)addresses[i];

		g_byte_array_append(
			events,
			n == 4 ? (const guint8 *)&narrow : (const guint8 *)&addresses[i], n);
	}
	while (events->len % 8)
		g_byte_array_append(events, (const guint8 *)"", 1);
}

GBytes *capture_raw(GByteArray *events, uint64_t n_events, uint64_t dropped)
{
	return capture_raw_memory(events, n_events, dropped, NULL, 0);
}

/* A launch of one block of 32 threads. */
GBytes *capture_raw_memory(GByteArray *events, uint64_t n_events, uint64_t dropped,
			   const RawMemory *memory, guint n_memory)
{
	return capture_raw_blocks(events, n_events, dropped, memory, n_memory, 1, 32);
}

GBytes *capture_raw_blocks(GByteArray *events, uint64_t n_events, uint64_t dropped,
			   const RawMemory *memory, guint n_memory, uint32_t n_blocks,
			   uint32_t n_threads)
{
	GByteArray *raw = g_byte_array_new();
	RawFileHeader header = {.magic = RAW_MAGIC, .version = RAW_VERSION};
	RawEnd end = {.n_events = n_events, .dropped = dropped, .buffer_bytes = 4096};
	struct {
		RawLaunch launch;
		char name[8];
	} launch = {.launch = {.function_pc = CAPTURE_BASE,
			       .grid = {n_blocks, 1, 1},
			       .block = {n_threads, 1, 1},
			       .name_bytes = 2},
		    .name = "k"};

	g_byte_array_append(raw, (const guint8 *)&header, sizeof(header));
	add_chunk(raw, RAW_CHUNK_LAUNCH, &launch, sizeof(launch));
	if (n_memory > 0)
		add_chunk(raw, RAW_CHUNK_MEMORY, memory, n_memory * (guint)sizeof(*memory));
	add_chunk(raw, RAW_CHUNK_EVENTS, events->data, events->len);
	add_chunk(raw, RAW_CHUNK_END, &end, sizeof(end));
	g_byte_array_unref(events);
	if (!LITTLE_IS_NATIVE)
		raw_turn(raw->data, raw->len, true);
	return g_byte_array_free_to_bytes(raw);
}

/* Converts the only launch; NULL and an error if that fails. */
TraceReader *capture_convert(GBytes *raw, const char *code, ConvertCounts *counts,
			     GError **error)
{
	g_autoptr(RawFile) file = raw_file_open_bytes("test.raw", raw, error);
	g_autoptr(TraceWriter) writer = trace_writer_new_memory();
	g_auto(ConvertLists) lists = {0};
	g_autoptr(Sass) sass = sass_parse(code);
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *metadata = NULL;
	g_autoptr(GBytes) trace = NULL;

	convert_lists_init(&lists);
	memset(counts, 0, sizeof(*counts));
	if (!file)
		return NULL;
	for (guint i = 0; i < file->launches->len; i++) {
		const RawRecording *recording = g_ptr_array_index(file->launches, i);

		SassFunction *kernel = g_ptr_array_index(sass->functions, 0);
		g_autoptr(SassFunction) linked = convert_link(sass, kernel, recording);

		if (!convert_launch(recording, linked ? linked : kernel, sass->target, FALSE,
				    writer, &lists, counts, error))
			return NULL;
		metadata = convert_metadata(recording, facts, &lists, 0, FALSE, counts);
	}
	if (!metadata)
		return NULL;
	trace = trace_writer_finish_bytes(g_steal_pointer(&writer), metadata);
	return trace_open_bytes("test", trace, error);
}

/* "code 1, lds 32, ...": the records of a warp, with count, operations or lanes. */
char *capture_print_warp(TraceReader *reader, uint64_t block, uint32_t warp)
{
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, block, warp);
	GString *text = g_string_new(NULL);
	Record record;

	while (stream->next(stream, &record) == STREAM_RECORD) {
		g_string_append_printf(text, "%s%s", text->len ? ", " : "",
				       record_kind_names[record.kind]);
		if (record.kind == RECORD_ALU)
			g_string_append_printf(text, " %u", record.count);
		if (record.kind == RECORD_CODE)
			g_string_append_printf(
				text, " %u",
				source->kernel.dataflow->gaps[record.gap].n_operations);
		if (record.n_lanes > 0)
			g_string_append_printf(text, " %u", record.n_lanes);
	}
	stream->close(stream);
	g_assert_null(trace_failure(reader));
	return g_string_free(text, FALSE);
}

void capture_expect_error(GError *error, const char *words)
{
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
	g_test_message("%s", error->message);
	g_assert_nonnull(strstr(error->message, words));
}

GByteArray *capture_start(void)
{
	GByteArray *events = g_byte_array_new();

	capture_add_event(events, 0, RAW_ENTER, UINT32_MAX, 0, 128, 0, 0);
	return events;
}
