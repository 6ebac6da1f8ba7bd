/* SPDX-License-Identifier: MIT */
#include "explore/search/pairs.h"

#include "model/shared/shared.h"

#define MAX_WORDS (MAX_LANES * (SHARED_MAX_LANE_WORDS + 1)) /* a lane may straddle words */

void pairs_init(PairCounts *pairs, uint32_t n_bits)
{
	*pairs = (PairCounts){
		.n_bits = n_bits,
		.counts = g_new0(uint64_t, (size_t)1 << n_bits),
	};
}

void pairs_clear(PairCounts *pairs)
{
	g_clear_pointer(&pairs->counts, g_free);
}

uint32_t pairs_bits(RecordSource *source)
{
	uint32_t n_words = 1, n_bits = 0;

	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		n_words = MAX(n_words, (info.shared_bytes + 3) / 4);
	}
	while (n_words > UINT32_C(1) << n_bits)
		n_bits++;
	return n_bits;
}

/* The different words of an access. An atomic is at its lane's first word, as in the model. */
static uint32_t words_of(const Record *record, uint32_t *words)
{
	uint32_t n = 0;

	for (uint32_t lane = 0; lane < record->n_lanes; lane++) {
		uint32_t first = record->address[lane] / 4, last = first;

		if (record->kind != RECORD_ATOM)
			last = (record->address[lane] + record->width - 1) / 4;
		for (uint32_t word = first; word <= last; word++) {
			uint32_t i = 0;

			while (i < n && words[i] != word)
				i++;
			if (i == n)
				words[n++] = word;
		}
	}
	return n;
}

static void add_record(PairCounts *pairs, const Record *record)
{
	uint32_t words[MAX_WORDS], n = words_of(record, words);

	for (uint32_t i = 1; i < n; i++) {
		for (uint32_t j = 0; j < i; j++)
			pairs->counts[words[i] ^ words[j]]++;
	}
	pairs->total += (uint64_t)n * (n - 1) / 2;
	pairs->accesses += n > 1;
}

static gboolean add_warp(PairCounts *pairs, WarpStream *stream, gboolean atomics_alone)
{
	StreamStatus status;
	Record record;

	while ((status = stream->next(stream, &record)) == STREAM_RECORD) {
		gboolean access = record.kind == RECORD_LDS || record.kind == RECORD_STS;

		if (record.kind == RECORD_ATOM || (access && !atomics_alone))
			add_record(pairs, &record);
	}
	stream->close(stream);
	return status == STREAM_END;
}

gboolean pairs_add(PairCounts *pairs, RecordSource *source, gboolean atomics_alone)
{
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		for (uint32_t warp = 0; warp < info.n_warps; warp++) {
			WarpStream *stream = source->open_warp(source, block, warp);

			if (!stream || !add_warp(pairs, stream, atomics_alone))
				return FALSE;
		}
	}
	return TRUE;
}
