/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores and atomics of traces that say what waits for what, through the memory that SMs share: their values
 * are pending until the reply is there. On the machine of configs/h200, all ways equally long.
 */
#include <string.h>

#include "config/config.h"
#include "list-source.h"
#include "sim/run/run.h"
#include "trace/dataflow.h"

enum { CHASE = 1, PLAIN_LOAD, STORE, ADD, COUNT, SUM };

#define N_SITES	     6
#define BUFFER_BYTES (1u << 20)
#define LINE	     128u
#define CROWD_LOADS  64
/* measurements/h200/issue: 279 in the mean of SMs and lines, 12 more for a whole warp. */
#define TRIP_OF_A_WORD 279
#define TRIP_OF_A_WARP 291

static const uint8_t value_0 = 0, value_1 = 1;
static const uint64_t buffer_bytes = BUFFER_BYTES;

typedef struct {
	ListSource *list;
	DataflowBuilder *builder;
	uint64_t n_blocks;
} Program;

static Program program_new(uint64_t n_blocks)
{
	Program program = {list_source_new(n_blocks, 1, 1024), dataflow_builder_new(),
			   n_blocks};
	const SiteFlow none = {.guard = DATAFLOW_NO_VALUE};
	SiteFlow chase = none, load = none, count = none, sum;

	load.n_writes = chase.n_writes = chase.n_address = 1;
	load.writes = chase.writes = chase.address = &value_0;
	dataflow_builder_site(program.builder, CHASE, &chase);
	dataflow_builder_site(program.builder, PLAIN_LOAD, &load);
	dataflow_builder_site(program.builder, STORE, &none);
	dataflow_builder_site(program.builder, ADD, &load);
	count.n_address = 1;
	count.address = &value_0;
	sum = count;
	sum.n_data = 1;
	sum.data = &value_1;
	dataflow_builder_site(program.builder, COUNT, &count);
	dataflow_builder_site(program.builder, SUM, &sum);
	return program;
}

static void append(Program *program, const Record *record)
{
	for (uint64_t block = 0; block < program->n_blocks; block++)
		list_source_append(program->list, block, 0, record);
}

/* A word a lane, `stride` bytes apart, from byte `at` of the buffer on. */
static void access(Program *program, RecordKind kind, uint32_t site, uint32_t at,
		   uint32_t n_lanes, uint32_t stride)
{
	Record record = {.kind = (uint8_t)kind,
			 .site = site,
			 .buffer = 1,
			 .width = 4,
			 .cache = CACHE_BYPASS,
			 .operation = OPERATION_ADD,
			 .type = TYPE_U32,
			 .result = kind == RECORD_ATOMG,
			 .offset = at,
			 .mask = lanes_below(n_lanes),
			 .n_lanes = (uint8_t)n_lanes,
			 .bytes = 4 * n_lanes};

	for (uint32_t i = 0; i < n_lanes; i++)
		record.address[i] = i * stride;
	record.count = stride * (n_lanes - 1) / LINE + 1;
	append(program, &record);
}

/* One integer operation; writes or reads -1: no value, else value 0. */
static void code(Program *program, int writes, int reads)
{
	const CodeOperation operation = {.class = CODE_INT,
					 .guard = DATAFLOW_NO_VALUE,
					 .n_writes = writes >= 0,
					 .n_reads = reads >= 0,
					 .writes = writes >= 0 ? &value_0 : NULL,
					 .reads = reads >= 0 ? &value_0 : NULL};
	const Record record = {.kind = RECORD_CODE,
			       .gap = dataflow_builder_gap(program->builder, &operation, 1)};

	append(program, &record);
}

static SimResult run_with(Program *program, GlobalModel model, uint32_t n_threads)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	g_autoptr(GByteArray) array = dataflow_builder_bytes(program->builder);
	g_autoptr(GBytes) bytes = g_bytes_new(array->data, array->len);
	const char *problem;
	size_t at;
	Dataflow *flow = dataflow_read(bytes, N_SITES, &problem, &at);
	Machine machine = *config_machine(config);
	NetworkParameters network = *machine.network;
	SimRequest request = {.machine = &machine,
			      .source = &program->list->source,
			      .n_threads = n_threads,
			      .n_sites = N_SITES};
	SimResult result;

	g_assert_nonnull(flow);
	network.latency_spread_cycles = 0;
	machine.network = &network;
	machine.global.model = model;
	program->list->source.kernel.dataflow = flow;
	program->list->source.kernel.lock_sections = true;
	program->list->source.kernel.n_buffers = 1;
	if (!program->list->source.kernel.buffer_bytes)
		program->list->source.kernel.buffer_bytes = &buffer_bytes;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	dataflow_free(flow);
	return result;
}

static void program_free(Program *program)
{
	dataflow_builder_free(program->builder);
	list_source_free(program->list);
}

/* Until the last warp has ended. Frees the program. */
static uint64_t cycles(Program *program)
{
	uint64_t end = run_with(program, GLOBAL_SLICES, 1).statistics.busy_cycles;

	program_free(program);
	return end;
}

/* Of each further link of a chain of loads. */
static uint64_t link_of(uint32_t n_lanes)
{
	uint64_t end[2];

	for (uint32_t k = 0; k < 2; k++) {
		Program program = program_new(1);

		for (uint32_t i = 0; i < 16 + 16 * k; i++)
			access(&program, RECORD_LDG, CHASE, i * LINE, n_lanes, 4);
		end[k] = cycles(&program);
	}
	return (end[1] - end[0]) / 16;
}

static void test_chain(void)
{
	g_assert_cmpuint(link_of(1), ==, TRIP_OF_A_WORD);
	/* Part of the 12 is the slice's, which takes half a clock for each sector. */
	g_assert_cmpuint(link_of(32), >=, TRIP_OF_A_WARP - 1);
	g_assert_cmpuint(link_of(32), <=, TRIP_OF_A_WARP + 1);
}

/* What comes behind an access to the buffer, in cycles until the warp's end. */
static uint64_t behind(RecordKind kind, uint32_t site, int writes, int reads)
{
	Program program = program_new(1);

	access(&program, kind, site, 0, 1, 4);
	code(&program, writes, reads);
	return cycles(&program);
}

/* The same of a load and many operations, of which each reads it or none does. */
static uint64_t work_behind(int reads)
{
	Program program = program_new(1);

	access(&program, RECORD_LDG, PLAIN_LOAD, 0, 1, 4);
	for (uint32_t i = 0; i < 50; i++)
		code(&program, -1, reads);
	return cycles(&program);
}

static void test_only_use_waits(void)
{
	/* A warp ends when what it has asked for is there, used or not (measurements/h200/spans.csv). */
	g_assert_cmpuint(behind(RECORD_LDG, PLAIN_LOAD, -1, -1), >, TRIP_OF_A_WORD / 2);
	g_assert_cmpuint(work_behind(-1) + 40, <, work_behind(0));
	g_assert_cmpuint(behind(RECORD_LDG, PLAIN_LOAD, -1, 0), >=, TRIP_OF_A_WORD);
	g_assert_cmpuint(behind(RECORD_STG, STORE, -1, 0), <, 40);
	g_assert_cmpuint(behind(RECORD_ATOMG, ADD, -1, -1), >, TRIP_OF_A_WORD / 2);
	g_assert_cmpuint(behind(RECORD_ATOMG, ADD, -1, 0), >=, TRIP_OF_A_WORD);
}

static void test_pending_values_are_not_overwritten(void)
{
	Program program = program_new(1);

	g_assert_cmpuint(behind(RECORD_LDG, PLAIN_LOAD, 0, -1), >=, TRIP_OF_A_WORD);
	/* Nor by another load. */
	access(&program, RECORD_LDG, PLAIN_LOAD, 0, 1, 4);
	access(&program, RECORD_LDG, PLAIN_LOAD, LINE, 1, 4);
	g_assert_cmpuint(cycles(&program), >=, TRIP_OF_A_WORD);
}

/* One warp on each SM loads a line, and nobody uses it: until the last is there. */
static uint64_t crowd(uint64_t n_sms)
{
	Program program = program_new(n_sms);
	uint64_t end;

	for (uint32_t i = 0; i < CROWD_LOADS; i++)
		access(&program, RECORD_LDG, STORE, 0, 32, 4);
	end = run_with(&program, GLOBAL_SLICES, 1).statistics.cycles;
	program_free(&program);
	return end;
}

static void test_sms_share_slices(void)
{
	/* Half of them at each partition's copy, in 0.6 of the slice's clocks or more. */
	g_assert_cmpuint(crowd(128), >, 128 / 2 * CROWD_LOADS * 58 / 100);
	g_assert_cmpuint(crowd(1), <, crowd(128) / 4);
}

/* Loads, adds and stores of many blocks to lines all over. */
static void fill(Program *program)
{
	for (uint32_t i = 0; i < 24; i++) {
		access(program, RECORD_LDG, PLAIN_LOAD, i * 4096, 32, i % 4 ? 4 : LINE);
		code(program, -1, i % 3 ? 0 : -1);
		access(program, RECORD_ATOMG, ADD, i * 512, 32, i % 2 ? 4 : 0);
		access(program, RECORD_STG, STORE, i * 8192, 32, 4);
	}
	code(program, 0, 0);
}

static void test_threads_change_nothing(void)
{
	Program program = program_new(300);
	SimResult one, three;

	fill(&program);
	one = run_with(&program, GLOBAL_SLICES, 1);
	three = run_with(&program, GLOBAL_SLICES, 3);
	g_assert_cmpmem(&one.statistics, sizeof one.statistics, &three.statistics,
			sizeof three.statistics);
	g_assert_cmpuint(one.statistics.busy_cycles, ==, three.statistics.busy_cycles);
	g_assert_cmpuint(one.statistics.memory.accesses, ==, 300 * 24 * 3);
	program_free(&program);
}

static void test_no_buffer_no_memory(void)
{
	Program program = program_new(4);
	SimResult flat, slices;
	Record load = {.kind = RECORD_LDG,
		       .site = CHASE,
		       .mask = 1,
		       .n_lanes = 1,
		       .width = 4,
		       .bytes = 4,
		       .count = 1};

	for (uint32_t i = 0; i < 8; i++)
		append(&program, &load);
	flat = run_with(&program, GLOBAL_FLAT, 1);
	slices = run_with(&program, GLOBAL_SLICES, 1);
	g_assert_cmpuint(flat.statistics.busy_cycles, ==, slices.statistics.busy_cycles);
	g_assert_cmpuint(slices.statistics.memory.accesses, ==, 0);
	program_free(&program);
}

/* Passes after the first of an add to shared memory whose lanes all name one word. */
static uint64_t passes_of_one_word(uint32_t site, bool has_values, uint64_t value, bool result)
{
	Program program = program_new(1);
	Record record = {.kind = RECORD_ATOM,
			 .site = site,
			 .width = 4,
			 .operation = OPERATION_ADD,
			 .type = TYPE_U32,
			 .result = result,
			 .has_values = has_values,
			 .mask = lanes_below(32),
			 .n_lanes = 32};
	uint64_t passes;

	for (uint32_t i = 0; i < 32; i++)
		record.value[i] = value;
	append(&program, &record);
	passes = run_with(&program, GLOBAL_SLICES, 1).statistics.shared.conflict_passes;
	program_free(&program);
	return passes;
}

/* measurements/h200/shared-passes.csv, one warp: ATOMS.POPC.INC has no operand and merges lanes, ATOMS.ADD does neither. */
static void test_operand_tells_increments(void)
{
	g_assert_cmpuint(passes_of_one_word(COUNT, false, 0, false), ==, 0);
	g_assert_cmpuint(passes_of_one_word(SUM, false, 0, false), ==, 31);
	g_assert_cmpuint(passes_of_one_word(COUNT, false, 0, true), ==, 31);
	/* What the register holds does not matter. */
	g_assert_cmpuint(passes_of_one_word(SUM, true, 1, false), ==, 31);
	/* Without a site the values tell; without these, too, it is taken for an increment. */
	g_assert_cmpuint(passes_of_one_word(0, true, 1, false), ==, 0);
	g_assert_cmpuint(passes_of_one_word(0, true, 2, false), ==, 31);
	g_assert_cmpuint(passes_of_one_word(0, false, 0, false), ==, 0);
}

/* 32 loads one behind the other, 2 MiB apart, of a buffer of twice the L2. */
static uint64_t far_loads(KernelFact was_launched, uint64_t n_records)
{
	static const uint64_t large = 100 << 20;
	Program program = program_new(1);

	for (uint32_t i = 0; i < 32; i++)
		access(&program, RECORD_LDG, CHASE, i << 21, 1, 4);
	program.list->source.kernel.buffer_bytes = &large;
	program.list->source.kernel.was_launched = was_launched;
	program.list->source.kernel.n_records = n_records;
	return cycles(&program);
}

/* A share of a large buffer is in the L2; all of what the same kernel has loaded before, if it is little. */
static void test_what_was_touched_is_there(void)
{
	const uint64_t share = far_loads(KERNEL_UNKNOWN, 33);

	g_assert_cmpuint(far_loads(KERNEL_HAS, 33) + 3000, <, share);
	g_assert_cmpuint(far_loads(KERNEL_HAS, UINT32_MAX), >=, share);
	g_assert_cmpuint(far_loads(KERNEL_HAS_NOT, 33), ==, share);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/pending/a chain of loads takes its round trips", test_chain);
	g_test_add_func("/pending/only the use of a value waits for it", test_only_use_waits);
	g_test_add_func("/pending/values on their way are not overwritten",
			test_pending_values_are_not_overwritten);
	g_test_add_func("/pending/SMs share slices", test_sms_share_slices);
	g_test_add_func("/pending/threads change nothing", test_threads_change_nothing);
	g_test_add_func("/pending/without addresses all is as it was",
			test_no_buffer_no_memory);
	g_test_add_func("/pending/an add with an operand merges no lanes",
			test_operand_tells_increments);
	g_test_add_func("/pending/what a kernel has touched is in the L2",
			test_what_was_touched_is_there);
	return g_test_run();
}
