/* SPDX-License-Identifier: MIT */
/*
 * Where a line of global memory lives: its partition and its slice.
 *
 * Modelled, after our measurements of an H200 (measurements/h200/global-atomics.csv, and a pairwise search for the
 * lines that slow each other down): two partitions of 47 slices.
 * - A page of 4 KiB lies in one partition, by the parity of bits 0, 1, 3, 5 and 7 of its number, and in eight
 *   slices there: lines 0, 1, 4, 5 in one, 2, 3, 6, 7 in the next, 8, 9, 12, 13 in the third, and so on.
 * - A line's mirror in the other partition is the slice of the same number.
 * Assumed: pages walk through the slices of their partition in turn. The true order is a hash of more bits; this
 * one deals 16 and 64 pages as unevenly as measured (red_add_u32, lines 128 bytes apart, 512 targets take 1.57 of the
 * balanced time, 2,048 targets 1.12).
 * Not modelled: which physical page an address has; the base of an allocation is taken to be even.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_SLICE_MAP_H
#define ATOMSIM_MODEL_SLICE_MAP_H

#include "model/memory-parameters.h"

#define MAX_PARTITIONS 2
#define MAX_SLICES     256 /* of a partition */

typedef struct {
	uint32_t partition; /* 0 .. partitions - 1 */
	uint32_t slice;	    /* of the partition: 0 .. slices - 1 */
} SlicePlace;

/* Of the line with that number (byte address / LINE_BYTES). */
SlicePlace slice_place(const L2Parameters *parameters, uint64_t line);

/* A number of -spread .. +spread for the way from an SM to a slice, the same every time: the
   measured latencies of an SM and a line differ by a hash of both and by no sum of two parts
   (issue-l2-by-sm.csv of the same GPU, 132 SMs by 32 lines). */
int32_t slice_distance(uint32_t sm, uint32_t slice, uint32_t spread);

#endif
