/* SPDX-License-Identifier: MIT */
/*
 * The sum of an array, level by level: lanes by shuffles, warps by shared memory, blocks by atomics,
 * a grid barrier's substitute or a second kernel. T threads a block, W warps.
 *
 *   warp     each thread sums its elements, the warp sums by shuffles, lane 0 adds to the total
 *   block    lane 0 of each warp stores its sum; barrier; warp 0 sums the W; thread 0 adds to the total
 *   grid     thread 0 stores the block's sum, fences, counts the blocks that are done; the last
 *            one's threads sum all blocks'
 *   partial  the block's sum is stored and that is all
 *   final    one block sums what `partial` left
 *
 * --exchange shared: the warp's sum through shared memory instead, as code from before shuffles has
 * it: store, load the other half's, add. Elements are small numbers that their place gives, so the
 * sum is known, and every atomic carries its operand.
 */
#include "workloads/shuffle-reduction.h"

enum { BUFFER_SHARED, BUFFER_DATA, BUFFER_TOTAL, BUFFER_PARTIAL, BUFFER_COUNTER };

typedef enum { LEVEL_WARP, LEVEL_BLOCK, LEVEL_GRID, LEVEL_PARTIAL, LEVEL_FINAL } Level;

typedef struct {
	Level level;
	gboolean shared_exchange;
	uint64_t n_elements;
	uint32_t n_warps, n_blocks;
} Reduction;

static const Vote sum_vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, false, false};
static const Vote count_vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, true, false};

/* The element at a place of the array. */
static uint32_t element_at(uint64_t place)
{
	return (uint32_t)(place * 2654435761u % 4093 % 16);
}

/* What the threads first .. first + n - 1 of a block sum up. */
static uint32_t sum_of(const Reduction *work, const Warp *warp, uint64_t first, uint64_t n)
{
	uint64_t block_thread = warp->emit.block * warp->n_threads;
	uint32_t sum = 0;

	for (uint64_t i = first; i < first + n && i < warp->n_threads; i++)
		for (uint64_t e = block_thread + i; e < work->n_elements; e += warp->n_grid)
			sum += element_at(e);
	return sum;
}

/* The warp's sum, in lane 0 or in all. Word 0 of the shared memory is for the warps' sums. */
static void write_warp_sum(const Reduction *work, Warp *warp)
{
	uint64_t base = work->n_warps + warp->first;

	if (!work->shared_exchange) {
		warp_sum(warp);
		return;
	}
	for (uint32_t half = warp->lanes / 2; half > 0; half /= 2) {
		LaneMask adds = warp->exists & warp_below(warp, 0, half);

		warp->emit.site = SITE_EXCHANGE;
		warp_store_row(warp, BUFFER_SHARED, warp->exists, base);
		flow_at(&warp->emit, SITE_EXCHANGE, SITE_ANOTHER);
		warp_load_row(warp, BUFFER_SHARED, adds, base + half);
		emit_step(&warp->emit, STEP_EXCHANGE);
	}
	warp->emit.site = 0;
}

/* Sums `n` words of the buffer, a word a thread in turn, into the threads. */
static void write_reads(Warp *warp, uint16_t buffer, uint64_t first, uint64_t step, uint64_t n)
{
	for (uint64_t word = first; word < n; word += step) {
		warp_load_row(warp, buffer, warp->exists & warp_below(warp, word, n), word);
		emit_step(&warp->emit, STEP_READ);
	}
}

/* From the threads' sums to thread 0's. */
static void write_block_sum(const Reduction *work, Warp *warp)
{
	uint64_t own[MAX_LANES] = {warp->emit.warp * WORD_BYTES};

	write_warp_sum(work, warp);
	warp->emit.site = SITE_EXCHANGE;
	warp_store(warp, BUFFER_SHARED, 1, own);
	warp->emit.site = 0;
	emit_bar(&warp->emit);
	if (warp->emit.warp > 0)
		return;
	emit_step(&warp->emit, STEP_SELECT);
	flow_at(&warp->emit, SITE_EXCHANGE, SITE_WARPS);
	warp_load_row(warp, BUFFER_SHARED, warp_below(warp, 0, work->n_warps), 0);
	warp->emit.site = 0;
	write_warp_sum(work, warp);
}

/* Lane 0 adds `sum` to the total. */
static void write_total(Warp *warp, uint32_t sum)
{
	uint64_t byte[MAX_LANES] = {0}, value[MAX_LANES] = {sum};

	warp->emit.site = SITE_TOTAL;
	emit_step(&warp->emit, STEP_SELECT);
	warp_add(warp, &sum_vote, BUFFER_TOTAL, 1, byte, value);
	warp->emit.site = 0;
}

/* Thread 0 stores the block's sum; with a grid's, it counts blocks and says its own whether theirs is the
   last: here the one with the highest number is. */
static void write_grid_sum(const Reduction *work, Warp *warp)
{
	uint64_t byte[MAX_LANES] = {0}, value[MAX_LANES] = {1};
	uint64_t flag[MAX_LANES];

	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		flag[lane] = 0;
	warp->emit.site = SITE_PARTIAL;
	if (warp->emit.warp == 0) {
		warp_store_row(warp, BUFFER_PARTIAL, 1, warp->emit.block);
		emit_fence(&warp->emit, SCOPE_DEVICE);
		flow_at(&warp->emit, SITE_PARTIAL, SITE_COUNT);
		warp_add(warp, &count_vote, BUFFER_COUNTER, 1, byte, value);
		flow_at(&warp->emit, SITE_PARTIAL, SITE_FLAG_STORE);
		emit_step(&warp->emit, STEP_FLAG);
		warp_store(warp, BUFFER_SHARED, 1, flag);
	}
	emit_bar(&warp->emit);
	flow_at(&warp->emit, SITE_PARTIAL, SITE_FLAG_LOAD);
	warp_load(warp, BUFFER_SHARED, warp->exists, flag);
	emit_step(&warp->emit, STEP_FLAG);
	if (warp->emit.block + 1 < work->n_blocks)
		return;
	warp->emit.site = SITE_ALL;
	write_reads(warp, BUFFER_PARTIAL, warp->first, warp->n_threads, work->n_blocks);
	warp->emit.site = 0;
	write_block_sum(work, warp);
}

static void write_warp(Warp *warp, gpointer data)
{
	const Reduction *work = data;

	emit_step(&warp->emit, STEP_START);
	warp->emit.site = SITE_READ;
	write_reads(warp, BUFFER_DATA, warp->thread, warp->n_grid, work->n_elements);
	warp->emit.site = 0;
	if (work->level == LEVEL_WARP) {
		write_warp_sum(work, warp);
		write_total(warp, sum_of(work, warp, warp->first, warp->lanes));
		return;
	}
	write_block_sum(work, warp);
	switch (work->level) {
	case LEVEL_GRID:
		write_grid_sum(work, warp);
		break;
	case LEVEL_PARTIAL:
		warp->emit.site = SITE_PARTIAL;
		if (warp->emit.warp == 0)
			warp_store_row(warp, BUFFER_PARTIAL, 1, warp->emit.block);
		break;
	default:
		if (warp->emit.warp == 0)
			write_total(warp, sum_of(work, warp, 0, warp->n_threads));
	}
	warp->emit.site = 0;
}

static void name_buffers(const Reduction *work, WorkloadLaunch *launch)
{
	launch->buffers[0] = (WorkloadBuffer){"data", work->n_elements * WORD_BYTES};
	launch->buffers[1] = (WorkloadBuffer){"total", WORD_BYTES};
	launch->buffers[2] = (WorkloadBuffer){"partial", (uint64_t)work->n_blocks * WORD_BYTES};
	launch->buffers[3] = (WorkloadBuffer){"counter", WORD_BYTES};
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	Reduction work = {
		.level = (Level)workload_choice(parameters, "level"),
		.shared_exchange = workload_choice(parameters, "exchange") == 1,
		.n_elements = (uint64_t)workload_integer(parameters, "elements"),
	};
	Kernel kernel = {.lanes = WARP_LANES,
			 .n_threads = (uint32_t)workload_integer(parameters, "threads")};

	(void)error;
	work.n_warps = (kernel.n_threads + WARP_LANES - 1) / WARP_LANES;
	if (work.level == LEVEL_FINAL)
		kernel.n_blocks = 1;
	else if (workload_has(parameters, "blocks"))
		kernel.n_blocks = (uint32_t)workload_integer(parameters, "blocks");
	else
		kernel.n_blocks =
			(uint32_t)((work.n_elements + kernel.n_threads - 1) / kernel.n_threads);
	work.n_blocks = kernel.n_blocks;
	kernel.shared_bytes = work.n_warps * WORD_BYTES;
	if (work.shared_exchange)
		kernel.shared_bytes += work.n_warps * WARP_LANES * WORD_BYTES;
	kernel_generate(&kernel, &shuffle_reduction_code, parameters, writer, write_warp, &work,
			launch);
	name_buffers(&work, launch);
	return TRUE;
}

static const WorkloadOption options[] = {
	CHOICE_ROW("level", "warp|block|grid|partial|final", "block",
		   "what adds up before a total is touched; partial and final are two kernels"),
	CHOICE_ROW("exchange", "shuffle|shared", "shuffle", "how the lanes of a warp add up"),
	INTEGER_ROW("elements", "words", 1, 1 << 28, "1048576", "words of the array"),
	INTEGER_ROW("threads", "threads", 1, 1024, "256", "threads of a block"),
	INTEGER_ROW(
		"blocks", "blocks", 1, 1 << 20, NULL,
		"thread blocks, which take the elements round robin; an element a thread if "
		"not given"),
	DATAFLOW_ROW,
	END_ROW,
	{0},
};

const Workload workload_shuffle_reduction = {
	.name = "shuffle-reduction",
	.summary = "sum of an array by shuffles, blocks and atomics",
	.description =
		"Each thread sums its elements, a warp its lanes' by five shuffles. --level "
		"warp: a lane of each warp adds to the total in global memory. block: the "
		"warps' sums go through shared memory, and a thread of each block adds. "
		"grid: blocks store their sums and count, the last one sums them. partial, "
		"final: the same as two kernels. --exchange shared sums a warp through "
		"shared memory instead of shuffles.",
	.options = options,
	.generate = generate,
};
