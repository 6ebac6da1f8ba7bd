/* SPDX-License-Identifier: MIT */
#include "validate/frame/made-grid.h"

#include "replay/replay.h"

uint64_t made_warp_number(const MadeWarp *warp)
{
	return warp->block * warp->grid->n_warps + warp->warp;
}

void made_alu(Record *record, guint count)
{
	*record = (Record){.kind = RECORD_ALU, .count = count};
}

static StreamStatus next(WarpStream *stream, Record *record)
{
	MadeWarp *warp = (MadeWarp *)stream;

	if (warp->ended)
		return STREAM_END;
	if (!warp->grid->next(warp, record)) {
		warp->ended = true;
		*record = (Record){.kind = RECORD_EXIT};
	}
	return STREAM_RECORD;
}

static void close_warp(WarpStream *stream)
{
	g_free(stream);
}

static WarpStream *open_warp(RecordSource *source, uint64_t block, uint32_t number)
{
	const MadeGrid *grid = (const MadeGrid *)source;
	MadeWarp *warp = g_malloc0(grid->warp_bytes);

	*warp = (MadeWarp){
		.stream = {next, close_warp}, .grid = grid, .block = block, .warp = number};
	if (grid->open)
		grid->open(warp);
	return &warp->stream;
}

static void block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	const MadeGrid *grid = (const MadeGrid *)source;

	*info = (BlockInfo){.block_id = block,
			    .n_warps = grid->warps_of ? grid->warps_of(grid, block)
						      : grid->n_warps,
			    .shared_bytes = grid->shared_bytes};
}

gboolean made_grid_run(MadeGrid *grid, const Machine *machine, const char *place,
		       Observer *observer, double *cycles, GError **error)
{
	g_auto(ReplayResult) result = {0};
	const Dataflow *flow = grid->source.kernel.dataflow;
	const Replay replay = {.machine = machine,
			       .source = &grid->source,
			       .name = place,
			       .n_sites = flow ? flow->n_sites : 0,
			       .n_threads = 1,
			       .observer = observer};

	g_assert(grid->warp_bytes >= sizeof(MadeWarp));
	grid->source.n_blocks = grid->n_blocks;
	grid->source.block_info = block_info;
	grid->source.open_warp = open_warp;
	if (!replay_run(&replay, &result, error))
		return FALSE;
	*cycles = (double)result.run.statistics.busy_cycles;
	return TRUE;
}
