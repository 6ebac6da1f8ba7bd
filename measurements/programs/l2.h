/* SPDX-License-Identifier: MIT */
/*
 * Where lines live in the L2, found by latency: the time of an atomic from every SM to a line is
 * a signature of the slice that serves it, since the ways differ in length. Lines whose
 * signatures agree lie in one slice; a partition's lines are far for the other's SMs.
 */
#ifndef L2_H
#define L2_H

#include "probe.h"

#define LINE_BYTES 128
#define PAGE_BYTES 4096
#define PAGE_LINES (PAGE_BYTES / LINE_BYTES)

#define ROUND_TRIPS 6	 /* of each SM to each line; the least counts */
#define SAME_SLICE  8.0	 /* cycles; mean difference of two signatures of one slice is less */
#define FAR_GAP	    60.0 /* cycles; a smaller gap between near and far is none */
#define MAX_SLICES  512

enum { PATH_ATOM, PATH_LOAD };

/* One thread of SM `sm`: least time from one access to the next, which needs the result. */
static __global__ void round_trips(char *base, const uint32_t *offset, int n, unsigned int sm,
				   int path, uint16_t *least, unsigned int *taken)
{
	if (sm_id() != sm || threadIdx.x > 0 || atomicExch(taken, 1) != 0)
		return;
	for (int i = 0; i < n; i++) {
		char *address = base + offset[i];
		long long best = 65535, before = stamp();

#pragma unroll 1
		for (unsigned int k = 0; k < ROUND_TRIPS;) {
			unsigned int value;

			if (path == PATH_ATOM)
				asm volatile("atom.global.add.u32 %0, [%1], 1;"
					     : "=r"(value)
					     : "l"(address)
					     : "memory");
			else
				asm volatile("ld.global.cg.u32 %0, [%1];"
					     : "=r"(value)
					     : "l"(address)
					     : "memory");
			/* The value never has its top bit set; the loop must wait for it. */
			k += 1 + (value >> 31);

			long long now = stamp();

			if (k > 1 && now - before < best)
				best = now - before;
			before = now;
		}
		least[i] = (uint16_t)best;
	}
}

typedef struct {
	int n_sms, n_lines;
	uint16_t *cycles; /* [sm][line] */
	int *slice;	  /* of each line, numbered as they appear */
	int n_slices;
	int *line_side; /* 0 or 1: partition that serves the line */
	int *sm_side;	/* 0 or 1: partition whose lines are near */
	double gap;	/* cycles between the slowest near and the fastest far line of SM 0 */
} L2Map;

static inline double signature_difference(const L2Map *map, int a, int b)
{
	double sum = 0;

	for (int sm = 0; sm < map->n_sms; sm++)
		sum += abs(map->cycles[(size_t)sm * map->n_lines + a] -
			   map->cycles[(size_t)sm * map->n_lines + b]);
	return sum / map->n_sms;
}

/* The border between near and far lines of an SM: the middle of the widest gap. */
static inline double near_far_border(const L2Map *map, int sm, double *gap)
{
	double *sorted = (double *)malloc(sizeof(double) * map->n_lines), border = 0;

	for (int i = 0; i < map->n_lines; i++)
		sorted[i] = map->cycles[(size_t)sm * map->n_lines + i];
	median(sorted, map->n_lines);
	*gap = 0;
	/* Neither the first nor the last tenth can be a whole partition. */
	for (int i = map->n_lines / 10; i + 1 < map->n_lines - map->n_lines / 10; i++)
		if (sorted[i + 1] - sorted[i] > *gap) {
			*gap = sorted[i + 1] - sorted[i];
			border = (sorted[i + 1] + sorted[i]) / 2;
		}
	free(sorted);
	return border;
}

static inline void find_sides(L2Map *map)
{
	double border = near_far_border(map, 0, &map->gap);

	for (int i = 0; i < map->n_lines; i++)
		map->line_side[i] = map->gap >= FAR_GAP && map->cycles[i] > border;
	/* An SM is on the side whose lines answer it sooner. */
	for (int sm = 0; sm < map->n_sms; sm++) {
		double sum[2] = {0, 0};
		int n[2] = {0, 0};

		for (int i = 0; i < map->n_lines; i++) {
			sum[map->line_side[i]] += map->cycles[(size_t)sm * map->n_lines + i];
			n[map->line_side[i]]++;
		}
		map->sm_side[sm] = n[0] && n[1] && sum[1] / n[1] < sum[0] / n[0];
	}
}

static inline void find_slices(L2Map *map)
{
	int representative[MAX_SLICES];

	map->n_slices = 0;
	for (int line = 0; line < map->n_lines; line++) {
		double least = SAME_SLICE;

		map->slice[line] = -1;
		for (int slice = 0; slice < map->n_slices; slice++) {
			double d = signature_difference(map, line, representative[slice]);

			if (d < least) {
				least = d;
				map->slice[line] = slice;
			}
		}
		if (map->slice[line] < 0 && map->n_slices < MAX_SLICES) {
			representative[map->n_slices] = line;
			map->slice[line] = map->n_slices++;
		}
	}
}

/* Round trips from every SM to every line, one SM at work at a time. */
static inline void measure_lines(char *base, const uint32_t *offset, int n_lines, int path,
				 uint16_t *cycles)
{
	int n_sms = sm_count();
	uint32_t *offsets = (uint32_t *)to_gpu(offset, sizeof(uint32_t) * n_lines);
	uint16_t *least = (uint16_t *)gpu_memory(sizeof(uint16_t) * n_lines);
	unsigned int *taken = (unsigned int *)gpu_memory(sizeof(*taken));

	for (int sm = 0; sm < n_sms; sm++) {
		unsigned int done = 0;

		for (int launch = 0; launch < 100 && !done; launch++) {
			round_trips<<<2 * n_sms, 1024>>>(base, offsets, n_lines, sm, path,
							 least, taken);
			CHECK_RUN();
			from_gpu(&done, taken, sizeof(done));
		}
		if (!done) {
			fprintf(stderr, "SM %d: no block came to run on it\n", sm);
			exit(1);
		}
		CHECK(cudaMemset(taken, 0, sizeof(*taken)));
		from_gpu(cycles + (size_t)sm * n_lines, least, sizeof(uint16_t) * n_lines);
	}
	CHECK(cudaFree(offsets));
	CHECK(cudaFree(least));
	CHECK(cudaFree(taken));
}

/* The map of `n_lines` lines from `base` on. */
static inline L2Map l2_map(char *base, int n_lines)
{
	L2Map map;
	uint32_t *offset = (uint32_t *)malloc(sizeof(uint32_t) * n_lines);

	map.n_sms = sm_count();
	map.n_lines = n_lines;
	map.cycles = (uint16_t *)malloc(sizeof(uint16_t) * map.n_sms * n_lines);
	map.slice = (int *)malloc(sizeof(int) * n_lines);
	map.line_side = (int *)malloc(sizeof(int) * n_lines);
	map.sm_side = (int *)malloc(sizeof(int) * map.n_sms);
	for (int i = 0; i < n_lines; i++)
		offset[i] = i * LINE_BYTES;
	measure_lines(base, offset, n_lines, PATH_ATOM, map.cycles);
	find_sides(&map);
	find_slices(&map);
	free(offset);
	return map;
}

#endif
