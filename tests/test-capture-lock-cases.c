/* SPDX-License-Identifier: MIT */
/* What is a lock, and what is waiting for it: programs of a few instructions, and the records that they are. */
#include <glib.h>
#include <string.h>

#include "capture-tools.h"

#define SHARED_BYTES 4096
#define ATOMIC	     (RAW_READ | RAW_WRITE)

/* Who looks whether the lock is free before each try waits, and does no more. */
static void looking_at_a_lock_is_waiting_for_it(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n.L_1:\n"
				   "/*0000*/ LDS R1, [R0] ;\n"
				   "/*0010*/ ATOMS.CAS R1, [R0], RZ, R3 ;\n"
				   "/*0020*/ ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"
				   "/*0030*/ @P0 BRA `(.L_1) ;\n"
				   "/*0040*/ STS [R5], R4 ;\n"
				   "/*0050*/ STS [R0], RZ ;\n"
				   "/*0060*/ EXIT ;\n";

	for (guint n = 1; n <= TRACE_MAX_LANES; n++) {
		const uint32_t all = n == 32 ? UINT32_MAX : (1u << n) - 1;
		GByteArray *events = g_byte_array_new();
		g_autofree char *expected = g_strdup_printf(
			"lds %u, lock %u, code 2, sts %u, unlock %u, exit", n, n, n, n);
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		capture_add_event(events, 0, RAW_ENTER, all, 0, SHARED_BYTES, 0, 0);
		for (guint lane = 0; lane < n; lane++) {
			const uint32_t left = all >> lane << lane;

			capture_add_event(events, 0, RAW_SHARED, left, RAW_READ, 0, 0x400, 0);
			capture_add_event(events, 0x10, RAW_SHARED, left, ATOMIC, 0, 0x400, 0);
			capture_add_event(events, 0x40, RAW_SHARED, 1u << lane, RAW_WRITE, 0,
					  0x440, 0);
			capture_add_event(events, 0x50, RAW_SHARED, 1u << lane, RAW_WRITE, 0,
					  0x400, 0);
		}
		capture_add_event(events, 0x60, RAW_EXIT, all, 0, 0, 0, 0);

		g_autoptr(GBytes) raw = capture_raw(events, 4 * n + 2, 0);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);

		g_autofree char *told = capture_print_warp(reader, 0, 0);

		g_assert_cmpstr(told, ==, expected);
		g_assert_cmpuint(counts.folded_locks, ==, 1);
		g_assert_cmpuint(counts.folded_events, ==, n - 1);
	}
}

/* Of two lanes one goes on, and tries again without giving its lock back. */
static void each_lane_goes_on_by_itself(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ ATOMS.CAS R1, [R0], RZ, R3 ;\n"
				   "/*0010*/ @P0 LDS R6, [R5] ;\n"
				   "/*0020*/ @P0 LDS R6, [R5] ;\n"
				   "/*0030*/ @P0 STS [R0], RZ ;\n"
				   "/*0040*/ @P0 ATOMS.CAS R1, [R0], RZ, R3 ;\n"
				   "/*0050*/ @P0 STS [R0], RZ ;\n"
				   "/*0060*/ EXIT ;\n";
	GByteArray *events = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;

	capture_add_event(events, 0, RAW_ENTER, 3, 0, SHARED_BYTES, 0, 0);
	capture_add_event(events, 0, RAW_SHARED, 3, ATOMIC, 0, 0x400, 4);
	capture_add_event(events, 0x10, RAW_SHARED, 1, RAW_READ, 0, 0x440, 0);
	capture_add_event(events, 0x20, RAW_SHARED, 2, RAW_READ, 0, 0x440, 0);
	capture_add_event(events, 0x30, RAW_SHARED, 2, RAW_WRITE, 0, 0x404, 0);
	capture_add_event(events, 0x40, RAW_SHARED, 1, ATOMIC, 0, 0x400, 0);
	capture_add_event(events, 0x50, RAW_SHARED, 1, RAW_WRITE, 0, 0x400, 0);
	capture_add_event(events, 0x60, RAW_EXIT, 3, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw(events, 8, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);

	g_autofree char *told = capture_print_warp(reader, 0, 0);

	g_assert_cmpstr(told, ==, "atom 2, lds 1, lds 1, sts 1, lock 1, unlock 1, exit");
}

/* What lanes say to each other between two tries is waiting, too. */
static void lanes_may_talk_while_they_wait(void)
{
	static const struct {
		const char *text;
		RawEventKind kind;
	} rows[] = {{"SHFL.IDX PT, R6, R1, R7, 0x1f", RAW_SHUFFLE},
		    {"WARPSYNC 0xffffffff", RAW_SYNCWARP}};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code =
			g_strdup_printf(".target sm_90\n.text.k:\n.L_1:\n"
					"/*0000*/ ATOMS.CAS R1, [R0], RZ, R3 ;\n/*0010*/ %s ;\n"
					"/*0020*/ @P0 BRA `(.L_1) ;\n/*0030*/ STS [R5], R4 ;\n"
					"/*0040*/ STS [R0], RZ ;\n/*0050*/ EXIT ;\n",
					rows[i].text);
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++) {
			const uint32_t left = UINT32_MAX << lane;

			capture_add_event(events, 0, RAW_SHARED, left, ATOMIC, 0, 0x400, 0);
			capture_add_event(events, 0x10, rows[i].kind, left, 0, left, 0, 0);
			capture_add_event(events, 0x30, RAW_SHARED, 1u << lane, RAW_WRITE, 0,
					  0x440, 0);
			capture_add_event(events, 0x40, RAW_SHARED, 1u << lane, RAW_WRITE, 0,
					  0x400, 0);
		}
		capture_add_event(events, 0x50, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

		g_autoptr(GBytes) raw = capture_raw(events, 4 * TRACE_MAX_LANES + 2, 0);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);

		g_autofree char *told = capture_print_warp(reader, 0, 0);

		g_assert_cmpstr(told, ==, "lock 32, code 2, sts 32, unlock 32, exit");
	}
}

/* Words that lanes swap, go away from, and write: whether that is a lock depends on what comes in between. */
static void a_lock_is_what_every_lane_gives_back(void)
{
	static const struct {
		const char *between;
		RawEventKind kind;
		uint32_t flags;
		uint64_t word;
		const char *told;
	} rows[] = {
		{"LDS R6, [R5]", RAW_SHARED, RAW_READ, 0x440,
		 "lock 32, lds 32, unlock 32, exit"},
		{"LDS R6, [R5]", RAW_SHARED, RAW_READ, 0x400,
		 "lock 32, lds 32, unlock 32, exit"},
		{"STS [R5], R6", RAW_SHARED, RAW_WRITE, 0x440,
		 "lock 32, sts 32, unlock 32, exit"},
		{"ATOMS.ADD R6, [R5], R7", RAW_SHARED, ATOMIC, 0x440,
		 "lock 32, atom 32, unlock 32, exit"},
		{"LDSM.16.M88.4 R8, [R5]", RAW_MATRIX, RAW_READ, 0x400,
		 "lock 32, unknown, unlock 32, exit"},
		{"LDL R6, [R5]", RAW_LOCAL, RAW_READ, 0, "lock 32, code 1, unlock 32, exit"},
		{"LDL R6, [R5]", RAW_LOCAL_AT, RAW_READ, 0x40,
		 "lock 32, ldg 32, unlock 32, exit"},
		{"SHFL.IDX PT, R6, R6, R7, 0x1f", RAW_SHUFFLE, 0, 0,
		 "lock 32, code 1, unlock 32, exit"},
		/* Taken again without being given back, or given back before. */
		{"ATOMS.CAS R6, [R5], R7, R8", RAW_SHARED, ATOMIC, 0x440,
		 "atom 32, atom 32, sts 32, exit"},
		{"STS [R5], R6", RAW_SHARED, RAW_WRITE, 0x400,
		 "lock 32, unlock 32, sts 32, exit"},
		{"BAR.SYNC 0x0", RAW_BARRIER, 0, 0, "atom 32, bar, sts 32, exit"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code = g_strdup_printf(
			".target sm_90\n.text.k:\n/*0000*/ ATOMS.CAS R1, [R0], RZ, R3 ;\n"
			"/*0010*/ %s ;\n/*0020*/ STS [R0], RZ ;\n/*0030*/ EXIT ;\n",
			rows[i].between);
		GByteArray *events = capture_start();
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		capture_add_event(events, 0, RAW_SHARED, UINT32_MAX, ATOMIC, 0, 0x400, 0);
		capture_add_event(events, 0x10, rows[i].kind, UINT32_MAX, rows[i].flags, 0,
				  rows[i].word, 0);
		capture_add_event(events, 0x20, RAW_SHARED, UINT32_MAX, RAW_WRITE, 0, 0x400, 0);
		capture_add_event(events, 0x30, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

		g_autoptr(GBytes) raw = capture_raw(events, 5, 0);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);

		g_autofree char *told = capture_print_warp(reader, 0, 0);

		g_test_message("%s", rows[i].between);
		g_assert_cmpstr(told, ==, rows[i].told);
	}
}

/* A compiler may put the first try in front of the loop of the others: both take the lock. */
static void a_first_try_before_the_loop_takes_the_lock_too(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ ATOMS.CAS R1, [R0], RZ, R3 ;\n"
				   "/*0010*/ ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"
				   "/*0020*/ @!P0 BRA `(.L_2) ;\n"
				   ".L_1:\n"
				   "/*0030*/ ATOMS.CAS R1, [R0], RZ, R3 ;\n"
				   "/*0040*/ ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"
				   "/*0050*/ @P0 BRA `(.L_1) ;\n"
				   ".L_2:\n"
				   "/*0060*/ STS [R5], R4 ;\n"
				   "/*0070*/ STS [R0], RZ ;\n"
				   "/*0080*/ EXIT ;\n";

	for (guint n = 2; n <= TRACE_MAX_LANES; n++) {
		const uint32_t all = n == 32 ? UINT32_MAX : (1u << n) - 1;
		GByteArray *events = g_byte_array_new();
		g_autofree char *expected = g_strdup_printf(
			"lock %u, code 2, lock 1, code 2, sts %u, unlock %u, exit", n - 1, n,
			n);
		g_autoptr(GError) error = NULL;
		ConvertCounts counts;

		capture_add_event(events, 0, RAW_ENTER, all, 0, SHARED_BYTES, 0, 0);
		for (guint lane = 0; lane < n; lane++) {
			capture_add_event(events, lane ? 0x30 : 0, RAW_SHARED,
					  all >> lane << lane, ATOMIC, 0, 0x400, 0);
			capture_add_event(events, 0x60, RAW_SHARED, 1u << lane, RAW_WRITE, 0,
					  0x440, 0);
			capture_add_event(events, 0x70, RAW_SHARED, 1u << lane, RAW_WRITE, 0,
					  0x400, 0);
		}
		capture_add_event(events, 0x80, RAW_EXIT, all, 0, 0, 0, 0);

		g_autoptr(GBytes) raw = capture_raw(events, 3 * n + 2, 0);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);

		g_autofree char *told = capture_print_warp(reader, 0, 0);

		g_assert_cmpstr(told, ==, expected);
		g_assert_cmpuint(counts.folded_locks, ==, 2);
		g_assert_cmpuint(counts.folded_events, ==, n - 2);
		g_assert_cmpuint(counts.nested_locks, ==, 0);
	}
}

/* Swaps and stores of three words in any order: lanes that hold a lock while they take another
   are counted when they give the first back. */
static void nested_locks_are_counted_when_they_are_given_back(void)
{
	static const struct {
		const char *order; /* capitals take a word, others give it back */
		guint nested;	   /* for each lane */
	} rows[] = {
		{"Aa", 0},   {"AaBb", 0},   {"ABba", 1},  {"ABab", 1},	{"ABb", 0},
		{"AB", 0},   {"ABCcba", 1}, {"ABCca", 1}, {"ABCcb", 0}, {"ABbaABba", 2},
		{"AABb", 0}, {"ABbaCc", 1}, {"aABba", 1}, {"ABbaa", 1}, {"ABCabc", 1},
	};
	static const uint32_t masks[] = {1, 0x80000000, UINT32_MAX, 0x80000001, 0xff00};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		for (guint k = 0; k < G_N_ELEMENTS(masks); k++) {
			g_autoptr(GString) code = g_string_new(".target sm_90\n.text.k:\n");
			GByteArray *events = capture_start();
			const guint n = (guint)strlen(rows[i].order);
			g_autoptr(GError) error = NULL;
			ConvertCounts counts;

			for (guint e = 0; e < n; e++) {
				const bool takes = g_ascii_isupper(rows[i].order[e]);
				const uint64_t word =
					(uint64_t)g_ascii_toupper(rows[i].order[e]) - 'A';

				g_string_append_printf(code, "/*%04x*/ %s ;\n", 16 * e,
						       takes ? "@P0 ATOMS.CAS R1, [R0], RZ, R3"
							     : "@P0 STS [R0], RZ");
				capture_add_event(events, 16 * e, RAW_SHARED, masks[k],
						  takes ? ATOMIC : RAW_WRITE, 0,
						  0x400 + 4 * word, 0);
			}
			g_string_append_printf(code, "/*%04x*/ EXIT ;\n", 16 * n);
			capture_add_event(events, 16 * n, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

			g_autoptr(GBytes) raw = capture_raw(events, n + 2, 0);
			g_autoptr(TraceReader) reader =
				capture_convert(raw, code->str, &counts, &error);

			g_assert_no_error(error);
			g_test_message("%s %x", rows[i].order, masks[k]);
			g_assert_cmpuint(counts.nested_locks, ==,
					 rows[i].nested * (guint)__builtin_popcount(masks[k]));
		}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/lock-cases/" #name, name)
	TEST(looking_at_a_lock_is_waiting_for_it);
	TEST(each_lane_goes_on_by_itself);
	TEST(lanes_may_talk_while_they_wait);
	TEST(a_lock_is_what_every_lane_gives_back);
	TEST(a_first_try_before_the_loop_takes_the_lock_too);
	TEST(nested_locks_are_counted_when_they_are_given_back);
#undef TEST
	return g_test_run();
}
