/* SPDX-License-Identifier: MIT */
/* Events of many warps, in whatever order they come; barriers that lanes come to apart; events that cannot be. */
#include <glib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/little.h"
#include "capture-tools.h"
#include "trace/format.h"

#define N_RUNS 100

#define LONG_CODE                                                                              \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ S2R R0, SR_TID.X ;\n"                                                        \
	"/*0010*/ LDS R1, [R0] ;\n"                                                            \
	"/*0020*/ ATOMS.ADD RZ, [R0], R1 ;\n"                                                  \
	"/*0030*/ BAR.SYNC 0x0 ;\n"                                                            \
	"/*0040*/ LDG.E R1, [R2.64] ;\n"                                                       \
	"/*0050*/ LDL R3, [R4] ;\n"                                                            \
	"/*0060*/ LDGSTS.E [R0], [R2.64] ;\n"                                                  \
	"/*0070*/ LDSM.16.M88.4 R4, [R0] ;\n"                                                  \
	"/*0080*/ MEMBAR.SC.GPU ;\n"                                                           \
	"/*0090*/ @P6 LDS R1, [R0] ;\n"                                                        \
	"/*00a0*/ EXIT ;\n"

typedef struct {
	uint64_t pc;
	RawEventKind kind;
	uint32_t flags;
	guint bytes;
} Event;

static const Event long_events[] = {
	{0x10, RAW_SHARED, RAW_READ, 4},  {0x20, RAW_SHARED, RAW_READ | RAW_WRITE, 4},
	{0x30, RAW_BARRIER, 0, 0},	  {0x40, RAW_GLOBAL, RAW_READ, 4},
	{0x50, RAW_LOCAL, RAW_READ, 4},	  {0x60, RAW_COPY, RAW_WRITE, 4},
	{0x70, RAW_MATRIX, RAW_READ, 16}, {0xa0, RAW_EXIT, 0, 0},
};

static const RawMemory memory = {0x10000, 0x10000};

static uint32_t lanes_of(uint32_t n_threads, uint32_t warp)
{
	const uint32_t n = n_threads - 32 * warp;

	return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

/* Of warp w of block b all addresses are so far behind those of others. */
static uint64_t shift_of(uint32_t block, uint32_t warp)
{
	return 0x100 * (block * 4 + warp);
}

static void add(GByteArray *events, const Event *event, uint32_t block, uint32_t warp,
		uint32_t mask)
{
	const RawEvent raw = {.pc = CAPTURE_BASE + event->pc,
			      .block_id = block,
			      .warp = (uint16_t)warp,
			      .mask = mask,
			      .kind = (uint8_t)event->kind,
			      .bytes = (uint8_t)event->bytes,
			      .flags = event->flags,
			      .detail = event->kind == RAW_ENTER ? 0x2000 : 0};
	const uint64_t base =
		(event->kind == RAW_GLOBAL ? 0x10000 : 0x400) + shift_of(block, warp);
	uint64_t addresses[TRACE_MAX_LANES];

	for (guint i = 0; i < TRACE_MAX_LANES; i++)
		addresses[i] = base + 4 * i;
	capture_put_event(events, &raw, addresses);
}

static void check_warp(TraceReader *reader, uint32_t block, uint32_t warp, uint32_t mask)
{
	const int n = __builtin_popcount(mask);
	g_autofree char *expected =
		g_strdup_printf("code 1, lds %d, atom %d, bar, ldg %d, code 1, sts %d, "
				"unknown, fence, code 1, exit",
				n, n, n, n);
	g_autofree char *told = capture_print_warp(reader, block, warp);
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, block, warp);
	Record record;

	g_assert_cmpstr(told, ==, expected);
	while (stream->next(stream, &record) == STREAM_RECORD) {
		if (record.n_lanes == 0)
			continue;
		g_assert_cmphex(record.mask, ==, mask);
		g_assert_cmphex((record_in_buffer(&record) ? record.offset : 0) +
					record.address[0],
				==, shift_of(block, warp));
	}
	stream->close(stream);
}

/* Warps one behind the other, side by side or mixed: their records are the same. */
static void events_of_warps_may_come_in_any_order(void)
{
	static const uint32_t sizes[] = {1, 31, 32, 33, 64, 100};

	for (guint32 seed = 0; seed < N_RUNS; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		const uint32_t n_threads = sizes[seed % G_N_ELEMENTS(sizes)];
		const uint32_t n_warps = (n_threads + 31) / 32, n_blocks = 1 + seed % 3;
		static const Event enter = {0, RAW_ENTER, 0, 0};
		guint done[3 * 4] = {0}, left = n_blocks * n_warps;
		GByteArray *events = g_byte_array_new();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;
		uint64_t n_events = 0;

		while (left > 0) {
			const guint i =
				(guint)g_rand_int_range(rand, 0, (gint)(n_blocks * n_warps));
			const uint32_t block = i / n_warps, warp = i % n_warps;
			const uint32_t mask = lanes_of(n_threads, warp), low = mask & -mask;

			if (done[i] > G_N_ELEMENTS(long_events))
				continue;
			if (done[i] == 0) { /* in two parts, if it has more than a lane */
				add(events, &enter, block, warp, low);
				n_events += mask != low;
				if (mask != low)
					add(events, &enter, block, warp, mask & ~low);
			} else {
				add(events, &long_events[done[i] - 1], block, warp, mask);
			}
			n_events++;
			left -= ++done[i] > G_N_ELEMENTS(long_events);
		}

		g_autoptr(GBytes) raw = capture_raw_blocks(events, n_events, 0, &memory, 1,
							   n_blocks, n_threads);
		g_autoptr(TraceReader) reader =
			capture_convert(raw, LONG_CODE, &counts, &error);

		g_assert_no_error(error);
		g_assert_cmpuint(counts.n_blocks, ==, n_blocks);
		g_assert_cmpuint(counts.n_events, ==, n_events);
		g_assert_cmpuint(counts.n_instructions, ==, 11 * n_blocks * n_warps);
		g_assert_cmpuint(counts.local_accesses, ==, n_blocks * n_warps);
		g_assert_cmpuint(counts.async_copies, ==, n_blocks * n_warps);
		g_assert_cmpuint(counts.matrix_accesses, ==, n_blocks * n_warps);
		g_assert_cmpuint(counts.remote_accesses + counts.partial_barriers +
					 counts.unresolved_paths + counts.guessed_branches,
				 ==, 0);
		for (uint32_t i = 0; i < n_blocks * n_warps; i++)
			check_warp(reader, i / n_warps, i % n_warps,
				   lanes_of(n_threads, i % n_warps));
	}
}

/* Sites are the instructions that made records, in the order of the code. */
static void sites_are_those_of_events_and_fences(void)
{
	static const char *const pcs[] = {"0x10", "0x20", "0x30", "0x40",
					  "0x60", "0x70", "0x80"};
	static const Event enter = {0, RAW_ENTER, 0, 0};
	GByteArray *events = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	add(events, &enter, 0, 0, UINT32_MAX);
	for (guint i = 0; i < G_N_ELEMENTS(long_events); i++)
		add(events, &long_events[i], 0, 0, UINT32_MAX);

	g_autoptr(GBytes) raw =
		capture_raw_memory(events, G_N_ELEMENTS(long_events) + 1, 0, &memory, 1);
	g_autoptr(TraceReader) reader = capture_convert(raw, LONG_CODE, &counts, &error);

	g_assert_no_error(error);

	const cJSON *sites = cJSON_GetObjectItem(trace_metadata_json(reader), "sites");
	const cJSON *buffers = cJSON_GetObjectItem(trace_metadata_json(reader), "buffers");

	g_assert_cmpint(cJSON_GetArraySize(sites), ==, G_N_ELEMENTS(pcs));
	for (int i = 0; i < (int)G_N_ELEMENTS(pcs); i++)
		g_assert_cmpstr(
			cJSON_GetObjectItem(cJSON_GetArrayItem(sites, i), "pc")->valuestring,
			==, pcs[i]);
	g_assert_cmpint(cJSON_GetArraySize(buffers), ==, 1);
	g_assert_cmpint(cJSON_GetObjectItem(cJSON_GetArrayItem(buffers, 0), "bytes")->valueint,
			==, 0x10000);
}

/* ---- Ways */

/* What is guessed, goes another way than is calculated, or has no way. */
static void ways_that_are_not_known_are_counted(void)
{
#define FUNCTIONS(place)                                                                       \
	"MOV R4, " place "\nCALL.REL.NOINC R4\nEXIT\nNOP\n$k$f:\nLDS R5, [R1]\n"               \
	"RET.REL.NODEC R20 `(k)\n$k$g:\nRET.REL.NODEC R20 `(k)"
	static const struct {
		const char *code;
		struct {
			uint64_t pc;
			RawEventKind kind;
		} events[5];
		uint64_t guessed, refuted, unresolved, outside;
	} rows[] = {
		{"@P0 BRA `(.L_1)\nMOV R5, RZ\n.L_1:\nEXIT", {{0x20, RAW_EXIT}}, 1, 0, 0, 0},
		{"ISETP.EQ.AND P0, PT, RZ, RZ, PT\n@P0 BRA `(.L_1)\nMOV R5, RZ\n.L_1:\nEXIT",
		 {{0x30, RAW_EXIT}},
		 0,
		 0,
		 0,
		 0},
		{"ISETP.EQ.AND P0, PT, RZ, RZ, PT\n@P0 BRA `(.L_1)\n@P1 LDS R5, "
		 "[R1]\n.L_1:\nEXIT",
		 {{0x20, RAW_SHARED}, {0x30, RAW_EXIT}},
		 0,
		 1,
		 0,
		 0},
		/* Events alone decide, so nothing is calculated. */
		{"ISETP.EQ.AND P0, PT, RZ, RZ, PT\n@P0 BRA `(.L_1)\nLDS R5, [R1]\n.L_1:\nEXIT",
		 {{0x20, RAW_SHARED}, {0x30, RAW_EXIT}},
		 0,
		 0,
		 0,
		 0},
		{"LDS R5, [R1]\nLDS R5, [R1]\nEXIT",
		 {{0x10, RAW_SHARED}, {0x00, RAW_SHARED}, {0x20, RAW_EXIT}},
		 0,
		 0,
		 3,
		 0},
		{"CALL.ABS.NOINC `(elsewhere)\nEXIT",
		 {{0x00, RAW_CALL}, {0x10, RAW_EXIT}},
		 0,
		 0,
		 0,
		 1},
		/* By what a register holds: to the function where the load is, and to the other. */
		{FUNCTIONS("0x40"),
		 {{0x10, RAW_CALL}, {0x40, RAW_SHARED}, {0x50, RAW_RETURN}, {0x20, RAW_EXIT}},
		 0,
		 0,
		 0,
		 0},
		{FUNCTIONS("0x60"),
		 {{0x10, RAW_CALL}, {0x40, RAW_SHARED}, {0x50, RAW_RETURN}, {0x20, RAW_EXIT}},
		 0,
		 32,
		 0,
		 0},
	};
#undef FUNCTIONS

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GString) code = g_string_new(".target sm_90\n.text.k:\n");
		g_auto(GStrv) lines = g_strsplit(rows[i].code, "\n", -1);
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;
		guint at = 0, n = 0;

		for (guint k = 0; lines[k]; k++)
			if (lines[k][0] == '.' || lines[k][0] == '$')
				g_string_append_printf(code, "%s\n", lines[k]);
			else
				g_string_append_printf(code, "/*%04x*/ %s ;\n", 16 * at++,
						       lines[k]);
		for (; rows[i].events[n].kind; n++)
			capture_add_event(events, rows[i].events[n].pc, rows[i].events[n].kind,
					  UINT32_MAX, RAW_READ, 0, 0x400, 4);

		g_autoptr(GBytes) raw = capture_raw(events, n + 1, 0);
		g_autoptr(TraceReader) reader =
			capture_convert(raw, code->str, &counts, &error);

		g_assert_no_error(error);
		g_test_message("row %u", i);
		g_assert_cmpuint(counts.guessed_branches, ==, rows[i].guessed);
		g_assert_cmpuint(counts.refuted_branches, ==, rows[i].refuted);
		g_assert_cmpuint(counts.unresolved_paths, ==, rows[i].unresolved);
		g_assert_cmpuint(counts.outside_calls, ==, rows[i].outside);
	}
}

/* What a kernel asks for of its launch, where its ways depend on it: by how many instructions there are. */
static void ways_depend_on_the_launch(void)
{
	static const struct {
		const char *name;
		guint values[2]; /* of the blocks */
	} rows[] = {{"SR_CTAID.X", {0, 1}}, {"SR_CgaCtaId", {0, 1}}, {"SR_CTAID.Y", {0, 0}}};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code =
			g_strdup_printf(".target sm_90\n.text.k:\n/*0000*/ S2R R0, %s ;\n"
					"/*0010*/ ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
					"/*0020*/ @P0 BRA `(.L_1) ;\n/*0030*/ NOP ;\n.L_1:\n"
					"/*0040*/ EXIT ;\n",
					rows[i].name);
		static const Event enter = {0, RAW_ENTER, 0, 0}, end = {0x40, RAW_EXIT, 0, 0};
		const uint32_t cluster[] = {little_32(2), little_32(1), little_32(1)};
		GByteArray *events = g_byte_array_new();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		for (uint32_t block = 0; block < 2; block++) {
			add(events, &enter, block, 0, UINT32_MAX);
			add(events, &end, block, 0, UINT32_MAX);
		}

		g_autoptr(GBytes) plain = capture_raw_blocks(events, 4, 0, NULL, 0, 2, 32);
		gsize n;
		guint8 *bytes = g_memdup2(g_bytes_get_data(plain, &n), g_bytes_get_size(plain));

		memcpy(bytes + sizeof(RawFileHeader) + sizeof(RawChunkHeader) +
			       G_STRUCT_OFFSET(RawLaunch, cluster),
		       cluster, sizeof(cluster));

		g_autoptr(GBytes) raw = g_bytes_new_take(bytes, n);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);
		g_test_message("%s", rows[i].name);
		g_assert_cmpuint(counts.n_instructions, ==,
				 8 + (rows[i].values[0] != 0) + (rows[i].values[1] != 0));
		g_assert_cmpuint(counts.guessed_branches, ==, 0);
	}
}

/* ---- Barriers and ends */

#define BARRIER_CODE                                                                           \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ @P0 EXIT ;\n"                                                                \
	"/*0010*/ BAR.SYNC 0x0 ;\n"                                                            \
	"/*0020*/ EXIT ;\n"

/* Lanes come to a barrier, or end, in parts of any order: it is one, when the last of those that do not end has come. */
static void a_barrier_is_when_all_that_run_have_come(void)
{
	for (guint32 seed = 0; seed < N_RUNS; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		const uint32_t come = seed % 8 == 0   ? UINT32_MAX
				      : seed % 8 == 1 ? 1
				      : seed % 8 == 2 ? 0x80000000
				      : seed % 8 == 3 ? 0
						      : g_rand_int(rand);
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		uint32_t left = UINT32_MAX;
		uint64_t n_events = 1;
		ConvertCounts counts;
		guint n_bars = 0, n_told = 0;

		while (left) {
			const bool ends = g_rand_boolean(rand);
			uint32_t mask =
				left & (ends ? ~come : come) &
				(g_rand_int_range(rand, 0, 3) ? g_rand_int(rand) : UINT32_MAX);

			if (!mask)
				continue;
			capture_add_event(events, ends ? 0 : 0x10,
					  ends ? RAW_EXIT : RAW_BARRIER, mask, 0, 0, 0, 0);
			n_events++;
			left &= ~mask;
		}
		if (come) {
			capture_add_event(events, 0x20, RAW_EXIT, come, 0, 0, 0, 0);
			n_events++;
		}

		g_autoptr(GBytes) raw = capture_raw(events, n_events, 0);
		g_autoptr(TraceReader) reader =
			capture_convert(raw, BARRIER_CODE, &counts, &error);

		g_assert_no_error(error);

		WarpStream *stream =
			trace_source(reader)->open_warp(trace_source(reader), 0, 0);
		Record record;

		while (stream->next(stream, &record) == STREAM_RECORD) {
			n_bars += record.kind == RECORD_BAR;
			n_told++;
			if (record.kind == RECORD_BAR)
				g_assert_cmpuint(record.barrier + record.count, ==, 0);
		}
		stream->close(stream);
		g_assert_cmpint(record.kind, ==, RECORD_EXIT);
		g_assert_cmpuint(n_bars, ==, come != 0);
		g_assert_cmpuint(n_told, >=, 1 + n_bars);
	}
}

/* The same barrier again and again: one each time. */
static void barriers_of_a_loop_are_as_many(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n.L_1:\n"
				   "/*0000*/ BAR.SYNC 0x0 ;\n"
				   "/*0010*/ @P0 BRA `(.L_1) ;\n"
				   "/*0020*/ EXIT ;\n";

	for (guint n = 1; n < 5; n++) {
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		for (guint i = 0; i < n; i++) {
			capture_add_event(events, 0, RAW_BARRIER, 0xffff, 0, 0, 0, 0);
			capture_add_event(events, 0, RAW_BARRIER, 0xffff0000, 0, 0, 0, 0);
		}
		capture_add_event(events, 0x20, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

		g_autoptr(GBytes) raw = capture_raw(events, 2 * n + 2, 0);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);

		g_autofree char *told = capture_print_warp(reader, 0, 0);
		g_auto(GStrv) parts = g_strsplit(told, "bar", -1);

		g_assert_cmpuint(g_strv_length(parts), ==, n + 1);
	}
}

/* ---- Events that cannot be */

static void events_of_lanes_that_do_not_run_make_no_trace(void)
{
	static const struct {
		struct {
			RawEventKind kind;
			uint64_t block;
			uint32_t warp, mask, detail;
		} events[6];
		const char *
			words; /* NULL: it is a launch of two blocks of two warps, or the begin of one */
	} rows[] = {
		{{{RAW_ENTER, 0, 0, 0xff, 0}, {RAW_ENTER, 0, 0, 0xff00, 0}}, NULL},
		{{{RAW_ENTER, 1, 1, 0xff, TRACE_MAX_SHARED_BYTES}}, NULL},
		{{{RAW_ENTER, 1, 1, 0xff, TRACE_MAX_SHARED_BYTES + 1}}, "(block 1, warp 1)"},
		{{{RAW_ENTER, 2, 0, 0xff, 0}}, "(block 2, warp 0)"},
		{{{RAW_ENTER, 0, 2, 0xff, 0}}, "(block 0, warp 2)"},
		{{{RAW_ENTER, 0, 0, 0xff, 0}, {RAW_ENTER, 0, 0, 0x180, 0}},
		 "(block 0, warp 0)"},
		{{{RAW_BARRIER, 0, 0, 0xff, 0}}, "(block 0, warp 0)"},
		{{{RAW_ENTER, 0, 0, 0xff, 0}, {RAW_BARRIER, 0, 1, 0xff, 0}},
		 "(block 0, warp 1)"},
		{{{RAW_ENTER, 0, 0, 0xff, 0}, {RAW_BARRIER, 1, 0, 0xff, 0}},
		 "(block 1, warp 0)"},
		{{{RAW_ENTER, 0, 0, 0xff, 0}, {RAW_BARRIER, 0, 0, 0x1ff, 0}},
		 "(block 0, warp 0)"},
		{{{RAW_ENTER, 0, 0, 0xff, 0},
		  {RAW_EXIT, 0, 0, 1, 0},
		  {RAW_BARRIER, 0, 0, 3, 0}},
		 "(block 0, warp 0)"},
		{{{RAW_ENTER, 0, 0, 0xff, 0},
		  {RAW_EXIT, 0, 0, 1, 0},
		  {RAW_BARRIER, 0, 0, 2, 0}},
		 NULL},
		{{{RAW_ENTER, 0, 0, 1, 0},
		  {RAW_EXIT, 0, 0, 1, 0},
		  {RAW_ENTER, 0, 1, 1, 0},
		  {RAW_EXIT, 0, 1, 1, 0},
		  {RAW_BARRIER, 0, 1, 1, 0}},
		 "(block 0, warp 1)"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *events = g_byte_array_new();
		g_autoptr(GError) error = NULL;
		uint64_t n = 0;
		ConvertCounts counts;

		for (; n < 6 && rows[i].events[n].mask; n++) {
			const RawEvent event = {
				.pc = CAPTURE_BASE +
				      (rows[i].events[n].kind == RAW_EXIT ? 0x20 : 0x10),
				.block_id = rows[i].events[n].block,
				.warp = (uint16_t)rows[i].events[n].warp,
				.mask = rows[i].events[n].mask,
				.kind = (uint8_t)rows[i].events[n].kind,
				.detail = rows[i].events[n].detail};

			capture_put_event(events, &event, NULL);
		}

		g_autoptr(GBytes) raw = capture_raw_blocks(events, n, 0, NULL, 0, 2, 64);
		g_autoptr(TraceReader) reader =
			capture_convert(raw, BARRIER_CODE, &counts, &error);

		g_assert_null(reader);
		g_test_message("row %u", i);
		/* None of these ends. */
		capture_expect_error(error, rows[i].words ? rows[i].words
							  : "launch 1 (k): events are missing");
		if (rows[i].words)
			capture_expect_error(error,
					     "launch 1: an event of lanes that do not run");
	}
}

/* As many as the GPU counted, not more and not less. */
static void all_events_must_be_there(void)
{
	for (uint64_t n = 1; n <= 3; n++) {
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		capture_add_event(events, 0x20, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

		g_autoptr(GBytes) raw = capture_raw(events, n, 0);
		g_autoptr(TraceReader) reader = capture_convert(
			raw, ".target sm_90\n.text.k:\n/*0020*/ EXIT ;\n", &counts, &error);

		if (n != 2) {
			capture_expect_error(error, "launch 1 (k): events are missing");
			continue;
		}
		g_assert_no_error(error);
		g_assert_cmpuint(counts.n_instructions, ==, 1);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/launch/" #name, name)
	TEST(events_of_warps_may_come_in_any_order);
	TEST(sites_are_those_of_events_and_fences);
	TEST(ways_depend_on_the_launch);
	TEST(ways_that_are_not_known_are_counted);
	TEST(a_barrier_is_when_all_that_run_have_come);
	TEST(barriers_of_a_loop_are_as_many);
	TEST(events_of_lanes_that_do_not_run_make_no_trace);
	TEST(all_events_must_be_there);
#undef TEST
	return g_test_run();
}
