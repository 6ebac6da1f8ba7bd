/* SPDX-License-Identifier: MIT */
/* The parts of atomsim sweep. Only src/cli includes it. */
#ifndef ATOMSIM_CLI_SWEEP_SWEEP_H
#define ATOMSIM_CLI_SWEEP_SWEEP_H

#include "answer/sweep/sweep.h"
#include "base/csv-columns.h"
#include "cli/cli.h"

/* As on the command line; NULL or 0: not given. */
typedef struct {
	char *config, *file, *gen, *format, *output, *shard, *plot, *emit, *columns;
	char **settings, **varied, **operands;
	gint64 sample, seed;
	int jobs, shards;
	gboolean zip, resume;
} SweepOptions;

/* options.c: checks those that need no other, and lays them over what a sweep file said. `plot`
   gets the words of --plot, NULL-terminated. */
gboolean sweep_check_options(const SweepOptions *options, GError **error);
gboolean sweep_take_options(SweepWords *words, GPtrArray *plot, const SweepOptions *options,
			    GError **error);

/* emit.c: prints the job file. */
CliStatus sweep_emit_job(const SweepOptions *options);

/* An axis in words: what a key of the config means, and the key itself; a statistic. g_free. */
char *sweep_axis_words(const char *key);

/* plot.c: "x=KEY", "y=KEY", "series=KEY", "file=FILE.svg". */
gboolean sweep_is_plot_word(const char *word);
gboolean sweep_check_plot(const char *const *words, const char *folder, GError **error);
/* That there are the columns, before any point runs. */
gboolean sweep_check_columns(const char *const *words, const Sweep *sweep, GError **error);
gboolean sweep_plot(const char *const *words, const char *folder, const SweepPlan *plan,
		    GError **error);

/* columns.c: the header of the table that the sweep will have; of the one that the results in a folder have. g_free. */
char *sweep_columns(const Sweep *sweep);
char *sweep_columns_found(const char *folder);
/* What --columns says, as cli_columns; folder: of the table, which may then be overwritten; NULL: none. */
gboolean sweep_choose_columns(const char *words, const char *header, gboolean is_csv,
			      const char *folder, CsvColumns **columns, GError **error);
/* Writes the table in the folder again with the chosen columns; NULL: does nothing. */
gboolean sweep_narrow(const char *folder, CsvColumns *columns, GError **error);

/* merge.c: atomsim sweep merge. */
extern const Command sweep_merge_command;

/* idle.c: why keys had no effect, of the points that are run: a SweepHooks.seen. `settings`: those of the config. */
typedef struct SweepReasons SweepReasons;
SweepReasons *sweep_reasons_new(const GPtrArray *settings);
void sweep_reasons_free(SweepReasons *reasons);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepReasons, sweep_reasons_free)
void sweep_reasons_see(gpointer reasons, const SweepPoint *point);
/* Says what in a folder's results was varied without effect, and, with a sweep all of whose points were seen, which settings
   had none. reasons, sweep: NULL: not known. */
void sweep_report_idle(const char *folder, const SweepReasons *reasons, const Sweep *sweep);

/* report.c: says how much was done, and how fast. */
void sweep_report_done(const SweepTally *tally, double wall_s);
/* Says what could not be simulated; CLI_GOOD if there is nothing. */
CliStatus sweep_report_failures(guint n_failed, guint n_points, const char *folder);

#endif
