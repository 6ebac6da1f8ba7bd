/* SPDX-License-Identifier: MIT */
/*
 * Packets of a warp access under construction: of which line, and at which of its words the values of lanes begin. What each
 * is then sent as, coalesce.h says. Who may include it: coalesce.c and packet-builder.c.
 */
#ifndef ATOMSIM_MODEL_MEMORY_PACKET_BUILDER_H
#define ATOMSIM_MODEL_MEMORY_PACKET_BUILDER_H

#include "model/memory/coalesce.h"

typedef struct {
	uint32_t n;
	uint64_t line[COALESCE_MAX_PACKETS];
	uint32_t words
		[COALESCE_MAX_PACKETS]; /* bit w: a value begins at word w; never 0 in the end */
} PacketBuilder;

static inline void builder_add(PacketBuilder *builder, uint64_t line, uint32_t words)
{
	builder->line[builder->n] = line;
	builder->words[builder->n++] = words;
}

/* A compare-and-swap's packet takes half a line: splits those from `first` on that want both. */
void builder_split(PacketBuilder *builder, uint32_t first);
/* Packet.mix of these, one or more: of the first round, one a line. */
uint32_t builder_mix(const PacketBuilder *builder);
/* Writes the packets as they leave and returns how many; mix: of the first. */
uint32_t builder_finish(const PacketBuilder *builder, AccessKind kind, uint32_t width,
			uint32_t mix, Packet *packets);
/* The packet for values of `width` bytes that begin at these words of a line, one or more. */
Packet packet_of_words(AccessKind kind, uint32_t width, uint64_t line, uint32_t words);

#endif
