/* SPDX-License-Identifier: MIT */
/* Points added to the sums and counts of their clusters, under locks or by atomics. */
#include "workloads/kmeans-update.h"

uint64_t kmeans_sum_byte(const KmeansUpdate *work, KmeansPlace place, uint32_t cluster,
			 uint32_t j)
{
	return ((uint64_t)(cluster - place.first) * work->d + j) * WORD_BYTES;
}

uint64_t kmeans_count_byte(const KmeansUpdate *work, KmeansPlace place, uint32_t cluster)
{
	uint64_t sums = place.shared ? (uint64_t)place.n * work->d * WORD_BYTES : 0;

	return sums + (uint64_t)(cluster - place.first) * WORD_BYTES;
}

uint16_t kmeans_buffer(KmeansPlace place, uint16_t buffer)
{
	return place.shared ? KMEANS_SHARED : buffer;
}

void kmeans_add_to(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte,
		   uint32_t load, guint step)
{
	const uint32_t store = warp->emit.site;

	flow_at(&warp->emit, store, load);
	warp_load_volatile(warp, buffer, mask, byte);
	emit_step_or(&warp->emit, step, 1);
	warp->emit.site = store;
	warp_store_volatile(warp, buffer, mask, byte);
}

/* Coordinates of a point that are read ahead of the adds: nvcc 13 unrolls the loop by so many, and moves its loads past
   volatile accesses; for sm_90, whose code has data flow, not past those to global memory (traces/kernels/update.cu for
   sm_75 and sm_90, disassembled). */
static uint32_t read_ahead(const Warp *warp, KmeansPlace place, uint32_t n_left)
{
	if (!place.shared && has_dataflow(&warp->emit))
		return 1;
	return n_left >= KMEANS_AHEAD ? KMEANS_AHEAD : n_left >= 8 ? 8 : n_left >= 4 ? 4 : 1;
}

/* Coordinate `step` of each point, or the one that coordinate[lane] says; number i of those read ahead. */
static void read_points(const KmeansUpdate *work, Warp *warp, LaneMask mask,
			const uint64_t *point, const uint32_t *coordinate, uint32_t step,
			uint32_t i)
{
	const uint32_t site = warp->emit.site;
	uint64_t from[MAX_LANES];

	flow_at(&warp->emit, site, SITE_POINT + i);
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		from[lane] = (point[lane] * work->d + (coordinate ? coordinate[lane] : step)) *
			     WORD_BYTES;
	warp_load(warp, BUFFER_POINTS, mask, from);
	warp->emit.site = site;
}

static void add_coordinate(const KmeansUpdate *work, Warp *warp, KmeansPlace place,
			   LaneMask mask, const uint32_t *cluster, const uint32_t *coordinate,
			   uint32_t step, uint32_t i)
{
	uint64_t byte[MAX_LANES] = {0};

	for (LaneMask rest = mask; rest; rest &= rest - 1) {
		const unsigned lane = (unsigned)__builtin_ctzll(rest);

		byte[lane] = kmeans_sum_byte(work, place, cluster[lane],
					     coordinate ? coordinate[lane] : step);
	}
	kmeans_add_to(warp, kmeans_buffer(place, BUFFER_SUMS), mask, byte, SITE_SUM_LOAD,
		      STEP_ADD + i);
}

void kmeans_add(const KmeansUpdate *work, Warp *warp, KmeansPlace place, LaneMask mask,
		LaneMask counts, const uint64_t *point, const uint32_t *cluster,
		const uint32_t *coordinate)
{
	const uint32_t n = coordinate ? 1 : work->d;
	uint64_t byte[MAX_LANES];

	warp->emit.site = SITE_SUM;
	for (uint32_t step = 0, ahead; step < n; step += ahead) {
		ahead = read_ahead(warp, place, n - step);
		for (uint32_t i = 0; i < ahead; i++)
			read_points(work, warp, mask, point, coordinate, step + i, i);
		for (uint32_t i = 0; i < ahead; i++)
			add_coordinate(work, warp, place, mask, cluster, coordinate, step + i,
				       i);
		if ((step + ahead) % KMEANS_AHEAD == 0 && step + ahead < n)
			emit_step_or(&warp->emit, STEP_LOOP, 0);
	}
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		byte[lane] =
			counts >> lane & 1 ? kmeans_count_byte(work, place, cluster[lane]) : 0;
	warp->emit.site = SITE_COUNT;
	if (counts)
		kmeans_add_to(warp, kmeans_buffer(place, BUFFER_COUNTS), counts, byte,
			      SITE_COUNT_LOAD, STEP_COUNT);
}

const Vote kmeans_add_float = {
	.operation = OPERATION_ADD, .type = TYPE_F32, .width = WORD_BYTES};
const Vote kmeans_add_one = {.operation = OPERATION_ADD, .type = TYPE_U32, .width = WORD_BYTES};

void kmeans_add_atomically(const KmeansUpdate *work, Warp *warp, KmeansPlace place,
			   LaneMask mask, const uint64_t *point, const uint32_t *cluster,
			   const uint32_t *coordinate)
{
	uint64_t byte[MAX_LANES], from[MAX_LANES];
	LaneMask counts = 0;

	for (uint32_t step = 0; step < (work->by_coordinate ? 1 : work->d); step++) {
		for (LaneMask rest = mask; rest; rest &= rest - 1) {
			unsigned lane = (unsigned)__builtin_ctzll(rest);
			uint32_t j = work->by_coordinate ? coordinate[lane] : step;

			from[lane] = (point[lane] * work->d + j) * WORD_BYTES;
			byte[lane] = kmeans_sum_byte(work, place, cluster[lane], j);
			counts |= (LaneMask)(j == 0) << lane;
		}
		flow_at(&warp->emit, SITE_SUM, SITE_POINT);
		warp_load(warp, BUFFER_POINTS, mask, from);
		warp->emit.site = SITE_SUM;
		warp_add(warp, &kmeans_add_float, kmeans_buffer(place, BUFFER_SUMS), mask, byte,
			 NULL);
	}
	for (LaneMask rest = counts; rest; rest &= rest - 1)
		byte[__builtin_ctzll(rest)] =
			kmeans_count_byte(work, place, cluster[__builtin_ctzll(rest)]);
	warp->emit.site = SITE_COUNT;
	warp_add(warp, &kmeans_add_one, kmeans_buffer(place, BUFFER_COUNTS), counts, byte,
		 NULL);
	warp->emit.site = 0;
}
