/* SPDX-License-Identifier: MIT */
/*
 * `capture --from FOLDER` as a whole: facts, machine code and events in a folder become traces, and each trace that is
 * made is good and replays on an H200 under the laws of ../laws.h. The input:
 *   a byte  bit 0: as --raw; bit 1: events stay as they are (AS_IS); bits 2 to 3: less one than the version of the events
 *   facts up to a NUL, machine code up to a NUL
 *   launches, each a Head, `n_memory` RawMemory, parameters, events
 * What a fuzzer cannot guess is made right around them: lengths, counts, places of blocks, that each warp starts and ends and no
 * lane acts before or after, that a program counter is one of the code.
 */
#include "fuzz-tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/output.h"
#include "config/config.h"
#include "gpu/convert/convert.h"
#include "replay/replay.h"

#include "../laws.h"

#define AS_RAW		 1
#define AS_IS		 2
#define MAX_LAUNCHES	 3
#define MAX_WARPS	 4
#define MAX_BLOCKS	 4
#define BASE		 0x7000 /* program counter of each function */
#define MAX_INSTRUCTIONS 4000	/* of a trace that is replayed: a record can stand for 2^32 */
#define MAX_TELLS	 3000 /* times that a run tells how far it is: the longest are given up */

typedef struct {
	uint8_t grid[3], block[3]; /* block[0] in 16 threads */
	uint8_t cluster, function, n_memory;
	uint8_t two_chunks;	    /* of events */
	uint16_t parameters_offset; /* in bytes */
	uint16_t parameters_bytes, events_bytes;
} Head;

/* --- The events file --- */

typedef struct {
	const SassFunction *function;
	RawLaunch launch;
	uint32_t number, n_warps, n_blocks;
	uint32_t entered[MAX_BLOCKS * MAX_WARPS], exited[MAX_BLOCKS * MAX_WARPS];
	GByteArray *events;
	uint64_t n_events;
	guint last; /* byte where the last event begins */
} Made;

static void put(GByteArray *bytes, const void *data, size_t size)
{
	g_byte_array_append(bytes, data, (guint)size);
	while (bytes->len % 8 != 0)
		g_byte_array_append(bytes, (const guint8 *)"", 1);
}

static void put_chunk(GByteArray *file, RawChunkKind kind, uint32_t launch, const void *data,
		      size_t size)
{
	const RawChunkHeader header = {
		.kind = kind, .launch = launch, .bytes = (size + 7) / 8 * 8};

	put(file, &header, sizeof(header));
	put(file, data, size);
}

static void put_event(Made *made, const RawEvent *event, const void *payload, size_t size)
{
	made->last = made->events->len;
	put(made->events, event, sizeof(*event));
	put(made->events, payload, size);
	made->n_events++;
}

static void put_whole_warp(Made *made, uint32_t warp, RawEventKind kind, uint32_t mask)
{
	RawEvent event = {.pc = BASE,
			  .block_id = warp / made->n_warps,
			  .warp = (uint16_t)(warp % made->n_warps),
			  .mask = mask,
			  .kind = (uint8_t)kind,
			  .detail = kind == RAW_ENTER ? 4096 : 0};

	if (mask == 0)
		return;
	for (guint i = 0; kind == RAW_EXIT && i < made->function->instructions->len; i++) {
		const SassInstruction *instruction = sass_instruction(made->function, (int)i);

		if (instruction->flow == SASS_EXIT)
			event.pc = BASE + instruction->offset;
	}
	put_event(made, &event, NULL, 0);
}

/* What is no event of the launch becomes one. FALSE: no lane is left that could act. */
static gboolean make_right(Made *made, RawEvent *event)
{
	const GArray *code = made->function->instructions;
	uint32_t warp;

	event->block_id %= made->n_blocks;
	event->warp %= (uint16_t)made->n_warps;
	event->kind = (uint8_t)(event->kind % (RAW_LOCAL_AT + 1));
	if (event->kind == 0)
		event->kind = RAW_SHARED;
	event->bytes = event->bytes > 16 ? 4 : event->bytes;
	if ((event->bytes & (event->bytes - 1)) != 0 || event->bytes == 0)
		event->bytes = 4;
	if (sass_find(made->function, event->pc - BASE) < 0 && code->len > 0)
		event->pc = BASE +
			    sass_instruction(made->function, (int)(event->pc / 16 % code->len))
				    ->offset;
	warp = (uint32_t)event->block_id * made->n_warps + event->warp;
	if (event->kind == RAW_ENTER)
		event->mask &= ~made->entered[warp];
	else if (made->entered[warp] == 0) {
		put_whole_warp(made, warp, RAW_ENTER, UINT32_MAX);
		made->entered[warp] = UINT32_MAX;
	}
	if (event->kind == RAW_ENTER && made->exited[warp] == made->entered[warp] &&
	    made->entered[warp] != 0)
		return FALSE;
	if (event->kind != RAW_ENTER)
		event->mask &= made->entered[warp] & ~made->exited[warp];
	if (event->kind == RAW_ENTER)
		made->entered[warp] |= event->mask;
	if (event->kind == RAW_EXIT)
		made->exited[warp] |= event->mask;
	return event->mask != 0;
}

static void put_events(Made *made, const uint8_t *data, size_t size)
{
	static const uint8_t zeros[8 * RAW_MAX_EVENT_UNITS];

	while (size >= sizeof(RawEvent)) {
		RawEvent event;
		size_t n;

		memcpy(&event, data, sizeof(event));
		data += sizeof(event);
		size -= sizeof(event);
		n = RAW_EVENT_BYTES(event.kind, event.flags, MIN(event.bytes, 16),
				    (guint)__builtin_popcount(event.mask)) -
		    sizeof(event);
		n = MIN(n, size);
		if (make_right(made, &event)) {
			size_t needed = RAW_EVENT_BYTES(event.kind, event.flags, event.bytes,
							(guint)__builtin_popcount(event.mask)) -
					sizeof(event);

			put_event(made, &event, data, MIN(n, needed));
			if (n < needed)
				put(made->events, zeros, needed - (MIN(n, needed) + 7) / 8 * 8);
		}
		data += n;
		size -= n;
	}
	for (uint32_t warp = 0; warp < made->n_warps * made->n_blocks; warp++) {
		if (made->entered[warp] == 0)
			put_whole_warp(made, warp, RAW_ENTER, made->entered[warp] = UINT32_MAX);
		put_whole_warp(made, warp, RAW_EXIT, made->entered[warp] & ~made->exited[warp]);
	}
}

static void put_launch(GByteArray *file, Made *made)
{
	const char *name = made->function->name;
	g_autoptr(GByteArray) launch = g_byte_array_new();

	made->launch.name_bytes = (uint32_t)strlen(name) + 1;
	g_byte_array_append(launch, (const guint8 *)&made->launch, sizeof(made->launch));
	g_byte_array_append(launch, (const guint8 *)name, made->launch.name_bytes);
	put_chunk(file, RAW_CHUNK_LAUNCH, made->number, launch->data, launch->len);
}

static void set_shape(Made *made, const Head *head)
{
	made->launch = (RawLaunch){
		.function_pc = BASE,
		.grid = {1 + head->grid[0] % 2, 1 + head->grid[1] % 2, 1},
		.block = {16 * (1 + head->block[0] % 4), 1 + head->block[1] % 2, 1},
		.cluster = {head->cluster % 3, 1, 1},
	};
	made->n_blocks = made->launch.grid[0] * made->launch.grid[1];
	made->n_warps = (made->launch.block[0] * made->launch.block[1] + 31) / 32;
}

static size_t take(const uint8_t **data, size_t *size, size_t wanted)
{
	size_t n = MIN(wanted, *size);

	*data += n;
	*size -= n;
	return n;
}

/* The launch that begins at *data, which moves behind it. */
static void put_recording(GByteArray *file, const Sass *sass, uint32_t number, gboolean as_is,
			  const uint8_t **data, size_t *size)
{
	g_autoptr(GByteArray) events = g_byte_array_new();
	Made made = {.number = number, .events = events};
	RawEnd end = {.buffer_bytes = 4096};
	g_autofree uint8_t *parameters = NULL;
	RawParameters what;
	const uint8_t *at;
	size_t n, half;
	Head head;

	memcpy(&head, *data, sizeof(head));
	take(data, size, sizeof(head));
	made.function =
		g_ptr_array_index(sass->functions, head.function % sass->functions->len);
	set_shape(&made, &head);
	put_launch(file, &made);
	at = *data;
	n = take(data, size, head.n_memory % 8 * sizeof(RawMemory));
	if (n > 0)
		put_chunk(file, RAW_CHUNK_MEMORY, number, at,
			  n / sizeof(RawMemory) * sizeof(RawMemory));
	at = *data;
	n = take(data, size, head.parameters_bytes % 1024);
	what = (RawParameters){.offset = head.parameters_offset, .bytes = (uint32_t)n};
	parameters = g_malloc(sizeof(what) + n);
	memcpy(parameters, &what, sizeof(what));
	memcpy(parameters + sizeof(what), at, n);
	if (n > 0)
		put_chunk(file, RAW_CHUNK_PARAMETERS, number, parameters, sizeof(what) + n);
	at = *data;
	n = take(data, size, head.events_bytes);
	if (as_is)
		g_byte_array_append(events, at, (guint)n);
	else
		put_events(&made, at, n);
	half = head.two_chunks % 2 == 0 ? 0 : made.last;
	if (half > 0)
		put_chunk(file, RAW_CHUNK_EVENTS, number, events->data, half);
	put_chunk(file, RAW_CHUNK_EVENTS, number, half > 0 ? events->data + half : events->data,
		  events->len - half); /* data may be NULL */
	end.n_events = as_is ? head.events_bytes / sizeof(RawEvent) : made.n_events;
	put_chunk(file, RAW_CHUNK_END, number, &end, sizeof(end));
}

static GByteArray *events_file(const uint8_t *data, size_t size, const char *code,
			       uint8_t flags)
{
	const RawFileHeader header = {.magic = RAW_MAGIC,
				      .version = 1 + (flags >> 2 & 7) % RAW_VERSION};
	g_autoptr(Sass) sass = sass_parse(code);
	GByteArray *file = g_byte_array_new();

	put(file, &header, sizeof(header));
	for (uint32_t i = 0;
	     i < MAX_LAUNCHES && size >= sizeof(Head) && sass->functions->len > 0; i++)
		put_recording(file, sass, i, (flags & AS_IS) != 0, &data, &size);
	return file;
}

/* --- What must hold of a trace --- */

static const Config *h200(void)
{
	static Config *config;

	if (config == NULL) {
		static const char *const settings[] = {"sim.watchdog_cycles=20000", NULL};
		g_autofree char *path =
			g_build_filename(g_getenv("SOURCE"), "configs", "h200.json", NULL);
		g_autoptr(GError) error = NULL;

		config = config_load(path, settings, &error);
		g_assert_no_error(error);
	}
	return config;
}

static void must_be_null(char *problem)
{
	if (problem == NULL)
		return;
	g_printerr("a law is broken: %s\n", problem);
	abort(); /* a signal that libFuzzer takes for a crash, unlike g_error's */
}

static bool tell(void *data, uint64_t done, uint64_t all)
{
	unsigned *n_tells = data;

	(void)done;
	(void)all;
	return ++*n_tells < MAX_TELLS;
}

static void replay(TraceReader *reader, const TraceSummary *summary)
{
	unsigned n_tells = 0;
	Replay request = {.machine = config_machine(h200()),
			  .reader = reader,
			  .seed = 1,
			  .sites = true,
			  .n_threads = 1,
			  .progress = tell,
			  .progress_data = &n_tells};
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;
	gboolean good = replay_run(&request, &result, &error);

	fuzz_check_error(good, error);
	if (!good)
		return;
	must_be_null(laws_broken(&result.run, result.sites));
	must_be_null(laws_not_of_trace(&result.run, summary,
				       trace_source(reader)->kernel.dataflow != NULL));
	must_be_null(laws_too_short(request.machine, &result.run));
}

static void check_trace(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = NULL;
	TraceSummary summary = {0};
	char *bytes;
	gsize size;

	g_assert(g_file_get_contents(path, &bytes, &size, NULL));
	g_autoptr(GBytes) trace = g_bytes_new_take(bytes, size);

	fuzz_check_trace(trace);
	reader = trace_open_bytes("fuzz", trace, &error);
	g_assert_no_error(error);
	for (uint64_t block = 0; block < trace_source(reader)->n_blocks; block++)
		g_assert(trace_summary_add(&summary, reader, block, NULL));
	if (summary.instructions <= MAX_INSTRUCTIONS)
		replay(reader, &summary);
}

/* --- The folder --- */

static char *folder;

static void remove_folder(void)
{
	output_folder_remove(folder);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, (const char *)bytes, (gssize)size, &error);
	g_assert_no_error(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *code, *launches, *end = data + size;
	g_autoptr(GByteArray) events = NULL;
	g_autoptr(GPtrArray) traces = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *output = NULL;

	if (folder == NULL) {
		folder = output_folder_new("fuzz", NULL);
		g_assert(folder != NULL);
		atexit(remove_folder);
	}
	if (size < 2 || (code = memchr(data + 1, '\0', size - 1)) == NULL ||
	    (launches = memchr(code + 1, '\0', (size_t)(end - code - 1))) == NULL)
		return 0;
	events = events_file(launches + 1, (size_t)(end - launches - 1), (const char *)code + 1,
			     data[0]);
	write_file("facts", data + 1, (size_t)(code - data - 1));
	write_file("module-7-0.sass", code + 1, (size_t)(launches - code - 1));
	write_file("events-7.raw", events->data, events->len);
	output = g_build_filename(folder, "t.bin", NULL);
	traces = convert_folder(folder, output, (data[0] & AS_RAW) != 0, &error);
	fuzz_check_error(traces != NULL, error);

	for (guint i = 0; traces != NULL && i < traces->len; i++) {
		const ConvertedTrace *trace = g_ptr_array_index(traces, i);

		g_assert((trace->path == NULL) == (trace->problem != NULL));
		if (trace->path == NULL)
			continue;
		check_trace(trace->path);
		g_unlink(trace->path);
	}
	return 0;
}

#ifdef ATOMSIM_FUZZING
/* --- Mutation by whole lines and events --- */

typedef struct {
	uint8_t *data;
	size_t size, max_size;
} Input;

/* Makes room for, or takes away, bytes at `at`. FALSE: there is no room. */
static gboolean resize(Input *input, size_t at, size_t old, size_t new)
{
	if (input->size - old + new > input->max_size)
		return FALSE;
	memmove(input->data + at + new, input->data + at + old, input->size - at - old);
	input->size += new - old;
	return TRUE;
}

/* A part is copied behind itself, dropped, exchanged for the next, or changed within. */
static void change_part(Input *input, size_t at, size_t n, size_t within, unsigned how)
{
	g_autofree uint8_t *copy = g_memdup2(input->data + at, n);

	if (n == 0) /* no line: an input without code, whose copy would be NULL */
		return;
	if (how % 4 == 0 && resize(input, at, 0, n))
		memcpy(input->data + at, copy, n);
	else if (how % 4 == 1)
		resize(input, at, n, 0);
	else if (how % 4 == 2 && at + 2 * n <= input->size) {
		memmove(input->data + at, input->data + at + n, n);
		memcpy(input->data + at + n, copy, n);
	} else
		LLVMFuzzerMutate(input->data + at, MIN(n, within), MIN(n, within));
}

static void change_line(Input *input, size_t begin, size_t end, unsigned seed)
{
	size_t at = begin, next;

	for (unsigned skip = seed / 32 % 256; skip > 0; skip--) {
		const uint8_t *line = memchr(input->data + at, '\n', end - at);

		at = line == NULL || (size_t)(line - input->data) + 1 >= end
			     ? begin
			     : (size_t)(line - input->data) + 1;
	}
	next = at;
	while (next < end && input->data[next++] != '\n')
		;
	change_part(input, at, next - at, next - at, seed / 8);
}

/* An event of the last launches, whose length follows. */
static void change_event(Input *input, size_t at, unsigned seed)
{
	Head head;
	size_t begin, end, before = input->size;

	if (input->size - at < sizeof(head))
		return;
	memcpy(&head, input->data + at, sizeof(head));
	begin = at + sizeof(head) + head.n_memory % 8 * sizeof(RawMemory) +
		head.parameters_bytes % 1024;
	end = begin + head.events_bytes;
	if (end < input->size && seed % 2 == 0) {
		change_event(input, end, seed / 2);
		return;
	}
	for (unsigned skip = seed / 32 % 64;; skip--) {
		RawEvent event;
		size_t n;

		if (begin + sizeof(event) > MIN(end, input->size))
			return;
		memcpy(&event, input->data + begin, sizeof(event));
		n = RAW_EVENT_BYTES(event.kind, event.flags, MIN(event.bytes, 16),
				    (guint)__builtin_popcount(event.mask));
		n = MIN(n, MIN(end, input->size) - begin);
		if (skip > 0 && begin + n + sizeof(event) <= MIN(end, input->size)) {
			begin += n;
			continue;
		}
		change_part(input, begin, n, sizeof(event), seed / 8);
		break;
	}
	head.events_bytes = (uint16_t)(head.events_bytes + input->size - before);
	memcpy(input->data + at, &head, sizeof(head));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	Input input = {data, size, max_size};
	const uint8_t *code = size < 2 ? NULL : memchr(data + 1, '\0', size - 1);
	const uint8_t *launches =
		code == NULL ? NULL : memchr(code + 1, '\0', (size_t)(data + size - code - 1));

	if (launches == NULL || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	if (seed % 8 == 1)
		change_line(&input, 1, (size_t)(code - data), seed);
	else if (seed % 8 < 4)
		change_line(&input, (size_t)(code + 1 - data), (size_t)(launches - data), seed);
	else
		change_event(&input, (size_t)(launches + 1 - data), seed);
	return input.size;
}
#endif
