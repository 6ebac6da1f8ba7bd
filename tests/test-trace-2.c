/* SPDX-License-Identifier: MIT */
/* Version 2: addresses in buffers, data flow, barriers, locks as operations, warps of 32 and 64. */
#include <string.h>

#include "base/error.h"
#include "trace-tools.h"
#include "trace/codec.h"
#include "trace/dataflow.h"
#include "trace/format.h"

#define BUFFER_BYTES (UINT64_C(1) << 33)
#define METADATA                                                                               \
	"{\"format\":2,\"sites\":[{},{},{}],\"buffers\":[{\"bytes\":4096},{\"bytes\":"         \
	"8589934592}]}"

static const uint8_t v[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 254};

static CodeOperation random_operation(GRand *random)
{
	CodeOperation operation = {
		.class = (uint8_t)g_rand_int_range(random, 0, N_CODE_CLASSES),
		.guard = g_rand_boolean(random) ? v[3] : DATAFLOW_NO_VALUE,
		.n_writes = (uint8_t)g_rand_int_range(random, 0, 16),
		.n_reads = (uint8_t)g_rand_int_range(random, 0, 16),
		.line = (uint16_t)(g_rand_boolean(random)
					   ? g_rand_int_range(random, 1, DATAFLOW_MAX_LINES + 1)
					   : 0),
		.instruction = (uint32_t)g_rand_int_range(random, 0, 5),
		.writes = v,
		.reads = v,
	};

	return operation;
}

static LaneMask random_lanes(GRand *random, unsigned lanes)
{
	LaneMask all = UINT64_MAX >> (64 - lanes);
	LaneMask some = random_wide(random) & all;

	return g_rand_int_range(random, 0, 3) == 0 ? all : some ? some : 1;
}

/* Lanes in a row, or anywhere near, or far apart, in either direction. */
static void random_place(GRand *random, Record *record)
{
	uint32_t n = record->n_lanes;
	int64_t stride = g_rand_int_range(random, -70, 70), reach = stride * (int64_t)n;

	record->buffer = 2;
	record->offset = (uint64_t)g_rand_int_range(random, 0, 1 << 27) * 32;
	for (uint32_t i = 0; i < n; i++) {
		int64_t place = (reach < 0 ? -reach : 0) + stride * (int64_t)i;

		if (record->operation % 3 == 1)
			place = g_rand_int_range(random, 0, 255);
		if (record->operation % 3 == 2)
			place = g_rand_int_range(random, 0, 1 << 24);
		record->address[i] = (uint32_t)place * record->width;
	}
}

/* A record of any kind that only version 2 has or tells more of; else one of version 1. */
static void make_record(GRand *random, unsigned lanes, Record *record)
{
	static const uint8_t kinds[] = {RECORD_LDG,  RECORD_STG,  RECORD_ATOMG,
					RECORD_BAR,  RECORD_LOCK, RECORD_CODE,
					RECORD_SHFL, RECORD_VOTE, RECORD_FENCE};

	random_record(random, 1024, record);
	if (lanes == 32 && g_rand_int_range(random, 0, 3) == 0 && record->kind != RECORD_LOCK &&
	    record->kind != RECORD_UNLOCK)
		return;
	*record = (Record){.kind = kinds[g_rand_int_range(random, 0, G_N_ELEMENTS(kinds))]};
	record->site = (uint32_t)g_rand_int_range(random, 0, 4);
	record->count = (uint32_t)g_rand_int_range(random, 1, 300);
	record->gap = (uint32_t)g_rand_int_range(random, 0, 2);
	record->scope = (uint8_t)g_rand_int_range(random, 0, N_SCOPES);
	record->barrier = (uint8_t)g_rand_int_range(random, 0, TRACE_MAX_BARRIERS);
	record->arrives = g_rand_boolean(random);
	record->cache = (uint8_t)g_rand_int_range(random, 0, N_CACHE_HINTS);
	record->operation = (uint8_t)g_rand_int_range(random, 0, N_OPERATIONS);
	record->type = TYPE_U32;
	record->width = 4;
	record->mask = random_lanes(random, lanes);
	record->n_lanes = (uint8_t)__builtin_popcountll(record->mask);
	random_place(random, record);
	record->space = MEMORY_GLOBAL;
	record->has_values = g_rand_boolean(random);
	for (unsigned i = 0; i < record->n_lanes; i++)
		record->value[i] = record->compare[i] = g_rand_int(random);
	if (record->kind == RECORD_CODE)
		record->site = 0;
	if (record->kind == RECORD_BAR && g_rand_boolean(random))
		record->count = 0;
}

static void assert_same(const Record *a, const Record *b)
{
	if (!record_in_buffer(a) && a->kind < RECORD_CODE && a->kind != RECORD_BAR) {
		assert_same_record(a, b);
		return;
	}
	g_assert_cmpuint(a->kind, ==, b->kind);
	g_assert_cmpuint(a->kind == RECORD_CODE ? 0 : a->site, ==, b->site);
	switch (a->kind) {
	case RECORD_CODE:
		g_assert_cmpuint(a->gap, ==, b->gap);
		return;
	case RECORD_FENCE:
		g_assert_cmpuint(a->scope, ==, b->scope);
		return;
	case RECORD_BAR:
		g_assert_cmpuint(a->barrier, ==, b->barrier);
		g_assert_cmpuint(a->arrives, ==, b->arrives);
		g_assert_cmpuint(a->count, ==, b->count);
		return;
	case RECORD_SHFL:
	case RECORD_VOTE:
		g_assert_cmpuint(a->count, ==, b->count);
		return;
	default:
		break;
	}
	g_assert_cmphex(a->mask, ==, b->mask);
	g_assert_cmpuint(a->buffer, ==, b->buffer);
	g_assert_cmpuint(a->width, ==, b->width);
	for (unsigned i = 0; i < a->n_lanes; i++)
		g_assert_cmpuint(a->offset + a->address[i], ==, b->offset + b->address[i]);
	if (a->kind == RECORD_LOCK)
		return;
	g_assert_cmpuint(a->cache, ==, b->cache);
	g_assert_cmpuint(b->bytes, ==, (uint32_t)a->n_lanes * a->width);
	if (a->kind == RECORD_ATOMG) {
		g_assert_cmpuint(a->operation, ==, b->operation);
		g_assert_cmpuint(a->has_values, ==, b->has_values);
		for (unsigned i = 0; a->has_values && i < a->n_lanes; i++)
			g_assert_cmphex(a->value[i], ==, b->value[i]);
	}
}

static GBytes *make_trace_2(uint32_t seed, unsigned lanes, uint32_t n_records)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	TraceWriter *writer = trace_writer_new_memory();
	CodeOperation operations[5];
	SiteFlow site = {.guard = v[1],
			 .n_address = 2,
			 .n_writes = 1,
			 .instruction = DATAFLOW_MAX_INSTRUCTIONS};
	Record record;

	trace_writer_set_version_2(writer, lanes);
	for (unsigned i = 0; i < G_N_ELEMENTS(operations); i++)
		operations[i] = random_operation(random);
	g_assert_cmpuint(trace_writer_gap(writer, operations, 5), ==, 0);
	g_assert_cmpuint(trace_writer_gap(writer, operations, 2), ==, 1);
	g_assert_cmpuint(trace_writer_gap(writer, operations, 5), ==, 0);
	site.address = site.writes = v;
	trace_writer_site_flow(writer, 2, &site);
	trace_writer_begin_block(writer, 0, 1, 1024);
	for (uint32_t r = 0; r < n_records; r++) {
		make_record(random, lanes, &record);
		trace_writer_append(writer, 0, 0, &record);
	}
	trace_writer_end_block(writer, 0);
	return trace_writer_finish_bytes(writer, METADATA);
}

static void test_records_come_back(void)
{
	for (uint32_t seed = 0; seed < 40; seed++) {
		unsigned lanes = seed % 2 ? 64 : 32, n_records = 20 * seed;
		g_autoptr(GBytes) bytes = make_trace_2(seed, lanes, n_records);
		g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
		g_autofree char *problem = first_problem(bytes);
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		RecordSource *source = trace_source(reader);
		WarpStream *stream = source->open_warp(source, 0, 0);
		Record expected, found;

		g_assert_cmpstr(problem, ==, NULL);
		g_assert_cmpuint(trace_version(reader), ==, 2);
		g_assert_cmpuint(source->kernel.warp_lanes, ==, lanes);
		g_assert_true(source->kernel.lock_sections);
		g_assert_cmpuint(source->kernel.n_buffers, ==, 2);
		g_assert_cmpuint(source->kernel.buffer_bytes[1], ==, BUFFER_BYTES);
		for (unsigned i = 0; i < 5; i++)
			random_operation(random);
		for (uint32_t r = 0; r < n_records; r++) {
			make_record(random, lanes, &expected);
			g_assert_cmpint(stream->next(stream, &found), ==, STREAM_RECORD);
			assert_same(&expected, &found);
		}
		stream->close(stream);
	}
}

static void test_data_flow_comes_back(void)
{
	g_autoptr(GBytes) bytes = make_trace_2(7, 32, 3);
	g_autoptr(TraceReader) reader = trace_open_bytes("test.bin", bytes, NULL);
	const Dataflow *flow = trace_source(reader)->kernel.dataflow;
	g_autoptr(GRand) random = g_rand_new_with_seed(7);

	g_assert_cmpuint(flow->n_gaps, ==, 2);
	g_assert_cmpuint(flow->gaps[0].n_operations, ==, 5);
	g_assert_cmpuint(flow->gaps[1].n_operations, ==, 2);
	for (unsigned i = 0; i < 5; i++) {
		CodeOperation expected = random_operation(random);
		const CodeOperation *found = &flow->gaps[0].operations[i];

		g_assert_cmpuint(found->class, ==, expected.class);
		g_assert_cmpuint(found->guard, ==, expected.guard);
		g_assert_cmpuint(found->line, ==, expected.line);
		g_assert_cmpuint(found->instruction, ==, expected.instruction);
		g_assert_cmpmem(found->writes, found->n_writes, v, expected.n_writes);
		g_assert_cmpmem(found->reads, found->n_reads, v, expected.n_reads);
	}
	g_assert_cmpuint(flow->n_sites, ==, 2);
	g_assert_cmpuint(flow->sites[0].n_address, ==, 0);
	g_assert_cmpuint(flow->sites[1].n_address, ==, 2);
	g_assert_cmpuint(flow->sites[1].guard, ==, 1);
	g_assert_cmpuint(flow->sites[0].instruction, ==, 0);
	g_assert_cmpuint(flow->sites[1].instruction, ==, DATAFLOW_MAX_INSTRUCTIONS);
}

/* Only what does not follow from the operation before is stored: in order 2 bytes each, and one more where the order breaks. */
static void test_instructions_in_order_take_no_bytes(void)
{
	static const uint32_t orders[][4] = {
		{0, 0, 0, 0}, {5, 6, 7, 8}, {5, 6, 3, 4}, {5, 0, 0, 1}};
	static const guint n_stored[] = {0, 1, 2, 3};

	for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
		DataflowBuilder *builder = dataflow_builder_new();
		CodeOperation operations[4];
		g_autoptr(GByteArray) array = NULL;
		g_autoptr(GBytes) bytes = NULL;
		const char *problem;
		size_t at;
		Dataflow *flow;

		for (guint k = 0; k < 4; k++)
			operations[k] = (CodeOperation){.guard = DATAFLOW_NO_VALUE,
							.instruction = orders[i][k]};
		dataflow_builder_gap(builder, operations, 4);
		array = dataflow_builder_bytes(builder);
		dataflow_builder_free(builder);
		g_assert_cmpuint(array->len, ==, 3 + 1 + 4 * 2 + n_stored[i] + 1);
		bytes = g_bytes_new(array->data, array->len);
		flow = dataflow_read(bytes, 0, &problem, &at);
		g_assert_nonnull(flow);
		for (guint k = 0; k < 4; k++)
			g_assert_cmpuint(flow->gaps[0].operations[k].instruction, ==,
					 orders[i][k]);
		dataflow_free(flow);
	}
}

static void test_instructions_beyond_the_last_are_refused(void)
{
	/* No values, no lines, one gap of one operation: of class 0, its instruction; no site. And a site's. */
	static const uint8_t gap[] = {0, 0, 1, 1, 0x80, 0, 0x81, 0x80, 0x80, 8, 0},
			     site[] = {0, 0, 0, 1, 0, 0x20, 0x81, 0x80, 0x80, 8};
	g_autoptr(GBytes) of_gap = g_bytes_new_static(gap, sizeof(gap));
	g_autoptr(GBytes) of_site = g_bytes_new_static(site, sizeof(site));
	const char *problem;
	size_t at;

	g_assert_null(dataflow_read(of_gap, 0, &problem, &at));
	g_assert_cmpstr(problem, ==, "an instruction beyond 16777216");
	g_assert_null(dataflow_read(of_site, 1, &problem, &at));
	g_assert_cmpstr(problem, ==, "an instruction beyond 16777216");
}

/* Each cut and each changed byte of a data flow is refused or read, and never crashes. */
static void test_damaged_data_flow_is_refused(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(3);
	DataflowBuilder *builder = dataflow_builder_new();
	CodeOperation operations[3];
	g_autoptr(GByteArray) good = NULL;
	const char *problem;
	size_t at;

	for (unsigned i = 0; i < 3; i++)
		operations[i] = random_operation(random);
	dataflow_builder_gap(builder, operations, 3);
	good = dataflow_builder_bytes(builder);
	dataflow_builder_free(builder);
	for (guint i = 0; i < good->len; i++) {
		g_autoptr(GBytes) cut = g_bytes_new(good->data, i);

		g_assert_null(dataflow_read(cut, 0, &problem, &at));
		g_assert_cmpuint(at, <=, i);
		for (unsigned bit = 0; bit < 8; bit++) {
			g_autofree uint8_t *copy = g_memdup2(good->data, good->len);
			g_autoptr(GBytes) changed = NULL;

			copy[i] ^= (uint8_t)(1u << bit);
			changed = g_bytes_new(copy, good->len);
			dataflow_free(dataflow_read(changed, 0, &problem, &at));
		}
	}
}

/* Takes bytes as one record of version 2; NULL if that is good. */
static const char *problem_of(const uint8_t *bytes, size_t n)
{
	static const uint64_t buffer_bytes[] = {256};
	TraceRules rules = {.version = 2,
			    .lanes = 32,
			    .shared_bytes = 128,
			    .n_buffers = 1,
			    .buffer_bytes = buffer_bytes};
	const char *problem = NULL;
	Record record;

	return trace_decode_record(&rules, bytes, bytes + n, &record, &problem) ? NULL
										: problem;
}

static void test_bad_records_are_refused(void)
{
	static const struct {
		uint8_t bytes[8];
		size_t n;
		const char *problem; /* NULL: good */
	} rows[] = {
		{{0x15, 1, 2, 0, 8}, 5, NULL}, /* ldg, buffer 1, width 4, base 0, stride 4 */
		{{0x15, 1, 2, 128, 1, 8}, 6, NULL},
		{{0x15, 1, 2, 132, 1, 8}, 6, "not below the bytes of its buffer"},
		{{0x15, 1, 2, 124, 7}, 5, NULL}, /* stride -4 from 124 down to 0 */
		{{0x15, 1, 2, 120, 7}, 5, "span more than 4 GiB of a buffer"},
		{{0x15, 1, 2, 1, 8}, 5, "not a multiple of the access's width"},
		{{0x15, 2, 2, 0, 8}, 5, "a buffer that the metadata does not have"},
		{{0x15, 1, 5, 0, 8}, 5, "unknown width"},
		{{0x15, 1, 0x22, 0, 8}, 5, "unknown cache hint"},
		{{0x15, 1, 0x42, 0, 8}, 5, "unknown cache hint"},
		{{0x17, 1, 0, 0x46, 0, 8}, 6, "unknown value type of an atomg"},
		{{0x17, 1, 0x40, 0x41, 0, 8}, 6, "operand values of an atomic of 16"},
		{{0x15, 0, 4, 1}, 4, NULL},
		{{0x55, 0, 4, 1}, 4, "a code of addresses without a buffer"},
		{{0x08, 0x85, 64}, 3, NULL},
		{{0x08, 0x85, 0}, 3, "a barrier of 0 threads"},
		{{0x0f, 3}, 2, "unknown scope of a fence"},
		{{0x2c, 0, 1}, 3, "a bit of the tag that this kind does not use"},
		{{0x0d, 0}, 2, "0 instructions"},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *problem = problem_of(rows[i].bytes, rows[i].n);

		if (!rows[i].problem)
			g_assert_cmpstr(problem, ==, NULL);
		else if (!problem || !strstr(problem, rows[i].problem))
			g_error("row %u: %s", i, problem ? problem : "(good)");
	}
}

static void test_metadata_must_have_what_records_name(void)
{
	static const struct {
		const char *metadata, *problem;
	} rows[] = {
		{"{\"format\":2}", "no buffer 1 of 8 bytes"},
		{"{\"format\":2,\"buffers\":[{\"bytes\":7}]}", "no buffer 1 of 8 bytes"},
		{"{\"format\":2,\"buffers\":[{\"bytes\":0}]}", "no whole number"},
		{"{\"format\":2,\"buffers\":3}", "no list"},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		TraceWriter *writer = trace_writer_new("/dev/null", NULL);
		Record record = {.kind = RECORD_LDG, .buffer = 1, .width = 4};

		record.mask = 3;
		record.n_lanes = 2;
		record.address[1] = 4;
		trace_writer_set_version_2(writer, 32);
		trace_writer_begin_block(writer, 0, 1, 0);
		trace_writer_append(writer, 0, 0, &record);
		trace_writer_end_block(writer, 0);
		g_assert_false(trace_writer_finish(writer, rows[i].metadata, &error));
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
		if (!strstr(error->message, rows[i].problem))
			g_error("row %u: %s", i, error->message);
	}
}

/* What finishing a trace of no blocks says of its metadata. g_free. */
static char *metadata_problem(const char *metadata)
{
	g_autoptr(GError) error = NULL;
	TraceWriter *writer = trace_writer_new("/dev/null", NULL);

	trace_writer_set_version_2(writer, 32);
	if (trace_writer_finish(writer, metadata, &error))
		return NULL;
	g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE);
	return g_strdup(error->message);
}

static void test_parameters_in_metadata_have_all_their_lines(void)
{
	static const struct {
		const char *parameters;
		bool good;
	} rows[] = {
		{"{\"offset\":528,\"bytes\":24,\"lines\":[2]}", true},
		{"{\"offset\":528,\"bytes\":48,\"lines\":[2]}", true},
		{"{\"offset\":528,\"bytes\":49,\"lines\":[2,0]}", true},
		{"{\"offset\":528,\"bytes\":49,\"lines\":[2]}", false},
		{"{\"offset\":528,\"bytes\":24,\"lines\":[2,3]}", false},
		{"{\"offset\":528,\"bytes\":0,\"lines\":[]}", false},
		{"{\"offset\":528,\"bytes\":65537,\"lines\":[2]}", false},
		{"{\"offset\":-1,\"bytes\":24,\"lines\":[2]}", false},
		{"{\"bytes\":24,\"lines\":[2]}", false},
		{"{\"offset\":528,\"bytes\":24}", false},
		{"{\"offset\":528,\"bytes\":24,\"lines\":[4097]}", false},
		{"{\"offset\":528,\"bytes\":24,\"lines\":[\"2\"]}", false},
		{"[]", false},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *metadata =
			g_strdup_printf("{\"format\":2,\"parameters\":%s}", rows[i].parameters);
		g_autofree char *problem = metadata_problem(metadata);

		if (rows[i].good)
			g_assert_cmpstr(problem, ==, NULL);
		else if (!problem || !strstr(problem, "the metadata has \"parameters\" with"))
			g_error("row %u: %s", i, problem ? problem : "(good)");
	}
}

static void test_constants_in_metadata_have_bank_and_place(void)
{
	static const struct {
		const char *constants;
		bool good;
	} rows[] = {
		{"[]", true},
		{"[{\"bank\":0,\"offset\":512},{\"bank\":31,\"offset\":4294967232}]", true},
		{"[{\"bank\":32,\"offset\":0}]", false},
		{"[{\"bank\":-1,\"offset\":0}]", false},
		{"[{\"bank\":3,\"offset\":32}]", false},
		{"[{\"bank\":3,\"offset\":4294967296}]", false},
		{"[{\"bank\":3}]", false},
		{"[{\"offset\":64}]", false},
		{"[3]", false},
		{"{\"bank\":3,\"offset\":64}", false},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *metadata =
			g_strdup_printf("{\"format\":2,\"constants\":%s}", rows[i].constants);
		g_autofree char *problem = metadata_problem(metadata);

		if (rows[i].good)
			g_assert_cmpstr(problem, ==, NULL);
		else if (!problem || !strstr(problem, "the metadata has \"constants\" "))
			g_error("row %u: %s", i, problem ? problem : "(good)");
	}
}

/* `n` times `item` in a list. g_free. */
static char *list_in_metadata(const char *name, const char *item, guint n)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "{\"format\":2,\"%s\":[", name);
	for (guint i = 0; i < n; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? "," : "", item);
	g_string_append(text, "]}");
	return g_string_free(text, FALSE);
}

/* Each value of metadata takes memory, and each site some for each SM: a few bytes must not ask for much. */
static void test_lists_in_metadata_are_bounded(void)
{
	static const struct {
		const char *name, *item;
		guint n;
		const char *problem;
	} rows[] = {
		{"sites", "{}", 65535, NULL},
		{"sites", "{}", 65536, "\"sites\" that are no list of up to 65535"},
		{"sites", "{},0", 1, "a site that is no object"},
		{"sites", "[]", 1, "a site that is no object"},
		{"buffers", "{\"bytes\":1}", 65535, NULL},
		{"buffers", "{\"bytes\":1}", 65536, "\"buffers\" that are no list of up to"},
		{"other", "0", 1000000, NULL},
		{"other", "0", 1048576, "more than 1048576 values"},
		{"other", "[]", 600000, "more than 1048576 values"},
		{"other", "\",,,[[[\\\"{{{\"", 100000, NULL}, /* no values: they are quoted */
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = list_in_metadata(rows[i].name, rows[i].item, rows[i].n);
		g_autofree char *problem = metadata_problem(text);

		if (!rows[i].problem)
			g_assert_cmpstr(problem, ==, NULL);
		else if (!problem || !strstr(problem, rows[i].problem))
			g_error("row %u: %s", i, problem ? problem : "(good)");
	}
	g_autofree char *problem = metadata_problem("{\"format\":2,\"sites\":{\"a\":{}}}");

	g_assert_nonnull(strstr(problem, "\"sites\" that are no list"));
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--write") == 0) { /* the corpus of the fuzzer */
		g_autoptr(GBytes) bytes = make_trace_2(11, 32, 60);

		return !g_file_set_contents(argv[2], g_bytes_get_data(bytes, NULL),
					    (gssize)g_bytes_get_size(bytes), NULL);
	}
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/trace-2/records_come_back", test_records_come_back);
	g_test_add_func("/trace-2/data_flow_comes_back", test_data_flow_comes_back);
	g_test_add_func("/trace-2/instructions_in_order_take_no_bytes",
			test_instructions_in_order_take_no_bytes);
	g_test_add_func("/trace-2/instructions_beyond_the_last_are_refused",
			test_instructions_beyond_the_last_are_refused);
	g_test_add_func("/trace-2/damaged_data_flow_is_refused",
			test_damaged_data_flow_is_refused);
	g_test_add_func("/trace-2/bad_records_are_refused", test_bad_records_are_refused);
	g_test_add_func("/trace-2/parameters_in_metadata_have_all_their_lines",
			test_parameters_in_metadata_have_all_their_lines);
	g_test_add_func("/trace-2/constants_in_metadata_have_bank_and_place",
			test_constants_in_metadata_have_bank_and_place);
	g_test_add_func("/trace-2/lists_in_metadata_are_bounded",
			test_lists_in_metadata_are_bounded);
	g_test_add_func("/trace-2/metadata_must_have_what_records_name",
			test_metadata_must_have_what_records_name);
	return g_test_run();
}
