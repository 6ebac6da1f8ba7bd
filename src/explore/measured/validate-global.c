/* SPDX-License-Identifier: MIT */
#include "explore/measured/validate-global.h"

#include <string.h>

#include "base/error.h"
#include "explore/measured/global-benchmark.h"

#define WARP_THREADS 32
#define MAX_TARGETS  (1u << 20)
#define MAX_SPACING  1024
#define MAX_BLOCKS   4096
#define MAX_ACCESSES 4096

enum { OP, DEPENDENT, TARGETS, SPACING, ORDER, BLOCKS, THREADS, ACCESSES, CYCLES, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"op",	   "dependent",		 "targets", "spacing_words", "order", "blocks",
	"threads", "atomics_per_thread", "cycles"};

typedef struct {
	GlobalProgram program;
	double measured, simulated;
	GError *error; /* of its run */
} Row;

typedef struct {
	const Machine *machine;
	const CsvTable *table;
	Row *rows;
	guint n_rows;
	gint next; /* atomically: the row that nobody has begun */
} Work;

static gboolean whole(const CsvTable *table, guint row, guint column, guint min, guint max,
		      guint *number, GError **error)
{
	guint64 value = 0;

	if (!g_ascii_string_to_unsigned(csv_cell(table, row, column), 10, min, max, &value,
					NULL)) {
		csv_set_cell_error(table, row, column, error,
				   "found '%s'; allowed: a whole number from %u to %u",
				   csv_cell(table, row, column), min, max);
		return FALSE;
	}
	*number = (guint)value;
	return TRUE;
}

static gboolean read_row(const CsvTable *table, guint row, const guint *columns, Row *result,
			 GError **error)
{
	GlobalProgram *p = &result->program;
	const char *order = csv_cell(table, row, columns[ORDER]);
	guint dependent, n_threads;

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
	if (!whole(table, row, columns[DEPENDENT], 0, 1, &dependent, error) ||
	    !whole(table, row, columns[TARGETS], 1, MAX_TARGETS, &p->n_targets, error) ||
	    !whole(table, row, columns[SPACING], 1, MAX_SPACING, &p->spacing_words, error) ||
	    !whole(table, row, columns[BLOCKS], 1, MAX_BLOCKS, &p->n_blocks, error) ||
	    !whole(table, row, columns[THREADS], 1, TRACE_MAX_WARPS * WARP_THREADS, &n_threads,
		   error) ||
	    !whole(table, row, columns[ACCESSES], 1, MAX_ACCESSES, &p->n_accesses, error) ||
	    !csv_number(table, row, columns[CYCLES], VALIDATE_LEAST_CYCLES, &result->measured,
			error))
		return FALSE;
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

static gpointer work(gpointer data)
{
	Work *w = data;
	guint i;

	while ((i = (guint)g_atomic_int_add(&w->next, 1)) < w->n_rows) {
		g_autofree char *place =
			g_strdup_printf("%s:%u", csv_path(w->table), csv_line(w->table, i));

		global_benchmark(w->machine, &w->rows[i].program, place, &w->rows[i].simulated,
				 &w->rows[i].error);
	}
	return NULL;
}

static void simulate(Work *w)
{
	g_autoptr(GPtrArray) threads = g_ptr_array_new();

	/* The caller's is one of them, and the only one where no other is to be had. */
	for (guint n = 1; n < MIN(g_get_num_processors(), w->n_rows); n++) {
		GThread *thread = g_thread_try_new("validate", work, w, NULL);

		if (thread == NULL)
			break;
		g_ptr_array_add(threads, thread);
	}
	work(w);
	for (guint i = 0; i < threads->len; i++)
		g_thread_join(g_ptr_array_index(threads, i));
}

static gboolean add_point(GPtrArray *points, const CsvTable *table, guint i, Row *row,
			  GError **error)
{
	const GlobalProgram *p = &row->program;
	g_autofree char *pattern =
		g_strdup_printf("%ux%u/%s %u by %u%s", p->n_blocks, p->n_warps * WARP_THREADS,
				p->random ? "random" : "cyclic", p->n_targets, p->spacing_words,
				p->dependent ? " d" : "");

	if (row->error != NULL) {
		g_propagate_error(error, g_steal_pointer(&row->error));
		return FALSE;
	}
	validate_point_add(points, csv_path(table), csv_line(table, i), p->operation->name,
			   pattern, row->measured, row->simulated);
	return TRUE;
}

gboolean validate_add_global(GPtrArray *points, const Machine *machine, const CsvTable *table,
			     GError **error)
{
	Work w = {.machine = machine, .table = table, .n_rows = csv_rows(table)};
	gboolean good = TRUE;
	guint columns[N_COLUMNS];

	for (guint i = 0; i < N_COLUMNS; i++)
		if (!csv_require(table, names[i], &columns[i], error))
			return FALSE;
	if (machine->global.model == GLOBAL_FLAT) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
			    "%s: needs a memory side; allowed: a config with global.model "
			    "\"slices\"",
			    csv_path(table));
		return FALSE;
	}
	w.rows = g_new0(Row, MAX(w.n_rows, 1));
	for (guint i = 0; good && i < w.n_rows; i++)
		good = read_row(table, i, columns, &w.rows[i], error);
	if (good)
		simulate(&w);
	for (guint i = 0; good && i < w.n_rows; i++)
		good = add_point(points, table, i, &w.rows[i], error);
	for (guint i = 0; i < w.n_rows; i++)
		g_clear_error(&w.rows[i].error);
	g_free(w.rows);
	return good;
}
