/* SPDX-License-Identifier: MIT */
/* The shipped trace is what the GPU did: its votes are the histogram that the program printed. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "trace/reader.h"

#define MAX_BINS 256

/* What the program prints: its parameters, a line for each bin, PASS. */
typedef struct {
	unsigned pixels, bins, replicas, padding, blocks, threads;
	char mapping[16];
	uint64_t votes[MAX_BINS];
} Printed;

static char *source_file(const char *name)
{
	const char *source = g_getenv("SOURCE");

	return g_build_filename(source ? source : ".", "traces", name, NULL);
}

static void read_printed(Printed *printed)
{
	g_autofree char *path = source_file("histogram.txt");
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_assert_cmpint(
		sscanf(lines[0],
		       "pixels %u bins %u replicas %u mapping %15s padding %u blocks %u "
		       "threads %u",
		       &printed->pixels, &printed->bins, &printed->replicas, printed->mapping,
		       &printed->padding, &printed->blocks, &printed->threads),
		==, 7);
	g_assert_cmpuint(printed->bins, <=, MAX_BINS);
	for (unsigned i = 0; i < printed->bins; i++) {
		unsigned bin;

		g_assert_cmpint(
			sscanf(lines[1 + i], "%u %" G_GUINT64_FORMAT, &bin, &printed->votes[i]),
			==, 2);
		g_assert_cmpuint(bin, ==, i);
	}
	g_assert_cmpstr(lines[1 + printed->bins], ==, "PASS");
}

static void votes_equal_the_printed_histogram(void)
{
	g_autofree char *path = source_file("histogram.bin");
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(path, &error);
	Printed printed = {0};
	uint64_t votes[MAX_BINS] = {0}, n_votes = 0;
	unsigned stride;

	g_assert_no_error(error);
	read_printed(&printed);
	stride = printed.bins + printed.padding;

	RecordSource *source = trace_source(reader);

	g_assert_cmpuint(source->n_blocks, ==, printed.blocks);
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		g_assert_cmpuint(info.n_warps, ==, (printed.threads + 31) / 32);
		for (uint32_t warp = 0; warp < info.n_warps; warp++) {
			WarpStream *stream = source->open_warp(source, block, warp);
			Record record;

			while (stream->next(stream, &record) == STREAM_RECORD) {
				if (record.kind != RECORD_ATOM)
					continue;
				g_assert_cmpint(record.operation, ==, OPERATION_ADD);
				g_assert_cmpint(record.type, ==, TYPE_U32);
				g_assert_false(record.result);
				for (unsigned i = 0; i < record.n_lanes; i++) {
					unsigned word = record.address[i] / 4;

					g_assert_cmpuint(word / stride, <, printed.replicas);
					g_assert_cmpuint(word % stride, <, printed.bins);
					votes[word % stride]++;
					n_votes++;
				}
			}
			stream->close(stream);
			g_assert_null(trace_failure(reader));
		}
	}
	g_assert_cmpuint(n_votes, ==, printed.pixels);
	for (unsigned bin = 0; bin < printed.bins; bin++)
		g_assert_cmpuint(votes[bin], ==, printed.votes[bin]);
}

/* Thread t votes in copy t mod replicas, whatever its pixel: lanes follow the program's mapping. */
static void lanes_vote_in_their_copies(void)
{
	g_autofree char *path = source_file("histogram.bin");
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(path, &error);
	Printed printed = {0};

	g_assert_no_error(error);
	read_printed(&printed);
	g_assert_cmpstr(printed.mapping, ==, "cyclic");

	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, 5, 3);
	Record record;

	while (stream->next(stream, &record) == STREAM_RECORD)
		for (unsigned lane = 0, i = 0; record.kind == RECORD_ATOM && lane < 32; lane++)
			if (record.mask >> lane & 1)
				g_assert_cmpuint(record.address[i++] / 4 /
							 (printed.bins + printed.padding),
						 ==, lane % printed.replicas);
	stream->close(stream);
}

static void provenance_is_told(void)
{
	static const char *const words[] = {"\"kernel\"", "\"gpu\"",	     "\"driver\"",
					    "\"cuda\"",	  "\"date\"",	     "\"command\"",
					    "\"sha256\"", "\"tool_version\""};
	g_autofree char *path = source_file("histogram.bin");
	g_autoptr(TraceReader) reader = trace_open(path, NULL);

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		g_assert_nonnull(strstr(trace_metadata(reader), words[i]));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/shipped/votes equal the printed histogram",
			votes_equal_the_printed_histogram);
	g_test_add_func("/capture/shipped/lanes vote in their copies",
			lanes_vote_in_their_copies);
	g_test_add_func("/capture/shipped/provenance is told", provenance_is_told);
	return g_test_run();
}
