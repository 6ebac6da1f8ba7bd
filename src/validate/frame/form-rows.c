/* SPDX-License-Identifier: MIT */
/* Tables whose rows name their form: each point of each row is simulated. */

#include "validate/frame/form.h"
#include "validate/frame/validate-rows.h"

#define NO_FORM "no form says what it is compared with"

/* Its variables, of the settings that it has so far. */
static gboolean set_values(FormRow *row, GError **error)
{
	TextRefusal refusal = {0};

	g_free(row->state.values);
	row->state.values = trace_text_values(
		row->form->text, &(TextSettings){row->names, row->values}, &refusal, error);
	if (refusal.name != NULL && csv_column(row->table, refusal.name) >= 0) {
		const guint column = (guint)csv_column(row->table, refusal.name);

		g_clear_error(error);
		csv_fail_cell(row->table, row->row, column, error, "found '%s'; allowed: %s",
			      csv_cell(row->table, row->row, column), refusal.allowed);
	}
	g_free(refusal.allowed);
	return row->state.values != NULL;
}

static guint n_given(const FormPoint *point)
{
	guint n = 0;

	for (const FormGiven *given = point->given; given != NULL; given = given->next)
		n++;
	return n;
}

/* The row's parameters: its cells in the columns of their names, and what its form gives it. */
static gboolean set_row(FormRow *row, GError **error)
{
	g_autofree const char **parameters = trace_text_parameters(row->form->text, FALSE);
	const guint n = g_strv_length((char **)parameters), most = n + n_given(row->point) + 1;
	const char **names = g_new0(const char *, most), **values = g_new0(const char *, most);
	guint used = 0;

	row->names = names;
	row->values = values;
	row->state.name = trace_text_name(row->form->text);
	for (guint i = 0; i < n; i++) {
		const int column = csv_column(row->table, parameters[i]);

		g_autofree char *known =
			column < 0 ? form_known_value(row, parameters[i]) : NULL;
		const char *value = column >= 0 ? csv_cell(row->table, row->row, (guint)column)
				    : known	? g_string_chunk_insert_const(row->texts, known)
						: NULL;

		if (value == NULL)
			continue;
		names[used] = parameters[i];
		values[used++] = value;
	}
	if (!set_values(row, error))
		return FALSE;
	for (const FormGiven *given = row->point->given; given != NULL; given = given->next) {
		values[used] = form_given_value(row, given, error);
		names[used] = given->parameter;
		if (values[used++] == NULL || !set_values(row, error))
			return FALSE;
	}
	return TRUE;
}

static void clear_row(FormRow *row)
{
	g_free(row->state.values);
	g_free((gpointer)row->names);
	g_free((gpointer)row->values);
}

/* Whether a row that comes to be compared with has these cells, among the first `n`. */
static gboolean is_among(const FormRow *row, const FormCell *cells, guint n, gboolean *is,
			 GError **error)
{
	g_auto(FormMatch) match = {0};

	*is = FALSE;
	if (!form_match_init(&match, row, row->table, cells, error))
		return FALSE;
	for (guint i = 0; i < n && !*is; i++)
		*is = form_match_has(&match, i);
	return TRUE;
}

/* Why the row is passed over, or NULL. */
static gboolean find_skip(const FormRow *row, const char **why, GError **error)
{
	for (const FormSkip *skip = row->point->skips; skip != NULL; skip = skip->next) {
		gboolean is = FALSE;

		if (skip->kind == SKIP_WHEN
			    ? !expression_true(skip->when, &row->state, &is, error)
			    : !is_among(row, skip->cells,
					skip->kind == SKIP_BEHIND ? row->row
								  : csv_rows(row->table),
					&is, error))
			return FALSE;
		if (is != (skip->kind == SKIP_WITHOUT)) {
			*why = g_intern_string(skip->why);
			return TRUE;
		}
	}
	return TRUE;
}

/* What was measured: above 0. */
static gboolean measure(const FormRow *row, double *measured, GError **error)
{
	const Figure *figure = row->point->measured;
	const int column =
		figure->kind == FIGURE_VARIABLE ? csv_column(row->table, figure->name) : -1;
	const char *skipped = NULL;

	if (column >= 0)
		return csv_number(row->table, row->row, (guint)column, VALIDATE_LEAST_CYCLES,
				  measured, error);
	return figure_value(figure, row, measured, &skipped, error) &&
	       (*measured >= VALIDATE_LEAST_CYCLES ||
		text_fail(error, row->state.name, figure->place,
			  "%g measured; allowed: at least %g", *measured,
			  VALIDATE_LEAST_CYCLES));
}

/* What the expressions say, one behind the other. g_free; NULL: failed. */
static char *print_all(const Expression *list, const TextState *state, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (; list != NULL; list = list->next) {
		g_autofree char *part = NULL;
		TextValue value;

		if (!expression_value(list, state, &value, error))
			return NULL;
		part = text_value_print(&value);
		g_string_append(text, part);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* How the point is called, and what it is compared with. */
static gboolean set_point(const FormRow *row, MeasuredRow *measured, GError **error)
{
	g_autofree char *operation = print_all(row->point->operation, &row->state, error);
	gboolean held_back = FALSE;

	if (operation == NULL ||
	    (row->point->held_back &&
	     !expression_true(row->point->held_back, &row->state, &held_back, error)) ||
	    !measure(row, &measured->measured, error))
		return FALSE;
	measured->held_back = held_back;
	measured->pattern = print_all(row->point->name, &row->state, error);
	measured->operation = g_intern_string(operation);
	return measured->pattern != NULL;
}

/* The row's place in front of what does not begin with its file. */
static void say_place(const FormRow *row, GError **error)
{
	if (error && *error && !g_str_has_prefix((*error)->message, csv_path(row->table)))
		g_prefix_error(error, "%s:%u: ", csv_path(row->table),
			       csv_line(row->table, row->row));
}

static gboolean read_row(FormRow *row, MeasuredRow *measured, GError **error)
{
	measured->row = row->row;
	if (row->form == NULL) {
		measured->why = NO_FORM;
		return TRUE;
	}
	if (set_row(row, error) &&
	    (!row->point->memory ||
	     measured_rows_need_slices(row->machine, row->table, error)) &&
	    find_skip(row, &measured->why, error) &&
	    (measured->why != NULL || set_point(row, measured, error)))
		return TRUE;
	say_place(row, error);
	return FALSE;
}

/* A SimulateRow. Parameters that have no program pass the row over. */
static void simulate(const Machine *machine, MeasuredRow *measured)
{
	FormRow row = *(const FormRow *)measured->program;
	const char *skipped = NULL;

	row.machine = machine;
	row.launch_class = &measured->launch_class;
	if (figure_value(row.point->simulated, &row, &measured->simulated, &skipped,
			 &measured->error))
		return;
	if (skipped != NULL) {
		g_clear_error(&measured->error);
		measured->operation = NULL;
		measured->why = skipped;
	} else {
		say_place(&row, &measured->error);
	}
}

/* Whether the table has what the point was measured as. */
static gboolean is_measured(const CsvTable *table, const Form *form, const FormPoint *point)
{
	return point->measured->kind != FIGURE_VARIABLE ||
	       csv_column(table, point->measured->name) >= 0 ||
	       trace_text_variable(form->text, point->measured->name) >= 0;
}

/* Whether one of a form's points is; else the first one says what is missing. */
static gboolean has_measured(const CsvTable *table, const Form *form)
{
	for (const FormPoint *point = form->points; point != NULL; point = point->next)
		if (is_measured(table, form, point))
			return TRUE;
	return FALSE;
}

/* A row for each point of each row of the table, or of its sample. */
static GArray *form_rows_new(const FormRow *any, Validation *validation)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(FormRow));

	for (guint i = 0; i < csv_rows(any->table); i++) {
		FormRow row = *any;

		if (validation->sampled && !sample_has(any->table, i)) {
			validation->left_out++;
			continue;
		}
		row.row = i;
		row.form = form_table_form(any->forms, i);
		row.point = row.form ? row.form->points : NULL;
		do {
			if (row.point == NULL || !has_measured(row.table, row.form) ||
			    is_measured(row.table, row.form, row.point))
				g_array_append_val(rows, row);
			row.point = row.point ? row.point->next : NULL;
		} while (row.point != NULL);
	}
	return rows;
}

gboolean form_table_add(Validation *validation, const Machine *machine, const CsvTable *table,
			const FormTable *forms, GError **error)
{
	g_autoptr(GStringChunk) texts = g_string_chunk_new(4096);
	const FormRow any = {
		.table = table, .forms = forms, .texts = texts, .machine = machine};
	g_autoptr(GArray) rows = form_rows_new(&any, validation);
	g_autoptr(GArray) measured = measured_points_new(rows->len);
	gboolean good = TRUE;

	for (guint i = 0; good && i < rows->len; i++) {
		FormRow *row = &g_array_index(rows, FormRow, i);
		MeasuredRow *point = &g_array_index(measured, MeasuredRow, i);

		point->program = row;
		good = read_row(row, point, error);
	}
	good = good && measured_rows_add(validation, machine, table, measured, simulate, error);
	for (guint i = 0; i < rows->len; i++)
		clear_row(&g_array_index(rows, FormRow, i));
	return good;
}
