/* SPDX-License-Identifier: MIT */
/* Accesses of several lines by warps that have loaded them before (measurements/programs/lock-grid.cu, lines). */
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"
#include "model/memory/coalesce.h"

#define MAX_BLOCKS  64
#define MAX_WARPS   32
#define WARP_LINES  32
#define WARP_BYTES  (WARP_LINES * LINE_BYTES)
#define BLOCK_BYTES (MAX_WARPS * WARP_BYTES) /* that are loaded from; as many are written to */
#define WORD_BYTES  4
#define STEPS	    128 /* as in the program */
#define UNROLLED    8

typedef struct {
	const char *name;
	IssuePart parts[2]; /* a step's: of the lines that were loaded, and of others */
	guint n_parts;
	gboolean chain, used; /* each load waits for the one before; all of a round are used */
} LineOp;

#define LOAD(hint)                                                                             \
	{                                                                                      \
		.kind = RECORD_LDG, .width = WORD_BYTES, .cache = hint                         \
	}
#define REDUCTION                                                                              \
	{                                                                                      \
		.kind = RECORD_ATOMG, .width = WORD_BYTES, .operation = OPERATION_ADD,         \
		.type = TYPE_F32                                                               \
	}

static const LineOp ops[] = {
	{"ld-ca", {LOAD(CACHE_NORMAL)}, 1, FALSE, TRUE},
	{"ld-cg", {LOAD(CACHE_BYPASS)}, 1, FALSE, TRUE},
	{"red-f32", {REDUCTION}, 1, FALSE, FALSE},
	{"ld-red", {LOAD(CACHE_NORMAL), REDUCTION}, 2, FALSE, FALSE},
	{"ld-chain", {LOAD(CACHE_NORMAL)}, 1, TRUE, TRUE},
	{"st", {{.kind = RECORD_STG, .width = WORD_BYTES}}, 1, FALSE, FALSE},
};

typedef struct {
	const LineOp *op;
	guint n_blocks, n_warps, n_lines;
} Lines;

static void append_step(IssueProgram *program, guint warp, guint step, const Lines *row)
{
	const guint each = WARP_LINES / row->n_lines, in_round = step % UNROLLED;
	const guint word = row->op->chain ? 0 : step * each % WARP_LINES & ~(each - 1);

	for (guint i = 0; i < row->op->n_parts; i++) {
		const IssuePart *part = &row->op->parts[i];
		const guint loaded = part->kind == RECORD_LDG ? 0 : BLOCK_BYTES;

		issue_program_access(program, warp, part,
				     &(IssueAccess){.value = row->op->chain ? 0 : in_round,
						    .waits = row->op->chain,
						    .lines = row->n_lines,
						    .offset = loaded + warp * WARP_BYTES +
							      word * WORD_BYTES});
	}
	if (row->op->used && in_round == UNROLLED - 1)
		issue_program_uses(program, warp, row->op->chain ? 1 : UNROLLED);
}

/* Each warp loads all its lines and uses them, and the steps behind a barrier. */
static IssueProgram *lines_program(gconstpointer data, gboolean with)
{
	const Lines *row = data;
	const IssuePart load = LOAD(CACHE_NORMAL);
	const Record barrier = {.kind = RECORD_BAR};
	IssueProgram *program = issue_program_new(row->n_blocks, row->n_warps);

	issue_program_buffer(program, 2 * BLOCK_BYTES);
	for (guint warp = 0; warp < row->n_warps; warp++) {
		for (guint line = 0; line < WARP_LINES; line++)
			issue_program_access(program, warp, &load,
					     &(IssueAccess){.value = line % ISSUE_MAX_LOADS,
							    .stride = WORD_BYTES,
							    .offset = warp * WARP_BYTES +
								      line * LINE_BYTES});
		issue_program_uses(program, warp, ISSUE_MAX_LOADS);
		issue_program_record(program, warp, &barrier);
		for (guint step = 0; with && step < STEPS; step++)
			append_step(program, warp, step, row);
	}
	return program;
}

static double lines_copies(gconstpointer row)
{
	(void)row;
	return STEPS;
}

static gboolean read_lines(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	static const guint max[] = {MAX_BLOCKS, MAX_WARPS, WARP_LINES};
	Lines *row = data;
	guint *const numbers[] = {&row->n_blocks, &row->n_warps, &row->n_lines};
	const char *name = csv_cell(table, i, columns[0]);

	for (guint k = 0; k < G_N_ELEMENTS(ops); k++)
		if (strcmp(ops[k].name, name) == 0)
			row->op = &ops[k];
	if (!issue_read_wholes(table, i, columns + 1, max, numbers, 3, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if (WARP_LINES % row->n_lines != 0) {
		csv_set_cell_error(table, i, columns[3], error,
				   "found %u; allowed: 1, 2, 4, 8, 16, 32", row->n_lines);
		return FALSE;
	}
	measured->pattern = g_strdup_printf("%s/%u blocks of %u warps, %u lines", name,
					    row->n_blocks, row->n_warps, row->n_lines);
	if (!row->op)
		measured->why = ISSUE_NO_CODE;
	return TRUE;
}

const IssueForm issue_forms_lines[] = {
	{.operation = "accesses of lines",
	 .columns = {"op", "blocks", "warps", "lines", "cycles"},
	 .n_columns = 5,
	 .row_bytes = sizeof(Lines),
	 .read = read_lines,
	 .program = lines_program,
	 .copies = lines_copies,
	 .until_end = TRUE,
	 .on_memory_side = TRUE},
};
const guint issue_n_forms_lines = G_N_ELEMENTS(issue_forms_lines);
