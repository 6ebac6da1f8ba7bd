/* SPDX-License-Identifier: MIT */
#include "config/provenance.h"

#include <string.h>

#include "base/text.h"
#include "config/acts.h"
#include "config/layers.h"

const char *const provenance_names[N_PROVENANCES] = {
	[PROVENANCE_MEASURED] = "measured", [PROVENANCE_PUBLISHED] = "published",
	[PROVENANCE_FITTED] = "fitted",	    [PROVENANCE_ASSUMED] = "assumed",
	[PROVENANCE_NEUTRAL] = "neutral",   [PROVENANCE_SET] = "set",
};

/* What an entry may say besides. */
static const struct {
	const char *name;
	size_t offset;
} details[] = {
	{"on", offsetof(Provenance, on)},
	{"rows", offsetof(Provenance, rows)},
	{"statistic", offsetof(Provenance, statistic)},
	{"spread", offsetof(Provenance, spread)},
	{"error", offsetof(Provenance, error)},
};

static const char **detail_of(Provenance *entry, guint i)
{
	return (const char **)((char *)entry + details[i].offset);
}

gboolean provenance_set_detail(Provenance *entry, const char *name, const char *text)
{
	for (guint i = 0; i < G_N_ELEMENTS(details); i++) {
		if (strcmp(name, details[i].name) == 0) {
			*detail_of(entry, i) = text;
			return TRUE;
		}
	}
	return FALSE;
}

/* On one line, and only to be printed. */
static const char *keep_text(GStringChunk *chunk, const char *text)
{
	g_autofree char *printable = text_printable(text);

	return text ? g_string_chunk_insert_const(chunk, printable) : NULL;
}

const Provenance *provenance_keep(struct Texts *texts, const Provenance *entry)
{
	Provenance *kept;

	if (!entry)
		return NULL;
	kept = g_new(Provenance, 1);
	*kept = *entry;
	kept->source = keep_text(texts->chunk, entry->source);
	for (guint i = 0; i < G_N_ELEMENTS(details); i++)
		*detail_of(kept, i) = keep_text(texts->chunk, *detail_of(kept, i));
	g_ptr_array_add(texts->provenance, kept);
	return kept;
}

static gboolean is_property(const Key *key)
{
	return strcmp(key->path, "name") != 0 && !g_str_has_prefix(key->path, "launch.") &&
	       !g_str_has_prefix(key->path, "ideal.") && !g_str_has_prefix(key->path, "sim.") &&
	       key->acts_on != KEY_ACTS_NEVER;
}

static ProvenanceKind kind_of_default(const Key *key)
{
	return key->assumption	  ? PROVENANCE_ASSUMED
	       : key->neutral	  ? PROVENANCE_NEUTRAL
	       : key->measured_on ? PROVENANCE_MEASURED
				  : PROVENANCE_PUBLISHED;
}

gboolean config_provenance(const Config *config, guint i, Provenance *entry)
{
	const Key *key = key_at(i);
	const Origin *origin = &config->origins[i];

	if (!is_property(key))
		return FALSE;
	if (origin->provenance)
		*entry = *origin->provenance;
	else if (origin->layer > 0)
		*entry = (Provenance){.kind = PROVENANCE_SET, .source = origin->place};
	else
		*entry = (Provenance){.kind = kind_of_default(key),
				      .source = key->source,
				      .on = key->measured_on ? key->measured_on
							     : key_find("name")->default_value};
	return TRUE;
}

gboolean provenance_is_inherited(const Config *config, const Provenance *entry)
{
	return entry->kind <= PROVENANCE_FITTED && entry->on &&
	       strcmp(entry->on, config->machine.name) != 0;
}

gboolean provenance_counts_key(const Config *config, guint i)
{
	return key_acts(key_at(i), &config->machine, UINT64_MAX);
}

/* --- Counts --- */

static void count_inherited(ProvenanceCounts *counts, const char *gpu)
{
	guint at = 0;

	if (!g_ptr_array_find_with_equal_func(counts->gpus, gpu, g_str_equal, &at)) {
		const guint none = 0;

		at = counts->gpus->len;
		g_ptr_array_add(counts->gpus, (gpointer)gpu);
		g_array_append_val(counts->n_inherited, none);
	}
	g_array_index(counts->n_inherited, guint, at)++;
}

void provenance_count(const Config *config, ProvenanceCounts *counts)
{
	Provenance entry;

	*counts = (ProvenanceCounts){.gpus = g_ptr_array_new(),
				     .n_inherited = g_array_new(FALSE, FALSE, sizeof(guint))};
	for (guint i = 0; i < key_count(); i++) {
		if (!config_provenance(config, i, &entry) || !provenance_counts_key(config, i))
			continue;
		if (provenance_is_inherited(config, &entry))
			count_inherited(counts, entry.on);
		else
			counts->n[entry.kind]++;
	}
}

void provenance_counts_clear(ProvenanceCounts *counts)
{
	g_clear_pointer(&counts->gpus, g_ptr_array_unref);
	g_clear_pointer(&counts->n_inherited, g_array_unref);
}

char *provenance_counts_text(const ProvenanceCounts *counts)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < N_PROVENANCES; i++) {
		for (guint j = 0; i == PROVENANCE_ASSUMED && j < counts->gpus->len; j++)
			g_string_append_printf(text, "%s%u from %s", text->len ? ", " : "",
					       g_array_index(counts->n_inherited, guint, j),
					       (const char *)counts->gpus->pdata[j]);
		if (counts->n[i] > 0)
			g_string_append_printf(text, "%s%u %s", text->len ? ", " : "",
					       counts->n[i], provenance_names[i]);
	}
	return g_string_free(text, FALSE);
}

guint provenance_borrowed(const ProvenanceCounts *counts, guint *all)
{
	guint n = 0;

	*all = 0;
	for (guint i = 0; i < N_PROVENANCES; i++)
		*all += counts->n[i];
	for (guint j = 0; j < counts->gpus->len; j++)
		n += g_array_index(counts->n_inherited, guint, j);
	*all += n;
	return counts->n[PROVENANCE_MEASURED] == 0 && 2 * n > *all ? n : 0;
}

cJSON *provenance_counts_json(const ProvenanceCounts *counts)
{
	cJSON *object = cJSON_CreateObject(), *list;
	guint all;

	for (guint i = 0; i < N_PROVENANCES; i++)
		cJSON_AddNumberToObject(object, provenance_names[i], counts->n[i]);
	cJSON_AddBoolToObject(object, "not_measured", provenance_borrowed(counts, &all) > 0);
	list = cJSON_AddArrayToObject(object, "inherited");
	for (guint j = 0; j < counts->gpus->len; j++) {
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "gpu", counts->gpus->pdata[j]);
		cJSON_AddNumberToObject(row, "values",
					g_array_index(counts->n_inherited, guint, j));
		cJSON_AddItemToArray(list, row);
	}
	return object;
}

cJSON *provenance_entry_json(const Provenance *entry)
{
	cJSON *object = cJSON_CreateObject();
	Provenance copy = *entry;

	cJSON_AddStringToObject(object, provenance_names[entry->kind], entry->source);
	for (guint i = 0; i < G_N_ELEMENTS(details); i++)
		if (*detail_of(&copy, i))
			cJSON_AddStringToObject(object, details[i].name, *detail_of(&copy, i));
	return object;
}
