/* SPDX-License-Identifier: MIT */
/*
 * Two kinds of rows. A single access of a warp (wide-accesses.csv): its trips through the banks. Additions to random
 * words by several warps (shared-loops.csv): conflicts, and what cycles are more than those of integers on the same words,
 * whose row is the reference: the rest of the program is the same.
 */
#include "validate/frame/validate-counters.h"

#include <string.h>

#include "validate/forms/issue-program.h"
#include "validate/frame/validate-cells.h"

#define WARP_LANES    32
#define WORD_BYTES    4
#define MAX_WORDS     1024
#define MAX_ADDS      64
#define NO_ERROR_OF_0 "a count of 0 has no relative error"

/* Adds a point for a count, if it is one. */
static void add_count(Validation *validation, const CsvTable *table, guint i,
		      const char *operation, const char *pattern, double measured,
		      double simulated)
{
	if (measured < VALIDATE_LEAST_CYCLES)
		validate_pass_over(validation, csv_path(table), csv_line(table, i),
				   NO_ERROR_OF_0);
	else
		validate_point_add(validation, csv_path(table), csv_line(table, i), operation,
				   pattern, measured, simulated);
}

/* --- Single accesses --- */

enum { OP, WIDTH, WAVEFRONTS, ADDRESSES, N_ACCESS };

static const char *const access_names[N_ACCESS] = {"op", "width", "wavefronts", "addresses"};

static const struct {
	const char *name;
	IssuePart part;
} kinds[] = {
	{"lds", {.kind = RECORD_LDS}},
	{"sts", {.kind = RECORD_STS}},
};

static gboolean add_access(Validation *validation, const Machine *machine,
			   const CsvTable *table, guint i, const guint *columns, GError **error)
{
	const char *name = csv_cell(table, i, columns[OP]);
	g_autofree char *place = measured_place(table, i);
	g_autofree char *pattern = NULL;
	IssuePart part = {.kind = RECORD_EXIT};
	IssueProgram *program;
	Statistics statistics;
	double measured;
	Lanes lanes;
	guint width;

	for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
		if (strcmp(kinds[k].name, name) == 0)
			part = kinds[k].part;
	if (!measured_whole(table, i, columns[WIDTH], 4, 16, &width, error) ||
	    !csv_number(table, i, columns[WAVEFRONTS], 0, &measured, error) ||
	    !measured_addresses(table, i, columns[ADDRESSES], &lanes, error))
		return FALSE;
	if ((width & (width - 1)) != 0) {
		csv_set_cell_error(table, i, columns[WIDTH], error,
				   "found %u; allowed: 4, 8, 16", width);
		return FALSE;
	}
	if (part.kind == RECORD_EXIT) {
		validate_pass_over(validation, csv_path(table), csv_line(table, i),
				   "its counters count the loop that it is compiled to");
		return TRUE;
	}
	part.width = (uint8_t)width;
	for (guint lane = 0; lane < lanes.n_words; lane++) {
		if (lanes.words[lane] > (ISSUE_SHARED_BYTES - width) / WORD_BYTES) {
			csv_set_cell_error(table, i, columns[ADDRESSES], error,
					   "found word %u; allowed: 0 .. %u", lanes.words[lane],
					   (ISSUE_SHARED_BYTES - width) / WORD_BYTES);
			return FALSE;
		}
		lanes.words[lane] *= WORD_BYTES;
	}
	program = issue_program_new(1, 1);
	issue_program_words(program, 0, &part, lanes.words, lanes.n_words, lanes.mask);
	if (!issue_program_count(program, machine, place, &statistics, error))
		return FALSE;
	pattern = g_strdup_printf("%s of %u bytes/line %u", name, width, csv_line(table, i));
	add_count(validation, table, i, "trips through the banks", pattern, measured,
		  (double)statistics.shared.passes);
	return TRUE;
}

/* --- Loops of additions --- */

enum { TYPE, WARPS, WORDS, ADDS, CONFLICTS, CYCLES, N_LOOP };

static const char *const loop_names[N_LOOP] = {"type",
					       "warps",
					       "words",
					       "adds",
					       "data_bank_conflicts_pipe_lsu_mem_shared.sum",
					       "cycles_active.max"};

#define N_COUNTED (N_LOOP - CONFLICTS)
#define INTEGER	  0

static const struct {
	const char *name;
	ValueType type;
	guint width;
} types[] = {
	{"u32", TYPE_U32, 4}, {"f32", TYPE_F32, 4}, {"f64", TYPE_F64, 8}, {"u64", TYPE_U64, 8}};

typedef struct {
	guint n_warps, n_words, n_adds;
	double counted[N_COUNTED];
} Loop;

/* The next random number, as the program draws them (xorshift). */
static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* The additions of all warps, behind a barrier, on the words that the program draws lane by lane. */
static gboolean count_loop(const Machine *machine, const Loop *loop, guint type,
			   const char *place, Statistics *statistics, GError **error)
{
	const IssuePart part = {.kind = RECORD_ATOM,
				.width = (uint8_t)types[type].width,
				.operation = OPERATION_ADD,
				.type = types[type].type};
	const guint n = loop->n_warps * WARP_LANES * loop->n_adds;
	const Record barrier = {.kind = RECORD_BAR};
	g_autofree uint32_t *targets = g_new(uint32_t, n);
	IssueProgram *program = issue_program_new(1, loop->n_warps);
	uint32_t state = 1;

	for (guint i = 0; i < n; i++)
		targets[i] = next_random(&state) % loop->n_words * types[type].width;
	for (guint warp = 0; warp < loop->n_warps; warp++) {
		issue_program_record(program, warp, &barrier);
		for (guint add = 0; add < loop->n_adds; add++) {
			uint32_t address[WARP_LANES];

			for (guint lane = 0; lane < WARP_LANES; lane++)
				address[lane] =
					targets[(warp * WARP_LANES + lane) * loop->n_adds +
						add];
			issue_program_words(program, warp, &part, address, WARP_LANES,
					    UINT32_MAX);
		}
	}
	return issue_program_count(program, machine, place, statistics, error);
}

static gboolean read_loop(const CsvTable *table, guint i, const guint *columns, guint *type,
			  Loop *loop, GError **error)
{
	const char *name = csv_cell(table, i, columns[TYPE]);

	for (*type = 0; *type < G_N_ELEMENTS(types); (*type)++)
		if (strcmp(types[*type].name, name) == 0)
			break;
	if (*type == G_N_ELEMENTS(types)) {
		csv_set_cell_error(table, i, columns[TYPE], error,
				   "found '%s'; allowed: u32, f32, f64, u64", name);
		return FALSE;
	}
	for (guint c = 0; c < N_COUNTED; c++)
		if (!csv_number(table, i, columns[CONFLICTS + c], 0, &loop->counted[c], error))
			return FALSE;
	return measured_whole(table, i, columns[WARPS], 1, TRACE_MAX_WARPS, &loop->n_warps,
			      error) &&
	       measured_whole(table, i, columns[WORDS], 1, MAX_WORDS, &loop->n_words, error) &&
	       measured_whole(table, i, columns[ADDS], 1, MAX_ADDS, &loop->n_adds, error);
}

/* What was counted of integers on the same words; FALSE: there is no such row. */
static gboolean find_integers(const CsvTable *table, guint i, const guint *columns,
			      double *counted)
{
	for (guint k = 0; k < csv_rows(table); k++) {
		g_autoptr(GError) problem = NULL;
		gboolean same =
			strcmp(csv_cell(table, k, columns[TYPE]), types[INTEGER].name) == 0;

		for (guint c = WARPS; c <= ADDS; c++)
			same &= strcmp(csv_cell(table, k, columns[c]),
				       csv_cell(table, i, columns[c])) == 0;
		for (guint c = 0; same && c < N_COUNTED; c++)
			same = csv_number(table, k, columns[CONFLICTS + c], 0, &counted[c],
					  &problem);
		if (same)
			return TRUE;
	}
	return FALSE;
}

static gboolean add_loop(Validation *validation, const Machine *machine, const CsvTable *table,
			 guint i, const guint *columns, GError **error)
{
	g_autofree char *place = measured_place(table, i);
	g_autofree char *pattern = NULL;
	Statistics own, integers;
	double around[N_COUNTED];
	guint type;
	Loop loop;

	if (!read_loop(table, i, columns, &type, &loop, error) ||
	    !count_loop(machine, &loop, type, place, &own, error))
		return FALSE;
	pattern = g_strdup_printf("%s on %u words/%u warps", types[type].name, loop.n_words,
				  loop.n_warps);
	add_count(validation, table, i, VALIDATE_CONFLICTS, pattern, loop.counted[0],
		  (double)own.shared.conflict_passes);
	if (type == INTEGER || !find_integers(table, i, columns, around))
		return TRUE;
	if (!count_loop(machine, &loop, INTEGER, place, &integers, error))
		return FALSE;
	add_count(validation, table, i, "cycles of the loop", pattern,
		  loop.counted[CYCLES - CONFLICTS] - around[CYCLES - CONFLICTS],
		  (double)own.cycles - (double)integers.cycles);
	return TRUE;
}

/* --- Files --- */

static gboolean has_all(const CsvTable *table, const char *const *names, guint n)
{
	for (guint i = 0; i < n; i++)
		if (csv_column(table, names[i]) < 0)
			return FALSE;
	return TRUE;
}

gboolean validate_is_counters(const CsvTable *table)
{
	return has_all(table, access_names, N_ACCESS) || has_all(table, loop_names, N_LOOP);
}

gboolean validate_add_counters(Validation *validation, const Machine *machine,
			       const CsvTable *table, GError **error)
{
	const gboolean loops = has_all(table, loop_names, N_LOOP);
	guint columns[N_LOOP];

	if (!csv_require_all(table, loops ? loop_names : access_names,
			     loops ? N_LOOP : N_ACCESS, columns, error))
		return FALSE;
	for (guint i = 0; i < csv_rows(table); i++)
		if (!(loops ? add_loop : add_access)(validation, machine, table, i, columns,
						     error))
			return FALSE;
	return TRUE;
}
