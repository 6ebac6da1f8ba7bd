/* SPDX-License-Identifier: MIT */
/* From raw captures of programs that recorded themselves to records: what their events and listings may say. */
#include <glib.h>

#include "capture-tools.h"

#define MARKED_CODE                                                                            \
	".target sm_90\n.marked\n.text.k:\n"                                                   \
	"/*0000*/ EXIT ;\n"                                                                    \
	"/*0010*/ LDS R4, [R2] ;\n"                                                            \
	"/*0020*/ ATOMS.ADD.F32 RZ, [R2], R4 ;\n"                                              \
	"/*0030*/ SHFL.IDX PT, R8, R4, 0x0, 0x1f ;\n"                                          \
	"/*0040*/ MEMBAR.SC.GPU ;\n"                                                           \
	"/*0050*/ IADD3 R2, R2, 0x1, RZ ;\n"                                                   \
	"/*0060*/ IADD3 R2, R2, 0x1, RZ ;\n"

/* Converts the events, and the end of the warp, and prints its records. */
static char *convert(GByteArray *events, uint64_t n_events, ConvertCounts *counts)
{
	g_autoptr(GError) error = NULL;

	capture_add_event(events, 0, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, n_events + 2, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, MARKED_CODE, counts, &error);

	g_assert_no_error(error);
	return capture_print_warp(reader, 0, 0);
}

static void marks_become_records_in_the_order_of_events(void)
{
	GByteArray *events = capture_start();
	ConvertCounts counts;

	capture_add_event(events, 0x20, RAW_SHARED, 0xff, RAW_READ | RAW_WRITE, 0, 0x400, 4);
	capture_add_event(events, 0x30, RAW_SHUFFLE, UINT32_MAX, 0, 0, 0, 0);
	capture_add_event(events, 0x40, RAW_SYNCWARP, UINT32_MAX, 0, 0, 0, 0);
	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);

	g_autofree char *said = convert(events, 4, &counts);

	g_assert_cmpstr(said, ==, "atom 8, code 1, fence, lds 32, exit");
	g_assert_cmpuint(counts.unresolved_paths, ==, 0);
	g_assert_cmpuint(counts.unmarked_gaps, ==, 2);
}

static void work_is_executed_between_marks_and_closes_a_gap(void)
{
	GByteArray *events = capture_start();
	ConvertCounts counts;

	capture_add_event(events, 0x50, RAW_CALL, UINT32_MAX, 0, 2, 0, 0);
	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x60, RAW_CALL, UINT32_MAX, 0, 1, 0, 0);

	g_autofree char *said = convert(events, 3, &counts);

	g_assert_cmpstr(said, ==, "code 2, lds 32, code 1, exit");
	g_assert_cmpuint(counts.unmarked_gaps, ==, 0);
	g_assert_cmpuint(counts.n_instructions, ==, 5);
}

/* More than the listing has, and what would need an event. */
static void damaged_work_is_counted_and_nothing_else(void)
{
	GByteArray *events = capture_start();
	ConvertCounts counts;

	capture_add_event(events, 0x60, RAW_CALL, UINT32_MAX, 0, 2, 0, 0);
	capture_add_event(events, 0x10, RAW_CALL, UINT32_MAX, 0, 1, 0, 0);
	capture_add_event(events, 0x18, RAW_CALL, UINT32_MAX, 0, 1, 0, 0);
	capture_add_event(events, 0x50, RAW_CALL, UINT32_MAX, 0, UINT32_MAX, 0, 0);
	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);

	g_autofree char *said = convert(events, 5, &counts);

	g_assert_cmpstr(said, ==, "lds 32, exit");
	g_assert_cmpuint(counts.unresolved_paths, ==, 4);
	g_assert_cmpuint(counts.unmarked_gaps, ==, 1);
}

static void an_event_of_no_mark_is_unknown(void)
{
	GByteArray *events = capture_start();
	ConvertCounts counts;

	capture_add_event(events, 0x1000, RAW_SHARED, UINT32_MAX, RAW_READ | RAW_WRITE, 0,
			  0x400, 4);

	g_autofree char *said = convert(events, 1, &counts);

	g_assert_cmpstr(said, ==, "unknown, exit");
	g_assert_cmpuint(counts.unresolved_paths, ==, 1);
}

static void an_atomic_has_what_its_lanes_add(void)
{
	GByteArray *events = capture_start();
	RawEvent add = {.pc = CAPTURE_BASE + 0x20,
			.mask = 0x3,
			.kind = RAW_SHARED,
			.bytes = 4,
			.flags = RAW_READ | RAW_WRITE | RAW_VALUES};
	const uint32_t words[] = {0x400, 0x404, 0x3f800000, 0x40000000};
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;
	Record record;

	g_byte_array_append(events, (const guint8 *)&add, sizeof(add));
	g_byte_array_append(events, (const guint8 *)words, sizeof(words));
	capture_add_event(events, 0, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 3, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, MARKED_CODE, &counts, &error);

	g_assert_no_error(error);

	WarpStream *stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);

	g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
	g_assert_true(record.has_values);
	g_assert_cmphex(record.value[0], ==, 0x3f800000);
	g_assert_cmphex(record.value[1], ==, 0x40000000);
	stream->close(stream);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/marked/order", marks_become_records_in_the_order_of_events);
	g_test_add_func("/marked/work", work_is_executed_between_marks_and_closes_a_gap);
	g_test_add_func("/marked/damaged-work", damaged_work_is_counted_and_nothing_else);
	g_test_add_func("/marked/no-mark", an_event_of_no_mark_is_unknown);
	g_test_add_func("/marked/values", an_atomic_has_what_its_lanes_add);
	return g_test_run();
}
