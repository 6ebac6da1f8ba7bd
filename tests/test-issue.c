/* SPDX-License-Identifier: MIT */
/*
 * The issue model against measurements/h200/issue: little programs like those that were measured, on the
 * machine of configs/h200. Each row says file and reading.
 */
#include "config/config.h"
#include "list-source.h"
#include "sim/run/run.h"
#include "trace/dataflow.h"

static const uint8_t values[] = {0, 1, 2, 3};

/* A program of one or more warps that all do the same. */
typedef struct {
	ListSource *list;
	DataflowBuilder *builder;
	Dataflow *flow;
	uint32_t n_warps;
	bool cold; /* no SM has run its code */
} Program;

static Program program_new(uint32_t n_warps)
{
	return (Program){list_source_new(1, n_warps, 1024), dataflow_builder_new(), NULL,
			 n_warps, false};
}

static CodeOperation operation(CodeClass class, int writes, int reads, int guard)
{
	return (CodeOperation){.class = class,
			       .guard = guard < 0 ? DATAFLOW_NO_VALUE : (uint8_t)guard,
			       .n_writes = writes >= 0,
			       .n_reads = reads >= 0,
			       .writes = writes >= 0 ? &values[writes] : NULL,
			       .reads = reads >= 0 ? &values[reads] : NULL};
}

static void append(Program *program, const Record *record)
{
	for (uint32_t w = 0; w < program->n_warps; w++)
		list_source_append(program->list, 0, w, record);
}

static void code(Program *program, const CodeOperation *operations, uint32_t n, uint32_t times)
{
	Record record = {.kind = RECORD_CODE,
			 .gap = dataflow_builder_gap(program->builder, operations, n)};

	while (times-- > 0)
		append(program, &record);
}

/* Cycles of the whole run. Frees the program. */
static uint64_t run(Program *program)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	g_autoptr(GByteArray) array = dataflow_builder_bytes(program->builder);
	g_autoptr(GBytes) bytes = g_bytes_new(array->data, array->len);
	Machine machine;
	SimRequest request = {.source = &program->list->source, .n_threads = 1, .n_sites = 4};
	SimResult result;
	const char *problem;
	size_t at;

	g_assert_nonnull(config);
	machine = *config_machine(config);
	machine.sm.warp_start_cycles = 0; /* measured behind a barrier */
	if (program->cold)
		machine.launch.code = LAUNCH_CODE_COLD;
	request.machine = &machine;
	if (array->len > 0)
		program->flow = dataflow_read(bytes, 4, &problem, &at);
	program->list->source.kernel.dataflow = program->flow;
	program->list->source.kernel.lock_sections = true;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	dataflow_free(program->flow);
	dataflow_builder_free(program->builder);
	list_source_free(program->list);
	return result.statistics.cycles;
}

/* Cycles that each of 64 further copies of some operations takes, in hundredths. */
static uint64_t each(const CodeOperation *operations, uint32_t n, uint32_t n_warps)
{
	Program few = program_new(n_warps), many = program_new(n_warps);
	uint64_t less, more;

	code(&few, operations, n, 64);
	code(&many, operations, n, 128);
	less = run(&few);
	more = run(&many);
	return (more - less) * 100 / 64;
}

static void test_chains_take_their_latency(void)
{
	static const struct {
		CodeClass class;
		uint32_t cycles; /* issue-latency.csv, issue-pairs.csv */
	} rows[] = {{CODE_INT, 4},	{CODE_MUL, 4},	    {CODE_FLOAT, 4},
		    {CODE_HALF, 8},	{CODE_WIDE, 9},	    {CODE_DOUBLE, 8},
		    {CODE_CONVERT, 17}, {CODE_SPECIAL, 17}, {CODE_SHUFFLE, 24},
		    {CODE_MATCH, 369}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		CodeOperation link = operation(rows[i].class, 0, 0, -1);

		g_assert_cmpuint(each(&link, 1, 1), ==, rows[i].cycles * 100);
	}
}

static void test_pipes_take_so_many_warps(void)
{
	static const struct {
		CodeClass class;
		uint32_t cycles; /* issue-throughput.csv, four sub-cores, eight warps of each */
	} rows[] = {{CODE_INT, 2},
		    {CODE_MUL, 2},
		    {CODE_FLOAT, 1},
		    {CODE_DOUBLE, 2},
		    {CODE_SPECIAL, 8},
		    {CODE_CONVERT, 8},
		    /* What the sub-cores share: four times what the SM takes one by. */
		    {CODE_SHUFFLE, 4},
		    {CODE_REDUCE, 8}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		CodeOperation free[2] = {operation(rows[i].class, 0, -1, -1),
					 operation(rows[i].class, 1, -1, -1)};

		g_assert_cmpuint(each(free, 2, 32), ==, rows[i].cycles * 2 * 8 * 100);
	}
}

/* issue-warp-sync.csv: by groups of lanes, and that the SM joins those of one warp after the other; and one of which no groups
   are known. */
static void test_a_sync_costs_by_its_groups(void)
{
	static const struct {
		uint16_t groups;
		uint32_t alone, together; /* of one warp, of 32 */
	} rows[] = {{0, 5, 8}, {1, 46, 32 * 2}, {4, 106, 32 * 11}, {32, 666, 32 * 92}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		CodeOperation sync = operation(CODE_SYNC, -1, -1, -1);

		sync.line = rows[i].groups;
		g_assert_cmpuint(each(&sync, 1, 1), ==, rows[i].alone * 100);
		g_assert_cmpuint(each(&sync, 1, 32), ==, rows[i].together * 100);
	}
}

/* match-any.csv; and of issue-throughput.csv that the SM has one unit. */
static void test_a_match_costs_by_its_values(void)
{
	static const struct {
		uint16_t values;
		uint32_t latency, unit;
	} rows[] = {{1, 28, 2}, {8, 105, 16}, {32, 369, 64}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		CodeOperation link = operation(CODE_MATCH, 0, 0, -1);

		link.line = rows[i].values;
		g_assert_cmpuint(each(&link, 1, 1), ==, rows[i].latency * 100);
		link = operation(CODE_MATCH, 0, -1, -1);
		link.line = rows[i].values;
		g_assert_cmpuint(each(&link, 1, 32), ==, rows[i].unit * 32 * 100);
	}
}

/* issue-constants.csv: a link of a chain takes 11 cycles more for each further address, and 32 warps two of the SM for each. */
static void test_constants_cost_by_their_addresses(void)
{
	static const uint32_t addresses[] = {2, 8, 32};

	for (unsigned i = 0; i < G_N_ELEMENTS(addresses); i++) {
		CodeOperation lookup = operation(CODE_LOOKUP, 0, 0, -1);

		lookup.line = (uint16_t)addresses[i];
		g_assert_cmpuint(each(&lookup, 1, 1), ==, (28 + 11 * (addresses[i] - 1)) * 100);
		/* Behind the others' of a round. */
		g_assert_cmpuint(each(&lookup, 1, 32), ==, 2 * addresses[i] * 32 * 100);
	}
}

/* issue-sequences.csv 2, 3, 12, 14: what a form of a branch costs, conditions ready. */
static void test_branches_and_joins_follow_one_rule(void)
{
	const CodeOperation split = operation(CODE_SPLIT, -1, -1, -1),
			    join = operation(CODE_JOIN, -1, -1, -1),
			    branch = operation(CODE_BRANCH, -1, -1, -1),
			    jump = operation(CODE_JUMP, -1, -1, -1),
			    nop = operation(CODE_FLOAT, -1, -1, -1);
	const CodeOperation none[] = {split, branch, nop, join}, all[] = {split, jump, join},
			    parted[] = {split, jump, nop, join, join},
			    other_side[] = {split, branch, nop, jump, join};

	g_assert_cmpuint(each(&jump, 1, 1), ==, 1000);	    /* 10.02 */
	g_assert_cmpuint(each(&branch, 1, 1), ==, 500);	    /* 5.00 */
	g_assert_cmpuint(each(none, 4, 1), ==, 2300);	    /* 23.04 */
	g_assert_cmpuint(each(all, 3, 1), ==, 2700);	    /* 27.04 */
	g_assert_cmpuint(each(parted, 5, 1), ==, 4100);	    /* 41.04 to 44.04 */
	g_assert_cmpuint(each(other_side, 5, 1), ==, 3300); /* 33 */
}

/* A result is later for another unit (issue-pairs.csv). */
static void test_results_cross_from_unit_to_unit(void)
{
	static const struct {
		CodeClass one, other;
		uint32_t cycles; /* of both */
	} rows[] = {
		{CODE_INT, CODE_INT, 8},      {CODE_MUL, CODE_INT, 10},
		{CODE_FLOAT, CODE_MUL, 8},    {CODE_FLOAT, CODE_INT, 10},
		{CODE_HALF, CODE_INT, 13},    {CODE_HALF, CODE_MUL, 13},
		{CODE_DOUBLE, CODE_INT, 16},  {CODE_DOUBLE, CODE_MUL, 16},
		{CODE_SPECIAL, CODE_INT, 23}, {CODE_SPECIAL, CODE_FLOAT, 23},
		{CODE_CONVERT, CODE_INT, 23}, {CODE_SHUFFLE, CODE_MUL, 30},
		{CODE_WIDE, CODE_INT, 14},    {CODE_WIDE, CODE_MUL, 13},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		CodeOperation link[] = {operation(rows[i].one, 0, 0, -1),
					operation(rows[i].other, 0, 0, -1)};

		link[0].instruction = 1;
		link[1].instruction = 2;
		g_assert_cmpuint(each(link, 2, 1), ==, rows[i].cycles * 100);
	}
}

/* Where instructions have no number their class does not say the unit. */
static void test_results_without_a_number_do_not_cross(void)
{
	const CodeOperation link[] = {operation(CODE_MUL, 0, 0, -1),
				      operation(CODE_INT, 0, 0, -1)};

	g_assert_cmpuint(each(link, 2, 1), ==, 800);
}

/* A branch without a number waits the first time that a scheduler's warps take it, if its gap goes on behind it. */
static void test_a_branch_without_a_number_waits_once(void)
{
	const CodeOperation jump = operation(CODE_JUMP, -1, -1, -1),
			    nop = operation(CODE_FLOAT, -1, -1, -1);
	const CodeOperation on[] = {jump, nop, jump, nop}, back[] = {nop, jump};
	static const uint32_t n_warps[] = {1, 4, 8};

	for (unsigned i = 0; i < G_N_ELEMENTS(n_warps); i++) {
		uint64_t cycles[3];

		for (uint32_t times = 0; times < 3; times++) {
			Program program = program_new(n_warps[i]);

			code(&program, back, 2, 4);
			code(&program, on, 4, times);
			cycles[times] = run(&program);
		}
		g_assert_cmpuint(cycles[1] - cycles[0], ==, cycles[2] - cycles[1] + 2 * 17);
	}
	g_assert_cmpuint(each(back, 2, 1), ==, 1100);
}

/* A wait for code is not lost where the operation waits for a value of memory, too: here the code is there first, and costs nothing. */
static void test_code_comes_while_a_value_does(void)
{
	uint64_t cycles[2];

	for (uint32_t far = 0; far < 2; far++) {
		Program program = program_new(1);
		CodeOperation one = operation(CODE_SPECIAL, 0, -1, -1);
		CodeOperation two[] = {operation(CODE_JUMP, -1, -1, -1)};
		CodeOperation three = operation(CODE_INT, -1, 0, -1);

		one.instruction = 1;
		two[0].instruction = 2;
		three.instruction = far ? 1001 : 3;
		code(&program, &one, 1, 1);
		code(&program, two, 1, 1);
		code(&program, &three, 1, 1);
		cycles[far] = run(&program);
	}
	/* The value comes 17 + 1 cycles after the issue of what makes it, the branch takes 1 to 11 of these and its target 17 more. */
	g_assert_cmpuint(cycles[1], ==, cycles[0] + 1 + 10 + 17 - 18);
}

/* n operations from an instruction of the code on, the last of them a branch that is taken. */
static void stretch(Program *program, uint32_t first, uint32_t n, bool jumps)
{
	CodeOperation operations[128];

	for (uint32_t i = 0; i < n; i++) {
		operations[i] =
			operation(jumps && i == n - 1 ? CODE_JUMP : CODE_FLOAT, -1, -1, -1);
		operations[i].instruction = first + i;
	}
	code(program, operations, n, 1);
}

/* Cycles of a round of a loop of `size` instructions. */
static uint64_t round_of_loop(uint32_t size, uint32_t n_warps)
{
	uint64_t cycles[2];

	for (uint32_t twice = 0; twice < 2; twice++) {
		Program program = program_new(n_warps);

		for (uint32_t round = 0; round < 4u << twice; round++)
			for (uint32_t i = 0; i < size; i += 64)
				stretch(&program, 1 + i, MIN(64, size - i), size - i <= 64);
		cycles[twice] = run(&program);
	}
	return (cycles[1] - cycles[0]) / 4;
}

/* issue-loops.csv: 10 cycles for a branch back, and 17 more if the loop does not fit the L0. issue-cold-code.csv: beyond 32 KiB 2.2 cycles
   an instruction, beyond 128 KiB 5.7, of one warp as of four. */
static void test_loops_that_do_not_fit_wait_for_their_code(void)
{
	g_assert_cmpuint(round_of_loop(67, 1), ==, 67 - 1 + 10);
	g_assert_cmpuint(round_of_loop(192, 1), ==, 192 - 1 + 10);
	g_assert_cmpuint(round_of_loop(200, 1), ==, 200 - 1 + 10 + 17);
	g_assert_cmpuint(round_of_loop(2048, 1), ==, 2048 - 1 + 10 + 17);
	for (uint32_t n_warps = 1; n_warps <= 4; n_warps += 3) {
		g_assert_cmpuint(round_of_loop(4096, n_warps), >=, 4096 * 2203 / 1000);
		g_assert_cmpuint(round_of_loop(4096, n_warps), <=, 4096 * 2203 / 1000 + 50);
		g_assert_cmpuint(round_of_loop(10240, n_warps), >=, 10240 * 5694ull / 1000);
		g_assert_cmpuint(round_of_loop(10240, n_warps), <=,
				 10240 * 5694ull / 1000 + 50);
	}
}

/* How much longer two stretches take if a branch over `over` lines parts them, none of which the L0 holds. */
static uint64_t branch_over(uint32_t over)
{
	uint64_t cycles[2];

	for (uint32_t n = 0; n < 2; n++) {
		Program program = program_new(1);

		stretch(&program, 1, 8, n == 1);
		stretch(&program, 1 + 8 * (n == 1 ? 1 + over : 1), 8, false);
		cycles[n] = run(&program);
	}
	return cycles[1] - cycles[0];
}

/* issue-loops.csv: a branch waits 17 cycles for what the L0 lacks, wherever it is, and takes 9 more than an instruction that is none. */
static void test_a_branch_waits_for_what_the_l0_lacks(void)
{
	g_assert_cmpuint(branch_over(0), ==, 9 + 17);
	g_assert_cmpuint(branch_over(3), ==, 9 + 17);
	g_assert_cmpuint(branch_over(100), ==, 9 + 17);
}

/* issue-indirect.csv, switch. */
static void test_an_indirect_branch_takes_longer(void)
{
	const CodeOperation back[] = {operation(CODE_FLOAT, -1, -1, -1),
				      operation(CODE_INDIRECT, -1, -1, -1)};

	g_assert_cmpuint(each(back, 2, 1), ==, (1 + 31) * 100);
}

/* Cycles of 64 further accesses to textures by each warp, one at a time or apart from one another, of a class and so many passes. */
static uint64_t textures(CodeClass class, uint16_t passes, bool waits, bool stores,
			 uint32_t n_warps)
{
	CodeOperation access = operation(class, stores ? -1 : 0, waits ? 0 : -1, -1);

	access.line = passes;
	return each(&access, 1, n_warps) / 100;
}

/* issue-textures.csv, of texels that the L1 has: a warp waits 137 cycles for two passes (point 138 and linear 145, with an addition), ten more
   for each; all warps of the SM together make one pass in 4 cycles (fetch and surface 4.2, point 8.4, point4 16.5). */
static void test_textures_go_through_one_unit(void)
{
	g_assert_cmpuint(textures(CODE_TEXTURE, 2, true, false, 1), ==, 137);
	g_assert_cmpuint(textures(CODE_TEXTURE, 0, true, false, 1), ==, 137);
	g_assert_cmpuint(textures(CODE_TEXTURE, 4, true, false, 1), ==, 157);
	g_assert_cmpuint(textures(CODE_TEXEL, 1, true, false, 1), ==, 108);
	g_assert_cmpuint(textures(CODE_TEXEL, 0, true, false, 1), ==, 108);
	for (uint16_t passes = 1; passes <= 4; passes *= 2) {
		g_assert_cmpuint(textures(CODE_TEXTURE, passes, true, false, 64), ==,
				 MAX(64 * passes * 4, 117 + 10 * passes));
		g_assert_cmpuint(textures(CODE_TEXEL, passes, false, true, 8), ==,
				 8 * passes * 4);
	}
}

/* issue-matrix.csv: chains of one warp, and what one of a sub-core's pipe keeps it for. */
static void test_matrix_products_take_by_their_size(void)
{
	static const struct {
		CodeClass class;
		uint64_t chain, pipe;
	} rows[] = {{CODE_MATRIX, 25, 7}, {CODE_MATRIX_SHORT, 18, 5}, {CODE_MATRIX64, 27, 17}};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const CodeOperation chain = operation(rows[i].class, 0, 0, -1),
				    apart = operation(rows[i].class, 0, -1, -1);

		g_assert_cmpuint(each(&chain, 1, 1), ==, rows[i].chain * 100);
		g_assert_cmpuint(each(&apart, 1, 4), ==, rows[i].pipe * 100);
	}
}

/* Cycles from the begin of code that no SM has run to behind `n` stretches of a line, with branches over `over` lines between; the
   branches themselves and their targets' wait for the L0 taken out. */
static uint64_t first_run(uint32_t n, uint32_t over)
{
	Program program = program_new(1);
	uint64_t cycles;

	for (uint32_t i = 0; i < n; i++)
		stretch(&program, 1 + 8 * i * (over + 1), 8, over > 0 && i + 1 < n);
	program.cold = true;
	cycles = run(&program);
	return over > 0 ? cycles - (n - 1) * (9 + 17) : cycles;
}

/* issue-cold-jumps.csv: what a branch goes over comes, too, at 2.74 cycles an instruction; farther ahead a branch takes 147. */
static void test_new_code_comes_with_what_branches_go_over(void)
{
	const uint64_t straight = first_run(2, 0);

	g_assert_cmpuint(first_run(3, 0) - straight, ==, 22);
	/* A line that is gone over comes as one that is run, while the branch waits. */
	g_assert_cmpuint(first_run(2, 2), >=, straight + 2 * 21 - 9 - 17);
	g_assert_cmpuint(first_run(2, 2), <=, straight + 2 * 22);
	g_assert_cmpuint(first_run(2, 5) - first_run(2, 4), >=, 21);
	g_assert_cmpuint(first_run(2, 5) - first_run(2, 4), <=, 22);
	g_assert_cmpuint(first_run(2, 20), ==, first_run(2, 900));
	g_assert_cmpuint(first_run(3, 900) - first_run(2, 900), >=, 147);
	g_assert_cmpuint(first_run(3, 900) - first_run(2, 900), <=, 147 + 22);
}

/* The last fetch group may have fewer warps than the others: they issue, too. */
static void test_every_fetch_group_is_served(void)
{
	for (uint32_t warps = 1; warps <= 9; warps++) {
		g_autofree char *size = g_strdup_printf("sm.two_level.warps=%u", warps);
		const char *const settings[] = {"sm.scheduler=two-level",
						"sm.schedulers=1",
						"sm.max_warps=64",
						"sm.count=1",
						size,
						NULL};
		const Machine machine = list_machine(settings);
		g_autoptr(ListSource) list = list_source_new(2, 32, 64);
		SimRequest request = {
			.machine = &machine, .source = &list->source, .n_threads = 1};
		SimResult result;

		for (uint32_t w = 0; w < 64; w++) {
			const Record work = list_plain(RECORD_ALU, 5);

			list_source_append(list, w / 32, w % 32, &work);
		}
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		g_assert_cmpuint(result.statistics.warp_instructions, ==, 64 * (5 + 1));
	}
}

/* A load of a constant whose place depends on a register costs more; a guarded one of a known line reads what it writes, and that is
   no address. */
static void test_constants_with_an_address_cost_more(void)
{
	static const struct {
		CodeClass class;
		int writes, reads, guard;
		uint32_t line, cost;
	} rows[] = {
		{CODE_CONSTANT, 1, 0, -1, 3, CODE_CONSTANT},
		{CODE_CONSTANT, 1, 1, -1, 3, COST_INDEXED},
		{CODE_CONSTANT, 2, 1, -1, 3, COST_INDEXED},
		{CODE_CONSTANT, 1, 1, 1, 3, CODE_CONSTANT},
		{CODE_CONSTANT, 2, 2, 1, 3, CODE_CONSTANT},
		{CODE_CONSTANT, 1, 2, 1, 3, COST_INDEXED},
		{CODE_CONSTANT, 1, 0, -1, 0, CODE_CONSTANT},
		{CODE_CONSTANT, 1, 1, 1, 0, COST_INDEXED},
		{CODE_INT, 1, 2, -1, 0, CODE_INT},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		CodeOperation row =
			operation(rows[i].class, rows[i].writes, rows[i].reads, rows[i].guard);

		row.n_writes = (uint8_t)rows[i].writes;
		row.n_reads = (uint8_t)rows[i].reads;
		row.line = (uint8_t)rows[i].line;
		g_assert_cmpuint(issue_cost(&row), ==, rows[i].cost);
	}
}

static void test_a_guard_sees_a_comparison_later_than_a_select(void)
{
	const CodeOperation select[] = {operation(CODE_COMPARE, 0, 1, -1),
					operation(CODE_INT, 1, 0, -1)};
	const CodeOperation guarded[] = {operation(CODE_COMPARE, 0, 1, -1),
					 operation(CODE_INT, 1, -1, 0)};
	const CodeOperation vote[] = {operation(CODE_COMPARE, 0, 1, -1),
				      operation(CODE_VOTE, 1, 0, -1)};

	g_assert_cmpuint(each(select, 2, 1), ==, 800);
	g_assert_cmpuint(each(guarded, 2, 1), ==, 1700);
	g_assert_cmpuint(each(vote, 2, 1), ==, 1700);
}

/* issue-barrier.csv: n in a row take 12 + 2W each. */
static void test_barriers_in_a_row(void)
{
	for (uint32_t n_warps = 1; n_warps <= 32; n_warps *= 2) {
		const CodeOperation start = operation(CODE_INT, 0, -1, -1);
		const Record bar = {.kind = RECORD_BAR};
		uint64_t cycles[2];

		for (uint32_t k = 0; k < 2; k++) {
			Program program = program_new(n_warps);

			code(&program, &start, 1, 1);
			for (uint32_t i = 0; i < 4 + 8 * k; i++)
				append(&program, &bar);
			cycles[k] = run(&program);
		}
		g_assert_cmpuint(cycles[1] - cycles[0], >=, 8 * (12 + 2 * n_warps));
		g_assert_cmpuint(cycles[1] - cycles[0], <=, 8 * (14 + 2 * n_warps));
	}
}

/* An atomic begins when its operands, its address and its guard are there, and not before. */
static void test_an_atomic_waits_for_its_values(void)
{
	static const uint32_t word = 3;
	uint64_t cycles[4]; /* by what it waits for: nothing, operand, address, guard */

	for (unsigned i = 0; i < 4; i++) {
		const CodeOperation slow = operation(CODE_MATCH, 1, -1, -1);
		SiteFlow flow = {.guard = i == 3 ? 1 : DATAFLOW_NO_VALUE,
				 .n_data = 1,
				 .data = &values[i == 1 ? 1 : 0],
				 .n_address = 1,
				 .address = &values[i == 2 ? 1 : 0],
				 .n_writes = 1,
				 .writes = &values[2]};
		Record record = list_record(RECORD_ATOM, &word, 1);
		Program program = program_new(1);

		record.site = 1;
		dataflow_builder_site(program.builder, 1, &flow);
		code(&program, &slow, 1, 1);
		append(&program, &record);
		cycles[i] = run(&program);
	}
	for (unsigned i = 1; i < 4; i++)
		g_assert_cmpuint(cycles[i], >=, 369); /* issue-latency.csv: match */
	g_assert_cmpuint(cycles[0], <, 369);
}

/* Warps that each take one lock with `lanes` lanes, add to a word and fence, as issue-locks.csv's do. */
static uint64_t locked(uint32_t n_warps, uint32_t lanes)
{
	const CodeOperation guards[] = {
		operation(CODE_SPLIT, -1, -1, -1), operation(CODE_INT, 1, 0, -1),
		operation(CODE_COMPARE, 2, 1, -1), operation(CODE_BRANCH, -1, -1, 2)};
	const CodeOperation add = operation(CODE_INT, 1, 3, -1);
	Program program = program_new(n_warps);
	SiteFlow flow = {.guard = DATAFLOW_NO_VALUE};
	const uint32_t words[32] = {0};
	Record record;

	flow.n_writes = 1;
	flow.writes = &values[0];
	dataflow_builder_site(program.builder, 1, &flow);
	flow.writes = &values[3];
	dataflow_builder_site(program.builder, 2, &flow);
	flow = (SiteFlow){.guard = DATAFLOW_NO_VALUE, .n_data = 1, .data = &values[1]};
	dataflow_builder_site(program.builder, 3, &flow);
	record = list_record(RECORD_LOCK, words, lanes);
	record.site = 1;
	append(&program, &record);
	code(&program, guards, 4, 1);
	record = list_record(RECORD_LDS, words, lanes);
	record.site = 2;
	append(&program, &record);
	code(&program, &add, 1, 1);
	record = list_record(RECORD_STS, words, lanes);
	record.site = 3;
	append(&program, &record);
	append(&program, &(Record){.kind = RECORD_FENCE, .scope = SCOPE_BLOCK});
	record = list_record(RECORD_UNLOCK, words, lanes);
	append(&program, &record);
	return run(&program);
}

/* issue-locks.csv: compiled, shared, update+fence. */
static void test_spin_locks_go_round_by_round(void)
{
	static const struct {
		uint32_t n_warps, lanes, cycles, per_cent;
	} rows[] = {
		/* 272 a round and 3.7 for each further lane that waits. */
		{1, 2, 544, 2},
		{1, 4, 1100, 2},
		{1, 16, 4772, 2},
		{1, 32, 10547, 2},
		/* Several warps. */
		{2, 4, 1904, 20},
		{4, 1, 871, 20},
		{8, 1, 1711, 20},
		{4, 32, 36444, 20},
		{2, 32, 18717, 20},
		{8, 4, 6911, 20},
	};

	/* The way in and out, which is not in the program: one warp of one lane took 272. */
	const uint64_t around = 272 - locked(1, 1);

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint64_t cycles = locked(rows[i].n_warps, rows[i].lanes) + around;

		g_test_message("%u warps of %u lanes: %" G_GUINT64_FORMAT " of %u",
			       rows[i].n_warps, rows[i].lanes, cycles, rows[i].cycles);
		g_assert_cmpuint(cycles, >=, rows[i].cycles * (100 - rows[i].per_cent) / 100);
		g_assert_cmpuint(cycles, <=, rows[i].cycles * (100 + rows[i].per_cent) / 100);
	}
}

/* Tries of `n_lanes` lanes of each warp on one word, or on a word each, which the last of 32 warps holds for
   n_links links of a chain. Warps are on so many sub-cores, `warps` on each. */
static uint64_t tries_in_vain(uint32_t sub_cores, uint32_t warps, uint32_t n_lanes,
			      uint32_t n_words, uint32_t n_links)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	const CodeOperation link = operation(CODE_MATCH, 0, 0, -1);
	const Record code_record = {.kind = RECORD_CODE}, fence = {.kind = RECORD_BAR};
	Program program = program_new(32);
	SiteFlow flow = {.guard = DATAFLOW_NO_VALUE};
	g_autoptr(GByteArray) array = NULL;
	g_autoptr(GBytes) bytes = NULL;
	SimRequest request = {.n_threads = 1, .n_sites = 4};
	uint32_t words[32], all[32];
	SimResult result;
	const char *problem;
	size_t at;

	for (uint32_t i = 0; i < 32; i++) {
		all[i] = i;
		words[i] = i % n_words;
	}
	dataflow_builder_gap(program.builder, &link, 1);
	flow.n_writes = 1;
	flow.writes = &values[1];
	dataflow_builder_site(program.builder, 1, &flow);
	for (uint32_t w = 0; w < 32; w++) {
		bool holds = w == 31, wants = w % 4 < sub_cores && w / 4 < warps && !holds;
		Record lock = holds ? list_record(RECORD_LOCK, all, 32)
				    : list_record(RECORD_LOCK, words, n_lanes);
		Record unlock = lock;

		lock.site = 1;
		unlock.kind = RECORD_UNLOCK;
		if (holds)
			list_source_append(program.list, 0, w, &lock);
		list_source_append(program.list, 0, w, &fence);
		for (uint32_t i = 0; holds && i < n_links; i++)
			list_source_append(program.list, 0, w, &code_record);
		if (wants)
			list_source_append(program.list, 0, w, &lock);
		if (wants || holds)
			list_source_append(program.list, 0, w, &unlock);
	}
	array = dataflow_builder_bytes(program.builder);
	bytes = g_bytes_new(array->data, array->len);
	program.flow = dataflow_read(bytes, 4, &problem, &at);
	program.list->source.kernel.dataflow = program.flow;
	program.list->source.kernel.lock_sections = true;
	request.source = &program.list->source;
	request.machine = config_machine(config);
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	dataflow_free(program.flow);
	dataflow_builder_free(program.builder);
	list_source_free(program.list);
	return result.statistics.spin_attempts;
}

/* issue-spins.csv, shared: cycles from a try in vain to the next. */
static void test_tries_in_vain_come_as_often_as_measured(void)
{
	static const struct {
		uint32_t sub_cores, warps, lanes, words;
		double cycles;
		uint32_t per_cent;
	} rows[] = {
		/* A whole warp yields once, one that has parted twice; 4 cycles for each further lane of a word. */
		{1, 1, 32, 32, 149.0, 2},
		{1, 1, 32, 1, 274.0, 2},
		{1, 1, 1, 1, 200.6, 2},
		{1, 1, 16, 1, 260.7, 2},
		{1, 1, 31, 1, 321.4, 2},
		/* Several warps of a sub-core. */
		{1, 7, 1, 1, 224.5, 14},
		{4, 7, 1, 1, 253.1, 12},
		{4, 4, 32, 32, 158.6, 10},
		/* The banks are busy: 2 cycles a lane, for one sub-core as for four. */
		{1, 7, 32, 1, 467.3, 10},
		{4, 7, 32, 1, 1848.1, 12},
		{2, 4, 16, 1, 290.9, 11},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		const uint32_t n_warps = rows[i].sub_cores * rows[i].warps -
					 (rows[i].sub_cores * rows[i].warps == 32);
		uint64_t few = tries_in_vain(rows[i].sub_cores, rows[i].warps, rows[i].lanes,
					     rows[i].words, 100),
			 many = tries_in_vain(rows[i].sub_cores, rows[i].warps, rows[i].lanes,
					      rows[i].words, 200);
		double cycles = 369.0 * 100 * n_warps / (double)(many - few);

		g_test_message("%u x %u warps, %u lanes on %u: %.1f of %.1f", rows[i].sub_cores,
			       rows[i].warps, rows[i].lanes, rows[i].words, cycles,
			       rows[i].cycles);
		g_assert_cmpfloat(ABS(cycles - rows[i].cycles), <=,
				  rows[i].cycles * rows[i].per_cent / 100);
	}
}

/* Whether a warp with these records is refused as such, and nothing worse. */
static void assert_refused(const Record *records, uint32_t n)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	g_autoptr(ListSource) list = list_source_new(1, 1, 1024);
	SimRequest request = {.machine = config_machine(config),
			      .source = &list->source,
			      .n_threads = 1,
			      .n_sites = 4};
	SimResult result;

	for (uint32_t i = 0; i < n; i++)
		list_source_append(list, 0, 0, &records[i]);
	list->source.kernel.lock_sections = true;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_BAD_RECORD);
}

static void test_broken_sections_are_refused(void)
{
	const uint32_t words[2] = {0, 1};
	const Record lock = list_record(RECORD_LOCK, words, 2),
		     unlock = list_record(RECORD_UNLOCK, words, 2);
	Record other = unlock, global = lock;

	other.mask = 4; /* a lane that has not locked */
	other.n_lanes = 1;
	global.space = MEMORY_GLOBAL;
	assert_refused((Record[]){unlock}, 1);
	assert_refused((Record[]){lock}, 1);
	assert_refused((Record[]){lock, other}, 2);
	assert_refused((Record[]){lock, lock, unlock}, 3);
	assert_refused((Record[]){global, unlock}, 2);
}

/* Cycles of stores to addresses that the trace does not say, each of so many bytes of all 32 lanes. `width` is none of theirs. */
static uint64_t stores(uint32_t bytes, uint8_t width)
{
	Program program = program_new(4);
	CodeOperation move = operation(CODE_MOVE, 0, -1, -1);
	const Record store = {.kind = RECORD_STG,
			      .count = 1,
			      .bytes = bytes,
			      .width = width,
			      .mask = UINT32_MAX,
			      .n_lanes = 32};

	code(&program, &move, 1, 1);
	for (uint32_t i = 0; i < 32; i++)
		append(&program, &store);
	return run(&program);
}

static void test_stores_without_addresses_take_their_bytes(void)
{
	g_assert_cmpuint(stores(128, 0), ==, stores(128, 165));
	g_assert_cmpuint(stores(1, 0), ==, stores(128, 165));
	g_assert_cmpuint(stores(128, 0), <, stores(256, 0));
	g_assert_cmpuint(stores(512, 0), ==, stores(UINT32_MAX, 0));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/issue/an atomic waits for its values",
			test_an_atomic_waits_for_its_values);
	g_test_add_func("/issue/chains take their latency", test_chains_take_their_latency);
	g_test_add_func("/issue/a match costs by its values", test_a_match_costs_by_its_values);
	g_test_add_func("/issue/a sync costs by its groups", test_a_sync_costs_by_its_groups);
	g_test_add_func("/issue/pipes take so many warps", test_pipes_take_so_many_warps);
	g_test_add_func("/issue/branches and joins follow one rule",
			test_branches_and_joins_follow_one_rule);
	g_test_add_func("/issue/results cross from unit to unit",
			test_results_cross_from_unit_to_unit);
	g_test_add_func("/issue/results without a number do not cross",
			test_results_without_a_number_do_not_cross);
	g_test_add_func("/issue/a branch without a number waits once",
			test_a_branch_without_a_number_waits_once);
	g_test_add_func("/issue/code comes while a value does",
			test_code_comes_while_a_value_does);
	g_test_add_func("/issue/loops that do not fit wait for their code",
			test_loops_that_do_not_fit_wait_for_their_code);
	g_test_add_func("/issue/a branch waits for what the L0 lacks",
			test_a_branch_waits_for_what_the_l0_lacks);
	g_test_add_func("/issue/textures go through one unit",
			test_textures_go_through_one_unit);
	g_test_add_func("/issue/matrix products take by their size",
			test_matrix_products_take_by_their_size);
	g_test_add_func("/issue/an indirect branch takes longer",
			test_an_indirect_branch_takes_longer);
	g_test_add_func("/issue/new code comes with what branches go over",
			test_new_code_comes_with_what_branches_go_over);
	g_test_add_func("/issue/constants cost by their addresses",
			test_constants_cost_by_their_addresses);
	g_test_add_func("/issue/every fetch group is served", test_every_fetch_group_is_served);
	g_test_add_func("/issue/constants with an address cost more",
			test_constants_with_an_address_cost_more);
	g_test_add_func("/issue/a guard sees a comparison later than a select",
			test_a_guard_sees_a_comparison_later_than_a_select);
	g_test_add_func("/issue/barriers in a row", test_barriers_in_a_row);
	g_test_add_func("/issue/spin locks go round by round",
			test_spin_locks_go_round_by_round);
	g_test_add_func("/issue/tries in vain come as often as measured",
			test_tries_in_vain_come_as_often_as_measured);
	g_test_add_func("/issue/stores without addresses take their bytes",
			test_stores_without_addresses_take_their_bytes);
	g_test_add_func("/issue/broken sections are refused", test_broken_sections_are_refused);
	return g_test_run();
}
