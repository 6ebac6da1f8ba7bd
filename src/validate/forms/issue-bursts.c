/* SPDX-License-Identifier: MIT */
/*
 * Accesses back to back, and a load behind another warp's. The timed code takes the GPU's clock along: the file's own row of one
 * access says how much that is, and is a reference and no point.
 */
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define WORD_BYTES   4
#define SECTOR_BYTES 32
#define STEP_BYTES   8192 /* from a warp's access to its next, */
#define WARP_BYTES                                                                             \
	(ISSUE_MAX_LOADS * STEP_BYTES) /* and to the next warp's, as in the program */
#define SECTORS_SUFFIX "-32sectors"
#define DELAY_CYCLES   4 /* an instruction of the chain that delays a warp */
#define MAX_DELAY      10000

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

	if (!issue_read_wholes(table, i, columns + 2, max, numbers, 3, error) ||
	    !csv_number(table, i, columns[5], VALIDATE_LEAST_CYCLES, &measured->measured,
			error) ||
	    !issue_find_reference(table, columns, one, &row->one_cycles, error))
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
		measured->why = ISSUE_NO_REFERENCE;
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
		measured->why = ISSUE_NO_REFERENCE;
	return TRUE;
}

/* --- Forms --- */

const IssueForm issue_forms_bursts[] = {
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
const guint issue_n_forms_bursts = G_N_ELEMENTS(issue_forms_bursts);
