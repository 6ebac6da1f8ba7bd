/* SPDX-License-Identifier: MIT */
/*
 * The first use of lines of constants in a launch, against measurements/h200/issue/issue-cold-lines.csv and
 * issue-cold-lines-sms.csv: little programs like those that were measured, on the machine of configs/h200.
 */
#include "config/config.h"
#include "list-source.h"
#include "sim/run/run.h"
#include "trace/dataflow.h"

static const uint8_t value[] = {0};

/* Where lines are, and what a launch finds; of all launches until it is changed. */
static struct {
	const ConstantPlace *places;
	uint32_t n_places;
	LaunchCode code;
	LaunchTlb tlb;
	uint32_t n_passes; /* over all lines */
} found = {.n_passes = 1};

/* Cycles of a launch whose warps all use a word of each of so many lines, by operations of two classes in turn; what they bring is
   not used. */
static uint64_t cycles_of_both(CodeClass first, CodeClass second, uint32_t n_lines,
			       uint32_t n_blocks, uint32_t n_warps,
			       const KernelParameters *cold)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	DataflowBuilder *builder = dataflow_builder_new();
	ListSource *list = list_source_new(n_blocks, n_warps, 0);
	g_autoptr(GByteArray) array = NULL;
	g_autoptr(GBytes) bytes = NULL;
	Dataflow *flow;
	Machine machine;
	SimRequest request = {.source = &list->source, .n_threads = 1};
	SimResult result;
	const char *problem;
	uint32_t gaps[64];
	size_t at;

	g_assert_nonnull(config);
	g_assert_cmpuint(n_lines, <=, G_N_ELEMENTS(gaps));
	machine = *config_machine(config);
	machine.sm.warp_start_cycles = 0; /* measured behind a wait for one another */
	for (uint32_t line = 0; line < n_lines; line++) {
		const CodeOperation operation = {.class = (uint8_t)(line % 2 ? second : first),
						 .guard = DATAFLOW_NO_VALUE,
						 .line = (uint16_t)(line + 1),
						 .n_writes = 1,
						 .writes = value};
		gaps[line] = dataflow_builder_gap(builder, &operation, 1);
	}
	for (uint32_t i = 0; i < found.n_passes * n_lines; i++) {
		const Record record = {.kind = RECORD_CODE, .gap = gaps[i % n_lines]};

		for (uint32_t block = 0; block < n_blocks; block++)
			for (uint32_t warp = 0; warp < n_warps; warp++)
				list_source_append(list, block, warp, &record);
	}
	array = dataflow_builder_bytes(builder);
	bytes = g_bytes_new(array->data, array->len);
	flow = dataflow_read(bytes, 4, &problem, &at);
	g_assert_nonnull(flow);
	list->source.kernel.dataflow = flow;
	list->source.kernel.constants = found.places;
	list->source.kernel.n_constants = found.n_places;
	if (found.places) {
		machine.launch.code = found.code;
		machine.launch.tlb = found.tlb;
	}
	if (cold) {
		machine.launch.parameters = LAUNCH_PARAMETERS_COLD;
		list->source.kernel.parameters = *cold;
	}
	request.machine = &machine;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	dataflow_free(flow);
	dataflow_builder_free(builder);
	list_source_free(list);
	return result.statistics.cycles;
}

static uint64_t cycles(CodeClass class, uint32_t n_lines, uint32_t n_blocks, uint32_t n_warps)
{
	return cycles_of_both(class, class, n_lines, n_blocks, n_warps, NULL);
}

/* What each of 10 further lines costs, in cycles. */
static uint64_t each(CodeClass class, uint32_t n_blocks, uint32_t n_warps)
{
	return (cycles(class, 12, n_blocks, n_warps) - cycles(class, 2, n_blocks, n_warps)) /
	       10;
}

static void assert_near(uint64_t simulated, uint64_t measured)
{
	g_assert_cmpuint(simulated * 100, <=, measured * 115);
	g_assert_cmpuint(simulated * 100, >=, measured * 85);
}

static void operands_stop_their_warp(void)
{
	assert_near(each(CODE_UNIFORM, 1, 1), 62);
	assert_near(each(CODE_UNIFORM, 1, 4), 62);
	assert_near(each(CODE_UNIFORM, 1, 16), 65);
}

static void neighbours_share_what_brings_lines(void)
{
	assert_near(each(CODE_UNIFORM, 132, 1), 65);
	/* The slowest: of a GPC of which nine and twelve SMs have blocks, where others have one and eight; of one of 18 SMs
	   (67, 68 and 127 in the median). */
	assert_near(each(CODE_UNIFORM, 16, 4), 76);
	assert_near(each(CODE_UNIFORM, 66, 4), 102);
	assert_near(each(CODE_UNIFORM, 132, 4), 142);
	assert_near(each(CODE_UNIFORM, 132, 16), 142);
}

static void loads_overlap(void)
{
	assert_near(each(CODE_CONSTANT, 1, 1), 17);
	assert_near(each(CODE_CONSTANT, 132, 1), 32);
}

/* starts.csv, `parameters`: one unit brings lines for both, one after the other. */
static void loads_and_operands_wait_for_one_another(void)
{
	const uint64_t pairs = cycles_of_both(CODE_CONSTANT, CODE_UNIFORM, 12, 132, 4, NULL) -
			       cycles_of_both(CODE_CONSTANT, CODE_UNIFORM, 2, 132, 4, NULL);

	assert_near(pairs / 5, 33 + 136);
	g_assert_cmpuint(pairs / 5, >, each(CODE_UNIFORM, 132, 4) + 20);
}

/* spans.csv: a kernel whose only instruction is a load that nothing uses takes 84 cycles more than one with none. */
static void a_warp_ends_when_its_loads_are_there(void)
{
	const uint64_t none = cycles(CODE_UNIFORM, 1, 1, 1),
		       load = cycles(CODE_CONSTANT, 1, 1, 1);

	g_assert_cmpuint(none, <, 75);
	g_assert_cmpuint(load, >, 84);
	g_assert_cmpuint(load, <, 105);
}

/* What a launch that reads one line, number `line` of its parameters, takes more where these are cold. */
static uint64_t cold(CodeClass class, uint32_t bytes, uint32_t line, uint32_t n_blocks)
{
	uint16_t lines[8] = {0};
	const KernelParameters parameters = {.offset = 0x210,
					     .bytes = bytes,
					     .n_lines =
						     (0x210 + bytes - 1) / 64 - 0x210 / 64 + 1,
					     .lines = lines};

	lines[line] = 1;
	return cycles_of_both(class, class, 1, n_blocks, 1, &parameters) -
	       cycles(class, 1, n_blocks, 1);
}

/* parameters.csv: one SM waits 32 to 120 or 150 to 250 cycles more, by where they are; of 132 some wait the longer time. */
static void the_last_parameters_of_new_memory_are_late(void)
{
	const CodeClass classes[] = {CODE_CONSTANT, CODE_UNIFORM};

	for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
		const CodeClass class = classes[i];

		g_assert_cmpuint(cold(class, 4, 0, 1), >=, 60);
		g_assert_cmpuint(cold(class, 4, 0, 1), <=, 250);
		g_assert_cmpuint(cold(class, 112, 1, 1), ==, cold(class, 112, 0, 1));
		g_assert_cmpuint(cold(class, 4, 0, 132), >=, 150);
		/* 128 to 240 bytes end in the second half of 256 bytes; of 256 to 368 the last are late. */
		g_assert_cmpuint(cold(class, 128, 0, 1), ==, 0);
		g_assert_cmpuint(cold(class, 240, 3, 1), ==, 0);
		g_assert_cmpuint(cold(class, 256, 0, 1), ==, 0);
		g_assert_cmpuint(cold(class, 256, 4, 1), ==, cold(class, 4, 0, 1));
		g_assert_cmpuint(cold(class, 368, 5, 1), ==, cold(class, 4, 0, 1));
		g_assert_cmpuint(cold(class, 408, 6, 1), ==, 0);
	}
}

/* What lines that are `stride` bytes apart in a bank take, 7 of them after the first, of one warp. */
static uint64_t seven(CodeClass class, uint32_t bank, uint32_t stride)
{
	ConstantPlace places[8];
	uint64_t all;

	for (uint32_t i = 0; i < 8; i++)
		places[i] = (ConstantPlace){bank, i * stride};
	found.places = places;
	found.n_places = 8;
	all = cycles(class, 8, 1, 1) - cycles(class, 1, 1, 1);
	found.places = NULL;
	return all;
}

/* first-touch.csv: 256 bytes of a module's constants come together, 219 cycles later than parameters; in a kernel's first launch 172 more. */
static void constants_of_a_module_come_by_256_bytes(void)
{
	const uint64_t own = seven(CODE_UNIFORM, 0, 64);

	found.code = LAUNCH_CODE_WARM;
	g_assert_cmpuint(seven(CODE_UNIFORM, 3, 64), ==, own + 219);
	g_assert_cmpuint(seven(CODE_UNIFORM, 3, 128), ==, own + 3 * 219);
	g_assert_cmpuint(seven(CODE_UNIFORM, 4, 256), ==, own + 7 * 219);
	g_assert_cmpuint(seven(CODE_UNIFORM, 0, 256), ==, own);
	found.code = LAUNCH_CODE_COLD;
	/* New code comes meanwhile. */
	g_assert_cmpuint(seven(CODE_UNIFORM, 3, 256), ==,
			 seven(CODE_UNIFORM, 0, 256) + 7 * (219 + 172));
	found.code = LAUNCH_CODE_WARM;
}

/* The same: the first of them waits for a page walk. */
static void the_first_constants_of_a_module_wait_for_a_walk(void)
{
	static const ConstantPlace places[] = {{3, 0}, {3, 512}};
	uint64_t one[2], two[2];

	found.places = places;
	found.n_places = 2;
	found.code = LAUNCH_CODE_WARM;
	for (uint32_t i = 0; i < 2; i++) {
		found.tlb = i == 0 ? LAUNCH_TLB_WARM : LAUNCH_TLB_COLD;
		one[i] = cycles(CODE_UNIFORM, 1, 1, 1);
		two[i] = cycles(CODE_UNIFORM, 2, 1, 1);
	}
	found.places = NULL;
	g_assert_cmpuint(one[1], ==, one[0] + 506);
	g_assert_cmpuint(two[1], ==, two[0] + 506);
}

/* What each of 64 uses of lines costs, of which the SM's caches have had all, passes over `n_lines` of them. */
static uint64_t again(CodeClass class, uint32_t n_lines)
{
	const uint32_t passes = 64 / n_lines;

	found.n_places = 0;
	found.n_passes = passes + 1;
	const uint64_t more = cycles(class, n_lines, 1, 1);
	found.n_passes = 1;
	return (more - cycles(class, n_lines, 1, 1)) / 64;
}

/* issue-constant-sizes.csv, one warp: within 2 KiB, 32 lines, nothing comes again; beyond, operands wait 27 cycles more and loads that
   overlap come one after the other. */
static void lines_beyond_those_that_are_held_come_again(void)
{
	g_assert_cmpuint(again(CODE_UNIFORM, 32), <, 10);
	g_assert_cmpuint(again(CODE_UNIFORM, 64), >=, 27);
	g_assert_cmpuint(again(CODE_UNIFORM, 64), <=, 34);
	g_assert_cmpuint(again(CODE_CONSTANT, 32), <, 10);
	g_assert_cmpuint(again(CODE_CONSTANT, 64), >=, 16);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/constants/operands_stop_their_warp", operands_stop_their_warp);
	g_test_add_func("/constants/neighbours_share_what_brings_lines",
			neighbours_share_what_brings_lines);
	g_test_add_func("/constants/loads_overlap", loads_overlap);
	g_test_add_func("/constants/loads_and_operands_wait_for_one_another",
			loads_and_operands_wait_for_one_another);
	g_test_add_func("/constants/a_warp_ends_when_its_loads_are_there",
			a_warp_ends_when_its_loads_are_there);
	g_test_add_func("/constants/the_last_parameters_of_new_memory_are_late",
			the_last_parameters_of_new_memory_are_late);
	g_test_add_func("/constants/constants_of_a_module_come_by_256_bytes",
			constants_of_a_module_come_by_256_bytes);
	g_test_add_func("/constants/the_first_constants_of_a_module_wait_for_a_walk",
			the_first_constants_of_a_module_wait_for_a_walk);
	g_test_add_func("/constants/lines_beyond_those_that_are_held_come_again",
			lines_beyond_those_that_are_held_come_again);
	return g_test_run();
}
