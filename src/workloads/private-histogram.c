/* SPDX-License-Identifier: MIT */
/*
 * A histogram of an array in global memory, its bins there too, by how private they are in between:
 *
 *   global  every element adds 1 to its bin in global memory
 *   block   a copy a block in shared memory: zero, barrier, add, barrier; then a thread for each
 *           bin adds what is not zero to global memory
 *   warp    a copy a warp; the flush adds the copies up first
 *
 * With --aggregated yes the lanes of a warp that name one bin vote as one. Elements are drawn, as
 * many a thread of the grid as their number takes.
 */
#include <string.h>

#include "base/error.h"
#include "workloads/distribution.h"
#include "workloads/private-histogram.h"

enum { BUFFER_SHARED, BUFFER_DATA, BUFFER_BINS };

typedef enum { PRIVATE_GLOBAL, PRIVATE_BLOCK, PRIVATE_WARP } Privacy;

typedef struct {
	Distribution *distribution;
	Privacy privacy;
	gboolean aggregated;
	uint64_t n_elements;
	uint32_t n_bins;
	uint32_t n_warps;  /* of a block */
	uint64_t *counted; /* by the block, of each bin; NULL: no private copies */
} Histogram;

static const Vote vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, false, false};

/* Lanes of one bin become one vote with their number; returns the lanes that vote. */
static LaneMask aggregate(LaneMask mask, const uint32_t *bin, uint64_t *value)
{
	LaneMask leaders = 0;

	for (LaneMask rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(rest), leader = lane;

		for (unsigned other = lane; other-- > 0;)
			if ((mask >> other & 1) && bin[other] == bin[lane])
				leader = other;
		if (leader == lane)
			value[lane] = 0;
		value[leader]++;
		leaders |= (LaneMask)1 << leader;
	}
	return leaders;
}

static void write_element(const Histogram *work, Warp *warp, uint64_t element,
			  const uint32_t bin[WARP_LANES])
{
	LaneMask mask = warp->exists & warp_below(warp, element, work->n_elements);
	uint32_t copy = work->privacy == PRIVATE_WARP ? warp->emit.warp * work->n_bins : 0;
	uint64_t byte[MAX_LANES], value[MAX_LANES];

	warp->emit.site = SITE_READ;
	warp_load_row(warp, BUFFER_DATA, mask, element);
	emit_step(&warp->emit, STEP_ELEMENT);
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		byte[lane] = (uint64_t)(copy + bin[lane]) * WORD_BYTES;
		value[lane] = 1;
	}
	warp->emit.site = SITE_VOTE;
	if (work->aggregated && mask) {
		emit_mixed_step(&warp->emit, RECORD_VOTE, STEP_AGGREGATE);
		mask = aggregate(mask, bin, value);
	}
	warp_add(warp, &vote, work->privacy == PRIVATE_GLOBAL ? BUFFER_BINS : BUFFER_SHARED,
		 mask, byte, value);
	warp->emit.site = 0;
	emit_step(&warp->emit, STEP_LOOP);
}

static void write_elements(const Histogram *work, Warp *warp)
{
	uint32_t bin[WARP_LANES];

	distribution_begin(work->distribution, (uint32_t)warp->emit.block, warp->emit.warp);
	for (uint64_t element = warp->thread; element < work->n_elements;
	     element += warp->n_grid) {
		distribution_next(work->distribution, bin);
		write_element(work, warp, element, bin);
	}
}

/* What the flush will find: the elements of the block once more, without a record. */
static void count_block(const Histogram *work, const Warp *warp)
{
	uint32_t bin[WARP_LANES];
	uint64_t block_thread = warp->emit.block * warp->n_threads;

	memset(work->counted, 0, work->n_bins * sizeof(*work->counted));
	for (uint32_t number = 0; number < work->n_warps; number++) {
		uint32_t first = number * WARP_LANES;
		LaneMask exists = warp_below(warp, first, warp->n_threads);

		distribution_begin(work->distribution, (uint32_t)warp->emit.block, number);
		for (uint64_t element = block_thread + first; element < work->n_elements;
		     element += warp->n_grid) {
			LaneMask mask = exists & warp_below(warp, element, work->n_elements);

			distribution_next(work->distribution, bin);
			for (; mask; mask &= mask - 1)
				work->counted[bin[__builtin_ctzll(mask)]]++;
		}
	}
}

static void write_flush(const Histogram *work, Warp *warp)
{
	uint32_t copies = work->privacy == PRIVATE_WARP ? work->n_warps : 1;

	warp->emit.site = SITE_FLUSH;
	for (uint32_t bin = warp->first; bin < work->n_bins; bin += warp->n_threads) {
		LaneMask mask = warp->exists & warp_below(warp, bin, work->n_bins), some = 0;
		uint64_t byte[MAX_LANES], value[MAX_LANES];

		for (uint32_t copy = 0; copy < copies; copy++) {
			flow_at(&warp->emit, SITE_FLUSH, SITE_COPY);
			warp_load_row(warp, BUFFER_SHARED, mask,
				      (uint64_t)copy * work->n_bins + bin);
			emit_step(&warp->emit, STEP_ADD);
		}
		for (LaneMask rest = mask; rest; rest &= rest - 1) {
			unsigned lane = (unsigned)__builtin_ctzll(rest);

			byte[lane] = (uint64_t)(bin + lane) * WORD_BYTES;
			value[lane] = work->counted[bin + lane];
			if (value[lane] > 0)
				some |= (LaneMask)1 << lane;
		}
		warp->emit.site = SITE_FLUSH;
		warp_add(warp, &vote, BUFFER_BINS, some, byte, value);
		emit_step(&warp->emit, STEP_FLUSH_LOOP);
	}
	warp->emit.site = 0;
}

static void write_warp(Warp *warp, gpointer data)
{
	const Histogram *work = data;
	uint32_t copies = work->privacy == PRIVATE_WARP ? work->n_warps : 1;

	emit_step(&warp->emit, STEP_START);
	if (work->privacy == PRIVATE_GLOBAL) {
		write_elements(work, warp);
		return;
	}
	if (warp->emit.warp == 0)
		count_block(work, warp);
	warp->emit.site = SITE_ZERO;
	warp_zero_shared(warp, 0, copies * work->n_bins);
	warp->emit.site = 0;
	emit_bar(&warp->emit);
	write_elements(work, warp);
	emit_bar(&warp->emit);
	write_flush(work, warp);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	Histogram work = {
		.privacy = (Privacy)workload_choice(parameters, "private"),
		.aggregated = workload_choice(parameters, "aggregated") == 1,
		.n_elements = (uint64_t)workload_integer(parameters, "elements"),
		.n_bins = (uint32_t)workload_integer(parameters, "bins"),
	};
	Kernel kernel = {.lanes = WARP_LANES,
			 .n_blocks = (uint32_t)workload_integer(parameters, "blocks"),
			 .n_threads = (uint32_t)workload_integer(parameters, "threads")};
	uint64_t grid = (uint64_t)kernel.n_blocks * kernel.n_threads;
	uint64_t bytes;

	work.n_warps = (kernel.n_threads + WARP_LANES - 1) / WARP_LANES;
	bytes = (uint64_t)work.n_bins * WORD_BYTES *
		(work.privacy == PRIVATE_GLOBAL	 ? 0
		 : work.privacy == PRIVATE_BLOCK ? 1
						 : work.n_warps);
	if (bytes > TRACE_MAX_SHARED_BYTES)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "copies of %u bins: %" G_GUINT64_FORMAT
				    " bytes of shared memory found; allowed: up to %u",
				    work.n_bins, bytes, TRACE_MAX_SHARED_BYTES);
	kernel.shared_bytes = (uint32_t)bytes;
	g_autoptr(Distribution) distribution =
		distribution_new(parameters, work.n_bins, kernel.n_blocks, work.n_warps,
				 (uint32_t)((work.n_elements + grid - 1) / grid), error);
	g_autofree uint64_t *counted = g_new0(uint64_t, work.n_bins);
	if (!distribution)
		return FALSE;
	work.distribution = distribution;
	work.counted = counted;
	private_histogram_generate(&kernel, work.aggregated, parameters, writer, write_warp,
				   &work, launch);
	launch->buffers[0] = (WorkloadBuffer){"data", work.n_elements * WORD_BYTES};
	launch->buffers[1] = (WorkloadBuffer){"bins", (uint64_t)work.n_bins * WORD_BYTES};
	return TRUE;
}

static const WorkloadOption options[] = {
	CHOICE_ROW(
		"private", "global|block|warp", "block",
		"whose a copy of the bins is: nobody's, a block's in shared memory, a warp's"),
	CHOICE_ROW("aggregated", "no|yes", "no",
		   "whether one lane of a warp votes for all that name its bin"),
	INTEGER_ROW("elements", "elements", 1, 1 << 28, "1048576", "words of the array"),
	INTEGER_ROW("bins", "bins", 1, 65536, "256", "words of the histogram"),
	DISTRIBUTION_ROWS,
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, "432",
		    "thread blocks of the launch, which take the elements round robin"),
	INTEGER_ROW("threads", "threads", 1, 1024, "256", "threads of a block"),
	DATAFLOW_ROW,
	END_ROW,
	{0},
};

const Workload workload_private_histogram = {
	.name = "private-histogram",
	.summary = "histogram in global memory, copies per block, warp or none",
	.description =
		"Each element adds 1 to its bin. --private global: in global memory. block: "
		"in a copy of the block in shared memory, which is zeroed first and added to "
		"global memory last, a thread a bin, where it is not zero. warp: a copy a "
		"warp, added up in the flush. --aggregated yes: lanes of a warp that name "
		"one bin vote as one.",
	.options = options,
	.generate = generate,
};
