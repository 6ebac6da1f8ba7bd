/* SPDX-License-Identifier: MIT */
#include "model/memory/coalesce.h"

#include <string.h>

#include "base/spread.h"
#include "base/vectors.h"
#include "model/memory/packet-builder.h"

#define TABLE_SIZE (2 * COALESCE_MAX_LANES) /* open addressing, at most half full */
#define WORD_BYTES 4
#define LINE_WORDS (LINE_BYTES / WORD_BYTES)
#define NO_LANE	   UINT8_MAX

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

/* The first round: a packet a line. Lanes that name a word once more are put off, or, where that adds nothing,
   left out. */
static void first_round(PacketBuilder *builder, Lines *lines, Rounds *rounds, bool atomic,
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
			builder_add(builder, line, 0);
		if (round == 0)
			builder->words[k] |= UINT32_C(1) << word;
		else if (atomic)
			put_off(rounds, round, i, k, word);
	}
}

/* Another round: a packet a line of those that its lanes touch, in the order of these. */
static void further_round(PacketBuilder *builder, const Lines *lines, const Rounds *rounds,
			  uint32_t round, uint8_t packet_of[COALESCE_MAX_LANES])
{
	uint32_t first = builder->n;

	for (uint32_t i = rounds->first[round]; i != NO_LANE; i = rounds->next[i]) {
		uint32_t k = rounds->line_of[i];

		/* Packets are numbered on from round to round. */
		if (packet_of[k] < first) {
			packet_of[k] = (uint8_t)builder->n;
			builder_add(builder, lines->line[k], 0);
		}
		builder->words[packet_of[k]] |= UINT32_C(1) << rounds->word_of[i];
	}
}

/* Returns their mix. */
static uint32_t build(PacketBuilder *builder, AccessKind kind, uint32_t n_lanes,
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
		builder_split(builder, 0);
	mix = builder_mix(builder);
	for (uint32_t round = 1; round < rounds.n; round++) {
		uint32_t first = builder->n;

		further_round(builder, &lines, &rounds, round, packet_of);
		if (kind == ACCESS_CAS)
			builder_split(builder, first);
	}
	return mix;
}

/* Packets of lanes all in one line, as most often: words[r] are those of round r. */
static void add_rounds(PacketBuilder *builder, AccessKind kind, uint64_t line,
		       uint32_t n_rounds, const uint32_t *words)
{
	for (uint32_t round = 0; round < n_rounds; round++) {
		builder_add(builder, line, words[round]);
		if (kind == ACCESS_CAS)
			builder_split(builder, builder->n - 1);
	}
}

/* The same where some lanes name the word of another. */
static void add_counted(PacketBuilder *builder, AccessKind kind, uint32_t n_lanes,
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

static void build_line(PacketBuilder *builder, AccessKind kind, uint32_t n_lanes,
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
static uint32_t build_row(PacketBuilder *builder, AccessKind kind, uint32_t width,
			  uint32_t n_lanes, uint64_t address)
{
	/* The words of a line at which values of this width begin. */
	const uint32_t all = width == 4 ? 0xffffffff : width == 8 ? 0x55555555 : 0x11111111;
	uint32_t left = n_lanes * (width / WORD_BYTES), word = word_of(address), n_lines;

	for (uint64_t line = address / LINE_BYTES; left > 0; line++, word = 0) {
		const uint32_t n = left < LINE_WORDS - word ? left : LINE_WORDS - word;

		builder_add(builder, line, (UINT32_MAX >> (LINE_WORDS - n) & all) << word);
		left -= n;
	}
	n_lines = builder->n;
	if (kind == ACCESS_CAS)
		builder_split(builder, 0);
	return n_lines > 1 ? builder_mix(builder) : 0;
}

uint32_t coalesce_row(AccessKind kind, uint32_t width, uint32_t n_lanes, uint64_t address,
		      Packet *packets)
{
	PacketBuilder builder;
	uint32_t mix;

	builder.n = 0;
	mix = build_row(&builder, kind, width, n_lanes, address);
	return builder_finish(&builder, kind, width, mix, packets);
}

uint32_t coalesce(AccessKind kind, uint32_t width, uint32_t n_lanes, const uint64_t *addresses,
		  Packet *packets)
{
	uint64_t differ;
	PacketBuilder builder;
	uint32_t mix = 0;

	if (wide_lanes_follow(n_lanes, width, addresses))
		return coalesce_row(kind, width, n_lanes, addresses[0], packets);
	builder.n = 0;
	differ = differences(n_lanes, addresses);
	if (differ == 0) { /* one word: its rounds are all alike */
		packets[0] = packet_of_words(kind, width, addresses[0] / LINE_BYTES,
					     UINT32_C(1) << word_of(addresses[0]));
		packets[0].n_rounds = kind < ACCESS_ATOMIC ? 1 : (uint8_t)n_lanes;
		return 1;
	}
	if (differ < LINE_BYTES)
		build_line(&builder, kind, n_lanes, addresses);
	else
		mix = build(&builder, kind, n_lanes, addresses);
	return builder_finish(&builder, kind, width, mix, packets);
}
