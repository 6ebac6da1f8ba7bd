/* SPDX-License-Identifier: MIT */
/*
 * Transposes a square matrix of floats by tiles of 32 x 32 in shared memory (or 16 x 16, 8 x 8), a thread an element:
 * the textbook case of a bank conflict. A warp reads a row of the matrix and writes it into a
 * column of the tile, 32 words in one bank unless a row of the tile is padded; behind a barrier it
 * reads a row of the tile and writes a row of the result. No atomics. A warp has 2 rows of 16 elements, or 4 of 8.
 */
#include "base/error.h"
#include "workloads/flow.h"

#define MOST_TILE     32
#define FLOAT_BYTES   4
#define START_ALU     8 /* place of the thread, addresses */
#define ADDRESS_ALU   4 /* place in the result */
#define SEGMENT_BYTES ((uint64_t)WARP_LANES * FLOAT_BYTES)

static const char *const sites[] = {"transpose: read the matrix", "transpose: write the tile",
				    "transpose: read the tile", "transpose: write the result",
				    NULL};
enum { SITE_LOAD = 1, SITE_TILE_STORE, SITE_TILE_LOAD, SITE_STORE };

enum { NO_BUFFER, BUFFER_IN, BUFFER_OUT };

typedef struct {
	uint64_t size; /* of the matrix, in elements a side */
	uint32_t tile, row_words;
	Barrier barrier;
} Tiles;

/* --- Arithmetic as a compiler emits it --- */

enum {
	THREAD_X = 1,
	THREAD_Y,
	BLOCK_X,
	BLOCK_Y,
	COLUMN,
	ROW,
	INDEX,
	ADDRESS,
	ELEMENT,
	TILE_ADDRESS,
};

/* in[(32 * by + ty) * size + 32 * bx + tx] */
static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD_X, {0}, 0},
	{CODE_SYSTEM, THREAD_Y, {0}, 0},
	{CODE_SYSTEM, BLOCK_X, {0}, 0},
	{CODE_SYSTEM, BLOCK_Y, {0}, 0},
	{CODE_MUL, COLUMN, {BLOCK_X, THREAD_X}, 0},
	{CODE_MUL, ROW, {BLOCK_Y, THREAD_Y}, 0},
	{CODE_MUL, INDEX, {ROW, COLUMN}, 0},
	{CODE_WIDE, ADDRESS, {INDEX}, 0},
};
/* tile[tx][ty] */
static const FlowOperation column_code[] = {
	{CODE_MUL, TILE_ADDRESS, {THREAD_X, THREAD_Y}, 0},
	{CODE_INT, TILE_ADDRESS, {TILE_ADDRESS}, 0},
};
/* tile[ty][tx], and out[(32 * bx + ty) * size + 32 * by + tx] */
static const FlowOperation row_code[] = {
	{CODE_MUL, TILE_ADDRESS, {THREAD_Y, THREAD_X}, 0},
	{CODE_INT, TILE_ADDRESS, {TILE_ADDRESS}, 0},
	{CODE_MUL, COLUMN, {BLOCK_Y, THREAD_X}, 0},
	{CODE_MUL, ROW, {BLOCK_X, THREAD_Y}, 0},
	{CODE_MUL, INDEX, {ROW, COLUMN}, 0},
	{CODE_WIDE, ADDRESS, {INDEX}, 0},
};

enum { STEP_START, STEP_COLUMN, STEP_ROW };
static const FlowStep steps[] = {FLOW_STEP(start_code), FLOW_STEP(column_code),
				 FLOW_STEP(row_code)};
static const FlowSite site_flows[] = {
	{.address = ADDRESS, .write = ELEMENT},
	{.address = TILE_ADDRESS, .data = ELEMENT},
	{.address = TILE_ADDRESS, .write = ELEMENT},
	{.address = ADDRESS, .data = ELEMENT},
};

/* --- The kernel --- */

/* Where the warp's elements lie in the tile: read along rows, written along columns. */
static void tile_addresses(const Tiles *tiles, uint32_t warp, uint32_t *column_address,
			   uint32_t *row_address)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint32_t thread = warp * WARP_LANES + lane;
		uint32_t x = thread % tiles->tile, y = thread / tiles->tile;

		column_address[lane] = (x * tiles->row_words + y) * FLOAT_BYTES;
		row_address[lane] = (y * tiles->row_words + x) * FLOAT_BYTES;
	}
}

static uint32_t n_warps(const Tiles *tiles)
{
	return tiles->tile * tiles->tile / WARP_LANES;
}

/* The warp's elements of the tile in column bx and row by of a matrix. */
static void element_bytes(const Tiles *tiles, uint64_t bx, uint64_t by, uint32_t warp,
			  uint64_t *byte)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint32_t thread = warp * WARP_LANES + lane;
		uint64_t row = by * tiles->tile + thread / tiles->tile;

		byte[lane] = (row * tiles->size + bx * tiles->tile + thread % tiles->tile) *
			     FLOAT_BYTES;
	}
}

/* Without data flow only how many bytes and lines counts, as of whole rows of 32. */
static void emit_elements(Emitter *emitter, const Tiles *tiles, RecordKind kind, uint64_t bx,
			  uint64_t by)
{
	uint64_t row = (emitter->block * n_warps(tiles) + emitter->warp) * SEGMENT_BYTES;
	uint64_t byte[WARP_LANES];

	emitter->site = kind == RECORD_LDG ? SITE_LOAD : SITE_STORE;
	if (!has_dataflow(emitter)) {
		emit_global(emitter, kind, UINT32_MAX, row, FLOAT_BYTES);
		return;
	}
	element_bytes(tiles, bx, by, emitter->warp, byte);
	emit_buffer(emitter, kind, CACHE_NORMAL, kind == RECORD_LDG ? BUFFER_IN : BUFFER_OUT,
		    FLOAT_BYTES, UINT32_MAX, byte);
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Tiles *tiles = data;
	uint64_t across = tiles->size / tiles->tile, bx = emitter->block % across,
		 by = emitter->block / across;
	uint32_t column_address[WARP_LANES], row_address[WARP_LANES];

	tile_addresses(tiles, emitter->warp, column_address, row_address);
	emit_step_or(emitter, STEP_START, START_ALU);
	emit_elements(emitter, tiles, RECORD_LDG, bx, by);
	emitter->site = SITE_TILE_STORE;
	emit_step_or(emitter, STEP_COLUMN, 0);
	emit_shared(emitter, RECORD_STS, FLOAT_BYTES, UINT32_MAX, column_address);
	emitter->site = 0;
	emit_barrier(emitter, tiles->barrier);
	emit_step_or(emitter, STEP_ROW, ADDRESS_ALU);
	emitter->site = SITE_TILE_LOAD;
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, UINT32_MAX, row_address);
	emit_elements(emitter, tiles, RECORD_STG, by, bx);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	static const uint32_t sides[] = {MOST_TILE, 16, 8};
	const uint32_t tile = sides[workload_choice(parameters, "tile")];
	const KernelCode code = KERNEL_CODE("transpose", sites, sites, steps, site_flows);
	gboolean dataflow = flow_asked(parameters);
	Tiles tiles = {
		.size = (uint64_t)workload_integer(parameters, "size"),
		.tile = tile,
		.row_words = tile + (uint32_t)workload_integer(parameters, "padding"),
		.barrier = (Barrier)workload_choice(parameters, "barrier"),
	};
	uint64_t n_tiles = (tiles.size / tile) * (tiles.size / tile);
	uint32_t bytes = ((tile - 1) * tiles.row_words + tile) * FLOAT_BYTES;

	if (tiles.size % tile != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--size: %" G_GUINT64_FORMAT
				    " found; allowed: multiples of %u, the side of a tile",
				    tiles.size, tile);
	if (workload_has(parameters, "blocks"))
		n_tiles = MIN(n_tiles, (uint64_t)workload_integer(parameters, "blocks"));

	if (tiles.barrier == BARRIER_AMP)
		trace_writer_set_version_2(writer, WARP_LANES);
	launch->n_blocks = (uint32_t)n_tiles;
	launch->n_threads = tile * tile;
	launch->shared_bytes = bytes;
	flow_generate(&code, dataflow, writer, write_warp, &tiles, launch);
	if (dataflow) {
		launch->buffers[0] =
			(WorkloadBuffer){"the matrix", tiles.size * tiles.size * FLOAT_BYTES};
		launch->buffers[1] =
			(WorkloadBuffer){"the result", tiles.size * tiles.size * FLOAT_BYTES};
	}
	return TRUE;
}

static const WorkloadOption options[] = {
	INTEGER_ROW("size", "floats", 8, 32768, "1024",
		    "side of the matrix, a multiple of a tile's"),
	CHOICE_ROW("tile", "32|16|8", "32", "side of a tile; a thread an element"),
	INTEGER_ROW("padding", "words", 0, 32, "0", "unused words after each row of the tile"),
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, NULL,
		    "a sample: only the first blocks of the launch; all if not given"),
	BARRIER_ROW,
	DATAFLOW_ROW,
	{0},
};

const Workload workload_transpose = {
	.name = "transpose",
	.summary = "matrix transposed by tiles in shared memory, no atomics",
	.description =
		"A block of 32 x 32 threads moves a tile: coalesced load, store into a "
		"column of the tile, barrier, load of a row of the tile, coalesced store. "
		"Without --padding the 32 lanes of a store share one bank; with --padding 1 "
		"none do.",
	.options = options,
	.generate = generate,
};
