/* SPDX-License-Identifier: MIT */
/* Tables whose rows name their form: each point of each row is simulated. */
#include <string.h>

#include "base/error.h"
#include "base/installed.h"
#include "model/memory/slice-map.h"
#include "validate/frame/form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate-rows.h"

#define NO_FORM "no form says what it is compared with"

struct FormTable {
	GPtrArray *forms; /* each once */
	Form **of_row;	  /* NULL: the row has none */
};

/* --- Reading --- */

/* The text of that name: in the folder of the table, else among the installed ones. NULL: failed. g_free. */
static char *find_text(const CsvTable *table, guint row, guint column, GError **error)
{
	const char *name = csv_cell(table, row, column);
	g_autofree char *folder = g_path_get_dirname(csv_path(table));
	g_autofree char *file = g_strconcat(name, ".trace", NULL);
	g_autofree char *beside = g_build_filename(folder, file, NULL);
	g_auto(GStrv) folders = NULL;
	char *found;

	if (strchr(name, '/') == NULL && g_file_test(beside, G_FILE_TEST_EXISTS))
		return g_steal_pointer(&beside);
	folders = installed_folders("forms", "measurements/forms", "ATOMSIM_FORM_PATH");
	found = strchr(name, '/') == NULL ? installed_find(folders, name, ".trace") : NULL;
	if (found == NULL)
		csv_set_cell_error(table, row, column, error,
				   "found '%.40s'; allowed: NAME of a trace text NAME.trace in "
				   "the same folder, or of an installed one",
				   name);
	return found;
}

static Form *find_form(const FormTable *forms, const char *name)
{
	for (guint i = 0; i < forms->forms->len; i++) {
		Form *form = g_ptr_array_index(forms->forms, i);

		if (strcmp(form->name, name) == 0)
			return form;
	}
	return NULL;
}

/* Columns of what it needs that has no default are there. */
static gboolean has_columns(const CsvTable *table, const Form *form, GError **error)
{
	g_autofree const char **needed = trace_text_parameters(form->text, TRUE);
	guint column = 0;

	for (guint i = 0; needed[i] != NULL; i++)
		if (!csv_require(table, needed[i], &column, error))
			return FALSE;
	return TRUE;
}

FormTable *form_table_read(const CsvTable *table, GError **error)
{
	g_autoptr(FormTable) forms = g_new0(FormTable, 1);
	guint column = 0;

	if (!csv_require(table, "form", &column, error))
		return NULL;
	forms->forms = g_ptr_array_new_with_free_func((GDestroyNotify)form_free);
	forms->of_row = g_new0(Form *, MAX(csv_rows(table), 1));
	for (guint i = 0; i < csv_rows(table); i++) {
		const char *name = csv_cell(table, i, column);
		g_autofree char *path = NULL;

		forms->of_row[i] = find_form(forms, name);
		if (*name == '\0' || forms->of_row[i] != NULL)
			continue;
		path = find_text(table, i, column, error);
		if (path == NULL)
			return NULL;
		forms->of_row[i] = form_read(name, path, error);
		if (forms->of_row[i] == NULL)
			return NULL;
		g_ptr_array_add(forms->forms, forms->of_row[i]);
		if (!has_columns(table, forms->of_row[i], error))
			return NULL;
	}
	return g_steal_pointer(&forms);
}

void form_table_free(FormTable *forms)
{
	g_clear_pointer(&forms->forms, g_ptr_array_unref);
	g_free(forms->of_row);
	g_free(forms);
}

/* --- Rows --- */

#define MAX_LINE 256 /* that is looked at for one of a side */
#define BUFFER_LINES                                                                           \
	(UINT64_C(1) << 14) /* from one buffer's begin to the next one's: sim/run/run.c */

/* The first line of a buffer that lies in the partition of the L2 that the SM of a single block is near to, or in another; 0 where the
   machine has no two. */
static guint line_of(const Machine *machine, guint buffer, gboolean far)
{
	const uint32_t sm =
		slice_sm_place(machine->l2, machine->network->group_sms, 1, 0).partition;

	for (guint line = 0; line < MAX_LINE; line++)
		if ((slice_place(machine->l2, (buffer - 1) * BUFFER_LINES + line).partition !=
		     sm) == far)
			return line;
	return 0;
}

/* What a parameter is that no column has: of the machine, and of the row. NULL: its default. g_free. */
static char *known_value(const FormRow *row, const char *name)
{
	static const struct {
		const char *name;
		guint buffer;
		gboolean far;
	} lines[] = {{"near_line_1", 1, FALSE},
		     {"far_line_1", 1, TRUE},
		     {"near_line_2", 2, FALSE},
		     {"far_line_2", 2, TRUE}};

	if (strcmp(name, "row_line") == 0)
		return g_strdup_printf("%u", csv_line(row->table, row->row));
	if (strcmp(name, "memory_side") == 0)
		return g_strdup_printf("%d", row->machine->global.model != GLOBAL_FLAT);
	if (strcmp(name, "sm_count") == 0)
		return g_strdup_printf("%u", row->machine->sm.count);
	for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
		if (strcmp(name, lines[i].name) == 0)
			return g_strdup_printf(
				"%u", line_of(row->machine, lines[i].buffer, lines[i].far));
	return NULL;
}

/* The row's parameters: its cells in the columns of their names. */
static gboolean set_row(FormRow *row, GError **error)
{
	g_autofree const char **parameters = trace_text_parameters(row->form->text, FALSE);
	const guint n = g_strv_length((char **)parameters);
	const char **names = g_new0(const char *, n + 1),
		   **values = g_new0(const char *, n + 1);
	TextRefusal refusal = {0};
	guint used = 0;

	row->names = names;
	row->values = values;
	for (guint i = 0; i < n; i++) {
		const int column = csv_column(row->table, parameters[i]);

		g_autofree char *known = column < 0 ? known_value(row, parameters[i]) : NULL;
		const char *value = column < 0 ? g_intern_string(known)
					       : csv_cell(row->table, row->row, (guint)column);

		if (value == NULL)
			continue;
		names[used] = parameters[i];
		values[used++] = value;
	}
	row->state.name = trace_text_name(row->form->text);
	row->state.values = trace_text_values(row->form->text, &(TextSettings){names, values},
					      &refusal, error);
	if (refusal.name != NULL && csv_column(row->table, refusal.name) >= 0) {
		const guint column = (guint)csv_column(row->table, refusal.name);

		g_clear_error(error);
		csv_set_cell_error(row->table, row->row, column, error,
				   "found '%s'; allowed: %s",
				   csv_cell(row->table, row->row, column), refusal.allowed);
	}
	g_free(refusal.allowed);
	return row->state.values != NULL;
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
	*is = FALSE;
	for (guint i = 0; i < n && !*is; i++)
		if (!form_row_has(row, cells, i, is, error))
			return FALSE;
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
static void simulate(const Machine *machine, const char *place, MeasuredRow *measured)
{
	FormRow row = *(const FormRow *)measured->program;
	const char *skipped = NULL;

	(void)place;
	row.machine = machine;
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

/* A row for each point of each row of the table. */
static GArray *form_rows_new(const CsvTable *table, const FormTable *forms,
			     const Machine *machine)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(FormRow));

	for (guint i = 0; i < csv_rows(table); i++) {
		FormRow row = {
			.table = table, .row = i, .form = forms->of_row[i], .machine = machine};

		row.point = row.form ? row.form->points : NULL;
		do {
			g_array_append_val(rows, row);
			row.point = row.point ? row.point->next : NULL;
		} while (row.point != NULL);
	}
	return rows;
}

gboolean form_table_add(Validation *validation, const Machine *machine, const CsvTable *table,
			const FormTable *forms, GError **error)
{
	g_autoptr(GArray) rows = form_rows_new(table, forms, machine);
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
