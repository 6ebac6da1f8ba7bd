/* SPDX-License-Identifier: MIT */
/* Records of a block that refers to another. */
#include "trace/codec.h"
#include "trace/decode-address.h"
#include "trace/internal.h"

/* False if it does not lie in its buffer then, or at no multiple of its width. */
static bool move_record(const TraceRules *rules, int64_t by, Record *record,
			const char **problem)
{
	const uint64_t offset = record->offset + (uint64_t)by;
	uint32_t largest = 0;

	for (unsigned i = 0; i < record->n_lanes; i++)
		largest = MAX(largest, record->address[i]);
	if ((uint64_t)by & (record->width - 1u))
		*problem = "the block's reference moves it by no multiple of its width";
	else if (offset > TRACE_MAX_BUFFER_BYTES ||
		 offset + largest + record->width > trace_buffer_bytes(rules, record->buffer))
		*problem = "the block's reference moves it out of its buffer";
	else
		*problem = NULL;
	record->offset = offset;
	if (by % (1 << SEGMENT_SHIFT) != 0)
		record->count = count_segments(record, largest);
	return *problem == NULL;
}

bool mover_init(Mover *mover, const References *references, const Place *place, uint32_t warp)
{
	const Template *template = place->span->template;
	bool moved = false;

	for (uint32_t c = 0; c < template->n_classes; c++) {
		mover->shifts[c] = references_shift(references, place, c);
		moved |= mover->shifts[c] != 0;
	}
	mover->piece = references_pieces(references, template, warp);
	mover->left = mover->piece ? mover->piece->length : 0;
	return moved;
}

bool mover_move(Mover *mover, const TraceRules *rules, Record *record, const char **problem)
{
	int64_t shift = mover->shifts[0];

	if (mover->piece) {
		if (mover->left == 0 && mover->piece->length > 0)
			mover->left = (++mover->piece)->length;
		if (mover->left > 0)
			mover->left--;
		shift = mover->shifts[mover->piece->class];
	}
	return shift == 0 || move_record(rules, shift, record, problem);
}
