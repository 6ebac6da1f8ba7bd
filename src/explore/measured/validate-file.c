/* SPDX-License-Identifier: MIT */
/* Files of measured points: which shape they have, and each row simulated. */
#include "explore/measured/validate.h"

#include <string.h>

#include "base/error.h"
#include "explore/measured/benchmark.h"
#include "base/csv.h"
#include "explore/measured/validate-global.h"
#include "explore/measured/validate-kernel.h"

#define WORD_BYTES    4
#define PATTERNS_NAME "block-patterns.csv"
#define CHAINS_NAME   "warp-latency.csv"
#define MAX_ROUNDS    100000
#define MAX_SHIFT     4096
#define ARRAY_WORDS   8192 /* of the array that the repeated patterns walk in */

/* As `gen pattern` reads them: a word for each lane from lane 0 on, - for an idle one. */
static gboolean parse_addresses(const CsvTable *table, guint row, guint column, Lanes *lanes,
				GError **error)
{
	const guint max_word = TRACE_MAX_SHARED_BYTES / WORD_BYTES - 1;
	LanesFault fault;

	switch (lanes_read(csv_cell(table, row, column), " \t", TRACE_MAX_LANES, max_word,
			   lanes, &fault)) {
	case LANES_GOOD:
		return TRUE;
	case LANES_TOO_MANY:
		csv_set_cell_error(table, row, column, error,
				   "more than %d addresses; a warp has %d lanes",
				   TRACE_MAX_LANES, TRACE_MAX_LANES);
		break;
	case LANES_NO_NUMBER:
		csv_set_cell_error(
			table, row, column, error,
			"address %u is '%s'; allowed: a word index 0 .. %u, or - for "
			"an idle lane",
			fault.lane + 1, fault.found, max_word);
		break;
	case LANES_NONE:
		csv_set_cell_error(table, row, column, error,
				   "no addresses; allowed: 1 to %d word indexes",
				   TRACE_MAX_LANES);
		break;
	}
	return FALSE;
}

static char *place_of(const CsvTable *table, guint row)
{
	return g_strdup_printf("%s:%u", csv_path(table), csv_line(table, row));
}

/* What the row calls its pattern, family before a slash, or its line in a file without such a
   column. */
static char *pattern_of(const CsvTable *table, guint row)
{
	int column = csv_column(table, "pattern");

	return column >= 0 ? g_strdup(csv_cell(table, row, (guint)column))
			   : g_strdup_printf("-/line %u", csv_line(table, row));
}

/* --- One atomic of one warp --- */

static gboolean add_atomics(GPtrArray *points, const Machine *machine, const CsvTable *table,
			    GError **error)
{
	guint cycles = 0, addresses = 0;

	if (!csv_require(table, "cycles", &cycles, error) ||
	    !csv_require(table, "addresses", &addresses, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree char *place = place_of(table, row);
		g_autofree char *pattern = pattern_of(table, row);
		double measured, simulated;
		Lanes lanes;

		if (!csv_number(table, row, cycles, VALIDATE_LEAST_CYCLES, &measured, error) ||
		    !parse_addresses(table, row, addresses, &lanes, error) ||
		    !benchmark_atomic(machine, &lanes, place, &simulated, error))
			return FALSE;
		validate_point_add(points, csv_path(table), csv_line(table, row), "atomic",
				   pattern, measured, simulated);
	}
	return TRUE;
}

/* --- Chains of one warp --- */

static gboolean add_chains(GPtrArray *points, const Machine *machine, const CsvTable *table,
			   GError **error)
{
	guint addresses = 0;

	if (!csv_require(table, "addresses", &addresses, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree char *place = place_of(table, row);
		g_autofree char *pattern = pattern_of(table, row);
		Lanes lanes;

		if (!parse_addresses(table, row, addresses, &lanes, error))
			return FALSE;
		for (const BenchmarkOperation *o = benchmark_operations; o->name; o++) {
			int column = csv_column(table, o->name);
			double measured, simulated;

			if (column < 0)
				continue;
			if (!csv_number(table, row, (guint)column, VALIDATE_LEAST_CYCLES,
					&measured, error) ||
			    !benchmark_chain(machine, o, &lanes, place, &simulated, error))
				return FALSE;
			validate_point_add(points, csv_path(table), csv_line(table, row),
					   o->name, pattern, measured, simulated);
		}
	}
	return TRUE;
}

static gboolean has_chains(const CsvTable *table)
{
	for (const BenchmarkOperation *o = benchmark_operations; o->name; o++)
		if (csv_column(table, o->name) >= 0)
			return TRUE;
	return FALSE;
}

/* --- Blocks --- */

/* A whole number of a cell. */
static gboolean whole(const CsvTable *table, guint row, guint column, guint min, guint max,
		      guint *number, GError **error)
{
	guint64 value = 0;

	if (!g_ascii_string_to_unsigned(csv_cell(table, row, column), 10, min, max, &value,
					NULL)) {
		csv_set_cell_error(table, row, column, error,
				   "found '%s'; allowed: a whole number from %u to %u",
				   csv_cell(table, row, column), min, max);
		return FALSE;
	}
	*number = (guint)value;
	return TRUE;
}

static const BenchmarkOperation *find_operation(const CsvTable *table, guint row, guint column,
						GError **error)
{
	const char *name = csv_cell(table, row, column);
	const BenchmarkOperation *operation = benchmark_operation(name);

	if (operation == NULL)
		csv_set_cell_error(table, row, column, error,
				   "found '%s'; allowed: an operation such as %s or %s", name,
				   benchmark_operations[0].name, benchmark_operations[1].name);
	return operation;
}

static void lanes_free(gpointer data)
{
	g_free(data);
}

static char *step_key(guint number, guint warp, guint step)
{
	return g_strdup_printf("%u %u %u", number, warp, step);
}

/* "case warp step" -> Lanes. g_hash_table_unref. */
static GHashTable *read_patterns(const char *blocks_path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(blocks_path);
	g_autofree char *path = g_build_filename(folder, PATTERNS_NAME, NULL);
	g_autoptr(CsvTable) table = csv_read(path, error);
	g_autoptr(GHashTable) patterns =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, lanes_free);
	guint number = 0, warp = 0, step = 0, addresses = 0;

	if (table == NULL || !csv_require(table, "case", &number, error) ||
	    !csv_require(table, "warp", &warp, error) ||
	    !csv_require(table, "step", &step, error) ||
	    !csv_require(table, "addresses", &addresses, error))
		return NULL;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree Lanes *lanes = g_new(Lanes, 1);
		guint key[3];

		if (!whole(table, row, number, 0, G_MAXINT, &key[0], error) ||
		    !whole(table, row, warp, 0, TRACE_MAX_WARPS - 1, &key[1], error) ||
		    !whole(table, row, step, 0, MAX_ROUNDS, &key[2], error) ||
		    !parse_addresses(table, row, addresses, lanes, error))
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

enum { CASE, DISTRIBUTION, WARPS, ROUNDS, STEPS, OPERATION, DEPENDENT, CYCLES, N_COLUMNS };

static gboolean add_block(GPtrArray *points, const Machine *machine, const CsvTable *table,
			  guint row, const guint *columns, GHashTable *patterns, GError **error)
{
	const BenchmarkOperation *operation =
		find_operation(table, row, columns[OPERATION], error);
	g_autofree char *place = place_of(table, row);
	g_autofree char *pattern = NULL;
	g_autofree Lanes *steps = NULL;
	guint number, n_warps, rounds, n_steps, dependent;
	double measured, simulated;

	if (operation == NULL ||
	    !whole(table, row, columns[CASE], 0, G_MAXINT, &number, error) ||
	    !whole(table, row, columns[WARPS], 1, TRACE_MAX_WARPS, &n_warps, error) ||
	    !whole(table, row, columns[ROUNDS], 1, MAX_ROUNDS, &rounds, error) ||
	    !whole(table, row, columns[STEPS], 1, MAX_ROUNDS, &n_steps, error) ||
	    !whole(table, row, columns[DEPENDENT], 0, 1, &dependent, error) ||
	    !csv_number(table, row, columns[CYCLES], VALIDATE_LEAST_CYCLES, &measured, error))
		return FALSE;
	steps = steps_of(patterns, table, row, columns[CASE], number, n_warps, n_steps, error);
	if (steps == NULL || !benchmark_block(machine, operation, dependent, rounds, n_warps,
					      n_steps, steps, place, &simulated, error))
		return FALSE;
	pattern = g_strdup_printf("%s/%u%s", csv_cell(table, row, columns[DISTRIBUTION]),
				  n_warps, dependent ? "d" : "");
	validate_point_add(points, csv_path(table), csv_line(table, row), operation->name,
			   pattern, measured, simulated);
	return TRUE;
}

static gboolean add_blocks(GPtrArray *points, const Machine *machine, const CsvTable *table,
			   GError **error)
{
	static const char *const names[N_COLUMNS] = {"case",	  "distribution", "warps",
						     "rounds",	  "steps",	  "op",
						     "dependent", "cycles_min"};
	g_autoptr(GHashTable) patterns = NULL;
	guint columns[N_COLUMNS];

	for (guint i = 0; i < N_COLUMNS; i++)
		if (!csv_require(table, names[i], &columns[i], error))
			return FALSE;
	patterns = read_patterns(csv_path(table), error);
	if (patterns == NULL)
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++)
		if (!add_block(points, machine, table, row, columns, patterns, error))
			return FALSE;
	return TRUE;
}

/* --- Warps that repeat one pattern --- */

/* Pattern -> Lanes, from the chains' file of the same folder. g_hash_table_unref. */
static GHashTable *read_named_patterns(const char *path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *chains = g_build_filename(folder, CHAINS_NAME, NULL);
	g_autoptr(CsvTable) table = csv_read(chains, error);
	g_autoptr(GHashTable) patterns =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, lanes_free);
	guint pattern = 0, addresses = 0;

	if (table == NULL || !csv_require(table, "pattern", &pattern, error) ||
	    !csv_require(table, "addresses", &addresses, error))
		return NULL;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree Lanes *lanes = g_new(Lanes, 1);

		if (!parse_addresses(table, row, addresses, lanes, error))
			return NULL;
		g_hash_table_insert(patterns, g_strdup(csv_cell(table, row, pattern)),
				    g_steal_pointer(&lanes));
	}
	return g_steal_pointer(&patterns);
}

enum { REPEAT_OP, REPEAT_PATTERN, REPEAT_WARPS, SHIFT, ITERATIONS, REPEAT_CYCLES, N_REPEAT };

static gboolean add_repeat(GPtrArray *points, const Machine *machine, const CsvTable *table,
			   guint row, const guint *columns, GHashTable *patterns,
			   GError **error)
{
	const char *name = csv_cell(table, row, columns[REPEAT_PATTERN]);
	const Lanes *lanes = g_hash_table_lookup(patterns, name);
	g_autofree char *place = place_of(table, row);
	g_autofree char *pattern = NULL;
	g_autofree Lanes *steps = NULL;
	const BenchmarkOperation *operation =
		find_operation(table, row, columns[REPEAT_OP], error);
	guint n_warps, shift, iterations;
	double measured, simulated;

	if (operation == NULL ||
	    !whole(table, row, columns[REPEAT_WARPS], 1, TRACE_MAX_WARPS, &n_warps, error) ||
	    !whole(table, row, columns[SHIFT], 0, MAX_SHIFT, &shift, error) ||
	    !whole(table, row, columns[ITERATIONS], 1, MAX_ROUNDS, &iterations, error) ||
	    !csv_number(table, row, columns[REPEAT_CYCLES], VALIDATE_LEAST_CYCLES, &measured,
			error))
		return FALSE;
	/* The chains' file may be the part of a set that was not held back. */
	if (lanes == NULL)
		return TRUE;
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
	validate_point_add(points, csv_path(table), csv_line(table, row), operation->name,
			   pattern, measured, simulated);
	return TRUE;
}

static gboolean add_repeats(GPtrArray *points, const Machine *machine, const CsvTable *table,
			    GError **error)
{
	static const char *const names[N_REPEAT] = {"op",	   "pattern",	 "warps",
						    "shift_words", "iterations", "cycles"};
	g_autoptr(GHashTable) patterns = NULL;
	guint columns[N_REPEAT];

	for (guint i = 0; i < N_REPEAT; i++)
		if (!csv_require(table, names[i], &columns[i], error))
			return FALSE;
	patterns = read_named_patterns(csv_path(table), error);
	if (patterns == NULL)
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++)
		if (!add_repeat(points, machine, table, row, columns, patterns, error))
			return FALSE;
	return TRUE;
}

gboolean validate_add_file(GPtrArray *points, const Machine *machine, const char *path,
			   GError **error)
{
	g_autoptr(CsvTable) table = csv_read(path, error);

	if (table == NULL)
		return FALSE;
	if (csv_column(table, "trace") >= 0)
		return validate_add_kernels(points, machine, table, error);
	if (csv_column(table, "case") >= 0)
		return add_blocks(points, machine, table, error);
	if (csv_column(table, "atomics_per_thread") >= 0)
		return validate_add_global(points, machine, table, error);
	if (csv_column(table, "iterations") >= 0)
		return add_repeats(points, machine, table, error);
	if (csv_column(table, "cycles") < 0 && has_chains(table))
		return add_chains(points, machine, table, error);
	return add_atomics(points, machine, table, error);
}
