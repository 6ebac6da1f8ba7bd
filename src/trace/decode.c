/* SPDX-License-Identifier: MIT */
/*
 * Bytes to a record. This runs once for each record that is replayed, so loops over lanes always
 * have 32 turns over a copy that cannot overlap the record (so that the compiler makes vectors of
 * them even at -O2; lanes beyond n_lanes become undefined values, as sim/record.h allows) and bounds
 * are checked once a record.
 */
#include <glib.h>
#include <string.h>

#include "trace/codec.h"
#include "trace/reader.h"

#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#error "traces are read and written as the host's own little-endian numbers"
#endif

typedef enum { HEAD_NONE, HEAD_COUNT, HEAD_WIDTH, HEAD_ATOM, HEAD_GLOBAL } Head;

typedef struct {
	uint8_t head;	   /* Head */
	bool lanes;	   /* has a mask */
	bool addresses;	   /* has shared addresses */
	uint8_t forbidden; /* bits of the tag that must be 0 */
} Shape;

#define ADDRESS_BITS (3 << TAG_ADDRESS_SHIFT)

/* Numbers without a kind forbid all bits, their own included. */
static const Shape shapes[TAG_KIND_MASK + 1] = {
	[RECORD_EXIT] = {HEAD_NONE, false, false, ADDRESS_BITS | TAG_FULL_MASK | TAG_SITE},
	[RECORD_ALU] = {HEAD_COUNT, false, false, ADDRESS_BITS | TAG_FULL_MASK},
	[RECORD_LDS] = {HEAD_WIDTH, true, true, 0},
	[RECORD_STS] = {HEAD_WIDTH, true, true, 0},
	[RECORD_ATOM] = {HEAD_ATOM, true, true, 0},
	[RECORD_LDG] = {HEAD_GLOBAL, true, false, ADDRESS_BITS},
	[RECORD_STG] = {HEAD_GLOBAL, true, false, ADDRESS_BITS},
	[RECORD_ATOMG] = {HEAD_GLOBAL, true, false, ADDRESS_BITS},
	[RECORD_BAR] = {HEAD_NONE, false, false, ADDRESS_BITS | TAG_FULL_MASK},
	[RECORD_LOCK] = {HEAD_NONE, true, true, 0},
	[RECORD_UNLOCK] = {HEAD_NONE, true, true, 0},
	[RECORD_UNKNOWN] = {HEAD_COUNT, false, false, ADDRESS_BITS | TAG_FULL_MASK},
	[12] = {.forbidden = 0xff},
	[13] = {.forbidden = 0xff},
	[14] = {.forbidden = 0xff},
	[15] = {.forbidden = 0xff},
};

/* keep_u8 + 32 - n is n lanes of ones, then zeros: it hides lanes that are not there. */
#define ONES_8	   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
#define ONES_16BIT 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff
static const uint8_t keep_u8[2 * TRACE_MAX_LANES] = {ONES_8, ONES_8, ONES_8, ONES_8};
static const uint16_t keep_u16[2 * TRACE_MAX_LANES] = {ONES_16BIT, ONES_16BIT, ONES_16BIT,
						       ONES_16BIT};

#define VARINT_BAD "a number is longer than 5 bytes or 32 bits"

/* LEB128 of at most 32 bits. Sets *bad if it is more. */
static inline uint32_t get_varint(const uint8_t **at, bool *bad)
{
	const uint8_t *p = *at;
	uint32_t value = *p++;
	if (G_UNLIKELY(value >= 0x80)) {
		value &= 0x7f;
		for (unsigned shift = 7;; shift += 7) {
			uint32_t byte = *p++;
			if (shift == 28 && byte > 0x0f) {
				*bad = true;
				break;
			}
			value |= (byte & 0x7f) << shift;
			if (byte < 0x80)
				break;
		}
	}
	*at = p;
	return value;
}

static inline uint32_t get_u32(const uint8_t *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static const uint8_t type_bytes[N_VALUE_TYPES] = {
#define X(constant, name, number, bytes) [number] = bytes,
	TRACE_VALUE_TYPES(X)
#undef X
};

static const uint8_t *get_head(const Shape *shape, const uint8_t *at, Record *record,
			       const char **problem)
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
		record->operation = at[0] & ATOM_OPERATION_MASK;
		record->result = at[0] & ATOM_RESULT;
		record->has_values = at[0] & ATOM_VALUES;
		record->type = at[1];
		if (record->operation >= N_OPERATIONS || (at[0] & 0x80)) {
			*problem = "unknown operation of an atom; 0 to 9 are allowed";
		} else if (record->type >= N_VALUE_TYPES) {
			*problem = "unknown value type of an atom; 0 to 5 are allowed";
		} else {
			record->width = type_bytes[record->type];
		}
		at += 2;
		break;
	case HEAD_GLOBAL:
		record->bytes = get_varint(&at, &bad);
		record->count = get_varint(&at, &bad);
		break;
	default:
		record->width = 4; /* of a lock */
		break;
	}
	if (bad)
		*problem = VARINT_BAD;
	return at;
}

/* How large the addresses get: the largest, and all of them or-ed for their alignment. */
typedef struct {
	uint32_t largest;
	uint32_t bits;
} Extent;

static inline const uint8_t *get_u8_addresses(const uint8_t *at, uint32_t base, Record *record,
					      unsigned shift, Extent *extent)
{
	const uint8_t *keep = keep_u8 + TRACE_MAX_LANES - record->n_lanes;
	uint8_t offsets[TRACE_MAX_LANES], largest = 0;

	memcpy(offsets, at, sizeof(offsets));
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
		record->address[i] = base + ((uint32_t)offsets[i] << shift);
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++) {
		uint8_t offset = offsets[i] & keep[i];
		largest = offset > largest ? offset : largest;
	}
	extent->largest = base + ((uint32_t)largest << shift);
	return at + record->n_lanes;
}

static inline const uint8_t *get_u16_addresses(const uint8_t *at, uint32_t base, Record *record,
					       unsigned shift, Extent *extent)
{
	const uint16_t *keep = keep_u16 + TRACE_MAX_LANES - record->n_lanes;
	uint16_t offsets[TRACE_MAX_LANES], largest = 0;

	memcpy(offsets, at, sizeof(offsets));
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
		record->address[i] = base + ((uint32_t)offsets[i] << shift);
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++) {
		uint16_t offset = offsets[i] & keep[i];
		largest = offset > largest ? offset : largest;
	}
	extent->largest = base + ((uint32_t)largest << shift);
	return at + 2 * record->n_lanes;
}

static inline const uint8_t *get_u32_addresses(const uint8_t *at, Record *record,
					       Extent *extent)
{
	memcpy(record->address, at, sizeof(record->address));
	extent->largest = 0;
	extent->bits = 0;
	for (unsigned i = 0; i < record->n_lanes; i++) {
		extent->largest = MAX(extent->largest, record->address[i]);
		extent->bits |= record->address[i];
	}
	return at + 4 * record->n_lanes;
}

/* The addresses of an affine record grow or fall evenly, so their ends bound them all. */
static inline void set_affine_addresses(uint32_t base, uint32_t zigzag, Record *record,
					Extent *extent)
{
	uint32_t stride = (zigzag >> 1) ^ -(zigzag & 1);
	uint32_t address = base;
	int64_t last = base + (int64_t)(int32_t)stride * (record->n_lanes - 1);

	for (unsigned i = 0; i < TRACE_MAX_LANES; i++, address += stride)
		record->address[i] = address;
	if (last < 0 || last > UINT32_MAX)
		extent->largest = UINT32_MAX;
	else
		extent->largest = MAX(base, (uint32_t)last);
	extent->bits = record->n_lanes > 1 ? base | stride : base;
}

static inline const uint8_t *get_addresses(const uint8_t *at, unsigned code,
					   uint32_t shared_bytes, Record *record,
					   const char **problem)
{
	unsigned shift = (unsigned)__builtin_ctz(record->width);
	Extent extent;
	bool bad = false;

	if (code == ADDRESS_U32) {
		at = get_u32_addresses(at, record, &extent);
	} else {
		uint32_t base = get_varint(&at, &bad);
		extent.bits = base;
		if (base > TRACE_MAX_SHARED_BYTES)
			extent.largest = UINT32_MAX;
		else if (code == ADDRESS_U8)
			at = get_u8_addresses(at, base, record, shift, &extent);
		else if (code == ADDRESS_U16)
			at = get_u16_addresses(at, base, record, shift, &extent);
		else
			set_affine_addresses(base, get_varint(&at, &bad), record, &extent);
	}
	if (bad)
		*problem = VARINT_BAD;
	else if ((uint64_t)extent.largest + record->width > shared_bytes)
		*problem = "an address is not below the block's shared bytes";
	else if (extent.bits & (record->width - 1u))
		*problem = "an address is not a multiple of the access's width";
	return at;
}

static const uint8_t *get_values(const uint8_t *at, const Record *record, uint64_t *values)
{
	if (record->width == 8) {
		memcpy(values, at, sizeof(uint64_t) * TRACE_MAX_LANES);
	} else {
		uint32_t words[TRACE_MAX_LANES];
		memcpy(words, at, sizeof(words));
		for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
			values[i] = words[i];
	}
	return at + (size_t)record->width * record->n_lanes;
}

size_t trace_decode_padded(const uint8_t *bytes, uint32_t shared_bytes, Record *record,
			   const char **problem)
{
	const uint8_t *at = bytes + 1;
	unsigned tag = bytes[0], kind = tag & TAG_KIND_MASK;
	const Shape *shape = &shapes[kind];
	const char *found = NULL;
	bool bad = false;

	if (G_UNLIKELY(tag & shape->forbidden)) {
		*problem = shape->forbidden == 0xff
				   ? "unknown kind of record; 0 to 11 are allowed"
				   : "a bit of the tag that this kind does not use is set";
		return 0;
	}
	record->kind = (uint8_t)kind;
	record->n_lanes = 0;
	record->site = 0;
	at = get_head(shape, at, record, &found);
	if (G_UNLIKELY(found)) {
		*problem = found;
		return 0;
	}
	if (shape->lanes) {
		if (tag & TAG_FULL_MASK) {
			record->mask = UINT32_MAX;
			record->n_lanes = TRACE_MAX_LANES;
		} else {
			record->mask = get_u32(at);
			record->n_lanes = (uint8_t)__builtin_popcount(record->mask);
			at += 4;
			if (record->mask == 0 || record->mask == UINT32_MAX)
				found = "a mask of 0, or a full one that is written out";
		}
	}
	if (tag & TAG_SITE) {
		record->site = get_varint(&at, &bad);
		if (record->site == 0 || bad)
			found = bad ? VARINT_BAD : "a site of 0 is written out";
	}
	if (shape->addresses && !found) {
		at = get_addresses(at, tag >> TAG_ADDRESS_SHIFT, shared_bytes, record, &found);
		if (kind == RECORD_ATOM && record->has_values) {
			if (record->operation == OPERATION_CAS)
				at = get_values(at, record, record->compare);
			at = get_values(at, record, record->value);
		}
	}
	if (G_UNLIKELY(found)) {
		*problem = found;
		return 0;
	}
	return (size_t)(at - bytes);
}

size_t trace_decode_record(const uint8_t *bytes, const uint8_t *end, Record *record,
			   const char **problem)
{
	uint8_t padded[TRACE_MAX_RECORD_BYTES] = {0};
	size_t left = (size_t)(end - bytes), used;

	if (left >= TRACE_MAX_RECORD_BYTES)
		return trace_decode_padded(bytes, TRACE_MAX_SHARED_BYTES, record, problem);
	if (left == 0) {
		*problem = "no bytes left";
		return 0;
	}
	memcpy(padded, bytes, left);
	used = trace_decode_padded(padded, TRACE_MAX_SHARED_BYTES, record, problem);
	if (used > left) {
		*problem = "the record goes on past the end of its segment";
		return 0;
	}
	return used;
}
