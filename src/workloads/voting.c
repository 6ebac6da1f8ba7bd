/* SPDX-License-Identifier: MIT */
/*
 * Votes into a vote space: the reference paper's random patterns, and its voting kernel (Gomez-Luna
 * et al., IEEE TPDS 2013, Fig 4). With --kernel votes only the atomics, so that what is measured
 * is contention; with --kernel full the whole: zero the copies, barrier, per element a coalesced
 * load, index arithmetic and a vote, barrier, copies summed into global memory.
 */
#include "workloads/distribution.h"
#include "workloads/votespace.h"

#define ELEMENT_BYTES 4 /* of the input, in global memory */

typedef struct {
	Distribution *distribution;
	VoteSpace space;
	Vote vote;
	uint32_t n_blocks;
	uint32_t n_warps;
	uint32_t n_steps;
	uint32_t n_alu;
	gboolean full;
} Voting;

static const char *const sites[] = {"voting: zero the copies", "voting: vote",
				    "voting: sum the copies", NULL};
static const char *const flow_sites[] = {"voting: zero the copies", "voting: vote",
					 "voting: add a sum",	    "voting: read a copy",
					 "voting: read an element", NULL};
enum { SITE_ZERO = 1, SITE_VOTE, SITE_SUM, SITE_READ = 5 };

/* --- Arithmetic as a compiler emits it --- */

enum { ELEMENT = N_VOTER_VALUES, WORD, OLD };
enum { STEP_START = N_SPACE_STEPS, STEP_VOTE, STEP_LOOP };

/* Index of the word, its address. */
static const FlowOperation vote_code[] = {
	{CODE_INT, WORD, {ELEMENT}, 0},
	{CODE_INT, WORD, {WORD, VOTER_BASE}, 0},
};

static void write_votes(const Voting *voting, Emitter *emitter)
{
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t base[WARP_LANES], word[WARP_LANES], address[WARP_LANES];
	uint64_t n_threads = (uint64_t)voting->n_blocks * voting->space.n_threads;
	uint64_t thread = emitter->block * voting->space.n_threads + first;

	bool recorded = emitter->flow->recorded;

	emitter->buffer = SPACE_INPUT;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		base[lane] = vote_space_base(&voting->space, first + lane);

	distribution_begin(voting->distribution, (uint32_t)emitter->block, emitter->warp);
	for (uint32_t step = 0; step < voting->n_steps; step++) {
		if (voting->full) {
			emitter->site = recorded ? SITE_READ : SITE_VOTE;
			emit_global(emitter, RECORD_LDG, UINT32_MAX,
				    (step * n_threads + thread) * ELEMENT_BYTES, ELEMENT_BYTES);
			emitter->site = SITE_VOTE;
		}
		emit_step(emitter, STEP_VOTE);

		distribution_next(voting->distribution, word);
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			address[lane] = base[lane] + word[lane] * voting->space.width;
		emit_vote(emitter, &voting->vote, UINT32_MAX, address);
		if (voting->full)
			emit_step(emitter, STEP_LOOP);
	}
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Voting *voting = data;

	if (!voting->full) {
		emitter->site = emitter->flow->recorded ? SITE_VOTE : 0;
		write_votes(voting, emitter);
		return;
	}
	emit_step(emitter, STEP_START);
	emitter->site = SITE_ZERO;
	vote_space_zero(&voting->space, emitter);
	emitter->site = 0;
	emit_bar(emitter);
	emitter->site = SITE_VOTE;
	write_votes(voting, emitter);
	emitter->site = 0;
	emit_bar(emitter);
	emitter->site = SITE_SUM;
	vote_space_reduce(&voting->space, emitter);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint32_t n_words = (uint32_t)workload_integer(parameters, "words");
	gboolean dataflow = flow_asked(parameters);
	Voting voting = {
		.n_blocks = (uint32_t)workload_integer(parameters, "blocks"),
		.n_warps = (uint32_t)workload_integer(parameters, "warps"),
		.n_steps = (uint32_t)workload_integer(parameters, "steps"),
		.n_alu = (uint32_t)workload_integer(parameters, "alu"),
		.full = workload_choice(parameters, "kernel") == 1,
	};

	if (!vote_read(parameters, &voting.vote, error) ||
	    !vote_space_read(parameters, &voting.space, n_words, voting.n_warps * WARP_LANES,
			     voting.vote.width, error))
		return FALSE;
	g_autoptr(Distribution) distribution = distribution_new(
		parameters, n_words, voting.n_blocks, voting.n_warps, voting.n_steps, error);
	if (!distribution)
		return FALSE;
	voting.distribution = distribution;

	const FlowStep steps[] = {
		SPACE_STEPS,
		voter_start,
		{.code = vote_code,
		 .n = voting.full ? G_N_ELEMENTS(vote_code) : 0,
		 .more = voting.n_alu,
		 .chain = voting.full ? ELEMENT : WORD},
		voter_loop,
	};
	const FlowSite site_flows[] = {
		SPACE_ZERO_SITE,
		{.address = WORD, .write = voting.vote.result ? OLD : 0},
		SPACE_SUM_SITES,
		{.address = VOTER_ADDRESS, .write = ELEMENT},
	};

	const KernelCode code = KERNEL_CODE("voting", voting.full ? sites : NULL, flow_sites,
					    steps, site_flows);

	voting.space.vote = voting.vote;
	launch->n_blocks = voting.n_blocks;
	launch->n_threads = voting.space.n_threads;
	launch->shared_bytes = voting.space.bytes;
	flow_generate(&code, dataflow, writer, write_warp, &voting, launch);
	if (dataflow && voting.full) {
		launch->buffers[0] = (WorkloadBuffer){
			"the elements", (uint64_t)voting.n_blocks * voting.space.n_threads *
						voting.n_steps * ELEMENT_BYTES};
		launch->buffers[1] =
			(WorkloadBuffer){"the sums", (uint64_t)n_words * voting.vote.width};
	}
	return TRUE;
}

static const WorkloadOption options[] = {
	DISTRIBUTION_ROWS,
	INTEGER_ROW("words", "words", 1, 65536, "256",
		    "size of the vote space, in values of the type"),
	REPLICATION_ROWS,
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, "16", "thread blocks of the launch"),
	INTEGER_ROW("warps", "warps", 1, MAX_BLOCK_WARPS, "32", "warps of a block"),
	INTEGER_ROW("steps", "votes", 1, 1 << 24, "64", "votes of each thread"),
	INTEGER_ROW("alu", "instructions", 0, 1 << 20, "0",
		    "arithmetic before each vote, in addition to that of the full kernel"),
	CHOICE_ROW("kernel", "votes|full", "votes",
		   "the votes alone, or the whole kernel around them"),
	VOTE_ROWS,
	DATAFLOW_ROW,
	{0},
};

const Workload workload_voting = {
	.name = "voting",
	.summary = "votes for random words, with replication and padding",
	.description =
		"Each thread votes --steps times: an atomic on a word of a vote space in "
		"shared memory. --kernel votes writes nothing but these atomics (and --alu "
		"instructions before each), so that a run shows contention alone. --kernel "
		"full writes the kernel that a program would have: zero the copies, barrier, "
		"per vote a coalesced load and index arithmetic, barrier, sum the copies "
		"into global memory.\n\n"
		"Distributions: uniform; zipf (few words get most votes); sorted (the whole "
		"input is sorted, so that lanes mostly hit one word); warp-sorted (each "
		"warp's 32 values are sorted); walk (neighboring lanes hit neighboring "
		"words); hot (--hot-lanes of each warp on word 0, the others anywhere else); "
		"lanes (word 32 * warp + lane, modulo --words: free of conflicts within a "
		"warp, and between warps as well if --words is 32 times --warps).",
	.options = options,
	.generate = generate,
};
