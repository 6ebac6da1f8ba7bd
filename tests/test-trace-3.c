/* SPDX-License-Identifier: MIT */
/* Version 3: blocks that refer to others come back record by record, and a bad reference is reported with its place. */
#include <string.h>
#include <sys/resource.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/little.h"
#include "trace-tools.h"
#include "trace/format.h"

#define BUFFER_BYTES (1u << 30)
#define METADATA     "{\"format\":2,\"buffers\":[{\"bytes\":1073741824},{\"bytes\":1073741824}]}"
#define N_WARPS	     2
#define N_RECORDS    24 /* of a warp, without its exit */

/* A kernel's records, and of each the class by which blocks move it. */
typedef struct {
	Record records[N_WARPS][N_RECORDS];
	uint32_t classes[N_WARPS][N_RECORDS];
} Program;

static void random_access(GRand *random, unsigned lanes, Record *record)
{
	static const uint8_t kinds[] = {RECORD_LDG, RECORD_STG, RECORD_LOCK, RECORD_UNLOCK};
	const LaneMask all = UINT64_MAX >> (64 - lanes);
	const uint32_t stride = (uint32_t)g_rand_int_range(random, 0, 3) * 4;
	const bool scattered = g_rand_boolean(random);

	*record = (Record){.kind = kinds[g_rand_int_range(random, 0, G_N_ELEMENTS(kinds))],
			   .width = 4,
			   .space = MEMORY_GLOBAL,
			   .buffer = (uint16_t)g_rand_int_range(random, 1, 3),
			   .mask = g_rand_boolean(random) ? all : random_wide(random) & all};
	record->mask = record->mask ? record->mask : 1;
	record->n_lanes = (uint8_t)__builtin_popcountll(record->mask);
	record->offset = BUFFER_BYTES / 2 + 4 * (uint32_t)g_rand_int_range(random, 0, 1000);
	for (unsigned i = 1; i < record->n_lanes; i++)
		record->address[i] = scattered ? 4 * (uint32_t)g_rand_int_range(random, 0, 5000)
					       : i * stride;
}

static void random_program(GRand *random, unsigned lanes, uint32_t n_classes, Program *program)
{
	for (uint32_t w = 0; w < N_WARPS; w++)
		for (uint32_t r = 0; r < N_RECORDS; r++) {
			Record *record = &program->records[w][r];

			random_access(random, lanes, record);
			if (g_rand_int_range(random, 0, 4) == 0)
				*record = (Record){.kind = RECORD_ALU, .count = 1 + r};
			program->classes[w][r] =
				(uint32_t)g_rand_int_range(random, 0, (gint32)n_classes);
		}
}

/* A record of a block that moves the classes of a program by these. */
static Record moved(const Program *program, uint32_t w, uint32_t r, const int32_t *shifts)
{
	Record record = program->records[w][r];

	record.offset += (uint64_t)(4 * (int64_t)shifts[program->classes[w][r]]);
	return record;
}

static uint32_t count_segments(const Record *record)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < record->n_lanes; i++) {
		bool seen = false;

		for (unsigned k = 0; k < i; k++)
			seen |= (record->offset + record->address[k]) >> 7 ==
				(record->offset + record->address[i]) >> 7;
		n += !seen;
	}
	return n;
}

static void assert_moved(const Record *wanted, const Record *found)
{
	g_assert_cmpuint(wanted->kind, ==, found->kind);
	if (wanted->kind == RECORD_ALU) {
		g_assert_cmpuint(wanted->count, ==, found->count);
		return;
	}
	g_assert_cmpuint(wanted->buffer, ==, found->buffer);
	g_assert_cmphex(wanted->mask, ==, found->mask);
	for (unsigned i = 0; i < wanted->n_lanes; i++)
		g_assert_cmpuint(wanted->offset + wanted->address[i], ==,
				 found->offset + found->address[i]);
	g_assert_cmpuint(found->count, ==, count_segments(wanted));
}

#define N_PROGRAMS 3
#define N_BLOCKS   60
#define N_CLASSES  5

/* A launch of blocks of several programs, the last ones moved by random shifts, the others evenly. */
typedef struct {
	Program programs[N_PROGRAMS];
	uint32_t program[N_BLOCKS];
	int32_t shifts[N_BLOCKS][N_CLASSES];
} Launch;

static Launch *random_launch(GRand *random, unsigned lanes)
{
	Launch *launch = g_new0(Launch, 1);

	for (uint32_t p = 0; p < N_PROGRAMS; p++)
		random_program(random, lanes, 1 + 2 * p, &launch->programs[p]);
	for (uint32_t b = 0; b < N_BLOCKS; b++) {
		launch->program[b] =
			b < 20 ? 2 : (uint32_t)g_rand_int_range(random, 0, N_PROGRAMS);
		/* First all alike, which later blocks part. */
		for (uint32_t c = 0; c < N_CLASSES; c++)
			launch->shifts[b][c] =
				b < 10	 ? 7 * (gint32)b
				: b < 20 ? (gint32)c * (gint32)b
					 : g_rand_int_range(random, -100000, 100000);
	}
	return launch;
}

static void append_warp(TraceWriter *writer, const Launch *launch, uint32_t b, uint32_t w)
{
	for (uint32_t r = 0; r < N_RECORDS; r++) {
		const Record record =
			moved(&launch->programs[launch->program[b]], w, r, launch->shifts[b]);

		trace_writer_append(writer, b, w, &record);
	}
}

/* Blocks are open side by side and end in an order of their own. */
static GBytes *write_launch(GRand *random, unsigned lanes, const Launch *launch)
{
	TraceWriter *writer = trace_writer_new_memory();
	uint32_t order[N_BLOCKS];

	trace_writer_set_version_2(writer, lanes);
	for (uint32_t b = 0; b < N_BLOCKS; b++) {
		const uint32_t other = (uint32_t)g_rand_int_range(random, 0, (gint32)b + 1);

		trace_writer_begin_block(writer, b, N_WARPS, 0);
		order[b] = order[other];
		order[other] = b;
	}
	for (uint32_t w = 0; w < N_WARPS; w++)
		for (uint32_t b = 0; b < N_BLOCKS; b++)
			append_warp(writer, launch, b, w);
	for (uint32_t b = 0; b < N_BLOCKS; b++)
		trace_writer_end_block(writer, order[b]);
	return trace_writer_finish_bytes(writer, METADATA);
}

static void assert_launch(TraceReader *reader, const Launch *launch)
{
	RecordSource *source = trace_source(reader);

	g_assert_cmpuint(source->n_blocks, ==, N_BLOCKS);
	g_assert_cmpuint(trace_n_records(reader), ==, N_BLOCKS * N_WARPS * (N_RECORDS + 1));
	for (uint32_t i = 0; i < N_BLOCKS * N_WARPS; i++) {
		const uint32_t b = i / N_WARPS, w = i % N_WARPS;
		WarpStream *stream = source->open_warp(source, b, w);
		BlockInfo info;
		Record record;

		source->block_info(source, b, &info);
		g_assert_cmpuint(info.block_id, ==, b);
		for (uint32_t r = 0; r < N_RECORDS; r++) {
			const Record wanted = moved(&launch->programs[launch->program[b]], w, r,
						    launch->shifts[b]);

			g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
			assert_moved(&wanted, &record);
		}
		g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
		g_assert_cmpint(stream->next(stream, &record), ==, STREAM_END);
		stream->close(stream);
	}
}

static void test_every_block_comes_back(void)
{
	for (uint32_t seed = 0; seed < 40; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		const unsigned lanes = seed % 2 ? 64 : 32;
		g_autofree Launch *launch = random_launch(random, lanes);
		g_autoptr(GRand) copy = g_rand_copy(random);
		g_autoptr(GBytes) bytes = write_launch(random, lanes, launch);
		g_autoptr(GBytes) again = write_launch(copy, lanes, launch);
		g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
		TraceSummary summary = {0};
		g_autofree char *problem = first_problem(bytes);

		g_assert_true(g_bytes_equal(bytes, again));
		g_assert_null(problem);
		g_assert_cmpuint(trace_version(reader), ==, 3);
		g_assert_cmpuint(trace_records_version(reader), ==, 2);
		assert_launch(reader, launch);
		for (uint32_t b = 0; b < N_BLOCKS; b++)
			g_assert_true(trace_summary_add(&summary, reader, b, NULL));
		g_assert_cmpuint(summary.n_stored, ==, N_PROGRAMS);
	}
}

/* Each of 20 accesses goes its own way: what they differ by would take more than the block. */
static void test_blocks_that_differ_in_many_ways_are_stored(void)
{
	TraceWriter *writer = trace_writer_new_memory();
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(GBytes) bytes = NULL;

	trace_writer_set_version_2(writer, 32);
	for (uint32_t b = 0; b < 3; b++) {
		trace_writer_begin_block(writer, b, 1, 0);
		for (uint32_t r = 0; r < 20; r++) {
			const Record record = {
				.kind = RECORD_LDG,
				.width = 4,
				.buffer = 1,
				.mask = 1,
				.n_lanes = 1,
				.offset = 4 * (uint32_t)g_rand_int_range(random, 0, 100000)};

			trace_writer_append(writer, b, 0, &record);
		}
		trace_writer_end_block(writer, b);
	}
	bytes = trace_writer_finish_bytes(writer, METADATA);
	reader = trace_open_bytes("test.bin", bytes, NULL);
	g_assert_cmpuint(trace_version(reader), ==, 2);
}

/* Two blocks that are equal and larger than what is held to be compared. */
static void test_large_blocks_are_stored_as_they_come(void)
{
	const uint32_t n = 300000;
	TraceWriter *writer = trace_writer_new_memory();
	g_autoptr(TraceReader) reader = NULL;
	g_autofree char *problem = NULL;
	g_autoptr(GBytes) bytes = NULL;

	for (uint32_t b = 0; b < 2; b++) {
		trace_writer_begin_block(writer, b, 2, 0);
		for (uint32_t r = 0; r < n; r++) {
			const Record record = {.kind = RECORD_ALU, .count = 300 + r};

			trace_writer_append(writer, b, r % 2, &record);
		}
		trace_writer_end_block(writer, b);
	}
	bytes = trace_writer_finish_bytes(writer, "{}");
	reader = trace_open_bytes("test.bin", bytes, NULL);
	problem = first_problem(bytes);
	g_assert_null(problem);
	g_assert_cmpuint(trace_version(reader), ==, 1);
	g_assert_cmpuint(trace_n_records(reader), ==, 2 * (n + 2));
}

/* --- Equal blocks --- */

/* Blocks of one load and one more record, block b moved by shifts[b]. */
static GBytes *shifted_blocks(const uint32_t *shifts, uint32_t n, bool lock)
{
	TraceWriter *writer = trace_writer_new_memory();

	trace_writer_set_version_2(writer, 32);
	for (uint32_t b = 0; b < n; b++) {
		Record record = {.kind = RECORD_LDG,
				 .width = 4,
				 .buffer = 1,
				 .space = MEMORY_GLOBAL,
				 .mask = 3,
				 .n_lanes = 2,
				 .offset = shifts[b],
				 .address = {0, 4}};

		trace_writer_begin_block(writer, b, 1, 0);
		trace_writer_append(writer, b, 0, &record);
		record.kind = RECORD_LOCK;
		if (lock)
			trace_writer_append(writer, b, 0, &record);
		record.kind = RECORD_UNLOCK;
		if (lock)
			trace_writer_append(writer, b, 0, &record);
		trace_writer_end_block(writer, b);
	}
	return trace_writer_finish_bytes(writer, METADATA);
}

static void test_what_refers_is_equal_if_it_may_be(void)
{
	/* The one that is moved by 124 touches two segments. */
	static const uint32_t shifts[] = {0, 0, 256, 64, 124, 256, 124};
	static const uint64_t records[] = {0, 0, 2, 3, 4, 2, 4};
	static const uint64_t places[] = {0, 0, 0, 0, 4, 0, 4};

	for (unsigned lock = 0; lock < 2; lock++) {
		g_autoptr(GBytes) bytes =
			shifted_blocks(shifts, G_N_ELEMENTS(shifts), lock == 1);
		g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
		RecordSource *source = trace_source(reader);

		g_assert_cmpuint(trace_version(reader), ==, 3);
		for (uint64_t b = 0; b < source->n_blocks; b++) {
			g_assert_cmpuint(source->same_block(source, b, EQUAL_RECORDS), ==,
					 records[b]);
			g_assert_cmpuint(source->same_block(source, b, EQUAL_BUT_PLACES), ==,
					 lock ? records[b] : places[b]);
		}
	}
}

/* --- Bad files --- */

/* The file with other references, their place and checksums made right. */
static GBytes *with_references(GBytes *whole, const uint8_t *references, size_t n,
			       const TraceIndexEntry *entry, const TraceReferences *lie)
{
	gsize length;
	const uint8_t *data = g_bytes_get_data(whole, &length);
	GByteArray *file = g_byte_array_new();
	TraceTail tail;
	TraceIndexEntry index;

	memcpy(&tail, data + length - sizeof tail, sizeof tail);
	little_fields(&tail, TRACE_TAIL_LAYOUT);
	memcpy(&index, data + tail.footer.index_offset, sizeof index);
	little_fields(&index, TRACE_INDEX_ENTRY_LAYOUT);
	index.n_records = entry ? entry->n_records : index.n_records;
	g_byte_array_append(file, data, (guint)tail.references.offset);
	g_byte_array_append(file, references, (guint)n);
	tail.references.bytes = n;
	tail.references.xxh64 = XXH64(references, n, 0);
	tail.references.records = lie ? lie->records : tail.references.records;
	tail.references.reserved = lie ? lie->reserved : 0;
	tail.references.offset += lie ? lie->offset : 0;
	tail.footer.index_offset = file->len;
	little_fields(&index, TRACE_INDEX_ENTRY_LAYOUT);
	tail.footer.index_xxh64 = XXH64(&index, sizeof index, 0);
	little_fields(&tail, TRACE_TAIL_LAYOUT);
	tail.footer.footer_xxh64 = little_64(XXH64(&tail, sizeof tail - 16, 0));
	g_byte_array_append(file, (const guint8 *)&index, sizeof index);
	g_byte_array_append(file, (const guint8 *)&tail, sizeof tail);
	return g_byte_array_free_to_bytes(file);
}

static GBytes *two_blocks(void)
{
	static const uint32_t shifts[] = {0, 4096};

	return shifted_blocks(shifts, 2, false);
}

#define BYTES(...)                                                                             \
	.bytes = (const uint8_t[]){__VA_ARGS__}, .n = sizeof((const uint8_t[]){__VA_ARGS__})

static void test_bad_references_are_reported(void)
{
	/* One stored block, of 2 records; a good reference to it is 1, 0, 1; 1; 1, 1, 0, SHIFT. */
	const struct {
		const uint8_t *bytes;
		size_t n;
		const char *problem;
	} cases[] = {
		{BYTES(1), "references between blocks: they are cut off"},
		{BYTES(1, 0, 1, 1, 1, 1), "they are cut off"},
		{BYTES(1, 0, 1, 1, 1, 1, 0, 0x80), "they are cut off"},
		{BYTES(1, 0, 1, 1, 1, 1, 0, 0, 0), "bytes follow the last span"},
		{BYTES(2, 0, 1, 0, 1, 0), "more blocks are referred to than are stored"},
		{BYTES(1, 1, 1, 0), "a block is referred to that is not stored"},
		{BYTES(1, 0, 17, 0), "a block has more than 16 classes"},
		{BYTES(1, 0, 2, 0, 2, 0), "a class that the block does not have"},
		{BYTES(1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0x1f, 0, 0), "a piece of 2^32 records"},
		{BYTES(1, 0, 1, 1, 1, 0, 0, 0), "a span of no blocks"},
		{BYTES(1, 0, 1, 1, 0, 1, 0, 0), "a block is stored and refers to another"},
		{BYTES(1, 0, 1, 1, 1, 0x81, 0x80, 0x80, 8, 0, 0, 0),
		 "more than 16777216 blocks"},
		{BYTES(1, 0, 0, 2, 1, 0x80, 0x80, 0x80, 8, 0, 0, 1, 0),
		 "more than 16777216 blocks"},
		{BYTES(1, 0, 1, 1, 1, 1, 1, 0), "a block that is not in their list"},
		{BYTES(0, 1, 1, 1, 0), "a block that is not in their list"},
		{BYTES(1, 0, 1, 1, 1, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2),
		 "a shift of 2^42 bytes or more"},
		{BYTES(1, 0, 1, 1, 1, 5, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1),
		 "a shift of 2^42 bytes or more"},
		{BYTES(1, 0, 1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 0,
		       0),
		 "a block's number of 2^63 or more"},
		{BYTES(1, 0, 1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1,
		       0, 0),
		 "a number is longer than 9 bytes"},
		{BYTES(1, 0, 1, 1, 1, 1, 0, 7),
		 "block 1 warp 0 record 0 (byte 0 of its segment): "
		 "the block's reference moves it out of its buffer"},
		{BYTES(1, 0, 1, 1, 1, 1, 0, 4),
		 "the block's reference moves it by no multiple of its width"},
		{BYTES(1, 0, 1, 1, 1, 1, 0, 0x80, 0x80, 0x80, 0x80, 8),
		 "the block's reference moves it out of its buffer"},
	};
	g_autoptr(GBytes) whole = two_blocks();

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GBytes) bytes =
			with_references(whole, cases[i].bytes, cases[i].n, NULL, NULL);

		assert_problem(bytes, cases[i].problem);
	}
}

/* What a small file stands for is bounded, and costs nothing until it is read. */
static void test_a_small_file_stays_small(void)
{
	static const uint8_t many[] = {1, 0, 1, 1, 1, 0x80, 0x80, 0x80, 8, 0, 0, 0};
	static const TraceIndexEntry long_block = {.n_records = (1u << 16) + 1};
	g_autoptr(GBytes) whole = two_blocks();
	g_autoptr(GBytes) bytes = with_references(whole, many, sizeof many, NULL, NULL);
	g_autoptr(GBytes) longer = with_references(whole, many, sizeof many, &long_block, NULL);
	g_autoptr(TraceReader) reader = NULL;
	struct rusage before, after;
	WarpStream *stream;
	Record record;

	g_assert_cmpint(getrusage(RUSAGE_SELF, &before), ==, 0);
	reader = trace_open_bytes("test.bin", bytes, NULL);
	g_assert_nonnull(reader);
	g_assert_cmpuint(trace_source(reader)->n_blocks, ==, TRACE_MAX_REFERRING + 1);
	stream = trace_source(reader)->open_warp(trace_source(reader), TRACE_MAX_REFERRING, 0);
	g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
	stream->close(stream);
	g_assert_cmpint(getrusage(RUSAGE_SELF, &after), ==, 0);
	g_assert_cmpint(after.ru_maxrss - before.ru_maxrss, <, 1 << 14); /* KiB */
	assert_problem(longer, "blocks that refer to others have more than 2^40 records");
}

static void test_a_footer_that_lies_is_reported(void)
{
	static const uint8_t good[] = {1, 0, 1, 1, 1, 1, 0, 0};
	static const struct {
		TraceReferences lie;
		const char *problem;
	} cases[] = {
		{{.records = 3}, "records of version 3; 1 and 2 are allowed"},
		{{.records = 0}, "records of version 0; 1 and 2 are allowed"},
		{{.records = 2, .reserved = 1}, "records of version 2; 1 and 2 are allowed"},
		{{.records = 2, .offset = 1}, "do not end at the index"},
	};
	g_autoptr(GBytes) whole = two_blocks();

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GBytes) bytes =
			with_references(whole, good, sizeof good, NULL, &cases[i].lie);

		assert_problem(bytes, cases[i].problem);
	}
}

static void test_every_bit_and_byte_counts(void)
{
	g_autoptr(GBytes) whole = two_blocks();

	assert_damage_is_reported(whole);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-3/every block comes back", test_every_block_comes_back);
	g_test_add_func("/trace-3/blocks that differ in many ways are stored",
			test_blocks_that_differ_in_many_ways_are_stored);
	g_test_add_func("/trace-3/large blocks are stored as they come",
			test_large_blocks_are_stored_as_they_come);
	g_test_add_func("/trace-3/what refers is equal if it may be",
			test_what_refers_is_equal_if_it_may_be);
	g_test_add_func("/trace-3/bad references are reported",
			test_bad_references_are_reported);
	g_test_add_func("/trace-3/a small file stays small", test_a_small_file_stays_small);
	g_test_add_func("/trace-3/a footer that lies is reported",
			test_a_footer_that_lies_is_reported);
	g_test_add_func("/trace-3/every bit and byte counts", test_every_bit_and_byte_counts);
	return g_test_run();
}
