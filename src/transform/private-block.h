/* SPDX-License-Identifier: MIT */
/* The part of private= that is of blocks. Only files of transform include it. */
#ifndef ATOMSIM_TRANSFORM_PRIVATE_BLOCK_H
#define ATOMSIM_TRANSFORM_PRIVATE_BLOCK_H

#include "transform/change.h"

/* Plans it for an array of a buffer. FALSE without an error: a stream failed. Errors: ATOMSIM_ERROR_INPUT, for an array that is too
   large. */
gboolean private_plan_block(Change *change, const SharedArray *array, RecordSource *source,
			    GError **error);

/* As ChangeKind.rewrite. */
void private_rewrite_block(const Change *change, const Place *place, const Record *in,
			   GArray *out);

#endif
