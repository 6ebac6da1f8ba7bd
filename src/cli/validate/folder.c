/* SPDX-License-Identifier: MIT */
/* A folder of atomsim measure: its tables that forms can replay, by classes. */
#include "cli/validate/validate.h"

#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "config/config.h"
#include "validate/frame/derive.h"

/* Classes and how names of their files begin; what none fits is issue. */
static const struct {
	const char *prefix, *name;
} classes[] = {
	{"warp-throughput", "banks"},
	{"issue-conflicts", "banks"},
	{"warp-", "atomics"},
	{"match-any", "atomics"},
	{"global-atomics", "atomics"},
	{"l2-capacity", "atomics"},
	{"l2-", "L1, L2, DRAM"},
	{"global-loads", "L1, L2, DRAM"},
	{"rounds", "L1, L2, DRAM"},
	{"issue-in-flight", "L1, L2, DRAM"},
	{"issue-burst", "L1, L2, DRAM"},
	{"issue-l1", "L1, L2, DRAM"},
	{"issue-dram", "L1, L2, DRAM"},
	{"issue-shares", "L1, L2, DRAM"},
	{"issue-lines", "L1, L2, DRAM"},
	{"issue-lock", "locks"},
	{"issue-fence", "locks"},
	{"launches", "kernels"},
	{"kernels", "kernels"},
};

const char *const validate_class_names[] = {"atomics", "banks",	  "issue", "L1, L2, DRAM",
					    "locks",   "kernels", NULL};

const char *validate_class(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);

	for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
		if (g_str_has_prefix(name, classes[i].prefix))
			return classes[i].name;
	return "issue";
}

gboolean validate_is_folder(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_DIR);
}

/* What the folder says of its GPU. */
static cJSON *read_state(const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, DERIVE_GPU, NULL), *text = NULL;
	cJSON *state = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL))
		state = json_parse(text);
	if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(state, "steps"))) {
		cJSON_Delete(state);
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: no " DERIVE_GPU " of atomsim measure; allowed: a folder that "
			     "measure has made, or files of measurements",
			     folder);
		return NULL;
	}
	return state;
}

static const char *text_of(const cJSON *run, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(run, name));
}

static gboolean is_state(const cJSON *run, const char *state)
{
	return g_strcmp0(text_of(run, "state"), state) == 0;
}

/* Adds a file, if it has a form. */
static gboolean add_file(GPtrArray *files, const char *folder, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(CsvTable) table = NULL;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
	    g_ptr_array_find_with_equal_func(files, path, g_str_equal, NULL))
		return TRUE;
	table = csv_read(path, error);
	if (table == NULL)
		return FALSE;
	if (csv_column(table, "form") >= 0)
		g_ptr_array_add(files, g_steal_pointer(&path));
	return TRUE;
}

/* Files of runs that were done and have a form, in the order in which they were measured. */
static GPtrArray *find_files(const char *folder, const cJSON *state, GError **error)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	const cJSON *step, *run, *file;

	cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(state, "steps"))
		cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(step, "runs"))
			cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(run, "files"))
	{
		const char *name = cJSON_GetStringValue(file);

		if (name && is_state(run, "done") && !add_file(files, folder, name, error))
			return NULL;
	}
	return g_steal_pointer(&files);
}

static void note(ValidatedFolder *folder, const char *program, const char *is, const char *what)
{
	g_autofree char *text =
		g_strconcat(program ? program : "a run without a program", is, what, NULL);

	g_ptr_array_add(folder->notes, text_printable(text));
}

/* Notes a run that was marked, left out, or failed. */
static void note_run(ValidatedFolder *folder, const cJSON *run)
{
	const char *program = text_of(run, "program"), *why = text_of(run, "why");
	const cJSON *mark;

	if (is_state(run, "failed"))
		note(folder, program, " failed: ", why ? why : "for no reason that is there");
	else if (why != NULL)
		note(folder, program, " was not measured: ", why);
	cJSON_ArrayForEach(mark, cJSON_GetObjectItemCaseSensitive(run, "marks"))
	{
		if (cJSON_IsString(mark))
			note(folder, program, " is marked as ", mark->valuestring);
	}
}

static void describe(ValidatedFolder *folder, const cJSON *state)
{
	const cJSON *step, *run;
	const char *name = text_of(state, "name");

	folder->gpu = g_strdup(name ? name : "a GPU without a name");
	cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(state, "steps"))
		cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(step, "runs"))
			note_run(folder, run);
}

/* What atomsim derive reads of a folder. */
static gboolean find_read(ValidatedFolder *folder, GError **error)
{
	g_autofree char *path = config_find_installed(DERIVE_TABLE);
	g_autoptr(CsvTable) lines = path ? csv_read(path, error) : NULL;
	guint column;

	if (!path)
		return atomsim_fail(error, ATOMSIM_ERROR_IO,
				    "validate: no " DERIVE_TABLE
				    " among the installed configs");
	if (!lines || !csv_require(lines, "file", &column, error))
		return FALSE;
	folder->read = g_ptr_array_new_with_free_func(g_free);
	for (guint row = 0; row < csv_rows(lines); row++)
		g_ptr_array_add(folder->read,
				g_strconcat("/", csv_cell(lines, row, column), NULL));
	return TRUE;
}

gboolean validate_is_read(const ValidatedFolder *folder, const char *path)
{
	for (guint i = 0; i < folder->read->len; i++)
		if (g_str_has_suffix(path, folder->read->pdata[i]))
			return TRUE;
	return FALSE;
}

void validated_folder_clear(ValidatedFolder *folder)
{
	g_free(folder->gpu);
	g_clear_pointer(&folder->notes, g_ptr_array_unref);
	g_clear_pointer(&folder->read, g_ptr_array_unref);
}

gboolean validate_add_folder(Validation *validation, const Machine *machine, const char *path,
			     gboolean all, ValidatedFolder *folder, GError **error)
{
	g_autoptr(cJSON) state = read_state(path, error);
	g_autoptr(GPtrArray) files = state ? find_files(path, state, error) : NULL;

	folder->notes = g_ptr_array_new_with_free_func(g_free);
	validation->sampled = !all;
	if (files == NULL || !find_read(folder, error))
		return FALSE;
	describe(folder, state);
	g_ptr_array_add(files, NULL);
	return validate_add_files(validation, machine, (char **)files->pdata, error);
}
