/* SPDX-License-Identifier: MIT */
/* What-ifs: a changed program does what the unchanged one did, and what cannot is refused. */
#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "config/config.h"
#include "list-source.h"
#include "transform/arrays.h"
#include "transform/what-if.h"

#define N_WARPS	 4
#define N_WORDS	 64 /* of the array; another of 16 words lies behind it */
#define N_STEPS	 20
#define N_BEHIND 16

enum { SITE_CLEAR = 1, SITE_VOTE, SITE_MERGE, SITE_BEHIND };

static Record at_site(RecordKind kind, const uint32_t *words, uint32_t n, uint32_t site)
{
	Record record = list_record(kind, words, n);

	record.site = site;
	return record;
}

/* A histogram: clear, vote, merge; and an array behind it that is only stored to. */
static ListSource *histogram(uint8_t operation, bool result)
{
	ListSource *list = list_source_new(1, N_WARPS, 4 * (N_WORDS + N_BEHIND));
	GRand *rand = g_rand_new_with_seed(7);

	for (uint32_t warp = 0; warp < N_WARPS; warp++) {
		uint32_t own[32], behind[N_BEHIND], votes[32];
		Record record, bar = {.kind = RECORD_BAR};

		for (uint32_t i = 0; i < 32; i++)
			own[i] = warp % 2 * 32 + i;
		for (uint32_t i = 0; i < N_BEHIND; i++)
			behind[i] = N_WORDS + i;
		record = at_site(RECORD_STS, own, 32, SITE_CLEAR);
		list_source_append(list, 0, warp, &record);
		list_source_append(list, 0, warp, &bar);
		for (uint32_t step = 0; step < N_STEPS; step++) {
			for (uint32_t i = 0; i < 32; i++)
				votes[i] = (uint32_t)g_rand_int_range(rand, 0, 8) *
					   (uint32_t)g_rand_int_range(rand, 0, 9);
			record = at_site(RECORD_ATOM, votes, 32, SITE_VOTE);
			record.operation = operation;
			record.result = result;
			list_source_append(list, 0, warp, &record);
		}
		list_source_append(list, 0, warp, &bar);
		record = at_site(RECORD_LDS, own, 32, SITE_MERGE);
		list_source_append(list, 0, warp, &record);
		record = at_site(RECORD_STS, behind, N_BEHIND, SITE_BEHIND);
		list_source_append(list, 0, warp, &record);
	}
	g_rand_free(rand);
	return list;
}

typedef struct {
	uint64_t votes[4096]; /* lanes of atomics by word */
	uint64_t vote_records, loads, stores, alu, lanes_behind;
	uint32_t first_behind;
} Counts;

static void count(RecordSource *source, Counts *counts)
{
	memset(counts, 0, sizeof *counts);
	counts->first_behind = UINT32_MAX;
	for (uint32_t warp = 0; warp < N_WARPS; warp++) {
		WarpStream *stream = source->open_warp(source, 0, warp);
		BlockInfo info;
		Record record;

		source->block_info(source, 0, &info);
		while (stream->next(stream, &record) == STREAM_RECORD) {
			for (uint32_t i = 0;
			     record_has_shared_addresses(&record) && i < record.n_lanes; i++) {
				g_assert_cmpuint(record.address[i] + record.width, <=,
						 info.shared_bytes);
				if (record.kind == RECORD_ATOM)
					counts->votes[record.address[i] / 4]++;
				if (record.site != SITE_BEHIND)
					continue;
				counts->lanes_behind++;
				counts->first_behind =
					MIN(counts->first_behind, record.address[i]);
			}
			counts->vote_records += record.kind == RECORD_ATOM;
			counts->loads += record.kind == RECORD_LDS;
			counts->stores +=
				record.kind == RECORD_STS && record.site == SITE_CLEAR;
			counts->alu += record.kind == RECORD_ALU ? record.count : 0;
		}
		stream->close(stream);
	}
}

/* Applies changes, which must be good, and counts. Returns the block's shared bytes. */
static uint32_t count_changed(ListSource *list, const char *const *changes, Counts *counts)
{
	static const uint32_t lines[] = {10, 20, 30, 40};
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;
	BlockInfo info;

	for (guint i = 0; changes[i] != NULL; i++)
		g_assert_true(what_if_add(what_if, changes[i], &error));
	what_if_apply(what_if, "test", &list->source, lines, G_N_ELEMENTS(lines), &changed,
		      &error);
	g_assert_no_error(error);
	count(changed.source, counts);
	changed.source->block_info(changed.source, 0, &info);
	return info.shared_bytes;
}

static void test_copies_hold_all_votes(void)
{
	static const char *const cases[] = {"replicate=4", "replicate=4,map=block",
					    "replicate=4,map=warp", "replicate=3,pad=5",
					    "replicate=4,pad=0"};

	for (guint c = 0; c < G_N_ELEMENTS(cases); c++) {
		g_autoptr(ListSource) list = histogram(OPERATION_ADD, false);
		const char *const changes[] = {cases[c], NULL};
		uint32_t n = c == 3 ? 3 : 4, stride = N_WORDS + (c == 3 ? 5 : 0);
		Counts before, after;
		uint32_t bytes;

		count(&list->source, &before);
		bytes = count_changed(list, changes, &after);
		g_assert_cmpuint(bytes, >=, 4 * (n * stride + N_BEHIND));
		for (uint32_t word = 0; word < N_WORDS; word++) {
			uint64_t sum = 0;

			for (uint32_t copy = 0; copy < n; copy++)
				sum += after.votes[copy * stride + word];
			g_assert_cmpuint(sum, ==, before.votes[word]);
		}
		/* Clearing and merging are charged for. */
		g_assert_cmpuint(after.stores, ==, n * before.stores);
		g_assert_cmpuint(after.loads, ==, n * before.loads);
		g_assert_cmpuint(after.alu, >=, before.alu + (n - 1) * N_WARPS);
		/* What lies behind moves as one. */
		g_assert_cmpuint(after.lanes_behind, ==, before.lanes_behind);
		g_assert_cmpuint(after.first_behind, >=, 4 * n * stride);
	}
}

/* Where the trace has the atomics alone, the block clears and merges all further copies, each word once. */
static void test_copies_of_votes_alone_are_cleared_and_merged(void)
{
	static const char *const changes[] = {"replicate=3,pad=1", NULL};
	g_autoptr(ListSource) list = list_source_new(1, N_WARPS, 4 * N_WORDS);
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;
	uint32_t stored[4096] = {0}, loaded[4096] = {0}, barriers = 0;

	for (uint32_t warp = 0; warp < N_WARPS; warp++) {
		const uint32_t votes[] = {0, 0, N_WORDS - 1};
		Record record = at_site(RECORD_ATOM, votes, 3, SITE_VOTE);

		list_source_append(list, 0, warp, &record);
	}
	g_assert_true(what_if_add(what_if, changes[0], &error));
	g_assert_true(what_if_apply(what_if, "test", &list->source, NULL, 0, &changed, &error));
	for (uint32_t warp = 0; warp < N_WARPS; warp++) {
		WarpStream *stream = changed.source->open_warp(changed.source, 0, warp);
		uint32_t n_votes = 0;
		Record record;

		while (stream->next(stream, &record) == STREAM_RECORD) {
			barriers += record.kind == RECORD_BAR;
			n_votes += record.kind == RECORD_ATOM;
			/* Cleared before, merged behind. */
			g_assert_true(record.kind != RECORD_STS || n_votes == 0);
			g_assert_true(record.kind != RECORD_LDS || n_votes == 1);
			for (uint32_t i = 0; i < record.n_lanes; i++) {
				stored[record.address[i] / 4] += record.kind == RECORD_STS;
				loaded[record.address[i] / 4] += record.kind == RECORD_LDS;
			}
		}
		g_assert_cmpuint(record.kind, ==, RECORD_EXIT);
		stream->close(stream);
	}
	g_assert_cmpuint(barriers, ==, 2 * N_WARPS);
	for (uint32_t copy = 0; copy < 3; copy++)
		for (uint32_t word = 0; word < N_WORDS + 1; word++) {
			const uint32_t at = copy * (N_WORDS + 1) + word;

			g_assert_cmpuint(stored[at], ==, copy > 0 && word < N_WORDS);
			g_assert_cmpuint(loaded[at], ==, copy > 0 && word < N_WORDS);
		}
}

static void test_threads_map_to_copies(void)
{
	static const struct {
		const char *change;
		uint32_t warp, lane, copy;
	} cases[] = {
		{"replicate=4", 0, 5, 1},
		{"replicate=5", 1, 3, 0},
		{"replicate=2,map=block", 1, 31, 0},
		{"replicate=2,map=block", 2, 0, 1},
		{"replicate=3,map=warp", 2, 9, 2},
		{"replicate=3,map=warp", 3, 9, 0},
	};

	for (guint c = 0; c < G_N_ELEMENTS(cases); c++) {
		g_autoptr(ListSource) list = list_source_new(1, N_WARPS, 4);
		const uint32_t word = 0;
		Record vote = list_record(RECORD_ATOM, &word, 1);
		const char *const changes[] = {cases[c].change, NULL};
		Counts counts;

		vote.mask = (LaneMask)1 << cases[c].lane;
		list_source_append(list, 0, cases[c].warp, &vote);
		count_changed(list, changes, &counts);
		g_assert_cmpuint(counts.votes[cases[c].copy], ==, 1);
	}
}

static void test_padding_and_hash_move_words_apart(void)
{
	static const char *const pad[] = {"pad=16:2,line=20", NULL};
	static const char *const hash[] = {"hash=xor,site=2", NULL};
	static const char *const behind[] = {"pad=8:4,line=40", NULL};
	g_autoptr(ListSource) list = histogram(OPERATION_ADD, false);
	Counts before, after;

	count(&list->source, &before);
	/* An array that does not begin the block's memory grows by what is left out in it. */
	g_assert_cmpuint(count_changed(list, behind, &after), ==, 4 * (N_WORDS + N_BEHIND + 4));
	g_assert_cmpuint(after.lanes_behind, ==, before.lanes_behind);
	g_assert_cmpuint(count_changed(list, pad, &after), >=, 4 * (N_WORDS + 6 + N_BEHIND));
	for (uint32_t word = 0; word < N_WORDS; word++)
		g_assert_cmpuint(after.votes[word + word / 16 * 2], ==, before.votes[word]);
	/* Random words are in no row: each index takes arithmetic. */
	g_assert_cmpuint(after.alu, ==, before.alu + 2 * N_WARPS * (N_STEPS + 2));
	count_changed(list, hash, &after);
	for (uint32_t word = 0; word < N_WORDS; word++)
		g_assert_cmpuint(after.votes[word ^ (word / 32)], ==, before.votes[word]);
	g_assert_cmpuint(after.alu, >, before.alu);
}

static void test_padding_of_rows_and_columns_is_free(void)
{
	static const char *const pad[] = {"pad=4:1,bytes=0..63", NULL};
	const uint32_t row[] = {4, 5, 6, 7}, column[] = {1, 5, 9, 13}, all[] = {0, 15};
	g_autoptr(ListSource) list = list_source_new(1, N_WARPS, 64);
	Record record = at_site(RECORD_LDS, row, 4, SITE_MERGE);
	Counts counts;

	list_source_append(list, 0, 0, &record);
	record = at_site(RECORD_LDS, column, 4, SITE_MERGE);
	list_source_append(list, 0, 0, &record);
	count_changed(list, pad, &counts);
	g_assert_cmpuint(counts.alu, ==, 0);
	record = at_site(RECORD_LDS, all, 2, SITE_MERGE);
	list_source_append(list, 0, 1, &record);
	count_changed(list, pad, &counts);
	g_assert_cmpuint(counts.alu, ==, 2 * 3);
}

static void test_padding_parts_wide_loads(void)
{
	static const char *const odd[] = {"pad=4:1,bytes=0..63", NULL};
	static const char *const whole[] = {"pad=4:4,bytes=0..63", NULL};
	const uint32_t words[] = {0, 4, 8, 12};
	g_autoptr(ListSource) list = list_source_new(1, N_WARPS, 64);
	Record record = at_site(RECORD_LDS, words, 4, SITE_MERGE);
	Counts counts;

	record.width = 16;
	list_source_append(list, 0, 0, &record);
	count_changed(list, odd, &counts);
	g_assert_cmpuint(counts.loads, ==, 4);
	count_changed(list, whole, &counts);
	g_assert_cmpuint(counts.loads, ==, 1);
}

static void test_aggregation_keeps_a_lane_of_each_word(void)
{
	static const char *const changes[] = {"aggregate=warp", NULL};
	g_autoptr(ListSource) list = list_source_new(1, N_WARPS, 256);
	const uint32_t words[] = {5, 5, 7, 5, 7, 9};
	Record vote = list_record(RECORD_ATOM, words, G_N_ELEMENTS(words));
	Counts counts;

	list_source_append(list, 0, 1, &vote);
	count_changed(list, changes, &counts);
	g_assert_cmpuint(counts.vote_records, ==, 1);
	for (uint32_t word = 0; word < 16; word++)
		g_assert_cmpuint(counts.votes[word], ==, word == 5 || word == 7 || word == 9);
	g_assert_cmpuint(counts.alu, >, 0);
}

/* Instructions that are added to an atomic of so many lanes on one word, and one on another if there is one. */
static uint64_t aggregation_cost(uint32_t n_lanes, bool other, ValueType type)
{
	static const char *const changes[] = {"aggregate=warp", NULL};
	g_autoptr(ListSource) list = list_source_new(1, N_WARPS, 256);
	uint32_t words[32] = {0};
	Record vote;
	Counts counts;

	words[n_lanes] = other;
	vote = list_record(RECORD_ATOM, words, n_lanes + other);
	vote.type = type;
	list_source_append(list, 0, 1, &vote);
	count_changed(list, changes, &counts);
	return counts.alu;
}

/* Counts are had by counting lanes; what must be added up takes a step for each lane, or in an array of one word a
   reduction, whatever the lanes. */
static void test_aggregation_takes_a_step_for_each_lane(void)
{
	static const uint32_t lanes[] = {1, 2, 3, 5, 8, 31};
	const uint64_t step =
		aggregation_cost(2, true, TYPE_F32) - aggregation_cost(1, true, TYPE_F32);

	g_assert_cmpuint(step, >, 0);
	for (guint i = 0; i < G_N_ELEMENTS(lanes); i++) {
		g_assert_cmpuint(aggregation_cost(lanes[i], true, TYPE_U32), ==,
				 aggregation_cost(1, true, TYPE_U32));
		g_assert_cmpuint(aggregation_cost(lanes[i], true, TYPE_F32), ==,
				 aggregation_cost(1, true, TYPE_U32) + lanes[i] * step);
		g_assert_cmpuint(aggregation_cost(lanes[i], false, TYPE_F32), ==,
				 aggregation_cost(1, false, TYPE_F32));
	}
	g_assert_cmpuint(aggregation_cost(8, false, TYPE_U32), <,
			 aggregation_cost(8, false, TYPE_F32));
}

static void test_changes_compose(void)
{
	static const char *const changes[] = {"replicate=2", "pad=64:1,site=2", NULL};
	g_autoptr(ListSource) list = histogram(OPERATION_ADD, false);
	Counts before, after;

	count(&list->source, &before);
	count_changed(list, changes, &after);
	for (uint32_t word = 0; word < N_WORDS; word++)
		g_assert_cmpuint(after.votes[word] + after.votes[N_WORDS + 1 + word], ==,
				 before.votes[word]);
}

static void test_arrays_are_found(void)
{
	g_autoptr(ListSource) list = histogram(OPERATION_ADD, false);
	g_autoptr(GPtrArray) arrays = shared_arrays_find(&list->source);
	const SharedArray *votes, *behind;

	g_assert_cmpuint(arrays->len, ==, 2);
	votes = arrays->pdata[0];
	behind = arrays->pdata[1];
	g_assert_cmpuint(votes->first, ==, 0);
	g_assert_cmpuint(votes->end, ==, 4 * N_WORDS);
	g_assert_cmpuint(votes->atomics, ==, N_WARPS * N_STEPS);
	g_assert_cmpuint(votes->loads, ==, N_WARPS);
	g_assert_cmpuint(votes->sites->len, ==, 3);
	g_assert_cmpuint(behind->first, ==, 4 * N_WORDS);
	g_assert_cmpuint(behind->stores, ==, N_WARPS);
}

/* In a critical section of version 2 a warp's loads and stores are of its own copy; outside they are of
   all. */
static void test_sections_stay_in_their_copy(void)
{
	static const char *const changes[] = {"replicate=4,bytes=0..15", NULL};
	g_autoptr(ListSource) list = list_source_new(1, N_WARPS, 16);
	const uint32_t word = 0, other = 3;
	Record lock = list_record(RECORD_LOCK, &word, 1);
	Record unlock = list_record(RECORD_UNLOCK, &word, 1);
	Record load = list_record(RECORD_LDS, &other, 1);
	Counts counts;

	list->source.kernel.lock_sections = true;
	list_source_append(list, 0, 1, &lock);
	list_source_append(list, 0, 1, &lock);
	list_source_append(list, 0, 1, &unlock);
	list_source_append(list, 0, 1, &load);
	list_source_append(list, 0, 1, &unlock);
	count_changed(list, changes, &counts);
	g_assert_cmpuint(counts.loads, ==, 1);
	list_source_append(list, 0, 1, &load);
	count_changed(list, changes, &counts);
	g_assert_cmpuint(counts.loads, ==, 5);
}

static void test_an_array_has_a_mechanism_of_its_own(void)
{
	g_autoptr(ListSource) list = histogram(OPERATION_EXCH, true);
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;
	const uint32_t behind = N_WORDS;
	Record other = at_site(RECORD_ATOM, &behind, 1, SITE_BEHIND), record;
	uint32_t n_native = 0, n_cas = 0;
	WarpStream *stream;

	list_source_append(list, 0, 0, &other);
	g_assert_true(what_if_add(what_if, "mechanism=native,bytes=0..255", &error));
	g_assert_true(what_if_add(what_if, "pad=32:1,bytes=0..255", &error));
	g_assert_true(what_if_add(what_if, "mechanism=cas-loop,site=4", &error));
	what_if_apply(what_if, "test", &list->source, NULL, 0, &changed, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(what_if_settings(what_if)[0], ==, NULL);
	g_assert_cmpstr(changed.source->kernel.mechanisms[0], ==, "native");
	g_assert_cmpstr(changed.source->kernel.mechanisms[1], ==, "cas-loop");
	stream = changed.source->open_warp(changed.source, 0, 0);
	while (stream->next(stream, &record) == STREAM_RECORD) {
		if (record.kind != RECORD_ATOM)
			continue;
		g_assert_cmpuint(record.mechanism, ==, record.site == SITE_BEHIND ? 2 : 1);
		n_native += record.mechanism == 1;
		n_cas += record.mechanism == 2;
	}
	stream->close(stream);
	g_assert_cmpuint(n_native, ==, N_STEPS);
	g_assert_cmpuint(n_cas, ==, 1);
}

static void test_what_is_not_sound_is_refused(void)
{
	g_autoptr(ListSource) plain = histogram(OPERATION_ADD, false);
	g_autoptr(ListSource) used = histogram(OPERATION_ADD, true);
	g_autoptr(ListSource) largest = histogram(OPERATION_MAX, true);
	g_autoptr(ListSource) exchange = histogram(OPERATION_EXCH, false);
	const uint32_t word = 3;
	Record lock = list_record(RECORD_LOCK, &word, 1);
	g_autoptr(ListSource) once = list_source_new(1, N_WARPS, 256);
	Record vote = list_record(RECORD_ATOM, &word, 1);

	vote.result = true;
	list_source_append(once, 0, 0, &vote);
	list_refuse(used, "replicate=2", "old values");
	list_refuse(largest, "aggregate=warp", "old values");
	list_refuse(once, "replicate=2", "old values");
	list_refuse(exchange, "replicate=2", "order does not matter");
	list_refuse(exchange, "aggregate=warp", "can be combined");
	list_refuse(plain, "type=s32", "only adds of floats or of 64-bit integers");
	list_refuse(plain, "type=f32", "only adds of doubles");
	list_refuse(plain, "private=thread", "64 words in registers; allowed: up to 16");
	list_refuse(plain, "private=block", "the block's already");
	list_refuse(plain, "aggregate=warp,buffer=1", "no such array");
	list_refuse(plain, "replicate=2,bytes=0..99", "mix arrays");
	list_refuse(plain, "replicate=2,bytes=256..319", "no atomic");
	list_refuse(plain, "replicate=2,line=99", "no instruction of line 99");
	list_refuse(plain, "mechanism=native,bytes=256..319", "no atomic");
	list_refuse(plain, "pad=16:1", "several arrays");
	list_refuse(plain, "replicate=4096,pad=1024", "shared memory");
	list_source_append(plain, 0, 0, &lock);
	list_refuse(plain, "replicate=2,bytes=0..255", "format 2");
}

static void test_wrong_words_are_refused(void)
{
	static const char *const wrong[] = {
		"",
		"replicate",
		"replicate=0",
		"replicate=x",
		"pad=4",
		"pad=0:1",
		"replicate=2,z",
		"replicate=2,map=odd",
		"copies=4",
		"aggregate=block",
		"hash=mod",
		"type=f64",
		"private=warp",
		"pad=32:1,buffer=1",
		"replicate=2,buffer=0",
		"pad=32:1,map=cyclic",
		"pad=1:1,bytes=9..3",
		"mechanism=",
		"mechanism=native,map=warp",
	};

	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(WhatIf) what_if = what_if_new();
		g_autoptr(GError) error = NULL;

		g_assert_false(what_if_add(what_if, wrong[i], &error));
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE);
		g_assert_cmpuint(what_if_length(what_if), ==, 0);
	}
}

/* Where scattered atomics go: each draws words of its own. */
static void test_each_scattered_atomic_draws_its_words(void)
{
	g_autoptr(ListSource) list = histogram(OPERATION_ADD, false);
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;
	static const uint32_t lines[] = {10, 20, 30, 40};
	uint32_t n = 0, n_shifted = 0, before[32] = {0};
	WarpStream *stream;
	Record record;

	g_assert_true(what_if_add(what_if, "scatter=4,line=20", &error));
	what_if_apply(what_if, "test", &list->source, lines, G_N_ELEMENTS(lines), &changed,
		      &error);
	g_assert_no_error(error);
	stream = changed.source->open_warp(changed.source, 0, 1);
	while (stream->next(stream, &record) == STREAM_RECORD) {
		if (record.kind != RECORD_ATOM)
			continue;
		for (uint32_t k = 0; k < 31; k++)
			n_shifted += record.address[k] == before[k + 1];
		memcpy(before, record.address, sizeof before);
		n += 31;
	}
	stream->close(stream);
	g_assert_cmpuint(n, ==, 31 * N_STEPS);
	/* One in N_WORDS by chance. */
	g_assert_cmpuint(n_shifted, <, n / 8);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/what-if/copies hold all votes", test_copies_hold_all_votes);
	g_test_add_func("/what-if/copies of votes alone are cleared and merged",
			test_copies_of_votes_alone_are_cleared_and_merged);
	g_test_add_func("/what-if/threads map to copies", test_threads_map_to_copies);
	g_test_add_func("/what-if/padding and a hash move words apart",
			test_padding_and_hash_move_words_apart);
	g_test_add_func("/what-if/padding of rows and columns is free",
			test_padding_of_rows_and_columns_is_free);
	g_test_add_func("/what-if/padding parts wide loads", test_padding_parts_wide_loads);
	g_test_add_func("/what-if/aggregation keeps a lane of each word",
			test_aggregation_keeps_a_lane_of_each_word);
	g_test_add_func("/what-if/aggregation takes a step for each lane",
			test_aggregation_takes_a_step_for_each_lane);
	g_test_add_func("/what-if/changes compose", test_changes_compose);
	g_test_add_func("/what-if/an array has a mechanism of its own",
			test_an_array_has_a_mechanism_of_its_own);
	g_test_add_func("/what-if/arrays are found", test_arrays_are_found);
	g_test_add_func("/what-if/sections stay in their copy",
			test_sections_stay_in_their_copy);
	g_test_add_func("/what-if/what is not sound is refused",
			test_what_is_not_sound_is_refused);
	g_test_add_func("/what-if/wrong words are refused", test_wrong_words_are_refused);
	g_test_add_func("/what-if/each scattered atomic draws its words",
			test_each_scattered_atomic_draws_its_words);
	return g_test_run();
}
