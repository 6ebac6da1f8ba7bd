/* SPDX-License-Identifier: MIT */
/*
 * Writes a trace whose warp has to keep what it has read: usage: long-warp KIND N FILE.
 *   votes, atoms, walk, values   one warp, a lock that two of its lanes want, and N records up to its unlock:
 *                                votes, or adds of these lanes to words that stay, move on, or have operands of their own
 *   poll                         a block that waits for another's store, and N gaps before its next access
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/writer.h"

#define SHARED_BYTES 65536
#define LOCK_LANES   3 /* mask */

enum { NO_SITE, SITE_TRY, SITE_STORE };

static const char plain[] = "{\"format\":2}";
static const char polling[] =
	"{\"format\":2,\"sites\":[{\"line\":1},{\"line\":2}],\"buffers\":[{\"bytes\":4096}]}";
static const uint8_t value_0 = 0;

static Record lanes(RecordKind kind, LaneMask mask)
{
	Record record = {.kind = (uint8_t)kind, .width = 4, .mask = mask};

	record.n_lanes = (uint8_t)__builtin_popcountll(mask);
	record.type = TYPE_U32;
	record.space = MEMORY_SHARED;
	return record;
}

static Record inside(const char *kind, uint32_t i)
{
	const bool walks = !strcmp(kind, "walk"), has_values = !strcmp(kind, "values");
	Record record = lanes(RECORD_ATOM, LOCK_LANES);

	if (!strcmp(kind, "votes"))
		return (Record){.kind = RECORD_VOTE, .count = 1};
	record.has_values = has_values;
	for (uint32_t lane = 0; lane < record.n_lanes; lane++) {
		record.address[lane] = 4 * (lane + (walks ? i % 4096 : 0)) + 64;
		record.value[lane] = has_values ? lane : 0;
	}
	return record;
}

static void write_section(TraceWriter *writer, const char *kind, uint32_t n)
{
	const Record lock = lanes(RECORD_LOCK, LOCK_LANES),
		     unlock = lanes(RECORD_UNLOCK, LOCK_LANES);

	trace_writer_begin_block(writer, 0, 1, SHARED_BYTES);
	trace_writer_append(writer, 0, 0, &lock);
	for (uint32_t i = 0; i < n; i++) {
		const Record record = inside(kind, i);

		trace_writer_append(writer, 0, 0, &record);
	}
	trace_writer_append(writer, 0, 0, &unlock);
	trace_writer_end_block(writer, 0);
}

static Record word(RecordKind kind, uint32_t site)
{
	Record record = lanes(kind, 1);

	record.site = site;
	record.buffer = 1;
	record.cache = CACHE_BYPASS;
	record.bytes = 4;
	record.count = 1;
	return record;
}

static void write_poll(TraceWriter *writer, uint32_t n)
{
	const CodeOperation add = {.class = CODE_INT,
				   .guard = DATAFLOW_NO_VALUE,
				   .n_writes = 1,
				   .n_reads = 1,
				   .writes = &value_0,
				   .reads = &value_0};
	const SiteFlow store = {.guard = DATAFLOW_NO_VALUE},
		       load = {.guard = DATAFLOW_NO_VALUE, .n_writes = 1, .writes = &value_0};
	const Record gap = {.kind = RECORD_CODE, .gap = trace_writer_gap(writer, &add, 1)},
		     stores = word(RECORD_STG, SITE_STORE), tries = word(RECORD_LDG, SITE_TRY);

	trace_writer_site_flow(writer, SITE_TRY, &load);
	trace_writer_site_flow(writer, SITE_STORE, &store);
	trace_writer_begin_block(writer, 0, 1, 0);
	trace_writer_append(writer, 0, 0, &stores);
	trace_writer_end_block(writer, 0);
	trace_writer_begin_block(writer, 1, 1, 0);
	trace_writer_append(writer, 1, 0, &tries);
	trace_writer_append(writer, 1, 0, &gap);
	trace_writer_append(writer, 1, 0, &tries);
	for (uint32_t i = 0; i < n; i++)
		trace_writer_append(writer, 1, 0, &gap);
	trace_writer_end_block(writer, 1);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	TraceWriter *writer;
	bool poll;

	if (argc != 4)
		return 2;
	poll = !strcmp(argv[1], "poll");
	writer = trace_writer_new(argv[3], &error);
	if (!writer)
		g_error("%s", error->message);
	trace_writer_set_version_2(writer, 32);
	if (poll)
		write_poll(writer, (uint32_t)strtoul(argv[2], NULL, 10));
	else
		write_section(writer, argv[1], (uint32_t)strtoul(argv[2], NULL, 10));
	if (!trace_writer_finish(writer, poll ? polling : plain, &error))
		g_error("%s", error->message);
	return 0;
}
