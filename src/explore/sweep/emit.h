/* SPDX-License-Identifier: MIT */
/* Job files that run the shards of a sweep elsewhere. Who may include it: explore, cli. */
#ifndef ATOMSIM_EXPLORE_SWEEP_EMIT_H
#define ATOMSIM_EXPLORE_SWEEP_EMIT_H

#include <glib.h>

/* Whether there is a kind of job file of that name. Errors: ATOMSIM_ERROR_USAGE. */
gboolean sweep_emit_find(const char *kind, GError **error);

/*
 * The text of a job file of a kind that there is. `arguments`: those of 'atomsim sweep', but for
 * what differs from shard to shard; `folder`: where each shard gets a folder. Every job resumes, so
 * that it can be killed and started again at will. n_jobs 0: not said. g_free.
 */
char *sweep_emit(const char *kind, const char *const *arguments, const char *folder,
		 guint n_shards, guint n_jobs);

#endif
