/* SPDX-License-Identifier: MIT */
/* What the parts of derive share. Who may include it: derive*.c. */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_INTERNAL_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_INTERNAL_H

#include "base/csv.h"
#include "config/config.h"
#include "validate/frame/derive.h"

/* --- Files of a folder of measurements as tables (derive-facts.c) --- */

typedef struct {
	const char *folder;
	GHashTable *tables; /* CsvTable by name */
} DeriveFiles;

void derive_files_open(DeriveFiles *files, const char *folder);
void derive_files_clear(DeriveFiles *files);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DeriveFiles, derive_files_clear)

/* The file's table, read once. A file of JSON is a row, a column each number and text of it, "clock_mhz.most" within objects. */
const CsvTable *derive_table(const DeriveFiles *files, const char *name, GError **error);

/* --- The map of the L2, found in files of l2-slices, l2-map and placement (measurements/programs) --- */

#define L2_MAP_NUMBERS "slices, partitions, partition_mask, page_slices, channels, group_sms"

typedef struct {
	char *why;    /* there is none; NULL: there is */
	guint n_rows; /* of lines that it is of */
	guint n_pages, page_lines;
	guint n_line_bits, line_bits[16];
	guint *numbers;		  /* of each page and pick, the slice's */
	guint slices, partitions; /* of a partition; 1 or 2 */
	guint64 partition_mask;	  /* 0 with one partition */
	GArray *groups;		  /* L2Group, the first that gets first_sms */
	guint first_sms, tpc_sms;
} L2Map;

typedef struct {
	guint name, side, sms;
} L2Group;

/* Never NULL. */
L2Map *l2_map_derive(const DeriveFiles *files);
void l2_map_free(L2Map *map);

/* One of L2_MAP_NUMBERS; FALSE: it is none. */
gboolean l2_map_number(const L2Map *map, const char *name, double *number);

/* As l2.map has it, a page a line; what these files do not say, the ways of a group to the network, as the config has it. NULL: there is none. g_free. */
char *l2_map_json(const L2Map *map, const Config *config);

/* --- Its parts, for derive-map*.c --- */

/* FALSE, with map->why, where the files do not say one thing. */
gboolean l2_map_slices(L2Map *map, const DeriveFiles *files, guint *side_of_first);
gboolean l2_map_groups(L2Map *map, const DeriveFiles *files, guint side_of_first);

/* For them: the columns of a file as numbers, column by column; NULL, with map->why. g_free. */
double *l2_map_read(L2Map *map, const DeriveFiles *files, const char *name,
		    const char *const *columns, guint *n);
gboolean l2_map_fail(L2Map *map, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* --- A line of derive.csv --- */

enum {
	DERIVE_KEY,
	DERIVE_FILE,
	DERIVE_ROWS,
	DERIVE_MINUS,
	DERIVE_STATISTIC,
	DERIVE_OF,
	DERIVE_SCALE,
	DERIVE_LESS,
	DERIVE_ROUND,
	DERIVE_N_NEEDED,
	/* These may be left out. */
	DERIVE_LEAST_ROWS = DERIVE_N_NEEDED,
	DERIVE_RANGE,
	DERIVE_AGREE,
	DERIVE_N_COLUMNS
};

typedef struct {
	const Config *config;
	CsvTable *lines;
	int columns[DERIVE_N_COLUMNS]; /* -1: left out */
	DeriveFiles files;
	L2Map *map;
	GArray *values; /* Derivation, so far */
} Deriving;

/* "" of a column that is left out. */
const char *derive_cell(const Deriving *deriving, guint row, guint column);

/* The line is no good: an error at that cell. FALSE. */
gboolean derive_refuse(const Deriving *deriving, guint row, guint column, const char *why,
		       GError **error);

/* What is derived of the key so far; NULL: nothing. */
Derivation *derive_find(const Deriving *deriving, const char *key);

/* The cell with "{2 sm.count}" replaced by its value. g_free; NULL: an error. */
char *derive_expand(const Deriving *deriving, guint row, guint column, GError **error);

/* What is taken off, multiplied by, and rounded to. */
gboolean derive_less(const Deriving *deriving, guint row, double *less, GError **error);
gboolean derive_scale(const Deriving *deriving, guint row, double *scale, GError **error);
gboolean derive_round(const Deriving *deriving, guint row, double exact, double *rounded,
		      GError **error);
/* The cell's number, or that one if it is empty. */
gboolean derive_number(const Deriving *deriving, guint row, guint column, double otherwise,
		       double *number, GError **error);

/* It stays inherited. TRUE. */
gboolean derive_inherit(Derivation *derivation, char *why);

/* What the line says; FALSE: the line is no good. */
gboolean derive_line(Deriving *deriving, guint row, Derivation *derivation, GError **error);

/* --- A statistic of some rows of a table of measurements (derive-rows.c) --- */

typedef struct {
	guint n;
	double value, least, most; /* the statistic; of what it is of */
	/* How far the rows contradict each other, as a part of the value: the distance of the quartiles; for a line, how far rows are from
	   it (root of the mean square) as a part of how far y ranges. */
	double apart;
} RowStatistic;

typedef struct {
	char *why;	  /* NULL: nothing is wrong. g_free */
	gboolean in_data; /* the measurements lack it; else the request itself is wrong */
} RowFault;

/*
 * Of the rows that meet all conditions: "warps=1 & op=ld|st & targets>=128", with = != < <= > >=; none: all rows. `of`: a column, a
 * quotient "cycles/accesses" or "1/cycles", a difference "a - b", and for slope and intercept "cycles by lines". `statistic`: median,
 * mean, min, max, slope, intercept; "upto F": of "cycles by bytes" the largest x up to which y is at most F times the least.
 */
RowFault row_statistic(const CsvTable *table, const char *rows, const char *of,
		       const char *statistic, RowStatistic *result);

/* The rows that meet all conditions, guint. g_array_unref. */
RowFault rows_that_meet(const CsvTable *table, const char *rows, GArray **met);

#endif
