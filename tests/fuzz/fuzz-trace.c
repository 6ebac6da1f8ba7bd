/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a trace. Checksums stop a fuzzer at the door, so the same bytes are also taken as
 * records, as a segment's content would be.
 */
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/codec.h"
#include "trace/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_file(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open_bytes("fuzz", bytes, &error);
	g_autoptr(TraceCheck) check = NULL;

	g_assert((reader == NULL) == (error != NULL));
	if (!reader)
		return;
	check = trace_check_new(reader, 10);
	for (uint64_t block = 0; block < trace_source(reader)->n_blocks; block++)
		trace_check_block(check, block);
	trace_check_end(check);
}

/* What decodes must encode and decode again, and take no more bytes, but for a base below the lowest
   address, which our writer does not use. */
static void read_records(const uint8_t *at, const uint8_t *end)
{
	const char *problem = NULL;
	Record record, again;
	size_t used;

	while ((used = trace_decode_record(at, end, &record, &problem)) > 0) {
		uint8_t bytes[TRACE_MAX_RECORD_BYTES] = {0};
		size_t n = trace_encode_record(&record, bytes);

		g_assert(used <= (size_t)(end - at));
		g_assert(n <= used + 4);
		g_assert(trace_decode_padded(bytes, TRACE_MAX_SHARED_BYTES, &again, &problem) ==
			 n);
		g_assert(again.kind == record.kind && again.n_lanes == record.n_lanes);
		for (unsigned i = 0; again.kind == RECORD_ATOM && i < record.n_lanes; i++)
			g_assert(again.address[i] == record.address[i]);
		at += used;
	}
	g_assert(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_file(data, size);
	read_records(data, data + size);
	return 0;
}
