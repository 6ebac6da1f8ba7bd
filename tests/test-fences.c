/* SPDX-License-Identifier: MIT */
/* When a fence of the device is over (sim/memory/fences.h), and what of it the next one finds done. */
#include <glib.h>

#include "sim/memory/fences.h"

#define NEAR 100
static const NetworkParameters network = {
	.fence_cycles = 20,
	.fence_near_partition_cycles = NEAR,
	.fence_far_partition_cycles = 200,
};

/* A fence of a warp that is answered nothing itself, begun at `begun` behind one access of its SM, which is answered at `at`:
   when it is over, if it has nothing left to wait for at `now`. */
static Cycle end_of(Fences *fences, Cycle begun, bool own, Cycle at, Cycle now)
{
	WarpFence fence;
	const uint32_t brought = fences_count(fences);

	fence_init(&fence);
	fence_begin(fences, &fence, &network, begun);
	g_assert_true(fence_is_open(&fence));
	fence_look(fences, &fence, own, at - 1); /* nothing has come */
	g_assert_true(fence_is_open(&fence));
	fences_counted_answer(fences, brought);
	fence_look(fences, &fence, own, at);
	g_assert_false(fence_is_open(&fence));
	fence_look(fences, &fence, false, at + 1); /* it is over already */
	return fence_end(fences, &fence, &network, now, 0, 0);
}

static void test_answers_to_other_warps_end_it(void)
{
	Fences fences;

	fences_init(&fences);
	g_assert_cmpuint(end_of(&fences, 0, true, 1, 0), ==, 0);
	g_assert_cmpuint(end_of(&fences, 10, false, 50, 40), ==, 50);
	g_assert_cmpuint(end_of(&fences, 110, false, 150, 149), ==, 150);
	g_assert_cmpuint(end_of(&fences, 210, false, 250, 250), ==, 250);
	/* An answer to its own warp is waited for as that (fence_end's replied_at). */
	g_assert_cmpuint(end_of(&fences, 310, true, 350, 340), ==, 340);
}

/* One that has nothing to wait for, and one behind a fence that had: what ended that one does not end this one. */
static void test_a_fence_forgets_the_one_before(void)
{
	Fences fences;
	WarpFence fence;
	uint32_t brought;

	fences_init(&fences);
	fence_init(&fence);
	fence_begin(&fences, &fence, &network, 0);
	g_assert_false(fence_is_open(&fence));
	g_assert_cmpuint(fence_end(&fences, &fence, &network, 0, 0, 0), ==, 0);
	brought = fences_count(&fences);
	fence_begin(&fences, &fence, &network, 10);
	fences_counted_answer(&fences, brought);
	fence_look(&fences, &fence, false, 50);
	fence_begin(&fences, &fence, &network, 20);
	g_assert_cmpuint(fence_end(&fences, &fence, &network, 30, 0, 0), ==, 30);
}

/* Answers of the near partition at `answer`; a fence that waits for others' until 50, and is over then; another one at `now`. */
static Cycle next_end(Cycle answer, Cycle now)
{
	Fences fences;
	WarpFence fence;

	fences_init(&fences);
	end_of(&fences, 10, false, 50, 40);
	fences_answer(&fences, true, false, answer);
	fence_init(&fence);
	fence_begin(&fences, &fence, &network, now);
	return fence_end(&fences, &fence, &network, now, 0, 0);
}

static void test_a_fence_covers_what_came_until_its_last_answer(void)
{
	g_assert_cmpuint(next_end(45, 60), ==, 60);
	g_assert_cmpuint(next_end(50, 50), ==, 50);
	g_assert_cmpuint(next_end(51, 60), ==, 60 + NEAR);
	/* The first one is not over yet. */
	g_assert_cmpuint(next_end(45, 49), ==, 49 + NEAR);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/fences/answers to other warps end it",
			test_answers_to_other_warps_end_it);
	g_test_add_func("/fences/a fence forgets the one before",
			test_a_fence_forgets_the_one_before);
	g_test_add_func("/fences/a fence covers what came until its last answer",
			test_a_fence_covers_what_came_until_its_last_answer);
	return g_test_run();
}
