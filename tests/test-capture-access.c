/* SPDX-License-Identifier: MIT */
/* Accesses made at random and the records that they are: words, buffers, segments, retries. */
#include <glib.h>
#include <string.h>

#include "base/sass-class.h"
#include "capture-tools.h"

#define N_RUNS	     150
#define N_ACCESSES   24
#define SHARED_BYTES 1024
#define ATOMIC	     (RAW_READ | RAW_WRITE)

typedef struct {
	const char *text;
	RawEventKind kind;
	uint32_t flags;
	guint bytes;	 /* 0: any */
	RecordKind made; /* of what can be placed */
} Form;

/* An access, and what it is to become. */
typedef struct {
	const Form *form;
	uint32_t mask;
	guint bytes, n_lanes;
	uint64_t address[TRACE_MAX_LANES];
	bool placed;
} Access;

/* A compare-and-swap of 16 bits is one of its word. */
static bool is_half(const Access *access)
{
	return access->form->flags == ATOMIC && access->bytes == 2;
}

static guint width_of(const Access *access)
{
	return is_half(access)	     ? 4
	       : access->bytes == 12 ? 16
	       : access->bytes == 3  ? 4
				     : access->bytes;
}

static uint64_t word_of(const Access *access, guint i)
{
	return access->address[i] - (is_half(access) ? access->address[i] % 4 : 0);
}

static Access random_access(GRand *rand, const Form *forms, guint n_forms)
{
	static const guint widths[] = {1, 2, 4, 8, 16};
	static const uint32_t masks[] = {1, 0x80000000, UINT32_MAX, 0x80000001, 0xff00};
	Access access = {.form = &forms[g_rand_int_range(rand, 0, (gint)n_forms)],
			 .mask = g_rand_int(rand) | 2};

	if (g_rand_boolean(rand))
		access.mask = masks[g_rand_int_range(rand, 0, G_N_ELEMENTS(masks))];
	access.n_lanes = (guint)__builtin_popcount(access.mask);
	access.bytes = access.form->bytes;
	if (!access.bytes)
		access.bytes = widths[g_rand_int_range(rand, 0, G_N_ELEMENTS(widths))];
	return access;
}

static void add_access(GByteArray *events, guint n, const Access *access)
{
	const RawEvent event = {.pc = CAPTURE_BASE + 16 * (uint64_t)n,
				.mask = access->mask,
				.kind = (uint8_t)access->form->kind,
				.bytes = (uint8_t)access->bytes,
				.flags = access->form->flags};

	capture_put_event(events, &event, access->address);
}

/* A program that makes the accesses one behind the other. */
static TraceReader *convert(const char *target, const Access *accesses, const RawMemory *memory,
			    guint n_memory, ConvertCounts *counts)
{
	const RawEvent enter = {.pc = CAPTURE_BASE,
				.mask = UINT32_MAX,
				.kind = RAW_ENTER,
				.detail = SHARED_BYTES};
	g_autoptr(GString) code = g_string_new(target);
	GByteArray *events = g_byte_array_new();
	g_autoptr(GError) error = NULL;
	TraceReader *reader;

	g_string_append(code, ".text.k:\n");
	capture_put_event(events, &enter, NULL);
	for (guint i = 0; i < N_ACCESSES; i++) {
		g_string_append_printf(code, "/*%04x*/ %s ;\n", 16 * i, accesses[i].form->text);
		add_access(events, i, &accesses[i]);
	}
	g_string_append_printf(code, "/*%04x*/ EXIT ;\n", 16 * N_ACCESSES);
	capture_add_event(events, 16 * N_ACCESSES, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

	g_autoptr(GBytes) raw = capture_raw_memory(events, N_ACCESSES + 2, 0, memory, n_memory);

	reader = capture_convert(raw, code->str, counts, &error);
	g_assert_no_error(error);
	return reader;
}

/* ---- Shared memory */

static const Form shared_forms[] = {
	{"@P0 LDS R1, [R0]", RAW_SHARED, RAW_READ, 0, RECORD_LDS},
	{"@P0 STS [R0], R1", RAW_SHARED, RAW_WRITE, 0, RECORD_STS},
	{"@P0 LDGSTS.E [R0], [R2.64]", RAW_COPY, RAW_WRITE, 0, RECORD_STS},
	{"@P0 ATOMS.ADD R1, [R0], R2", RAW_SHARED, ATOMIC, 4, RECORD_ATOM},
	{"@P0 ATOMS.EXCH.64 R4, [R0], R2", RAW_SHARED, ATOMIC, 8, RECORD_ATOM},
	{"@P0 ATOMS.CAS R1, [R0], R2, R3", RAW_SHARED, ATOMIC, 2, RECORD_ATOM},
	{"@P0 LDS.128 R4, [R0]", RAW_SHARED, RAW_READ, 12, RECORD_LDS},
	{"@P0 LDS R4, [R0]", RAW_SHARED, RAW_READ, 3, RECORD_LDS},
};

/* Where shared memory begins, and the block's place in its cluster above it. */
static void place_shared(GRand *rand, Access *access, uint32_t begin)
{
	const uint32_t width = width_of(access);
	const uint32_t block = (uint32_t)g_rand_int_range(rand, 0, 8) << 24;
	const gint32 step = g_rand_int_range(rand, 0, 3);

	access->placed = true;
	for (guint i = 0; i < access->n_lanes; i++) {
		int64_t at =
			g_rand_int_range(rand, 0, (gint)(SHARED_BYTES / width)) * (gint)width;

		if (step == 1)
			at = i * width;
		if (step == 2 &&
		    i + 1 == access->n_lanes) { /* one lane at an edge, or astray */
			const gint32 where = g_rand_int_range(rand, 0, 4);

			at = where == 0	  ? -(int64_t)width
			     : where == 1 ? SHARED_BYTES
			     : where == 2 ? SHARED_BYTES - width
					  : at + (is_half(access) ? 0 : 1);
		}
		if (begin == 0 && at < 0)
			at = SHARED_BYTES;
		access->placed &= at >= 0 && at % width == 0 && at + width <= SHARED_BYTES;
		access->address[i] =
			block + (uint32_t)(begin + at) + (is_half(access) ? 2 * (i % 2) : 0);
	}
}

static void shared_words_are_those_of_the_block(void)
{
	for (guint32 seed = 0; seed < N_RUNS; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		const uint32_t begin = seed % 2 ? 0x400 : 0;
		Access accesses[N_ACCESSES];
		ConvertCounts counts;
		uint64_t n_astray = 0, n_copies = 0;

		for (guint i = 0; i < N_ACCESSES; i++) {
			accesses[i] =
				random_access(rand, shared_forms, G_N_ELEMENTS(shared_forms));
			place_shared(rand, &accesses[i], begin);
			n_astray += !accesses[i].placed;
			n_copies += accesses[i].form->kind == RAW_COPY;
		}

		g_autoptr(TraceReader) reader =
			convert(begin ? ".target sm_90\n" : ".target sm_89\n", accesses, NULL,
				0, &counts);
		WarpStream *stream =
			trace_source(reader)->open_warp(trace_source(reader), 0, 0);
		Record record;

		g_assert_cmpuint(counts.out_of_range, ==, n_astray);
		g_assert_cmpuint(counts.async_copies, ==, n_copies);
		g_assert_cmpuint(counts.unknown_operations, ==, 0);
		for (guint i = 0; i < N_ACCESSES; i++) {
			const Access *access = &accesses[i];

			g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
			g_assert_cmpuint(record.site, ==, i + 1);
			if (!access->placed) {
				g_assert_cmpint(record.kind, ==, RECORD_UNKNOWN);
				continue;
			}
			g_assert_cmpint(record.kind, ==, access->form->made);
			g_assert_cmphex(record.mask, ==, access->mask);
			g_assert_cmpuint(record.n_lanes, ==, access->n_lanes);
			g_assert_cmpuint(record.width, ==, width_of(access));
			for (guint k = 0; k < access->n_lanes; k++)
				g_assert_cmphex(record.address[k], ==,
						(word_of(access, k) & 0xffffff) - begin);
		}
		stream->close(stream);
	}
}

/* ---- Global memory */

static const Form global_forms[] = {
	{"@P0 LDG.E R1, [R2.64]", RAW_GLOBAL, RAW_READ, 0, RECORD_LDG},
	{"@P0 LDG.E.EF R1, [R2.64]", RAW_GLOBAL, RAW_READ, 0, RECORD_LDG},
	{"@P0 STG.E [R2.64], R1", RAW_GLOBAL, RAW_WRITE, 0, RECORD_STG},
	{"@P0 ATOMG.E.ADD.STRONG.GPU PT, R1, [R2.64], R5", RAW_GLOBAL, ATOMIC, 0, RECORD_ATOMG},
	{"@P0 RED.E.ADD.64.STRONG.GPU [R2.64], R6", RAW_GLOBAL, ATOMIC, 8, RECORD_ATOMG},
};

#define N_ALLOCATIONS 3

/* In no order, two of them side by side. */
static const RawMemory memory[N_ALLOCATIONS] = {
	{0x7000000, 0x400}, {0x100000, 0x2000}, {0x102000, 0x180}};

static int allocation_of(uint64_t address)
{
	for (int i = 0; i < N_ALLOCATIONS; i++)
		if (address >= memory[i].address &&
		    address < memory[i].address + memory[i].bytes)
			return i;
	return -1;
}

static void place_global(GRand *rand, Access *access)
{
	const RawMemory *in = &memory[g_rand_int_range(rand, 0, N_ALLOCATIONS)];
	const uint32_t width = width_of(access);
	const gint32 pattern = g_rand_int_range(rand, 0, 6);
	const gint32 n = (gint32)(in->bytes / width);
	const uint64_t first =
		in->address +
		(uint64_t)width * (uint32_t)g_rand_int_range(rand, 0, n > 64 ? n - 64 : 1);

	access->placed = true;
	for (guint i = 0; i < access->n_lanes; i++) {
		uint64_t at =
			in->address + (uint64_t)width * (uint32_t)g_rand_int_range(rand, 0, n);

		if (pattern == 1)
			at = first + i * width;
		if (pattern == 2)
			at = in->address + in->bytes - width * (i + 1) % in->bytes;
		if (pattern == 3 && i == access->n_lanes / 2)
			at = memory[g_rand_int_range(rand, 0, N_ALLOCATIONS)].address;
		if (pattern == 4 && !is_half(access) && i == access->n_lanes / 2)
			at += width / 2;
		if (allocation_of(at) < 0)
			at = in->address;
		access->address[i] = at;
		access->placed &= at % width == 0 &&
				  allocation_of(at) == allocation_of(access->address[0]) &&
				  allocation_of(at) == allocation_of(at + width - 1);
		access->address[i] += is_half(access) ? 2 * (i % 2) : 0;
	}
	/* Two types of atomics alone. */
	if (access->form->made == RECORD_ATOMG && access->form->bytes == 0 && width != 4)
		access->placed = false;
}

static guint segments_of(const Access *access)
{
	g_autoptr(GHashTable) met = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < access->n_lanes; i++)
		for (guint k = 0; k < width_of(access); k++)
			g_hash_table_add(met,
					 GUINT_TO_POINTER((word_of(access, i) + k) / 128 + 1));
	return g_hash_table_size(met);
}

/* Those that are accessed have numbers, by address. */
static guint number_of(const bool *used, int allocation)
{
	guint n = 0;

	for (int i = 0; i < N_ALLOCATIONS; i++)
		n += used[i] && memory[i].address <= memory[allocation].address;
	return n;
}

static void check_global(const Record *record, const Access *access, const bool *used)
{
	const int allocation = allocation_of(access->address[0]);

	g_assert_cmpint(record->kind, ==, access->form->made);
	g_assert_cmpuint(record->n_lanes, ==, access->n_lanes);
	g_assert_cmpuint(record->bytes, ==, width_of(access) * access->n_lanes);
	g_assert_cmpuint(record->count, ==, segments_of(access));
	if (!access->placed) {
		g_assert_cmpuint(record->buffer, ==, 0);
		return;
	}
	g_assert_cmphex(record->mask, ==, access->mask);
	g_assert_cmpuint(record->buffer, ==, number_of(used, allocation));
	g_assert_cmpuint(record->width, ==, width_of(access));
	for (guint k = 0; k < access->n_lanes; k++)
		g_assert_cmphex(record->offset + record->address[k], ==,
				word_of(access, k) - memory[allocation].address);
	if (record->kind == RECORD_ATOMG) {
		g_assert_cmpint(record->operation, ==, OPERATION_ADD);
		g_assert_cmpint(record->type, ==, access->bytes == 8 ? TYPE_U64 : TYPE_U32);
		g_assert_cmpint(record->result, ==, access->form->text[4] == 'A');
	} else {
		g_assert_cmpint(record->cache, ==,
				sass_cache_hint(strchr(access->form->text, ' ') + 1));
	}
}

static void global_accesses_lie_in_their_allocations(void)
{
	for (guint32 seed = 0; seed < N_RUNS; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		bool used[N_ALLOCATIONS] = {false};
		Access accesses[N_ACCESSES];
		ConvertCounts counts;
		uint64_t n_unplaced = 0;

		for (guint i = 0; i < N_ACCESSES; i++) {
			accesses[i] =
				random_access(rand, global_forms, G_N_ELEMENTS(global_forms));
			place_global(rand, &accesses[i]);
			n_unplaced += !accesses[i].placed;
			for (guint k = 0; k < accesses[i].n_lanes; k++)
				used[allocation_of(accesses[i].address[k])] = true;
		}

		g_autoptr(TraceReader) reader =
			convert(".target sm_90\n", accesses, memory, N_ALLOCATIONS, &counts);
		WarpStream *stream =
			trace_source(reader)->open_warp(trace_source(reader), 0, 0);
		Record record;

		g_test_message("seed %u", seed);
		g_assert_cmpuint(counts.unplaced_accesses, ==, n_unplaced);
		for (guint i = 0; i < N_ACCESSES; i++) {
			g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
			check_global(&record, &accesses[i], used);
		}
		stream->close(stream);
	}
}

/* ---- Retry loops */

typedef struct {
	const char *load, *add, *swap;
	guint bytes;
	ValueType type;
} Loop;

/* Lane l adds l. */
static const Loop loops[] = {
	{"LDS R6, [R0]", "FADD R8, R6, R4", "ATOMS.CAST.SPIN R8, [R0], R6, R8", 4, TYPE_F32},
	{"LDS.64 R6, [R0]", "DADD R8, R6, R4", "ATOMS.CAST.SPIN.64 R8, [R0], R6, R8", 8,
	 TYPE_F64},
	/* What is added is not known. */
	{"LDS R6, [R0]", "FADD R8, R6, R9", "ATOMS.CAST.SPIN R8, [R0], R6, R8", 4, TYPE_F32},
};

typedef struct {
	uint32_t mask;
	uint64_t address[TRACE_MAX_LANES]; /* by lane */
} Execution;

static void add_attempt(GByteArray *events, const Loop *loop, const Execution *execution,
			uint32_t mask, bool swaps)
{
	const RawEvent event = {.pc = CAPTURE_BASE + (swaps ? 0x40 : 0x20),
				.mask = mask,
				.kind = RAW_SHARED,
				.bytes = (uint8_t)loop->bytes,
				.flags = swaps ? ATOMIC : RAW_READ};
	uint64_t addresses[TRACE_MAX_LANES];
	guint n = 0;

	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (mask >> lane & 1)
			addresses[n++] = execution->address[lane];
	capture_put_event(events, &event, addresses);
}

static uint64_t value_of(const Loop *loop, guint lane)
{
	const double wide = lane;
	const float narrow = (float)lane;
	uint64_t bits = 0;

	if (loop->bytes == 8)
		memcpy(&bits, &wide, sizeof(wide));
	else {
		uint32_t low;

		memcpy(&low, &narrow, sizeof(low));
		bits = low;
	}
	return bits;
}

static void check_executions(TraceReader *reader, const Loop *loop, const Execution *executions,
			     guint n)
{
	WarpStream *stream = trace_source(reader)->open_warp(trace_source(reader), 0, 0);
	Record record;
	guint at = 0;

	while (stream->next(stream, &record) == STREAM_RECORD) {
		guint k = 0;

		if (record.kind == RECORD_CODE || record.kind == RECORD_EXIT)
			continue;
		g_assert_cmpuint(at, <, n);
		g_assert_cmpint(record.kind, ==, RECORD_ATOM);
		g_assert_cmpint(record.operation, ==, OPERATION_ADD);
		g_assert_cmpint(record.type, ==, loop->type);
		g_assert_cmphex(record.mask, ==, executions[at].mask);
		g_assert_cmpint(record.has_values, ==, loop != &loops[2]);
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++) {
			if (!(record.mask >> lane & 1))
				continue;
			g_assert_cmphex(record.address[k] + 0x400, ==,
					executions[at].address[lane]);
			if (record.has_values)
				g_assert_cmphex(record.value[k], ==, value_of(loop, lane));
			k++;
		}
		at++;
	}
	g_assert_cmpuint(at, ==, n);
	stream->close(stream);
}

/* Executions of a loop that some lanes go through several times, other words each time or others that had been done. */
static void check_loop(const Loop *loop, guint32 seed)
{
	static const uint32_t masks[] = {1, 0x80000000, UINT32_MAX, 0x80000001};
	g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
	g_autofree char *code =
		g_strdup_printf(".target sm_90\n.text.k:\n"
				"/*0000*/ S2R R5, SR_LANEID ;\n"
				"/*0010*/ %s R4, R5 ;\n"
				".L_again:\n"
				"/*0020*/ %s ;\n/*0030*/ %s ;\n/*0040*/ %s ;\n"
				"/*0050*/ ISETP.EQ.U32.AND P0, PT, R8, 0x1, PT ;\n"
				"/*0060*/ @!P0 BRA `(.L_again) ;\n"
				"/*0070*/ @!P1 BRA `(.L_again) ;\n"
				"/*0080*/ EXIT ;\n",
				loop->bytes == 8 ? "I2F.F64.U32" : "I2F.U32", loop->load,
				loop->add, loop->swap);
	GByteArray *events = capture_start();
	const uint32_t all =
		seed % 8 < G_N_ELEMENTS(masks) ? masks[seed % 8] : g_rand_int(rand) | 2;
	const guint n = 1 + seed % 3;
	Execution executions[3];
	g_autoptr(GError) error = NULL;
	ConvertCounts counts;
	uint64_t n_events = 2;

	for (guint i = 0; i < n; i++) {
		uint32_t left = all;
		const uint64_t base = 0x400 + (i % 2 ? 64 : 0);

		executions[i].mask = all;
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			executions[i].address[lane] =
				base + loop->bytes * (uint32_t)g_rand_int_range(
							     rand, 0, (gint)(64 / loop->bytes));
		while (left) {
			add_attempt(events, loop, &executions[i], left, false);
			add_attempt(events, loop, &executions[i], left, true);
			n_events += 2;
			/* Now and then nobody is done. */
			left &= g_rand_int_range(rand, 0, 4) ? g_rand_int(rand) : UINT32_MAX;
		}
	}
	if (all != UINT32_MAX)
		capture_add_event(events, 0x80, RAW_EXIT, all, 0, 0, 0, 0);
	else
		capture_add_event(events, 0x80, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);
	/* The warp has those lanes alone. */
	((RawEvent *)(gpointer)events->data)->mask = all;

	g_autoptr(GBytes) raw = capture_raw(events, n_events, 0);
	g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

	g_assert_no_error(error);
	g_test_message("seed %u", seed);
	check_executions(reader, loop, executions, n);
	g_assert_cmpuint(counts.folded_atomics, ==, n);
	g_assert_cmpuint(counts.folded_events, ==, n_events - 2 - n);
	g_assert_cmpuint(counts.unresolved_paths, ==, 0);
}

static void a_retry_loop_is_an_atomic_however_often_it_tries(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(loops); i++)
		for (guint32 seed = 0; seed < N_RUNS; seed++)
			check_loop(&loops[i], seed);
}

/* ---- What programs that record themselves add */

static void recorded_values_are_those_of_words_or_pairs(void)
{
	static const struct {
		const char *text;
		guint bytes;
		bool has_values;
	} rows[] = {
		{"ATOMS.ADD.F32 RZ, [R2], R4", 4, true},
		{"ATOMS.ADD.F64 RZ, [R2], R4", 8, true},
		{"ATOMS.CAS RZ, [R2], R4, R5", 4, false},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		for (guint with = 0; with < 2; with++) {
			g_autofree char *code =
				g_strdup_printf(".target sm_90\n.marked\n.text.k:\n"
						"/*0000*/ EXIT ;\n/*0010*/ %s ;\n",
						rows[i].text);
			const guint n_words = rows[i].bytes / 4;
			const RawEvent add = {.pc = CAPTURE_BASE + 0x10,
					      .mask = 0x80000005,
					      .kind = RAW_SHARED,
					      .bytes = (uint8_t)rows[i].bytes,
					      .flags = ATOMIC | (with ? RAW_VALUES : 0)};
			const uint64_t addresses[] = {0x400, 0x408, 0x410};
			const uint32_t words[] = {1, 2, 3, 4, 5, 6};
			GByteArray *events = capture_start();
			g_autoptr(GError) error = NULL;
			ConvertCounts counts;
			Record record;

			capture_put_event(events, &add, addresses);
			if (with)
				g_byte_array_append(events, (const guint8 *)words,
						    4 * 3 * n_words);
			while (events->len % 8)
				g_byte_array_append(events, (const guint8 *)"", 1);
			capture_add_event(events, 0, RAW_EXIT, UINT32_MAX, 0, 0, 0, 0);

			g_autoptr(GBytes) raw = capture_raw(events, 3, 0);
			g_autoptr(TraceReader) reader =
				capture_convert(raw, code, &counts, &error);

			g_assert_no_error(error);

			WarpStream *stream =
				trace_source(reader)->open_warp(trace_source(reader), 0, 0);

			g_assert_cmpint(stream->next(stream, &record), ==, STREAM_RECORD);
			g_assert_cmpint(record.kind, ==, RECORD_ATOM);
			g_assert_cmpint(record.has_values, ==, with && rows[i].has_values);
			for (guint k = 0; record.has_values && k < 3; k++)
				g_assert_cmphex(
					record.value[k], ==,
					n_words == 1 ? words[k]
						     : words[2 * k] | (uint64_t)words[2 * k + 1]
									      << 32);
			stream->close(stream);
		}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/access/" #name, name)
	TEST(shared_words_are_those_of_the_block);
	TEST(global_accesses_lie_in_their_allocations);
	TEST(a_retry_loop_is_an_atomic_however_often_it_tries);
	TEST(recorded_values_are_those_of_words_or_pairs);
#undef TEST
	return g_test_run();
}
