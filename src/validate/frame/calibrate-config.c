/* SPDX-License-Identifier: MIT */
/* The config file that a calibration writes: what changed, on top of the config that was fitted. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/json.h"
#include "config/provenance.h"
#include "validate/frame/calibrate.h"

/* Copies the value at a dotted path from one object into another. */
static void copy_value(cJSON *to, const cJSON *from, const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, ".", -1);

	for (char **part = parts; *part; part++) {
		cJSON *section = cJSON_GetObjectItemCaseSensitive(to, *part);

		from = cJSON_GetObjectItemCaseSensitive(from, *part);
		g_assert(from);
		if (!part[1]) {
			cJSON_DeleteItemFromObjectCaseSensitive(to, *part);
			cJSON_AddItemToObject(to, *part, cJSON_Duplicate(from, TRUE));
		} else {
			to = section ? section : cJSON_AddObjectToObject(to, *part);
		}
	}
}

static gboolean add_files(cJSON *object, const char *const *files, GError **error)
{
	cJSON *array = cJSON_AddArrayToObject(object, "files");

	for (guint i = 0; files[i]; i++) {
		g_autofree char *base = g_path_get_basename(files[i]);
		g_autofree char *name = g_utf8_make_valid(base, -1);
		g_autofree char *text = NULL;
		g_autofree char *sha256 = NULL;
		gsize length = 0;
		cJSON *file;

		if (!input_read(files[i], CSV_MAX_BYTES, "a table in CSV", &text, &length,
				error))
			return FALSE;
		sha256 = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text,
						     length);
		file = cJSON_CreateObject();
		cJSON_AddStringToObject(file, "name", name);
		cJSON_AddStringToObject(file, "sha256", sha256);
		cJSON_AddItemToArray(array, file);
	}
	return TRUE;
}

/* Six digits give an error well enough, and equal ones are equal text. */
static void add_error(cJSON *object, const char *name, double error)
{
	cJSON_AddNumberToObject(object, name, round(error * 1e6) / 1e6);
}

static void add_keys(cJSON *object, const Calibration *calibration)
{
	cJSON *keys = cJSON_AddObjectToObject(object, "keys");

	for (guint i = 0; i < calibration->n_keys; i++) {
		const CalibratedKey *key = &calibration->keys[i];
		cJSON *row = cJSON_AddObjectToObject(keys, key->path);

		cJSON_AddNumberToObject(row, "start", (double)key->start);
		cJSON_AddNumberToObject(row, "fitted", (double)key->fitted);
		cJSON_AddNumberToObject(row, "lowest", (double)key->lowest);
		cJSON_AddNumberToObject(row, "highest", (double)key->highest);
		cJSON_AddBoolToObject(row, "determined", key->determined);
		if (key->bound != NULL)
			cJSON_AddStringToObject(row, "bound", key->bound);
	}
}

/* The section of a dotted path in an object, made when it is not there; *name is the path's last one. */
static cJSON *section_of(cJSON *object, const char *path, const char **name)
{
	const char *dot;

	for (*name = path; (dot = strchr(*name, '.')); *name = dot + 1) {
		g_autofree char *part = g_strndup(*name, (gsize)(dot - *name));
		cJSON *section = cJSON_GetObjectItemCaseSensitive(object, part);

		object = section ? section : cJSON_AddObjectToObject(object, part);
	}
	return object;
}

/* What a fitted key was fitted to, as atomsim config --explain tells it. */
static void add_entry(cJSON *root, const char *path, const char *files, const char *error)
{
	const char *name;
	cJSON *section = section_of(root, path, &name);
	cJSON *entries = cJSON_GetObjectItemCaseSensitive(section, PROVENANCE);
	const Provenance entry = {.kind = PROVENANCE_FITTED, .source = files, .error = error};

	if (!entries)
		entries = cJSON_AddObjectToObject(section, PROVENANCE);
	cJSON_AddItemToObject(entries, name, provenance_entry_json(&entry));
}

static void add_entries(cJSON *root, const Calibration *calibration,
			const CalibrationOrigin *origin)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *files = NULL;
	g_autofree char *error = g_strdup_printf(
		"%.2g %% median, %.2g %% at most of %u points", 100 * calibration->after.median,
		100 * calibration->after.max, calibration->n_points);

	for (guint i = 0; origin->files[i]; i++) {
		g_autofree char *base = g_path_get_basename(origin->files[i]);

		g_ptr_array_add(names, g_utf8_make_valid(base, -1));
	}
	g_ptr_array_add(names, NULL);
	files = g_strjoinv(", ", (char **)names->pdata);
	for (guint i = 0; i < calibration->n_keys; i++)
		add_entry(root, calibration->keys[i].path, files, error);
}

static gboolean add_provenance(cJSON *root, const Calibration *calibration,
			       const CalibrationOrigin *origin, GError **error)
{
	cJSON *provenance = cJSON_AddObjectToObject(root, "provenance");
	cJSON *object = cJSON_AddObjectToObject(provenance, "calibration");

	cJSON_AddStringToObject(object, "tool", "atomsim " PACKAGE_VERSION);
	cJSON_AddStringToObject(object, "date", origin->date);
	if (!add_files(object, origin->files, error))
		return FALSE;
	cJSON_AddNumberToObject(object, "points", calibration->n_points);
	add_error(object, "rms_relative_error", calibration->after.rms);
	add_error(object, "median_relative_error", calibration->after.median);
	add_error(object, "max_relative_error", calibration->after.max);
	add_keys(object, calibration);
	return TRUE;
}

char *calibration_config(const Calibration *calibration, const CalibrationOrigin *origin,
			 GError **error)
{
	g_autoptr(cJSON) whole = config_to_cjson(calibration->config);
	g_autoptr(cJSON) root = cJSON_CreateObject();

	cJSON_AddStringToObject(root, "extends", origin->extends);
	if (!add_provenance(root, calibration, origin, error))
		return NULL;
	for (guint i = 0; origin->settings && origin->settings[i]; i++) {
		g_autofree char *path =
			g_strndup(origin->settings[i], strcspn(origin->settings[i], "="));

		copy_value(root, whole, path);
	}
	for (guint i = 0; i < calibration->n_keys; i++)
		copy_value(root, whole, calibration->keys[i].path);
	add_entries(root, calibration, origin);
	return json_page(g_steal_pointer(&root));
}
