/* SPDX-License-Identifier: MIT */
/* The forms that the rows of a table name, and the tables that they join. */
#include <string.h>

#include "base/error.h"
#include "base/installed.h"
#include "validate/frame/form.h"

struct FormTable {
	GPtrArray *forms;   /* each once */
	Form **of_row;	    /* NULL: the row has none */
	GHashTable *beside; /* file name -> CsvTable */
};

/* --- Reading --- */

/* The text of that name: in the folder of the table, else among the installed ones. NULL: failed. g_free. */
static char *find_text(const CsvTable *table, guint row, const char *name, GError **error)
{
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
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s:%u: form: found '%.40s'; allowed: NAME of a trace text "
			     "NAME.trace in the same folder, or of an installed one",
			     csv_path(table), csv_line(table, row), name);
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

static void free_table(gpointer table)
{
	csv_free(table);
}

/* The tables that a form joins. */
static gboolean read_beside(FormTable *forms, const CsvTable *table, const Form *form,
			    GError **error)
{
	g_autofree char *folder = g_path_get_dirname(csv_path(table));

	for (const FormPoint *point = form->points; point != NULL; point = point->next) {
		for (const FormGiven *given = point->given; given; given = given->next) {
			g_autofree char *path = NULL;
			CsvTable *other;

			if (given->kind != GIVEN_JOIN ||
			    g_hash_table_contains(forms->beside, given->file))
				continue;
			path = g_build_filename(folder, given->file, NULL);
			other = csv_read(path, error);
			if (other == NULL)
				return FALSE;
			g_hash_table_insert(forms->beside, (gpointer)given->file, other);
		}
	}
	return TRUE;
}

const CsvTable *form_table_beside(const FormTable *forms, const char *file)
{
	return g_hash_table_lookup(forms->beside, file);
}

/* The form of that name, which may have been read before. NULL: failed. */
static Form *take_form(FormTable *forms, const CsvTable *table, const char *name, char *path,
		       GError **error)
{
	Form *form = path ? form_read(name, path, error) : NULL;

	g_free(path);
	if (form == NULL)
		return NULL;
	g_ptr_array_add(forms->forms, form);
	return has_columns(table, form, error) && read_beside(forms, table, form, error) ? form
											 : NULL;
}

FormTable *form_table_read(const CsvTable *table, const char *usual, GError **error)
{
	g_autoptr(FormTable) forms = g_new0(FormTable, 1);
	const int column = csv_column(table, "form");

	forms->forms = g_ptr_array_new_with_free_func((GDestroyNotify)form_free);
	forms->of_row = g_new0(Form *, MAX(csv_rows(table), 1));
	forms->beside = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_table);
	for (guint i = 0; i < csv_rows(table); i++) {
		const char *name = column < 0 ? usual : csv_cell(table, i, (guint)column);

		forms->of_row[i] = find_form(forms, name);
		if (*name == '\0' || forms->of_row[i] != NULL)
			continue;
		forms->of_row[i] =
			take_form(forms, table, name, find_text(table, i, name, error), error);
		if (forms->of_row[i] == NULL)
			return NULL;
	}
	return g_steal_pointer(&forms);
}

void form_table_free(FormTable *forms)
{
	g_clear_pointer(&forms->beside, g_hash_table_unref);
	g_clear_pointer(&forms->forms, g_ptr_array_unref);
	g_free(forms->of_row);
	g_free(forms);
}

const Form *form_table_form(const FormTable *forms, guint row)
{
	return forms->of_row[row];
}
