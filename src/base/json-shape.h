/* SPDX-License-Identifier: MIT */
/*
 * The shape of a JSON output: a table of its keys, from which its JSON Schema is made. An output begins with the number of
 * its shape, so that who reads it knows what it is. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_JSON_SHAPE_H
#define ATOMSIM_BASE_JSON_SHAPE_H

#include <cjson/cJSON.h>
#include <glib.h>

typedef struct {
	/* "advice[].gain": of each item of a list; "operations.*.points": of an object whose names vary; "line?": may be left out;
	   "advice|designs[].gain": the same of the items of several lists.
	   What holds others needs a row of its own where it may be left out or null. */
	const char *path;
	/* A type of JSON Schema, "count" for a whole number from 0, or "any"; "number|null"; "[T]" a list, "[T]2" of so
	   many; "{T}" an object of which all values are T. */
	const char *type;
	const char *doc;	   /* one sentence without its full stop */
	const char *const *values; /* the texts that it can be; NULL: any */
	guint n_values;
} ShapeRow;

typedef struct {
	const char *name;  /* as `atomsim list --schema` takes it */
	guint version;	   /* another number when a key goes or changes its meaning */
	const char *title; /* a noun, no full stop */
	gboolean
		bare; /* no output of shape_object: it has no `schema` and `version`, or `more` adds them */
	/* Besides those two. */
	const ShapeRow *rows;
	guint n_rows;
	void (*more)(cJSON *schema); /* adds what another table says; NULL: nothing */
} Shape;

/* What an output of that shape begins with: its `schema` and the `version` of atomsim. cJSON_Delete. */
cJSON *shape_object(const Shape *shape);

/* The JSON Schema (draft 2020-12), with an $id that has its version. g_free. */
char *shape_schema(const Shape *shape);

/* For `more`: adds a property by its path, in place of one that is there. parents: the objects that hold it are required, too. */
void shape_add(cJSON *schema, const char *path, cJSON *property, gboolean required,
	       gboolean parents);
void shape_add_row(cJSON *schema, const ShapeRow *row);

#endif
