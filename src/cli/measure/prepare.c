/* SPDX-License-Identifier: MIT */
/* Before anything is measured: tools, programs, the GPU, and what was done already. */
#include "cli/measure/measure.h"

#include <string.h>

#include "base/error.h"
#include "base/installed.h"
#include "base/output.h"
#include "cli/tool.h"

#define TABLE "steps.csv"

void measurement_clear(Measurement *m)
{
	if (m->work != NULL)
		output_folder_remove(m->work);
	measure_gpu_clear(&m->gpu);
	g_clear_pointer(&m->runs, g_ptr_array_unref);
	g_clear_pointer(&m->clocks, g_hash_table_unref);
	g_free(m->folder);
	g_free(m->data);
}

/* --- What is at hand --- */

/* The folder of the programs, which lie beside steps.csv. g_free. */
static char *find_data(GError **error)
{
	g_auto(GStrv) folders = installed_folders(
		"measurements/programs", "measurements/programs", "ATOMSIM_MEASURE_PATH");
	g_autofree char *places = g_strjoinv(", ", folders);
	g_autofree char *table = installed_find(folders, TABLE, "");

	if (table != NULL)
		return g_path_get_dirname(table);
	atomsim_fail(error, ATOMSIM_ERROR_IO,
		     "measure: no " TABLE
		     " in %s: install atomsim, or set ATOMSIM_MEASURE_PATH to the folder "
		     "measurements/programs of its sources",
		     places);
	return NULL;
}

static gboolean find_nvcc(MeasureOptions *options, GError **error)
{
	options->nvcc = cli_find_tool("nvcc", "NVCC");
	return options->nvcc != NULL ||
	       atomsim_fail(error, ATOMSIM_ERROR_IO,
			    "measure: found no nvcc, in PATH or in $CUDA_HOME/bin; allowed: "
			    "the CUDA toolkit, or NVCC set to where it is");
}

/* "13.0.88" of what nvcc says of itself. g_free. */
static char *toolkit_of(const Measurement *m, const char *nvcc)
{
	g_autofree char *out = g_build_filename(m->work, "nvcc.txt", NULL), *text = NULL;
	const char *words[] = {nvcc, "--version", NULL}, *version;
	const Child child = {words, NULL, out, NULL};
	ChildEnd end;

	children_run(&child, 1, 60, NULL, NULL, &end);
	if (end != CHILD_GOOD || !g_file_get_contents(out, &text, NULL, NULL))
		return g_strdup("");
	version = strstr(text, ", V");
	return version ? g_strndup(version + 3, strcspn(version + 3, "\n")) : g_strdup("");
}

/* A GPU that others use gives numbers that are nobody's: refused, for what is measured so is of no use; marked if it is wanted so. */
static gboolean check_load(const Measurement *m, const MeasureOptions *options, GError **error)
{
	if (m->gpu.load == NULL || *m->gpu.load == '\0' || options->allow_load)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "measure: the GPU has other load: %s; allowed: an idle GPU, or "
			    "--allow-load, which marks what is measured",
			    m->gpu.load);
}

/* --- Which runs --- */

gboolean measure_is_wanted(const MeasureOptions *options, const char *step)
{
	g_auto(GStrv) names = options->steps ? g_strsplit(options->steps, ",", -1) : NULL;

	return names == NULL || g_strv_contains((const char *const *)names, step);
}

static gboolean check_steps(const MeasureOptions *options, char **names, GError **error)
{
	g_auto(GStrv) wanted = options->steps ? g_strsplit(options->steps, ",", -1) : NULL;
	g_autofree char *all = g_strjoinv(", ", names);
	const char *wrong = NULL;

	if (wanted != NULL && *wanted == NULL)
		wrong = "";
	for (guint i = 0; wanted != NULL && wanted[i] != NULL && wrong == NULL; i++)
		if (!g_strv_contains((const char *const *)names, wanted[i]))
			wrong = wanted[i];
	if (wrong == NULL)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "--steps: found '%s'; allowed: of %s, with commas between them",
			    wrong, all);
}

/* What has failed is open again if it is asked for; what the GPU cannot do is left out. */
static void open_and_leave_out(const Measurement *m, const MeasureOptions *options)
{
	for (guint i = 0; i < m->runs->len; i++) {
		MeasureRun *run = g_ptr_array_index(m->runs, i);

		if (run->state == RUN_FAILED && measure_is_wanted(options, run->step)) {
			run->state = RUN_OPEN;
			g_clear_pointer(&run->why, g_free);
		}
		if (run->state != RUN_OPEN)
			continue;
		run->why = measure_gpu_lacks(&m->gpu, run->needs);
		if (run->why != NULL)
			run->state = RUN_LEFT_OUT;
	}
}

/* The folder of programs and the table, checked before what takes long. */
static gboolean read_table(Measurement *m, const MeasureOptions *options, char ***names,
			   GError **error)
{
	g_autofree char *table = NULL;

	m->data = find_data(error);
	if (m->data == NULL)
		return FALSE;
	table = g_build_filename(m->data, TABLE, NULL);
	m->runs = measure_steps_read(table, error);
	if (m->runs == NULL)
		return FALSE;
	*names = measure_step_names(m->runs);
	m->clocks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (guint i = 0; (*names)[i] != NULL; i++)
		g_hash_table_insert(m->clocks, g_strdup((*names)[i]), g_new0(StepClocks, 1));
	return check_steps(options, *names, error);
}

static gboolean find_gpu(Measurement *m, MeasureOptions *options, ChildTick tick, gpointer data,
			 GError **error)
{
	m->work = output_folder_new("measure", error);
	if (m->work == NULL || !measure_find_gpu(m, options->nvcc, tick, data, error))
		return FALSE;
	m->gpu.toolkit = toolkit_of(m, options->nvcc);
	m->gpu.arch =
		options->arch
			? g_strdup(options->arch)
			: g_strdup_printf("sm_%.0f",
					  measure_gpu_number(&m->gpu, "compute_capability"));
	measure_gpu_describe(&m->gpu, m->work);
	return check_load(m, options, error);
}

gboolean measure_prepare(Measurement *m, MeasureOptions *options, char ***names, ChildTick tick,
			 gpointer data, GError **error)
{
	m->folder = g_strdup(options->output);
	if (!read_table(m, options, names, error) || !find_nvcc(options, error) ||
	    !find_gpu(m, options, tick, data, error) || !measure_state_read(m, error))
		return FALSE;
	if (g_mkdir_with_parents(m->folder, 0777) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_IO,
				    "%s: is no folder, and cannot be one", m->folder);
	open_and_leave_out(m, options);
	/* At once, so that the folder is known as this command's whatever comes. */
	return measure_state_write(m, error);
}
