/* SPDX-License-Identifier: MIT */
/*
 * Given addresses: each warp repeats one instruction on its pattern of words. What the reference
 * paper's worked examples and one-warp measurements are made of.
 */

#include "workloads/flow.h"
#include "workloads/indices.h"
#include "workloads/pattern.h"

/* Places in the choices of --access. */
enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

/* The lowest and the highest word of the accesses. */
static void find_ends(const GArray *accesses, uint32_t *lowest, uint32_t *highest)
{
	*lowest = UINT32_MAX;
	*highest = 0;
	for (guint i = 0; i < accesses->len; i++) {
		const Lanes *access = &g_array_index(accesses, Lanes, i);

		for (guint lane = 0; lane < access->n_words; lane++) {
			*lowest = MIN(*lowest, access->words[lane]);
			*highest = MAX(*highest, access->words[lane]);
		}
	}
}

/* The bytes of the array, which has all that is accessed; *shown: from the accesses one sees them. */
static gboolean find_bytes(const WorkloadParameters *parameters, const GArray *accesses,
			   uint32_t width, uint32_t *bytes, gboolean *shown, GError **error)
{
	uint32_t lowest, highest;
	uint64_t n_words;

	find_ends(accesses, &lowest, &highest);
	n_words = (uint64_t)highest + 1;
	if (!indices_words(parameters, TRACE_MAX_SHARED_BYTES / width, &n_words, error))
		return FALSE;
	*shown = lowest == 0 && highest + 1 == n_words;
	*bytes = (uint32_t)n_words * width;
	return TRUE;
}

static const char *const flow_sites[] = {"pattern: access", NULL};
enum { ADDRESS = 1, DATA, LOADED };
enum { STEP_ALU };

typedef struct {
	const WorkloadParameters *parameters;
	const Patterns *patterns; /* warps take them round robin */
	uint32_t n_warps;	  /* of a block */
	Vote vote;
} Program;

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Program *program = data;
	const WorkloadParameters *parameters = program->parameters;
	const Vote *vote = &program->vote;
	uint64_t turn = emitter->block * program->n_warps + emitter->warp;
	const GArray *ends = program->patterns->ends;
	const guint own = turn % ends->len;
	const guint begin = own > 0 ? g_array_index(ends, guint, own - 1) : 0;
	const guint end = g_array_index(ends, guint, own);
	unsigned access = workload_choice(parameters, "access");
	int64_t n_repeat = workload_integer(parameters, "repeat");

	for (uint64_t i = 0; i < (uint64_t)n_repeat * (end - begin); i++) {
		const Lanes *pattern = &g_array_index(program->patterns->accesses, Lanes,
						      begin + i % (end - begin));
		uint32_t address[WARP_LANES];

		for (guint lane = 0; lane < pattern->n_words; lane++)
			address[lane] = pattern->words[lane] * vote->width;
		emitter->site = 0;
		emit_step(emitter, STEP_ALU);
		emitter->site = emitter->flow->recorded ? 1 : 0;
		if (access == ACCESS_ATOMIC)
			emit_vote(emitter, vote, pattern->mask, address);
		else
			emit_shared(emitter, access == ACCESS_LOAD ? RECORD_LDS : RECORD_STS,
				    vote->width, pattern->mask, address);
	}
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	uint32_t n_warps = (uint32_t)workload_integer(parameters, "warps");
	Vote vote;

	if (!vote_read(parameters, &vote, error))
		return FALSE;
	g_auto(Patterns) patterns;
	patterns_init(&patterns);
	if (!patterns_read(parameters, TRACE_MAX_SHARED_BYTES / vote.width, &patterns, error))
		return FALSE;

	uint32_t n_blocks = (patterns.ends->len + n_warps - 1) / n_warps;
	if (workload_has(parameters, "blocks"))
		n_blocks = (uint32_t)workload_integer(parameters, "blocks");
	uint32_t bytes;
	gboolean shown;

	if (!find_bytes(parameters, patterns.accesses, vote.width, &bytes, &shown, error))
		return FALSE;
	const Program program = {.parameters = parameters,
				 .patterns = &patterns,
				 .n_warps = n_warps,
				 .vote = vote};

	unsigned access = workload_choice(parameters, "access");
	/* A compiler makes the vote that nobody wants the old value of an instruction without operand. */
	const bool counts = access == ACCESS_ATOMIC && vote.operation == OPERATION_ADD &&
			    !vote.result && (vote.type == TYPE_U32 || vote.type == TYPE_S32);
	const FlowStep step = {.more = (guint)workload_integer(parameters, "alu"),
			       .chain = ADDRESS};
	const FlowSite site = {
		.address = ADDRESS,
		.data = access == ACCESS_LOAD || counts ? 0 : DATA,
		.write = access == ACCESS_LOAD || (access == ACCESS_ATOMIC && vote.result)
				 ? LOADED
				 : 0,
	};
	const KernelCode code = {.name = "pattern",
				 .dataflow_sites = flow_sites,
				 .steps = &step,
				 .n_steps = 1,
				 .flows = &site,
				 .n_flows = 1};

	launch->n_blocks = n_blocks;
	launch->n_threads = n_warps * WARP_LANES;
	launch->shared_bytes = bytes;
	launch->array_bytes = shown ? 0 : bytes;
	flow_generate(&code, flow_asked(parameters), writer, write_warp, &program, launch);
	return TRUE;
}

static const WorkloadOption options[] = {
	{.name = "addresses",
	 .type = WORKLOAD_TEXT,
	 .unit = "\"0 1024 - 3 ...\"",
	 .doc = "word of each lane, - for an inactive one; | begins the warp's next access, "
		"; the next warp's pattern"},
	{.name = "file",
	 .type = WORKLOAD_FILE,
	 .doc = "CSV with a column 'addresses', a pattern a row; CSV with a column 'index' or "
		"no header, a thread a row; or .npy of int32 or int64: a row a thread, a "
		"column for each of its accesses; -1 is an inactive lane"},
	WORDS_ROW(TRACE_MAX_SHARED_BYTES / 4),
	INTEGER_ROW("warps", "warps", 1, MAX_BLOCK_WARPS, "1",
		    "warps of a block, which share its array and so collide: give the "
		    "kernel's threads of a block / 32"),
	INTEGER_ROW("blocks", "blocks", 1, 1 << 20, NULL,
		    "thread blocks; as many as use each pattern once if not given"),
	INTEGER_ROW("repeat", "times", 1, 1 << 24, "1",
		    "how often each warp repeats its pattern"),
	CHOICE_ROW("access", "load|store|atomic", "atomic", "the instruction"),
	INTEGER_ROW("alu", "instructions", 0, 1 << 20, "0", "arithmetic before each access"),
	VOTE_ROWS,
	DATAFLOW_ROW,
	{0},
};

const Workload workload_pattern = {
	.name = "pattern",
	.summary = "given addresses, one pattern a warp",
	.description =
		"Each warp repeats one instruction on given words, once for each access of "
		"its pattern. Patterns are dealt out round robin: with --warps W the first W "
		"patterns are the warps of block 0, the next W those of block 1, and again "
		"from the first when all are used. A word is the number of a value of the "
		"type: 4 bytes, or 8 for u64, s64 and f64.",
	.options = options,
	.generate = generate,
};
