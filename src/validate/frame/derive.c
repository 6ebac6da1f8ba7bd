/* SPDX-License-Identifier: MIT */
#include "validate/frame/derive.h"

#include <string.h>

#include "base/error.h"
#include "validate/frame/derive-internal.h"

static const char *const columns_all[DERIVE_N_COLUMNS] = {
	"key",	 "file", "rows",  "minus",	"statistic", "of",
	"scale", "less", "round", "least_rows", "range",     "agree"};

/* --- All --- */

static void derivation_clear(gpointer data)
{
	Derivation *derivation = data;

	g_free(derivation->key);
	g_free(derivation->file);
	g_free(derivation->rows);
	g_free(derivation->statistic);
	g_free(derivation->why);
}

/* One more line of a key that another did not give: what both say. */
static void replace(Derivation *old, Derivation *new)
{
	if (new->why) {
		char *both = g_strdup_printf("%s; %s", old->why, new->why);

		derive_inherit(new, both);
	}
	derivation_clear(old);
	*old = *new;
}

static gboolean derive_lines(Deriving *deriving, GError **error)
{
	for (guint row = 0; row < csv_rows(deriving->lines); row++) {
		Derivation derivation = {0};
		Derivation *had = derive_find(deriving, derive_cell(deriving, row, DERIVE_KEY));

		if (had && !had->why)
			continue;
		if (!derive_line(deriving, row, &derivation, error)) {
			derivation_clear(&derivation);
			return FALSE;
		}
		if (had)
			replace(had, &derivation);
		else
			g_array_append_val(deriving->values, derivation);
	}
	return TRUE;
}

static gboolean find_columns(Deriving *deriving, GError **error)
{
	guint needed[DERIVE_N_NEEDED];

	if (!csv_require_all(deriving->lines, columns_all, DERIVE_N_NEEDED, needed, error))
		return FALSE;
	for (guint i = 0; i < DERIVE_N_COLUMNS; i++)
		deriving->columns[i] = csv_column(deriving->lines, columns_all[i]);
	return TRUE;
}

/* Whether the value is one of the map's numbers. */
static gboolean is_of_map(const Derivation *d)
{
	return !d->why && g_str_has_prefix(d->statistic, DERIVE_OF_MAP);
}

/* The map and its numbers as settings. g_ptr_array_unref; NULL-terminated. */
static GPtrArray *map_settings(const Derived *derived, const char *json)
{
	GPtrArray *settings = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(settings, g_strconcat("l2.map=", json, NULL));
	for (guint i = 0; i < derived->values->len; i++) {
		const Derivation *d = &g_array_index(derived->values, Derivation, i);

		if (is_of_map(d))
			g_ptr_array_add(settings, g_strdup_printf("%s=%" G_GUINT64_FORMAT,
								  d->key, d->derived));
	}
	g_ptr_array_add(settings, NULL);
	return settings;
}

/* The first problem, without the setting that it is of: nobody gave one. g_free. */
static char *first_problem(const char *message)
{
	const char *key = strstr(message, ": /");
	const char *begin = key ? key + strlen(": ") : message;

	return g_strndup(begin, strcspn(begin, "\n"));
}

/* The map, if the config can have it with the numbers that belong to it; or else why not. */
static void take_map(Derived *derived, const L2Map *map, const Config *config)
{
	g_autofree char *json = l2_map_json(map, config);
	g_autoptr(GPtrArray) settings = json ? map_settings(derived, json) : NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) with =
		json ? config_with(config, (const char *const *)settings->pdata, &error) : NULL;

	derived->map_why = error ? first_problem(error->message) : g_strdup(map->why);
	derived->map = with ? g_steal_pointer(&json) : NULL;
	/* A machine without the map has none of its numbers. */
	for (guint i = 0; !with && i < derived->values->len; i++) {
		Derivation *d = &g_array_index(derived->values, Derivation, i);

		if (is_of_map(d))
			derive_inherit(d, g_strdup(derived->map_why));
	}
}

Derived *derive(const Config *config, const char *table, const char *folder, GError **error)
{
	g_autoptr(CsvTable) lines = csv_read(table, error);
	g_autoptr(Derived) derived = g_new0(Derived, 1);
	g_auto(DeriveFiles) files = {0};
	Deriving deriving = {.config = config, .lines = lines};
	gboolean good;

	derived->values = g_array_new(FALSE, TRUE, sizeof(Derivation));
	g_array_set_clear_func(derived->values, derivation_clear);
	derive_files_open(&files, folder);
	deriving.files = files;
	deriving.values = derived->values;
	good = lines && derive_gpu(folder, &derived->gpu, &derived->capability, error) &&
	       find_columns(&deriving, error) && derive_lines(&deriving, error);
	if (good && deriving.map)
		take_map(derived, deriving.map, config);
	l2_map_free(deriving.map);
	return good ? g_steal_pointer(&derived) : NULL;
}

void derived_compare(Derived *derived, const Derived *other)
{
	const Deriving there = {.values = other->values};

	for (guint i = 0; i < derived->values->len; i++) {
		Derivation *d = &g_array_index(derived->values, Derivation, i);
		const Derivation *there_too = derive_find(&there, d->key);

		d->is_compared = there_too && !there_too->why;
		d->compared = d->is_compared ? there_too->derived : 0;
	}
}

void derived_free(Derived *derived)
{
	g_array_unref(derived->values);
	g_free(derived->map);
	g_free(derived->map_why);
	g_free(derived->gpu);
	g_free(derived);
}

/* 90 for 9.0. */
static gboolean read_capability(const CsvTable *facts, guint column, guint *capability,
				GError **error)
{
	guint64 number;

	if (!g_ascii_string_to_unsigned(csv_cell(facts, 0, column), 10, 10, 999, &number, NULL))
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: compute_capability: found '%s'; allowed: a whole "
				    "number from 10 to 999, 90 for 9.0",
				    csv_path(facts), csv_cell(facts, 0, column));
	*capability = (guint)number;
	return TRUE;
}

gboolean derive_gpu(const char *folder, char **name, guint *capability, GError **error)
{
	g_autofree char *path = g_build_filename(folder, DERIVE_GPU, NULL);
	g_auto(DeriveFiles) files = {0};
	const CsvTable *facts;
	int column;

	*name = NULL;
	*capability = 0;
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return TRUE;
	derive_files_open(&files, folder);
	facts = derive_table(&files, DERIVE_GPU, error);
	if (!facts)
		return FALSE;
	column = csv_column(facts, "name");
	*name = column < 0 ? NULL : g_strdup(csv_cell(facts, 0, (guint)column));
	column = csv_column(facts, "compute_capability");
	return column < 0 || read_capability(facts, (guint)column, capability, error);
}
