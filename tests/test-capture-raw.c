/* SPDX-License-Identifier: MIT */
/* The bytes of raw captures: read as they were written, turned around number by number, refused where they are damaged. */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "base/little.h"
#include "capture-tools.h"
#include "gpu/convert/raw-file.h"

/* A file number by number: as this machine has them, and each the other way round. */
typedef struct {
	GByteArray *raw, *turned;
	GArray *pieces; /* gsize: ends of what is turned only if all of it is there */
} Writer;

static Writer writer_new(void)
{
	return (Writer){g_byte_array_new(), g_byte_array_new(),
			g_array_new(FALSE, FALSE, sizeof(gsize))};
}

static void writer_clear(Writer *writer)
{
	g_byte_array_unref(writer->raw);
	g_byte_array_unref(writer->turned);
	g_array_unref(writer->pieces);
}

static void put(Writer *writer, uint64_t number, guint width)
{
	const uint8_t one = (uint8_t)number;
	const uint16_t two = (uint16_t)number;
	const uint32_t four = (uint32_t)number;
	const void *at = width == 1   ? (const void *)&one
			 : width == 2 ? (const void *)&two
			 : width == 4 ? (const void *)&four
				      : (const void *)&number;

	g_byte_array_append(writer->raw, at, width);
	for (guint i = width; i-- > 0;)
		g_byte_array_append(writer->turned, (const guint8 *)at + i, 1);
}

/* Numbers of these widths: "448". */
static void put_all(Writer *writer, const char *widths, const uint64_t *numbers)
{
	for (; *widths; widths++)
		put(writer, *numbers++, (guint)(*widths - '0'));
}

static void put_piece(Writer *writer)
{
	const gsize end = writer->raw->len;

	g_array_append_val(writer->pieces, end);
}

/* Takes the payload. */
static void put_chunk(Writer *writer, uint32_t kind, uint32_t launch, Writer payload)
{
	put_all(writer, "448", (const uint64_t[]){kind, launch, payload.raw->len});
	put_piece(writer);
	g_byte_array_append(writer->raw, payload.raw->data, payload.raw->len);
	g_byte_array_append(writer->turned, payload.turned->data, payload.turned->len);
	put_piece(writer);
	writer_clear(&payload);
}

static Writer start(uint32_t version)
{
	Writer writer = writer_new();

	for (int i = 0; i < 8; i++)
		put(&writer, (guint8)RAW_MAGIC[i], 1);
	put_all(&writer, "44", (const uint64_t[]){version, 0});
	put_piece(&writer);
	return writer;
}

#define N_LAUNCH_NUMBERS 14

/* The numbers of a launch of 2 x 3 x 4 blocks of 64 x 8 x 4 threads. */
static Writer launch_payload(const char *name)
{
	Writer payload = writer_new();
	const gsize n = strlen(name) + 1;

	put_all(&payload, "88444444444444",
		(const uint64_t[N_LAUNCH_NUMBERS]){0x123456789a, 0x7000, 2, 3, 4, 64, 8, 4, 1,
						   2, 1, 77, n, 0});
	for (gsize i = 0; i < (n + 7) / 8 * 8; i++)
		put(&payload, i < n ? (guint8)name[i] : 0, 1);
	return payload;
}

/* A sample of n of the launch's waves, and what n_waves of them had, of two blocks each; the last one `more` than these have. */
static Writer sample_payload(uint64_t wave_blocks, uint64_t n, guint n_waves, uint64_t more)
{
	Writer payload = writer_new();

	put_all(&payload, "88", (const uint64_t[]){wave_blocks, n});
	for (guint i = 0; i < n_waves; i++)
		put_all(&payload, "844",
			(const uint64_t[]){500 + 2 * i + (i == n_waves - 1 ? more : 0), 200 + i,
					   300 + i});
	return payload;
}

static Writer numbers(const char *widths, const uint64_t *values)
{
	Writer payload = writer_new();

	put_all(&payload, widths, values);
	return payload;
}

static Writer end_payload(uint64_t n_events)
{
	return numbers("88844", (const uint64_t[]){n_events, 2, 4096, 1, 0});
}

static void put_event(Writer *payload, uint64_t pc, guint kind, uint32_t mask, guint bytes,
		      uint32_t flags)
{
	const guint n_lanes = (guint)__builtin_popcount(mask), width = RAW_ADDRESS_BYTES(kind);
	const guint n_words = flags & RAW_VALUES ? (bytes + 3) / 4 * n_lanes : 0;

	put_all(payload, "88442114",
		(const uint64_t[]){pc, 5, mask, 0x10203, 7, kind, bytes, flags});
	for (guint i = 0; width && i < n_lanes; i++)
		put(payload, 0x1122334455667700 + 16 * i, width);
	while (payload->raw->len % 8)
		put(payload, 0, 1);
	for (guint i = 0; i < n_words; i++)
		put(payload, 0xa0b0c000 + i, 4);
	while (payload->raw->len % 8)
		put(payload, 0, 1);
}

static const uint32_t masks[] = {1, 0x80000000, 7, 0xf0f0f0f0, UINT32_MAX};
static const guint widths[] = {1, 2, 4, 8, 12, 16};

/* Each kind of event, of each width, of few lanes and many. Returns how many there are. */
static guint put_all_events(Writer *payload, guint last_kind)
{
	guint n = 0;

	for (guint kind = RAW_ENTER; kind <= last_kind; kind++)
		for (guint i = 0; i < G_N_ELEMENTS(masks); i++)
			for (guint k = 0; k < G_N_ELEMENTS(widths); k++)
				put_event(payload, 16 * n++, kind, masks[i], widths[k],
					  (i + k) % 2 ? RAW_READ | RAW_VALUES : RAW_READ);
	return n;
}

/* ---- Numbers turned around */

static Writer whole_file(void)
{
	Writer file = start(RAW_VERSION), events = writer_new(), none = writer_new();

	put_chunk(&file, RAW_CHUNK_LAUNCH, 3, launch_payload("kernel"));
	put_chunk(&file, RAW_CHUNK_MEMORY, 3, numbers("8888", (const uint64_t[]){1, 2, 3, 4}));
	put_chunk(&file, RAW_CHUNK_HISTORY, 3,
		  numbers("4411111111", (const uint64_t[]){9, 2, 4, 0x83, 0, 0, 0, 0, 0, 0}));
	put_chunk(&file, RAW_CHUNK_CODE, 3, numbers("44", (const uint64_t[]){12, 0}));
	put_chunk(&file, RAW_CHUNK_SAMPLE, 3,
		  numbers("88844844", (const uint64_t[]){2, 5, 9, 3, 4, 90, 30, 40}));
	put_chunk(&file, RAW_CHUNK_PARAMETERS, 3,
		  numbers("4411111111", (const uint64_t[]){0x210, 5, 1, 2, 3, 4, 5, 0, 0, 0}));
	/* As short as they may be. */
	put_chunk(&file, RAW_CHUNK_HISTORY, 3, numbers("44", (const uint64_t[]){9, 0}));
	put_chunk(&file, RAW_CHUNK_PARAMETERS, 3, numbers("44", (const uint64_t[]){0x210, 0}));
	put_chunk(&file, RAW_CHUNK_EVENTS, 3, none);
	put_all_events(&events, RAW_LOCAL_AT);
	put_chunk(&file, RAW_CHUNK_EVENTS, 3, events);
	/* What is too short, or not known, is left as it is. */
	for (guint kind = RAW_CHUNK_LAUNCH; kind <= RAW_CHUNK_SAMPLE + 1; kind++) {
		Writer cut = writer_new();

		for (guint i = 0;
		     kind != RAW_CHUNK_MEMORY && kind != RAW_CHUNK_CODE && i < 24 &&
		     !((kind == RAW_CHUNK_HISTORY || kind == RAW_CHUNK_PARAMETERS) && i > 3) &&
		     !(kind == RAW_CHUNK_SAMPLE && i > 7);
		     i++)
			put(&cut, i, 1);
		put_chunk(&file, kind, 3, cut);
	}
	put_chunk(&file, RAW_CHUNK_END, 3, end_payload(1));
	return file;
}

static void each_number_is_turned_and_nothing_else(void)
{
	Writer file = whole_file();
	const gsize n = file.raw->len;
	g_autofree guint8 *bytes = g_memdup2(file.raw->data, n);

	raw_turn(bytes, n, true);
	g_assert_cmpmem(bytes, n, file.turned->data, n);
	raw_turn(bytes, n, false);
	g_assert_cmpmem(bytes, n, file.raw->data, n);
	writer_clear(&file);
}

/* Of a file that is cut off everything that is whole. */
static void what_is_cut_off_is_left_as_it_is(void)
{
	Writer file = whole_file();
	g_autofree guint8 *bytes = g_malloc(file.raw->len);

	for (gsize n = 0; n < file.raw->len; n += n < 2048 ? 1 : 997) {
		gsize whole = 0;

		for (guint i = 0; i < file.pieces->len; i++)
			if (g_array_index(file.pieces, gsize, i) <= n)
				whole = g_array_index(file.pieces, gsize, i);
		memcpy(bytes, file.raw->data, file.raw->len);
		raw_turn(bytes, n, true);
		g_assert_cmpmem(bytes, whole, file.turned->data, whole);
		g_assert_cmpmem(bytes + whole, file.raw->len - whole, file.raw->data + whole,
				file.raw->len - whole);
	}
	writer_clear(&file);
}

/* Events up to the first that is none, or longer than what is left. */
static void events_are_turned_up_to_the_first_that_is_damaged(void)
{
	static const struct {
		guint kind;
		gsize cut;
	} rows[] = {{0, 0}, {RAW_LOCAL_AT + 1, 0}, {255, 0}, {RAW_GLOBAL, 8}, {RAW_GLOBAL, 16}};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Writer file = start(RAW_VERSION), events = writer_new();
		guint begin;

		put_event(&events, 1, RAW_SHARED, 0x7, 4, RAW_READ);
		begin = events.raw->len + 32;
		put_event(&events, 2, rows[i].kind, 0x7, 4, RAW_READ);
		g_byte_array_set_size(events.raw, events.raw->len - (guint)rows[i].cut);
		g_byte_array_set_size(events.turned, events.turned->len - (guint)rows[i].cut);
		put_chunk(&file, RAW_CHUNK_EVENTS, 0, events);

		g_autofree guint8 *bytes = g_memdup2(file.raw->data, file.raw->len);

		raw_turn(bytes, file.raw->len, true);
		/* Its head is turned, for it may be an event of a later version; what is behind it is not. */
		g_assert_cmpmem(bytes, begin + 32, file.turned->data, begin + 32);
		g_assert_cmpmem(bytes + begin + 32, file.raw->len - begin - 32,
				file.raw->data + begin + 32, file.raw->len - begin - 32);
		writer_clear(&file);
	}
}

/* ---- Read */

static GBytes *file_bytes(Writer file)
{
	GBytes *bytes = g_bytes_new(file.raw->data, file.raw->len);

	if (!LITTLE_IS_NATIVE) {
		g_bytes_unref(bytes);
		bytes = g_bytes_new(file.turned->data, file.turned->len);
	}
	writer_clear(&file);
	return bytes;
}

static void what_was_written_is_read(void)
{
	Writer file = start(RAW_VERSION);
	g_autoptr(GError) error = NULL;

	put_chunk(&file, RAW_CHUNK_LAUNCH, 3, launch_payload("seven77"));
	put_chunk(&file, RAW_CHUNK_LAUNCH, 4, launch_payload("other"));
	put_chunk(&file, RAW_CHUNK_MEMORY, 3, numbers("8888", (const uint64_t[]){1, 2, 3, 4}));
	put_chunk(&file, RAW_CHUNK_HISTORY, 3,
		  numbers("4411111111", (const uint64_t[]){9, 2, 4, 0x83, 0, 0, 0, 0, 0, 0}));
	put_chunk(&file, RAW_CHUNK_CODE, 4, numbers("44", (const uint64_t[]){12, 0}));
	put_chunk(&file, RAW_CHUNK_SAMPLE, 4, sample_payload(2, 5, 12, 0));
	put_chunk(&file, RAW_CHUNK_PARAMETERS, 3,
		  numbers("4411111111", (const uint64_t[]){0x210, 8, 1, 2, 3, 4, 5, 6, 7, 8}));
	put_chunk(&file, RAW_CHUNK_END, 4, end_payload(6));
	put_chunk(&file, RAW_CHUNK_END, 3, end_payload(5));

	g_autoptr(GBytes) bytes = file_bytes(file);
	g_autoptr(RawFile) read = raw_file_open_bytes("test.raw", bytes, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(read->version, ==, RAW_VERSION);
	g_assert_cmpuint(read->launches->len, ==, 2);

	const RawRecording *first = read->launches->pdata[0], *other = read->launches->pdata[1];

	g_assert_true(first->file == read);
	g_assert_cmpuint(first->number, ==, 3);
	g_assert_cmpstr(first->name, ==, "seven77");
	g_assert_cmpuint(first->launch->grid[2], ==, 4);
	g_assert_cmpuint(first->n_memory, ==, 2);
	g_assert_cmpuint(first->memory[1].address, ==, 3);
	g_assert_cmpuint(first->history->earlier_launches, ==, 9);
	g_assert_null(first->code);
	g_assert_cmpuint(first->parameters->offset, ==, 0x210);
	g_assert_cmpuint(first->end->n_events, ==, 5);
	g_assert_cmpuint(other->number, ==, 4);
	g_assert_cmpuint(other->n_memory, ==, 0);
	g_assert_null(other->memory);
	g_assert_null(other->history);
	g_assert_null(other->parameters);
	g_assert_cmpuint(other->code->new_kernels, ==, 12);
	g_assert_null(first->sample);
	g_assert_cmpuint(other->sample->wave_blocks, ==, 2);
	g_assert_cmpuint(((const RawWave *)(other->sample + 1))[11].most, ==, 311);
	g_assert_cmpuint(other->end->n_events, ==, 6);
}

/* All events of a launch in chunks, as they are; the number of those read before the error, if there is one. */
static guint read_events(Writer *chunks, guint n_chunks, uint32_t version, GError **error)
{
	Writer file = start(version);

	put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch_payload("k"));
	for (guint i = 0; i < n_chunks; i++)
		put_chunk(&file, RAW_CHUNK_EVENTS, 0, chunks[i]);

	g_autoptr(GBytes) bytes = file_bytes(file);
	g_autoptr(RawFile) read = raw_file_open_bytes("test.raw", bytes, NULL);
	RawCursor cursor = {.recording = read->launches->pdata[0]};
	const RawEvent *event;
	const void *addresses;
	guint n = 0;

	for (; raw_next_event(&cursor, &event, &addresses, error); n++) {
		const guint n_lanes = (guint)__builtin_popcount(event->mask);
		const guint width = RAW_ADDRESS_BYTES(event->kind);
		const uint32_t *values = raw_values(event);

		g_assert_cmpuint(event->pc, ==, 16 * n);
		for (guint i = 0; width && i < n_lanes; i++)
			g_assert_cmphex(raw_address(event, addresses, i), ==,
					(width == 4 ? 0x55667700 : 0x1122334455667700) +
						16 * i);
		g_assert_cmpint(values != NULL, ==, (event->flags & RAW_VALUES) != 0);
		for (guint i = 0; values && i < (event->bytes + 3u) / 4 * n_lanes; i++)
			g_assert_cmphex(values[i], ==, 0xa0b0c000 + i);
	}
	return n;
}

static void events_are_read_one_by_one(void)
{
	Writer chunks[] = {writer_new(), writer_new(), writer_new(), writer_new()};
	g_autoptr(GError) error = NULL;
	guint n = put_all_events(&chunks[1], RAW_LOCAL_AT);

	for (guint i = 0; i < 3; i++)
		put_event(&chunks[3], 16 * n++, RAW_GLOBAL, 5, 4, RAW_READ);
	g_assert_cmpuint(read_events(chunks, G_N_ELEMENTS(chunks), RAW_VERSION, &error), ==, n);
	g_assert_no_error(error);
}

static void damaged_events_are_refused(void)
{
	static const struct {
		guint kind;
		uint32_t mask, version;
		guint bytes, flags, cut;
		const char *words; /* NULL: it is an event */
	} rows[] = {
		{RAW_GLOBAL, 1, 4, 4, RAW_READ, 0, NULL},
		{RAW_GLOBAL, 0, 4, 4, RAW_READ, 0, "byte 168: this is no event"},
		{0, 1, 4, 4, 0, 0, "byte 168: this is no event"},
		{RAW_LOCAL, 1, 4, 4, 0, 0, NULL},
		{RAW_LOCAL_AT, 1, 4, 4, 0, 0, "byte 168: this is no event"},
		{RAW_LOCAL_AT, 1, 5, 4, 0, 0, NULL},
		{RAW_LOCAL_AT, 1, 5, 3, 0, 0, "byte 168: this is no event"},
		{RAW_LOCAL_AT + 1, 1, 5, 4, 0, 0, "byte 168: this is no event"},
		{RAW_COPY, 1, 1, 4, 0, 0, NULL},
		{RAW_COPY, 1, 1, 3, 0, 0, "byte 168: this is no event"},
		{RAW_SHUFFLE, 1, 1, 0, 0, 0, "byte 168: this is no event"},
		{RAW_SHUFFLE, 1, 2, 0, 0, 0, NULL},
		{RAW_SHARED, 1, 4, 0, 0, 0, "byte 168: this is no event"},
		{RAW_SHARED, 1, 4, 24, 0, 0, "byte 168: this is no event"},
		{RAW_SHARED, 1, 4, 3, RAW_READ, 0, NULL}, /* of a load of 4 */
		{RAW_SHARED, 1, 4, 17, RAW_READ, 0, "byte 168: this is no event"},
		{RAW_SHARED, 1, 4, 3, RAW_WRITE, 0, "byte 168: this is no event"},
		{RAW_SHARED, 1, 4, 3, RAW_READ | RAW_WRITE, 0, "byte 168: this is no event"},
		{RAW_EXIT, 1, 4, 16, RAW_VALUES, 0, NULL},
		{RAW_EXIT, 1, 4, 17, RAW_VALUES, 0, "byte 168: this is no event"},
		{RAW_EXIT, 1, 4, 17, 0, 0, NULL},
		{RAW_EXIT, 1, 4, 0, 0, 8, "byte 168: an event is cut off"},
		{RAW_GLOBAL, 3, 4, 4, RAW_READ, 8, "byte 168: an event is cut off"},
		{RAW_GLOBAL, 3, 4, 8, RAW_VALUES, 8, "byte 168: an event is cut off"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Writer chunk = writer_new();
		g_autoptr(GError) error = NULL;
		guint n;

		put_event(&chunk, 0, RAW_GLOBAL, 3, 4, RAW_READ);
		put_event(&chunk, 16, rows[i].kind, rows[i].mask, rows[i].bytes, rows[i].flags);
		g_byte_array_set_size(chunk.raw, chunk.raw->len - rows[i].cut);
		g_byte_array_set_size(chunk.turned, chunk.turned->len - rows[i].cut);
		n = read_events(&chunk, 1, rows[i].version, &error);
		g_test_message("row %u", i);
		g_assert_cmpuint(n, ==, rows[i].words ? 1 : 2);
		if (rows[i].words)
			capture_expect_error(error, rows[i].words);
		else
			g_assert_no_error(error);
	}
}

/* ---- Damaged files */

/* What opening a file says, NULL if nothing. Takes the file. */
static char *problem_of(Writer file)
{
	g_autoptr(GBytes) bytes = file_bytes(file);
	g_autoptr(GError) error = NULL;
	g_autoptr(RawFile) read = raw_file_open_bytes("test.raw", bytes, &error);

	g_assert_true((read == NULL) == (error != NULL));
	if (error)
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
	return error ? g_strdup(error->message) : NULL;
}

static void expect(Writer file, const char *words)
{
	g_autofree char *problem = problem_of(file);

	g_test_message("%s: %s", words ? words : "good", problem ? problem : "good");
	g_assert_cmpint(problem != NULL, ==, words != NULL);
	if (words)
		g_assert_nonnull(strstr(problem, words));
}

static void versions_are_told(void)
{
	static const char *const words = "this atomsim reads versions 1 to 6";

	expect(start(0), words);
	for (uint32_t version = 1; version <= RAW_VERSION; version++)
		expect(start(version), NULL);
	expect(start(RAW_VERSION + 1), words);
	for (guint i = 0; i < 8; i++) {
		Writer file = start(RAW_VERSION);

		file.raw->data[i] ^= 1;
		file.turned->data[i] ^= 1;
		expect(file, "byte 0: this is no raw capture");
	}
}

/* One number of the launch is another. */
static void impossible_launches_are_refused(void)
{
	static const char *const name = "byte 32: the launch's name is damaged";
	static const char *const shape = "byte 32: no GPU has such a grid or block";
	static const struct {
		guint at;
		uint32_t value;
		const char *words;
	} rows[] = {
		{16, 0, shape}, {20, 0, shape}, {24, 0, shape}, {16, UINT32_MAX, NULL},
		{28, 0, shape}, {32, 0, shape}, {36, 0, shape}, {28, 65, shape},
		{32, 9, shape}, {36, 5, shape}, {28, 1, NULL},	{28, UINT32_MAX, shape},
		{56, 0, name},	{56, 5, NULL},	{56, 4, name},	{56, 8, name},
		{56, 9, name},	{56, 6, name},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		Writer file = start(RAW_VERSION), launch = launch_payload("kern");

		for (guint k = 0; k < 4; k++) {
			launch.raw->data[rows[i].at + k] = ((const guint8 *)&rows[i].value)[k];
			launch.turned->data[rows[i].at + k] =
				((const guint8 *)&rows[i].value)[3 - k];
		}
		put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch);
		expect(file, rows[i].words);
	}

	Writer file = start(RAW_VERSION), launch = launch_payload("k\xff");

	put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch);
	expect(file, name);
	/* As many threads as an SM has, and one more. */
	for (guint more = 0; more < 2; more++) {
		file = start(RAW_VERSION);
		launch = writer_new();
		put_all(&launch, "88444444444444",
			(const uint64_t[N_LAUNCH_NUMBERS]){0, 0, 1, 1, 1, more ? 683 : 1024,
							   more ? 3 : 2, 1, 1, 1, 1, 0, 1, 0});
		put(&launch, 0, 8);
		put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch);
		expect(file, more ? shape : NULL);
	}
	/* One that ends in what is behind it. */
	file = start(RAW_VERSION);
	launch = writer_new();
	put_all(&launch, "88444444444444",
		(const uint64_t[N_LAUNCH_NUMBERS]){0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 9, 0});
	for (guint i = 0; i < 8; i++)
		put(&launch, 'k', 1);
	put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch);
	put_chunk(&file, 0, 0, writer_new());
	expect(file, name);
	/* Without any name. */
	file = start(RAW_VERSION);
	launch = launch_payload("k");
	g_byte_array_set_size(launch.raw, 64);
	g_byte_array_set_size(launch.turned, 64);
	put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch);
	expect(file, name);
}

/* A chunk behind those of a launch, or two of them. */
static void chunks_have_their_place_and_size(void)
{
	static const struct {
		uint32_t kind, launch;
		const char *
			widths; /* of the numbers 0x10 + i, or with `count` in the place of the second */
		uint64_t count;
		const char *words, *again; /* when there is one more */
	} rows[] = {
		{RAW_CHUNK_LAUNCH, 0, "", 0, "the launch's name is damaged", ""},
		{RAW_CHUNK_EVENTS, 0, "88", 0, NULL, NULL},
		{RAW_CHUNK_EVENTS, 1, "88", 0, "a chunk of no launch", ""},
		{RAW_CHUNK_MEMORY, 0, "88", 0, NULL, "an unknown kind of chunk"},
		{RAW_CHUNK_MEMORY, 0, "888", 0, "an unknown kind of chunk", ""},
		{RAW_CHUNK_CODE, 0, "44", 0, NULL, "an unknown kind of chunk"},
		{RAW_CHUNK_CODE, 0, "444", 0, "cut off", ""},
		{RAW_CHUNK_CODE, 0, "4444", 0, "an unknown kind of chunk", ""},
		{RAW_CHUNK_CODE, 0, "", 0, "an unknown kind of chunk", ""},
		{RAW_CHUNK_END, 0, "88844", 0, NULL, "a chunk of no launch"},
		{RAW_CHUNK_END, 0, "888", 0, "an unknown kind of chunk", ""},
		{RAW_CHUNK_END, 0, "888448", 0, "an unknown kind of chunk", ""},
		{RAW_CHUNK_PARAMETERS, 0, "448", 8, NULL, "an unknown kind of chunk"},
		{RAW_CHUNK_PARAMETERS, 0, "44", 0, NULL, "an unknown kind of chunk"},
		{RAW_CHUNK_PARAMETERS, 0, "448", 9, "parameters are cut off", ""},
		{RAW_CHUNK_PARAMETERS, 0, "", 0, "parameters are cut off", ""},
		{RAW_CHUNK_HISTORY, 0, "44", 0, NULL, "an unknown kind of chunk"},
		{RAW_CHUNK_HISTORY, 0, "", 0, "history of the memory is cut off", ""},
		{RAW_CHUNK_HISTORY, 0, "448", 1, "history of the memory is cut off", ""},
		{RAW_CHUNK_SAMPLE + 1, 0, "44", 0, "an unknown kind of chunk", ""},
		{0, 0, "44", 0, "an unknown kind of chunk", ""},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		for (guint n = 1; n <= 2 && (n == 1 || !rows[i].words); n++) {
			Writer file = start(RAW_VERSION);

			put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch_payload("k"));
			for (guint k = 0; k < n; k++) {
				const uint64_t values[] = {0x10, rows[i].count, 0x20, 0, 0, 0};

				put_chunk(&file, rows[i].kind, rows[i].launch,
					  numbers(rows[i].widths, values));
			}
			expect(file, n == 1 ? rows[i].words : rows[i].again);
		}
	for (guint beyond = 0; beyond <= 1; beyond++) {
		Writer file = start(RAW_VERSION);

		put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch_payload("k"));
		put_chunk(&file, RAW_CHUNK_PARAMETERS, 0,
			  numbers("448", (const uint64_t[]){65536 + beyond, 8, 0}));
		expect(file, beyond ? "begin beyond as many of their bank" : NULL);
	}
	/* Of the launch's 24 blocks: waves of 2, of which 5 are recorded, and 12 in all, once; and no others; and as
	   many events as the blocks of a wave can have. */
	for (guint n = 0; n < 10; n++) {
		static const guint rows_of_sample[][3] = {
			{2, 5, 12}, {2, 5, 12}, {2, 5, 11}, {2, 5, 13}, {0, 5, 12},
			{2, 4, 12}, {2, 6, 12}, {2, 7, 12}, {2, 5, 12}, {2, 5, 12}};
		const guint *row = rows_of_sample[n];
		Writer file = start(RAW_VERSION);

		put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch_payload("k"));
		for (guint k = 0; k < (n == 1 ? 2 : 1); k++)
			put_chunk(&file, RAW_CHUNK_SAMPLE, 0,
				  sample_payload(row[0], row[1], row[2],
						 n == 8	  ? 1
						 : n == 9 ? UINT64_MAX
							  : 0));
		expect(file, n == 1		? "an unknown kind of chunk"
			     : n == 8 || n == 9 ? "a wave of blocks cannot have these events"
			     : n == 0 || n == 6 ? NULL
						: "no launch has such a sample");
	}
	/* Two allocations: as many bytes of history, and no others. */
	for (guint n = 0; n < 12; n++) {
		Writer file = start(RAW_VERSION), history = writer_new();

		put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch_payload("k"));
		put_chunk(&file, RAW_CHUNK_MEMORY, 0,
			  numbers("8888", (const uint64_t[]){1, 2, 3, 4}));
		put_all(&history, n == 11 ? "44" : "448",
			(const uint64_t[]){0, n == 11 ? 2 : n, 0});
		put_chunk(&file, RAW_CHUNK_HISTORY, 0, history);
		expect(file, n == 2 ? NULL : "history of the memory is cut off");
	}
	/* A launch twice. */
	Writer file = start(RAW_VERSION);

	put_chunk(&file, RAW_CHUNK_LAUNCH, 5, launch_payload("k"));
	put_chunk(&file, RAW_CHUNK_LAUNCH, 4, launch_payload("k"));
	put_chunk(&file, RAW_CHUNK_LAUNCH, 5, launch_payload("k"));
	expect(file, "byte 208: a launch is there twice");
}

/* Between chunks a file may end, and only there. */
static void files_end_between_chunks(void)
{
	Writer file = start(RAW_VERSION);

	put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch_payload("k"));
	put_chunk(&file, RAW_CHUNK_EVENTS, 0, numbers("8888", (const uint64_t[]){1, 2, 3, 4}));
	put_chunk(&file, RAW_CHUNK_END, 0, end_payload(0));
	for (gsize n = 16; n <= file.raw->len; n++) {
		Writer cut = writer_new();
		bool whole = n == 16;

		for (guint i = 0; i < file.pieces->len; i += 2)
			whole |= g_array_index(file.pieces, gsize, i) == n;
		g_byte_array_append(cut.raw, file.raw->data, (guint)n);
		g_byte_array_append(cut.turned, file.turned->data, (guint)n);
		expect(cut, whole ? NULL : "the file is cut off");
	}
	writer_clear(&file);
}

static void files_are_opened_by_their_path(void)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-raw-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "events-1.raw", NULL);
	Writer file = start(RAW_VERSION);
	g_autoptr(GError) error = NULL;
	RawFile *read;

	g_assert_null(raw_file_open(path, &error));
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO);
	put_chunk(&file, RAW_CHUNK_LAUNCH, 0, launch_payload("k"));

	g_autoptr(GBytes) bytes = file_bytes(file);

	g_assert_true(g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
					  (gssize)g_bytes_get_size(bytes), NULL));
	read = raw_file_open(path, NULL);
	g_assert_nonnull(read);
	g_assert_cmpstr(read->path, ==, path);
	g_assert_cmpuint(read->launches->len, ==, 1);
	raw_file_free(read);
	g_unlink(path);
	g_rmdir(folder);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/raw/" #name, name)
	TEST(each_number_is_turned_and_nothing_else);
	TEST(what_is_cut_off_is_left_as_it_is);
	TEST(events_are_turned_up_to_the_first_that_is_damaged);
	TEST(what_was_written_is_read);
	TEST(events_are_read_one_by_one);
	TEST(damaged_events_are_refused);
	TEST(versions_are_told);
	TEST(impossible_launches_are_refused);
	TEST(chunks_have_their_place_and_size);
	TEST(files_end_between_chunks);
	TEST(files_are_opened_by_their_path);
#undef TEST
	return g_test_run();
}
