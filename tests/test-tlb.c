/* SPDX-License-Identifier: MIT */
/* When translations are there, of which TLB, by what buffers had met. */
#include <glib.h>

#include "sim/memory/tlb.h"

#define ENTRY_KIB   2048
#define ENTRY_LINES (ENTRY_KIB * UINT64_C(1024) / 128)
#define MISS	    (130 * TICKS_PER_CYCLE)
#define WALK	    (500 * TICKS_PER_CYCLE)

static const TlbParameters parameters = {
	.entry_kib = ENTRY_KIB, .miss_cycles = 130, .walk_cycles = 500};

/* Two entries of a buffer that a kernel had used, four of one that none had; they share the third of six. */
static Tlb *two_buffers(bool is_empty, bool used)
{
	TlbBuffer *buffers = g_new(TlbBuffer, 2);

	buffers[0] = (TlbBuffer){ENTRY_LINES * 5 / 2, used};
	buffers[1] = (TlbBuffer){ENTRY_LINES * 6, false};
	return tlb_new(&parameters, is_empty, buffers, 2);
}

static void test_empty(void)
{
	Tlb *tlb = two_buffers(true, false);
	const Tick at = 1000;

	/* The first waits for a walk, others of any cluster for the same one or for their own TLB. */
	g_assert_cmpuint(tlb_translate(tlb, 3, 7, at), ==, at + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 3, ENTRY_LINES - 1, at + 5), ==, at + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 4, 7, at + 5), ==, at + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 5, 7, at + WALK - 5), ==, at + WALK - 5 + MISS);
	/* Later they have it. */
	g_assert_cmpuint(tlb_translate(tlb, 3, 7, at + WALK), ==, at + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 5, 9, at + 2 * WALK), ==, at + 2 * WALK);
	g_assert_cmpuint(tlb_translate(tlb, 6, 9, at + 2 * WALK), ==, at + 2 * WALK + MISS);
	/* Another entry has a walk of its own, at the same time. */
	g_assert_cmpuint(tlb_translate(tlb, 3, ENTRY_LINES, at + 1), ==, at + 1 + WALK);
	g_assert_cmpuint(tlb_translate(tlb, 0, 5 * ENTRY_LINES, 0), ==, WALK);
	tlb_free(tlb);
}

static void test_used(void)
{
	Tlb *tlb = two_buffers(false, true);

	/* Of a buffer that a kernel had used all are there, and of one that lies beside it in the same entry; others miss once a cluster. */
	for (uint64_t entry = 0; entry < 6; entry++)
		for (uint32_t cluster = 0; cluster < 3; cluster++) {
			const Tick first = entry < 3 ? 10 : 10 + MISS;

			g_assert_cmpuint(
				tlb_translate(tlb, cluster, entry * ENTRY_LINES + 1, 10), ==,
				first);
			g_assert_cmpuint(
				tlb_translate(tlb, cluster, entry * ENTRY_LINES, first), ==,
				first);
		}
	tlb_free(tlb);
}

static void test_at_once(void)
{
	Tlb *tlb = two_buffers(false, true);

	/* Time 0 is a time, too. */
	g_assert_cmpuint(tlb_translate(tlb, 0, 0, 0), ==, 0);
	g_assert_cmpuint(tlb_translate(tlb, 0, 0, 0), ==, 0);
	tlb_free(tlb);
	tlb_free(NULL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tlb/the first use of an entry waits for a walk, others for that",
			test_empty);
	g_test_add_func("/tlb/a buffer that a kernel had used has its translations", test_used);
	g_test_add_func("/tlb/a translation may be there from the beginning", test_at_once);
	return g_test_run();
}
