/* SPDX-License-Identifier: MIT */
#include "model/memory/slice-map.h"

#include <stdbool.h>

#include "model/memory/coalesce.h"

const char *const slice_map_names[N_SLICE_MAPS] = {"walk", "h200"};

/* SMs in a row of one partition in the order in which blocks are dealt, where nothing is measured. */
#define WALK_SMS 8

/* --- As measured --- */

#define TABLE_PAGES 64 /* whose lines were looked for, */
#define TABLE_MASK  43 /* bits of a page's number among them whose parity is its partition */
#define TWIN	    20 /* page p has the slices of page p ^ TWIN, backwards */
#define TWIN_BIT    16
#define PICKS	    8

/* Slices of pages 0 to 15 and 32 to 47 (measurements/h200/l2, l2-slices.csv). Slices of partition 0 are numbered as
   they appear; one of partition 1 has the number of its partner (l2-pairs.csv). */
static const uint8_t measured[TABLE_PAGES / 2][PICKS] = {
	{0, 1, 2, 3, 4, 5, 6, 7},	  {1, 11, 8, 9, 14, 15, 7, 36},
	{2, 3, 0, 10, 23, 12, 4, 5},	  {8, 9, 10, 11, 12, 13, 14, 15},
	{16, 17, 11, 10, 18, 19, 20, 21}, {24, 25, 10, 0, 19, 29, 26, 27},
	{13, 22, 16, 17, 20, 21, 18, 28}, {22, 23, 24, 25, 26, 27, 28, 29},
	{36, 7, 34, 35, 37, 38, 11, 1},	  {7, 6, 30, 31, 32, 33, 1, 0},
	{34, 35, 36, 16, 18, 19, 37, 38}, {30, 31, 25, 6, 19, 29, 32, 33},
	{43, 44, 3, 6, 23, 12, 45, 46},	  {39, 40, 36, 8, 12, 13, 41, 42},
	{29, 28, 43, 44, 45, 46, 23, 22}, {28, 18, 39, 40, 41, 42, 22, 13},
	{32, 9, 11, 1, 25, 24, 20, 21},	  {2, 38, 1, 0, 17, 16, 26, 27},
	{11, 10, 32, 9, 34, 35, 7, 33},	  {10, 0, 2, 38, 30, 31, 37, 7},
	{16, 17, 27, 26, 45, 46, 23, 12}, {24, 25, 21, 20, 41, 42, 12, 13},
	{2, 3, 15, 14, 23, 22, 45, 46},	  {8, 9, 5, 4, 22, 13, 41, 42},
	{31, 30, 3, 6, 40, 39, 45, 46},	  {35, 34, 36, 8, 44, 43, 41, 42},
	{3, 6, 31, 30, 38, 2, 15, 14},	  {36, 8, 35, 34, 9, 32, 5, 4},
	{43, 44, 42, 41, 20, 21, 18, 19}, {39, 40, 46, 45, 26, 27, 19, 29},
	{34, 35, 33, 32, 18, 28, 20, 21}, {30, 31, 38, 37, 28, 29, 26, 27},
};

/* SMs of each GPC and their side (l2-sms.csv). Of the first GPC's 16 SMs the last eight get a launch's first eight blocks, and
   are not counted here (placement.csv). */
static const struct {
	uint8_t n_sms, side;
} gpcs[] = {{8, 0}, {16, 0}, {16, 1}, {16, 1}, {16, 1}, {16, 0}, {18, 1}, {18, 0}};

#define N_GPCS	  (sizeof gpcs / sizeof *gpcs)
#define FIRST_SMS 8
#define TPC_SMS	  2
#define CLUSTERS  3    /* of a GPC */
#define OTHER_WAY 0x20 /* page bit: the upper half of such a page */

/* The finalizer of MurmurHash3: mixes all bits. */
static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

static SlicePlace measured_place(const L2Parameters *p, uint64_t page, uint32_t pick)
{
	uint32_t row = (uint32_t)(page % TABLE_PAGES), turn = 0;

	if (page >= TABLE_PAGES) {
		/* The same pages in another order and with other slices, so that partitions are as measured. */
		uint64_t upper = page & ~(uint64_t)(TABLE_PAGES - 1), h = mix(upper);
		uint32_t move = (uint32_t)h % TABLE_PAGES & ~1u;

		move |= (uint32_t)(__builtin_parityll(upper & p->partition_mask) ^
				   __builtin_parity(move & TABLE_MASK));
		row ^= move;
		pick ^= (uint32_t)(h >> 61);
		turn = (uint32_t)(h >> 32) % H200_SLICES;
	}
	if (row & TWIN_BIT) {
		row ^= TWIN;
		pick ^= PICKS - 1;
	}
	return (SlicePlace){
		.partition = (uint32_t)__builtin_parityll(page & p->partition_mask),
		.slice = (measured[(row >> 1 & TABLE_PAGES / 4) | (row % TWIN_BIT)][pick] +
			  turn) %
			 H200_SLICES,
	};
}

/* --- */

SlicePlace slice_place(const L2Parameters *p, uint64_t line)
{
	uint32_t page_lines = p->page_bytes / LINE_BYTES; /* a power of two */
	uint64_t page = line >> __builtin_ctz(page_lines);
	uint32_t within = (uint32_t)line & (page_lines - 1);
	/* Bits 1, 3 and 4 of the line pick one of eight; fewer slices fold that. */
	uint32_t pick = (within >> 1 & 1) | (within >> 2 & 6);
	SlicePlace place = {0, 0};

	if (p->map == SLICE_MAP_H200)
		return measured_place(p, page, pick);
	if (p->partitions > 1)
		place.partition = (uint32_t)__builtin_parityll(page & p->partition_mask);
	place.slice =
		(uint32_t)((page / p->partitions * p->page_slices + pick % p->page_slices) %
			   p->slices);
	return place;
}

/* How many of the SMs of each GPC get one of n blocks: one each in turn, to each TPC one before any gets a second. */
static void share_out(uint32_t n, uint32_t share[N_GPCS])
{
	for (uint32_t g = 0; g < N_GPCS; g++)
		share[g] = 0;
	for (uint32_t tpc_sms = 1; tpc_sms <= TPC_SMS; tpc_sms++)
		for (bool more = true; n > 0 && more;) {
			more = false;
			for (uint32_t g = 0; g < N_GPCS && n > 0; g++) {
				if (share[g] >= gpcs[g].n_sms / TPC_SMS * tpc_sms)
					continue;
				share[g]++;
				n--;
				more = true;
			}
		}
}

static SmPlace place_of(uint32_t gpc, uint32_t tpc)
{
	return (SmPlace){gpcs[gpc].side, gpc, gpc * CLUSTERS + tpc % CLUSTERS};
}

SmPlace slice_sm_place(const L2Parameters *p, uint32_t group_sms, uint32_t n_sms, uint32_t sm)
{
	uint32_t gpc = 0, share[N_GPCS];

	if (p->map != SLICE_MAP_H200)
		return (SmPlace){sm / WALK_SMS % p->partitions, sm / group_sms, sm / group_sms};
	if (sm < FIRST_SMS)
		return place_of(0, (gpcs[0].n_sms + sm) / TPC_SMS);
	sm -= FIRST_SMS;
	share_out(n_sms - FIRST_SMS, share);
	for (; gpc < N_GPCS - 1 && sm >= share[gpc]; gpc++)
		sm -= share[gpc];
	return place_of(gpc, sm % (gpcs[gpc].n_sms / TPC_SMS));
}

uint32_t slice_way(const L2Parameters *p, uint64_t line)
{
	const uint32_t page_lines = p->page_bytes / LINE_BYTES;

	return p->map == SLICE_MAP_H200 && (line / page_lines & OTHER_WAY) != 0 &&
	       (line & page_lines / 2) != 0;
}

uint32_t slice_link(const L2Parameters *p, uint64_t line)
{
	return (uint32_t)(line / (p->page_bytes / LINE_BYTES) / 2 % p->links);
}

int32_t slice_distance(uint32_t group, uint32_t slice, uint32_t spread)
{
	/* Of 12. Most are near the mean, and neighbours make up for each other. */
	static const int8_t levels[8] = {-1, 1, -12, 12, -3, 3, -6, 6};
	uint64_t h = mix((uint64_t)group << 32 | slice / 8);

	return levels[slice % 8 ^ (uint32_t)(h >> 61)] * (int32_t)spread / 12;
}
