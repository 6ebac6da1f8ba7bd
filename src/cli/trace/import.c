/* SPDX-License-Identifier: MIT */
/* atomsim trace import: makes traces of what other tools recorded. */
#include "cli/option.h"
#include "cli/trace/trace.h"
#include "base/error.h"
#include "trace/importer.h"

static gboolean check_usage(char **files, const char *output, GError **error)
{
	if (files && !files[1] && output)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "trace import: %s",
			    !files    ? "nothing to import: give a file or a folder"
			    : !output ? "no output; allowed: -o FILE or -o FOLDER"
				      : "several inputs given; one file or folder is needed");
}

static void report_traces(const GPtrArray *traces)
{
	const char *count = "atomsim: %s: %" G_GUINT64_FORMAT " %s\n";

	for (guint i = 0; i < traces->len; i++) {
		const ImportedTrace *trace = g_ptr_array_index(traces, i);
		const ImportCounts *counts = &trace->counts;

		g_printerr("atomsim: %s: %" G_GUINT64_FORMAT " blocks, %" G_GUINT64_FORMAT
			   " warp instructions\n",
			   trace->path, counts->n_blocks, counts->n_instructions);
		if (counts->n_unknown > 0)
			g_printerr(count, trace->path, counts->n_unknown,
				   "instructions are not known and count as arithmetic: see "
				   "\"unknown_operations\" in the metadata");
		if (counts->n_dropped > 0)
			g_printerr(count, trace->path, counts->n_dropped,
				   "instructions have no record of their own and became "
				   "'unknown': "
				   "see "
				   "\"unknown_operations\" and \"dropped\" in the metadata");
	}
}

static gboolean progress(gpointer data, guint64 bytes_read, guint64 bytes)
{
	(void)data;
	return cli_progress("bytes", bytes_read, MAX(bytes, bytes_read + 1));
}

/* What the user gave. */
static struct {
	char *output, *format;
	char **files;
} given;

static const GOptionEntry entries[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
	 "Output: a file for one kernel, a folder for a folder or a list", "FILE|FOLDER"},
	{"format", 0, 0, G_OPTION_ARG_STRING, &given.format,
	 "Format of the input (default: by its name); see 'atomsim list importers'", "NAME"},
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	const ImportProgress report = {.function = progress};
	g_autoptr(GPtrArray) traces = NULL;

	if (!check_usage(given.files, given.output, error))
		return CLI_FAILED;
	traces = import_traces(given.files[0], given.output, given.format, &report, error);
	cli_progress("bytes", 1, 1);
	if (!traces)
		return CLI_FAILED;
	report_traces(traces);
	return CLI_GOOD;
}

const Command command_trace_import = {
	.name = "trace import",
	.synopsis = "[OPTION]... -o FILE|FOLDER INPUT",
	.summary = "Convert traces of other tools (Accel-Sim)",
	.examples = "atomsim trace import -o kernel.bin kernel-1.traceg\n"
		    "atomsim trace import -o traces/ traces/kernelslist.g",
	.options = entries,
	.run = run,
};
