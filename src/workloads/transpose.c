/* SPDX-License-Identifier: MIT */
/*
 * Transposes a square matrix of floats by tiles of 32 x 32 in shared memory, a thread an element:
 * the textbook case of a bank conflict. A warp reads a row of the matrix and writes it into a
 * column of the tile, 32 words in one bank unless a row of the tile is padded; behind a barrier it
 * reads a row of the tile and writes a row of the result. No atomics.
 */
#include "base/error.h"
#include "workloads/emit.h"

#define TILE	      32
#define FLOAT_BYTES   4
#define START_ALU     8 /* place of the thread, addresses */
#define ADDRESS_ALU   4 /* place in the result */
#define SEGMENT_BYTES ((uint64_t)WARP_LANES * FLOAT_BYTES)

static const char *const sites[] = {"transpose: read the matrix", "transpose: write the tile",
				    "transpose: read the tile", "transpose: write the result",
				    NULL};
enum { SITE_LOAD = 1, SITE_TILE_STORE, SITE_TILE_LOAD, SITE_STORE };

static void write_warp(Emitter *emitter, uint32_t row_words)
{
	uint64_t row = (emitter->block * TILE + emitter->warp) * SEGMENT_BYTES;
	uint32_t column_address[WARP_LANES], row_address[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		column_address[lane] = (lane * row_words + emitter->warp) * FLOAT_BYTES;
		row_address[lane] = (emitter->warp * row_words + lane) * FLOAT_BYTES;
	}
	emit_alu(emitter, START_ALU);
	emitter->site = SITE_LOAD;
	emit_global(emitter, RECORD_LDG, UINT32_MAX, row, FLOAT_BYTES);
	emitter->site = SITE_TILE_STORE;
	emit_shared(emitter, RECORD_STS, FLOAT_BYTES, UINT32_MAX, column_address);
	emitter->site = 0;
	emit_bar(emitter);
	emit_alu(emitter, ADDRESS_ALU);
	emitter->site = SITE_TILE_LOAD;
	emit_shared(emitter, RECORD_LDS, FLOAT_BYTES, UINT32_MAX, row_address);
	emitter->site = SITE_STORE;
	emit_global(emitter, RECORD_STG, UINT32_MAX, row, FLOAT_BYTES);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint64_t size = (uint64_t)workload_integer(parameters, "size");
	uint32_t row_words = TILE + (uint32_t)workload_integer(parameters, "padding");
	uint64_t n_tiles = (size / TILE) * (size / TILE);
	uint32_t bytes = ((TILE - 1) * row_words + TILE) * FLOAT_BYTES;

	if (size % TILE != 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--size: %" G_GUINT64_FORMAT
			    " found; allowed: multiples of %d, the side of a tile",
			    size, TILE);
		return FALSE;
	}
	if (workload_has(parameters, "blocks"))
		n_tiles = MIN(n_tiles, (uint64_t)workload_integer(parameters, "blocks"));

	for (uint64_t block = 0; block < n_tiles; block++) {
		trace_writer_begin_block(writer, block, TILE, bytes);
		for (uint32_t warp = 0; warp < TILE; warp++) {
			Emitter emitter = {.writer = writer, .block = block, .warp = warp};
			write_warp(&emitter, row_words);
		}
		trace_writer_end_block(writer, block);
	}

	launch->kernel = "transpose";
	launch->n_blocks = (uint32_t)n_tiles;
	launch->n_threads = TILE * WARP_LANES;
	launch->shared_bytes = bytes;
	launch->sites = sites;
	return TRUE;
}

static const WorkloadOption options[] = {
	{.name = "size",
	 .type = WORKLOAD_INTEGER,
	 .unit = "floats",
	 .minimum = TILE,
	 .maximum = 32768,
	 .fallback = "1024",
	 .doc = "side of the matrix, a multiple of 32"},
	{.name = "padding",
	 .type = WORKLOAD_INTEGER,
	 .unit = "words",
	 .minimum = 0,
	 .maximum = 32,
	 .fallback = "0",
	 .doc = "unused words behind each row of the tile"},
	{.name = "blocks",
	 .type = WORKLOAD_INTEGER,
	 .unit = "blocks",
	 .minimum = 1,
	 .maximum = 1 << 20,
	 .doc = "a sample: only the first blocks of the launch; all if not given"},
	{0},
};

const Workload workload_transpose = {
	.name = "transpose",
	.summary = "matrix transposed by tiles in shared memory, no atomics",
	.description =
		"A block of 32 x 32 threads moves a tile: coalesced load, store into a column\n"
		"of the tile, barrier, load of a row of the tile, coalesced store. Without\n"
		"--padding the 32 lanes of a store share one bank; with --padding 1 none do.",
	.options = options,
	.generate = generate,
};
