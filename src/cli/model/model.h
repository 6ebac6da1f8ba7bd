/* SPDX-License-Identifier: MIT */
/* What the files of `atomsim model` share. Only they include it. */
#ifndef ATOMSIM_CLI_MODEL_MODEL_H
#define ATOMSIM_CLI_MODEL_MODEL_H

#include <glib.h>

#include "base/csv-columns.h"
#include "base/lanes.h"
#include "config/config.h"

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

/* What is asked for. */
typedef struct {
	const Machine *machine;
	const Mechanism *mechanism; /* that carries the atomic out; has a closed form */
	Operation operation;
	ValueType type;
	gboolean result;
	guint64 seed;
	guint format;	     /* FORMAT_* */
	CsvColumns *columns; /* NULL: all */
	gboolean many;	     /* patterns come from a file: JSON is then one object a line */
} ModelJob;

/* A warp's words, and what they come to. */
typedef struct {
	Lanes lanes;
	guint n_written; /* lanes up to the last one written, idle ones included */
	ClosedForm result;
} ModelPattern;

#define MODEL_COLUMNS "cycles,base_cycles,lock_cycles,bank_cycles,rounds,addresses"

/* print.c: what is before the first pattern, and a pattern. */
void model_print_header(const ModelJob *job);
void model_print(const ModelJob *job, const ModelPattern *pattern);

#endif
