/* SPDX-License-Identifier: MIT */
/* gpu.json: which GPU a folder of measurements is of, and what was done; written behind each run, so that an end at any time loses one. */
#include "cli/measure/measure.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"

#define FORMAT "atomsim measure"

static const OutputKind state_kind = {"the state of a folder of measurements",
				      {"\"" FORMAT "\"", NULL}};
static const char *const state_names[] = {"open", "done", "left out", "failed"};

/* --- Writing --- */

static void add_number(cJSON *object, const char *name, double number)
{
	if (number >= 0)
		cJSON_AddNumberToObject(object, name, number);
	else
		cJSON_AddNullToObject(object, name);
}

/* Three digits behind the point are enough, and print as they are. */
static double rounded(double number)
{
	return number < 0 ? number : (double)(gint64)(number * 1000 + 0.5) / 1000;
}

static cJSON *run_object(const MeasureRun *run)
{
	const struct {
		gboolean is;
		const char *name;
	} marks[] = {
		{run->noisy, "noisy"}, {run->throttled, "throttled"}, {run->shared, "shared"}};
	cJSON *object = cJSON_CreateObject(), *list;

	cJSON_AddStringToObject(object, "program", run->program);
	cJSON_AddStringToObject(object, "arguments", run->arguments);
	list = cJSON_AddArrayToObject(object, "files");
	for (guint i = 0; i < run->files->len; i++) {
		const MeasureFile *file = g_ptr_array_index(run->files, i);

		cJSON_AddItemToArray(list, cJSON_CreateString(file->file));
	}
	cJSON_AddStringToObject(object, "state", state_names[run->state]);
	if (run->why != NULL)
		cJSON_AddStringToObject(object, "why", run->why);
	list = cJSON_AddArrayToObject(object, "marks");
	for (guint i = 0; i < G_N_ELEMENTS(marks); i++)
		if (marks[i].is)
			cJSON_AddItemToArray(list, cJSON_CreateString(marks[i].name));
	add_number(object, "spread_percent", rounded(run->spread));
	cJSON_AddNumberToObject(object, "seconds", rounded(run->seconds));
	return object;
}

static cJSON *clock_object(const StepClocks *clocks)
{
	const struct {
		const char *name;
		guint mhz;
	} all[] = {{"before", clocks->before},
		   {"least", clocks->least},
		   {"most", clocks->most},
		   {"after", clocks->after}};
	cJSON *object = cJSON_CreateObject();

	for (guint i = 0; i < G_N_ELEMENTS(all); i++)
		add_number(object, all[i].name, all[i].mhz ? (double)all[i].mhz : -1);
	return object;
}

static cJSON *step_object(const Measurement *m, const char *step)
{
	cJSON *object = cJSON_CreateObject(), *list;
	double seconds = 0;

	cJSON_AddStringToObject(object, "step", step);
	cJSON_AddItemToObject(object, "clock_mhz",
			      clock_object(g_hash_table_lookup(m->clocks, step)));
	list = cJSON_AddArrayToObject(object, "runs");
	for (guint i = 0; i < m->runs->len; i++) {
		const MeasureRun *run = g_ptr_array_index(m->runs, i);

		if (strcmp(run->step, step) != 0)
			continue;
		seconds += run->seconds;
		cJSON_AddItemToArray(list, run_object(run));
	}
	cJSON_AddNumberToObject(object, "seconds", rounded(seconds));
	return object;
}

static void add_fact(cJSON *object, const char *name, const char *text)
{
	char *end;
	const double number = g_ascii_strtod(text, &end);

	if (end != text && *end == '\0')
		cJSON_AddNumberToObject(object, name, number);
	else
		cJSON_AddStringToObject(object, name, text);
}

static void add_gpu(cJSON *root, const MeasureGpu *gpu)
{
	g_autoptr(GList) names =
		g_list_sort(g_hash_table_get_keys(gpu->facts), (GCompareFunc)strcmp);
	cJSON *clock;

	for (GList *name = names; name != NULL; name = name->next)
		add_fact(root, name->data, g_hash_table_lookup(gpu->facts, name->data));
	cJSON_AddStringToObject(root, "driver", gpu->driver);
	cJSON_AddStringToObject(root, "toolkit", gpu->toolkit);
	cJSON_AddStringToObject(root, "arch", gpu->arch);
	clock = cJSON_AddObjectToObject(root, "clock_mhz");
	add_number(clock, "most", gpu->most_mhz ? (double)gpu->most_mhz : -1);
	if (gpu->load != NULL)
		cJSON_AddStringToObject(root, "other_load", gpu->load);
	else
		cJSON_AddNullToObject(root, "other_load");
}

gboolean measure_state_write(const Measurement *m, GError **error)
{
	g_autofree char *path = g_build_filename(m->folder, DERIVE_GPU, NULL);
	g_auto(GStrv) steps = measure_step_names(m->runs);
	cJSON *root = cJSON_CreateObject(), *list;
	g_autofree char *text = NULL;

	cJSON_AddStringToObject(root, "format", FORMAT);
	cJSON_AddStringToObject(root, "version", PACKAGE_VERSION);
	add_gpu(root, &m->gpu);
	cJSON_AddNumberToObject(root, "seconds", rounded(m->seconds));
	list = cJSON_AddArrayToObject(root, "steps");
	for (guint i = 0; steps[i] != NULL; i++)
		cJSON_AddItemToArray(list, step_object(m, steps[i]));
	text = json_page(root);
	return output_write_file(path, &state_kind, text, strlen(text), error);
}

/* --- Reading --- */

static const char *text_of(const cJSON *object, const char *name)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));

	return text ? text : "";
}

/* 0 where there is none. */
static double number_of(const cJSON *object, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

	return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static gboolean has_mark(const cJSON *object, const char *mark)
{
	const cJSON *item;

	cJSON_ArrayForEach(item,
			   cJSON_GetObjectItemCaseSensitive(
				   object, "marks")) if (g_strcmp0(cJSON_GetStringValue(item),
								   mark) == 0) return TRUE;
	return FALSE;
}

static gboolean files_are_there(const Measurement *m, const MeasureRun *run)
{
	gboolean all = TRUE;

	for (guint i = 0; all && i < run->files->len; i++) {
		const MeasureFile *file = g_ptr_array_index(run->files, i);
		g_autofree char *path = g_build_filename(m->folder, file->file, NULL);

		all = g_file_test(path, G_FILE_TEST_IS_REGULAR);
	}
	return all;
}

/* What was done and is there is not done again; what is gone is. What has failed is known until it is tried again. */
static void take_run(Measurement *m, const cJSON *object)
{
	const char *state = text_of(object, "state");

	for (guint i = 0; i < m->runs->len; i++) {
		MeasureRun *run = g_ptr_array_index(m->runs, i);

		if (strcmp(run->program, text_of(object, "program")) != 0 ||
		    strcmp(run->arguments, text_of(object, "arguments")) != 0)
			continue;
		if (strcmp(state, state_names[RUN_FAILED]) == 0)
			measure_fail(run, g_strdup(text_of(object, "why")));
		if (strcmp(state, state_names[RUN_DONE]) != 0 || !files_are_there(m, run))
			continue;
		run->state = RUN_DONE;
		run->seconds = number_of(object, "seconds");
		run->spread = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(object,
									      "spread_percent"))
				      ? number_of(object, "spread_percent")
				      : -1;
		run->noisy = has_mark(object, "noisy");
		run->throttled = has_mark(object, "throttled");
		run->shared = has_mark(object, "shared");
	}
}

static void take_step(Measurement *m, const cJSON *object)
{
	StepClocks *clocks = g_hash_table_lookup(m->clocks, text_of(object, "step"));
	const cJSON *seen = cJSON_GetObjectItemCaseSensitive(object, "clock_mhz"), *run;

	if (clocks != NULL)
		*clocks = (StepClocks){
			(guint)number_of(seen, "before"), (guint)number_of(seen, "least"),
			(guint)number_of(seen, "most"), (guint)number_of(seen, "after")};
	cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(object, "runs"))
		take_run(m, run);
}

static gboolean check_state(const Measurement *m, const char *path, const cJSON *root,
			    GError **error)
{
	const char *arch = text_of(root, "arch");

	if (strcmp(text_of(root, "format"), FORMAT) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: is not of atomsim measure; allowed: a new folder, or "
				    "one that measure has made",
				    path);
	if (strcmp(text_of(root, "uuid"), m->gpu.uuid) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: the folder is of another GPU, %s (%s); found: %s; "
				    "allowed: a folder for each GPU",
				    path, text_of(root, "name"), text_of(root, "uuid"),
				    m->gpu.uuid);
	if (*arch != '\0' && strcmp(arch, m->gpu.arch) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: the folder was measured by programs for %s; found: "
				    "%s; allowed: --arch %s, or another folder",
				    path, arch, m->gpu.arch, arch);
	return TRUE;
}

/* Tables that nobody knows the GPU of are not written over. */
static gboolean check_new(const Measurement *m, GError **error)
{
	for (guint i = 0; i < m->runs->len; i++) {
		const MeasureRun *run = g_ptr_array_index(m->runs, i);

		for (guint j = 0; j < run->files->len; j++) {
			const MeasureFile *file = g_ptr_array_index(run->files, j);
			g_autofree char *path = g_build_filename(m->folder, file->file, NULL);

			if (g_file_test(path, G_FILE_TEST_EXISTS))
				return atomsim_fail(
					error, ATOMSIM_ERROR_INPUT,
					"%s: is there without " DERIVE_GPU
					", which says what GPU it is of; allowed: a new "
					"folder, or one that measure has made",
					path);
		}
	}
	return TRUE;
}

gboolean measure_state_read(Measurement *m, GError **error)
{
	g_autofree char *path = g_build_filename(m->folder, DERIVE_GPU, NULL), *text = NULL;
	gsize length;
	g_autoptr(cJSON) root = NULL;
	const cJSON *step;
	gboolean good;

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return check_new(m, error);
	/* It is written again: no input that must not be. */
	if (!g_file_get_contents(path, &text, &length, NULL))
		return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot be read", path);
	root = strlen(text) == length ? json_parse(text) : NULL;
	good = check_state(m, path, root, error);
	if (good) {
		m->seconds = number_of(root, "seconds");
		cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(root, "steps"))
			take_step(m, step);
	}
	return good;
}
