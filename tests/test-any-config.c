/* SPDX-License-Identifier: MIT */
/* Every config that passes the checks runs: random values of random keys, within the table's ranges. */
#include <string.h>

#include "random-config.h"
#include "random-program.h"
#include "sim/run.h"

static void hold_the_laws(const SimResult *result, const char *text)
{
	const Statistics *s = &result->statistics;
	uint64_t states = 0;

	for (int i = 0; i < N_WARP_STATES; i++) {
		if (s->warp_cycles[i] > s->resident_warp_cycles)
			g_error("%s: %s: %" G_GUINT64_FORMAT " cycles of %" G_GUINT64_FORMAT,
				text, warp_state_names[i], s->warp_cycles[i],
				s->resident_warp_cycles);
		states += s->warp_cycles[i];
	}
	if (states != s->resident_warp_cycles ||
	    s->atomics.successes != s->atomics.lane_operations || s->locks_set_at_end ||
	    s->shared.passes != s->shared.accesses + s->shared.conflict_passes)
		g_error("%s: a law is broken", text);
}

/* A run that comes to no end says why. */
static void run_any(GRand *rand, const Config *config, const char *text, guint counts[2])
{
	g_autoptr(ListSource) list = random_program(rand, 3, 4, 32);
	SimRequest request = {.machine = config_machine(config),
			      .source = &list->source,
			      .n_threads = 1,
			      .n_sites = PROGRAM_SITES};
	SimResult result;

	sim_run(&request, &result);
	counts[0]++;
	switch (result.status) {
	case SIM_OK:
		counts[1]++;
		hold_the_laws(&result, text);
		break;
	case SIM_TOO_LARGE: /* shared memory or warps of a small SM */
	case SIM_LIVELOCK: /* gto, or locks that are held for long, and an impatient watchdog */
		break;
	default:
		g_error("%s: status %d", text, result.status);
	}
}

static void every_legal_config_runs(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(20);
	guint counts[2] = {0};

	for (int trial = 0; trial < 450; trial++) {
		g_autofree char *text = NULL;
		g_autoptr(Config) config = random_config(
			rand, trial % 2 ? "h200.json" : "fermi.json", NULL, &text);

		if (config)
			run_any(rand, config, text, counts);
	}
	/* The test tests something: most are legal, and most of those come to their end. */
	g_assert_cmpuint(counts[0], >, 150);
	g_assert_cmpuint(counts[1] * 2, >, counts[0]);
}

static void run_with(const char *base, const char *setting)
{
	const char *const settings[] = {setting, NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load(base, settings, &error);
	g_autoptr(GRand) rand = g_rand_new_with_seed(21);
	guint counts[2] = {0};

	g_assert_no_error(error);
	run_any(rand, config, setting, counts);
	g_assert_cmpuint(counts[1], ==, 1);
}

/* The arithmetic would be over before its issue is. */
static void a_latency_below_the_issue_time_is_the_issue_time(void)
{
	run_with("fermi.json", "sm.alu_latency_cycles=1");
	run_with("h200.json", "sm.issue_cycles=5");
}

/* 1,024 SMs that share one megabyte a second at 100 GHz: times in parts of a cycle would wrap. */
static void a_run_that_would_go_on_for_too_long_ends(void)
{
	const char *const settings[] = {"global.bandwidth_mb_per_s=1", "clock_mhz=100000",
					"sm.count=1024", NULL};
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	g_autoptr(Config) config = config_load("fermi.json", settings, NULL);
	Record load = {.kind = RECORD_LDG, .count = UINT32_MAX, .mask = 1, .n_lanes = 1};
	SimRequest request = {
		.machine = config_machine(config), .source = &list->source, .n_threads = 1};
	SimResult result;

	list_source_append(list, 0, 0, &load);
	g_assert_cmpint(sim_run(&request, &result), ==, SIM_TOO_LONG);
	g_assert_cmpuint(result.statistics.cycles, <, SIM_MAX_CYCLE);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/any-config/every legal config runs", every_legal_config_runs);
	g_test_add_func("/any-config/a latency below the issue time is the issue time",
			a_latency_below_the_issue_time_is_the_issue_time);
	g_test_add_func("/any-config/a run that would go on for too long ends",
			a_run_that_would_go_on_for_too_long_ends);
	return g_test_run();
}
