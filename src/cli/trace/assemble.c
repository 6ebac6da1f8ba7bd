/* SPDX-License-Identifier: MIT */
/* atomsim trace assemble: a trace text (docs/reference/trace-text.md) becomes a trace. */
#include <string.h>

#include "cli/option.h"
#include "cli/trace/trace.h"
#include "base/error.h"
#include "trace/text/text.h"

#define SUFFIX ".trace"

static gboolean usage(GError **error, const char *format, const char *value)
{
	g_autofree char *what = g_strdup_printf(format, value);

	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "trace assemble: %s", what);
}

/* "NAME=VALUE" as two lists, NULL-terminated; the values are parts of the settings. */
static gboolean read_settings(const TraceText *text, char **settings, GPtrArray *names,
			      GPtrArray *values, GError **error)
{
	g_autofree const char **parameters = trace_text_parameters(text, FALSE);

	for (guint i = 0; settings && settings[i]; i++) {
		char *sign = strchr(settings[i], '=');

		if (sign == NULL)
			return usage(error, "--set: '%s' found; allowed: NAME=VALUE",
				     settings[i]);
		*sign = '\0';
		if (!g_strv_contains(parameters, settings[i])) {
			g_autofree char *known = g_strjoinv(", ", (char **)parameters);

			return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
					    "trace assemble: --set: no parameter '%s' in %s; "
					    "allowed: %s",
					    settings[i], trace_text_name(text),
					    *known ? known : "none");
		}
		g_ptr_array_add(names, settings[i]);
		g_ptr_array_add(values, sign + 1);
	}
	g_ptr_array_add(names, NULL);
	g_ptr_array_add(values, NULL);
	return TRUE;
}

static gboolean assemble(const char *path, const char *output, char **given, GError **error)
{
	g_autoptr(TraceText) text = trace_text_read(path, NULL, NULL, error);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	g_autoptr(TraceWriter) writer = NULL;
	g_autofree char *metadata = NULL;
	g_autofree char *skipped = NULL;
	TextOutcome outcome;
	TextSettings settings;

	if (text == NULL || !read_settings(text, given, names, values, error))
		return FALSE;
	settings = (TextSettings){(const char *const *)names->pdata,
				  (const char *const *)values->pdata};
	writer = trace_writer_new(output, error);
	if (writer == NULL)
		return FALSE;
	metadata = trace_text_write(text, &settings, TRACE_TEXT_MAX_STEPS, writer, &outcome,
				    error);
	skipped = outcome.skipped;
	return metadata && trace_writer_finish(g_steal_pointer(&writer), metadata, error);
}

/* FILE.trace becomes FILE.bin. g_free. */
static char *output_beside(const char *path)
{
	const gsize length =
		strlen(path) - (g_str_has_suffix(path, SUFFIX) ? strlen(SUFFIX) : 0);

	return g_strdup_printf("%.*s.bin", (int)length, path);
}

/* What the user gave. */
static struct {
	char *output;
	char **settings, **files;
} given;

static const GOptionEntry entries[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
	 "Write the trace to OUT (default: FILE with .bin in place of .trace)", "OUT"},
	{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.settings,
	 "Give a parameter of the text a value, as in --set warps=4; may be repeated",
	 "NAME=VALUE"},
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	if (!given.files || given.files[1]) {
		usage(error, "%s; one trace text is needed",
		      given.files ? "several files given" : "no file given");
		return CLI_FAILED;
	}
	if (given.output == NULL)
		given.output = output_beside(given.files[0]);
	if (!assemble(given.files[0], given.output, given.settings, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_trace_assemble = {
	.name = "trace assemble",
	.synopsis = "[OPTION]... FILE",
	.summary = "Assemble a small text program to a trace",
	.examples = "atomsim trace assemble program.trace\n"
		    "atomsim trace assemble --set warps=4 -o four.bin program.trace",
	.options = entries,
	.run = run,
};
