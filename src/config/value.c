/* SPDX-License-Identifier: MIT */
#include "config/value.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "config/map.h"

/* The table's offsets name fields of these types, which KEY_FIELD has checked. */
static void *field_of(const Machine *machine, const Key *key)
{
	char *block = (char *)machine;

	if (key->block)
		block = *(char **)(block + key->block);
	return block + key->offset;
}

static gboolean number_from(const cJSON *item, guint64 min, guint64 max, guint64 *number)
{
	/* 2^53 and 2^53 + 1 are the same double: the bounds are compared as doubles. */
	if (!cJSON_IsNumber(item) || item->valuedouble < (double)min ||
	    item->valuedouble > (double)max || floor(item->valuedouble) != item->valuedouble)
		return FALSE;
	*number = (guint64)item->valuedouble;
	return TRUE;
}

static gboolean set_number(Machine *machine, const Key *key, const cJSON *item)
{
	guint64 number = 0;

	if (!number_from(item, key->min, key->max, &number) ||
	    (key->multiple && number % key->multiple))
		return FALSE;
	if (key->type == KEY_UINT32)
		*(uint32_t *)field_of(machine, key) = (uint32_t)number;
	else
		*(uint64_t *)field_of(machine, key) = number;
	return TRUE;
}

static gboolean set_text(Machine *machine, const Key *key, const cJSON *item,
			 GStringChunk *texts)
{
	if (!cJSON_IsString(item) || !*item->valuestring)
		return FALSE;
	/* A name goes into reports of one line. */
	for (const char *c = item->valuestring; *c; c++) {
		if ((guchar)*c < 0x20 || *c == 0x7f)
			return FALSE;
	}
	*(const char **)field_of(machine, key) =
		g_string_chunk_insert(texts, item->valuestring);
	return TRUE;
}

static gboolean set_name(Machine *machine, const Key *key, const cJSON *item)
{
	const char *name = NULL;
	guint i = 0;

	if (!cJSON_IsString(item))
		return FALSE;
	while ((name = key->names->name(i)) && strcmp(name, item->valuestring) != 0)
		i++;
	if (!name)
		return FALSE;
	if (key->type == KEY_PLUGIN)
		*(const void **)field_of(machine, key) = key->names->plugin(i);
	else
		*(guint *)field_of(machine, key) = i;
	return TRUE;
}

/* Shifts and rows: numbers, or texts such as "0x1f". */
static gboolean hash_number(const cJSON *item, guint64 min, guint64 max, uint32_t *number)
{
	guint64 value = 0;

	if (cJSON_IsString(item) && g_str_has_prefix(item->valuestring, "0x")) {
		if (!g_ascii_string_to_unsigned(item->valuestring + 2, 16, min, max, &value,
						NULL))
			return FALSE;
	} else if (!number_from(item, min, max, &value)) {
		return FALSE;
	}
	*number = (uint32_t)value;
	return TRUE;
}

static char *set_hash_list(const cJSON *list, guint max_items, guint64 min, guint64 max,
			   uint32_t *numbers, uint32_t *n_numbers)
{
	int n_items = cJSON_GetArraySize(list);

	if (!cJSON_IsArray(list) || n_items < 1 || (guint)n_items > max_items)
		return g_strdup_printf("\"%s\" is not an array of 1 to %u numbers",
				       list->string, max_items);
	for (const cJSON *item = list->child; item; item = item->next) {
		if (!hash_number(item, min, max, &numbers[*n_numbers]))
			return g_strdup_printf("number %u of \"%s\" is not a whole number from "
					       "%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
					       *n_numbers + 1, list->string, min, max);
		++*n_numbers;
	}
	return NULL;
}

static char *allowed_hashes(void)
{
	GString *text = g_string_new(NULL);

	for (const HashKind *kind = hash_kinds; kind->name; kind++)
		g_string_append_printf(text, "\"%s\", ", kind->name);
	g_string_append(text, "{\"xor\": [shift, ...]} or {\"matrix\": [row, ...]}");
	return g_string_free(text, FALSE);
}

static gboolean set_hash(HashSpec *field, const cJSON *item, char **why)
{
	g_autofree char *wrong = NULL;
	HashSpec spec = {0};

	if (cJSON_IsString(item)) {
		const HashKind *kind = hash_find(item->valuestring);

		if (!kind)
			return FALSE;
		*field = (HashSpec){.name = kind->name};
		return TRUE;
	}
	if (!cJSON_IsObject(item) || cJSON_GetArraySize(item) != 1)
		return FALSE;
	if (strcmp(item->child->string, "xor") == 0) {
		spec.name = hash_find("xor")->name;
		wrong = set_hash_list(item->child, HASH_MAX_SHIFTS, 1, 31, spec.shifts,
				      &spec.n_shifts);
	} else if (strcmp(item->child->string, "matrix") == 0) {
		spec.name = "matrix";
		wrong = set_hash_list(item->child, HASH_MAX_BITS, 0, UINT32_MAX, spec.rows,
				      &spec.n_rows);
	} else {
		return FALSE;
	}
	if (wrong) {
		g_autofree char *allowed = allowed_hashes();

		*why = g_strconcat(wrong, "; allowed: ", allowed, NULL);
		return FALSE;
	}
	*field = spec;
	return TRUE;
}

gboolean value_set(Machine *machine, const Key *key, const cJSON *item, GStringChunk *texts,
		   char **why, const cJSON **at)
{
	switch (key->type) {
	case KEY_UINT32:
	case KEY_UINT64:
		return set_number(machine, key, item);
	case KEY_TEXT:
		return set_text(machine, key, item, texts);
	case KEY_CHOICE:
	case KEY_PLUGIN:
		return set_name(machine, key, item);
	case KEY_HASH:
		return set_hash(field_of(machine, key), item, why);
	case KEY_MAP:
		return map_set(field_of(machine, key), item, why, at);
	}
	g_assert_not_reached();
}

guint64 value_number(const Machine *machine, const Key *key)
{
	g_assert(key->type == KEY_UINT32 || key->type == KEY_UINT64);
	if (key->type == KEY_UINT32)
		return *(const uint32_t *)field_of(machine, key);
	return *(const uint64_t *)field_of(machine, key);
}

static const char *get_name(const Machine *machine, const Key *key)
{
	const void *field = field_of(machine, key);
	guint i = 0;

	if (key->type == KEY_CHOICE)
		return key->names->name(*(const guint *)field);
	while (key->names->plugin(i) != *(const void *const *)field)
		i++;
	return key->names->name(i);
}

static cJSON *get_hash(const HashSpec *spec)
{
	gboolean is_xor = spec->n_shifts > 0;
	const uint32_t *numbers = is_xor ? spec->shifts : spec->rows;
	uint32_t n_numbers = is_xor ? spec->n_shifts : spec->n_rows;
	cJSON *object = NULL, *list = NULL;

	if (!n_numbers)
		return cJSON_CreateString(spec->name);
	object = cJSON_CreateObject();
	list = cJSON_AddArrayToObject(object, spec->name);
	for (uint32_t i = 0; i < n_numbers; i++)
		cJSON_AddItemToArray(list, cJSON_CreateNumber(numbers[i]));
	return object;
}

cJSON *value_get(const Machine *machine, const Key *key)
{
	switch (key->type) {
	case KEY_UINT32:
	case KEY_UINT64:
		return cJSON_CreateNumber((double)value_number(machine, key));
	case KEY_TEXT:
		return cJSON_CreateString(*(const char *const *)field_of(machine, key));
	case KEY_CHOICE:
	case KEY_PLUGIN:
		return cJSON_CreateString(get_name(machine, key));
	case KEY_HASH:
		return get_hash(field_of(machine, key));
	case KEY_MAP:
		return map_get(field_of(machine, key));
	}
	g_assert_not_reached();
}

char *value_text(const Machine *machine, const Key *key)
{
	cJSON *item = value_get(machine, key);
	char *printed = NULL, *text = NULL;

	if (cJSON_IsString(item)) {
		text = g_strdup(item->valuestring);
	} else {
		printed = cJSON_PrintUnformatted(item);
		text = g_strdup(printed);
		cJSON_free(printed);
	}
	cJSON_Delete(item);
	return text;
}

gboolean value_same(const Machine *a, const Machine *b, const Key *key)
{
	const void *x = field_of(a, key), *y = field_of(b, key);

	switch (key->type) {
	case KEY_UINT32:
		return *(const uint32_t *)x == *(const uint32_t *)y;
	case KEY_UINT64:
		return *(const uint64_t *)x == *(const uint64_t *)y;
	case KEY_TEXT:
		return g_str_equal(*(const char *const *)x, *(const char *const *)y);
	case KEY_CHOICE:
		return *(const guint *)x == *(const guint *)y;
	case KEY_PLUGIN:
		return *(const void *const *)x == *(const void *const *)y;
	case KEY_HASH:
		return memcmp(x, y, sizeof(HashSpec)) == 0;
	case KEY_MAP:
		return memcmp(x, y, sizeof(SliceMap)) == 0;
	}
	g_assert_not_reached();
}

static char *allowed_names(const KeyNames *names)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; names->name(i); i++) {
		if (i)
			g_string_append(text, names->name(i + 1) ? ", " : " or ");
		g_string_append_printf(text, "\"%s\"", names->name(i));
	}
	return g_string_free(text, FALSE);
}

char *value_allowed(const Key *key)
{
	switch (key->type) {
	case KEY_UINT32:
	case KEY_UINT64:
		if (key->multiple)
			return g_strdup_printf("a multiple of %" G_GUINT64_FORMAT
					       " from %" G_GUINT64_FORMAT
					       " to %" G_GUINT64_FORMAT,
					       key->multiple, key->min, key->max);
		return g_strdup_printf("a whole number from %" G_GUINT64_FORMAT
				       " to %" G_GUINT64_FORMAT,
				       key->min, key->max);
	case KEY_TEXT:
		return g_strdup("a text of one line");
	case KEY_CHOICE:
	case KEY_PLUGIN:
		return allowed_names(key->names);
	case KEY_HASH:
		return allowed_hashes();
	case KEY_MAP:
		return g_strdup("\"" MAP_WALK
				"\", a map as an object or, in a config file, the "
				"name of a file that has one");
	}
	g_assert_not_reached();
}
