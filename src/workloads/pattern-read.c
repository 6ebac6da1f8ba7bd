/* SPDX-License-Identifier: MIT */
#include "workloads/pattern.h"

#include "base/csv.h"
#include "base/error.h"
#include "base/npy.h"
#include "workloads/emit.h"
#include "workloads/indices.h"

/* Reads "0 1024 - 3": an element a lane, - for an idle lane. Returns NULL, or what is wrong
   (g_free). */
static char *parse_pattern(const char *text, uint32_t n_elements, Lanes *pattern)
{
	LanesFault fault;

	switch (lanes_read(text, " ,\t\r\n", WARP_LANES, n_elements - 1, pattern, &fault)) {
	case LANES_TOO_MANY:
		return g_strdup_printf("more than %d lanes found; allowed: 1 to %d", WARP_LANES,
				       WARP_LANES);
	case LANES_NO_NUMBER:
		return g_strdup_printf("lane %u: '%s' found; allowed: 0 to %u, or - for an "
				       "idle lane",
				       fault.lane, fault.found, n_elements - 1);
	case LANES_NONE:
		return g_strdup(
			"no address found; allowed: 1 to 32 lanes, at least one active");
	case LANES_GOOD:
		break;
	}
	return NULL;
}

void patterns_init(Patterns *patterns)
{
	patterns->accesses = g_array_new(FALSE, FALSE, sizeof(Lanes));
	patterns->ends = g_array_new(FALSE, FALSE, sizeof(guint));
}

void patterns_clear(Patterns *patterns)
{
	g_array_unref(patterns->accesses);
	g_array_unref(patterns->ends);
}

static void end_warp(Patterns *patterns)
{
	g_array_append_val(patterns->ends, patterns->accesses->len);
}

/* A warp's: "0 1024 - 3", or several with | between them. Returns NULL, or what is wrong (g_free). */
static char *add_warp(Patterns *patterns, const char *text, uint32_t n_elements)
{
	g_auto(GStrv) parts = g_strsplit(text, "|", -1);
	const guint n = g_strv_length(parts);

	for (guint i = 0; i < MAX(n, 1); i++) {
		Lanes access;
		g_autofree char *problem =
			parse_pattern(n > 0 ? parts[i] : "", n_elements, &access);

		if (problem && n > 1)
			return g_strdup_printf("access %u: %s", i + 1, problem);
		if (problem)
			return g_steal_pointer(&problem);
		g_array_append_val(patterns->accesses, access);
	}
	end_warp(patterns);
	return NULL;
}

static gboolean parse_option(const char *text, uint32_t n_elements, Patterns *patterns,
			     GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ";", -1);

	for (guint i = 0; parts[i]; i++) {
		g_autofree char *problem = add_warp(patterns, parts[i], n_elements);

		if (problem)
			return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
					    "--addresses: pattern %u: %s", i + 1, problem);
	}
	return TRUE;
}

/* A row a thread, a column for each of its accesses, one after the other. */
static void add_threads(const gint64 *values, gsize rows, gsize columns, Patterns *patterns)
{
	for (gsize first = 0; first < rows; first += WARP_LANES) {
		for (gsize column = 0; column < columns; column++) {
			Lanes access = {0};

			for (guint lane = 0; lane < WARP_LANES && first + lane < rows; lane++) {
				const gint64 word = values[(first + lane) * columns + column];

				if (word < 0)
					continue;
				access.mask |= (LaneMask)1 << lane;
				access.words[access.n_words++] = (uint32_t)word;
			}
			if (access.n_words > 0)
				g_array_append_val(patterns->accesses, access);
		}
		end_warp(patterns);
	}
}

/* Warps of an index a thread. */
static gboolean add_indices(const CsvTable *table, uint32_t n_elements, Patterns *patterns,
			    GError **error)
{
	g_autoptr(GArray) indices = g_array_new(FALSE, FALSE, sizeof(int64_t));

	if (!indices_append(table, (int64_t)n_elements - 1, indices, error))
		return FALSE;
	add_threads((const gint64 *)(const void *)indices->data, indices->len, 1, patterns);
	return TRUE;
}

static gboolean parse_table(const char *path, uint32_t n_elements, Patterns *patterns,
			    GError **error)
{
	g_autoptr(CsvTable) table = csv_read(path, error);
	guint column;

	if (table && csv_column(table, "addresses") < 0 && indices_are_in(table))
		return add_indices(table, n_elements, patterns, error);
	if (!table || !csv_require(table, "addresses", &column, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree char *problem =
			add_warp(patterns, csv_cell(table, row, column), n_elements);

		if (problem)
			return csv_fail_cell(table, row, column, error, "%s", problem);
	}
	if (patterns->ends->len == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: no row found; allowed: a pattern a row", path);
	return TRUE;
}

static gboolean read_array(const char *path, uint32_t n_elements, Patterns *patterns,
			   GError **error)
{
	NpyIndices indices;

	if (!npy_read(path, IDLE_INDEX, (gint64)n_elements - 1, &indices, error))
		return FALSE;
	add_threads(indices.values, indices.rows, indices.columns, patterns);
	g_free(indices.values);
	return TRUE;
}

gboolean patterns_read(const WorkloadParameters *parameters, uint32_t n_elements,
		       Patterns *patterns, GError **error)
{
	const char *addresses = workload_text(parameters, "addresses");
	const char *file = workload_text(parameters, "file");

	if (!addresses == !file)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "%s --addresses %s --file found; allowed: one of them",
				    file ? "both" : "neither", file ? "and" : "nor");
	if (addresses)
		return parse_option(addresses, n_elements, patterns, error);
	return npy_has_name(file) ? read_array(file, n_elements, patterns, error)
				  : parse_table(file, n_elements, patterns, error);
}
