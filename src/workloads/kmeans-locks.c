/* SPDX-License-Identifier: MIT */
/*
 * The update step by points: a point, or a coordinate of one, a thread, under a lock for each cluster
 * or coordinate, in global memory or in the block's shared memory with a write-back under global
 * locks. The section of a lock is recorded once, for all lanes that go through it.
 */
#include "workloads/kmeans-update.h"

#define LOOP_ALU 3 /* next, comparison, branch */

/* With a lock a cluster: j is 0. */
static uint64_t lock_byte(const KmeansUpdate *work, KmeansPlace place, uint32_t cluster,
			  uint32_t j)
{
	uint64_t before = place.shared ? (uint64_t)place.n * (work->d + 1) * WORD_BYTES : 0;
	uint32_t locks = work->by_coordinate ? work->d : 1;

	return before + ((uint64_t)(cluster - place.first) * locks + j) * WORD_BYTES;
}

/* Behind a try of locks in global memory, where the kernel has a fence there too. */
static void fence_behind_try(const KmeansUpdate *work, Warp *warp, gboolean shared)
{
	if (work->device_fences || (work->fence_behind_try && !shared))
		emit_fence(&warp->emit, SCOPE_DEVICE);
}

static void write_locked(const KmeansUpdate *work, Warp *warp, KmeansPlace place, LaneMask mask,
			 const uint64_t *point, const uint32_t *cluster,
			 const uint32_t *coordinate)
{
	uint64_t lock[MAX_LANES];
	LaneMask counts = 0;

	if (!mask)
		return;
	if (work->atomic) {
		kmeans_add_atomically(work, warp, place, mask, point, cluster, coordinate);
		return;
	}
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint32_t j = work->by_coordinate ? coordinate[lane] : 0;

		if (!(mask >> lane & 1))
			continue;
		lock[lane] = lock_byte(work, place, cluster[lane], j);
		if (j == 0)
			counts |= (LaneMask)1 << lane;
	}
	warp->emit.site = SITE_LOCK;
	warp_lock(warp, kmeans_buffer(place, BUFFER_LOCKS), mask, lock);
	fence_behind_try(work, warp, place.shared);
	emit_step_or(&warp->emit, STEP_SECTION, 0);
	kmeans_add(work, warp, place, mask, counts, point, cluster,
		   work->by_coordinate ? coordinate : NULL);
	warp->emit.site = SITE_UNLOCK;
	emit_fence(&warp->emit,
		   place.shared && !work->device_fences ? SCOPE_BLOCK : SCOPE_DEVICE);
	warp_unlock(warp, kmeans_buffer(place, BUFFER_LOCKS), mask, lock);
	warp->emit.site = 0;
}

/* Point, coordinate and cluster of the lanes; the cluster is read. Returns the lanes that have one. */
static LaneMask write_lanes(const KmeansUpdate *work, Warp *warp, uint64_t *point,
			    uint32_t *coordinate, uint32_t *cluster)
{
	uint64_t byte[MAX_LANES];
	LaneMask mask = 0;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint64_t thread = warp->thread + lane;

		point[lane] = work->by_coordinate ? thread / work->d : thread;
		coordinate[lane] = work->by_coordinate ? (uint32_t)(thread % work->d) : 0;
		if (!(warp->exists >> lane & 1) || point[lane] >= work->n)
			continue;
		mask |= (LaneMask)1 << lane;
		cluster[lane] = work->cluster[point[lane]];
		byte[lane] = point[lane] * WORD_BYTES;
	}
	warp->emit.site = SITE_CLUSTER;
	warp_load(warp, BUFFER_CLUSTERS, mask, byte);
	warp->emit.site = 0;
	emit_step_or(&warp->emit, STEP_LANES, 2);
	return mask;
}

/* One thread for the cluster, or the word, with number i adds it to global memory. */
static void write_back_row(const KmeansUpdate *work, Warp *warp, KmeansPlace place,
			   LaneMask mask, const uint32_t *cluster, const uint32_t *coordinate)
{
	const KmeansPlace global = {FALSE, 0, work->k};
	uint64_t lock[MAX_LANES], from[MAX_LANES], to[MAX_LANES];
	LaneMask counts = 0;
	uint32_t n = work->by_coordinate ? 1 : work->d;

	for (LaneMask rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(rest);

		lock[lane] = lock_byte(work, global, cluster[lane], coordinate[lane]);
		if (coordinate[lane] == 0)
			counts |= (LaneMask)1 << lane;
	}
	emit_step_or(&warp->emit, STEP_BACK, 0);
	if (!work->atomic) {
		flow_at(&warp->emit, SITE_BACK, SITE_BACK_LOCK);
		warp_lock(warp, BUFFER_LOCKS, mask, lock);
		fence_behind_try(work, warp, FALSE);
	}
	for (uint32_t step = 0; step <= n; step++) {
		LaneMask now = step < n ? mask : counts;

		for (LaneMask rest = now; rest; rest &= rest - 1) {
			unsigned lane = (unsigned)__builtin_ctzll(rest);
			uint32_t j = work->by_coordinate ? coordinate[lane] : step;
			gboolean sum = step < n;

			from[lane] = sum ? kmeans_sum_byte(work, place, cluster[lane], j)
					 : kmeans_count_byte(work, place, cluster[lane]);
			to[lane] = sum ? kmeans_sum_byte(work, global, cluster[lane], j)
				       : kmeans_count_byte(work, global, cluster[lane]);
		}
		flow_at(&warp->emit, SITE_BACK, SITE_BACK_READ);
		warp_load(warp, KMEANS_SHARED, now, from);
		warp->emit.site = SITE_BACK;
		if (work->atomic)
			warp_add(warp, step < n ? &kmeans_add_float : &kmeans_add_one,
				 step < n ? BUFFER_SUMS : BUFFER_COUNTS, now, to, NULL);
		else if (now)
			kmeans_add_to(warp, step < n ? BUFFER_SUMS : BUFFER_COUNTS, now, to,
				      SITE_BACK_LOAD, STEP_ADD);
	}
	if (!work->atomic) {
		emit_fence(&warp->emit, SCOPE_DEVICE);
		flow_at(&warp->emit, SITE_BACK, SITE_BACK_UNLOCK);
		warp_unlock(warp, BUFFER_LOCKS, mask, lock);
	}
	warp->emit.site = SITE_BACK;
	if (!has_dataflow(&warp->emit))
		emit_alu(&warp->emit, LOOP_ALU);
}

static void write_back(const KmeansUpdate *work, Warp *warp, KmeansPlace place)
{
	uint32_t words = place.n * (work->by_coordinate ? work->d : 1);
	uint32_t step = work->one_writes_back ? 1 : warp->n_threads;

	if (work->one_writes_back && warp->emit.warp > 0)
		return;
	warp->emit.site = SITE_BACK;
	for (uint32_t i = work->one_writes_back ? 0 : warp->first; i < words; i += step) {
		LaneMask mask =
			work->one_writes_back ? 1 : warp->exists & warp_below(warp, i, words);
		uint32_t cluster[MAX_LANES], coordinate[MAX_LANES];

		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			uint32_t locks = work->by_coordinate ? work->d : 1;

			cluster[lane] = place.first + (i + lane) / locks;
			coordinate[lane] = (i + lane) % locks;
		}
		write_back_row(work, warp, place, mask, cluster, coordinate);
	}
	warp->emit.site = 0;
}

void kmeans_write_points(const KmeansUpdate *work, Warp *warp)
{
	uint64_t point[MAX_LANES];
	uint32_t coordinate[MAX_LANES], cluster[MAX_LANES] = {0};
	LaneMask mask = write_lanes(work, warp, point, coordinate, cluster);

	if (!work->shared) {
		write_locked(work, warp, (KmeansPlace){FALSE, 0, work->k}, mask, point, cluster,
			     coordinate);
		return;
	}
	for (uint32_t first = 0; first < work->k; first += work->chunk) {
		KmeansPlace place = {TRUE, first, MIN(work->chunk, work->k - first)};
		LaneMask here = 0;

		warp->emit.site = SITE_ZERO;
		warp_zero_shared(warp, 0, place.n * work->cluster_words);
		warp->emit.site = 0;
		emit_bar(&warp->emit);
		for (LaneMask rest = mask; rest; rest &= rest - 1) {
			unsigned lane = (unsigned)__builtin_ctzll(rest);

			if (cluster[lane] >= first && cluster[lane] < first + place.n)
				here |= (LaneMask)1 << lane;
		}
		emit_step_or(&warp->emit, STEP_PASS, 2);
		write_locked(work, warp, place, here, point, cluster, coordinate);
		emit_bar(&warp->emit);
		write_back(work, warp, place);
		emit_bar(&warp->emit);
	}
}
