/* SPDX-License-Identifier: MIT */
/*
 * Options that commands share: the same name means, says and allows the same in each. Who may include
 * it: commands.
 */
#ifndef ATOMSIM_CLI_OPTION_H
#define ATOMSIM_CLI_OPTION_H

#include <glib.h>

#include "base/words.h"

/* Rows of a command's GOptionEntry table; `where` is the address of what takes the value. */
#define OPTION_CONFIG(where)                                                                   \
	{                                                                                      \
		"config", 0, 0, G_OPTION_ARG_FILENAME, where,                                  \
			"Machine: a path, or the name of an installed config (fermi)",         \
			"CONFIG"                                                               \
	}
#define OPTION_SET(where)                                                                      \
	{                                                                                      \
		"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, where,                                 \
			"Change a key of the config, as in --set sm.count=4; may be repeated", \
			"KEY=VALUE"                                                            \
	}
#define OPTION_FORMAT(where, names)                                                            \
	{                                                                                      \
		"format", 0, 0, G_OPTION_ARG_STRING, where, names, "FORMAT"                    \
	}
#define OPTION_OUTPUT(where)                                                                   \
	{                                                                                      \
		"output", 'o', 0, G_OPTION_ARG_FILENAME, where,                                \
			"Write to FILE instead of standard output", "FILE"                     \
	}
/* cli_read_sample reads it. */
#define OPTION_SAMPLE(where)                                                                   \
	{                                                                                      \
		"sample", 0, 0, G_OPTION_ARG_STRING, where,                                    \
			"Only WAVES waves of blocks, from all over the launch; a run "         \
			"estimates the launch (docs/guide/within.md)",                         \
			"WAVES"                                                                \
	}
#define OPTION_SEED(where)                                                                     \
	{                                                                                      \
		"seed", 0, 0, G_OPTION_ARG_INT64, where,                                       \
			"Seed of the random winner rule (default 0)", "N"                      \
	}
#define OPTION_JOBS(where)                                                                     \
	{                                                                                      \
		"jobs", 0, 0, G_OPTION_ARG_INT, where,                                         \
			"Threads (default: one for each processor); same result", "N"          \
	}
/* The atomic of commands that make one up: an AtomicOptions. */
#define OPTION_ATOMIC(options)                                                                 \
	{"operation",                                                                          \
	 0,                                                                                    \
	 0,                                                                                    \
	 G_OPTION_ARG_STRING,                                                                  \
	 &(options)->operation,                                                                \
	 "Operation of the atomic: add (default), inc, ..., cas",                              \
	 "NAME"},                                                                              \
		{"type",                                                                       \
		 0,                                                                            \
		 0,                                                                            \
		 G_OPTION_ARG_STRING,                                                          \
		 &(options)->type,                                                             \
		 "Type of the words: u32 (default), s32, f32, u64, s64, f64",                  \
		 "NAME"},                                                                      \
	{                                                                                      \
		"result", 0, 0, G_OPTION_ARG_NONE, &(options)->result,                         \
			"The program uses the old values (default: it does not, adds 1)", NULL \
	}
#define OPTION_OPERANDS(where)                                                                 \
	{                                                                                      \
		G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, where, NULL, NULL       \
	}
#define OPTION_END                                                                             \
	{                                                                                      \
		NULL, 0, 0, 0, NULL, NULL, NULL                                                \
	}

typedef struct {
	char *operation, *type; /* NULL: not given */
	gboolean result;
} AtomicOptions;

/* What they name. A usage error for what is none. */
gboolean cli_read_atomic(const AtomicOptions *options, Operation *operation, ValueType *type,
			 GError **error);
/* "add.u32 of 1 without result", "max.f32 with its result". g_free. */
char *cli_atomic_words(Operation operation, ValueType type, gboolean result);

/*
 * The place of `word`, what --OPTION was given, among n names; 0 for NULL: the first is the default.
 * `place` may be NULL. A usage error that lists the names if it is none of them.
 */
gboolean cli_choice(const char *option, const char *word, const char *const *names, guint n,
		    guint *place, GError **error);

/*
 * What --fail-above of a command says, in per cent: -1 for NULL. `besides` ends the list of what is allowed ("" or " ...").
 * A usage error if it is no number from 0 to 1000000.
 */
gboolean cli_limit(const char *command, const char *text, const char *besides, double *limit,
		   GError **error);

/* What many a --format can be. */
#define N_TEXT_OR_JSON 2
extern const char *const cli_text_or_json[N_TEXT_OR_JSON];

/* Waves of --sample, which may be NULL: 0. A usage error if they are no whole number that gpu/capture/sample.h allows. */
gboolean cli_read_sample(const char *text, guint64 *waves, GError **error);

/* Bytes of "256M"; 0 if the text is no size. */
guint64 cli_size(const char *text);

/* That --seed and --jobs are not negative. A usage error if not. */
gboolean cli_check_numbers(gint64 seed, int jobs, GError **error);

#endif
