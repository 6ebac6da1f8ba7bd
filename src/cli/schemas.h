/* SPDX-License-Identifier: MIT */
/*
 * The shapes of all that commands print as JSON, each described beside what writes it. `atomsim list --schema` prints
 * their JSON Schemas. Who may include it: commands.
 */
#ifndef ATOMSIM_CLI_SCHEMAS_H
#define ATOMSIM_CLI_SCHEMAS_H

#include "base/json-shape.h"

/* report_shape is beside what writes a report. */
#define SCHEMAS(X)                                                                             \
	X(report)                                                                              \
	X(report_sequence)                                                                     \
	X(sweep)                                                                               \
	X(table)                                                                               \
	X(diff)                                                                                \
	X(ncu_diff)                                                                            \
	X(advice)                                                                              \
	X(explanation)                                                                         \
	X(model)                                                                               \
	X(law)                                                                                 \
	X(validate)                                                                            \
	X(validate_folder)                                                                     \
	X(calibrate)                                                                           \
	X(search)                                                                              \
	X(info)                                                                                \
	X(config)                                                                              \
	X(cost)                                                                                \
	X(list)                                                                                \
	X(hash)

#define X(name) extern const Shape name##_shape;
SCHEMAS(X)
#undef X

extern const Shape *const schemas[]; /* NULL-terminated */

#endif
