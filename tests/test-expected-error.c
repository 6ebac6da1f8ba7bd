/* SPDX-License-Identifier: MIT */
/* How far off a run is expected to be: its class, what is said of it, and why nothing is promised. */
#include <string.h>

#include "config/config.h"
#include "replay/expected-error.h"
#include "report/report.h"

#define SMS 4

/* A launch of `blocks` blocks whose warps wait for global memory for so many of 100 cycles. */
static Statistics launch(uint64_t blocks, uint64_t cycles, uint64_t global)
{
	Statistics statistics = {
		.blocks = blocks, .busy_cycles = cycles, .resident_warp_cycles = 100};

	statistics.records[RECORD_CODE] = 1;
	/* Wherever it comes from. */
	statistics.warp_cycles[STATE_L1] = global / 2;
	statistics.warp_cycles[STATE_L2] = global / 4;
	statistics.warp_cycles[STATE_GLOBAL] = global / 8;
	statistics.warp_cycles[STATE_DRAM] = global - global / 2 - global / 4 - global / 8;
	return statistics;
}

static void test_a_run_has_the_class_of_what_it_does(void)
{
	static const struct {
		uint64_t blocks, cycles, global, spins, shared_atomics, global_atomics,
			accesses, conflicts;
		const char *class;
	} rows[] = {
		{1, 1989, 19, 0, 0, 0, 0, 0,
		 "no atomics, little global memory, under 2,000 cycles"},
		{1, 1989, 20, 0, 0, 0, 0, 0,
		 "no atomics, much global memory, under 2,000 cycles"},
		{1, 1990, 19, 0, 0, 0, 9, 0,
		 "no atomics, little global memory, 2,000 cycles or more"},
		{SMS, 1990, 20, 0, 0, 0, 9, 2,
		 "no atomics, much global memory, 2,000 cycles or more"},
		{SMS, 1, 0, 0, 0, 0, 8, 2, "no atomics, many bank conflicts"},
		{SMS, 1, 0, 0, 0, 1, 8, 2, "atomics on global memory alone"},
		{SMS, 1, 99, 0, 1, 1, 8, 2, "atomics on shared memory"},
		{SMS + 1, 1, 0, 0, 1, 1, 8, 2, "more blocks than SMs"},
		{SMS + 1, 1, 0, 1, 1, 1, 8, 2, "spin locks"},
	};
	const Machine machine = {.sm = {.count = SMS, .launch_cycles = 10}};
	Statistics untimed = launch(1, 1, 1);

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Statistics statistics = launch(rows[i].blocks, rows[i].cycles, rows[i].global);

		statistics.spin_attempts = rows[i].spins;
		statistics.atomics.warp_instructions = rows[i].shared_atomics;
		statistics.records[RECORD_ATOMG] = rows[i].global_atomics;
		statistics.shared.accesses = rows[i].accesses;
		statistics.shared.conflict_passes = rows[i].conflicts;
		g_assert_cmpstr(expected_class(&machine, &statistics), ==, rows[i].class);
	}
	untimed.records[RECORD_CODE] = 0;
	g_assert_null(expected_class(&machine, &untimed));
}

/* What was measured is of the machine as it is shipped: a key that was changed makes another one. */
static void test_expected_errors_are_of_the_shipped_machine(void)
{
	const char *const settings[] = {"sm.count=4", NULL};
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	g_autoptr(Config) changed = config_load("h200.json", settings, NULL);
	g_autoptr(Config) other = config_load("fermi.json", NULL, NULL);
	g_autoptr(Config) h100 = config_load("h100.json", NULL, NULL);
	const ExpectedError *error =
		expected_change_error(config_machine(config), "replicate=4");

	g_assert_false(config_machine(config)->changed);
	g_assert_false(config_machine(h100)->changed);
	g_assert_true(config_machine(changed)->changed);
	g_assert_nonnull(error);
	g_assert_cmpstr(error->what, ==, "replicate=");
	g_assert_null(expected_change_error(config_machine(config), "scatter=4"));
	g_assert_null(expected_change_error(config_machine(changed), "replicate=4"));
	g_assert_null(expected_change_error(config_machine(other), "replicate=4"));
}

/* The report of a launch on the H200, of a trace with that metadata; NULL where something is promised. g_free. */
static char *why_none(const Config *config, const char *metadata, const Statistics *statistics)
{
	const SimResult result = {.statistics = *statistics};
	cJSON *object = cJSON_Parse(metadata);
	const RunReport report = {
		.machine = config_machine(config), .metadata = object, .result = &result};
	char *why = report_expected_none(&report);

	g_assert_nonnull(object);
	g_assert_true((report_expected_error(&report) == NULL) == (why != NULL));
	cJSON_Delete(object);
	return why;
}

static void test_nothing_is_promised_where_the_trace_lacks_something(void)
{
	static const struct {
		const char *metadata;
		uint64_t unknown;
		const char *why;
	} rows[] = {
		{"{}", 0, NULL},
		{"{\"source\":\"capture\",\"capture\":{\"guessed_branches\":0,\"folded_"
		 "events\":9}}",
		 0, NULL},
		{"{\"source\":\"capture\"}", 1, "the trace has unknown records"},
		{"{\"capture\":{\"guessed_branches\":1}}", 0,
		 "the capture guessed which way branches went"},
		{"{\"capture\":{\"guessed_branches\":1,\"dropped_values\":2}}", 0,
		 "the capture dropped operations (dropped_values)"},
		{"{\"capture\":{\"bulk_instructions\":1,\"unresolved_paths\":1}}", 0,
		 "the capture dropped operations (bulk_instructions)"},
		{"{\"capture\":{\"unknown_operations\":1}}", 0,
		 "the capture dropped operations (unknown_operations)"},
		{"{\"capture\":{\"out_of_range\":1}}", 0,
		 "the capture dropped operations (out_of_range)"},
		{"{\"capture\":{\"outside_calls\":1}}", 0,
		 "the capture dropped operations (outside_calls)"},
		{"{\"capture\":{\"texture_accesses\":1}}", 0,
		 "what textures take beyond the L1 is not simulated"},
		{"{\"buffers\":[{\"bytes\":4},{\"bytes\":4,\"managed\":true}]}", 0,
		 "page faults of managed memory are not simulated"},
		{"{\"buffers\":[{\"bytes\":4,\"managed\":false}]}", 0, NULL},
		{"{\"source\":\"gen\"}", 0, "validated for captured traces only"},
	};
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Statistics statistics = launch(1, 5000, 50);
		g_autofree char *why = NULL;

		statistics.records[RECORD_UNKNOWN] = rows[i].unknown;
		why = why_none(config, rows[i].metadata, &statistics);
		g_assert_cmpstr(why, ==, rows[i].why);
	}
}

static void test_nothing_is_promised_of_what_was_not_measured(void)
{
	const char *const settings[] = {"sm.count=4", NULL};
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	g_autoptr(Config) changed = config_load("h200.json", settings, NULL);
	g_autoptr(Config) other = config_load("fermi.json", NULL, NULL);
	const Statistics usual = launch(1, 5000, 50);
	Statistics locks = launch(1, 5000, 50);
	g_autofree char *of_changed = why_none(changed, "{}", &usual);
	g_autofree char *of_other = why_none(other, "{}", &usual);
	/* No better trace would help there. */
	g_autofree char *of_lacking =
		why_none(other, "{\"capture\":{\"dropped_values\":2}}", &usual);
	g_autofree char *of_made_up = why_none(other, "{\"source\":\"gen\"}", &usual);
	g_autofree char *of_locks = NULL;

	locks.spin_attempts = 1;
	of_locks = why_none(config, "{}", &locks);
	g_assert_cmpstr(of_changed, ==, "the config is not the one that was validated");
	g_assert_cmpstr(of_other, ==, "no launch was measured on this machine");
	g_assert_cmpstr(of_lacking, ==, "no launch was measured on this machine");
	g_assert_cmpstr(of_made_up, ==, "no launch was measured on this machine");
	g_assert_cmpstr(of_locks, ==, "fewer than five launches like it were measured");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/expected error/a run has the class of what it does",
			test_a_run_has_the_class_of_what_it_does);
	g_test_add_func("/expected error/it is of the shipped machine",
			test_expected_errors_are_of_the_shipped_machine);
	g_test_add_func("/expected error/nothing is promised where the trace lacks something",
			test_nothing_is_promised_where_the_trace_lacks_something);
	g_test_add_func("/expected error/nothing is promised of what was not measured",
			test_nothing_is_promised_of_what_was_not_measured);
	return g_test_run();
}
