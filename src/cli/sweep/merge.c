/* SPDX-License-Identifier: MIT */
/* atomsim sweep merge: the results of shards put together. */
#include "cli/columns.h"
#include "cli/option.h"
#include "cli/sweep/sweep.h"
#include "base/error.h"
#include "explore/sweep/merge.h"

/* What the user gave. */
static struct {
	char *output, *columns_text;
	char **folders;
} given;

static const GOptionEntry entries[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output, "Folder for the results",
	 "FOLDER"},
	OPTION_COLUMNS(&given.columns_text),
	OPTION_OPERANDS(&given.folders),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_autofree char *header = NULL;
	g_autoptr(CsvColumns) columns = NULL;
	const SweepWriter writer = {NULL, NULL, sweep_row};
	SweepMerged merged;

	if (given.output == NULL || given.folders == NULL) {
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "sweep merge: %s; allowed: -o FOLDER SHARD...",
			     given.output == NULL ? "no --output" : "no folders of shards");
		return CLI_FAILED;
	}
	header = sweep_columns_found(given.folders[0]);
	if (!sweep_choose_columns(given.columns_text, header, TRUE, given.output, &columns,
				  error) ||
	    !sweep_merge_folders(given.output, (const char *const *)given.folders, &writer,
				 &merged, error))
		return CLI_FAILED;
	sweep_report_idle(given.output, NULL, NULL);
	if (!sweep_narrow(given.output, columns, error))
		return CLI_FAILED;
	return sweep_report_failures(merged.n_failed, merged.n_points, given.output);
}

const Command sweep_merge_command = {
	.name = "sweep merge",
	.synopsis = "-o FOLDER SHARD...",
	.summary = "Merge the results of a sweep's shards",
	.examples = "atomsim sweep merge -o all shard-0 shard-1\n"
		    "atomsim sweep merge -o merged out/shard-*",
	.failure = "a point that could not go on",
	.options = entries,
	.run = run,
};
