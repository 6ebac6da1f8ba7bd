/* SPDX-License-Identifier: MIT */
#include "base/names.h"

const char *const buffer_before_names[N_BUFFER_BEFORE] = {
	[BUFFER_FRESH] = "fresh", [BUFFER_COPIED] = "copied", [BUFFER_REUSED] = "reused",
	[BUFFER_SET] = "set",	  [BUFFER_USED] = "used",     [BUFFER_WRITTEN] = "written",
};

const char *const record_kind_names[N_RECORD_KINDS] = {
#define X(constant, name, number) [number] = name,
	TRACE_RECORD_KINDS(X)
#undef X
};

const char *const operation_names[N_OPERATIONS] = {
#define X(constant, name, number) [number] = name,
	TRACE_OPERATIONS(X)
#undef X
};

const char *const value_type_names[N_VALUE_TYPES] = {
#define X(constant, name, number, bytes) [number] = name,
	TRACE_VALUE_TYPES(X)
#undef X
};

const uint8_t value_type_bytes[N_VALUE_TYPES] = {
#define X(constant, name, number, bytes) [number] = bytes,
	TRACE_VALUE_TYPES(X)
#undef X
};

const char *const scope_names[N_SCOPES] = {
#define X(constant, name, number) [number] = name,
	TRACE_SCOPES(X)
#undef X
};

const char *const cache_hint_names[N_CACHE_HINTS] = {
#define X(constant, name, number) [number] = name,
	TRACE_CACHE_HINTS(X)
#undef X
};

const char *const code_class_names[N_CODE_CLASSES] = {
#define X(constant, name, number, what) [number] = name,
	CODE_CLASSES(X)
#undef X
};
