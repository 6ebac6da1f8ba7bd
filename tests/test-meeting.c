/* SPDX-License-Identifier: MIT */
/*
 * Where warps of an SM meet, against what was measured: at words that they swap, at the way to the shared memory, and
 * at a scheduler. Little programs on the machine of configs/h200; each test says file and reading.
 */
#include "base/names.h"
#include "config/config.h"
#include "list-source.h"
#include "sim/run/run.h"
#include "trace/dataflow.h"

typedef struct {
	ListSource *list;
	DataflowBuilder *builder;
} Program;

static Program program_new(uint64_t n_blocks, uint32_t n_warps)
{
	return (Program){list_source_new(n_blocks, n_warps, 4096), dataflow_builder_new()};
}

/* `times` operations of a class that wait for nothing; `guard`: or their lanes for that value. */
static void code(Program *program, uint64_t block, uint32_t warp, CodeClass class,
		 uint8_t guard, uint32_t times)
{
	const CodeOperation operation = {.class = class, .guard = guard};
	Record record = {.kind = RECORD_CODE,
			 .gap = dataflow_builder_gap(program->builder, &operation, 1)};

	while (times-- > 0)
		list_source_append(program->list, block, warp, &record);
}

/* Runs it on one SM whose blocks and warps all start at once, and frees it. */
static void run(Program *program, const char *setting, Statistics *statistics)
{
	const char *const settings[] = {"sm.count=1", "sm.warp_start_cycles=0",
					"sm.block_start_cycles=0", setting, NULL};
	g_autoptr(Config) config = config_load("h200.json", settings, NULL);
	g_autoptr(GByteArray) array = dataflow_builder_bytes(program->builder);
	g_autoptr(GBytes) bytes = g_bytes_new(array->data, array->len);
	SimRequest request = {.source = &program->list->source, .n_threads = 1, .n_sites = 4};
	Dataflow *flow = NULL;
	SimResult result;
	const char *problem;
	size_t at;

	g_assert_nonnull(config);
	request.machine = config_machine(config);
	flow = dataflow_read(bytes, 4, &problem, &at);
	program->list->source.kernel.dataflow = flow;
	program->list->source.kernel.lock_sections = true;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	*statistics = result.statistics;
	dataflow_free(flow);
	dataflow_builder_free(program->builder);
	list_source_free(program->list);
}

/* Adds of each warp to the same 32 words, the first n_zeros warps of 0; warp w begins so many cycles later. */
static void add_values(ValueType type, uint32_t n_zeros, uint32_t n_warps, const uint32_t *late,
		       uint32_t n_adds, Statistics *statistics)
{
	Program program = program_new(1, n_warps);
	uint32_t words[32];

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i * value_type_bytes[type] / 4;
	for (uint32_t w = 0; w < n_warps; w++) {
		Record record = list_record(RECORD_ATOM, words, 32);

		record.type = (uint8_t)type;
		record.width = value_type_bytes[type];
		record.has_values = true;
		for (uint32_t i = 0; i < 32; i++)
			record.value[i] = w >= n_zeros ? 0x3f800000 : i % 2 ? 0 : 0x80000000;
		code(&program, 0, w, CODE_FLOAT, DATAFLOW_NO_VALUE, 1 + (late ? late[w] : 0));
		for (uint32_t i = 0; i < n_adds; i++)
			list_source_append(program.list, 0, w, &record);
	}
	run(&program, NULL, statistics);
}

static void add(uint32_t n_warps, const uint32_t *late, uint32_t n_adds, Statistics *statistics)
{
	add_values(TYPE_F32, 0, n_warps, late, n_adds, statistics);
}

/* swap-steps.csv, 2 warps, all words common: 35 cycles behind another's load still read the old word. */
static void a_swap_fails_if_another_came_since_the_load(void)
{
	static const struct {
		uint32_t late, retries;
	} rows[] = {{1, 32}, {20, 32}, {35, 32}, {36, 0}, {60, 0}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const uint32_t late[] = {0, rows[i].late};
		Statistics statistics;

		add(2, late, 1, &statistics);
		g_assert_cmpuint(statistics.atomics.retries, ==, rows[i].retries);
	}
}

/* swap-order.csv: two warps on one word that begin together stay in step, with a success every 88 cycles; loop-starts.csv: 56 cycles apart
   they go in turn, with hardly a try in vain. Which of both depends on the start alone: who begins where the other's swap is over
   and its next load has not come finds each word as it was left. */
static void warps_on_one_word_go_in_step_or_in_turn(void)
{
	static const struct {
		uint32_t late;
		bool in_turn;
	} rows[] = {{1, false}, {34, false}, {36, true}, {56, true}, {68, false}, {90, false}};
	enum { N_ADDS = 4, N_TRIES = 2 * 32 * N_ADDS };
	const uint32_t words[32] = {0};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		Program program = program_new(1, 2);
		Statistics statistics;

		for (uint32_t w = 0; w < 2; w++) {
			Record record = list_record(RECORD_ATOM, words, 32);

			record.type = TYPE_F32;
			code(&program, 0, w, CODE_FLOAT, DATAFLOW_NO_VALUE,
			     1 + w * rows[i].late);
			for (uint32_t k = 0; k < N_ADDS; k++)
				list_source_append(program.list, 0, w, &record);
		}
		run(&program, NULL, &statistics);
		if (rows[i].in_turn)
			g_assert_cmpuint(statistics.atomics.rounds, ==, N_TRIES);
		else
			g_assert_cmpuint(statistics.atomics.rounds, >, 2 * N_TRIES - 8);
		g_assert_cmpuint(statistics.cycles / N_TRIES, ==, rows[i].in_turn ? 47 : 88);
	}
}

/* swap-wide.csv, 2 warps: 44 cycles behind another's load one of 64 bits still reads the old words, 55 behind not. */
static void a_wide_swap_writes_later(void)
{
	static const struct {
		uint32_t late, retries;
	} rows[] = {{1, 32}, {24, 32}, {44, 32}, {55, 0}, {70, 0}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const uint32_t late[] = {0, rows[i].late};
		Statistics statistics;

		add_values(TYPE_F64, 0, 2, late, 1, &statistics);
		g_assert_cmpuint(statistics.atomics.retries, ==, rows[i].retries);
	}
}

/* swap-order.csv, 32 words: 8 warps that add 0 (or -0) never meet; beside 4 that do, 4 others as few as alone. */
static void who_adds_nothing_disturbs_nobody(void)
{
	Statistics all, half, four, eight;

	add_values(TYPE_F32, 8, 8, NULL, 4, &all);
	add_values(TYPE_F32, 4, 8, NULL, 4, &half);
	add_values(TYPE_F32, 0, 4, NULL, 4, &four);
	add_values(TYPE_F32, 0, 8, NULL, 4, &eight);
	g_assert_cmpuint(all.atomics.retries, ==, 0);
	g_assert_cmpuint(four.atomics.retries, >, 0);
	/* Those that add 0 fail where another's write is between. */
	g_assert_cmpuint(half.atomics.retries, >=, four.atomics.retries);
	g_assert_cmpuint(half.atomics.retries, <, eight.atomics.retries * 3 / 4);
}

/* Instructions of a round, as Nsight Compute counts them (shared-loops.csv, 1 warp): 5, of 64 bits 6, integers 7. */
static void rounds_are_made_of_instructions(void)
{
	static const struct {
		ValueType type;
		uint32_t each;
	} rows[] = {{TYPE_F32, 5}, {TYPE_F64, 6}, {TYPE_U64, 7}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		Statistics statistics;
		uint64_t others;

		add_values(rows[i].type, 0, 1, NULL, 4, &statistics);
		others = statistics.trace_warp_instructions - 4;
		g_assert_cmpuint(statistics.warp_instructions - others, ==,
				 rows[i].each * statistics.atomics.rounds);
	}
}

/* issue-conflicts.csv, loads of 32 passes and of 8 bytes a lane: one warp waits 2 cycles a pass, two of a scheduler 1. */
static void warps_of_a_scheduler_share_the_banks_rate(void)
{
	static const struct {
		uint32_t n_warps, width, stride, least,
			most; /* cycles a load of the scheduler */
	} rows[] = {{1, 4, 32, 58, 66}, {5, 4, 32, 30, 36}, {1, 8, 2, 4, 5}, {5, 8, 2, 2, 4}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint64_t cycles[2];
		uint32_t words[32], n = rows[i].n_warps > 1 ? 2 : 1;

		for (uint32_t k = 0; k < 32; k++)
			words[k] = k * rows[i].stride;
		for (uint32_t more = 0; more < 2; more++) {
			Program program = program_new(1, rows[i].n_warps);
			Record record = list_record(RECORD_LDS, words, 32);
			Statistics statistics;

			record.width = (uint8_t)rows[i].width;
			for (uint32_t w = 0; w < rows[i].n_warps; w += 4)
				for (uint32_t k = 0; k < 32 + 32 * more; k++)
					list_source_append(program.list, 0, w, &record);
			run(&program, NULL, &statistics);
			cycles[more] = statistics.cycles;
		}
		g_assert_cmpuint((cycles[1] - cycles[0]) / (32 * n), >=, rows[i].least);
		g_assert_cmpuint((cycles[1] - cycles[0]) / (32 * n), <=, rows[i].most);
	}
}

/* swap-steps.csv: warps that begin together stay in step, and one in each round of 82 cycles gets its words, up to 8
   of them; 16 and more fall into two halves, and get theirs every 42 to 47. */
static void many_warps_fall_out_of_step(void)
{
	static const struct {
		uint32_t n_warps, least, most; /* cycles between two that get their words */
	} rows[] = {{1, 92, 94},  {2, 86, 89},	{4, 83, 87}, {8, 83, 87},
		    {16, 42, 50}, {24, 39, 46}, {32, 41, 48}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const uint32_t n = rows[i].n_warps;
		Statistics few, many;
		uint64_t each;

		add(n, NULL, 8, &few);
		add(n, NULL, 40, &many);
		each = (many.cycles - few.cycles) / (32 * n);
		g_assert_cmpuint(each, >=, rows[i].least);
		g_assert_cmpuint(each, <=, rows[i].most);
	}
}

/* Cycles that 64 further of them take on an SM whose warps all run them. */
static uint64_t each_of(uint32_t n_warps, CodeClass class, uint8_t guard, const char *setting)
{
	uint64_t cycles[2];

	for (uint32_t k = 0; k < 2; k++) {
		Program program = program_new(1, n_warps);
		Statistics statistics;

		for (uint32_t w = 0; w < n_warps; w++)
			code(&program, 0, w, class, guard, 64 + 64 * k);
		run(&program, setting, &statistics);
		cycles[k] = statistics.cycles;
	}
	return cycles[1] - cycles[0];
}

/* issue-guarded.csv: one warp 4.2 cycles, 32 warps 1.06 each. */
static void an_access_without_lanes_takes_the_unit(void)
{
	g_assert_cmpuint(each_of(1, CODE_OTHER, 0, NULL), ==, 64 * 4);
	g_assert_cmpuint(each_of(32, CODE_OTHER, 0, NULL), >=, 64 * 32);
	g_assert_cmpuint(each_of(32, CODE_OTHER, 0, NULL), <=, 64 * 33);
	/* As an instruction like others: a pipe of two cycles a scheduler. */
	g_assert_cmpuint(each_of(32, CODE_OTHER, 0, "sm.issue.predicated_off_access_cycles=0"),
			 ==, 64 * 16);
}

/* issue-system.csv: the SM reads an index every 2 cycles, and brings lanes' values to others in 1 of the same unit. */
static void indices_and_exchanges_share_the_unit(void)
{
	const uint32_t n_warps = 32, n = 64;
	const uint8_t none = DATAFLOW_NO_VALUE;
	uint64_t cycles[2];

	g_assert_cmpuint(each_of(n_warps, CODE_SYSTEM, none, NULL), >=, n * n_warps * 2);
	g_assert_cmpuint(each_of(n_warps, CODE_SYSTEM, none, NULL), <=, n * n_warps * 2 + 32);
	g_assert_cmpuint(each_of(n_warps, CODE_SHUFFLE, none, NULL), >=, n * n_warps);
	g_assert_cmpuint(each_of(n_warps, CODE_SHUFFLE, none, NULL), <=, n * n_warps + 32);
	/* As an instruction like others: a pipe of two cycles a scheduler. */
	g_assert_cmpuint(each_of(n_warps, CODE_SYSTEM, none, "sm.issue.system_lsu_cycles=0"),
			 ==, n * n_warps / 4 * 2);
	for (uint32_t k = 0; k < 2; k++) {
		Program program = program_new(1, n_warps);
		Statistics statistics;

		for (uint32_t w = 0; w < n_warps; w++)
			code(&program, 0, w, w < n_warps / 2 ? CODE_SYSTEM : CODE_SHUFFLE, none,
			     n + n * k);
		run(&program, NULL, &statistics);
		cycles[k] = statistics.cycles;
	}
	g_assert_cmpuint(cycles[1] - cycles[0], >=, n * n_warps / 2 * 3 - 32);
	g_assert_cmpuint(cycles[1] - cycles[0], <=, n * n_warps / 2 * 3 + 32);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/meeting/a swap fails if another came since the load",
			a_swap_fails_if_another_came_since_the_load);
	g_test_add_func("/meeting/warps on one word go in step or in turn",
			warps_on_one_word_go_in_step_or_in_turn);
	g_test_add_func("/meeting/a wide swap writes later", a_wide_swap_writes_later);
	g_test_add_func("/meeting/who adds nothing disturbs nobody",
			who_adds_nothing_disturbs_nobody);
	g_test_add_func("/meeting/rounds are made of instructions",
			rounds_are_made_of_instructions);
	g_test_add_func("/meeting/warps of a scheduler share the banks' rate",
			warps_of_a_scheduler_share_the_banks_rate);
	g_test_add_func("/meeting/many warps fall out of step", many_warps_fall_out_of_step);
	g_test_add_func("/meeting/an access without lanes takes the unit",
			an_access_without_lanes_takes_the_unit);
	g_test_add_func("/meeting/indices and exchanges share the unit",
			indices_and_exchanges_share_the_unit);
	return g_test_run();
}
