/* SPDX-License-Identifier: MIT */
/* Good traces: what is written is read again, in the smallest form, from any thread. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "trace-tools.h"
#include "trace/codec.h"

#define assert_has(text, part)                                                                 \
	do {                                                                                   \
		g_assert_nonnull(text);                                                        \
		if (!strstr(text, part))                                                       \
			g_error("\"%s\" is not in: %s", part, text);                           \
	} while (0)

/* Reads a whole trace of make_trace and compares each record. */
static void assert_trace(TraceReader *reader, uint32_t seed, uint32_t n_warps,
			 uint32_t n_records)
{
	RecordSource *source = trace_source(reader);

	for (uint32_t b = 0; b < source->n_blocks; b++) {
		BlockInfo info;

		source->block_info(source, b, &info);
		g_assert_cmpuint(info.block_id, ==, block_id_of(b));
		g_assert_cmpuint(info.n_warps, ==, n_warps);
		g_assert_cmpuint(info.shared_bytes, ==, shared_bytes_of(info.block_id));
		for (uint32_t w = 0; w < n_warps; w++) {
			WarpStream *stream = source->open_warp(source, b, w);
			Record expected, found;

			for (uint32_t r = 0; r < n_records; r++) {
				record_of(seed, info.block_id, w, r, &expected);
				g_assert_cmpint(stream->next(stream, &found), ==,
						STREAM_RECORD);
				assert_same_record(&expected, &found);
			}
			g_assert_cmpint(stream->next(stream, &found), ==, STREAM_RECORD);
			g_assert_cmpint(found.kind, ==, RECORD_EXIT);
			g_assert_cmpuint(found.site, ==, 0);
			g_assert_cmpint(stream->next(stream, &found), ==, STREAM_END);
			g_assert_cmpint(stream->next(stream, &found), ==, STREAM_END);
			stream->close(stream);
		}
	}
	g_assert_null(trace_failure(reader));
}

static void test_records_of_all_kinds_come_back(void)
{
	for (uint32_t seed = 0; seed < 20; seed++) {
		uint32_t n_records = seed < 10 ? seed : 40 * seed;
		g_autoptr(GBytes) bytes = make_trace(seed, 3, 1 + seed, n_records);
		g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
		g_autofree char *problem = first_problem(bytes);

		g_assert_cmpstr(problem, ==, NULL);
		g_assert_cmpuint(trace_source(reader)->n_blocks, ==, 3);
		g_assert_cmpuint(trace_n_sites(reader), ==, SITES);
		g_assert_cmpuint(trace_n_records(reader), ==, 3 * (1 + seed) * (n_records + 1));
		assert_trace(reader, seed, 1 + seed, n_records);
	}
}

static void test_the_same_records_give_the_same_bytes(void)
{
	g_autoptr(GBytes) a = make_trace(1, 2, 3, 100);
	g_autoptr(GBytes) b = make_trace(1, 2, 3, 100);

	g_assert_true(g_bytes_equal(a, b));
}

/* One row: addresses 0 .. n_lanes-1 in steps, with the last one replaced. */
typedef struct {
	uint8_t n_lanes, width;
	uint32_t base, stride, last;
	AddressCode code;
	size_t n_bytes; /* of the addresses: base, stride, offsets */
} CodeCase;

static void test_the_smallest_address_code_is_taken(void)
{
	static const CodeCase cases[] = {
		{32, 4, 0, 4, 124, ADDRESS_AFFINE, 2},
		{32, 4, 0, 0, 0, ADDRESS_AFFINE, 2},
		{32, 4, 4096, 0, 4096, ADDRESS_AFFINE, 3},
		{32, 4, 124, -4u, 0, ADDRESS_AFFINE, 2},
		{1, 4, 400, 0, 400, ADDRESS_AFFINE, 3},
		{32, 4, 0, 4, 1020, ADDRESS_U8, 33},
		{32, 4, 0, 4, 1024, ADDRESS_U16, 65},
		{32, 4, 0, 4, 262140, ADDRESS_U16, 65},
		{32, 8, 0, 8, 2040, ADDRESS_U8, 33},
		{32, 16, 0, 0, 4080, ADDRESS_U8, 33},
		{32, 1, 200, 1, 455, ADDRESS_U8, 34},
		{32, 1, 0, 1, 65535, ADDRESS_U16, 65},
		{32, 1, 0, 1, 65536, ADDRESS_U32, 128},
		{32, 2, 0, 2, 131072, ADDRESS_U32, 128},
		/* Two lanes: affine begins with the first address, u8 with the lowest. */
		{2, 16, 0, 0, 4080, ADDRESS_AFFINE, 3},
		{2, 16, 4080, 0, 0, ADDRESS_U8, 3},
	};

	for (unsigned c = 0; c < G_N_ELEMENTS(cases); c++) {
		const CodeCase *row = &cases[c];
		uint8_t bytes[TRACE_MAX_RECORD_BYTES];
		Record record = {
			.kind = RECORD_LDS, .width = row->width, .n_lanes = row->n_lanes};
		size_t head = row->n_lanes == 32 ? 2 : 6, n; /* tag, width, mask */

		record.mask = row->n_lanes == 32 ? UINT32_MAX : (1u << row->n_lanes) - 1;
		for (unsigned i = 0; i < row->n_lanes; i++)
			record.address[i] = row->base + i * row->stride;
		record.address[row->n_lanes - 1] = row->last;
		n = trace_encode_record(&TRACE_RULES_1, &record, bytes);
		g_test_message("case %u", c);
		g_assert_cmpuint(bytes[0] >> TAG_ADDRESS_SHIFT, ==, row->code);
		g_assert_cmpuint(n - head, ==, row->n_bytes);
	}
}

static void test_a_record_is_read_up_to_its_end_only(void)
{
	GRand *random = g_rand_new_with_seed(3);

	for (unsigned turn = 0; turn < 2000; turn++) {
		uint8_t bytes[TRACE_MAX_RECORD_BYTES];
		const char *problem = NULL;
		Record record, decoded;
		size_t n;

		random_record(random, TRACE_MAX_SHARED_BYTES, &record);
		n = trace_encode_record(&TRACE_RULES_1, &record, bytes);
		/* A heap block of just that size, so that sanitizers see more. */
		for (size_t left = turn < 20 ? 0 : n; left <= n; left++) {
			/* One byte more than none: of nothing there is no address to add to. */
			g_autofree uint8_t *copy = g_memdup2(bytes, MAX(left, 1));
			size_t used = trace_decode_record(&TRACE_RULES_1, copy, copy + left,
							  &decoded, &problem);
			g_assert_cmpuint(used, ==, left == n ? n : 0);
			g_assert_true(left == n || problem);
		}
		assert_same_record(&record, &decoded);
	}
	g_rand_free(random);
}

static void test_kept_segments_hold_the_same_records(void)
{
	g_autoptr(GBytes) bytes = make_trace(5, 2, 4, 2000);
	static const uint64_t budgets[] = {0, 1, 100000, UINT64_MAX};

	for (unsigned i = 0; i < G_N_ELEMENTS(budgets); i++) {
		g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
		trace_keep_decoded(reader, budgets[i]);
		assert_trace(reader, 5, 4, 2000);
		assert_trace(reader, 5, 4, 2000);
	}
}

static gpointer read_in_thread(gpointer reader)
{
	assert_trace(reader, 6, 8, 700);
	return NULL;
}

static void test_threads_read_the_same_records(void)
{
	g_autoptr(GBytes) bytes = make_trace(6, 2, 8, 700);

	for (int keep = 0; keep < 2; keep++) {
		g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
		GThread *threads[4];

		if (keep)
			trace_keep_decoded(reader, 200000);
		for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
			threads[i] = g_thread_new("reader", read_in_thread, reader);
		for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
			g_thread_join(threads[i]);
	}
}

static void test_a_summary_counts_what_was_written(void)
{
	g_autoptr(GBytes) bytes = make_trace(8, 2, 3, 200);
	g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
	TraceSummary summary = {0};
	uint64_t records[N_RECORD_KINDS] = {0}, lanes = 0, raw_bytes = 0, found_lanes = 0;
	uint8_t encoded[TRACE_MAX_RECORD_BYTES];
	Record record;

	for (uint32_t b = 0; b < 2; b++) {
		g_assert_true(trace_summary_add(&summary, reader, b, NULL));
		for (uint32_t w = 0; w < 3; w++) {
			for (uint32_t r = 0; r < 200; r++) {
				record_of(8, block_id_of(b), w, r, &record);
				records[record.kind]++;
				lanes += record.n_lanes;
				raw_bytes +=
					trace_encode_record(&TRACE_RULES_1, &record, encoded);
			}
		}
	}
	records[RECORD_EXIT] = 6;
	g_assert_cmpuint(summary.n_records, ==, 1206);
	g_assert_cmpmem(summary.records, sizeof(records), records, sizeof(records));
	g_assert_cmpuint(summary.raw_bytes, ==, raw_bytes + 6);
	for (unsigned k = 0; k < N_RECORD_KINDS; k++) {
		found_lanes += summary.lane_operations[k];
		raw_bytes -= summary.record_bytes[k];
	}
	g_assert_cmpuint(found_lanes, ==, lanes);
	g_assert_cmpint((int64_t)raw_bytes, ==, -6);
}

static guint count_files(const char *folder)
{
	g_autoptr(GDir) names = g_dir_open(folder, 0, NULL);
	guint n = 0;

	while (g_dir_read_name(names) != NULL)
		n++;
	return n;
}

static void test_a_file_has_its_name_only_when_it_is_complete(void)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "t.bin", NULL);
	g_autofree char *bytes = NULL;
	g_autofree char *sha256 = NULL;
	g_autoptr(TraceReader) reader = NULL;
	TraceWriter *writer = trace_writer_new(path, NULL);
	gsize n_bytes;

	trace_writer_begin_block(writer, 0, 1, 0);
	g_assert_cmpuint(count_files(folder), ==, 1);
	trace_writer_abandon(writer);
	g_assert_cmpuint(count_files(folder), ==, 0);

	writer = trace_writer_new(path, NULL);
	trace_writer_begin_block(writer, 0, 1, 0);
	trace_writer_end_block(writer, 0);
	g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	g_assert_true(trace_writer_finish(writer, "{}", NULL));
	g_assert_cmpuint(count_files(folder), ==, 1);

	reader = trace_open(path, NULL);
	g_assert_nonnull(reader);
	g_assert_cmpuint(trace_n_records(reader), ==, 1);
	g_assert_cmpstr(trace_metadata(reader), ==, "{}");
	g_assert_true(g_file_get_contents(path, &bytes, &n_bytes, NULL));
	sha256 = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *)bytes, n_bytes);
	g_assert_cmpstr(trace_sha256(reader, NULL), ==, sha256);
	g_unlink(path);
	g_rmdir(folder);
}

/* Of a file that is cut to half its length after it was opened: whether all records still come. */
static bool survives_a_cut(uint32_t n_records, gsize *n_bytes)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "t.bin", NULL);
	g_autoptr(GBytes) bytes = make_trace(1, 2, 8, n_records);
	g_autoptr(TraceReader) reader = NULL;
	StreamStatus status = STREAM_RECORD;
	Record record;

	g_assert_true(g_file_set_contents(path, g_bytes_get_data(bytes, n_bytes),
					  (gssize)g_bytes_get_size(bytes), NULL));
	reader = trace_open(path, NULL);
	g_assert_nonnull(reader);
	g_assert_cmpint(truncate(path, (off_t)(*n_bytes / 2)), ==, 0);
	for (uint32_t w = 0; w < 16 && status != STREAM_FAILED; w++) {
		WarpStream *stream =
			trace_source(reader)->open_warp(trace_source(reader), w / 8, w % 8);

		if (stream == NULL) {
			status = STREAM_FAILED;
			break;
		}
		do
			status = stream->next(stream, &record);
		while (status == STREAM_RECORD);
		stream->close(stream);
	}
	if (status == STREAM_FAILED)
		assert_has(trace_failure(reader)->message, "the file became shorter");
	g_unlink(path);
	g_rmdir(folder);
	return status == STREAM_END;
}

static void test_small_files_are_read_at_once(void)
{
	gsize n_bytes;

	g_assert_true(survives_a_cut(100, &n_bytes));
	g_assert_cmpuint(n_bytes, <, 1 << 20);
	g_assert_false(survives_a_cut(4000, &n_bytes));
	g_assert_cmpuint(n_bytes, >, 1 << 20);
}

/* Blocks far from each other side by side, as SMs have them: of every apart-th block a stream, each of them one record
   at a time, is what `alone` hands out. */
static void assert_side_by_side(TraceReader *reader, TraceReader *alone, uint64_t apart)
{
	RecordSource *both[] = {trace_source(reader), trace_source(alone)};
	const uint64_t n = both[0]->n_blocks / apart;
	g_autofree WarpStream **streams = g_new(WarpStream *, n);

	for (uint64_t first = 0; first < apart; first++) {
		for (uint64_t i = 0; i < n; i++)
			streams[i] = both[0]->open_warp(both[0], first + i * apart, i % 8);
		for (uint64_t i = 0; i < n; i++) {
			WarpStream *other =
				both[1]->open_warp(both[1], first + i * apart, i % 8);
			Record record, wanted;
			StreamStatus status;

			do {
				status = other->next(other, &wanted);
				g_assert_cmpint(streams[i]->next(streams[i], &record), ==,
						status);
				if (status == STREAM_RECORD)
					assert_same_record(&record, &wanted);
			} while (status == STREAM_RECORD);
			g_assert_cmpint(status, ==, STREAM_END);
			other->close(other);
			streams[i]->close(streams[i]);
		}
	}
}

/* A large file of blocks whose segments lie in front of their directories, among each other's in every second one. */
static void test_short_warps_of_a_large_file_come_back(void)
{
	for (uint32_t n_records = 1; n_records <= 3; n_records += 2) {
		g_autoptr(GBytes) bytes = make_trace(n_records, 3000, 8, n_records);
		g_autofree char *path = NULL;
		g_autoptr(TraceReader) reader = NULL, alone = NULL;
		gsize n_bytes;
		const char *data = g_bytes_get_data(bytes, &n_bytes);

		g_assert_cmpuint(n_bytes, >, 1 << 20);
		g_assert_cmpint(g_close(g_file_open_tmp(NULL, &path, NULL), NULL), ==, TRUE);
		g_assert_true(g_file_set_contents(path, data, (gssize)n_bytes, NULL));
		reader = trace_open(path, NULL);
		assert_trace(reader, n_records, 8, n_records);
		alone = trace_open_bytes("t.bin", bytes, NULL);
		assert_side_by_side(reader, alone, 132);
		g_unlink(path);
	}
}

static void test_a_disk_that_is_full_is_reported(void)
{
	g_autoptr(GError) error = NULL;
	TraceWriter *writer = trace_writer_new("/nowhere/t.bin", &error);

	g_assert_null(writer);
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO);
	assert_has(error->message, "/nowhere/t.bin");
	g_clear_error(&error);
	if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
		g_test_skip("no /dev/full");
		return;
	}
	writer = trace_writer_new("/dev/full", NULL);
	trace_writer_begin_block(writer, 0, 1, 0);
	trace_writer_end_block(writer, 0);
	g_assert_false(trace_writer_finish(writer, "{}", &error));
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO);
	assert_has(error->message, "/dev/full");
}

static void test_metadata_must_fit_the_records(void)
{
	static const struct {
		const char *metadata, *message;
	} cases[] = {
		{"", "not a JSON object"},
		{"[]", "not a JSON object"},
		{"{} x", "not a JSON object"},
		{"{\"a\":\"\xff\"}", "not UTF-8"},
		{"{}", "site 2"},
		{"{\"sites\":[{}]}", "site 2"},
	};
	g_autofree char *folder = g_dir_make_tmp("atomsim-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "t.bin", NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		TraceWriter *writer = trace_writer_new(path, NULL);
		Record record = {.kind = RECORD_BAR, .site = 2};
		g_autoptr(GError) error = NULL;

		trace_writer_begin_block(writer, 0, 1, 0);
		trace_writer_append(writer, 0, 0, &record);
		trace_writer_end_block(writer, 0);
		g_assert_false(trace_writer_finish(writer, cases[i].metadata, &error));
		assert_has(error->message, cases[i].message);
	}
	g_assert_cmpint(g_rmdir(folder), ==, 0); /* nothing was left */
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace/records of all kinds come back",
			test_records_of_all_kinds_come_back);
	g_test_add_func("/trace/the same records give the same bytes",
			test_the_same_records_give_the_same_bytes);
	g_test_add_func("/trace/the smallest address code is taken",
			test_the_smallest_address_code_is_taken);
	g_test_add_func("/trace/a record is read up to its end only",
			test_a_record_is_read_up_to_its_end_only);
	g_test_add_func("/trace/kept segments hold the same records",
			test_kept_segments_hold_the_same_records);
	g_test_add_func("/trace/threads read the same records",
			test_threads_read_the_same_records);
	g_test_add_func("/trace/a summary counts what was written",
			test_a_summary_counts_what_was_written);
	g_test_add_func("/trace/a file has its name only when it is complete",
			test_a_file_has_its_name_only_when_it_is_complete);
	g_test_add_func("/trace/short warps of a large file come back",
			test_short_warps_of_a_large_file_come_back);
	g_test_add_func("/trace/small files are read at once, large ones as they are needed",
			test_small_files_are_read_at_once);
	g_test_add_func("/trace/a disk that is full is reported",
			test_a_disk_that_is_full_is_reported);
	g_test_add_func("/trace/metadata must fit the records",
			test_metadata_must_fit_the_records);
	return g_test_run();
}
