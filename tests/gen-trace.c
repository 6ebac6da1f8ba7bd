/* SPDX-License-Identifier: MIT */
#include "gen-trace.h"

#include "base/error.h"
#include "workloads/workload.h"

static GBytes *generate(const char *command, GError **error)
{
	g_auto(GStrv) words = g_strsplit(command, " ", -1);
	const Workload *workload = workload_find(words[0], error);

	if (!workload)
		return NULL;
	return workload_generate_bytes(workload, (const char *const *)words + 1, error);
}

GBytes *gen_bytes(const char *command)
{
	g_autoptr(GError) error = NULL;
	GBytes *bytes = generate(command, &error);

	g_assert_no_error(error);
	return bytes;
}

TraceReader *gen_trace(const char *command)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = gen_bytes(command);
	TraceReader *reader = trace_open_bytes(command, bytes, &error);

	g_assert_no_error(error);
	return reader;
}

void gen_refused(const char *command, int code, const char *pattern)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = generate(command, &error);

	g_assert_null(bytes);
	g_assert_error(error, ATOMSIM_ERROR, code);
	if (!g_pattern_match_simple(pattern, error->message))
		g_error("%s: '%s' does not match '%s'", command, error->message, pattern);
}

void visit_records(TraceReader *reader, RecordVisitor visit, gpointer data)
{
	RecordSource *source = trace_source(reader);

	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;
		source->block_info(source, block, &info);
		for (uint32_t warp = 0; warp < info.n_warps; warp++) {
			WarpStream *stream = source->open_warp(source, block, warp);
			StreamStatus status;
			Record record;

			g_assert_nonnull(stream);
			while ((status = stream->next(stream, &record)) == STREAM_RECORD)
				visit(&record, block, warp, data);
			g_assert_cmpint(status, ==, STREAM_END);
			stream->close(stream);
		}
	}
}

typedef struct {
	uint64_t *votes;
	uint32_t n_words;
} Count;

static void count(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Count *result = data;

	(void)block;
	(void)warp;
	if (record->kind != RECORD_ATOM)
		return;
	for (unsigned i = 0; i < record->n_lanes; i++) {
		g_assert_cmpuint(record->address[i] / 4, <, result->n_words);
		result->votes[record->address[i] / 4]++;
	}
}

uint64_t *count_votes(TraceReader *reader, uint32_t n_words)
{
	Count result = {g_new0(uint64_t, n_words), n_words};

	visit_records(reader, count, &result);
	return result.votes;
}

static void collect(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	GString *text = data;

	if (record->kind == RECORD_EXIT)
		return;
	g_string_append_printf(text, "%u.%u:%" G_GINT64_MODIFIER "x", (unsigned)block, warp,
			       record->mask);
	for (unsigned i = 0; i < record->n_lanes; i++)
		g_string_append_printf(text, " %u", record->address[i]);
	g_string_append_c(text, '\n');
}

char *records_text(TraceReader *reader)
{
	GString *text = g_string_new(NULL);

	visit_records(reader, collect, text);
	return g_string_free(text, FALSE);
}
