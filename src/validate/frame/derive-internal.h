/* SPDX-License-Identifier: MIT */
/* What the parts of derive share. Who may include it: derive*.c. */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_INTERNAL_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_INTERNAL_H

#include "base/csv.h"
#include "validate/frame/derive-facts.h"
#include "validate/frame/derive-map.h"
#include "validate/frame/derive.h"

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

#endif
