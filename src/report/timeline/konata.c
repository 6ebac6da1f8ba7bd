/* SPDX-License-Identifier: MIT */
/*
 * The log of the pipeline viewer Konata (its docs/kanata-log-format.md, version 0004): a warp
 * instruction is a row; I is its issue, Q its wait for the load/store unit, X the rest. A try that lost
 * is flushed, and an arrow comes from the warp's instruction before.
 *
 * The log goes by cycles, and what becomes of an instruction is known when it is issued: its later
 * lines wait in order until an instruction is issued at or after them.
 */
#include "report/timeline/format.h"

#include <stdlib.h>

typedef struct {
	Cycle cycle;
	guint64 number; /* of equal cycles the first written comes first */
	char *text;
} Line;

typedef struct {
	const Machine *machine;
	const GPtrArray *sites;
	GSequence *waiting; /* of Line */
	GHashTable *last;   /* slot: the number of its last instruction + 1 */
	guint64 n_lines, n_instructions, n_retired;
	Cycle now;
	bool begun;
} Konata;

static void line_free(gpointer data)
{
	Line *line = data;

	g_free(line->text);
	g_free(line);
}

static gint compare(gconstpointer a, gconstpointer b, gpointer data)
{
	const Line *x = a, *y = b;

	(void)data;
	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void *konata_new(const Machine *machine, const GPtrArray *sites)
{
	Konata *state = g_new0(Konata, 1);

	state->machine = machine;
	state->sites = sites;
	state->waiting = g_sequence_new(line_free);
	state->last = g_hash_table_new(NULL, NULL);
	return state;
}

static void konata_free(void *data)
{
	Konata *state = data;

	g_sequence_free(state->waiting);
	g_hash_table_unref(state->last);
	g_free(state);
}

static void begin(void *data, GString *text)
{
	(void)data;
	g_string_append(text, "Kanata\t0004\n");
}

static void add_line(Konata *state, Cycle cycle, char *words)
{
	Line *line = g_new(Line, 1);

	*line = (Line){cycle, state->n_lines++, words};
	g_sequence_insert_sorted(state->waiting, line, compare, NULL);
}

static void write_until(Konata *state, Cycle cycle, GString *text)
{
	while (g_sequence_get_length(state->waiting) > 0) {
		GSequenceIter *first = g_sequence_get_begin_iter(state->waiting);
		const Line *line = g_sequence_get(first);

		if (line->cycle > cycle)
			return;
		if (!state->begun)
			g_string_append_printf(text, "C=\t%" G_GUINT64_FORMAT "\n",
					       line->cycle);
		else if (line->cycle > state->now)
			g_string_append_printf(text, "C\t%" G_GUINT64_FORMAT "\n",
					       line->cycle - state->now);
		state->begun = true;
		state->now = line->cycle;
		g_string_append(text, line->text);
		g_sequence_remove(first);
	}
}

static char *first_lines(Konata *state, const Instruction *i, guint64 id)
{
	GString *words = g_string_new(NULL);
	guint64 last = GPOINTER_TO_SIZE(
		g_hash_table_lookup(state->last, GUINT_TO_POINTER(i->slot + 1)));

	g_string_append_printf(words,
			       "I\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%u\n"
			       "L\t%" G_GUINT64_FORMAT "\t0\tblock %" G_GUINT64_FORMAT
			       " warp %u: %s\n",
			       id, id, i->slot, id, i->block, i->warp, i->name);
	g_string_append_printf(words, "L\t%" G_GUINT64_FORMAT "\t1\t%s, lanes %u", id,
			       timeline_site(state->sites, i->record), i->record->n_lanes);
	if (i->tried)
		g_string_append_printf(words, ", round %u: %d tried, %d won, %u lost",
				       i->round + 1, __builtin_popcountll(i->tried),
				       __builtin_popcountll(i->winners), i->failed);
	g_string_append_printf(words, "\nS\t%" G_GUINT64_FORMAT "\t0\tI\n", id);
	if (last > 0)
		g_string_append_printf(words,
				       "W\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t0\n",
				       id, last - 1);
	return g_string_free(words, FALSE);
}

static void instruction(void *data, const Instruction *i, GString *text)
{
	Konata *state = data;
	guint64 id = state->n_instructions++;
	Cycle issued = i->issue + state->machine->sm.issue_cycles;
	Cycle end = MAX(MAX(i->done, i->ready), issued);

	write_until(state, i->issue > 0 ? i->issue - 1 : 0, text);
	add_line(state, i->issue, first_lines(state, i, id));
	if (i->start > issued)
		add_line(state, issued,
			 g_strdup_printf("S\t%" G_GUINT64_FORMAT "\t0\tQ\n", id));
	if (end > MAX(i->start, issued))
		add_line(state, MAX(i->start, issued),
			 g_strdup_printf("S\t%" G_GUINT64_FORMAT "\t0\tX\n", id));
	add_line(state, end,
		 g_strdup_printf("R\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%d\n", id,
				 state->n_retired++, i->failed > 0));
	g_hash_table_insert(state->last, GUINT_TO_POINTER(i->slot + 1),
			    GSIZE_TO_POINTER(id + 1));
}

static void end(void *data, GString *text)
{
	write_until(data, UINT64_MAX, text);
}

const TimelineFormat timeline_konata = {
	.suffix = ".kanata",
	.new = konata_new,
	.free = konata_free,
	.begin = begin,
	.instruction = instruction,
	.end = end,
	.one_sm = true,
};
