/* SPDX-License-Identifier: MIT */
#include "model/memory/link.h"

#include <glib.h>

static Tick ticks(uint32_t millicycles)
{
	return ((uint64_t)millicycles * TICKS_PER_CYCLE + 500) / 1000;
}

LinkTiming link_timing(const NetworkParameters *p)
{
	return (LinkTiming){
		.flit = ticks(p->egress_flit_mcycles),
		.mix = ticks(p->egress_mix_mcycles),
		.group_packet = ticks(p->group_egress_packet_mcycles),
		.group_flit = ticks(p->group_egress_flit_mcycles),
		.group_reply_sector = ticks(p->group_ingress_sector_mcycles),
		.group_reply_word = ticks(p->group_ingress_word_mcycles),
		.reply_word = ticks(p->ingress_word_mcycles),
		.reply_other_word = ticks(p->ingress_bank_conflict_mcycles),
		.reply_packet = ticks(p->ingress_packet_mcycles),
		.reply_load = ticks(p->ingress_load_mcycles),
	};
}

Tick link_send(Link *link, const LinkTiming *timing, AccessKind kind, const Packet *packet,
	       Tick now)
{
	Tick time = packet->n_rounds * packet->flits * timing->flit;

	if (kind >= ACCESS_ATOMIC)
		time += packet->mix * timing->mix / MIX_UNIT;
	link->out_free = now + time;
	return link->out_free;
}

/* A result of one lane: its words of a line share banks, four of them each. */
static Tick receive_word(Link *link, const LinkTiming *timing, const Packet *packet, Tick now,
			 Tick last)
{
	const uint32_t sector = (uint32_t)__builtin_ctz(packet->sectors);
	const uint32_t word = sector * SECTOR_WORDS + packet->word;
	LinkBank *bank = &link->words[((sector ^ sector >> 1) & 1) * LINK_BANKS / 2 +
				      word % (LINK_BANKS / 2)];
	Tick busy = bank->word == word ? timing->reply_word : timing->reply_other_word;
	Tick start = MAX(MAX(link->in_free, now), bank->begin + busy);

	/* Further rounds are of the same word. */
	start = MAX(start + (packet->n_rounds - 1u) * timing->reply_word, now + last);
	*bank = (LinkBank){start, word};
	link->in_free = start + timing->reply_packet;
	return start + timing->reply_word;
}

Tick link_receive(Link *link, const LinkTiming *timing, AccessKind kind, const Packet *packet,
		  Tick now, Tick last)
{
	const Tick time = timing->reply_word;
	Tick start, end;

	if (kind == ACCESS_LOAD) {
		link->in_free = MAX(link->in_free, now) + timing->reply_load;
		return link->in_free;
	}
	if (packet->n_lanes == 1)
		return receive_word(link, timing, packet, now, last);
	/* In order: a result whose bank is busy keeps those behind it waiting. */
	start = MAX(link->in_free, now);
	for (uint32_t left = packet->sectors; left; left &= left - 1)
		start = MAX(start, link->bank_free[__builtin_ctz(left)]);
	end = MAX(start + packet->n_rounds * time, now + last + time);
	for (uint32_t left = packet->sectors; left; left &= left - 1)
		link->bank_free[__builtin_ctz(left)] = end;
	link->in_free = end - time + timing->reply_packet;
	return MAX(end, link->in_free);
}

Tick link_group_send(Tick *way, const LinkTiming *timing, const Packet *packet, Tick now)
{
	const Tick start = MAX(*way, now);

	*way = start +
	       packet->n_rounds * (timing->group_packet + packet->flits * timing->group_flit);
	return start;
}

Tick link_group_receive(Tick *group, const LinkTiming *timing, const Packet *packet, Tick now)
{
	/* Lanes of several words name the first of them. */
	const uint32_t n_full = (uint32_t)__builtin_popcount(packet->full) * SECTOR_WORDS;
	Tick start = MAX(*group, now);

	*group = start + packet_sectors(packet) * timing->group_reply_sector +
		 MAX(packet->n_lanes, n_full) * timing->group_reply_word;
	return start;
}
