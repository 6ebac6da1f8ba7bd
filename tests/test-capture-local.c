/* SPDX-License-Identifier: MIT */
/* Accesses to thread-local memory: where their lanes' words lie, and what the trace says of that memory. */
#include <glib.h>
#include <string.h>

#include "base/json.h"
#include "capture-tools.h"

#define STACK 0xfffdc0 /* lowest byte of a thread that is accessed */

#define CODE                                                                                   \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ STL [R1], R0 ;\n"                                                            \
	"/*0010*/ LDL R2, [R3] ;\n"                                                            \
	"/*0020*/ @P6 LDL R2, [R3] ;\n"                                                        \
	"/*0030*/ EXIT ;\n"

/* A store and a load by lanes of `mask`: lane l names byte STACK + first + l % turns * step. */
typedef struct {
	const char *what;
	uint32_t mask;
	guint bytes;
	uint64_t first, turns, step;
	/* Of the second lane: how far behind the first; where the first lane's lies; lines that all touch. */
	uint32_t second;
	uint64_t offset;
	uint32_t segments;
} Row;

static const Row rows[] = {
	{"a word of all lanes lies in a line", UINT32_MAX, 4, 0, 1, 0, 4, 0, 1},
	{"the next word lies in the next line", UINT32_MAX, 4, 4, 1, 0, 4, 128, 1},
	{"lanes that name two words name two lines", UINT32_MAX, 4, 0, 2, 4, 132, 0, 2},
	{"32 words lie in 32 lines", UINT32_MAX, 4, 0, 32, 4, 132, 0, 32},
	{"a byte lies in its word", UINT32_MAX, 1, 6, 1, 0, 4, 130, 1},
	{"bytes of one word lie in one line", UINT32_MAX, 1, 0, 4, 1, 5, 0, 1},
	{"of few lanes each has its place", 0x11000000, 4, 0, 1, 0, 16, 96, 1},
	{"a value of 16 bytes takes four lines", UINT32_MAX, 16, 16, 1, 0, 16, 512, 4},
	{"12 of 16 bytes are read", UINT32_MAX, 12, 0, 1, 0, 16, 0, 4},
};

static void add(GByteArray *events, uint64_t pc, const Row *row, uint32_t flags)
{
	const RawEvent event = {.pc = CAPTURE_BASE + pc,
				.mask = row->mask,
				.kind = RAW_LOCAL_AT,
				.bytes = (uint8_t)row->bytes,
				.flags = flags};
	uint64_t addresses[TRACE_MAX_LANES];
	guint n = 0;

	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (row->mask >> lane & 1)
			addresses[n++] = STACK + row->first + lane % row->turns * row->step;
	capture_put_event(events, &event, addresses);
}

/* Two lanes touch the begin and the end of 256 bytes of a thread; then the row's store and load. */
static TraceReader *convert(const Row *row, ConvertCounts *counts)
{
	static const Row ends = {"", 3, 4, 0, 2, 252, 0, 0, 0};
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	TraceReader *reader;

	add(events, 0, &ends, RAW_WRITE);
	add(events, 0, row, RAW_WRITE);
	add(events, 0x10, row, RAW_READ);
	capture_add_event(events, 0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 5, 0);

	reader = capture_convert(raw, CODE, counts, &error);
	g_assert_no_error(error);
	return reader;
}

static void check_record(const Row *row, const Record *record)
{
	g_assert_cmphex(record->mask, ==, row->mask);
	g_assert_cmpuint(record->width, ==, row->bytes == 12 ? 16 : row->bytes);
	g_assert_cmpuint(record->offset + record->address[0], ==, row->offset);
	g_assert_cmpuint(record->address[1] - record->address[0], ==, row->second);
	g_assert_cmpuint(record->count, ==, row->segments);
	g_assert_cmpuint(record->buffer, ==, 1);
	g_assert_cmpuint(record->site, >, 0);
}

static void words_of_lanes_lie_beside_each_other(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		ConvertCounts counts;
		g_autoptr(TraceReader) reader = convert(&rows[i], &counts);
		RecordSource *source = trace_source(reader);
		WarpStream *stream = source->open_warp(source, 0, 0);
		Record record;
		guint n = 0;

		g_test_message("%s", rows[i].what);
		while (stream->next(stream, &record) == STREAM_RECORD)
			if (record_in_buffer(&record) && n++ > 0) {
				g_assert_cmpint(record.kind, ==,
						n == 2 ? RECORD_STG : RECORD_LDG);
				check_record(&rows[i], &record);
			}
		stream->close(stream);
		g_assert_cmpuint(n, ==, 3);
		g_assert_cmpuint(counts.local_accesses, ==, 3);
	}
}

/* One buffer, of a warp's bytes; a load that no lane takes part in is none. */
static void a_trace_says_what_a_warp_has(void)
{
	ConvertCounts counts;
	g_autoptr(TraceReader) reader = convert(&rows[0], &counts);
	const KernelInfo *kernel = &trace_source(reader)->kernel;
	g_autofree char *told = capture_print_warp(reader, 0, 0);

	g_assert_cmpuint(kernel->n_buffers, ==, 1);
	g_assert_cmpuint(kernel->local_buffer, ==, 1);
	g_assert_cmpuint(kernel->buffer_bytes[0], ==, 256 * 32);
	g_assert_cmpstr(told, ==, "stg 2, stg 32, ldg 32, code 1, exit");
}

/* What lies across words, which no GPU does, stays an instruction; so does all where a thread had more than it can have. */
static void what_cannot_be_placed_is_an_instruction(void)
{
	static const Row across = {"", UINT32_MAX, 4, 2, 1, 0, 0, 0, 0};
	static const Row far = {"", UINT32_MAX, 4, 0, 2, 524288, 0, 0, 0};
	ConvertCounts counts;
	g_autoptr(TraceReader) first = convert(&across, &counts);
	g_autofree char *told = capture_print_warp(first, 0, 0);

	g_assert_cmpstr(told, ==, "stg 2, code 3, exit");
	g_assert_cmpuint(counts.local_accesses, ==, 3);
	g_assert_cmpuint(counts.unplaced_accesses, ==, 2);

	g_autoptr(TraceReader) second = convert(&far, &counts);
	g_autofree char *all = capture_print_warp(second, 0, 0);

	g_assert_cmpstr(all, ==, "code 4, exit");
	g_assert_cmpuint(trace_source(second)->kernel.n_buffers, ==, 0);
}

int main(int argc, char *argv[])
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/local/words of lanes lie beside each other",
			words_of_lanes_lie_beside_each_other);
	g_test_add_func("/capture/local/a trace says what a warp has",
			a_trace_says_what_a_warp_has);
	g_test_add_func("/capture/local/what cannot be placed is an instruction",
			what_cannot_be_placed_is_an_instruction);
	return g_test_run();
}
