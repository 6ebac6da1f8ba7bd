/* SPDX-License-Identifier: MIT */
/* Blocks of several warps: cases of random steps, and warps that repeat one pattern. */
#include "validate/forms/validate-blocks.h"

#include "base/csv.h"
#include "base/error.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define PATTERNS_NAME "block-patterns.csv"
#define CHAINS_NAME   "warp-latency.csv"
#define MAX_ROUNDS    100000
#define MAX_SHIFT     4096
#define ARRAY_WORDS   8192 /* of the array that the repeated patterns walk in */

enum { CASE, DISTRIBUTION, WARPS, ROUNDS, STEPS, OPERATION, DEPENDENT, CYCLES, N_COLUMNS };

static const char *const case_names[N_COLUMNS] = {
	"case", "distribution", "warps", "rounds", "steps", "op", "dependent", "cycles_min"};

enum { REPEAT_OP, REPEAT_PATTERN, REPEAT_WARPS, SHIFT, ITERATIONS, REPEAT_CYCLES, N_REPEAT };

static const char *const repeat_names[N_REPEAT] = {"op",	  "pattern",	"warps",
						   "shift_words", "iterations", "cycles"};

/* The table NAME in the folder of another. */
static CsvTable *read_beside(const CsvTable *table, const char *name, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(csv_path(table));
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return csv_read(path, error);
}

/* --- Cases --- */

static void lanes_free(gpointer data)
{
	g_free(data);
}

static char *step_key(guint number, guint warp, guint step)
{
	return g_strdup_printf("%u %u %u", number, warp, step);
}

/* "case warp step" -> Lanes. g_hash_table_unref. */
GHashTable *validate_case_patterns(const CsvTable *cases, GError **error)
{
	static const char *const names[] = {"case", "warp", "step", "addresses"};
	g_autoptr(GHashTable) patterns =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, lanes_free);
	g_autoptr(CsvTable) table = NULL;
	guint columns[N_COLUMNS];

	if (!csv_require_all(cases, case_names, N_COLUMNS, columns, error))
		return NULL;
	table = read_beside(cases, PATTERNS_NAME, error);
	if (table == NULL ||
	    !csv_require_all(table, names, G_N_ELEMENTS(names), columns, error))
		return NULL;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree Lanes *lanes = g_new(Lanes, 1);
		guint key[3];

		if (!measured_whole(table, row, columns[0], 0, G_MAXINT, &key[0], error) ||
		    !measured_whole(table, row, columns[1], 0, TRACE_MAX_WARPS - 1, &key[1],
				    error) ||
		    !measured_whole(table, row, columns[2], 0, MAX_ROUNDS, &key[2], error) ||
		    !measured_addresses(table, row, columns[3], lanes, error))
			return NULL;
		g_hash_table_insert(patterns, step_key(key[0], key[1], key[2]),
				    g_steal_pointer(&lanes));
	}
	return g_steal_pointer(&patterns);
}

/* The steps of all warps of a case, or NULL. g_free. */
static Lanes *steps_of(GHashTable *patterns, const CsvTable *table, guint row, guint column,
		       guint number, guint n_warps, guint n_steps, GError **error)
{
	g_autofree Lanes *steps = g_new(Lanes, (gsize)n_warps * n_steps);

	for (guint i = 0; i < n_warps * n_steps; i++) {
		g_autofree char *key = step_key(number, i / n_steps, i % n_steps);
		const Lanes *lanes = g_hash_table_lookup(patterns, key);

		if (lanes == NULL) {
			csv_set_cell_error(table, row, column, error,
					   "%s has no row of case %u, warp %u, step %u",
					   PATTERNS_NAME, number, i / n_steps, i % n_steps);
			return NULL;
		}
		steps[i] = *lanes;
	}
	return g_steal_pointer(&steps);
}

static gboolean add_case(Validation *validation, const Machine *machine, const CsvTable *table,
			 guint row, const guint *columns, GHashTable *patterns, GError **error)
{
	const BenchmarkOperation *operation =
		measured_operation(table, row, columns[OPERATION], error);
	g_autofree char *place = measured_place(table, row);
	g_autofree char *pattern = NULL;
	g_autofree Lanes *steps = NULL;
	guint number, n_warps, rounds, n_steps, dependent;
	double measured, simulated;

	if (operation == NULL ||
	    !measured_whole(table, row, columns[CASE], 0, G_MAXINT, &number, error) ||
	    !measured_whole(table, row, columns[WARPS], 1, TRACE_MAX_WARPS, &n_warps, error) ||
	    !measured_whole(table, row, columns[ROUNDS], 1, MAX_ROUNDS, &rounds, error) ||
	    !measured_whole(table, row, columns[STEPS], 1, MAX_ROUNDS, &n_steps, error) ||
	    !measured_whole(table, row, columns[DEPENDENT], 0, 1, &dependent, error) ||
	    !csv_number(table, row, columns[CYCLES], VALIDATE_LEAST_CYCLES, &measured, error))
		return FALSE;
	steps = steps_of(patterns, table, row, columns[CASE], number, n_warps, n_steps, error);
	if (steps == NULL || !benchmark_block(machine, operation, dependent, rounds, n_warps,
					      n_steps, steps, place, &simulated, error))
		return FALSE;
	pattern = g_strdup_printf("%s/%u%s", csv_cell(table, row, columns[DISTRIBUTION]),
				  n_warps, dependent ? "d" : "");
	validate_point_add(validation, csv_path(table), csv_line(table, row), operation->name,
			   pattern, measured, simulated);
	return TRUE;
}

gboolean validate_add_cases(Validation *validation, const Machine *machine,
			    const CsvTable *table, GHashTable *patterns, GError **error)
{
	guint columns[N_COLUMNS];

	if (!csv_require_all(table, case_names, N_COLUMNS, columns, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++)
		if (!add_case(validation, machine, table, row, columns, patterns, error))
			return FALSE;
	return TRUE;
}

/* --- Warps that repeat one pattern --- */

/* Pattern -> Lanes, from the chains' file of the same folder. g_hash_table_unref. */
GHashTable *validate_named_patterns(const CsvTable *repeats, GError **error)
{
	g_autoptr(GHashTable) patterns =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, lanes_free);
	g_autoptr(CsvTable) table = NULL;
	guint columns[N_REPEAT], pattern = 0, addresses = 0;

	if (!csv_require_all(repeats, repeat_names, N_REPEAT, columns, error))
		return NULL;
	table = read_beside(repeats, CHAINS_NAME, error);
	if (table == NULL || !csv_require(table, "pattern", &pattern, error) ||
	    !csv_require(table, "addresses", &addresses, error))
		return NULL;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree Lanes *lanes = g_new(Lanes, 1);

		if (!measured_addresses(table, row, addresses, lanes, error))
			return NULL;
		g_hash_table_insert(patterns, g_strdup(csv_cell(table, row, pattern)),
				    g_steal_pointer(&lanes));
	}
	return g_steal_pointer(&patterns);
}

static gboolean add_repeat(Validation *validation, const Machine *machine,
			   const CsvTable *table, guint row, const guint *columns,
			   GHashTable *patterns, GError **error)
{
	const char *name = csv_cell(table, row, columns[REPEAT_PATTERN]);
	const Lanes *lanes = g_hash_table_lookup(patterns, name);
	g_autofree char *place = measured_place(table, row);
	g_autofree char *pattern = NULL;
	g_autofree Lanes *steps = NULL;
	const BenchmarkOperation *operation =
		measured_operation(table, row, columns[REPEAT_OP], error);
	guint n_warps, shift, iterations;
	double measured, simulated;

	if (operation == NULL ||
	    !measured_whole(table, row, columns[REPEAT_WARPS], 1, TRACE_MAX_WARPS, &n_warps,
			    error) ||
	    !measured_whole(table, row, columns[SHIFT], 0, MAX_SHIFT, &shift, error) ||
	    !measured_whole(table, row, columns[ITERATIONS], 1, MAX_ROUNDS, &iterations,
			    error) ||
	    !csv_number(table, row, columns[REPEAT_CYCLES], VALIDATE_LEAST_CYCLES, &measured,
			error))
		return FALSE;
	/* The chains' file may be the part of a set that was not held back. */
	if (lanes == NULL) {
		validate_pass_over(validation, csv_path(table), csv_line(table, row),
				   "its pattern is not in " CHAINS_NAME);
		return TRUE;
	}
	steps = g_new(Lanes, n_warps);
	for (guint warp = 0; warp < n_warps; warp++) {
		steps[warp] = *lanes;
		for (guint i = 0; i < lanes->n_words; i++)
			steps[warp].words[i] = (lanes->words[i] + warp * shift) % ARRAY_WORDS;
	}
	if (!benchmark_repeat(machine, operation, iterations, n_warps, steps, place, &simulated,
			      error))
		return FALSE;
	pattern = g_strdup_printf("%s/%u%s", name, n_warps, shift ? "s" : "");
	validate_point_add(validation, csv_path(table), csv_line(table, row), operation->name,
			   pattern, measured, simulated);
	return TRUE;
}

gboolean validate_add_repeats(Validation *validation, const Machine *machine,
			      const CsvTable *table, GHashTable *patterns, GError **error)
{
	guint columns[N_REPEAT];

	if (!csv_require_all(table, repeat_names, N_REPEAT, columns, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++)
		if (!add_repeat(validation, machine, table, row, columns, patterns, error))
			return FALSE;
	return TRUE;
}
