/* SPDX-License-Identifier: MIT */
/* What-ifs, advice, sweeps and indices through the library's header alone. */
#include <glib.h>
#include <string.h>

#include "atomsim.h"

static AtomsimConfig *load(const char *name, const char *setting)
{
	const char *const settings[] = {setting, NULL};
	AtomsimError *error = NULL;
	AtomsimConfig *config = atomsim_config_load(name, settings, &error);

	g_assert_cmpstr(atomsim_error_message(error), ==, "no error");
	return config;
}

static AtomsimTrace *open_trace(const char *name)
{
	AtomsimTrace *trace = atomsim_trace_open(name, NULL);

	g_assert_nonnull(trace);
	return trace;
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

static uint64_t count_of(const AtomsimResult *result, const char *name)
{
	uint64_t count = 0;

	g_assert_true(atomsim_result_count(result, name, &count));
	return count;
}

static double number_of(const AtomsimResult *result, const char *name)
{
	double number = 0;

	g_assert_true(atomsim_result_number(result, name, &number));
	return number;
}

static void test_what_ifs_are_compared_with_the_trace_as_it_is(void)
{
	const char *const changes[] = {"replicate=4", NULL};
	const AtomsimOptions options = {.size = sizeof(options), .what_ifs = changes};
	AtomsimConfig *config = load("h200", NULL);
	AtomsimTrace *trace = open_trace("weighted");
	AtomsimResult *plain = atomsim_run(config, trace, NULL, NULL);
	AtomsimResult *changed = atomsim_run(config, trace, &options, NULL);

	g_assert_cmpuint(count_of(changed, "what_if.unchanged_cycles"), ==,
			 count_of(plain, "cycles"));
	g_assert_cmpuint(count_of(changed, "cycles"), !=, count_of(plain, "cycles"));
	/* The causes, as the command's report has them. */
	g_assert_cmpuint(count_of(plain, "causes[0].saves_cycles"), <,
			 count_of(plain, "cycles"));
	g_assert_null(atomsim_result_page(plain));
	atomsim_result_free(changed);
	atomsim_result_free(plain);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static void test_bad_what_ifs_say_why(void)
{
	const char *const none[] = {"replicat=4", NULL}, *const nowhere[] = {"pad=32:1", NULL};
	AtomsimOptions options = {.size = sizeof(options), .what_ifs = none};
	AtomsimConfig *config = load("h200", NULL);
	AtomsimTrace *trace = atomsim_trace_generate("global-atomics", NULL, NULL);
	AtomsimError *error = NULL;

	g_assert_null(atomsim_run(config, trace, &options, &error));
	assert_error(error, ATOMSIM_USAGE, "replicat");
	error = NULL;
	options.what_ifs = nowhere;
	g_assert_null(atomsim_run(config, trace, &options, &error));
	assert_error(error, ATOMSIM_INPUT, "global-atomics");
	error = NULL;
	g_assert_null(atomsim_advise(config, trace, &options, &error));
	assert_error(error, ATOMSIM_USAGE, "AtomsimOptions.what_ifs");
	error = NULL;
	g_assert_null(atomsim_sweep(config, NULL, "{}", &options, &error));
	assert_error(error, ATOMSIM_USAGE, "AtomsimOptions.what_ifs");
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static void test_what_had_no_effect_is_said(void)
{
	const char *const more[] = {"atomic.locks=64", NULL};
	AtomsimConfig *config = load("h200", NULL),
		      *set = atomsim_config_with(config, more, NULL);
	AtomsimTrace *trace = open_trace("weighted");
	AtomsimResult *plain = atomsim_run(config, trace, NULL, NULL);
	AtomsimResult *result = atomsim_run(set, trace, NULL, NULL);

	g_assert_null(atomsim_result_note(plain, 0));
	g_assert_nonnull(strstr(atomsim_result_note(result, 0), "atomic.locks has no effect"));
	g_assert_null(atomsim_result_note(result, 1));
	atomsim_result_free(result);
	atomsim_result_free(plain);
	atomsim_trace_free(trace);
	atomsim_config_free(set);
	atomsim_config_free(config);
}

static void test_advice_has_changes_and_their_gain(void)
{
	AtomsimConfig *config = load("h200", NULL);
	AtomsimTrace *trace = open_trace("weighted");
	AtomsimResult *advice = atomsim_advise(config, trace, NULL, NULL);
	const char *change = atomsim_result_text(advice, "advice[0].what_if");
	const char *const changes[] = {change, NULL};
	const AtomsimOptions options = {.size = sizeof(options), .what_ifs = changes};
	AtomsimResult *changed;

	g_assert_nonnull(change);
	g_assert_cmpfloat(number_of(advice, "advice[0].gain"), >, 1);
	/* By the name that was asked for, as the command has it. */
	g_assert_cmpstr(atomsim_result_text(advice, "trace"), ==, "weighted");
	changed = atomsim_run(config, trace, &options, NULL);
	g_assert_cmpuint(count_of(changed, "cycles"), ==, count_of(advice, "advice[0].cycles"));
	atomsim_result_free(changed);
	atomsim_result_free(advice);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static bool stop(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)data;
	(void)blocks_done;
	(void)n_blocks;
	return false;
}

static void test_who_wants_no_more_gets_an_error(void)
{
	AtomsimOptions options = {.size = sizeof(options), .progress = stop};
	AtomsimConfig *config = load("fermi", NULL);
	AtomsimTrace *trace = open_trace("histogram");
	AtomsimTrace *const traces[] = {trace, NULL};
	AtomsimError *error = NULL;

	g_assert_null(atomsim_advise(config, trace, &options, &error));
	assert_error(error, ATOMSIM_RUN, "interrupted");
	error = NULL;
	/* More points than are done before it is asked for the first time, after a tenth of a second. */
	g_assert_null(atomsim_sweep(
		config, traces,
		"{\"vary\": {\"atomic.lock_bits.t_position_cycles\": \"120..2000\"}}", &options,
		&error));
	assert_error(error, ATOMSIM_RUN, "interrupted");
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static void test_a_sweep_gives_a_line_a_point(void)
{
	AtomsimConfig *config = load("fermi", "sm.count=1");
	AtomsimTrace *trace = atomsim_trace_generate("voting", NULL, NULL);
	AtomsimTrace *const traces[] = {trace, NULL};
	char *text = atomsim_sweep(
		config, traces, "{\"vary\": {\"atomic.locks\": \"64..256:*2\"}}", NULL, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	AtomsimResult *result = atomsim_run(config, trace, NULL, NULL);
	g_autofree char *cycles = g_strdup_printf("\"cycles\":%" G_GUINT64_FORMAT ",",
						  count_of(result, "cycles"));

	g_assert_cmpuint(g_strv_length(lines), ==, 4);
	g_assert_true(g_str_has_prefix(lines[0], "{\"point\":1,\"status\":\"complete\""));
	g_assert_nonnull(strstr(lines[1], "\"varied\":{\"atomic.locks\":128}"));
	g_assert_cmpuint(count_of(result, "config.sm.count"), ==, 1);
	g_assert_nonnull(strstr(lines[0], "\"count\":1"));
	g_assert_nonnull(strstr(text, cycles));
	atomsim_free(text);
	atomsim_result_free(result);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static void test_bad_sweeps_say_where(void)
{
	AtomsimConfig *config = load("fermi", NULL);
	AtomsimTrace *trace = open_trace("histogram");
	AtomsimTrace *const traces[] = {trace, NULL};
	AtomsimError *error = NULL;

	g_assert_null(atomsim_sweep(config, traces, "{\n\"varry\": {}}", NULL, &error));
	assert_error(error, ATOMSIM_INPUT, "sweep:2:1");
	error = NULL;
	g_assert_null(atomsim_sweep(config, traces, "{\"vary\": {\"atomic.locks\": [64, 0]}}",
				    NULL, &error));
	assert_error(error, ATOMSIM_CONFIG, "atomic.locks=0");
	error = NULL;
	g_assert_null(atomsim_sweep(NULL, NULL, "{\"vary\": {\"atomic.locks\": [64]}}", NULL,
				    &error));
	assert_error(error, ATOMSIM_USAGE, "config");
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static void test_indices_from_memory_are_those_of_a_file(void)
{
	static const char *const settings[] = {"space=shared", "type=f32", NULL};
	g_autofree char *path =
		g_build_filename(g_getenv("SOURCE"), "tests", "indices.csv", NULL);
	g_autofree char *option = g_strconcat("file=", path, NULL);
	const char *const from_file[] = {settings[0], settings[1], option, NULL};
	int64_t indices[256];
	size_t n = 0;
	AtomsimConfig *config = load("h200", NULL);
	AtomsimTrace *file = atomsim_trace_generate("scatter", from_file, NULL), *memory;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	AtomsimResult *a, *b;
	AtomsimError *error = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(g_strchomp(text), "\n", -1);
	for (; lines[n + 1] != NULL; n++)
		indices[n] = g_ascii_strtoll(lines[n + 1], NULL, 10);
	memory = atomsim_trace_scatter(indices, n, settings, NULL);
	a = atomsim_run(config, file, NULL, NULL);
	b = atomsim_run(config, memory, NULL, NULL);
	g_assert_cmpuint(count_of(a, "cycles"), ==, count_of(b, "cycles"));
	g_assert_cmpuint(count_of(b, "atomics.lane_operations"), >, 32);
	g_assert_cmpuint(count_of(a, "atomics.attempts"), ==, count_of(b, "atomics.attempts"));
	atomsim_result_free(a);
	atomsim_result_free(b);
	indices[3] = -2;
	g_assert_null(atomsim_trace_scatter(indices, n, settings, &error));
	assert_error(error, ATOMSIM_INPUT, "index 3 is -2");
	atomsim_trace_free(memory);
	atomsim_trace_free(file);
	atomsim_config_free(config);
}

static void test_the_page_is_a_page(void)
{
	const AtomsimOptions options = {.size = sizeof(options), .page = true};
	AtomsimConfig *config = load("h200", NULL);
	AtomsimTrace *trace = open_trace("transpose");
	AtomsimResult *result = atomsim_run(config, trace, &options, NULL);

	g_assert_nonnull(strstr(atomsim_result_page(result), "<title>atomsim report</title>"));
	atomsim_result_free(result);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
}

static bool has_name(char *(*name_of)(size_t), const char *wanted)
{
	for (size_t i = 0;; i++) {
		g_autofree char *name = name_of(i);

		if (name == NULL || g_str_equal(name, wanted))
			return name != NULL;
	}
}

static void test_what_is_installed_is_listed(void)
{
	g_assert_true(has_name(atomsim_config_name, "fermi.json"));
	g_assert_true(has_name(atomsim_trace_name, "weighted.bin"));
	g_assert_false(has_name(atomsim_trace_name, "nothing"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name, function) g_test_add_func("/library-answers/" name, function)
	TEST("what-ifs are compared with the trace as it is",
	     test_what_ifs_are_compared_with_the_trace_as_it_is);
	TEST("bad what-ifs say why", test_bad_what_ifs_say_why);
	TEST("what had no effect is said", test_what_had_no_effect_is_said);
	TEST("advice has changes and their gain", test_advice_has_changes_and_their_gain);
	TEST("who wants no more gets an error", test_who_wants_no_more_gets_an_error);
	TEST("a sweep gives a line a point", test_a_sweep_gives_a_line_a_point);
	TEST("bad sweeps say where", test_bad_sweeps_say_where);
	TEST("indices from memory are those of a file",
	     test_indices_from_memory_are_those_of_a_file);
	TEST("the page is a page", test_the_page_is_a_page);
	TEST("what is installed is listed", test_what_is_installed_is_listed);
	return g_test_run();
}
