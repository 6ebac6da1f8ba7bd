/* SPDX-License-Identifier: MIT */
/* The memory side against cases computed by hand: coalescing, slices, ports, DRAM, and all together. */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "model/memory/coalesce.h"
#include "model/memory/dram.h"
#include "model/memory/l1.h"
#include "model/memory/link.h"
#include "model/memory/slice-map.h"
#include "model/memory/slice.h"
#include "sim/memory/memory.h"
#include "sim/memory/misses.h"
#include "sim/memory/residency.h"

#define N_LANES 32
#define CYCLE	TICKS_PER_CYCLE

/* An SM whose clock is the L2's: a clock is a cycle, and all is round. */
static const L2Parameters l2 = {
	.clock_khz = 1000000,
	.partitions = 2,
	.slices = 47,
	.page_bytes = 4096,
	.page_slices = 8,
	.partition_mask = 171,
	.port_packets = 16,
	.slice_packets = 1 << 20,
	.port_flit_mclk = 1000,
	.sector_mclk = 1000,
	.same_line_mclk = 250,
	.neighbour_mclk = 500,
	.double_sector_mclk = 2000,
	.double_gap_mclk = 4000,
	.full_sector_mclk = 1000,
	.cas_sector_mclk = 2000,
	.float_gap_mclk = 3000,
	.store_sector_mclk = 1000,
	.load_request_mclk = 1000,
	.load_sector_mclk = 500,
	.repeat_request_mclk = 500,
	.repeat_sectors = 64,
	.forward_packet_mclk = 700,
	.forward_flit_mclk = 300,
	.group_packet_mclk = 1000,
	.links = 6,
	.link_sector_mclk = 250,
	.link_word_mclk = 50,
};

static const NetworkParameters network = {
	.one_way_cycles = 100,
	.load_cycles = 200,
	.atomic_cycles = 300,
	.far_cycles = 200,
	.issue_cycles = 4,
	.in_flight = 64,
	.lock_attempt_flits = 212,
	.group_sms = 16,
	.egress_flit_mcycles = 1000,
	.ingress_word_mcycles = 2000,
	.ingress_packet_mcycles = 1000,
	.ingress_load_mcycles = 1000,
};

static const Ideals no_ideals;
static const DramParameters no_dram = {.channels = 1};

/* --- Coalescing --- */

/* Packets of 32 lanes on n words, `stride` bytes apart, in turn. */
static uint32_t cyclic(AccessKind kind, uint32_t n, uint32_t stride, Packet *packets)
{
	uint64_t addresses[N_LANES];

	for (uint32_t i = 0; i < N_LANES; i++)
		addresses[i] = (uint64_t)(i % n) * stride;
	return coalesce(kind, 4, N_LANES, addresses, packets);
}

/* The flits that all packets of an access take, their rounds included. */
static uint32_t all_flits(AccessKind kind, uint32_t n, uint32_t stride)
{
	Packet packets[COALESCE_MAX_PACKETS];
	uint32_t n_packets = cyclic(kind, n, stride, packets), flits = 0;

	for (uint32_t p = 0; p < n_packets; p++)
		flits += (uint32_t)packets[p].flits * packets[p].n_rounds;
	return flits;
}

static void test_flits(void)
{
	/* Words side by side: rounds x (header + sectors), one lane alone one flit. */
	g_assert_cmpuint(all_flits(ACCESS_ATOMIC, 1, 4), ==, 32);
	g_assert_cmpuint(all_flits(ACCESS_ATOMIC, 2, 4), ==, 16 * 2);
	g_assert_cmpuint(all_flits(ACCESS_ATOMIC, 8, 4), ==, 4 * 2);
	g_assert_cmpuint(all_flits(ACCESS_ATOMIC, 16, 4), ==, 2 * 3);
	g_assert_cmpuint(all_flits(ACCESS_ATOMIC, 32, 4), ==, 5);
	/* Sectors between that nobody asks for cost nothing: 0 and 2 of each of 16 lines. */
	g_assert_cmpuint(all_flits(ACCESS_ATOMIC, 32, 64), ==, 16 * 3);
	/* A compare-and-swap's data count twice, half a line a packet. */
	g_assert_cmpuint(all_flits(ACCESS_CAS, 2, 4), ==, 16 * 3);
	g_assert_cmpuint(all_flits(ACCESS_CAS, 16, 4), ==, 2 * 5);
	g_assert_cmpuint(all_flits(ACCESS_CAS, 32, 4), ==, 2 * 5);
	g_assert_cmpuint(all_flits(ACCESS_CAS, 8, 32), ==, 16 * 5);
	/* Each lane its line. */
	g_assert_cmpuint(all_flits(ACCESS_ATOMIC, 32, 128), ==, 32);
	g_assert_cmpuint(all_flits(ACCESS_LOAD, 32, 128), ==, 32);
	g_assert_cmpuint(all_flits(ACCESS_STORE, 32, 128), ==, 32 * 2);
	/* Loads and stores of one word go together. */
	g_assert_cmpuint(all_flits(ACCESS_LOAD, 1, 4), ==, 1);
	/* Whole sectors, and halves of them. */
	g_assert_cmpuint(all_flits(ACCESS_STORE, 32, 4), ==, 4);
	g_assert_cmpuint(all_flits(ACCESS_STORE, 32, 8), ==, 2 * 5);
}

static void test_rounds(void)
{
	Packet packets[COALESCE_MAX_PACKETS];

	/* 32 lanes on one word: 32 rounds, told once. */
	g_assert_cmpuint(cyclic(ACCESS_ATOMIC, 1, 4, packets), ==, 1);
	g_assert_cmpuint(packets[0].n_rounds, ==, 32);
	g_assert_cmpuint(packets[0].n_lanes, ==, 1);
	g_assert_cmpuint(packets[0].full, ==, 0);
	/* Eight words: one full sector, four rounds. */
	g_assert_cmpuint(cyclic(ACCESS_ATOMIC, 8, 4, packets), ==, 1);
	g_assert_cmpuint(packets[0].n_rounds, ==, 4);
	g_assert_cmphex(packets[0].sectors, ==, 1);
	g_assert_cmphex(packets[0].full, ==, 1);
	/* Two lines in turn: rounds apart, for packets of different lines lie between. */
	g_assert_cmpuint(cyclic(ACCESS_ATOMIC, 2, 128, packets), ==, 32);
	g_assert_cmpuint(packets[1].line, ==, 1);
}

/* Every lane is in one packet of one round, whatever the addresses. */
static void test_lanes_are_kept(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	uint64_t addresses[COALESCE_MAX_LANES];
	Packet packets[COALESCE_MAX_PACKETS];

	for (int i = 0; i < 2000; i++) {
		uint32_t n_lanes = (uint32_t)g_rand_int_range(rand, 1, COALESCE_MAX_LANES + 1);
		int words = g_rand_int_range(rand, 1, 300);
		AccessKind kind = i % 2 ? ACCESS_CAS : ACCESS_FLOAT;
		uint32_t n, lanes = 0;

		for (uint32_t lane = 0; lane < n_lanes; lane++)
			addresses[lane] = 4 * (uint64_t)g_rand_int_range(rand, 0, words);
		n = coalesce(kind, 4, n_lanes, addresses, packets);
		g_assert_cmpuint(n, <=, n_lanes);
		for (uint32_t p = 0; p < n; p++) {
			g_assert_cmphex(packets[p].sectors, !=, 0);
			g_assert_cmphex(packets[p].full & ~packets[p].sectors, ==, 0);
			lanes += packets[p].n_lanes * packets[p].n_rounds;
		}
		g_assert_cmpuint(lanes, ==, n_lanes);
	}
}

/* --- Slices --- */

static void test_lines_of_a_page(void)
{
	static const uint32_t slice_of[32] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3,
					      4, 4, 5, 5, 4, 4, 5, 5, 6, 6, 7, 7, 6, 6, 7, 7};

	for (uint64_t line = 0; line < 32; line++) {
		g_assert_cmpuint(slice_place(&l2, line).slice, ==, slice_of[line]);
		g_assert_cmpuint(slice_place(&l2, line).partition, ==, 0);
	}
	/* Pages 1 and 2 have one of the bits of 171, page 3 two. */
	g_assert_cmpuint(slice_place(&l2, 32).partition, ==, 1);
	g_assert_cmpuint(slice_place(&l2, 64).partition, ==, 1);
	g_assert_cmpuint(slice_place(&l2, 96).partition, ==, 0);
}

static char *measured_file(const char *name)
{
	const char *source = g_getenv("SOURCE");

	return g_build_filename(source ? source : ".", "measurements", "h200", "l2", name,
				NULL);
}

/* Two lines have one place if and only if they were found in one slice, for all 2,048 that were looked at; and partners
   have one number. */
static void test_map_is_as_measured(void)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	const L2Parameters *h200 = config_machine(config)->l2;
	g_autofree char *path = measured_file("l2-slices.csv");
	g_autofree char *pairs = measured_file("l2-pairs.csv");
	g_autofree char *text = NULL, *pair_text = NULL;
	g_auto(GStrv) rows = NULL, pair_rows = NULL;
	int number[94], n_pairs = 0;
	guint n = 0;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_assert_true(g_file_get_contents(pairs, &pair_text, NULL, NULL));
	for (int i = 0; i < 94; i++)
		number[i] = -1;
	rows = g_strsplit(text, "\n", -1);
	for (char **row = rows + 1; *row != NULL && **row != '\0'; row++, n++) {
		int page, line, side, slice;
		SlicePlace place;

		g_assert_cmpint(sscanf(*row, "%d,%d,%d,%d", &page, &line, &side, &slice), ==,
				4);
		place = slice_place(h200, (uint64_t)page * 32 + (uint64_t)line);
		g_assert_cmpint((int)place.partition, ==, side);
		if (number[slice] < 0)
			number[slice] = (int)place.slice;
		g_assert_cmpint(number[slice], ==, (int)place.slice);
	}
	g_assert_cmpuint(n, ==, 2048);
	pair_rows = g_strsplit(pair_text, "\n", -1);
	for (char **row = pair_rows + 1; *row != NULL && **row != '\0'; row++) {
		int slice, other, side, other_side;
		double cycles;

		g_assert_cmpint(sscanf(*row, "%d,%d,%d,%d,%lf", &slice, &other, &side,
				       &other_side, &cycles),
				==, 5);
		if (cycles < 1)
			continue;
		g_assert_cmpint(number[slice], ==, number[other]);
		n_pairs++;
	}
	g_assert_cmpint(n_pairs, ==, 47);
}

/* How many of a launch's blocks are near to each side, and how many groups they are in. */
static uint32_t spread(const L2Parameters *map, uint32_t n_blocks, guint near[2])
{
	uint64_t groups = 0;

	near[0] = near[1] = 0;
	for (uint32_t sm = 0; sm < n_blocks; sm++) {
		SmPlace place = slice_sm_place(map, 16, n_blocks, sm);

		near[place.partition]++;
		groups |= UINT64_C(1) << place.group;
	}
	return (uint32_t)__builtin_popcountll(groups);
}

/* measurements/h200/l2/placement.csv. */
static void test_sms_of_both_sides(void)
{
	static const L2Parameters walk = {.partitions = 2};
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	const L2Parameters *h200 = config_machine(config)->l2;
	guint near[2];

	g_assert_cmpuint(spread(h200, 132, near), ==, 8);
	g_assert_cmpuint(near[0], ==, 66);
	g_assert_cmpuint(near[1], ==, 66);
	/* The first eight together, then one a GPC. */
	g_assert_cmpuint(spread(h200, 8, near), ==, 1);
	g_assert_cmpuint(near[0], ==, 8);
	g_assert_cmpuint(spread(h200, 16, near), ==, 8);
	g_assert_cmpuint(near[0], ==, 12);
	/* 8 and 4 8 8 8 8 8 7 7; and 8 and 8 12 12 12 12 11 12 12. */
	g_assert_cmpuint(spread(h200, 66, near), ==, 8);
	g_assert_cmpuint(near[0], ==, 8 + 4 + 8 + 8 + 7);
	g_assert_cmpuint(spread(h200, 99, near), ==, 8);
	g_assert_cmpuint(near[0], ==, 8 + 8 + 12 + 11 + 12);
	g_assert_cmpuint(slice_sm_place(&walk, 16, 132, 8).partition, ==, 1);
	g_assert_cmpuint(slice_sm_place(&walk, 16, 132, 16).group, ==, 1);
}

/* The side of each SM by its number on the GPU; SMs 120 to 123 are those of the first GPC that come last. */
static void test_numbers_of_sms(void)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	const SliceMap *map = &config_machine(config)->l2->map;
	g_autofree char *path = measured_file("l2-sms.csv");
	g_autofree char *text = NULL;
	g_auto(GStrv) rows = NULL;
	guint n[SLICE_MAP_GROUPS] = {0}, sm = 0;

	g_assert_cmpuint(slice_map_sms(map), ==, 132);
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	rows = g_strsplit(text, "\n", -1);
	for (char **row = rows + 1; *row != NULL && **row != '\0'; row++, sm++) {
		unsigned number, side;
		uint32_t group, cluster;

		g_assert_cmpint(sscanf(*row, "%u,%u", &number, &side), ==, 2);
		g_assert_cmpuint(number, ==, sm);
		slice_map_gpu_sm(map, sm, &group, &cluster);
		g_assert_cmpuint(map->group_partition[group], ==, side);
		g_assert_cmpuint(cluster / map->clusters, ==, group);
		n[group]++;
	}
	g_assert_cmpuint(sm, ==, 132);
	for (guint g = 0; g < map->n_groups; g++)
		g_assert_cmpuint(n[g], ==, map->group_sms[g]);
}

/* Any map keeps to its slices and partitions, on the pages that it has and on others; and one partition has all lines. */
static void test_small_maps(void)
{
	static const char *const texts[] = {
		"{\"extends\": \"nvidia.json\", \"l2\": {\"partitions\": 1, \"slices\": 5, "
		"\"page_slices\": 4, \"partition_mask\": 0, \"map\": {\"line_bits\": [0, 2], "
		"\"pages\": [[0, 1, 2, 3], [4, 3, 2, 1]], \"group_sms\": [3, 1]}}}",
		"{\"extends\": \"nvidia.json\", \"l2\": {\"partitions\": 2, \"slices\": 2, "
		"\"page_slices\": 2, \"partition_mask\": 6, \"map\": {\"line_bits\": [1], "
		"\"pages\": [[0, 1], [1, 0], [1, 0], [0, 0]], \"group_sms\": [3, 1], "
		"\"group_partition\": [0, 1]}}}",
	};

	for (guint t = 0; t < G_N_ELEMENTS(texts); t++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Config) config =
			config_load_text("c", texts[t], strlen(texts[t]), NULL, &error);
		const L2Parameters *p;
		guint in[2] = {0};

		g_assert_no_error(error);
		p = config_machine(config)->l2;
		for (uint64_t line = 0; line < 1 << 16; line++) {
			SlicePlace place = slice_place(p, line * 3);

			g_assert_cmpuint(place.slice, <, p->slices);
			g_assert_cmpuint(place.partition, <, p->partitions);
			in[place.partition]++;
		}
		g_assert_cmpuint(in[1], ==, p->partitions == 1 ? 0 : in[0]);
		for (uint32_t n = 1; n < 12; n++)
			for (uint32_t sm = 0; sm < n; sm++) {
				SmPlace place = slice_sm_place(p, 16, n, sm);

				g_assert_cmpuint(place.group, <, 2);
				g_assert_cmpuint(place.partition, <, p->partitions);
			}
	}
}

/* A packet of several rounds is what as many packets a flit's time apart are. */
static void test_rounds_are_served_one_by_one(void)
{
	static const AccessKind kinds[] = {ACCESS_ATOMIC, ACCESS_FLOAT, ACCESS_DOUBLE,
					   ACCESS_CAS};
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	Slice at_once, one_by_one;
	Tick now = 0;

	slice_init(&at_once);
	slice_init(&one_by_one);
	for (int i = 0; i < 4000; i++) {
		/* Rounds faster than the slice serves them, and slower. */
		SliceTiming timing = slice_timing(&l2, i % 500 < 250 ? 1000 : 300);
		AccessKind kind = kinds[g_rand_int_range(rand, 0, 4)];
		Packet packet = {.line = (uint64_t)g_rand_int_range(rand, 0, 3),
				 .sectors = (uint8_t)g_rand_int_range(rand, 1, 16),
				 .n_lanes = 1,
				 .flits = (uint8_t)g_rand_int_range(rand, 1, 6),
				 .n_rounds = (uint8_t)g_rand_int_range(rand, 1, 33)};
		Packet round = packet;
		Tick first, last = 0, first_round = 0, between;

		timing.port_flit = (Tick)g_rand_int_range(rand, 1, 3000);
		between = packet.flits * timing.port_flit;
		round.n_rounds = 1;
		for (uint32_t r = 0; r < packet.n_rounds; r++) {
			last = slice_serve(&one_by_one, &timing, kind, &round, 0,
					   now + r * between, &first);
			first_round = r == 0 ? first : first_round;
		}
		g_assert_cmpuint(slice_serve(&at_once, &timing, kind, &packet, 0, now, &first),
				 ==, last);
		g_assert_cmpuint(first, ==, first_round);
		now += (Tick)g_rand_int_range(rand, 0, 400 * CYCLE);
	}
}

static void test_service(void)
{
	SliceTiming timing = slice_timing(&l2, 1000);
	Packet one = {.line = 4, .sectors = 1, .n_lanes = 1, .flits = 1, .n_rounds = 1};
	Packet full = {
		.line = 8, .sectors = 15, .full = 15, .n_lanes = 32, .flits = 5, .n_rounds = 1};
	Packet neighbour = {.line = 5, .sectors = 1, .n_lanes = 1, .flits = 1, .n_rounds = 1};
	Slice slice;
	Tick first;

	slice_init(&slice);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &one, 0, 0, &first), ==,
			 CYCLE);
	/* The same line again a quarter longer, its neighbour half, another line neither. */
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &one, 0, 0, &first), ==,
			 CYCLE * 9 / 4);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &neighbour, 0, 0, &first),
			 ==, CYCLE * 15 / 4);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &full, 0, 0, &first), ==,
			 CYCLE * 31 / 4);
	/* Idle until then. */
	g_assert_cmpuint(
		slice_serve(&slice, &timing, ACCESS_ATOMIC, &one, 0, 100 * CYCLE, &first), ==,
		101 * CYCLE);
}

/* Of rounds of one word the first is served, the others together behind it, and with them what comes until these begin. */
static void test_waiting_packets_merge(void)
{
	SliceTiming timing = slice_timing(&l2, 1000);
	Packet one = {.line = 4, .sectors = 1, .n_lanes = 1, .flits = 1, .n_rounds = 32};
	Packet other = one;
	const Tick again = CYCLE * 5 / 4;
	Slice slice;
	Tick first;

	timing.merge_packets = 4;
	other.word = 3;
	slice_init(&slice);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &one, 0, 0, &first), ==,
			 CYCLE + again);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &one, 1, 1, &first), ==,
			 CYCLE + again);
	/* Another word, and another kind of operation. */
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &other, 1, 1, &first), ==,
			 CYCLE + 2 * again);
	one.n_rounds = 1;
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_CAS, &one, 1, 1, &first), ==,
			 CYCLE + 3 * again);
	/* What it would wait with has begun. */
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &one, 1, CYCLE, &first),
			 ==, CYCLE + 4 * again);
	/* Four others since: the slice does not know it any more. */
	for (uint32_t i = 0; i < 4; i++) {
		other.line = 8 + 2 * i;
		slice_serve(&slice, &timing, ACCESS_ATOMIC, &other, 1, CYCLE, &first);
	}
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_ATOMIC, &one, 1, CYCLE, &first), >,
			 CYCLE + 5 * again);
	/* All rounds but two of the first packet, all of the one like it, all but one of each that waits. */
	g_assert_cmpuint(slice.merged_lanes, ==, 30 + 32 + 31 + 4 * 31);
	g_assert_cmpuint(slice.served_lanes, ==, 2 + 1 + 1 + 1 + 4 + 1);
	slice_clear(&slice);
}

static void test_float_rounds_are_three_clocks_apart(void)
{
	SliceTiming timing = slice_timing(&l2, 1000);
	Packet packet = {.sectors = 1, .n_lanes = 1, .flits = 1, .n_rounds = 4};
	Slice slice;
	Tick first, forwarded;

	slice_init(&slice);
	/* Starts at 0, 3, 6, 9; the last takes 1.25. */
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_FLOAT, &packet, 0, 0, &first), ==,
			 CYCLE * 41 / 4);
	g_assert_cmpuint(first, ==, CYCLE);
	/* What passes through fits into the waits. */
	packet.n_rounds = 1;
	forwarded = slice_forward(&slice, &timing, &packet, 0);
	g_assert_cmpuint(forwarded, ==, CYCLE * 41 / 4);
	g_assert_cmpuint(slice.free, ==, CYCLE * 41 / 4);
	/* They are 2, 1.75 and 1.75 long: of six packets the last takes a half of its clock behind them. */
	for (uint32_t i = 1; i < 5; i++)
		g_assert_cmpuint(slice_forward(&slice, &timing, &packet, 0), ==,
				 CYCLE * 41 / 4);
	g_assert_cmpuint(slice_forward(&slice, &timing, &packet, 0), ==, CYCLE * 43 / 4);
}

/* What a slice takes for so many packets of `n_rounds` rounds each, to sectors of different lines at random, of which
   SMs keep four under way: per round. */
static double clocks_of_a_round(guint n_sectors, guint n_rounds)
{
	SliceTiming timing = slice_timing(&l2, 1000);
	const guint n = 65536 / n_rounds;
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	Tick done[4] = {0}, first, last = 0;
	guint of_sector[16] = {0};
	Slice slice;

	slice_init(&slice);
	timing.other_line = timing.same_line;
	for (guint i = 0; i < n; i++) {
		guint sector = (guint)g_rand_int_range(rand, 0, (gint32)n_sectors);
		Packet packet = {.line = 4 * sector,
				 .sectors = 1,
				 .n_lanes = 1,
				 .flits = 1,
				 .n_rounds = (uint8_t)n_rounds};

		last = slice_serve(&slice, &timing, ACCESS_FLOAT, &packet, i % 132, done[i % 4],
				   &first);
		done[i % 4] = last;
		of_sector[sector] += n_rounds;
	}
	/* However they take turns, a sector takes three clocks for each of its own. */
	for (guint i = 0; i < n_sectors; i++)
		g_assert_cmpuint(last + 96 * CYCLE, >=, of_sector[i] * 3 * CYCLE);
	return (double)last / CYCLE / (n * n_rounds);
}

/* Rounds of packets of several SMs cost what as many packets of a round in random order do (l2/l2-warp-words.csv: 3.0, 2.2 and 1.65
   clocks of one, two and four sectors). */
static void test_packets_of_several_sms_take_turns(void)
{
	static const guint n_sectors[] = {1, 2, 4, 8, 16}, n_rounds[] = {2, 4, 8, 32};

	for (guint i = 0; i < G_N_ELEMENTS(n_sectors); i++) {
		double singly = clocks_of_a_round(n_sectors[i], 1);

		for (guint j = 0; j < G_N_ELEMENTS(n_rounds); j++) {
			double together = clocks_of_a_round(n_sectors[i], n_rounds[j]);

			g_test_message("%u sectors, %u rounds: %.3f, %.3f", n_sectors[i],
				       n_rounds[j], together, singly);
			g_assert_cmpfloat(fabs(together / singly - 1), <, 0.1);
		}
	}
}

static void test_packets_of_one_sm_do_not_take_turns(void)
{
	const SliceTiming timing = slice_timing(&l2, 1000);
	Packet packet = {.sectors = 1, .n_lanes = 1, .flits = 1, .n_rounds = 16};
	Tick first, alone, behind;
	Slice slice;

	for (uint32_t other = 0; other < 2; other++) {
		slice_init(&slice);
		packet.line = 0;
		alone = slice_serve(&slice, &timing, ACCESS_FLOAT, &packet, 0, 0, &first);
		packet.line = 4;
		behind = slice_serve(&slice, &timing, ACCESS_FLOAT, &packet, other, 0, &first);
		if (other)
			g_assert_cmpuint(behind - alone, <, 20 * CYCLE);
		else
			g_assert_cmpuint(behind - alone, >, 45 * CYCLE);
	}
}

/* measurements/h200/l2/l2-patterns.csv, one-line, red_add_f64: 3 clocks apart, 4 if both halves of the sector take part,
   2 of them of the slice. */
static void test_doubles(void)
{
	SliceTiming timing = slice_timing(&l2, 1000);
	Packet packet = {.sectors = 1, .both = 0, .n_lanes = 2, .flits = 2, .n_rounds = 2};
	Slice slice;
	Tick first;

	slice_init(&slice);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_DOUBLE, &packet, 0, 0, &first), ==,
			 CYCLE * 17 / 4);
	packet.both = 1;
	packet.n_lanes = 4;
	slice_init(&slice);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_DOUBLE, &packet, 0, 0, &first), ==,
			 CYCLE * 6);
	packet.sectors = packet.both = 3;
	packet.n_lanes = 8;
	slice_init(&slice);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_DOUBLE, &packet, 0, 0, &first), ==,
			 CYCLE * 8);
}

/* --- Ways that SMs share --- */

/* measurements/h200/l2/l2-clusters.csv: three TPCs of a GPC have a way out, and the first eight SMs are two, one and one of
   theirs. */
static void test_clusters(void)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	const L2Parameters *p = config_machine(config)->l2;
	guint n[24] = {0}, first[3] = {0};

	for (uint32_t sm = 0; sm < 132; sm++) {
		SmPlace place = slice_sm_place(p, 16, 132, sm);

		g_assert_cmpuint(place.cluster / 3, ==, place.group);
		g_assert_cmpuint(place.cluster, <, G_N_ELEMENTS(n));
		n[place.cluster]++;
		if (sm < 8)
			first[place.cluster]++;
	}
	for (guint c = 0; c < G_N_ELEMENTS(n); c++)
		g_assert_cmpuint(n[c], ==, c % 3 == 2 && c < 18 ? 4 : 6);
	g_assert_cmpuint(first[0], ==, 2);
	g_assert_cmpuint(first[1], ==, 4);
	g_assert_cmpuint(first[2], ==, 2);
	/* The other way: the upper halves of pages 32 to 63. */
	g_assert_cmpuint(slice_egress(p, 31 * 32 + 31), ==, 0);
	g_assert_cmpuint(slice_egress(p, 32 * 32 + 15), ==, 0);
	g_assert_cmpuint(slice_egress(p, 32 * 32 + 16), ==, 1);
	g_assert_cmpuint(slice_egress(p, 64 * 32 + 16), ==, 0);
	/* A link for two pages. */
	g_assert_cmpuint(slice_link(p, 63), ==, 0);
	g_assert_cmpuint(slice_link(p, 64), ==, 1);
	g_assert_cmpuint(slice_link(p, 6 * 64), ==, 0);
}

/* A quarter of a clock for a word, a fifth of that for each further one, and a whole sector as two words. */
static void test_results_cross(void)
{
	SliceTiming timing = slice_timing(&l2, 1000);
	Packet packet = {.sectors = 1, .n_lanes = 1, .flits = 1, .n_rounds = 1};
	Tick link = 0;

	g_assert_cmpuint(slice_cross(&link, &timing, &packet, CYCLE), ==, CYCLE);
	g_assert_cmpuint(link, ==, CYCLE * 5 / 4);
	packet.n_lanes = 3;
	g_assert_cmpuint(slice_cross(&link, &timing, &packet, 0), ==, CYCLE * 5 / 4);
	g_assert_cmpuint((link * 100 + CYCLE / 2) / CYCLE, ==, 160);
	packet = (Packet){.sectors = 15, .full = 15, .n_lanes = 32, .flits = 5, .n_rounds = 2};
	link = 0;
	g_assert_cmpuint(slice_cross(&link, &timing, &packet, 0), ==, 0);
	g_assert_cmpuint((link * 100 + CYCLE / 2) / CYCLE, ==, 240);
	/* Doubles: four words make a whole sector. */
	packet = (Packet){.sectors = 1, .full = 1, .n_lanes = 4, .flits = 2, .n_rounds = 1};
	link = 0;
	slice_cross(&link, &timing, &packet, 0);
	g_assert_cmpuint(link, ==, CYCLE / 4);
}

static void test_ways_of_a_group(void)
{
	const NetworkParameters p = {.group_egress_packet_mcycles = 500,
				     .group_egress_flit_mcycles = 250,
				     .group_ingress_sector_mcycles = 500,
				     .group_ingress_word_mcycles = 250};
	LinkTiming timing = link_timing(&p);
	Packet packet = {.sectors = 3, .n_lanes = 4, .flits = 2, .n_rounds = 3};
	Tick out = 0, in = 0;

	g_assert_cmpuint(link_group_send(&out, &timing, &packet, CYCLE), ==, CYCLE);
	g_assert_cmpuint(link_group_send(&out, &timing, &packet, CYCLE), ==, 4 * CYCLE);
	g_assert_cmpuint(link_group_receive(&in, &timing, &packet, CYCLE), ==, CYCLE);
	g_assert_cmpuint(link_group_receive(&in, &timing, &packet, CYCLE), ==, 3 * CYCLE);
}

/* measurements/h200/l2/l2-ways.csv, 16-lone-8-pairs: packets of one flit and of several hold each other up at a slice's port. */
static void test_mixed_packets_at_a_port(void)
{
	const L2Parameters p = {
		.clock_khz = 1000000, .port_flit_mclk = 1000, .port_turnaround_mclk = 500};
	SliceTiming timing = slice_timing(&p, 1000);
	Packet lone = {.n_lanes = 1, .flits = 1, .n_rounds = 1};
	Packet pair = {.n_lanes = 2, .flits = 2, .n_rounds = 2};
	SlicePort port = {0};

	g_assert_cmpuint(slice_enter(&port, &timing, &lone, 0), ==, CYCLE);
	g_assert_cmpuint(slice_enter(&port, &timing, &lone, 0), ==, 2 * CYCLE);
	g_assert_cmpuint(slice_enter(&port, &timing, &pair, 0), ==, CYCLE * 9 / 2);
	g_assert_cmpuint(slice_enter(&port, &timing, &lone, 0), ==, 8 * CYCLE);
	/* Time in which nothing came is no time lost. */
	g_assert_cmpuint(slice_enter(&port, &timing, &pair, 20 * CYCLE), ==, 22 * CYCLE);
}

/* Lines of one word among those of several hold up the port. */
static void test_mixed_packets(void)
{
	const NetworkParameters p = {.egress_flit_mcycles = 1000, .egress_mix_mcycles = 2000};
	LinkTiming timing = link_timing(&p);
	Packet packet = {.n_lanes = 1, .flits = 1, .n_rounds = 1, .mix = MIX_UNIT / 2};
	Link link = {0};

	g_assert_cmpuint(link_send(&link, &timing, ACCESS_ATOMIC, &packet, 0), ==, 2 * CYCLE);
}

/* When the SM has the result of one lane, which arrives at once. */
static Tick receive_one(Link *link, uint32_t sector, uint32_t word)
{
	const NetworkParameters p = {.ingress_word_mcycles = 2000,
				     .ingress_bank_conflict_mcycles = 1500,
				     .ingress_packet_mcycles = 1000};
	LinkTiming timing = link_timing(&p);
	Packet packet = {.sectors = 1u << sector & 0xf,
			 .word = word & 7,
			 .n_lanes = 1,
			 .flits = 1,
			 .n_rounds = 1};

	return link_receive(link, &timing, ACCESS_ATOMIC, &packet, 10 * CYCLE, 0);
}

/* measurements/h200/l2/l2-ways.csv, lone. */
static void test_results_of_one_lane(void)
{
	Link link = {0};

	g_assert_cmpuint(receive_one(&link, 0, 0), ==, 12 * CYCLE);
	/* Others take the port alone, */
	g_assert_cmpuint(receive_one(&link, 0, 1), ==, 13 * CYCLE);
	g_assert_cmpuint(receive_one(&link, 1, 1), ==, 14 * CYCLE);
	/* the same word its bank, */
	g_assert_cmpuint(receive_one(&link, 1, 1), ==, 16 * CYCLE);
	/* and another one of the bank not for as long. */
	g_assert_cmpuint(receive_one(&link, 2, 5), ==, CYCLE * 35 / 2);
}

static void test_loads_that_repeat(void)
{
	SliceTiming timing = slice_timing(&l2, 1000);
	Packet packet = {.line = 3, .sectors = 15, .n_lanes = 32, .flits = 1, .n_rounds = 1};
	Slice slice;
	Tick first;

	slice_init(&slice);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_LOAD, &packet, 0, 0, &first), ==,
			 2 * CYCLE);
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_LOAD, &packet, 0, 0, &first), ==,
			 CYCLE * 5 / 2);
	packet.sectors = 1;
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_LOAD, &packet, 0, 0, &first), ==,
			 CYCLE * 7 / 2);
	/* 64 lines of four sectors: what was remembered of the first is gone. */
	for (packet.sectors = 15, packet.line = 100; packet.line < 164; packet.line++)
		slice_serve(&slice, &timing, ACCESS_LOAD, &packet, 0, 0, &first);
	packet.line = 100;
	g_assert_cmpuint(slice_serve(&slice, &timing, ACCESS_LOAD, &packet, 0, 0, &first), ==,
			 CYCLE * 7 / 2 + 65 * 2 * CYCLE);
}

/* --- DRAM --- */

static Tick load_line(Dram *dram, uint64_t line, uint32_t slice)
{
	return dram_access(dram, DRAM_READ, line, slice, 0);
}

static void test_dram_reads_or_writes(void)
{
	const DramParameters p = {.channels = 1,
				  .latency_cycles = 100,
				  .load_mcycles = 500,
				  .store_mcycles = 700,
				  .atomic_mcycles = 1200};
	Tick free = 0;
	Dram dram;

	dram_init(&dram, &p, 1, 0, &free);
	g_assert_cmpuint(dram_access(&dram, DRAM_WRITE, 1, 0, 0), ==, CYCLE * 7 / 10);
	g_assert_cmpuint(dram_access(&dram, DRAM_UPDATE, 1, 0, 0), ==,
			 100 * CYCLE + CYCLE * 19 / 10);
	g_assert_cmpuint(dram_access(&dram, DRAM_READ, 1, 0, 0), ==,
			 100 * CYCLE + CYCLE * 24 / 10);
}

/* Room for 512 lines: a line is gone when as many came after it, give or take those of a group. */
static void test_lines_go_as_others_come(void)
{
	Residency *residency = residency_new(512 * LINE_BYTES);

	g_assert_cmpuint(residency_there_at(residency, 7), ==, 0);
	residency_bring(residency, 7, 10);
	g_assert_cmpuint(residency_there_at(residency, 7), ==, 10);
	g_assert_false(residency_store(residency, 7));
	g_assert_true(residency_store(residency, 7));
	g_assert_cmpuint(residency_there_at(residency, 7), ==, 10);
	for (uint64_t i = 0; i < 500; i++)
		residency_bring(residency, 1000 + i, 20 + i);
	g_assert_cmpuint(residency_there_at(residency, 7), ==, 10);
	for (uint64_t i = 500; i < 780; i++)
		residency_bring(residency, 1000 + i, 20 + i);
	g_assert_cmpuint(residency_there_at(residency, 7), ==, 0);
	g_assert_cmpuint(residency_there_at(residency, 1779), ==, 799);
	residency_bring(residency, 7, 900);
	g_assert_cmpuint(residency_there_at(residency, 7), ==, 900);
	g_assert_false(residency_store(residency, 7));
	residency_free(residency);
}

static void test_dram_holds_its_share(void)
{
	DramParameters p = {.capacity_kib = 1024,
			    .latency_cycles = 300,
			    .channels = 1,
			    .load_mcycles = 500};
	Tick free = 0;
	uint32_t held = 0;
	Dram dram;

	dram_init(&dram, &p, 1, 4 << 20, &free);
	for (uint64_t line = 0; line < 32768; line++)
		held += dram_holds(&dram, line);
	g_assert_cmpuint(held, >, 32768 * 24 / 100);
	g_assert_cmpuint(held, <, 32768 * 26 / 100);
	/* Half a cycle a line, one after the other. */
	g_assert_cmpuint(load_line(&dram, 1, 0), ==, 300 * CYCLE + CYCLE / 2);
	g_assert_cmpuint(load_line(&dram, 2, 1), ==, 301 * CYCLE);
	dram_init(&dram, &p, 1, 1 << 20, &free);
	g_assert_true(dram_holds(&dram, 12345));
}

static void test_dram_has_slow_lines(void)
{
	const DramParameters p = {.slow_lines = 9, .slow_cycles = 500, .channels = 1};
	Tick free = 0, most = 0, sum = 0;
	uint32_t n_slow = 0;
	Dram dram;

	dram_init(&dram, &p, 1, 0, &free);
	for (uint64_t line = 0; line < 90000; line += 2) {
		Tick time = load_line(&dram, line, 0);

		/* The same for the other line of its pair, and each time. */
		g_assert_cmpuint(load_line(&dram, line + 1, 0), ==, time);
		n_slow += time > 0;
		most = MAX(most, time);
		sum += time;
	}
	g_assert_cmpuint(n_slow, >, 4500);
	g_assert_cmpuint(n_slow, <, 5500);
	g_assert_cmpuint(most, >, 480 * CYCLE);
	g_assert_cmpuint(most, <, 500 * CYCLE);
	g_assert_cmpuint(sum / n_slow, >, 230 * CYCLE);
	g_assert_cmpuint(sum / n_slow, <, 270 * CYCLE);
}

static void test_dram_channels_queue_apart(void)
{
	const DramParameters p = {.channels = 4, .load_mcycles = 500};
	Tick free[4] = {0};
	Dram dram;

	dram_init(&dram, &p, 8, 0, free);
	/* Each has a quarter of the rate: half a cycle a line, of four. */
	g_assert_cmpuint(load_line(&dram, 0, 1), ==, 2 * CYCLE);
	g_assert_cmpuint(load_line(&dram, 1, 2), ==, 2 * CYCLE);
	g_assert_cmpuint(load_line(&dram, 2, 5), ==, 4 * CYCLE);
	/* No slice, no channel: none of the rate is lost. */
	dram_init(&dram, &p, 2, 0, free);
	g_assert_cmpuint(load_line(&dram, 0, 0), ==, 1 * CYCLE);
}

/* --- All together --- */

static const LaunchState warm = {.l2 = LAUNCH_L2_WARM}, home = {.l2 = LAUNCH_L2_HOME};

static Memory *memory_of(const NetworkParameters *ways, Arena *arena, uint32_t n_sms)
{
	arena_init(arena);
	return memory_new(&l2, ways, &no_dram, &warm, &no_ideals, 1000, n_sms, n_sms, 0, arena);
}

static Memory *memory_in(Arena *arena, uint32_t n_sms)
{
	return memory_of(&network, arena, n_sms);
}

/* One access of one SM, issued at cycle 0: when its reply is there. */
/* Loads of these words, one after the other, by these SMs: how long each takes. */
static void loads_in_state(const LaunchState *launch, const uint64_t *addresses, uint32_t n,
			   const uint32_t *sms, Cycle *took)
{
	static const DramParameters dram = {
		.latency_cycles = 1000, .channels = 1, .home_capacity_kib = 1 << 20};
	NetworkParameters ways = network;
	Arena arena;
	Memory *memory;
	Cycle now, at = 0;

	ways.far_load_cycles = 170;
	arena_init(&arena);
	memory = memory_new(&l2, &ways, &dram, launch, &no_ideals, 1000, 16, 16, 1 << 16,
			    &arena);
	for (uint32_t i = 0; i < n; i++) {
		MemoryAccess access = {.issue = at,
				       .sm = sms[i],
				       .kind = ACCESS_LOAD,
				       .result = true,
				       .width = 4,
				       .n_lanes = 1,
				       .addresses = &addresses[i]};
		MemoryReply reply = {0};

		memory_access(memory, &access);
		while ((now = memory_next(memory)) != UINT64_MAX)
			memory_serve(memory, now);
		while (memory_reply(memory, &reply))
			took[i] = reply.at - at;
		at = reply.at + 1000;
	}
	memory_free(memory);
	arena_clear(&arena);
}

/* SMs 0 to 7 are near partition 0, 8 to 15 near the other (map walk); pages 0 and 1 lie in one each. */
static void test_what_a_launch_finds(void)
{
	static const uint32_t sms[] = {0, 0, 8, 8};
	const struct {
		LaunchState launch;
		uint64_t page;
		Cycle took[4];
	} cases[] = {
		{{.l2 = LAUNCH_L2_WARM}, 0, {202, 202, 202, 202}},
		{{.l2 = LAUNCH_L2_WARM}, 1, {202, 202, 202, 202}},
		/* Brought once by the partition that is not its home. */
		{{.l2 = LAUNCH_L2_HOME}, 0, {202, 202, 372, 202}},
		{{.l2 = LAUNCH_L2_HOME}, 1, {372, 202, 202, 202}},
		/* SM i mod 16 has written lines 128 i to 128 i + 127: those of both pages SM 0, near partition 0. */
		{{.l2 = LAUNCH_L2_WRITTEN}, 0, {202, 202, 372, 202}},
		{{.l2 = LAUNCH_L2_WRITTEN}, 1, {202, 202, 202, 202}},
		/* Fetched once, by whoever is first. */
		{{.l2 = LAUNCH_L2_COLD}, 0, {1202, 202, 372, 202}},
		{{.l2 = LAUNCH_L2_COLD}, 1, {1372, 202, 202, 202}},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const uint64_t address = cases[i].page * 4096;
		const uint64_t addresses[] = {address, address, address, address};
		Cycle took[4];

		loads_in_state(&cases[i].launch, addresses, 4, sms, took);
		for (guint k = 0; k < 4; k++) {
			if (took[k] != cases[i].took[k])
				g_test_message("case %u, load %u", i, k);
			g_assert_cmpuint(took[k], ==, cases[i].took[k]);
		}
	}
}

/* The first sector of each half of a line brings the other. */
static void test_halves_of_lines_come_alone(void)
{
	static const uint32_t sms[] = {0, 0, 0, 0};
	const struct {
		LaunchL2 l2;
		uint64_t addresses[4];
		Cycle took[4];
	} cases[] = {
		{LAUNCH_L2_HOME, {4096, 4128, 4160, 4192}, {372, 202, 372, 202}},
		{LAUNCH_L2_HOME, {4192, 4160, 4128, 4096}, {372, 202, 372, 202}},
		{LAUNCH_L2_HOME, {4128, 4192, 4096, 4160}, {372, 372, 202, 202}},
		{LAUNCH_L2_HOME, {0, 32, 64, 96}, {202, 202, 202, 202}},
		{LAUNCH_L2_COLD, {0, 32, 64, 96}, {1202, 202, 1202, 202}},
		{LAUNCH_L2_COLD, {96, 32, 64, 0}, {1202, 1202, 202, 202}},
		{LAUNCH_L2_COLD, {4160, 4096, 4192, 4128}, {1372, 1372, 202, 202}},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const LaunchState launch = {.l2 = cases[i].l2};
		Cycle took[4];

		loads_in_state(&launch, cases[i].addresses, 4, sms, took);
		for (guint k = 0; k < 4; k++) {
			if (took[k] != cases[i].took[k])
				g_test_message("case %u, load %u", i, k);
			g_assert_cmpuint(took[k], ==, cases[i].took[k]);
		}
	}
}

/* Two SMs near to one partition ask for a word at cycles 0 and 10: their replies come between these cycles. Returns the sectors that have
   missed. */
static uint64_t two_loads(LaunchL2 found, uint64_t address, Cycle least, Cycle most)
{
	static const DramParameters dram = {
		.latency_cycles = 1000, .channels = 1, .home_capacity_kib = 1 << 20};
	const LaunchState launch = {.l2 = found};
	NetworkParameters ways = network;
	uint64_t missed;
	Arena arena;
	Memory *memory;
	MemoryReply reply;
	Cycle now;

	ways.far_load_cycles = 170;
	arena_init(&arena);
	memory = memory_new(&l2, &ways, &dram, &launch, &no_ideals, 1000, 16, 16, 1 << 16,
			    &arena);
	for (uint32_t sm = 0; sm < 2; sm++) {
		MemoryAccess access = {.issue = 10 * sm,
				       .sm = sm,
				       .kind = ACCESS_LOAD,
				       .result = true,
				       .width = 4,
				       .n_lanes = 1,
				       .addresses = &address};

		memory_access(memory, &access);
	}
	while ((now = memory_next(memory)) != UINT64_MAX)
		memory_serve(memory, now);
	for (guint i = 0; i < 2; i++) {
		g_assert_true(memory_reply(memory, &reply));
		g_assert_cmpuint(reply.at, >=, least);
		g_assert_cmpuint(reply.at, <=, most);
	}
	missed = memory_counters(memory).missed_sectors;
	memory_free(memory);
	arena_clear(&arena);
	return missed;
}

/* Who wants a line that is on its way waits for it. */
static void test_a_line_is_fetched_once(void)
{
	g_assert_cmpuint(two_loads(LAUNCH_L2_COLD, 0, 1202, 1204), ==, 1);
	g_assert_cmpuint(two_loads(LAUNCH_L2_COLD, 4096, 1372, 1374), ==, 1);
	g_assert_cmpuint(two_loads(LAUNCH_L2_HOME, 4096, 372, 374), ==, 0);
	g_assert_cmpuint(two_loads(LAUNCH_L2_WARM, 4096, 202, 214), ==, 0);
}

/* A launch at the median place has no slice nearer than another. */
static void test_median_place(void)
{
	NetworkParameters ways = network;
	Cycle took[N_LAUNCH_PLACES][4];

	ways.latency_spread_cycles = 60;
	for (guint place = 0; place < N_LAUNCH_PLACES; place++)
		for (guint line = 0; line < 4; line++) {
			const LaunchState launch = {.place = (LaunchPlace)place};
			uint64_t address = line * 4 * 128;
			MemoryAccess access = {.kind = ACCESS_LOAD,
					       .result = true,
					       .width = 4,
					       .n_lanes = 1,
					       .addresses = &address};
			MemoryReply reply;
			Arena arena;
			Memory *memory;
			Cycle now;

			arena_init(&arena);
			memory = memory_new(&l2, &ways, &no_dram, &launch, &no_ideals, 1000, 1,
					    1, 0, &arena);
			memory_access(memory, &access);
			while ((now = memory_next(memory)) != UINT64_MAX)
				memory_serve(memory, now);
			g_assert_true(memory_reply(memory, &reply));
			took[place][line] = reply.at;
			memory_free(memory);
			arena_clear(&arena);
		}
	for (guint line = 0; line < 4; line++) {
		g_assert_cmpuint(took[LAUNCH_PLACE_MEDIAN][line], ==, 202);
		g_assert_cmpuint(took[LAUNCH_PLACE_ROUND_ROBIN][line], !=, 202);
	}
}

static Cycle round_trip(AccessKind kind, bool result, uint32_t n, uint32_t stride,
			uint64_t page)
{
	Arena arena;
	Memory *memory = memory_in(&arena, 1);
	uint64_t addresses[N_LANES];
	MemoryAccess access = {.id = 7,
			       .kind = kind,
			       .result = result,
			       .width = 4,
			       .n_lanes = N_LANES,
			       .addresses = addresses};
	MemoryReply reply = {0};
	Cycle now;

	for (uint32_t i = 0; i < N_LANES; i++)
		addresses[i] = page * 4096 + (uint64_t)(i % n) * stride;
	memory_access(memory, &access);
	while ((now = memory_next(memory)) != UINT64_MAX)
		memory_serve(memory, now);
	g_assert_true(memory_reply(memory, &reply));
	g_assert_cmpuint(reply.sm, ==, 0);
	g_assert_cmpuint(reply.id, ==, 7);
	g_assert_false(memory_reply(memory, &reply));
	memory_free(memory);
	arena_clear(&arena);
	return reply.at;
}

static void test_round_trips(void)
{
	/* Port 1, service 1, both ways 200, data 1. */
	g_assert_cmpuint(round_trip(ACCESS_LOAD, true, 1, 4, 0), ==, 202);
	/* The port passes 5 flits, 4 full sectors; no data come back. */
	g_assert_cmpuint(round_trip(ACCESS_ATOMIC, false, 32, 4, 0), ==, 309);
	/* With data: 2. */
	g_assert_cmpuint(round_trip(ACCESS_ATOMIC, true, 32, 4, 0), ==, 311);
	/* The other partition: 5 flits into the mirror, 0.7 + 5 * 0.3 there; its data find their link free and
	   come 200 cycles farther. */
	g_assert_cmpuint(round_trip(ACCESS_ATOMIC, false, 32, 4, 1), ==, 317);
	g_assert_cmpuint(round_trip(ACCESS_ATOMIC, true, 32, 4, 1), ==, 519);
	/* 32 rounds on one word: a flit, 1.0 + 31 * 1.25, and the last leaves. */
	g_assert_cmpuint(round_trip(ACCESS_ATOMIC, false, 1, 4, 0), ==, 341);
}

/* Stores of both partitions are taken for near: their replies take as long. */
static void test_stores_are_near(void)
{
	for (uint64_t n = 1; n <= N_LANES; n *= 2)
		g_assert_cmpuint(round_trip(ACCESS_STORE, false, (uint32_t)n, 4, 0), ==,
				 round_trip(ACCESS_STORE, false, (uint32_t)n, 4, 1));
	g_assert_cmpuint(round_trip(ACCESS_ATOMIC, false, 1, 4, 0), !=,
			 round_trip(ACCESS_ATOMIC, false, 1, 4, 1));
}

/* When the last of 16 accesses to a line by SM 0, and of as many by an SM of the other side, has been answered. */
static Cycle last_of_sides(AccessKind kind, uint32_t n_sides)
{
	L2Parameters slices = l2;
	Arena arena;
	Memory *memory;
	MemoryReply reply;
	Cycle now, last = 0;

	slices.store_sector_mclk = 8000;
	arena_init(&arena);
	memory = memory_new(&slices, &network, &no_dram, &warm, &no_ideals, 1000, 16, 16, 0,
			    &arena);
	for (uint32_t i = 0; i < 16 * n_sides; i++) {
		uint64_t addresses[N_LANES];
		MemoryAccess access = {.id = (uint16_t)i,
				       .issue = i / n_sides,
				       .sm = i % n_sides * 8,
				       .kind = kind,
				       .width = 4,
				       .n_lanes = N_LANES,
				       .addresses = addresses};

		for (uint32_t k = 0; k < N_LANES; k++)
			addresses[k] = 4 * k;
		memory_access(memory, &access);
	}
	while ((now = memory_next(memory)) != UINT64_MAX)
		memory_serve(memory, now);
	while (memory_reply(memory, &reply))
		last = MAX(last, reply.at);
	memory_free(memory);
	arena_clear(&arena);
	return last;
}

/* Each side has its stores served by its own slices: two sides do not wait for each other, as they do with atomics. */
static void test_stores_of_two_sides_do_not_meet(void)
{
	g_assert_cmpuint(last_of_sides(ACCESS_STORE, 2), ==, last_of_sides(ACCESS_STORE, 1));
	g_assert_cmpuint(last_of_sides(ACCESS_ATOMIC, 2), >, last_of_sides(ACCESS_ATOMIC, 1));
}

/* One lane or all lanes of an SM: a word each from `first` on, or all one word. */
typedef struct {
	uint32_t sm;
	AccessKind kind;
	uint32_t first_lane, n_lanes;
	uint64_t first;
	bool one_word;
} Asked;

/* When the reply of the last one is there. footprint: bytes, of which the L2 holds what `dram` says. */
static Cycle last_with(const L2Parameters *slices, const NetworkParameters *ways,
		       const DramParameters *dram, uint64_t footprint, const Asked *asked,
		       uint32_t n)
{
	Arena arena;
	Memory *memory;
	MemoryReply reply;
	Cycle now, last = 0;

	arena_init(&arena);
	memory = memory_new(slices, ways, dram, &home, &no_ideals, 1000, 2, 2, footprint,
			    &arena);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t addresses[N_LANES];
		MemoryAccess access = {.id = (uint16_t)i,
				       .issue = i,
				       .sm = asked[i].sm,
				       .kind = asked[i].kind,
				       .width = 4,
				       .n_lanes = asked[i].n_lanes,
				       .addresses = addresses};

		for (uint32_t k = 0; k < asked[i].n_lanes; k++)
			addresses[k] = asked[i].first +
				       (asked[i].one_word ? 0 : 4 * (asked[i].first_lane + k));
		memory_access(memory, &access);
	}
	while ((now = memory_next(memory)) != UINT64_MAX)
		memory_serve(memory, now);
	while (memory_reply(memory, &reply))
		if (reply.id == n - 1)
			last = reply.at;
	memory_free(memory);
	arena_clear(&arena);
	return last;
}

static Cycle last_of(const L2Parameters *slices, const NetworkParameters *ways,
		     const Asked *asked, uint32_t n)
{
	return last_with(slices, ways, &no_dram, 0, asked, n);
}

/* issue-dram-lines.csv: what comes from DRAM comes by the side where it is at home; the lines of the other one take longer. */
static void test_far_lines_of_the_dram_come_by_their_side(void)
{
	const Asked near = {0, ACCESS_LOAD, 0, 1, 512, true},
		    far = {0, ACCESS_LOAD, 0, 1, 4096 + 512, true};
	const DramParameters dram = {.channels = 1, .capacity_kib = 1, .latency_cycles = 500};
	NetworkParameters ways = network;
	Cycle held;

	ways.far_load_cycles = 205;
	held = last_of(&l2, &ways, &near, 1);
	g_assert_cmpuint(last_of(&l2, &ways, &far, 1), ==, held + 205);
	g_assert_cmpuint(last_with(&l2, &ways, &dram, 1u << 30, &near, 1), ==, held + 500);
	g_assert_cmpuint(last_with(&l2, &ways, &dram, 1u << 30, &far, 1), ==, held + 705);
}

/* l2/l2-warp-words.csv: a packet takes one place of a port, however many rounds it has. Four of 32 rounds fit into a
   port of four: what their SM sends to another slice behind them does not wait for one of them to be served. */
static void test_a_packet_of_many_rounds_takes_one_place(void)
{
	const Asked asked[] = {{0, ACCESS_FLOAT, 0, 32, 0, true},
			       {0, ACCESS_FLOAT, 0, 32, 0, true},
			       {0, ACCESS_FLOAT, 0, 32, 0, true},
			       {0, ACCESS_FLOAT, 0, 32, 0, true},
			       {0, ACCESS_FLOAT, 0, 1, 256, true}};
	L2Parameters small = l2, large = l2;

	small.port_packets = 4;
	large.port_packets = 1000;
	g_assert_cmpuint(last_of(&small, &network, asked, 5), ==,
			 last_of(&large, &network, asked, 5));
	small.port_packets = 2;
	g_assert_cmpuint(last_of(&small, &network, asked, 5), >,
			 last_of(&large, &network, asked, 5));
}

/* Until when an SM is busy that sends so many atomics of a full line (5 flits of a cycle each) at cycle 0, as each to a slice of its own or
   all to one. */
static Cycle busy_sending(uint32_t n, bool one_slice)
{
	NetworkParameters ways = network;
	uint64_t addresses[N_LANES];
	MemoryAccess access = {
		.kind = ACCESS_ATOMIC, .width = 4, .n_lanes = N_LANES, .addresses = addresses};
	Arena arena;
	Memory *memory;
	Cycle now, left;

	ways.network_flits = 20;
	ways.queue_flits = 1000;
	ways.slice_rounds = 8;
	memory = memory_of(&ways, &arena, 1);
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t lane = 0; lane < N_LANES; lane++)
			addresses[lane] = (one_slice ? 0 : i * 128) + lane * 4;
		memory_access(memory, &access);
	}
	while ((now = memory_next(memory)) != UINT64_MAX)
		memory_serve(memory, now);
	left = memory_left_at(memory, 0);
	memory_free(memory);
	arena_clear(&arena);
	return left;
}

/* stores.csv: additions that find a place at their slices have to leave the SM first; the network takes in 20 flits. */
static void test_an_sm_is_busy_until_its_port_has_sent(void)
{
	g_assert_cmpuint(busy_sending(4, false), ==, 0);
	g_assert_cmpuint(busy_sending(8, false), ==, 8 * 5 - 20);
	g_assert_cmpuint(busy_sending(16, false), ==, 16 * 5 - 20);
	g_assert_cmpuint(busy_sending(16, true), >=, 16 * 5 - 20);
}

/* SMs that all add to one word, their accesses handed over in windows of that length. */
static Cycle crowd(Cycle window)
{
	enum { N_SMS = 20, N_TURNS = 8 };
	Arena arena;
	Memory *memory = memory_in(&arena, N_SMS);
	uint64_t address = 64;
	Cycle last = 0, now = 0;
	MemoryReply reply;
	guint n = 0;

	for (Cycle from = 0; from < N_TURNS * 10; from += window) {
		memory_next(memory);
		memory_serve(memory, from);
		for (uint32_t sm = 0; sm < N_SMS; sm++)
			for (Cycle at = from; at < from + window; at++)
				if (at % 10 == sm % 10) {
					MemoryAccess access = {.issue = at,
							       .sm = sm,
							       .kind = ACCESS_ATOMIC,
							       .result = true,
							       .width = 4,
							       .n_lanes = 1,
							       .addresses = &address};

					memory_access(memory, &access);
				}
	}
	while ((now = memory_next(memory)) != UINT64_MAX)
		memory_serve(memory, now);
	while (memory_reply(memory, &reply)) {
		g_assert_cmpuint(reply.sm, <, N_SMS);
		last = MAX(last, reply.at);
		n++;
	}
	g_assert_cmpuint(n, ==, N_SMS * N_TURNS);
	g_assert_cmpuint(memory_counters(memory).packets, ==, n);
	g_assert_cmpuint(memory_counters(memory).sectors, ==, n);
	memory_free(memory);
	arena_clear(&arena);
	return last;
}

static void test_windows_lose_nothing(void)
{
	/* 160 operations of 1.25 clocks on one sector: no window can hide or double one. */
	g_assert_cmpuint(crowd(10), >=, 100 + 200 + 160);
	g_assert_cmpuint(crowd(10), ==, crowd(20));
	g_assert_cmpuint(crowd(10), ==, crowd(80));
}

/* Loads sectors of lines in turn, twice. Returns how many lines missed the second time. */
static unsigned missed_again(uint32_t ways, uint64_t stride, unsigned n)
{
	L1 l1;
	unsigned missed = 0;
	Cycle at;

	l1_init(&l1, 16 * L1_LINE_BYTES, ways);
	for (unsigned i = 0; i < 2 * n; i++) {
		missed += i >= n && l1_look(&l1, i % n * stride, 1, i, &at) != 0;
		if (i < n)
			g_assert_cmpuint(l1_look(&l1, i * stride, 1, i, &at), ==, 1);
	}
	l1_clear(&l1);
	return missed;
}

static void test_the_first_cache_has_words_that_were_stored(void)
{
	const uint32_t second_sector = 0xffu << L1_SECTOR_WORDS;
	L1 l1;
	Cycle at;

	l1_init(&l1, 16 * L1_LINE_BYTES, 4);
	g_assert_cmpuint(l1_stored(&l1, 7, 1), ==, 0);
	l1_drop(&l1, 7, 0xf); /* of a cache that nobody has looked into */
	l1_store(&l1, 7, 0x3 | second_sector);
	g_assert_cmpuint(l1_stored(&l1, 7, 0x1), ==, 0x1);
	g_assert_cmpuint(l1_stored(&l1, 7, 0x3 | 0x100), ==, 0x3);
	g_assert_cmpuint(l1_stored(&l1, 7, 0x7 | 0x100), ==, 0x2); /* word 2 was not */
	g_assert_cmpuint(l1_stored(&l1, 7, 0x10000), ==, 0);
	g_assert_cmpuint(l1_stored(&l1, 8, 0x1), ==, 0);
	/* The sectors themselves are not there, until they are loaded. */
	g_assert_cmpuint(l1_look(&l1, 7, 0x7, 1, &at), ==, 0x7);
	g_assert_cmpuint(l1_look(&l1, 7, 0x7, 2, &at), ==, 0);
	l1_drop(&l1, 7, 0x2);
	g_assert_cmpuint(l1_look(&l1, 7, 0x7, 3, &at), ==, 0x2);
	l1_drop(&l1, 7, 0x2);
	g_assert_cmpuint(l1_stored(&l1, 7, 0x3 | second_sector), ==, 0x1);
	l1_drop(&l1, 9, 0xf);
	g_assert_cmpuint(l1_stored(&l1, 7, 0x3), ==, 0x1);
	l1_clear(&l1);
}

/* What a load under way, of sector 1 by number 5, and a store to the line leave of it, as issue-under-way.csv has it. */
static void test_a_store_while_a_load_is_under_way(void)
{
	static const struct {
		Cycle stored_at, arrives; /* 0: it has not yet */
		uint64_t line;
		bool stays;
	} rows[] = {
		{110, 0, 7, false},  {110, 200, 7, false}, {199, 200, 7, false},
		{200, 200, 7, true}, {110, 0, 8, true},	   {110, 200, 8, true},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		L1 l1;
		Cycle at;
		uint16_t asked_by;

		l1_init(&l1, 16 * L1_LINE_BYTES, 4);
		l1_write(&l1, 7, 0); /* nobody has looked yet */
		l1_store(&l1, 7, 0x1);
		g_assert_true(l1_misses(&l1, 7, 1, 100, &at, &asked_by));
		l1_ask(&l1, 7, 1, 5);
		if (rows[i].arrives > 0)
			l1_arrived(&l1, 7, 5, rows[i].arrives);
		l1_write(&l1, rows[i].line, rows[i].stored_at);
		l1_store(&l1, rows[i].line, 0x400);
		l1_arrived(&l1, 7, 5, 200);
		g_assert_cmpuint(l1_misses(&l1, 7, 1, 300, &at, &asked_by), ==, !rows[i].stays);
		g_assert_cmpuint(asked_by, ==, 0);
		g_assert_cmpuint(l1_stored(&l1, 7, 0x1), ==, rows[i].stays);
		g_assert_cmpuint(l1_stored(&l1, rows[i].line, 0x400), ==, 0x2);
		l1_clear(&l1);
	}
}

/* A load of a sector of which some word was stored. */
static void test_a_load_of_what_is_stored_in_part(void)
{
	L1 l1;

	l1_init(&l1, 16 * L1_LINE_BYTES, 4);
	l1_store(&l1, 7, 0x1 | 0x100);
	l1_ask(&l1, 7, 2, 5);
	g_assert_cmpuint(l1_stored(&l1, 7, 0x1 | 0x100), ==, 0x3);
	l1_ask(&l1, 7, 1, 5);
	g_assert_cmpuint(l1_stored(&l1, 7, 0x1 | 0x100), ==, 0);
	l1_clear(&l1);
}

static void test_who_has_asked_for_sectors(void)
{
	L1 l1;
	Cycle at;
	uint16_t asked_by;

	l1_init(&l1, 2 * L1_LINE_BYTES, 2);
	g_assert_true(l1_misses(&l1, 7, 0, 10, &at, &asked_by));
	l1_ask(&l1, 7, 0, 3);
	g_assert_true(l1_misses(&l1, 7, 1, 20, &at, &asked_by));
	l1_ask(&l1, 7, 1, 4);
	g_assert_false(l1_misses(&l1, 7, 0, 30, &at, &asked_by));
	g_assert_cmpuint(asked_by, ==, 3);
	l1_arrived(&l1, 7, 3, 100);
	g_assert_false(l1_misses(&l1, 7, 0, 40, &at, &asked_by));
	g_assert_cmpuint(asked_by, ==, 0);
	g_assert_cmpuint(at, ==, 100); /* known, and yet to come */
	/* Another sector that has come does not wait for it, one that comes later waits until then. */
	l1_ask(&l1, 7, 2, 6);
	l1_arrived(&l1, 7, 6, 150);
	g_assert_false(l1_misses(&l1, 7, 2, 60, &at, &asked_by));
	g_assert_cmpuint(at, ==, 150);
	g_assert_false(l1_misses(&l1, 7, 0, 60, &at, &asked_by));
	g_assert_cmpuint(at, ==, 0);
	g_assert_false(l1_misses(&l1, 7, 0, 100, &at, &asked_by));
	g_assert_cmpuint(at, ==, 0);
	g_assert_false(l1_misses(&l1, 7, 1, 100, &at, &asked_by));
	g_assert_cmpuint(asked_by, ==, 4);
	/* Another line takes the place of one on its way. */
	for (uint64_t line = 8; line < 10; line++) {
		g_assert_true(l1_misses(&l1, line, 0, 110, &at, &asked_by));
		l1_ask(&l1, line, 0, 5);
	}
	l1_arrived(&l1, 7, 4, 120);
	g_assert_true(l1_misses(&l1, 7, 1, 130, &at, &asked_by));
	l1_clear(&l1);
}

/* Load 20 follows miss 1, load 21 misses 1 and 2, load 22 misses 1 itself and follows miss 2. */
static void test_loads_that_follow_misses(void)
{
	Misses misses = {0};
	const GArray *answers;
	uint16_t one, two, own;
	const uint64_t *lines;

	one = misses_begin(&misses);
	two = misses_begin(&misses);
	own = misses_begin(&misses);
	g_assert_true(one > 0 && two > 0 && own > 0 && one != two && two != own);
	misses_follow(&misses, &one, 1, 0, 20, 900);
	misses_follow(&misses, (const uint16_t[]){one, two}, 2, 0, 21, 0);
	misses_follow(&misses, &two, 1, own, 22, 0);
	g_assert_true(misses_is_joined(&misses, own));
	g_assert_false(misses_is_joined(&misses, one));

	misses_add_line(&misses, one, 7);
	misses_add_line(&misses, one, 7);
	misses_add_line(&misses, one, 9);
	g_assert_cmpuint(misses_lines(&misses, two, &lines), ==, 0);
	g_assert_cmpuint(misses_lines(&misses, one, &lines), ==, 2);
	g_assert_cmpuint(lines[0], ==, 7);
	g_assert_cmpuint(lines[1], ==, 9);
	answers = misses_end(&misses, one, 500, true);
	g_assert_cmpuint(answers->len, ==, 1);
	g_assert_cmpuint(g_array_index(answers, MissAnswer, 0).id, ==, 20);
	/* What it has found in the cache comes later. */
	g_assert_cmpuint(g_array_index(answers, MissAnswer, 0).at, ==, 900);
	g_assert_false(g_array_index(answers, MissAnswer, 0).dram);
	answers = misses_end(&misses, own, 550, false);
	g_assert_cmpuint(answers->len, ==, 0);
	answers = misses_end(&misses, two, 600, true);
	g_assert_cmpuint(answers->len, ==, 2);
	for (guint i = 0; i < 2; i++) {
		const MissAnswer *answer = &g_array_index(answers, MissAnswer, i);

		g_assert_cmpuint(answer->id, ==, 22 - i);
		g_assert_cmpuint(answer->at, ==, 600);
		g_assert_true(answer->dram);
	}
	/* Numbers are given again, without what was known of them. */
	for (guint i = 0; i < 3; i++)
		g_assert_false(misses_is_joined(&misses, misses_begin(&misses)));
	for (guint i = 3; i < MISS_LAST; i++)
		g_assert_cmpuint(misses_begin(&misses), ==, i + 1);
	g_assert_cmpuint(misses_begin(&misses), ==, 0);
	misses_clear(&misses);
}

/* A store takes the place of the line that was used least recently, and a hit in stored words is a use. */
static void test_stored_lines_take_places_in_the_first_cache(void)
{
	L1 l1;
	Cycle at;

	l1_init(&l1, 2 * L1_LINE_BYTES, 2);
	g_assert_cmpuint(l1_look(&l1, 1, 1, 0, &at), ==, 1);
	l1_store(&l1, 2, 1);
	l1_store(&l1, 3, 1); /* line 1 goes */
	g_assert_cmpuint(l1_stored(&l1, 2, 1), ==, 1);
	g_assert_cmpuint(l1_look(&l1, 1, 1, 1, &at), ==, 1); /* line 3 goes */
	g_assert_cmpuint(l1_stored(&l1, 3, 1), ==, 0);
	g_assert_cmpuint(l1_stored(&l1, 2, 1), ==, 1);
	l1_clear(&l1);
}

static void test_ways_of_the_first_cache(void)
{
	g_assert_cmpuint(missed_again(4, 1, 16), ==, 0);
	g_assert_cmpuint(missed_again(4, 1, 20), ==, 20); /* five lines a set, in turn */
	g_assert_cmpuint(missed_again(4, 1, 17), ==, 5);
	g_assert_cmpuint(missed_again(4, 4, 4), ==, 0);
	g_assert_cmpuint(missed_again(4, 4, 5), ==, 0); /* of any stride */
	g_assert_cmpuint(missed_again(1, 16, 2), ==, 0);
	g_assert_cmpuint(missed_again(1, 31, 2), ==, 2);
	g_assert_cmpuint(missed_again(16, 4, 16), ==, 0);
	g_assert_cmpuint(missed_again(L1_MAX_WAYS, 4, 16), ==, 0);
	g_assert_cmpuint(missed_again(L1_MAX_WAYS, 4, 17), ==, 17);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/memory/an access takes header, data and rounds", test_flits);
	g_test_add_func("/memory/rounds alike are told once", test_rounds);
	g_test_add_func("/memory/every lane is in one packet", test_lanes_are_kept);
	g_test_add_func("/memory/lines of a page lie in eight slices", test_lines_of_a_page);
	g_test_add_func("/memory/the map is as measured", test_map_is_as_measured);
	g_test_add_func("/memory/SMs of both sides", test_sms_of_both_sides);
	g_test_add_func("/memory/numbers of SMs on the GPU", test_numbers_of_sms);
	g_test_add_func("/memory/maps of few slices", test_small_maps);
	g_test_add_func("/memory/a slice serves sector by sector", test_service);
	g_test_add_func("/memory/rounds told once are served one by one",
			test_rounds_are_served_one_by_one);
	g_test_add_func("/memory/float rounds are three clocks apart",
			test_float_rounds_are_three_clocks_apart);
	g_test_add_func("/memory/waiting packets merge", test_waiting_packets_merge);
	g_test_add_func("/memory/packets of several SMs take turns by rounds",
			test_packets_of_several_sms_take_turns);
	g_test_add_func("/memory/packets of one SM do not take turns",
			test_packets_of_one_sm_do_not_take_turns);
	g_test_add_func("/memory/doubles of both halves take longer", test_doubles);
	g_test_add_func("/memory/SMs of a group share a way", test_ways_of_a_group);
	g_test_add_func("/memory/three TPCs of a GPC share a way out", test_clusters);
	g_test_add_func("/memory/results of the other partition come by links",
			test_results_cross);
	g_test_add_func("/memory/packets of one lane among others", test_mixed_packets);
	g_test_add_func("/memory/packets of a flit and of several hold each other up",
			test_mixed_packets_at_a_port);
	g_test_add_func("/memory/results of one lane come through banks",
			test_results_of_one_lane);
	g_test_add_func("/memory/loads that repeat are cheaper", test_loads_that_repeat);
	g_test_add_func("/memory/DRAM is read or written", test_dram_reads_or_writes);
	g_test_add_func("/memory/lines go as others come", test_lines_go_as_others_come);
	g_test_add_func("/memory/the L2 holds its share", test_dram_holds_its_share);
	g_test_add_func("/memory/some lines of the DRAM are slow", test_dram_has_slow_lines);
	g_test_add_func("/memory/channels of the DRAM queue apart",
			test_dram_channels_queue_apart);
	g_test_add_func("/memory/round trips of one access", test_round_trips);
	g_test_add_func("/memory/stores are near", test_stores_are_near);
	g_test_add_func("/memory/stores of two sides do not meet",
			test_stores_of_two_sides_do_not_meet);
	g_test_add_func("/memory/far lines of the DRAM come by their side",
			test_far_lines_of_the_dram_come_by_their_side);
	g_test_add_func("/memory/a packet of many rounds takes one place",
			test_a_packet_of_many_rounds_takes_one_place);
	g_test_add_func("/memory/an SM is busy until its port has sent",
			test_an_sm_is_busy_until_its_port_has_sent);
	g_test_add_func("/memory/what a launch finds in the L2", test_what_a_launch_finds);
	g_test_add_func("/memory/halves of lines come alone", test_halves_of_lines_come_alone);
	g_test_add_func("/memory/a line is fetched once", test_a_line_is_fetched_once);
	g_test_add_func("/memory/a median place is as far from all slices", test_median_place);
	g_test_add_func("/memory/windows lose nothing", test_windows_lose_nothing);
	g_test_add_func("/memory/ways of the first cache", test_ways_of_the_first_cache);
	g_test_add_func("/memory/who has asked for sectors", test_who_has_asked_for_sectors);
	g_test_add_func("/memory/loads that follow misses", test_loads_that_follow_misses);
	g_test_add_func("/memory/words that were stored are in the first cache",
			test_the_first_cache_has_words_that_were_stored);
	g_test_add_func("/memory/a store while a load is under way",
			test_a_store_while_a_load_is_under_way);
	g_test_add_func("/memory/a load of what is stored in part",
			test_a_load_of_what_is_stored_in_part);
	g_test_add_func("/memory/stored lines take places in the first cache",
			test_stored_lines_take_places_in_the_first_cache);
	return g_test_run();
}
