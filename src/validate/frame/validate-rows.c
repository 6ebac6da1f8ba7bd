/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate-rows.h"

#include "base/error.h"
#include "validate/frame/validate.h"

/* --- Any rows --- */

typedef struct {
	EachRow each;
	gpointer data;
	guint n;
	gint next;    /* atomically: the row that nobody has begun */
	gint stopped; /* atomically */
} Work;

static gboolean work_row(Work *w)
{
	const guint i = (guint)g_atomic_int_add(&w->next, 1);

	if (i >= w->n || g_atomic_int_get(&w->stopped))
		return FALSE;
	w->each(w->data, i);
	return TRUE;
}

static gpointer work(gpointer data)
{
	while (work_row(data))
		;
	return NULL;
}

/* The caller's part, which asks whether to go on. */
static void work_asking(Work *w, const Validation *validation)
{
	do {
		const guint begun = MIN((guint)g_atomic_int_get(&w->next), w->n);

		if (validation->progress &&
		    !validation->progress(validation->progress_data, begun, w->n))
			g_atomic_int_set(&w->stopped, 1);
	} while (work_row(w));
}

gboolean measured_rows_each(const Validation *validation, guint n, EachRow each, gpointer data,
			    GError **error)
{
	Work w = {.each = each, .data = data, .n = n};
	const guint most =
		validation->n_threads > 0 ? validation->n_threads : g_get_num_processors();
	g_autoptr(GPtrArray) threads = g_ptr_array_new();

	/* The caller's is one of them, and the only one where no other is to be had. */
	for (guint i = 1; i < MIN(most, n); i++) {
		GThread *thread = g_thread_try_new("validate", work, &w, NULL);

		if (thread == NULL)
			break;
		g_ptr_array_add(threads, thread);
	}
	work_asking(&w, validation);
	for (guint i = 0; i < threads->len; i++)
		g_thread_join(g_ptr_array_index(threads, i));
	return !w.stopped || atomsim_fail(error, ATOMSIM_ERROR_RUN, "validate: interrupted");
}

/* --- Rows of a point each --- */

typedef struct {
	const Machine *machine;
	const CsvTable *table;
	GArray *rows;
	SimulateRow simulate;
} Points;

static void clear_row(gpointer data)
{
	MeasuredRow *row = data;

	g_clear_error(&row->error);
	g_free(row->pattern);
}

GArray *measured_points_new(guint n)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(MeasuredRow));

	g_array_set_clear_func(rows, clear_row);
	g_array_set_size(rows, n);
	return rows;
}

static void simulate_row(gpointer data, guint i)
{
	const Points *points = data;
	MeasuredRow *row = &g_array_index(points->rows, MeasuredRow, i);
	LaunchState state = launch_measured(points->machine);

	if (row->operation != NULL &&
	    launch_columns_read(points->table, row->row, &state, &row->error)) {
		const Machine found = machine_in_state(points->machine, &state);

		points->simulate(&found, row);
	}
}

static void add_row(Validation *validation, const CsvTable *table, const MeasuredRow *row)
{
	ValidationPoint *point =
		validate_point_add(validation, csv_path(table), csv_line(table, row->row),
				   row->operation, row->pattern, row->measured, row->simulated);

	point->held_back = row->held_back;
	point->launch_class = row->launch_class;
}

gboolean measured_rows_add(Validation *validation, const Machine *machine,
			   const CsvTable *table, GArray *rows, SimulateRow simulate,
			   GError **error)
{
	Points points = {
		.machine = machine, .table = table, .rows = rows, .simulate = simulate};

	if (!measured_rows_each(validation, rows->len, simulate_row, &points, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);

		if (row->error != NULL) {
			g_propagate_error(error, g_steal_pointer(&row->error));
			return FALSE;
		}
		if (row->operation == NULL)
			validate_pass_over(validation, csv_path(table),
					   csv_line(table, row->row), row->why);
		else
			add_row(validation, table, row);
	}
	return TRUE;
}

gboolean measured_rows_need_slices(const Machine *machine, const CsvTable *table,
				   GError **error)
{
	if (machine->global.model != GLOBAL_FLAT)
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_CONFIG,
		"%s: needs a memory side; allowed: a config with global.model \"slices\"",
		csv_path(table));
}
