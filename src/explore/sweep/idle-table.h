/* SPDX-License-Identifier: MIT */
/*
 * A sweep's table as idle.c wants it: what differs between points and whether their figures are the same, as numbers.
 * Nobody else may include it.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_IDLE_TABLE_H
#define ATOMSIM_EXPLORE_SWEEP_IDLE_TABLE_H

#include <glib.h>

/* Texts as numbers from 0 on, in the order in which they come. */
typedef struct {
	GHashTable *numbers;
	GPtrArray *texts;
} IdleNames;

typedef struct {
	guint64 figures; /* their checksum */
	guint32 sha256;	 /* of its trace */
} IdleRow;

typedef struct {
	GArray *columns; /* what each is, for the reader */
	GPtrArray *keys; /* of what was varied */
	IdleNames traces, sha256s;
	IdleNames *values; /* of each key */
	GArray *rows;	   /* IdleRow, of complete points */
	GArray *places;	   /* guint32: of each row, its value of each key */
	GPtrArray *lists;  /* of each trace: GArray of guint, its rows */
} IdleTable;

/* FALSE: there is no row, or no such file. idle_table_clear in any case. */
gboolean idle_table_read(IdleTable *table, const char *path);
void idle_table_clear(IdleTable *table);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(IdleTable, idle_table_clear)

/* A row's values of all keys. */
const guint32 *idle_places(const IdleTable *table, guint row);

#endif
