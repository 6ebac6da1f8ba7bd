/* SPDX-License-Identifier: MIT */
/*
 * The programs behind measurements/h200/global-loads.csv. A figure is what so many steps more take, so that what
 * begins and ends a kernel is not in it.
 */
#include "explore/measured/validate-loads.h"

#include <string.h>

#include "explore/measured/validate-cells.h"
#include "explore/measured/validate-rows.h"
#include "model/coalesce.h"
#include "replay/replay.h"

#define WARP_THREADS   32
#define MAX_FOOTPRINT  (1u << 30)
#define MAX_BLOCKS     4096
#define CHASE_STEPS    2048
#define MAX_WARM_STEPS 4096
#define CHASE_STRIDE   7919u /* lines; odd, so that a chase comes by every line of 2^n */
#define CHASE_ALU      3     /* the next index's address; 282 cycles in 16 KiB say so */
#define STREAM_STEPS   78    /* of both numbers of loads ahead */
/* Loads that a warp of the streams has under way: its loop takes a load in 54 cycles, whatever `loads_in_flight` says and
   wherever the data are (128 bytes in 54.6 and 53.1 cycles, one warp, L2 and DRAM), and a load takes 290 or 660. */
#define AHEAD_IN_L2   6
#define AHEAD_IN_DRAM 13
#define L2_BYTES      (50u << 20)

typedef struct {
	gboolean is_chase;
	gboolean bypass; /* the first cache */
	uint32_t footprint;
	guint n_blocks, n_warps; /* of a block */
	guint width;
} Loads;

typedef struct {
	RecordSource source; /* first: the callbacks cast */
	const Loads *loads;
	uint64_t buffer_bytes;
	guint n_steps;
} Program;

typedef struct {
	WarpStream stream; /* first */
	const Program *program;
	uint64_t thread; /* its first, in the grid */
	guint step;
	gboolean use, ended;
} LoadStream;

static void fill_load(const LoadStream *self, Record *record)
{
	const Loads *l = self->program->loads;
	uint64_t n_threads = (uint64_t)l->n_blocks * l->n_warps * WARP_THREADS;
	guint n_lanes = l->is_chase ? 1 : WARP_THREADS;

	*record = (Record){.kind = RECORD_LDG,
			   .width = (uint8_t)l->width,
			   .result = true,
			   .cache = l->bypass ? CACHE_BYPASS : CACHE_NORMAL,
			   .buffer = 1,
			   .n_lanes = (uint8_t)n_lanes,
			   .mask = l->is_chase ? 1 : UINT32_MAX,
			   .count = MAX(n_lanes * l->width / LINE_BYTES, 1),
			   .bytes = n_lanes * l->width};
	for (guint i = 0; i < n_lanes; i++)
		record->address[i] =
			l->is_chase ? self->step * CHASE_STRIDE % (l->footprint / LINE_BYTES) *
					      LINE_BYTES
				    : (uint32_t)((self->step * n_threads + self->thread + i) *
						 l->width % l->footprint);
}

static StreamStatus load_next(WarpStream *stream, Record *record)
{
	LoadStream *self = (LoadStream *)stream;
	const Program *program = self->program;
	guint ahead = program->loads->footprint > L2_BYTES ? AHEAD_IN_DRAM : AHEAD_IN_L2;

	if (self->ended)
		return STREAM_END;
	if (self->use) {
		self->use = FALSE;
		*record = (Record){.kind = RECORD_ALU,
				   .count = program->loads->is_chase ? CHASE_ALU : 1};
	} else if (self->step < program->n_steps) {
		fill_load(self, record);
		self->step++;
		self->use = program->loads->is_chase || self->step % ahead == 0;
	} else {
		self->ended = TRUE;
		*record = (Record){.kind = RECORD_EXIT};
	}
	return STREAM_RECORD;
}

static void load_close(WarpStream *stream)
{
	g_free(stream);
}

static WarpStream *load_open_warp(RecordSource *source, uint64_t block, uint32_t warp)
{
	const Program *program = (const Program *)source;
	LoadStream *stream = g_new0(LoadStream, 1);

	stream->stream.next = load_next;
	stream->stream.close = load_close;
	stream->program = program;
	stream->thread = (block * program->loads->n_warps + warp) * WARP_THREADS;
	return &stream->stream;
}

static void load_block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	const Program *program = (const Program *)source;

	*info = (BlockInfo){.block_id = block, .n_warps = program->loads->n_warps};
}

/* Cycles of n_steps loads of each warp; negative: it failed. */
static double cycles_of(const Machine *machine, const Loads *loads, guint n_steps,
			const char *place, GError **error)
{
	g_auto(ReplayResult) result = {0};
	Program program = {
		.loads = loads, .buffer_bytes = loads->footprint, .n_steps = n_steps};
	const Replay replay = {
		.machine = machine, .source = &program.source, .name = place, .n_threads = 1};

	program.source = (RecordSource){
		.n_blocks = loads->n_blocks,
		.block_info = load_block_info,
		.open_warp = load_open_warp,
		.kernel = {.n_buffers = 1, .buffer_bytes = &program.buffer_bytes}};
	return replay_run(&replay, &result, error) ? (double)result.run.statistics.cycles : -1;
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const Loads *l = row->program;
	guint warm =
		l->is_chase ? MIN(l->footprint / LINE_BYTES, MAX_WARM_STEPS) : STREAM_STEPS;
	guint more = l->is_chase ? CHASE_STEPS : STREAM_STEPS;
	double before = cycles_of(machine, l, warm, place, &row->error), after;
	guint n_sms = MIN(l->n_blocks, machine->sm.count);

	if (before < 0)
		return;
	after = cycles_of(machine, l, warm + more, place, &row->error);
	if (after < 0)
		return;
	row->simulated = l->is_chase ? (after - before) / more
				     : (double)l->n_blocks * l->n_warps * WARP_THREADS *
					       l->width * more / (after - before) / n_sms;
}

/* --- Rows --- */

enum { KIND, PATH, FOOTPRINT, BLOCKS, THREADS, BYTES, VALUE, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"kind", "path", "footprint_bytes", "blocks", "threads", "bytes_per_lane", "value"};

/* Which of two words a cell says. */
static gboolean either(const CsvTable *table, guint row, guint column, const char *no,
		       const char *yes, gboolean *is_yes, GError **error)
{
	const char *cell = csv_cell(table, row, column);

	*is_yes = strcmp(cell, yes) == 0;
	if (*is_yes || strcmp(cell, no) == 0)
		return TRUE;
	csv_set_cell_error(table, row, column, error, "found '%s'; allowed: %s, %s", cell, no,
			   yes);
	return FALSE;
}

static gboolean read_row(const CsvTable *table, guint row, const guint *columns, Loads *l,
			 double *measured, GError **error)
{
	guint n_threads;

	if (!either(table, row, columns[KIND], "bandwidth", "latency", &l->is_chase, error) ||
	    !either(table, row, columns[PATH], "ca", "cg", &l->bypass, error) ||
	    !measured_whole(table, row, columns[FOOTPRINT], LINE_BYTES, MAX_FOOTPRINT,
			    &l->footprint, error) ||
	    !measured_whole(table, row, columns[BLOCKS], 1, MAX_BLOCKS, &l->n_blocks, error) ||
	    !measured_whole(table, row, columns[THREADS], 1, TRACE_MAX_WARPS * WARP_THREADS,
			    &n_threads, error) ||
	    !measured_whole(table, row, columns[BYTES], 4, 16, &l->width, error) ||
	    !csv_number(table, row, columns[VALUE], VALIDATE_LEAST_CYCLES, measured, error))
		return FALSE;
	if ((l->width & (l->width - 1)) != 0 || l->footprint % LINE_BYTES != 0) {
		csv_set_cell_error(table, row, columns[BYTES], error,
				   "found %u of %u; allowed: 4, 8 or 16 of whole lines of %d",
				   l->width, l->footprint, LINE_BYTES);
		return FALSE;
	}
	l->n_warps = (n_threads + WARP_THREADS - 1) / WARP_THREADS;
	return TRUE;
}

gboolean validate_add_loads(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autofree Loads *programs = g_new0(Loads, MAX(rows->len, 1));
	guint columns[N_COLUMNS];

	if (!csv_require_all(table, names, N_COLUMNS, columns, error) ||
	    !measured_rows_need_slices(machine, table, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);
		Loads *l = &programs[i];

		if (!read_row(table, i, columns, l, &row->measured, error))
			return FALSE;
		row->program = l;
		row->operation = l->is_chase ? "latency" : "bandwidth";
		row->pattern = g_strdup_printf("%ux%u/%s %u bytes of %u", l->n_blocks,
					       l->n_warps * WARP_THREADS,
					       l->bypass ? "cg" : "ca", l->width, l->footprint);
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
