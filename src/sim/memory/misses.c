/* SPDX-License-Identifier: MIT */
#include "sim/memory/misses.h"

typedef struct {
	uint32_t first_link; /* to its followers; 0: it has none */
	uint32_t spare;
	bool joined;
	uint32_t n_lines;
	uint64_t lines[MAX_LANES];
} Miss;

typedef struct {
	MissAnswer answer;
	uint32_t n_left; /* of its misses */
	uint32_t spare;
} Follower;

typedef struct {
	uint32_t follower;
	uint32_t next; /* link of the miss, or spare one; 0: none */
} Link;

#define MISS(misses, i)	    (&g_array_index((misses)->misses, Miss, i))
#define FOLLOWER(misses, i) (&g_array_index((misses)->followers, Follower, i))
#define LINK(misses, i)	    (&g_array_index((misses)->links, Link, i))

/* Number 0 is nobody's. */
static GArray *new_table(guint element_bytes)
{
	GArray *table = g_array_new(FALSE, TRUE, element_bytes);

	return g_array_set_size(table, 1);
}

static void begin_tables(Misses *misses)
{
	if (misses->misses)
		return;
	misses->misses = new_table(sizeof(Miss));
	misses->followers = new_table(sizeof(Follower));
	misses->links = new_table(sizeof(Link));
	misses->answers = g_array_new(FALSE, FALSE, sizeof(MissAnswer));
}

void misses_clear(Misses *misses)
{
	g_clear_pointer(&misses->misses, g_array_unref);
	g_clear_pointer(&misses->followers, g_array_unref);
	g_clear_pointer(&misses->links, g_array_unref);
	g_clear_pointer(&misses->answers, g_array_unref);
	*misses = (Misses){0};
}

uint16_t misses_begin(Misses *misses)
{
	uint32_t i;

	begin_tables(misses);
	i = misses->spare_miss;
	if (i > 0) {
		misses->spare_miss = MISS(misses, i)->spare;
	} else {
		i = misses->misses->len;
		if (i > MISS_LAST)
			return 0;
		g_array_set_size(misses->misses, i + 1);
	}
	MISS(misses, i)->first_link = MISS(misses, i)->n_lines = 0;
	MISS(misses, i)->joined = false;
	return (uint16_t)i;
}

void misses_add_line(Misses *misses, uint16_t miss, uint64_t line)
{
	Miss *own = MISS(misses, miss);

	if (own->n_lines == 0 || own->lines[own->n_lines - 1] != line)
		own->lines[own->n_lines++] = line;
}

static uint32_t new_follower(Misses *misses)
{
	const uint32_t i = misses->spare_follower;

	if (i > 0) {
		misses->spare_follower = FOLLOWER(misses, i)->spare;
		return i;
	}
	g_array_set_size(misses->followers, misses->followers->len + 1);
	return misses->followers->len - 1;
}

static void link_to(Misses *misses, uint16_t miss, uint32_t follower)
{
	uint32_t i = misses->spare_link;

	if (i > 0) {
		misses->spare_link = LINK(misses, i)->next;
	} else {
		i = misses->links->len;
		g_array_set_size(misses->links, i + 1);
	}
	*LINK(misses, i) = (Link){follower, MISS(misses, miss)->first_link};
	MISS(misses, miss)->first_link = i;
}

void misses_follow(Misses *misses, const uint16_t *followed, uint32_t n, uint16_t own,
		   uint64_t id, Cycle at)
{
	const uint32_t follower = new_follower(misses);

	*FOLLOWER(misses, follower) =
		(Follower){.answer = {.id = id, .at = at}, .n_left = n + (own > 0)};
	for (uint32_t i = 0; i < n; i++)
		link_to(misses, followed[i], follower);
	if (own == 0)
		return;
	link_to(misses, own, follower);
	MISS(misses, own)->joined = true;
}

bool misses_is_joined(const Misses *misses, uint16_t miss)
{
	return MISS(misses, miss)->joined;
}

static void answer(Misses *misses, uint32_t i, Cycle at, bool dram)
{
	Follower *follower = FOLLOWER(misses, i);

	if (at >= follower->answer.at) {
		follower->answer.at = at;
		follower->answer.dram = dram;
	}
	if (--follower->n_left > 0)
		return;
	g_array_append_val(misses->answers, follower->answer);
	follower->spare = misses->spare_follower;
	misses->spare_follower = i;
}

uint32_t misses_lines(const Misses *misses, uint16_t miss, const uint64_t **lines)
{
	const Miss *own = MISS(misses, miss);

	*lines = own->lines;
	return own->n_lines;
}

const GArray *misses_end(Misses *misses, uint16_t miss, Cycle at, bool dram)
{
	Miss *own = MISS(misses, miss);
	uint32_t next;

	g_array_set_size(misses->answers, 0);
	for (uint32_t link = own->first_link; link > 0; link = next) {
		next = LINK(misses, link)->next;
		answer(misses, LINK(misses, link)->follower, at, dram);
		LINK(misses, link)->next = misses->spare_link;
		misses->spare_link = link;
	}
	own->spare = misses->spare_miss;
	misses->spare_miss = miss;
	return misses->answers;
}
