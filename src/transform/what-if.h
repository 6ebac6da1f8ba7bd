/* SPDX-License-Identifier: MIT */
/*
 * What if a kernel were written otherwise? Transforms of what its trace asks for: a source of records
 * around another. No program is run or edited.
 *
 * Each change is made to one array of shared memory and charged with what it costs: shared memory,
 * further stores and loads, arithmetic. A change that the program might notice is refused.
 * Who may include it: replay and every layer above.
 */
#ifndef ATOMSIM_TRANSFORM_WHAT_IF_H
#define ATOMSIM_TRANSFORM_WHAT_IF_H

#include <glib.h>

#include "base/record.h"

/* A list of changes, made one after the other. */
typedef struct WhatIf WhatIf;

/* The names of the changes, from 0; NULL behind the last. */
const char *what_if_change_name(guint i);

WhatIf *what_if_new(void);
void what_if_free(WhatIf *what_if);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WhatIf, what_if_free)

/*
 * Adds a change, as --what-if takes it: CHANGE=VALUE[,OPTION=VALUE]...
 *   replicate=N[,map=cyclic|block|warp][,pad=WORDS]  N copies of the array, each that many words longer
 *   pad=ROW:WORDS     words left out after each row of ROW words
 *   aggregate=warp    lanes of a warp that want one word send one of them
 *   hash=xor          a word's place in its row of 32 combined with the row's number
 *   type=u32|s32      integer atomics instead of 32-bit float ones
 *   scatter=SEED      no program, but a yardstick: atomics go to random words of the array
 *   mechanism=NAME    the way to do the array's atomics; without an array: of all atomics on shared
 *                     words, of whatever type
 * Each takes the array: line=N, site=N or bytes=FIRST..LAST.
 * Errors: ATOMSIM_ERROR_USAGE.
 */
gboolean what_if_add(WhatIf *what_if, const char *text, GError **error);

guint what_if_length(const WhatIf *what_if);
/* The i-th change as it was added. */
const char *what_if_text(const WhatIf *what_if, guint i);
/* "key=value" for the machine's config, NULL-terminated and owned by what_if. */
const char *const *what_if_settings(const WhatIf *what_if);

/* Names of mechanisms that it gives to arrays, NULL-terminated, owned by what_if. The machine that runs
   a changed source must learn of them: config_use_mechanisms. */
const char *const *what_if_mechanisms(const WhatIf *what_if);

/* A source with changes; `source` is what to run. */
typedef struct {
	RecordSource *source;
	GPtrArray *changed; /* the sources around the first, the last one to run; NULL: none */
} ChangedSource;

/*
 * Wraps a source, which must outlive the result, in all changes. site_lines[k - 1] is site k's line
 * of the program, 0 if unknown; NULL: none is known. `name` begins an error's message.
 * Errors: ATOMSIM_ERROR_INPUT: the array is not there or not the only one, or the change would not be
 * sound. FALSE without an error: a stream failed, and the source keeps why.
 */
gboolean what_if_apply(const WhatIf *what_if, const char *name, RecordSource *source,
		       const uint32_t *site_lines, uint32_t n_sites, ChangedSource *changed,
		       GError **error);
void changed_source_clear(ChangedSource *changed);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ChangedSource, changed_source_clear)

#endif
