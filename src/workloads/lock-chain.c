/* SPDX-License-Identifier: MIT */
/*
 * One spin lock after the other: warps of one block whose lanes each go through the critical sections of so many
 * words, each lane its own, so that lanes of a warp come to be at different ones. What
 * measurements/programs/lock-groups.cu measures, with its data flow: the number of the lock is read from a table; a
 * compare-and-swap until it finds a zero; a section that does nothing, waits at a fence, or adds 1 to a volatile word and
 * waits at a fence; an exchange that gives the lock back.
 */
#include "workloads/flow.h"

#define WORD_BYTES 4
#define FIRST_SEED 88172645u
#define NEXT_SEED  7919u

typedef enum { SECTION_BARE, SECTION_FENCE, SECTION_UPDATE } SectionBody;

static const char *const sites[] = {"lock_chain: read the lock's number",
				    "lock_chain: lock",
				    "lock_chain: read the word",
				    "lock_chain: write the word",
				    "lock_chain: fence",
				    "lock_chain: unlock",
				    NULL};
enum { SITE_NUMBER = 1, SITE_LOCK, SITE_READ, SITE_WRITE, SITE_FENCE, SITE_UNLOCK };

enum {
	NO_VALUE,
	ENTRY,
	TABLE,
	NUMBER,
	LOCK_ADDRESS,
	WORD_ADDRESS,
	OLD,
	TAKEN,
	VALUE,
	DONE,
	MORE
};

static const FlowOperation next_code[] = {
	{CODE_INT, TABLE, {ENTRY}, 0},
	{CODE_INT, ENTRY, {ENTRY}, 0},
	{CODE_SPLIT, 0, {0}, 0},
	{CODE_MOVE, OLD, {0}, 0},
};
static const FlowOperation enter_code[] = {
	{CODE_COMPARE, MORE, {ENTRY}, 0},
	{CODE_INT, NUMBER, {NUMBER}, 0},
	{CODE_INT, WORD_ADDRESS, {NUMBER}, 0},
	{CODE_INT, LOCK_ADDRESS, {NUMBER}, 0},
	{CODE_INT, WORD_ADDRESS, {WORD_ADDRESS}, 0},
	{CODE_MOVE, OLD, {0}, 0},
	{CODE_YIELD, 0, {0}, 0},
};
static const FlowOperation guard_code[] = {
	{CODE_SPLIT, 0, {0}, 0},
	{CODE_MOVE, DONE, {0}, 0},
	{CODE_COMPARE, TAKEN, {OLD}, 0},
	{CODE_BRANCH, 0, {0}, TAKEN},
};
static const FlowOperation add_code[] = {{CODE_INT, VALUE, {VALUE}, 0}};
static const FlowOperation leave_code[] = {
	{CODE_MOVE, DONE, {0}, 0},    {CODE_JOIN, 0, {0}, 0},
	{CODE_INT, DONE, {DONE}, 0},  {CODE_COMPARE, TAKEN, {DONE}, 0},
	{CODE_BRANCH, 0, {0}, TAKEN},
};
static const FlowOperation again_code[] = {{CODE_JOIN, 0, {0}, 0}, {CODE_BRANCH, 0, {0}, MORE}};
static const FlowOperation end_code[] = {{CODE_SYNC, 0, {0}, 0}};

typedef struct {
	uint32_t n_warps, n_locks, n_entries;
	gboolean own; /* locks of each warp */
	SectionBody section;
	uint32_t *table; /* entry by entry, of all lanes */
} Work;

enum { STEP_NEXT, STEP_ENTER, STEP_GUARD, STEP_ADD, STEP_LEAVE, STEP_AGAIN, STEP_END };
static const FlowStep steps[] = {
	FLOW_STEP(next_code), FLOW_STEP(enter_code), FLOW_STEP(guard_code),
	FLOW_STEP(add_code),  FLOW_STEP(leave_code), FLOW_STEP(again_code),
	FLOW_STEP(end_code),
};
static const FlowSite site_flows[] = {
	{.address = TABLE, .write = NUMBER},
	{.address = LOCK_ADDRESS, .write = OLD},
	{.address = WORD_ADDRESS, .write = VALUE},
	{.address = WORD_ADDRESS, .data = VALUE},
	{0}, /* the fence */
	{.address = LOCK_ADDRESS},
};

/* Bytes of all locks; as many for the words that they guard lie behind them, and behind these the table. */
static uint32_t lock_bytes(const Work *work)
{
	return (work->own ? work->n_warps : 1) * work->n_locks * WORD_BYTES;
}

/* The lanes' words at `entry`, or their entries of the table. */
static void emit_words(Emitter *emitter, const Work *work, uint32_t site, RecordKind kind,
		       uint32_t entry)
{
	uint32_t thread = (entry * work->n_warps + emitter->warp) * WARP_LANES;
	uint32_t set = work->own ? emitter->warp * work->n_locks : 0;
	uint32_t guarded = kind == RECORD_LDS || kind == RECORD_STS ? lock_bytes(work) : 0;
	uint32_t address[WARP_LANES];
	uint64_t byte[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		address[lane] = guarded + (set + work->table[thread + lane]) * WORD_BYTES;
		if (site == SITE_NUMBER)
			address[lane] = 2 * lock_bytes(work) + thread + lane;
		byte[lane] = address[lane];
	}
	emitter->site = site;
	if (kind == RECORD_LOCK || kind == RECORD_UNLOCK)
		emit_lock(emitter, kind, 0, lanes_below(WARP_LANES), byte);
	else
		emit_shared(emitter, kind, site == SITE_NUMBER ? 1 : WORD_BYTES,
			    lanes_below(WARP_LANES), address);
	emitter->site = 0;
}

static void write_entry(Emitter *emitter, const Work *work, uint32_t entry)
{
	emit_step(emitter, STEP_NEXT);
	emit_words(emitter, work, SITE_NUMBER, RECORD_LDS, entry);
	emit_step(emitter, STEP_ENTER);
	emit_words(emitter, work, SITE_LOCK, RECORD_LOCK, entry);
	emit_step(emitter, STEP_GUARD);
	if (work->section == SECTION_UPDATE) {
		emit_words(emitter, work, SITE_READ, RECORD_LDS, entry);
		emit_step(emitter, STEP_ADD);
		emit_words(emitter, work, SITE_WRITE, RECORD_STS, entry);
	}
	if (work->section != SECTION_BARE)
		emit_fence_at(emitter, SCOPE_BLOCK, SITE_FENCE);
	emit_words(emitter, work, SITE_UNLOCK, RECORD_UNLOCK, entry);
	emit_step(emitter, STEP_LEAVE);
	emit_step(emitter, STEP_AGAIN);
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Work *work = data;

	emit_bar(emitter);
	for (uint32_t entry = 0; entry < work->n_entries; entry++)
		write_entry(emitter, work, entry);
	emit_step(emitter, STEP_END);
}

/* Marsaglia's xorshift, as the measuring program has it. */
static void make_table(Work *work, uint32_t number)
{
	uint32_t random = FIRST_SEED + number * NEXT_SEED;
	uint32_t n = work->n_entries * work->n_warps * WARP_LANES;

	work->table = g_new(uint32_t, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		work->table[i] = (number ? random : i % WARP_LANES) % work->n_locks;
	}
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	Work work = {
		.n_warps = (uint32_t)workload_integer(parameters, "warps"),
		.n_locks = (uint32_t)workload_integer(parameters, "locks"),
		.n_entries = (uint32_t)workload_integer(parameters, "entries"),
		.own = workload_choice(parameters, "sharing") != 0,
		.section = (SectionBody)workload_choice(parameters, "section"),
	};
	const KernelCode code = KERNEL_CODE("lock_chain", NULL, sites, steps, site_flows);

	(void)error;
	make_table(&work, (uint32_t)workload_integer(parameters, "table"));
	launch->n_blocks = 1;
	launch->n_threads = work.n_warps * WARP_LANES;
	launch->shared_bytes =
		2 * lock_bytes(&work) + work.n_entries * work.n_warps * WARP_LANES;
	flow_generate(&code, TRUE, writer, write_warp, &work, launch);
	g_free(work.table);
	return TRUE;
}

static const WorkloadOption options[] = {
	INTEGER_ROW("warps", "warps", 1, MAX_BLOCK_WARPS, "4", "warps of the block"),
	INTEGER_ROW("locks", "words", 1, 256, "16", "different locks"),
	CHOICE_ROW("sharing", "shared|own", "shared",
		   "whether all warps take the same locks, or each has its own"),
	CHOICE_ROW("section", "bare|fence|update", "update",
		   "what is done under a lock: nothing, a fence, or an addition and a fence"),
	INTEGER_ROW("entries", "sections", 0, 64, "8",
		    "sections that each lane goes through, one after the other"),
	INTEGER_ROW("table", "table", 0, 1 << 20, "1",
		    "which locks are taken: of each number others, at random; 0: lane i always "
		    "takes number i mod locks"),
	{0},
};

const Workload workload_lock_chain = {
	.name = "lock-chain",
	.summary = "one spin lock after the other, each lane its own",
	.description =
		"Warps of one block whose lanes each go through one critical section after "
		"the other, each lane under locks of its own, so that lanes of a warp come "
		"to be at different ones. Locks are recorded as operations, with what waits "
		"for what (version 2).",
	.options = options,
	.generate = generate,
};
