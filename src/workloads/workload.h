/* SPDX-License-Identifier: MIT */
/*
 * Workloads: programs that make a trace without a GPU. A workload is one file that ends in a const
 * Workload, one word in workloads.c and one line in Makefile.am. Its option rows are the only
 * description of its parameters: they drive parsing, range errors, --help and the trace's metadata.
 * Everything is deterministic for a seed, and integers alone decide an address, so that a trace is
 * the same bytes on every machine. Who may include it: workloads, explore, answer, library, cli.
 */
#ifndef ATOMSIM_WORKLOADS_WORKLOAD_H
#define ATOMSIM_WORKLOADS_WORKLOAD_H

#include <glib.h>
#include <stdint.h>

#include "trace/writer.h"

struct cJSON;

typedef enum {
	WORKLOAD_INTEGER,
	WORKLOAD_HUNDREDTHS, /* a decimal number with up to two places, kept as hundredths */
	WORKLOAD_CHOICE,     /* one word of `choices`, kept as its place there */
	WORKLOAD_TEXT,
	WORKLOAD_FILE, /* a path; the metadata keep only its last part */
} WorkloadOptionType;

typedef struct {
	const char *name; /* "words" for --words, and the key in the metadata */
	WorkloadOptionType type;
	const char *unit;	   /* "words", or NULL */
	const char *choices;	   /* "cyclic|block" */
	int64_t minimum;	   /* WORKLOAD_INTEGER, WORKLOAD_HUNDREDTHS */
	int64_t maximum;	   /* the same */
	const char *default_value; /* as the user would type it; NULL: none */
	gboolean required;
	const char *doc; /* one sentence without full stop */
} WorkloadOption;

/* Rows of options; `its_default` may be NULL. */
#define INTEGER_ROW(its_name, its_unit, from, to, its_default, its_doc)                        \
	{                                                                                      \
		.name = (its_name), .type = WORKLOAD_INTEGER, .unit = (its_unit),              \
		.minimum = (from), .maximum = (to), .default_value = (its_default),            \
		.doc = (its_doc)                                                               \
	}
#define CHOICE_ROW(its_name, words, its_default, its_doc)                                      \
	{                                                                                      \
		.name = (its_name), .type = WORKLOAD_CHOICE, .choices = (words),               \
		.default_value = (its_default), .doc = (its_doc)                               \
	}

/* A workload's parameters, each checked against its row. */
typedef struct WorkloadParameters WorkloadParameters;

/* A buffer of global memory that records name. */
typedef struct {
	const char *name; /* constant string */
	uint64_t bytes;	  /* 1 .. TRACE_MAX_BUFFER_BYTES */
} WorkloadBuffer;

#define WORKLOAD_MAX_BUFFERS 8

/* Of 32 threads each: no NVIDIA GPU takes blocks of more than 1,024 threads (CUDA C++ Programming Guide). */
#define MAX_BLOCK_WARPS 32

/* What a generator says about the launch that it wrote; goes into the metadata. */
typedef struct {
	const char *kernel; /* name, constant string */
	uint32_t n_blocks;
	uint32_t n_threads;	  /* of a block */
	uint32_t shared_bytes;	  /* of a block */
	const char *const *sites; /* names of sites 1, 2, ..., NULL-terminated; or NULL */
	/* Buffers 1, 2, ... of the records; the first without a name ends them. */
	WorkloadBuffer buffers[WORKLOAD_MAX_BUFFERS + 1];
	/* Whether an atomic on global memory is in the program, executed or not; KERNEL_UNKNOWN says
	   nothing of it. */
	KernelFact global_atomics;
	/* The size of the one array, in shared memory or in a buffer, as in KernelInfo; 0: its accesses show it. */
	uint64_t array_bytes;
	uint32_t array_buffer;
	struct cJSON *facts; /* "workload" in the metadata: what it found out may be added */
} WorkloadLaunch;

typedef struct {
	const char *name;
	const char *summary;	       /* one line, no full stop */
	const char *description;       /* for --help: paragraphs, an empty line between them */
	const WorkloadOption *options; /* ends with a row without name */
	/* Writes the blocks 0 .. n_blocks-1 and fills *launch. All that a user can get wrong is
	   found before the first record is written. */
	gboolean (*generate)(const WorkloadParameters *parameters, TraceWriter *writer,
			     WorkloadLaunch *launch, GError **error);
} Workload;

/* The registry, NULL-terminated, in the order of the help. */
extern const Workload *const workloads[];

/* Options that every workload has beside its own: the seed. Ends with a row without name. */
extern const WorkloadOption workload_common_options[];

/* Finds by name. Errors: ATOMSIM_ERROR_USAGE, with a similar name if there is one. */
const Workload *workload_find(const char *name, GError **error);

/*
 * Writes the workload's blocks. `settings`: NULL-terminated "key=value" strings, later ones win.
 * Returns the metadata for trace_writer_finish (g_free), or NULL: then the writer is to be
 * abandoned. Errors: ATOMSIM_ERROR_USAGE for parameters, all of them in one message, one a
 * line; ATOMSIM_ERROR_IO for the files that they name.
 */
char *workload_generate(const Workload *workload, const char *const *settings,
			TraceWriter *writer, GError **error);

/* The same into memory: the bytes of a trace file, for trace_open_bytes. */
GBytes *workload_generate_bytes(const Workload *workload, const char *const *settings,
				GError **error);

/* The same for a workload whose indices are in memory and in no file. */
GBytes *workload_generate_from(const Workload *workload, const int64_t *indices, gsize n,
			       const char *const *settings, GError **error);

/* What an option allows, for people: "1 to 64", "cyclic|block". g_free. */
char *workload_option_allowed(const WorkloadOption *option);

/* For the generators. `name` must be in the workload's rows (g_assert), with a fitting type. */
int64_t workload_integer(const WorkloadParameters *parameters, const char *name);
/* Place of the word in the row's choices. */
unsigned workload_choice(const WorkloadParameters *parameters, const char *name);
/* NULL if it was not given and has no default. */
const char *workload_text(const WorkloadParameters *parameters, const char *name);
/* Whether it has a value: given by the user or by default. */
gboolean workload_has(const WorkloadParameters *parameters, const char *name);
/* The indices that were given in memory, *n of them; NULL: none. */
const int64_t *workload_indices(const WorkloadParameters *parameters, gsize *n);
/* A generator of its own for each (block, warp), so that the order of writing does not matter. */
GRand *workload_random(const WorkloadParameters *parameters, uint32_t block, uint32_t warp);

#endif
