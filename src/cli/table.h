/* SPDX-License-Identifier: MIT */
/* The cells of atomsim table. Only its files include it. */
#ifndef ATOMSIM_CLI_TABLE_H
#define ATOMSIM_CLI_TABLE_H

#include <stdint.h>

#include <glib.h>

typedef struct {
	const char *config, *trace; /* names */
	const char *change;	    /* what-if; NULL: the trace as it is */
	uint64_t cycles, free_cycles, cost_bits;
	double time_us;
	double relative_time; /* time over that of the base in the same row; 0: there is no base */
} Cell;

/* Names as the table shows them, and what each of them is opened by: another file of that name in the folder of the caller is not
   the installed one. Strings, of one length. */
typedef struct {
	GPtrArray *names, *paths;
} TableFiles;

/*
 * Trace by trace, as it is and with each of the changes (NULL: none), config by config with the settings (NULL: none):
 * of Cell, which name the strings given. Errors: those of configs, settings, traces and changes, ATOMSIM_ERROR_RUN
 * when interrupted.
 */
GArray *table_cells(const TableFiles *configs, const TableFiles *traces, char **changes,
		    char **settings, int jobs, GError **error);

/* What is written. Rows follow one another, each with a cell of all configs. */
typedef struct {
	const GArray *cells; /* 1 or more */
	guint n_configs;
	guint n_changes; /* a trace has a row as it is and one for each */
	int base;	 /* number of the config that times are relative to; -1: none */
} Table;

/* table-mean.c: fills in relative_time of the cells of a table that has a base. */
void table_relate(const Table *table, GArray *cells);
/* The geometric mean of relative_time over all traces, of a config, as they are (change 0) or with a change (from 1). */
double table_mean(const Table *table, guint config, guint change);

#define TABLE_COLUMNS                                                                          \
	"trace,config,cycles,time_us,contention_free_cycles,slowdown,cost_bits,what_if,"       \
	"relative_time"

/* table-write.c. CSV has no means. g_free. */
char *table_text(const Table *table);
char *table_csv(const Table *table);
char *table_json(const Table *table);

#endif
