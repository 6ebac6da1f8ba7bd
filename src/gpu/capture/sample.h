/* SPDX-License-Identifier: MIT */
/*
 * Which blocks of a launch a sample has: whole waves (as many blocks as are resident at a time, in the order of the launch), the
 * first, one out of each of equal parts of those between, the last, and the blocks after it. docs/guide/within.md says what
 * becomes of them. patch.cu asks it on the GPU, `atomsim trace pack` anywhere: includes stdint only.
 * Who may include it: capture, convert and cli.
 */
#ifndef ATOMSIM_GPU_CAPTURE_SAMPLE_H
#define ATOMSIM_GPU_CAPTURE_SAMPLE_H

#include <stdint.h>

#ifdef __CUDACC__
#define SAMPLE_FUNCTION static __device__
#else
#define SAMPLE_FUNCTION static inline
#endif

#define SAMPLE_LEAST_WAVES 5 /* of a sample: three say how much waves differ */
#define SAMPLE_MOST_WAVES  1024

/* Whether a launch of n_blocks has enough waves that a sample of n_waves of them saves anything: twice as many. */
SAMPLE_FUNCTION int sample_is_part(uint64_t n_blocks, uint64_t wave_blocks, uint64_t n_waves)
{
	return n_blocks / wave_blocks >= 2 * n_waves;
}

/* Whether a sample of n_waves has a block of the launch; sample_is_part is true of it. */
SAMPLE_FUNCTION int sample_has(uint64_t block, uint64_t n_blocks, uint64_t wave_blocks,
			       uint64_t n_waves)
{
	const uint64_t wave = block / wave_blocks, last = n_blocks / wave_blocks - 1;
	const uint64_t parts = n_waves - 2, between = last - 1;
	uint64_t part, first, next, place;

	if (wave == 0 || wave >= last)
		return 1;
	/* The wave's part of those between, which has first .. next-1 of them, and a place in it: SplitMix64 of the part. */
	part = (wave * parts - 1) / between;
	first = part * between / parts;
	next = (part + 1) * between / parts;
	place = (part + 1) * UINT64_C(0x9e3779b97f4a7c15);
	place = (place ^ place >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	place = (place ^ place >> 27) * UINT64_C(0x94d049bb133111eb);
	return wave - 1 == first + (place ^ place >> 31) % (next - first);
}

#endif
