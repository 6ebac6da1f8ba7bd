/* SPDX-License-Identifier: MIT */
/*
 * Points of measurements/programs/load-points.cu: every warp makes some loads, uses them all, and makes the next ones. A figure is
 * the cycles of the whole launch, less those of one without loads.
 */
#include "explore/measured/validate-streams.h"

#include <string.h>

#include "explore/measured/validate-cells.h"
#include "explore/measured/validate-rows.h"
#include "model/coalesce.h"
#include "replay/replay.h"

#define WARP_THREADS  32
#define MAX_WARPS     32
#define MAX_BLOCKS    4096
#define MAX_STEPS     4096
#define MAX_AHEAD     8
#define MAX_FOOTPRINT (1u << 31)
#define NOTHING_KIB   1 /* of any region: no line that counts */

/* What was done with the region before. */
typedef enum {
	STATE_AGAIN, /* a launch of the same shape has loaded it */
	STATE_WRITTEN, /* a kernel of all SMs has written it: each line is in the partition where it is at home */
	STATE_COLD, /* it is in DRAM */
	N_STATES,
} RegionState;

typedef struct {
	gboolean is_random;
	RegionState state;
	gboolean bypass; /* the first cache */
	guint footprint, n_blocks, n_warps, width, ahead, n_steps;
} Streams;

/* --- What waits for what --- */

/* Values: the address, the sum, the loop's counter, and what was loaded. */
enum { ADDRESS, SUM, COUNTER, LOADED, N_VALUES = LOADED + MAX_AHEAD };

static const uint8_t values[N_VALUES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

#define STEP(from, to)                                                                         \
	{                                                                                      \
		.class = CODE_INT, .guard = DATAFLOW_NO_VALUE, .n_reads = 1,                   \
		.reads = &values[from], .n_writes = 1, .writes = &values[to]                   \
	}
#define USE(i)	      STEP(LOADED + (i), SUM)
#define READS_COUNTER .n_reads = 1, .reads = &values[COUNTER]

/* The gaps' operations lie one behind the other. Between two steps: the use of all that was loaded (of fewer loads the last values),
   the loop, which waits for nothing else and has to be through before the next address is made; between two loads that address, which goes round in the region.
   The loop is a comparison and a jump: one warp takes 30 cycles a step beside its loads (streams.csv, 1 x 32, 1 and 8 loads). */
static const CodeOperation code[] = {
	USE(0),
	USE(1),
	USE(2),
	USE(3),
	USE(4),
	USE(5),
	USE(6),
	USE(7),
	STEP(COUNTER, COUNTER),
	{.class = CODE_COMPARE, .guard = DATAFLOW_NO_VALUE, READS_COUNTER},
	{.class = CODE_JUMP, .guard = DATAFLOW_NO_VALUE, READS_COUNTER},
	STEP(ADDRESS, ADDRESS),
	STEP(ADDRESS, ADDRESS),
	/* between two loads: */
	STEP(ADDRESS, ADDRESS),
};

#define NEXT_OPERATIONS 1

enum { GAP_STEP, GAP_NEXT, N_GAPS };

#define SITE(i)                                                                                \
	{                                                                                      \
		.guard = DATAFLOW_NO_VALUE, .n_address = 1, .address = &values[ADDRESS],       \
		.n_writes = 1, .writes = &values[LOADED + (i)]                                 \
	}

static const SiteFlow sites[MAX_AHEAD] = {SITE(0), SITE(1), SITE(2), SITE(3),
					  SITE(4), SITE(5), SITE(6), SITE(7)};

/* --- The program --- */

typedef struct {
	RecordSource source; /* first: the callbacks cast */
	const Streams *streams;
	guint n_steps;
} Program;

typedef struct {
	WarpStream stream; /* first */
	const Program *program;
	uint64_t thread; /* its first, in the grid */
	uint32_t random;
	guint step;
	gboolean loads; /* next; else what is in front of a load */
	gboolean used;	/* all that was loaded */
	gboolean ended;
} LoadStream;

/* The byte of its first lane. */
static uint64_t next_place(LoadStream *self)
{
	const Streams *s = self->program->streams;
	const uint64_t n_threads = (uint64_t)s->n_blocks * s->n_warps * WARP_THREADS;

	if (!s->is_random)
		return (self->step * n_threads + self->thread) * s->width % s->footprint;
	self->random = self->random * 1664525u + 1013904223u;
	return ((uint64_t)self->random * s->footprint >> 32) &
	       ~(uint64_t)(WARP_THREADS * s->width - 1);
}

static void fill_load(LoadStream *self, Record *record)
{
	const Streams *s = self->program->streams;
	const uint64_t place = next_place(self);

	*record = (Record){.kind = RECORD_LDG,
			   .width = (uint8_t)s->width,
			   .result = true,
			   .cache = s->bypass ? CACHE_BYPASS : CACHE_NORMAL,
			   .buffer = 1,
			   .site = 1 + MAX_AHEAD - s->ahead + self->step % s->ahead,
			   .n_lanes = WARP_THREADS,
			   .mask = UINT32_MAX,
			   .count = WARP_THREADS * s->width / LINE_BYTES,
			   .bytes = WARP_THREADS * s->width};
	for (guint i = 0; i < WARP_THREADS; i++)
		record->address[i] = (uint32_t)((place + i * s->width) % s->footprint);
}

static StreamStatus load_next(WarpStream *stream, Record *record)
{
	LoadStream *self = (LoadStream *)stream;
	const guint ahead = self->program->streams->ahead, n_steps = self->program->n_steps;

	if (self->ended)
		return STREAM_END;
	if (self->loads) {
		fill_load(self, record);
		self->step++;
	} else if (self->step < n_steps || !self->used) {
		/* The last loads are used, too. */
		self->used = self->step == n_steps;
		*record = (Record){.kind = RECORD_CODE,
				   .gap = self->step % ahead ? GAP_NEXT : GAP_STEP};
	} else {
		self->ended = TRUE;
		*record = (Record){.kind = RECORD_EXIT};
	}
	self->loads = !self->loads && self->step < n_steps;
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
	stream->thread = (block * program->streams->n_warps + warp) * WARP_THREADS;
	stream->random = (uint32_t)(stream->thread / WARP_THREADS) * 2654435769u;
	return &stream->stream;
}

static void load_block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	const Program *program = (const Program *)source;

	*info = (BlockInfo){.block_id = block, .n_warps = program->streams->n_warps};
}

/* Cycles of a launch of n_steps loads of each warp; negative: it failed. */
static double cycles_of(const Machine *machine, const Streams *streams, guint n_steps,
			const char *place, GError **error)
{
	g_auto(ReplayResult) result = {0};
	const uint64_t bytes = streams->footprint;
	const guint first = MAX_AHEAD - streams->ahead, all = G_N_ELEMENTS(code);
	const Gap gaps[N_GAPS] = {{code + first, all - NEXT_OPERATIONS - first},
				  {code + all - NEXT_OPERATIONS, NEXT_OPERATIONS}};
	const Dataflow flow = {N_VALUES, 0, N_GAPS, gaps, MAX_AHEAD, sites};
	Program program = {.streams = streams, .n_steps = n_steps};
	const Replay replay = {.machine = machine,
			       .source = &program.source,
			       .name = place,
			       .n_sites = MAX_AHEAD,
			       .n_threads = 1};

	program.source = (RecordSource){
		.n_blocks = streams->n_blocks,
		.block_info = load_block_info,
		.open_warp = load_open_warp,
		.kernel = {.n_buffers = 1, .buffer_bytes = &bytes, .dataflow = &flow}};
	return replay_run(&replay, &result, error) ? (double)result.run.statistics.cycles : -1;
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const Streams *streams = row->program;
	L2Parameters l2 = *machine->l2;
	DramParameters dram = *machine->dram;
	Machine found = *machine;
	double before, after;

	found.l2 = &l2;
	found.dram = &dram;
	if (streams->state != STATE_AGAIN)
		l2.copied = 0;
	if (streams->state == STATE_COLD)
		dram.capacity_kib = NOTHING_KIB;
	before = cycles_of(&found, streams, 0, place, &row->error);
	if (before < 0)
		return;
	after = cycles_of(&found, streams, streams->n_steps, place, &row->error);
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

/* Which of n words a cell says. */
static gboolean one_of(const CsvTable *table, guint row, guint column, const char *const *words,
		       guint n, guint *found, GError **error)
{
	const char *cell = csv_cell(table, row, column);
	g_autofree char *allowed = NULL;

	for (guint i = 0; i < n; i++)
		if (strcmp(cell, words[i]) == 0) {
			*found = i;
			return TRUE;
		}
	allowed = g_strjoinv(", ", (char **)words);
	csv_set_cell_error(table, row, column, error, "found '%s'; allowed: %s", cell, allowed);
	return FALSE;
}

static gboolean read_launch(const CsvTable *table, guint row, const guint *columns, Streams *s,
			    GError **error)
{
	guint n_threads;

	if (!measured_whole(table, row, columns[FOOTPRINT], LINE_BYTES, MAX_FOOTPRINT,
			    &s->footprint, error) ||
	    !measured_whole(table, row, columns[BLOCKS], 1, MAX_BLOCKS, &s->n_blocks, error) ||
	    !measured_whole(table, row, columns[THREADS], 1, MAX_WARPS * WARP_THREADS,
			    &n_threads, error) ||
	    !measured_whole(table, row, columns[BYTES], 4, 16, &s->width, error) ||
	    !measured_whole(table, row, columns[AHEAD], 1, MAX_AHEAD, &s->ahead, error) ||
	    !measured_whole(table, row, columns[STEPS], 1, MAX_STEPS, &s->n_steps, error))
		return FALSE;
	if (s->n_steps % s->ahead != 0) {
		csv_set_cell_error(table, row, columns[STEPS], error,
				   "found %u; allowed: a multiple of loads_in_flight, %u",
				   s->n_steps, s->ahead);
		return FALSE;
	}
	s->n_warps = (n_threads + WARP_THREADS - 1) / WARP_THREADS;
	if ((s->width & (s->width - 1)) == 0 && s->footprint % (s->width * WARP_THREADS) == 0)
		return TRUE;
	csv_set_cell_error(
		table, row, columns[BYTES], error,
		"found %u of %u; allowed: 4, 8 or 16 of a whole number of warps' loads",
		s->width, s->footprint);
	return FALSE;
}

static gboolean read_row(const CsvTable *table, guint row, const guint *columns, Streams *s,
			 double *measured, GError **error)
{
	static const char *const orders[] = {"walk", "random", NULL};
	static const char *const states[] = {"again", "written", "cold", NULL};
	static const char *const paths[] = {"ca", "cg", NULL};
	guint order, state, path;

	if (!one_of(table, row, columns[ORDER], orders, 2, &order, error) ||
	    !one_of(table, row, columns[STATE], states, N_STATES, &state, error) ||
	    !one_of(table, row, columns[PATH], paths, 2, &path, error) ||
	    !read_launch(table, row, columns, s, error) ||
	    !csv_number(table, row, columns[CYCLES], VALIDATE_LEAST_CYCLES, measured, error))
		return FALSE;
	s->is_random = order == 1;
	s->state = state;
	s->bypass = path == 1;
	return TRUE;
}

gboolean validate_add_streams(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error)
{
	static const char *const operations[N_STATES] = {"again", "written", "cold"};
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autofree Streams *programs = g_new0(Streams, MAX(rows->len, 1));
	guint columns[N_COLUMNS];

	if (!csv_require_all(table, names, N_COLUMNS, columns, error) ||
	    !measured_rows_need_slices(machine, table, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);
		Streams *s = &programs[i];

		if (!read_row(table, i, columns, s, &row->measured, error))
			return FALSE;
		row->program = s;
		row->operation = operations[s->state];
		row->pattern = g_strdup_printf(
			"%ux%u/%s %s %u bytes of %u: %u of %u loads", s->n_blocks,
			s->n_warps * WARP_THREADS, s->is_random ? "random" : "walk",
			s->bypass ? "cg" : "ca", s->width, s->footprint, s->ahead, s->n_steps);
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
