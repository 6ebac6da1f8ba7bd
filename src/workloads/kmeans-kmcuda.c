/* SPDX-License-Identifier: MIT */
/*
 * The update kernel of KMCUDA, which the lock versions are measured against: kmeans_adjust of
 * github.com/src-d/kmcuda, src/kmeans.cu, described in own words. A thread a cluster, 256 a block, which
 * scales its centroid by its count; for each batch of points, as many pairs as the shared memory
 * holds: barrier; thread 0 alone copies every point's new and old cluster into it; barrier; every
 * thread looks at all pairs and adds a point that came or takes away one that left, coordinate by
 * coordinate, Kahan's way; last it divides by the count.
 */
#include "workloads/kmeans-update.h"

#define KMCUDA_THREADS 256
#define PAIR_BYTES     8
#define SCALE_ALU      1
#define COPY_ALU       3 /* next point, comparison, branch */
#define SCAN_ALU       4 /* comparisons with both clusters, next pair, branch */
#define KAHAN_ALU      5
#define DIVIDE_ALU     9

void kmcuda_lay_out(KmeansUpdate *work, Kernel *kernel, uint64_t shared_bytes)
{
	work->batch = (uint32_t)MAX(shared_bytes / PAIR_BYTES, 1);
	kernel->n_threads = KMCUDA_THREADS;
	kernel->n_blocks = (work->k + KMCUDA_THREADS - 1) / KMCUDA_THREADS;
	kernel->shared_bytes = work->batch * PAIR_BYTES;
}

/* The cluster before: another one for as many points as changed, by a hash of the point. */
static uint32_t cluster_before(const KmeansUpdate *work, uint64_t point)
{
	uint32_t cluster = work->cluster[point];

	if (work->k == 1 || point * 2654435761u % 10000 >= work->changed)
		return cluster;
	return (cluster + 1 + (uint32_t)(point % (work->k - 1))) % work->k;
}

/* Each lane's centroid, coordinate by coordinate: multiplied or divided by the count. */
static void write_scale(const KmeansUpdate *work, Warp *warp, LaneMask mask, uint32_t n_alu)
{
	uint64_t byte[MAX_LANES];

	warp_load_row(warp, BUFFER_COUNTS, mask, warp->thread);
	for (uint32_t j = 0; j < work->d; j++) {
		for (uint32_t lane = 0; lane < MAX_LANES; lane++)
			byte[lane] = ((warp->thread + lane) * work->d + j) * WORD_BYTES;
		warp_load(warp, BUFFER_SUMS, mask, byte);
		emit_alu(&warp->emit, n_alu);
		warp_store(warp, BUFFER_SUMS, mask, byte);
	}
}

static void write_copy(const KmeansUpdate *work, Warp *warp, uint64_t first, uint32_t n)
{
	uint32_t pair[MAX_LANES];
	uint64_t byte[MAX_LANES];

	for (uint32_t i = 0; i < n; i++) {
		byte[0] = (first + i) * WORD_BYTES;
		pair[0] = i * PAIR_BYTES;
		warp_load(warp, BUFFER_CLUSTERS, 1, byte);
		warp_load(warp, BUFFER_BEFORE, 1, byte);
		emit_shared(&warp->emit, RECORD_STS, PAIR_BYTES, 1, pair);
		emit_alu(&warp->emit, COPY_ALU);
	}
	(void)work;
}

/* The lanes of `mask` add or take away a point. */
static void write_change(const KmeansUpdate *work, Warp *warp, LaneMask mask, uint64_t point)
{
	uint64_t from[MAX_LANES], to[MAX_LANES];

	for (uint32_t j = 0; j < work->d; j++) {
		for (uint32_t lane = 0; lane < MAX_LANES; lane++) {
			/* The rival's points are transposed: coordinate by coordinate. */
			from[lane] = ((uint64_t)j * work->n + point) * WORD_BYTES;
			to[lane] = ((warp->thread + lane) * work->d + j) * WORD_BYTES;
		}
		warp_load(warp, BUFFER_POINTS, mask, from);
		warp_load(warp, BUFFER_SUMS, mask, to);
		emit_alu(&warp->emit, KAHAN_ALU);
		warp_store(warp, BUFFER_SUMS, mask, to);
	}
}

static void write_scan(const KmeansUpdate *work, Warp *warp, LaneMask mask, uint64_t first,
		       uint32_t n)
{
	uint32_t pair[MAX_LANES];

	for (uint32_t i = 0; i < n; i++) {
		uint32_t now = work->cluster[first + i],
			 before = cluster_before(work, first + i);
		LaneMask change = 0;

		for (uint32_t lane = 0; lane < MAX_LANES; lane++)
			pair[lane] = i * PAIR_BYTES;
		for (uint32_t lane = 0; lane < warp->lanes && now != before; lane++)
			if (warp->thread + lane == now || warp->thread + lane == before)
				change |= (LaneMask)1 << lane;
		emit_shared(&warp->emit, RECORD_LDS, PAIR_BYTES, mask, pair);
		emit_alu(&warp->emit, SCAN_ALU);
		if (change & mask)
			write_change(work, warp, change & mask, first + i);
	}
}

void kmcuda_write_warp(const KmeansUpdate *work, Warp *warp)
{
	LaneMask mask = warp->exists & warp_below(warp, warp->thread, work->k);

	if (mask)
		write_scale(work, warp, mask, SCALE_ALU);
	for (uint64_t first = 0; first < work->n; first += work->batch) {
		uint32_t n = (uint32_t)MIN(work->batch, work->n - first);

		emit_bar(&warp->emit);
		if (warp->emit.warp == 0)
			write_copy(work, warp, first, n);
		emit_bar(&warp->emit);
		if (mask)
			write_scan(work, warp, mask, first, n);
	}
	if (mask)
		write_scale(work, warp, mask, DIVIDE_ALU);
}
