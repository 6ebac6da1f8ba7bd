/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a raw capture. The first byte says as what:
 *   bit 0  a whole events file; else the events alone, in a launch that is made here
 *   bit 1  before them, up to a NUL, is machine code; else it is CAPTURE_CODE
 *   bit 2  as --raw
 * An event that is not in the code and a start that is missing are refused at the door, so the mutator
 * works on whole events: 32 bytes and their payload.
 */
#include "fuzz-tools.h"

#include <string.h>

#include "../capture-tools.h"

#define WHOLE_FILE 1
#define OWN_CODE   2
#define AS_RAW	   4

static void convert(const RawRecording *recording, Sass *sass, gboolean raw)
{
	g_autoptr(TraceWriter) writer = trace_writer_new_memory();
	g_auto(ConvertLists) lists = {0};
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GError) error = NULL;
	g_autofree char *metadata = NULL;
	SassFunction *function = sass_function(sass, recording->name);
	ConvertCounts counts = {0};
	gboolean good;

	if (function == NULL)
		return;
	convert_lists_init(&lists);
	good = convert_launch(recording, function, sass->target, raw, writer, &lists, &counts,
			      &error);
	fuzz_check_error(good, error);
	if (!good)
		return;
	metadata = convert_metadata(recording, facts, &lists, 0, raw, &counts);
	g_autoptr(GBytes) trace = trace_writer_finish_bytes(g_steal_pointer(&writer), metadata);

	fuzz_check_trace(trace);
}

static GBytes *wrap(const uint8_t *data, size_t size)
{
	GByteArray *events = g_byte_array_new();

	g_byte_array_append(events, data, (guint)size);
	while (events->len % 8 != 0)
		g_byte_array_append(events, (const guint8 *)"", 1);
	return capture_raw(events, 1, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *code = CAPTURE_CODE;
	const uint8_t *nul;
	uint8_t flags = size > 0 ? data[0] : 0;
	g_autoptr(GError) error = NULL;

	if (size == 0)
		return 0;
	data++;
	size--;
	if ((flags & OWN_CODE) != 0) {
		nul = memchr(data, '\0', size);
		if (nul == NULL)
			return 0;
		code = (const char *)data;
		size -= (size_t)(nul + 1 - data);
		data = nul + 1;
	}
	g_autoptr(Sass) sass = sass_parse(code);
	g_autoptr(GBytes) bytes =
		(flags & WHOLE_FILE) != 0 ? g_bytes_new(data, size) : wrap(data, size);
	g_autoptr(RawFile) file = raw_file_open_bytes("fuzz", bytes, &error);

	fuzz_check_error(file != NULL, error);
	for (guint i = 0; file != NULL && i < file->launches->len; i++)
		convert(g_ptr_array_index(file->launches, i), sass, (flags & AS_RAW) != 0);
	return 0;
}

#ifdef ATOMSIM_FUZZING
static const uint16_t pcs[] = {0x10, 0x30, 0x40, 0x50, 0x60};

static size_t event_bytes(const uint8_t *data, size_t size)
{
	RawEvent event;
	size_t n = sizeof(event);

	if (size < n)
		return size;
	memcpy(&event, data, sizeof(event));
	n += (RAW_ADDRESS_BYTES(event.kind) * (size_t)__builtin_popcount(event.mask) + 7) / 8 *
	     8;
	return MIN(n, size);
}

/* Copies, drops or changes one event, and mostly makes it one that the code has. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t at = 1, n;
	RawEvent event;

	if (size < 1 + sizeof(event) || (data[0] & (WHOLE_FILE | OWN_CODE)) != 0 ||
	    seed % 4 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	for (unsigned skip = seed / 16 % 32; skip > 0 && at < size; skip--)
		at += event_bytes(data + at, size - at);
	if (at >= size)
		at = 1;
	n = event_bytes(data + at, size - at);
	if (seed % 4 == 1 && size + n <= max_size) {
		memmove(data + at + n, data + at, size - at);
		return size + n;
	}
	if (seed % 16 == 2) {
		memmove(data + at, data + at + n, size - at - n);
		return size - n;
	}
	n = MIN(n, sizeof(event));
	LLVMFuzzerMutate(data + at, n, n);
	if (n < sizeof(event))
		return size;
	memcpy(&event, data + at, sizeof(event));
	event.pc = CAPTURE_BASE + pcs[seed / 64 % G_N_ELEMENTS(pcs)];
	event.block_id = 0;
	event.warp = 0;
	event.kind = (uint8_t)(event.kind % (RAW_COPY + 1));
	if (RAW_ADDRESS_BYTES(event.kind) != 0)
		event.bytes = (uint8_t)(1 << (seed / 512 % 5));
	memcpy(data + at, &event, sizeof(event));
	return size;
}
#endif
