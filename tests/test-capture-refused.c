/* SPDX-License-Identifier: MIT */
/* Raw captures that make no trace: not whole, not of this kernel alone, damaged. */
#include <string.h>

#include <glib/gstdio.h>

#include "capture-tools.h"
#include "base/error.h"
#include "base/little.h"
#include "gpu/convert/raw-file.h"

static void a_kernel_that_starts_kernels_makes_no_trace(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ CALL.ABS.NOINC `(__cudaCDP2LaunchDeviceV2) ;\n"
				   "/*0010*/ EXIT ;\n";
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0x10, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 2, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_null(reader);
	capture_expect_error(error, "starts kernels from the GPU");
}

static void lost_events_make_no_trace(void)
{
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_autoptr(GBytes) raw = capture_raw(events, 3, 2);
	g_autoptr(TraceReader) reader = capture_convert(raw, CAPTURE_CODE, &counts, &error);

	g_assert_null(reader);
	capture_expect_error(error, "2 of 3 events were lost");
}

static void a_launch_without_its_end_makes_no_trace(void)
{
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_autoptr(GBytes) raw = capture_raw(events, 1, 0);
	gsize n = g_bytes_get_size(raw) - sizeof(RawChunkHeader) - sizeof(RawEnd);
	g_autoptr(GBytes) cut = g_bytes_new_from_bytes(raw, 0, n);
	g_autoptr(TraceReader) reader = capture_convert(cut, CAPTURE_CODE, &counts, &error);

	g_assert_null(reader);
	capture_expect_error(error, "did not end well");
}

static void missing_events_make_no_trace(void)
{
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_autoptr(GBytes) raw = capture_raw(events, 1, 0); /* the warp never ends */
	g_autoptr(TraceReader) reader = capture_convert(raw, CAPTURE_CODE, &counts, &error);

	g_assert_null(reader);
	capture_expect_error(error, "events are missing");
}

/* What the folder of a capture becomes whose module is `code`. */
static GPtrArray *convert_code(const char *code, GError **error)
{
	GByteArray *events = capture_start();
	g_autofree char *folder = g_dir_make_tmp("atomsim-refused-XXXXXX", NULL);
	g_autofree char *raw = g_build_filename(folder, "events-1.raw", NULL);
	g_autofree char *facts = g_build_filename(folder, "facts", NULL);
	g_autofree char *module = g_build_filename(folder, "module-1-0.sass", NULL);
	g_autofree char *output = g_build_filename(folder, "trace.bin", NULL);
	const char *const files[] = {raw, facts, module, output};
	GPtrArray *converted;

	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) bytes = capture_raw(events, 3, 0);

	g_assert_true(g_file_set_contents(raw, g_bytes_get_data(bytes, NULL),
					  g_bytes_get_size(bytes), NULL));
	g_assert_true(g_file_set_contents(facts, "", 0, NULL));
	g_assert_true(g_file_set_contents(module, code, -1, NULL));
	converted = convert_folder(folder, output, FALSE, error);
	for (gsize i = 0; i < G_N_ELEMENTS(files); i++)
		g_unlink(files[i]);
	g_rmdir(folder);
	return converted;
}

/* Where shared memory begins depends on the GPU. */
static void code_that_does_not_name_its_gpu_makes_no_trace(void)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) converted = convert_code(CAPTURE_CODE, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(converted->len, ==, 1);
	g_assert_null(convert_code(strchr(CAPTURE_CODE, '\n') + 1, &error));
	capture_expect_error(error, "does not say for which GPU it is");
}

static void damaged_captures_are_refused_or_converted_but_never_crash(void)
{
	GByteArray *events = capture_start();
	ConvertCounts counts;

	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 3, 0);
	gsize size = g_bytes_get_size(raw);

	for (gsize n = 0; n < size; n++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GBytes) cut = g_bytes_new_from_bytes(raw, 0, n);
		g_autoptr(TraceReader) reader =
			capture_convert(cut, CAPTURE_CODE, &counts, &error);

		g_assert_null(reader);
	}
	for (gsize bit = 0; bit < 8 * size; bit++) {
		g_autoptr(GError) error = NULL;
		guint8 *bytes = g_memdup2(g_bytes_get_data(raw, NULL), size);

		bytes[bit / 8] ^= 1 << bit % 8;
		g_autoptr(GBytes) flipped = g_bytes_new_take(bytes, size);
		g_autoptr(TraceReader) reader =
			capture_convert(flipped, CAPTURE_CODE, &counts, &error);

		if (!reader)
			g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
	}
}

static void an_empty_file_is_no_capture(void)
{
	g_autoptr(GBytes) nothing = g_bytes_new("", 0);
	g_autoptr(GError) error = NULL;

	g_assert_null(raw_file_open_bytes("empty.raw", nothing, &error));
	capture_expect_error(error, "this is no raw capture");
	/* A header alone is one, of a program that launched nothing. */
	const RawFileHeader header = {.magic = RAW_MAGIC, .version = little_32(RAW_VERSION)};
	g_autoptr(GBytes) bytes = g_bytes_new(&header, sizeof(header));
	g_autoptr(RawFile) file = raw_file_open_bytes("empty.raw", bytes, NULL);

	g_assert_nonnull(file);
	g_assert_cmpuint(file->launches->len, ==, 0);
}

/* Code that says another GPU than the one that was watched: addresses of locks are none then. */
static void locks_at_impossible_addresses_are_told_as_unknown(void)
{
	static const char code[] = ".target sm_9\n.text.k:\n"
				   "/*0000*/ ATOMS.CAS R1, [R0], R2, R3 ;\n"
				   "/*0010*/ STS [R0], RZ ;\n"
				   "/*0020*/ EXIT ;\n";
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0, RAW_SHARED, UINT32_MAX, RAW_READ | RAW_WRITE, 0, 0x400, 4);
	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_WRITE, 0, 0x400, 4);
	capture_add_event(events, 0x20, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 4, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.out_of_range, ==, 2);
	g_autofree char *told = capture_print_warp(reader, 0, 0);
	g_assert_cmpstr(told, ==, "unknown, unknown, exit");
}

/* What a machine of the other order of bytes makes of a capture, and back. */
static void a_capture_turned_around_twice_is_the_same(void)
{
	GByteArray *events = capture_start();
	const RawMemory memory[] = {{0x1000, 64}};

	capture_add_event(events, 0x10, RAW_SHARED, 0x7, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x20, RAW_GLOBAL, 0xf, RAW_WRITE, 0, 0x1000, 8);
	capture_add_event(events, 0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);
	capture_add_event(events, 0x20, RAW_GLOBAL, 0x1, RAW_WRITE, 0, 0x1000, 8);

	g_autoptr(GBytes) raw = capture_raw_memory(events, 5, 0, memory, 1);
	gsize n, last;
	const guint8 *data = g_bytes_get_data(raw, &n);
	g_autofree guint8 *turned = g_memdup2(data, n);

	raw_turn(turned, n, LITTLE_IS_NATIVE);
	/* The last event is met only if the bytes of all before it are counted right: its pc, and its lane's address. */
	last = n - sizeof(RawEnd) - sizeof(RawChunkHeader) - sizeof(RawEvent) - 8;
	for (gsize i = 0; i < 8; i++) {
		g_assert_cmpuint(turned[last + i], ==, data[last + 7 - i]);
		g_assert_cmpuint(turned[last + sizeof(RawEvent) + i], ==,
				 data[last + sizeof(RawEvent) + 7 - i]);
	}
	raw_turn(turned, n, !LITTLE_IS_NATIVE);
	g_assert_cmpmem(turned, n, data, n);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/refused/" #name, name)
	TEST(a_kernel_that_starts_kernels_makes_no_trace);
	TEST(lost_events_make_no_trace);
	TEST(a_launch_without_its_end_makes_no_trace);
	TEST(missing_events_make_no_trace);
	TEST(code_that_does_not_name_its_gpu_makes_no_trace);
	TEST(an_empty_file_is_no_capture);
	TEST(locks_at_impossible_addresses_are_told_as_unknown);
	TEST(a_capture_turned_around_twice_is_the_same);
	TEST(damaged_captures_are_refused_or_converted_but_never_crash);
#undef TEST
	return g_test_run();
}
