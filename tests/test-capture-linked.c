/* SPDX-License-Identifier: MIT */
/*
 * Device code of several files: the kernel calls functions of other sections, which lie anywhere in the GPU's memory. Events of calls say
 * where.
 */
#include <cjson/cJSON.h>
#include <glib.h>
#include <string.h>

#include "base/little.h"
#include "capture-tools.h"
#include "gpu/sass/compute.h"
#include "gpu/sass/link.h"

/* k calls f twice and then g; f calls a function of which there are two of one name. */
#define CODE                                                                                   \
	".target sm_90\n"                                                                      \
	".text.k:\n"                                                                           \
	"/*0000*/ S2R R0, SR_TID.X ;\n"                                                        \
	"/*0010*/ CALL.ABS.NOINC `(f) ;\n"                                                     \
	"/*0020*/ CALL.ABS.NOINC `(f) ;\n"                                                     \
	"/*0030*/ @P0 CALL.ABS.NOINC `(g) ;\n"                                                 \
	"/*0040*/ LDS R1, [R0] ;\n"                                                            \
	"/*0050*/ EXIT ;\n"                                                                    \
	".text.f:\n"                                                                           \
	"/*0000*/ IADD3 R2, R2, 0x1, RZ ;\n"                                                   \
	"/*0010*/ LDS R3, [R2] ;\n"                                                            \
	"/*0020*/ CALL.ABS.NOINC `(helper) ;\n"                                                \
	"/*0030*/ RET.ABS.NODEC R20 0x0 ;\n"                                                   \
	".text.helper:\n"                                                                      \
	"/*0000*/ IADD3 R4, R4, 0x1, RZ ;\n"                                                   \
	"/*0010*/ IADD3 R4, R4, 0x1, RZ ;\n"                                                   \
	"/*0020*/ RET.ABS.NODEC R22 0x0 ;\n"                                                   \
	".text.g:\n"                                                                           \
	"/*0000*/ BRA `(.L_1) ;\n"                                                             \
	"/*0010*/ IADD3 R4, R4, 0x1, RZ ;\n"                                                   \
	".L_1:\n"                                                                              \
	"/*0020*/ STS [R4], R3 ;\n"                                                            \
	"/*0030*/ RET.ABS.NODEC R20 0x0 ;\n"                                                   \
	".text.helper:\n"                                                                      \
	"/*0000*/ IADD3 R4, R4, 0x1, RZ ;\n"                                                   \
	"/*0010*/ IADD3 R4, R4, 0x1, RZ ;\n"                                                   \
	"/*0020*/ RET.ABS.NODEC R22 0x0 ;\n"

/* From the kernel's first instruction: behind it, in front of it, and where other functions of the linked text will be. */
#define F      0x100
#define HELPER 0x60
#define G      (-0x5000)

#define ALL UINT32_MAX

static void call(GByteArray *events, int64_t from, int64_t to)
{
	capture_add_event(events, (uint64_t)from, RAW_CALL, ALL, 0,
			  (uint32_t)((to - from) / SASS_INSTRUCTION_BYTES), 0, 0);
}

static void come_back(GByteArray *events, int64_t at)
{
	capture_add_event(events, (uint64_t)at, RAW_RETURN, ALL, 0, 0, 0, 0);
}

static void access_at(GByteArray *events, int64_t at, uint32_t flags)
{
	capture_add_event(events, (uint64_t)at, RAW_SHARED, ALL, flags, 0, 0x400, 4);
}

static void go_through_f(GByteArray *events, int64_t from)
{
	call(events, from, F);
	access_at(events, F + 0x10, RAW_READ);
	call(events, F + 0x20, HELPER);
	come_back(events, HELPER + 0x20);
	come_back(events, F + 0x30);
}

static GBytes *make(guint *n, bool g_is_called)
{
	GByteArray *events = capture_start();

	go_through_f(events, 0x10);
	go_through_f(events, 0x20);
	if (g_is_called) {
		call(events, 0x30, G);
		access_at(events, G + 0x20, RAW_WRITE);
		come_back(events, G + 0x30);
	}
	access_at(events, 0x40, RAW_READ);
	capture_add_event(events, 0x50, RAW_EXIT, ALL, 0, 0, 0, 0);
	*n = 1 + 10 + (g_is_called ? 3 : 0) + 2;
	return capture_raw(events, *n, 0);
}

static void functions_of_other_sections_are_followed(void)
{
	guint n;
	ConvertCounts counts;
	GError *error = NULL;
	TraceReader *reader = capture_convert(make(&n, true), CODE, &counts, &error);
	g_autofree char *records = NULL;
	g_autoptr(GString) names = NULL;
	const cJSON *sites, *site;

	g_assert_no_error(error);
	g_assert_cmpuint(counts.n_events, ==, n);
	g_assert_cmpuint(counts.outside_calls, ==, 0);
	g_assert_cmpuint(counts.unresolved_paths, ==, 0);
	/* k 6; f twice 4, with its helper 3; g 3, whose jump leaves one out. */
	g_assert_cmpuint(counts.n_instructions, ==, 6 + 2 * (4 + 3) + 3);
	records = capture_print_warp(reader, 0, 0);
	g_assert_cmpstr(records, ==,
			"code 3, lds 32, code 7, lds 32, code 7, sts 32, code 1, lds 32, exit");
	/* Sites are named by the function that they are in, and its own instructions. */
	sites = cJSON_GetObjectItem(trace_metadata_json(reader), "sites");
	names = g_string_new(NULL);
	cJSON_ArrayForEach(site, sites) g_string_append_printf(
		names, "%s %s, ", cJSON_GetObjectItem(site, "function")->valuestring,
		cJSON_GetObjectItem(site, "pc")->valuestring);
	g_assert_cmpstr(names->str, ==, "k 0x40, f 0x10, g 0x20, ");
	trace_close(reader);
}

static void a_call_that_no_lane_makes_needs_no_function(void)
{
	guint n;
	ConvertCounts counts;
	GError *error = NULL;
	TraceReader *reader = capture_convert(make(&n, false), CODE, &counts, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(counts.unresolved_paths, ==, 0);
	g_assert_cmpuint(counts.n_instructions, ==, 6 + 2 * (4 + 3));
	trace_close(reader);
}

/* A function that is in another module, and captures that do not say where calls go. */
static void what_is_not_there_is_counted(void)
{
	guint n;
	ConvertCounts counts;
	GError *error = NULL;
	g_autofree char *code = g_strndup(CODE, strstr(CODE, ".text.g:") - CODE);
	TraceReader *reader = capture_convert(make(&n, true), code, &counts, &error);
	GBytes *older = make(&n, true);
	gsize size;
	guint8 *bytes = g_bytes_unref_to_data(older, &size);
	RawFileHeader header;

	g_assert_no_error(error);
	g_assert_cmpuint(counts.outside_calls, ==, 1);
	g_assert_cmpuint(counts.unresolved_paths, ==, 2); /* its store and its return */
	trace_close(reader);

	memcpy(&header, bytes, sizeof(header));
	header.version = little_32(RAW_VERSION_TARGETS - 1);
	memcpy(bytes, &header, sizeof(header));
	reader = capture_convert(g_bytes_new_take(bytes, size), CODE, &counts, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(counts.outside_calls, ==, 3);
	g_assert_cmpuint(counts.unresolved_paths, >, 0);
	trace_close(reader);
}

/* The module has one f: another place that a call of it went to is of none. */
static void each_function_is_linked_once(void)
{
	ConvertCounts counts;
	GError *error = NULL;
	GByteArray *events = capture_start();
	TraceReader *reader;

	go_through_f(events, 0x10);
	call(events, 0x20, F + 0x1000);
	access_at(events, 0x40, RAW_READ);
	capture_add_event(events, 0x50, RAW_EXIT, ALL, 0, 0, 0, 0);
	reader = capture_convert(capture_raw(events, 1 + 5 + 3, 0), CODE, &counts, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(counts.outside_calls, ==, 1);
	g_assert_cmpuint(counts.unresolved_paths, ==, 0);
	trace_close(reader);
}

/* Program counters of all parts, and what is between or behind them. */
static void places_are_found_by_program_counter(void)
{
	g_autoptr(Sass) sass = sass_parse(CODE);
	const SassFunction *kernel = sass_function(sass, "k"), *f = sass_function(sass, "f");
	g_autoptr(SassFunction) linked = sass_link_begin(kernel);
	const uint64_t pc = CAPTURE_BASE;
	int first;

	g_assert_cmpint(sass_find_pc(linked, pc, pc + 0x50), ==, 5);
	g_assert_cmpint(sass_find_pc(linked, pc, pc + 0x60), ==, -1);
	first = sass_link_append(linked, f, pc + F);
	g_assert_cmpint(first, ==, 6);
	g_assert_cmpint(sass_find_pc(linked, pc, pc + F), ==, 6);
	g_assert_cmpint(sass_find_pc(linked, pc, pc + F + 0x30), ==, 9);
	g_assert_cmpint(sass_find_pc(linked, pc, pc + F + 0x40), ==, -1);
	g_assert_cmpint(sass_find_pc(linked, pc, pc + 0x50), ==, 5);
	/* Where f would be if it lay right behind the kernel. */
	g_assert_cmpint(sass_find_pc(linked, pc, pc + 0x60), ==, -1);
	g_assert_cmpint(sass_find_pc(linked, pc, pc - 0x10), ==, -1);
	first = sass_link_append(linked, sass_function(sass, "g"), pc - 0x5000);
	g_assert_cmpint(first, ==, 10);
	g_assert_cmpint(sass_find_pc(linked, pc, pc - 0x5000 + 0x20), ==, 12);
	/* Its branch goes to its own instruction. */
	g_assert_cmpint(sass_instruction(linked, 10)->target, ==, 12);
	g_assert_cmpstr(sass_instruction(linked, 10)->part->name, ==, "g");
	g_assert_null(sass_instruction(linked, 0)->part);
}

/* What a function counts from its own first instruction: a retry loop, targets and a table of jumps, functions of its text. */
static void what_a_function_counts_is_counted_anew(void)
{
	static const char *const code =
		".target sm_90\n"
		".text.k:\n"
		".L_0:\n"
		"/*0000*/ LDS R6, [R0] ;\n"
		"/*0010*/ FADD R8, R6, R4 ;\n"
		"/*0020*/ ATOMS.CAST.SPIN R8, [R0], R6, R8 ;\n"
		"/*0030*/ ISETP.EQ.U32.AND P0, PT, R8, 0x1, PT ;\n"
		"/*0040*/ @!P0 BRA `(.L_0) ;\n"
		"/*0050*/ BRX R2 -0x60 (*\"BRANCH_TARGETS .L_0,.L_1\"*) ;\n"
		".L_1:\n"
		"/*0060*/ EXIT ;\n"
		".text.f:\n"
		"/*0000*/ IADD3 R2, R2, 0x1, RZ ;\n"
		".L_2:\n"
		"/*0010*/ LDS R6, [R0] ;\n"
		"/*0020*/ DADD R8, R6, R4 ;\n"
		"/*0030*/ ATOMS.CAST.SPIN R8, [R0], R6, R8 ;\n"
		"/*0040*/ ISETP.EQ.U32.AND P0, PT, R8, 0x1, PT ;\n"
		"/*0050*/ @!P0 BRA `(.L_2) ;\n"
		"/*0060*/ BRX R2 -0x70 (*\"BRANCH_TARGETS .L_2,.L_3\"*) ;\n"
		".L_3:\n"
		"/*0070*/ RET.ABS.NODEC R20 0x0 ;\n"
		"$f$inner:\n"
		"/*0080*/ RET.REL.NODEC R20 `(f) ;\n"
		".section .nv.constant2.f,\"a\"\n"
		"/*0000*/ .word 0x11\n"
		"/*0004*/ .word 0x22\n";
	g_autoptr(Sass) sass = sass_parse(code);
	const SassFunction *kernel = sass_function(sass, "k"), *f = sass_function(sass, "f");
	g_autoptr(SassFunction) linked = sass_link_begin(kernel);
	const int first = sass_link_append(linked, f, 0x9000);
	const SassInstruction *jump = sass_instruction(linked, first + 6);
	const SassLoop *loop = &g_array_index(linked->loops, SassLoop, 1);

	g_assert_cmpuint(f->loops->len, ==, 1);
	g_assert_cmpuint(linked->loops->len, ==, 2);
	g_assert_cmpint(loop->load, ==, first + 1);
	g_assert_cmpint(loop->branch, ==, first + 5);
	g_assert_cmpint(loop->add, ==, g_array_index(f->loops, SassLoop, 0).add + first);
	g_assert_cmpint(sass_instruction(linked, first + 3)->loop, ==, 1);
	g_assert_cmpint(sass_instruction(linked, 2)->loop, ==, 0);
	g_assert_cmpint(sass_instruction(linked, first)->loop, ==, -1);
	g_assert_cmpuint(jump->n_targets, ==, 2);
	g_assert_cmpint(g_array_index(linked->targets, int, jump->first_target), ==, first + 1);
	g_assert_cmpint(g_array_index(linked->targets, int, jump->first_target + 1), ==,
			first + 7);
	g_assert_cmpuint(linked->entries->len, ==, 1);
	g_assert_cmpint(g_array_index(linked->entries, int, 0), ==, first + 8);
	g_assert_null(linked->constants);
	g_assert_cmpuint(jump->part->constants->len, ==, 8);
}

/* Its own table, its own places. */
static void a_function_calculates_by_its_own_text(void)
{
	static const char *const code = ".target sm_90\n"
					".text.k:\n"
					"/*0000*/ EXIT ;\n"
					".text.f:\n"
					"/*0000*/ LDC R0, c[0x2][0x4] ;\n"
					"/*0010*/ ISETP.EQ.U32.AND P0, PT, R0, 0x22, PT ;\n"
					"/*0020*/ MOV R2, 0x40 ;\n"
					"/*0030*/ @P0 BRA `(.L_1) ;\n"
					".L_1:\n"
					"/*0040*/ CALL.REL.NOINC R2 `(f) ;\n"
					".section .nv.constant2.f,\"a\"\n"
					"/*0000*/ .word 0x11\n"
					"/*0004*/ .word 0x22\n";
	static const ComputeLaunch launch = {{1, 1, 1}, {32, 1, 1}, {1, 1, 1}, NULL, 0, 0};
	g_autoptr(Sass) sass = sass_parse(code);
	g_autoptr(SassFunction) linked = sass_link_begin(sass_function(sass, "k"));
	const int first = sass_link_append(linked, sass_function(sass, "f"), 0x9000);
	g_autoptr(ComputeCode) read = compute_code_new(linked, &launch, NULL);
	g_autoptr(ComputeWarp) warp = compute_warp_new(read, 0, 0);
	int targets[COMPUTE_LANES];
	uint32_t known;

	for (int i = first; i < first + 3; i++)
		compute_execute(warp, i, ALL, false, ALL, NULL, 0);
	g_assert_cmpuint(compute_branch(warp, first + 3, ALL, &known), ==, ALL);
	g_assert_cmpuint(known, ==, ALL);
	g_assert_cmpuint(compute_targets(warp, first + 4, ALL, targets), ==, ALL);
	g_assert_cmpint(targets[31], ==, first + 4);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/linked/functions of other sections are followed",
			functions_of_other_sections_are_followed);
	g_test_add_func("/linked/a call that no lane makes needs no function",
			a_call_that_no_lane_makes_needs_no_function);
	g_test_add_func("/linked/what is not there is counted", what_is_not_there_is_counted);
	g_test_add_func("/linked/each function is linked once", each_function_is_linked_once);
	g_test_add_func("/linked/places are found by program counter",
			places_are_found_by_program_counter);
	g_test_add_func("/linked/what a function counts is counted anew",
			what_a_function_counts_is_counted_anew);
	g_test_add_func("/linked/a function calculates by its own text",
			a_function_calculates_by_its_own_text);
	return g_test_run();
}
