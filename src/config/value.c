/* SPDX-License-Identifier: MIT */
#include "config/value.h"

#include <string.h>

#include "base/json.h"
#include "config/map.h"

/* The table's offsets name fields of these types, which KEY_FIELD has checked. */
static void *field_of(const Machine *machine, const Key *key)
{
	char *block = (char *)machine;

	if (key->block)
		block = *(char **)(block + key->block);
	return block + key->offset;
}

static gboolean set_number(Machine *machine, const Key *key, const cJSON *item)
{
	guint64 number = 0;

	if (!json_whole(item, key->min, key->max, &number) ||
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
	guint i = 0;

	if (!cJSON_IsString(item) || !key_value_number(key, item->valuestring, &i))
		return FALSE;
	if (key->type == KEY_PLUGIN)
		*(const void **)field_of(machine, key) = key->names->plugin(i);
	else
		*(guint *)field_of(machine, key) = i;
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
		return hash_value_set(field_of(machine, key), item, why);
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
		return key_name(key->names, *(const guint *)field);
	while (key->names->plugin(i) != *(const void *const *)field)
		i++;
	return key_name(key->names, i);
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
		return hash_value_get(field_of(machine, key));
	case KEY_MAP:
		return map_get(field_of(machine, key));
	}
	g_assert_not_reached();
}

char *value_text(const Machine *machine, const Key *key)
{
	g_autoptr(cJSON) item = value_get(machine, key);

	return cJSON_IsString(item) ? g_strdup(item->valuestring) : json_line(item);
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

	for (guint i = 0; key_name(names, i); i++) {
		if (i)
			g_string_append(text, key_name(names, i + 1) ? ", " : " or ");
		g_string_append_printf(text, "\"%s\"", key_name(names, i));
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
		return hash_value_allowed();
	case KEY_MAP:
		return g_strdup("\"" MAP_WALK
				"\", a map as an object or, in a config file, the "
				"name of a file that has one");
	}
	g_assert_not_reached();
}
