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
#define MAX_WARPS      32
#define MAX_FOOTPRINT  (1u << 30)
#define MAX_BLOCKS     4096
#define CHASE_STEPS    2048
#define MAX_WARM_STEPS 4096
#define CHASE_STRIDE   7919u /* lines; odd, so that a chase comes by every line of 2^n */
#define STREAM_STEPS                                                                           \
	36 /* of 32 warps a block; fewer take more, so that no SM is the slowest by chance */
#define MORE_STEPS 4
/* Loads that a warp of the streams has under way, and loads that it makes in all: neither is known, for the program is not kept.
   One warp of one SM gets a load in 54 cycles and one of 132 SMs in 58, whatever `loads_in_flight` says, and one takes 310 to 350; and
   132 blocks of 128 threads find theirs in the L2 with 4 bytes a lane, and not with 8. */
#define AHEAD	     6
#define STREAM_LOADS 400
#define L2_BYTES     (50u << 20)
#define COPIED_BYTES (8u << 20)
/* A chase that may hit the first cache comes by so many lines for the first time: at 2 MiB it takes 287 cycles a load as one past that
   cache does, from 8 MiB on what touch.csv has for first passes. The chase past it came behind, for the first time by no line. */
#define FIRST_BYTES (8u << 20)

typedef struct {
	gboolean is_chase;
	gboolean bypass; /* the first cache */
	uint32_t footprint;
	guint n_blocks, n_warps; /* of a block */
	guint width;
} Loads;

/* --- What waits for what --- */

/* Values: the index, from which the next one is made, the sum, the loop's counters, and what was loaded. */
enum { INDEX, SUM, COUNTER, LOADED, N_VALUES = LOADED + AHEAD };

static const uint8_t values[N_VALUES] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

#define READS(value)  .n_reads = 1, .reads = &values[value]
#define WRITES(value) .n_writes = 1, .writes = &values[value]
#define STEP(name, from, to)                                                                   \
	{                                                                                      \
		.class = CODE_##name, .guard = DATAFLOW_NO_VALUE, READS(from), WRITES(to)      \
	}
/* A chase: the next address. */
static const CodeOperation chase_code[] = {STEP(MUL, INDEX, INDEX), STEP(INT, INDEX, INDEX)};

/* A stream: the use of what was loaded AHEAD loads before, the next index, and what else is in the loop: a load takes a sub-core 18 cycles
   (1x1024, 4 and 8 bytes), as eight integer instructions do. */
#define STREAM_CODE(i)                                                                         \
	{                                                                                      \
		STEP(INT, LOADED + i, SUM), STEP(INT, INDEX, INDEX), STEP(INT, INDEX, INDEX),  \
			STEP(INT, INDEX, INDEX), STEP(INT, COUNTER, COUNTER),                  \
			STEP(INT, COUNTER, COUNTER), STEP(INT, COUNTER, COUNTER),              \
			STEP(INT, COUNTER, COUNTER)                                            \
	}

static const CodeOperation stream_code[AHEAD][8] = {STREAM_CODE(0), STREAM_CODE(1),
						    STREAM_CODE(2), STREAM_CODE(3),
						    STREAM_CODE(4), STREAM_CODE(5)};

#define GAP(code)                                                                              \
	{                                                                                      \
		code, G_N_ELEMENTS(code)                                                       \
	}

static const Gap chase_gaps[] = {GAP(chase_code)};
static const Gap stream_gaps[AHEAD] = {GAP(stream_code[0]), GAP(stream_code[1]),
				       GAP(stream_code[2]), GAP(stream_code[3]),
				       GAP(stream_code[4]), GAP(stream_code[5])};

#define SITE(value)                                                                            \
	{                                                                                      \
		.guard = DATAFLOW_NO_VALUE, .n_address = 1, .address = &values[INDEX],         \
		.n_writes = 1, .writes = &values[value]                                        \
	}

static const SiteFlow chase_sites[] = {SITE(INDEX)};
static const SiteFlow stream_sites[AHEAD] = {SITE(LOADED),     SITE(LOADED + 1),
					     SITE(LOADED + 2), SITE(LOADED + 3),
					     SITE(LOADED + 4), SITE(LOADED + 5)};

static const Dataflow chase_flow = {
	N_VALUES,   0, G_N_ELEMENTS(chase_gaps), chase_gaps, G_N_ELEMENTS(chase_sites),
	chase_sites};
static const Dataflow stream_flow = {
	N_VALUES,    0, G_N_ELEMENTS(stream_gaps), stream_gaps, G_N_ELEMENTS(stream_sites),
	stream_sites};

/* --- The program --- */

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
	gboolean loads, ended; /* next */
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
			   .site = 1 + (l->is_chase ? 0 : self->step % AHEAD),
			   .n_lanes = (uint8_t)n_lanes,
			   .mask = l->is_chase ? 1 : UINT32_MAX,
			   .count = MAX(n_lanes * l->width / LINE_BYTES, 1),
			   .bytes = n_lanes * l->width};
	for (guint i = 0; i < n_lanes; i++)
		record->address[i] =
			l->is_chase ? self->step * CHASE_STRIDE % (l->footprint / LINE_BYTES) *
					      LINE_BYTES
				    : (uint32_t)((self->step * n_threads + self->thread + i) *
						 l->width % self->program->buffer_bytes);
}

static StreamStatus load_next(WarpStream *stream, Record *record)
{
	LoadStream *self = (LoadStream *)stream;
	const Program *program = self->program;

	if (self->ended)
		return STREAM_END;
	if (self->loads) {
		self->loads = FALSE;
		fill_load(self, record);
		self->step++;
	} else if (self->step < program->n_steps) {
		self->loads = TRUE;
		*record = (Record){.kind = RECORD_CODE,
				   .gap = program->loads->is_chase ? 0 : self->step % AHEAD};
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

/* Bytes that the loads go round in: what the L2 holds of streams has been loaded before, and lies in both its halves; of what it cannot
   hold they have pushed out each line when they come by again. */
static uint32_t reached(const Loads *l)
{
	const uint64_t bytes =
		(uint64_t)l->n_blocks * l->n_warps * WARP_THREADS * l->width * STREAM_LOADS;

	return !l->is_chase && bytes <= L2_BYTES ? MIN(COPIED_BYTES, l->footprint)
						 : l->footprint;
}

/* Cycles of n_steps loads of each warp; negative: it failed. */
static double cycles_of(const Machine *machine, const Loads *loads, guint n_steps,
			const char *place, GError **error)
{
	g_auto(ReplayResult) result = {0};
	Program program = {.loads = loads, .buffer_bytes = reached(loads), .n_steps = n_steps};
	const Replay replay = {.machine = machine,
			       .source = &program.source,
			       .name = place,
			       .n_sites = AHEAD,
			       .n_threads = 1};

	program.source = (RecordSource){
		.n_blocks = loads->n_blocks,
		.block_info = load_block_info,
		.open_warp = load_open_warp,
		.kernel = {.n_buffers = 1,
			   .buffer_bytes = &program.buffer_bytes,
			   .dataflow = loads->is_chase ? &chase_flow : &stream_flow}};
	return replay_run(&replay, &result, error) ? (double)result.run.statistics.cycles : -1;
}

static guint stream_steps(const Loads *l)
{
	return STREAM_STEPS * CLAMP(MAX_WARPS / l->n_warps, 1, MORE_STEPS);
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const Loads *l = row->program;
	L2Parameters l2 = *machine->l2;
	DramParameters dram = *machine->dram;
	Machine found = *machine;
	guint warm =
		l->is_chase ? MIN(l->footprint / LINE_BYTES, MAX_WARM_STEPS) : stream_steps(l);
	guint more = l->is_chase ? CHASE_STEPS : stream_steps(l);
	double before, after;
	guint n_sms = MIN(l->n_blocks, machine->sm.count);

	found.l2 = &l2;
	found.dram = &dram;
	if (l->is_chase && !l->bypass && l->footprint >= FIRST_BYTES) {
		l2.copied = 0;
		/* Nothing but the ring has been written since, and no copies are in its way. */
		dram.capacity_kib = L2_BYTES >> 10;
	}
	before = cycles_of(&found, l, warm, place, &row->error);
	if (before < 0)
		return;
	after = cycles_of(&found, l, warm + more, place, &row->error);
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
