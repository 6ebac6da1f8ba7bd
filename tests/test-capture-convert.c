/* SPDX-License-Identifier: MIT */
/*
 * From raw captures to records: small captures made here, for what a GPU does not do when asked.
 */
#include <glib.h>
#include <string.h>

#include "capture-tools.h"
#include "gpu/convert/internal.h"

static void events_become_records_with_arithmetic_between(void)
{
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x30, RAW_SHARED, 0xff, RAW_READ | RAW_WRITE, 0, 0x5000400,
			  0);
	capture_add_event(events, 0x40, RAW_BARRIER, UINT32_MAX, 0, 0, 0, 0);
	capture_add_event(events, 0x50, RAW_GLOBAL, UINT32_MAX, RAW_READ, 0, 0x1000, 64);
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 6, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, CAPTURE_CODE, &counts, &error);

	g_assert_no_error(error);
	g_autofree char *told = capture_print_warp(reader, 0, 0);
	g_assert_cmpstr(told, ==, "code 1, lds 32, code 1, atom 8, bar, ldg 32, exit");

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

/* Code of an assembler before CUDA 13, Triton's: the GPU is named in flags alone, and all shared addresses
   depend on which it is. */
static void code_that_names_its_gpu_in_flags_keeps_shared_accesses(void)
{
	g_autoptr(GString) code =
		g_string_new("\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS "
			     "EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM89)\"\n");
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_string_append(code, strchr(CAPTURE_CODE, '\n') + 1);
	capture_add_event(events, 0x10, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 3, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code->str, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.out_of_range, ==, 0);
	g_autofree char *told = capture_print_warp(reader, 0, 0);
	g_assert_true(g_str_has_prefix(told, "code 1, lds 32"));
}

/* Code of libraries names its section, and then only the kernel. */
static void code_without_a_label_of_its_section_is_found(void)
{
	g_autoptr(GString) code =
		g_string_new(".target sm_90\n\t.section\t.text.k,\"ax\",@progbits\n"
			     "\t.align\t128\nk:\n");
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	g_string_append(code, strstr(CAPTURE_CODE, "/*0000*/"));

	g_autoptr(Sass) sass = sass_parse(code->str);

	g_assert_cmpuint(sass->functions->len, ==, 1);
	g_assert_nonnull(sass_function(sass, "k"));
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 2, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code->str, &counts, &error);

	g_assert_no_error(error);
	/* Its other instructions have no events: they have been jumped over. */
	g_assert_cmpuint(counts.n_instructions, >, 0);
}

/* The sanitizer says 12 bytes of an LDS.128 whose last register nobody reads. */
static void a_load_of_three_registers_is_one_of_four(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ LDS.128 R4, [R0] ;\n"
				   "/*0010*/ ISETP.EQ.U32.AND P0, PT, R6, 0x2, PT ;\n"
				   "/*0020*/ @P0 BRA `(.L_x_1) ;\n"
				   "/*0030*/ MOV R1, R2 ;\n"
				   "/*0040*/ MOV R1, R2 ;\n"
				   ".L_x_1:\n"
				   "/*0050*/ ISETP.EQ.U32.AND P0, PT, R7, 0x2, PT ;\n"
				   "/*0060*/ EXIT ;\n";
	GByteArray *events = capture_start();
	RawEvent load = {.pc = CAPTURE_BASE,
			 .mask = 0xff,
			 .kind = RAW_SHARED,
			 .bytes = 12,
			 .flags = RAW_READ | RAW_VALUES};
	uint32_t addresses[8], values[8][3];
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	for (uint32_t lane = 0; lane < 8; lane++) {
		addresses[lane] = 0x400 + 16 * lane;
		for (uint32_t word = 0; word < 3; word++)
			values[lane][word] = word;
	}
	g_byte_array_append(events, (const guint8 *)&load, sizeof(load));
	g_byte_array_append(events, (const guint8 *)addresses, sizeof(addresses));
	g_byte_array_append(events, (const guint8 *)values, sizeof(values));
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 3, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.out_of_range, ==, 0);

	WarpStream *stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);
	Record record;

	g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
	g_assert_cmpint(record.kind, ==, RECORD_LDS);
	g_assert_cmpuint(record.width, ==, 16);
	g_assert_cmpuint(record.address[7], ==, 112);
	stream->close(stream);
}

/* What lies behind an allocation that begins a page is a buffer of its own, and none is empty. */
static void accesses_behind_an_allocation_have_a_buffer(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ LDG.E R1, [R2] ;\n"
				   "/*0010*/ LDG.E R3, [R4] ;\n"
				   "/*0020*/ EXIT ;\n";
	const RawMemory memory = {0x400000, 4096};
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0, RAW_GLOBAL, UINT32_MAX, RAW_READ, 0, 0x400000, 4);
	capture_add_event(events, 0x10, RAW_GLOBAL, UINT32_MAX, RAW_READ, 0, 0x402000, 4);
	capture_add_event(events, 0x20, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw_memory(events, 4, 0, &memory, 1);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.unplaced_accesses, ==, 0);

	WarpStream *stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);
	Record record;

	for (guint i = 1; i <= 2; i++) {
		g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
		g_assert_cmpuint(record.buffer, ==, i);
	}
	g_assert_cmpuint(record.offset, ==, 4096);
	stream->close(stream);
}

static void lanes_that_reach_a_barrier_apart_wait_together(void)
{
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0x40, RAW_BARRIER, 0xffff, 0, 0, 0, 0);
	capture_add_event(events, 0x60, RAW_EXIT, 0xff000000, 0, 0, 0, 0);
	capture_add_event(events, 0x40, RAW_BARRIER, 0xff0000, 0, 0, 0, 0);
	capture_add_event(events, 0x60, RAW_EXIT, 0x00ffffff, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 5, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, CAPTURE_CODE, &counts, &error);

	g_assert_no_error(error);
	g_autofree char *told = capture_print_warp(reader, 0, 0);
	g_assert_nonnull(strstr(told, "bar"));
	g_assert_true(strstr(told, "bar") == g_strrstr(told, "bar"));
	g_assert_true(g_str_has_suffix(told, "exit"));
}

static void what_has_no_record_is_counted(void)
{
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0x10, RAW_SHARED, 1, RAW_READ, 0, 0x400 + 128, 0);
	capture_add_event(events, 0x10, RAW_SHARED, 1, RAW_READ, 0, 0x3fc, 0);
	capture_add_event(events, 0x20, RAW_SHARED, 1, RAW_READ | RAW_WRITE, 0, 0x400, 0);
	capture_add_event(events, 0x30, RAW_MATRIX, 3, RAW_READ, 4, 0x400, 16);
	capture_add_event(events, 0x30, RAW_REMOTE, 3, RAW_READ, 0, 0x400, 16);
	capture_add_event(events, 0x40, RAW_BARRIER, UINT32_MAX, 0, 16 << 8 | 1, 0, 0);
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 8, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, CAPTURE_CODE, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.out_of_range, ==, 2);
	g_assert_cmpuint(counts.unknown_operations, ==, 1);
	g_assert_cmpuint(counts.matrix_accesses, ==, 1);
	g_assert_cmpuint(counts.remote_accesses, ==, 1);
	g_assert_cmpuint(counts.partial_barriers, ==, 0);
}

/* More registers than a trace can number: what has no number is not waited for, and counted. */
static void values_past_the_last_number_are_counted(void)
{
	const guint sizes[] = {120, 300};

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(GString) code = g_string_new(".target sm_90\n.text.k:\n");
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		for (guint at = 0; at < sizes[i]; at++)
			g_string_append_printf(code, "/*%04x*/ %sMOV %sR%u, 0x1 ;\n", 16 * at,
					       at < 240 ? "" : "U", at < 240 ? "" : "U",
					       at < 240 ? at : at - 240);
		g_string_append_printf(code, "/*%04x*/ EXIT ;\n", 16 * sizes[i]);
		capture_add_event(events, 16 * sizes[i], RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);
		g_autoptr(GBytes) raw = capture_raw(events, 2, 0);
		g_autoptr(TraceReader) reader =
			capture_convert(raw, code->str, &counts, &error);

		g_assert_no_error(error);
		g_assert_cmpuint(counts.dropped_values, ==,
				 sizes[i] > DATAFLOW_MAX_VALUES ? sizes[i] - DATAFLOW_MAX_VALUES
								: 0);
	}
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
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	for (guint i = 0; i < G_N_ELEMENTS(attempts); i++) {
		capture_add_event(events, 0, RAW_SHARED, attempts[i].mask, RAW_READ, 0,
				  attempts[i].first, attempts[i].step);
		capture_add_event(events, 0x20, RAW_SHARED, attempts[i].mask,
				  RAW_READ | RAW_WRITE, 0, attempts[i].first, attempts[i].step);
	}
	capture_add_event(events, 0x60, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 2 + 2 * G_N_ELEMENTS(attempts), 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.folded_atomics, ==, 3);
	g_autofree char *told = capture_print_warp(reader, 0, 0);
	g_assert_cmpstr(told, ==, "atom 32, code 1, atom 32, code 1, atom 32, code 1, exit");
}

/* Events of 4 bytes at a loop that adds doubles, as a damaged capture has them: no atomic that there is. */
static void a_retry_loop_whose_words_have_another_width_is_unknown(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n.L_again:\n"
				   "/*0000*/ LDS.64 R2, [R0] ;\n"
				   "/*0010*/ DADD R4, R2, 1 ;\n"
				   "/*0020*/ ATOMS.CAST.SPIN.64 R4, [R0], R2, R4 ;\n"
				   "/*0030*/ ISETP.EQ.U32.AND P0, PT, R4, 0x1, PT ;\n"
				   "/*0040*/ @!P0 BRA `(.L_again) ;\n"
				   "/*0050*/ EXIT ;\n";
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0, RAW_SHARED, UINT32_MAX, RAW_READ, 0, 0x400, 4);
	capture_add_event(events, 0x20, RAW_SHARED, UINT32_MAX, RAW_READ | RAW_WRITE, 0, 0x400,
			  4);
	capture_add_event(events, 0x50, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 4, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.folded_atomics, ==, 0);
	g_assert_cmpuint(counts.unknown_operations, ==, 1);
	g_autofree char *told = capture_print_warp(reader, 0, 0);
	g_assert_cmpstr(told, ==, "unknown, exit");
}

#define LOCK_CODE                                                                              \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ ATOMS.CAS R1, [R0], R2, R3 ;\n"                                              \
	"/*0010*/ STS [R0], RZ ;\n"                                                            \
	"/*0020*/ EXIT ;\n"

/* Lanes 0 to 15 swap and write the word again; with `all`, so do the others. */
static char *print_swaps(bool all)
{
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0, RAW_SHARED, UINT32_MAX, RAW_READ | RAW_WRITE, 0, 0x400, 4);
	capture_add_event(events, 0x10, RAW_SHARED, all ? UINT32_MAX : 0xffff, RAW_WRITE, 0,
			  0x400, 4);
	capture_add_event(events, 0x20, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 4, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, LOCK_CODE, &counts, &error);

	g_assert_no_error(error);
	return capture_print_warp(reader, 0, 0);
}

static void a_swap_is_a_lock_only_if_every_lane_gives_it_back(void)
{
	g_autofree char *all = print_swaps(true), *half = print_swaps(false);

	g_assert_cmpstr(all, ==, "lock 32, unlock 32, exit");
	g_assert_cmpstr(half, ==, "atom 32, sts 16, exit");
}

/* Two swaps before the words are written again, or each before the next swap. */
static uint64_t count_nested(bool nested, char **told)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ ATOMS.CAS R1, [R0], R2, R3 ;\n"
				   "/*0010*/ ATOMS.CAS R1, [R4], R2, R3 ;\n"
				   "/*0020*/ STS [R4], RZ ;\n"
				   "/*0030*/ STS [R0], RZ ;\n"
				   "/*0040*/ EXIT ;\n";
	static const char apart[] = ".target sm_90\n.text.k:\n"
				    "/*0000*/ ATOMS.CAS R1, [R0], R2, R3 ;\n"
				    "/*0010*/ STS [R0], RZ ;\n"
				    "/*0020*/ ATOMS.CAS R1, [R4], R2, R3 ;\n"
				    "/*0030*/ STS [R4], RZ ;\n"
				    "/*0040*/ EXIT ;\n";
	static const struct {
		uint64_t address;
		uint32_t flags;
	} accesses[2][4] = {
		{{0x400, RAW_READ | RAW_WRITE},
		 {0x400, RAW_WRITE},
		 {0x440, RAW_READ | RAW_WRITE},
		 {0x440, RAW_WRITE}},
		{{0x400, RAW_READ | RAW_WRITE},
		 {0x440, RAW_READ | RAW_WRITE},
		 {0x440, RAW_WRITE},
		 {0x400, RAW_WRITE}},
	};
	GByteArray *events = capture_start();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	for (guint i = 0; i < 4; i++)
		capture_add_event(events, 0x10 * i, RAW_SHARED, 0xffff,
				  accesses[nested][i].flags, 0, accesses[nested][i].address, 4);
	capture_add_event(events, 0x40, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 6, 0);
	g_autoptr(TraceReader) reader =
		capture_convert(raw, nested ? code : apart, &counts, &error);

	g_assert_no_error(error);
	*told = capture_print_warp(reader, 0, 0);
	return counts.nested_locks;
}

static void a_lock_within_a_lock_is_counted_and_the_outer_one_stays_an_atomic(void)
{
	g_autofree char *apart = NULL, *nested = NULL;

	g_assert_cmpuint(count_nested(false, &apart), ==, 0);
	g_assert_cmpstr(apart, ==, "lock 16, unlock 16, lock 16, unlock 16, exit");
	g_assert_cmpuint(count_nested(true, &nested), ==, 16);
	g_assert_cmpstr(nested, ==, "atom 16, lock 16, unlock 16, sts 16, exit");
}

#define PAGE (UINT64_C(2) << 20)

/* Accesses to a memory of two allocations: how many buffers they make, and where the last one lies. */
static void accesses_become_buffers(void)
{
	static const RawMemory memory[] = {{.address = 9 * PAGE + PAGE / 2, .bytes = 4096},
					   {.address = PAGE, .bytes = 1024},
					   {.address = 2 * PAGE, .bytes = 0}};
	static const RawRecording recording = {.memory = memory, .n_memory = 3};
	static const struct {
		struct {
			uint64_t address;
			uint32_t bytes;
		} accesses[3];
		guint n_buffers;
		uint64_t begin, bytes; /* of the last one */
	} rows[] = {
		{{{PAGE, 4}}, 1, PAGE, 1024},
		{{{PAGE + 1020, 4}}, 1, PAGE, 1024},
		{{{PAGE + 1024, 4}},
		 1,
		 PAGE,
		 PAGE}, /* behind it: the page, though it lies there */
		{{{PAGE, 4}, {9 * PAGE + PAGE / 2 + 4092, 4}}, 2, 9 * PAGE + PAGE / 2, 4096},
		{{{3 * PAGE, 1}}, 1, 3 * PAGE, PAGE}, /* a page's first byte, and its last */
		{{{4 * PAGE - 1, 1}}, 1, 3 * PAGE, PAGE},
		{{{3 * PAGE, 0}}, 1, 3 * PAGE, PAGE},
		{{{4 * PAGE - 2, 4}}, 1, 3 * PAGE, 2 * PAGE}, /* across pages */
		{{{4 * PAGE, 4}, {3 * PAGE, 4}}, 1, 3 * PAGE, 2 * PAGE},
		{{{5 * PAGE, 4}, {3 * PAGE, 4}}, 2, 5 * PAGE, PAGE}, /* apart */
		/* A page ends where an allocation begins within it. */
		{{{9 * PAGE, 4}}, 1, 9 * PAGE, PAGE},
		{{{9 * PAGE, 4}, {9 * PAGE + PAGE / 2, 4}}, 2, 9 * PAGE + PAGE / 2, 4096},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Buffers *buffers = buffers_new(&recording);
		const uint64_t last = rows[i].begin + rows[i].bytes - 1;
		uint64_t base = 0;

		for (guint k = 0; k < 3 && rows[i].accesses[k].address; k++)
			buffers_add(buffers, rows[i].accesses[k].address,
				    rows[i].accesses[k].bytes);
		buffers_number(buffers);
		g_test_message("row %u", i);
		g_assert_cmpuint(buffers_count(buffers), ==, rows[i].n_buffers);
		g_assert_cmpuint(buffers_get(buffers, rows[i].n_buffers - 1).bytes, ==,
				 rows[i].bytes);
		for (guint k = 0; k < 3 && rows[i].accesses[k].address; k++)
			g_assert_cmpuint(
				buffers_find(buffers, rows[i].accesses[k].address, &base), >,
				0);
		g_assert_cmpuint(buffers_find(buffers, last, &base), ==, rows[i].n_buffers);
		g_assert_cmpuint(base, ==, rows[i].begin);
		g_assert_cmpuint(buffers_find(buffers, last + 1, &base), ==, 0);
		if (i == G_N_ELEMENTS(rows) - 1)
			g_assert_cmpuint(buffers_get(buffers, 0).bytes, ==, PAGE / 2);
		buffers_free(buffers);
	}
}

/* A trace has so many; what lies in others is in none. */
static void there_are_no_more_buffers_than_a_trace_numbers(void)
{
	static const RawRecording recording = {.n_memory = 0};
	Buffers *buffers = buffers_new(&recording);
	uint64_t base = 0;

	for (uint64_t i = 1; i <= TRACE_MAX_BUFFERS + 1; i++)
		buffers_add(buffers, 2 * i * PAGE, 4);
	buffers_number(buffers);
	g_assert_cmpuint(buffers_count(buffers), ==, TRACE_MAX_BUFFERS);
	g_assert_cmpuint(buffers_find(buffers, 2 * TRACE_MAX_BUFFERS * PAGE, &base), ==,
			 TRACE_MAX_BUFFERS);
	g_assert_cmpuint(base, ==, 2 * TRACE_MAX_BUFFERS * PAGE);
	g_assert_cmpuint(buffers_find(buffers, 2 * (TRACE_MAX_BUFFERS + 1) * PAGE, &base), ==,
			 0);
	buffers_free(buffers);
}

/* What allocations had met, and which move between host and GPU. */
static void buffers_say_what_they_had_met(void)
{
	static const struct {
		uint8_t raw;
		BufferBefore before;
		bool managed;
	} rows[] = {
		{RAW_BEFORE_FRESH, BUFFER_FRESH, false},
		{RAW_BEFORE_COPIED, BUFFER_COPIED, false},
		{RAW_BEFORE_SET, BUFFER_SET, false},
		{RAW_BEFORE_USED | RAW_BEFORE_MANAGED, BUFFER_USED, true},
		{RAW_BEFORE_REUSED, BUFFER_REUSED, false},
		{RAW_BEFORE_REUSED + 1, BUFFER_UNKNOWN, false},
		{RAW_BEFORE_MANAGED, BUFFER_FRESH, true},
	};
	struct {
		RawHistory head;
		uint8_t before[8];
	} history = {.head = {.n_memory = G_N_ELEMENTS(rows)}};
	RawMemory memory[G_N_ELEMENTS(rows)];

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		memory[i] = (RawMemory){(i + 1) * PAGE, 64};
		history.before[i] = rows[i].raw;
	}
	for (guint with = 0; with < 2; with++) {
		const RawRecording recording = {.memory = memory,
						.n_memory = G_N_ELEMENTS(rows),
						.history = with ? &history.head : NULL};
		Buffers *buffers = buffers_new(&recording);

		for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
			buffers_add(buffers, memory[i].address, 4);
		buffers_add(buffers, 20 * PAGE, 4); /* no allocation */
		buffers_number(buffers);
		g_assert_cmpuint(buffers_count(buffers), ==, G_N_ELEMENTS(rows) + 1);
		for (guint i = 0; i <= G_N_ELEMENTS(rows); i++) {
			const ConvertBuffer buffer = buffers_get(buffers, i);
			const bool is_known = with && i < G_N_ELEMENTS(rows);

			g_assert_cmpint(buffer.before, ==,
					is_known ? rows[i].before : BUFFER_UNKNOWN);
			g_assert_cmpint(buffer.managed, ==, is_known && rows[i].managed);
		}
		buffers_free(buffers);
	}
}

/* What kernels had before and the launch writes to is as if the kernel before had written to it. */
static void stores_say_what_was_written(void)
{
	struct {
		RawHistory head;
		uint8_t before[8];
	} history = {.head = {.n_memory = 3},
		     .before = {RAW_BEFORE_USED, RAW_BEFORE_USED, RAW_BEFORE_COPIED}};
	static const BufferBefore expected[] = {BUFFER_USED, BUFFER_WRITTEN, BUFFER_COPIED};
	RawMemory memory[] = {{PAGE, 64}, {2 * PAGE, 64}, {3 * PAGE, 64}};
	const RawRecording recording = {
		.memory = memory, .n_memory = 3, .history = &history.head};
	Buffers *buffers = buffers_new(&recording);

	for (guint i = 0; i < 3; i++)
		buffers_add(buffers, memory[i].address, 4);
	buffers_number(buffers);
	buffers_note_store(buffers, 2);
	buffers_note_store(buffers, 3);
	for (guint i = 0; i < 3; i++)
		g_assert_cmpint(buffers_get(buffers, i).before, ==, expected[i]);
	buffers_free(buffers);
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
	TEST(code_that_names_its_gpu_in_flags_keeps_shared_accesses);
	TEST(code_without_a_label_of_its_section_is_found);
	TEST(a_load_of_three_registers_is_one_of_four);
	TEST(accesses_behind_an_allocation_have_a_buffer);
	TEST(lanes_that_reach_a_barrier_apart_wait_together);
	TEST(what_has_no_record_is_counted);
	TEST(values_past_the_last_number_are_counted);
	TEST(executions_of_a_retry_loop_are_told_apart);
	TEST(a_retry_loop_whose_words_have_another_width_is_unknown);
	TEST(a_swap_is_a_lock_only_if_every_lane_gives_it_back);
	TEST(a_lock_within_a_lock_is_counted_and_the_outer_one_stays_an_atomic);
	TEST(accesses_become_buffers);
	TEST(there_are_no_more_buffers_than_a_trace_numbers);
	TEST(buffers_say_what_they_had_met);
	TEST(stores_say_what_was_written);
	TEST(names_of_kernels_are_read);
#undef TEST
	return g_test_run();
}
