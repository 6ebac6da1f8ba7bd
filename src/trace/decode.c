/* SPDX-License-Identifier: MIT */
/*
 * Bytes to a record. This runs once for each record that is replayed, so bounds are checked once a
 * record, and all that depends on the number of lanes is compiled twice.
 */
#include "trace/decode-address.h"

#include "base/little.h"
#include "base/names.h"
#include "trace/decode-shape.h"

static inline uint32_t get_u32(const uint8_t *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof(value));
	return little_32(value);
}

static inline uint64_t get_u64(const uint8_t *at)
{
	uint64_t value;
	memcpy(&value, at, sizeof(value));
	return little_64(value);
}

/* The two bytes of an atomic, whose second may hold flags of its own next to `type`, one of `n_types`. */
static void get_atomic(uint8_t operation, uint8_t type, uint8_t n_types, Record *record,
		       const char **problem)
{
	record->operation = operation & ATOM_OPERATION_MASK;
	record->result = operation & ATOM_RESULT;
	record->has_values = operation & ATOM_VALUES;
	record->type = type;
	if (record->operation >= N_OPERATIONS || (operation & 0x80))
		*problem = "unknown operation of an atom; 0 to 9 are allowed";
	else if (type >= n_types)
		*problem = n_types == N_SHARED_TYPES
				   ? "unknown value type of an atom; 0 to 7 are allowed"
				   : "unknown value type of an atomg; 0 to 13 are allowed";
	else if (record->has_values && value_type_bytes[type] > sizeof(record->value[0]))
		*problem = "operand values of an atomic of 16 bytes; allowed: none";
	else
		record->width = value_type_bytes[type];
}

/* Number of a buffer; 0 if the addresses are not known. */
static uint16_t get_buffer(const TraceRules *rules, const uint8_t **at, const char **problem)
{
	bool bad = false;
	uint32_t buffer = get_varint(at, &bad);

	if (bad || buffer > rules->n_buffers)
		*problem = "a buffer that the metadata does not have";
	return (uint16_t)buffer;
}

static const uint8_t *get_global(const TraceRules *rules, bool atomic, const uint8_t *at,
				 Record *record, const char **problem)
{
	bool bad = false;
	uint8_t byte;

	record->buffer = get_buffer(rules, &at, problem);
	if (*problem)
		return at;
	if (record->buffer == 0) {
		record->bytes = get_varint(&at, &bad);
		record->count = get_varint(&at, &bad);
		if (bad)
			*problem = VARINT_BAD;
		return at;
	}
	byte = at[atomic];
	record->cache = byte >> GLOBAL_CACHE_SHIFT & 7;
	if ((byte & (atomic ? GLOBAL_UNUSED : GLOBAL_UNUSED | GLOBAL_TYPE_HIGH)) ||
	    record->cache >= N_CACHE_HINTS)
		*problem = "unknown cache hint; 0 to 3 are allowed";
	else if (atomic)
		get_atomic(at[0],
			   (byte & GLOBAL_WIDTH_MASK) | (byte & GLOBAL_TYPE_HIGH ? 8 : 0),
			   N_VALUE_TYPES, record, problem);
	else if ((byte & GLOBAL_WIDTH_MASK) > 4)
		*problem = "unknown width; 1, 2, 4, 8, 16 are allowed";
	else
		record->width = (uint8_t)(1u << (byte & GLOBAL_WIDTH_MASK));
	return at + 1 + atomic;
}

static const uint8_t *get_barrier(const uint8_t *at, Record *record, const char **problem)
{
	bool bad = false;
	uint8_t byte = *at++;

	record->barrier = byte & BARRIER_NUMBER_MASK;
	record->arrives = byte & BARRIER_ARRIVES;
	record->count = byte & BARRIER_COUNT ? get_varint(&at, &bad) : 0;
	if (bad || (record->count == 0 && byte & BARRIER_COUNT))
		*problem = "a barrier of 0 threads is written out";
	return at;
}

static inline const uint8_t *get_head(const TraceRules *rules, const Shape *shape,
				      const uint8_t *at, Record *record, const char **problem)
{
	bool bad = false;

	switch (shape->head) {
	case HEAD_COUNT:
		record->count = get_varint(&at, &bad);
		if (record->count == 0)
			*problem = "0 instructions; 1 or more are allowed";
		break;
	case HEAD_WIDTH:
		record->width = *at++;
		if (record->width > 16 || record->width == 0 ||
		    (record->width & (record->width - 1)))
			*problem = "unknown width; 1, 2, 4, 8, 16 are allowed";
		break;
	case HEAD_ATOM:
		get_atomic(at[0], at[1], N_SHARED_TYPES, record, problem);
		at += 2;
		break;
	case HEAD_GLOBAL_1:
		record->buffer = 0;
		record->bytes = get_varint(&at, &bad);
		record->count = get_varint(&at, &bad);
		break;
	case HEAD_GLOBAL:
	case HEAD_ATOMG:
		at = get_global(rules, shape->head == HEAD_ATOMG, at, record, problem);
		break;
	case HEAD_BARRIER_1:
		record->barrier = 0;
		record->count = 0;
		record->arrives = false;
		break;
	case HEAD_BARRIER:
		at = get_barrier(at, record, problem);
		break;
	case HEAD_LOCK_1:
	case HEAD_LOCK:
		record->width = 4;
		record->buffer = shape->head == HEAD_LOCK ? get_buffer(rules, &at, problem) : 0;
		record->space = record->buffer ? MEMORY_GLOBAL : MEMORY_SHARED;
		break;
	case HEAD_GAP:
		record->gap = get_varint(&at, &bad);
		break;
	case HEAD_SCOPE:
		record->scope = *at++;
		if (record->scope >= N_SCOPES)
			*problem = "unknown scope of a fence; 0 to 2 are allowed";
		break;
	default:
		break;
	}
	if (bad)
		*problem = VARINT_BAD;
	return at;
}

static inline const uint8_t *get_mask(const uint8_t *at, bool full, unsigned lanes,
				      Record *record, const char **problem)
{
	LaneMask all = UINT64_MAX >> (64 - lanes);

	if (full) {
		record->mask = all;
		record->n_lanes = (uint8_t)lanes;
		return at;
	}
	record->mask = lanes == 64 ? get_u64(at) : get_u32(at);
	record->n_lanes = (uint8_t)__builtin_popcountll(record->mask);
	if (record->mask == 0 || record->mask == all)
		*problem = "a mask of 0, or a full one that is written out";
	return at + lanes / 8;
}

static inline const uint8_t *get_values(const uint8_t *at, const Record *record, unsigned lanes,
					uint64_t *values)
{
	if (record->width == 8) {
		memcpy(values, at, sizeof(uint64_t) * lanes);
		little_64s(values, lanes);
	} else {
		uint32_t words[MAX_LANES];
		memcpy(words, at, sizeof(words[0]) * lanes);
		little_32s(words, lanes);
		for (unsigned i = 0; i < lanes; i++)
			values[i] = words[i];
	}
	return at + (size_t)record->width * record->n_lanes;
}

static G_ALWAYS_INLINE inline size_t decode(const TraceRules *rules, const Shape *shapes,
					    unsigned lanes, const uint8_t *bytes,
					    Record *record, const char **problem)
{
	const uint8_t *at = bytes + 1;
	unsigned tag = bytes[0], kind = tag & TAG_KIND_MASK;
	const Shape *shape = &shapes[kind];
	const char *found = NULL;
	bool bad = false;

	if (G_UNLIKELY(tag & shape->forbidden)) {
		*problem = shape->forbidden == NO_KIND
				   ? "unknown kind of record; 0 to 11 are allowed"
				   : "a bit of the tag that this kind does not use is set";
		return 0;
	}
	record->kind = (uint8_t)kind;
	record->n_lanes = 0;
	record->site = 0;
	at = get_head(rules, shape, at, record, &found);
	if (G_UNLIKELY(found)) {
		*problem = found;
		return 0;
	}
	if (shape->lanes)
		at = get_mask(at, tag & TAG_FULL_MASK, lanes, record, &found);
	if (tag & TAG_SITE) {
		record->site = get_varint(&at, &bad);
		if (record->site == 0 || bad)
			found = bad ? VARINT_BAD : "a site of 0 is written out";
	}
	if (!found && shape->addresses != ADDRESSES_NONE) {
		unsigned code = tag >> TAG_ADDRESS_SHIFT;
		bool has_values = kind == RECORD_ATOM && record->has_values;

		if (shape->addresses == ADDRESSES_SHARED ||
		    (shape->addresses == ADDRESSES_EITHER && record->buffer == 0)) {
			at = get_addresses(at, code, lanes, rules->shared_bytes, record,
					   &found);
		} else if (record->buffer) {
			at = get_global_addresses(at, code, lanes,
						  trace_buffer_bytes(rules, record->buffer),
						  record, &found);
			has_values = kind == RECORD_ATOMG && record->has_values;
			if (record->buffer == rules->local_buffer && kind != RECORD_LDG &&
			    kind != RECORD_STG)
				found = "an atomic or a lock in thread-local memory";
		} else if (tag & ADDRESS_BITS) {
			found = "a code of addresses without a buffer";
		}
		if (has_values) {
			if (record->operation == OPERATION_CAS)
				at = get_values(at, record, lanes, record->compare);
			at = get_values(at, record, lanes, record->value);
		}
	}
	if (G_UNLIKELY(found)) {
		*problem = found;
		return 0;
	}
	return (size_t)(at - bytes);
}

size_t trace_decode_padded(const TraceRules *rules, const uint8_t *bytes, Record *record,
			   const char **problem)
{
	if (rules->version == 1)
		return decode(rules, shapes_1, 32, bytes, record, problem);
	if (rules->lanes == 64)
		return decode(rules, shapes_2, 64, bytes, record, problem);
	return decode(rules, shapes_2, 32, bytes, record, problem);
}

size_t trace_decode_record(const TraceRules *rules, const uint8_t *bytes, const uint8_t *end,
			   Record *record, const char **problem)
{
	/* All 0 between two calls: writing over all of it takes longer than decoding a short record. */
	static _Thread_local uint8_t padded[TRACE_MAX_RECORD_BYTES];
	size_t left = (size_t)(end - bytes), used;

	if (left >= TRACE_MAX_RECORD_BYTES)
		return trace_decode_padded(rules, bytes, record, problem);
	if (left == 0) {
		*problem = "no bytes left";
		return 0;
	}
	memcpy(padded, bytes, left);
	used = trace_decode_padded(rules, padded, record, problem);
	memset(padded, 0, left);
	if (used > left) {
		*problem = "the record goes on past the end of its segment";
		return 0;
	}
	return used;
}
