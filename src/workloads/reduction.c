/* SPDX-License-Identifier: MIT */
/*
 * Sums an array of floats, a tile of shared memory a block: the textbook case of addressing. Each
 * thread loads one element into the tile; then half of the values are added to the other half,
 * with a barrier behind each step, until one is left. Interleaved: for s = 1, 2, ...: i = 2 * s *
 * thread, and if i is in the tile t[i] += t[i + s]. Sequential: for s = tile / 2, ... 1: if thread
 * < s, t[thread] += t[thread + s]. One launch; the next one reduces the blocks' sums. No atomics.
 */
#include "base/error.h"
#include "workloads/flow.h"

#define FLOAT_BYTES 4
#define START_ALU   8 /* place of the thread, address */
#define STEP_ALU    3 /* index, comparison, branch, for every thread */
#define LOOP_ALU    2 /* next stride, branch */

typedef struct {
	gboolean sequential;
	uint32_t tile;
	Barrier barrier;
} Reduction;

static const char *const sites[] = {"reduction: read an element", "reduction: fill the tile",
				    "reduction: add", "reduction: write the sum", NULL};
static const char *const flow_sites[] = {
	"reduction: read an element",	  "reduction: fill the tile",
	"reduction: add: read the first", "reduction: add: read the second",
	"reduction: add: write",	  "reduction: read the sum",
	"reduction: write the sum",	  NULL};
enum { SITE_READ = 1, SITE_FILL, SITE_ADD, SITE_SUM };
/* With data flow, beside the first two. */
enum { FLOW_FIRST = SITE_ADD, FLOW_SECOND, FLOW_ADD, FLOW_RESULT, FLOW_SUM };

enum { NO_BUFFER, BUFFER_DATA, BUFFER_SUMS };

/* --- Arithmetic as a compiler emits it --- */

enum {
	THREAD = 1,
	BLOCK,
	INDEX,
	ADDRESS,
	ELEMENT,
	TILE_ADDRESS,
	STRIDE,
	FIRST,
	SECOND,
	TAKES_PART,
	GOES_ON,
	OTHER_ADDRESS,
};
enum { STEP_START, STEP_INDEX, STEP_SKIP, STEP_ENTER, STEP_ADD, STEP_LOOP };

static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},	       {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, INDEX, {BLOCK, THREAD}, 0}, {CODE_WIDE, ADDRESS, {INDEX}, 0},
	{CODE_INT, TILE_ADDRESS, {THREAD}, 0}, {CODE_MOVE, STRIDE, {0}, 0},
};
/* Interleaved: i = 2 * s * thread. */
static const FlowOperation interleaved_code[] = {
	{CODE_MUL, INDEX, {THREAD, STRIDE}, 0},
	{CODE_COMPARE, TAKES_PART, {INDEX}, 0},
};
static const FlowOperation sequential_code[] = {
	{CODE_COMPARE, TAKES_PART, {THREAD, STRIDE}, 0},
};
static const FlowOperation skip_code[] = {{CODE_JUMP, 0, {0}, TAKES_PART}};
static const FlowOperation enter_interleaved_code[] = {
	{CODE_BRANCH, 0, {0}, TAKES_PART},
	{CODE_INT, TILE_ADDRESS, {INDEX}, 0},
	{CODE_INT, OTHER_ADDRESS, {INDEX, STRIDE}, 0},
};
static const FlowOperation enter_sequential_code[] = {
	{CODE_BRANCH, 0, {0}, TAKES_PART},
	{CODE_INT, OTHER_ADDRESS, {TILE_ADDRESS, STRIDE}, 0},
};
static const FlowOperation add_code[] = {{CODE_FLOAT, FIRST, {FIRST, SECOND}, 0}};
static const FlowOperation loop_code[] = {
	{CODE_INT, STRIDE, {STRIDE}, 0},
	{CODE_COMPARE, GOES_ON, {STRIDE}, 0},
	{CODE_JUMP, 0, {0}, GOES_ON},
};

static const FlowSite site_flows[] = {
	{.address = ADDRESS, .write = ELEMENT},	   {.address = TILE_ADDRESS, .data = ELEMENT},
	{.address = TILE_ADDRESS, .write = FIRST}, {.address = OTHER_ADDRESS, .write = SECOND},
	{.address = TILE_ADDRESS, .data = FIRST},  {.write = ELEMENT},
	{.address = ADDRESS, .data = ELEMENT},
};

/* --- The kernel --- */

/* t[i] += t[i + s] by the lanes of `mask`, whose i is factor * thread. */
static void write_addition(Emitter *emitter, uint32_t mask, uint32_t factor, uint32_t s)
{
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t here[WARP_LANES], there[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		here[lane] = factor * (first + lane) * FLOAT_BYTES;
		there[lane] = here[lane] + s * FLOAT_BYTES;
	}
	emit_step_or(emitter, STEP_ENTER, 0);
	flow_at(emitter, SITE_ADD, FLOW_FIRST);
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, mask, here);
	flow_at(emitter, SITE_ADD, FLOW_SECOND);
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, mask, there);
	emit_step(emitter, STEP_ADD);
	flow_at(emitter, SITE_ADD, FLOW_ADD);
	emit_shared(emitter, RECORD_STS, FLOAT_BYTES, mask, here);
	emitter->site = 0;
}

static void write_steps(const Reduction *work, Emitter *emitter)
{
	const uint32_t tile = work->tile;

	/* In each step `left` sums come out; the threads that make one are the first of the block. */
	for (uint32_t left = tile / 2; left >= 1; left /= 2) {
		uint32_t mask = warp_mask(emitter->warp * WARP_LANES, left);
		uint32_t s = work->sequential ? left : tile / 2 / left;
		uint32_t factor = work->sequential ? 1 : 2 * s;

		emit_step_or(emitter, STEP_INDEX, STEP_ALU);
		if (mask)
			write_addition(emitter, mask, factor, s);
		else
			emit_step_or(emitter, STEP_SKIP, 0);
		emit_barrier(emitter, work->barrier);
		emit_step_or(emitter, STEP_LOOP, LOOP_ALU);
	}
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Reduction *work = data;
	const uint32_t tile = work->tile;
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t mask = warp_mask(first, tile);
	uint32_t address[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (first + lane) * FLOAT_BYTES;
	emit_step_or(emitter, STEP_START, START_ALU);
	emitter->site = SITE_READ;
	emitter->buffer = BUFFER_DATA;
	emit_global(emitter, RECORD_LDG, mask, (emitter->block * tile + first) * FLOAT_BYTES,
		    FLOAT_BYTES);
	emitter->site = SITE_FILL;
	emit_shared(emitter, RECORD_STS, FLOAT_BYTES, mask, address);
	emitter->site = 0;
	emit_barrier(emitter, work->barrier);
	write_steps(work, emitter);
	if (emitter->warp > 0)
		return;
	flow_at(emitter, SITE_SUM, FLOW_RESULT);
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, 1, address);
	flow_at(emitter, SITE_SUM, FLOW_SUM);
	emitter->buffer = BUFFER_SUMS;
	emit_global(emitter, RECORD_STG, 1, emitter->block * FLOAT_BYTES, FLOAT_BYTES);
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
	gboolean dataflow = flow_asked(parameters);
	const Reduction work = {.sequential = workload_choice(parameters, "addressing") != 0,
				.tile = tile,
				.barrier = (Barrier)workload_choice(parameters, "barrier")};
	const FlowStep steps[] = {
		FLOW_STEP(start_code),
		work.sequential ? (FlowStep)FLOW_STEP(sequential_code)
				: (FlowStep)FLOW_STEP(interleaved_code),
		FLOW_STEP(skip_code),
		work.sequential ? (FlowStep)FLOW_STEP(enter_sequential_code)
				: (FlowStep)FLOW_STEP(enter_interleaved_code),
		FLOW_STEP(add_code),
		FLOW_STEP(loop_code),
	};
	const KernelCode code = KERNEL_CODE("reduction", sites, flow_sites, steps, site_flows);

	if (!check(n_elements, tile, error))
		return FALSE;

	uint64_t n_blocks = n_elements / tile;
	if (workload_has(parameters, "blocks"))
		n_blocks = MIN(n_blocks, (uint64_t)workload_integer(parameters, "blocks"));
	if (work.barrier == BARRIER_AMP)
		trace_writer_set_version_2(writer, WARP_LANES);
	launch->n_blocks = (uint32_t)n_blocks;
	launch->n_threads = tile;
	launch->shared_bytes = tile * FLOAT_BYTES;
	flow_generate(&code, dataflow, writer, write_warp, &work, launch);
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
