/* SPDX-License-Identifier: MIT */
/* Loops of spin locks, measured and simulated. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_SPINS_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_SPINS_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Adds a point for each row of a table with the columns `code`, `space`, `section`, `counted`, `warps`, `lanes`,
   `words`, `placing`, `cycles` (measurements/programs/locks.cu), but for rows of code that was changed by hand or that
   counts its failures: what is simulated is the compiled loop. Locks in global memory are passed over where
   global.model is flat. A column `held_back` says which no constant was chosen by. Rows run on as
   many threads as there are processors. Errors as validate_add_file. */
gboolean validate_add_spins(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error);
/* Adds a point for each row of a table with the columns `section`, `warps`, `sharing`, `locks`, `seed`, `cycles`
   (measurements/programs/lock-groups.cu): one lock after the other, each lane its own, as `gen lock-chain` has them.
   Sections that load from global memory are passed over. `held_back`, threads and errors as above. */
gboolean validate_add_lock_chains(Validation *validation, const Machine *machine,
				  const CsvTable *table, GError **error);
/* Whether it has the columns `section`, `blocks`, `warps`, `lanes`, `words`, `groups`, `entries`, `cycles`
   (measurements/programs/lock-grid.cu): locks in global memory that blocks on many SMs want. */
gboolean validate_is_lock_grid(const CsvTable *table);
/* Adds a point for each row of such a table. Rows are passed over where global.model is flat. `held_back`, threads and errors
   as above. */
gboolean validate_add_lock_grid(Validation *validation, const Machine *machine,
				const CsvTable *table, GError **error);

#endif
