/* SPDX-License-Identifier: MIT */
/* The programs that measure, run: how long they take, what the GPU's clock does meanwhile, what they leave. */
#include "cli/measure/measure.h"

#include <string.h>

#include "base/csv-cell.h"

#define LEAST_SECONDS 120.0 /* that a run may take, */
#define LIMIT_FACTOR  20.0  /* or so many times what it took on an H100 */
#define LOOK_AFTER                                                                             \
	0.5 /* seconds that a program has run, so that it has begun, when the GPU's clock is looked at, */
#define LOOK_EVERY 5.0 /* and seconds between two looks, of whatever programs */

/* What is looked at while a program runs. */
typedef struct {
	Measurement *m;
	MeasureRun *run;
	ChildTick tick;
	gpointer data;
} Watching;

static gboolean watch(gpointer data, double seconds)
{
	Watching *w = data;
	const gint64 now = g_get_monotonic_time();

	if (seconds >= LOOK_AFTER &&
	    (w->m->looked == 0 || now - w->m->looked >= LOOK_EVERY * G_USEC_PER_SEC)) {
		const GpuSample sample = measure_gpu_look(&w->m->gpu, w->m->work);
		StepClocks *clocks = g_hash_table_lookup(w->m->clocks, w->run->step);

		w->m->looked = now;
		if (sample.known && !sample.idle && clocks != NULL) {
			clocks->least = clocks->least ? MIN(clocks->least, sample.clock_mhz)
						      : sample.clock_mhz;
			clocks->most = MAX(clocks->most, sample.clock_mhz);
		}
		w->run->throttled = w->run->throttled || sample.throttled;
	}
	return w->tick == NULL || w->tick(w->data, seconds);
}

/* Runs it with its words; says in run->why what went wrong. */
static ChildEnd run_words(Watching *w, const char *const *words, const char *out)
{
	g_autofree char *err = measure_in_work(w->m, "run", ".err");
	const double limit = MAX(LEAST_SECONDS, LIMIT_FACTOR * w->run->estimate);
	const Child child = {words, w->m->data, out, err};
	ChildEnd end;

	children_run(&child, 1, limit, watch, w, &end);
	if (end == CHILD_LATE)
		measure_fail(w->run, g_strdup_printf("took over %.0f s", limit));
	else if (end == CHILD_FAILED)
		measure_fail(w->run, measure_complaint(err));
	return end;
}

/* Once, its output in run.out and run.err of the private folder, and the files that it writes there. */
static ChildEnd run_program(Watching *w)
{
	g_autofree char *target =
		measure_in_work(w->m, measure_short_name(w->run->program), "");
	g_autofree char *out = measure_in_work(w->m, "run", ".out");
	g_auto(GStrv) arguments = g_strsplit(w->run->arguments, " ", -1);
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	g_ptr_array_add(words, target);
	for (guint i = 0; arguments[i] != NULL; i++)
		if (*arguments[i] != '\0')
			g_ptr_array_add(words, strcmp(arguments[i], "%") == 0 ? w->m->work
									      : arguments[i]);
	g_ptr_array_add(words, NULL);
	return run_words(w, (const char *const *)words->pdata, out);
}

/* line: the list's, "bins global 7"; found: cells that the program has printed. */
static void add_list_row(GString *rows, const char *line, int length, const char *found,
			 const char *form)
{
	const char *space = strchr(line, ' ');
	g_autofree char *name = g_strndup(line, strcspn(line, " "));

	csv_append_cell(rows, name);
	g_string_append_c(rows, ',');
	csv_append_cell(rows, space ? space + 1 : "");
	g_string_append_printf(rows, ",%.*s,%s,warm\n", length, found, form);
}

/* The list's line as a row, if it is this program's and says what it measured. */
static ChildEnd run_line(Watching *w, const char *line, GString *rows)
{
	const char *name = measure_short_name(w->run->program);
	const MeasureFile *file = g_ptr_array_index(w->run->files, 0);
	g_autofree char *target = measure_in_work(w->m, name, ""),
			*out = measure_in_work(w->m, "line", ".out");
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	g_autofree char *text = NULL;
	const char *found;
	ChildEnd end;

	if (g_strcmp0(words[0], name) != 0)
		return CHILD_GOOD;
	g_free(words[0]);
	words[0] = g_strdup(target);
	end = run_words(w, (const char *const *)words, out);
	if (end != CHILD_GOOD || !g_file_get_contents(out, &text, NULL, NULL))
		return end;
	found = g_str_has_prefix(text, MEASURE_LIST " ") ? text
							 : strstr(text, "\n" MEASURE_LIST " ");
	if (found == NULL) {
		measure_fail(w->run, g_strdup_printf("%s measures nothing", line));
		return CHILD_FAILED;
	}
	found += *found == '\n';
	found += strlen(MEASURE_LIST " ");
	add_list_row(rows, line, (int)strcspn(found, "\n"), found, file->form);
	return CHILD_GOOD;
}

/* All launches of the list that are this program's: rows of launches.csv in run.out. */
static ChildEnd run_list(Watching *w)
{
	g_autofree char *path = g_build_filename(w->m->data, w->run->arguments, NULL);
	g_autofree char *out = measure_in_work(w->m, "run", ".out"), *text = NULL;
	g_autoptr(GString) rows =
		g_string_new("program,arguments,kernel,cycles,cycles_min,cycles_max,"
			     "block_cycles,microseconds,form,launch.l2\n");
	g_auto(GStrv) lines = NULL;
	ChildEnd end = CHILD_GOOD;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		measure_fail(w->run, g_strdup_printf("%s cannot be read", path));
		return CHILD_FAILED;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i] != NULL && end == CHILD_GOOD; i++)
		end = run_line(w, lines[i], rows);
	if (end == CHILD_GOOD &&
	    !g_file_set_contents(out, rows->str, (gssize)rows->len, NULL)) {
		measure_fail(w->run, g_strdup("its rows cannot be kept"));
		return CHILD_FAILED;
	}
	return end;
}

double measure_allowed_spread(const MeasureRun *run)
{
	double most = -1;

	for (guint i = 0; i < run->files->len; i++) {
		const MeasureFile *file = g_ptr_array_index(run->files, i);

		most = MAX(most, file->spread);
	}
	return most;
}

static gboolean is_noisy(const MeasureRun *run)
{
	return measure_allowed_spread(run) >= 0 && run->spread > measure_allowed_spread(run);
}

gboolean measure_run(Measurement *m, MeasureRun *run, ChildTick tick, gpointer data)
{
	Watching w = {.m = m, .run = run, .tick = tick, .data = data};
	const gint64 begin = g_get_monotonic_time();
	g_autoptr(GError) error = NULL;
	ChildEnd end = CHILD_GOOD;

	run->shared = m->gpu.load != NULL && *m->gpu.load != '\0';
	/* What was noisy is measured once more, and the second time counts. */
	for (guint time = 0; time < 2 && end == CHILD_GOOD; time++) {
		if (time > 0 && !is_noisy(run))
			break;
		measure_files_clear(m, run);
		end = measure_is_list(run) ? run_list(&w) : run_program(&w);
		if (end == CHILD_GOOD && !measure_files_write(m, run, &error)) {
			measure_fail(run, g_strdup(error->message));
			end = CHILD_FAILED;
		}
	}
	run->noisy = end == CHILD_GOOD && is_noisy(run);
	run->seconds = (double)(g_get_monotonic_time() - begin) / 1e6;
	if (end == CHILD_GOOD)
		run->state = RUN_DONE;
	return end != CHILD_INTERRUPTED;
}
