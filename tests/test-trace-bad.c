/* SPDX-License-Identifier: MIT */
/* Bad traces: cut, flipped, lying. Each is reported with its place, and none crashes. */
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "base/little.h"
#include "trace-tools.h"
#include "trace/codec.h"

static void test_every_bit_and_byte_counts(void)
{
	g_autoptr(GBytes) whole = make_trace(2, 2, 2, 12);

	assert_damage_is_reported(whole);
}

/* A trace of one block, warp and segment as its parts, so that each can lie. */
typedef struct {
	TraceFileHeader header;
	TraceDirectoryHeader directory;
	TraceWarpEntry warp;
	TraceSegmentEntry segment;
	TraceIndexEntry index;
	TraceFooter footer;
} Parts;

/* A field of Parts set to a value, and what must be said of it. */
typedef struct {
	size_t offset, bytes;
	uint64_t value;
	const char *problem;
} Lie;

#define LIE(field, value, problem)                                                             \
	{                                                                                      \
		G_STRUCT_OFFSET(Parts, field), sizeof(((Parts *)NULL)->field), value, problem  \
	}

/* The part becomes as a file has it, with the lie. */
static void tell(Parts *parts, const Lie *lie, size_t from, size_t size, const char *layout)
{
	const uint64_t value = lie ? little_64(lie->value) : 0;

	little_fields((uint8_t *)parts + from, layout);
	if (lie && lie->offset >= from && lie->offset < from + size)
		memcpy((uint8_t *)parts + lie->offset, &value, lie->bytes);
}

#define TELL(part, layout)                                                                     \
	tell(&parts, lie, G_STRUCT_OFFSET(Parts, part), sizeof(parts.part), layout)

/* Builds the file from the specification, not with the writer. Checksums follow the lie. */
static GBytes *craft_file(const uint8_t *stored, size_t n, uint32_t raw_bytes,
			  uint64_t n_records, const Lie *lie)
{
	static const char metadata[] = "{\"sites\":[{}]}";
	GByteArray *file = g_byte_array_new();
	uint8_t directory[48];
	Parts parts = {
		.header = {.version = 1},
		.directory = {.n_warps = 1, .n_segments = 1},
		.warp = {.n_records = n_records, .n_segments = 1},
		.segment = {.offset = 16, .stored_bytes = (uint32_t)n, .raw_bytes = raw_bytes},
		.index = {.block_id = 9,
			  .directory_offset = 16 + n,
			  .n_records = n_records,
			  .directory_bytes = sizeof(directory),
			  .n_warps = 1,
			  .shared_bytes = 64},
		.footer = {.n_blocks = 1, .metadata_bytes = strlen(metadata)},
	};

	memcpy(parts.header.magic, TRACE_MAGIC, 8);
	TELL(header, TRACE_FILE_HEADER_LAYOUT);
	g_byte_array_append(file, (void *)&parts.header, sizeof(parts.header));

	parts.segment.xxh64 = XXH64(stored, n, 0);
	g_byte_array_append(file, stored, (guint)n);

	TELL(directory, TRACE_DIRECTORY_HEADER_LAYOUT);
	TELL(warp, TRACE_WARP_ENTRY_LAYOUT);
	TELL(segment, TRACE_SEGMENT_ENTRY_LAYOUT);
	memcpy(directory, &parts.directory, 8);
	memcpy(directory + 8, &parts.warp, 16);
	memcpy(directory + 24, &parts.segment, 24);
	parts.index.directory_xxh64 = XXH64(directory, sizeof(directory), 0);
	g_byte_array_append(file, directory, sizeof(directory));

	parts.footer.metadata_offset = file->len;
	parts.footer.metadata_xxh64 = XXH64(metadata, strlen(metadata), 0);
	g_byte_array_append(file, (void *)metadata, strlen(metadata));

	TELL(index, TRACE_INDEX_ENTRY_LAYOUT);
	parts.footer.index_offset = file->len;
	parts.footer.index_xxh64 = XXH64(&parts.index, sizeof(parts.index), 0);
	g_byte_array_append(file, (void *)&parts.index, sizeof(parts.index));

	TELL(footer, TRACE_FOOTER_LAYOUT);
	if (!lie || lie->offset != G_STRUCT_OFFSET(Parts, footer.footer_xxh64))
		parts.footer.footer_xxh64 = little_64(XXH64(&parts.footer, 48, 0));
	memcpy(parts.footer.magic, TRACE_FOOTER_MAGIC, 8);
	g_byte_array_append(file, (void *)&parts.footer, sizeof(parts.footer));
	return g_byte_array_free_to_bytes(file);
}

/* The same with the records given before compression. */
static GBytes *craft(const void *raw, uint32_t raw_bytes, uint64_t n_records, const Lie *lie)
{
	uint8_t stored[TRACE_MAX_STORED_BYTES];
	size_t n = ZSTD_compress(stored, sizeof(stored), raw, raw_bytes, 1);

	return craft_file(stored, n, raw_bytes, n_records, lie);
}

static void test_fields_that_lie_are_reported(void)
{
	static const uint8_t raw[] = {RECORD_BAR, RECORD_EXIT};
	static const Lie lies[] = {
		LIE(header.magic, 0, "byte 0: not a trace"),
		LIE(header.version, 0, "byte 8: format version 0"),
		LIE(header.version, 4, "byte 8: format version 4 is newer than this program"),
		LIE(header.reserved, 1, "byte 12: reserved"),
		LIE(directory.n_warps, 2, "the number of warps is not that of the index"),
		LIE(directory.n_segments, 2, "its bytes do not fit"),
		LIE(directory.n_segments, UINT32_MAX, "its bytes do not fit"),
		/* Times 24 it is 24 in 32 bits. */
		LIE(directory.n_segments, 1 + (1u << 29), "its bytes do not fit"),
		LIE(warp.n_records, 3, "a warp has no records or more than bytes"),
		LIE(warp.n_records, 1, "do not add up to the index's"),
		LIE(warp.n_records, 0, "a warp has no records or more than bytes"),
		LIE(warp.n_segments, 0, "the segments of the warps do not add up"),
		LIE(warp.n_segments, 2, "the segments of the warps do not add up"),
		LIE(warp.reserved, 1, "a reserved field is not 0"),
		LIE(segment.offset, 15, "a segment is not between"),
		LIE(segment.offset, UINT64_MAX - 3, "a segment is not between"),
		LIE(segment.stored_bytes, 0, "stored bytes are not 1 to 8704"),
		LIE(segment.stored_bytes, UINT32_MAX, "stored bytes are not 1 to 8704"),
		LIE(segment.stored_bytes, 8704, "a segment is not between"),
		LIE(segment.stored_bytes, 5, "the checksum is wrong"),
		LIE(segment.raw_bytes, 0, "decompressed bytes are not 1 to 8192"),
		LIE(segment.raw_bytes, 8193, "decompressed bytes are not 1 to 8192"),
		LIE(segment.raw_bytes, 3, "does not decompress to the bytes"),
		LIE(segment.xxh64, 0, "byte 16: segment of block 9: the checksum is wrong"),
		LIE(index.directory_offset, 15, "the directory is not between"),
		LIE(index.directory_offset, UINT64_MAX, "the directory is not between"),
		LIE(index.directory_bytes, 7, "the directory is not between"),
		LIE(index.directory_bytes, UINT32_MAX, "the directory is not between"),
		LIE(index.directory_bytes, 47, "directory of block 9: the checksum is wrong"),
		LIE(index.directory_xxh64, 0, "directory of block 9: the checksum is wrong"),
		LIE(index.n_records, 0, "fewer records than warps"),
		LIE(index.n_records, 1, "do not add up to the index's"),
		LIE(index.n_warps, 0, "the number of warps is not 1 to 64"),
		LIE(index.n_warps, 65, "the number of warps is not 1 to 64"),
		LIE(index.n_warps, 2, "the number of warps is not that of the index"),
		LIE(index.shared_bytes, TRACE_MAX_SHARED_BYTES + 1, "shared bytes"),
		LIE(index.reserved, 1, "its reserved field is not 0"),
		LIE(footer.index_offset, 16, "does not end at the footer"),
		LIE(footer.n_blocks, 0, "does not end at the footer"),
		LIE(footer.n_blocks, UINT64_MAX / 48 + 2, "does not end at the footer"),
		LIE(footer.index_xxh64, 0, "the index's checksum is wrong"),
		LIE(footer.metadata_offset, 17, "is not between header and index"),
		LIE(footer.metadata_offset, UINT64_MAX, "is not between header and index"),
		LIE(footer.metadata_bytes, 1 << 24, "is not between header and index"),
		LIE(footer.metadata_bytes, UINT64_MAX, "up to 16777216 are allowed"),
		LIE(footer.metadata_xxh64, 0, "the metadata's checksum is wrong"),
		LIE(footer.footer_xxh64, 0, "the footer's checksum is wrong"),
	};
	g_autoptr(GBytes) good = craft(raw, sizeof(raw), 2, NULL);
	g_autofree char *problem = first_problem(good);

	g_assert_cmpstr(problem, ==, NULL);
	for (unsigned i = 0; i < G_N_ELEMENTS(lies); i++) {
		g_autoptr(GBytes) bytes = craft(raw, sizeof(raw), 2, &lies[i]);
		g_test_message("lie %u: %s", i, lies[i].problem);
		assert_problem(bytes, lies[i].problem);
	}
}

static void test_records_that_cannot_be_are_reported(void)
{
	/* The block has 64 shared bytes, the metadata one site. Each ends in exit if it can. */
	static const struct {
		uint8_t raw[24];
		uint32_t n;
		uint64_t n_records;
		const char *problem;
	} cases[] = {
		{{12, 0}, 2, 2, "record 0 (byte 0 of its segment): unknown kind of record"},
		{{8, 15, 0}, 3, 3, "record 1 (byte 1 of its segment): unknown kind of record"},
		{{0x10, 0}, 2, 1, "a bit of the tag"},
		{{0x48, 0}, 2, 2, "a bit of the tag"},
		{{0x20, 1, 0}, 3, 1, "a bit of the tag"},
		{{1, 0, 0}, 3, 2, "0 instructions"},
		{{1, 0x80, 0x80, 0x80, 0x80, 0x10, 0}, 7, 2, "longer than 5 bytes or 32 bits"},
		{{0x28, 2, 0}, 3, 2, "a site that the metadata does not have"},
		{{0x28, 0, 0}, 3, 2, "a site of 0"},
		{{2, 4, 0, 0, 0, 0, 0, 0, 0}, 9, 2, "a mask of 0"},
		{{2, 4, 255, 255, 255, 255, 0, 0, 0}, 9, 2, "a mask of 0"},
		{{0x12, 3, 0, 0, 0}, 5, 2, "unknown width"},
		{{0x12, 32, 0, 0, 0}, 5, 2, "unknown width"},
		{{0x12, 0, 0, 0, 0}, 5, 2, "unknown width"},
		{{0x14, 11, 0, 0, 0, 0}, 6, 2, "unknown operation"},
		{{0x14, 0x80, 0, 0, 0, 0}, 6, 2, "unknown operation"},
		{{0x14, 0, 8, 0, 0, 0}, 6, 2, "unknown value type"},
		{{0x12, 4, 61, 0, 0}, 5, 2, "not below the block's shared bytes"},
		{{0x12, 16, 52, 0, 0}, 5, 2, "not below the block's shared bytes"},
		{{0x12, 4, 0, 8, 0}, 5, 2, "not below the block's shared bytes"},
		{{0x12, 4, 0, 7, 0}, 5, 2, "not below the block's shared bytes"},
		/* Modulo 2^32 its ends would be 0 and 0. */
		{{2, 4, 7, 0, 0, 0, 0, 255, 255, 255, 255, 15, 0}, 13, 2, "not below"},
		{{0x12, 4, 2, 0, 0}, 5, 2, "not a multiple of the access's width"},
		{{0x12, 2, 0, 2, 0}, 5, 2, "not a multiple of the access's width"},
		{{0x42, 4, 1, 0, 0, 0, 0, 16, 0}, 9, 2, "not below the block's shared bytes"},
		{{0x82, 4, 1, 0, 0, 0, 0, 16, 0, 0},
		 10,
		 2,
		 "not below the block's shared bytes"},
		{{0xc2, 4, 1, 0, 0, 0, 64, 0, 0, 0, 0}, 11, 2, "not below the block's"},
		{{0xc2, 4, 1, 0, 0, 0, 1, 0, 0, 0, 0}, 11, 2, "not a multiple of the access's"},
		{{0x12, 4, 0}, 3, 1, "goes on past the end of its segment"},
		{{0x52, 4, 0, 1, 2, 0}, 6, 2, "goes on past the end of its segment"},
		{{8, 8}, 2, 2, "the warp has no exit"},
		{{8, 0, 8}, 3, 2, "records follow the warp's exit"},
		{{8, 0, 0}, 3, 3, "records follow the warp's exit"},
		{{1, 5, 0}, 3, 3, "the directory says another number of records"},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GBytes) bytes =
			craft(cases[i].raw, cases[i].n, cases[i].n_records, NULL);
		g_test_message("case %u: %s", i, cases[i].problem);
		assert_problem(bytes, cases[i].problem);
	}
}

static void test_a_segment_must_be_one_frame(void)
{
	static const uint8_t raw[] = {RECORD_BAR, RECORD_EXIT};
	static const uint8_t skippable[] = {0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0};
	uint8_t stored[64];
	size_t n = ZSTD_compress(stored, sizeof(stored), raw, 1, 1);
	size_t both = n + ZSTD_compress(stored + n, sizeof(stored) - n, raw + 1, 1, 1);
	g_autoptr(GBytes) two = craft_file(stored, both, 2, 2, NULL);
	g_autoptr(GBytes) one_and_more = craft_file(stored, n + 1, 1, 1, NULL);
	g_autoptr(GBytes) not_all = craft_file(stored, n - 1, 1, 1, NULL);
	g_autoptr(GBytes) no_content = craft_file(skippable, sizeof(skippable), 1, 1, NULL);

	assert_problem(two, "it is not one zstd frame");
	assert_problem(one_and_more, "it is not one zstd frame");
	assert_problem(not_all, "it is not one zstd frame");
	assert_problem(no_content, "it does not decompress to the bytes");
}

/* The file's byte of segment `s` of the block that the index has at `block`. */
static void break_segment(uint8_t *data, gsize length, uint32_t block, uint32_t s)
{
	TraceFooter footer;
	TraceIndexEntry entry;
	TraceDirectoryHeader directory;
	TraceSegmentEntry segment;

	memcpy(&footer, data + length - 64, sizeof(footer));
	little_fields(&footer, TRACE_FOOTER_LAYOUT);
	memcpy(&entry, data + footer.index_offset + 48 * block, sizeof(entry));
	little_fields(&entry, TRACE_INDEX_ENTRY_LAYOUT);
	memcpy(&directory, data + entry.directory_offset, sizeof(directory));
	little_fields(&directory, TRACE_DIRECTORY_HEADER_LAYOUT);
	memcpy(&segment, data + entry.directory_offset + 8 + 16 * directory.n_warps + 24 * s,
	       sizeof(segment));
	little_fields(&segment, TRACE_SEGMENT_ENTRY_LAYOUT);
	data[segment.offset + 7] ^= 1;
}

static gpointer read_all(gpointer data)
{
	RecordSource *source = trace_source(data);
	BlockInfo info;
	Record record;

	for (uint64_t b = source->n_blocks; b-- > 0;) {
		source->block_info(source, b, &info);
		for (uint32_t w = info.n_warps; w-- > 0;) {
			WarpStream *stream = source->open_warp(source, b, w);
			StreamStatus status;

			do
				status = stream->next(stream, &record);
			while (status == STREAM_RECORD);
			/* A stream that failed stays so. */
			g_assert_cmpint(stream->next(stream, &record), ==, status);
			stream->close(stream);
		}
	}
	return NULL;
}

static void test_the_first_block_and_warp_that_fail_are_named(void)
{
	g_autoptr(GBytes) whole = make_trace(3, 3, 4, 20);
	g_autoptr(GBytes) bytes = NULL;
	gsize length;
	uint8_t *copy;

	copy = g_memdup2(g_bytes_get_data(whole, &length), g_bytes_get_size(whole));
	break_segment(copy, length, 1, 2);
	break_segment(copy, length, 1, 3);
	break_segment(copy, length, 2, 0);
	bytes = g_bytes_new_take(copy, length);
	for (unsigned turn = 0; turn < 20; turn++) {
		g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
		g_autoptr(TraceReader) first = trace_open_bytes("test.bin", bytes, NULL);
		WarpStream *stream = trace_source(first)->open_warp(trace_source(first), 1, 2);
		Record record;
		GThread *threads[3];

		if (turn % 2)
			trace_keep_decoded(reader, UINT64_MAX);
		for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
			threads[i] = g_thread_new("reader", read_all, reader);
		for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
			g_thread_join(threads[i]);
		g_assert_cmpint(stream->next(stream, &record), ==, STREAM_FAILED);
		stream->close(stream);
		g_assert_error(trace_failure(reader), ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
		g_assert_cmpstr(trace_failure(reader)->message, ==,
				trace_failure(first)->message);
		g_assert_nonnull(strstr(trace_failure(reader)->message, "segment of block 5"));
	}
}

static void test_check_finds_every_segment_that_is_broken(void)
{
	g_autoptr(GBytes) whole = make_trace(4, 3, 4, 1000);
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(TraceReader) reader = NULL;
	g_autoptr(TraceCheck) check = NULL;
	gsize length;
	uint8_t *copy;

	copy = g_memdup2(g_bytes_get_data(whole, &length), g_bytes_get_size(whole));
	break_segment(copy, length, 0, 0);
	break_segment(copy, length, 0, 2);
	break_segment(copy, length, 2, 1);
	bytes = g_bytes_new_take(copy, length);
	reader = trace_open_bytes("test.bin", bytes, NULL);
	check = trace_check_new(reader, 2);
	for (uint64_t block = 0; block < 3; block++)
		trace_check_block(check, block);
	trace_check_end(check);
	g_assert_cmpuint(trace_check_n_problems(check), ==, 3);
	g_assert_cmpuint(trace_check_problems(check)->len, ==, 2);
}

/* As a file has it. */
static void finish_footer(TraceFooter *footer)
{
	little_fields(footer, TRACE_FOOTER_LAYOUT);
	footer->footer_xxh64 = little_64(XXH64(footer, 48, 0));
}

static void test_a_block_that_is_there_twice_is_reported(void)
{
	g_autoptr(GBytes) whole = make_trace(5, 2, 1, 3);
	g_autoptr(GBytes) bytes = NULL;
	TraceFooter footer;
	gsize length;
	uint8_t *copy;

	copy = g_memdup2(g_bytes_get_data(whole, &length), g_bytes_get_size(whole));
	memcpy(&footer, copy + length - sizeof(footer), sizeof(footer));
	little_fields(&footer, TRACE_FOOTER_LAYOUT);
	/* The second entry takes the number of the first. */
	memcpy(copy + footer.index_offset + sizeof(TraceIndexEntry), copy + footer.index_offset,
	       8);
	footer.index_xxh64 = XXH64(copy + footer.index_offset, 2 * sizeof(TraceIndexEntry), 0);
	finish_footer(&footer);
	memcpy(copy + length - sizeof(footer), &footer, sizeof(footer));
	bytes = g_bytes_new_take(copy, length);
	assert_problem(bytes, "block 3 of the index: blocks are not in the order");
}

static void test_bytes_that_belong_to_nothing_are_reported(void)
{
	static const uint8_t raw[] = {RECORD_BAR, RECORD_EXIT};
	g_autoptr(GBytes) good = craft(raw, sizeof(raw), 2, NULL);
	g_autoptr(GByteArray) file = g_byte_array_new();
	g_autoptr(GBytes) bytes = NULL;
	TraceFooter footer;
	gsize length, at;
	const uint8_t *data = g_bytes_get_data(good, &length);

	/* Between directory and metadata. */
	at = length - 64 - 48 - 14;
	memcpy(&footer, data + length - 64, sizeof(footer));
	little_fields(&footer, TRACE_FOOTER_LAYOUT);
	footer.index_offset++;
	footer.metadata_offset++;
	finish_footer(&footer);
	g_byte_array_append(file, data, (guint)at);
	g_byte_array_append(file, (const guint8 *)"", 1);
	g_byte_array_append(file, data + at, (guint)(length - 64 - at));
	g_byte_array_append(file, (const guint8 *)&footer, sizeof(footer));
	bytes = g_bytes_new(file->data, file->len);
	assert_problem(bytes, "bytes that belong to nothing");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-bad/every bit and byte counts", test_every_bit_and_byte_counts);
	g_test_add_func("/trace-bad/fields that lie are reported",
			test_fields_that_lie_are_reported);
	g_test_add_func("/trace-bad/records that cannot be are reported",
			test_records_that_cannot_be_are_reported);
	g_test_add_func("/trace-bad/a segment must be one frame",
			test_a_segment_must_be_one_frame);
	g_test_add_func("/trace-bad/the first block and warp that fail are named",
			test_the_first_block_and_warp_that_fail_are_named);
	g_test_add_func("/trace-bad/check finds every segment that is broken",
			test_check_finds_every_segment_that_is_broken);
	g_test_add_func("/trace-bad/a block that is there twice is reported",
			test_a_block_that_is_there_twice_is_reported);
	g_test_add_func("/trace-bad/bytes that belong to nothing are reported",
			test_bytes_that_belong_to_nothing_are_reported);
	return g_test_run();
}
