/* SPDX-License-Identifier: MIT */
/* A number of each line that has one, of 64 bits wherever pointers have 32. */
#ifndef ATOMSIM_SIM_LINE_TABLE_H
#define ATOMSIM_SIM_LINE_TABLE_H

#include <stdint.h>

typedef struct LineTable LineTable;

LineTable *line_table_new(void);
/* NULL does nothing. */
void line_table_free(LineTable *table);

/* The line's number; 0: it has none. */
uint64_t line_table_get(const LineTable *table, uint64_t line);
/* number: 0 leaves the table as it is. */
void line_table_set(LineTable *table, uint64_t line, uint64_t number);

#endif
