/* SPDX-License-Identifier: MIT */
/* Job files that run the shards of a sweep elsewhere. Who may include it: explore, cli. */
#ifndef ATOMSIM_EXPLORE_SWEEP_EMIT_H
#define ATOMSIM_EXPLORE_SWEEP_EMIT_H

#include <glib.h>

/* Whether there is a kind of job file of that name. Errors: ATOMSIM_ERROR_USAGE. */
gboolean sweep_emit_find(const char *kind, GError **error);

/* What the shards of a sweep have in common. */
typedef struct {
	const char *const
		*options; /* of 'atomsim sweep', but for what differs from shard to shard */
	const char *const *traces; /* its operands; NULL: none */
	const char *folder;	   /* where each shard gets a folder */
	guint n_shards;
	guint n_jobs; /* 0: not said */
} SweepEmit;

/*
 * The text of a job file of a kind that there is. Every job resumes, so that it can be killed and
 * started again at will. Errors: ATOMSIM_ERROR_USAGE for a word that has the end of a line in it. g_free.
 */
char *sweep_emit(const char *kind, const SweepEmit *emit, GError **error);

#endif
