/* SPDX-License-Identifier: MIT */
#include "model/memory/coalesce.h"

#include <string.h>

#include "base/spread.h"
#include "base/vectors.h"

#define TABLE_SIZE  (2 * COALESCE_MAX_LANES) /* open addressing, at most half full */
#define WORD_BYTES  4
#define LINE_WORDS  (LINE_BYTES / WORD_BYTES)
#define LOW_HALF    0xffffu /* words */
#define LOW_WORDS   0xfu    /* of a sector */
#define NO_LANE	    UINT8_MAX
#define EACH_SECTOR 0x01010101u /* times words of a sector: the same of all sectors of a line */

/* Packets under construction. */
typedef struct {
	uint32_t n;
	uint64_t line[COALESCE_MAX_PACKETS];
	uint32_t words[COALESCE_MAX_PACKETS]; /* bit w: a lane's value begins at word w */
} Builder;

/* The lines of an access, in the order of their first lanes. */
typedef struct {
	uint32_t n;
	uint64_t line[COALESCE_MAX_LANES];
	uint8_t n_before[COALESCE_MAX_LANES]
			[LINE_WORDS]; /* lanes that began at each word so far */
	uint8_t table[TABLE_SIZE];    /* 0: free, else 1 + which */
} Lines;

/* Lanes of each round after the first, in order: lists of those whose word so many lanes before named. */
typedef struct {
	uint32_t n; /* rounds, the first included */
	uint8_t first[COALESCE_MAX_LANES], last[COALESCE_MAX_LANES];
	uint8_t next[COALESCE_MAX_LANES];
	uint8_t line_of[COALESCE_MAX_LANES], word_of[COALESCE_MAX_LANES];
} Rounds;

static uint32_t word_of(uint64_t address)
{
	return (uint32_t)(address / WORD_BYTES % LINE_WORDS);
}

static void add_packet(Builder *builder, uint64_t line, uint32_t words)
{
	builder->line[builder->n] = line;
	builder->words[builder->n++] = words;
}

/* Fibonacci hashing: the high bits of the product are the well-mixed ones. */
static uint32_t table_slot(uint64_t key)
{
	return (uint32_t)(spread_key(key) >> 57);
}

/* Which of the lines it is; a new one comes last. */
static uint32_t find_line(Lines *lines, uint64_t line)
{
	uint32_t slot = table_slot(line);

	while (lines->table[slot] && lines->line[lines->table[slot] - 1] != line)
		slot = (slot + 1) % TABLE_SIZE;
	if (lines->table[slot])
		return lines->table[slot] - 1u;
	lines->line[lines->n] = line;
	memset(lines->n_before[lines->n], 0, LINE_WORDS);
	lines->table[slot] = (uint8_t)++lines->n;
	return lines->n - 1;
}

static void put_off(Rounds *rounds, uint32_t round, uint32_t lane, uint32_t line, uint32_t word)
{
	rounds->line_of[lane] = (uint8_t)line;
	rounds->word_of[lane] = (uint8_t)word;
	rounds->next[lane] = NO_LANE;
	/* The lanes of one word come one after the other, so no round is left out. */
	if (round == rounds->n)
		rounds->first[rounds->n++] = (uint8_t)lane;
	else
		rounds->next[rounds->last[round]] = (uint8_t)lane;
	rounds->last[round] = (uint8_t)lane;
}

/* A compare-and-swap's packet takes half a line: splits those from `first` on that want both. */
static void split(Builder *builder, uint32_t first)
{
	for (uint32_t p = first; p < builder->n; p++) {
		uint32_t words = builder->words[p];

		if (!(words & LOW_HALF) || !(words & ~LOW_HALF))
			continue;
		builder->words[p] = words & LOW_HALF;
		add_packet(builder, builder->line[p], words & ~LOW_HALF);
	}
}

/* The first round: a packet a line. Lanes that name a word once more are put off, or, where that adds nothing,
   left out. */
static void first_round(Builder *builder, Lines *lines, Rounds *rounds, bool atomic,
			uint32_t n_lanes, const uint64_t *addresses)
{
	uint64_t before = UINT64_MAX;
	uint32_t k = 0;

	for (uint32_t i = 0; i < n_lanes; i++) {
		uint64_t line = addresses[i] / LINE_BYTES;
		uint32_t word = word_of(addresses[i]), round;

		if (line != before)
			k = find_line(lines, line);
		before = line;
		round = lines->n_before[k][word]++;
		if (k == builder->n)
			add_packet(builder, line, 0);
		if (round == 0)
			builder->words[k] |= UINT32_C(1) << word;
		else if (atomic)
			put_off(rounds, round, i, k, word);
	}
}

/* Another round: a packet a line of those that its lanes touch, in the order of these. */
static void further_round(Builder *builder, const Lines *lines, const Rounds *rounds,
			  uint32_t round, uint8_t packet_of[COALESCE_MAX_LANES])
{
	uint32_t first = builder->n;

	for (uint32_t i = rounds->first[round]; i != NO_LANE; i = rounds->next[i]) {
		uint32_t k = rounds->line_of[i];

		/* Packets are numbered on from round to round. */
		if (packet_of[k] < first) {
			packet_of[k] = (uint8_t)builder->n;
			add_packet(builder, lines->line[k], 0);
		}
		builder->words[packet_of[k]] |= UINT32_C(1) << rounds->word_of[i];
	}
}

/* Of the first round's packets, one a line. */
static uint32_t mix_of(const Builder *builder)
{
	uint32_t n_alone = 0, n_several;

	for (uint32_t p = 0; p < builder->n; p++)
		n_alone += (builder->words[p] & (builder->words[p] - 1)) == 0;
	n_several = builder->n - n_alone;
	return MIX_UNIT * n_alone * n_several * (n_several + 4 * n_alone) /
	       (builder->n * builder->n);
}

/* Returns their mix. */
static uint32_t build(Builder *builder, AccessKind kind, uint32_t n_lanes,
		      const uint64_t *addresses)
{
	uint8_t packet_of[COALESCE_MAX_LANES] = {0};
	uint32_t mix;
	Rounds rounds;
	Lines lines;

	rounds.n = 1;
	lines.n = 0;
	memset(lines.table, 0, sizeof lines.table);
	first_round(builder, &lines, &rounds, kind >= ACCESS_ATOMIC, n_lanes, addresses);
	if (kind == ACCESS_CAS)
		split(builder, 0);
	mix = mix_of(builder);
	for (uint32_t round = 1; round < rounds.n; round++) {
		uint32_t first = builder->n;

		further_round(builder, &lines, &rounds, round, packet_of);
		if (kind == ACCESS_CAS)
			split(builder, first);
	}
	return mix;
}

/* Packets of lanes all in one line, as most often: words[r] are those of round r. */
static void add_rounds(Builder *builder, AccessKind kind, uint64_t line, uint32_t n_rounds,
		       const uint32_t *words)
{
	for (uint32_t round = 0; round < n_rounds; round++) {
		add_packet(builder, line, words[round]);
		if (kind == ACCESS_CAS)
			split(builder, builder->n - 1);
	}
}

/* The same where some lanes name the word of another. */
static void add_counted(Builder *builder, AccessKind kind, uint32_t n_lanes,
			const uint64_t *addresses)
{
	uint32_t words[COALESCE_MAX_LANES], n_rounds = 0;
	uint8_t n_before[LINE_WORDS] = {0};

	for (uint32_t i = 0; i < n_lanes; i++) {
		uint32_t word = word_of(addresses[i]), round = n_before[word]++;

		if (round == n_rounds)
			words[n_rounds++] = 0;
		words[round] |= UINT32_C(1) << word;
	}
	add_rounds(builder, kind, addresses[0] / LINE_BYTES, n_rounds, words);
}

static void build_line(Builder *builder, AccessKind kind, uint32_t n_lanes,
		       const uint64_t *addresses)
{
	uint32_t once = 0, again = 0;

	for (uint32_t i = 0; i < n_lanes; i++) {
		uint32_t word = UINT32_C(1) << word_of(addresses[i]);

		again |= once & word;
		once |= word;
	}
	if (again && kind >= ACCESS_ATOMIC)
		add_counted(builder, kind, n_lanes, addresses);
	else
		add_rounds(builder, kind, addresses[0] / LINE_BYTES, 1, &once);
}

/* In which bits the addresses differ. */
static uint64_t differences(uint32_t n_lanes, const uint64_t *addresses)
{
	const uint64_t first = addresses[0];
	FourWide four, differ = {0};
	uint64_t differs = 0;
	uint32_t i = 0;

	for (; i + 4 <= n_lanes; i += 4) {
		memcpy(&four, &addresses[i], sizeof four);
		differ |= four ^ first;
	}
	for (; i < n_lanes; i++)
		differs |= addresses[i] ^ first;
	return differs | differ[0] | differ[1] | differ[2] | differ[3];
}

/* Lanes whose values lie in a row: a packet a line, and no word twice. Returns their mix. */
static uint32_t build_row(Builder *builder, AccessKind kind, uint32_t width, uint32_t n_lanes,
			  uint64_t address)
{
	/* The words of a line at which values of this width begin. */
	const uint32_t all = width == 4 ? 0xffffffff : width == 8 ? 0x55555555 : 0x11111111;
	uint32_t left = n_lanes * (width / WORD_BYTES), word = word_of(address), n_lines;

	for (uint64_t line = address / LINE_BYTES; left > 0; line++, word = 0) {
		const uint32_t n = left < LINE_WORDS - word ? left : LINE_WORDS - word;

		add_packet(builder, line, (UINT32_MAX >> (LINE_WORDS - n) & all) << word);
		left -= n;
	}
	n_lines = builder->n;
	if (kind == ACCESS_CAS)
		split(builder, 0);
	return n_lines > 1 ? mix_of(builder) : 0;
}

static uint32_t flits_of(AccessKind kind, const Packet *packet)
{
	uint32_t n_sectors = packet_sectors(packet);

	if (kind == ACCESS_LOAD || (packet->n_lanes == 1 && kind != ACCESS_STORE))
		return 1;
	if (kind == ACCESS_STORE)
		return 1 + n_sectors;
	return 1 + (kind == ACCESS_CAS ? 2 : 1) * n_sectors;
}

/* Sectors without any of these words of a line: those whose byte is 0, and how their bits come together. */
static uint32_t empty_sectors(uint32_t words)
{
	const uint32_t some = ((words & 0x7f7f7f7f) + 0x7f7f7f7f) | words;

	return (~some >> 7 & EACH_SECTOR) * 0x01020408 >> 24 & 0xf;
}

static Packet packet_with(AccessKind kind, uint32_t width, uint64_t line, uint32_t words)
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

/* The packets under construction as they leave; returns how many. */
static uint32_t finish(const Builder *builder, AccessKind kind, uint32_t width, uint32_t mix,
		       Packet *packets)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < builder->n; p++) {
		/* One that asks for the same as the one before is one more round of that. */
		if (p > 0 && builder->words[p] == builder->words[p - 1] &&
		    builder->line[p] == builder->line[p - 1])
			packets[n - 1].n_rounds++;
		else
			packets[n++] =
				packet_with(kind, width, builder->line[p], builder->words[p]);
	}
	packets[0].mix = (uint8_t)mix;
	return n;
}

uint32_t coalesce_row(AccessKind kind, uint32_t width, uint32_t n_lanes, uint64_t address,
		      Packet *packets)
{
	Builder builder;
	uint32_t mix;

	builder.n = 0;
	mix = build_row(&builder, kind, width, n_lanes, address);
	return finish(&builder, kind, width, mix, packets);
}

uint32_t coalesce(AccessKind kind, uint32_t width, uint32_t n_lanes, const uint64_t *addresses,
		  Packet *packets)
{
	uint64_t differ;
	Builder builder;
	uint32_t mix = 0;

	if (wide_lanes_follow(n_lanes, width, addresses))
		return coalesce_row(kind, width, n_lanes, addresses[0], packets);
	builder.n = 0;
	differ = differences(n_lanes, addresses);
	if (differ == 0) { /* one word: its rounds are all alike */
		packets[0] = packet_with(kind, width, addresses[0] / LINE_BYTES,
					 UINT32_C(1) << word_of(addresses[0]));
		packets[0].n_rounds = kind < ACCESS_ATOMIC ? 1 : (uint8_t)n_lanes;
		return 1;
	}
	if (differ < LINE_BYTES)
		build_line(&builder, kind, n_lanes, addresses);
	else
		mix = build(&builder, kind, n_lanes, addresses);
	return finish(&builder, kind, width, mix, packets);
}
