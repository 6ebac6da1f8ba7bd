/* SPDX-License-Identifier: MIT */
/*
 * Single loads by where their line is: widths, a line that another warp has already asked for (issue-l1.csv), and chases
 * through memory (issue-dram.csv). The file's own row of a hit tells what the code around a load takes.
 */
#include <string.h>

#include "validate/forms/issue-form.h"
#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

#define WARP_LANES   32
#define SECTOR_BYTES 32
#define MAX_SECTORS  WARP_LANES
#define LINE_STEP    4096 /* from a line to another that shares nothing with it */
#define MAX_DELAY    10000
#define DELAY_CYCLES 4 /* an instruction of the chain that delays a warp */
#define N_HOPS	     256
#define FAR_BYTES                                                                              \
	(G_GUINT64_CONSTANT(64) << 30) /* of which no cache holds a part worth naming */
#define NO_REFERENCE "the file has no row of a hit"

typedef struct {
	guint width; /* bytes a lane */
	gboolean hits, one_sector;
	gboolean merges,
		same_line; /* a second warp's load, so much later, while the first's is under way */
	guint second_warp, delay;
	gboolean misses; /* chase: the second cache, too */
} Load;

typedef struct {
	Load load; /* first: `program` reads no more */
	Load hit;
	double hit_cycles;
} Row;

static gconstpointer hit_reference(gconstpointer row, double *cycles)
{
	*cycles = ((const Row *)row)->hit_cycles;
	return &((const Row *)row)->hit;
}

/* --- A load, or one behind another warp's --- */

static void append_load(IssueProgram *program, guint warp, const Load *load, uint64_t offset)
{
	const IssuePart part = {.kind = RECORD_LDG,
				.width = (uint8_t)load->width,
				.cache = load->hits || load->merges ? CACHE_NORMAL
								    : CACHE_BYPASS};

	issue_program_access(program, warp, &part,
			     &(IssueAccess){.stride = load->width,
					    .wrap = load->one_sector ? SECTOR_BYTES : 0,
					    .offset = offset});
	issue_program_uses(program, warp, 1);
}

static IssueProgram *load_program(gconstpointer data, gboolean with)
{
	const Load *load = data;
	const Record barrier = {.kind = RECORD_BAR};
	IssueProgram *program = issue_program_new(1, load->second_warp + 1);

	issue_program_buffer(program, 3 * LINE_STEP);
	if (!with)
		return program;
	for (guint warp = 0; warp <= load->second_warp; warp++) {
		if (warp == load->second_warp && load->hits)
			append_load(program, warp, load, 0);
		issue_program_record(program, warp, &barrier);
	}
	if (load->merges) {
		append_load(program, 0, load, LINE_STEP);
		issue_program_links(program, load->second_warp, issue_link("lop3"),
				    load->delay / DELAY_CYCLES, TRUE, FALSE);
	}
	issue_program_watch(program);
	append_load(program, load->second_warp, load,
		    load->merges && load->same_line ? LINE_STEP : 0);
	return program;
}

static gboolean is_row(const CsvTable *table, guint i, const guint *columns,
		       const char *const cells[], guint n)
{
	for (guint c = 0; c < n; c++)
		if (strcmp(csv_cell(table, i, columns[c]), cells[c]) != 0)
			return FALSE;
	return TRUE;
}

static gboolean read_load(const CsvTable *table, guint i, const guint *columns, gpointer data,
			  MeasuredRow *measured, GError **error)
{
	static const char *const hit[] = {"width", "32", "l1", "4"};
	Row *row = data;
	Load *load = &row->load;
	const char *part = csv_cell(table, i, columns[0]);
	const char *level = csv_cell(table, i, columns[2]);
	guint bits, sectors;

	if (!measured_whole(table, i, columns[1], 32, 128, &bits, error) ||
	    !measured_whole(table, i, columns[3], 1, MAX_SECTORS, &sectors, error) ||
	    !measured_whole(table, i, columns[4], 0, MAX_DELAY, &load->delay, error) ||
	    !csv_number(table, i, columns[5], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	if ((bits & (bits - 1)) != 0) {
		csv_set_cell_error(table, i, columns[1], error,
				   "found %u; allowed: 32, 64, 128", bits);
		return FALSE;
	}
	load->width = bits / 8;
	load->hits = strcmp(level, "l1") == 0;
	load->one_sector = sectors == 1;
	load->merges = strcmp(part, "merge") == 0;
	load->same_line = strstr(level, "same-line") != NULL;
	load->second_warp = !load->merges			  ? 0
			    : g_str_has_prefix(level, "same-sub") ? ISSUE_N_SUB_CORES
								  : 1;
	row->hit = (Load){.width = 4, .hits = TRUE};
	for (guint k = 0; k < csv_rows(table) && row->hit_cycles == 0; k++)
		if (is_row(table, k, columns, hit, G_N_ELEMENTS(hit)) &&
		    !csv_number(table, k, columns[5], VALIDATE_LEAST_CYCLES, &row->hit_cycles,
				error))
			return FALSE;
	measured->pattern = g_strdup_printf("%s/%u bits, %s, %u sectors, %u later", part, bits,
					    level, sectors, load->delay);
	if (!load->merges && strcmp(part, "width") != 0)
		measured->why = "where its lanes' sectors lie is not told well enough";
	else if (row->hit_cycles == 0)
		measured->why = NO_REFERENCE;
	else if (is_row(table, i, columns, hit, G_N_ELEMENTS(hit)))
		measured->why = ISSUE_IS_REFERENCE;
	return TRUE;
}

/* --- Chases --- */

static IssueProgram *chase_program(gconstpointer data, gboolean with)
{
	static const IssuePart part = {.kind = RECORD_LDG, .width = 8, .cache = CACHE_BYPASS};
	const Load *load = data;
	IssueProgram *program = issue_program_new(1, 1);

	issue_program_buffer(program, load->misses ? FAR_BYTES : N_HOPS * LINE_STEP);
	for (guint hop = 0; with && hop < N_HOPS; hop++)
		issue_program_access(
			program, 0, &part,
			&(IssueAccess){.waits = TRUE, .offset = (guint64)hop * LINE_STEP});
	issue_program_uses(program, 0, 1);
	return program;
}

static double chase_copies(gconstpointer row)
{
	(void)row;
	return N_HOPS;
}

/* The mean of the hops of a region; 0: there are none. */
static gboolean mean_of(const CsvTable *table, const guint *columns, const char *region,
			double *mean, GError **error)
{
	double sum = 0, cycles;
	guint n = 0;

	for (guint k = 0; k < csv_rows(table); k++) {
		if (strcmp(csv_cell(table, k, columns[0]), region) != 0)
			continue;
		if (!csv_number(table, k, columns[3], VALIDATE_LEAST_CYCLES, &cycles, error))
			return FALSE;
		sum += cycles;
		n++;
	}
	*mean = n > 0 ? sum / n : 0;
	return TRUE;
}

/* A region is one point, at its first row. Its 300 lines stay in the second cache, however far apart, unless they were flushed. */
static gboolean read_chase(const CsvTable *table, guint i, const guint *columns, gpointer data,
			   MeasuredRow *measured, GError **error)
{
	static const char *const in_l2 = "8MB-in-l2-run0";
	Row *row = data;
	const char *region = csv_cell(table, i, columns[0]);
	guint hop;

	if (!measured_whole(table, i, columns[2], 0, G_MAXINT, &hop, error))
		return FALSE;
	if (g_str_has_prefix(region, "read"))
		measured->why = "no chase";
	else if (strstr(region, "in-l2"))
		measured->why = ISSUE_IS_REFERENCE;
	else if (hop > 0)
		measured->why = "its region is one point, the mean of its hops";
	if (measured->why)
		return TRUE;
	measured->pattern = g_strdup_printf("chase/%s", region);
	row->load.misses = strstr(region, "flushed") != NULL;
	if (!mean_of(table, columns, region, &measured->measured, error) ||
	    !mean_of(table, columns, in_l2, &row->hit_cycles, error))
		return FALSE;
	if (row->hit_cycles == 0)
		measured->why = NO_REFERENCE;
	return TRUE;
}

/* --- Forms --- */

const IssueForm issue_forms_latencies[] = {
	{.operation = "single loads",
	 .columns = {"part", "bits_per_lane", "level", "sectors", "delay", "cycles"},
	 .n_columns = 6,
	 .row_bytes = sizeof(Row),
	 .read = read_load,
	 .program = load_program,
	 .reference = hit_reference,
	 .on_memory_side = TRUE},
	{.operation = "hops through memory",
	 .columns = {"region", "stride", "hop", "cycles"},
	 .n_columns = 4,
	 .row_bytes = sizeof(Row),
	 .read = read_chase,
	 .program = chase_program,
	 .copies = chase_copies,
	 .reference = hit_reference,
	 .on_memory_side = TRUE},
};
const guint issue_n_forms_latencies = G_N_ELEMENTS(issue_forms_latencies);
