/* SPDX-License-Identifier: MIT */
/* The library through its header alone, linked as a user links it. */
#include <glib.h>
#include <string.h>

#include "atomsim.h"

static AtomsimConfig *load(void)
{
	AtomsimConfig *config = atomsim_config_load("fermi.json", NULL, NULL);

	g_assert_nonnull(config);
	return config;
}

static AtomsimTrace *votes(void)
{
	const char *const settings[] = {"words=64", "blocks=2", "steps=4", NULL};
	AtomsimTrace *trace = atomsim_trace_generate("voting", settings, NULL);

	g_assert_nonnull(trace);
	return trace;
}

static void test_every_statistic_has_its_name(void)
{
	AtomsimConfig *config = load();
	AtomsimTrace *trace = votes();
	AtomsimResult *result = atomsim_run(config, trace, NULL, NULL);
	char *json = atomsim_result_json(result);
	guint n_counts = 0;

	for (size_t i = 0; atomsim_statistic_name(i) != NULL; i++) {
		g_auto(GStrv) parts = g_strsplit(atomsim_statistic_name(i), "[]", -1);
		g_autofree char *name = g_strjoinv("[0]", parts);
		uint64_t count;
		double number;

		if (!atomsim_result_count(result, name, &count))
			continue;
		n_counts++;
		g_assert_true(atomsim_result_number(result, name, &number));
		g_assert_cmpfloat(number, ==, (double)count);
	}
	g_assert_cmpuint(n_counts, >, 50);
	/* Rows of lists, too. */
	g_assert_true(atomsim_result_count(result, "hot_spots.sites[0].cycles", NULL));
	g_assert_cmpstr(atomsim_result_text(result, "trace.name"), ==, "voting");
	g_assert_true(g_str_has_prefix(json, "{\"schema\":"));
	atomsim_free(json);
	atomsim_result_free(result);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static void test_what_there_is_not_has_no_value(void)
{
	static const char *const names[] = {"",
					    "cycle",
					    "cycles.more",
					    "atomics",
					    "hot_spots.sites[99].cycles",
					    "hot_spots.sites[-1].cycles",
					    "hot_spots.sites[].cycles",
					    "hot_spots.sites[0",
					    "hot_spots.sites[0]x.cycles",
					    "contention_free.cycles",
					    "trace.name"};
	const AtomsimOptions options = {.size = sizeof(options), .no_baseline = true};
	AtomsimConfig *config = load();
	AtomsimTrace *trace = votes();
	AtomsimResult *result = atomsim_run(config, trace, &options, NULL);
	uint64_t count;
	double number;

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_assert_false(atomsim_result_count(result, names[i], &count));
		g_assert_false(atomsim_result_number(result, names[i], &number));
	}
	g_assert_null(atomsim_result_text(result, "cycles"));
	g_assert_false(atomsim_result_count(result, "time_us", &count));
	g_assert_true(atomsim_result_number(result, "time_us", &number));
	atomsim_result_free(result);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

/* Checks an error's code and that its message says `words`, and frees it. */
static void assert_error(AtomsimError *error, AtomsimCode code, const char *words)
{
	g_assert_nonnull(error);
	g_assert_cmpint(atomsim_error_code(error), ==, code);
	if (strstr(atomsim_error_message(error), words) == NULL)
		g_error("'%s' does not say '%s'", atomsim_error_message(error), words);
	atomsim_error_free(error);
}

static bool stop(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)blocks_done;
	(void)n_blocks;
	++*(guint *)data;
	return false;
}

static void test_failures_say_why(void)
{
	const char *const bad[] = {"sm.cout=1", NULL};
	const char *const narrow[] = {"sm.max_warps=2", NULL};
	guint n_calls = 0;
	AtomsimOptions options = {.size = sizeof(options), .progress = stop, .data = &n_calls};
	AtomsimConfig *config = load(), *small = atomsim_config_with(config, narrow, NULL);
	AtomsimTrace *trace = votes();
	AtomsimError *error = NULL;

	g_assert_null(atomsim_config_load("nowhere.json", NULL, &error));
	assert_error(error, ATOMSIM_IO, "nowhere.json");
	error = NULL;
	g_assert_null(atomsim_config_with(config, bad, &error));
	assert_error(error, ATOMSIM_CONFIG, "/sm/count");
	error = NULL;
	g_assert_null(atomsim_config_parse("mine", "{", 1, NULL, &error));
	assert_error(error, ATOMSIM_CONFIG, "mine:1:");
	error = NULL;
	g_assert_null(atomsim_trace_generate("vote", NULL, &error));
	assert_error(error, ATOMSIM_USAGE, "voting");
	error = NULL;
	g_assert_null(atomsim_trace_open_bytes("bytes", "no trace", 8, &error));
	assert_error(error, ATOMSIM_TRACE, "bytes");
	error = NULL;
	g_assert_null(atomsim_run(small, trace, NULL, &error));
	assert_error(error, ATOMSIM_RUN, "warps");
	error = NULL;
	g_assert_null(atomsim_run(config, trace, &options, &error));
	assert_error(error, ATOMSIM_RUN, "interrupted");
	g_assert_cmpuint(n_calls, >, 0);
	options.size = 0;
	error = NULL;
	g_assert_null(atomsim_run(config, trace, &options, &error));
	assert_error(error, ATOMSIM_USAGE, "sizeof");
	/* What GLib itself says, as its errors are within, is of files. */
	assert_error((AtomsimError *)g_error_new_literal(G_FILE_ERROR, G_FILE_ERROR_ISDIR,
							 "a folder"),
		     ATOMSIM_IO, "a folder");
	/* Nobody need ask why. */
	g_assert_null(atomsim_config_load("nowhere.json", NULL, NULL));
	atomsim_trace_free(trace);
	atomsim_config_free(small);
	atomsim_config_free(config);
}

static void test_bytes_of_a_trace_open_again(void)
{
	AtomsimConfig *config = load();
	AtomsimTrace *trace = votes(), *again;
	AtomsimResult *a, *b;
	uint64_t cycles_a = 0, cycles_b = 1;
	size_t length = 0;
	const void *bytes = atomsim_trace_bytes(trace, &length);

	again = atomsim_trace_open_bytes("again", bytes, length, NULL);
	g_assert_cmpuint(atomsim_trace_blocks(again), ==, 2);
	g_assert_cmpstr(atomsim_trace_metadata(again), ==, atomsim_trace_metadata(trace));
	a = atomsim_run(config, trace, NULL, NULL);
	b = atomsim_run(config, again, NULL, NULL);
	g_assert_true(atomsim_result_count(a, "cycles", &cycles_a));
	g_assert_true(atomsim_result_count(b, "cycles", &cycles_b));
	g_assert_cmpuint(cycles_a, ==, cycles_b);
	atomsim_result_free(a);
	atomsim_result_free(b);
	atomsim_trace_free(again);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static void test_a_shipped_trace_opens_by_its_name(void)
{
	AtomsimConfig *config = load();
	AtomsimTrace *trace = atomsim_trace_open("transpose", NULL);
	AtomsimResult *result = atomsim_run(config, trace, NULL, NULL);

	/* The report calls it as the command's does. */
	g_assert_cmpstr(atomsim_result_text(result, "trace.name"), ==, "transpose.bin");
	atomsim_result_free(result);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

/* Programs of an older version have a smaller struct: what it lacks is zero. */
static void test_options_of_an_older_version_do(void)
{
	union {
		AtomsimOptions whole;
		char bytes[sizeof(AtomsimOptions)];
	} old;
	AtomsimConfig *config = load();
	AtomsimTrace *trace = votes();
	AtomsimResult *result;

	memset(old.bytes, 0xff, sizeof(old.bytes));
	old.whole.size = G_STRUCT_OFFSET(AtomsimOptions, threads);
	old.whole.seed = 3;
	result = atomsim_run(config, trace, &old.whole, NULL);
	g_assert_nonnull(result);
	atomsim_result_free(result);
	/* The smallest has its size alone. */
	old.whole.size = sizeof(old.whole.size);
	result = atomsim_run(config, trace, &old.whole, NULL);
	g_assert_nonnull(result);
	atomsim_result_free(result);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/library/every statistic has its name",
			test_every_statistic_has_its_name);
	g_test_add_func("/library/what there is not has no value",
			test_what_there_is_not_has_no_value);
	g_test_add_func("/library/failures say why", test_failures_say_why);
	g_test_add_func("/library/bytes of a trace open again",
			test_bytes_of_a_trace_open_again);
	g_test_add_func("/library/a shipped trace opens by its name",
			test_a_shipped_trace_opens_by_its_name);
	g_test_add_func("/library/options of an older version do",
			test_options_of_an_older_version_do);
	return g_test_run();
}
