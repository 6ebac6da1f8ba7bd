/* SPDX-License-Identifier: MIT */
/* What a search found, for programs: a report, and a config that has it. */
#include "cli/search/search.h"

#include <cjson/cJSON.h>

#include "base/json.h"
#include "cli/schemas.h"

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "config", .type = "string", .doc = "as it was named"},
	{.path = "seed", .type = "count", .doc = "of the random starts"},
	{.path = "searches", .type = "[object]", .doc = "one after the other, each on the machine with what those before it chose"},
	{.path = "searches[].target", .type = "string", .doc = "bank or lock"},
	{.path = "searches[].size", .type = "count", .doc = "banks or locks"},
	{.path = "searches[].locks_per_bank?", .type = "count", .doc = "with --per-bank"},
	{.path = "searches[].inputs", .type = "count", .doc = "bits of a word's index"},
	{.path = "searches[].blocks_searched", .type = "count", .doc = "thread blocks that pairs were counted of"},
	{.path = "searches[].blocks_judged", .type = "count", .doc = "thread blocks that candidates were simulated on"},
	{.path = "searches[].held_out", .type = "boolean", .doc = "these are others"},
	{.path = "searches[].pairs", .type = "count", .doc = "of words that conflict"},
	{.path = "searches[].proved", .type = "boolean", .doc = "no hash has fewer pairs"},
	{.path = "searches[].fewest_pairs", .type = "count", .doc = "found"},
	{.path = "searches[].bound", .type = "count", .doc = "no hash has fewer than these"},
	{.path = "searches[].nodes", .type = "count", .doc = "of branch and bound"},
	{.path = "searches[].helps", .type = "boolean", .doc = "a found hash is better than that of the config"},
	{.path = "searches[].candidates", .type = "[object]", .doc = "that were simulated"},
	{.path = "searches[].candidates[].name", .type = "string", .doc = "of the hash"},
	{.path = "searches[].candidates[].hash", .type = "string|object", .doc = "as a config has it"},
	{.path = "searches[].candidates[].configured", .type = "boolean", .doc = "it is that of the config"},
	{.path = "searches[].candidates[].chosen", .type = "boolean", .doc = "it is the best"},
	{.path = "searches[].candidates[].max_inputs", .type = "count", .doc = "of an output"},
	{.path = "searches[].candidates[].xor_gates", .type = "count", .doc = "of two inputs"},
	{.path = "searches[].candidates[].cost_bits", .type = "count", .doc = "of the hardware of the atomics (config --cost)"},
	{.path = "searches[].candidates[].pairs", .type = "count", .doc = "of words that conflict"},
	{.path = "searches[].candidates[].cycles", .type = "count", .doc = "of the judged blocks"},
	{.path = "searches[].candidates[].conflict_passes", .type = "count", .doc = "shared.conflict_passes of run"},
	{.path = "searches[].candidates[].alias_failures", .type = "count", .doc = "attempts that lose to another word of the lock"},
	{.path = "searches[].candidates[].retries", .type = "count", .doc = "atomics.retries of run"},
};
/* clang-format on */

const Shape search_shape = {
	.name = "search",
	.version = 1,
	.title = "What atomsim search --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

static cJSON *candidate_object(const SearchResult *result, const SearchCandidate *candidate)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "name", candidate->name);
	cJSON_AddItemToObject(object, "hash", config_hash_to_cjson(&candidate->spec));
	cJSON_AddBoolToObject(object, "configured", candidate->configured);
	cJSON_AddBoolToObject(object, "chosen", candidate == search_chosen(result));
	cJSON_AddNumberToObject(object, "max_inputs", candidate->max_inputs);
	cJSON_AddNumberToObject(object, "xor_gates", candidate->n_gates);
	cJSON_AddNumberToObject(object, "cost_bits", (double)candidate->cost_bits);
	cJSON_AddNumberToObject(object, "pairs", (double)candidate->pairs);
	cJSON_AddNumberToObject(object, "cycles", (double)candidate->cycles);
	cJSON_AddNumberToObject(object, "conflict_passes", (double)candidate->conflict_passes);
	cJSON_AddNumberToObject(object, "alias_failures", (double)candidate->aliases);
	cJSON_AddNumberToObject(object, "retries", (double)candidate->retries);
	return object;
}

static cJSON *step_object(const SearchResult *result)
{
	cJSON *object = cJSON_CreateObject(), *list = NULL;

	cJSON_AddStringToObject(object, "target", search_entry(result));
	cJSON_AddNumberToObject(object, "size", result->size);
	if (result->per_bank)
		cJSON_AddNumberToObject(object, "locks_per_bank", result->per_bank);
	cJSON_AddNumberToObject(object, "inputs", result->n_bits);
	cJSON_AddNumberToObject(object, "blocks_searched", (double)result->blocks_searched);
	cJSON_AddNumberToObject(object, "blocks_judged", (double)result->blocks_judged);
	cJSON_AddBoolToObject(object, "held_out", result->held_out);
	cJSON_AddNumberToObject(object, "pairs", (double)result->pairs);
	cJSON_AddBoolToObject(object, "proved", result->proved);
	cJSON_AddNumberToObject(object, "fewest_pairs", (double)result->fewest);
	cJSON_AddNumberToObject(object, "bound", (double)result->bound);
	cJSON_AddNumberToObject(object, "nodes", (double)result->n_nodes);
	cJSON_AddBoolToObject(object, "helps", !search_chosen(result)->configured);
	list = cJSON_AddArrayToObject(object, "candidates");
	for (guint i = 0; i < result->candidates->len; i++)
		cJSON_AddItemToArray(
			list,
			candidate_object(result, g_ptr_array_index(result->candidates, i)));
	return object;
}

char *search_json(const SearchReport *report)
{
	cJSON *root = shape_object(&search_shape), *list = NULL;

	cJSON_AddStringToObject(root, "config", report->config_name);
	cJSON_AddNumberToObject(root, "seed", report->seed);
	list = cJSON_AddArrayToObject(root, "searches");
	for (guint i = 0; i < report->n_steps; i++)
		cJSON_AddItemToArray(list, step_object(&report->steps[i]));
	return json_page(root);
}

/* --- Overlay --- */

/* The searched config as a file beside `path` can name it. A name is found as it was; a path would
   be looked for from the new file's folder, so it becomes absolute. g_free. */
static char *base_name(const SearchReport *report)
{
	if (!g_file_test(report->config_name, G_FILE_TEST_EXISTS))
		return g_strdup(report->config_name);
	return g_canonicalize_filename(report->config_name, NULL);
}

/* Sets a dotted key of one dot. */
static void set_hash(cJSON *root, const char *key, const HashSpec *spec)
{
	g_auto(GStrv) parts = g_strsplit(key, ".", 2);
	cJSON *section = cJSON_GetObjectItemCaseSensitive(root, parts[0]);

	if (!section)
		section = cJSON_AddObjectToObject(root, parts[0]);
	cJSON_DeleteItemFromObjectCaseSensitive(section, parts[1]);
	cJSON_AddItemToObject(section, parts[1], config_hash_to_cjson(spec));
}

static cJSON *provenance(const SearchReport *report)
{
	cJSON *object = cJSON_CreateObject(), *traces = NULL;

	cJSON_AddStringToObject(object, "tool", "atomsim search");
	cJSON_AddStringToObject(object, "tool_version", PACKAGE_VERSION);
	cJSON_AddNumberToObject(object, "seed", report->seed);
	traces = cJSON_AddArrayToObject(object, "traces");
	for (guint i = 0; report->traces[i]; i++) {
		g_autofree char *name = g_path_get_basename(report->traces[i]);

		cJSON_AddItemToArray(traces, cJSON_CreateString(name));
	}
	return object;
}

/* After the provenance, by which the next search knows a file of its own: OVERWRITE_MARK_BYTES are looked at. */
static void add_whole(cJSON *root, const Config *config)
{
	g_autoptr(cJSON) whole = config_to_cjson(config);

	while (whole->child != NULL) {
		g_autofree char *name = g_strdup(whole->child->string);

		cJSON_AddItemToObject(root, name,
				      cJSON_DetachItemViaPointer(whole, whole->child));
	}
}

char *search_overlay(const SearchReport *report)
{
	g_autofree char *base = base_name(report);
	cJSON *root = cJSON_CreateObject();

	if (!report->has_settings)
		cJSON_AddStringToObject(root, "extends", base);
	cJSON_AddItemToObject(root, "provenance", provenance(report));
	if (report->has_settings)
		add_whole(root, report->config);
	for (guint i = 0; i < report->n_steps; i++)
		set_hash(root, search_key(report->steps[i].target),
			 &search_chosen(&report->steps[i])->spec);
	return json_page(root);
}
