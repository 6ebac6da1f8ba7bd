/* SPDX-License-Identifier: MIT */
/* atomsim model --law: published equations, without a machine. Who may include it: cli/model. */
#ifndef ATOMSIM_CLI_MODEL_LAW_H
#define ATOMSIM_CLI_MODEL_LAW_H

#include <glib.h>

#include "base/csv-columns.h"

/* Of the options that only a law takes; as typed, NULL: not given. */
typedef struct {
	char *name;
	char *groups;			     /* a list */
	char *lanes, *at_once;		     /* whole numbers */
	char *t_complete, *t_fast, *t_local; /* numbers, one unit */
} LawOptions;

#define LAW_ENTRIES(options)                                                                   \
	{"law",                                                                                \
	 0,                                                                                    \
	 0,                                                                                    \
	 G_OPTION_ARG_STRING,                                                                  \
	 &(options).name,                                                                      \
	 "A published law instead of a config: elteir",                                        \
	 "LAW"},                                                                               \
		{"groups",                                                                     \
		 0,                                                                            \
		 0,                                                                            \
		 G_OPTION_ARG_STRING,                                                          \
		 &(options).groups,                                                            \
		 "elteir: workgroups, one or a list (1,8,32,128)",                             \
		 "LIST"},                                                                      \
		{"lanes",                                                                      \
		 0,                                                                            \
		 0,                                                                            \
		 G_OPTION_ARG_STRING,                                                          \
		 &(options).lanes,                                                             \
		 "elteir: lanes that execute in a workgroup (64)",                             \
		 "N"},                                                                         \
		{"at-once",                                                                    \
		 0,                                                                            \
		 0,                                                                            \
		 G_OPTION_ARG_STRING,                                                          \
		 &(options).at_once,                                                           \
		 "elteir: workgroups that execute at once (all)",                              \
		 "N"},                                                                         \
		{"t-complete",                                                                 \
		 0,                                                                            \
		 0,                                                                            \
		 G_OPTION_ARG_STRING,                                                          \
		 &(options).t_complete,                                                        \
		 "elteir: a memory transaction of the complete path, t_fast being 1 (96/18)",  \
		 "TIME"},                                                                      \
		{"t-fast",                                                                     \
		 0,                                                                            \
		 0,                                                                            \
		 G_OPTION_ARG_STRING,                                                          \
		 &(options).t_fast,                                                            \
		 "elteir: one of the fast path (1)",                                           \
		 "TIME"},                                                                      \
	{                                                                                      \
		"t-local", 0, 0, G_OPTION_ARG_STRING, &(options).t_local,                      \
			"elteir: an update in local memory (153.6/2176)", "TIME"               \
	}

/* Whether an option of a law was given. */
gboolean law_wanted(const LawOptions *options);
#define LAW_COLUMNS                                                                            \
	"groups,at_once,lanes,t_complete,t_fast,t_local,equation_1,equation_2,request,"        \
	"coordinator,reply,equation_3,equation_4,speedup"

/* Prints the law's table: format 0 text, 1 JSON, 2 CSV, of that the columns (NULL: all). Errors: ATOMSIM_ERROR_USAGE. */
gboolean law_print(const LawOptions *options, guint format, CsvColumns *columns,
		   GError **error);

#endif
