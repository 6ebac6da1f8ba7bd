/* SPDX-License-Identifier: MIT */
/* Entries of a file's "provenance", laid over what its values have left. */
#include <string.h>

#include "config/layers.h"

#define ENTRY                                                                                  \
	"an object with one of measured, published, fitted, assumed, neutral, set and, of "    \
	"them, on, rows, statistic, spread and error: texts; fitted has an error"

static gboolean read_member(const cJSON *item, Provenance *entry)
{
	if (!cJSON_IsString(item) || *item->valuestring == '\0')
		return FALSE;
	for (guint i = 0; i < N_PROVENANCES; i++) {
		if (strcmp(item->string, provenance_names[i]) != 0)
			continue;
		if (entry->source)
			return FALSE;
		entry->kind = i;
		entry->source = item->valuestring;
		return TRUE;
	}
	return provenance_set_detail(entry, item->string, item->valuestring);
}

static gboolean read_entry(const cJSON *object, Provenance *entry)
{
	const cJSON *item;

	*entry = (Provenance){.kind = PROVENANCE_SET};
	if (!cJSON_IsObject(object))
		return FALSE;
	cJSON_ArrayForEach(item, object)
	{
		if (!read_member(item, entry))
			return FALSE;
	}
	return entry->source && (entry->kind != PROVENANCE_FITTED || entry->error);
}

/* A source that the file's "sources" spells out, with what follows its name. g_free. */
static char *spell_out(const cJSON *file, const char *source)
{
	const cJSON *sources = cJSON_GetObjectItemCaseSensitive(file, "sources");
	g_autofree char *name = g_strndup(source, strcspn(source, ",:;"));
	const char *whole =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(sources, name));

	return whole ? g_strconcat(whole, source + strlen(name), NULL) : g_strdup(source);
}

/* The GPU that a file's values were found on, if entries do not say; NULL: the config's. */
static const char *gpu_of(const cJSON *file)
{
	const cJSON *gpu = cJSON_GetObjectItemCaseSensitive(file, "gpu");

	return cJSON_GetStringValue(gpu ? gpu : cJSON_GetObjectItemCaseSensitive(file, "name"));
}

/* The key's name if it is one of that section itself, not of one within; else NULL. */
static const char *name_in(const Key *key, const char *section)
{
	gsize length = strlen(section);
	const char *name = key->path + (length ? length + 1 : 0);

	if (length && (strncmp(key->path, section, length) != 0 || key->path[length] != '.'))
		return NULL;
	return strchr(name, '.') ? NULL : name;
}

/* Of all keys of the section that the entry names. Their number. */
static guint lay_entry(Config *config, const char *section, const char *pattern,
		       const Provenance *kept)
{
	g_autofree char *path =
		*section ? g_strdup_printf("%s.%s", section, pattern) : g_strdup(pattern);
	const Key *named = key_find(path);
	guint n = 0;

	for (guint i = 0; i < key_count(); i++) {
		const char *name = name_in(key_at(i), section);

		if (key_at(i) != named &&
		    (!name || !strchr(pattern, '*') || !g_pattern_match_simple(pattern, name)))
			continue;
		config->origins[i].provenance = kept;
		n++;
	}
	return n;
}

/* A member of the file's own provenance that is none of its few keys is a remark of whoever made the file. */
static gboolean is_remark(const cJSON *item, const char *section)
{
	return !*section && !strpbrk(item->string, "*.") && !key_find(item->string);
}

static void read_and_lay(Config *config, const Document *document, const cJSON *item,
			 const char *section, Problems *problems)
{
	g_autofree char *parent =
		g_strdup_printf("%s%s/" PROVENANCE, *section ? "/" : "", section);
	g_autofree char *pointer = pointer_join(g_strdelimit(parent, ".", '/'), item->string);
	g_autofree char *source = NULL;
	Provenance entry;

	if (!read_entry(item, &entry)) {
		document_refuse(document, item, pointer, ENTRY, problems);
		return;
	}
	source = spell_out(document->root, entry.source);
	entry.source = source;
	if (!entry.on)
		entry.on = gpu_of(document->root);
	if (lay_entry(config, section, item->string, provenance_keep(config->texts, &entry)) ==
	    0) {
		g_autofree char *place =
			document_place(document, document_span(document, item));

		problems_add(problems, place, pointer,
			     "found %s; allowed: a key of this section, or a pattern of some",
			     item->string);
	}
}

void config_lay_provenance(Config *config, const Document *document, const cJSON *entries,
			   const char *section, Problems *problems)
{
	const cJSON *item;

	if (!cJSON_IsObject(entries))
		return; /* there is none, or lay_remark has reported it */
	/* What is named in full comes last, and so counts. */
	for (guint in_full = 0; in_full <= 1; in_full++) {
		cJSON_ArrayForEach(item, entries)
		{
			if ((strchr(item->string, '*') == NULL) == in_full &&
			    !is_remark(item, section))
				read_and_lay(config, document, item, section, problems);
		}
	}
}
