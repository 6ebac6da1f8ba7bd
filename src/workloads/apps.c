/* SPDX-License-Identifier: MIT */
/*
 * The experiments of Elteir, Lin and Feng, "Performance Characterization and Optimization of Atomic
 * Operations on AMD GPUs" (IEEE Cluster 2011), for wavefronts of 64 lanes. A trace says "add to this
 * word, result used or not"; whether that is the system's atomic or the software's coordinator, and
 * which path memory accesses take, is the config's choice, so speed-ups are ratios of two runs.
 *
 *   copy    Fig 3 and 4: every work-item adds its number to one word, then loads that word and stores it to a place of its
 *           own; the add, the load and store, or both (--part)
 *   micro1  Fig 8: the add alone
 *   micro2  Fig 9: both
 *   stream  Fig 1: every work-item copies a word of its own; with --part an add of 1, too
 *   take    no figure: an add whose result is stored
 *   scalar  Fig 12: a product, and an add of it to one word
 *   matmul  Fig 10: an element of m x m products a work-item; an add reserves room, then it is emitted
 *   kmeans  Fig 11: the nearest of k centroids of a point a work-item, emitted the same way
 *   match   Fig 13: a piece of text a work-item; an add and a store for each match (diverges)
 *
 * --reserve wavefront: lanes that emit count themselves in local memory, and one adds for all. --aggregated yes: one adds for
 * all by what compilers make of an atomic: the sum of the lanes' operands by a reduction, or by shuffles where each lane wants
 * the old value, or a count of lanes where each adds 1.
 */
#include "base/error.h"
#include "workloads/apps.h"

/* A load of a word of its own, or of the one that all add to, and a store to a place of its own. */
static void write_move(Warp *warp, gboolean own)
{
	static const uint64_t first_word[MAX_LANES];

	warp->emit.site = SITE_READ;
	if (own)
		warp_load_row(warp, BUFFER_IN, warp->exists, warp->thread);
	else
		warp_load(warp, BUFFER_WORD, warp->exists, first_word);
	apps_step(warp, STEP_COPY);
	warp->emit.site = SITE_WRITE;
	warp_store_row(warp, BUFFER_OUT, warp->exists, warp->thread);
	warp->emit.site = 0;
}

/* What a work-item adds: its number; a product, of which the value does not matter; 1. */
static void load_operand(const Apps *work, Warp *warp, uint64_t *value)
{
	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		value[lane] = work->application == APP_STREAM ? 1 : warp->thread + lane;
	if (work->application == APP_STREAM)
		return;
	if (work->application != APP_SCALAR) {
		apps_step(warp, STEP_OPERAND);
		return;
	}
	warp->emit.site = SITE_READ;
	warp_load_row(warp, BUFFER_IN, warp->exists, warp->thread);
	flow_at(&warp->emit, SITE_READ, SITE_SECOND);
	warp_load_row(warp, BUFFER_SECOND, warp->exists, warp->thread);
	apps_step(warp, STEP_PRODUCT);
}

static void write_small(const Apps *work, Warp *warp)
{
	gboolean has_parts = work->application <= APP_STREAM;
	gboolean adds = !has_parts || work->part == PART_BOTH || work->part == PART_ATOMIC;
	gboolean moves =
		work->application == APP_MICRO2 || (has_parts && work->part != PART_ATOMIC);
	uint64_t value[MAX_LANES];

	if (adds) {
		load_operand(work, warp, value);
		apps_add(work, warp, work->application == APP_TAKE, warp->exists, value);
	}
	if (moves)
		write_move(warp, work->application == APP_STREAM);
	warp->emit.site = SITE_WRITE;
	if (work->application == APP_TAKE)
		warp_store_row(warp, BUFFER_OUT, warp->exists, warp->thread);
	warp->emit.site = 0;
}

static void write_warp(Warp *warp, gpointer data)
{
	const Apps *work = data;

	apps_step(warp, STEP_START);
	switch (work->application) {
	case APP_MATMUL:
		apps_write_matmul(work, warp);
		break;
	case APP_KMEANS:
		apps_write_kmeans(work, warp);
		break;
	case APP_MATCH:
		apps_write_match(work, warp);
		break;
	default:
		write_small(work, warp);
	}
}

static void name_buffers(Apps *work, WorkloadLaunch *launch)
{
	uint64_t in = work->n_threads, second = work->n_threads;

	work->n_out = work->n_threads;
	if (work->application == APP_MATMUL) {
		in = second = (uint64_t)work->size * work->size;
		work->n_out = 2 * in;
	} else if (work->application == APP_KMEANS) {
		in = work->n_threads * work->d;
		second = (uint64_t)work->size * work->d;
		work->n_out = 2 * work->n_threads;
	} else if (work->application == APP_MATCH) {
		in = work->text_words;
		work->n_out = 2 * MAX(work->n_matches, 1);
	}
	launch->buffers[0] = (WorkloadBuffer){"in", in * WORD_BYTES};
	launch->buffers[1] = (WorkloadBuffer){"second", second * WORD_BYTES};
	launch->buffers[2] = (WorkloadBuffer){"word", WORD_BYTES};
	launch->buffers[3] = (WorkloadBuffer){"out", work->n_out * WORD_BYTES};
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	Apps work = {
		.application = (Application)workload_choice(parameters, "application"),
		.part = (Part)workload_choice(parameters, "part"),
		.by_wavefront = workload_choice(parameters, "reserve") == 1,
		.aggregated = workload_choice(parameters, "aggregated") == 1,
		.size = (uint32_t)workload_integer(parameters, "size"),
		.d = (uint32_t)workload_integer(parameters, "dimensions"),
		.text_words = (uint64_t)workload_integer(parameters, "text") / WORD_BYTES,
		.n_matches = (uint64_t)workload_integer(parameters, "matches"),
	};
	Kernel kernel = {
		.lanes = workload_choice(parameters, "lanes") == 0 ? 64 : 32,
		.n_blocks = (uint32_t)workload_integer(parameters, "groups"),
		.n_threads = (uint32_t)workload_integer(parameters, "group-threads"),
	};

	if (work.n_matches > work.text_words)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--matches: %" G_GUINT64_FORMAT
				    " found; allowed: up to one in four bytes of --text, "
				    "%" G_GUINT64_FORMAT,
				    work.n_matches, work.text_words);
	work.n_threads = (uint64_t)kernel.n_blocks * kernel.n_threads;
	if (work.by_wavefront)
		kernel.shared_bytes =
			(kernel.n_threads + kernel.lanes - 1) / kernel.lanes * WORD_BYTES;
	name_buffers(&work, launch);
	launch->global_atomics = work.application <= APP_STREAM && work.part == PART_COPY
					 ? KERNEL_HAS_NOT
					 : KERNEL_HAS;
	apps_generate(&work, &kernel, parameters, writer, write_warp, launch);
	return TRUE;
}

static const WorkloadOption options[] = {
	CHOICE_ROW("application", "copy|stream|micro1|micro2|take|scalar|matmul|kmeans|match",
		   "micro1", "the paper's experiment"),
	INTEGER_ROW("groups", "workgroups", 1, 1 << 16, "32", "workgroups, our thread blocks"),
	INTEGER_ROW("group-threads", "work-items", 1, 1024, "64", "work-items of a workgroup"),
	CHOICE_ROW("lanes", "64|32", "64", "of a wavefront"),
	CHOICE_ROW("part", "both|atomic|copy|unused", "both",
		   "copy, stream: what a work-item does; unused: it copies, and the program "
		   "has an "
		   "atomic that is never executed"),
	INTEGER_ROW("size", "rows or clusters", 1, 4096, "32",
		    "matmul: rows and columns; kmeans: clusters"),
	INTEGER_ROW("dimensions", "coordinates", 1, 64, "2",
		    "kmeans: coordinates of a point; a work-item has one point"),
	INTEGER_ROW("text", "bytes", 4, 1 << 26, "4194304", "match: length of the text"),
	INTEGER_ROW("matches", "matches", 0, 1 << 24, "87",
		    "match: places, spread evenly; the paper has 7, 87, 1413 and 20234"),
	CHOICE_ROW("reserve", "thread|wavefront", "thread",
		   "matmul, kmeans, match: who reserves room in the output"),
	CHOICE_ROW("aggregated", "no|yes", "no",
		   "whether one lane of a wavefront adds for all, as nvcc compiles it from "
		   "compute "
		   "capability 8.0 on"),
	DATAFLOW_ROW,
	END_ROW,
	{0},
};

const Workload workload_apps = {
	.name = "apps",
	.summary = "applications with global atomics, wavefronts of 64 lanes",
	.description =
		"The experiments of a paper on atomics of AMD GPUs (Elteir, Lin, Feng, "
		"Cluster 2011): copy kernels with and without an atomic, two "
		"micro-benchmarks, scalar product, and three MapReduce applications that "
		"reserve room for each record that they emit by an atomic: matrix multiply, "
		"the map phase of k-means, string match.",
	.options = options,
	.generate = generate,
};
