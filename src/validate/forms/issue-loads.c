/* SPDX-License-Identifier: MIT */
/*
 * Loads under way together, and in rounds. Where the code around what is timed took the GPU's clock
 * along, the file's own row of one access says how much: those rows are references and no points.
 */
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define MAX_BLOCKS 1024
#define N_ROUNDS   16 /* as in the program */
#define WARP_LANES 32

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

	if (!issue_read_wholes(table, i, columns, max, numbers, 3, error) ||
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
	    !issue_read_wholes(table, i, columns + 2, max, numbers, 3, error) ||
	    !csv_number(table, i, columns[5], VALIDATE_LEAST_CYCLES, &measured->measured,
			error) ||
	    !issue_find_reference(table, columns, one, &row->one_cycles, error))
		return FALSE;
	row->one = (Loads){1, 1, 1, loads->width, TRUE};
	measured->pattern = g_strdup_printf("%s of %u blocks/%u warps, %u loads of %u bytes",
					    loads->hits ? "l1" : "l2", loads->n_blocks,
					    loads->n_warps, loads->n_loads, loads->width);
	if (row->one_cycles == 0)
		measured->why = ISSUE_NO_REFERENCE;
	else if (loads->hits && loads->n_blocks * loads->n_warps * loads->n_loads == 1)
		measured->why = ISSUE_IS_REFERENCE;
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
};
const guint issue_n_forms_loads = G_N_ELEMENTS(issue_forms_loads);
