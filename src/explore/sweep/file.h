/* SPDX-License-Identifier: MIT */
/*
 * What a sweep is to do, as the user said it: the words of the command line, or of a JSON file with
 * the same meaning. Who may include it: explore, answer, library, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_FILE_H
#define ATOMSIM_EXPLORE_SWEEP_FILE_H

#include <glib.h>

#include "explore/sweep/sweep.h"

typedef struct {
	char *config;	     /* NULL: not said, and so below */
	char *gen;	     /* a workload */
	GPtrArray *settings; /* "key=value" */
	GPtrArray *axes;     /* of SweepAxis */
	guint64 n_values;    /* of all axes of the file, those that others replaced included */
	GPtrArray *traces;   /* paths */
	gboolean zip;
	gint64 sample; /* 0: not said */
	gint64 seed;   /* 0: the default */
} SweepWords;

void sweep_words_init(SweepWords *words);
void sweep_words_clear(SweepWords *words);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepWords, sweep_words_clear)

/* Adds an axis; one of the same key goes. */
void sweep_words_vary(SweepWords *words, SweepAxis *axis);

/*
 * Adds what a sweep file says. Its members: "config", "gen", "set" {key: value}, "vary" {key: values},
 * "traces" [path], "zip", "sample", "seed". Values of "vary" are an array of values, or a text as
 * --vary takes it. Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_INPUT with all problems, each with
 * file:line:column.
 */
gboolean sweep_file_read(const char *path, SweepWords *words, GError **error);
/* The same from a text; errors call it `name`. */
gboolean sweep_text_read(const char *name, const char *text, gsize length, SweepWords *words,
			 GError **error);

#endif
