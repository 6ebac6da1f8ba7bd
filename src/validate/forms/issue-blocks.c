/* SPDX-License-Identifier: MIT */
/* What warps of blocks do to each other: barriers, fences, blocks that share an SM, stores behind loads. */
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define DELAY_CYCLES 4 /* an instruction of the chain that delays a warp */
#define MAX_COUNT    64
#define MAX_BLOCKS   1024
#define MAX_WAYS     8
#define WORD_BYTES   4
#define AT_ONCE	     4 /* stores between two groups of loads */
#define MAX_ROUND    255

/* An access of a line of the warp's own. */
typedef struct {
	const char *name;
	IssuePart part;
	guint stride; /* bytes from a lane to the next; 0: one word */
	gboolean none;
} Ahead;

typedef struct {
	guint n_blocks, n_warps;
	guint late_warp, late_cycles;
	guint n_barriers;
	Scope scope;		       /* fence */
	guint n_stores, n_loads, ways; /* loads before each store, their passes */
	guint round;		       /* of fences again and again, */
	const Ahead *ahead;	       /* and what is before each */
} Row;

/* --- Barriers --- */

static IssueProgram *barrier_program(gconstpointer data, gboolean with)
{
	const Row *row = data;
	IssueProgram *program = issue_program_new(row->n_blocks, row->n_warps);
	const Record barrier = {.kind = RECORD_BAR};

	for (guint warp = 0; warp < row->n_warps; warp++) {
		if (warp == row->late_warp)
			issue_program_links(program, warp, issue_link("lop3"),
					    row->late_cycles / DELAY_CYCLES, TRUE, FALSE);
		for (guint i = 0; with && i < row->n_barriers; i++)
			issue_program_record(program, warp, &barrier);
	}
	return program;
}

static gboolean read_barrier(const CsvTable *table, guint i, const guint *columns,
			     gpointer data, MeasuredRow *measured, GError **error)
{
	Row *row = data;

	row->n_blocks = 1;
	if (!measured_whole(table, i, columns[0], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !measured_whole(table, i, columns[1], 0, row->n_warps - 1, &row->late_warp,
			    error) ||
	    !measured_whole(table, i, columns[2], 0, 1 << 16, &row->late_cycles, error) ||
	    !measured_whole(table, i, columns[3], 1, MAX_COUNT, &row->n_barriers, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern = g_strdup_printf("%u in a row/%u warps, one late by %u",
					    row->n_barriers, row->n_warps, row->late_cycles);
	return TRUE;
}

static gboolean read_blocks_barrier(const CsvTable *table, guint i, const guint *columns,
				    gpointer data, MeasuredRow *measured, GError **error)
{
	Row *row = data;

	if (!measured_whole(table, i, columns[0], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !measured_whole(table, i, columns[1], 1, MAX_COUNT, &row->n_blocks, error) ||
	    !measured_whole(table, i, columns[2], 1, MAX_COUNT, &row->n_barriers, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern = g_strdup_printf("%u blocks/%u warps", row->n_blocks, row->n_warps);
	return TRUE;
}

/* --- Fences --- */

static IssueProgram *fence_program(gconstpointer data, gboolean with)
{
	const Row *row = data;
	IssueProgram *program = issue_program_new(1, row->n_warps);
	const Record fence = {.kind = RECORD_FENCE, .scope = (uint8_t)row->scope};

	for (guint warp = 0; with && warp < row->n_warps; warp++)
		issue_program_record(program, warp, &fence);
	return program;
}

/* Fences that wait for nothing: what stood before others is not told well enough. */
static gboolean read_fence(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	static const struct {
		const char *name;
		Scope scope;
	} fences[] = {{"threadfence_block", SCOPE_BLOCK},
		      {"fence.acq_rel.cta", SCOPE_BLOCK},
		      {"threadfence", SCOPE_DEVICE},
		      {"fence.acq_rel.gpu", SCOPE_DEVICE}};
	Row *row = data;
	const char *name = csv_cell(table, i, columns[0]);

	if (!measured_whole(table, i, columns[2], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern = g_strdup_printf("%s/%u warps", name, row->n_warps);
	measured->why = ISSUE_NO_CODE;
	if (strcmp(csv_cell(table, i, columns[1]), "none") != 0) {
		measured->why = "what stood before the fence is not told well enough";
		return TRUE;
	}
	for (guint k = 0; k < G_N_ELEMENTS(fences); k++) {
		if (strcmp(name, fences[k].name) == 0) {
			row->scope = fences[k].scope;
			measured->why = NULL;
		}
	}
	return TRUE;
}

/* --- Fences again and again --- */

static const Ahead aheads[] = {
	{.name = "none", .none = TRUE},
	{"stg-line", {.kind = RECORD_STG, .width = WORD_BYTES}, WORD_BYTES, FALSE},
	{"stg-lane", {.kind = RECORD_STG, .width = WORD_BYTES}, 0, FALSE},
	{"ldg-line",
	 {.kind = RECORD_LDG, .width = WORD_BYTES, .cache = CACHE_BYPASS, .result = TRUE},
	 WORD_BYTES,
	 FALSE},
	{"cas-line",
	 {.kind = RECORD_ATOMG,
	  .width = WORD_BYTES,
	  .operation = OPERATION_CAS,
	  .type = TYPE_U32,
	  .result = TRUE},
	 WORD_BYTES,
	 FALSE},
};

/* The rounds before the one that is timed, and that one: an access, a fence of the device, a store of the clock. */
static IssueProgram *fences_program(gconstpointer data, gboolean with)
{
	static const IssuePart stamp = {.kind = RECORD_STG, .width = 2 * WORD_BYTES};
	static const Record fence = {.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
	const Row *row = data;
	IssueProgram *program = issue_program_new(row->n_blocks, row->n_warps);

	issue_program_buffer(program, (uint64_t)row->n_warps * 2 * LINE_BYTES);
	for (guint warp = 0; warp < row->n_warps; warp++) {
		const uint64_t line = (uint64_t)warp * 2 * LINE_BYTES;

		for (guint i = 0; i < row->round + with; i++) {
			if (!row->ahead->none)
				issue_program_access(
					program, warp, &row->ahead->part,
					&(IssueAccess){.stride = row->ahead->stride,
						       .offset = line});
			issue_program_record(program, warp, &fence);
			issue_program_access(program, warp, &stamp,
					     &(IssueAccess){.offset = line + LINE_BYTES +
								      i % 16 * 2 * WORD_BYTES});
		}
	}
	return program;
}

static gboolean read_fences(const CsvTable *table, guint i, const guint *columns, gpointer data,
			    MeasuredRow *measured, GError **error)
{
	Row *row = data;
	const char *name = csv_cell(table, i, columns[2]);

	if (!measured_whole(table, i, columns[0], 1, MAX_BLOCKS, &row->n_blocks, error) ||
	    !measured_whole(table, i, columns[1], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !measured_whole(table, i, columns[3], 0, MAX_ROUND, &row->round, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	for (guint a = 0; a < G_N_ELEMENTS(aheads); a++)
		if (strcmp(name, aheads[a].name) == 0)
			row->ahead = &aheads[a];
	if (row->ahead == NULL) {
		csv_set_cell_error(table, i, columns[2], error,
				   "found '%s'; allowed: none, stg-line, stg-lane, ldg-line or "
				   "cas-line",
				   name);
		return FALSE;
	}
	if (row->round == 0)
		measured->why = "the first round, whose code and lines come from afar";
	measured->pattern = g_strdup_printf("%u warps/%u blocks, %s, round %u", row->n_warps,
					    row->n_blocks, name, row->round);
	return TRUE;
}

/* --- Stores --- */

/* Groups of stores, each of a line of its own, behind the loads that they wait for. */
static IssueProgram *store_program(gconstpointer data, gboolean with)
{
	static const IssuePart load = {.kind = RECORD_LDS, .width = WORD_BYTES},
			       store = {.kind = RECORD_STG, .width = WORD_BYTES};
	const Row *row = data;
	IssueProgram *program = issue_program_new(row->n_blocks, row->n_warps);

	issue_program_buffer(program, (uint64_t)row->n_warps * row->n_stores * LINE_BYTES);
	for (guint warp = 0; with && warp < row->n_warps; warp++) {
		for (guint i = 0; i < row->n_stores; i++) {
			guint group = MIN(AT_ONCE, row->n_stores - i / AT_ONCE * AT_ONCE);

			for (guint l = 0; i % AT_ONCE == 0 && l < group * row->n_loads; l++)
				issue_program_access(
					program, warp, &load,
					&(IssueAccess){.value = l / row->n_loads,
						       .stride = WORD_BYTES * row->ways});
			issue_program_access(
				program, warp, &store,
				&(IssueAccess){.value = i % AT_ONCE,
					       .stride = WORD_BYTES,
					       .offset = (uint64_t)(warp * row->n_stores + i) *
							 LINE_BYTES});
		}
	}
	return program;
}

static gboolean read_store(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	Row *row = data;

	if (!measured_whole(table, i, columns[0], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !measured_whole(table, i, columns[1], 1, MAX_COUNT, &row->n_stores, error) ||
	    !measured_whole(table, i, columns[2], 0, MAX_COUNT, &row->n_loads, error) ||
	    !measured_whole(table, i, columns[3], 0, MAX_WAYS, &row->ways, error) ||
	    !measured_whole(table, i, columns[4], 1, MAX_BLOCKS, &row->n_blocks, error) ||
	    !csv_number(table, i, columns[5], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern = g_strdup_printf(
		"%u blocks/%u warps, %u stores behind %u loads of %u passes", row->n_blocks,
		row->n_warps, row->n_stores, row->n_loads, row->ways);
	return TRUE;
}

/* --- Forms --- */

const IssueForm issue_forms_blocks[] = {
	{.operation = "issue barrier",
	 .columns = {"warps", "late_warp", "late_by", "barriers",
		     "last_leaver_after_last_arrival"},
	 .n_columns = 5,
	 .row_bytes = sizeof(Row),
	 .read = read_barrier,
	 .program = barrier_program},
	{.operation = "barriers of blocks",
	 .columns = {"warps", "blocks", "barriers", "cycles"},
	 .n_columns = 4,
	 .row_bytes = sizeof(Row),
	 .read = read_blocks_barrier,
	 .program = barrier_program,
	 .one_sm = TRUE},
	{.operation = "issue fence",
	 .columns = {"fence", "before", "warps", "first_max"},
	 .n_columns = 4,
	 .row_bytes = sizeof(Row),
	 .read = read_fence,
	 .program = fence_program},
	{.operation = "fences in a row",
	 .columns = {"blocks", "warps", "before", "round", "cycles"},
	 .n_columns = 5,
	 .row_bytes = sizeof(Row),
	 .read = read_fences,
	 .program = fences_program,
	 .until_end = TRUE,
	 .on_memory_side = TRUE},
	{.operation = "issue stores",
	 .columns = {"warps", "stores", "loads", "ways", "sms", "cycles"},
	 .n_columns = 6,
	 .row_bytes = sizeof(Row),
	 .read = read_store,
	 .program = store_program,
	 .until_end = TRUE,
	 .on_memory_side = TRUE},
};
const guint issue_n_forms_blocks = G_N_ELEMENTS(issue_forms_blocks);
