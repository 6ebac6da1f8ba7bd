/* SPDX-License-Identifier: MIT */
/*
 * The trace-event format (Google, "Trace Event Format"): an SM is a process; its warp slots and
 * schedulers are threads; accesses to its banks and the locks that a warp holds are asynchronous events;
 * lanes that try again are a counter.
 */
#include "report/timeline/format.h"

#include "base/json.h"

/* Threads of an SM beyond its warp slots. */
enum { TRACK_SCHEDULER = 100 };

typedef struct {
	const Machine *machine;
	GPtrArray *sites;  /* of char *: what each is called, as JSON */
	GHashTable *named; /* SM << 16 | track: its name has been written */
	GHashTable *taken; /* SM << 16 | slot: cycle + 1 at which its warp took locks */
	guint64 n_async;   /* so far */
	bool begun;
} Perfetto;

static void *perfetto_new(const Machine *machine, const GPtrArray *sites)
{
	Perfetto *state = g_new0(Perfetto, 1);

	state->machine = machine;
	state->sites = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < sites->len; i++) {
		cJSON *name = cJSON_CreateString(sites->pdata[i]);

		g_ptr_array_add(state->sites, json_line(name));
		cJSON_Delete(name);
	}
	state->named = g_hash_table_new(NULL, NULL);
	state->taken = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return state;
}

static void perfetto_free(void *data)
{
	Perfetto *state = data;

	g_ptr_array_unref(state->sites);
	g_hash_table_unref(state->named);
	g_hash_table_unref(state->taken);
	g_free(state);
}

static void begin(void *data, GString *text)
{
	(void)data;
	g_string_append(text,
			"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is one "
			"cycle\"},\n\"traceEvents\":[");
}

static void end(void *data, GString *text)
{
	(void)data;
	g_string_append(text, "\n]}\n");
}

static void comma(Perfetto *state, GString *text)
{
	g_string_append(text, state->begun ? ",\n" : "\n");
	state->begun = true;
}

static void name_track(Perfetto *state, GString *text, guint sm, guint track, const char *kind,
		       guint number)
{
	gpointer key = GUINT_TO_POINTER((sm << 16 | track) + 1);
	gpointer process = GUINT_TO_POINTER((sm << 16 | 0xffff) + 1);

	if (g_hash_table_add(state->named, process)) {
		comma(state, text);
		g_string_append_printf(text,
				       "{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\","
				       "\"args\":{\"name\":\"SM %u\"}}",
				       sm, sm);
	}
	if (!g_hash_table_add(state->named, key))
		return;
	comma(state, text);
	g_string_append_printf(text,
			       "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
			       "\"args\":{\"name\":\"%s %u\"}}",
			       sm, track, kind, number);
	comma(state, text);
	g_string_append_printf(
		text,
		"{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_sort_index\","
		"\"args\":{\"sort_index\":%u}}",
		sm, track, track);
}

/* A span of a track, its object left open for more. */
static void open_span(Perfetto *state, GString *text, guint sm, guint track, const char *name,
		      Cycle from, Cycle to)
{
	comma(state, text);
	g_string_append_printf(text,
			       "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\","
			       "\"ts\":%" G_GUINT64_FORMAT ",\"dur\":%" G_GUINT64_FORMAT,
			       sm, track, name, from, to > from ? to - from : 1);
}

static void add_warp(Perfetto *state, const Instruction *i, GString *text)
{
	const Record *record = i->record;
	Cycle ready =
		i->ready > i->issue ? i->ready : i->issue + state->machine->sm.issue_cycles;

	name_track(state, text, i->sm, i->slot, "warp slot", i->slot);
	open_span(state, text, i->sm, i->slot, i->name, i->issue, ready);
	g_string_append_printf(text,
			       ",\"args\":{\"block\":%" G_GUINT64_FORMAT
			       ",\"warp\":%u,\"site\":%s,\"lanes\":%u",
			       i->block, i->warp, timeline_site(state->sites, record),
			       record->n_lanes);
	if (i->tried)
		g_string_append_printf(text,
				       ",\"round\":%u,\"tried\":%d,\"won\":%d,\"lost\":%u",
				       i->round + 1, __builtin_popcountll(i->tried),
				       __builtin_popcountll(i->winners), i->failed);
	g_string_append(text, "}}");
}

static void add_scheduler(Perfetto *state, const Instruction *i, GString *text)
{
	guint scheduler = i->slot % state->machine->sm.schedulers;
	guint track = TRACK_SCHEDULER + scheduler;

	name_track(state, text, i->sm, track, "scheduler", scheduler);
	open_span(state, text, i->sm, track, i->name, i->issue,
		  i->issue + state->machine->sm.issue_cycles);
	g_string_append_printf(text, ",\"args\":{\"slot\":%u}}", i->slot);
}

/* An event of a track whose events may overlap; Perfetto gives each its own line there. */
static void add_async(Perfetto *state, const Instruction *i, const char *track, Cycle from,
		      Cycle to, const char *what, guint n, GString *text)
{
	guint64 number = state->n_async++;

	comma(state, text);
	g_string_append_printf(text,
			       "{\"ph\":\"b\",\"cat\":\"%s\",\"id\":%" G_GUINT64_FORMAT
			       ",\"pid\":%u,\"name\":\"%s\",\"ts\":%" G_GUINT64_FORMAT
			       ",\"args\":{\"slot\":%u,\"%s\":%u}},\n",
			       track, number, i->sm, track, from, i->slot, what, n);
	g_string_append_printf(text,
			       "{\"ph\":\"e\",\"cat\":\"%s\",\"id\":%" G_GUINT64_FORMAT
			       ",\"pid\":%u,\"name\":\"%s\",\"ts\":%" G_GUINT64_FORMAT "}",
			       track, number, i->sm, track, to);
}

/* Passes of other warps may go between those of an access, so it may end later. */
static void add_banks(Perfetto *state, const Instruction *i, GString *text)
{
	add_async(state, i, "banks", i->start,
		  i->start + i->passes * state->machine->shared.pass_cycles, "passes",
		  i->passes, text);
}

static void add_counter(Perfetto *state, guint sm, Cycle cycle, guint lost, GString *text)
{
	comma(state, text);
	g_string_append_printf(text,
			       "{\"ph\":\"C\",\"pid\":%u,\"name\":\"lanes that try again\","
			       "\"ts\":%" G_GUINT64_FORMAT ",\"args\":{\"lanes\":%u}}",
			       sm, cycle, lost);
}

/* From the try that found locks free to the store that clears them. */
static void add_locks(Perfetto *state, const Instruction *i, GString *text)
{
	gint64 key = (gint64)i->sm << 16 | i->slot;

	if (g_strcmp0(i->name, "LK") == 0) {
		gint64 *k = g_new(gint64, 1), *cycle = g_new(gint64, 1);

		*k = key;
		*cycle = (gint64)i->start;
		g_hash_table_replace(state->taken, k, cycle);
	} else if (i->winners && g_strcmp0(i->name, "UL") == 0 &&
		   g_hash_table_contains(state->taken, &key)) {
		const gint64 *since = g_hash_table_lookup(state->taken, &key);

		add_async(state, i, "locks", (Cycle)*since, i->start, "locks",
			  (guint)__builtin_popcountll(i->winners), text);
	}
}

static void instruction(void *data, const Instruction *i, GString *text)
{
	Perfetto *state = data;

	add_warp(state, i, text);
	add_scheduler(state, i, text);
	if (i->passes > 0)
		add_banks(state, i, text);
	add_locks(state, i, text);
	if (i->failed) {
		add_counter(state, i->sm, i->start, i->failed, text);
		add_counter(state, i->sm, i->ready, 0, text);
	}
}

const TimelineFormat timeline_perfetto = {
	.suffix = ".json",
	.new = perfetto_new,
	.free = perfetto_free,
	.begin = begin,
	.instruction = instruction,
	.end = end,
};
