/* SPDX-License-Identifier: MIT */
/* Makes random records and small traces, for the tests of src/trace. */
#include "trace-tools.h"

#include <string.h>

static bool has_addresses(uint8_t kind)
{
	return kind == RECORD_LDS || kind == RECORD_STS || kind == RECORD_ATOM ||
	       kind == RECORD_LOCK || kind == RECORD_UNLOCK;
}

static bool is_global(uint8_t kind)
{
	return kind == RECORD_LDG || kind == RECORD_STG || kind == RECORD_ATOMG;
}

uint64_t random_wide(GRand *random)
{
	const uint64_t high = g_rand_int(random);

	return high << 32 | g_rand_int(random);
}

static uint32_t random_mask(GRand *random)
{
	uint32_t mask;

	switch (g_rand_int_range(random, 0, 3)) {
	case 0:
		return UINT32_MAX;
	case 1:
		return 1u << g_rand_int_range(random, 0, 32);
	default:
		mask = g_rand_int(random);
		return mask | 1u << g_rand_int_range(random, 0, 32);
	}
}

/* Patterns for which each of the codes is the smallest. */
static void random_addresses(GRand *random, uint32_t shared_bytes, Record *record)
{
	uint32_t n_places = shared_bytes / record->width, pattern = g_rand_int(random) % 3;
	uint32_t base = g_rand_int(random) % n_places;
	uint32_t stride = g_rand_int(random) % (n_places / 32 + 1);
	uint32_t reach = pattern == 1 ? MIN(n_places, 256) : n_places;

	if (pattern == 0 && base + 31 * stride >= n_places)
		base %= n_places - 31 * (n_places / 32);
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint32_t place = pattern == 0 ? base + i * stride : g_rand_int(random) % reach;
		record->address[i] = MIN(place, n_places - 1) * record->width;
	}
}

static void random_values(GRand *random, Record *record)
{
	uint64_t mask = record->width == 8 ? UINT64_MAX : UINT32_MAX;

	record->has_values = g_rand_boolean(random);
	for (unsigned i = 0; i < record->n_lanes; i++) {
		record->value[i] = random_wide(random) & mask;
		record->compare[i] = ~record->value[i] & mask;
	}
}

void random_record(GRand *random, uint32_t shared_bytes, Record *record)
{
	static const uint8_t type_widths[N_SHARED_TYPES] = {4, 4, 4, 8, 8, 8, 4, 4};

	memset(record, 0, sizeof(*record));
	record->kind =
		(uint8_t)g_rand_int_range(random, RECORD_EXIT + 1, 12 /* of version 1 */);
	record->site = g_rand_boolean(random) ? g_rand_int(random) % (SITES + 1) : 0;
	/* 1 .. 2^32-1, all lengths alike */
	record->count = g_rand_int(random) | 1u << 31;
	record->count >>= g_rand_int_range(random, 0, 32);
	record->bytes = g_rand_int(random);
	record->bytes >>= g_rand_int_range(random, 0, 32);
	record->width = (uint8_t)(1u << g_rand_int_range(random, 0, 5));
	if (record->kind == RECORD_ATOM) {
		record->operation = (uint8_t)g_rand_int_range(random, 0, N_OPERATIONS);
		record->type = (uint8_t)g_rand_int_range(random, 0, N_SHARED_TYPES);
		record->width = type_widths[record->type];
		record->result = g_rand_boolean(random);
	}
	if (record->kind == RECORD_LOCK || record->kind == RECORD_UNLOCK)
		record->width = 4;
	if (has_addresses(record->kind) || is_global(record->kind)) {
		record->mask = random_mask(random);
		record->n_lanes = (uint8_t)__builtin_popcount(record->mask);
	}
	if (has_addresses(record->kind))
		random_addresses(random, shared_bytes, record);
	if (record->kind == RECORD_ATOM)
		random_values(random, record);
}

void assert_same_record(const Record *a, const Record *b)
{
	g_assert_cmpuint(a->kind, ==, b->kind);
	g_assert_cmpuint(a->site, ==, b->site);
	g_assert_cmpuint(a->n_lanes, ==, b->n_lanes);
	if (a->kind == RECORD_ALU || a->kind == RECORD_UNKNOWN || is_global(a->kind))
		g_assert_cmpuint(a->count, ==, b->count);
	if (is_global(a->kind))
		g_assert_cmpuint(a->bytes, ==, b->bytes);
	if (a->n_lanes > 0)
		g_assert_cmphex(a->mask, ==, b->mask);
	if (has_addresses(a->kind)) {
		g_assert_cmpuint(a->width, ==, b->width);
		g_assert_cmpmem(a->address, a->n_lanes * 4u, b->address, b->n_lanes * 4u);
	}
	if (a->kind == RECORD_ATOM) {
		g_assert_cmpuint(a->operation, ==, b->operation);
		g_assert_cmpuint(a->type, ==, b->type);
		g_assert_cmpuint(a->result, ==, b->result);
		g_assert_cmpuint(a->has_values, ==, b->has_values);
	}
	if (a->kind == RECORD_ATOM && a->has_values) {
		g_assert_cmpmem(a->value, a->n_lanes * 8u, b->value, b->n_lanes * 8u);
		if (a->operation == OPERATION_CAS)
			g_assert_cmpmem(a->compare, a->n_lanes * 8u, b->compare,
					b->n_lanes * 8u);
	}
}

uint64_t block_id_of(uint32_t block)
{
	return 3 + 2 * (uint64_t)block;
}

uint32_t shared_bytes_of(uint64_t block_id)
{
	return block_id % 4 == 3 ? TRACE_MAX_SHARED_BYTES : 1024;
}

void record_of(uint32_t seed, uint64_t block_id, uint32_t warp, uint32_t number, Record *record)
{
	guint32 seeds[] = {seed, (guint32)block_id, warp, number};
	GRand *random = g_rand_new_with_seed_array(seeds, G_N_ELEMENTS(seeds));

	random_record(random, shared_bytes_of(block_id), record);
	g_rand_free(random);
}

GBytes *make_trace(uint32_t seed, uint32_t n_blocks, uint32_t n_warps, uint32_t n_records)
{
	TraceWriter *writer = trace_writer_new_memory();
	static const Record exit_record = {.kind = RECORD_EXIT};
	Record record;

	for (uint32_t b = n_blocks; b-- > 0;)
		trace_writer_begin_block(writer, block_id_of(b), n_warps,
					 shared_bytes_of(block_id_of(b)));
	for (uint32_t r = 0; r < n_records; r++) {
		for (uint32_t w = 0; w < n_warps; w++) {
			for (uint32_t b = 0; b < n_blocks; b++) {
				record_of(seed, block_id_of(b), w, r, &record);
				trace_writer_append(writer, block_id_of(b), w, &record);
			}
		}
	}
	for (uint32_t b = n_blocks; b-- > 0;) {
		/* Warp 0 ends by itself, the others get their exit from the writer. */
		trace_writer_append(writer, block_id_of(b), 0, &exit_record);
		trace_writer_end_block(writer, block_id_of(b));
	}
	return trace_writer_finish_bytes(
		writer, "{\"format\":1,\"kernel\":\"test\",\"sites\":[{},{},{}]}");
}

char *first_problem(GBytes *bytes)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, &error);
	g_autoptr(TraceCheck) check = NULL;

	if (!reader) {
		g_assert_nonnull(error);
		return g_strdup(error->message);
	}
	g_assert_no_error(error);
	check = trace_check_new(reader, 1);
	for (uint64_t block = 0; block < trace_source(reader)->n_blocks; block++)
		trace_check_block(check, block);
	trace_check_end(check);
	if (trace_check_n_problems(check) == 0)
		return NULL;
	return g_strdup(g_ptr_array_index(trace_check_problems(check), 0));
}

void assert_problem(GBytes *bytes, const char *part)
{
	g_autofree char *problem = first_problem(bytes);

	if (!problem || !strstr(problem, part) || !strstr(problem, "test.bin: byte "))
		g_error("\"test.bin: byte ... %s\" expected, found: %s", part,
			problem ? problem : "no problem");
}

void assert_damage_is_reported(GBytes *whole)
{
	gsize length;
	const char *data = g_bytes_get_data(whole, &length);

	for (gsize bit = 0; bit < 8 * length; bit++) {
		g_autofree char *copy = g_memdup2(data, length);
		g_autoptr(GBytes) bytes = NULL;

		copy[bit / 8] ^= (char)(1 << bit % 8);
		bytes = g_bytes_new(copy, length);
		assert_problem(bytes, "");
	}
	for (gsize cut = 0; cut < length; cut++) {
		g_autoptr(GBytes) bytes = g_bytes_new(data, cut);

		assert_problem(bytes, cut == 0	? "the file is empty"
				      : cut < 8 ? "cut off: the file has "
						: "cut off: ");
	}
}
