/* SPDX-License-Identifier: MIT */
/*
 * Addresses of a record from their bytes, for decode.c and move.c alone. Loops over lanes always have as many
 * turns as a warp has lanes, over a copy that cannot overlap the record, so that the compiler makes
 * vectors of them even at -O2; lanes beyond n_lanes become undefined values, as base/record.h allows.
 */
#ifndef ATOMSIM_TRACE_DECODE_ADDRESS_H
#define ATOMSIM_TRACE_DECODE_ADDRESS_H

#include <glib.h>
#include <string.h>

#include "base/little.h"
#include "base/spread.h"
#include "base/vectors.h"
#include "trace/codec.h"

#define VARINT_BAD "a number is longer than 5 bytes or 32 bits"

/* keep_u8 + MAX_LANES - n is n lanes of ones, then zeros: it hides lanes that are not there. */
#define ONES_8	   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
#define ONES_16BIT 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff
static const uint8_t keep_u8[2 * MAX_LANES] = {ONES_8, ONES_8, ONES_8, ONES_8,
					       ONES_8, ONES_8, ONES_8, ONES_8};
static const uint16_t keep_u16[2 * MAX_LANES] = {ONES_16BIT, ONES_16BIT, ONES_16BIT,
						 ONES_16BIT, ONES_16BIT, ONES_16BIT,
						 ONES_16BIT, ONES_16BIT};

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

/* LEB128 below 2^42. Sets *bad if it is more. */
static inline uint64_t get_varint_42(const uint8_t **at, bool *bad)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 42; shift += 7) {
		uint64_t byte = *(*at)++;
		value |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	*bad = true;
	return 0;
}

/* How large the addresses get: the largest, and all of them or-ed for their alignment. */
typedef struct {
	uint32_t largest;
	uint32_t bits;
} Extent;

static inline const uint8_t *get_u8_addresses(const uint8_t *at, uint32_t base, Record *record,
					      unsigned shift, unsigned lanes, Extent *extent)
{
	const uint8_t *keep = keep_u8 + MAX_LANES - record->n_lanes;
	uint8_t offsets[MAX_LANES], largest = 0;

	memcpy(offsets, at, lanes);
	for (unsigned i = 0; i < lanes; i++)
		record->address[i] = base + ((uint32_t)offsets[i] << shift);
	for (unsigned i = 0; i < lanes; i++) {
		uint8_t offset = offsets[i] & keep[i];
		largest = offset > largest ? offset : largest;
	}
	extent->largest = base + ((uint32_t)largest << shift);
	return at + record->n_lanes;
}

static inline const uint8_t *get_u16_addresses(const uint8_t *at, uint32_t base, Record *record,
					       unsigned shift, unsigned lanes, Extent *extent)
{
	const uint16_t *keep = keep_u16 + MAX_LANES - record->n_lanes;
	uint16_t offsets[MAX_LANES], largest = 0;

	memcpy(offsets, at, lanes * sizeof(offsets[0]));
	little_16s(offsets, lanes);
	for (unsigned i = 0; i < lanes; i++)
		record->address[i] = base + ((uint32_t)offsets[i] << shift);
	for (unsigned i = 0; i < lanes; i++) {
		uint16_t offset = offsets[i] & keep[i];
		largest = offset > largest ? offset : largest;
	}
	extent->largest = base + ((uint32_t)largest << shift);
	return at + 2 * record->n_lanes;
}

static inline const uint8_t *get_u32_addresses(const uint8_t *at, Record *record,
					       unsigned lanes, Extent *extent)
{
	memcpy(record->address, at, lanes * sizeof(record->address[0]));
	little_32s(record->address, lanes);
	extent->largest = 0;
	extent->bits = 0;
	for (unsigned i = 0; i < record->n_lanes; i++) {
		extent->largest = MAX(extent->largest, record->address[i]);
		extent->bits |= record->address[i];
	}
	return at + 4 * record->n_lanes;
}

/* base, base + stride, ..., modulo 2^32. */
static inline void fill_affine(uint32_t base, uint32_t stride, Record *record, unsigned lanes)
{
	FourNarrow four = {base, base + stride, base + 2 * stride, base + 3 * stride};

	for (unsigned i = 0; i < lanes; i += 4, four += 4 * stride)
		memcpy(&record->address[i], &four, sizeof four);
}

/* The addresses of an affine record grow or fall evenly, so their ends bound them all. */
static inline void set_affine_addresses(uint32_t base, uint32_t zigzag, Record *record,
					unsigned lanes, Extent *extent)
{
	uint32_t stride = (zigzag >> 1) ^ -(zigzag & 1);
	int64_t last = base + (int64_t)(int32_t)stride * (record->n_lanes - 1);

	fill_affine(base, stride, record, lanes);
	if (last < 0 || last > UINT32_MAX)
		extent->largest = UINT32_MAX;
	else
		extent->largest = MAX(base, (uint32_t)last);
	extent->bits = record->n_lanes > 1 ? base | stride : base;
}

/* In the block's shared memory. */
static inline const uint8_t *get_addresses(const uint8_t *at, unsigned code, unsigned lanes,
					   uint32_t shared_bytes, Record *record,
					   const char **problem)
{
	unsigned shift = (unsigned)__builtin_ctz(record->width);
	Extent extent;
	bool bad = false;

	if (code == ADDRESS_U32) {
		at = get_u32_addresses(at, record, lanes, &extent);
	} else {
		uint32_t base = get_varint(&at, &bad);
		extent.bits = base;
		if (base > TRACE_MAX_SHARED_BYTES)
			extent.largest = UINT32_MAX;
		else if (code == ADDRESS_U8)
			at = get_u8_addresses(at, base, record, shift, lanes, &extent);
		else if (code == ADDRESS_U16)
			at = get_u16_addresses(at, base, record, shift, lanes, &extent);
		else
			set_affine_addresses(base, get_varint(&at, &bad), record, lanes,
					     &extent);
	}
	if (bad)
		*problem = VARINT_BAD;
	else if ((uint64_t)extent.largest + record->width > shared_bytes)
		*problem = "an address is not below the block's shared bytes";
	else if (extent.bits & (record->width - 1u))
		*problem = "an address is not a multiple of the access's width";
	return at;
}

#define SEGMENT_SHIFT 7 /* 128 bytes */
#define SEGMENT_SLOTS (2 * MAX_LANES)

/* Lanes all over the place: counted by a table of those that have been seen. */
static inline uint32_t count_wide_segments(const Record *record)
{
	uint64_t seen[MAX_LANES];
	uint8_t table[SEGMENT_SLOTS] = {0}; /* 1 + place in seen; 0: free */
	uint32_t n = 0;

	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint64_t segment = (record->offset + record->address[i]) >> SEGMENT_SHIFT;
		/* Fibonacci hashing. */
		unsigned slot = spread_key(segment) >> 57;

		while (table[slot] && seen[table[slot] - 1] != segment)
			slot = (slot + 1) % SEGMENT_SLOTS;
		if (table[slot])
			continue;
		seen[n] = segment;
		table[slot] = (uint8_t)++n;
	}
	return n;
}

/* Different 128-byte segments of the buffer that the lanes touch: none reaches into two, because
   addresses are multiples of the width. largest: no address is larger. */
static inline uint32_t count_segments(const Record *record, uint32_t largest)
{
	const uint64_t first = record->offset >> SEGMENT_SHIFT;
	const uint64_t last = (record->offset + largest) >> SEGMENT_SHIFT;
	uint64_t touched = 0;

	if (first == last)
		return 1;
	if (last - first >= 64)
		return count_wide_segments(record);
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint64_t segment = (record->offset + record->address[i]) >> SEGMENT_SHIFT;

		touched |= UINT64_C(1) << (segment - first);
	}
	return (uint32_t)__builtin_popcountll(touched);
}

/* In a buffer of global memory: all lanes within 4 GiB of the lowest, which becomes the offset. */
static inline const uint8_t *get_global_addresses(const uint8_t *at, unsigned code,
						  unsigned lanes, uint64_t buffer_bytes,
						  Record *record, const char **problem)
{
	unsigned shift = (unsigned)__builtin_ctz(record->width);
	Extent extent = {0, 0};
	bool bad = false;

	record->offset = get_varint_42(&at, &bad);
	if (code == ADDRESS_AFFINE) {
		uint32_t zigzag = get_varint(&at, &bad);
		int64_t stride = (int32_t)((zigzag >> 1) ^ -(zigzag & 1));
		int64_t reach = stride * (record->n_lanes - 1);
		int64_t first = reach < 0 ? -reach : 0;

		if (reach > UINT32_MAX || first > UINT32_MAX ||
		    (uint64_t)first > record->offset) {
			*problem = "the lanes of an access span more than 4 GiB of a buffer";
			return at;
		}
		record->offset -= (uint64_t)first;
		fill_affine((uint32_t)first, (uint32_t)stride, record, lanes);
		extent.largest = (uint32_t)(first > 0 ? first : reach);
		extent.bits = record->n_lanes > 1 ? (uint32_t)stride : 0;
	} else if (code == ADDRESS_U8) {
		at = get_u8_addresses(at, 0, record, shift, lanes, &extent);
	} else if (code == ADDRESS_U16) {
		at = get_u16_addresses(at, 0, record, shift, lanes, &extent);
	} else {
		at = get_u32_addresses(at, record, lanes, &extent);
	}
	extent.bits |= (uint32_t)record->offset;
	if (bad)
		*problem = "a number is longer than 6 bytes or 42 bits";
	else if (record->offset + extent.largest + record->width > buffer_bytes)
		*problem = "an address is not below the bytes of its buffer";
	else if (extent.bits & (record->width - 1u))
		*problem = "an address is not a multiple of the access's width";
	record->count = count_segments(record, extent.largest);
	record->bytes = (uint32_t)record->width * record->n_lanes;
	return at;
}

#endif
