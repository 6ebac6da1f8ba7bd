/* SPDX-License-Identifier: MIT */
/*
 * The programs behind measurements/h200/global-loads.csv. A figure is what so many steps more take, so that what
 * begins and ends a kernel is not in it.
 */
#include "validate/forms/validate-loads.h"

#include "validate/forms/load-loop.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate-rows.h"
#include "model/memory/coalesce.h"

#define MAX_WARPS      32
#define MAX_FOOTPRINT  (1u << 30)
#define MAX_BLOCKS     4096
#define CHASE_STEPS    2048
#define MAX_WARM_STEPS 4096
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

typedef struct {
	LoadLoop loop;
	uint32_t footprint;
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

static gboolean is_chase(const Loads *loads)
{
	return loads->loop.order == LOADS_CHASE;
}

/* Bytes that the loads go round in: what the L2 holds of streams has been loaded before, and lies in both its halves; of what it cannot
   hold they have pushed out each line when they come by again. */
static uint32_t reached(const Loads *loads)
{
	const LoadLoop *l = &loads->loop;
	const uint64_t bytes =
		(uint64_t)l->n_blocks * l->n_warps * LOAD_LOOP_LANES * l->width * STREAM_LOADS;

	return !is_chase(loads) && bytes <= L2_BYTES ? MIN(COPIED_BYTES, loads->footprint)
						     : loads->footprint;
}

static guint stream_steps(const LoadLoop *l)
{
	return STREAM_STEPS * CLAMP(MAX_WARPS / l->n_warps, 1, MORE_STEPS);
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *row)
{
	const Loads *loads = row->program;
	const LoadLoop *l = &loads->loop;
	guint warm = is_chase(loads) ? MIN(loads->footprint / LINE_BYTES, MAX_WARM_STEPS)
				     : stream_steps(l);
	guint more = is_chase(loads) ? CHASE_STEPS : stream_steps(l);
	double before, after;
	guint n_sms = MIN(l->n_blocks, machine->sm.count);

	before = load_loop_cycles(machine, l, warm, place, &row->error);
	if (before < 0)
		return;
	after = load_loop_cycles(machine, l, warm + more, place, &row->error);
	if (after < 0)
		return;
	row->simulated = is_chase(loads) ? (after - before) / more
					 : (double)l->n_blocks * l->n_warps * LOAD_LOOP_LANES *
						   l->width * more / (after - before) / n_sms;
}

/* --- Rows --- */

enum { KIND, PATH, FOOTPRINT, BLOCKS, THREADS, BYTES, VALUE, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"kind", "path", "footprint_bytes", "blocks", "threads", "bytes_per_lane", "value"};

static const char *const kinds[] = {"bandwidth", "latency", NULL};
static const char *const paths[] = {"ca", "cg", NULL};

static gboolean read_row(const CsvTable *table, guint row, const guint *columns, Loads *loads,
			 double *measured, GError **error)
{
	LoadLoop *l = &loads->loop;
	guint n_threads, kind, path;

	if (!measured_word(table, row, columns[KIND], kinds, &kind, error) ||
	    !measured_word(table, row, columns[PATH], paths, &path, error) ||
	    !measured_whole(table, row, columns[FOOTPRINT], LINE_BYTES, MAX_FOOTPRINT,
			    &loads->footprint, error) ||
	    !measured_whole(table, row, columns[BLOCKS], 1, MAX_BLOCKS, &l->n_blocks, error) ||
	    !measured_whole(table, row, columns[THREADS], 1, TRACE_MAX_WARPS * LOAD_LOOP_LANES,
			    &n_threads, error) ||
	    !measured_whole(table, row, columns[BYTES], 4, 16, &l->width, error) ||
	    !csv_number(table, row, columns[VALUE], VALIDATE_LEAST_CYCLES, measured, error))
		return FALSE;
	if ((l->width & (l->width - 1)) != 0 || loads->footprint % LINE_BYTES != 0) {
		csv_set_cell_error(table, row, columns[BYTES], error,
				   "found %u of %u; allowed: 4, 8 or 16 of whole lines of %d",
				   l->width, loads->footprint, LINE_BYTES);
		return FALSE;
	}
	l->n_warps = (n_threads + LOAD_LOOP_LANES - 1) / LOAD_LOOP_LANES;
	l->bypass = path == 1;
	l->order = kind == 1 ? LOADS_CHASE : LOADS_WALK;
	l->flow = kind == 1 ? &chase_flow : &stream_flow;
	l->ahead = l->flow->n_sites;
	l->bytes = reached(loads);
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
		Loads *loads = &programs[i];
		const LoadLoop *l = &loads->loop;

		if (!read_row(table, i, columns, loads, &row->measured, error))
			return FALSE;
		row->program = loads;
		row->operation = kinds[is_chase(loads)];
		row->pattern = g_strdup_printf("%ux%u/%s %u bytes of %u", l->n_blocks,
					       l->n_warps * LOAD_LOOP_LANES, paths[l->bypass],
					       l->width, loads->footprint);
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
