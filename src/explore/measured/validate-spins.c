/* SPDX-License-Identifier: MIT */
#include "explore/measured/validate-spins.h"

#include <string.h>

#include "base/error.h"
#include "explore/measured/validate-cells.h"
#include "explore/measured/validate-rows.h"
#include "model/slice-map.h"
#include "replay/replay.h"
#include "workloads/workload.h"

#define MAX_NUMBER   4096
#define MAX_SETTINGS 8
#define MAX_LINE     256 /* that is looked at for one of a side */
#define BUFFER_LINES                                                                           \
	(UINT64_C(1) << 14) /* from one buffer's begin to the next one's: sim/run.c */

enum { CODE, SPACE, SECTION, COUNTED, WARPS, LANES, WORDS, PLACING, CYCLES, N_COLUMNS };

static const char *const names[N_COLUMNS] = {"code",  "space", "section", "counted", "warps",
					     "lanes", "words", "placing", "cycles"};

/* Cycles of a trace of the workload with these settings; negative and *error: it failed. */
static double cycles_of(const Machine *machine, const char *place, const char *const *settings,
			GError **error)
{
	const Workload *workload = workload_find("spin-locks", error);
	g_autoptr(GBytes) bytes =
		workload ? workload_generate_bytes(workload, settings, error) : NULL;
	g_autoptr(TraceReader) reader = bytes ? trace_open_bytes(place, bytes, error) : NULL;
	const Replay replay = {
		.machine = machine, .reader = reader, .name = place, .n_threads = 1};
	g_auto(ReplayResult) result = {0};

	if (bytes == NULL && workload != NULL)
		g_prefix_error(error, "%s: ", place);
	if (reader == NULL || !replay_run(&replay, &result, error))
		return -1;
	return (double)result.run.statistics.cycles;
}

/* The clock was read by each warp behind a barrier and at its end: what a kernel without any section takes is not
   in it. */
static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const char *const *settings = row->program;
	const char *without[MAX_SETTINGS + 2];
	guint n = 0;
	double all, rest = 0;

	for (; settings[n] != NULL; n++)
		without[n] = settings[n];
	without[n] = "entries=0"; /* later ones win */
	without[n + 1] = NULL;
	all = cycles_of(machine, place, settings, &row->error);
	if (all >= 0)
		rest = cycles_of(machine, place, without, &row->error);
	row->simulated = all - rest;
}

/* The first line of a buffer of the workload that lies in the partition of the L2 that the SM is near to, or in another;
   0 where the machine has no two. */
static guint line_of(const Machine *machine, guint buffer, gboolean far)
{
	const uint32_t sm =
		slice_sm_place(machine->l2, machine->network->group_sms, 1, 0).partition;

	for (guint line = 0; line < MAX_LINE; line++)
		if ((slice_place(machine->l2, buffer * BUFFER_LINES + line).partition != sm) ==
		    far)
			return line;
	return 0;
}

/* NULL and *error: the cell says neither side. Without the column: the machine's first line. */
static char *line_setting(const Machine *machine, const CsvTable *table, guint row,
			  const char *column, const char *option, guint buffer, GError **error)
{
	int c = csv_column(table, column);
	const char *side = c < 0 ? "" : csv_cell(table, row, (guint)c);
	gboolean far = strcmp(side, "far") == 0;

	if (*side != '\0' && !far && strcmp(side, "near") != 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
			    "%s: '%s' found; allowed: near, far, or nothing", column, side);
		return NULL;
	}
	return g_strdup_printf("%s=%u", option,
			       *side == '\0' ? 0 : line_of(machine, buffer, far));
}

/* The row as the workload's settings. */
static char **settings_of(const Machine *machine, const CsvTable *table, guint row,
			  const guint *columns, GError **error)
{
	const char *section = csv_cell(table, row, columns[SECTION]);
	guint number[N_COLUMNS];
	char **settings;

	for (guint c = WARPS; c <= WORDS; c++)
		if (!measured_whole(table, row, columns[c], 1, MAX_NUMBER, &number[c], error))
			return NULL;
	settings = g_new0(char *, MAX_SETTINGS + 1);
	settings[0] = line_setting(machine, table, row, "lock_side", "lock-line", 0, error);
	settings[1] = settings[0] ? line_setting(machine, table, row, "word_side", "word-line",
						 1, error)
				  : NULL;
	if (settings[1] == NULL) {
		g_strfreev(settings);
		return NULL;
	}
	for (guint c = WARPS; c <= WORDS; c++)
		settings[2 + c - WARPS] = g_strdup_printf("%s=%u", names[c], number[c]);
	/* "update+fence" and the like: all but the first two have a fence. */
	settings[5] = g_strdup_printf("section=%.*s", (int)strcspn(section, "-+"), section);
	settings[6] = g_strconcat("space=", csv_cell(table, row, columns[SPACE]), NULL);
	settings[7] = g_strconcat("placing=", csv_cell(table, row, columns[PLACING]), NULL);
	return settings;
}

/* Why a row is not simulated, which is of the loop as it is compiled and of a memory that the machine has; else NULL. */
static const char *not_simulated(const Machine *machine, const CsvTable *table, guint row,
				 const guint *columns)
{
	if (strcmp(csv_cell(table, row, columns[CODE]), "compiled") != 0)
		return "its loop is written by hand";
	if (strcmp(csv_cell(table, row, columns[COUNTED]), "0") != 0)
		return "its loop counts its tries, which takes time";
	if (machine->global.model == GLOBAL_FLAT &&
	    strcmp(csv_cell(table, row, columns[SPACE]), "shared") != 0)
		return "its locks are in global memory; the config has no memory side";
	return NULL;
}

gboolean validate_add_spins(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autoptr(GPtrArray) programs =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	int held_back = csv_column(table, "held_back");
	guint columns[N_COLUMNS];

	if (!csv_require_all(table, names, N_COLUMNS, columns, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);
		char **settings;

		row->why = not_simulated(machine, table, i, columns);
		if (row->why)
			continue;
		settings = settings_of(machine, table, i, columns, error);
		if (settings == NULL)
			return FALSE;
		g_ptr_array_add(programs, settings);
		if (!csv_number(table, i, columns[CYCLES], VALIDATE_LEAST_CYCLES,
				&row->measured, error))
			return FALSE;
		row->program = settings;
		row->operation = "spin";
		row->pattern = g_strdup_printf(
			"%s %s/%s warps by %s lanes on %s%s",
			csv_cell(table, i, columns[SPACE]),
			csv_cell(table, i, columns[SECTION]),
			csv_cell(table, i, columns[WARPS]), csv_cell(table, i, columns[LANES]),
			csv_cell(table, i, columns[WORDS]),
			strcmp(csv_cell(table, i, columns[PLACING]), "round") == 0
				? ""
				: ", one sub-core");
		row->held_back = held_back >= 0 &&
				 strcmp(csv_cell(table, i, (guint)held_back), "1") == 0;
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
