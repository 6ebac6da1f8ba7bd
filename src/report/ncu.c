/* SPDX-License-Identifier: MIT */
#include "report/ncu.h"

#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"

#define HEADER "\"ID\""

struct NcuTable {
	CsvTable *csv;
	guint id, kernel;
	int metric, unit, value; /* columns of the long form; -1: a column for each counter */
	guint first;		 /* row of a launch */
};

/* ncu quotes every cell; what else the program and ncu print goes between. */
static gboolean is_row(const char *line)
{
	return *line == '"';
}

gboolean ncu_is(const char *text)
{
	return g_str_has_prefix(text, HEADER) || strstr(text, "\n" HEADER) != NULL;
}

void ncu_free(NcuTable *table)
{
	if (table == NULL)
		return;
	csv_free(table->csv);
	g_free(table);
}

NcuTable *ncu_parse(const char *path, const char *text, gsize length, GError **error)
{
	g_autoptr(NcuTable) table = g_new0(NcuTable, 1);
	guint unit, value;

	table->csv = csv_parse_among(path, text, length, is_row, error);
	if (table->csv == NULL || !csv_require(table->csv, "ID", &table->id, error) ||
	    !csv_require(table->csv, "Kernel Name", &table->kernel, error))
		return NULL;
	table->metric = csv_column(table->csv, "Metric Name");
	if (table->metric >= 0) {
		if (!csv_require(table->csv, "Metric Unit", &unit, error) ||
		    !csv_require(table->csv, "Metric Value", &value, error))
			return NULL;
		table->unit = (int)unit;
		table->value = (int)value;
	}
	table->first = csv_rows(table->csv) > 0 && *csv_cell(table->csv, 0, table->id) == '\0';
	if (csv_rows(table->csv) == table->first) {
		atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"%s: found no launch; allowed: what ncu --csv prints of one or more",
			path);
		return NULL;
	}
	return g_steal_pointer(&table);
}

/* --- Names --- */

char *ncu_short_name(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "(anonymous namespace)::", -1);
	g_autofree char *plain = g_strjoinv("", parts);
	char *at;

	if ((at = strstr(plain, "<unnamed>::")) != NULL)
		return ncu_short_name(at + strlen("<unnamed>::"));
	plain[strcspn(plain, "<(")] = '\0';
	while ((at = strpbrk(plain, ": ")) != NULL)
		memmove(plain, at + 1, strlen(at));
	return g_steal_pointer(&plain);
}

static gboolean same_kernel(const char *one, const char *other)
{
	g_autofree char *a = ncu_short_name(one), *b = ncu_short_name(other);

	return strcmp(one, other) == 0 || strcmp(a, b) == 0;
}

/* "a, b" of the kernels that the table has, one name each. g_free. */
static char *kernel_names(const NcuTable *table, guint *n)
{
	GString *names = g_string_new(NULL);
	g_autoptr(GHashTable) known =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint row = table->first; row < csv_rows(table->csv); row++) {
		char *name = ncu_short_name(csv_cell(table->csv, row, table->kernel));

		if (!g_hash_table_contains(known, name))
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", name);
		g_hash_table_add(known, name);
	}
	*n = g_hash_table_size(known);
	return g_string_free(names, FALSE);
}

/* --- Numbers --- */

/* What a unit is of the one that counts are in here; 0: no such unit. */
static double scale_of(const char *counter, const char *unit)
{
	static const char prefixes[] = "KMGT";
	const char *prefix = g_ascii_isupper(*unit) && g_ascii_islower(unit[1])
				     ? strchr(prefixes, *unit)
				     : NULL;

	if (g_str_has_prefix(counter, "gpu__time")) {
		const char *rest = unit + (*unit == 'n' || *unit == 'u' || *unit == 'm');

		if (strcmp(rest, "s") != 0 && strcmp(rest, "second") != 0)
			return 0;
		return *unit == 'n' ? 1e-3 : *unit == 'u' ? 1 : *unit == 'm' ? 1e3 : 1e6;
	}
	return prefix != NULL ? pow(1e3, prefix - prefixes + 1) : 1;
}

/* A cell as a number, without the commas of thousands; *found: not "n/a" or nothing. */
static gboolean read_number(const NcuTable *table, guint row, guint column, double *number,
			    gboolean *found, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(csv_cell(table->csv, row, column), ",", -1);
	g_autofree char *digits = g_strjoinv("", parts);
	char *end;

	*found = *digits != '\0' && strcmp(digits, "n/a") != 0 && strcmp(digits, "nan") != 0;
	if (!*found)
		return TRUE;
	*number = g_ascii_strtod(digits, &end);
	if (*end == '\0' && isfinite(*number) && *number >= 0)
		return TRUE;
	return csv_fail_cell(table->csv, row, column, error,
			     "found '%s'; allowed: a number of at least 0, or n/a",
			     csv_cell(table->csv, row, column));
}

/* Adds what a cell has of a counter to its list of doubles, one for each launch. */
static gboolean add_count(const NcuTable *table, guint row, guint column, const char *counter,
			  const char *unit, GHashTable *lists, GError **error)
{
	GArray *list = g_hash_table_lookup(lists, counter);
	double scale = scale_of(counter, unit), number;
	gboolean found;

	if (!read_number(table, row, column, &number, &found, error))
		return FALSE;
	if (!found)
		return TRUE;
	if (scale == 0)
		return csv_fail_cell(table->csv, row, column, error,
				     "found the unit '%s' of %s; allowed: ns, us, ms, s", unit,
				     counter);
	if (list == NULL) {
		list = g_array_new(FALSE, FALSE, sizeof(double));
		g_hash_table_insert(lists, g_strdup(counter), list);
	}
	number *= scale;
	g_array_append_val(list, number);
	return TRUE;
}

/* Takes a counter that reports have, and of another the name. */
static gboolean take(const NcuTable *table, guint row, guint column, const char *counter,
		     const char *unit, NcuKernel *kernel, GHashTable *lists, GError **error)
{
	if (ncu_field(counter) != NULL)
		return add_count(table, row, column, counter, unit, lists, error);
	if (strstr(counter, "__") != NULL && !g_str_has_prefix(counter, "device__") &&
	    !g_ptr_array_find_with_equal_func(kernel->others, counter, g_str_equal, NULL))
		g_ptr_array_add(kernel->others, g_strdup(counter));
	return TRUE;
}

/* The counters of a row: one, or a column each. */
static gboolean add_row(const NcuTable *table, guint row, NcuKernel *kernel, GHashTable *lists,
			GError **error)
{
	const CsvTable *csv = table->csv;
	const char *counter;

	if (table->metric >= 0)
		return take(table, row, (guint)table->value,
			    csv_cell(csv, row, (guint)table->metric),
			    csv_cell(csv, row, (guint)table->unit), kernel, lists, error);
	for (guint i = 0; (counter = csv_column_name(csv, i)) != NULL; i++)
		if (!take(table, row, i, counter, table->first ? csv_cell(csv, 0, i) : "",
			  kernel, lists, error))
			return FALSE;
	return TRUE;
}

/* --- Launches --- */

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void ncu_kernel_free(NcuKernel *kernel)
{
	if (kernel == NULL)
		return;
	g_free(kernel->kernel);
	g_hash_table_unref(kernel->counts);
	g_ptr_array_unref(kernel->others);
	g_free(kernel);
}

static void take_medians(NcuKernel *kernel, GHashTable *lists)
{
	GHashTableIter iter;
	gpointer counter, list;

	g_hash_table_iter_init(&iter, lists);
	while (g_hash_table_iter_next(&iter, &counter, &list)) {
		GArray *numbers = list;

		g_array_sort(numbers, compare_numbers);
		g_hash_table_insert(
			kernel->counts, g_strdup(counter),
			g_memdup2(&g_array_index(numbers, double, (numbers->len - 1) / 2),
				  sizeof(double)));
	}
}

/* Rows of the launch asked for, or of all. FALSE: a cell is no number. */
static gboolean gather(const NcuTable *table, const char *name, NcuKernel *kernel,
		       GHashTable *lists, GError **error)
{
	const char *last = "";

	for (guint row = table->first; row < csv_rows(table->csv); row++) {
		const char *found = csv_cell(table->csv, row, table->kernel);
		const char *id = csv_cell(table->csv, row, table->id);

		if (name != NULL && !same_kernel(found, name))
			continue;
		if (strcmp(id, last) != 0)
			kernel->n++;
		last = id;
		if (kernel->kernel == NULL)
			kernel->kernel = g_strdup(found);
		if ((kernel->launch == 0 || kernel->launch == kernel->n) &&
		    !add_row(table, row, kernel, lists, error))
			return FALSE;
	}
	return TRUE;
}

NcuKernel *ncu_kernel(const NcuTable *table, const char *name, guint launch, GError **error)
{
	g_autoptr(NcuKernel) kernel = g_new0(NcuKernel, 1);
	g_autoptr(GHashTable) lists = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
							    (GDestroyNotify)g_array_unref);
	guint n;
	g_autofree char *names = kernel_names(table, &n);

	kernel->counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	kernel->others = g_ptr_array_new_with_free_func(g_free);
	kernel->launch = launch;
	if (name == NULL && n > 1) {
		atomsim_fail(
			error, ATOMSIM_ERROR_INPUT,
			"%s: found the kernels %s, and the report does not say which it is "
			"of; allowed: one",
			csv_path(table->csv), names);
		return NULL;
	}
	if (!gather(table, name, kernel, lists, error))
		return NULL;
	if (kernel->n == 0) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: found the kernels %s; allowed: the report's, %s",
			     csv_path(table->csv), names, name);
		return NULL;
	}
	if (launch > kernel->n) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: found %u launches of %s; allowed: --launch up to that",
			     csv_path(table->csv), kernel->n, kernel->kernel);
		return NULL;
	}
	take_medians(kernel, lists);
	return g_steal_pointer(&kernel);
}
