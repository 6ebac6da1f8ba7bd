/* SPDX-License-Identifier: MIT */
/* atomsim sweep merge: the results of shards put together. */
#include "cli/columns.h"
#include "cli/option.h"
#include "cli/sweep/sweep.h"
#include "base/error.h"
#include "explore/sweep/merge.h"

const Command sweep_merge_command = {
	.name = "sweep merge",
	.synopsis = "-o FOLDER SHARD...",
	.summary = "Merge the results of a sweep's shards",
	.examples = "atomsim sweep merge -o all shard-0 shard-1\n"
		    "atomsim sweep merge -o merged out/shard-*",
	.failure = "a point that could not go on",
	.run = sweep_merge,
};

CliStatus sweep_merge(int argc, char **argv)
{
	g_autofree char *output = NULL;
	g_autofree char *columns_text = NULL;
	g_autofree char *header = NULL;
	g_autoptr(CsvColumns) columns = NULL;
	g_auto(GStrv) folders = NULL;
	const GOptionEntry entries[] = {
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Folder for the results",
		 "FOLDER"},
		OPTION_COLUMNS(&columns_text),
		OPTION_OPERANDS(&folders),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&sweep_merge_command, entries);
	g_autoptr(GError) error = NULL;
	const SweepWriter writer = {NULL, NULL, sweep_row};
	SweepMerged merged;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (output == NULL || folders == NULL) {
		atomsim_fail(&error, ATOMSIM_ERROR_USAGE,
			     "sweep merge: %s; allowed: -o FOLDER SHARD...",
			     output == NULL ? "no --output" : "no folders of shards");
		return cli_fail(error);
	}
	header = sweep_columns_found(folders[0]);
	if (!sweep_choose_columns(columns_text, header, TRUE, output, &columns, &error) ||
	    !sweep_merge_folders(output, (const char *const *)folders, &writer, &merged,
				 &error))
		return cli_fail(error);
	sweep_report_idle(output, NULL, NULL);
	if (!sweep_narrow(output, columns, &error))
		return cli_fail(error);
	return sweep_report_failures(merged.n_failed, merged.n_points, output);
}
