/* SPDX-License-Identifier: MIT */
/* Equations 1 to 4 of Elteir, Lin and Feng against numbers worked out by hand. */
#include <glib.h>
#include <math.h>

#include "model/atomic/elteir.h"

#define assert_is(found, wanted) g_assert_cmpfloat(fabs((found) - (wanted)), <, 1e-9 * (wanted))

/* 64 lanes, 8 of 10 workgroups at once; times 32, 6, 1. */
static const ElteirInput example = {
	.t_complete = 32, .t_fast = 6, .t_local = 1, .lanes = 64, .at_once = 8, .groups = 10};

static void the_equations_give_what_they_say(void)
{
	ElteirTimes times = elteir_times(&example);

	assert_is(times.request, 2 * 64 * 1 + 2 * 6);
	assert_is(times.coordinate, 5 * 6 + 8 * 1 + 10 / 2 * 1);
	assert_is(times.reply, 2 * 6);
	assert_is(times.equation[0], 64 * 8 * 32);
	assert_is(times.equation[1], 195);
	assert_is(times.speedup, 16384. / 195);
}

/* 3 and 4 are 2 and 1 written with ratios. */
static void the_two_forms_agree(void)
{
	for (int groups = 1; groups <= 140; groups++) {
		ElteirInput input = example;
		ElteirTimes times;

		input.groups = groups;
		input.at_once = (groups + 1) / 2;
		times = elteir_times(&input);
		assert_is(times.equation[2], times.equation[1]);
		assert_is(times.equation[3], times.equation[0]);
	}
}

/* Only ratios of times matter for the speed-up. */
static void the_unit_of_time_does_not_matter(void)
{
	ElteirInput other = example;

	other.t_complete *= 1000;
	other.t_fast *= 1000;
	other.t_local *= 1000;
	assert_is(elteir_times(&other).speedup, elteir_times(&example).speedup);
}

/* With the paper's bandwidths, x = 96/18; and half the workgroups are searched, not all. */
static void what_the_paper_s_bandwidths_give(void)
{
	const struct {
		double groups, x_local, speedup; /* to the digits given */
	} rows[] = {
		{1, 1. / 14, 18.7},	 {1, 1, 2.46},	  {8, 1. / 14, 143.72},
		{8, 1, 18.33},		 {32, 1, 59.04},  {32, 1. / 14, 506.35},
		{128, 1. / 14, 1371.46}, {128, 1, 132.8},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		ElteirInput input = {.t_complete = 96. / 18,
				     .t_fast = 1,
				     .t_local = rows[i].x_local,
				     .lanes = 64,
				     .at_once = rows[i].groups,
				     .groups = rows[i].groups};

		g_assert_cmpfloat(fabs(elteir_times(&input).speedup - rows[i].speedup), <,
				  0.005 * rows[i].speedup);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/elteir/the equations give what they say",
			the_equations_give_what_they_say);
	g_test_add_func("/elteir/the two forms agree", the_two_forms_agree);
	g_test_add_func("/elteir/the unit of time does not matter",
			the_unit_of_time_does_not_matter);
	g_test_add_func("/elteir/what the paper's bandwidths give",
			what_the_paper_s_bandwidths_give);
	return g_test_run();
}
