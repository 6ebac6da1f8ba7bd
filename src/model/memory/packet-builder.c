/* SPDX-License-Identifier: MIT */
#include "model/memory/packet-builder.h"

#define LOW_HALF    0xffffu	/* words of a line */
#define LOW_WORDS   0xfu	/* of a sector */
#define EACH_SECTOR 0x01010101u /* times words of a sector: the same of all sectors of a line */

void builder_split(PacketBuilder *builder, uint32_t first)
{
	for (uint32_t p = first; p < builder->n; p++) {
		uint32_t words = builder->words[p];

		if (!(words & LOW_HALF) || !(words & ~LOW_HALF))
			continue;
		builder->words[p] = words & LOW_HALF;
		builder_add(builder, builder->line[p], words & ~LOW_HALF);
	}
}

uint32_t builder_mix(const PacketBuilder *builder)
{
	uint32_t n_alone = 0, n_several;

	for (uint32_t p = 0; p < builder->n; p++)
		n_alone += (builder->words[p] & (builder->words[p] - 1)) == 0;
	n_several = builder->n - n_alone;
	return MIX_UNIT * n_alone * n_several * (n_several + 4 * n_alone) /
	       (builder->n * builder->n);
}

static uint32_t flits_of(AccessKind kind, const Packet *packet)
{
	uint32_t n_sectors = packet_sectors(packet);

	if (kind == ACCESS_LOAD || (packet->n_lanes == 1 && kind != ACCESS_STORE))
		return 1;
	if (kind == ACCESS_STORE)
		return n_sectors + (packet->full != packet->sectors);
	return 1 + (kind == ACCESS_CAS ? 2 : 1) * n_sectors;
}

/* Sectors without any of these words of a line: those whose byte is 0, and how their bits come together. */
static uint32_t empty_sectors(uint32_t words)
{
	const uint32_t some = ((words & 0x7f7f7f7f) + 0x7f7f7f7f) | words;

	return (~some >> 7 & EACH_SECTOR) * 0x01020408 >> 24 & 0xf;
}

Packet packet_of_words(AccessKind kind, uint32_t width, uint64_t line, uint32_t words)
{
	/* The words of a sector at which values of this width begin. */
	const uint32_t all = width == 4 ? 0xff : width == 8 ? 0x55 : 0x11;
	Packet packet = {.line = line, .n_lanes = 1, .n_rounds = 1};

	if ((words & (words - 1)) == 0) { /* a lane alone */
		packet.sectors = 1u << __builtin_ctz(words) / SECTOR_WORDS & 0xf;
		packet.word = (unsigned)__builtin_ctz(words) % SECTOR_WORDS;
		packet.flits = (uint8_t)flits_of(kind, &packet);
		return packet;
	}
	packet.n_lanes = (uint8_t)__builtin_popcount(words);
	packet.sectors = ~empty_sectors(words) & 0xf;
	packet.full = empty_sectors(words ^ all * EACH_SECTOR) & 0xf;
	packet.both = ~(empty_sectors(words & LOW_WORDS * EACH_SECTOR) |
			empty_sectors(words & ~(LOW_WORDS * EACH_SECTOR))) &
		      0xf;
	packet.flits = (uint8_t)flits_of(kind, &packet);
	return packet;
}

uint32_t builder_finish(const PacketBuilder *builder, AccessKind kind, uint32_t width,
			uint32_t mix, Packet *packets)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < builder->n; p++) {
		/* One that asks for the same as the one before is one more round of that. */
		if (p > 0 && builder->words[p] == builder->words[p - 1] &&
		    builder->line[p] == builder->line[p - 1])
			packets[n - 1].n_rounds++;
		else
			packets[n++] = packet_of_words(kind, width, builder->line[p],
						       builder->words[p]);
	}
	packets[0].mix = (uint8_t)mix;
	return n;
}
