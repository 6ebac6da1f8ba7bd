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

typedef enum { ADDRESSING_INTERLEAVED, ADDRESSING_SEQUENTIAL } Addressing;

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

static void write_steps(Emitter *emitter, uint32_t tile, Addressing addressing)
{
	/* In each step `left` sums come out; the threads that make one are the first of the block. */
	for (uint32_t left = tile / 2; left >= 1; left /= 2) {
		uint32_t mask = warp_mask(emitter->warp * WARP_LANES, left);
		uint32_t s = addressing == ADDRESSING_SEQUENTIAL ? left : tile / 2 / left;
		uint32_t factor = addressing == ADDRESSING_SEQUENTIAL ? 1 : 2 * s;

		emit_alu(emitter, STEP_ALU);
		if (mask)
			write_addition(emitter, mask, factor, s);
		emit_bar(emitter);
		emit_alu(emitter, LOOP_ALU);
	}
}

static void write_warp(Emitter *emitter, uint32_t tile, Addressing addressing)
{
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
	emit_bar(emitter);
	write_steps(emitter, tile, addressing);
	if (emitter->warp > 0)
		return;
	emitter->site = SITE_SUM;
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, 1, address);
	emit_global(emitter, RECORD_STG, 1, emitter->block * FLOAT_BYTES, FLOAT_BYTES);
	emitter->site = 0;
}

/* --- With data flow: each access has a site of its own --- */

static const char *const flow_sites[] = {
	"reduction: read an element",	  "reduction: fill the tile",
	"reduction: add: read the first", "reduction: add: read the second",
	"reduction: add: write",	  "reduction: read the sum",
	"reduction: write the sum",	  NULL};
enum {
	FLOW_READ = 1,
	FLOW_FILL,
	FLOW_HERE,
	FLOW_THERE,
	FLOW_ADD,
	FLOW_RESULT,
	FLOW_SUM,
};

enum { NO_BUFFER, BUFFER_DATA, BUFFER_SUMS };

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

static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},	       {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, INDEX, {BLOCK, THREAD}, 0}, {CODE_MUL, ADDRESS, {INDEX}, 0},
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

typedef struct {
	Addressing addressing;
	uint32_t tile;
	uint32_t start, step, skip, enter, add, loop; /* gaps */
} TileFlow;

static void tile_flow_begin(TileFlow *flow, TraceWriter *writer)
{
	gboolean sequential = flow->addressing == ADDRESSING_SEQUENTIAL;

	trace_writer_set_version_2(writer, WARP_LANES);
	flow->start = FLOW_GAP(writer, start_code);
	flow->step = sequential ? FLOW_GAP(writer, sequential_code)
				: FLOW_GAP(writer, interleaved_code);
	flow->skip = FLOW_GAP(writer, skip_code);
	flow->enter = sequential ? FLOW_GAP(writer, enter_sequential_code)
				 : FLOW_GAP(writer, enter_interleaved_code);
	flow->add = FLOW_GAP(writer, add_code);
	flow->loop = FLOW_GAP(writer, loop_code);
	flow_site(writer, FLOW_READ, ADDRESS, 0, ELEMENT);
	flow_site(writer, FLOW_FILL, TILE_ADDRESS, ELEMENT, 0);
	flow_site(writer, FLOW_HERE, TILE_ADDRESS, 0, FIRST);
	flow_site(writer, FLOW_THERE, OTHER_ADDRESS, 0, SECOND);
	flow_site(writer, FLOW_ADD, TILE_ADDRESS, FIRST, 0);
	flow_site(writer, FLOW_RESULT, 0, 0, ELEMENT);
	flow_site(writer, FLOW_SUM, ADDRESS, ELEMENT, 0);
}

/* Behind an access records are of no site. */
static void shared_at(Emitter *emitter, uint32_t site, RecordKind kind, uint32_t mask,
		      const uint32_t *address)
{
	emitter->site = site;
	emit_shared(emitter, kind, FLOAT_BYTES, mask, address);
	emitter->site = 0;
}

static void write_addition_flow(Emitter *emitter, const TileFlow *flow, uint32_t mask,
				uint32_t factor, uint32_t s)
{
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t here[WARP_LANES], there[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		here[lane] = factor * (first + lane) * FLOAT_BYTES;
		there[lane] = here[lane] + s * FLOAT_BYTES;
	}
	emit_code(emitter, flow->enter);
	shared_at(emitter, FLOW_HERE, RECORD_LDS, mask, here);
	shared_at(emitter, FLOW_THERE, RECORD_LDS, mask, there);
	emit_code(emitter, flow->add);
	shared_at(emitter, FLOW_ADD, RECORD_STS, mask, here);
}

static void global_at(Emitter *emitter, uint32_t site, RecordKind kind, uint16_t buffer,
		      uint32_t mask, uint64_t first)
{
	uint64_t byte[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		byte[lane] = (first + lane) * FLOAT_BYTES;
	emitter->site = site;
	emit_buffer(emitter, kind, CACHE_NORMAL, buffer, FLOAT_BYTES, mask, byte);
	emitter->site = 0;
}

static void write_warp_flow(Emitter *emitter, const TileFlow *flow)
{
	gboolean sequential = flow->addressing == ADDRESSING_SEQUENTIAL;
	uint32_t first = emitter->warp * WARP_LANES, mask = warp_mask(first, flow->tile);
	uint32_t address[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (first + lane) * FLOAT_BYTES;
	emit_code(emitter, flow->start);
	global_at(emitter, FLOW_READ, RECORD_LDG, BUFFER_DATA, mask,
		  emitter->block * flow->tile + first);
	shared_at(emitter, FLOW_FILL, RECORD_STS, mask, address);
	emit_bar(emitter);
	for (uint32_t left = flow->tile / 2; left >= 1; left /= 2) {
		uint32_t s = sequential ? left : flow->tile / 2 / left;
		uint32_t adding = warp_mask(first, left);

		emit_code(emitter, flow->step);
		if (adding)
			write_addition_flow(emitter, flow, adding, sequential ? 1 : 2 * s, s);
		else
			emit_code(emitter, flow->skip);
		emit_bar(emitter);
		emit_code(emitter, flow->loop);
	}
	if (emitter->warp > 0)
		return;
	shared_at(emitter, FLOW_RESULT, RECORD_LDS, 1, address);
	global_at(emitter, FLOW_SUM, RECORD_STG, BUFFER_SUMS, 1, emitter->block);
}

static gboolean check(uint64_t n_elements, uint32_t tile, GError **error)
{
	if ((tile & (tile - 1)) != 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--tile: %u found; allowed: powers of two", tile);
		return FALSE;
	}
	if (n_elements % tile != 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--elements: %" G_GUINT64_FORMAT
			    " found; allowed: multiples of %u, the tile",
			    n_elements, tile);
		return FALSE;
	}
	return TRUE;
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint64_t n_elements = (uint64_t)workload_integer(parameters, "elements");
	uint32_t tile = (uint32_t)workload_integer(parameters, "tile");
	uint32_t n_warps = (tile + WARP_LANES - 1) / WARP_LANES;
	Addressing addressing = (Addressing)workload_choice(parameters, "addressing");

	if (!check(n_elements, tile, error))
		return FALSE;
	uint64_t n_blocks = n_elements / tile;
	if (workload_has(parameters, "blocks"))
		n_blocks = MIN(n_blocks, (uint64_t)workload_integer(parameters, "blocks"));

	gboolean dataflow = workload_choice(parameters, "dataflow") != 0;
	TileFlow flow = {.addressing = addressing, .tile = tile};
	if (dataflow)
		tile_flow_begin(&flow, writer);
	for (uint64_t block = 0; block < n_blocks; block++) {
		trace_writer_begin_block(writer, block, n_warps, tile * FLOAT_BYTES);
		for (uint32_t warp = 0; warp < n_warps; warp++) {
			Emitter emitter = {.writer = writer, .block = block, .warp = warp};
			if (dataflow)
				write_warp_flow(&emitter, &flow);
			else
				write_warp(&emitter, tile, addressing);
		}
		trace_writer_end_block(writer, block);
	}

	launch->kernel = "reduction";
	launch->n_blocks = (uint32_t)n_blocks;
	launch->n_threads = tile;
	launch->shared_bytes = tile * FLOAT_BYTES;
	launch->sites = dataflow ? flow_sites : sites;
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
	INTEGER_ROW("tile", "threads", 2, TRACE_MAX_WARPS *WARP_LANES, "512",
		    "elements and threads of a block, a power of two"),
	CHOICE_ROW("addressing", "interleaved|sequential", "interleaved",
		   "which values a step adds: neighbours, or the two halves"),
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, NULL,
		    "a sample: only the first blocks of the launch; all if not given"),
	DATAFLOW_ROW,
	{0},
};

const Workload workload_reduction = {
	.name = "reduction",
	.summary = "sum of an array by tiles in shared memory, no atomics",
	.description =
		"Each thread of a block loads one element into the tile; each step adds half "
		"of\n"
		"the values left to the others, with a barrier behind it. Interleaved\n"
		"addressing adds neighbours (strides 2, 4, ... in shared memory), sequential\n"
		"addressing the second half to the first (no bank conflicts). One launch, "
		"which\n"
		"leaves a sum a block.",
	.options = options,
	.generate = generate,
};
