/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-spins.h"

#include <string.h>

#include "base/error.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate-rows.h"
#include "model/memory/slice-map.h"
#include "replay/replay.h"
#include "workloads/workload.h"

#define MAX_NUMBER   4096
#define MAX_SEED     (1u << 20)
#define MAX_SETTINGS 10
#define MAX_COLUMNS  16
#define MAX_LINE     256 /* that is looked at for one of a side */
#define BUFFER_LINES                                                                           \
	(UINT64_C(1) << 14) /* from one buffer's begin to the next one's: sim/run/run.c */

enum { CODE, SPACE, SECTION, COUNTED, WARPS, LANES, WORDS, PLACING, CYCLES, N_COLUMNS };

static const char *const names[N_COLUMNS] = {"code",  "space", "section", "counted", "warps",
					     "lanes", "words", "placing", "cycles"};

/* A row's program: a workload's name and its settings, NULL behind them. */
static const char spin_locks[] = "spin-locks", lock_chain[] = "lock-chain";

/* Cycles of a trace of the program; negative and *error: it failed. */
static double cycles_of(const Machine *machine, const char *place, const char *const *program,
			GError **error)
{
	const Workload *workload = workload_find(program[0], error);
	g_autoptr(GBytes) bytes =
		workload ? workload_generate_bytes(workload, program + 1, error) : NULL;
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
	const char *const *program = row->program;
	const char *without[MAX_SETTINGS + 3];
	guint n = 0;
	double all, rest = 0;

	for (; program[n] != NULL; n++)
		without[n] = program[n];
	without[n] = "entries=0"; /* later ones win */
	without[n + 1] = NULL;
	all = cycles_of(machine, place, program, &row->error);
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

static char **program_new(const char *workload)
{
	char **program = g_new0(char *, MAX_SETTINGS + 2);

	program[0] = g_strdup(workload);
	return program;
}

/* "update+fence" and the like as a workload has it: it knows which have a fence. */
static char *section_setting(const char *section)
{
	return g_strdup_printf("section=%.*s", (int)strcspn(section, "-+"), section);
}

static gboolean is_held_back(const CsvTable *table, guint row)
{
	int column = csv_column(table, "held_back");

	return column >= 0 && strcmp(csv_cell(table, row, (guint)column), "1") == 0;
}

/* The row as the workload's settings. */
static char **program_of(const Machine *machine, const CsvTable *table, guint row,
			 const guint *columns, GError **error)
{
	guint number[N_COLUMNS];
	char **program;

	for (guint c = WARPS; c <= WORDS; c++)
		if (!measured_whole(table, row, columns[c], 1, MAX_NUMBER, &number[c], error))
			return NULL;
	program = program_new(spin_locks);
	program[1] = line_setting(machine, table, row, "lock_side", "lock-line", 0, error);
	program[2] = program[1] ? line_setting(machine, table, row, "word_side", "word-line", 1,
					       error)
				: NULL;
	if (program[2] == NULL) {
		g_strfreev(program);
		return NULL;
	}
	for (guint c = WARPS; c <= WORDS; c++)
		program[3 + c - WARPS] = g_strdup_printf("%s=%u", names[c], number[c]);
	program[6] = section_setting(csv_cell(table, row, columns[SECTION]));
	program[7] = g_strconcat("space=", csv_cell(table, row, columns[SPACE]), NULL);
	program[8] = g_strconcat("placing=", csv_cell(table, row, columns[PLACING]), NULL);
	return program;
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

static char *spin_pattern(const CsvTable *table, guint row, const guint *columns)
{
	return g_strdup_printf(
		"%s %s/%s warps by %s lanes on %s%s", csv_cell(table, row, columns[SPACE]),
		csv_cell(table, row, columns[SECTION]), csv_cell(table, row, columns[WARPS]),
		csv_cell(table, row, columns[LANES]), csv_cell(table, row, columns[WORDS]),
		strcmp(csv_cell(table, row, columns[PLACING]), "round") == 0
			? ""
			: ", one sub-core");
}

/* --- One lock after the other --- */

enum {
	CHAIN_SECTION,
	CHAIN_WARPS,
	CHAIN_SHARING,
	CHAIN_LOCKS,
	CHAIN_SEED,
	CHAIN_CYCLES,
	N_CHAIN_COLUMNS
};

static const char *const chain_names[N_CHAIN_COLUMNS] = {"section", "warps", "sharing",
							 "locks",   "seed",  "cycles"};

static char **chain_program_of(const Machine *machine, const CsvTable *table, guint row,
			       const guint *columns, GError **error)
{
	guint warps, locks, seed;
	char **program;

	(void)machine;
	if (!measured_whole(table, row, columns[CHAIN_WARPS], 1, MAX_NUMBER, &warps, error) ||
	    !measured_whole(table, row, columns[CHAIN_LOCKS], 1, MAX_NUMBER, &locks, error) ||
	    !measured_whole(table, row, columns[CHAIN_SEED], 0, MAX_SEED, &seed, error))
		return NULL;
	program = program_new(lock_chain);
	program[1] = section_setting(csv_cell(table, row, columns[CHAIN_SECTION]));
	program[2] = g_strdup_printf("warps=%u", warps);
	program[3] =
		g_strconcat("sharing=", csv_cell(table, row, columns[CHAIN_SHARING]), NULL);
	program[4] = g_strdup_printf("locks=%u", locks);
	program[5] = g_strdup_printf("table=%u", seed);
	return program;
}

static const char *chain_not_simulated(const Machine *machine, const CsvTable *table, guint row,
				       const guint *columns)
{
	const char *section = csv_cell(table, row, columns[CHAIN_SECTION]);

	(void)machine;
	if (strcmp(section, "kmeans") == 0 || strcmp(section, "dimension") == 0)
		return "its section adds what was loaded from global memory";
	return NULL;
}

static char *chain_pattern(const CsvTable *table, guint row, const guint *columns)
{
	return g_strdup_printf("%s warps/%s, %s %s locks, table %s",
			       csv_cell(table, row, columns[CHAIN_WARPS]),
			       csv_cell(table, row, columns[CHAIN_SECTION]),
			       csv_cell(table, row, columns[CHAIN_LOCKS]),
			       csv_cell(table, row, columns[CHAIN_SHARING]),
			       csv_cell(table, row, columns[CHAIN_SEED]));
}

/* --- Locks that many SMs want --- */

enum {
	GRID_SECTION,
	GRID_BLOCKS,
	GRID_WARPS,
	GRID_LANES,
	GRID_WORDS,
	GRID_GROUPS,
	GRID_ENTRIES,
	GRID_CYCLES,
	N_GRID_COLUMNS
};

static const char *const grid_names[N_GRID_COLUMNS] = {
	"section", "blocks", "warps", "lanes", "words", "groups", "entries", "cycles"};

/* The columns are the workload's options. */
static char **grid_program_of(const Machine *machine, const CsvTable *table, guint row,
			      const guint *columns, GError **error)
{
	guint number;
	char **program;

	for (guint c = GRID_BLOCKS; c <= GRID_ENTRIES; c++)
		if (!measured_whole(table, row, columns[c], 1, MAX_NUMBER, &number, error))
			return NULL;
	program = program_new(spin_locks);
	for (guint c = GRID_SECTION; c <= GRID_ENTRIES; c++)
		program[1 + c] =
			g_strconcat(grid_names[c], "=", csv_cell(table, row, columns[c]), NULL);
	program[1 + GRID_CYCLES] = g_strdup("space=global");
	program[2 + GRID_CYCLES] =
		line_setting(machine, table, row, "lock_side", "lock-line", 0, error);
	program[3 + GRID_CYCLES] =
		program[2 + GRID_CYCLES]
			? line_setting(machine, table, row, "word_side", "word-line", 1, error)
			: NULL;
	if (program[3 + GRID_CYCLES] == NULL)
		g_clear_pointer(&program, g_strfreev);
	return program;
}

/* Of many warps, nearly all tries are in vain: a row of thousands takes minutes. */
#define GRID_MOST_WARPS 256

static const char *grid_not_simulated(const Machine *machine, const CsvTable *table, guint row,
				      const guint *columns)
{
	double blocks = g_ascii_strtod(csv_cell(table, row, columns[GRID_BLOCKS]), NULL);
	double warps = g_ascii_strtod(csv_cell(table, row, columns[GRID_WARPS]), NULL);

	if (machine->global.model == GLOBAL_FLAT)
		return "its locks are in global memory; the config has no memory side";
	if (blocks * warps > GRID_MOST_WARPS)
		return "so many warps' tries in vain take too long";
	return NULL;
}

static char *grid_pattern(const CsvTable *table, guint row, const guint *columns)
{
	return g_strdup_printf("%s/%s blocks of %s warps by %s lanes on %s words of %s lines",
			       csv_cell(table, row, columns[GRID_SECTION]),
			       csv_cell(table, row, columns[GRID_BLOCKS]),
			       csv_cell(table, row, columns[GRID_WARPS]),
			       csv_cell(table, row, columns[GRID_LANES]),
			       csv_cell(table, row, columns[GRID_WORDS]),
			       csv_cell(table, row, columns[GRID_GROUPS]));
}

/* --- Rows of any form --- */

typedef struct {
	const char *operation;
	const char *const *names;
	guint n_columns, cycles;
	const char *(*not_simulated)(const Machine *machine, const CsvTable *table, guint row,
				     const guint *columns); /* why; else NULL */
	char **(*program)(const Machine *machine, const CsvTable *table, guint row,
			  const guint *columns, GError **error);
	char *(*pattern)(const CsvTable *table, guint row, const guint *columns);
} LockForm;

static const LockForm spin_form = {"spin",	  names,      N_COLUMNS,   CYCLES,
				   not_simulated, program_of, spin_pattern};
static const LockForm chain_form = {"lock chain", chain_names,	       N_CHAIN_COLUMNS,
				    CHAIN_CYCLES, chain_not_simulated, chain_program_of,
				    chain_pattern};
static const LockForm grid_form = {"lock grid", grid_names,	    N_GRID_COLUMNS,
				   GRID_CYCLES, grid_not_simulated, grid_program_of,
				   grid_pattern};

static gboolean add_rows(Validation *validation, const Machine *machine, const CsvTable *table,
			 const LockForm *form, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autoptr(GPtrArray) programs =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	guint columns[MAX_COLUMNS];

	g_assert(form->n_columns <= MAX_COLUMNS);
	if (!csv_require_all(table, form->names, form->n_columns, columns, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);
		char **program;

		row->why = form->not_simulated(machine, table, i, columns);
		if (row->why)
			continue;
		program = form->program(machine, table, i, columns, error);
		if (program == NULL)
			return FALSE;
		g_ptr_array_add(programs, program);
		if (!csv_number(table, i, columns[form->cycles], VALIDATE_LEAST_CYCLES,
				&row->measured, error))
			return FALSE;
		row->program = program;
		row->operation = form->operation;
		row->pattern = form->pattern(table, i, columns);
		row->held_back = is_held_back(table, i);
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}

gboolean validate_add_spins(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	return add_rows(validation, machine, table, &spin_form, error);
}

gboolean validate_add_lock_chains(Validation *validation, const Machine *machine,
				  const CsvTable *table, GError **error)
{
	return add_rows(validation, machine, table, &chain_form, error);
}

gboolean validate_is_lock_grid(const CsvTable *table)
{
	for (guint c = 0; c < N_GRID_COLUMNS; c++)
		if (csv_column(table, grid_names[c]) < 0)
			return FALSE;
	return TRUE;
}

gboolean validate_add_lock_grid(Validation *validation, const Machine *machine,
				const CsvTable *table, GError **error)
{
	return add_rows(validation, machine, table, &grid_form, error);
}
