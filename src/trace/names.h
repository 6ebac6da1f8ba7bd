/* SPDX-License-Identifier: MIT */
/* The words of format.h for people: names by number. Who may include it: every layer above sim. */
#ifndef ATOMSIM_TRACE_NAMES_H
#define ATOMSIM_TRACE_NAMES_H

#include "base/dataflow.h"
#include "base/words.h"

extern const char *const trace_kind_names[N_RECORD_KINDS];
extern const char *const trace_operation_names[N_OPERATIONS];
extern const char *const trace_type_names[N_VALUE_TYPES];
extern const char *const trace_scope_names[N_SCOPES];
extern const char *const trace_cache_hint_names[N_CACHE_HINTS];
extern const char *const trace_code_class_names[N_CODE_CLASSES];

#endif
