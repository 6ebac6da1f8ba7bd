/* SPDX-License-Identifier: MIT */
#include "validate/forms/load-loop.h"

#include "validate/frame/made-grid.h"
#include "model/memory/coalesce.h"

#define CHASE_STRIDE 7919u /* lines; odd, so that a chase comes by every line of 2^n */

typedef struct {
	MadeGrid grid; /* first: the callbacks cast */
	const LoadLoop *loop;
	guint n_steps;
} Grid;

typedef struct {
	MadeWarp warp; /* first */
	uint32_t random;
	guint step;
	bool loads; /* next; else what is in front of a load */
	bool used;  /* what was loaded last */
} Warp;

static void open_warp(MadeWarp *warp)
{
	((Warp *)warp)->random = (uint32_t)made_warp_number(warp) * 2654435769u;
}

/* The byte of its first lane, not yet gone round. */
static uint64_t next_place(const LoadLoop *l, Warp *self)
{
	const uint64_t grid = (uint64_t)l->n_blocks * l->n_warps;

	switch (l->order) {
	case LOADS_CHASE:
		return self->step * CHASE_STRIDE % (uint32_t)(l->bytes / LINE_BYTES) *
		       LINE_BYTES;
	case LOADS_RANDOM:
		self->random = self->random * 1664525u + 1013904223u;
		return (self->random * l->bytes >> 32) &
		       ~(uint64_t)(LOAD_LOOP_LANES * l->width - 1);
	default:
		return (self->step * grid + made_warp_number(&self->warp)) * LOAD_LOOP_LANES *
		       l->width;
	}
}

static void fill_load(const LoadLoop *l, Warp *self, Record *record)
{
	const guint n_lanes = l->order == LOADS_CHASE ? 1 : LOAD_LOOP_LANES;
	const uint64_t place = next_place(l, self);

	*record = (Record){.kind = RECORD_LDG,
			   .width = (uint8_t)l->width,
			   .result = true,
			   .cache = l->bypass ? CACHE_BYPASS : CACHE_NORMAL,
			   .buffer = 1,
			   .site = 1 + self->step % l->ahead,
			   .n_lanes = (uint8_t)n_lanes,
			   .mask = lanes_below(n_lanes),
			   .count = MAX(n_lanes * l->width / LINE_BYTES, 1),
			   .bytes = n_lanes * l->width};
	for (guint i = 0; i < n_lanes; i++)
		record->address[i] = (uint32_t)((place + i * l->width) % l->bytes);
}

static bool next_record(MadeWarp *warp, Record *record)
{
	const Grid *grid = (const Grid *)warp->grid;
	const LoadLoop *l = grid->loop;
	Warp *self = (Warp *)warp;
	const guint gap = self->step % l->ahead;
	bool more = self->step < grid->n_steps;

	if (self->loads || gap >= l->flow->n_gaps) {
		fill_load(l, self, record);
		self->step++;
		self->loads = false;
		return true;
	}
	if (!more && (self->used || !l->uses_last))
		return false;
	*record = (Record){.kind = RECORD_CODE, .gap = gap};
	self->loads = more;
	self->used = !more;
	return true;
}

double load_loop_cycles(const Machine *machine, const LoadLoop *loop, guint n_steps,
			const char *place, GError **error)
{
	Grid grid = {.grid = {.n_blocks = loop->n_blocks,
			      .n_warps = loop->n_warps,
			      .warp_bytes = sizeof(Warp),
			      .open = open_warp,
			      .next = next_record},
		     .loop = loop,
		     .n_steps = n_steps};
	double cycles;

	grid.grid.source.kernel = (KernelInfo){
		.n_buffers = 1, .buffer_bytes = &loop->bytes, .dataflow = loop->flow};
	return made_grid_run(&grid.grid, machine, place, NULL, &cycles, error) ? cycles : -1;
}
