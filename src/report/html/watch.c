/* SPDX-License-Identifier: MIT */
/*
 * Two maps of rows against time, in a fixed number of columns: when a run outgrows them, two columns
 * become one. And the costliest atomic of each site.
 */
#include <string.h>

#include "report/html/html.h"

#define COLUMNS	 128
#define MAX_ROWS 64 /* locks beyond share a row with their neighbours */

typedef struct {
	uint32_t rows, per_row; /* per_row: banks or locks of a row */
	uint64_t counts[MAX_ROWS][COLUMNS];
} Map;

/* The atomic that a warp slot is at. */
typedef struct {
	Cycle begin;
	uint32_t round;
} Begun;

struct HtmlWatch {
	Observer observer; /* first */
	const Machine *machine;
	bool has_locks;
	Hash bank_hash, lock_hash;
	uint64_t bucket_cycles; /* of a column */
	Cycle last;
	Map banks, locks;
	GHashTable *begun; /* SM << 16 | slot: Begun */
	HtmlAtomic atomics[HTML_ATOMICS];
	guint n_atomics;
};

static void halve(Map *map)
{
	for (uint32_t r = 0; r < map->rows; r++) {
		for (uint32_t c = 0; c < COLUMNS / 2; c++)
			map->counts[r][c] = map->counts[r][2 * c] + map->counts[r][2 * c + 1];
		memset(&map->counts[r][COLUMNS / 2], 0, sizeof map->counts[r] / 2);
	}
}

static void add(HtmlWatch *watch, Map *map, uint32_t number, Cycle cycle)
{
	while (cycle / watch->bucket_cycles >= COLUMNS) {
		watch->bucket_cycles *= 2;
		halve(&watch->banks);
		halve(&watch->locks);
	}
	map->counts[number / map->per_row][cycle / watch->bucket_cycles]++;
	watch->last = MAX(watch->last, cycle);
}

static void add_lanes(HtmlWatch *watch, const Instruction *i)
{
	const Record *record = i->record;

	for (uint32_t k = 0; k < record->n_lanes && k < 32; k++) {
		uint32_t word = i->base_word + record->address[k] / 4;
		bool tries = i->tried == 0 || i->tried >> k & 1;

		if (i->passes > 0 && tries)
			add(watch, &watch->banks, hash_apply(&watch->bank_hash, word),
			    i->start);
		if (i->failed > 0 && watch->has_locks && tries && !(i->winners >> k & 1))
			add(watch, &watch->locks, hash_apply(&watch->lock_hash, word),
			    i->start);
	}
}

/* Keeps an atomic if it is the costliest of its site and among the costliest of all. */
static void offer(HtmlWatch *watch, const HtmlAtomic *new)
{
	guint place = watch->n_atomics;

	for (guint k = 0; k < watch->n_atomics; k++)
		if (watch->atomics[k].record.site == new->record.site)
			place = k;
	if (place == HTML_ATOMICS)
		place--;
	if (place < watch->n_atomics && watch->atomics[place].cycles >= new->cycles)
		return;
	watch->n_atomics = MAX(watch->n_atomics, place + 1);
	for (; place > 0 && watch->atomics[place - 1].cycles < new->cycles; place--)
		watch->atomics[place] = watch->atomics[place - 1];
	watch->atomics[place] = *new;
}

static void add_atomic(HtmlWatch *watch, const Instruction *i)
{
	gpointer key = GUINT_TO_POINTER((i->sm << 16 | i->slot) + 1);
	Begun *begun = g_hash_table_lookup(watch->begun, key);
	HtmlAtomic atomic = {.rounds = i->round + 1};

	if (!begun) {
		begun = g_new0(Begun, 1);
		begun->begin = i->issue;
		g_hash_table_insert(watch->begun, key, begun);
	}
	begun->round = i->round;
	if (i->tried & ~i->winners)
		return;
	atomic.cycles = i->done - begun->begin;
	atomic.record = *i->record;
	offer(watch, &atomic);
}

static void observe(Observer *observer, const Instruction *i)
{
	HtmlWatch *watch = (HtmlWatch *)observer;
	gpointer key = GUINT_TO_POINTER((i->sm << 16 | i->slot) + 1);

	if (i->record->kind == RECORD_ATOM && i->tried)
		add_atomic(watch, i);
	else
		g_hash_table_remove(watch->begun, key);
	if (i->passes > 0 || i->failed > 0)
		add_lanes(watch, i);
	/* The next atomic of the slot begins again. */
	if (i->record->kind == RECORD_ATOM && (i->tried & ~i->winners) == 0)
		g_hash_table_remove(watch->begun, key);
}

HtmlWatch *html_watch_new(const Machine *machine)
{
	HtmlWatch *watch = g_new0(HtmlWatch, 1);
	uint32_t locks = machine->atomic.locks;

	watch->observer.instruction = observe;
	watch->machine = machine;
	watch->has_locks = atomic_has_lock_bits(&machine->atomic);
	watch->bucket_cycles = 1;
	watch->begun = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	watch->banks.rows = MIN(machine->shared.banks, MAX_ROWS);
	watch->banks.per_row = (machine->shared.banks + MAX_ROWS - 1) / MAX_ROWS;
	hash_build(&machine->shared.bank_hash, machine->shared.banks, &watch->bank_hash);
	watch->locks.rows = watch->has_locks ? MIN(locks, MAX_ROWS) : 0;
	watch->locks.per_row = MAX((locks + MAX_ROWS - 1) / MAX_ROWS, 1);
	if (watch->has_locks)
		hash_build(&machine->atomic.lock_hash, locks, &watch->lock_hash);
	return watch;
}

void html_watch_free(HtmlWatch *watch)
{
	g_hash_table_unref(watch->begun);
	g_free(watch);
}

Observer *html_watch_observer(HtmlWatch *watch)
{
	return &watch->observer;
}

const HtmlAtomic *html_watch_atomics(const HtmlWatch *watch, guint *n)
{
	*n = watch->n_atomics;
	return watch->atomics;
}

static cJSON *map_object(const HtmlWatch *watch, const Map *map)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *values = cJSON_AddArrayToObject(object, "values");
	uint32_t columns = (uint32_t)(watch->last / watch->bucket_cycles) + 1;

	cJSON_AddNumberToObject(object, "rows", map->rows);
	cJSON_AddNumberToObject(object, "per_row", map->per_row);
	cJSON_AddNumberToObject(object, "columns", columns);
	cJSON_AddNumberToObject(object, "bucket_cycles", (double)watch->bucket_cycles);
	for (uint32_t r = 0; r < map->rows; r++) {
		cJSON *row = cJSON_CreateArray();

		for (uint32_t c = 0; c < columns; c++)
			cJSON_AddItemToArray(row,
					     cJSON_CreateNumber((double)map->counts[r][c]));
		cJSON_AddItemToArray(values, row);
	}
	return object;
}

cJSON *html_watch_heat(const HtmlWatch *watch)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddItemToObject(object, "banks", map_object(watch, &watch->banks));
	cJSON_AddItemToObject(object, "locks", map_object(watch, &watch->locks));
	return object;
}
