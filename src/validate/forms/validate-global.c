/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-global.h"

#include <string.h>

#include "validate/frame/global-benchmark.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate-rows.h"

#define WARP_THREADS	 32
#define MAX_TARGETS	 (1u << 20)
#define MAX_SPACING	 1024
#define MAX_BLOCKS	 4096
#define MAX_ACCESSES	 4096
#define MAX_START_CYCLES 100000
/* Accesses that do not depend, before the program uses what they give, where a file does not say. */
#define LOADS_AHEAD 8
#define ATOMS_AHEAD 2 /* the compiler folds two results in one instruction */

enum { OP, DEPENDENT, TARGETS, SPACING, ORDER, BLOCKS, THREADS, ACCESSES, CYCLES, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"op",	   "dependent",		 "targets", "spacing_words", "order", "blocks",
	"threads", "atomics_per_thread", "cycles"};

static gboolean read_row(const Machine *machine, const CsvTable *table, guint row,
			 const guint *columns, GlobalProgram *p, double *measured,
			 GError **error)
{
	const char *order = csv_cell(table, row, columns[ORDER]);
	int word_bytes = csv_column(table, "word_bytes"), ahead = csv_column(table, "ahead");
	int start = csv_column(table, "start_cycles");
	guint dependent, n_threads, start_cycles = 0;

	p->operation = global_operation(csv_cell(table, row, columns[OP]));
	if (p->operation == NULL) {
		csv_set_cell_error(
			table, row, columns[OP], error,
			"found '%s'; allowed: an operation such as red_add_u32 or ld_cg",
			csv_cell(table, row, columns[OP]));
		return FALSE;
	}
	p->random = strcmp(order, "random") == 0;
	if (!p->random && strcmp(order, "cyclic") != 0) {
		csv_set_cell_error(table, row, columns[ORDER], error,
				   "found '%s'; allowed: cyclic, random", order);
		return FALSE;
	}
	if (!measured_whole(table, row, columns[DEPENDENT], 0, 1, &dependent, error) ||
	    !measured_whole(table, row, columns[TARGETS], 1, MAX_TARGETS, &p->n_targets,
			    error) ||
	    !measured_whole(table, row, columns[SPACING], 1, MAX_SPACING, &p->spacing_words,
			    error) ||
	    !measured_whole(table, row, columns[BLOCKS], 1, MAX_BLOCKS, &p->n_blocks, error) ||
	    !measured_whole(table, row, columns[THREADS], 1, TRACE_MAX_WARPS * WARP_THREADS,
			    &n_threads, error) ||
	    !measured_whole(table, row, columns[ACCESSES], 1, MAX_ACCESSES, &p->n_accesses,
			    error) ||
	    !csv_number(table, row, columns[CYCLES], VALIDATE_LEAST_CYCLES, measured, error))
		return FALSE;
	p->word_bytes = 4;
	if (word_bytes >= 0 &&
	    !measured_whole(table, row, (guint)word_bytes, 4, 8, &p->word_bytes, error))
		return FALSE;
	p->n_ahead = p->operation->kind == RECORD_LDG ? LOADS_AHEAD : ATOMS_AHEAD;
	if (ahead >= 0 &&
	    !measured_whole(table, row, (guint)ahead, 0, MAX_ACCESSES, &p->n_ahead, error))
		return FALSE;
	if (start >= 0 && !measured_whole(table, row, (guint)start, 0, MAX_START_CYCLES,
					  &start_cycles, error))
		return FALSE;
	p->start_alu = start_cycles / MAX(machine->sm.alu_latency_cycles, 1);
	if (n_threads % WARP_THREADS != 0) {
		csv_set_cell_error(table, row, columns[THREADS], error,
				   "found %u; allowed: a multiple of %d", n_threads,
				   WARP_THREADS);
		return FALSE;
	}
	p->dependent = dependent != 0;
	p->n_warps = n_threads / WARP_THREADS;
	return TRUE;
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	global_benchmark(machine, row->program, place, &row->simulated, &row->error);
}

gboolean validate_add_global(Validation *validation, const Machine *machine,
			     const CsvTable *table, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autofree GlobalProgram *programs = g_new0(GlobalProgram, MAX(rows->len, 1));
	guint columns[N_COLUMNS];

	if (!csv_require_all(table, names, N_COLUMNS, columns, error) ||
	    !measured_rows_need_slices(machine, table, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		GlobalProgram *p = &programs[i];
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);

		if (!read_row(machine, table, i, columns, p, &row->measured, error))
			return FALSE;
		row->program = p;
		row->operation = p->operation->name;
		row->pattern = g_strdup_printf("%ux%u/%s %u by %u%s", p->n_blocks,
					       p->n_warps * WARP_THREADS,
					       p->random ? "random" : "cyclic", p->n_targets,
					       p->spacing_words, p->dependent ? " d" : "");
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
