/* SPDX-License-Identifier: MIT */
#include "model/memory/coordinator.h"

#include <glib.h>

typedef enum { REQUEST_NONE, REQUEST_POSTED, REQUEST_SERVED } RequestState;

typedef struct {
	RequestState state;
	Cycle posted_at, gone_at;
	uint64_t word, sum, found;
} Request;

struct Coordinator {
	const CoordinatorParameters *parameters;
	uint32_t n_warps, n_posted;
	Cycle trip;
	Cycle turn_at; /* the next turn begins */
	uint64_t n_turns;
	Request *requests;  /* of each warp */
	GHashTable *values; /* word -> what it holds, from 0 */
};

Coordinator *coordinator_new(const CoordinatorParameters *parameters, uint32_t n_warps,
			     uint32_t trip_cycles)
{
	Coordinator *c = g_new0(Coordinator, 1);

	g_assert(n_warps >= 1 && n_warps <= parameters->threads);
	c->parameters = parameters;
	c->n_warps = n_warps;
	c->trip = trip_cycles;
	c->requests = g_new0(Request, n_warps);
	c->values = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return c;
}

void coordinator_free(Coordinator *c)
{
	g_hash_table_unref(c->values);
	g_free(c->requests);
	g_free(c);
}

/* Slots are read in the middle of the turn's first transaction. */
static Cycle looks_at(const Coordinator *c)
{
	return c->turn_at + c->trip / 2;
}

static uint64_t *value_of(Coordinator *c, uint64_t word)
{
	uint64_t *value = g_hash_table_lookup(c->values, &word), *key;

	if (value)
		return value;
	key = g_new(uint64_t, 1);
	*key = word;
	value = g_new0(uint64_t, 1);
	g_hash_table_insert(c->values, key, value);
	return value;
}

/* Whether this turn takes a request. */
static bool is_taken(const Request *request, Cycle look)
{
	return request->state == REQUEST_POSTED && request->posted_at <= look;
}

/* The slots that a request's thread looks at: up to its word's first, or up to its own. */
static uint32_t slots_searched(const Coordinator *c, uint32_t warp, Cycle look)
{
	uint32_t k = 0;

	while (k < warp && !(is_taken(&c->requests[k], look) &&
			     c->requests[k].word == c->requests[warp].word))
		k++;
	return k + 1;
}

/* Takes what has been posted; returns how long that keeps the turn busy. */
static Cycle serve(Coordinator *c, Cycle look)
{
	const CoordinatorParameters *p = c->parameters;
	uint32_t n = 0, most = 0;
	Cycle work, gone;

	for (uint32_t w = 0; c->n_posted && w < c->n_warps; w++) {
		if (!is_taken(&c->requests[w], look))
			continue;
		n++;
		most = MAX(most, slots_searched(c, w, look));
	}
	if (n == 0)
		return c->trip + p->turn_cycles;
	work = p->turn_trips * c->trip + most * p->search_cycles + n * p->update_cycles +
	       p->turn_cycles;
	/* The last transaction's store is there half a trip before its turn knows. */
	gone = c->turn_at + work - c->trip / 2;
	for (uint32_t w = 0; w < c->n_warps; w++) {
		Request *request = &c->requests[w];
		uint64_t *value;

		if (!is_taken(request, look))
			continue;
		value = value_of(c, request->word);
		request->found = *value;
		*value += request->sum;
		request->state = REQUEST_SERVED;
		request->gone_at = gone;
		c->n_posted--;
	}
	return work;
}

static void turn(Coordinator *c)
{
	Cycle work = serve(c, looks_at(c));
	Cycle scan = (c->parameters->scan ? c->n_warps : 1) * c->trip;

	c->turn_at += work + scan;
	c->n_turns++;
}

/* All turns that have looked before then. */
static void advance(Coordinator *c, Cycle now)
{
	while (looks_at(c) < now)
		turn(c);
}

void coordinator_post(Coordinator *c, uint32_t warp, uint64_t word, uint64_t sum, Cycle at)
{
	Request *request = &c->requests[warp];

	g_assert(warp < c->n_warps && request->state != REQUEST_POSTED);
	advance(c, at);
	*request =
		(Request){.state = REQUEST_POSTED, .posted_at = at, .word = word, .sum = sum};
	c->n_posted++;
}

bool coordinator_is_done(Coordinator *c, uint32_t warp, Cycle at)
{
	const Request *request = &c->requests[warp];

	advance(c, at);
	return request->state == REQUEST_SERVED && request->gone_at <= at;
}

uint64_t coordinator_found(const Coordinator *c, uint32_t warp)
{
	return c->requests[warp].found;
}

Cycle coordinator_end(Coordinator *c, Cycle last)
{
	/* The last flag is in memory half a trip later; the turn must read it there. */
	Cycle seen = last + c->trip / 2;

	g_assert(c->n_posted == 0);
	do
		turn(c);
	while (c->turn_at < seen + c->trip / 2);
	return c->turn_at;
}

uint64_t coordinator_n_turns(const Coordinator *c)
{
	return c->n_turns;
}
