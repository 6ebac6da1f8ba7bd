/* SPDX-License-Identifier: MIT */
/*
 * What copies of an array take that a trace of its atomics alone lacks: the block clears the further copies, and merges them at its end.
 *
 * Modelled: neighboring words by neighboring lanes, 32 at a time, by all warps; a barrier behind the clearing and one before the merging.
 * Charged: these accesses, LOOP_INSTRUCTIONS for each turn that clears, and merging as of a load in replicate.c. What the program does to
 * the first copy it does with or without others: not charged, as the trace has none of it.
 */
#include "transform/replicate.h"

#define LOOP_INSTRUCTIONS 4

static Record access_of(const Change *change, const Place *place, RecordKind kind, uint32_t n)
{
	Record record = {.kind = kind,
			 .width = (uint8_t)(change->atom_width ? change->atom_width : 4),
			 .n_lanes = (uint8_t)MIN(n, place->warp_lanes)};

	record.mask = record.n_lanes == 64 ? UINT64_MAX : (UINT64_C(1) << record.n_lanes) - 1;
	return record;
}

static void append_arithmetic(uint32_t instructions, GArray *out)
{
	const Record record = {.kind = RECORD_ALU, .count = instructions};

	g_array_append_val(out, record);
}

/* Stores to all words of the further copies. */
static void append_clearing(const Change *change, const Place *place, uint32_t n_words,
			    GArray *out)
{
	const uint32_t n = n_words * (change->copies - 1), lanes = place->warp_lanes;

	for (uint32_t at = place->warp * lanes; at < n; at += place->n_warps * lanes) {
		Record store = access_of(change, place, RECORD_STS, n - at);

		for (uint32_t i = 0; i < store.n_lanes; i++)
			store.address[i] = change->first +
					   (1 + (at + i) / n_words) * change->stride_bytes +
					   (at + i) % n_words * store.width;
		g_array_append_val(out, store);
		append_arithmetic(LOOP_INSTRUCTIONS, out);
	}
}

/* Loads of one word of each further copy, and the arithmetic that combines them. */
static void append_merging(const Change *change, const Place *place, uint32_t n_words,
			   GArray *out)
{
	const uint32_t lanes = place->warp_lanes;

	for (uint32_t at = place->warp * lanes; at < n_words; at += place->n_warps * lanes) {
		Record load = access_of(change, place, RECORD_LDS, n_words - at);

		for (uint32_t copy = 1; copy < change->copies; copy++) {
			const bool last = copy == change->copies - 1;
			const uint32_t in_turn = (copy - 1) % LOADS_PER_TURN + 1;

			for (uint32_t i = 0; i < load.n_lanes; i++)
				load.address[i] = change->first + copy * change->stride_bytes +
						  (at + i) * load.width;
			g_array_append_val(out, load);
			if (in_turn == LOADS_PER_TURN || last)
				append_arithmetic(in_turn + TURN_INSTRUCTIONS, out);
		}
	}
}

void replicate_surround(const Change *change, const Place *place, bool begins, GArray *out)
{
	const Record bar = {.kind = RECORD_BAR};
	const uint32_t n_words =
		(change->end - change->first) / (change->atom_width ? change->atom_width : 4);

	if (begins && change->clears) {
		append_clearing(change, place, n_words, out);
		g_array_append_val(out, bar);
	} else if (!begins && change->merges) {
		g_array_append_val(out, bar);
		append_merging(change, place, n_words, out);
	}
}
