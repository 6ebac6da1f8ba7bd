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
} Cell;

/* Names as the table shows them, and what each of them is opened by: another file of that name in the folder of the caller is not
   the installed one. Strings, of one length. */
typedef struct {
	GPtrArray *names, *paths;
} TableFiles;

/*
 * Trace by trace, as it is and with each of the changes (NULL: none), config by config: of Cell, which name the
 * strings given. Errors: those of configs, traces and changes, ATOMSIM_ERROR_RUN when interrupted.
 */
GArray *table_cells(const TableFiles *configs, const TableFiles *traces, char **changes,
		    int jobs, GError **error);

#define TABLE_COLUMNS                                                                          \
	"trace,config,cycles,time_us,contention_free_cycles,slowdown,cost_bits,what_if"

/* table-write.c: such cells. g_free. */
char *table_text(const GArray *cells, const GPtrArray *configs);
char *table_csv(const GArray *cells);
char *table_json(const GArray *cells);

#endif
