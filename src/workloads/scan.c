/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums of an array in three kernels: scans of the blocks, which leave a sum each; a scan of
 * these sums (the first kernel again, by one block or with one level more); and the addition of the sum
 * of all blocks before to every element. T threads a block, W warps, x in shared memory.
 *
 *   hillis    for s = 1, 2, 4 .. < T: t = id >= s ? x[id-s] : 0; barrier; x[id] += t; barrier
 *   blelloch  up: for s = 1, 2 .. < T: i = (id+1)*2s - 1; if i < T: x[i] += x[i-s]; barrier
 *             down: for s = T/4 .. 1: i = (id+1)*2s - 1; if i+s < T: x[i+s] += x[i]; barrier
 *   warp      for o = 1, 2 .. 16: v += lane >= o ? v of lane - o : 0; lane 31 stores its warp's sum;
 *             barrier; warp 0 scans these; barrier; v += the sum of the warps before
 */
#include "base/error.h"
#include "workloads/scan.h"

enum { BUFFER_SHARED, BUFFER_DATA, BUFFER_SUMS };

typedef enum { METHOD_HILLIS, METHOD_BLELLOCH, METHOD_WARP } Method;
typedef enum { PHASE_BLOCKS, PHASE_ADD } Phase;

typedef struct {
	Method method;
	Phase phase;
	uint64_t n_elements;
	uint32_t n_warps;
	uint32_t tile; /* threads of a block */
} Scan;

/* One word for all lanes. */
static void same_word(uint64_t *byte, uint64_t word)
{
	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		byte[lane] = word * WORD_BYTES;
}

/* One step: the lanes of `mask` add word `from` to word `to`. Hillis and Steele's needs a barrier
   between the load and the store. */
static void write_step(Warp *warp, LaneMask mask, const uint64_t *from, const uint64_t *to,
		       gboolean barrier_between)
{
	emit_step(&warp->emit, STEP_INDEX);
	warp->emit.site = SITE_STEP;
	warp_load(warp, BUFFER_SHARED, mask, from);
	if (barrier_between) {
		warp->emit.site = 0;
		emit_bar(&warp->emit);
		warp->emit.site = SITE_STEP;
	}
	if (mask) {
		flow_at(&warp->emit, SITE_STEP, SITE_OWN);
		warp_load(warp, BUFFER_SHARED, mask, to);
		emit_step(&warp->emit, STEP_ADD);
		flow_at(&warp->emit, SITE_STEP, SITE_STORE);
		warp_store(warp, BUFFER_SHARED, mask, to);
	}
	warp->emit.site = 0;
	emit_bar(&warp->emit);
	emit_step(&warp->emit, STEP_LOOP);
}

static void write_tile_scan(const Scan *work, Warp *warp)
{
	uint64_t from[MAX_LANES], to[MAX_LANES];

	ScanSteps step = {.tile = work->tile, .hillis = work->method == METHOD_HILLIS};

	while (scan_next_step(&step)) {
		LaneMask mask = 0;

		for (uint32_t lane = 0; lane < warp->lanes; lane++) {
			if (scan_pair(&step, warp->first + lane, &from[lane], &to[lane]))
				mask |= (LaneMask)1 << lane;
			from[lane] *= WORD_BYTES;
			to[lane] *= WORD_BYTES;
		}
		write_step(warp, mask & warp->exists, from, to, step.hillis);
	}
}

/* --- The scan of a warp --- */

static void write_shuffle_scan(Warp *warp)
{
	for (uint32_t o = 1; o < warp->lanes; o *= 2)
		emit_mixed_step(&warp->emit, RECORD_SHFL, STEP_SHUFFLE);
}

static void write_warp_scan(const Scan *work, Warp *warp)
{
	LaneMask last = (LaneMask)1 << (warp->lanes - 1);
	uint64_t byte[MAX_LANES];

	write_shuffle_scan(warp);
	same_word(byte, warp->emit.warp);
	flow_at(&warp->emit, SITE_STEP, SITE_WARP_STORE);
	warp_store(warp, BUFFER_SHARED, warp->exists & last, byte);
	emit_bar(&warp->emit);
	if (warp->emit.warp == 0) {
		LaneMask mask = warp_below(warp, 0, work->n_warps);

		flow_at(&warp->emit, SITE_STEP, SITE_WARP_LOAD);
		warp_load_row(warp, BUFFER_SHARED, mask, 0);
		write_shuffle_scan(warp);
		flow_at(&warp->emit, SITE_STEP, SITE_WARP_STORE);
		warp_store_row(warp, BUFFER_SHARED, mask, 0);
	}
	emit_bar(&warp->emit);
	if (warp->emit.warp > 0) {
		same_word(byte, warp->emit.warp - 1);
		flow_at(&warp->emit, SITE_STEP, SITE_BEFORE);
		warp_load(warp, BUFFER_SHARED, warp->exists, byte);
		emit_step(&warp->emit, STEP_BEFORE);
	}
	warp->emit.site = 0;
}

/* --- The kernels --- */

static void write_blocks(const Scan *work, Warp *warp)
{
	gboolean in_tile = work->method != METHOD_WARP;
	LaneMask mask = warp->exists & warp_below(warp, warp->thread, work->n_elements);

	warp->emit.site = SITE_READ;
	warp_load_row(warp, BUFFER_DATA, mask, warp->thread);
	if (in_tile) {
		warp->emit.site = SITE_FILL;
		warp_store_row(warp, BUFFER_SHARED, warp->exists, warp->first);
		warp->emit.site = 0;
		emit_bar(&warp->emit);
	}
	warp->emit.site = 0;
	if (in_tile)
		write_tile_scan(work, warp);
	else
		write_warp_scan(work, warp);
	if (in_tile) {
		flow_at(&warp->emit, SITE_WRITE, SITE_RESULT);
		warp_load_row(warp, BUFFER_SHARED, warp->exists, warp->first);
	}
	warp->emit.site = SITE_WRITE;
	warp_store_row(warp, BUFFER_DATA, mask, warp->thread);
	warp->emit.site = SITE_SUM;
	if (warp->emit.warp + 1 == work->n_warps) {
		LaneMask last = (LaneMask)1 << ((work->tile - 1) % warp->lanes);
		uint64_t byte[MAX_LANES];

		same_word(byte, warp->emit.block);
		warp_store(warp, BUFFER_SUMS, last, byte);
	}
	warp->emit.site = 0;
}

/* Block 0 has no blocks before it. */
static void write_addition(const Scan *work, Warp *warp)
{
	LaneMask mask = warp->exists & warp_below(warp, warp->thread, work->n_elements);
	uint64_t byte[MAX_LANES];

	if (warp->emit.block == 0)
		return;
	same_word(byte, warp->emit.block - 1);
	flow_at(&warp->emit, SITE_SUM, SITE_SUMS);
	warp_load(warp, BUFFER_SUMS, mask, byte);
	warp->emit.site = SITE_READ;
	warp_load_row(warp, BUFFER_DATA, mask, warp->thread);
	emit_step(&warp->emit, STEP_BEFORE);
	warp->emit.site = SITE_WRITE;
	warp_store_row(warp, BUFFER_DATA, mask, warp->thread);
	warp->emit.site = 0;
}

static void write_warp(Warp *warp, gpointer data)
{
	const Scan *work = data;

	emit_step(&warp->emit, STEP_START);
	if (work->phase == PHASE_BLOCKS)
		write_blocks(work, warp);
	else
		write_addition(work, warp);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	Scan work = {
		.method = (Method)workload_choice(parameters, "method"),
		.phase = (Phase)workload_choice(parameters, "phase"),
		.n_elements = (uint64_t)workload_integer(parameters, "elements"),
		.tile = (uint32_t)workload_integer(parameters, "threads"),
	};
	Kernel kernel = {.lanes = WARP_LANES, .n_threads = work.tile};
	uint64_t n_blocks = (work.n_elements + work.tile - 1) / work.tile;

	if (work.tile < WARP_LANES || (work.tile & (work.tile - 1)) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--threads: %u found; allowed: powers of two from 32 on",
				    work.tile);
	kernel.n_blocks = (uint32_t)n_blocks;
	work.n_warps = work.tile / WARP_LANES;
	if (work.phase == PHASE_BLOCKS)
		kernel.shared_bytes =
			(work.method == METHOD_WARP ? work.n_warps : work.tile) * WORD_BYTES;
	if (work.method != METHOD_WARP)
		scan_prove(work.tile, work.method == METHOD_HILLIS);
	kernel_generate(&kernel, &scan_code, parameters, writer, write_warp, &work, launch);
	launch->buffers[0] = (WorkloadBuffer){"data", work.n_elements * WORD_BYTES};
	launch->buffers[1] = (WorkloadBuffer){"sums", n_blocks * WORD_BYTES};
	return TRUE;
}

static const WorkloadOption options[] = {
	CHOICE_ROW("method", "hillis|blelloch|warp", "warp", "how a block scans its elements"),
	CHOICE_ROW("phase", "blocks|add", "blocks",
		   "the kernel: scans of the blocks (also for the scan of their sums), or "
		   "addition of the sums"),
	INTEGER_ROW("elements", "words", 1, 1 << 28, "1048576", "words of the array"),
	INTEGER_ROW("threads", "threads", 32, 1024, "1024",
		    "threads and elements of a block, a power of two"),
	DATAFLOW_ROW,
	END_ROW,
	{0},
};

const Workload workload_scan = {
	.name = "scan",
	.summary = "prefix sums by Hillis and Steele, by Blelloch, by shuffles",
	.description =
		"--phase blocks: each block scans its elements and stores their sum; the "
		"same kernel scans the sums, with as many --elements as there were blocks. "
		"--phase add: every element gets the sum of the blocks before its own. "
		"--method hillis takes two barriers and all threads a step, blelloch a "
		"barrier and fewer and fewer threads on the way up and down, warp shuffles "
		"within a warp and two barriers.",
	.options = options,
	.generate = generate,
};
