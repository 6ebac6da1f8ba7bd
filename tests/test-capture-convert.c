/* SPDX-License-Identifier: MIT */
/*
 * From raw captures to records: small captures made here, for what a GPU does not do when asked.
 */
#include <glib.h>
#include <string.h>

#include "capture/convert.h"
#include "error.h"
#include "trace/reader.h"

#define CODE                                                                                   \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ S2R R0, SR_TID.X ;\n"                                                        \
	"/*0010*/ LDS R1, [R0] ;\n"                                                            \
	"/*0020*/ IADD3 R1, R1, 0x1, RZ ;\n"                                                   \
	"/*0030*/ ATOMS.ADD RZ, [R0], R1 ;\n"                                                  \
	"/*0040*/ BAR.SYNC 0x0 ;\n"                                                            \
	"/*0050*/ LDG.E R1, [R2] ;\n"                                                          \
	"/*0060*/ EXIT ;\n"
#define BASE 0x7000 /* program counter of the function */

/* ---- A raw capture in memory */

static void add_chunk(GByteArray *raw, RawChunkKind kind, const void *bytes, guint n)
{
	RawChunkHeader header = {.kind = kind, .launch = 0, .bytes = n};

	g_byte_array_append(raw, (const guint8 *)&header, sizeof(header));
	g_byte_array_append(raw, bytes, n);
}

/* The address of the i-th lane is first + i * step. */
static void add_event(GByteArray *events, uint64_t pc, RawEventKind kind, uint32_t mask,
		      uint32_t flags, uint32_t detail, uint64_t first, uint64_t step)
{
	RawEvent event = {.pc = BASE + pc,
			  .mask = mask,
			  .kind = kind,
			  .flags = flags,
			  .detail = detail,
			  .bytes = RAW_ADDRESS_BYTES(kind) ? 4 : 0};
	guint n = RAW_ADDRESS_BYTES(kind);

	g_byte_array_append(events, (const guint8 *)&event, sizeof(event));
	for (uint64_t i = 0; i < (uint64_t)__builtin_popcount(mask); i++) {
		uint64_t address = first + i * step;

		g_byte_array_append(events, (const guint8 *)&address, n);
	}
	while (events->len % 8)
		g_byte_array_append(events, (const guint8 *)"", 1);
}

/* A launch of one block of 32 threads. */
static GBytes *make_raw(GByteArray *events, uint64_t n_events, uint64_t dropped)
{
	GByteArray *raw = g_byte_array_new();
	RawFileHeader header = {.magic = RAW_MAGIC, .version = RAW_VERSION};
	RawEnd end = {.n_events = n_events, .dropped = dropped, .buffer_bytes = 4096};
	struct {
		RawLaunch launch;
		char name[8];
	} launch = {.launch = {.function_pc = BASE,
			       .grid = {1, 1, 1},
			       .block = {32, 1, 1},
			       .name_bytes = 2},
		    .name = "k"};

	g_byte_array_append(raw, (const guint8 *)&header, sizeof(header));
	add_chunk(raw, RAW_CHUNK_LAUNCH, &launch, sizeof(launch));
	add_chunk(raw, RAW_CHUNK_EVENTS, events->data, events->len);
	add_chunk(raw, RAW_CHUNK_END, &end, sizeof(end));
	g_byte_array_unref(events);
	return g_byte_array_free_to_bytes(raw);
}

/* Converts the only launch; NULL and an error if that fails. */
static TraceReader *convert(GBytes *raw, const char *code, ConvertCounts *counts,
			    GError **error)
{
	g_autoptr(RawFile) file = raw_file_open_bytes("test.raw", raw, error);
	g_autoptr(TraceWriter) writer = trace_writer_new_memory();
	g_autoptr(GArray) sites = g_array_new(FALSE, FALSE, sizeof(ConvertSite));
	g_autoptr(Sass) sass = sass_parse(code);
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *metadata = NULL;
	g_autoptr(GBytes) trace = NULL;

	memset(counts, 0, sizeof(*counts));
	if (!file)
		return NULL;
	for (guint i = 0; i < file->launches->len; i++) {
		const RawRecording *recording = g_ptr_array_index(file->launches, i);

		if (!convert_launch(recording, g_ptr_array_index(sass->functions, 0),
				    sass->target, FALSE, writer, sites, counts, error))
			return NULL;
		metadata = convert_metadata(recording, facts, sites, 0, FALSE, counts);
	}
	if (!metadata)
		return NULL;
	trace = trace_writer_finish_bytes(g_steal_pointer(&writer), metadata);
	return trace_open_bytes("test", trace, error);
}

/* "alu 1, lds 32, ...": the records of a warp, with count or lanes. */
static char *tell_warp(TraceReader *reader, uint64_t block, uint32_t warp)
{
	static const char *const names[] = {"exit", "alu",  "lds",    "sts",
					    "atom", "ldg",  "stg",    "atomg",
					    "bar",  "lock", "unlock", "unknown"};
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, block, warp);
	GString *text = g_string_new(NULL);
	Record record;

	while (stream->next(stream, &record) == STREAM_RECORD) {
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", names[record.kind]);
		if (record.kind == RECORD_ALU)
			g_string_append_printf(text, " %u", record.count);
		if (record.n_lanes > 0)
			g_string_append_printf(text, " %u", record.n_lanes);
	}
	stream->close(stream);
	g_assert_null(trace_failure(reader));
	return g_string_free(text, FALSE);
}

static void expect_error(GError *error, const char *words)
{
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
	g_test_message("%s", error->message);
	g_assert_nonnull(strstr(error->message, words));
}

static GByteArray *start(void)
{
	GByteArray *events = g_byte_array_new();

	add_event(events, 0, RAW_ENTER, UINT32_MAX, 0, 128, 0, 0);
	return events;
}

/* ---- Tests */

static void events_become_records_with_arithmetic_between(void)
{
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	add_event(events, 0x30, RAW_SHARED, 0xff, RAW_READ | RAW_WRITE, 0, 0x5000400, 0);
	add_event(events, 0x40, RAW_BARRIER, UINT32_MAX, 0, 0, 0, 0);
	add_event(events, 0x50, RAW_GLOBAL, UINT32_MAX, RAW_READ, 0, 0x1000, 64);
	add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = make_raw(events, 6, 0);
	g_autoptr(TraceReader) reader = convert(raw, CODE, &counts, &error);

	g_assert_no_error(error);
	g_autofree char *told = tell_warp(reader, 0, 0);
	g_assert_cmpstr(told, ==, "alu 1, lds 32, alu 1, atom 8, bar, ldg 32, exit");

	WarpStream *stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);
	Record record;

	for (int i = 0; i < 4; i++)
		g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
	/* The block's place in its cluster and the system's 1 KiB are off. */
	g_assert_cmpuint(record.address[0], ==, 0);
	g_assert_cmpuint(record.site, ==, 2);
	for (int i = 0; i < 2; i++)
		stream->next(stream, &record);
	g_assert_cmpuint(record.bytes, ==, 128);
	g_assert_cmpuint(record.count, ==, 16);
	stream->close(stream);
}

static void lanes_that_reach_a_barrier_apart_wait_together(void)
{
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	add_event(events, 0x40, RAW_BARRIER, 0xffff, 0, 0, 0, 0);
	add_event(events, 0x60, RAW_EXIT, 0xff000000, 0, 0, 0, 0);
	add_event(events, 0x40, RAW_BARRIER, 0xff0000, 0, 0, 0, 0);
	add_event(events, 0x60, RAW_EXIT, 0x00ffffff, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = make_raw(events, 5, 0);
	g_autoptr(TraceReader) reader = convert(raw, CODE, &counts, &error);

	g_assert_no_error(error);
	g_autofree char *told = tell_warp(reader, 0, 0);
	g_assert_nonnull(strstr(told, "bar"));
	g_assert_true(strstr(told, "bar") == g_strrstr(told, "bar"));
	g_assert_true(g_str_has_suffix(told, "exit"));
}

static void what_has_no_record_is_counted(void)
{
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	add_event(events, 0x10, RAW_SHARED, 1, RAW_READ, 0, 0x400 + 128, 0);
	add_event(events, 0x10, RAW_SHARED, 1, RAW_READ, 0, 0x3fc, 0);
	add_event(events, 0x20, RAW_SHARED, 1, RAW_READ | RAW_WRITE, 0, 0x400, 0);
	add_event(events, 0x30, RAW_MATRIX, 3, RAW_READ, 4, 0x400, 16);
	add_event(events, 0x30, RAW_REMOTE, 3, RAW_READ, 0, 0x400, 16);
	add_event(events, 0x40, RAW_BARRIER, UINT32_MAX, 0, 16 << 8 | 1, 0, 0);
	add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = make_raw(events, 8, 0);
	g_autoptr(TraceReader) reader = convert(raw, CODE, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.out_of_range, ==, 2);
	g_assert_cmpuint(counts.unknown_operations, ==, 1);
	g_assert_cmpuint(counts.matrix_accesses, ==, 1);
	g_assert_cmpuint(counts.remote_accesses, ==, 1);
	g_assert_cmpuint(counts.partial_barriers, ==, 1);
}

/* A loop around the retry loop, with no event between two executions. */
static void executions_of_a_retry_loop_are_told_apart(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n.L_again:\n"
				   "/*0000*/ LDS R1, [R0] ;\n"
				   "/*0010*/ FADD R2, R1, 1 ;\n"
				   "/*0020*/ ATOMS.CAST.SPIN R2, [R0], R1, R2 ;\n"
				   "/*0030*/ ISETP.EQ.U32.AND P0, PT, R2, 0x1, PT ;\n"
				   "/*0040*/ @!P0 BRA `(.L_again) ;\n"
				   "/*0050*/ @!P1 BRA `(.L_again) ;\n"
				   "/*0060*/ EXIT ;\n";
	static const struct {
		uint32_t mask, first, step;
	} attempts[] = {
		{UINT32_MAX, 0x400, 0}, /* first execution */
		{0xffff, 0x400, 0},	/* some lanes again */
		{0xffff, 0x400, 0},	/* all of them failed */
		{UINT32_MAX, 0x400, 0}, /* lanes that were done: the second */
		{UINT32_MAX, 0x400, 4}, /* other words: the third, but for lane 0's word */
	};
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	for (guint i = 0; i < G_N_ELEMENTS(attempts); i++) {
		add_event(events, 0, RAW_SHARED, attempts[i].mask, RAW_READ, 0,
			  attempts[i].first, attempts[i].step);
		add_event(events, 0x20, RAW_SHARED, attempts[i].mask, RAW_READ | RAW_WRITE, 0,
			  attempts[i].first, attempts[i].step);
	}
	add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = make_raw(events, 2 + 2 * G_N_ELEMENTS(attempts), 0);
	g_autoptr(TraceReader) reader = convert(raw, code, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.folded_atomics, ==, 3);
	g_autofree char *told = tell_warp(reader, 0, 0);
	g_assert_cmpstr(told, ==, "atom 32, alu 1, atom 32, alu 1, atom 32, alu 1, exit");
}

static void a_kernel_that_starts_kernels_makes_no_trace(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ CALL.ABS.NOINC `(__cudaCDP2LaunchDeviceV2) ;\n"
				   "/*0010*/ EXIT ;\n";
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	add_event(events, 0x10, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = make_raw(events, 2, 0);
	g_autoptr(TraceReader) reader = convert(raw, code, &counts, &error);

	g_assert_null(reader);
	expect_error(error, "starts kernels from the GPU");
}

static void lost_events_make_no_trace(void)
{
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_autoptr(GBytes) raw = make_raw(events, 3, 2);
	g_autoptr(TraceReader) reader = convert(raw, CODE, &counts, &error);

	g_assert_null(reader);
	expect_error(error, "2 of 3 events were lost");
}

static void a_launch_without_its_end_makes_no_trace(void)
{
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_autoptr(GBytes) raw = make_raw(events, 1, 0);
	gsize n = g_bytes_get_size(raw) - sizeof(RawChunkHeader) - sizeof(RawEnd);
	g_autoptr(GBytes) cut = g_bytes_new_from_bytes(raw, 0, n);
	g_autoptr(TraceReader) reader = convert(cut, CODE, &counts, &error);

	g_assert_null(reader);
	expect_error(error, "did not end well");
}

static void missing_events_make_no_trace(void)
{
	GByteArray *events = start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_autoptr(GBytes) raw = make_raw(events, 1, 0); /* the warp never ends */
	g_autoptr(TraceReader) reader = convert(raw, CODE, &counts, &error);

	g_assert_null(reader);
	expect_error(error, "events are missing");
}

static void damaged_captures_are_refused_or_converted_but_never_crash(void)
{
	GByteArray *events = start();
	ConvertCounts counts;

	add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = make_raw(events, 3, 0);
	gsize size = g_bytes_get_size(raw);

	for (gsize n = 0; n < size; n++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GBytes) cut = g_bytes_new_from_bytes(raw, 0, n);
		g_autoptr(TraceReader) reader = convert(cut, CODE, &counts, &error);

		g_assert_null(reader);
	}
	for (gsize bit = 0; bit < 8 * size; bit++) {
		g_autoptr(GError) error = NULL;
		guint8 *bytes = g_memdup2(g_bytes_get_data(raw, NULL), size);

		bytes[bit / 8] ^= 1 << bit % 8;
		g_autoptr(GBytes) flipped = g_bytes_new_take(bytes, size);
		g_autoptr(TraceReader) reader = convert(flipped, CODE, &counts, &error);

		if (!reader)
			g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
	}
}

static void names_of_kernels_are_read(void)
{
	static const char *const names[][2] = {{"_Z9histogramPKhiPjiiii", "histogram"},
					       {"plain", "plain"},
					       {"_ZN2ns4kernEi", "ns::kern"},
					       {"_Z99short", "_Z99short"},
					       {"_Z", "_Z"},
					       {"_ZN", "_ZN"}};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *name = convert_kernel_name(names[i][0]);

		g_assert_cmpstr(name, ==, names[i][1]);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/convert/" #name, name)
	TEST(events_become_records_with_arithmetic_between);
	TEST(lanes_that_reach_a_barrier_apart_wait_together);
	TEST(what_has_no_record_is_counted);
	TEST(executions_of_a_retry_loop_are_told_apart);
	TEST(a_kernel_that_starts_kernels_makes_no_trace);
	TEST(lost_events_make_no_trace);
	TEST(a_launch_without_its_end_makes_no_trace);
	TEST(missing_events_make_no_trace);
	TEST(damaged_captures_are_refused_or_converted_but_never_crash);
	TEST(names_of_kernels_are_read);
#undef TEST
	return g_test_run();
}
