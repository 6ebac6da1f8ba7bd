/* SPDX-License-Identifier: MIT */
/*
 * A grid of warps whose records are made as they are asked for: what the benchmarks beside it have in common. A program's grid
 * begins with a MadeGrid and its warps with a MadeWarp. Who may include it: the benchmarks beside it.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_MADE_GRID_H
#define ATOMSIM_VALIDATE_FRAME_MADE_GRID_H

#include <glib.h>

#include "base/record.h"
#include "sim/run/machine.h"
#include "sim/run/observer.h"

typedef struct MadeGrid MadeGrid;

typedef struct {
	WarpStream stream; /* first */
	const MadeGrid *grid;
	uint64_t block;
	uint32_t warp; /* of the block */
	bool ended;
} MadeWarp;

struct MadeGrid {
	RecordSource source; /* first; the program sets the kernel, made_grid_run the rest */
	uint64_t n_blocks;
	guint n_warps; /* of a block */
	uint32_t shared_bytes;
	/* Where blocks have fewer; NULL: none has. */
	guint (*warps_of)(const MadeGrid *grid, uint64_t block);
	gsize warp_bytes; /* of the program's warps */
	/* Fills in what of a warp is not zero when it starts; NULL: nothing. */
	void (*open)(MadeWarp *warp);
	/* The next record; false: there is none, and the warp exits. */
	bool (*next)(MadeWarp *warp, Record *record);
};

/* The warp's number in a grid whose blocks all have n_warps. */
uint64_t made_warp_number(const MadeWarp *warp);

/* So many steps of arithmetic, one behind the other. */
void made_alu(Record *record, guint count);

/* Cycles from the start of the launch to the end of its last block, which is all that a clock read in it can see (what it has
   left in queues may drain behind that), on one thread. Errors: as replay_run; they begin with `place`. */
gboolean made_grid_run(MadeGrid *grid, const Machine *machine, const char *place,
		       Observer *observer, double *cycles, GError **error);

#endif
