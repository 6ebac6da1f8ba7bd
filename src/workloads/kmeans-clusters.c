/* SPDX-License-Identifier: MIT */
/*
 * The update step by clusters: a cluster, or a coordinate of one, a thread, which looks at every point
 * and adds its own. No locks. And the kernel that comes last, whatever the form: sums divided by counts.
 */
#include "workloads/kmeans-update.h"

#define LOOK_ALU   4 /* comparison of clusters, next point, branch */
#define DIVIDE_ALU 9 /* a reciprocal and its corrections */

/* The lanes' own sums and counts, from shared memory to global. */
static void write_out(const KmeansUpdate *work, Warp *warp, KmeansPlace place, LaneMask mask,
		      const uint32_t *cluster, const uint32_t *coordinate)
{
	const KmeansPlace global = {FALSE, 0, work->k};
	uint64_t from[MAX_LANES], to[MAX_LANES];
	LaneMask counts = 0;

	warp->emit.site = SITE_BACK;
	for (uint32_t step = 0; step < (work->by_coordinate ? 1 : work->d); step++) {
		for (LaneMask rest = mask; rest; rest &= rest - 1) {
			unsigned lane = (unsigned)__builtin_ctzll(rest);
			uint32_t j = work->by_coordinate ? coordinate[lane] : step;

			from[lane] = kmeans_sum_byte(work, place, cluster[lane], j);
			to[lane] = kmeans_sum_byte(work, global, cluster[lane], j);
		}
		warp_load(warp, KMEANS_SHARED, mask, from);
		warp_store(warp, BUFFER_SUMS, mask, to);
	}
	for (LaneMask rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(rest);

		if (work->by_coordinate && coordinate[lane] != 0)
			continue;
		counts |= (LaneMask)1 << lane;
		from[lane] = kmeans_count_byte(work, place, cluster[lane]);
		to[lane] = kmeans_count_byte(work, global, cluster[lane]);
	}
	if (counts) {
		warp_load(warp, KMEANS_SHARED, counts, from);
		warp_store(warp, BUFFER_COUNTS, counts, to);
	}
	warp->emit.site = 0;
}

/* The lanes of clusters look at every point, and those whose it is add it. */
void kmeans_write_clusters(const KmeansUpdate *work, Warp *warp)
{
	uint32_t each = work->by_coordinate ? work->d : 1;
	uint32_t coordinate[MAX_LANES], cluster[MAX_LANES] = {0};
	KmeansPlace place = {work->shared, 0, work->k};
	LaneMask exists = 0;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint64_t thread = warp->thread + lane;

		cluster[lane] = (uint32_t)(thread / each);
		coordinate[lane] = (uint32_t)(thread % each);
		if ((warp->exists >> lane & 1) && cluster[lane] < work->k)
			exists |= (LaneMask)1 << lane;
	}
	/* Every thread keeps its own sums: in shared memory they begin with the block's first. */
	if (work->shared)
		place = (KmeansPlace){TRUE,
				      (uint32_t)(warp->emit.block * warp->n_threads / each),
				      MIN(work->k, warp->n_threads / each + 2)};
	for (uint64_t p = 0; p < work->n; p++) {
		uint64_t point[MAX_LANES], byte[MAX_LANES];
		LaneMask own = 0, counts = 0;

		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			point[lane] = p;
			byte[lane] = p * WORD_BYTES;
			if ((exists >> lane & 1) && work->cluster[p] == cluster[lane]) {
				own |= (LaneMask)1 << lane;
				if (coordinate[lane] == 0)
					counts |= (LaneMask)1 << lane;
			}
		}
		warp->emit.site = SITE_CLUSTER;
		warp_load(warp, BUFFER_CLUSTERS, exists, byte);
		warp->emit.site = 0;
		emit_alu(&warp->emit, LOOK_ALU);
		if (own)
			kmeans_add(work, warp, place, own, counts, point, cluster,
				   work->by_coordinate ? coordinate : NULL);
		warp->emit.site = 0;
	}
	if (work->shared) {
		emit_bar(&warp->emit);
		write_out(work, warp, place, exists, cluster, coordinate);
	}
}

void kmeans_write_normalize(const KmeansUpdate *work, Warp *warp)
{
	LaneMask mask =
		warp->exists & warp_below(warp, warp->thread, (uint64_t)work->k * work->d);
	uint64_t byte[MAX_LANES];

	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		byte[lane] = (warp->thread + lane) / work->d * WORD_BYTES;
	warp->emit.site = SITE_NORMALIZE;
	warp_load(warp, BUFFER_COUNTS, mask, byte);
	warp_load_row(warp, BUFFER_SUMS, mask, warp->thread);
	emit_alu(&warp->emit, DIVIDE_ALU);
	warp_store_row(warp, BUFFER_SUMS, mask, warp->thread);
	warp->emit.site = 0;
}
