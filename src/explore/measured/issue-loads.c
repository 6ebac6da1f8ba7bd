/* SPDX-License-Identifier: MIT */
/*
 * Accesses under way together, and loads by where their line is. Where the code around what is timed took the GPU's clock
 * along, the file's own row of one access says how much: those rows are references and no points.
 */
#include <string.h>

#include "explore/measured/issue-form.h"
#include "explore/measured/validate-cells.h"
#include "explore/measured/validate.h"

#define MAX_BLOCKS   1024
#define N_ROUNDS     16 /* as in the program */
#define WARP_LANES   32
#define WORD_BYTES   4
#define SECTOR_BYTES 32
#define STEP_BYTES   8192 /* from a warp's access to its next, */
#define WARP_BYTES                                                                             \
	(ISSUE_MAX_LOADS * STEP_BYTES) /* and to the next warp's, as in the program */
#define SECTORS_SUFFIX "-32sectors"
#define DELAY_CYCLES   4 /* an instruction of the chain that delays a warp */
#define MAX_DELAY      10000
#define N_KEYS	       5 /* columns that name a row which others are compared with */
#define NO_REFERENCE   "the file has no row of one of it alone"

/* Columns of numbers in their range. */
static gboolean read_wholes(const CsvTable *table, guint i, const guint *columns,
			    const guint *max, guint *const *numbers, guint n, GError **error)
{
	for (guint k = 0; k < n; k++)
		if (!measured_whole(table, i, columns[k], 1, max[k], numbers[k], error))
			return FALSE;
	return TRUE;
}

static gboolean read_width(const CsvTable *table, guint i, guint column, guint unit,
			   guint *width, GError **error)
{
	guint number;

	if (!measured_whole(table, i, column, 32 / unit, 128 / unit, &number, error))
		return FALSE;
	if ((number & (number - 1)) != 0) {
		csv_set_cell_error(table, i, column, error, "found %u; allowed: %u, %u, %u",
				   number, 32 / unit, 64 / unit, 128 / unit);
		return FALSE;
	}
	*width = number * unit / 8;
	return TRUE;
}

/* The number in the last of the columns of the row that has `cells` in those before; 0: there is none. */
static gboolean find_reference(const CsvTable *table, const guint *columns,
			       const char *const cells[N_KEYS], double *cycles, GError **error)
{
	*cycles = 0;
	for (guint k = 0; k < csv_rows(table); k++) {
		guint c = 0;

		while (c < N_KEYS && strcmp(csv_cell(table, k, columns[c]), cells[c]) == 0)
			c++;
		if (c == N_KEYS)
			return csv_number(table, k, columns[N_KEYS], VALIDATE_LEAST_CYCLES,
					  cycles, error);
	}
	return TRUE;
}

/* --- Loads under way together --- */

typedef struct {
	guint n_blocks, n_warps, n_loads;
	guint width; /* bytes a lane */
	gboolean hits;
} Loads;

typedef struct {
	Loads loads; /* first: `program` reads no more */
	Loads one;   /* a load of one warp, from the first cache */
	double one_cycles;
} RoundRow;

static IssueProgram *flight_program(gconstpointer data, gboolean with)
{
	const Loads *row = data;
	IssueProgram *program = issue_program_new(row->n_blocks, row->n_warps);

	issue_program_buffer(program,
			     (uint64_t)row->n_loads * row->n_warps * WARP_LANES * row->width);
	for (guint warp = 0; warp < row->n_warps; warp++) {
		if (with)
			issue_program_loads(program, warp, row->n_loads, row->width);
		issue_program_uses(program, warp, row->n_loads);
	}
	return program;
}

static gboolean read_flight(const CsvTable *table, guint i, const guint *columns, gpointer data,
			    MeasuredRow *measured, GError **error)
{
	static const guint max[] = {MAX_BLOCKS, TRACE_MAX_WARPS, ISSUE_MAX_LOADS};
	Loads *row = data;
	guint *const numbers[] = {&row->n_blocks, &row->n_warps, &row->n_loads};

	if (!read_wholes(table, i, columns, max, numbers, 3, error) ||
	    !read_width(table, i, columns[3], 1, &row->width, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern =
		g_strdup_printf("%u blocks/%u warps, %u loads of %u bits", row->n_blocks,
				row->n_warps, row->n_loads, 8 * row->width);
	return TRUE;
}

/* --- Rounds: each warp loads, waits, and loads the next piece --- */

static IssueProgram *round_program(gconstpointer data, gboolean with)
{
	const Loads *row = data;
	const IssuePart load = {.kind = RECORD_LDG, .width = (uint8_t)row->width};
	const guint n_rounds = with ? N_ROUNDS : 0;
	const uint64_t bytes = WARP_LANES * row->width; /* of a load */
	IssueProgram *program = issue_program_new(row->n_blocks, row->n_warps);

	issue_program_buffer(program, N_ROUNDS * row->n_loads * row->n_warps * bytes);
	for (guint warp = 0; warp < row->n_warps; warp++) {
		for (guint round = 0; round < n_rounds; round++) {
			guint first = row->hits ? 0 : round * row->n_loads;

			for (guint l = 0; l < row->n_loads; l++)
				issue_program_access(
					program, warp, &load,
					&(IssueAccess){
						.value = l,
						.stride = row->width,
						.offset = ((first + l) * row->n_warps + warp) *
							  bytes});
			issue_program_uses(program, warp, row->n_loads);
			/* What the loop does with its sum, up to the next address. */
			issue_program_links(program, warp, issue_link("isetp_sel"), 1, TRUE,
					    FALSE);
		}
	}
	return program;
}

static double round_copies(gconstpointer row)
{
	(void)row;
	return N_ROUNDS;
}

static gconstpointer round_reference(gconstpointer row, double *cycles)
{
	const RoundRow *round = row;

	*cycles = round->one_cycles;
	return &round->one;
}

static gboolean read_round(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	static const guint max[] = {ISSUE_MAX_LOADS, MAX_BLOCKS, TRACE_MAX_WARPS};
	RoundRow *row = data;
	Loads *loads = &row->loads;
	guint *const numbers[] = {&loads->n_loads, &loads->n_blocks, &loads->n_warps};
	const char *const one[] = {"l1", csv_cell(table, i, columns[1]), "1", "1", "1"};

	loads->hits = strcmp(csv_cell(table, i, columns[0]), "l1") == 0;
	if (!read_width(table, i, columns[1], 8, &loads->width, error) ||
	    !read_wholes(table, i, columns + 2, max, numbers, 3, error) ||
	    !csv_number(table, i, columns[5], VALIDATE_LEAST_CYCLES, &measured->measured,
			error) ||
	    !find_reference(table, columns, one, &row->one_cycles, error))
		return FALSE;
	row->one = (Loads){1, 1, 1, loads->width, TRUE};
	measured->pattern = g_strdup_printf("%s of %u blocks/%u warps, %u loads of %u bytes",
					    loads->hits ? "l1" : "l2", loads->n_blocks,
					    loads->n_warps, loads->n_loads, loads->width);
	if (row->one_cycles == 0)
		measured->why = NO_REFERENCE;
	else if (loads->hits && loads->n_blocks * loads->n_warps * loads->n_loads == 1)
		measured->why = ISSUE_IS_REFERENCE;
	return TRUE;
}

/* --- Accesses back to back --- */

typedef struct {
	IssuePart part;
	guint stride;
	guint n, n_sub_cores, n_warps; /* of each sub-core */
} Burst;

typedef struct {
	Burst burst; /* first: `program` reads no more */
	Burst one;   /* one access of one warp */
	double one_cycles;
} BurstRow;

static void append_burst(IssueProgram *program, guint warp, guint i, const Burst *row)
{
	issue_program_access(program, warp, &row->part,
			     &(IssueAccess){.value = i,
					    .stride = row->stride,
					    .offset = (uint64_t)warp * WARP_BYTES +
						      (uint64_t)i * STEP_BYTES});
}

/* A round of accesses and the use of what they give, which makes hits of those that can be, and another behind a barrier. */
static IssueProgram *burst_program(gconstpointer data, gboolean with)
{
	const Burst *row = data;
	const Record barrier = {.kind = RECORD_BAR};
	guint n_warps = ISSUE_N_SUB_CORES * row->n_warps;
	IssueProgram *program = issue_program_new(1, n_warps);

	issue_program_buffer(program, (uint64_t)n_warps * WARP_BYTES);
	for (guint warp = 0; warp < n_warps; warp++) {
		gboolean works = warp % ISSUE_N_SUB_CORES < row->n_sub_cores;

		for (guint i = 0; works && i < row->n; i++)
			append_burst(program, warp, i, row);
		if (works)
			issue_program_uses(program, warp, row->n);
		issue_program_record(program, warp, &barrier);
		for (guint i = 0; with && works && i < row->n; i++)
			append_burst(program, warp, i, row);
		if (with && works)
			issue_program_uses(program, warp, row->n);
	}
	return program;
}

static gconstpointer burst_reference(gconstpointer row, double *cycles)
{
	const BurstRow *burst = row;

	*cycles = burst->one_cycles;
	return &burst->one;
}

static const struct {
	const char *name;
	IssuePart part;
	guint stride;
} accesses[] = {
	{"lds32", {.kind = RECORD_LDS, .width = 4}, 4},
	{"lds64", {.kind = RECORD_LDS, .width = 8}, 8},
	{"lds128", {.kind = RECORD_LDS, .width = 16}, 16},
	{"lds32-2way", {.kind = RECORD_LDS, .width = 4}, 8},
	{"lds32-4way", {.kind = RECORD_LDS, .width = 4}, 16},
	{"sts32", {.kind = RECORD_STS, .width = 4}, 4},
	{"sts128", {.kind = RECORD_STS, .width = 16}, 16},
	{"atoms-add",
	 {.kind = RECORD_ATOM, .width = 4, .operation = OPERATION_ADD, .result = TRUE},
	 4},
	{"atoms-add-noresult",
	 {.kind = RECORD_ATOM, .width = 4, .operation = OPERATION_ADD},
	 4},
	{"atoms-add-oneword",
	 {.kind = RECORD_ATOM, .width = 4, .operation = OPERATION_ADD, .result = TRUE},
	 0},
	{"atoms-cas",
	 {.kind = RECORD_ATOM, .width = 4, .operation = OPERATION_CAS, .result = TRUE},
	 4},
	{"ldg32-l1", {.kind = RECORD_LDG, .width = 4}, 4},
	{"ldg64-l1", {.kind = RECORD_LDG, .width = 8}, 8},
	{"ldg128-l1", {.kind = RECORD_LDG, .width = 16}, 16},
	{"ldg32-l1" SECTORS_SUFFIX, {.kind = RECORD_LDG, .width = 4}, SECTOR_BYTES},
	{"ldg32-l2", {.kind = RECORD_LDG, .width = 4, .cache = CACHE_BYPASS}, 4},
	{"ldg128-l2", {.kind = RECORD_LDG, .width = 16, .cache = CACHE_BYPASS}, 16},
	{"ldg32-l2" SECTORS_SUFFIX,
	 {.kind = RECORD_LDG, .width = 4, .cache = CACHE_BYPASS},
	 SECTOR_BYTES},
	{"stg32", {.kind = RECORD_STG, .width = 4}, 4},
	{"red-global", {.kind = RECORD_ATOMG, .width = 4, .operation = OPERATION_ADD}, 4},
};

static gboolean read_burst(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	static const guint max[] = {ISSUE_MAX_LOADS, ISSUE_N_SUB_CORES,
				    TRACE_MAX_WARPS / ISSUE_N_SUB_CORES};
	BurstRow *row = data;
	Burst *burst = &row->burst;
	guint *const numbers[] = {&burst->n, &burst->n_sub_cores, &burst->n_warps};
	const char *name = csv_cell(table, i, columns[0]);
	const char *const one[] = {name, csv_cell(table, i, columns[1]), "1", "1", "1"};
	guint k = 0;

	if (!read_wholes(table, i, columns + 2, max, numbers, 3, error) ||
	    !csv_number(table, i, columns[5], VALIDATE_LEAST_CYCLES, &measured->measured,
			error) ||
	    !find_reference(table, columns, one, &row->one_cycles, error))
		return FALSE;
	while (k < G_N_ELEMENTS(accesses) && strcmp(accesses[k].name, name) != 0)
		k++;
	measured->pattern = g_strdup_printf("%s/%u by %u sub-cores of %u warps", name, burst->n,
					    burst->n_sub_cores, burst->n_warps);
	if (strcmp(csv_cell(table, i, columns[1]), "1") == 0)
		measured->why = "written by hand, without the stall that a compiler gives";
	else if (k == G_N_ELEMENTS(accesses))
		measured->why = ISSUE_NO_CODE;
	else if (row->one_cycles == 0)
		measured->why = NO_REFERENCE;
	else if (burst->n * burst->n_sub_cores * burst->n_warps == 1)
		measured->why = ISSUE_IS_REFERENCE;
	else {
		burst->part = accesses[k].part;
		burst->stride = accesses[k].stride;
		row->one = *burst;
		row->one.n = row->one.n_sub_cores = row->one.n_warps = 1;
	}
	return TRUE;
}

/* --- A load behind another warp's --- */

typedef enum { NOTHING, MISS, HIT, SHARED, SAME_LINE, N_TARGETS } Target;

typedef struct {
	Target first, second;
	guint second_warp, delay;
} Pair;

typedef struct {
	Pair pair; /* first: `program` reads no more */
	Pair alone;
	double alone_cycles;
} PairRow;

static void append_target(IssueProgram *program, guint warp, Target target)
{
	static const IssuePart load = {.kind = RECORD_LDG, .width = WORD_BYTES},
			       near = {.kind = RECORD_LDS, .width = WORD_BYTES};
	static const uint64_t offsets[N_TARGETS] = {[MISS] = STEP_BYTES, [HIT] = 0};
	const uint64_t own = warp == 0 || target == HIT ? 0 : STEP_BYTES;

	if (target == NOTHING)
		return;
	issue_program_access(program, warp, target == SHARED ? &near : &load,
			     &(IssueAccess){.stride = WORD_BYTES,
					    .offset = target == SAME_LINE
							      ? STEP_BYTES
							      : offsets[target] + own});
	issue_program_uses(program, warp, 1);
}

/* The line of the hits is loaded before; then warp 0's load, and the second's so much later, which is watched. */
static IssueProgram *pair_program(gconstpointer data, gboolean with)
{
	const Pair *row = data;
	const Record barrier = {.kind = RECORD_BAR};
	IssueProgram *program = issue_program_new(1, row->second_warp + 1);

	issue_program_buffer(program, 3 * STEP_BYTES);
	if (!with)
		return program;
	for (guint warp = 0; warp <= row->second_warp; warp++) {
		if (warp == 0)
			append_target(program, 0, HIT);
		issue_program_record(program, warp, &barrier);
	}
	append_target(program, 0, row->first);
	issue_program_links(program, row->second_warp, issue_link("lop3"),
			    row->delay / DELAY_CYCLES, TRUE, FALSE);
	issue_program_watch(program);
	append_target(program, row->second_warp, row->second);
	return program;
}

static gconstpointer pair_reference(gconstpointer row, double *cycles)
{
	const PairRow *pair = row;

	*cycles = pair->alone_cycles;
	return &pair->alone;
}

static gboolean read_order(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	static const char *const names[] = {"nothing", "miss", "hit", "shared"};
	PairRow *row = data;
	Pair *pair = &row->pair;
	guint same_sub_core;

	for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
		if (strcmp(csv_cell(table, i, columns[0]), names[k]) == 0)
			pair->first = (Target)k;
		if (strcmp(csv_cell(table, i, columns[1]), names[k]) == 0)
			pair->second = (Target)k;
	}
	if (!measured_whole(table, i, columns[2], 0, 1, &same_sub_core, error) ||
	    !measured_whole(table, i, columns[3], 0, MAX_DELAY, &pair->delay, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	pair->second_warp = same_sub_core ? ISSUE_N_SUB_CORES : 1;
	measured->pattern =
		g_strdup_printf("%s behind %s/%u later%s", csv_cell(table, i, columns[1]),
				csv_cell(table, i, columns[0]), pair->delay,
				same_sub_core ? ", same sub-core" : "");
	row->alone = *pair;
	row->alone.first = NOTHING;
	for (guint k = 0; k < csv_rows(table) && row->alone_cycles == 0; k++)
		if (strcmp(csv_cell(table, k, columns[0]), names[NOTHING]) == 0 &&
		    strcmp(csv_cell(table, k, columns[1]), csv_cell(table, i, columns[1])) ==
			    0 &&
		    !csv_number(table, k, columns[4], VALIDATE_LEAST_CYCLES, &row->alone_cycles,
				error))
			return FALSE;
	if (pair->first == NOTHING)
		measured->why = ISSUE_IS_REFERENCE;
	else if (pair->second == NOTHING || row->alone_cycles == 0)
		measured->why = NO_REFERENCE;
	return TRUE;
}

/* --- Forms --- */

const IssueForm issue_forms_loads[] = {
	{.operation = "loads in flight",
	 .columns = {"blocks", "warps", "loads_in_flight_per_warp", "bits_per_lane",
		     "all_done"},
	 .n_columns = 5,
	 .row_bytes = sizeof(Loads),
	 .read = read_flight,
	 .program = flight_program},
	{.operation = "rounds",
	 .columns = {"from", "bytes", "loads", "blocks", "warps", "most"},
	 .n_columns = 6,
	 .row_bytes = sizeof(RoundRow),
	 .read = read_round,
	 .program = round_program,
	 .copies = round_copies,
	 .reference = round_reference,
	 .on_memory_side = TRUE},
	{.operation = "accesses back to back",
	 .columns = {"access", "stall", "n", "sub_cores", "warps_per_sub_core", "all_done"},
	 .n_columns = 6,
	 .row_bytes = sizeof(BurstRow),
	 .read = read_burst,
	 .program = burst_program,
	 .reference = burst_reference,
	 .until_end = TRUE,
	 .on_memory_side = TRUE},
	{.operation = "loads behind others",
	 .columns = {"first", "second", "same_sub_core", "delay", "cycles"},
	 .n_columns = 5,
	 .row_bytes = sizeof(PairRow),
	 .read = read_order,
	 .program = pair_program,
	 .reference = pair_reference,
	 .on_memory_side = TRUE},
};
const guint issue_n_forms_loads = G_N_ELEMENTS(issue_forms_loads);
