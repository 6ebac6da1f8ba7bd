/* SPDX-License-Identifier: MIT */
/*
 * Sums an array of floats, a tile of shared memory a block: the textbook case of addressing. Each
 * thread loads one element into the tile; then half of the values are added to the other half,
 * with a barrier behind each step, until one is left. Interleaved: for s = 1, 2, ...: i = 2 * s *
 * thread, and if i is in the tile t[i] += t[i + s]. Sequential: for s = tile / 2, ... 1: if thread
 * < s, t[thread] += t[thread + s]. One launch; the next one reduces the blocks' sums. No atomics.
 */
#include "base/error.h"
#include "workloads/reduction.h"

#define START_ALU 8 /* place of the thread, address */
#define STEP_ALU  3 /* index, comparison, branch, for every thread */
#define LOOP_ALU  2 /* next stride, branch */

static const char *const sites[] = {"reduction: read an element", "reduction: fill the tile",
				    "reduction: add", "reduction: write the sum", NULL};
enum { SITE_READ = 1, SITE_FILL, SITE_ADD, SITE_SUM };

/* t[i] += t[i + s] by the lanes of `mask`, whose i is factor * thread. */
static void write_addition(Emitter *emitter, uint32_t mask, uint32_t factor, uint32_t s)
{
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t here[WARP_LANES], there[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		here[lane] = factor * (first + lane) * FLOAT_BYTES;
		there[lane] = here[lane] + s * FLOAT_BYTES;
	}
	emitter->site = SITE_ADD;
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, mask, here);
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, mask, there);
	emit_alu(emitter, 1);
	emit_shared(emitter, RECORD_STS, FLOAT_BYTES, mask, here);
	emitter->site = 0;
}

static void write_steps(Emitter *emitter, const ReductionFlow *flow)
{
	const uint32_t tile = flow->tile;

	/* In each step `left` sums come out; the threads that make one are the first of the block. */
	for (uint32_t left = tile / 2; left >= 1; left /= 2) {
		uint32_t mask = warp_mask(emitter->warp * WARP_LANES, left);
		uint32_t s = flow->addressing == ADDRESSING_SEQUENTIAL ? left : tile / 2 / left;
		uint32_t factor = flow->addressing == ADDRESSING_SEQUENTIAL ? 1 : 2 * s;

		emit_alu(emitter, STEP_ALU);
		if (mask)
			write_addition(emitter, mask, factor, s);
		emit_barrier(emitter, flow->barrier);
		emit_alu(emitter, LOOP_ALU);
	}
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const ReductionFlow *flow = data;
	const uint32_t tile = flow->tile;
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t mask = warp_mask(first, tile);
	uint32_t address[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (first + lane) * FLOAT_BYTES;
	emit_alu(emitter, START_ALU);
	emitter->site = SITE_READ;
	emit_global(emitter, RECORD_LDG, mask, (emitter->block * tile + first) * FLOAT_BYTES,
		    FLOAT_BYTES);
	emitter->site = SITE_FILL;
	emit_shared(emitter, RECORD_STS, FLOAT_BYTES, mask, address);
	emitter->site = 0;
	emit_barrier(emitter, flow->barrier);
	write_steps(emitter, flow);
	if (emitter->warp > 0)
		return;
	emitter->site = SITE_SUM;
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, 1, address);
	emit_global(emitter, RECORD_STG, 1, emitter->block * FLOAT_BYTES, FLOAT_BYTES);
	emitter->site = 0;
}

static gboolean check(uint64_t n_elements, uint32_t tile, GError **error)
{
	if ((tile & (tile - 1)) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--tile: %u found; allowed: powers of two", tile);
	if (n_elements % tile != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--elements: %" G_GUINT64_FORMAT
				    " found; allowed: multiples of %u, the tile",
				    n_elements, tile);
	return TRUE;
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint64_t n_elements = (uint64_t)workload_integer(parameters, "elements");
	uint32_t tile = (uint32_t)workload_integer(parameters, "tile");
	uint32_t n_warps = (tile + WARP_LANES - 1) / WARP_LANES;

	if (!check(n_elements, tile, error))
		return FALSE;
	uint64_t n_blocks = n_elements / tile;
	if (workload_has(parameters, "blocks"))
		n_blocks = MIN(n_blocks, (uint64_t)workload_integer(parameters, "blocks"));

	gboolean dataflow = workload_choice(parameters, "dataflow") != 0;
	ReductionFlow flow = {.addressing =
				      (Addressing)workload_choice(parameters, "addressing"),
			      .tile = tile,
			      .barrier = (Barrier)workload_choice(parameters, "barrier")};
	if (dataflow)
		reduction_flow_begin(&flow, writer);
	else if (flow.barrier == BARRIER_AMP)
		trace_writer_set_version_2(writer, WARP_LANES);
	emit_blocks(writer, NULL, n_blocks, n_warps, tile * FLOAT_BYTES,
		    dataflow ? reduction_flow_write : write_warp, &flow);

	launch->kernel = "reduction";
	launch->n_blocks = (uint32_t)n_blocks;
	launch->n_threads = tile;
	launch->shared_bytes = tile * FLOAT_BYTES;
	launch->sites = dataflow ? reduction_flow_sites : sites;
	if (dataflow) {
		launch->buffers[0] = (WorkloadBuffer){"the array", n_elements * FLOAT_BYTES};
		launch->buffers[1] =
			(WorkloadBuffer){"the sums", n_elements / tile * FLOAT_BYTES};
	}
	return TRUE;
}

static const WorkloadOption options[] = {
	INTEGER_ROW("elements", "floats", 1, 1 << 28, "1048576",
		    "length of the array, a multiple of the tile"),
	INTEGER_ROW("tile", "threads", 2, MAX_BLOCK_WARPS *WARP_LANES, "512",
		    "elements and threads of a block, a power of two"),
	CHOICE_ROW("addressing", "interleaved|sequential", "interleaved",
		   "which values a step adds: neighbors, or the two halves"),
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, NULL,
		    "a sample: only the first blocks of the launch; all if not given"),
	BARRIER_ROW,
	DATAFLOW_ROW,
	{0},
};

const Workload workload_reduction = {
	.name = "reduction",
	.summary = "sum of an array by tiles in shared memory, no atomics",
	.description =
		"Each thread of a block loads one element into the tile; each step adds half "
		"of the values left to the others, then a barrier. Interleaved addressing "
		"adds neighbors (strides 2, 4, ... in shared memory), sequential addressing "
		"the second half to the first (no bank conflicts). One launch, which leaves "
		"a sum a block.",
	.options = options,
	.generate = generate,
};
