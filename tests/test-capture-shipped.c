/* SPDX-License-Identifier: MIT */
/*
 * The shipped traces are what the GPU did: what each program printed of its votes and locks, beside
 * its trace, is what its trace holds.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "gen-trace.h"
#include "trace/reader.h"

/* The program's words: votes KIND block B first F words N stride S copies C, and N numbers. KIND is add or
   lock, with a g behind it on global memory. */
typedef struct {
	char kind[8];
	int block; /* -1: all */
	unsigned first, n_words, stride, copies;
} Votes;

static char *source_file(const char *name)
{
	const char *source = g_getenv("SOURCE");

	return g_build_filename(source ? source : ".", "traces", name, NULL);
}

static TraceReader *open_shipped(const char *name)
{
	g_autofree char *file = g_strconcat(name, ".bin", NULL);
	g_autofree char *path = source_file(file);
	g_autoptr(GError) error = NULL;
	TraceReader *reader = trace_open(path, &error);

	g_assert_no_error(error);
	return reader;
}

static char *read_output(const char *name)
{
	g_autofree char *file = g_strconcat(name, ".txt", NULL);
	g_autofree char *path = source_file(file);
	g_autoptr(GError) error = NULL;
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	g_assert_true(g_str_has_suffix(text, "PASS\n"));
	return text;
}

typedef struct {
	const Votes *votes;
	uint64_t *counts;
} VoteCounts;

/* Adds up lanes by their place in the votes. */
static void count_votes_of(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	const Votes *votes = ((VoteCounts *)data)->votes;
	uint64_t *counts = ((VoteCounts *)data)->counts;
	bool global = g_str_has_suffix(votes->kind, "g");
	RecordKind kind = !g_str_has_prefix(votes->kind, "add") ? RECORD_LOCK
			  : global				? RECORD_ATOMG
								: RECORD_ATOM;

	(void)warp;
	if ((votes->block >= 0 && block != (uint64_t)votes->block) || record->kind != kind ||
	    (kind != RECORD_LOCK && record->operation != OPERATION_ADD) ||
	    (kind == RECORD_LOCK && global != (record->space == MEMORY_GLOBAL)))
		return;
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint64_t address = (global ? record->offset : 0) + record->address[i];
		unsigned word = (unsigned)(address / 4) - votes->first;
		unsigned copy = votes->stride ? word / votes->stride : 0;

		word -= copy * votes->stride;
		if (address / 4 >= votes->first && copy < votes->copies &&
		    word < votes->n_words)
			counts[word]++;
	}
}

/* Holds the line of numbers against the trace. Returns their sum. */
static uint64_t check_votes(const Votes *votes, const char *line, TraceReader *reader)
{
	g_autofree uint64_t *counts = g_new0(uint64_t, votes->n_words);
	g_auto(GStrv) numbers = g_strsplit(line, " ", -1);
	uint64_t sum = 0;

	g_assert_cmpuint(g_strv_length(numbers), ==, votes->n_words);
	visit_records(reader, count_votes_of, &(VoteCounts){votes, counts});
	for (unsigned i = 0; i < votes->n_words; i++) {
		g_assert_cmpuint(counts[i], ==, g_ascii_strtoull(numbers[i], NULL, 10));
		sum += counts[i];
	}
	return sum;
}

/* All that the program printed; `data` is the trace's name. */
static void votes_are_what_the_program_printed(gconstpointer data)
{
	g_autofree char *text = read_output(data);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(TraceReader) reader = open_shipped(data);
	uint64_t sum = 0;

	for (char **line = lines; *line; line++) {
		Votes votes;

		if (!g_str_has_prefix(*line, "votes "))
			continue;
		g_assert_cmpint(
			sscanf(*line,
			       "votes %7s block %d first %u words %u stride %u copies %u",
			       votes.kind, &votes.block, &votes.first, &votes.n_words,
			       &votes.stride, &votes.copies),
			==, 6);
		sum += check_votes(&votes, line[1], reader);
	}
	g_assert_cmpuint(sum, >, 0);
}

static void provenance_is_told(gconstpointer data)
{
	static const char *const words[] = {"\"kernel\"", "\"gpu\"",	     "\"driver\"",
					    "\"cuda\"",	  "\"date\"",	     "\"command\"",
					    "\"sha256\"", "\"tool_version\""};
	g_autofree char *text = read_output(data);
	g_autoptr(TraceReader) reader = open_shipped(data);

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		g_assert_nonnull(strstr(trace_metadata(reader), words[i]));
}

/* Thread t votes in copy t mod 4, whatever its pixel: lanes follow the program's mapping. */
static void lanes_vote_in_their_copies(void)
{
	g_autoptr(TraceReader) reader = open_shipped("histogram");
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, 5, 3);
	Record record;

	while (stream->next(stream, &record) == STREAM_RECORD)
		for (unsigned lane = 0, i = 0; record.kind == RECORD_ATOM && lane < 32; lane++)
			if (record.mask >> lane & 1)
				g_assert_cmpuint(record.address[i++] / 4 / 257, ==, lane % 4);
	stream->close(stream);
}

/* Padding keeps the lanes of a column in different banks. */
static void padded_tiles_have_no_conflicts(void)
{
	for (int padding = 0; padding < 2; padding++) {
		g_autoptr(TraceReader) reader =
			open_shipped(padding ? "transpose-padded" : "transpose");
		RecordSource *source = trace_source(reader);
		WarpStream *stream = source->open_warp(source, 0, 0);
		unsigned n_loads = 0;
		Record record;

		while (stream->next(stream, &record) == STREAM_RECORD)
			if (record.kind == RECORD_LDS) {
				g_assert_cmpuint(record.address[1] - record.address[0], ==,
						 4 * (32 + padding));
				n_loads++;
			}
		stream->close(stream);
		g_assert_cmpuint(n_loads, ==, 4);
	}
}

int main(int argc, char **argv)
{
	static const char *const names[] = {
		"histogram",   "weighted",	  "kmeans-float",
		"kmeans-int",  "kmeans-lock",	  "kmeans-lock-dimension",
		"hough",       "per-block",	  "per-warp",
		"hashtable",   "warp-aggregated", "bins-block",
		"bins-global", "sums-block",	  "apps-match"};
	static const char *const others[] = {"transpose",
					     "transpose-padded",
					     "reduction-interleaved",
					     "reduction-sequential",
					     "scan",
					     "scan-padded",
					     "prefix-warp"};

	g_test_init(&argc, &argv, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *votes = g_strdup_printf(
			"/capture/shipped/%s: votes are what the program printed", names[i]);
		g_autofree char *provenance = g_strdup_printf(
			"/capture/shipped/%s: provenance is recorded", names[i]);

		g_test_add_data_func(votes, names[i], votes_are_what_the_program_printed);
		g_test_add_data_func(provenance, names[i], provenance_is_told);
	}
	for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *provenance = g_strdup_printf(
			"/capture/shipped/%s: provenance is recorded", others[i]);

		g_test_add_data_func(provenance, others[i], provenance_is_told);
	}
	g_test_add_func("/capture/shipped/lanes vote in their copies",
			lanes_vote_in_their_copies);
	g_test_add_func("/capture/shipped/padded tiles have no conflicts",
			padded_tiles_have_no_conflicts);
	return g_test_run();
}
