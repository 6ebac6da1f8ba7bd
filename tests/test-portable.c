/* SPDX-License-Identifier: MIT */
/* What processors differ in: the order of bytes (base/little.h), and how much a pointer holds (sim/memory/line-table.h). */
#include <glib.h>

#include "base/little.h"
#include "sim/memory/line-table.h"
#include "trace/internal.h"

static void test_a_layout_turns_each_field(void)
{
	uint8_t bytes[] = {'t', 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 1, 2, 9};
	const uint8_t turned[] = {'t', 8, 7, 6, 5, 4, 3, 2, 1, 4, 3, 2, 1, 2, 1, 9};

	little_turn(bytes, "1842");
	g_assert_cmpmem(bytes, sizeof bytes, turned, sizeof turned);
}

static void test_numbers_of_files_are_little_endian(void)
{
	const uint8_t two[] = {2, 1}, four[] = {4, 3, 2, 1}, eight[] = {8, 7, 6, 5, 4, 3, 2, 1};
	struct {
		uint64_t wide;
		uint32_t narrow[2];
	} fields = {0x0102030405060708, {0x01020304, 0x01020304}};
	uint16_t short_number;
	uint32_t number;
	uint64_t wide;

	memcpy(&short_number, two, sizeof two);
	memcpy(&number, four, sizeof four);
	memcpy(&wide, eight, sizeof eight);
	g_assert_cmphex(little_16(short_number), ==, 0x0102);
	g_assert_cmphex(little_32(number), ==, 0x01020304);
	g_assert_cmphex(little_64(wide), ==, 0x0102030405060708);
	little_16s(&short_number, 1);
	little_32s(&number, 1);
	little_64s(&wide, 1);
	g_assert_cmphex(short_number, ==, 0x0102);
	g_assert_cmphex(number, ==, 0x01020304);
	g_assert_cmphex(wide, ==, 0x0102030405060708);
	little_fields(&fields, "844");
	g_assert_cmpmem(&fields.wide, 8, eight, 8);
	g_assert_cmpmem(&fields.narrow[1], 4, four, 4);
}

static size_t bytes_of(const char *layout)
{
	size_t n = 0;

	while (*layout)
		n += (size_t)(*layout++ - '0');
	return n;
}

static void test_layouts_of_traces_have_the_bytes_of_their_structs(void)
{
	g_assert_cmpuint(bytes_of(TRACE_FILE_HEADER_LAYOUT), ==, sizeof(TraceFileHeader));
	g_assert_cmpuint(bytes_of(TRACE_DIRECTORY_HEADER_LAYOUT), ==,
			 sizeof(TraceDirectoryHeader));
	g_assert_cmpuint(bytes_of(TRACE_WARP_ENTRY_LAYOUT), ==, sizeof(TraceWarpEntry));
	g_assert_cmpuint(bytes_of(TRACE_SEGMENT_ENTRY_LAYOUT), ==, sizeof(TraceSegmentEntry));
	g_assert_cmpuint(bytes_of(TRACE_INDEX_ENTRY_LAYOUT), ==, sizeof(TraceIndexEntry));
	g_assert_cmpuint(bytes_of(TRACE_TAIL_LAYOUT), ==, sizeof(TraceTail));
}

/* As if pointers had 32 bits, and as many as they have. */
static void test_an_index_fits_what_a_pointer_can_reach(void)
{
	const uint64_t of_32_bits = INT32_MAX - 1;
	const uint64_t n_blocks = (of_32_bits - 10) / sizeof(TraceIndexEntry);
	const TraceTail fits = {.footer.n_blocks = n_blocks, .references.bytes = 10},
			wide = {.footer.n_blocks = n_blocks,
				.references.bytes = 11 + sizeof(TraceIndexEntry)},
			long_index = {.footer.n_blocks = UINT64_C(1) << 32};
	uint64_t bytes;

	g_assert_true(parts_fit(&fits, of_32_bits, &bytes));
	g_assert_false(parts_fit(&wide, of_32_bits, &bytes));
	g_assert_true(parts_fit(&wide, INT64_MAX - 1, &bytes));
	/* The sizes are not cut to 32 bits either. */
	g_assert_false(parts_fit(&long_index, of_32_bits, &bytes));
	g_assert_cmpuint(bytes, ==, (UINT64_C(1) << 32) * sizeof(TraceIndexEntry));
	g_assert_cmpuint(PARTS_MAX_BYTES, ==, (UINT64_C(1) << (8 * sizeof(void *) - 1)) - 2);
}

static void test_a_line_has_a_number_of_64_bits(void)
{
	enum { N = 3000 };
	LineTable *table = line_table_new();

	/* Lines and numbers that are equal in their lower 32 bits. */
	for (uint64_t i = 1; i <= N; i++) {
		g_assert_cmpuint(line_table_get(table, i << 32), ==, 0);
		line_table_set(table, i << 32, i << 33);
		line_table_set(table, i, 0);
	}
	for (uint64_t i = 1; i <= N; i++) {
		g_assert_cmpuint(line_table_get(table, i << 32), ==, i << 33);
		g_assert_cmpuint(line_table_get(table, i), ==, 0);
	}
	line_table_set(table, UINT64_C(5) << 32, 7);
	g_assert_cmpuint(line_table_get(table, UINT64_C(5) << 32), ==, 7);
	line_table_free(table);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/portable/a layout turns each field", test_a_layout_turns_each_field);
	g_test_add_func("/portable/numbers of files are little-endian",
			test_numbers_of_files_are_little_endian);
	g_test_add_func("/portable/layouts of traces have the bytes of their structs",
			test_layouts_of_traces_have_the_bytes_of_their_structs);
	g_test_add_func("/portable/an index fits what a pointer can reach",
			test_an_index_fits_what_a_pointer_can_reach);
	g_test_add_func("/portable/a line has a number of 64 bits",
			test_a_line_has_a_number_of_64_bits);
	return g_test_run();
}
