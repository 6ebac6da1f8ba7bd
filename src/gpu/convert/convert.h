/* SPDX-License-Identifier: MIT */
/*
 * From a raw capture to traces: one for each launch. What was the recording GPU's own doing, the
 * retries of its loops for float and 64-bit atomics and of spin locks, is folded away; what cannot be recorded in
 * records is counted. For cli/capture.c and tests.
 */
#ifndef ATOMSIM_GPU_CONVERT_CONVERT_H
#define ATOMSIM_GPU_CONVERT_CONVERT_H

#include <glib.h>

#include "gpu/convert/raw-file.h"
#include "gpu/sass/sass.h"
#include "trace/writer.h"

/* What a conversion counted. */
typedef struct {
	uint64_t n_blocks;
	uint64_t n_events;
	uint64_t n_instructions;   /* of warps, retries included: what a GPU's counter shows */
	uint64_t folded_atomics;   /* records that stand for a retry loop */
	uint64_t folded_events;	   /* accesses of such loops that no record says */
	uint64_t folded_locks;	   /* times that spin locks were taken */
	uint64_t nested_locks;	   /* times that a lane took a lock while it held another */
	uint64_t matrix_accesses;  /* recorded as unknown */
	uint64_t async_copies;	   /* recorded as stores to shared memory */
	uint64_t remote_accesses;  /* recorded as unknown: other blocks' shared memory */
	uint64_t partial_barriers; /* recorded as unknown: number or threads not known */
	uint64_t unknown_operations; /* recorded as unknown */
	uint64_t out_of_range;	     /* recorded as unknown: not in the block's shared memory */
	uint64_t bulk_instructions;  /* of the code, not events: bulk copies, matrix products */
	uint64_t graph_launches;     /* of the program, not recorded */
	uint64_t unresolved_paths;   /* what lies before these events is not recorded */
	uint64_t guessed_branches;   /* executed; both ways led on, and nothing says which */
	uint64_t outside_calls;	     /* of functions that were not followed */
	uint64_t refuted_branches;   /* went another way than what was calculated says */
	uint64_t
		unplaced_accesses; /* of global memory, recorded without addresses; of thread-local memory, as instructions */
	uint64_t
		texture_accesses; /* of textures and surfaces, recorded as instructions, without addresses */
	uint64_t local_accesses; /* of thread-local memory, as many as the sanitizer reports */
	/* accesses and barriers of a program that recorded itself, with nothing known of the instructions before them */
	uint64_t unmarked_gaps;
	uint64_t dropped_values; /* beyond those that a trace can number: not waited for */
} ConvertCounts;

/* A site: an instruction that makes records. */
typedef struct {
	const SassInstruction *instruction;
	int index; /* of the instruction in its function */
} ConvertSite;

/* What a trace's metadata list, of the launch's records. */
typedef struct {
	GArray *sites;		 /* ConvertSite of site 1, 2, ... */
	GArray *buffers;	 /* ConvertBuffer of buffer 1, 2, ... */
	GArray *constants;	 /* ConstantPlace of each line of constants, by number */
	GArray *parameter_lines; /* uint16_t, as KernelParameters.lines; empty: not recorded */
} ConvertLists;

void convert_lists_init(ConvertLists *lists);
void convert_lists_clear(ConvertLists *lists); /* all 0: nothing to free */

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ConvertLists, convert_lists_clear)

/* The kernel's text with the functions of other sections that the launch called, as far as its events say where they are, for
   sass_function_free; NULL: it calls none. `sass` must live as long. */
SassFunction *convert_link(const Sass *sass, const SassFunction *kernel,
			   const RawRecording *recording);

/*
 * Writes the blocks of a launch to `writer`. `function` is the kernel's machine code for a GPU of
 * capability `target` (90 for 9.0). With `raw`, retry loops stay as they were seen. Errors: ATOMSIM_ERROR_TRACE: damaged, not finished, events
 * that did not fit the buffer.
 */
gboolean convert_launch(const RawRecording *recording, SassFunction *function, unsigned target,
			gboolean raw, TraceWriter *writer, ConvertLists *lists,
			ConvertCounts *counts, GError **error);

/* A buffer of global memory. */
typedef struct {
	uint64_t bytes;
	BufferBefore before;
	bool local;   /* thread-local memory: bytes of a warp */
	bool managed; /* memory that moves between host and GPU */
} ConvertBuffer;

/* What convert_folder made of a launch. */
typedef struct {
	char *path;    /* NULL: no trace */
	char *problem; /* why not; else NULL */
	char *kernel;
	char *bulk; /* what its code does without events (sass_count_bulk); NULL: nothing, or the code is not known */
	gboolean marked; /* recorded by the program itself: the trace has what it marks */
	uint32_t launch; /* counted from 1 */
	ConvertCounts counts;
} ConvertedTrace;

/*
 * Converts the folder that capture.sh made. One launch becomes the file `output`; several become
 * output with ".1", ".2", ... before its suffix. Returns ConvertedTraces: a launch that no trace can be made of
 * does not keep the others from theirs. Errors: ATOMSIM_ERROR_IO, and ATOMSIM_ERROR_TRACE if there is no
 * trace at all.
 */
GPtrArray *convert_folder(const char *folder, const char *output, gboolean raw, GError **error);

/* Names of the program's kernels that the capture in the folder was not to record, as people know them, NULL at the end;
   empty where none is known. g_strfreev. */
char **convert_other_kernels(const char *folder);

/* The facts of a capture: lists of strings by key, as in capture.sh. */
typedef GHashTable ConvertFacts;

/* The trace's metadata as JSON text. Free with g_free. */
char *convert_metadata(const RawRecording *recording, ConvertFacts *facts,
		       const ConvertLists *lists, uint32_t shared_bytes, gboolean raw,
		       const ConvertCounts *counts);

/* The name that people know: "histogram" of "_Z9histogramPKhi". Free with g_free. */
char *convert_kernel_name(const char *mangled);

#endif
