/* SPDX-License-Identifier: MIT */
/* Reports of older versions in the names of today: of statistics, and of the keys of their configs. */
#include "report/diff.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "config/keys.h"
#include "report/fields.h"

/* What was renamed with a schema: reports of those before it have the old name. An item keeps its parent. */
static const struct {
	guint schema;
	const char *parent, *was, *is;
} renamed[] = {
	{3, "shared", "busy_cycles", "bank_busy_cycles"},
	{3, "memory", "polls", "wait_loop_accesses"},
	{3, "memory", "coordinator_turns", "coordinator_rounds"},
};

static void rename_item(cJSON *from, const char *was, cJSON *to, const char *is)
{
	if (cJSON_GetObjectItemCaseSensitive(from, was) && cJSON_IsObject(to) &&
	    !cJSON_GetObjectItemCaseSensitive(to, is))
		cJSON_AddItemToObject(to, is,
				      cJSON_DetachItemFromObjectCaseSensitive(from, was));
}

static void rename_statistics(cJSON *report, guint64 schema)
{
	for (guint i = 0; i < G_N_ELEMENTS(renamed); i++) {
		cJSON *parent = (cJSON *)diff_item(report, renamed[i].parent);

		if (schema < renamed[i].schema)
			rename_item(parent, renamed[i].was, parent, renamed[i].is);
	}
}

/* The object that holds what a dotted path names. NULL: there is none; if `make`, only if a value is in its place. */
static cJSON *holder(cJSON *object, const char *path, gboolean make)
{
	g_auto(GStrv) names = g_strsplit(path, ".", -1);

	for (guint i = 0; names[i + 1] && object; i++) {
		cJSON *inner = cJSON_GetObjectItemCaseSensitive(object, names[i]);

		object = inner || !make ? inner : cJSON_AddObjectToObject(object, names[i]);
	}
	return cJSON_IsObject(object) ? object : NULL;
}

static const char *leaf(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* Of the config, and of what a sweep varied, whose keys are dotted. */
static void rename_key(cJSON *report, const char *was, const char *is)
{
	cJSON *config = cJSON_GetObjectItemCaseSensitive(report, "config");
	cJSON *varied = cJSON_GetObjectItemCaseSensitive(report, "varied");
	cJSON *from = holder(config, was, FALSE);

	rename_item(varied, was, varied, is);
	if (cJSON_GetObjectItemCaseSensitive(from, leaf(was)))
		rename_item(from, leaf(was), holder(config, is, TRUE), leaf(is));
}

/* The name of today of what a member of the object is set to. */
static void rename_value(cJSON *object, const char *member, const Key *key)
{
	const char *value =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, member));
	guint number = 0;

	if (value && key_value_number(key, value, &number))
		cJSON_ReplaceItemInObjectCaseSensitive(
			object, member, cJSON_CreateString(key_name(key->names, number)));
}

static void rename_keys(cJSON *report)
{
	cJSON *config = cJSON_GetObjectItemCaseSensitive(report, "config");
	cJSON *varied = cJSON_GetObjectItemCaseSensitive(report, "varied");

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		g_auto(GStrv) former = g_strsplit(key->formerly ? key->formerly : "", " ", -1);

		for (guint j = 0; former[j]; j++)
			rename_key(report, former[j], key->path);
		if (key->names && key->names->formerly) {
			rename_value(holder(config, key->path, FALSE), leaf(key->path), key);
			rename_value(varied, key->path, key);
		}
	}
}

gboolean diff_renew(cJSON *report, const char *place, GError **error)
{
	const cJSON *item = diff_item(report, "schema");
	guint64 schema = REPORT_SCHEMA;

	if (item && !json_uint64(item, &schema))
		return TRUE; /* diff_check says so */
	if (schema > REPORT_SCHEMA)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: schema: found %" G_GUINT64_FORMAT
				    ", of a newer atomsim; allowed: a whole number up to %d",
				    place, schema, REPORT_SCHEMA);
	if (schema < REPORT_SCHEMA) {
		rename_statistics(report, schema);
		rename_keys(report);
	}
	return TRUE;
}
