/* SPDX-License-Identifier: MIT */
/* What-ifs that put other atomics in place of a program's: each operation is still done, once, on its word. */
#include <glib.h>
#include <string.h>

#include "base/names.h"
#include "list-source.h"
#include "transform/arrays.h"
#include "transform/what-if.h"

#define N_BLOCKS 3
#define N_WARPS	 2
#define N_WORDS	 40
#define N_STEPS	 5

enum { SITE_LOAD = 1, SITE_ADD, SITE_OTHER_LOAD, SITE_OTHER_ADD, N_SITES = 4 };

/* What a source holds. */
typedef struct {
	uint64_t of_kind[N_RECORD_KINDS];
	uint64_t shared[512], global[512]; /* lanes of atomics by word */
	uint32_t shared_bytes;		   /* of a block */
	char order[256];		   /* of block 0, warp 0: a letter a record */
} Held;

static char letter_of(const Record *record)
{
	switch (record->kind) {
	case RECORD_LDG:
		return 'L';
	case RECORD_ATOM:
	case RECORD_ATOMG:
		return 'A';
	case RECORD_CODE:
		return (char)('0' + MIN(record->gap, 9));
	case RECORD_BAR:
		return 'B';
	default:
		return '.';
	}
}

static void hold_warp(Held *held, RecordSource *source, uint64_t block, uint32_t warp)
{
	WarpStream *stream = source->open_warp(source, block, warp);
	uint32_t n = 0;
	Record record;
	BlockInfo info;

	source->block_info(source, block, &info);
	held->shared_bytes = info.shared_bytes;
	while (stream->next(stream, &record) == STREAM_RECORD) {
		held->of_kind[record.kind]++;
		if (block + warp == 0 && n < sizeof held->order - 1)
			held->order[n++] = letter_of(&record);
		for (uint32_t i = 0; record.kind == RECORD_ATOM && i < record.n_lanes; i++) {
			g_assert_cmpuint(record.address[i] + record.width, <=,
					 info.shared_bytes);
			held->shared[record.address[i] / record.width]++;
		}
		for (uint32_t i = 0; record.kind == RECORD_ATOMG && i < record.n_lanes; i++) {
			const uint64_t byte = record.offset + record.address[i];

			g_assert_cmpuint(byte + record.width, <=,
					 source->kernel.buffer_bytes[record.buffer - 1]);
			held->global[byte / record.width]++;
		}
		if (record.kind == RECORD_ATOMG) {
			g_assert_cmpuint(record.bytes, ==, record.n_lanes * record.width);
			g_assert_cmpuint(record.count, >=, 1);
		}
		if (record.kind == RECORD_CODE)
			g_assert_cmpuint(record.gap, <, source->kernel.dataflow->n_gaps);
	}
	stream->close(stream);
}

static void hold(Held *held, RecordSource *source)
{
	*held = (Held){0};
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		for (uint32_t warp = 0; warp < info.n_warps; warp++)
			hold_warp(held, source, block, warp);
	}
}

static void hold_changed(Held *held, ListSource *list, const char *change)
{
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;

	g_assert_true(what_if_add(what_if, change, &error));
	what_if_apply(what_if, "test", &list->source, NULL, 0, &changed, &error);
	g_assert_no_error(error);
	hold(held, changed.source);
}

static const uint64_t buffer_bytes[] = {1024};

static Record atomic(RecordKind kind, uint32_t seed, uint32_t n_words, uint8_t type)
{
	uint32_t words[32];
	Record record;

	for (uint32_t i = 0; i < 32; i++)
		words[i] = (seed * 7 + i * i) % n_words;
	record = list_record(kind, words, 32);
	record.site = SITE_ADD;
	record.operation = OPERATION_ADD;
	record.type = type;
	record.result = false;
	record.has_values = false;
	if (type >= TYPE_U64) {
		record.width = 8;
		for (uint32_t i = 0; i < 32; i++)
			record.address[i] *= 2;
	}
	if (kind == RECORD_ATOMG) {
		record.buffer = 1;
		record.offset = 64;
		record.count = 1;
		record.bytes = 32 * record.width;
	}
	return record;
}

/* Steps of an atomic and a barrier at the end, by all warps of all blocks. */
static ListSource *sums(RecordKind kind, uint32_t n_words, uint8_t type)
{
	ListSource *list =
		list_source_new(N_BLOCKS, N_WARPS, kind == RECORD_ATOM ? 8 * n_words : 20);
	const Record bar = list_plain(RECORD_BAR, 0);

	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = buffer_bytes;
	for (uint32_t block = 0; block < N_BLOCKS; block++) {
		for (uint32_t warp = 0; warp < N_WARPS; warp++) {
			for (uint32_t step = 0; step < N_STEPS; step++) {
				Record record =
					atomic(kind, block + 3 * warp + step, n_words, type);

				list_source_append(list, block, warp, &record);
			}
			list_source_append(list, block, warp, &bar);
		}
	}
	return list;
}

static void test_threads_add_up_before_a_barrier(void)
{
	g_autoptr(ListSource) list = sums(RECORD_ATOM, 5, TYPE_U32);
	Held before, after;

	hold(&before, &list->source);
	hold_changed(&after, list, "private=thread");
	/* One lane a warp for each of the words that the warp has added to. */
	for (uint32_t word = 0; word < 5; word++) {
		g_assert_cmpuint(before.shared[word], >, N_BLOCKS * N_WARPS);
		g_assert_cmpuint(after.shared[word], <=, N_BLOCKS * N_WARPS);
		g_assert_cmpuint(after.shared[word], >, 0);
	}
	g_assert_cmpuint(after.of_kind[RECORD_ATOM], <=, 5 * N_BLOCKS * N_WARPS);
	g_assert_nonnull(strstr(after.order, "AB"));
	g_assert_null(strchr(strchr(after.order, 'B'), 'A'));
}

static void test_threads_add_up_before_the_end_too(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 4);
	Record record = atomic(RECORD_ATOM, 0, 1, TYPE_F32);
	Held after;

	for (uint32_t step = 0; step < N_STEPS; step++)
		list_source_append(list, 0, 0, &record);
	hold_changed(&after, list, "private=thread");
	g_assert_cmpuint(after.shared[0], ==, 1);
	g_assert_cmpstr(after.order, ==, "......A.");
}

static void test_blocks_add_up_in_shared_memory(void)
{
	g_autoptr(ListSource) list = sums(RECORD_ATOMG, N_WORDS, TYPE_F32);
	Held before, after;

	hold(&before, &list->source);
	hold_changed(&after, list, "private=block,buffer=1");
	g_assert_cmpuint(after.shared_bytes, ==, 32 + 4 * N_WORDS);
	for (uint32_t word = 0; word < N_WORDS; word++) {
		/* Behind the block's own 20 bytes, at a multiple of 16; the array begins at byte 64 of the buffer. */
		g_assert_cmpuint(after.shared[32 / 4 + word], ==, before.global[64 / 4 + word]);
		g_assert_cmpuint(after.global[64 / 4 + word], ==, N_BLOCKS);
	}
	g_assert_cmpuint(after.of_kind[RECORD_BAR], ==,
			 before.of_kind[RECORD_BAR] + 2 * N_BLOCKS * N_WARPS);
	/* 40 words are two turns, one a warp: cleared and read. */
	g_assert_cmpuint(after.of_kind[RECORD_STS], ==, 2 * N_BLOCKS);
	g_assert_cmpuint(after.of_kind[RECORD_LDS], ==, 2 * N_BLOCKS);
}

static void test_blocks_have_copies_behind_the_buffer(void)
{
	g_autoptr(ListSource) list = sums(RECORD_ATOMG, N_WORDS, TYPE_U32);
	Held before, after;

	hold(&before, &list->source);
	hold_changed(&after, list, "replicate=2,buffer=1");
	/* Blocks 0 and 2 stay; the copy of block 1 begins where the buffer ended. */
	for (uint32_t word = 0; word < N_WORDS; word++) {
		g_assert_cmpuint(after.global[1024 / 4 + word], >, 0);
		g_assert_cmpuint(after.global[64 / 4 + word] + after.global[1024 / 4 + word],
				 ==, before.global[64 / 4 + word]);
	}
}

static void test_lanes_of_a_word_send_one_to_a_buffer(void)
{
	g_autoptr(ListSource) list = sums(RECORD_ATOMG, 1, TYPE_U32);
	Held after;

	hold_changed(&after, list, "aggregate=warp,buffer=1");
	g_assert_cmpuint(after.global[16], ==, N_BLOCKS * N_WARPS * N_STEPS);
	g_assert_cmpuint(after.of_kind[RECORD_ALU], ==, N_BLOCKS * N_WARPS * N_STEPS);
}

static void test_lanes_work_out_the_old_values_of_adds(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	Record record = atomic(RECORD_ATOM, 0, 8, TYPE_U32);
	Held without, with;

	list_source_append(list, 0, 0, &record);
	hold_changed(&without, list, "aggregate=warp");
	record.result = true;
	g_clear_pointer(&list, list_source_free);
	list = list_source_new(1, 1, 64);
	list_source_append(list, 0, 0, &record);
	hold_changed(&with, list, "aggregate=warp");
	g_assert_cmpstr(without.order, ==, ".A.");
	g_assert_cmpstr(with.order, ==, ".A...");
}

/* "match:3 sync:2": operations of the warp whose lanes hold different values, and how many, around its atomic. */
static char *distinct_by_aggregation(const Record *atom)
{
	static const uint8_t value = 0;
	static const SiteFlow add = {.guard = DATAFLOW_NO_VALUE,
				     .n_data = 1,
				     .data = &value,
				     .n_writes = 1,
				     .writes = &value};
	const Dataflow flow = {.n_values = 1, .n_sites = 1, .sites = &add};
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;
	GString *text = g_string_new(NULL);
	Record record;

	list->source.kernel.dataflow = &flow;
	list_source_append(list, 0, 0, atom);
	g_assert_true(what_if_add(what_if, "aggregate=warp", &error));
	what_if_apply(what_if, "test", &list->source, NULL, 0, &changed, &error);
	g_assert_no_error(error);

	WarpStream *stream = changed.source->open_warp(changed.source, 0, 0);

	while (stream->next(stream, &record) == STREAM_RECORD) {
		const Gap *gap = record.kind == RECORD_CODE
					 ? &changed.source->kernel.dataflow->gaps[record.gap]
					 : NULL;

		if (record.kind == RECORD_ATOM)
			g_string_append(text, "atom ");
		for (uint32_t i = 0; gap && i < gap->n_operations; i++)
			if (code_has_distinct(gap->operations[i].class))
				g_string_append_printf(
					text, "%s:%u ",
					code_class_names[gap->operations[i].class],
					gap->operations[i].line);
	}
	stream->close(stream);
	return g_string_free(text, FALSE);
}

/* Of words that three, two and one lane want three groups, then two, then one synchronise. */
static void test_lanes_that_add_up_synchronise_by_words(void)
{
	const uint32_t words[] = {5, 7, 5, 9, 7, 5};
	Record record = list_record(RECORD_ATOM, words, G_N_ELEMENTS(words));

	record.site = 1;
	record.operation = OPERATION_ADD;
	record.type = TYPE_F32;
	record.result = record.has_values = false;

	g_autofree char *sums = distinct_by_aggregation(&record);

	record.type = TYPE_U32;

	g_autofree char *counts = distinct_by_aggregation(&record);

	record.result = true;

	g_autofree char *ranks = distinct_by_aggregation(&record);

	g_assert_cmpstr(sums, ==, "match:3 sync:3 sync:2 sync:1 atom ");
	g_assert_cmpstr(counts, ==, "match:3 atom ");
	g_assert_cmpstr(ranks, ==, "match:3 atom match:3 ");
}

static void test_narrow_words_lie_half_as_far_apart(void)
{
	g_autoptr(ListSource) list = sums(RECORD_ATOM, 20, TYPE_U64);
	Held before, after;

	hold(&before, &list->source);
	hold_changed(&after, list, "type=u32");
	for (uint32_t word = 0; word < 20; word++)
		g_assert_cmpuint(after.shared[word], ==, before.shared[word]);
	/* Nothing is converted. */
	g_assert_cmpuint(after.of_kind[RECORD_ALU], ==, 0);
}

/* --- Loops that are none any more --- */

enum { GAP_INDEX, GAP_TRY, GAP_STEP, GAP_TURN, N_GAPS };

/* Two elements a turn: a load, an index from it, an atomic that is a loop, the next element's address. */
static ListSource *loops(Dataflow *flow)
{
	static const uint8_t values[] = {0, 1, 2};
	static const CodeOperation operations[N_GAPS] = {
		{.class = CODE_INT,
		 .guard = DATAFLOW_NO_VALUE,
		 .n_writes = 1,
		 .n_reads = 1,
		 .writes = &values[1],
		 .reads = &values[0]},
		{.class = CODE_JOIN, .guard = DATAFLOW_NO_VALUE},
		{.class = CODE_INT,
		 .guard = DATAFLOW_NO_VALUE,
		 .n_writes = 1,
		 .writes = &values[2]},
		{.class = CODE_JUMP, .guard = DATAFLOW_NO_VALUE},
	};
	static const Gap gaps[N_GAPS] = {{&operations[0], 1},
					 {&operations[1], 1},
					 {&operations[2], 1},
					 {&operations[3], 1}};
	static const SiteFlow load = {.guard = DATAFLOW_NO_VALUE,
				      .n_address = 1,
				      .address = &values[2],
				      .n_writes = 1,
				      .writes = &values[0]};
	static const SiteFlow add = {
		.guard = DATAFLOW_NO_VALUE, .n_address = 1, .address = &values[1]};
	static SiteFlow sites[N_SITES];
	ListSource *list = list_source_new(1, 1, 64);
	Record atom = atomic(RECORD_ATOM, 0, 8, TYPE_F32), code = {.kind = RECORD_CODE};
	Record ldg = {.kind = RECORD_LDG,
		      .n_lanes = 32,
		      .mask = UINT32_MAX,
		      .count = 1,
		      .bytes = 128,
		      .width = 4};

	sites[SITE_LOAD - 1] = sites[SITE_OTHER_LOAD - 1] = load;
	sites[SITE_ADD - 1] = sites[SITE_OTHER_ADD - 1] = add;
	*flow = (Dataflow){.n_values = 3,
			   .n_gaps = N_GAPS,
			   .gaps = gaps,
			   .n_sites = N_SITES,
			   .sites = sites};
	list->source.kernel.dataflow = flow;
	for (uint32_t i = 0; i < 4; i++) {
		const uint8_t behind[] = {GAP_TRY, GAP_TRY, i % 2 ? GAP_TURN : GAP_STEP};

		ldg.site = i % 2 ? SITE_OTHER_LOAD : SITE_LOAD;
		atom.site = i % 2 ? SITE_OTHER_ADD : SITE_ADD;
		list_source_append(list, 0, 0, &ldg);
		code.gap = GAP_INDEX;
		list_source_append(list, 0, 0, &code);
		list_source_append(list, 0, 0, &atom);
		for (guint k = 0; k < G_N_ELEMENTS(behind); k++) {
			code.gap = behind[k];
			list_source_append(list, 0, 0, &code);
		}
	}
	return list;
}

static void test_tries_that_failed_are_left_out(void)
{
	Dataflow flow;
	g_autoptr(ListSource) list = loops(&flow);
	Held before, after;

	hold(&before, &list->source);
	g_assert_cmpstr(before.order, ==, "L0A112L0A113L0A112L0A113.");
	hold_changed(&after, list, "aggregate=warp");
	g_assert_null(strchr(after.order, '1'));
	g_assert_nonnull(strstr(after.order, "A2L0"));
}

static void test_loads_of_a_turn_go_first(void)
{
	Dataflow flow;
	g_autoptr(ListSource) list = loops(&flow);
	Held after;

	hold_changed(&after, list, "type=s32");
	/* To the branch back, and no further; the code before an atomic converts. */
	g_assert_cmpstr(after.order, ==, "L2L05A07A3L2L05A07A3.");
}

static void test_arrays_of_buffers_are_found(void)
{
	g_autoptr(ListSource) list = sums(RECORD_ATOMG, N_WORDS, TYPE_U32);
	Record load = atomic(RECORD_ATOMG, 0, N_WORDS, TYPE_U32);
	g_autoptr(GPtrArray) arrays = global_arrays_find(&list->source), with_load = NULL;
	const SharedArray *array;

	g_assert_cmpuint(arrays->len, ==, 1);
	array = arrays->pdata[0];
	g_assert_cmpuint(array->buffer, ==, 1);
	g_assert_cmpuint(array->base, ==, 64);
	g_assert_cmpuint(array->end, ==, 4 * N_WORDS);
	g_assert_cmpuint(array->atomics, ==, N_BLOCKS * N_WARPS * N_STEPS);
	g_assert_cmpuint(array->loads, ==, 0);
	load.kind = RECORD_LDG;
	list_source_append(list, 0, 0, &load);
	with_load = global_arrays_find(&list->source);
	array = with_load->pdata[0];
	g_assert_cmpuint(array->loads, ==, 1);
}

static void test_a_buffer_that_is_read_keeps_its_atomics(void)
{
	static const char *const changes[] = {
		"private=block,buffer=1", "private=thread,buffer=1", "replicate=2,buffer=1"};
	g_autoptr(ListSource) list = sums(RECORD_ATOMG, 4, TYPE_U32);
	Record load = atomic(RECORD_ATOMG, 0, 4, TYPE_U32);

	load.kind = RECORD_LDG;
	list_source_append(list, 0, 0, &load);
	for (guint i = 0; i < G_N_ELEMENTS(changes); i++)
		list_refuse(list, changes[i], "also loads, stores or locks");
}

/* --- A warp's lanes want one word at a time --- */

#define N_PARTS 3

/* Steps of N_PARTS adds behind one another, of sites of their own, to the parts of one thing: (block + step) % n_things. */
static ListSource *parts(Dataflow *flow, uint32_t n_things, uint8_t type)
{
	static const uint8_t values[] = {0, 1, 2};
	static SiteFlow sites[N_PARTS];
	ListSource *list = list_source_new(N_BLOCKS, N_WARPS, 20);

	for (uint32_t i = 0; i < N_PARTS; i++)
		sites[i] =
			(SiteFlow){.guard = DATAFLOW_NO_VALUE, .n_data = 1, .data = &values[i]};
	*flow = (Dataflow){.n_values = N_PARTS, .n_sites = N_PARTS, .sites = sites};
	list->source.kernel.dataflow = flow;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = buffer_bytes;
	for (uint32_t i = 0; i < N_BLOCKS * N_WARPS * N_STEPS * N_PARTS; i++) {
		const uint32_t step = i / N_PARTS % N_STEPS;
		const uint32_t warp = i / N_PARTS / N_STEPS % N_WARPS;
		const uint32_t block = i / N_PARTS / N_STEPS / N_WARPS;
		Record record = atomic(RECORD_ATOMG, 0, 1, type);

		record.site = i % N_PARTS + 1;
		record.has_values = type == TYPE_U32; /* else it would be a count */
		for (uint32_t k = 0; k < 32; k++)
			record.address[k] =
				((block + step) % n_things * N_PARTS + i % N_PARTS) * 4;
		for (uint32_t k = 0; record.has_values && k < 32; k++)
			record.value[k] = 2;
		list_source_append(list, block, warp, &record);
	}
	return list;
}

/* The classes of the gaps that block 0's warp 0 meets before its `until`-th atomic. */
static char *code_before(RecordSource *source, uint32_t until)
{
	GString *text = g_string_new(NULL);
	WarpStream *stream = source->open_warp(source, 0, 0);
	Record record;

	while (stream->next(stream, &record) == STREAM_RECORD && until > 0) {
		const Gap *gap = record.kind == RECORD_CODE
					 ? &source->kernel.dataflow->gaps[record.gap]
					 : NULL;

		if (record.kind == RECORD_ATOMG) {
			g_string_append(text, "atomg ");
			until--;
		}
		for (uint32_t i = 0; gap && i < gap->n_operations; i++)
			g_string_append_printf(
				text, "%s%u ", code_class_names[gap->operations[i].class],
				gap->operations[i].n_reads > 0 ? gap->operations[i].reads[0]
							       : 9);
	}
	stream->close(stream);
	return g_string_free(text, FALSE);
}

static char *changed_code(ListSource *list, const char *change, uint32_t until)
{
	g_autoptr(WhatIf) what_if = what_if_new();
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;

	g_assert_true(what_if_add(what_if, change, &error));
	what_if_apply(what_if, "test", &list->source, NULL, 0, &changed, &error);
	g_assert_no_error(error);
	return code_before(changed.source, until);
}

/* Five rounds of shuffles and additions, of all parts in each. */
static void test_sums_of_several_words_are_made_together(void)
{
	Dataflow flow;
	g_autoptr(ListSource) list = parts(&flow, 4, TYPE_F32);
	g_autofree char *code = changed_code(list, "aggregate=tree,buffer=1", 3);
	GString *expected = g_string_new(NULL);
	Held after;

	for (uint32_t round = 0; round < 5; round++)
		g_string_append(expected, "shuffle0 shuffle1 shuffle2 float0 float1 float2 ");
	g_string_append(expected, "compare0 compare1 compare2 atomg atomg atomg ");
	g_assert_cmpstr(code, ==, expected->str);
	g_string_free(expected, TRUE);
	hold_changed(&after, list, "aggregate=tree,buffer=1");
	g_assert_cmpuint(after.of_kind[RECORD_ATOMG], ==,
			 N_BLOCKS * N_WARPS * N_STEPS * N_PARTS);
	g_assert_cmpuint(after.global[16] + after.global[19] + after.global[22] +
				 after.global[25],
			 ==, N_BLOCKS * N_WARPS * N_STEPS);
}

static void test_integers_are_summed_up_one_by_one(void)
{
	Dataflow flow;
	g_autoptr(ListSource) list = parts(&flow, 4, TYPE_U32);
	g_autofree char *code = changed_code(list, "aggregate=tree,buffer=1", 2);

	g_assert_nonnull(strstr(code, "reduce0"));
	g_assert_null(strstr(code, "shuffle"));
}

/* The first lane fetches each other's parts: as many turns as there are lanes. */
static void test_a_lane_adds_up_for_the_others(void)
{
	Dataflow flow;
	g_autoptr(ListSource) list = parts(&flow, 4, TYPE_F32);
	g_autofree char *code = changed_code(list, "aggregate=serial,buffer=1", 3);
	uint32_t turns = 0;

	g_assert_true(g_str_has_prefix(code, "vote"));
	for (const char *at = code;
	     (at = strstr(at, "shuffle0 float0 shuffle0 float0 shuffle0 float0 convert")) !=
	     NULL;
	     at++)
		turns++;
	g_assert_cmpuint(turns, ==, 32);
	g_assert_true(g_str_has_suffix(code, "branch0 atomg atomg atomg "));
}

/* 32 lanes are fewer than 33: a vote, and each acts for itself. */
static void test_few_lanes_act_for_themselves(void)
{
	Dataflow flow;
	g_autoptr(ListSource) list = parts(&flow, 4, TYPE_F32);
	g_autofree char *code = changed_code(list, "aggregate=tree,least=33,buffer=1", 3);
	g_autofree char *enough = changed_code(list, "aggregate=tree,least=32,buffer=1", 3);
	Held after;

	g_assert_null(strstr(code, "shuffle"));
	g_assert_true(g_str_has_prefix(code, "vote"));
	g_assert_nonnull(strstr(enough, "shuffle"));
	hold_changed(&after, list, "aggregate=tree,least=33,buffer=1");
	g_assert_cmpuint(after.global[16] + after.global[19] + after.global[22] +
				 after.global[25],
			 ==, 32 * N_BLOCKS * N_WARPS * N_STEPS);
}

static void test_lanes_that_part_have_no_first(void)
{
	static const char *const changes[] = {"aggregate=serial,buffer=1",
					      "aggregate=tree,buffer=1",
					      "aggregate=warp,least=8,buffer=1"};
	g_autoptr(ListSource) list = sums(RECORD_ATOMG, N_WORDS, TYPE_F32);

	for (guint i = 0; i < G_N_ELEMENTS(changes); i++)
		list_refuse(list, changes[i], "different words");
}

/* Eight lanes of each of four words, next to each other, or of two words by turns: the first of each run acts. */
static void test_runs_of_lanes_have_a_first(void)
{
	Dataflow flow;
	g_autoptr(ListSource) alike = parts(&flow, 4, TYPE_F32);
	g_autofree char *code = changed_code(alike, "aggregate=segments,buffer=1", 3);
	GString *expected = g_string_new(NULL);

	for (uint32_t o = 0; o < 6; o++)
		g_string_append(expected, "shuffle0 compare0 ");
	for (uint32_t round = 0; round < 5; round++)
		g_string_append(expected, "shuffle0 shuffle1 shuffle2 float0 float1 float2 ");
	g_string_append(expected, "compare0 compare1 compare2 atomg atomg atomg ");
	g_assert_cmpstr(code, ==, expected->str);
	g_string_free(expected, TRUE);
	for (uint32_t by_turns = 0; by_turns < 2; by_turns++) {
		g_autoptr(ListSource) list = sums(RECORD_ATOMG, 5, TYPE_F32);
		Held after;

		for (uint32_t warp = 0; warp < N_BLOCKS * N_WARPS; warp++)
			for (guint i = 0; i < list->warps[warp]->len; i++) {
				Record *record = &g_array_index(list->warps[warp], Record, i);

				for (uint32_t k = 0; record->kind == RECORD_ATOMG && k < 32;
				     k++)
					record->address[k] = (by_turns ? k % 2 : k / 8) * 4;
			}
		hold_changed(&after, list, "aggregate=segments,buffer=1");
		for (uint32_t word = 0; word < (by_turns ? 2 : 4); word++)
			g_assert_cmpuint(after.global[16 + word], ==,
					 N_BLOCKS * N_WARPS * N_STEPS * (by_turns ? 16 : 1));
		list_refuse(list, "aggregate=segments,least=2,buffer=1", "runs of any length");
	}
}

/* Of 80 parts a block reaches those of 5 things. */
static void test_blocks_keep_the_words_that_they_reach(void)
{
	Dataflow flow;
	g_autoptr(ListSource) list = parts(&flow, 80, TYPE_F32);
	Held before, after;

	hold(&before, &list->source);
	hold_changed(&after, list, "private=block,words=reached,buffer=1");
	g_assert_cmpuint(after.shared_bytes, ==, 32 + 4 * N_STEPS * N_PARTS);
	for (uint32_t i = 0; i < 7 * N_PARTS; i++) {
		/* Of one to three blocks, each of which adds with 64 lanes. */
		g_assert_cmpuint(after.global[16 + i], ==,
				 before.global[16 + i] / (32 * N_WARPS));
		g_assert_cmpuint(after.global[16 + i], >=, 1);
	}
	for (uint32_t i = 0; i < N_STEPS * N_PARTS; i++)
		g_assert_cmpuint(after.shared[8 + i], ==, 32 * N_WARPS * N_BLOCKS);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/what-if-atomics/threads add up before a barrier",
			test_threads_add_up_before_a_barrier);
	g_test_add_func("/what-if-atomics/threads add up before the end, too",
			test_threads_add_up_before_the_end_too);
	g_test_add_func("/what-if-atomics/blocks add up in shared memory",
			test_blocks_add_up_in_shared_memory);
	g_test_add_func("/what-if-atomics/blocks have copies behind the buffer",
			test_blocks_have_copies_behind_the_buffer);
	g_test_add_func("/what-if-atomics/lanes of a word send one to a buffer",
			test_lanes_of_a_word_send_one_to_a_buffer);
	g_test_add_func("/what-if-atomics/lanes work out the old values of adds",
			test_lanes_work_out_the_old_values_of_adds);
	g_test_add_func("/what-if-atomics/lanes that add up synchronise by words",
			test_lanes_that_add_up_synchronise_by_words);
	g_test_add_func("/what-if-atomics/narrow words lie half as far apart",
			test_narrow_words_lie_half_as_far_apart);
	g_test_add_func("/what-if-atomics/tries that failed are left out",
			test_tries_that_failed_are_left_out);
	g_test_add_func("/what-if-atomics/loads of a turn go first",
			test_loads_of_a_turn_go_first);
	g_test_add_func("/what-if-atomics/arrays of buffers are found",
			test_arrays_of_buffers_are_found);
	g_test_add_func("/what-if-atomics/a buffer that is read keeps its atomics",
			test_a_buffer_that_is_read_keeps_its_atomics);
	g_test_add_func("/what-if-atomics/sums of several words are made together",
			test_sums_of_several_words_are_made_together);
	g_test_add_func("/what-if-atomics/integers are summed up one by one",
			test_integers_are_summed_up_one_by_one);
	g_test_add_func("/what-if-atomics/a lane adds up for the others",
			test_a_lane_adds_up_for_the_others);
	g_test_add_func("/what-if-atomics/few lanes act for themselves",
			test_few_lanes_act_for_themselves);
	g_test_add_func("/what-if-atomics/lanes that part have no first",
			test_lanes_that_part_have_no_first);
	g_test_add_func("/what-if-atomics/runs of lanes have a first",
			test_runs_of_lanes_have_a_first);
	g_test_add_func("/what-if-atomics/blocks keep the words that they reach",
			test_blocks_keep_the_words_that_they_reach);
	return g_test_run();
}
