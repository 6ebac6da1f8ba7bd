/* SPDX-License-Identifier: MIT */
/* atomsim trace info: where a trace comes from and what it holds. */
#include "cli/trace/info/info.h"

#include <string.h>

#include "cli/option.h"
#include "cli/trace/trace.h"
#include "base/error.h"
#include "transform/arrays.h"

static const OutputKind info_kind = {"what trace info says",
				     {"\nwarp instructions", "\"trace_warp_instructions\""}};

static gboolean summarise(TraceReader *reader, TraceSummary *summary, GError **error)
{
	guint64 n_blocks = trace_source(reader)->n_blocks;

	for (guint64 block = 0; block < n_blocks; block++) {
		if (!cli_progress("blocks", block, n_blocks))
			return atomsim_fail(error, ATOMSIM_ERROR_RUN, "%s: interrupted",
					    trace_path(reader));
		if (!trace_summary_add(summary, reader, block, error))
			return FALSE;
	}
	cli_progress("blocks", n_blocks, n_blocks);
	return TRUE;
}

static gboolean check_usage(char **files, const char *format, GError **error)
{
	if (!files || files[1])
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "trace info: %s; one trace is needed",
			     files ? "several traces given" : "no trace given");
	else
		return cli_choice("format", format, cli_text_or_json, N_TEXT_OR_JSON, NULL,
				  error);
	return FALSE;
}

/* What the user gave. */
static struct {
	char *format, *output;
	char **files;
} given;

static const GOptionEntry entries[] = {
	OPTION_FORMAT(&given.format, "text (default) or json"),
	OPTION_OUTPUT(&given.output),
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(GPtrArray) arrays = NULL;
	TraceSummary summary = {0};
	const char *sha256;

	if (!check_usage(given.files, given.format, error) ||
	    !cli_check_output(given.output, &info_kind, NULL, given.files, error))
		return CLI_FAILED;
	reader = trace_open(given.files[0], error);
	sha256 = reader ? trace_sha256(reader, error) : NULL;
	if (!sha256 || !summarise(reader, &summary, error))
		return CLI_FAILED;
	arrays = shared_arrays_find(trace_source(reader));
	if (!arrays)
		return cli_fail(trace_failure(reader));
	text = g_strcmp0(given.format, "json") == 0
		       ? info_to_json(reader, sha256, &summary, arrays)
		       : info_to_text(reader, sha256, &summary, arrays);
	if (!cli_write_output(given.output, &info_kind, text, strlen(text), error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_trace_info = {
	.name = "trace info",
	.synopsis = "[OPTION]... FILE",
	.summary = "Show the origin and contents of a trace",
	.examples = "atomsim trace info weighted\n"
		    "atomsim trace info --format json weighted",
	.options = entries,
	.run = run,
};
