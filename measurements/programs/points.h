/* SPDX-License-Identifier: MIT */
/*
 * Points to measure, from a CSV file with a header: a program asks for a row's fields by name.
 */
#ifndef POINTS_H
#define POINTS_H

#include "probe.h"

#define MAX_FIELDS     16
#define LINE_MAX_BYTES 4096

typedef struct {
	FILE *file;
	const char *path;
	int n, line;
	char names[LINE_MAX_BYTES], text[LINE_MAX_BYTES];
	char *name[MAX_FIELDS], *field[MAX_FIELDS];
} Points;

static inline int points_split(char *text, char **fields)
{
	int n = 0;

	text[strcspn(text, "\r\n")] = '\0';
	for (char *rest = text; rest && n < MAX_FIELDS; n++) {
		fields[n] = rest;
		rest = strchr(rest, ',');
		if (rest)
			*rest++ = '\0';
	}
	return n;
}

static inline void points_open(Points *points, const char *path)
{
	points->path = path;
	points->line = 1;
	points->file = fopen(path, "r");
	if (!points->file || !fgets(points->names, sizeof(points->names), points->file)) {
		fprintf(stderr, "%s: not a readable file with a header\n", path);
		exit(1);
	}
	points->n = points_split(points->names, points->name);
}

/* Reads the next row; false at the end of the file. */
static inline bool points_next(Points *points)
{
	if (!fgets(points->text, sizeof(points->text), points->file))
		return false;
	points->line++;
	if (points_split(points->text, points->field) < points->n) {
		fprintf(stderr, "%s:%d: fewer than %d fields\n", points->path, points->line,
			points->n);
		exit(1);
	}
	return true;
}

static inline const char *points_text(const Points *points, const char *name)
{
	for (int i = 0; i < points->n; i++)
		if (strcmp(points->name[i], name) == 0)
			return points->field[i];
	fprintf(stderr, "%s: no column '%s'\n", points->path, name);
	exit(1);
}

static inline int points_number(const Points *points, const char *name, int low, int high)
{
	int value = atoi(points_text(points, name));

	if (value < low || value > high) {
		fprintf(stderr, "%s:%d: %s is %d; allowed: %d to %d\n", points->path,
			points->line, name, value, low, high);
		exit(1);
	}
	return value;
}

#endif
