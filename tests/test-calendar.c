/* SPDX-License-Identifier: MIT */
/* The banks' calendar: an access entered in one piece lies where its passes entered one by one would, and no two passes share a cycle. */
#include "model/shared/calendar.h"

#include <string.h>

#define N_ROUNDS   4000
#define MAX_PASSES 64

/* What calendar_enter_further means. */
static void enter_one_by_one(Calendar *calendar, uint64_t at, uint32_t n, uint32_t length,
			     uint64_t apart, uint64_t *pass_at)
{
	for (uint32_t pass = 0; pass < n; pass++) {
		at = calendar_free_from(calendar, at, length);
		calendar_reserve(calendar, at, length);
		calendar_mark_further(calendar, at, length);
		pass_at[pass] = at;
		at += apart;
	}
}

static void test_enter(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(5);
	Calendar calendars[2];
	uint64_t now = 0;
	guint n_late = 0, n_beyond = 0, n_across = 0;

	for (guint i = 0; i < 2; i++)
		calendar_init(&calendars[i]);
	for (guint round = 0; round < N_ROUNDS; round++) {
		uint64_t pass_at[2][MAX_PASSES], at;
		const uint32_t n = (uint32_t)g_rand_int_range(rand, 1, MAX_PASSES + 1);
		const uint32_t length =
			round % 3 == 0 ? 2 : (uint32_t)g_rand_int_range(rand, 1, 33);
		/* So many close together at the very end that one lies across it. */
		const gboolean last = round % 8 == 4;
		const uint64_t apart =
			length + (last ? 0 : (uint64_t)g_rand_int_range(rand, 0, 224));

		/* Often many accesses at a time, now and then one at the calendar's end. */
		now += g_rand_boolean(rand) ? 0 : (uint64_t)g_rand_int_range(rand, 0, 3000);
		at = now + (round % 16 == 0 ? CALENDAR_CYCLES - 1000 : 0);
		for (guint i = 0; i < 2; i++)
			calendar_sweep(&calendars[i], now);
		if (last)
			at = calendars[0].end - (uint64_t)g_rand_int_range(rand, 1, 200);
		at = calendar_free_from(&calendars[0], at, length);
		enter_one_by_one(&calendars[0], at, n, length, apart, pass_at[0]);
		calendar_enter_further(&calendars[1], at, n, length, apart, pass_at[1]);
		g_assert_cmpmem(pass_at[0], n * sizeof(uint64_t), pass_at[1],
				n * sizeof(uint64_t));
		g_assert_cmpmem(calendars[0].busy, 2 * CALENDAR_WORDS * sizeof(uint64_t),
				calendars[1].busy, 2 * CALENDAR_WORDS * sizeof(uint64_t));
		g_assert_cmpuint(calendars[0].further_end, ==, calendars[1].further_end);
		n_late += pass_at[0][n - 1] > at + (n - 1) * apart;
		n_beyond += pass_at[0][n - 1] >= calendars[0].end;
		n_across += n > 1 && pass_at[0][0] < calendars[0].end &&
			    calendar_busy_from(&calendars[0], calendars[0].end) != 0;
	}
	/* Passes found places taken, and accesses went on behind the end. */
	g_assert_cmpuint(n_late, >, N_ROUNDS / 10);
	g_assert_cmpuint(n_beyond, >, N_ROUNDS / 50);
	g_assert_cmpuint(n_across, >, N_ROUNDS / 50);
	for (guint i = 0; i < 2; i++)
		calendar_clear(&calendars[i]);
}

/* Passes that the calendar does not reach have cycles of their own, also once it reaches them. */
static void test_beyond(void)
{
	const uint32_t length = 3, n = 40000;
	g_autofree uint8_t *taken = g_new0(uint8_t, (gsize)n * length * 8);
	g_autoptr(GRand) rand = g_rand_new_with_seed(6);
	uint64_t now = 0, last = 0;
	guint n_beyond = 0;
	Calendar calendar;

	calendar_init(&calendar);
	for (guint i = 0; i < n; i++) {
		uint64_t pass_at[8] = {0};
		const uint32_t passes = (uint32_t)g_rand_int_range(rand, 1, 8);

		now += (uint64_t)g_rand_int_range(rand, 0, 10);
		calendar_sweep(&calendar, now);
		calendar_enter_further(&calendar, calendar_first_free(&calendar, now, length),
				       passes, length, length, pass_at);
		n_beyond += pass_at[0] >= calendar.end;
		for (uint32_t pass = 0; pass < passes; pass++) {
			last = MAX(last, pass_at[pass] + length);
			g_assert_cmpuint(last, <=, (gsize)n * length * 8);
			for (uint32_t c = 0; c < length; c++)
				g_assert_cmpuint(taken[pass_at[pass] + c]++, ==, 0);
		}
		g_assert_cmpuint(calendar_drained(&calendar), ==, last);
	}
	g_assert_cmpuint(n_beyond, >, n / 4);
	calendar_clear(&calendar);
}

/* Cycles of further passes are counted as they were entered, between any two times, also once a calendar has been swept or shifted. */
static void test_further(void)
{
	enum { SPAN = 2000, LENGTH = 3 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	Calendar calendar;
	uint64_t now = 0;

	calendar_init(&calendar);
	for (guint round = 0; round < 300; round++) {
		uint8_t further[SPAN] = {0};
		const uint64_t by = (uint64_t)g_rand_int_range(rand, SPAN, 9000);
		const uint64_t from = (uint64_t)g_rand_int_range(rand, 0, SPAN);
		const uint64_t until = (uint64_t)g_rand_int_range(rand, (gint)from, SPAN + 1);
		uint64_t n = 0;

		now += 70000; /* all before is past */
		calendar_sweep(&calendar, now);
		g_assert_cmpuint(calendar_further(&calendar, now, now + SPAN), ==, 0);
		for (uint64_t at = now; at < now + SPAN - 40;
		     at += (uint64_t)g_rand_int_range(rand, LENGTH, 40)) {
			calendar_reserve(&calendar, at, LENGTH);
			if (g_rand_boolean(rand))
				continue; /* a first pass */
			calendar_mark_further(&calendar, at, LENGTH);
			memset(&further[at - now], 1, LENGTH);
		}
		for (uint64_t i = from; i < until; i++)
			n += further[i];
		g_assert_cmpuint(calendar_further(&calendar, now + from, now + until), ==, n);
		calendar_shift(&calendar, now, by);
		now += by;
		g_assert_cmpuint(calendar_further(&calendar, now + from, now + until), ==, n);
	}
	calendar_clear(&calendar);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/calendar/an access lies where its passes one by one would",
			test_enter);
	g_test_add_func("/calendar/passes behind its end have cycles of their own",
			test_beyond);
	g_test_add_func("/calendar/cycles of further passes are counted as entered",
			test_further);
	return g_test_run();
}
