/* SPDX-License-Identifier: MIT */
/*
 * Fences in rounds, an access before each, without a clock between: of the block by warps of one block, of the device by those
 * of one and more.
 */
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define WORD_BYTES   4
#define MAX_BLOCKS   1024
#define MAX_ACCESSES 2
#define ROUNDS	     32
#define AHEAD	     4 /* rounds until a value is used anew, as the loop is unrolled */

/* What stands before a fence. */
typedef struct {
	const char *name;
	IssuePart parts[MAX_ACCESSES];
	guint n_parts;
	gboolean used;	 /* what it gives, before the next round, */
	gboolean waits;	 /* or before the fence, as compiled */
	gboolean fences; /* with a fence of the block */
	guint stride;	 /* of what names global memory, a line of the warp's own */
} Before;

typedef struct {
	guint n_blocks, n_warps;
	Scope scope;
	const Before *before;
} Rounds;

#define NEAR_LOAD                                                                              \
	{                                                                                      \
		.kind = RECORD_LDS, .width = WORD_BYTES                                        \
	}
#define NEAR_STORE                                                                             \
	{                                                                                      \
		.kind = RECORD_STS, .width = WORD_BYTES                                        \
	}
#define NEAR_SWAP                                                                              \
	{                                                                                      \
		.kind = RECORD_ATOM, .width = WORD_BYTES, .operation = OPERATION_CAS,          \
		.type = TYPE_U32, .result = TRUE                                               \
	}

static const Before block_befores[] = {
	{.name = "none"},
	{.name = "sts", {NEAR_STORE}, 1},
	{.name = "lds", {NEAR_LOAD}, 1},
	{.name = "lds+sts", {NEAR_LOAD, NEAR_STORE}, 2},
	{.name = "red",
	 {{.kind = RECORD_ATOM,
	   .width = WORD_BYTES,
	   .operation = OPERATION_ADD,
	   .type = TYPE_U32}},
	 1},
	{.name = "cas", {NEAR_SWAP}, 1, .used = TRUE},
	{0},
};
static const Before device_befores[] = {
	{.name = "none"},
	/* The fence of the round before has emptied the first cache (issue-fence-cache.csv). */
	{.name = "ldg",
	 {{.kind = RECORD_LDG, .width = WORD_BYTES, .cache = CACHE_BYPASS}},
	 1,
	 .waits = TRUE,
	 .stride = WORD_BYTES},
	{.name = "stg-lane", {{.kind = RECORD_STG, .width = WORD_BYTES}}, 1},
	{.name = "lds+sts", {NEAR_LOAD, NEAR_STORE}, 2},
	{.name = "atoms", {NEAR_SWAP}, 1, .used = TRUE},
	{.name = "block", .fences = TRUE},
	{0},
};

static void append_round(IssueProgram *program, guint warp, guint i, const Rounds *row)
{
	static const Record of_block = {.kind = RECORD_FENCE, .scope = SCOPE_BLOCK};
	const Record fence = {.kind = RECORD_FENCE, .scope = (uint8_t)row->scope};
	const Before *before = row->before;

	for (guint k = 0; k < before->n_parts; k++) {
		const RecordKind kind = before->parts[k].kind;
		const gboolean far = kind == RECORD_LDG || kind == RECORD_STG;

		issue_program_access(program, warp, &before->parts[k],
				     &(IssueAccess){.value = i % AHEAD,
						    .stride = far ? before->stride : WORD_BYTES,
						    .offset = far ? warp * LINE_BYTES : 0});
	}
	if (before->waits)
		issue_program_uses(program, warp, AHEAD);
	if (before->fences)
		issue_program_record(program, warp, &of_block);
	issue_program_record(program, warp, &fence);
	if (before->used)
		issue_program_uses(program, warp, AHEAD);
}

static IssueProgram *rounds_program(gconstpointer data, gboolean with)
{
	const Rounds *row = data;
	IssueProgram *program = issue_program_new(row->n_blocks, row->n_warps);

	issue_program_buffer(program, (uint64_t)row->n_warps * LINE_BYTES);
	for (guint warp = 0; with && warp < row->n_warps; warp++)
		for (guint i = 0; i < ROUNDS; i++)
			append_round(program, warp, i, row);
	return program;
}

static double rounds_copies(gconstpointer row)
{
	(void)row;
	return ROUNDS;
}

/* NULL and *error: there is none of this name. */
static const Before *find_before(const CsvTable *table, guint i, guint column,
				 const Before *befores, GError **error)
{
	const char *name = csv_cell(table, i, column);

	for (const Before *before = befores; before->name != NULL; before++)
		if (strcmp(before->name, name) == 0)
			return before;
	csv_set_cell_error(table, i, column, error,
			   "found '%s'; no program here makes this before a fence", name);
	return NULL;
}

static gboolean read_block_fences(const CsvTable *table, guint i, const guint *columns,
				  gpointer data, MeasuredRow *measured, GError **error)
{
	const int held_back = csv_column(table, "held_back");
	Rounds *row = data;
	guint fencing;

	row->n_blocks = 1;
	row->scope = SCOPE_BLOCK;
	row->before = find_before(table, i, columns[0], block_befores, error);
	if (row->before == NULL ||
	    !measured_whole(table, i, columns[2], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !measured_whole(table, i, columns[3], 1, row->n_warps, &fencing, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if (fencing < row->n_warps)
		measured->why = "others work without an end meanwhile";
	measured->held_back =
		held_back >= 0 && strcmp(csv_cell(table, i, (guint)held_back), "1") == 0;
	measured->pattern = g_strdup_printf("of the block behind %s/%u warps",
					    row->before->name, row->n_warps);
	return TRUE;
}

static gboolean read_device_fences(const CsvTable *table, guint i, const guint *columns,
				   gpointer data, MeasuredRow *measured, GError **error)
{
	Rounds *row = data;

	row->scope = SCOPE_DEVICE;
	row->before = find_before(table, i, columns[0], device_befores, error);
	if (row->before == NULL ||
	    !measured_whole(table, i, columns[1], 1, MAX_BLOCKS, &row->n_blocks, error) ||
	    !measured_whole(table, i, columns[2], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern = g_strdup_printf("of the device behind %s/%u blocks of %u warps",
					    row->before->name, row->n_blocks, row->n_warps);
	return TRUE;
}

const IssueForm issue_forms_fences[] = {
	{.operation = "rounds of a fence",
	 .columns = {"before", "beside", "warps", "fencing", "cycles"},
	 .n_columns = 5,
	 .row_bytes = sizeof(Rounds),
	 .read = read_block_fences,
	 .program = rounds_program,
	 .copies = rounds_copies,
	 .until_end = TRUE},
	{.operation = "rounds of a fence",
	 .columns = {"before", "blocks", "warps", "cycles"},
	 .n_columns = 4,
	 .row_bytes = sizeof(Rounds),
	 .read = read_device_fences,
	 .program = rounds_program,
	 .copies = rounds_copies,
	 .until_end = TRUE,
	 .on_memory_side = TRUE},
};
const guint issue_n_forms_fences = G_N_ELEMENTS(issue_forms_fences);
