/* SPDX-License-Identifier: MIT */
/*
 * Spin locks taken at random: whoever tries, waits and gets in, the records are the lock with all lanes, what they do
 * once they are in, and the unlock.
 */
#include <glib.h>
#include <string.h>

#include "capture-tools.h"

#define N_RUNS	     300
#define MAX_TIMES    3
#define SHARED_BYTES 4096
#define ATOMIC	     (RAW_READ | RAW_WRITE)

/* How a program takes its locks and gives them back. */
typedef struct {
	const char *take, *work, *give;
	RawEventKind kind;
	uint32_t give_flags;
	uint64_t base; /* of the locks, and SHARED_BYTES / 2 behind it of what they guard */
} Style;

static const Style styles[] = {
	{"ATOMS.CAS R1, [R0], RZ, R3", "STS [R5], R4", "STS [R0], RZ", RAW_SHARED, RAW_WRITE,
	 0x400},
	{"ATOMS.EXCH R1, [R0], R3", "STS [R5], R4", "ATOMS.EXCH RZ, [R0], RZ", RAW_SHARED,
	 ATOMIC, 0x400},
	{"ATOMG.E.CAS.STRONG.GPU PT, R1, [R6.64], R2, R3", "STG.E [R8.64], R4",
	 "STG.E [R6.64], RZ", RAW_GLOBAL, RAW_WRITE, 0x10000},
	{"ATOMG.E.EXCH.STRONG.GPU PT, R1, [R6.64], R3", "STG.E [R8.64], R4",
	 "ATOMG.E.EXCH.STRONG.GPU PT, RZ, [R6.64], RZ", RAW_GLOBAL, ATOMIC, 0x10000},
};

static const RawMemory memory = {0x10000, SHARED_BYTES};

typedef struct {
	RecordKind kind;
	uint32_t mask;
	uint32_t address[TRACE_MAX_LANES]; /* by lane */
	guint gap;			   /* operations in front of it */
} Expected;

typedef struct {
	GRand *rand;
	const Style *style;
	GByteArray *events;
	uint64_t n_events;
	uint32_t lanes, idle; /* that want locks; that load once instead */
	guint word[TRACE_MAX_LANES], times[TRACE_MAX_LANES], done[TRACE_MAX_LANES];
	guint n_tries;
	uint32_t block, warp;
} Run;

/* 0x0 branches away, 0x10 takes, 0x40 works, 0x50 gives back, 0x60 may go round again. */
static char *code_of(const Style *style)
{
	return g_strdup_printf(".target sm_90\n.text.k:\n"
			       "/*0000*/ @P2 BRA `(.L_2) ;\n"
			       ".L_1:\n"
			       "/*0010*/ %s ;\n"
			       "/*0020*/ ISETP.NE.AND P0, PT, R1, RZ, PT ;\n"
			       "/*0030*/ @P0 BRA `(.L_1) ;\n"
			       "/*0040*/ %s ;\n"
			       "/*0050*/ %s ;\n"
			       "/*0060*/ @P1 BRA `(.L_1) ;\n"
			       "/*0070*/ BRA `(.L_3) ;\n"
			       ".L_2:\n"
			       "/*0080*/ @P3 LDS R9, [R10] ;\n"
			       ".L_3:\n"
			       "/*0090*/ EXIT ;\n",
			       style->take, style->work, style->give);
}

static uint32_t place_of(guint lane, guint time)
{
	return SHARED_BYTES / 2 + 4 * (MAX_TIMES * lane + time);
}

static void add(Run *run, uint64_t pc, RawEventKind kind, uint32_t mask, uint32_t flags)
{
	const RawEvent event = {.pc = CAPTURE_BASE + pc,
				.block_id = run->block,
				.warp = (uint16_t)run->warp,
				.mask = mask,
				.kind = (uint8_t)kind,
				.bytes = RAW_ADDRESS_BYTES(kind) ? 4 : 0,
				.flags = flags,
				.detail = kind == RAW_ENTER ? SHARED_BYTES : 0};
	const uint64_t base = pc == 0x80 ? 0x400 : run->style->base;
	uint64_t addresses[TRACE_MAX_LANES];
	guint n = 0;

	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (mask >> lane & 1)
			addresses[n++] = base + (pc == 0x40   ? place_of(lane, run->done[lane])
						 : pc == 0x80 ? 0
							      : 4 * run->word[lane]);
	if (mask) {
		capture_put_event(run->events, &event, addresses);
		run->n_events++;
	}
}

/* Of those that try one of each word gets its lock, or nobody in this round. */
static uint32_t winners(Run *run, uint32_t trying)
{
	uint32_t won = 0;

	if (g_rand_int_range(run->rand, 0, 4) == 0)
		return 0;
	for (guint word = 0; word < 8; word++) {
		guint n = 0, first = (guint)g_rand_int_range(run->rand, 0, TRACE_MAX_LANES);

		for (guint i = 0; i < TRACE_MAX_LANES; i++) {
			guint lane = (first + i) % TRACE_MAX_LANES;

			if (trying >> lane & 1 && run->word[lane] == word && n++ == 0)
				won |= 1u << lane;
		}
	}
	return won;
}

/* Runs it; who is done goes round again at once, or when all are. */
static void take_locks(Run *run, bool at_once)
{
	uint32_t wanting = run->lanes, late = 0, trying = run->lanes;

	while (wanting) {
		uint32_t won = winners(run, trying);

		add(run, 0x10, run->style->kind, trying, ATOMIC);
		run->n_tries++;
		if (run->idle && won) {
			add(run, 0x80, RAW_SHARED, run->idle, RAW_READ);
			run->idle = 0;
		}
		add(run, 0x40, run->style->kind, won, RAW_WRITE);
		add(run, 0x50, run->style->kind, won, run->style->give_flags);
		wanting &= ~won;
		trying = 0;
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (won >> lane & 1 && ++run->done[lane] < run->times[lane])
				late |= 1u << lane;
		if (at_once)
			trying = late;
		if (at_once || !wanting) {
			wanting |= late;
			late = 0;
		}
		/* Those that wait try now and then. */
		trying |= wanting &
			  (g_rand_boolean(run->rand) ? UINT32_MAX : g_rand_int(run->rand));
		if (!trying || !at_once)
			trying = wanting;
	}
}

static GArray *expected_of(const Run *run, uint32_t idle)
{
	const bool shared = run->style->kind == RAW_SHARED;
	GArray *all = g_array_new(FALSE, TRUE, sizeof(Expected));

	for (guint time = 0; time < MAX_TIMES; time++) {
		Expected lock = {.kind = RECORD_LOCK, .gap = 1};
		Expected work, unlock;

		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (run->lanes >> lane & 1 && run->times[lane] > time) {
				lock.mask |= 1u << lane;
				lock.address[lane] = 4 * run->word[lane];
			}
		if (!lock.mask)
			continue;
		unlock = work = lock;
		work.kind = shared ? RECORD_STS : RECORD_STG;
		work.gap = 2;
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			work.address[lane] = place_of(lane, time);
		unlock.kind = RECORD_UNLOCK;
		unlock.gap = 0;
		g_array_append_val(all, lock);
		g_array_append_val(all, work);
		g_array_append_val(all, unlock);
	}
	if (idle) {
		const Expected load = {.kind = RECORD_LDS, .mask = idle};

		g_array_append_val(all, load);
	}
	return all;
}

static void check_record(const Record *record, const Expected *expected)
{
	guint n = 0;

	g_assert_cmpint(record->kind, ==, expected->kind);
	g_assert_cmphex(record->mask, ==, expected->mask);
	g_assert_cmpuint(record->width, ==, 4);
	if (record->kind == RECORD_LOCK || record->kind == RECORD_UNLOCK)
		g_assert_cmpint(record->space == MEMORY_GLOBAL, ==, record_in_buffer(record));
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (expected->mask >> lane & 1)
			g_assert_cmphex((record_in_buffer(record) ? record->offset : 0) +
						record->address[n++],
					==, expected->address[lane]);
}

static void check_records(TraceReader *reader, uint64_t block, uint32_t warp,
			  const GArray *expected, bool gaps)
{
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, block, warp);
	CodeClass last = CODE_OTHER;
	Record record;
	guint n = 0, gap = 0;

	while (stream->next(stream, &record) == STREAM_RECORD) {
		if (record.kind == RECORD_CODE) {
			const Gap *code = &source->kernel.dataflow->gaps[record.gap];

			gap += code->n_operations;
			last = code->operations[code->n_operations - 1].class;
			continue;
		}
		if (record.kind == RECORD_EXIT)
			break;
		g_assert_cmpuint(n, <, expected->len);
		check_record(&record, &g_array_index(expected, Expected, n));
		if (gaps)
			g_assert_cmpuint(gap, ==, g_array_index(expected, Expected, n).gap);
		/* Who is in did not go back, who comes again did. */
		if (gaps && gap)
			g_assert_cmpint(last, ==,
					n > 0 && record.kind == RECORD_LOCK ? CODE_JUMP
									    : CODE_BRANCH);
		n++;
		gap = 0;
	}
	g_assert_cmpuint(n, ==, expected->len);
	stream->close(stream);
}

/* Lanes 0 and 31 alone, all, or any. */
static void choose_lanes(Run *run, guint seed)
{
	static const uint32_t some[] = {1, 0x80000000, UINT32_MAX, 0x80000001};
	const guint n_words = 1 + seed % 5;

	run->lanes = seed % 8 < G_N_ELEMENTS(some) ? some[seed % 8] : g_rand_int(run->rand) | 2;
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		run->word[lane] = (guint)g_rand_int_range(run->rand, 0, (gint)n_words);
}

static TraceReader *convert(Run *run, ConvertCounts *counts)
{
	g_autofree char *code = code_of(run->style);
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) raw = NULL;
	TraceReader *reader;

	add(run, 0x90, RAW_EXIT, UINT32_MAX, 0);
	raw = capture_raw_memory(run->events, run->n_events, 0, &memory, 1);
	reader = capture_convert(raw, code, counts, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(counts->unresolved_paths, ==, 0);
	g_assert_cmpuint(counts->out_of_range + counts->unplaced_accesses, ==, 0);
	return reader;
}

static void check_run(guint seed, guint times, bool at_once, bool idle)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
	Run run = {.rand = rand,
		   .style = &styles[seed % G_N_ELEMENTS(styles)],
		   .events = g_byte_array_new()};
	g_autoptr(GArray) expected = NULL;
	g_autoptr(TraceReader) reader = NULL;
	uint32_t others;
	ConvertCounts counts;
	guint n_locks = 0;

	choose_lanes(&run, seed);
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		run.times[lane] =
			times ? times : (guint)g_rand_int_range(rand, 1, MAX_TIMES + 1);
	run.idle = others = idle ? ~run.lanes : 0;
	add(&run, 0, RAW_ENTER, UINT32_MAX, 0);
	take_locks(&run, at_once);
	reader = convert(&run, &counts);
	expected = expected_of(&run, others);
	for (guint i = 0; i < expected->len; i++)
		n_locks += g_array_index(expected, Expected, i).kind == RECORD_LOCK;
	g_test_message("seed %u", seed);
	check_records(reader, 0, 0, expected,
		      run.lanes == UINT32_MAX && (times == 1 || (times && at_once)));
	g_assert_cmpuint(counts.folded_locks, ==, n_locks);
	g_assert_cmpuint(counts.folded_events, ==, run.n_tries - n_locks);
	g_assert_cmpuint(counts.nested_locks, ==, 0);
}

static void rounds_of_one_lock_are_one(void)
{
	for (guint seed = 0; seed < N_RUNS; seed++)
		check_run(seed, 1, seed % 2, false);
}

static void what_others_do_meanwhile_comes_behind(void)
{
	for (guint seed = 0; seed < N_RUNS; seed++)
		check_run(seed, 1, seed % 2, true);
}

static void locks_that_are_taken_again_are_as_many(void)
{
	for (guint seed = 0; seed < N_RUNS; seed++)
		check_run(seed, 2 + seed / 2 % 2, seed % 2, false);
}

static void lanes_may_take_a_lock_more_often_than_others(void)
{
	for (guint seed = 0; seed < N_RUNS; seed++)
		check_run(seed, 0, seed % 2, false);
}

/* Events of several warps, each in its order, mixed. */
static GByteArray *mix(GRand *rand, GByteArray **events, guint n)
{
	gsize at[4] = {0};
	guint left = n;
	GByteArray *all = g_byte_array_new();

	while (left > 0) {
		const guint i = (guint)g_rand_int_range(rand, 0, (gint)n);
		const RawEvent *event = (const RawEvent *)(gpointer)(events[i]->data + at[i]);
		gsize bytes;

		if (at[i] == events[i]->len)
			continue;
		bytes = RAW_EVENT_BYTES(event->kind, event->flags, event->bytes,
					(guint)__builtin_popcount(event->mask));
		g_byte_array_append(all, events[i]->data + at[i], (guint)bytes);
		at[i] += bytes;
		left -= at[i] == events[i]->len;
	}
	return all;
}

/* Two blocks of two warps, whose locks have the same words. */
static void warps_take_their_locks_apart(void)
{
	for (guint seed = 0; seed < N_RUNS / 4; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		const Style *style = &styles[seed % G_N_ELEMENTS(styles)];
		g_autofree char *code = code_of(style);
		g_autoptr(GError) error = NULL;
		GByteArray *events[4];
		GArray *expected[4];
		uint64_t n_events = 0;
		ConvertCounts counts;

		for (guint i = 0; i < G_N_ELEMENTS(events); i++) {
			Run run = {.rand = rand,
				   .style = style,
				   .events = g_byte_array_new(),
				   .block = i / 2,
				   .warp = i % 2};

			choose_lanes(&run, seed + i);
			for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
				run.times[lane] = 1;
			add(&run, 0, RAW_ENTER, UINT32_MAX, 0);
			take_locks(&run, false);
			add(&run, 0x90, RAW_EXIT, UINT32_MAX, 0);
			events[i] = run.events;
			n_events += run.n_events;
			expected[i] = expected_of(&run, 0);
		}

		g_autoptr(GBytes) raw =
			capture_raw_blocks(mix(rand, events, G_N_ELEMENTS(events)), n_events, 0,
					   &memory, 1, 2, 64);
		g_autoptr(TraceReader) reader = capture_convert(raw, code, &counts, &error);

		g_assert_no_error(error);
		g_assert_cmpuint(counts.folded_locks, ==, G_N_ELEMENTS(events));
		for (guint i = 0; i < G_N_ELEMENTS(events); i++) {
			check_records(reader, i / 2, i % 2, expected[i], false);
			g_array_unref(expected[i]);
			g_byte_array_unref(events[i]);
		}
	}
}

/* One lane ends with its lock: the instruction takes none, and each event is the record that it looks like. */
static void a_lock_that_is_kept_is_none(void)
{
	for (guint seed = 0; seed < N_RUNS; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		Run run = {.rand = rand,
			   .style = &styles[seed % G_N_ELEMENTS(styles)],
			   .events = g_byte_array_new()};
		g_autoptr(TraceReader) reader = NULL;
		uint32_t keeps;
		ConvertCounts counts;

		choose_lanes(&run, seed);
		keeps = run.lanes & -run.lanes;
		run.lanes &= ~keeps;
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			run.times[lane] = 1;
		add(&run, 0, RAW_ENTER, UINT32_MAX, 0);
		take_locks(&run, false);
		add(&run, 0x10, run.style->kind, keeps, ATOMIC);
		add(&run, 0x40, run.style->kind, keeps, RAW_WRITE);
		/* Another word than it took. */
		run.word[__builtin_ctz(keeps)] = 9;
		add(&run, 0x50, run.style->kind, keeps, run.style->give_flags);
		reader = convert(&run, &counts);
		g_assert_cmpuint(counts.folded_locks + counts.folded_events, ==, 0);

		g_autofree char *told = capture_print_warp(reader, 0, 0);

		g_assert_null(strstr(told, "lock"));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/locks/" #name, name)
	TEST(rounds_of_one_lock_are_one);
	TEST(what_others_do_meanwhile_comes_behind);
	TEST(locks_that_are_taken_again_are_as_many);
	TEST(lanes_may_take_a_lock_more_often_than_others);
	TEST(warps_take_their_locks_apart);
	TEST(a_lock_that_is_kept_is_none);
#undef TEST
	return g_test_run();
}
