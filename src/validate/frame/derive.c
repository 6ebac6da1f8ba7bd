/* SPDX-License-Identifier: MIT */
#include "validate/frame/derive.h"

#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/csv.h"
#include "base/error.h"
#include "config/provenance.h"
#include "validate/frame/derive-rows.h"

enum { KEY, FILE_NAME, ROWS, MINUS, STATISTIC, OF, SCALE, LESS, ROUND, N_COLUMNS };

static const char *const columns_needed[N_COLUMNS] = {
	"key", "file", "rows", "minus", "statistic", "of", "scale", "less", "round"};

/* --- A line --- */

typedef struct {
	const Config *config;
	const char *folder;
	CsvTable *table;
	guint columns[N_COLUMNS];
	GHashTable *files; /* CsvTable by name */
} Reading;

static const char *cell(const Reading *reading, guint row, guint column)
{
	return csv_cell(reading->table, row, reading->columns[column]);
}

static gboolean refuse(const Reading *reading, guint row, guint column, const char *why,
		       GError **error)
{
	csv_set_cell_error(reading->table, row, reading->columns[column], error, "%s", why);
	return FALSE;
}

/* The file's table, read once. */
static const CsvTable *table_of(const Reading *reading, const char *name, GError **error)
{
	CsvTable *table = g_hash_table_lookup(reading->files, name);
	g_autofree char *path = g_build_filename(reading->folder, name, NULL);

	if (table)
		return table;
	table = csv_read(path, error);
	if (table)
		g_hash_table_insert(reading->files, g_strdup(name), table);
	return table;
}

/* "2 sm.alu_latency_cycles + 24": values that the config has, and numbers. */
static gboolean read_less(const Reading *reading, guint row, double *less, GError **error)
{
	g_auto(GStrv) terms = g_strsplit(cell(reading, row, LESS), " + ", -1);

	*less = 0;
	for (guint i = 0; terms[i]; i++) {
		char *end = NULL;
		double times = g_ascii_strtod(terms[i], &end);
		ConfigNumber number = {.value = 1};

		if (end == terms[i])
			times = 1;
		end += strspn(end, " ");
		if (*end != '\0' && !config_number(reading->config, end, &number, NULL))
			return refuse(reading, row, LESS,
				      "allowed: keys and numbers of them with + between",
				      error);
		*less += times * (double)number.value;
	}
	return TRUE;
}

/* To a multiple of a step: "", "10", "down", "up 5". */
static gboolean round_value(const Reading *reading, guint row, double exact, double *rounded,
			    GError **error)
{
	const char *text = cell(reading, row, ROUND);
	double (*way)(double) = round;
	double step = 1;
	char *end = NULL;

	if (g_str_has_prefix(text, "down"))
		way = floor;
	else if (g_str_has_prefix(text, "up"))
		way = ceil;
	text += way == floor ? strlen("down") : way == ceil ? strlen("up") : 0;
	text += strspn(text, " ");
	if (*text != '\0')
		step = g_ascii_strtod(text, &end);
	if ((end && *end != '\0') || !(step > 0))
		return refuse(reading, row, ROUND,
			      "allowed: a step, and down or up in front of it", error);
	/* A value that is whole but for the last bits of a double is whole. */
	*rounded = way(round(exact / step * 1e6) / 1e6) * step;
	return TRUE;
}

static gboolean read_scale(const Reading *reading, guint row, double *scale, GError **error)
{
	const char *text = cell(reading, row, SCALE);
	char *end = NULL;

	*scale = *text ? g_ascii_strtod(text, &end) : 1;
	if (end && *end == '/')
		*scale /= g_ascii_strtod(end + 1, &end);
	if ((end && *end != '\0') || !isfinite(*scale))
		return refuse(reading, row, SCALE, "allowed: a number or a quotient", error);
	return TRUE;
}

static gboolean read_rows(const Reading *reading, guint row, const CsvTable *table,
			  guint column, RowStatistic *statistic, GError **error)
{
	g_autofree char *why =
		row_statistic(table, cell(reading, row, column), cell(reading, row, OF),
			      cell(reading, row, STATISTIC), statistic);

	return why ? refuse(reading, row, column, why, error) : TRUE;
}

/* The statistic of some rows, less that of others, in the key's unit, less what the config says. */
static gboolean derive_exact(const Reading *reading, guint row, Derivation *derivation,
			     GError **error)
{
	const CsvTable *table = table_of(reading, derivation->file, error);
	RowStatistic of = {0}, minus = {0};
	double scale, less;

	if (!table || !read_rows(reading, row, table, ROWS, &of, error) ||
	    (*cell(reading, row, MINUS) &&
	     !read_rows(reading, row, table, MINUS, &minus, error)) ||
	    !read_scale(reading, row, &scale, error) || !read_less(reading, row, &less, error))
		return FALSE;
	derivation->n_rows = of.n + minus.n;
	derivation->least = MIN(scale * of.least, scale * of.most);
	derivation->most = MAX(scale * of.least, scale * of.most);
	derivation->exact = scale * (of.value - minus.value) - less;
	return TRUE;
}

static gboolean derive_line(const Reading *reading, guint row, Derivation *derivation,
			    GError **error)
{
	ConfigNumber number;
	double rounded;

	derivation->key = g_strdup(cell(reading, row, KEY));
	derivation->file = g_strdup(cell(reading, row, FILE_NAME));
	derivation->rows = g_strdup(cell(reading, row, ROWS));
	derivation->statistic = g_strdup_printf("%s of %s", cell(reading, row, STATISTIC),
						cell(reading, row, OF));
	if (!config_number(reading->config, derivation->key, &number, NULL))
		return refuse(reading, row, KEY, "allowed: a key that is a number", error);
	if (!derive_exact(reading, row, derivation, error) ||
	    !round_value(reading, row, derivation->exact, &rounded, error))
		return FALSE;
	if (!(rounded >= (double)number.min && rounded <= (double)number.max)) {
		g_autofree char *why = g_strdup_printf(
			"%s comes to %g; allowed: %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
			derivation->key, rounded, number.min, number.max);

		return refuse(reading, row, KEY, why, error);
	}
	derivation->derived = (guint64)rounded;
	derivation->has = number.value;
	return TRUE;
}

/* --- All --- */

static void derivation_clear(gpointer data)
{
	Derivation *derivation = data;

	g_free(derivation->key);
	g_free(derivation->file);
	g_free(derivation->rows);
	g_free(derivation->statistic);
}

static void close_table(gpointer table)
{
	csv_free(table);
}

GArray *derive(const Config *config, const char *table, const char *folder, GError **error)
{
	g_autoptr(CsvTable) lines = csv_read(table, error);
	g_autoptr(GArray) derivations = g_array_new(FALSE, TRUE, sizeof(Derivation));
	g_autoptr(GHashTable) files =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, close_table);
	Reading reading = {config, folder, lines, {0}, files};

	g_array_set_clear_func(derivations, derivation_clear);
	if (!lines ||
	    !csv_require_all(lines, columns_needed, N_COLUMNS, reading.columns, error))
		return NULL;
	for (guint row = 0; row < csv_rows(lines); row++) {
		Derivation derivation = {0};
		gboolean good = derive_line(&reading, row, &derivation, error);

		g_array_append_val(derivations, derivation);
		if (!good)
			return NULL;
	}
	return g_steal_pointer(&derivations);
}

/* --- As a config --- */

static cJSON *object_of(cJSON *root, const char *name)
{
	cJSON *object = cJSON_GetObjectItemCaseSensitive(root, name);

	return object ? object : cJSON_AddObjectToObject(root, name);
}

/* The value, and where it comes from as atomsim config --explain tells it. */
static void add_value(cJSON *root, const Derivation *derivation)
{
	const Provenance entry = {.kind = PROVENANCE_MEASURED,
				  .source = derivation->file,
				  .rows = derivation->rows,
				  .statistic = derivation->statistic};
	g_auto(GStrv) names = g_strsplit(derivation->key, ".", -1);
	guint last = g_strv_length(names) - 1;

	for (guint i = 0; i < last; i++)
		root = object_of(root, names[i]);
	cJSON_AddNumberToObject(root, names[last], (double)derivation->derived);
	cJSON_AddItemToObject(object_of(root, PROVENANCE), names[last],
			      provenance_entry_json(&entry));
}

char *derived_config(const GArray *derivations, const char *extends)
{
	cJSON *root = cJSON_CreateObject();
	char *printed, *text;

	cJSON_AddStringToObject(root, "extends", extends);
	for (guint i = 0; i < derivations->len; i++)
		add_value(root, &g_array_index(derivations, Derivation, i));
	printed = cJSON_Print(root);
	text = g_strconcat(printed, "\n", NULL);
	cJSON_free(printed);
	cJSON_Delete(root);
	return text;
}
