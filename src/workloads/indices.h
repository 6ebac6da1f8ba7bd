/* SPDX-License-Identifier: MIT */
/* Indices as users give them, one a thread, and the size of the array that they are of. Who may include it: workloads. */
#ifndef ATOMSIM_WORKLOADS_INDICES_H
#define ATOMSIM_WORKLOADS_INDICES_H

#include "base/csv.h"
#include "workloads/workload.h"

#define IDLE_INDEX (-1) /* of a thread that does nothing */

/* Whether the table has a column `index`, or is one column of numbers without a header. */
gboolean indices_are_in(const CsvTable *table);

/* Appends them, of int64_t, each IDLE_INDEX or up to `most`. Errors: ATOMSIM_ERROR_INPUT. */
gboolean indices_append(const CsvTable *table, int64_t most, GArray *indices, GError **error);

/* Of *n_words, which the indices need, makes what --words says. Errors: ATOMSIM_ERROR_USAGE: it is less, or more than `most`. */
gboolean indices_words(const WorkloadParameters *parameters, uint64_t most, uint64_t *n_words,
		       GError **error);

/* The option. `most` words are what its row allows. */
#define WORDS_ROW(most)                                                                        \
	INTEGER_ROW("words", "words", 1, most, NULL,                                           \
		    "size of the array, in values of the type; one more than the highest "     \
		    "index if not given")

#endif
