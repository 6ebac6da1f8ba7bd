/* SPDX-License-Identifier: MIT */
/*
 * What single instructions cost: chains of dependent ones, independent ones on some sub-cores, sequences with branches,
 * guards that no lane fulfils.
 */
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define N_LINKS	      96  /* of a chain, as in the programs */
#define N_INDEPENDENT 128 /* of straight code */
#define N_COPIES      64  /* of a sequence */
#define MAX_BODY      64  /* instructions of a branch's side */
#define WARP_LANES    32

typedef struct {
	const IssueLink *link;
	gboolean uniform;    /* chain: lanes access one word */
	guint n_values;	     /* chain of matches: that the lanes hold */
	guint n_sub_cores;   /* straight code */
	guint n_warps;	     /* of each sub-core; of a sequence: all */
	guint ways;	     /* straight code: lanes that meet in a bank; 0: none do */
	gboolean is_empty;   /* no lane fulfils the guard of what is timed */
	guint body, n_first; /* branch: instructions of a side, lanes that go the first */
	gboolean straight;   /* both sides one behind the other, without a branch */
} Row;

/* --- Chains --- */

static IssueProgram *chain_program(gconstpointer data, gboolean with)
{
	const Row *row = data;
	IssueProgram *program = issue_program_new(1, 1);

	issue_program_match_values(program, row->n_values);
	issue_program_links(program, 0, row->link, with ? 2 * N_LINKS : N_LINKS, TRUE,
			    row->uniform);
	return program;
}

static double chain_copies(gconstpointer row)
{
	(void)row;
	return N_LINKS;
}

static gboolean read_chain(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	Row *row = data;
	const char *name = csv_cell(table, i, columns[0]);
	const char *address = csv_cell(table, i, columns[1]);

	row->link = issue_link(name);
	row->uniform = strcmp(address, "uniform") == 0;
	row->n_values = WARP_LANES;
	if (!csv_number(table, i, columns[2], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if (!row->link)
		measured->why = ISSUE_NO_CODE;
	measured->pattern = g_strdup_printf("%s/%s", name, address);
	return TRUE;
}

static gboolean read_match(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	Row *row = data;

	row->link = issue_link("match_any");
	if (!measured_whole(table, i, columns[0], 1, WARP_LANES, &row->n_values, error) ||
	    !csv_number(table, i, columns[1], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern = g_strdup_printf("match_any/%u values", row->n_values);
	return TRUE;
}

/* --- Straight code --- */

/* Accesses whose lanes lie so far apart that they meet in banks. */
static void add_conflicts(IssueProgram *program, guint warp, const Row *row)
{
	const IssuePart *part = &row->link->parts[0];

	for (guint i = 0; i < N_INDEPENDENT; i++)
		issue_program_access(program, warp, part,
				     &(IssueAccess){.value = i % ISSUE_MAX_LOADS,
						    .stride = part->width * row->ways});
}

static IssueProgram *pipe_program(gconstpointer data, gboolean with)
{
	const Row *row = data;
	guint n_warps = ISSUE_N_SUB_CORES * row->n_warps;
	IssueProgram *program = issue_program_new(1, n_warps);

	for (guint warp = 0; with && warp < n_warps; warp++) {
		if (warp % ISSUE_N_SUB_CORES >= row->n_sub_cores)
			continue;
		if (row->is_empty)
			issue_program_empty_accesses(program, warp, N_INDEPENDENT);
		else if (row->ways > 0)
			add_conflicts(program, warp, row);
		else
			issue_program_links(program, warp, row->link, N_INDEPENDENT, FALSE,
					    FALSE);
	}
	return program;
}

static double pipe_copies(gconstpointer row)
{
	return (double)N_INDEPENDENT * ((const Row *)row)->n_warps;
}

/* "lds32/4": a link of shared memory, and how many lanes meet in a bank. */
static gboolean read_ways(const char *name, Row *row)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", 2);
	guint64 ways = 0;

	if (!parts[0] || !parts[1] ||
	    !g_ascii_string_to_unsigned(parts[1], 10, 1, WARP_LANES, &ways, NULL))
		return FALSE;
	row->link = issue_link(parts[0]);
	row->ways = (guint)ways;
	/* In shared memory, within what a warp has of it. */
	if (row->link && (row->link->n_parts != 1 || row->link->parts[0].width == 0 ||
			  row->link->parts[0].width * row->ways > ISSUE_MAX_STRIDE))
		row->link = NULL;
	return TRUE;
}

static gboolean read_pipe(const CsvTable *table, guint i, const guint *columns, gpointer data,
			  MeasuredRow *measured, GError **error)
{
	Row *row = data;
	const char *name = csv_cell(table, i, columns[0]);

	if (!read_ways(name, row))
		row->link = issue_link(name);
	if (!measured_whole(table, i, columns[1], 1, ISSUE_N_SUB_CORES, &row->n_sub_cores,
			    error) ||
	    !measured_whole(table, i, columns[2], 1, TRACE_MAX_WARPS / ISSUE_N_SUB_CORES,
			    &row->n_warps, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if (!row->link)
		measured->why = ISSUE_NO_CODE;
	measured->pattern = g_strdup_printf("%s/%u sub-cores of %u warps", name,
					    row->n_sub_cores, row->n_warps);
	return TRUE;
}

/* With a guard that all lanes fulfil it is as without. */
static gboolean read_guarded(const CsvTable *table, guint i, const guint *columns,
			     gpointer data, MeasuredRow *measured, GError **error)
{
	static const char *const accesses[] = {"lds", "sts", "ldg", "stg"};
	Row *row = data;
	const char *name = csv_cell(table, i, columns[0]);
	const char *lanes = csv_cell(table, i, columns[4]);
	g_autofree char *code = NULL;

	if (!read_pipe(table, i, columns, data, measured, error))
		return FALSE;
	row->is_empty = strcmp(lanes, "none") == 0;
	g_free(measured->pattern);
	measured->pattern = g_strdup_printf("%s of %s/%u sub-cores of %u warps", name, lanes,
					    row->n_sub_cores, row->n_warps);
	measured->why = ISSUE_NO_CODE;
	for (guint k = 0; k < G_N_ELEMENTS(accesses); k++) {
		if (strcmp(name, accesses[k]) != 0)
			continue;
		code = g_strconcat(name, "32", NULL);
		row->link = issue_link(code);
		if (row->is_empty || row->link)
			measured->why = NULL;
	}
	return TRUE;
}

/* --- Sequences --- */

static IssueProgram *sequence_program(gconstpointer data, gboolean with)
{
	const Row *row = data;
	IssueProgram *program = issue_program_new(1, row->n_warps);

	for (guint warp = 0; warp < row->n_warps; warp++)
		issue_program_links(program, warp, row->link, with ? N_COPIES : 0, TRUE, FALSE);
	return program;
}

static double sequence_copies(gconstpointer row)
{
	(void)row;
	return N_COPIES;
}

static gboolean read_sequence(const CsvTable *table, guint i, const guint *columns,
			      gpointer data, MeasuredRow *measured, GError **error)
{
	Row *row = data;
	const char *name = csv_cell(table, i, columns[0]);
	const char *lanes = csv_cell(table, i, columns[2]);

	row->link = issue_link(name);
	/* Its guard lets lanes of the warp take it. */
	if (strcmp(name, "ISETP+BRA") == 0 && strcmp(lanes, "0") != 0)
		row->link = issue_link("ISETP+BRA taken");
	if (!row->link) {
		measured->why = ISSUE_NO_CODE;
		return TRUE;
	}
	if (!measured_whole(table, i, columns[1], 1, TRACE_MAX_WARPS, &row->n_warps, error) ||
	    !csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	measured->pattern = g_strdup_printf("%s/%u warps, %s lanes", name, row->n_warps, lanes);
	return TRUE;
}

/* --- Branches --- */

/* A copy: the first side stands behind the branch and ends in a jump to where both join; lanes of the second take the
   branch. A warp that parts goes the second first, and comes to the join once with each. */
static void append_branch(IssueProgram *program, const Row *row)
{
	const IssueLink *body = issue_link("ffma");
	gboolean parts = row->n_first > 0 && row->n_first < WARP_LANES;

	if (row->straight) {
		issue_program_links(program, 0, body, 2 * row->body, TRUE, FALSE);
		return;
	}
	issue_program_links(program, 0, issue_link("BSSY"), 1, TRUE, FALSE);
	if (row->n_first < WARP_LANES) {
		issue_program_links(program, 0, issue_link("taken BRA"), 1, TRUE, FALSE);
		issue_program_links(program, 0, body, row->body, TRUE, FALSE);
	} else {
		issue_program_links(program, 0, issue_link("BRA not taken, stall 5"), 1, TRUE,
				    FALSE);
	}
	if (parts)
		issue_program_links(program, 0, issue_link("BSYNC"), 1, TRUE, FALSE);
	if (row->n_first > 0) {
		issue_program_links(program, 0, body, row->body, TRUE, FALSE);
		issue_program_links(program, 0, issue_link("taken BRA"), 1, TRUE, FALSE);
	}
	issue_program_links(program, 0, issue_link("BSYNC"), 1, TRUE, FALSE);
}

static IssueProgram *branch_program(gconstpointer data, gboolean with)
{
	IssueProgram *program = issue_program_new(1, 1);

	for (guint i = 0; i < N_COPIES * (with ? 2u : 1u); i++)
		append_branch(program, data);
	return program;
}

static gboolean read_branch(const CsvTable *table, guint i, const guint *columns, gpointer data,
			    MeasuredRow *measured, GError **error)
{
	Row *row = data;
	const char *form = csv_cell(table, i, columns[0]);

	row->straight = strcmp(form, "straight-2m") == 0;
	if (!row->straight && strcmp(form, "if-else") != 0) {
		measured->why = "what the compiler made of it is not known";
		return TRUE;
	}
	measured->pattern =
		g_strdup_printf("%s/%s a side, %s lanes", form, csv_cell(table, i, columns[1]),
				csv_cell(table, i, columns[2]));
	return measured_whole(table, i, columns[1], 1, MAX_BODY, &row->body, error) &&
	       measured_whole(table, i, columns[2], 0, WARP_LANES, &row->n_first, error) &&
	       csv_number(table, i, columns[3], VALIDATE_LEAST_CYCLES, &measured->measured,
			  error);
}

/* --- Forms --- */

const IssueForm issue_forms_pipes[] = {
	{.operation = "issue latency",
	 .columns = {"chain", "address", "cycles_per_link"},
	 .n_columns = 3,
	 .row_bytes = sizeof(Row),
	 .read = read_chain,
	 .program = chain_program,
	 .copies = chain_copies},
	{.operation = "match",
	 .columns = {"values", "cycles"},
	 .n_columns = 2,
	 .row_bytes = sizeof(Row),
	 .read = read_match,
	 .program = chain_program,
	 .copies = chain_copies},
	{.operation = "issue throughput",
	 .columns = {"class", "sub_cores", "warps_per_sub_core", "cycles_per_op_per_sub_core"},
	 .n_columns = 4,
	 .row_bytes = sizeof(Row),
	 .read = read_pipe,
	 .program = pipe_program,
	 .copies = pipe_copies},
	{.operation = "issue guarded",
	 .columns = {"instruction", "sub_cores", "warps_per_sub_core",
		     "cycles_per_op_per_sub_core", "lanes"},
	 .n_columns = 5,
	 .row_bytes = sizeof(Row),
	 .read = read_guarded,
	 .program = pipe_program,
	 .copies = pipe_copies},
	{.operation = "issue sequence",
	 .columns = {"unit", "warps", "lanes_with_predicate", "cycles_a_copy"},
	 .n_columns = 4,
	 .row_bytes = sizeof(Row),
	 .read = read_sequence,
	 .program = sequence_program,
	 .copies = sequence_copies},
	{.operation = "issue branch",
	 .columns = {"form", "ops", "lanes_taking", "cycles_per_copy"},
	 .n_columns = 4,
	 .row_bytes = sizeof(Row),
	 .read = read_branch,
	 .program = branch_program,
	 .copies = sequence_copies},
};
const guint issue_n_forms_pipes = G_N_ELEMENTS(issue_forms_pipes);
