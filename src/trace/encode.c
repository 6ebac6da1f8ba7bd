/* SPDX-License-Identifier: MIT */
/* A record to bytes, with the smallest code for its addresses. */
#include <glib.h>
#include <string.h>

#include "base/little.h"
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

static uint8_t *put_varint_42(uint8_t *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

static size_t varint_bytes(uint64_t value)
{
	size_t n = 1;

	for (; value >= 0x80; value >>= 7)
		n++;
	return n;
}

static uint8_t *put_u32(uint8_t *at, uint32_t value)
{
	value = little_32(value);
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

/* How a record's addresses can be written. */
typedef struct {
	AddressCode code;
	uint64_t base;	 /* affine: first; u8, u16, and u32 of a buffer: lowest */
	uint32_t zigzag; /* affine: stride */
	unsigned shift;	 /* u8, u16: log2 of the width */
} AddressPlan;

static bool is_affine(const Record *record, uint32_t *zigzag)
{
	uint32_t stride = record->n_lanes > 1 ? record->address[1] - record->address[0] : 0;

	/* In a buffer lanes can be further apart, any two of them, than a stride of 32 bits with a sign says. */
	for (unsigned i = 1; i < record->n_lanes; i++)
		if (record->address[i] - record->address[i - 1] != stride ||
		    (record->address[i] < record->address[i - 1]) != (stride >> 31 != 0))
			return false;
	*zigzag = (stride << 1) ^ -(stride >> 31);
	return true;
}

/* The smallest code; of equal ones the first. `offset` counts the addresses of a buffer, 0 those of
   shared memory; `u32_base`: bytes that u32 takes for its base. */
static AddressPlan plan_addresses(const Record *record, uint64_t offset, bool in_buffer)
{
	AddressPlan plan = {.code = ADDRESS_U32,
			    .shift = (unsigned)__builtin_ctz(record->width)};
	uint32_t low = record->address[0], high = low, bits = 0, zigzag = 0, reach;
	size_t smallest, bytes;

	for (unsigned i = 0; i < record->n_lanes; i++) {
		low = MIN(low, record->address[i]);
		high = MAX(high, record->address[i]);
		bits |= record->address[i];
	}
	plan.base = offset + low;
	smallest = 4u * record->n_lanes + (in_buffer ? varint_bytes(plan.base) : 0);
	reach = (high - low) >> plan.shift;
	if (((bits | offset) & (record->width - 1u)) == 0 && reach <= UINT16_MAX) {
		bytes = varint_bytes(plan.base) +
			(reach <= UINT8_MAX ? 1u : 2u) * record->n_lanes;
		if (bytes <= smallest) {
			smallest = bytes;
			plan.code = reach <= UINT8_MAX ? ADDRESS_U8 : ADDRESS_U16;
		}
	}
	if (is_affine(record, &zigzag)) {
		bytes = varint_bytes(offset + record->address[0]) + varint_bytes(zigzag);
		if (bytes <= smallest) {
			plan.code = ADDRESS_AFFINE;
			plan.base = offset + record->address[0];
			plan.zigzag = zigzag;
		}
	}
	return plan;
}

static uint8_t *put_addresses(uint8_t *at, const Record *record, const AddressPlan *plan,
			      uint64_t offset, bool in_buffer)
{
	if (plan->code == ADDRESS_U32 && !in_buffer) {
		for (unsigned i = 0; i < record->n_lanes; i++)
			at = put_u32(at, record->address[i]);
		return at;
	}
	at = put_varint_42(at, plan->base);
	if (plan->code == ADDRESS_AFFINE)
		return put_varint(at, plan->zigzag);
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint32_t from_base = (uint32_t)(offset + record->address[i] - plan->base);
		uint32_t number = from_base >> plan->shift;

		if (plan->code == ADDRESS_U32) {
			at = put_u32(at, from_base);
			continue;
		}
		*at++ = (uint8_t)number;
		if (plan->code == ADDRESS_U16)
			*at++ = (uint8_t)(number >> 8);
	}
	return at;
}

static uint8_t *put_values(uint8_t *at, const Record *record, const uint64_t *values)
{
	for (unsigned i = 0; i < record->n_lanes; i++, at += record->width) {
		const uint64_t value = little_64(values[i]);

		memcpy(at, &value, record->width);
	}
	return at;
}

static uint8_t atomic_byte(const Record *record)
{
	return (uint8_t)(record->operation | (record->result ? ATOM_RESULT : 0) |
			 (record->has_values ? ATOM_VALUES : 0));
}

static uint8_t *put_global(uint8_t *at, const TraceRules *rules, const Record *record)
{
	uint8_t cache = (uint8_t)(record->cache << GLOBAL_CACHE_SHIFT);

	if (rules->version > 1)
		at = put_varint(at, record->buffer);
	if (rules->version == 1 || record->buffer == 0)
		return put_varint(put_varint(at, record->bytes), record->count);
	if (record->kind == RECORD_ATOMG) {
		*at++ = atomic_byte(record);
		*at++ = (record->type & GLOBAL_WIDTH_MASK) |
			(record->type > GLOBAL_WIDTH_MASK ? GLOBAL_TYPE_HIGH : 0) | cache;
	} else {
		*at++ = (uint8_t)__builtin_ctz(record->width) | cache;
	}
	return at;
}

static uint8_t *put_barrier(uint8_t *at, const Record *record)
{
	*at++ = (uint8_t)(record->barrier | (record->arrives ? BARRIER_ARRIVES : 0) |
			  (record->count ? BARRIER_COUNT : 0));
	return record->count ? put_varint(at, record->count) : at;
}

static uint8_t *put_head(uint8_t *at, const TraceRules *rules, const Record *record)
{
	switch (record->kind) {
	case RECORD_ALU:
	case RECORD_UNKNOWN:
	case RECORD_SHFL:
	case RECORD_VOTE:
		return put_varint(at, record->count);
	case RECORD_CODE:
		return put_varint(at, record->gap);
	case RECORD_LDS:
	case RECORD_STS:
		*at++ = record->width;
		return at;
	case RECORD_ATOM:
		*at++ = atomic_byte(record);
		*at++ = record->type;
		return at;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		return put_global(at, rules, record);
	case RECORD_BAR:
		return rules->version == 1 ? at : put_barrier(at, record);
	case RECORD_LOCK:
	case RECORD_UNLOCK:
		return rules->version == 1 ? at : put_varint(at, record->buffer);
	case RECORD_FENCE:
		*at++ = record->scope;
		return at;
	default:
		return at;
	}
}

static uint8_t *put_mask(uint8_t *at, const TraceRules *rules, const Record *record,
			 unsigned *tag)
{
	const uint64_t mask = little_64(record->mask);

	g_assert(record->mask != 0);
	g_assert(__builtin_popcountll(record->mask) == record->n_lanes);
	if (record->mask == UINT64_MAX >> (64 - rules->lanes)) {
		*tag |= TAG_FULL_MASK;
		return at;
	}
	memcpy(at, &mask, rules->lanes / 8);
	return at + rules->lanes / 8;
}

size_t trace_encode_based(const TraceRules *rules, const Record *record,
			  uint8_t bytes[TRACE_MAX_RECORD_BYTES], EncodedBase *base)
{
	bool lock = record->kind == RECORD_LOCK || record->kind == RECORD_UNLOCK;
	bool global = record->kind == RECORD_LDG || record->kind == RECORD_STG ||
		      record->kind == RECORD_ATOMG;
	bool in_buffer = rules->version > 1 && (lock || global) && record->buffer > 0;
	bool shared = record->kind == RECORD_LDS || record->kind == RECORD_STS ||
		      record->kind == RECORD_ATOM || (lock && !in_buffer);
	bool atomic =
		record->kind == RECORD_ATOM || (record->kind == RECORD_ATOMG && in_buffer);
	uint64_t offset = in_buffer ? record->offset : 0;
	uint8_t *at = bytes + 1;
	unsigned tag = record->kind;

	*base = (EncodedBase){0};
	at = put_head(at, rules, record);
	if (shared || global || lock)
		at = put_mask(at, rules, record, &tag);
	if (record->site && record->kind != RECORD_EXIT && record->kind != RECORD_CODE) {
		tag |= TAG_SITE;
		at = put_varint(at, record->site);
	}
	if (shared || in_buffer) {
		AddressPlan plan;

		g_assert(record->width == 1 || record->width == 2 || record->width == 4 ||
			 record->width == 8 || record->width == 16);
		plan = plan_addresses(record, offset, in_buffer);
		tag |= (unsigned)plan.code << TAG_ADDRESS_SHIFT;
		if (in_buffer)
			*base = (EncodedBase){(uint32_t)(at - bytes),
					      (uint32_t)varint_bytes(plan.base), plan.base};
		at = put_addresses(at, record, &plan, offset, in_buffer);
	}
	if (atomic && record->has_values) {
		g_assert(record->width == 4 || record->width == 8);
		if (record->operation == OPERATION_CAS)
			at = put_values(at, record, record->compare);
		at = put_values(at, record, record->value);
	}
	bytes[0] = (uint8_t)tag;
	return (size_t)(at - bytes);
}

size_t trace_encode_record(const TraceRules *rules, const Record *record,
			   uint8_t bytes[TRACE_MAX_RECORD_BYTES])
{
	EncodedBase base;

	return trace_encode_based(rules, record, bytes, &base);
}
