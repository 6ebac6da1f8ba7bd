/* SPDX-License-Identifier: MIT */
/*
 * Rows of measurements/h200/issue as little programs: chains of dependent instructions, independent ones on some
 * sub-cores, sequences with branches, barriers, fences, and loads of an SM at once. A figure is what the program takes longer than without what is timed.
 */
#include "explore/measured/validate-issue.h"

#include <string.h>

#include "explore/measured/issue-program.h"
#include "explore/measured/validate-cells.h"
#include "explore/measured/validate-rows.h"
#include "explore/measured/validate.h"

#define N_LINKS	      96  /* of a chain, as in the programs */
#define N_INDEPENDENT 128 /* of straight code */
#define N_SUB_CORES   4
#define DELAY_CYCLES  4	 /* an instruction of the chain that delays a warp */
#define N_COPIES      64 /* of a sequence */
#define MAX_COUNT     64
#define MAX_BLOCKS    1024

#define NO_CODE "no program here for its code"

typedef enum {
	TIMED_CHAIN,
	TIMED_PIPE,
	TIMED_SEQUENCE,
	TIMED_BARRIER,
	TIMED_FENCE,
	TIMED_LOADS
} Timed;

/* What a row times. */
typedef struct {
	Timed timed;
	const IssueLink *link;	      /* chain, pipe */
	gboolean uniform;	      /* chain: lanes access one word */
	guint n_sub_cores;	      /* pipe */
	guint n_warps;		      /* pipe: of each sub-core */
	guint late_warp, late_cycles; /* barrier */
	guint n_barriers;
	Scope scope;			/* fence */
	guint n_blocks, n_loads, width; /* loads: of each warp, bytes a lane */
} Row;

/* The program of a row, `with` what is timed or without. */
static IssueProgram *program_of(const Row *row, gboolean with)
{
	guint n_warps = row->timed == TIMED_PIPE    ? N_SUB_CORES * row->n_warps
			: row->timed == TIMED_CHAIN ? 1
						    : row->n_warps;
	IssueProgram *program = issue_program_new(MAX(row->n_blocks, 1), n_warps);
	const Record fence = {.kind = RECORD_FENCE, .scope = (uint8_t)row->scope};
	const Record barrier = {.kind = RECORD_BAR};

	for (guint warp = 0; warp < n_warps; warp++) {
		switch (row->timed) {
		case TIMED_CHAIN:
			issue_program_links(program, warp, row->link,
					    with ? 2 * N_LINKS : N_LINKS, TRUE, row->uniform);
			break;
		case TIMED_PIPE:
			if (with && warp % N_SUB_CORES < row->n_sub_cores)
				issue_program_links(program, warp, row->link, N_INDEPENDENT,
						    FALSE, FALSE);
			break;
		case TIMED_SEQUENCE:
			issue_program_links(program, warp, row->link, with ? N_COPIES : 0, TRUE,
					    FALSE);
			break;
		case TIMED_LOADS:
			if (with)
				issue_program_loads(program, warp, row->n_loads, row->width);
			issue_program_uses(program, warp, row->n_loads);
			break;
		case TIMED_BARRIER:
			if (warp == row->late_warp)
				issue_program_links(program, warp, issue_link("lop3"),
						    row->late_cycles / DELAY_CYCLES, TRUE,
						    FALSE);
			for (guint i = 0; with && i < row->n_barriers; i++)
				issue_program_record(program, warp, &barrier);
			break;
		case TIMED_FENCE:
			if (with)
				issue_program_record(program, warp, &fence);
			break;
		}
	}
	return program;
}

static void simulate(const Machine *machine, const char *place, MeasuredRow *measured)
{
	const Row *row = measured->program;
	double without, with;

	without = issue_program_run(program_of(row, FALSE), machine, place, &measured->error);
	if (without < 0)
		return;
	with = issue_program_run(program_of(row, TRUE), machine, place, &measured->error);
	if (with < 0)
		return;
	measured->simulated = with - without;
	if (row->timed == TIMED_CHAIN)
		measured->simulated /= N_LINKS;
	else if (row->timed == TIMED_SEQUENCE)
		measured->simulated /= N_COPIES;
	else if (row->timed == TIMED_PIPE)
		measured->simulated /= (double)N_INDEPENDENT * row->n_warps;
}

/* --- Rows --- */

/* Fills in a row and what was measured. A row without a program gets no operation. FALSE: a cell is wrong. */
typedef gboolean ReadRow(const CsvTable *table, guint i, const guint *columns, Row *row,
			 MeasuredRow *measured, GError **error);

static gboolean read_chain(const CsvTable *table, guint i, const guint *columns, Row *row,
			   MeasuredRow *measured, GError **error)
{
	const char *name = csv_cell(table, i, columns[0]);
	const char *address = csv_cell(table, i, columns[1]);

	row->timed = TIMED_CHAIN;
	row->link = issue_link(name);
	row->uniform = strcmp(address, "uniform") == 0;
	if (!csv_number(table, i, columns[2], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if (!row->link) {
		measured->why = NO_CODE;
		return TRUE;
	}
	measured->operation = "issue latency";
	measured->pattern = g_strdup_printf("%s/%s", name, address);
	return TRUE;
}

static gboolean read_pipe(const CsvTable *table, guint i, const guint *columns, Row *row,
			  MeasuredRow *measured, GError **error)
{
	const char *name = csv_cell(table, i, columns[0]);

	row->timed = TIMED_PIPE;
	row->link = issue_link(name);
	if (!measured_whole(table, i, columns[1], 1, N_SUB_CORES, &row->n_sub_cores, error) ||
	    !measured_whole(table, i, columns[2], 1, TRACE_MAX_WARPS / N_SUB_CORES,
			    &row->n_warps, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if (!row->link) {
		measured->why = NO_CODE;
		return TRUE;
	}
	measured->operation = "issue throughput";
	measured->pattern = g_strdup_printf("%s/%u sub-cores of %u warps", name,
					    row->n_sub_cores, row->n_warps);
	return TRUE;
}

static gboolean read_barrier(const CsvTable *table, guint i, const guint *columns, Row *row,
			     MeasuredRow *measured, GError **error)
{
	row->timed = TIMED_BARRIER;
	if (!measured_whole(table, i, columns[0], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !measured_whole(table, i, columns[1], 0, row->n_warps - 1, &row->late_warp,
			    error) ||
	    !measured_whole(table, i, columns[2], 0, 1 << 16, &row->late_cycles, error) ||
	    !measured_whole(table, i, columns[3], 1, MAX_COUNT, &row->n_barriers, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->operation = "issue barrier";
	measured->pattern = g_strdup_printf("%u in a row/%u warps, one late by %u",
					    row->n_barriers, row->n_warps, row->late_cycles);
	return TRUE;
}

/* Fences that wait for nothing: what stood before others is not told well enough. */
static gboolean read_fence(const CsvTable *table, guint i, const guint *columns, Row *row,
			   MeasuredRow *measured, GError **error)
{
	static const struct {
		const char *name;
		Scope scope;
	} fences[] = {{"threadfence_block", SCOPE_BLOCK},
		      {"fence.acq_rel.cta", SCOPE_BLOCK},
		      {"threadfence", SCOPE_DEVICE},
		      {"fence.acq_rel.gpu", SCOPE_DEVICE}};
	const char *name = csv_cell(table, i, columns[0]);

	row->timed = TIMED_FENCE;
	if (!measured_whole(table, i, columns[2], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->why = "what stood before the fence is not told well enough";
	for (guint k = 0; k < G_N_ELEMENTS(fences); k++) {
		if (strcmp(name, fences[k].name) != 0 ||
		    strcmp(csv_cell(table, i, columns[1]), "none") != 0)
			continue;
		row->scope = fences[k].scope;
		measured->operation = "issue fence";
		measured->pattern = g_strdup_printf("%s/%u warps", name, row->n_warps);
	}
	return TRUE;
}

static gboolean read_sequence(const CsvTable *table, guint i, const guint *columns, Row *row,
			      MeasuredRow *measured, GError **error)
{
	const char *name = csv_cell(table, i, columns[0]);
	const char *lanes = csv_cell(table, i, columns[2]);

	row->timed = TIMED_SEQUENCE;
	row->link = issue_link(name);
	/* Its guard lets lanes of the warp take it. */
	if (strcmp(name, "ISETP+BRA") == 0 && strcmp(lanes, "0") != 0)
		row->link = issue_link("ISETP+BRA taken");
	if (!row->link) {
		measured->why = NO_CODE;
		return TRUE;
	}
	if (!measured_whole(table, i, columns[1], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->operation = "issue sequence";
	measured->pattern = g_strdup_printf("%s/%u warps, %s lanes", name, row->n_warps, lanes);
	return TRUE;
}

static gboolean read_loads(const CsvTable *table, guint i, const guint *columns, Row *row,
			   MeasuredRow *measured, GError **error)
{
	guint bits;

	row->timed = TIMED_LOADS;
	if (!measured_whole(table, i, columns[0], 1, MAX_BLOCKS, &row->n_blocks, error) ||
	    !measured_whole(table, i, columns[1], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !measured_whole(table, i, columns[2], 1, ISSUE_MAX_LOADS, &row->n_loads, error) ||
	    !measured_whole(table, i, columns[3], 32, 128, &bits, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if ((bits & (bits - 1)) != 0) {
		csv_set_cell_error(table, i, columns[3], error,
				   "found %u; allowed: 32, 64, 128", bits);
		return FALSE;
	}
	row->width = bits / 8;
	measured->operation = "loads in flight";
	measured->pattern = g_strdup_printf("%u blocks/%u warps, %u loads of %u bits",
					    row->n_blocks, row->n_warps, row->n_loads, bits);
	return TRUE;
}

/* --- Files --- */

static const struct {
	const char *columns[5]; /* that its rows are read from */
	guint n_columns;
	ReadRow *read;
} forms[] = {
	{{"chain", "address", "cycles_per_link"}, 3, read_chain},
	{{"class", "sub_cores", "warps_per_sub_core", "cycles_per_op_per_sub_core"},
	 4,
	 read_pipe},
	{{"warps", "late_warp", "late_by", "barriers", "last_leaver_after_last_arrival"},
	 5,
	 read_barrier},
	{{"fence", "before", "warps", "first_max"}, 4, read_fence},
	{{"unit", "warps", "lanes_with_predicate", "cycles_a_copy"}, 4, read_sequence},
	{{"blocks", "warps", "loads_in_flight_per_warp", "bits_per_lane", "all_done"},
	 5,
	 read_loads},
};

/* Place of the form whose columns the table has; -1 if there is none. */
static int form_of(const CsvTable *table)
{
	for (guint f = 0; f < G_N_ELEMENTS(forms); f++) {
		guint n = 0;

		while (n < forms[f].n_columns && csv_column(table, forms[f].columns[n]) >= 0)
			n++;
		if (n == forms[f].n_columns)
			return (int)f;
	}
	return -1;
}

gboolean validate_is_issue(const CsvTable *table)
{
	return form_of(table) >= 0;
}

gboolean validate_add_issue(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error)
{
	g_autoptr(GArray) rows = measured_rows_new(table);
	g_autofree Row *programs = g_new0(Row, MAX(rows->len, 1));
	int form = form_of(table);
	guint columns[G_N_ELEMENTS(forms[0].columns)];

	g_assert(form >= 0);
	if (!csv_require_all(table, forms[form].columns, forms[form].n_columns, columns, error))
		return FALSE;
	for (guint i = 0; i < rows->len; i++) {
		MeasuredRow *row = &g_array_index(rows, MeasuredRow, i);

		row->program = &programs[i];
		if (!forms[form].read(table, i, columns, &programs[i], row, error))
			return FALSE;
	}
	return measured_rows_add(validation, machine, table, rows, simulate, error);
}
