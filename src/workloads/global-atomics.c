/* SPDX-License-Identifier: MIT */
/*
 * Atomics on words in global memory: thread t of the grid adds to word t mod --words, or to a random
 * one. With --words 1 and --aggregated yes it is what nvcc makes of a constant added to one counter:
 * a vote, a population count and one atomic a warp.
 */
#include "base/error.h"
#include "workloads/distribution.h"
#include "workloads/kernel.h"

#define BUFFER_WORDS 1

typedef enum { ORDER_CYCLIC, ORDER_RANDOM } Order;

typedef struct {
	const WorkloadParameters *parameters;
	Vote vote;
	uint64_t n_words;
	uint64_t spacing_bytes;
	uint64_t n_threads; /* of all blocks that vote */
	uint32_t n_steps;
	uint32_t n_alu;
	Order order;
	gboolean aggregated;
} GlobalAtomics;

static const char *const sites[] = {"global_atomics: vote", NULL};
enum { SITE_VOTE = 1 };

/* --- Arithmetic as a compiler emits it --- */

enum { THREAD = N_KERNEL_VALUES, BLOCK, INDEX, WORD, GROUP, COUNT, LEADER, IS_LEADER, OLD };
enum { STEP_START = N_KERNEL_STEPS, STEP_ALU, STEP_AGGREGATE };

/* Thread number, address. */
static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},	       {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, INDEX, {BLOCK, THREAD}, 0}, {CODE_COMPARE, IS_LEADER, {INDEX}, 0},
	{CODE_MUL, WORD, {INDEX}, 0},	       {CODE_INT, WORD, {WORD}, 0},
};
/* Of the lanes that hold the same: how many they are, and whether this one is the first. */
static const FlowOperation aggregate_code[] = {
	{CODE_VOTE, GROUP, {WORD}, 0},	    {CODE_CONVERT, COUNT, {GROUP}, 0},
	{CODE_CONVERT, LEADER, {GROUP}, 0}, {CODE_COMPARE, IS_LEADER, {LEADER}, 0},
	{CODE_BRANCH, 0, {0}, IS_LEADER},
};

/* --- The kernel --- */

/* One lane of each word votes for all that name it. Returns the lanes that do. */
static LaneMask aggregate(LaneMask mask, const uint64_t *byte, uint64_t *value)
{
	LaneMask first = 0;

	for (LaneMask rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(rest), leader = lane;

		for (LaneMask m = first; m; m &= m - 1)
			if (byte[__builtin_ctzll(m)] == byte[lane])
				leader = (unsigned)__builtin_ctzll(m);
		if (leader == lane) {
			first |= (LaneMask)1 << lane;
			value[lane] = 0;
		}
		value[leader]++;
	}
	return first;
}

static void write_step(GlobalAtomics *work, Warp *warp, GRand *random, uint32_t step)
{
	LaneMask mask = warp->exists & warp_below(warp, warp->thread, work->n_threads);
	uint64_t byte[MAX_LANES], value[MAX_LANES];

	for (uint32_t lane = 0; lane < warp->lanes; lane++) {
		uint64_t entry = (uint64_t)step * work->n_threads + warp->thread + lane;
		uint64_t word = work->order == ORDER_CYCLIC
					? entry % work->n_words
					: random_below(random, (uint32_t)work->n_words);

		byte[lane] = word * work->spacing_bytes;
	}
	emit_step(&warp->emit, STEP_ALU);
	warp->emit.site = SITE_VOTE;
	if (work->aggregated && mask) {
		emit_mixed_step(&warp->emit, RECORD_VOTE, STEP_AGGREGATE);
		mask = aggregate(mask, byte, value);
		warp_add(warp, &work->vote, BUFFER_WORDS, mask, byte, value);
	} else {
		warp_add(warp, &work->vote, BUFFER_WORDS, mask, byte, NULL);
	}
	warp->emit.site = 0;
}

static void write_warp(Warp *warp, gpointer data)
{
	GlobalAtomics *work = data;
	GRand *random =
		workload_random(work->parameters, (uint32_t)warp->emit.block, warp->emit.warp);

	emit_step(&warp->emit, STEP_START);
	for (uint32_t step = 0; step < work->n_steps; step++)
		write_step(work, warp, random, step);
	g_rand_free(random);
}

static gboolean check(const GlobalAtomics *work, GError **error)
{
	if (work->aggregated && (work->vote.operation != OPERATION_ADD || work->vote.result ||
				 work->vote.type == TYPE_F32 || work->vote.type == TYPE_F64))
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--aggregated yes: allowed with adds of integers without result");
	return TRUE;
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	GlobalAtomics work = {
		.parameters = parameters,
		.n_words = (uint64_t)workload_integer(parameters, "words"),
		.n_threads = (uint64_t)workload_integer(parameters, "threads"),
		.n_steps = (uint32_t)workload_integer(parameters, "steps"),
		.n_alu = (uint32_t)workload_integer(parameters, "alu"),
		.order = (Order)workload_choice(parameters, "order"),
		.aggregated = workload_choice(parameters, "aggregated") == 1,
	};
	Kernel kernel = {.lanes = 32,
			 .n_threads = (uint32_t)workload_integer(parameters, "block-threads")};

	if (!vote_read(parameters, &work.vote, error) || !check(&work, error))
		return FALSE;
	work.spacing_bytes =
		(uint64_t)workload_integer(parameters, "spacing") * work.vote.width;
	kernel.n_blocks =
		(uint32_t)((work.n_threads + kernel.n_threads - 1) / kernel.n_threads);
	const FlowStep steps[] = {
		FLOW_STEP(start_code),
		{.more = work.n_alu, .chain = WORD},
		FLOW_STEP(aggregate_code),
	};
	const FlowSite site_flows[] = {{.address = WORD,
					.data = work.aggregated ? COUNT : 0,
					.write = work.vote.result ? OLD : 0}};
	const KernelCode code = KERNEL_CODE("global_atomics", sites, sites, steps, site_flows);

	kernel_generate(&kernel, &code, parameters, writer, write_warp, &work, launch);
	launch->buffers[0] = (WorkloadBuffer){"words", work.n_words * work.spacing_bytes};
	return TRUE;
}

static const WorkloadOption options[] = {
	INTEGER_ROW("words", "words", 1, 1 << 26, "1024",
		    "words that are voted for, in values of the type"),
	INTEGER_ROW("spacing", "words", 1, 1024, "1",
		    "from one word to the next, in values of the type"),
	CHOICE_ROW("order", "cyclic|random", "cyclic",
		   "word of thread t: t modulo the words, or any"),
	INTEGER_ROW("threads", "threads", 1, 1 << 28, "1048576", "threads that vote"),
	INTEGER_ROW("block-threads", "threads", 1, 1024, "256", "threads of a block"),
	INTEGER_ROW("steps", "votes", 1, 1 << 20, "1",
		    "votes of each thread; in step s it votes as thread s * threads + t would"),
	CHOICE_ROW("aggregated", "no|yes", "no",
		   "whether one lane of a warp votes for all that name its word"),
	INTEGER_ROW("alu", "instructions", 0, 1 << 20, "0",
		    "arithmetic before each vote; a remainder by a variable takes some 20"),
	VOTE_ROWS,
	DATAFLOW_ROW,
	END_ROW,
	{0},
};

const Workload workload_global_atomics = {
	.name = "global-atomics",
	.summary = "atomics on words in global memory",
	.description =
		"Each thread votes --steps times for a word in global memory, word t modulo "
		"--words or a random one, --spacing apart. With --aggregated yes the lanes "
		"of a warp that name one word are counted by votes, and one of them adds the "
		"count.",
	.options = options,
	.generate = generate,
};
