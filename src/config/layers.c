/* SPDX-License-Identifier: MIT */
#include "config/layers.h"

#include <string.h>

#include "config/map.h"
#include "config/search.h"
#include "config/value.h"
#include "base/error.h"

/* Members of a file that are no keys. */
static const struct {
	const char *name;
	gboolean top_only;
	cJSON_bool (*is_valid)(const cJSON *item);
	const char *allowed;
} remarks[] = {
	{"$schema", TRUE, cJSON_IsString, "a text"},
	{"extends", TRUE, cJSON_IsString, "a config's name or path"},
	{"description", FALSE, cJSON_IsString, "a text"},
	{"gpu", TRUE, cJSON_IsString, "a text"},
	{"sources", TRUE, cJSON_IsObject, "an object"},
	{PROVENANCE, FALSE, cJSON_IsObject, "an object"},
};

/* What config_lay_object hands down. */
typedef struct {
	Config *config;
	const Document *document;
	Problems *problems;
} Lay;

static void report_type(const Lay *lay, const cJSON *item, const char *pointer,
			const char *allowed)
{
	if (!document_span(lay->document, item)->bad)
		document_refuse(lay->document, item, pointer, allowed, lay->problems);
}

static void lay_item(const Lay *lay, const Key *key, const cJSON *item, const char *pointer)
{
	g_autofree char *why = NULL;
	const cJSON *at = item;

	if (value_set(&lay->config->machine, key, item, lay->config->texts->chunk, &why, &at))
		return;
	lay->config->origins[key_index(key)].bad = TRUE;
	if (problems_wanted(lay->problems)) {
		g_autofree char *place =
			document_place(lay->document, document_span(lay->document, at));
		g_autofree char *allowed = value_allowed(key);

		if (why)
			problems_add(lay->problems, place, pointer, "%s", why);
		else
			document_refuse(lay->document, at, pointer, allowed, lay->problems);
	} else {
		lay->problems->n_problems++;
	}
}

/* A map that has a file of its own, named from the config's folder. */
static void lay_map_file(const Lay *lay, const Key *key, const cJSON *item, const char *pointer)
{
	g_autofree char *folder = g_path_get_dirname(lay->document->place.name);
	g_autofree char *path = g_path_is_absolute(item->valuestring) || !strcmp(folder, ".")
					? g_strdup(item->valuestring)
					: g_build_filename(folder, item->valuestring, NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Document) document = NULL;
	Lay inner = {lay->config, NULL, lay->problems};
	guint n_problems = lay->problems->n_problems;
	gsize length = 0;

	if (config_read(path, &text, &length, &error)) {
		document = document_parse(path, TRUE, text, length, lay->problems);
		inner.document = document;
		if (document->root && lay->problems->n_problems == n_problems)
			lay_item(&inner, key, document->root, NULL);
	} else {
		g_autofree char *place =
			document_place(lay->document, document_span(lay->document, item));
		g_autofree char *allowed = value_allowed(key);

		problems_add(lay->problems, place, pointer, "%s; allowed: %s", error->message,
			     allowed);
	}
	if (lay->problems->n_problems > n_problems)
		lay->config->origins[key_index(key)].bad = TRUE;
}

static void lay_value(const Lay *lay, const Key *key, const cJSON *item, const char *pointer)
{
	const Span *span = document_span(lay->document, item);
	g_autofree char *place = document_place(lay->document, span);
	Origin *origin = &lay->config->origins[key_index(key)];

	origin->place = g_string_chunk_insert_const(lay->config->texts->chunk, place);
	origin->layer = lay->config->n_layers;
	origin->provenance = NULL;
	origin->bad = span->bad;
	if (span->bad)
		return;
	if (key->type == KEY_MAP && lay->document->place.has_lines && cJSON_IsString(item) &&
	    strcmp(item->valuestring, MAP_WALK) != 0)
		lay_map_file(lay, key, item, pointer);
	else
		lay_item(lay, key, item, pointer);
}

/* What an unknown key could have meant, as a pointer, or NULL. g_free. */
static char *suggest_key(gboolean in_file, const char *section, const char *parent,
			 const char *name)
{
	g_autoptr(GPtrArray) siblings = g_ptr_array_new_with_free_func(g_free);
	gsize length = strlen(section);
	const char *similar = NULL;

	for (guint i = 0; i < key_count(); i++) {
		const char *rest = key_at(i)->path + (length ? length + 1 : 0);

		if (length && (strncmp(key_at(i)->path, section, length) != 0 ||
			       key_at(i)->path[length] != '.'))
			continue;
		g_ptr_array_add(siblings, g_strndup(rest, strcspn(rest, ".")));
	}
	for (guint i = 0; in_file && i < G_N_ELEMENTS(remarks); i++) {
		if (!length || !remarks[i].top_only)
			g_ptr_array_add(siblings, g_strdup(remarks[i].name));
	}
	g_ptr_array_add(siblings, NULL);
	similar = atomsim_suggest(name, (const char *const *)siblings->pdata);
	if (similar)
		return pointer_join(parent, similar);
	/* The right name in the wrong section, or dots where JSON has nested objects. */
	for (guint i = 0; i < key_count(); i++) {
		const char *leaf = strrchr(key_at(i)->path, '.');

		if (strcmp(key_at(i)->path, name) == 0 || (leaf && strcmp(leaf + 1, name) == 0))
			return key_pointer(key_at(i));
	}
	return NULL;
}

static void report_unknown(const Lay *lay, const cJSON *item, const char *section,
			   const char *parent, const char *name)
{
	g_autofree char *place = NULL;
	g_autofree char *pointer = NULL;
	g_autofree char *similar = NULL;
	g_autofree char *path =
		*section ? g_strdup_printf("%s.%s", section, name) : g_strdup(name);
	const Key *instead = key_find_replacing(path);
	const char *why = key_why_removed(path);

	if (!problems_wanted(lay->problems)) {
		lay->problems->n_problems++;
		return;
	}
	place = document_place(lay->document, document_span(lay->document, item));
	pointer = pointer_join(parent, name);
	if (instead) {
		g_autofree char *now = key_pointer(instead);

		problems_add(lay->problems, place, pointer, "unknown key; it is now %s", now);
		return;
	}
	if (why) {
		problems_add(lay->problems, place, pointer, "key removed: %s; leave it out",
			     why);
		return;
	}
	similar = suggest_key(lay->document->place.has_lines, section, parent, name);
	if (similar)
		problems_add(lay->problems, place, pointer, "unknown key; did you mean %s?",
			     similar);
	else
		problems_add(lay->problems, place, pointer,
			     "unknown key; 'atomsim --help-config' lists them");
}

/* Checks a member that is no key. False if it is none of those either. */
static gboolean lay_remark(const Lay *lay, const cJSON *item, const char *section,
			   const char *pointer)
{
	for (guint i = 0; i < G_N_ELEMENTS(remarks); i++) {
		if (strcmp(item->string, remarks[i].name) != 0 ||
		    (*section && remarks[i].top_only))
			continue;
		if (!remarks[i].is_valid(item))
			report_type(lay, item, pointer, remarks[i].allowed);
		return TRUE;
	}
	return FALSE;
}

/* Whether the document has, beside a key's former path, its path of today, too. Then which counts is not said. */
static gboolean is_there_twice(const Lay *lay, const Key *key, const char *path)
{
	g_auto(GStrv) names = g_strsplit(key->path, ".", -1);
	const cJSON *item = lay->document->root;

	for (guint i = 0; names[i] && item; i++)
		item = cJSON_GetObjectItemCaseSensitive(item, names[i]);
	return item && strcmp(key->path, path) != 0;
}

static void report_twice(const Lay *lay, const Key *key, const cJSON *item, const char *pointer)
{
	g_autofree char *place =
		document_place(lay->document, document_span(lay->document, item));
	g_autofree char *now = key_pointer(key);

	problems_add(lay->problems, place, pointer,
		     "given twice: it is an older name of %s; allowed: one of them", now);
}

/* `path` is dotted and known to be a section, "" for the file itself. */
static void lay_section(const Lay *lay, const cJSON *object, const char *section,
			const char *pointer)
{
	for (const cJSON *item = object->child; item; item = item->next) {
		g_autofree char *child = pointer_join(pointer, item->string);
		g_autofree char *path =
			*section ? g_strdup_printf("%s.%s", section, item->string)
				 : g_strdup(item->string);
		gboolean dotted = strchr(item->string, '.') != NULL;
		const Key *key = dotted ? NULL : key_find(path);

		if (key && is_there_twice(lay, key, path)) {
			report_twice(lay, key, item, child);
		} else if (key) {
			lay_value(lay, key, item, child);
		} else if (!dotted && key_is_section(path)) {
			if (cJSON_IsObject(item)) {
				lay_section(lay, item, path, child);
			} else {
				report_type(lay, item, child, "an object of keys");
			}
		} else if (!lay_remark(lay, item, section, child)) {
			report_unknown(lay, item, section, pointer, item->string);
		}
	}
	config_lay_provenance(lay->config, lay->document,
			      cJSON_GetObjectItemCaseSensitive(object, PROVENANCE), section,
			      lay->problems);
}

void config_lay_object(Config *config, const Document *document, Problems *problems)
{
	const Lay lay = {config, document, problems};

	config->n_layers++;
	lay_section(&lay, document->root, "", "");
}

/* Lays the document's value, whole, over what a dotted path names. */
static void lay_path(const Lay *lay, const char *path)
{
	const cJSON *item = lay->document->root;
	const Key *key = key_find(path);
	g_autofree char *section = setting_section(path);
	g_autofree char *pointer = key ? key_pointer(key) : pointer_join("", path);
	g_autofree char *parent = g_strdelimit(g_strconcat("/", section, NULL), ".", '/');

	if (key)
		lay_value(lay, key, item, pointer);
	else if (key_is_section(path) && cJSON_IsObject(item))
		lay_section(lay, item, path, pointer);
	else if (key_is_section(path))
		report_type(lay, item, pointer, "an object of keys");
	else if (*section)
		report_unknown(lay, item, section, parent, path + strlen(section) + 1);
	else
		report_unknown(lay, item, "", "", path);
}

void config_lay_setting(Config *config, const char *setting, Problems *problems)
{
	g_autofree char *path = NULL;
	g_autoptr(Document) document = NULL;
	Lay lay = {config, NULL, problems};

	config->n_layers++;
	document = setting_parse(setting, &path, problems);
	lay.document = document;
	if (document && document->root)
		lay_path(&lay, path);
}
