/* SPDX-License-Identifier: MIT */
/*
 * Applications that emit records of two words, for each of which an add reserves room in the output: matrix multiply, the map
 * phase of k-means, string match.
 */
#include "workloads/apps.h"

static const Vote count_vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, true, false};

/* Room for a record of two words for each lane of `mask`, and the records. place[lane] is where the
   record goes: who comes first is not known here, so work-items keep their own places. */
static void write_emission(const Apps *work, Warp *warp, LaneMask mask, const uint64_t *place)
{
	uint64_t value[MAX_LANES], byte[MAX_LANES], local[MAX_LANES];

	for (uint32_t lane = 0; lane < warp->lanes; lane++) {
		value[lane] = 1;
		local[lane] = warp->emit.warp * WORD_BYTES;
	}
	if (work->by_wavefront && mask) {
		unsigned leader = (unsigned)__builtin_ctzll(mask);

		flow_at(&warp->emit, 0, SITE_LOCAL_ADD);
		warp_add(warp, &count_vote, BUFFER_LOCAL, mask, local, value);
		value[leader] = (uint64_t)__builtin_popcountll(mask);
		apps_add(work, warp, TRUE, (LaneMask)1 << leader, value);
		flow_at(&warp->emit, 0, SITE_LOCAL_STORE);
		warp_store(warp, BUFFER_LOCAL, (LaneMask)1 << leader, local);
		flow_at(&warp->emit, 0, SITE_LOCAL_LOAD);
		warp_load(warp, BUFFER_LOCAL, mask, local);
	} else {
		apps_add(work, warp, TRUE, mask, value);
	}
	apps_step(warp, STEP_EMIT);
	warp->emit.site = SITE_WRITE;
	for (uint32_t word = 0; word < 2; word++) {
		for (uint32_t lane = 0; lane < warp->lanes; lane++)
			byte[lane] = (place[lane] * 2 + word) * WORD_BYTES;
		warp_store(warp, BUFFER_OUT, mask, byte);
	}
	warp->emit.site = 0;
}

/* Words l of a row of a and of a column of b, into registers `ahead` of the loop's first. */
static void read_pair(const Apps *work, Warp *warp, LaneMask mask, uint64_t first, uint64_t l,
		      uint32_t ahead)
{
	uint64_t m = work->size, a[MAX_LANES], b[MAX_LANES];

	for (uint32_t lane = 0; lane < warp->lanes; lane++) {
		uint64_t z = first + lane;

		a[lane] = (z / m * m + l) * WORD_BYTES;
		b[lane] = (l * m + z % m) * WORD_BYTES;
	}
	warp->emit.site = ahead > 0 ? SITE_AHEAD + 2 * (ahead - 1) : SITE_READ;
	warp_load(warp, BUFFER_IN, mask, a);
	flow_at(&warp->emit, SITE_READ, ahead > 0 ? SITE_AHEAD + 2 * ahead - 1 : SITE_SECOND);
	warp_load(warp, BUFFER_SECOND, mask, b);
}

/* Elements z_ij = sum of a_il b_lj, one after the other by the work-items of the grid. */
void apps_write_matmul(const Apps *work, Warp *warp)
{
	uint64_t m = work->size, n = m * m, place[MAX_LANES];
	uint64_t most = has_dataflow(&warp->emit) ? APPS_AHEAD : 1;

	for (uint64_t first = warp->thread; first < n; first += warp->n_grid) {
		LaneMask mask = warp->exists & warp_below(warp, first, n);

		for (uint64_t l = 0; l < m; l += most) {
			uint32_t ahead = (uint32_t)MIN(most, m - l);

			for (uint32_t i = 0; i < ahead; i++)
				read_pair(work, warp, mask, first, l + i, i);
			for (uint32_t i = 1; i < ahead; i++)
				apps_step(warp, STEP_AHEAD + i - 1);
			apps_step(warp, STEP_ELEMENT);
		}
		warp->emit.site = 0;
		for (uint32_t lane = 0; lane < warp->lanes; lane++)
			place[lane] = first + lane;
		write_emission(work, warp, mask, place);
	}
}

void apps_write_kmeans(const Apps *work, Warp *warp)
{
	uint64_t byte[MAX_LANES], place[MAX_LANES];

	for (uint32_t k = 0; k < work->size; k++) {
		for (uint32_t j = 0; j < work->d; j++) {
			for (uint32_t lane = 0; lane < warp->lanes; lane++) {
				place[lane] = warp->thread + lane;
				byte[lane] = (uint64_t)(k * work->d + j) * WORD_BYTES;
			}
			flow_at(&warp->emit, SITE_READ, SITE_SECOND);
			warp_load(warp, BUFFER_SECOND, warp->exists, byte);
			for (uint32_t lane = 0; lane < warp->lanes; lane++)
				byte[lane] = (place[lane] * work->d + j) * WORD_BYTES;
			warp->emit.site = SITE_READ;
			warp_load(warp, BUFFER_IN, warp->exists, byte);
			apps_step(warp, STEP_DISTANCE);
		}
		apps_step(warp, STEP_NEAREST);
		apps_step(warp, STEP_LOOP);
	}
	warp->emit.site = 0;
	write_emission(work, warp, warp->exists, place);
}

/* Whether a match begins in this word of the text: n_matches words, spread evenly. */
static gboolean matches(const Apps *work, uint64_t word)
{
	return word < work->text_words && work->n_matches > 0 &&
	       (word + 1) * work->n_matches / work->text_words >
		       word * work->n_matches / work->text_words;
}

void apps_write_match(const Apps *work, Warp *warp)
{
	uint64_t piece = (work->text_words + work->n_threads - 1) / work->n_threads;
	uint64_t byte[MAX_LANES], place[MAX_LANES];

	for (uint64_t i = 0; i < piece; i++) {
		LaneMask mask = 0, found = 0;

		for (uint32_t lane = 0; lane < warp->lanes; lane++) {
			uint64_t word = (warp->thread + lane) * piece + i;

			byte[lane] = word * WORD_BYTES;
			place[lane] =
				work->n_matches ? word * work->n_matches / work->text_words : 0;
			if ((warp->exists >> lane & 1) && word < work->text_words) {
				mask |= (LaneMask)1 << lane;
				if (matches(work, word))
					found |= (LaneMask)1 << lane;
			}
		}
		warp->emit.site = SITE_READ;
		warp_load(warp, BUFFER_IN, mask, byte);
		warp->emit.site = 0;
		apps_step(warp, STEP_MATCH);
		if (found)
			write_emission(work, warp, found, place);
		apps_step(warp, STEP_LOOP);
	}
}
