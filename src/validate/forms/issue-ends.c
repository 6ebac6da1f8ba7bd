/* SPDX-License-Identifier: MIT */
/* Whole blocks that send more than there is room for on their way: a tile that is transposed, and launches that end in stores or
   additions. */
#include <stdlib.h>
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define WORD_BYTES 4
#define WARP_LANES 32

/* --- A tile of 32 x 32 words, transposed through shared memory by blocks of 8 warps (together.cu) --- */

#define TILE_WARPS 8
#define TILE_STEPS 4 /* rows of the tile for each warp */
#define TILE_BYTES (WARP_LANES * WARP_LANES * WORD_BYTES)
#define TILE_SMS   132 /* all of them at once */

typedef struct {
	guint n_blocks; /* of each SM */
	guint row;	/* words from a row of the tile to the next in shared memory */
} Tile;

static IssueProgram *tile_program(gconstpointer data, gboolean with)
{
	static const IssuePart load = {.kind = RECORD_LDG,
				       .width = WORD_BYTES,
				       .cache = CACHE_BYPASS},
			       keep = {.kind = RECORD_STS, .width = WORD_BYTES},
			       again = {.kind = RECORD_LDS, .width = WORD_BYTES},
			       store = {.kind = RECORD_STG, .width = WORD_BYTES};
	const struct {
		const IssuePart *part;
		guint lane_words; /* from a lane to the next */
		guint offset;	  /* of what is written, behind what is read */
		gboolean loads;
	} phases[] = {{&load, 1, 0, TRUE},
		      {&keep, 1, 0, FALSE},
		      {&again, ((const Tile *)data)->row, 0, TRUE},
		      {&store, 1, TILE_BYTES, FALSE}};
	const Tile *tile = data;
	const Record barrier = {.kind = RECORD_BAR};
	IssueProgram *program = issue_program_new(tile->n_blocks * TILE_SMS, TILE_WARPS);

	issue_program_buffer(program, 2 * TILE_BYTES);
	for (guint warp = 0; with && warp < TILE_WARPS; warp++) {
		for (guint p = 0; p < G_N_ELEMENTS(phases); p++) {
			for (guint i = 0; i < TILE_STEPS; i++)
				issue_program_access(
					program, warp, phases[p].part,
					&(IssueAccess){
						.value = i,
						.stride = phases[p].lane_words * WORD_BYTES,
						.offset = phases[p].offset +
							  (warp + i * TILE_WARPS) * WARP_LANES *
								  WORD_BYTES});
			if (phases[p].loads)
				issue_program_uses(program, warp, TILE_STEPS);
			if (phases[p].part == &keep)
				issue_program_record(program, warp, &barrier);
		}
	}
	return program;
}

/* Whether an earlier row has the same blocks and row. */
static gboolean is_repeated(const CsvTable *table, guint i, const guint *columns)
{
	for (guint k = 0; k < i; k++)
		if (strcmp(csv_cell(table, k, columns[0]), csv_cell(table, i, columns[0])) ==
			    0 &&
		    strcmp(csv_cell(table, k, columns[1]), csv_cell(table, i, columns[1])) == 0)
			return TRUE;
	return FALSE;
}

static gboolean read_tile(const CsvTable *table, guint i, const guint *columns, gpointer data,
			  MeasuredRow *measured, GError **error)
{
	const guint most_late =
		200; /* cycles: blocks of one SM begin together, and read their clocks in turn */
	Tile *tile = data;
	double begin, last_begin, end;

	if (!measured_whole(table, i, columns[0], 1, 8, &tile->n_blocks, error) ||
	    !measured_whole(table, i, columns[1], 1, 64, &tile->row, error) ||
	    !csv_number(table, i, columns[2], 0, &begin, error) ||
	    !csv_number(table, i, columns[3], 0, &last_begin, error) ||
	    !csv_number(table, i, columns[4], VALIDATE_LEAST_CYCLES, &end, error))
		return FALSE;
	measured->measured = end - begin;
	measured->pattern =
		g_strdup_printf("%u blocks/rows of %u words", tile->n_blocks, tile->row);
	if (last_begin - begin > most_late)
		measured->why = "its blocks did not begin together";
	else if (is_repeated(table, i, columns))
		measured->why = "an earlier row is the same once more";
	return TRUE;
}

/* --- Launches that end in stores or additions (ends.cu) --- */

enum { KERNEL, LAYOUT, STEPS, FENCE, BLOCKS, THREADS, LAUNCH, CYCLES, N_COLUMNS };

typedef enum { LAYOUT_OWN, LAYOUT_APART, LAYOUT_ONE } Layout;

typedef struct {
	gboolean adds, fence;
	Layout layout;
	guint n_steps, n_blocks, n_warps;
} Ends;

typedef struct {
	Ends ends; /* first: `program` reads no more */
	Ends one;  /* steps of one warp on words of its own, which wait for nothing */
	double one_cycles;
} EndsRow;

static IssueProgram *ends_program(gconstpointer data, gboolean with)
{
	/* The loop's code: additions one behind the other, so many that a warp alone has a step in the 32 cycles of a
	   store and 41 of an addition that it had there (launches of 1, 4 and 16 steps). */
	enum { STORE_LINKS = 7, ADD_LINKS = 9 };
	static const IssuePart store = {.kind = RECORD_STG, .width = WORD_BYTES},
			       add = {.kind = RECORD_ATOMG,
				      .width = WORD_BYTES,
				      .operation = OPERATION_ADD,
				      .type = TYPE_U32};
	static const guint strides[] = {
		[LAYOUT_OWN] = WORD_BYTES, [LAYOUT_APART] = 8 * WORD_BYTES, [LAYOUT_ONE] = 0};
	const Ends *ends = data;
	const Record fence = {.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
	const uint64_t bytes = (uint64_t)strides[ends->layout] * WARP_LANES; /* of an access */
	IssueProgram *program = issue_program_new(ends->n_blocks, ends->n_warps);

	if (ends->layout == LAYOUT_ONE)
		issue_program_common_buffer(program, WORD_BYTES);
	else
		issue_program_buffer(program, bytes * ends->n_warps * ends->n_steps);
	for (guint warp = 0; with && warp < ends->n_warps; warp++) {
		for (guint i = 0; i < ends->n_steps; i++) {
			issue_program_links(program, warp, issue_link("lop3"),
					    ends->adds ? ADD_LINKS : STORE_LINKS, TRUE, FALSE);
			issue_program_access(
				program, warp, ends->adds ? &add : &store,
				&(IssueAccess){.stride = strides[ends->layout],
					       .offset = (i * ends->n_warps + warp) * bytes});
		}
		if (ends->fence)
			issue_program_record(program, warp, &fence);
	}
	return program;
}

static gconstpointer ends_reference(gconstpointer row, double *cycles)
{
	const EndsRow *ends = row;

	*cycles = ends->one_cycles;
	return &ends->one;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of the launches whose first columns have these cells, without the first one, whose code is cold; 0: there is
   none. */
static gboolean middle_of(const CsvTable *table, const guint *columns,
			  const char *const cells[LAUNCH], double *cycles, GError **error)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint k = 0; k < csv_rows(table); k++) {
		guint c = 0;
		double value;

		while (c < LAUNCH && strcmp(csv_cell(table, k, columns[c]), cells[c]) == 0)
			c++;
		if (c < LAUNCH || strcmp(csv_cell(table, k, columns[LAUNCH]), "0") == 0)
			continue;
		if (!csv_number(table, k, columns[CYCLES], VALIDATE_LEAST_CYCLES, &value,
				error))
			return FALSE;
		g_array_append_val(values, value);
	}
	g_array_sort(values, compare);
	*cycles = values->len > 0 ? g_array_index(values, double, values->len / 2) : 0;
	return TRUE;
}

/* FALSE: the cell is none of the words. */
static gboolean read_word(const CsvTable *table, guint i, guint column,
			  const char *const *words, guint *place, GError **error)
{
	for (*place = 0; words[*place] != NULL; (*place)++)
		if (strcmp(csv_cell(table, i, column), words[*place]) == 0)
			return TRUE;
	g_autofree char *list = g_strjoinv(", ", (char **)words);

	csv_set_cell_error(table, i, column, error, "found '%s'; allowed: %s",
			   csv_cell(table, i, column), list);
	return FALSE;
}

static gboolean read_ends(const CsvTable *table, guint i, const guint *columns, gpointer data,
			  MeasuredRow *measured, GError **error)
{
	static const char *const kernels[] = {"store", "add", NULL}, *const layouts[] = {
									     "own", "apart",
									     "one", NULL};
	EndsRow *row = data;
	Ends *ends = &row->ends;
	const char *own[LAUNCH], *one[LAUNCH] = {"", "own", "4", "0", "1", "32"};
	guint kernel, layout, fence, threads, launch;

	if (!read_word(table, i, columns[KERNEL], kernels, &kernel, error) ||
	    !read_word(table, i, columns[LAYOUT], layouts, &layout, error) ||
	    !measured_whole(table, i, columns[STEPS], 1, 64, &ends->n_steps, error) ||
	    !measured_whole(table, i, columns[FENCE], 0, 1, &fence, error) ||
	    !measured_whole(table, i, columns[BLOCKS], 1, 1024, &ends->n_blocks, error) ||
	    !measured_whole(table, i, columns[THREADS], 1, 1024, &threads, error) ||
	    !measured_whole(table, i, columns[LAUNCH], 0, 1 << 16, &launch, error))
		return FALSE;
	for (guint c = 0; c < LAUNCH; c++)
		own[c] = csv_cell(table, i, columns[c]);
	one[KERNEL] = own[KERNEL];
	if (!middle_of(table, columns, own, &measured->measured, error) ||
	    !middle_of(table, columns, one, &row->one_cycles, error))
		return FALSE;
	ends->adds = kernel == 1;
	ends->fence = fence == 1;
	ends->layout = (Layout)layout;
	ends->n_warps = (threads + WARP_LANES - 1) / WARP_LANES;
	row->one = (Ends){.adds = ends->adds, .n_steps = 4, .n_blocks = 1, .n_warps = 1};
	measured->pattern =
		g_strdup_printf("%s%s of %u blocks/%u warps, %u each, layout %s",
				kernels[kernel], ends->fence ? ", fence," : "", ends->n_blocks,
				ends->n_warps, ends->n_steps, layouts[layout]);
	if (launch != 1)
		measured->why =
			"a launch of the same before or behind it: their median is compared";
	else if (row->one_cycles == 0)
		measured->why = ISSUE_NO_REFERENCE;
	else if (memcmp(&row->one, ends, sizeof(*ends)) == 0)
		measured->why = ISSUE_IS_REFERENCE;
	return TRUE;
}

/* --- Forms --- */

const IssueForm issue_forms_ends[] = {
	{.operation = "tile",
	 .columns = {"blocks", "row", "start_first", "start_last", "stored_last"},
	 .n_columns = 5,
	 .row_bytes = sizeof(Tile),
	 .read = read_tile,
	 .program = tile_program,
	 .until_end = TRUE,
	 .on_memory_side = TRUE},
	{.operation = "launches that end",
	 .columns = {"kernel", "layout", "steps", "fence", "blocks", "threads", "launch",
		     "cycles_active.max"},
	 .n_columns = N_COLUMNS,
	 .row_bytes = sizeof(EndsRow),
	 .read = read_ends,
	 .program = ends_program,
	 .reference = ends_reference,
	 .until_end = TRUE,
	 .on_memory_side = TRUE},
};
const guint issue_n_forms_ends = G_N_ELEMENTS(issue_forms_ends);
