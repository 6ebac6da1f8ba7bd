/* SPDX-License-Identifier: MIT */
/* Names of record kinds, operations and value types. */
#include "trace/names.h"

const char *const trace_kind_names[N_RECORD_KINDS] = {
#define X(constant, name, number) [number] = name,
	TRACE_RECORD_KINDS(X)
#undef X
};

const char *const trace_operation_names[N_OPERATIONS] = {
#define X(constant, name, number) [number] = name,
	TRACE_OPERATIONS(X)
#undef X
};

const char *const trace_type_names[N_VALUE_TYPES] = {
#define X(constant, name, number, bytes) [number] = name,
	TRACE_VALUE_TYPES(X)
#undef X
};
