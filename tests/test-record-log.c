/* SPDX-License-Identifier: MIT */
/* Records that wait to be executed (sim/sm/record-log.h) come out as they went in, wherever they lie meanwhile. */
#include "sim/sm/record-log.h"
#include "trace-tools.h"

#define N_RECORDS    3000
#define SHARED_BYTES 65536

/* What accesses to buffers have besides, here all 64 lanes. */
static void make_wide(GRand *random, Record *record)
{
	record->buffer = (uint16_t)g_rand_int_range(random, 0, 3);
	record->offset = random_wide(random) >> 20;
	record->has_values = record->kind == RECORD_ATOMG;
	record->operation = (uint8_t)g_rand_int_range(random, 0, N_OPERATIONS);
	record->mask = ~(LaneMask)0;
	record->n_lanes = MAX_LANES;
	for (uint32_t lane = 0; lane < MAX_LANES; lane++) {
		record->address[lane] = g_rand_int(random);
		record->value[lane] = random_wide(random);
		record->compare[lane] = random_wide(random);
	}
}

static bool is_global(const Record *record)
{
	return record->kind == RECORD_LDG || record->kind == RECORD_STG ||
	       record->kind == RECORD_ATOMG;
}

/* Record number i of a seed: runs of the same one, of the same instruction at other words, and of any. */
static void make(uint32_t seed, uint32_t i, Record *record)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(seed + i / 7);

	random_record(random, SHARED_BYTES / 2, record);
	if (is_global(record))
		make_wide(random, record);
	if (i % 7 < 3)
		return;
	for (uint32_t lane = 0; lane < record->n_lanes; lane++)
		record->address[lane] += record->width * (i % 7);
}

static void fill(RecordLog *log, uint32_t seed, uint32_t n, uint32_t most_open)
{
	for (uint32_t i = 0; i < n; i++) {
		record_log_keep_open(log, most_open);
		make(seed, i, record_log_room(log));
		record_log_add(log);
	}
}

static void assert_is(RecordLog *log, uint32_t seed, uint64_t place)
{
	const Record *kept = record_log_at(log, place);
	Record record;

	make(seed, (uint32_t)place, &record);
	assert_same_record(kept, &record);
	g_assert_cmpmem(kept, offsetof(Record, address), &record, offsetof(Record, address));
	if (!record_in_buffer(&record))
		return;
	g_assert_cmpmem(kept->address, sizeof record.address, record.address,
			sizeof record.address);
	if (record.has_values)
		g_assert_cmpmem(kept->value, sizeof record.value, record.value,
				sizeof record.value);
	if (record.has_values && record.operation == OPERATION_CAS)
		g_assert_cmpmem(kept->compare, sizeof record.compare, record.compare,
				sizeof record.compare);
}

static void test_records_come_out_as_they_went_in(void)
{
	RecordLog *log = record_log_new();

	for (uint32_t seed = 0; seed < 20; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);

		fill(log, 1000 * seed, N_RECORDS, seed % 5);
		g_assert_cmpuint(log->n_added, ==, N_RECORDS);
		for (uint32_t i = 0; i < N_RECORDS; i++) {
			record_log_keep_open(log, seed % 5);
			assert_is(log, 1000 * seed, i);
			assert_is(log, 1000 * seed,
				  (uint64_t)g_rand_int_range(random, 0, N_RECORDS));
		}
		record_log_clear(log);
		g_assert_cmpuint(log->opened->len, ==, 0);
	}
	record_log_free(log);
}

static void test_what_is_open_stays_where_it_is(void)
{
	RecordLog *log = record_log_new();
	const Record *first;

	fill(log, 1, N_RECORDS, 2);
	record_log_close(log);
	first = record_log_at(log, 0);
	for (uint32_t i = 0; i < N_RECORDS; i++)
		assert_is(log, 1, i);
	g_assert_true(record_log_at(log, 0) == first);
	assert_is(log, 1, 0);
	record_log_free(log);
}

static void test_what_is_dropped_takes_no_room(void)
{
	RecordLog *log = record_log_new();
	uint32_t read = 0;

	for (uint32_t place = 0; place < N_RECORDS; place++) {
		for (; read < place + 100; read++) {
			record_log_keep_open(log, 3);
			make(5, read, record_log_room(log));
			record_log_add(log);
		}
		assert_is(log, 5, place);
		record_log_drop(log, place);
		assert_is(log, 5, place);
	}
	g_assert_cmpuint(log->n_chunks, <=, 16);
	g_assert_cmpuint(log->opened->len + log->spare->len, <=, 6);
	record_log_free(log);
}

/* Many of one instruction: a few bytes each. */
static void test_a_loop_is_small(void)
{
	RecordLog *log = record_log_new();
	Record record;
	uint32_t seed = 0;

	do
		make(seed++, 0, &record);
	while (record.kind != RECORD_ATOM || record.n_lanes < 16 || record.has_values);
	for (uint32_t i = 0; i < RECORD_LOG_CHUNK; i++) {
		*record_log_room(log) = record;
		record_log_add(log);
		for (uint32_t lane = 0; lane < record.n_lanes; lane++)
			record.address[lane] += 4;
	}
	record_log_close(log);
	g_assert_cmpuint(log->opened->len, ==, 0);
	/* The first is written out: up to 5 bytes a lane. */
	g_assert_cmpuint(log->packing->len, <, 100 + 6 * record.n_lanes + 8 * RECORD_LOG_CHUNK);
	record_log_free(log);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/record-log/records come out as they went in",
			test_records_come_out_as_they_went_in);
	g_test_add_func("/record-log/what is open stays where it is",
			test_what_is_open_stays_where_it_is);
	g_test_add_func("/record-log/what is dropped takes no room",
			test_what_is_dropped_takes_no_room);
	g_test_add_func("/record-log/a loop is small", test_a_loop_is_small);
	return g_test_run();
}
