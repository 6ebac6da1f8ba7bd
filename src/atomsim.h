/* SPDX-License-Identifier: MIT */
/*
 * atomsim as a library: replay a trace of a GPU kernel on a simulated machine and read what it cost.
 * docs/guide/library.md has a complete program. The only installed header; it needs nothing but libc.
 *
 * Strings that a function returns as `char *` are the caller's: atomsim_free. What it returns as
 * `const char *` belongs to the object, or is constant, and must not be freed. A name or a text is
 * UTF-8, NUL-terminated. Every pointer may be NULL: where that has no meaning of its own, a function that
 * can fail says ATOMSIM_USAGE, one that frees does nothing, and others return what their comment says.
 * Everything is safe to use from several threads but for one thing: one AtomsimTrace is in at most one
 * call at a time.
 */
#ifndef ATOMSIM_H
#define ATOMSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ATOMSIM_API __attribute__((visibility("default")))
#else
#define ATOMSIM_API
#endif

typedef struct AtomsimConfig AtomsimConfig; /* a machine: checked, constant */
typedef struct AtomsimTrace AtomsimTrace;   /* what a kernel asked for */
typedef struct AtomsimResult AtomsimResult; /* what its replay gave */
typedef struct AtomsimError AtomsimError;   /* why there is none */

/* "0.1.0": of the library that runs. */
ATOMSIM_API const char *atomsim_version(void);

/* Frees a string that a function returned as `char *`. NULL: nothing, as in all that free. */
ATOMSIM_API void atomsim_free(char *string);

/* --- Errors --- */

typedef enum {
	ATOMSIM_CONFIG, /* a config or a setting */
	ATOMSIM_TRACE,	/* the bytes or the records of a trace */
	ATOMSIM_IO,	/* a file that cannot be read or written */
	ATOMSIM_USAGE,	/* an argument */
	ATOMSIM_RUN, /* a simulation that cannot go on: deadlock, block too large, interrupted */
	ATOMSIM_INPUT, /* the contents of another file that was named */
} AtomsimCode;

/*
 * A function that can fail takes `AtomsimError **error` last: NULL, or the address of a pointer that
 * is NULL. When it fails it returns NULL or false and stores an error there, which is the caller's.
 * Of an error that is NULL: ATOMSIM_USAGE.
 */
ATOMSIM_API AtomsimCode atomsim_error_code(const AtomsimError *error);
/* One or more lines without a newline at the end, each naming place, what was found and what is allowed. NULL: "no error". */
ATOMSIM_API const char *atomsim_error_message(const AtomsimError *error);
ATOMSIM_API void atomsim_error_free(AtomsimError *error); /* NULL: nothing */

/* --- Configs --- */

/*
 * Loads a config: a path, else the name of an installed one ("fermi.json"; the folders of the
 * environment's ATOMSIM_CONFIG_PATH come first). `settings`: "key=value" laid over it, the last
 * NULL; NULL: none. Errors: ATOMSIM_CONFIG with all problems, one a line; ATOMSIM_IO; ATOMSIM_USAGE if
 * path_or_name is NULL.
 */
ATOMSIM_API AtomsimConfig *atomsim_config_load(const char *path_or_name,
					       const char *const *settings,
					       AtomsimError **error);
/* The same from `length` bytes of JSON; errors call it `name`. ATOMSIM_USAGE if one of these is NULL. */
ATOMSIM_API AtomsimConfig *atomsim_config_parse(const char *name, const char *json,
						size_t length, const char *const *settings,
						AtomsimError **error);
/* A copy with further settings; NULL: none. ATOMSIM_USAGE if the config is NULL. */
ATOMSIM_API AtomsimConfig *atomsim_config_with(const AtomsimConfig *config,
					       const char *const *settings,
					       AtomsimError **error);
/* All keys with their values in force, as JSON. NULL of NULL. */
ATOMSIM_API char *atomsim_config_json(const AtomsimConfig *config);
ATOMSIM_API void atomsim_config_free(AtomsimConfig *config); /* NULL: nothing */

/* --- Traces --- */

/* Opens a trace file: a path, else the name of an installed one ("transpose"; the folders of the environment's
   ATOMSIM_TRACE_PATH come first). Errors: ATOMSIM_IO, ATOMSIM_TRACE; ATOMSIM_USAGE if it is NULL. */
ATOMSIM_API AtomsimTrace *atomsim_trace_open(const char *path_or_name, AtomsimError **error);
/* Opens `length` bytes, which it copies; errors call them `name`. ATOMSIM_USAGE if one of these is NULL. */
ATOMSIM_API AtomsimTrace *atomsim_trace_open_bytes(const char *name, const void *bytes,
						   size_t length, AtomsimError **error);
/*
 * Makes a trace without a GPU: `atomsim list workloads` has the workloads, `atomsim gen WORKLOAD
 * --help` their options. `settings`: "option=value", the last NULL; NULL: none. Errors:
 * ATOMSIM_USAGE, also if the workload is NULL; ATOMSIM_IO and ATOMSIM_INPUT of the files that an option names.
 */
ATOMSIM_API AtomsimTrace *
atomsim_trace_generate(const char *workload, const char *const *settings, AtomsimError **error);
/*
 * Makes the trace of a kernel that does one atomic a thread on the words that `indices` name, n of them, -1 for a thread
 * that does none: `atomsim gen scatter` with the indices from memory, and its other options as `settings`
 * ("space=shared", "type=f32"; NULL: none). Errors: ATOMSIM_USAGE, also if indices is NULL; ATOMSIM_INPUT with the first
 * index that is none.
 */
ATOMSIM_API AtomsimTrace *atomsim_trace_scatter(const int64_t *indices, size_t n,
						const char *const *settings,
						AtomsimError **error);
/* The trace as a file's bytes, which live as long as the trace; NULL, and a length of 0, for one opened by path or that is
   NULL. `length` NULL: it is not returned. */
ATOMSIM_API const void *atomsim_trace_bytes(const AtomsimTrace *trace, size_t *length);
/* What is known about the kernel, as a JSON object. NULL of NULL. */
ATOMSIM_API const char *atomsim_trace_metadata(const AtomsimTrace *trace);
ATOMSIM_API uint64_t atomsim_trace_blocks(const AtomsimTrace *trace); /* 0 of NULL */
ATOMSIM_API void atomsim_trace_free(AtomsimTrace *trace);	      /* NULL: nothing */

/* --- Runs --- */

/* Whether to do what takes a while. */
typedef enum {
	ATOMSIM_AUTO, /* where runs execute up to 8 million warp instructions */
	ATOMSIM_YES,
	ATOMSIM_NO,
} AtomsimWhen;

/* How to run. All zero but `size` is a good choice, the command's; later versions add fields at the end. */
typedef struct {
	size_t size;	  /* sizeof(AtomsimOptions) */
	uint64_t seed;	  /* of the random winner rule */
	unsigned threads; /* 0: one for each processor. The result does not depend on it */
	bool no_baseline; /* do not also run the trace without contention */
	/* Called from the caller's thread now and then, in each further run from block 0 again, in a sweep with points;
	   returning false interrupts. NULL: none. */
	bool (*progress)(void *data, uint64_t blocks_done, uint64_t n_blocks);
	void *data; /* for progress */
	/* Changes to what the trace asks for, each as --what-if takes it (docs/guide/what-if.md), the last NULL; NULL: none.
	   The trace is run without them, too. Of atomsim_run alone. */
	const char *const *what_ifs;
	AtomsimWhen
		causes; /* repeat the run with one thing ideal at a time. Of atomsim_run alone */
	bool page;	/* make the page that --report writes, too. Of atomsim_run alone */
} AtomsimOptions;

/* Replays a trace. `options` NULL: all zero. Errors: ATOMSIM_RUN, ATOMSIM_TRACE; ATOMSIM_INPUT for a what-if that
   cannot be made; ATOMSIM_USAGE for one that is none, if config or trace is NULL, or options->size is none. */
ATOMSIM_API AtomsimResult *atomsim_run(const AtomsimConfig *config, AtomsimTrace *trace,
				       const AtomsimOptions *options, AtomsimError **error);

/* What to change so that a trace costs less: the result is what `atomsim advise --format json` prints
   ("advice[0].gain"). Errors: as atomsim_run; ATOMSIM_USAGE also for options that are of atomsim_run alone. */
ATOMSIM_API AtomsimResult *atomsim_advise(const AtomsimConfig *config, AtomsimTrace *trace,
					  const AtomsimOptions *options, AtomsimError **error);

/*
 * Runs many points. `words`: what a sweep file says (docs/guide/sweep.md), as JSON: {"vary": {"atomic.locks": "64..4096:*2",
 * "what_if.replicate": [1, 2, 4]}}. `config` is in place of its "config", `traces`, the last NULL, of its "traces"; NULL: the
 * words name them. Traces stay the caller's, and may be in other calls at the same time. Returns what `atomsim sweep` prints, a line
 * of JSON a point (atomsim_free); a point that could not be simulated to its end says so in its "status". Errors: ATOMSIM_INPUT
 * with all problems of the words, each with line and column; ATOMSIM_CONFIG, naming points, before the first runs;
 * ATOMSIM_RUN if interrupted; ATOMSIM_IO, for results are gathered in a folder of $TMPDIR; ATOMSIM_USAGE also if words is NULL and
 * for options that are of atomsim_run alone.
 */
ATOMSIM_API char *atomsim_sweep(const AtomsimConfig *config, AtomsimTrace *const *traces,
				const char *words, const AtomsimOptions *options,
				AtomsimError **error);

/* --- Results --- */

/*
 * Statistics by the names of the JSON report ("cycles", "failures.intra_alias"), rows of a list from
 * 0 ("hot_spots.sites[0].cycles"). Each returns false, or NULL, if there is none of that name and
 * kind: so a row past the last ends a loop. A result or a name that is NULL has none; where the number goes may be NULL:
 * then it is only said whether there is one. docs/reference/report.md has the table of names.
 */
ATOMSIM_API bool atomsim_result_count(const AtomsimResult *result, const char *name,
				      uint64_t *count); /* whole numbers, exactly */
ATOMSIM_API bool atomsim_result_number(const AtomsimResult *result, const char *name,
				       double *number); /* any number */
ATOMSIM_API const char *atomsim_result_text(const AtomsimResult *result, const char *name);
/* The whole report as JSON on one line: what `atomsim run --format json --reproducible` prints, or what the function says that
   gave the result. NULL of NULL. */
ATOMSIM_API char *atomsim_result_json(const AtomsimResult *result);
/* The page, which needs nothing else; NULL if it was not asked for, and of NULL. */
ATOMSIM_API const char *atomsim_result_page(const AtomsimResult *result);
/* What the command says on stderr: the i-th setting or what-if, from 0, that had no effect, and why; why there is no run without
   contention. NULL past the last, and of NULL. */
ATOMSIM_API const char *atomsim_result_note(const AtomsimResult *result, size_t i);
ATOMSIM_API void atomsim_result_free(AtomsimResult *result); /* NULL: nothing */

/* The i-th name of the table, from 0, lists as "hot_spots.sites[].cycles"; NULL past the last. */
ATOMSIM_API const char *atomsim_statistic_name(size_t i);
/* The JSON Schema of a report. */
ATOMSIM_API char *atomsim_json_schema(void);
/* The i-th config, or trace, that is found by name, from 0; NULL past the last. atomsim_free. */
ATOMSIM_API char *atomsim_config_name(size_t i);
ATOMSIM_API char *atomsim_trace_name(size_t i);

#ifdef __cplusplus
}
#endif

#endif
