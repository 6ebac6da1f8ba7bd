/* SPDX-License-Identifier: MIT */
/*
 * Which kernel of a program to look at: all launches of a kernel together, by the time that they take, with what the best
 * advice would save of it.
 */
#include "cli/capture-rank.h"

#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "explore/advise/advise.h"
#include "gpu/convert/convert.h"
#include "replay/launch-time.h"
#include "report/format.h"

typedef struct {
	const char *kernel;
	char *longest;	     /* trace of its longest launch */
	char *change;	     /* the advice that saves most in one launch; NULL: none */
	char *failed;	     /* why a launch has no time; NULL: all have */
	gboolean incomplete; /* code of it does what no trace says */
	guint n_launches;
	double time_us, longest_us, free_us;
	double saved_us, most_saved_us; /* by the best advice for each launch */
} Row;

static void row_free(gpointer data)
{
	Row *row = data;

	g_free(row->longest);
	g_free(row->change);
	g_free(row->failed);
	g_free(row);
}

static Row *find_row(GPtrArray *rows, const char *kernel)
{
	Row *row;

	for (guint i = 0; i < rows->len; i++) {
		row = g_ptr_array_index(rows, i);
		if (strcmp(row->kernel, kernel) == 0)
			return row;
	}
	row = g_new0(Row, 1);
	row->kernel = kernel;
	g_ptr_array_add(rows, row);
	return row;
}

static void add_launch(Row *row, const char *path, const Config *config,
		       const AdviceReport *report)
{
	const Machine *machine = config_machine(config);
	const Advice *best =
		report->advice->len > 0 ? g_ptr_array_index(report->advice, 0) : NULL;
	double time = launch_time_us(machine, report->cycles);
	double saved =
		best ? (1 - 1 / best->gain) * (double)report->cycles / machine->clock_mhz : 0;

	row->n_launches++;
	row->time_us += time;
	row->free_us += launch_time_us(machine, report->contention_free_cycles);
	row->saved_us += saved;
	if (saved > row->most_saved_us) {
		row->most_saved_us = saved;
		g_free(row->change);
		row->change = g_strdup(best->change);
	}
	if (!row->longest || time > row->longest_us) {
		row->longest_us = time;
		g_free(row->longest);
		row->longest = g_strdup(path);
	}
}

/* The first reason of a row is kept. */
static void note_failure(Row *row, const char *why)
{
	if (!row->failed)
		row->failed = g_strdup(why);
}

/* A launch that cannot be replayed keeps no other from its row. */
static gboolean rank_launch(GPtrArray *rows, const ConvertedTrace *trace, const Config *config,
			    GError **error)
{
	g_autoptr(GError) problem = NULL;
	g_autoptr(TraceReader) reader = trace_open(trace->path, &problem);
	Row *row = find_row(rows, trace->kernel);
	g_auto(AdviceReport) report = {0};
	AdviceRequest request = {.config = config,
				 .reader = reader,
				 .n_threads = cli_jobs(0),
				 .progress = cli_on_blocks,
				 .most_instructions = ADVICE_MOST_INSTRUCTIONS};

	if (!reader) {
		note_failure(row, problem->message);
		return TRUE;
	}
	row->incomplete |= trace->bulk != NULL;
	trace_keep_decoded(reader, 1u << 28);
	if (advise(&request, &report, &problem))
		add_launch(row, trace->path, config, &report);
	else
		note_failure(row, problem->message);
	if (!cli_interrupted())
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_RUN, "capture: interrupted");
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const Row *x = *(Row *const *)a, *y = *(Row *const *)b;

	return x->time_us != y->time_us ? (x->time_us < y->time_us ? 1 : -1)
					: strcmp(x->kernel, y->kernel);
}

static void append_row(GString *text, const Row *row, double all_us)
{
	g_autofree char *kernel = format_name(row->kernel, 36);
	g_autofree char *time = format_time_us(row->time_us);
	g_autofree char *saved = format_time_us(row->saved_us);
	g_autofree char *name = row->longest ? g_path_get_basename(row->longest) : NULL;

	if (row->n_launches > 0)
		g_string_append_printf(
			text, "%-36s %8u %10s %5.1f %% %7.2f  %10s  %s%s%s%s\n", kernel,
			row->n_launches, time, all_us > 0 ? 100 * row->time_us / all_us : 0,
			row->free_us > 0 ? row->time_us / row->free_us : 1,
			row->change ? saved : "-", name, row->incomplete ? " (incomplete)" : "",
			row->change ? ": " : "", row->change ? row->change : "");
	if (row->failed)
		g_string_append_printf(text, "%-36s no time: %s\n", kernel, row->failed);
}

char *capture_rank(const GPtrArray *traces, const Config *config, GError **error)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);
	GString *text;
	double all_us = 0;

	for (guint i = 0; i < traces->len; i++) {
		const ConvertedTrace *trace = g_ptr_array_index(traces, i);

		if (!trace->path)
			note_failure(find_row(rows, trace->kernel), trace->problem);
		else if (!rank_launch(rows, trace, config, error))
			return NULL;
	}
	g_ptr_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++)
		all_us += ((const Row *)g_ptr_array_index(rows, i))->time_us;
	text = g_string_new(NULL);
	g_string_append_printf(text, "%-36s %8s %10s %7s %7s  %10s  %s\n", "Kernel", "launches",
			       "time", "share", "slower", "to save", "longest launch: advice");
	for (guint i = 0; i < rows->len; i++)
		append_row(text, g_ptr_array_index(rows, i), all_us);
	return g_string_free(text, FALSE);
}
