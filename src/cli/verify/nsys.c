/* SPDX-License-Identifier: MIT */
/*
 * Measured by Nsight Systems where counters may not be read: how long each launch took, which it has from time stamps of the GPU. Written
 * down as ncu would.
 */
#include "cli/verify/verify.h"

#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/output.h"
#include "cli/tool.h"
#include "report/ncu.h"

#define HEADER "Start (ns)"

static gboolean run(const GPtrArray *line, const Measuring *measuring, char **output,
		    GError **error)
{
	int status = 0;

	if (!cli_run_program(line, TRUE, output, &status, error))
		return FALSE;
	return status == 0 || atomsim_fail(error, ATOMSIM_ERROR_IO, "verify: nsys failed on %s",
					   measuring->program[0]);
}

static gboolean profile(const char *nsys, const Measuring *measuring, const char *file,
			GError **error)
{
	g_autoptr(GPtrArray) line = g_ptr_array_new();
	const char *first[] = {
		nsys,	    "profile", "--trace=cuda", "--sample=none", "--cpuctxsw=none",
		"--output", file};

	for (guint i = 0; i < G_N_ELEMENTS(first); i++)
		g_ptr_array_add(line, (char *)first[i]);
	for (char **word = measuring->program; *word != NULL; word++)
		g_ptr_array_add(line, *word);
	g_ptr_array_add(line, NULL);
	return run(line, measuring, NULL, error);
}

/* The table of launches, and of copies. g_free. */
static char *launches(const char *nsys, const Measuring *measuring, const char *file,
		      GError **error)
{
	g_autoptr(GPtrArray) line = g_ptr_array_new();
	g_autofree char *report = g_strconcat(file, ".nsys-rep", NULL);
	const char *which = measuring->kernel ? "cuda_gpu_trace:mangled" : "cuda_gpu_trace";
	const char *words[] = {
		nsys,	"stats", "--report", which, "--format", "csv", "--force-export=true",
		report, NULL};
	g_autofree char *text = NULL;
	const char *table;

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		g_ptr_array_add(line, (char *)words[i]);
	if (!run(line, measuring, &text, error))
		return NULL;
	table = strstr(text, HEADER);
	if (table == NULL)
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "verify: nsys saw no launch of %s; allowed: one or more",
			     measuring->program[0]);
	return g_strdup(table);
}

/* Blocks of a launch; 0: the row is none, but a copy. */
static guint64 grid_of(const CsvTable *table, guint row, const guint *columns)
{
	guint64 blocks = 1;

	for (guint i = 0; i < 3; i++)
		blocks *= g_ascii_strtoull(csv_cell(table, row, columns[i]), NULL, 10);
	return blocks;
}

static gboolean matches(const Measuring *measuring, const GRegex *kernel, const char *name)
{
	g_autofree char *found = ncu_short_name(name);
	g_autofree char *wanted = kernel ? NULL : ncu_short_name(measuring->name);

	return kernel != NULL ? g_regex_match(kernel, name, 0, NULL)
			      : strcmp(found, wanted) == 0;
}

static void append(GString *text, guint id, const char *kernel, const char *counter,
		   const char *unit, const char *value)
{
	const char *cells[] = {kernel, counter, unit, value};

	g_string_append_printf(text, "\"%u\"", id);
	for (guint i = 0; i < G_N_ELEMENTS(cells); i++) {
		g_auto(GStrv) parts = g_strsplit(cells[i], "\"", -1);
		g_autofree char *quoted = g_strjoinv("\"\"", parts);

		g_string_append_printf(text, ",\"%s\"", quoted);
	}
	g_string_append_c(text, '\n');
}

/* In the long form of ncu's tables. g_free. */
static char *as_ncu(const CsvTable *table, const guint *columns, const Measuring *measuring,
		    GError **error)
{
	g_autoptr(GRegex) kernel =
		measuring->kernel ? g_regex_new(measuring->kernel, 0, 0, NULL) : NULL;
	guint n = 0;
	GString *text = g_string_new("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\","
				     "\"Metric Value\"\n");

	for (guint row = 0; row < csv_rows(table); row++) {
		const char *name = csv_cell(table, row, columns[4]);
		const guint64 blocks = grid_of(table, row, columns);
		g_autofree char *grid = g_strdup_printf("%" G_GUINT64_FORMAT, blocks);

		if (blocks == 0 || !matches(measuring, kernel, name) ||
		    (++n != measuring->launch && measuring->launch > 0))
			continue;
		append(text, row, name, "launch__grid_size", "", grid);
		append(text, row, name, "gpu__time_duration.sum", "ns",
		       csv_cell(table, row, columns[3]));
	}
	if (n >= MAX(measuring->launch, 1))
		return g_string_free(text, FALSE);
	atomsim_fail(error, ATOMSIM_ERROR_INPUT,
		     "verify: %s launched a kernel that matches %s %u times; allowed: %s",
		     measuring->program[0],
		     measuring->kernel ? measuring->kernel : measuring->name, n,
		     n > 0 ? "--launch up to that" : "one or more");
	g_string_free(text, TRUE);
	return NULL;
}

char *measure_by_nsys(const char *nsys, const Measuring *measuring, GError **error)
{
	static const char *const names[] = {"GrdX", "GrdY", "GrdZ", "Duration (ns)", "Name"};
	guint columns[G_N_ELEMENTS(names)];
	char *folder = output_folder_new("verify", error);
	g_autofree char *file = folder ? g_build_filename(folder, "launches", NULL) : NULL;
	g_autofree char *text = NULL;
	g_autoptr(CsvTable) table = NULL;

	if (folder == NULL)
		return NULL;
	if (profile(nsys, measuring, file, error))
		text = launches(nsys, measuring, file, error);
	output_folder_remove(folder);
	if (text != NULL)
		table = csv_parse("nsys stats", text, strlen(text), error);
	if (table == NULL ||
	    !csv_require_all(table, names, G_N_ELEMENTS(names), columns, error))
		return NULL;
	return as_ncu(table, columns, measuring, error);
}
