/* SPDX-License-Identifier: MIT */
/* Measured by Nsight Compute: the counters that reports have fields for. */
#include "cli/verify/verify.h"

#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/output.h"
#include "cli/tool.h"
#include "report/fields.h"
#include "report/ncu.h"

#define MAX_BYTES   (1u << 30)
#define REFUSED	    "ERR_NVGPUCTRPERM"
#define NO_PROFILER "Failed to initialize the profiler" /* behind gVisor */

/* "sm__cycles_active.max,...": all that reports have. g_free. */
static char *counters(void)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < n_report_fields; i++)
		if (report_fields[i].counter != NULL)
			g_string_append_printf(list, "%s%s", list->len > 0 ? "," : "",
					       report_fields[i].counter);
	return g_string_free(list, FALSE);
}

/* Of strings; g_free of each. */
static GPtrArray *command_line(const char *ncu, const Measuring *measuring, const char *log)
{
	GPtrArray *line = g_ptr_array_new_with_free_func(g_free);
	const char *first[] = {ncu,	     "--clock-control",
			       "none",	     "--cache-control",
			       "none",	     "--target-processes",
			       "all",	     "--csv",
			       "--log-file", log,
			       "--metrics"};

	for (guint i = 0; i < G_N_ELEMENTS(first); i++)
		g_ptr_array_add(line, g_strdup(first[i]));
	g_ptr_array_add(line, counters());
	if (measuring->kernel != NULL) {
		g_ptr_array_add(line, g_strdup("--kernel-name-base"));
		g_ptr_array_add(line, g_strdup("mangled"));
	}
	g_ptr_array_add(line, g_strdup("--kernel-name"));
	g_ptr_array_add(line, measuring->kernel ? g_strconcat("regex:", measuring->kernel, NULL)
						: ncu_short_name(measuring->name));
	if (measuring->launch > 0) {
		g_ptr_array_add(line, g_strdup("--launch-skip"));
		g_ptr_array_add(line, g_strdup_printf("%u", measuring->launch - 1));
		g_ptr_array_add(line, g_strdup("--launch-count"));
		g_ptr_array_add(line, g_strdup("1"));
	}
	for (char **word = measuring->program; *word != NULL; word++)
		g_ptr_array_add(line, g_strdup(*word));
	g_ptr_array_add(line, NULL);
	return line;
}

/* What ncu says is wrong, and the kernels that it names where none matched, on a line. g_free. */
static char *complaint(const char *log)
{
	g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
	GString *text = g_string_new(NULL);
	gboolean names = FALSE;

	for (guint i = 0; lines[i] != NULL; i++) {
		char *line = g_strstrip(lines[i]);

		names = names || g_str_has_prefix(line, "Available Kernels");
		if (g_str_has_prefix(line, "==ERROR==") ||
		    g_str_has_prefix(line, "==WARNING== No kernels") ||
		    (names && *line != '\0' && *line != '='))
			g_string_append_printf(text, "%s%s", text->len > 0 ? "; " : "", line);
	}
	return g_string_free(text, FALSE);
}

static char *read_log(const char *ncu, const Measuring *measuring, const char *log,
		      gboolean *refused, GError **error)
{
	g_autoptr(GPtrArray) line = command_line(ncu, measuring, log);
	g_autofree char *text = NULL;
	g_autofree char *said = NULL;
	gsize length;
	int status = 0;

	if (!cli_run_program(line, TRUE, NULL, &status, error))
		return NULL;
	if (g_file_test(log, G_FILE_TEST_EXISTS) &&
	    !input_read(log, MAX_BYTES, "what ncu printed", &text, &length, error))
		return NULL;
	said = complaint(text ? text : "");
	*refused = text != NULL &&
		   (strstr(text, REFUSED) != NULL || strstr(text, NO_PROFILER) != NULL);
	if (*refused && strstr(text, REFUSED) != NULL)
		atomsim_fail(error, ATOMSIM_ERROR_IO,
			     "verify: ncu may not read the GPU's counters (" REFUSED "); "
			     "allowed: as root, or with the driver loaded with "
			     "NVreg_RestrictProfilingToAdminUsers=0");
	else if (status != 0)
		atomsim_fail(error, ATOMSIM_ERROR_IO, "verify: ncu failed on %s%s%s",
			     measuring->program[0], *said ? ": " : "", said);
	else if (text == NULL || !ncu_is(text))
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "verify: %s launched no kernel that matches %s%s%s%s%s",
			     measuring->program[0],
			     measuring->kernel ? measuring->kernel : measuring->name,
			     *said ? " (" : "", said, *said ? ")" : "",
			     measuring->launch > 0 ? ", or fewer times" : "");
	else
		return g_steal_pointer(&text);
	return NULL;
}

char *measure_by_ncu(const char *ncu, const Measuring *measuring, gboolean *refused,
		     GError **error)
{
	char *folder = output_folder_new("verify", error);
	g_autofree char *log = folder ? g_build_filename(folder, "ncu.csv", NULL) : NULL;
	char *text;

	*refused = FALSE;
	if (folder == NULL)
		return NULL;
	text = read_log(ncu, measuring, log, refused, error);
	output_folder_remove(folder);
	return text;
}
