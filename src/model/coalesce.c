/* SPDX-License-Identifier: MIT */
#include "model/coalesce.h"

#include <string.h>

#define TABLE_SIZE (2 * COALESCE_MAX_LANES) /* open addressing, at most half full */
#define LOW_HALF   3u			    /* sectors */

/* Counts how often each address has been seen. */
typedef struct {
	uint64_t address[TABLE_SIZE];
	uint8_t n[TABLE_SIZE]; /* 0: free */
} Seen;

/* Fibonacci hashing: the high bits of the product are the well-mixed ones. */
static uint32_t table_slot(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 57);
}

/* How many lanes before this one named the address. */
static uint32_t count(Seen *seen, uint64_t address)
{
	uint32_t slot = table_slot(address);

	while (seen->n[slot] && seen->address[slot] != address)
		slot = (slot + 1) % TABLE_SIZE;
	seen->address[slot] = address;
	return seen->n[slot]++;
}

/* Packets under construction: how many lanes each sector has. */
typedef struct {
	Packet *packets;
	uint32_t n;
	uint8_t lanes_in[COALESCE_MAX_PACKETS][LINE_SECTORS];
} Builder;

static void add_lane(Builder *builder, uint32_t first, uint64_t line, uint32_t sector)
{
	uint32_t p = first;

	while (p < builder->n && builder->packets[p].line != line)
		p++;
	if (p == builder->n) {
		builder->packets[builder->n++] = (Packet){.line = line, .n_rounds = 1};
		memset(builder->lanes_in[p], 0, sizeof builder->lanes_in[p]);
	}
	builder->packets[p].sectors |= (uint8_t)(1u << sector);
	builder->packets[p].n_lanes++;
	builder->lanes_in[p][sector]++;
}

static uint32_t span(uint32_t sectors)
{
	return (uint32_t)(32 - __builtin_clz(sectors) - __builtin_ctz(sectors));
}

static uint32_t flits_of(AccessKind kind, const Packet *packet)
{
	uint32_t n_sectors = (uint32_t)__builtin_popcount(packet->sectors);

	if (kind == ACCESS_LOAD || (packet->n_lanes == 1 && kind != ACCESS_STORE))
		return 1;
	if (kind == ACCESS_STORE)
		return 1 + n_sectors;
	return 1 + (kind == ACCESS_CAS ? 2 * n_sectors : span(packet->sectors));
}

/* A compare-and-swap's packet takes half a line: splits those of one round that want both. */
static void split(Builder *builder, uint32_t first)
{
	for (uint32_t p = first; p < builder->n; p++) {
		Packet *packet = &builder->packets[p], *rest = &builder->packets[builder->n];
		uint8_t *lanes = builder->lanes_in[p];
		uint8_t *rest_lanes = builder->lanes_in[builder->n];

		if (!(packet->sectors & LOW_HALF) || !(packet->sectors & ~LOW_HALF))
			continue;
		*rest = (Packet){.line = packet->line, .n_rounds = 1};
		memset(rest_lanes, 0, LINE_SECTORS);
		for (uint32_t s = LINE_SECTORS / 2; s < LINE_SECTORS; s++) {
			rest_lanes[s] = lanes[s];
			rest->n_lanes += lanes[s];
			packet->n_lanes -= lanes[s];
			lanes[s] = 0;
		}
		rest->sectors = (uint8_t)(packet->sectors & ~LOW_HALF);
		packet->sectors &= LOW_HALF;
		builder->n++;
	}
}

/* Whether a packet asks for the same as the one before: then it is one more round of that. */
static bool repeats(const Packet *before, const Packet *packet)
{
	return before->line == packet->line && before->sectors == packet->sectors &&
	       before->full == packet->full && before->n_lanes == packet->n_lanes;
}

/* Full sectors and flits. */
static void finish(AccessKind kind, uint32_t width, Builder *builder)
{
	for (uint32_t p = 0; p < builder->n; p++) {
		Packet *packet = &builder->packets[p];

		for (uint32_t s = 0; s < LINE_SECTORS; s++)
			if (builder->lanes_in[p][s] * width >= SECTOR_BYTES)
				packet->full |= (uint8_t)(1u << s);
		packet->flits = (uint8_t)flits_of(kind, packet);
	}
}

/* Makes rounds alike one packet; returns how many are left. */
static uint32_t fold(Packet *packets, uint32_t n_packets)
{
	uint32_t n = 1;

	for (uint32_t p = 1; p < n_packets; p++) {
		if (repeats(&packets[n - 1], &packets[p]))
			packets[n - 1].n_rounds++;
		else
			packets[n++] = packets[p];
	}
	return n;
}

uint32_t coalesce(AccessKind kind, uint32_t width, uint32_t n_lanes, const uint64_t *addresses,
		  Packet *packets)
{
	bool atomic = kind >= ACCESS_ATOMIC;
	uint8_t round_of[COALESCE_MAX_LANES];
	uint32_t n_rounds = 1;
	Builder builder = {.packets = packets};
	Seen seen;

	memset(seen.n, 0, sizeof seen.n);
	for (uint32_t i = 0; i < n_lanes; i++) {
		uint32_t before = count(&seen, addresses[i]);

		/* A second lane of a loaded or stored word adds nothing. */
		round_of[i] = (uint8_t)(atomic || before == 0 ? before : UINT8_MAX);
		if (atomic && before + 1 > n_rounds)
			n_rounds = before + 1;
	}
	for (uint32_t round = 0; round < n_rounds; round++) {
		uint32_t first = builder.n;

		for (uint32_t i = 0; i < n_lanes; i++)
			if (round_of[i] == round)
				add_lane(
					&builder, first, addresses[i] / LINE_BYTES,
					(uint32_t)(addresses[i] / SECTOR_BYTES % LINE_SECTORS));
		if (kind == ACCESS_CAS)
			split(&builder, first);
	}
	finish(kind, width, &builder);
	return fold(packets, builder.n);
}
