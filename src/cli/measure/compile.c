/* SPDX-License-Identifier: MIT */
/* The programs that measure, compiled for the GPU at hand by the toolkit's nvcc. */
#include "cli/measure/measure.h"

#include <string.h>

#include "base/error.h"

#define COMPILE_SECONDS 600.0
#define GPU_SECONDS	120.0

const char *measure_short_name(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash ? slash + 1 : program;
}

char *measure_in_work(const Measurement *m, const char *name, const char *suffix)
{
	g_autofree char *file = g_strconcat(name, suffix, NULL);

	return g_build_filename(m->work, file, NULL);
}

char *measure_complaint(const char *path)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	char *found = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return g_strdup("it says nothing");
	lines = g_strsplit(g_strstrip(text), "\n", -1);
	for (guint i = 0; lines[i] != NULL && found == NULL; i++)
		if (strstr(lines[i], "error") != NULL || strstr(lines[i], "fatal") != NULL)
			found = g_strdup(g_strstrip(lines[i]));
	if (found == NULL)
		found = g_strdup(*text ? lines[g_strv_length(lines) - 1] : "it says nothing");
	return found;
}

/* nvcc for a program. arch: "sm_90"; NULL: what nvcc takes by itself. */
typedef struct {
	char *source, *target, *said, *flag;
	const char *words[12];
} Compiling;

static void compiling_clear(gpointer data)
{
	Compiling *c = data;

	g_free(c->source);
	g_free(c->target);
	g_free(c->said);
	g_free(c->flag);
}

static void compiling_init(Compiling *c, const Measurement *m, const char *nvcc,
			   const char *arch, const char *program, gboolean measured)
{
	const char *name = measure_short_name(program);
	g_autofree char *file = g_strconcat(program, ".cu", NULL);
	guint n = 0;

	*c = (Compiling){.source = g_build_filename(m->data, file, NULL),
			 .target = measure_in_work(m, name, ""),
			 .said = measure_in_work(m, name, ".nvcc"),
			 .flag = arch ? g_strdup_printf("-arch=%s", arch) : NULL};
	c->words[n++] = nvcc;
	c->words[n++] = "-std=c++17";
	c->words[n++] = "-O2";
	if (arch != NULL)
		c->words[n++] = c->flag;
	if (measured)
		c->words[n++] = "-DMEASURE";
	c->words[n++] = "-o";
	c->words[n++] = c->target;
	c->words[n++] = c->source;
	c->words[n] = NULL;
}

gboolean measure_is_list(const MeasureRun *run)
{
	const MeasureFile *first = g_ptr_array_index(run->files, 0);

	return strcmp(first->from, MEASURE_LIST) == 0;
}

void measure_fail(MeasureRun *run, char *why)
{
	g_free(run->why);
	run->why = why;
	run->state = RUN_FAILED;
}

/* The runs of the step that are to be made and whose program nobody has compiled; `first`: one of each program. */
static GPtrArray *to_compile(const Measurement *m, const char *step)
{
	GPtrArray *first = g_ptr_array_new();

	for (guint i = 0; i < m->runs->len; i++) {
		MeasureRun *run = g_ptr_array_index(m->runs, i);
		g_autofree char *target =
			measure_in_work(m, measure_short_name(run->program), "");
		gboolean is_new = strcmp(run->step, step) == 0 && run->state == RUN_OPEN &&
				  !g_file_test(target, G_FILE_TEST_EXISTS);

		for (guint j = 0; is_new && j < first->len; j++) {
			const MeasureRun *other = g_ptr_array_index(first, j);

			is_new = strcmp(other->program, run->program) != 0;
		}
		if (is_new)
			g_ptr_array_add(first, run);
	}
	return first;
}

static void fail_program(Measurement *m, const char *step, const char *program,
			 const char *said)
{
	g_autofree char *complaint = measure_complaint(said);

	for (guint i = 0; i < m->runs->len; i++) {
		MeasureRun *run = g_ptr_array_index(m->runs, i);

		if (run->state == RUN_OPEN && strcmp(run->step, step) == 0 &&
		    strcmp(run->program, program) == 0)
			measure_fail(run, g_strdup_printf("nvcc: %s", complaint));
	}
}

gboolean measure_compile(Measurement *m, const char *nvcc, const char *step, ChildTick tick,
			 gpointer data)
{
	g_autoptr(GPtrArray) first = to_compile(m, step);
	const guint most = MAX(1, g_get_num_processors());
	gboolean going_on = TRUE;

	for (guint begin = 0; going_on && begin < first->len; begin += most) {
		const guint n = MIN(most, first->len - begin);
		g_autofree Compiling *compiling = g_new0(Compiling, n);
		g_autofree Child *children = g_new0(Child, n);
		g_autofree ChildEnd *ends = g_new0(ChildEnd, n);

		for (guint i = 0; i < n; i++) {
			const MeasureRun *run = g_ptr_array_index(first, begin + i);
			Compiling *c = &compiling[i];

			compiling_init(c, m, nvcc, m->gpu.arch, run->program,
				       measure_is_list(run));
			children[i] = (Child){c->words, NULL, c->said, c->said};
		}
		children_run(children, n, COMPILE_SECONDS, tick, data, ends);
		for (guint i = 0; i < n; i++) {
			const MeasureRun *run = g_ptr_array_index(first, begin + i);

			going_on = going_on && ends[i] != CHILD_INTERRUPTED;
			if (ends[i] == CHILD_FAILED || ends[i] == CHILD_LATE)
				fail_program(m, step, run->program, compiling[i].said);
			compiling_clear(&compiling[i]);
		}
	}
	return going_on;
}

gboolean measure_find_gpu(Measurement *m, const char *nvcc, ChildTick tick, gpointer data,
			  GError **error)
{
	Compiling c;
	g_autofree char *out = measure_in_work(m, "gpu", ".txt"),
			*err = measure_in_work(m, "gpu", ".err");
	g_autofree char *said = NULL, *text = NULL;
	const char *words[2] = {NULL};
	Child child;
	ChildEnd end;
	gboolean compiled;

	compiling_init(&c, m, nvcc, NULL, "gpu", FALSE);
	child = (Child){c.words, NULL, c.said, c.said};
	children_run(&child, 1, COMPILE_SECONDS, tick, data, &end);
	compiled = end == CHILD_GOOD;
	if (compiled) {
		words[0] = c.target;
		child = (Child){words, NULL, out, err};
		children_run(&child, 1, GPU_SECONDS, tick, data, &end);
	}
	if (end == CHILD_FAILED || end == CHILD_LATE) {
		said = measure_complaint(compiled ? err : c.said);
		atomsim_fail(error, ATOMSIM_ERROR_IO,
			     compiled ? "measure: found no GPU that CUDA can use: %s"
				      : "measure: nvcc fails on the first program: %s",
			     said);
	}
	compiling_clear(&c);
	if (end != CHILD_GOOD)
		return FALSE;
	if (!g_file_get_contents(out, &text, NULL, NULL))
		return atomsim_fail(error, ATOMSIM_ERROR_IO,
				    "measure: what the program gpu has printed cannot be read");
	return measure_gpu_read(&m->gpu, text, error);
}
