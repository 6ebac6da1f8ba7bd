/* SPDX-License-Identifier: MIT */
#include "explore/validate.h"

#include <math.h>
#include <string.h>

#include "error.h"
#include "explore/csv.h"
#include "sim/run.h"

#define WORD_BYTES 4

/* The active lanes of a warp and their words. */
typedef struct {
	uint32_t mask;
	guint n_words;
	uint32_t words[TRACE_MAX_LANES];
} Lanes;

/* --- One warp, one atomic: a record source --- */

typedef struct {
	RecordSource source; /* first: the callbacks cast */
	Record record;
	uint32_t shared_bytes;
} OneAtomic;

typedef struct {
	WarpStream stream; /* first */
	const OneAtomic *one;
	guint n_read;
} OneAtomicStream;

static StreamStatus one_next(WarpStream *stream, Record *record)
{
	OneAtomicStream *self = (OneAtomicStream *)stream;

	if (self->n_read >= 2)
		return STREAM_END;
	if (self->n_read++ == 0)
		*record = self->one->record;
	else
		*record = (Record){.kind = RECORD_EXIT};
	return STREAM_RECORD;
}

static void one_close(WarpStream *stream)
{
	g_free(stream);
}

static WarpStream *one_open_warp(RecordSource *source, uint64_t block, uint32_t warp)
{
	OneAtomicStream *stream = g_new0(OneAtomicStream, 1);

	g_assert(block == 0 && warp == 0);
	stream->stream.next = one_next;
	stream->stream.close = one_close;
	stream->one = (const OneAtomic *)source;
	return &stream->stream;
}

static void one_block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	const OneAtomic *one = (const OneAtomic *)source;

	*info = (BlockInfo){.block_id = block, .n_warps = 1, .shared_bytes = one->shared_bytes};
}

static void one_init(OneAtomic *one, const Lanes *lanes)
{
	*one = (OneAtomic){
		.source = {.n_blocks = 1,
			   .block_info = one_block_info,
			   .open_warp = one_open_warp},
		.record = {.kind = RECORD_ATOM,
			   .operation = OPERATION_ADD,
			   .type = TYPE_U32,
			   .width = WORD_BYTES,
			   .n_lanes = (uint8_t)lanes->n_words,
			   .mask = lanes->mask},
	};
	for (guint i = 0; i < lanes->n_words; i++) {
		one->record.address[i] = lanes->words[i] * WORD_BYTES;
		one->shared_bytes = MAX(one->shared_bytes, (lanes->words[i] + 1) * WORD_BYTES);
	}
}

/* --- Points --- */

static void point_free(gpointer data)
{
	ValidationPoint *point = data;

	g_free(point->file);
	g_free(point->pattern);
	g_free(point->family);
	g_free(point);
}

GPtrArray *validate_points_new(void)
{
	return g_ptr_array_new_with_free_func(point_free);
}

/* As `gen pattern` reads them: a word for each lane from lane 0 on, - for an idle one. */
static gboolean parse_addresses(const CsvTable *table, guint row, guint column, Lanes *lanes,
				GError **error)
{
	const guint max_word = TRACE_MAX_SHARED_BYTES / WORD_BYTES - 1;
	g_auto(GStrv) parts = g_strsplit_set(csv_cell(table, row, column), " \t", -1);
	guint lane = 0;

	*lanes = (Lanes){0};
	for (guint i = 0; parts[i] != NULL; i++) {
		guint64 word = 0;

		if (*parts[i] == '\0')
			continue;
		if (lane == TRACE_MAX_LANES) {
			csv_set_cell_error(table, row, column, error,
					   "more than %d addresses; a warp has %d lanes",
					   TRACE_MAX_LANES, TRACE_MAX_LANES);
			return FALSE;
		}
		if (strcmp(parts[i], "-") != 0) {
			if (!g_ascii_string_to_unsigned(parts[i], 10, 0, max_word, &word,
							NULL)) {
				csv_set_cell_error(
					table, row, column, error,
					"address %u is '%s'; allowed: a word index 0 .. %u, "
					"or - for an idle lane",
					lane + 1, parts[i], max_word);
				return FALSE;
			}
			lanes->mask |= 1u << lane;
			lanes->words[lanes->n_words++] = (uint32_t)word;
		}
		lane++;
	}
	if (lanes->n_words > 0)
		return TRUE;
	csv_set_cell_error(table, row, column, error,
			   "no addresses; allowed: 1 to %d word indexes", TRACE_MAX_LANES);
	return FALSE;
}

static gboolean simulate(const Machine *machine, const Lanes *lanes, const char *place,
			 double *cycles, GError **error)
{
	g_autofree SimResult *result = g_new0(SimResult, 1);
	OneAtomic one;
	SimRequest request = {.machine = machine, .source = &one.source, .n_threads = 1};

	one_init(&one, lanes);
	switch (sim_run(&request, result)) {
	case SIM_OK:
		/* A clock read around the atomic on a GPU does not see the warp's exit. */
		*cycles = (double)(result->statistics.cycles - machine->sm.issue_cycles);
		return TRUE;
	case SIM_TOO_LARGE:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN,
			    "%s: its addresses need %" G_GUINT64_FORMAT
			    " %s; an SM of %s has %" G_GUINT64_FORMAT,
			    place, result->needed, result->resource, machine->name,
			    result->available);
		return FALSE;
	default:
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN,
			    "%s: %s cannot run this point%s%s", place, machine->name,
			    result->problem != NULL ? ": " : "",
			    result->problem != NULL ? result->problem : "");
		return FALSE;
	}
}

static ValidationPoint *point_new(const CsvTable *table, guint row, const char *pattern)
{
	ValidationPoint *point = g_new0(ValidationPoint, 1);

	point->file = g_strdup(csv_path(table));
	point->line = csv_line(table, row);
	point->pattern = g_strdup(pattern);
	point->family = g_strndup(pattern, strcspn(pattern, "/"));
	return point;
}

gboolean validate_add_file(GPtrArray *points, const Machine *machine, const char *path,
			   GError **error)
{
	g_autoptr(CsvTable) table = csv_read(path, error);
	guint pattern = 0, cycles = 0, addresses = 0;

	if (table == NULL || !csv_require(table, "pattern", &pattern, error) ||
	    !csv_require(table, "cycles", &cycles, error) ||
	    !csv_require(table, "addresses", &addresses, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree char *place = g_strdup_printf("%s:%u", path, csv_line(table, row));
		ValidationPoint *point = NULL;
		Lanes lanes;
		double measured, simulated;

		/* A relative error needs a measurement above 0; nothing is below a thousandth of a cycle. */
		if (!csv_number(table, row, cycles, 1e-3, &measured, error) ||
		    !parse_addresses(table, row, addresses, &lanes, error) ||
		    !simulate(machine, &lanes, place, &simulated, error))
			return FALSE;
		point = point_new(table, row, csv_cell(table, row, pattern));
		point->measured_cycles = measured;
		point->simulated_cycles = simulated;
		point->error = (simulated - measured) / measured;
		g_ptr_array_add(points, point);
	}
	return TRUE;
}

/* --- Summaries --- */

static int compare_doubles(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

ErrorSummary validate_summarise(const GPtrArray *points, const char *family)
{
	g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));
	ErrorSummary summary = {0};
	const double *sorted;
	guint n;

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);
		double size = fabs(point->error);

		if (family == NULL || strcmp(point->family, family) == 0)
			g_array_append_val(errors, size);
	}
	n = errors->len;
	if (n == 0)
		return summary;
	g_array_sort(errors, compare_doubles);
	sorted = (const double *)(void *)errors->data;
	summary.points = n;
	summary.median_relative_error = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
	summary.p90_relative_error = sorted[(9 * n + 9) / 10 - 1];
	summary.max_relative_error = sorted[n - 1];
	return summary;
}

const char **validate_families(const GPtrArray *points)
{
	GPtrArray *families = g_ptr_array_new();

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);

		if (!g_ptr_array_find_with_equal_func(families, point->family, g_str_equal,
						      NULL))
			g_ptr_array_add(families, point->family);
	}
	g_ptr_array_add(families, NULL);
	return (const char **)g_ptr_array_free(families, FALSE);
}

/* g_ptr_array_sort is a stable merge sort, so ties keep the order of the points. */
static int compare_errors(gconstpointer a, gconstpointer b)
{
	double x = fabs((*(const ValidationPoint *const *)a)->error);
	double y = fabs((*(const ValidationPoint *const *)b)->error);

	return x > y ? -1 : x < y;
}

GPtrArray *validate_worst(const GPtrArray *points)
{
	GPtrArray *worst = g_ptr_array_new();

	for (guint i = 0; i < points->len; i++)
		g_ptr_array_add(worst, g_ptr_array_index(points, i));
	g_ptr_array_sort(worst, compare_errors);
	return worst;
}
