/* SPDX-License-Identifier: MIT */
/* atomsim capture: records a CUDA program, or converts what capture.sh recorded elsewhere. */
#include <string.h>

#include "gpu/convert/convert.h"
#include "cli/capture-rank.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "cli/tool.h"
#include "base/error.h"
#include "base/installed.h"

static char *from, *output, *kernel, *launch, *blocks, *buffer, *keep, *config, *sample;
static gboolean raw, allow_gaps, all;
static char **program;

static const GOptionEntry entries[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "Write the trace to FILE; several launches become FILE.1, FILE.2, ... before its "
	 "suffix",
	 "FILE"},
	{"kernel", 0, 0, G_OPTION_ARG_STRING, &kernel,
	 "Record kernels whose (mangled) name matches this regular expression", "REGEX"},
	{"launch", 0, 0, G_OPTION_ARG_STRING, &launch,
	 "Record only these of the matching launches (from 1)", "N[-M]"},
	{"blocks", 0, 0, G_OPTION_ARG_STRING, &blocks,
	 "Record only these thread blocks (from 0); with STEP, every STEP-th", "A[-B[:STEP]]"},
	OPTION_SAMPLE(&sample),
	{"buffer", 0, 0, G_OPTION_ARG_STRING, &buffer,
	 "Size of the event buffer, with K, M or G (default 64M)", "SIZE"},
	{"raw", 0, 0, G_OPTION_ARG_NONE, &raw, "Keep every attempt of retry loops as recorded",
	 NULL},
	{"allow-gaps", 0, 0, G_OPTION_ARG_NONE, &allow_gaps,
	 "Exit with 0 even if some instructions could not be recorded", NULL},
	{"from", 0, 0, G_OPTION_ARG_FILENAME, &from,
	 "Run no program: convert a folder of capture.sh or atomsim_record.cuh", "FOLDER"},
	{"keep", 0, 0, G_OPTION_ARG_FILENAME, &keep,
	 "Keep the raw records of capture.sh in this folder", "FOLDER"},
	{"all", 0, 0, G_OPTION_ARG_NONE, &all,
	 "Rank the program's kernels by time, with the time that advice would save (needs "
	 "--config)",
	 NULL},
	OPTION_CONFIG(&config),
	OPTION_OPERANDS(&program),
	G_OPTION_ENTRY_NULL,
};

static gboolean usage(GError **error, const char *format, const char *value)
{
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, format, value);
}

static gboolean is_range(const char *text)
{
	return g_regex_match_simple("^[0-9]{1,18}(-[0-9]{1,18})?$", text, 0, 0);
}

static gboolean check_options(GError **error)
{
	if (!output)
		return usage(error, "no trace to write: give -o FILE%s", "");
	if (from && program)
		return usage(error, "'%s': --from converts a folder and runs no program",
			     program[0]);
	if (!from && !program)
		return usage(error, "no program to run: give it after --%s", "");
	if (launch && (!is_range(launch) || g_ascii_strtoull(launch, NULL, 10) < 1))
		return usage(error, "--launch must be N or N-M, counted from 1, not '%s'",
			     launch);
	if (blocks && !g_regex_match_simple("^[0-9]{1,18}(-[0-9]{1,18}(:[1-9][0-9]{0,17})?)?$",
					    blocks, 0, 0))
		return usage(error,
			     "--blocks must be A, A-B or A-B:STEP, counted from 0, not '%s'",
			     blocks);
	if (!cli_read_sample(sample, NULL, error))
		return FALSE;
	if (sample && blocks)
		return usage(error,
			     "--sample chooses the blocks and does not go with --blocks %s",
			     blocks);
	if (buffer && cli_size(buffer) < 4096)
		return usage(error, "--buffer must be a size of 4K or more, not '%s'", buffer);
	if (all != (config != NULL))
		return usage(error,
			     "--all and --config go together; for example: --all --config "
			     "h200%s",
			     "");
	if (kernel) {
		g_autoptr(GRegex) regex = g_regex_new(kernel, 0, 0, NULL);

		if (!regex)
			return usage(error, "--kernel: '%s' is no regular expression", kernel);
	}
	return TRUE;
}

/* capture.sh lies beside what it builds. */
static char *find_script(GError **error)
{
	char *named[] = {(char *)g_getenv("ATOMSIM_CAPTURE"), NULL};
	g_auto(GStrv) folders =
		named[0] ? g_strdupv(named)
			 : installed_folders("capture", "src/gpu/capture", "ATOMSIM_CAPTURE");
	g_autofree char *places = g_strjoinv(", ", folders);
	char *script = installed_find(folders, "capture.sh", "");

	if (!script)
		atomsim_fail(
			error, ATOMSIM_ERROR_IO,
			"no capture.sh in %s: install atomsim, or set ATOMSIM_CAPTURE to the "
			"folder src/gpu/capture of its sources",
			places);
	return script;
}

static void add_option(GPtrArray *arguments, const char *option, const char *value)
{
	if (!value)
		return;
	g_ptr_array_add(arguments, g_strdup(option));
	g_ptr_array_add(arguments, g_strdup(value));
}

/* Runs capture.sh, which says on stderr what fails. */
static gboolean record(const char *folder, GError **error)
{
	g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *bytes =
		buffer ? g_strdup_printf("%" G_GUINT64_FORMAT, cli_size(buffer)) : NULL;
	g_autofree char *script = find_script(error);
	g_autoptr(GError) problem = NULL;
	int status = 0;

	if (!script)
		return FALSE;
	add_option(arguments, "sh", script);
	add_option(arguments, "--output", folder);
	add_option(arguments, "--kernel", kernel);
	add_option(arguments, "--launch", launch);
	add_option(arguments, "--blocks", blocks);
	add_option(arguments, "--sample", sample);
	add_option(arguments, "--buffer", bytes);
	g_ptr_array_add(arguments, g_strdup("--"));
	for (char **argument = program; *argument; argument++)
		g_ptr_array_add(arguments, g_strdup(*argument));
	g_ptr_array_add(arguments, NULL);
	if (!cli_run_program(arguments, FALSE, NULL, &status, &problem) ||
	    !g_spawn_check_wait_status(status, NULL))
		return atomsim_fail(error, ATOMSIM_ERROR_IO, "'%s' was not captured%s%s",
				    program[0], problem ? ": " : "",
				    problem ? problem->message : "");
	return TRUE;
}

/* What of a launch is not in its trace: said, and counted. */
static guint64 report_gaps(const ConvertedTrace *trace)
{
	const ConvertCounts *counts = &trace->counts;
	guint64 lost = counts->matrix_accesses + counts->remote_accesses +
		       counts->partial_barriers + counts->unknown_operations +
		       counts->out_of_range;

	if (counts->nested_locks > 0)
		g_printerr("atomsim: %s: %" G_GUINT64_FORMAT
			   " times a lane took a lock while it held another: the outer "
			   "ones are recorded as atomics, in the order of this run\n",
			   trace->path, counts->nested_locks);
	if (counts->bulk_instructions > 0)
		g_printerr(
			"atomsim: %s: not in the trace, though the kernel's time may depend on "
			"them, are these instructions of its code: %s; what else it does is. "
			"Launches without them can be replayed whole\n",
			trace->path, trace->bulk);
	if (trace->marked)
		g_printerr("atomsim: %s: the program recorded itself: the trace has what it "
			   "marks; before %" G_GUINT64_FORMAT
			   " accesses and barriers no instructions are known\n",
			   trace->path, counts->unmarked_gaps);
	if (lost > 0)
		g_printerr("atomsim: %s: %" G_GUINT64_FORMAT
			   " events have no record of their own and became 'unknown': see "
			   "\"capture\" in the metadata\n",
			   trace->path, lost);
	return lost + counts->bulk_instructions + counts->nested_locks;
}

/* Says what was made, and what could not be recorded. True if that is nothing. */
static gboolean report(const GPtrArray *traces)
{
	guint64 graph_launches = 0, n_gaps = 0;

	for (guint i = 0; i < traces->len; i++) {
		const ConvertedTrace *trace = g_ptr_array_index(traces, i);
		const ConvertCounts *counts = &trace->counts;

		graph_launches = counts->graph_launches;
		if (trace->problem) {
			g_printerr("atomsim: launch %u, %s: no trace: %s%s%s\n", trace->launch,
				   trace->kernel, trace->problem,
				   trace->bulk ? "; its code has " : "",
				   trace->bulk ? trace->bulk : "");
			n_gaps++;
			continue;
		}
		g_printerr("atomsim: %s: launch %u, %s: %" G_GUINT64_FORMAT
			   " blocks, %" G_GUINT64_FORMAT " events\n",
			   trace->path, trace->launch, trace->kernel, counts->n_blocks,
			   counts->n_events);
		n_gaps += report_gaps(trace);
	}
	if (graph_launches > 0)
		g_printerr("atomsim: %" G_GUINT64_FORMAT
			   " launches by CUDA graphs were not recorded\n",
			   graph_launches);
	return graph_launches + n_gaps == 0;
}

#define MOST_OTHERS 8 /* that are named */

/* Where a kernel's trace lacks something: which others the program has. */
static void report_others(const char *folder)
{
	g_auto(GStrv) names = convert_other_kernels(folder);
	guint n = g_strv_length(names);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < MIN(n, MOST_OTHERS); i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", names[i]);
	if (n > MOST_OTHERS)
		g_string_append_printf(text, " and %u more", n - MOST_OTHERS);
	if (n > 0)
		g_printerr("atomsim: other kernels of the program, not recorded: %s\n",
			   text->str);
}

/* The table of --all, on standard output. */
static gboolean rank(const GPtrArray *traces, const Config *machine, GError **error)
{
	g_autofree char *text = capture_rank(traces, machine, error);

	return text && cli_write_output(NULL, NULL, text, strlen(text), error);
}

static CliStatus run(GError **error)
{
	g_autoptr(GPtrArray) traces = NULL;
	g_autoptr(Config) machine = NULL;
	g_autofree char *temporary = NULL;
	const char *folder = from ? from : keep;
	gboolean whole;

	if (!check_options(error) || (all && !(machine = config_load(config, NULL, error))))
		return CLI_FAILED;
	if (!folder)
		folder = temporary = output_folder_new("capture", error);
	if (folder && (from || record(folder, error)))
		traces = convert_folder(folder, output, raw, error);
	whole = traces && report(traces);
	if (folder && !whole)
		report_others(folder);
	if (temporary)
		output_folder_remove(g_steal_pointer(&temporary));
	if (!traces || (all && !rank(traces, machine, error)))
		return CLI_FAILED;
	if (whole || allow_gaps)
		return CLI_GOOD;
	g_printerr(
		"atomsim: the traces have gaps (above); --allow-gaps takes them as they are\n");
	return CLI_FAILED;
}

const Command command_capture = {
	.name = "capture",
	.synopsis = "[OPTION]... -o FILE -- PROGRAM [ARGUMENT]...",
	.summary = "Record the shared-memory accesses of a CUDA program",
	.examples = "atomsim capture -o kernel.bin -- ./program\n"
		    "atomsim capture --all --config h200 -o kernel.bin -- python3 train.py",
	.failure = "an instruction that could not be recorded",
	.options = entries,
	.run = run,
};
