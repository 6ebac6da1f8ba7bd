/* SPDX-License-Identifier: MIT */
/* From raw captures to records: real captures of tests/capture/forms.cu and locks.cu. */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "gen-trace.h"
#include "gpu/convert/convert.h"
#include "trace/reader.h"

/* Converts a folder of tests/capture and opens the trace of launch n. */
static TraceReader *open_launch(const char *name, unsigned n)
{
	const char *source = g_getenv("SOURCE");
	g_autofree char *folder =
		g_build_filename(source ? source : ".", "tests/capture", name, NULL);
	g_autofree char *temporary = g_dir_make_tmp("atomsim-test-XXXXXX", NULL);
	g_autofree char *output = g_build_filename(temporary, "t.bin", NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) traces = convert_folder(folder, output, FALSE, &error);
	TraceReader *reader = NULL;

	g_assert_no_error(error);
	for (guint i = 0; i < traces->len; i++) {
		const ConvertedTrace *trace = g_ptr_array_index(traces, i);
		g_autofree char *text = NULL;
		gsize length;

		if (i + 1 == n) {
			g_autoptr(GBytes) bytes = NULL;

			g_assert_true(g_file_get_contents(trace->path, &text, &length, NULL));
			bytes = g_bytes_new(text, length);
			reader = trace_open_bytes(trace->path, bytes, &error);
			g_assert_no_error(error);
		}
		g_unlink(trace->path);
	}
	g_rmdir(temporary);
	g_assert_nonnull(reader);
	return reader;
}

/* Of a type, whose lanes all add this; how many there are. */
typedef struct {
	ValueType type;
	uint64_t value;
	unsigned n;
} Values;

static void count_same(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Values *values = data;
	bool same = record->kind == RECORD_ATOM && record->type == values->type &&
		    record->has_values;

	(void)block, (void)warp;
	for (int i = 0; same && i < record->n_lanes; i++)
		same = record->value[i] == values->value;
	values->n += same;
}

/* How many atomics of a type say what they add, and all lanes of them this. */
static unsigned count_values(TraceReader *reader, ValueType type, uint64_t value)
{
	Values values = {type, value, 0};

	visit_records(reader, count_same, &values);
	return values.n;
}

typedef struct {
	RecordKind kind;
	Operation operation;
	ValueType type;
	unsigned *lanes, n_words;
} Lanes;

static void add_lanes(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	const Lanes *wanted = data;

	(void)block, (void)warp;
	if (record->kind != wanted->kind ||
	    (wanted->kind == RECORD_ATOM &&
	     (record->operation != wanted->operation || record->type != wanted->type)))
		return;
	for (int i = 0; i < record->n_lanes; i++)
		if (record->address[i] / 4 < wanted->n_words)
			wanted->lanes[record->address[i] / 4]++;
}

/* Adds up the lanes of all records of a kind, by word; of atomics, of an operation and type. */
static void count_lanes(TraceReader *reader, RecordKind kind, Operation operation,
			ValueType type, unsigned *lanes, unsigned n_words)
{
	Lanes wanted = {kind, operation, type, lanes, n_words};

	visit_records(reader, add_lanes, &wanted);
}

static void count_atomics(TraceReader *reader, Operation operation, ValueType type,
			  unsigned *votes, unsigned n_words)
{
	count_lanes(reader, RECORD_ATOM, operation, type, votes, n_words);
}

static void retries_of_float_loops_are_folded_into_votes(void)
{
	g_autoptr(TraceReader) reader =
		open_launch("forms", 4); /* float_loop: 2 blocks, 64 threads, 5 votes */
	unsigned votes[4] = {0};

	count_atomics(reader, OPERATION_ADD, TYPE_F32, votes, 4);
	for (int word = 0; word < 4; word++)
		g_assert_cmpuint(votes[word], ==, 2 * 64 * 5 / 4);

	unsigned loads[4] = {0};

	count_lanes(reader, RECORD_LDS, 0, 0, loads, 4);
	for (int word = 0; word < 4; word++) /* those of the loops are theirs */
		g_assert_cmpuint(loads[word], ==, 2);
}

static void float_loops_give_what_they_add(void)
{
	g_autoptr(TraceReader) floats = open_launch("forms", 4);
	g_autoptr(TraceReader) wide = open_launch("forms", 3);

	g_assert_cmpuint(count_values(floats, TYPE_F32, 0x3f800000), ==, 2 * 2 * 5);
	g_assert_cmpuint(count_values(wide, TYPE_F64, 0x3ff0000000000000), >, 0);
}

static void double_and_64_bit_loops_are_folded(void)
{
	g_autoptr(TraceReader) floats = open_launch("forms", 3);
	g_autoptr(TraceReader) wide = open_launch("forms", 2);
	unsigned votes[64] = {0};

	count_atomics(floats, OPERATION_ADD, TYPE_F64, votes, 64);
	g_assert_cmpuint(votes[32], ==, 16);
	g_assert_cmpuint(votes[34], ==, 16);
	memset(votes, 0, sizeof(votes));
	count_atomics(wide, OPERATION_ADD, TYPE_U64, votes, 64);
	g_assert_cmpuint(votes[4], ==, 4);  /* 4 lanes a word */
	g_assert_cmpuint(votes[50], ==, 1); /* nvcc adds up the lanes first */
	memset(votes, 0, sizeof(votes));
	count_atomics(wide, OPERATION_MAX, TYPE_U64, votes, 64);
	g_assert_cmpuint(votes[44], ==, 32);
}

static void generic_atomics_that_land_in_shared_memory_are_told(void)
{
	g_autoptr(TraceReader) reader = open_launch("forms", 6);
	unsigned votes[16] = {0};

	count_atomics(reader, OPERATION_ADD, TYPE_U32, votes, 16);
	for (int word = 0; word < 16; word++)
		g_assert_cmpuint(votes[word], ==, 2);
}

/* locks.cu: 128 threads share 4 locks, words 0 to 3, and 4 sums, words 4 to 7. */
static void check_locks(unsigned launch, unsigned sums_base, unsigned per_lock)
{
	g_autoptr(TraceReader) reader = open_launch("locks", launch);
	unsigned taken[8] = {0}, given_back[8] = {0}, swaps[8] = {0}, exchanges[8] = {0};
	unsigned stores[8] = {0}, adds[8] = {0};

	count_lanes(reader, RECORD_LOCK, 0, 0, taken, 8);
	count_lanes(reader, RECORD_UNLOCK, 0, 0, given_back, 8);
	count_lanes(reader, RECORD_STS, 0, 0, stores, 8);
	count_atomics(reader, OPERATION_CAS, TYPE_U32, swaps, 8);
	count_atomics(reader, OPERATION_EXCH, TYPE_U32, exchanges, 8);
	count_atomics(reader, OPERATION_ADD, TYPE_U32, adds, 8);
	for (unsigned k = 0; k < 4; k++) {
		g_assert_cmpuint(taken[k], ==, launch == 4 && k > 0 ? 0 : per_lock);
		g_assert_cmpuint(given_back[k], ==, taken[k]);
		g_assert_cmpuint(swaps[k] + exchanges[k], ==, 0);
		/* Set to 0 once, then the critical section once a lane. */
		g_assert_cmpuint(stores[sums_base + k] + adds[sums_base + k], ==, 1 + 32);
		g_assert_cmpuint(stores[k], ==, 1);
	}
}

static void spin_locks_become_lock_and_unlock(void)
{
	check_locks(1, 4, 32); /* taken by compare-and-swap, given back by exchange */
	check_locks(2, 4, 32); /* given back by a store */
	check_locks(3, 4, 32); /* taken by exchange */
}

static void a_lock_that_one_lane_takes_for_its_warp_is_folded(void)
{
	check_locks(4, 4, 4);
}

static void a_critical_section_may_branch_and_hold_atomics(void)
{
	check_locks(5, 4, 32);
}

static void locks_are_taken_again(void)
{
	check_locks(6, 4, 32);
}

static void loops_of_compare_and_swap_become_one_atomic_a_lane(void)
{
	g_autoptr(TraceReader) reader = open_launch("locks", 7);
	g_autoptr(TraceReader) wide = open_launch("locks", 8);
	unsigned swaps[16] = {0}, wide_swaps[16] = {0}, locks[16] = {0};

	count_atomics(reader, OPERATION_UPDATE, TYPE_U32, swaps, 16);
	count_atomics(wide, OPERATION_UPDATE, TYPE_U64, wide_swaps, 16);
	count_lanes(reader, RECORD_LOCK, 0, 0, locks, 16);
	for (int k = 0; k < 4; k++) {
		g_assert_cmpuint(swaps[k], ==, 32);
		g_assert_cmpuint(wide_swaps[2 * k], ==, 32);
		g_assert_cmpuint(locks[k], ==, 0);
	}
}

/* The program counts its probes itself, by an add for each. */
static void probes_of_other_words_are_no_retries(void)
{
	g_autoptr(TraceReader) reader = open_launch("locks", 9);
	unsigned swaps[257] = {0}, adds[257] = {0}, sum = 0;

	count_atomics(reader, OPERATION_CAS, TYPE_U32, swaps, 257);
	count_atomics(reader, OPERATION_ADD, TYPE_U32, adds, 257);
	for (int i = 0; i < 257; i++)
		sum += swaps[i];
	g_assert_cmpuint(sum, ==, 4288); /* as the program printed */
	g_assert_cmpuint(adds[256], ==, 4288);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/real/" #name, name)
	TEST(retries_of_float_loops_are_folded_into_votes);
	TEST(float_loops_give_what_they_add);
	TEST(double_and_64_bit_loops_are_folded);
	TEST(generic_atomics_that_land_in_shared_memory_are_told);
	TEST(spin_locks_become_lock_and_unlock);
	TEST(a_lock_that_one_lane_takes_for_its_warp_is_folded);
	TEST(a_critical_section_may_branch_and_hold_atomics);
	TEST(locks_are_taken_again);
	TEST(loops_of_compare_and_swap_become_one_atomic_a_lane);
	TEST(probes_of_other_words_are_no_retries);
#undef TEST
	return g_test_run();
}
