/* SPDX-License-Identifier: MIT */
/* The schedulers: which of the ready warps issues. */
#include <glib.h>

#include "model/issue/scheduler.h"

#define N_SLOTS 8

/* Slots 0 .. 3 have the warps of the second block of the SM, 4 .. 7 those of the first. */
static const uint64_t *two_blocks(void)
{
	static uint64_t age[MAX_WARP_SLOTS];

	for (uint32_t slot = 0; slot < N_SLOTS; slot++)
		age[slot] = scheduler_age(slot < 4 ? 2 : 1, slot % 4);
	return age;
}

/* What issues of those that are ready, so many times; whoever has issued is not ready for so many times. */
static void issue(const Scheduler *scheduler, uint64_t ready, uint32_t waits, uint32_t n,
		  uint32_t *slots)
{
	static const void *const parameters[N_SCHEDULERS];
	uint32_t again[MAX_WARP_SLOTS] = {0};
	SchedulerState state;

	scheduler_init(scheduler, &state, 0, 1, parameters, two_blocks());
	for (uint32_t i = 0; i < n; i++) {
		uint64_t now = 0;

		for (uint64_t left = ready; left; left &= left - 1)
			if (again[__builtin_ctzll(left)] <= i)
				now |= left & -left;
		g_assert_true(now != 0);
		slots[i] = scheduler_pick(scheduler, &state, now);
		g_assert_true(now >> slots[i] & 1);
		again[slots[i]] = i + 1 + waits;
	}
	scheduler_clear(&state);
}

static void oldest_block_stays_with_a_warp_that_is_ready(void)
{
	uint32_t slots[16];

	issue(&scheduler_oldest_block, 0xff, 0, G_N_ELEMENTS(slots), slots);
	for (uint32_t i = 1; i < G_N_ELEMENTS(slots); i++)
		g_assert_cmpuint(slots[i], ==, slots[0]);
	g_assert_cmpuint(slots[0], ==, 7);
}

static void oldest_block_takes_the_warps_of_the_oldest_block_in_turn(void)
{
	static const uint32_t expected[] = {7, 6, 5, 4, 7, 6, 5, 4};
	uint32_t slots[G_N_ELEMENTS(expected)];

	issue(&scheduler_oldest_block, 0xff, 3, G_N_ELEMENTS(slots), slots);
	g_assert_cmpmem(slots, sizeof slots, expected, sizeof expected);
}

static void oldest_block_takes_a_younger_block_where_no_warp_of_the_oldest_is_ready(void)
{
	uint32_t slots[40], n_old = 0;

	issue(&scheduler_oldest_block, 0xff, 5, G_N_ELEMENTS(slots), slots);
	for (uint32_t i = 0; i < G_N_ELEMENTS(slots); i++)
		n_old += slots[i] >= 4;
	/* Each of four warps can issue once in six times, and always does. */
	g_assert_cmpuint(n_old, >=, 4 * (G_N_ELEMENTS(slots) / 6));
	issue(&scheduler_oldest_block, 0x0f, 1, 4, slots);
	g_assert_cmpuint(slots[0], ==, 3);
	g_assert_cmpuint(slots[1], ==, 2);
}

static void gto_and_gty_take_the_oldest_and_the_youngest_warp(void)
{
	uint32_t slots[2];

	issue(&scheduler_gto, 0xff, 8, 2, slots);
	g_assert_cmpuint(slots[0], ==, 4);
	g_assert_cmpuint(slots[1], ==, 5);
	issue(&scheduler_gty, 0xff, 8, 2, slots);
	g_assert_cmpuint(slots[0], ==, 3);
	g_assert_cmpuint(slots[1], ==, 2);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/scheduler/" #name, name)
	TEST(oldest_block_stays_with_a_warp_that_is_ready);
	TEST(oldest_block_takes_the_warps_of_the_oldest_block_in_turn);
	TEST(oldest_block_takes_a_younger_block_where_no_warp_of_the_oldest_is_ready);
	TEST(gto_and_gty_take_the_oldest_and_the_youngest_warp);
	return g_test_run();
}
