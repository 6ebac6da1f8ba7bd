/* SPDX-License-Identifier: MIT */
/* The mutator of inputs that are traces: what it changes is a record, or where records stand, and most results are good. */
#include "trace-input.h"

#include <string.h>

#include "base/names.h"

/* A small generator of its own: the same seed gives the same change on every machine. */
typedef struct {
	uint64_t state;
} Dice;

static uint32_t below(Dice *dice, uint64_t n)
{
	dice->state ^= dice->state << 13;
	dice->state ^= dice->state >> 7;
	dice->state ^= dice->state << 17;
	return (uint32_t)((dice->state >> 11) % n);
}

/* --- Records --- */

static void draw_mask(Dice *dice, uint32_t lanes, Record *record)
{
	const LaneMask all = lanes_below(lanes);
	const uint64_t high = below(dice, UINT64_C(1) << 32);

	switch (below(dice, 4)) {
	case 0:
		record->mask = all;
		break;
	case 1:
		record->mask = UINT64_C(1) << below(dice, lanes);
		break;
	case 2:
		record->mask = lanes_below(1 + below(dice, lanes));
		break;
	default:
		record->mask = ((high << 32 | below(dice, UINT64_C(1) << 32)) & all) | 1;
	}
	record->n_lanes = (uint8_t)__builtin_popcountll(record->mask);
}

/* Lanes on one word, side by side, a stride apart, on few words, anywhere: whole places below `bytes`. */
static void draw_addresses(Dice *dice, uint64_t bytes, Record *record)
{
	const uint64_t places = MIN(bytes, UINT32_MAX) / record->width;
	const uint64_t base = places == 0 ? 0 : below(dice, places);
	const uint32_t pattern = below(dice, 5);
	const uint32_t stride = pattern == 0   ? 0
				: pattern == 1 ? 1
					       : UINT32_C(1) << below(dice, 10);

	for (uint32_t i = 0; i < record->n_lanes && places > 0; i++) {
		const uint64_t place = pattern < 3    ? base + (uint64_t)i * stride
				       : pattern == 3 ? base + below(dice, 4) * 32
						      : below(dice, places);

		record->address[i] = (uint32_t)(place % places * record->width);
	}
}

static void draw_atomic(Dice *dice, Record *record)
{
	record->operation = (uint8_t)below(dice, N_OPERATIONS);
	record->type = (uint8_t)below(dice, record->kind == RECORD_ATOM ? N_SHARED_TYPES
									: N_VALUE_TYPES);
	record->width = value_type_bytes[record->type];
	record->result = below(dice, 2) != 0;
	record->has_values = record->width <= 8 && below(dice, 2) != 0;
	for (uint32_t i = 0; i < MAX_LANES; i++) {
		record->value[i] = below(dice, 3);
		record->compare[i] = below(dice, 2);
	}
}

/* What the kind has beside its lanes and their addresses. */
static void draw_head(Dice *dice, const TraceRules *rules, Record *record)
{
	record->count = 1 + below(dice, 12);
	record->gap = below(dice, 8);
	record->width = (uint8_t)(1u << below(dice, 5));
	record->scope = (uint8_t)below(dice, N_SCOPES);
	record->cache = (uint8_t)below(dice, N_CACHE_HINTS);
	record->buffer = rules->version > 1 ? (uint16_t)below(dice, rules->n_buffers + 1) : 0;
	if (record->kind == RECORD_ATOM || record->kind == RECORD_ATOMG)
		draw_atomic(dice, record);
	if (record->kind == RECORD_LOCK || record->kind == RECORD_UNLOCK) {
		record->buffer = below(dice, 2) == 0 ? record->buffer : 0;
		record->width = 4;
	}
	if (record->kind == RECORD_BAR) {
		record->barrier = rules->version > 1 ? (uint8_t)below(dice, 4) : 0;
		record->arrives = rules->version > 1 && below(dice, 3) == 0;
		record->count = below(dice, 3) * rules->lanes;
	}
}

static void draw_lanes(Dice *dice, const TraceRules *rules, Record *record)
{
	uint64_t bytes = rules->shared_bytes;

	draw_mask(dice, rules->lanes, record);
	record->offset = 0;
	record->width = MAX(record->width, 1);
	if (record_in_buffer(record)) {
		bytes = rules->buffer_bytes[record->buffer - 1];
		if (bytes > UINT32_MAX)
			record->offset = (uint64_t)below(dice, 128) << 30;
	}
	draw_addresses(dice, bytes, record);
}

static void draw_record(Dice *dice, const TraceRules *rules, Record *record)
{
	const uint32_t n_kinds = rules->version > 1 ? RECORD_FENCE : RECORD_UNKNOWN;

	memset(record, 0, sizeof(*record));
	record->kind = (uint8_t)(1 + below(dice, n_kinds));
	record->site = below(dice, 2) != 0 ? below(dice, INPUT_SITES + 1) : 0;
	draw_head(dice, rules, record);
	draw_lanes(dice, rules, record);
}

/* A record that was read, with another head, other lanes, another site. */
static void change_record(Dice *dice, const TraceRules *rules, Record *record)
{
	switch (below(dice, 3)) {
	case 0:
		draw_head(dice, rules, record);
		draw_lanes(dice, rules, record);
		break;
	case 1:
		draw_lanes(dice, rules, record);
		break;
	default:
		record->site = below(dice, INPUT_SITES + 1);
	}
}

/* --- Where they stand --- */

typedef struct {
	uint8_t *data;
	size_t size, max_size;
	TraceRules rules;
	InputPart parts[INPUT_MAX_WARPS + 1];
	size_t n_parts;
	Dice dice;
} Mutation;

static void set_length(Mutation *m, size_t part, size_t n)
{
	uint8_t *length = m->data + m->parts[part].at - 2;

	length[0] = (uint8_t)n;
	length[1] = (uint8_t)(n >> 8);
}

/* Puts `n` bytes in the place of `old` ones of a part, as far as there is room. */
static void replace(Mutation *m, size_t part, size_t at, size_t old, const uint8_t *bytes,
		    size_t n)
{
	const InputPart *p = &m->parts[part];

	if (m->size - old + n > m->max_size || p->n - old + n > INPUT_MAX_PART ||
	    p->n - old + n == 0)
		return;
	memmove(m->data + at + n, m->data + at + old, m->size - at - old);
	if (n > 0)
		memcpy(m->data + at, bytes, n);
	m->size = m->size - old + n;
	set_length(m, part, p->n - old + n);
}

/* The record at `at` of a part, or the byte there if it is none; its length. */
static size_t read_record(const Mutation *m, size_t part, size_t at, Record *record)
{
	const size_t end = m->parts[part].at + m->parts[part].n;
	const char *problem;
	size_t used;

	memset(record, 0,
	       sizeof(*record)); /* or what its kind does not use would be undefined */
	used = trace_decode_record(&m->rules, m->data + at, m->data + end, record, &problem);
	if (used == 0)
		memset(record, 0, sizeof(*record));
	return MAX(used, 1);
}

/* Some record of a part. */
static size_t choose_record(Mutation *m, size_t part, Record *record, size_t *length)
{
	const InputPart *p = &m->parts[part];
	size_t n = 0, wanted, at = p->at;

	for (size_t i = p->at; i < p->at + p->n; n++)
		i += read_record(m, part, i, record);
	wanted = below(&m->dice, n);
	for (size_t i = 0; i < wanted; i++)
		at += read_record(m, part, at, record);
	*length = read_record(m, part, at, record);
	return at;
}

static void put_record(Mutation *m, size_t part, size_t at, size_t old, const Record *record)
{
	uint8_t bytes[TRACE_MAX_RECORD_BYTES];

	replace(m, part, at, old, bytes, trace_encode_record(&m->rules, record, bytes));
}

/* A run of records copied, within the warp or from another one. */
static void copy_records(Mutation *m, size_t part)
{
	const size_t from = below(&m->dice, m->n_parts);
	uint8_t bytes[512];
	size_t start, length, to, ignored, n = 0;
	Record record;

	start = choose_record(m, from, &record, &length);
	for (uint32_t i = 1 + below(&m->dice, 6); i > 0; i--) {
		if (n + length > sizeof(bytes))
			break;
		n += length;
		if (start + n >= m->parts[from].at + m->parts[from].n)
			break;
		length = read_record(m, from, start + n, &record);
	}
	memcpy(bytes, m->data + start, n);
	to = choose_record(m, part, &record, &ignored);
	replace(m, part, to, 0, bytes, n);
}

/* Adds a copy of a warp behind all others, or drops one. */
static void change_warps(Mutation *m, size_t part)
{
	const InputPart p = m->parts[part];
	const size_t begin = p.at - 2, n = p.n + 2;

	if (below(&m->dice, 2) == 0 && m->n_parts > 1) {
		memmove(m->data + begin, m->data + begin + n, m->size - begin - n);
		m->size -= n;
	} else if (m->size + n <= m->max_size) {
		memcpy(m->data + m->size, m->data + begin, n);
		m->size += n;
	}
}

static void change_warp(Mutation *m, size_t part, InputMutate mutate)
{
	Record record;
	size_t length, at = choose_record(m, part, &record, &length);

	switch (below(&m->dice, 8)) {
	case 0:
		replace(m, part, at, length, NULL, 0);
		break;
	case 1:
		copy_records(m, part);
		break;
	case 2:
		change_warps(m, part);
		break;
	case 3:
		mutate(m->data + at, length, length);
		break;
	case 4:
	case 5:
		if (record.n_lanes == 0 && record.kind == RECORD_EXIT)
			break;
		change_record(&m->dice, &m->rules, &record);
		if (record.mask == 0)
			draw_mask(&m->dice, m->rules.lanes, &record);
		put_record(m, part, at, length, &record);
		break;
	default:
		draw_record(&m->dice, &m->rules, &record);
		put_record(m, part, at, 0, &record);
	}
}

size_t trace_input_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed,
			  InputMutate mutate)
{
	Mutation m = {.data = data,
		      .size = size,
		      .max_size = max_size,
		      .dice = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1}};
	size_t part;

	if (size > TRACE_INPUT_HEAD)
		trace_input_parts(data, size, m.parts, G_N_ELEMENTS(m.parts), &m.n_parts);
	if (m.n_parts == 0 || below(&m.dice, 16) == 0)
		return mutate(data, size, max_size);
	m.rules = trace_input_rules(data);
	if (below(&m.dice, 8) == 0) {
		data[below(&m.dice, TRACE_INPUT_HEAD)] = (uint8_t)below(&m.dice, 256);
		return size;
	}
	part = below(&m.dice, m.n_parts);
	if (part == 0 && (data[0] & INPUT_DATAFLOW) != 0 && m.rules.version == 2)
		mutate(data + m.parts[0].at, m.parts[0].n, m.parts[0].n);
	else
		change_warp(&m, part, mutate);
	return m.size;
}
