/* SPDX-License-Identifier: MIT */
/* When translations are there. */
#include <glib.h>

#include "sim/memory/tlb.h"

#define ENTRY_KIB   2048
#define ENTRY_LINES (ENTRY_KIB * UINT64_C(1024) / 128)
#define WALK	    (500 * TICKS_PER_CYCLE)

static void test_walks(void)
{
	const TlbParameters parameters = {.entry_kib = ENTRY_KIB, .walk_cycles = 500};
	const Tick at = 1000;
	Tlb *tlb = tlb_new(&parameters);

	/* The first waits for a walk, others for the same one. */
	g_assert_cmpuint(tlb_translate(tlb, 7, at), ==, at + WALK);
	g_assert_cmpuint(tlb_translate(tlb, ENTRY_LINES - 1, at + 5), ==, at + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 0, at + WALK - 1), ==, at + WALK);
	/* Later it is there. */
	g_assert_cmpuint(tlb_translate(tlb, 7, at + WALK), ==, at + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 9, at + 2 * WALK), ==, at + 2 * WALK);
	/* Another entry has a walk of its own, at the same time. */
	g_assert_cmpuint(tlb_translate(tlb, ENTRY_LINES, at + 1), ==, at + 1 + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 5 * ENTRY_LINES, 0), ==, WALK);
	tlb_free(tlb);
	tlb_free(NULL);
}

static void test_walks_begin_one_after_the_other(void)
{
	const TlbParameters parameters = {
		.entry_kib = ENTRY_KIB, .walk_cycles = 500, .walk_interval_cycles = 20};
	Tlb *tlb = tlb_new(&parameters);

	for (uint32_t i = 0; i < 4; i++)
		g_assert_cmpuint(tlb_translate(tlb, i * ENTRY_LINES, 0), ==,
				 WALK + i * 20 * TICKS_PER_CYCLE);
	/* Who waits for a walk that has begun begins none. */
	g_assert_cmpuint(tlb_translate(tlb, 1, 0), ==, WALK);
	g_assert_cmpuint(tlb_translate(tlb, 4 * ENTRY_LINES, 1000 * TICKS_PER_CYCLE), ==,
			 1000 * TICKS_PER_CYCLE + WALK);
	tlb_free(tlb);
}

static void test_no_time(void)
{
	const TlbParameters parameters = {.entry_kib = ENTRY_KIB};
	Tlb *tlb = tlb_new(&parameters);

	/* Time 0 is a time, too. */
	g_assert_cmpuint(tlb_translate(tlb, 0, 0), ==, 0);
	g_assert_cmpuint(tlb_translate(tlb, 0, 0), ==, 0);
	tlb_free(tlb);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tlb/the first use of an entry waits for a walk, others for that",
			test_walks);
	g_test_add_func("/tlb/walks of several entries begin one after the other",
			test_walks_begin_one_after_the_other);
	g_test_add_func("/tlb/a walk may take no time", test_no_time);
	return g_test_run();
}
