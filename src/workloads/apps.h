/* SPDX-License-Identifier: MIT */
/* What the files of the workload `apps` share. Only they include it. */
#ifndef ATOMSIM_WORKLOADS_APPS_H
#define ATOMSIM_WORKLOADS_APPS_H

#include "workloads/kernel.h"

enum { BUFFER_LOCAL, BUFFER_IN, BUFFER_SECOND, BUFFER_WORD, BUFFER_OUT };

typedef enum {
	APP_COPY,
	APP_STREAM, /* this and the one above have parts */
	APP_MICRO1,
	APP_MICRO2,
	APP_TAKE,
	APP_SCALAR,
	APP_MATMUL,
	APP_KMEANS,
	APP_MATCH
} Application;
typedef enum { PART_BOTH, PART_ATOMIC, PART_COPY, PART_UNUSED } Part;

typedef struct {
	Application application;
	Part part;
	gboolean by_wavefront; /* room is reserved once a wavefront */
	gboolean aggregated;   /* the compiler lets one lane add for all */
	uint64_t n_threads;
	uint32_t size; /* matmul: m; kmeans: clusters */
	uint32_t d;    /* kmeans: coordinates */
	uint64_t text_words;
	uint64_t n_matches;
	uint64_t n_out; /* words of the output */
} Apps;

#define APPS_AHEAD 4 /* with data flow: loops over products are unrolled so often */

/* Without data flow; and with it, a site for each access. */
enum { SITE_READ = 1, SITE_ATOMIC, SITE_WRITE };
enum {
	SITE_SECOND = SITE_WRITE + 1,
	SITE_LOCAL_ADD,
	SITE_LOCAL_STORE,
	SITE_LOCAL_LOAD,
	SITE_AHEAD, /* two for each element of a product beyond the first that is loaded before they are used */
	N_APPS_SITES = SITE_AHEAD - 1 + 2 * (APPS_AHEAD - 1)
};

/* Stretches of arithmetic. */
enum {
	STEP_START = N_KERNEL_STEPS, /* number of the work-item, addresses */
	STEP_COPY,
	STEP_OPERAND, /* what a micro-benchmark adds */
	STEP_PRODUCT, /* of two words */
	STEP_ELEMENT, /* the same, at a loop's end */
	STEP_DISTANCE,
	STEP_NEAREST,
	STEP_LOOP,
	STEP_MATCH,
	STEP_REDUCE, /* one lane adds the sum of all */
	STEP_SCAN,   /* the same where each lane wants what was there before its own */
	STEP_SHARE,
	STEP_COUNT, /* the same where each adds 1 */
	STEP_COUNTED,
	STEP_EMIT,  /* place of a record */
	STEP_AHEAD, /* the product of each further element */
	N_APPS_STEPS = STEP_AHEAD + APPS_AHEAD - 1
};

/* As a CUDA compiler has it with data flow, else as many bundles of VLIW operations. */
void apps_step(Warp *warp, guint step);
/* One word for all lanes of `mask`, each with its operand; result: it is used. */
void apps_add(const Apps *work, Warp *warp, gboolean result, LaneMask mask,
	      const uint64_t *value);
/* kernel_generate with these steps and sites. */
void apps_generate(const Apps *work, Kernel *kernel, const WorkloadParameters *parameters,
		   TraceWriter *writer, WarpWriter write, WorkloadLaunch *launch);

/* Applications that emit records. */
void apps_write_matmul(const Apps *work, Warp *warp);
void apps_write_kmeans(const Apps *work, Warp *warp);
void apps_write_match(const Apps *work, Warp *warp);

#endif
