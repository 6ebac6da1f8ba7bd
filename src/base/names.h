/* SPDX-License-Identifier: MIT */
/* The words of words.h and dataflow.h for people: names by number. A leaf: every layer may include it. */
#ifndef ATOMSIM_BASE_NAMES_H
#define ATOMSIM_BASE_NAMES_H

#include "base/dataflow.h"
#include "base/words.h"

extern const char *const record_kind_names[N_RECORD_KINDS];
extern const char *const buffer_before_names[N_BUFFER_BEFORE]; /* NULL of BUFFER_UNKNOWN */
extern const char *const operation_names[N_OPERATIONS];
extern const char *const value_type_names[N_VALUE_TYPES];
extern const uint8_t value_type_bytes[N_VALUE_TYPES];
extern const char *const scope_names[N_SCOPES];
extern const char *const cache_hint_names[N_CACHE_HINTS];
extern const char *const code_class_names[N_CODE_CLASSES];

#endif
