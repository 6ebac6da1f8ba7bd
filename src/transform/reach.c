/* SPDX-License-Identifier: MIT */
/* Records and the array that a change is made to: whether they reach it, and records in their place. */
#include "transform/change.h"

#define LINE_BYTES 128 /* segments of accesses to global memory */

bool change_reaches(const Change *change, const Record *record)
{
	if (change->buffer > 0)
		return record->kind == RECORD_ATOMG && record->buffer == change->buffer &&
		       record->n_lanes > 0;
	return record_has_shared_addresses(record) && record->address[0] >= change->first &&
	       record->address[0] < change->end;
}

uint32_t change_place_of(const Change *change, const Record *record, uint32_t i)
{
	if (change->buffer > 0)
		return (uint32_t)(record->offset + record->address[i] - change->base);
	return record->address[i] - change->first;
}

void change_code(const Change *change, uint32_t which, uint32_t instructions, const Record *in,
		 Record *out)
{
	*out = *in;
	out->n_lanes = 0;
	if (change->gaps != NULL && in->site > 0 && in->site <= change->n_sites) {
		out->kind = RECORD_CODE;
		out->gap = change->gaps[(in->site - 1) * change->n_codes + which];
		return;
	}
	out->kind = RECORD_ALU;
	out->count = instructions;
}

void change_settle(Record *record)
{
	uint32_t n = 0;

	if (record->kind != RECORD_ATOMG)
		return;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint64_t line = (record->offset + record->address[i]) / LINE_BYTES;
		uint32_t k = 0;

		while (k < i && (record->offset + record->address[k]) / LINE_BYTES != line)
			k++;
		n += k == i;
	}
	record->count = n;
	record->bytes = record->n_lanes * record->width;
}
