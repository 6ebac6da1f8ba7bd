/* SPDX-License-Identifier: MIT */
/* The parts of `atomsim measure`. Who may include it: cli/measure. */
#ifndef ATOMSIM_CLI_MEASURE_MEASURE_H
#define ATOMSIM_CLI_MEASURE_MEASURE_H

#include <glib.h>

#include "validate/frame/derive.h" /* DERIVE_GPU */

/* --- Children: the programs that are run (child.c) --- */

/* What is run, and where its output goes. NULL paths: nowhere. */
typedef struct {
	const char *const *words; /* the program and its arguments, NULL-terminated */
	const char *folder;	  /* that it runs in; NULL: this one */
	const char *out, *err;	  /* files for stdout and stderr */
} Child;

typedef enum {
	CHILD_GOOD,
	CHILD_FAILED,	   /* ended with another status than 0, or could not be run */
	CHILD_LATE,	   /* was ended at the limit */
	CHILD_INTERRUPTED, /* was ended because the user wants to stop */
} ChildEnd;

/* Called every few milliseconds while children run; FALSE: stop. */
typedef gboolean (*ChildTick)(gpointer data, double seconds);

/* Runs the n children side by side until the last one has ended, ends[i] says how. limit: seconds. tick may be NULL. */
void children_run(const Child *children, guint n, double limit, ChildTick tick, gpointer data,
		  ChildEnd *ends);

/* --- The table of what is measured (steps.c) --- */

/* A file that a run gives. */
typedef struct {
	char *from; /* "stdout", "stderr", "measured" (lines of kernels) or a file's name in the run's folder */
	char *file;    /* its path in the folder of measurements */
	char *form;    /* what its rows are compared with; "": nothing */
	double spread; /* per cent between repeats, at the median row, above which it is noisy; negative: is not asked */
} MeasureFile;

typedef enum { RUN_OPEN, RUN_DONE, RUN_LEFT_OUT, RUN_FAILED } RunState;

/* One run of a program; columns of steps.csv, and what became of it. */
typedef struct {
	char *step, *program, *arguments, *needs;
	double estimate;  /* seconds on an H100 */
	GPtrArray *files; /* MeasureFile */
	RunState state;
	char *why;	/* it was left out or has failed; NULL: neither */
	double seconds; /* that it took */
	double spread;	/* the largest of its files', per cent; negative: none was asked */
	gboolean noisy, throttled, shared;
} MeasureRun;

/* Of MeasureRun, in their order. Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_INPUT. */
GPtrArray *measure_steps_read(const char *path, GError **error);
/* The steps' names in their order, NULL-terminated. g_strfreev. */
char **measure_step_names(const GPtrArray *runs);

/* --- The GPU (gpu.c) --- */

/* Clocks seen in a step, MHz; 0: nothing was seen. */
typedef struct {
	guint before, least, most, after;
} StepClocks;

/* One look at the GPU by nvidia-smi. */
typedef struct {
	gboolean known;	    /* nvidia-smi could say */
	gboolean idle;	    /* by its own account, so that its clock says nothing */
	gboolean throttled; /* by power, heat or a brake */
	guint clock_mhz, most_mhz, use_percent;
} GpuSample;

typedef struct {
	GHashTable *facts;		      /* what gpu.cu prints: name to text */
	char *uuid, *driver, *toolkit, *arch; /* arch: that programs are compiled for */
	char *load; /* other processes and use, at the begin; "" for none, NULL: nobody can say */
	guint most_mhz; /* 0: unknown */
} MeasureGpu;

/* What the program `gpu` has printed. Errors: ATOMSIM_ERROR_INPUT. */
gboolean measure_gpu_read(MeasureGpu *gpu, const char *text, GError **error);
void measure_gpu_clear(MeasureGpu *gpu);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MeasureGpu, measure_gpu_clear)
/* A fact's number; 0 if there is none. */
double measure_gpu_number(const MeasureGpu *gpu, const char *name);
/* Looks at it now. */
GpuSample measure_gpu_look(const MeasureGpu *gpu, const char *folder);
/* Fills in driver, load and clock. folder: private. */
void measure_gpu_describe(MeasureGpu *gpu, const char *folder);
/* Why the GPU cannot do what a run needs ("sms>=8 compute_capability>=80"), or NULL. g_free. */
char *measure_gpu_lacks(const MeasureGpu *gpu, const char *needs);

/* --- What was done (state.c) --- */

typedef struct {
	char *folder, *data, *work; /* of measurements; of programs; private */
	MeasureGpu gpu;
	GPtrArray *runs;
	GHashTable *clocks; /* a step's name to StepClocks */
	double seconds;	    /* of all times that the command ran here */
	gint64 looked; /* when the clock was last looked at while a program ran: g_get_monotonic_time; 0: never */
} Measurement;

/* Takes from FOLDER/gpu.json, if it is there, what was done already, and what has failed. Errors: ATOMSIM_ERROR_INPUT, it is of another
   GPU or architecture, or the folder is none of this command's; ATOMSIM_ERROR_IO. */
gboolean measure_state_read(Measurement *measurement, GError **error);
gboolean measure_state_write(const Measurement *measurement, GError **error);

/* --- Files (files.c) --- */

/* Takes away what another run has left in the private folder under the names of this one's files. */
void measure_files_clear(const Measurement *measurement, const MeasureRun *run);
/* Writes what the run has left in the private folder; run->spread is what its files say. Errors: ATOMSIM_ERROR_INPUT, it is no table. */
gboolean measure_files_write(const Measurement *measurement, MeasureRun *run, GError **error);

/* --- Programs (compile.c) --- */

/* A run of a list of launches: it has one file, that comes from lines "measured ROW" of each launch. */
#define MEASURE_LIST "measured"
gboolean measure_is_list(const MeasureRun *run);
/* "../../traces/kernels/apps" -> "apps". */
const char *measure_short_name(const char *program);
/* A path in the private folder. g_free. */
char *measure_in_work(const Measurement *measurement, const char *name, const char *suffix);
/* The run has failed: why is freed with it. */
void measure_fail(MeasureRun *run, char *why);
/* Compiles what these runs need, side by side, with nvcc for gpu.arch; a run whose program cannot be compiled fails. */
gboolean measure_compile(Measurement *measurement, const char *nvcc, const char *step,
			 ChildTick tick, gpointer data);
/* Compiles and runs the program that says what the GPU is. FALSE without an error: the user wants to stop. Errors: ATOMSIM_ERROR_IO. */
gboolean measure_find_gpu(Measurement *measurement, const char *nvcc, ChildTick tick,
			  gpointer data, GError **error);
/* Of what a tool has said on stderr the line that says most, for an error. g_free. */
char *measure_complaint(const char *path);

/* --- What is at hand (prepare.c) --- */

typedef struct {
	char *output, *steps, *arch, *nvcc;
	gboolean allow_load;
} MeasureOptions;

void measurement_clear(Measurement *measurement);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Measurement, measurement_clear)

/* Finds nvcc, the programs, the GPU, what was done and what cannot be; *names: the steps'. FALSE without an error: the user wants to
   stop. Errors: ATOMSIM_ERROR_IO, something is not there; ATOMSIM_ERROR_INPUT, the GPU has other load, or the folder is another's;
   ATOMSIM_ERROR_USAGE, no such step. */
gboolean measure_prepare(Measurement *measurement, MeasureOptions *options, char ***names,
			 ChildTick tick, gpointer data, GError **error);
/* Whether --steps asks for it. */
gboolean measure_is_wanted(const MeasureOptions *options, const char *step);

/* --- A run (program.c) --- */

/* Runs it and writes its files; its state says what came of it. FALSE: the user wants to stop. */
gboolean measure_run(Measurement *measurement, MeasureRun *run, ChildTick tick, gpointer data);
/* Per cent that its repeats may be apart; negative: nobody asks. */
double measure_allowed_spread(const MeasureRun *run);

#endif
