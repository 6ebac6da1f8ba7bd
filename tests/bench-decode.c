/* SPDX-License-Identifier: MIT */
/*
 * How long a record of a trace takes, from the stored bytes to the Record, by what it looks like.
 * Run by `make bench`. The budget of the whole simulator is 50 ns an executed warp instruction.
 */
#include <stdio.h>
#include <time.h>

#include "trace/codec.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define N_WARPS	  32
#define N_RECORDS 2048 /* of each warp */
#define REPEATS	  15

typedef struct {
	const char *name;
	void (*fill)(GRand *random, Record *record);
} Pattern;

static void set_words(Record *record)
{
	record->kind = RECORD_ATOM;
	record->width = 4;
	record->n_lanes = TRACE_MAX_LANES;
	record->mask = UINT32_MAX;
}

static void fill_alu(GRand *random, Record *record)
{
	(void)random;
	record->kind = RECORD_ALU;
	record->count = 5;
}

static void fill_one_word(GRand *random, Record *record)
{
	(void)random;
	set_words(record);
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
		record->address[i] = 28;
}

static void fill_uniform(GRand *random, Record *record)
{
	set_words(record);
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
		record->address[i] = 4 * (g_rand_int(random) & 255);
}

static void fill_skewed(GRand *random, Record *record)
{
	set_words(record);
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++) {
		uint32_t bits = g_rand_int(random);
		record->address[i] = 4 * (bits & 255 & bits >> 8);
	}
}

static void fill_large(GRand *random, Record *record)
{
	set_words(record);
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
		record->address[i] = 4 * (uint32_t)g_rand_int_range(random, 0, 12288);
}

static void fill_partial(GRand *random, Record *record)
{
	fill_uniform(random, record);
	record->mask = g_rand_int(random) | 1;
	record->n_lanes = (uint8_t)__builtin_popcount(record->mask);
}

static void fill_values(GRand *random, Record *record)
{
	fill_uniform(random, record);
	record->has_values = true;
	for (unsigned i = 0; i < TRACE_MAX_LANES; i++)
		record->value[i] = g_rand_int(random);
}

static const Pattern patterns[] = {
	{"alu", fill_alu},
	{"atom, one word", fill_one_word},
	{"atom, 256 words uniform", fill_uniform},
	{"atom, 256 words skewed", fill_skewed},
	{"atom, 12288 words", fill_large},
	{"atom, half of the lanes", fill_partial},
	{"atom, with operands", fill_values},
};

static GBytes *make_trace(const Pattern *pattern)
{
	TraceWriter *writer = trace_writer_new_memory();
	GRand *random = g_rand_new_with_seed(1);

	trace_writer_begin_block(writer, 0, N_WARPS, 49152);
	for (unsigned r = 0; r < N_RECORDS; r++) {
		for (unsigned w = 0; w < N_WARPS; w++) {
			Record record = {0};
			pattern->fill(random, &record);
			trace_writer_append(writer, 0, w, &record);
		}
	}
	trace_writer_end_block(writer, 0);
	g_rand_free(random);
	return trace_writer_finish_bytes(writer, "{}");
}

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* All warps in turn, as a simulator reads them. Returns ns a record. */
static double time_pass(TraceReader *reader)
{
	RecordSource *source = trace_source(reader);
	WarpStream *streams[N_WARPS];
	double start = cpu_ns();
	Record record;

	for (unsigned w = 0; w < N_WARPS; w++)
		streams[w] = source->open_warp(source, 0, w);
	for (unsigned r = 0; r < N_RECORDS; r++)
		for (unsigned w = 0; w < N_WARPS; w++)
			if (streams[w]->next(streams[w], &record) != STREAM_RECORD)
				g_error("%s", trace_failure(reader)->message);
	for (unsigned w = 0; w < N_WARPS; w++)
		streams[w]->close(streams[w]);
	return (cpu_ns() - start) / (N_RECORDS * N_WARPS);
}

/* The quickest of some passes: what disturbs a pass only makes it longer. */
static double time_trace(GBytes *bytes, gboolean keep)
{
	g_autoptr(TraceReader) reader = trace_open_bytes("bench", bytes, NULL);
	double best = G_MAXDOUBLE;

	if (keep)
		trace_keep_decoded(reader, UINT64_MAX);
	for (unsigned i = 0; i < REPEATS; i++)
		best = MIN(best, time_pass(reader));
	return best;
}

int main(void)
{
	printf("| decoding a record | bytes in file | ns | ns if kept |\n"
	       "| --- | --- | --- | --- |\n");
	for (unsigned p = 0; p < G_N_ELEMENTS(patterns); p++) {
		g_autoptr(GBytes) bytes = make_trace(&patterns[p]);

		printf("| %s | %.2f | %.1f | %.1f |\n", patterns[p].name,
		       (double)g_bytes_get_size(bytes) / (N_RECORDS * N_WARPS),
		       time_trace(bytes, FALSE), time_trace(bytes, TRUE));
	}
	return 0;
}
