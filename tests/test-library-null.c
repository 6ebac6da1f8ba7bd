/* SPDX-License-Identifier: MIT */
/*
 * Every pointer that a function of the library takes may be NULL. The table below has each function with what each of
 * its pointers does when it is; the header says which there are, so none is left out.
 */
#include <glib.h>
#include <string.h>

#include "atomsim.h"

#define ALL_GIVEN G_MAXUINT

static AtomsimConfig *config;
static AtomsimTrace *trace;
static AtomsimResult *result;
static const char *const no_settings[] = {NULL};

/* `value`, or NULL if it is the pointer whose turn it is. */
#define GIVEN(number, value) (absent == (number) ? NULL : (value))

/* Each calls its function with everything but pointer number `absent`, and returns whether there was an answer. */
typedef bool Call(guint absent, AtomsimError **error);

static bool call_free(guint absent, AtomsimError **error)
{
	char *text = GIVEN(0, atomsim_config_json(config));

	(void)error;
	atomsim_free(text);
	return true;
}

static AtomsimError *make_error(void)
{
	AtomsimError *error = NULL;

	g_assert_null(atomsim_config_load("nowhere", NULL, &error));
	return error;
}

static bool call_error_code(guint absent, AtomsimError **error)
{
	AtomsimError *made = make_error();
	AtomsimCode code = atomsim_error_code(GIVEN(0, made));

	(void)error;
	atomsim_error_free(made);
	return code != ATOMSIM_USAGE;
}

static bool call_error_message(guint absent, AtomsimError **error)
{
	AtomsimError *made = make_error();
	bool told = !g_str_equal(atomsim_error_message(GIVEN(0, made)), "no error");

	(void)error;
	atomsim_error_free(made);
	return told;
}

static bool call_error_free(guint absent, AtomsimError **error)
{
	(void)error;
	atomsim_error_free(GIVEN(0, make_error()));
	return true;
}

static bool had_config(AtomsimConfig *made)
{
	atomsim_config_free(made);
	return made != NULL;
}

static bool call_config_load(guint absent, AtomsimError **error)
{
	return had_config(atomsim_config_load(GIVEN(0, "fermi.json"), GIVEN(1, no_settings),
					      GIVEN(2, error)));
}

static bool call_config_parse(guint absent, AtomsimError **error)
{
	return had_config(atomsim_config_parse(GIVEN(0, "mine"), GIVEN(1, "{}"), 2,
					       GIVEN(2, no_settings), GIVEN(3, error)));
}

static bool call_config_with(guint absent, AtomsimError **error)
{
	return had_config(
		atomsim_config_with(GIVEN(0, config), GIVEN(1, no_settings), GIVEN(2, error)));
}

static bool had_text(char *text)
{
	atomsim_free(text);
	return text != NULL;
}

static bool call_config_json(guint absent, AtomsimError **error)
{
	(void)error;
	return had_text(atomsim_config_json(GIVEN(0, config)));
}

static bool call_config_free(guint absent, AtomsimError **error)
{
	(void)error;
	atomsim_config_free(GIVEN(0, atomsim_config_with(config, NULL, NULL)));
	return true;
}

static bool had_trace(AtomsimTrace *made)
{
	atomsim_trace_free(made);
	return made != NULL;
}

static bool call_trace_open(guint absent, AtomsimError **error)
{
	return had_trace(atomsim_trace_open(GIVEN(0, "transpose"), GIVEN(1, error)));
}

static bool call_trace_open_bytes(guint absent, AtomsimError **error)
{
	size_t length = 0;
	const void *bytes = atomsim_trace_bytes(trace, &length);

	return had_trace(atomsim_trace_open_bytes(GIVEN(0, "mine"), GIVEN(1, bytes), length,
						  GIVEN(2, error)));
}

static bool call_trace_generate(guint absent, AtomsimError **error)
{
	return had_trace(atomsim_trace_generate(GIVEN(0, "voting"), GIVEN(1, no_settings),
						GIVEN(2, error)));
}

static bool call_trace_scatter(guint absent, AtomsimError **error)
{
	static const int64_t indices[] = {0, 1, -1, 0};

	return had_trace(atomsim_trace_scatter(GIVEN(0, indices), G_N_ELEMENTS(indices),
					       GIVEN(1, no_settings), GIVEN(2, error)));
}

static bool call_trace_bytes(guint absent, AtomsimError **error)
{
	size_t length = 1;
	const void *bytes = atomsim_trace_bytes(GIVEN(0, trace), GIVEN(1, &length));

	(void)error;
	if (!bytes)
		g_assert_cmpuint(length, ==, 0);
	return bytes != NULL;
}

static bool call_trace_metadata(guint absent, AtomsimError **error)
{
	(void)error;
	return atomsim_trace_metadata(GIVEN(0, trace)) != NULL;
}

static bool call_trace_blocks(guint absent, AtomsimError **error)
{
	(void)error;
	return atomsim_trace_blocks(GIVEN(0, trace)) > 0;
}

static bool call_trace_free(guint absent, AtomsimError **error)
{
	(void)error;
	atomsim_trace_free(GIVEN(0, atomsim_trace_open("transpose", NULL)));
	return true;
}

static bool call_run(guint absent, AtomsimError **error)
{
	const AtomsimOptions options = {.size = sizeof(options)};
	AtomsimResult *made = atomsim_run(GIVEN(0, config), GIVEN(1, trace), GIVEN(2, &options),
					  GIVEN(3, error));

	atomsim_result_free(made);
	return made != NULL;
}

static bool call_advise(guint absent, AtomsimError **error)
{
	const AtomsimOptions options = {.size = sizeof(options)};
	AtomsimResult *made = atomsim_advise(GIVEN(0, config), GIVEN(1, trace),
					     GIVEN(2, &options), GIVEN(3, error));

	atomsim_result_free(made);
	return made != NULL;
}

static bool call_sweep(guint absent, AtomsimError **error)
{
	const AtomsimOptions options = {.size = sizeof(options)};
	AtomsimTrace *const traces[] = {trace, NULL};

	return had_text(
		atomsim_sweep(GIVEN(0, config), GIVEN(1, traces),
			      GIVEN(2, "{\"config\": \"fermi\", \"traces\": [\"transpose\"], "
				       "\"vary\": {\"sm.count\": [1]}}"),
			      GIVEN(3, &options), GIVEN(4, error)));
}

static bool call_result_page(guint absent, AtomsimError **error)
{
	(void)error;
	return atomsim_result_page(GIVEN(0, result)) != NULL;
}

static bool call_result_note(guint absent, AtomsimError **error)
{
	(void)error;
	return atomsim_result_note(GIVEN(0, result), 0) != NULL;
}

static bool call_result_count(guint absent, AtomsimError **error)
{
	uint64_t count = 0;

	(void)error;
	return atomsim_result_count(GIVEN(0, result), GIVEN(1, "cycles"), GIVEN(2, &count));
}

static bool call_result_number(guint absent, AtomsimError **error)
{
	double number = 0;

	(void)error;
	return atomsim_result_number(GIVEN(0, result), GIVEN(1, "time_us"), GIVEN(2, &number));
}

static bool call_result_text(guint absent, AtomsimError **error)
{
	(void)error;
	return atomsim_result_text(GIVEN(0, result), GIVEN(1, "trace.name")) != NULL;
}

static bool call_result_json(guint absent, AtomsimError **error)
{
	(void)error;
	return had_text(atomsim_result_json(GIVEN(0, result)));
}

static bool call_result_free(guint absent, AtomsimError **error)
{
	(void)error;
	atomsim_result_free(GIVEN(0, atomsim_run(config, trace, NULL, NULL)));
	return true;
}

/* What happens when each of its pointers, in their order, is NULL: U: ATOMSIM_USAGE, which names it; 0: no answer, no error;
   -: nothing, as it need not be. */
static const struct {
	const char *name;
	Call *call;
	const char *outcomes;
} functions[] = {
	{"atomsim_version", NULL, ""},
	{"atomsim_free", call_free, "-"},
	{"atomsim_error_code", call_error_code, "0"},
	{"atomsim_error_message", call_error_message, "0"},
	{"atomsim_error_free", call_error_free, "-"},
	{"atomsim_config_load", call_config_load, "U--"},
	{"atomsim_config_parse", call_config_parse, "UU--"},
	{"atomsim_config_with", call_config_with, "U--"},
	{"atomsim_config_json", call_config_json, "0"},
	{"atomsim_config_free", call_config_free, "-"},
	{"atomsim_trace_open", call_trace_open, "U-"},
	{"atomsim_trace_open_bytes", call_trace_open_bytes, "UU-"},
	{"atomsim_trace_generate", call_trace_generate, "U--"},
	{"atomsim_trace_scatter", call_trace_scatter, "U--"},
	{"atomsim_trace_bytes", call_trace_bytes, "0-"},
	{"atomsim_trace_metadata", call_trace_metadata, "0"},
	{"atomsim_trace_blocks", call_trace_blocks, "0"},
	{"atomsim_trace_free", call_trace_free, "-"},
	{"atomsim_run", call_run, "UU--"},
	{"atomsim_advise", call_advise, "UU--"},
	{"atomsim_sweep", call_sweep, "--U--"},
	{"atomsim_result_count", call_result_count, "00-"},
	{"atomsim_result_number", call_result_number, "00-"},
	{"atomsim_result_text", call_result_text, "00"},
	{"atomsim_result_json", call_result_json, "0"},
	{"atomsim_result_page", call_result_page, "0"},
	{"atomsim_result_note", call_result_note, "0"},
	{"atomsim_result_free", call_result_free, "-"},
	{"atomsim_statistic_name", NULL, ""},
	{"atomsim_json_schema", NULL, ""},
	{"atomsim_config_name", NULL, ""},
	{"atomsim_trace_name", NULL, ""},
};

/* The header without comments, line ends and indents. */
static char *read_header(void)
{
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "src", "atomsim.h", NULL);
	g_autofree char *text = NULL, *bare = NULL;
	g_autoptr(GRegex) comment = g_regex_new("/\\*.*?\\*/", G_REGEX_DOTALL, 0, NULL);
	g_autoptr(GRegex) space = g_regex_new("\\s+", 0, 0, NULL);
	g_autoptr(GError) error = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	bare = g_regex_replace(comment, text, -1, 0, "", 0, NULL);
	return g_regex_replace(space, bare, -1, 0, " ", 0, NULL);
}

/* The pointers that a function takes, by name, in their order; NULL: the header does not declare it. g_strfreev. */
static char **pointers_of(const char *header, const char *name)
{
	g_autofree char *pattern = g_strdup_printf("\\b%s ?\\(([^)]*)\\);", name);
	g_autoptr(GRegex) declaration = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GRegex) pointer = g_regex_new("\\*(\\w+) ?(?:,|$)", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL, parameter = NULL;
	GPtrArray *pointers = g_ptr_array_new();
	g_autofree char *list = NULL;

	if (!g_regex_match(declaration, header, 0, &match))
		return (char **)g_ptr_array_free(pointers, TRUE);
	list = g_match_info_fetch(match, 1);
	g_regex_match(pointer, list, 0, &parameter);
	for (; g_match_info_matches(parameter); g_match_info_next(parameter, NULL))
		g_ptr_array_add(pointers, g_match_info_fetch(parameter, 1));
	g_ptr_array_add(pointers, NULL);
	return (char **)g_ptr_array_free(pointers, FALSE);
}

static void check_pointer(guint function, guint absent, const char *pointer)
{
	const char outcome = functions[function].outcomes[absent];
	Call *call = functions[function].call;
	AtomsimError *error = NULL;
	bool answered;

	g_test_message("%s, %s NULL", functions[function].name, pointer);
	answered = call(absent, &error);
	g_assert_cmpint(answered, ==, outcome == '-');
	g_assert_cmpint(error != NULL, ==, outcome == 'U');
	if (!error)
		return;
	g_assert_cmpint(atomsim_error_code(error), ==, ATOMSIM_USAGE);
	g_assert_true(g_str_has_prefix(atomsim_error_message(error), pointer));
	atomsim_error_free(error);
	/* Nor need anybody ask why. */
	g_assert_false(call(absent, NULL));
}

static void test_every_pointer_may_be_null(void)
{
	g_autofree char *header = read_header();

	for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
		g_auto(GStrv) pointers = pointers_of(header, functions[i].name);

		g_assert_nonnull(pointers);
		g_test_message("%s", functions[i].name);
		g_assert_cmpuint(g_strv_length(pointers), ==, strlen(functions[i].outcomes));
		if (functions[i].call)
			g_assert_true(functions[i].call(ALL_GIVEN, NULL));
		for (guint k = 0; pointers[k]; k++)
			check_pointer(i, k, pointers[k]);
	}
}

static void test_every_function_is_in_the_table(void)
{
	g_autofree char *header = read_header();
	g_autoptr(GRegex) declared = g_regex_new("\\b(atomsim_\\w+) ?\\(", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	guint n = 0;

	for (g_regex_match(declared, header, 0, &match); g_match_info_matches(match);
	     g_match_info_next(match, NULL), n++) {
		g_autofree char *name = g_match_info_fetch(match, 1);
		guint i = 0;

		while (i < G_N_ELEMENTS(functions) && !g_str_equal(functions[i].name, name))
			i++;
		if (i == G_N_ELEMENTS(functions))
			g_error("%s is not in the table of this test", name);
	}
	g_assert_cmpuint(n, ==, G_N_ELEMENTS(functions));
}

int main(int argc, char **argv)
{
	int status;

	static const char *const idle[] = {"atomic.cas_loop.cas_cycles=1", NULL};
	static const char *const small[] = {"words=64", "steps=2", NULL};
	const AtomsimOptions options = {.size = sizeof(options), .page = true};

	g_test_init(&argc, &argv, NULL);
	config = atomsim_config_load("fermi.json", idle, NULL);
	trace = atomsim_trace_generate("voting", small, NULL);
	result = atomsim_run(config, trace, &options, NULL);
	g_assert_nonnull(result);
	g_test_add_func("/library-null/every function is in the table",
			test_every_function_is_in_the_table);
	g_test_add_func("/library-null/every pointer may be NULL",
			test_every_pointer_may_be_null);
	status = g_test_run();
	atomsim_result_free(result);
	atomsim_trace_free(trace);
	atomsim_config_free(config);
	return status;
}
