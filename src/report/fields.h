/* SPDX-License-Identifier: MIT */
/*
 * Every key of a run's JSON report, in its order: one table drives the report, the CSV's columns, the
 * JSON Schema, the manual's page and what the library answers to by name. A new statistic is one row.
 * Who may include it: report, cli, the library's door.
 */
#ifndef ATOMSIM_REPORT_FIELDS_H
#define ATOMSIM_REPORT_FIELDS_H

#include "base/json-shape.h"
#include "report/report.h"

/* Changes when a key goes or changes its meaning; a new key alone does not change it. */
#define REPORT_SCHEMA 3

typedef enum {
	FIELD_COUNT,  /* a whole number of up to 64 bits */
	FIELD_NUMBER, /* a finite number */
	FIELD_TEXT,
	FIELD_TEXTS,  /* an array of texts */
	FIELD_ROWS,   /* an array of objects; the fields below it say what a row has */
	FIELD_OBJECT, /* of a shape that another schema describes */
} FieldType;

typedef enum { FIELD_ALWAYS, FIELD_OR_NULL, FIELD_OPTIONAL } FieldPresence;

/* What it is in a report of which some figures are estimated (--within). By default: not available if the statistics count
   it or it is a list, else counted, or said. */
typedef enum {
	WITHIN_DEFAULT,
	WITHIN_COUNTED,
	WITHIN_ESTIMATED,
	WITHIN_NOT_AVAILABLE
} FieldWithin;

/* What one row of a FIELD_ROWS shows; which of them are set is up to the table. */
typedef struct {
	const HotSpot *spot;
	const cJSON *site; /* of the trace's metadata; NULL: not known */
	uint64_t degree, count;
	const char *cause;	/* its name in JSON */
	uint64_t cycles, saves; /* without it, of */
	uint64_t of;		/* so many */
	RunOrderKind order;	/* of that run */
} FieldRow;

typedef struct Field {
	const char *path; /* dotted; "hot_spots.sites[].cycles" is in each row of a list */
	FieldType type;
	FieldPresence presence;
	const char *unit; /* NULL: none */
	const char *doc;  /* one sentence without its full stop */
	const char *
		law; /* "LEFT = TERM + TERM": paths, numbers, "group.*" for the sum of a group, "list[].key" for that of a list's rows; NULL */
	FieldWithin within;  /* ask report_field_within */
	const char *counter; /* of ncu that counts the same on a GPU; NULL: none */
	/* Of a FIELD_COUNT without a function in Statistics; else of what the function says. */
	size_t offset;
	/* The value; NULL for null or left out, as `presence` says. of_part is for several fields, which say by their
	   offset or their path what they are. */
	cJSON *(*of_report)(const RunReport *report);
	cJSON *(*of_part)(const RunReport *report, const struct Field *field);
	cJSON *(*of_row)(const FieldRow *row, const struct Field *field);
	/* FIELD_ROWS: the rows, of FieldRow. g_array_unref. */
	GArray *(*rows)(const RunReport *report);
} Field;

extern const Field report_fields[];
extern const guint n_report_fields;

/* Whether it is a counter of the statistics. */
gboolean report_field_is_counter(const Field *field);

/* Never WITHIN_DEFAULT. What is not available is null. */
FieldWithin report_field_within(const Field *field);
/* It in words: "counted", "estimated", "not available". */
const char *report_field_within_words(const Field *field);

/* "whole number or null": for tables. g_free. */
char *report_field_type(const Field *field);

/* One report. */
extern const Shape report_shape;

/* Adds all fields to a schema, `inside` what is named so ("runs[]."), but those of which the first name is left out; left_out: NULL-terminated;
   NULL: none. */
void report_fields_schema(cJSON *schema, const char *inside, const char *const *left_out);

#endif
