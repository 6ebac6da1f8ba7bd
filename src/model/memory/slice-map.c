/* SPDX-License-Identifier: MIT */
#include "model/memory/slice-map.h"

#include <stdbool.h>

#include "model/memory/coalesce.h"

/* SMs in a row of one partition in the order in which they get blocks, where nothing is measured. */
#define WALK_SMS 8

/* The finalizer of MurmurHash3: mixes all bits. */
static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

static uint32_t partition_of(const L2Parameters *p, uint64_t page)
{
	return p->partitions > 1 ? (uint32_t)__builtin_parityll(page & p->partition_mask) : 0;
}

/* --- As measured --- */

static SlicePlace measured_place(const L2Parameters *p, uint64_t page, uint32_t within)
{
	const SliceMap *map = &p->map;
	const uint64_t table = map->n_pages - 1;
	uint64_t upper = page & ~table;
	uint32_t row = (uint32_t)(page & table), pick = 0, slice;

	for (uint32_t i = 0; i < map->n_line_bits; i++)
		pick |= (within >> map->line_bits[i] & 1) << i;
	if (upper == 0)
		return (SlicePlace){partition_of(p, page),
				    map->slices[row << map->n_line_bits | pick]};
	/* The same pages in another order and with other slices, so that partitions are as measured: a bit of the page's
	   number that its partition depends on makes up for the others. */
	const uint64_t h = mix(upper), mask = p->partitions > 1 ? p->partition_mask : 0;
	const uint64_t bit = mask & table & -(mask & table);
	uint64_t move = (uint32_t)h & table & ~bit;

	if (__builtin_parityll(upper & mask) != __builtin_parityll(move & mask))
		move |= bit;
	pick ^= (uint32_t)(h >> 61) & ((1u << map->n_line_bits) - 1);
	slice = map->slices[(row ^ move) << map->n_line_bits | pick] +
		(uint32_t)(h >> 32) % p->slices;
	return (SlicePlace){partition_of(p, page),
			    slice < p->slices ? slice : slice - p->slices};
}

/* --- */

SlicePlace slice_place(const L2Parameters *p, uint64_t line)
{
	uint32_t page_lines = p->page_bytes / LINE_BYTES; /* a power of two */
	uint64_t page = line >> __builtin_ctz(page_lines);
	uint32_t within = (uint32_t)line & (page_lines - 1);
	/* Bits 1, 3 and 4 of the line pick one of eight; fewer slices fold that. */
	uint32_t pick = (within >> 1 & 1) | (within >> 2 & 6);

	if (p->map.n_pages > 0)
		return measured_place(p, page, within);
	return (SlicePlace){
		partition_of(p, page),
		(uint32_t)((page / p->partitions * p->page_slices + pick % p->page_slices) %
			   p->slices),
	};
}

/* The SMs of a group that get blocks round robin with those of other groups. */
static uint32_t sms_in_turn(const SliceMap *map, uint32_t group)
{
	return map->group_sms[group] - (group == 0 ? map->first_sms : 0);
}

/* How many of the SMs of each group get one of n blocks: one each, round robin, to each TPC one before any gets a second. */
static void share_out(const SliceMap *map, uint32_t n, uint32_t share[SLICE_MAP_GROUPS])
{
	for (uint32_t g = 0; g < map->n_groups; g++)
		share[g] = 0;
	for (uint32_t tpc_sms = 1; tpc_sms <= map->tpc_sms; tpc_sms++)
		for (bool more = true; n > 0 && more;) {
			more = false;
			for (uint32_t g = 0; g < map->n_groups && n > 0; g++) {
				if (share[g] >= sms_in_turn(map, g) / map->tpc_sms * tpc_sms)
					continue;
				share[g]++;
				n--;
				more = true;
			}
		}
}

static SmPlace place_of(const SliceMap *map, uint32_t group, uint32_t tpc)
{
	return (SmPlace){map->group_partition[group], group,
			 group * map->clusters + tpc % map->clusters};
}

SmPlace slice_sm_place(const L2Parameters *p, uint32_t group_sms, uint32_t n_sms, uint32_t sm)
{
	const SliceMap *map = &p->map;
	uint32_t group = 0, share[SLICE_MAP_GROUPS];

	if (map->n_pages == 0)
		return (SmPlace){sm / WALK_SMS % p->partitions, sm / group_sms, sm / group_sms};
	if (sm < map->first_sms)
		return place_of(map, 0, (sms_in_turn(map, 0) + sm) / map->tpc_sms);
	sm -= map->first_sms;
	share_out(map, n_sms - map->first_sms, share);
	for (; group < map->n_groups - 1 && sm >= share[group]; group++)
		sm -= share[group];
	return place_of(map, group, sm % (sms_in_turn(map, group) / map->tpc_sms));
}

void slice_map_gpu_sm(const SliceMap *map, uint32_t sm, uint32_t *group, uint32_t *cluster)
{
	uint32_t used[SLICE_MAP_GROUPS] = {0}, at = map->n_groups - 1, tpc = 0;

	for (uint32_t i = 0; i <= sm / map->tpc_sms; i++) {
		uint32_t tried = 0;

		do
			at = (at + 1) % map->n_groups;
		while (used[at] >= sms_in_turn(map, at) / map->tpc_sms &&
		       ++tried < map->n_groups);
		if (tried == map->n_groups)
			at = 0;
		tpc = used[at]++;
	}
	*group = at;
	*cluster = at * map->clusters + tpc % map->clusters;
}

uint32_t slice_map_sms(const SliceMap *map)
{
	uint32_t n = 0;

	for (uint32_t g = 0; g < map->n_groups; g++)
		n += map->group_sms[g];
	return n;
}

uint32_t slice_egress(const L2Parameters *p, uint64_t line)
{
	uint32_t egress = p->map.n_way_bits > 0;

	for (uint32_t i = 0; i < p->map.n_way_bits; i++)
		egress &= (uint32_t)(line >> p->map.way_bits[i]);
	return egress & 1;
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
