/* SPDX-License-Identifier: MIT */
/* atomsim derive --check: a config is what its measurements say. */
#include "cli/derive/derive.h"

#include <string.h>

#include "base/csv.h"
#include "config/keys.h"
#include "config/provenance.h"

enum { KEY, DERIVED, WHY, N_COLUMNS };

typedef struct {
	CsvTable *table; /* NULL: there is no list */
	guint columns[N_COLUMNS];
} List;

/* What the list says is derived, "" for nothing; NULL: it does not name the key. */
static const char *listed(const List *list, const char *key)
{
	for (guint row = 0; list->table && row < csv_rows(list->table); row++)
		if (strcmp(csv_cell(list->table, row, list->columns[KEY]), key) == 0)
			return csv_cell(list->table, row, list->columns[DERIVED]);
	return NULL;
}

static const Derivation *find(const Derived *derived, const char *key)
{
	for (guint i = 0; i < derived->values->len; i++) {
		const Derivation *d = &g_array_index(derived->values, Derivation, i);

		if (strcmp(d->key, key) == 0)
			return d;
	}
	return NULL;
}

/* Of a value that is derived: it is the config's, or listed as it is. */
static guint check_value(const List *list, const Derivation *d)
{
	const char *there = listed(list, d->key);
	g_autofree char *is = g_strdup_printf("%" G_GUINT64_FORMAT, d->derived);

	if (d->derived == d->has ? there == NULL : there && strcmp(there, is) == 0)
		return 0;
	if (d->derived == d->has)
		g_printerr("atomsim: derive: %s comes to %s, as the config has it, but is "
			   "listed as not so\n",
			   d->key, is);
	else
		g_printerr("atomsim: derive: %s comes to %s, and the config has "
			   "%" G_GUINT64_FORMAT "\n",
			   d->key, is, d->has);
	return 1;
}

/* The config says that the value is from the same file, rows and statistic. What it has from a specification, or of the map, may be said so. */
static guint check_source(const Config *config, const Derivation *d)
{
	Provenance entry;

	if (!config_provenance(config, key_index(key_find(d->key)), &entry) ||
	    entry.kind != PROVENANCE_MEASURED || provenance_is_inherited(config, &entry) ||
	    g_str_has_prefix(d->statistic, DERIVE_OF_MAP) || d->derived != d->has)
		return 0;
	if (g_str_has_suffix(entry.source, d->file) &&
	    g_strcmp0(entry.rows ? entry.rows : "", d->rows) == 0 &&
	    g_strcmp0(entry.statistic, d->statistic) == 0)
		return 0;
	g_printerr("atomsim: derive: %s is the %s, %s, %s, but the config says: %s; %s; %s\n",
		   d->key, d->statistic, d->file, d->rows, entry.source,
		   entry.rows ? entry.rows : "-", entry.statistic ? entry.statistic : "-");
	return 1;
}

/* Of a key that is measured or fitted on the GPU itself, but not derived. */
static guint check_inherited(const List *list, const char *key)
{
	const char *there = listed(list, key);

	if (!list->table || (there && *there == '\0'))
		return 0;
	g_printerr("atomsim: derive: %s was measured on this GPU, but nothing derives it\n",
		   key);
	return 1;
}

/* Each line of the list names a key that the config has from measurements. */
static guint check_lines(const List *list, const Config *config)
{
	guint n = 0;

	for (guint row = 0; list->table && row < csv_rows(list->table); row++) {
		const char *name = csv_cell(list->table, row, list->columns[KEY]);
		const Key *key = key_find(name);
		Provenance entry;

		if (key && config_provenance(config, key_index(key), &entry) &&
		    !provenance_is_inherited(config, &entry))
			continue;
		g_printerr("atomsim: derive: %s: %s is no key that was measured on this GPU\n",
			   csv_path(list->table), name);
		n++;
	}
	return n;
}

static gboolean open_list(const char *path, List *list, GError **error)
{
	static const char *const names[N_COLUMNS] = {"key", "derived", "why"};

	*list = (List){NULL, {0}};
	if (path == NULL)
		return TRUE;
	list->table = csv_read(path, error);
	return list->table &&
	       csv_require_all(list->table, names, N_COLUMNS, list->columns, error);
}

gboolean derive_check(const Derived *derived, const Config *config, const char *list_path,
		      guint *n, GError **error)
{
	List list;
	const gboolean good = open_list(list_path, &list, error);

	*n = 0;
	for (guint i = 0; good && i < key_count(); i++) {
		const Derivation *d = find(derived, key_at(i)->path);
		const gboolean of_map = derived->map && key_at(i)->type == KEY_MAP;
		Provenance entry;

		if (d && !d->why)
			*n += check_value(&list, d) + check_source(config, d);
		else if (config_provenance(config, i, &entry) && !of_map &&
			 (entry.kind == PROVENANCE_MEASURED ||
			  entry.kind == PROVENANCE_FITTED) &&
			 !provenance_is_inherited(config, &entry) &&
			 provenance_counts_key(config, i))
			*n += check_inherited(&list, key_at(i)->path);
	}
	*n += good ? check_lines(&list, config) : 0;
	csv_free(list.table);
	return good;
}
