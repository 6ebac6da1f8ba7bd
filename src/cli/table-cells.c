/* SPDX-License-Identifier: MIT */
/* The replays of atomsim table. */
#include "cli/table.h"

#include "base/error.h"
#include "cli/cli.h"
#include "config/config.h"
#include "replay/replay.h"
#include "replay/what-if.h"
#include "report/cost.h"
#include "report/report.h"

typedef struct {
	const TableFiles *configs, *traces;
	char **changes, **settings; /* NULL: none */
	int jobs;
	GArray *cells;
} Runs;

/* What the cell's change makes of config and trace; nothing of either if it has none. */
static gboolean apply_change(const Cell *cell, const WhatIf *what_if, TraceReader *reader,
			     Config **config, ChangedSource *changed, GError **error)
{
	Config *with;

	if (cell->change == NULL)
		return TRUE;
	with = replay_config(*config, what_if, error);
	if (with == NULL)
		return FALSE;
	config_free(*config);
	*config = with;
	return replay_change(reader, what_if, changed, error);
}

static gboolean fill_cell(Cell *cell, const char *path, TraceReader *reader, const Runs *runs,
			  GError **error)
{
	g_autoptr(Config) config =
		config_load(path, (const char *const *)runs->settings, error);
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_auto(ReplayResult) result = {0};
	Replay replay = {.reader = reader, .n_threads = cli_jobs(runs->jobs), .baseline = true};
	RunReport report = {0};

	if (config == NULL || (cell->change && !what_if_add(what_if, cell->change, error)) ||
	    !apply_change(cell, what_if, reader, &config, &changed, error))
		return FALSE;
	replay.machine = report.machine = config_machine(config);
	replay.source = changed.source;
	if (!replay_run(&replay, &result, error))
		return FALSE;
	cell->cycles = result.run.statistics.cycles;
	cell->free_cycles = result.has_baseline ? result.baseline.statistics.cycles : 0;
	cell->time_us = report_time_us(&report, cell->cycles);
	cell->cost_bits = cost_bits(replay.machine);
	return TRUE;
}

/* A trace on all configs, as it is or changed. */
static gboolean add_row(Runs *runs, Cell cell, TraceReader *reader, GError **error)
{
	const guint n_rows = 1 + (runs->changes ? g_strv_length(runs->changes) : 0);
	const guint n_cells = n_rows * runs->configs->names->len * runs->traces->names->len;

	for (guint i = 0; i < runs->configs->names->len; i++) {
		cell.config = runs->configs->names->pdata[i];
		if (!fill_cell(&cell, runs->configs->paths->pdata[i], reader, runs, error))
			return FALSE;
		g_array_append_val(runs->cells, cell);
		if (!cli_progress("runs", runs->cells->len, n_cells))
			return atomsim_fail(error, ATOMSIM_ERROR_RUN, "table: interrupted");
	}
	return TRUE;
}

GArray *table_cells(const TableFiles *configs, const TableFiles *traces, char **changes,
		    char **settings, int jobs, GError **error)
{
	g_autoptr(GArray) cells = g_array_new(FALSE, TRUE, sizeof(Cell));
	Runs runs = {configs, traces, changes, settings, jobs, cells};

	for (guint i = 0; i < traces->names->len; i++) {
		g_autoptr(TraceReader) reader = trace_open(traces->paths->pdata[i], error);
		Cell cell = {.trace = traces->names->pdata[i]};

		if (reader == NULL || !add_row(&runs, cell, reader, error))
			return NULL;
		for (char **change = changes; change && *change; change++) {
			cell.change = *change;
			if (!add_row(&runs, cell, reader, error))
				return NULL;
		}
	}
	return g_steal_pointer(&cells);
}
