/* SPDX-License-Identifier: MIT */
/*
 * Points of measurements/programs/load-points.cu: every warp makes some loads, uses them all, and makes the next ones. A figure is
 * the cycles of the whole launch, less those of one without loads.
 */
#include "validate/forms/validate-streams.h"

#include "validate/forms/load-loop.h"
#include "validate/forms/streams-code.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate-rows.h"
#include "model/memory/coalesce.h"

#define MAX_WARPS     32
#define MAX_BLOCKS    4096
#define MAX_STEPS     4096
#define MAX_FOOTPRINT (1u << 31)

/* What was done with the region before. */
typedef enum {
	STATE_AGAIN,   /* a launch of the same shape has loaded it */
	STATE_WRITTEN, /* a kernel of all SMs has written it, 16 KiB a block */
	STATE_COLD,    /* it is in DRAM */
	N_STATES,
} RegionState;

typedef struct {
	LoadLoop loop; /* without its dataflow */
	RegionState state;
	guint n_steps;
} Streams;

/* Cycles of a launch of n_steps loads of each warp; negative: it failed. */
static double cycles_of(const Machine *machine, const Streams *streams, guint n_steps,
			const char *place, GError **error)
{
	LoadLoop loop = streams->loop;
	StreamsCode code;

	streams_code_fill(&code, loop.order == LOADS_RANDOM, loop.ahead);
	loop.flow = &code.flow;
	return load_loop_cycles(machine, &loop, n_steps, place, error);
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const Streams *streams = row->program;
	double before, after;

	before = cycles_of(machine, streams, 0, place, &row->error);
	if (before < 0)
		return;
	after = cycles_of(machine, streams, streams->n_steps, place, &row->error);
	if (after >= 0)
		row->simulated = after - before;
}

/* --- Rows --- */

enum { ORDER, STATE, PATH, FOOTPRINT, BLOCKS, THREADS, BYTES, AHEAD, STEPS, CYCLES, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"order",	  "state",	     "path",  "footprint_bytes", "blocks", "threads",
	"bytes_per_lane", "loads_in_flight", "steps", "cycles"};

gboolean validate_is_streams(const CsvTable *table)
{
	return csv_column(table, "loads_in_flight") >= 0 && csv_column(table, "state") >= 0;
}

static gboolean read_launch(const CsvTable *table, guint row, const guint *columns, Streams *s,
			    GError **error)
{
	LoadLoop *l = &s->loop;
	guint n_threads, footprint;

	if (!measured_whole(table, row, columns[FOOTPRINT], LINE_BYTES, MAX_FOOTPRINT,
			    &footprint, error) ||
	    !measured_whole(table, row, columns[BLOCKS], 1, MAX_BLOCKS, &l->n_blocks, error) ||
	    !measured_whole(table, row, columns[THREADS], 1, MAX_WARPS * LOAD_LOOP_LANES,
			    &n_threads, error) ||
	    !measured_whole(table, row, columns[BYTES], 4, 16, &l->width, error) ||
	    !measured_whole(table, row, columns[AHEAD], 1, STREAMS_MAX_AHEAD, &l->ahead,
			    error) ||
	    !measured_whole(table, row, columns[STEPS], 1, MAX_STEPS, &s->n_steps, error))
		return FALSE;
	if (s->n_steps % l->ahead != 0) {
		csv_set_cell_error(table, row, columns[STEPS], error,
				   "found %u; allowed: a multiple of loads_in_flight, %u",
				   s->n_steps, l->ahead);
		return FALSE;
	}
	l->n_warps = (n_threads + LOAD_LOOP_LANES - 1) / LOAD_LOOP_LANES;
	l->bytes = footprint;
	if ((l->width & (l->width - 1)) == 0 && footprint % (l->width * LOAD_LOOP_LANES) == 0)
		return TRUE;
	csv_set_cell_error(
		table, row, columns[BYTES], error,
		"found %u of %u; allowed: 4, 8 or 16 of a whole number of warps' loads",
		l->width, footprint);
	return FALSE;
}

static const char *const orders[] = {"walk", "random", NULL};
static const char *const states[] = {"again", "written", "cold", NULL};
static const char *const paths[] = {"ca", "cg", NULL};

static gboolean read_row(const CsvTable *table, guint row, const guint *columns, Streams *s,
			 double *measured, GError **error)
{
	guint order, state, path;

	if (!measured_word(table, row, columns[ORDER], orders, &order, error) ||
	    !measured_word(table, row, columns[STATE], states, &state, error) ||
	    !measured_word(table, row, columns[PATH], paths, &path, error) ||
	    !read_launch(table, row, columns, s, error) ||
	    !csv_number(table, row, columns[CYCLES], VALIDATE_LEAST_CYCLES, measured, error))
		return FALSE;
	s->loop.order = order == 1 ? LOADS_RANDOM : LOADS_WALK;
	s->loop.bypass = path == 1;
	s->loop.uses_last = TRUE;
	s->state = state;
	return TRUE;
}

gboolean validate_add_streams(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autofree Streams *programs = g_new0(Streams, MAX(rows->len, 1));
	guint columns[N_COLUMNS];

	if (!csv_require_all(table, names, N_COLUMNS, columns, error) ||
	    !measured_rows_need_slices(machine, table, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);
		Streams *s = &programs[i];
		const LoadLoop *l = &s->loop;

		if (!read_row(table, i, columns, s, &row->measured, error))
			return FALSE;
		row->program = s;
		row->operation = states[s->state];
		row->pattern = g_strdup_printf(
			"%ux%u/%s %s %u bytes of %" G_GUINT64_FORMAT ": %u of %u loads",
			l->n_blocks, l->n_warps * LOAD_LOOP_LANES,
			orders[l->order == LOADS_RANDOM], paths[l->bypass], l->width, l->bytes,
			l->ahead, s->n_steps);
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
