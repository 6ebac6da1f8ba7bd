/* SPDX-License-Identifier: MIT */
/* What is done with an atomic's lanes before their mechanism gets them, alone and in whole runs. */
#include <glib.h>
#include <string.h>

#include "laws.h"
#include "list-source.h"
#include "model/atomic/closed-form.h"
#include "model/atomic/combiner.h"
#include "model/atomic/winner.h"
#include "random-program.h"
#include "random-words.h"
#include "sim/run/run.h"

#define N_WORDS 8192u

static const Operation commuting[] = {OPERATION_ADD, OPERATION_MIN, OPERATION_MAX,
				      OPERATION_AND, OPERATION_OR,  OPERATION_XOR};

static char *setting(const char *section, const char *key, guint value)
{
	return g_strdup_printf("%s.%s=%u", section, key, value);
}

static SimResult run_sites(const Machine *machine, ListSource *list, uint32_t n_threads,
			   GArray *sites)
{
	SimResult result;
	SimRequest request = {.machine = machine,
			      .source = &list->source,
			      .seed = 42,
			      .n_threads = n_threads,
			      .n_sites = PROGRAM_SITES};

	if (sites != NULL) {
		g_array_set_size(sites, PROGRAM_SITES + 1);
		request.sites = (HotSpot *)(gpointer)sites->data;
	}
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	return result;
}

/* --- A warp alone --- */

/* Lanes of each distinct word, in the order of their first lanes. Returns how many words. */
static uint32_t group(const uint32_t *words, uint32_t n, uint32_t *word, uint32_t *lanes)
{
	uint32_t n_groups = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = 0;

		while (k < n_groups && word[k] != words[i])
			k++;
		word[k] = words[i];
		lanes[k] = k < n_groups ? lanes[k] + 1 : 1;
		n_groups = MAX(n_groups, k + 1);
	}
	return n_groups;
}

static uint32_t levels_of(uint32_t n)
{
	return n > 1 ? 1 + levels_of((n + 1) / 2) : 0;
}

typedef struct {
	uint32_t threshold, word_cycles, step_cycles;
	gboolean serial;
} Unit;

/* The words that are left, in the order of their lanes, and the unit's time. */
static uint32_t merge(const Unit *unit, const uint32_t *words, uint32_t n, uint32_t *left,
		      uint64_t *cycles)
{
	uint32_t word[MAX_LANES], lanes[MAX_LANES], n_left = 0, most = 1, n_added = 0;
	uint32_t n_groups = group(words, n, word, lanes);

	*cycles = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = 0;
		gboolean first = TRUE;

		while (word[k] != words[i])
			k++;
		for (uint32_t j = 0; j < i; j++)
			first = first && words[j] != words[i];
		if (n < unit->threshold || lanes[k] < unit->threshold || first)
			left[n_left++] = words[i];
		else
			n_added++;
		if (lanes[k] >= unit->threshold)
			most = MAX(most, lanes[k]);
	}
	if (n >= unit->threshold)
		*cycles = (uint64_t)n_groups * unit->word_cycles +
			  (uint64_t)(unit->serial ? n_added : levels_of(most)) *
				  unit->step_cycles;
	return n_left;
}

static Machine machine_with(const char *mechanism, const Unit *unit)
{
	const char *section = "atomic.merge";
	g_autofree char *of = g_strdup_printf("atomic.mechanism=%s", mechanism);
	g_autofree char *threshold = setting(section, "threshold", unit->threshold);
	g_autofree char *word = setting(section, "word_cycles", unit->word_cycles);
	g_autofree char *step = setting(section, "step_cycles", unit->step_cycles);
	const char *const settings[] = {of,
					threshold,
					word,
					step,
					unit->serial ? "atomic.merge.order=serial"
						     : "atomic.merge.order=tree",
					NULL};

	return list_machine(settings);
}

static void check_warp(const Machine *machine, const Unit *unit, const uint32_t *words,
		       uint32_t n)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	Record record = list_record(RECORD_ATOM, words, n);
	uint32_t left[MAX_LANES];
	uint64_t cycles;
	ClosedFormAtomic atomic = {.operation = record.operation,
				   .type = record.type,
				   .words = left,
				   .salt = winner_salt(42, 0, 0, 0)};
	ClosedForm expected;
	SimResult result;

	record.result = false;
	list_source_append(list, 0, 0, &record);
	result = run_sites(machine, list, 1, NULL);
	atomic.n_lanes = merge(unit, words, n, left, &cycles);
	machine->atomic.mechanism->closed_form(&machine->atomic, &machine->shared,
					       &machine->ideal, &atomic, &expected);
	if (cycles > 0)
		cycles = MAX(cycles, machine->sm.issue_cycles);
	g_assert_cmpuint(result.statistics.cycles - machine->sm.issue_cycles, ==,
			 cycles + expected.cycles);
	g_assert_cmpuint(result.statistics.merged[MEMORY_SHARED], ==, n - atomic.n_lanes);
	g_assert_cmpuint(result.statistics.atomics.lane_operations, ==, n);
	g_assert_cmpuint(result.statistics.atomics.successes, ==, atomic.n_lanes);
}

static void one_warp_alone_costs_its_merging_and_its_distinct_words(void)
{
	static const char *const names[] = {"lock-bits", "native", "none"};
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	uint32_t words[32];

	for (int trial = 0; trial < 1500; trial++) {
		const Unit unit = {(uint32_t)g_rand_int_range(rand, 1, 20),
				   (uint32_t)g_rand_int_range(rand, 0, 4),
				   (uint32_t)g_rand_int_range(rand, 0, 9),
				   g_rand_boolean(rand)};
		const char *name = names[trial % (int)G_N_ELEMENTS(names)];
		const Machine machine = machine_with(name, &unit);
		uint32_t n = trial % 4 ? 32 : (uint32_t)g_rand_int_range(rand, 1, 33);

		random_words(rand, trial / 3 % N_PATTERN_FAMILIES, N_WORDS, words, n);
		check_warp(&machine, &unit, words, n);
	}
}

/* --- What lanes come to --- */

/* One more operand of a word. */
static uint64_t apply(Operation operation, ValueType type, uint64_t old, uint64_t operand)
{
	const int64_t a = type == TYPE_S32 ? (int32_t)old : (int64_t)old;
	const int64_t b = type == TYPE_S32 ? (int32_t)operand : (int64_t)operand;
	const gboolean is_signed = type == TYPE_S32 || type == TYPE_S64;
	const gboolean less = is_signed ? b < a : operand < old;
	uint64_t value;

	switch (operation) {
	case OPERATION_ADD:
		value = old + operand;
		break;
	case OPERATION_MIN:
		value = less ? operand : old;
		break;
	case OPERATION_MAX:
		value = less ? old : operand;
		break;
	case OPERATION_AND:
		value = old & operand;
		break;
	case OPERATION_OR:
		value = old | operand;
		break;
	default:
		value = old ^ operand;
	}
	return type == TYPE_U32 || type == TYPE_S32 ? (uint32_t)value : value;
}

static void apply_all(const Combined *combined, uint64_t *memory)
{
	for (uint32_t i = 0; i < combined->n_lanes; i++)
		memory[combined->address[i]] =
			apply(combined->operation, combined->type, memory[combined->address[i]],
			      combined->value[i]);
}

static uint64_t any_value(GRand *rand, ValueType type)
{
	const uint64_t value = (uint64_t)g_rand_int(rand) << 32 | g_rand_int(rand);

	return type == TYPE_U32 || type == TYPE_S32 ? (uint32_t)value : value;
}

static void words_hold_the_same_with_merged_lanes(void)
{
	static const ValueType types[] = {TYPE_U32, TYPE_S32, TYPE_U64, TYPE_S64};
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);
	const Unit unit = {2, 1, 1, FALSE};
	const Machine machine = machine_with("native", &unit);
	const void *own = machine.combine[MEMORY_SHARED][COMBINER_merge];
	void *state = combiner_merge.new(own);

	for (int trial = 0; trial < 4000; trial++) {
		uint32_t address[MAX_LANES];
		uint64_t value[MAX_LANES], one_by_one[16], merged[16];
		Combined combined = {.operation = commuting[trial % 6],
				     .type = types[trial / 6 % 4],
				     .n_lanes = (uint32_t)g_rand_int_range(rand, 1, 65),
				     .address = address,
				     .value = value,
				     .has_values = true};
		CombineStep step = {.ready = 5};

		combined.left = lanes_below(combined.n_lanes);
		for (uint32_t i = 0; i < combined.n_lanes; i++) {
			address[i] = (uint32_t)g_rand_int_range(rand, 0, 16);
			value[i] = any_value(rand, combined.type);
		}
		for (uint32_t w = 0; w < 16; w++)
			one_by_one[w] = merged[w] = any_value(rand, combined.type);
		apply_all(&combined, one_by_one);
		combiner_merge.take(own, state, &combined, 5, &step);
		apply_all(&combined, merged);
		g_assert_cmpmem(merged, sizeof merged, one_by_one, sizeof one_by_one);
		g_assert_cmpuint(__builtin_popcountll(combined.left), ==, combined.n_lanes);
		g_assert_cmpuint(combined.n_lanes, <=, 16);
	}
	combiner_merge.free(state);
}

/* --- Several warps, whole programs --- */

static uint64_t cycles_of(const Machine *machine, uint32_t n_warps, const Record *record)
{
	g_autoptr(ListSource) list = list_source_new(1, n_warps, N_WORDS * 4);

	for (uint32_t w = 0; w < n_warps; w++)
		list_source_append(list, 0, w, record);
	return run_sites(machine, list, 1, NULL).statistics.cycles;
}

/* Warps 0 and 1 have a scheduler each, 0 and 2 the same one. */
static void warps_of_a_scheduler_take_turns_at_its_unit(void)
{
	const uint32_t words[32] = {0};
	const Unit unit = {2, 0, 100, TRUE};
	const Machine machine = machine_with("none", &unit);
	Record record = list_record(RECORD_ATOM, words, 32);
	uint64_t one, two, three;

	record.result = false;
	one = cycles_of(&machine, 1, &record);
	two = cycles_of(&machine, 2, &record);
	three = cycles_of(&machine, 3, &record);
	g_assert_cmpuint(two, <, one + 100);
	g_assert_cmpuint(three, >=, one + 3000);
}

static HotSpot site_of(Operation operation, bool result, uint32_t n_words)
{
	const Unit unit = {4, 1, 1, FALSE};
	const Machine machine = machine_with("lock-bits", &unit);
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	g_autoptr(GArray) sites = g_array_new(FALSE, TRUE, sizeof(HotSpot));
	uint32_t words[32];
	Record record;

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i % n_words;
	record = list_record(RECORD_ATOM, words, 32);
	record.operation = (uint8_t)operation;
	record.result = result;
	record.site = 3;
	list_source_append(list, 0, 0, &record);
	run_sites(&machine, list, 1, sites);
	return g_array_index(sites, HotSpot, 3);
}

static void each_site_says_what_was_merged_and_why_not_the_rest(void)
{
	static const Operation others[] = {OPERATION_INC, OPERATION_DEC, OPERATION_EXCH,
					   OPERATION_CAS};
	HotSpot site;

	for (guint i = 0; i < G_N_ELEMENTS(commuting); i++) {
		site = site_of(commuting[i], false, 8);
		g_assert_cmpuint(site.combined.merged, ==, 24);
		g_assert_cmpuint(site.combined.refused[COMBINE_FEW], ==, 0);
		site = site_of(commuting[i], true, 8);
		g_assert_cmpuint(site.combined.merged, ==, 0);
		g_assert_cmpuint(site.combined.refused[COMBINE_RESULT], ==, 32);
	}
	for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
		site = site_of(others[i], false, 8);
		g_assert_cmpuint(site.combined.merged, ==, 0);
		g_assert_cmpuint(site.combined.refused[COMBINE_OPERATION], ==, 32);
	}
	site = site_of(OPERATION_ADD, false, 11); /* ten words of three lanes, one of two */
	g_assert_cmpuint(site.combined.merged, ==, 0);
	g_assert_cmpuint(site.combined.refused[COMBINE_FEW], ==, 32);
	g_assert_cmpuint(site.lane_operations, ==, 32);
}

static void laws_hold_of_merging_programs(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	static const char *const names[] = {"lock-bits", "native", "cas-loop", "none"};
	uint64_t n_merged = 0;

	for (int trial = 0; trial < 60; trial++) {
		const Unit unit = {(uint32_t)g_rand_int_range(rand, 1, 9),
				   (uint32_t)g_rand_int_range(rand, 0, 9),
				   (uint32_t)g_rand_int_range(rand, 0, 9), trial % 2};
		const Machine machine = machine_with(names[trial % 4], &unit);
		g_autoptr(ListSource) list = random_program(rand, 3, 4, 32);
		g_autoptr(GArray) sites = g_array_new(FALSE, TRUE, sizeof(HotSpot));
		SimResult result = run_sites(&machine, list, 1, sites);
		SimResult again = run_sites(&machine, list, 2, sites);
		char *broken = laws_broken(&result, sites);

		g_assert_cmpstr(broken, ==, NULL);
		broken = laws_differ(&result, &again);
		g_assert_cmpstr(broken, ==, NULL);
		n_merged += result.statistics.merged[MEMORY_SHARED];
	}
	g_assert_cmpuint(n_merged, >, 1000);
}

/* Passes of 32 lanes on one word. */
static uint64_t passes_at_bank(const char *merge, Operation operation, bool result)
{
	const char *const settings[] = {"atomic.mechanism=native", merge, NULL};
	const Machine machine = list_machine(settings);
	g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
	const uint32_t words[32] = {0};
	Record record = list_record(RECORD_ATOM, words, 32);

	record.operation = (uint8_t)operation;
	record.result = result;
	record.has_values = true; /* 0: no increment */
	list_source_append(list, 0, 0, &record);
	return run_sites(&machine, list, 1, NULL).statistics.shared.passes;
}

static void a_bank_merges_what_may_be_combined(void)
{
	const char *merge = "atomic.native.merge_operations=1";
	const char *none = "atomic.native.merge_operations=0";

	for (guint i = 0; i < G_N_ELEMENTS(commuting); i++) {
		g_assert_cmpuint(passes_at_bank(merge, commuting[i], false), ==, 1);
		g_assert_cmpuint(passes_at_bank(merge, commuting[i], true), ==, 32);
		g_assert_cmpuint(passes_at_bank(none, commuting[i], false), ==, 32);
	}
	g_assert_cmpuint(passes_at_bank(merge, OPERATION_EXCH, false), ==, 32);
}

/* --- Global memory --- */

static SimResult run_global(const char *threshold, uint32_t n_words, Operation operation)
{
	const char *const settings[] = {"global.model=slices", threshold, NULL};
	static const uint64_t buffer_bytes[] = {1 << 16};
	const Machine machine = list_machine(settings);
	g_autoptr(ListSource) list = list_source_new(1, 1, 4);
	uint32_t words[32];
	Record record;

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i % n_words;
	record = list_record(RECORD_ATOMG, words, 32);
	record.operation = (uint8_t)operation;
	record.result = false;
	record.buffer = 1;
	record.count = 1;
	record.bytes = 128;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = buffer_bytes;
	list_source_append(list, 0, 0, &record);
	return run_sites(&machine, list, 1, NULL);
}

static void merged_lanes_leave_for_the_l2_once(void)
{
	for (uint32_t n_words = 1; n_words <= 32; n_words *= 2) {
		const SimResult apart =
			run_global("global.atomic.merge.threshold=0", n_words, OPERATION_ADD);
		const SimResult merged =
			run_global("global.atomic.merge.threshold=2", n_words, OPERATION_ADD);
		const SimResult exch =
			run_global("global.atomic.merge.threshold=2", n_words, OPERATION_EXCH);

		g_assert_cmpuint(apart.statistics.memory.packets, ==, 32 / n_words);
		g_assert_cmpuint(apart.statistics.merged[MEMORY_GLOBAL], ==, 0);
		g_assert_cmpuint(merged.statistics.memory.packets, ==, 1);
		g_assert_cmpuint(merged.statistics.merged[MEMORY_GLOBAL], ==, 32 - n_words);
		g_assert_cmpuint(exch.statistics.memory.packets, ==, 32 / n_words);
	}
}

/* --- Merged where it is sent to --- */

/* Two instructions of several warps: site 1 adds to random words, or to one of global memory, site 2 uses its results; the laws hold. */
static SimResult run_two_sites(const char *const *settings, RecordKind kind, GRand *rand,
			       uint32_t n_threads, GArray *sites)
{
	static const uint64_t buffer_bytes[] = {1 << 16};
	const Machine machine = list_machine(settings);
	g_autoptr(ListSource) list = list_source_new(8, 4, N_WORDS * 4);
	const int most_lanes = kind == RECORD_ATOM ? 32 : 3; /* of few rounds several wait */
	SimResult result;
	char *broken;

	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = buffer_bytes;
	for (uint32_t i = 0; i < 8 * 4 * 6; i++) {
		const uint32_t n_lanes = (uint32_t)g_rand_int_range(rand, 1, most_lanes + 1);
		uint32_t words[32];
		Record record;

		for (uint32_t k = 0; k < n_lanes; k++)
			words[k] =
				(uint32_t)g_rand_int_range(rand, 0, 12) * (kind == RECORD_ATOM);
		record = list_record(kind, words, n_lanes);
		record.site = 1 + (i % 6 == 5);
		record.type = kind == RECORD_ATOM ? TYPE_U32 : TYPE_F32;
		record.operation = OPERATION_ADD;
		record.result = record.site == 2;
		record.has_values = true; /* 0: no increment */
		if (kind == RECORD_ATOMG) {
			record.buffer = 1;
			record.count = 1;
			record.bytes = 128;
		}
		list_source_append(list, i / 24, i / 6 % 4, &record);
	}
	result = run_sites(&machine, list, n_threads, sites);
	broken = laws_broken(&result, sites);
	g_assert_cmpstr(broken, ==, NULL);
	return result;
}

static const CombineCounters *combined_at(const GArray *sites, guint site)
{
	return &g_array_index(sites, HotSpot, site).combined;
}

static void lanes_merged_at_banks_are_counted_by_site(void)
{
	const char *const settings[] = {"atomic.mechanism=native",
					"atomic.native.merge_operations=1", NULL};
	const char *const none[] = {"atomic.mechanism=native", NULL};
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	g_autoptr(GArray) sites = g_array_new(FALSE, TRUE, sizeof(HotSpot));
	SimResult result = run_two_sites(settings, RECORD_ATOM, rand, 1, sites);

	g_assert_cmpuint(result.statistics.bank_merged, >, 50);
	g_assert_cmpuint(combined_at(sites, 1)->bank_merged, ==, result.statistics.bank_merged);
	g_assert_cmpuint(combined_at(sites, 2)->bank_merged, ==, 0);
	result = run_two_sites(none, RECORD_ATOM, rand, 1, sites);
	g_assert_cmpuint(result.statistics.bank_merged, ==, 0);
}

static void a_bank_merges_all_lanes_of_a_word_but_one(void)
{
	const char *const settings[] = {"atomic.mechanism=native",
					"atomic.native.merge_operations=1", NULL};
	const Machine machine = list_machine(settings);

	for (uint32_t n_words = 1; n_words <= 32; n_words++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, N_WORDS * 4);
		uint32_t words[32];
		Record record;

		for (uint32_t i = 0; i < 32; i++)
			words[i] = i % n_words;
		record = list_record(RECORD_ATOM, words, 32);
		record.operation = OPERATION_ADD;
		record.result = false;
		list_source_append(list, 0, 0, &record);
		g_assert_cmpuint(run_sites(&machine, list, 1, NULL).statistics.bank_merged, ==,
				 32 - n_words);
	}
}

static void lanes_merged_at_slices_are_counted_by_site(void)
{
	const char *const settings[] = {"global.model=slices", "l2.merge_packets=16", NULL};
	const char *const none[] = {"global.model=slices", NULL};
	g_autoptr(GRand) rand = g_rand_new_with_seed(8);
	g_autoptr(GRand) same = g_rand_copy(rand);
	g_autoptr(GArray) sites = g_array_new(FALSE, TRUE, sizeof(HotSpot));
	SimResult result = run_two_sites(settings, RECORD_ATOMG, rand, 1, sites), again;
	const MemoryCounters *memory = &result.statistics.memory;
	char *broken;

	g_assert_cmpuint(memory->merged_lanes, >, 20);
	g_assert_cmpuint(combined_at(sites, 1)->slice_merged, ==, memory->merged_lanes);
	g_assert_cmpuint(combined_at(sites, 2)->slice_merged, ==, 0);
	again = run_two_sites(settings, RECORD_ATOMG, same, 2, sites);
	broken = laws_differ(&result, &again);
	g_assert_cmpstr(broken, ==, NULL);
	again = run_two_sites(none, RECORD_ATOMG, rand, 1, sites);
	g_assert_cmpuint(again.statistics.memory.merged_lanes, ==, 0);
	g_assert_cmpuint(again.statistics.memory.sent_lanes, >, 0);
}

/* --- Buffers --- */

#define N_PLACES 24

/* Operations of each word, one after the other, those alike only once. */
typedef struct {
	GString *of[N_PLACES];
} Histories;

static void history_add(Histories *histories, uint32_t place, Operation operation)
{
	GString *text = histories->of[place];
	const char letter = (char)('a' + operation);

	if (text->len == 0 || text->str[text->len - 1] != letter)
		g_string_append_c(text, letter);
}

static const Machine *buffer_machine(GRand *rand)
{
	static const char *const pers[] = {"sm", "scheduler", "warp"};
	static Machine machine;
	g_autofree char *entries = setting("global.atomic.buffer", "entries",
					   (guint)g_rand_int_range(rand, 1, 12));
	g_autofree char *per = g_strdup_printf("global.atomic.buffer.per=%s",
					       pers[g_rand_int_range(rand, 0, 3)]);
	g_autofree char *fuse = setting("global.atomic.buffer", "fuse", g_rand_boolean(rand));
	const char *const settings[] = {
		"global.model=slices",
		entries,
		per,
		fuse,
		g_rand_boolean(rand) ? "global.atomic.buffer.entry=line"
				     : "global.atomic.buffer.entry=word",
		g_rand_boolean(rand) ? "global.atomic.buffer.evict=oldest"
				     : "global.atomic.buffer.evict=all",
		g_rand_boolean(rand) ? "global.atomic.buffer.order=address"
				     : "global.atomic.buffer.order=arrival",
		NULL};

	machine = list_machine(settings);
	return &machine;
}

typedef struct {
	const void *own;
	void *state;
	Histories came, left;
	uint64_t n_buffered, n_fused, n_drained;
} BufferTest;

static bool drain_some(BufferTest *test, uint32_t slot, bool all)
{
	CombineDrain drain;

	if (!combiner_buffer.drain(test->own, test->state, slot, slot % 2, all, &drain))
		return false;
	g_assert_cmpuint(drain.n_lanes, >, 0);
	g_assert_cmpuint(drain.n_lanes, <=, COMBINE_DRAIN_LANES);
	test->n_drained += drain.n_lanes;
	for (uint32_t i = 0; i < drain.n_lanes; i++)
		history_add(&test->left, (uint32_t)(drain.address[i] / 20), drain.operation);
	return true;
}

/* One warp's atomic, until all of its lanes are in. */
static void put_atomic(BufferTest *test, GRand *rand, uint32_t slot)
{
	uint32_t address[MAX_LANES];
	uint64_t value[MAX_LANES];
	Combined combined = {.operation = commuting[g_rand_int_range(rand, 0, 3)],
			     .type = TYPE_U32,
			     .width = 4,
			     .slot = slot,
			     .scheduler = slot % 2,
			     .n_lanes = (uint32_t)g_rand_int_range(rand, 1, 33),
			     .address = address,
			     .value = value};

	for (uint32_t i = 0; i < combined.n_lanes; i++) {
		const uint32_t place = (uint32_t)g_rand_int_range(rand, 0, N_PLACES);

		address[i] = place * 20; /* some lines have several */
		value[i] = 1;
		history_add(&test->came, place, combined.operation);
	}
	combined.left = lanes_below(combined.n_lanes);
	while (combined.n_lanes > 0) {
		CombineStep step = {0};

		combiner_buffer.take(test->own, test->state, &combined, 0, &step);
		test->n_buffered += step.buffered;
		test->n_fused += step.fused;
		g_assert_true(step.full == (combined.n_lanes > 0));
		if (step.full)
			g_assert_true(drain_some(test, slot, false));
	}
}

/* One slot alone: what is kept of others' words leaves when theirs does, which says nothing of the order of one word. */
static void operations_on_a_word_leave_as_they_came(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);

	for (int trial = 0; trial < 300; trial++) {
		const Machine *machine = buffer_machine(rand);
		BufferTest test = {.own = machine->combine[MEMORY_GLOBAL][COMBINER_buffer]};

		test.state = combiner_buffer.new(test.own);
		for (uint32_t i = 0; i < N_PLACES; i++) {
			test.came.of[i] = g_string_new(NULL);
			test.left.of[i] = g_string_new(NULL);
		}
		for (int n = g_rand_int_range(rand, 1, 30); n > 0; n--) {
			put_atomic(&test, rand, 5);
			while (g_rand_int_range(rand, 0, 8) == 0 && drain_some(&test, 5, true))
				;
		}
		while (drain_some(&test, 5, true))
			;
		g_assert_cmpuint(test.n_buffered, ==, test.n_fused + test.n_drained);
		for (uint32_t i = 0; i < N_PLACES; i++) {
			g_assert_cmpstr(test.left.of[i]->str, ==, test.came.of[i]->str);
			g_string_free(test.came.of[i], TRUE);
			g_string_free(test.left.of[i], TRUE);
		}
		combiner_buffer.free(test.state);
	}
}

/* Warps of a block that each add to `n_words` words of their own `n` times, with a fence behind the first. */
static Statistics run_buffered(const char *const *settings, uint32_t n_warps, uint32_t n_words,
			       uint32_t n, gboolean fence)
{
	static const uint64_t buffer_bytes[] = {1 << 16};
	const Machine machine = list_machine(settings);
	g_autoptr(ListSource) list = list_source_new(1, n_warps, 4);
	Record record, wait = list_plain(RECORD_FENCE, 0);

	wait.scope = SCOPE_DEVICE;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = buffer_bytes;
	for (uint32_t w = 0; w < n_warps; w++)
		for (uint32_t i = 0; i < n; i++) {
			uint32_t words[32];

			for (uint32_t k = 0; k < n_words; k++)
				words[k] = w * 256 + k;
			record = list_record(RECORD_ATOMG, words, n_words);
			record.result = false;
			record.buffer = 1;
			record.count = 1;
			record.bytes = 4 * n_words;
			list_source_append(list, 0, w, &record);
			if (fence && i == 0)
				list_source_append(list, 0, w, &wait);
		}
	return run_sites(&machine, list, 1, NULL).statistics;
}

static void a_buffer_is_emptied_where_it_is_full_and_at_fences_and_ends(void)
{
	const char *settings[] = {"global.model=slices", "global.atomic.buffer.per=warp",
				  "global.atomic.buffer.entries=8", NULL, NULL};
	Statistics statistics = run_buffered(settings, 3, 8, 10, FALSE);

	g_assert_cmpuint(statistics.buffered, ==, 240);
	g_assert_cmpuint(statistics.fused, ==, 216);
	g_assert_cmpuint(statistics.memory.packets, ==, 3);
	statistics = run_buffered(settings, 3, 8, 10, TRUE);
	g_assert_cmpuint(statistics.drained, ==, 48);
	/* One word too many: all nine leave in two goes each time. */
	statistics = run_buffered(settings, 1, 9, 4, FALSE);
	g_assert_cmpuint(statistics.buffered, ==, 36);
	g_assert_cmpuint(statistics.drained, >=, 32);
	settings[3] = "global.atomic.buffer.fuse=0";
	statistics = run_buffered(settings, 3, 8, 10, FALSE);
	g_assert_cmpuint(statistics.drained, ==, 240);
	g_assert_cmpuint(statistics.memory.packets, ==, 30);
}

/* What one warp leaves the last one of the SM takes along. */
static void the_last_warp_empties_a_buffer_of_the_sm(void)
{
	const char *const settings[] = {"global.model=slices", "global.atomic.buffer.per=sm",
					"global.atomic.buffer.entries=64", NULL};
	const Statistics statistics = run_buffered(settings, 6, 2, 5, FALSE);

	g_assert_cmpuint(statistics.buffered, ==, 60);
	g_assert_cmpuint(statistics.drained, ==, 12);
	g_assert_cmpuint(statistics.memory.accesses, ==, 1);
}

#define TEST(name) g_test_add_func("/combine/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(one_warp_alone_costs_its_merging_and_its_distinct_words);
	TEST(words_hold_the_same_with_merged_lanes);
	TEST(warps_of_a_scheduler_take_turns_at_its_unit);
	TEST(each_site_says_what_was_merged_and_why_not_the_rest);
	TEST(laws_hold_of_merging_programs);
	TEST(a_bank_merges_what_may_be_combined);
	TEST(merged_lanes_leave_for_the_l2_once);
	TEST(lanes_merged_at_banks_are_counted_by_site);
	TEST(a_bank_merges_all_lanes_of_a_word_but_one);
	TEST(lanes_merged_at_slices_are_counted_by_site);
	TEST(operations_on_a_word_leave_as_they_came);
	TEST(a_buffer_is_emptied_where_it_is_full_and_at_fences_and_ends);
	TEST(the_last_warp_empties_a_buffer_of_the_sm);
	return g_test_run();
}
