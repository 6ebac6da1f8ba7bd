/* SPDX-License-Identifier: MIT */
#include "explore/sweep/folder.h"

#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/json.h"
#include "explore/sweep/lines.h"
#include "explore/sweep/seal.h"

#define MANIFEST_MAX_BYTES (256u << 20)
#define SHOWN		   60 /* characters of a value */

static void add_axes(cJSON *manifest, const SweepPlan *plan)
{
	static const char *const modes[] = {
		[SWEEP_PRODUCT] = "product", [SWEEP_ZIP] = "zip", [SWEEP_SAMPLE] = "sample"};
	cJSON *vary = NULL;

	cJSON_AddStringToObject(manifest, "mode", modes[plan->mode]);
	vary = cJSON_AddObjectToObject(manifest, "vary");
	for (guint i = 0; i < plan->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(plan->axes, i);
		cJSON *values = cJSON_AddArrayToObject(vary, axis->key);

		for (guint j = 0; j < axis->n_values; j++)
			cJSON_AddItemToArray(values, cJSON_CreateString(axis->values[j]));
	}
}

static gboolean add_traces(cJSON *manifest, const Sweep *sweep, GError **error)
{
	cJSON *traces = cJSON_AddArrayToObject(manifest, "traces");

	for (guint i = 0; i < sweep->inputs->len; i++) {
		const SweepInput *input = g_ptr_array_index(sweep->inputs, i);
		const char *sha256 = trace_sha256(input->reader, error);
		cJSON *trace = NULL;

		if (sha256 == NULL)
			return FALSE;
		trace = cJSON_CreateObject();
		cJSON_AddStringToObject(trace, "name", input->name);
		cJSON_AddStringToObject(trace, "sha256", sha256);
		cJSON_AddItemToArray(traces, trace);
	}
	return TRUE;
}

/* Varied configs, whole: the names of the axis may come to mean others. */
static void add_configs(cJSON *manifest, const Sweep *sweep)
{
	cJSON *configs = cJSON_AddObjectToObject(manifest, "configs");
	g_autoptr(GList) names =
		g_list_sort(g_hash_table_get_keys(sweep->configs), (GCompareFunc)strcmp);

	for (const GList *name = names; name != NULL; name = name->next)
		cJSON_AddItemToObject(
			configs, name->data,
			config_to_cjson(g_hash_table_lookup(sweep->configs, name->data)));
}

cJSON *sweep_manifest_new(const Sweep *sweep, const char *version, cJSON *counts,
			  GError **error)
{
	const SweepShard *shard = &sweep->shard;
	/* 0/N is N/N. */
	guint index =
		shard->index % shard->count > 0 ? shard->index % shard->count : shard->count;
	g_autofree char *part = g_strdup_printf("%u/%u", index, shard->count);
	char seed[24];
	cJSON *manifest = cJSON_CreateObject();

	cJSON_AddStringToObject(manifest, "version", version);
	cJSON_AddItemToObject(manifest, SWEEP_COUNTS, counts);
	cJSON_AddStringToObject(manifest, SWEEP_MANIFEST_SHARD, part);
	cJSON_AddNumberToObject(manifest, SWEEP_MANIFEST_POINTS, sweep_n_points(sweep));
	/* As text: a number of JSON is exact up to 2^53 only. */
	g_snprintf(seed, sizeof(seed), "%" G_GUINT64_FORMAT, sweep->seed);
	cJSON_AddStringToObject(manifest, "seed", seed);
	add_axes(manifest, sweep->plan);
	if (!add_traces(manifest, sweep, error)) {
		cJSON_Delete(manifest);
		return NULL;
	}
	cJSON_AddItemToObject(manifest, "config", config_to_cjson(sweep->config));
	if (sweep->configs != NULL)
		add_configs(manifest, sweep);
	return manifest;
}

cJSON *sweep_manifest_read(const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, SWEEP_MANIFEST, NULL);
	g_autofree char *text = NULL;
	gsize length = 0;
	cJSON *manifest = NULL;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		atomsim_fail(error, ATOMSIM_ERROR_IO,
			     "%s: no folder of a sweep: there is no " SWEEP_MANIFEST " in it",
			     folder);
		return NULL;
	}
	if (!input_read_file(path, MANIFEST_MAX_BYTES, "a " SWEEP_MANIFEST, &text, &length,
			     error))
		return NULL;
	/* To its end, and not to a NUL in it. */
	if (strlen(text) == length)
		manifest = json_parse(text);
	if (!cJSON_IsObject(manifest)) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: not what a sweep writes; allowed: a JSON object", path);
		g_clear_pointer(&manifest, cJSON_Delete);
	}
	return manifest;
}

char *sweep_manifest_identity(const cJSON *manifest)
{
	g_autoptr(cJSON) whole = cJSON_Duplicate(manifest, TRUE);
	g_autofree char *text = NULL;
	char *identity = g_malloc(SEAL_DIGITS + 1);

	cJSON_DeleteItemFromObjectCaseSensitive(whole, SWEEP_MANIFEST_SHARD);
	text = json_line(whole);
	seal_digits(identity, text, strlen(text));
	return identity;
}

static char *shown(const cJSON *item)
{
	g_autofree char *text = NULL;
	g_autofree char *printed = NULL;

	if (item == NULL)
		return g_strdup("nothing");
	printed = json_line(item);
	text = g_utf8_make_valid(printed, -1);
	if (g_utf8_strlen(text, -1) <= SHOWN)
		return g_steal_pointer(&text);
	*g_utf8_offset_to_pointer(text, SHOWN) = '\0';
	return g_strconcat(text, "...", NULL);
}

static char *difference_at(const cJSON *found, const cJSON *wanted, const char *path);

/* Of two arrays that are equally long and differ. */
static char *difference_in_array(const cJSON *found, const cJSON *wanted, const char *path)
{
	const cJSON *other = found->child;
	guint i = 0;

	for (const cJSON *item = wanted->child; item != NULL; item = item->next, i++) {
		g_autofree char *name = g_strdup_printf("%s[%u]", path, i);
		char *text = difference_at(other, item, name);

		if (text != NULL)
			return text;
		other = other->next;
	}
	g_assert_not_reached();
}

static char *difference_at(const cJSON *found, const cJSON *wanted, const char *path)
{
	g_autofree char *is = NULL, *should = NULL;
	const cJSON *item;

	if (cJSON_Compare(found, wanted, TRUE))
		return NULL;
	if (cJSON_IsArray(found) && cJSON_IsArray(wanted) &&
	    cJSON_GetArraySize(found) == cJSON_GetArraySize(wanted))
		return difference_in_array(found, wanted, path);
	if (!cJSON_IsObject(found) || !cJSON_IsObject(wanted)) {
		is = shown(found);
		should = shown(wanted);
		return g_strdup_printf("%s: %s, not %s", path, is, should);
	}
	cJSON_ArrayForEach(item, wanted)
	{
		g_autofree char *name =
			g_strconcat(path, *path != '\0' ? "." : "", item->string, NULL);
		char *text = difference_at(
			cJSON_GetObjectItemCaseSensitive(found, item->string), item, name);

		if (text != NULL)
			return text;
	}
	/* All that is wanted is there: something is there besides. */
	cJSON_ArrayForEach(item, found)
	{
		if (cJSON_GetObjectItemCaseSensitive(wanted, item->string) != NULL)
			continue;
		is = shown(item);
		return g_strdup_printf("%s%s%s: %s, not nothing", path,
				       *path != '\0' ? "." : "", item->string, is);
	}
	g_assert_not_reached();
}

char *sweep_manifest_difference(const cJSON *found, const cJSON *wanted)
{
	return difference_at(found, wanted, "");
}
