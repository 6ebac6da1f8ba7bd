/* SPDX-License-Identifier: MIT */
#include "config/value.h"

#include <string.h>

#include "base/json.h"

/* Shifts and rows: numbers, or texts such as "0x1f". */
static gboolean take_number(const cJSON *item, guint64 min, guint64 max, uint32_t *number)
{
	guint64 value = 0;

	if (cJSON_IsString(item) && g_str_has_prefix(item->valuestring, "0x")) {
		if (!g_ascii_string_to_unsigned(item->valuestring + 2, 16, min, max, &value,
						NULL))
			return FALSE;
	} else if (!json_whole(item, min, max, &value)) {
		return FALSE;
	}
	*number = (uint32_t)value;
	return TRUE;
}

static char *take_list(const cJSON *list, guint max_items, guint64 min, guint64 max,
		       uint32_t *numbers, uint32_t *n_numbers)
{
	int n_items = cJSON_GetArraySize(list);

	if (!cJSON_IsArray(list) || n_items < 1 || (guint)n_items > max_items)
		return g_strdup_printf("\"%s\" is not an array of 1 to %u numbers",
				       list->string, max_items);
	for (const cJSON *item = list->child; item; item = item->next) {
		if (!take_number(item, min, max, &numbers[*n_numbers]))
			return g_strdup_printf("number %u of \"%s\" is not a whole number from "
					       "%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
					       *n_numbers + 1, list->string, min, max);
		++*n_numbers;
	}
	return NULL;
}

char *hash_value_allowed(void)
{
	GString *text = g_string_new(NULL);

	for (const HashKind *kind = hash_kinds; kind->name; kind++)
		g_string_append_printf(text, "\"%s\", ", kind->name);
	g_string_append(text, "{\"xor\": [shift, ...]} or {\"matrix\": [row, ...]}");
	return g_string_free(text, FALSE);
}

gboolean hash_value_set(HashSpec *field, const cJSON *item, char **why)
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
		wrong = take_list(item->child, HASH_MAX_SHIFTS, 1, 31, spec.shifts,
				  &spec.n_shifts);
	} else if (strcmp(item->child->string, "matrix") == 0) {
		spec.name = "matrix";
		wrong = take_list(item->child, HASH_MAX_BITS, 0, UINT32_MAX, spec.rows,
				  &spec.n_rows);
	} else {
		return FALSE;
	}
	if (wrong) {
		g_autofree char *allowed = hash_value_allowed();

		*why = g_strconcat(wrong, "; allowed: ", allowed, NULL);
		return FALSE;
	}
	*field = spec;
	return TRUE;
}

cJSON *hash_value_get(const HashSpec *spec)
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
