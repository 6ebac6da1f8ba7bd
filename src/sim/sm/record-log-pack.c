/* SPDX-License-Identifier: MIT */
#include "sim/sm/record-log-pack.h"

#include <stddef.h>
#include <string.h>

/* What is before the addresses is taken as words of 32 bits. */
#define HEAD_WORDS (offsetof(Record, address) / sizeof(uint32_t))

/* Addresses, if it says them. */
static uint32_t n_addresses(const Record *record)
{
	bool global = record->kind == RECORD_LDG || record->kind == RECORD_STG ||
		      record->kind == RECORD_ATOMG;

	return global && !record_in_buffer(record) ? 0 : record->n_lanes;
}

static uint32_t n_values(const Record *record)
{
	bool atomic = record->kind == RECORD_ATOM || record->kind == RECORD_ATOMG;
	const uint32_t n = atomic ? n_addresses(record) : 0;

	/* Undefined where there are no addresses. */
	return n > 0 && record->has_values ? n : 0;
}

static uint32_t n_compares(const Record *record)
{
	const uint32_t n = n_values(record);

	return n > 0 && record->operation == OPERATION_CAS ? n : 0;
}

/* Small numbers of either sign become small. */
static uint64_t zigzag(uint64_t n)
{
	return n << 1 ^ (n >> 63 ? ~UINT64_C(0) : 0);
}

static uint64_t unzigzag(uint64_t n)
{
	return n >> 1 ^ (n & 1 ? ~UINT64_C(0) : 0);
}

/* How many eights of numbers there are up to the last one that is not 0; then for each a byte that says which are not 0,
   and those, seven bits a byte. */
static void put_numbers(GByteArray *out, const uint64_t *numbers, uint32_t n)
{
	uint8_t n_eights;

	while (n > 0 && numbers[n - 1] == 0)
		n--;
	n_eights = (uint8_t)((n + 7) / 8);
	g_byte_array_append(out, &n_eights, 1);
	for (uint32_t i = 0; i < n; i += 8) {
		uint8_t bytes[1 + 8 * 10] = {0};
		guint n_bytes = 1;

		for (uint32_t k = i; k < MIN(n, i + 8); k++) {
			uint64_t left = zigzag(numbers[k]);

			bytes[0] |= (uint8_t)((left != 0) << (k - i));
			for (; left >= 0x80; left >>= 7)
				bytes[n_bytes++] = (uint8_t)(left | 0x80);
			if (left)
				bytes[n_bytes++] = (uint8_t)left;
		}
		g_byte_array_append(out, bytes, n_bytes);
	}
}

/* Fills whole eights; returns how many numbers, from which on all are 0. */
static uint32_t get_numbers(const uint8_t **in, uint64_t *numbers)
{
	const uint8_t *at = *in;
	const uint32_t n = 8u * *at++;

	for (uint32_t i = 0; i < n; i += 8) {
		const uint8_t present = *at++;

		for (uint32_t k = 0; k < 8; k++) {
			uint64_t number = 0;

			if (present >> k & 1) {
				uint32_t shift = 0;

				for (; *at & 0x80; shift += 7)
					number |= (uint64_t)(*at++ & 0x7f) << shift;
				number |= (uint64_t)*at++ << shift;
			}
			numbers[i + k] = unzigzag(number);
		}
	}
	*in = at;
	return n;
}

/* Of each lane by how much it moved since `before`, which has n_before, against the lane before it: an array
   that is walked through is one number. */
static void put_lanes(GByteArray *out, const uint64_t *lanes, uint32_t n,
		      const uint64_t *before, uint32_t n_before)
{
	uint64_t moved[MAX_LANES], last = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t by = lanes[i] - (i < n_before ? before[i] : 0);

		moved[i] = by - last;
		last = by;
	}
	put_numbers(out, moved, n);
}

static void get_lanes(const uint8_t **in, uint64_t *lanes, uint32_t n, const uint64_t *before,
		      uint32_t n_before)
{
	uint64_t moved[MAX_LANES], by = 0;
	const uint32_t n_moved = get_numbers(in, moved);

	for (uint32_t i = 0; i < n; i++) {
		by += i < n_moved ? moved[i] : 0;
		lanes[i] = by + (i < n_before ? before[i] : 0);
	}
}

static void widen(uint64_t *to, const uint32_t *from, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] = from[i];
}

void record_log_pack(GByteArray *out, const Record *record, const Record *other)
{
	const uint32_t n = n_addresses(record), n_other = n_addresses(other);
	uint32_t head[HEAD_WORDS], other_head[HEAD_WORDS];
	uint64_t numbers[HEAD_WORDS], lanes[MAX_LANES], before[MAX_LANES];

	memcpy(head, record, sizeof head);
	memcpy(other_head, other, sizeof head);
	for (uint32_t i = 0; i < HEAD_WORDS; i++)
		numbers[i] = head[i] ^ other_head[i];
	put_numbers(out, numbers, HEAD_WORDS);
	widen(lanes, record->address, n);
	widen(before, other->address, n_other);
	put_lanes(out, lanes, n, before, n_other);
	put_lanes(out, record->value, n_values(record), other->value, n_values(other));
	put_lanes(out, record->compare, n_compares(record), other->compare, n_compares(other));
}

static void get_addresses(const uint8_t **in, Record *record, const Record *other)
{
	const uint32_t n = n_addresses(record), n_other = n_addresses(other);

	if (**in == 0 && n == n_other) { /* mostly */
		memcpy(record->address, other->address, n * sizeof other->address[0]);
		++*in;
		return;
	}

	uint64_t lanes[MAX_LANES], before[MAX_LANES] = {0};

	widen(before, other->address, n_other);
	get_lanes(in, lanes, n, before, n_other);
	for (uint32_t i = 0; i < n; i++)
		record->address[i] = (uint32_t)lanes[i];
}

void record_log_unpack(const uint8_t **in, Record *record, const Record *other)
{
	uint32_t head[HEAD_WORDS], n_changed;
	uint64_t changed[MAX_LANES];

	n_changed = get_numbers(in, changed);
	memcpy(head, other, sizeof head);
	for (uint32_t i = 0; i < MIN(n_changed, HEAD_WORDS); i++)
		head[i] ^= (uint32_t)changed[i];
	memcpy(record, head, sizeof head);
	get_addresses(in, record, other);
	get_lanes(in, record->value, n_values(record), other->value, n_values(other));
	get_lanes(in, record->compare, n_compares(record), other->compare, n_compares(other));
}
