/* SPDX-License-Identifier: MIT */
/* The coordinator's turns against times worked out by hand, and that no add is lost or done twice. */
#include <glib.h>

#include "model/memory/coordinator.h"

#define TRIP 100

/* A turn that serves: 500 + 10 + a slot 7 and a request 3; then its flags, 100 each or all at a time. */
static const CoordinatorParameters one_by_one = {.threads = 256,
						 .turn_trips = 5,
						 .turn_cycles = 10,
						 .search_cycles = 7,
						 .update_cycles = 3,
						 .scan = 1};
static const CoordinatorParameters at_once = {.threads = 256,
					      .turn_trips = 5,
					      .turn_cycles = 10,
					      .search_cycles = 7,
					      .update_cycles = 3,
					      .scan = 0};

static void a_request_alone_is_served_in_the_turn_that_sees_it(void)
{
	Coordinator *c = coordinator_new(&at_once, 1, TRIP);

	/* The first turn looks at 50: too late for it. Turns without a request take 100 + 10 + 100. */
	coordinator_post(c, 0, 4096, 5, 51);
	/* The second one looks at 260 and takes 500 + 10 + 7 + 3; the address goes at its end less half
	   a trip. */
	g_assert_false(coordinator_is_done(c, 0, 210 + 520 - 50 - 1));
	g_assert_true(coordinator_is_done(c, 0, 210 + 520 - 50));
	g_assert_cmpuint(coordinator_found(c, 0), ==, 0);
	/* The flag of a warp that ends at 730 is there at 780: the turn from 830 sees it. */
	g_assert_cmpuint(coordinator_end(c, 730), ==, 830 + 210);
	coordinator_free(c);
}

static void a_request_in_time_is_served_in_the_first_turn(void)
{
	Coordinator *c = coordinator_new(&at_once, 1, TRIP);

	coordinator_post(c, 0, 4096, 5, 50);
	g_assert_true(coordinator_is_done(c, 0, 520 - 50));
	coordinator_free(c);
}

/* Four requests: the last, for a word of its own, looks at all slots up to its own. */
static void the_longest_search_and_every_sum_count(void)
{
	Coordinator *c = coordinator_new(&at_once, 8, TRIP);
	const Cycle gone = 500 + 10 + 8 * 7 + 4 * 3 - 50;

	coordinator_post(c, 2, 64, 10, 1);
	coordinator_post(c, 5, 64, 20, 2);
	coordinator_post(c, 6, 64, 30, 3);
	coordinator_post(c, 7, 128, 40, 4);
	g_assert_false(coordinator_is_done(c, 2, gone - 1));
	g_assert_true(coordinator_is_done(c, 2, gone));
	g_assert_true(coordinator_is_done(c, 7, gone));
	g_assert_cmpuint(coordinator_found(c, 2), ==, 0);
	g_assert_cmpuint(coordinator_found(c, 5), ==, 10);
	g_assert_cmpuint(coordinator_found(c, 6), ==, 30);
	g_assert_cmpuint(coordinator_found(c, 7), ==, 0);
	coordinator_free(c);
}

static void flags_read_one_by_one_make_turns_longer(void)
{
	Coordinator *one = coordinator_new(&one_by_one, 8, TRIP);
	Coordinator *all = coordinator_new(&at_once, 8, TRIP);

	g_assert_cmpuint(coordinator_end(one, 0), ==, 110 + 8 * TRIP);
	g_assert_cmpuint(coordinator_end(all, 0), ==, 110 + TRIP);
	coordinator_free(one);
	coordinator_free(all);
}

/* What requests of one word found, put in order, are the sums of those before: each add was done once, on
   what the one before left. */
static void no_add_is_lost_or_done_twice(void)
{
	enum { N_WARPS = 40, N_WORDS = 3, N_STEPS = 20000 };
	Coordinator *c = coordinator_new(&one_by_one, N_WARPS, TRIP);
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	GHashTable *found[N_WORDS];
	uint64_t word[N_WARPS], sum[N_WARPS], total[N_WORDS] = {0};
	gboolean waits[N_WARPS] = {FALSE};
	Cycle now = 0;

	for (int w = 0; w < N_WORDS; w++)
		found[w] = g_hash_table_new(NULL, NULL);
	for (int i = 0; i < N_STEPS; i++) {
		uint32_t warp = (uint32_t)g_rand_int_range(rand, 0, N_WARPS);

		now += (Cycle)g_rand_int_range(rand, 0, 60);
		if (!waits[warp]) {
			word[warp] = (uint64_t)g_rand_int_range(rand, 0, N_WORDS);
			sum[warp] = (uint64_t)g_rand_int_range(rand, 1, 100);
			coordinator_post(c, warp, word[warp] * 4, sum[warp], now);
			total[word[warp]] += sum[warp];
			waits[warp] = TRUE;
		} else if (coordinator_is_done(c, warp, now)) {
			gpointer before = GSIZE_TO_POINTER(coordinator_found(c, warp));

			g_assert_true(g_hash_table_insert(found[word[warp]], before,
							  GSIZE_TO_POINTER(sum[warp])));
			waits[warp] = FALSE;
		}
	}
	for (uint32_t warp = 0; warp < N_WARPS; warp++)
		if (waits[warp]) {
			g_assert_true(coordinator_is_done(c, warp, now + 100000));
			g_assert_true(g_hash_table_insert(
				found[word[warp]], GSIZE_TO_POINTER(coordinator_found(c, warp)),
				GSIZE_TO_POINTER(sum[warp])));
		}
	for (int w = 0; w < N_WORDS; w++) {
		uint64_t value = 0;

		for (guint n = g_hash_table_size(found[w]); n; n--) {
			gpointer added = g_hash_table_lookup(found[w], GSIZE_TO_POINTER(value));

			g_assert_nonnull(added);
			value += GPOINTER_TO_SIZE(added);
		}
		g_assert_cmpuint(value, ==, total[w]);
		g_hash_table_unref(found[w]);
	}
	coordinator_free(c);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/coordinator/a request alone is served in the turn that sees it",
			a_request_alone_is_served_in_the_turn_that_sees_it);
	g_test_add_func("/coordinator/a request in time is served in the first turn",
			a_request_in_time_is_served_in_the_first_turn);
	g_test_add_func("/coordinator/the longest search and every sum count",
			the_longest_search_and_every_sum_count);
	g_test_add_func("/coordinator/flags read one by one make turns longer",
			flags_read_one_by_one_make_turns_longer);
	g_test_add_func("/coordinator/no add is lost or done twice",
			no_add_is_lost_or_done_twice);
	return g_test_run();
}
