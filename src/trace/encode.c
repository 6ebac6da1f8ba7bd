/* SPDX-License-Identifier: MIT */
/* A record to bytes, with the smallest code for its addresses. */
#include <glib.h>
#include <string.h>

#include "trace/codec.h"

static uint8_t *put_varint(uint8_t *at, uint32_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

static size_t varint_bytes(uint32_t value)
{
	return value < 1u << 7	  ? 1
	       : value < 1u << 14 ? 2
	       : value < 1u << 21 ? 3
	       : value < 1u << 28 ? 4
				  : 5;
}

static uint8_t *put_u32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

/* How a record's addresses can be written. */
typedef struct {
	AddressCode code;
	uint32_t base;	 /* affine: first; u8, u16: lowest */
	uint32_t zigzag; /* affine: stride */
	unsigned shift;	 /* u8, u16: log2 of the width */
} AddressPlan;

static bool is_affine(const Record *record, uint32_t *zigzag)
{
	uint32_t stride = record->n_lanes > 1 ? record->address[1] - record->address[0] : 0;

	for (unsigned i = 2; i < record->n_lanes; i++)
		if (record->address[i] - record->address[i - 1] != stride)
			return false;
	*zigzag = (stride << 1) ^ -(stride >> 31);
	return true;
}

/* The smallest code; of equal ones the first. */
static AddressPlan plan_addresses(const Record *record)
{
	AddressPlan plan = {.code = ADDRESS_U32,
			    .shift = (unsigned)__builtin_ctz(record->width)};
	size_t smallest = 4u * record->n_lanes, bytes;
	uint32_t low = record->address[0], high = low, bits = 0, zigzag = 0, reach;

	for (unsigned i = 0; i < record->n_lanes; i++) {
		low = MIN(low, record->address[i]);
		high = MAX(high, record->address[i]);
		bits |= record->address[i];
	}
	reach = (high - low) >> plan.shift;
	if ((bits & (record->width - 1u)) == 0 && reach <= UINT16_MAX) {
		bytes = varint_bytes(low) + (reach <= UINT8_MAX ? 1u : 2u) * record->n_lanes;
		if (bytes <= smallest) {
			smallest = bytes;
			plan.code = reach <= UINT8_MAX ? ADDRESS_U8 : ADDRESS_U16;
			plan.base = low;
		}
	}
	if (is_affine(record, &zigzag)) {
		bytes = varint_bytes(record->address[0]) + varint_bytes(zigzag);
		if (bytes <= smallest) {
			plan.code = ADDRESS_AFFINE;
			plan.base = record->address[0];
			plan.zigzag = zigzag;
		}
	}
	return plan;
}

static uint8_t *put_addresses(uint8_t *at, const Record *record, const AddressPlan *plan)
{
	if (plan->code == ADDRESS_U32) {
		memcpy(at, record->address, 4u * record->n_lanes);
		return at + 4u * record->n_lanes;
	}
	at = put_varint(at, plan->base);
	if (plan->code == ADDRESS_AFFINE)
		return put_varint(at, plan->zigzag);
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint32_t offset = (record->address[i] - plan->base) >> plan->shift;
		*at++ = (uint8_t)offset;
		if (plan->code == ADDRESS_U16)
			*at++ = (uint8_t)(offset >> 8);
	}
	return at;
}

static uint8_t *put_values(uint8_t *at, const Record *record, const uint64_t *values)
{
	for (unsigned i = 0; i < record->n_lanes; i++, at += record->width)
		memcpy(at, &values[i], record->width);
	return at;
}

static uint8_t *put_head(uint8_t *at, const Record *record)
{
	switch (record->kind) {
	case RECORD_ALU:
	case RECORD_UNKNOWN:
		return put_varint(at, record->count);
	case RECORD_LDS:
	case RECORD_STS:
		*at++ = record->width;
		return at;
	case RECORD_ATOM:
		*at++ = (uint8_t)(record->operation | (record->result ? ATOM_RESULT : 0) |
				  (record->has_values ? ATOM_VALUES : 0));
		*at++ = record->type;
		return at;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		return put_varint(put_varint(at, record->bytes), record->count);
	default:
		return at;
	}
}

size_t trace_encode_record(const Record *record, uint8_t bytes[TRACE_MAX_RECORD_BYTES])
{
	bool shared = record->kind == RECORD_LDS || record->kind == RECORD_STS ||
		      record->kind == RECORD_ATOM || record->kind == RECORD_LOCK ||
		      record->kind == RECORD_UNLOCK;
	bool lanes = shared || record->kind == RECORD_LDG || record->kind == RECORD_STG ||
		     record->kind == RECORD_ATOMG;
	uint8_t *at = bytes + 1;
	AddressPlan plan = {.code = ADDRESS_AFFINE};
	unsigned tag = record->kind;

	at = put_head(at, record);
	if (lanes) {
		g_assert(record->mask != 0);
		g_assert(__builtin_popcount(record->mask) == record->n_lanes);
		if (record->mask == UINT32_MAX)
			tag |= TAG_FULL_MASK;
		else
			at = put_u32(at, record->mask);
	}
	if (record->site && record->kind != RECORD_EXIT) {
		tag |= TAG_SITE;
		at = put_varint(at, record->site);
	}
	if (shared) {
		g_assert(record->width == 1 || record->width == 2 || record->width == 4 ||
			 record->width == 8 || record->width == 16);
		plan = plan_addresses(record);
		tag |= (unsigned)plan.code << TAG_ADDRESS_SHIFT;
		at = put_addresses(at, record, &plan);
	}
	if (record->kind == RECORD_ATOM && record->has_values) {
		g_assert(record->width == 4 || record->width == 8);
		if (record->operation == OPERATION_CAS)
			at = put_values(at, record, record->compare);
		at = put_values(at, record, record->value);
	}
	bytes[0] = (uint8_t)tag;
	return (size_t)(at - bytes);
}
