/* SPDX-License-Identifier: MIT */
/* atomsim trace check: every checksum and every invariant, and a verdict. */
#include "cli/option.h"
#include "cli/trace/trace.h"
#include "trace/summary.h"

static CliStatus usage(const char *message)
{
	g_printerr("atomsim: trace check: %s\nTry 'atomsim trace check --help'\n", message);
	return CLI_USAGE;
}

static gboolean print_bad(const char *path, guint64 n_problems)
{
	cli_print("%s: bad: %" G_GUINT64_FORMAT " %s\n", path, n_problems,
		  n_problems == 1 ? "problem" : "problems");
	return FALSE;
}

/* Whether the trace is good. */
static gboolean check_file(const char *path, guint limit)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(path, &error);
	g_autoptr(TraceCheck) check = NULL;
	guint64 n_blocks, block;

	if (!reader) {
		cli_print("%s\n", error->message);
		return print_bad(path, 1);
	}
	check = trace_check_new(reader, limit);
	n_blocks = trace_source(reader)->n_blocks;
	for (block = 0; block < n_blocks; block++) {
		if (!cli_progress("blocks", block, n_blocks)) {
			g_printerr("atomsim: %s: interrupted\n", path);
			return FALSE;
		}
		trace_check_block(check, block);
	}
	cli_progress("blocks", n_blocks, n_blocks);
	trace_check_end(check);

	for (guint i = 0; i < trace_check_problems(check)->len; i++)
		cli_print("%s\n", (char *)g_ptr_array_index(trace_check_problems(check), i));
	if (trace_check_n_problems(check) > 0)
		return print_bad(path, trace_check_n_problems(check));
	cli_print("%s: good: %" G_GUINT64_FORMAT " blocks, %" G_GUINT64_FORMAT " records\n",
		  path, n_blocks, trace_n_records(reader));
	return TRUE;
}

/* What the user gave. */
static struct {
	char **files;
	int limit;
} given = {.limit = 20};

static const GOptionEntry entries[] = {
	{"limit", 0, 0, G_OPTION_ARG_INT, &given.limit,
	 "Print the first N problems of a file (0: all; default 20)", "N"},
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	gboolean good = TRUE;

	(void)error; /* each file has its own */
	if (!given.files)
		return usage("no trace given");
	if (given.limit < 0)
		return usage("--limit: a negative number; 0 or more are allowed");
	for (guint i = 0; given.files[i]; i++)
		good &= check_file(given.files[i], (guint)given.limit);
	if (cli_interrupted())
		return CLI_INTERRUPTED;
	return good ? CLI_GOOD : CLI_FAILED;
}

const Command command_trace_check = {
	.name = "trace check",
	.synopsis = "[OPTION]... FILE...",
	.summary = "Check every checksum and invariant of traces",
	.examples = "atomsim trace check traces/weighted.bin\n"
		    "atomsim trace check --limit 0 traces/*.bin",
	.failure = "a trace with a problem",
	.options = entries,
	.run = run,
};
