/* SPDX-License-Identifier: MIT */
/*
 * The loop of a spin lock and nothing else: warps of one block or many whose lanes each go through the critical section
 * of a word, lane i that of word i mod `words` of its warp's group. What measurements/programs/locks.cu and lock-grid.cu
 * measure, with its data flow: a compare-and-swap until it finds a zero; a section that does nothing, or waits at a fence, or adds 1, or what is
 * loaded from global memory, to a volatile word and waits at a fence, or adds to three words; an exchange that
 * gives the lock back.
 */
#include "base/error.h"
#include "workloads/spin-locks.h"

#define WORD_BYTES 4
#define LINE_BYTES 128
#define MAX_LINE   4095
#define MAX_BLOCKS 65536
#define SUB_CORES  4 /* warp w is of sub-core w mod 4 */

typedef enum {
	SECTION_BARE,
	SECTION_FENCE,
	SECTION_UPDATE,
	SECTION_LOAD,
	SECTION_THREE
} SectionBody;

enum { BUFFER_SHARED, BUFFER_LOCKS, BUFFER_WORDS, BUFFER_ADDENDS };

typedef struct {
	uint32_t n_blocks, n_warps, n_lanes, n_words, n_entries, stride;
	uint32_t n_groups; /* in global memory: a line each */
	gboolean global;
	uint64_t lock_byte, word_byte; /* where they begin in their buffers, in global memory */
	SectionBody section;
} Work;

/* In global memory: where the words of the warp's group begin behind those of the first. */
static uint64_t group_byte(const Emitter *emitter, const Work *work)
{
	return (emitter->block * work->n_warps + emitter->warp) % work->n_groups *
	       (uint64_t)LINE_BYTES;
}

/* Locks and, behind them, the words that they guard, `copy` by copy; in global memory each has a buffer. */
static void emit_words(Emitter *emitter, const Work *work, uint32_t site, RecordKind kind,
		       uint32_t copy)
{
	gboolean locks = kind == RECORD_LOCK || kind == RECORD_UNLOCK;
	uint32_t first = locks ? 0 : (copy + !work->global) * work->n_words;
	LaneMask mask = lanes_below(work->n_lanes);
	uint32_t address[WARP_LANES];
	uint64_t byte[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		address[lane] = (first + lane % work->n_words) * WORD_BYTES;
		byte[lane] = address[lane];
		if (work->global)
			byte[lane] += (locks ? work->lock_byte : work->word_byte) +
				      group_byte(emitter, work);
	}
	emitter->site = site;
	if (locks)
		emit_lock(emitter, kind, work->global ? BUFFER_LOCKS : BUFFER_SHARED, mask,
			  byte);
	else if (work->global)
		emit_buffer(emitter, kind, CACHE_BYPASS, BUFFER_WORDS, WORD_BYTES, mask, byte);
	else
		emit_shared(emitter, kind, WORD_BYTES, mask, address);
	emitter->site = 0;
}

/* What each thread of the block adds; the second time it is of another line. */
static void emit_addend(Emitter *emitter, const Work *work, uint32_t which)
{
	uint64_t byte[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		byte[lane] = ((which * TRACE_MAX_WARPS + emitter->warp) * WARP_LANES + lane) *
			     (uint64_t)WORD_BYTES;
	emitter->site = which ? SITE_ADDENDS : SITE_ADDEND;
	emit_buffer(emitter, RECORD_LDG, CACHE_NORMAL, BUFFER_ADDENDS, WORD_BYTES,
		    lanes_below(work->n_lanes), byte);
	emitter->site = 0;
}

static void emit_addition(Emitter *emitter, const Work *work, uint32_t copy, guint add)
{
	emit_words(emitter, work, SITE_READ, work->global ? RECORD_LDG : RECORD_LDS, copy);
	emit_step(emitter, add);
	emit_words(emitter, work, SITE_WRITE, work->global ? RECORD_STG : RECORD_STS, copy);
}

static void write_section(Emitter *emitter, const Work *work)
{
	const Scope scope = work->global ? SCOPE_DEVICE : SCOPE_BLOCK;

	if (work->section >= SECTION_UPDATE && work->global)
		emit_fence_at(emitter, scope, SITE_FENCE);
	if (work->section >= SECTION_LOAD)
		emit_addend(emitter, work, 0);
	if (work->section == SECTION_THREE)
		emit_addend(emitter, work, 1);
	if (work->section == SECTION_UPDATE || work->section == SECTION_THREE)
		emit_addition(emitter, work, 0, STEP_ADD);
	if (work->section >= SECTION_LOAD)
		emit_addition(emitter, work, work->section == SECTION_THREE, STEP_ADD_LOADED);
	if (work->section == SECTION_THREE)
		emit_addition(emitter, work, 2, STEP_ADD_THIRD);
	if (work->section != SECTION_BARE)
		emit_fence_at(emitter, scope, SITE_FENCE);
}

static void write_entry(Emitter *emitter, const Work *work)
{
	emit_step(emitter, STEP_ENTER);
	emit_words(emitter, work, SITE_LOCK, RECORD_LOCK, 0);
	emit_step(emitter, STEP_GUARD);
	write_section(emitter, work);
	emit_words(emitter, work, SITE_UNLOCK, RECORD_UNLOCK, 0);
	emit_step(emitter, STEP_LEAVE);
	if (work->n_lanes < WARP_LANES)
		emit_step(emitter, STEP_PART);
}

static void write_warp(gconstpointer data, Emitter *emitter)
{
	const Work *work = data;

	emit_step(emitter, STEP_START);
	/* They are to be found in the SM's cache. */
	for (uint32_t i = 0; work->section >= SECTION_LOAD && i < 2; i++)
		emit_addend(emitter, work, i);
	if (work->section >= SECTION_LOAD)
		emit_step(emitter, STEP_WAIT);
	emit_bar(emitter);
	if (emitter->warp % work->stride != 0)
		return;
	for (uint32_t i = 0; i < work->n_entries; i++)
		write_entry(emitter, work);
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	Work work = {
		.n_blocks = (uint32_t)workload_integer(parameters, "blocks"),
		.n_warps = (uint32_t)workload_integer(parameters, "warps"),
		.n_lanes = (uint32_t)workload_integer(parameters, "lanes"),
		.n_words = (uint32_t)workload_integer(parameters, "words"),
		.n_groups = (uint32_t)workload_integer(parameters, "groups"),
		.n_entries = (uint32_t)workload_integer(parameters, "entries"),
		.stride = workload_choice(parameters, "placing") ? SUB_CORES : 1,
		.global = workload_choice(parameters, "space") != 0,
		.lock_byte = (uint64_t)workload_integer(parameters, "lock-line") * LINE_BYTES,
		.word_byte = (uint64_t)workload_integer(parameters, "word-line") * LINE_BYTES,
		.section = (SectionBody)workload_choice(parameters, "section"),
	};
	const uint32_t most = (TRACE_MAX_WARPS - 1) / SUB_CORES + 1;
	uint32_t all = (work.n_warps - 1) * work.stride + 1;
	uint64_t further = (uint64_t)(work.n_groups - 1) * LINE_BYTES;

	if (all > TRACE_MAX_WARPS)
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--warps: %u found; allowed with --placing one-sub-core: up to %u",
			work.n_warps, most);
	launch->n_blocks = work.n_blocks;
	launch->n_threads = all * WARP_LANES;
	launch->shared_bytes = 4 * work.n_words * WORD_BYTES;
	launch->buffers[0] = (WorkloadBuffer){
		"the locks", work.lock_byte + further + (uint64_t)work.n_words * WORD_BYTES};
	launch->buffers[1] =
		(WorkloadBuffer){"the words", work.word_byte + further +
						      (uint64_t)work.n_words * 3 * WORD_BYTES};
	launch->buffers[2] = (WorkloadBuffer){"the addends", (uint64_t)2 * TRACE_MAX_WARPS *
								     WARP_LANES * WORD_BYTES};
	spin_locks_generate(work.n_lanes < WARP_LANES, writer, write_warp, &work, launch);
	return TRUE;
}

static const WorkloadOption options[] = {
	INTEGER_ROW("blocks", "blocks", 1, MAX_BLOCKS, "1", "blocks, all alike"),
	INTEGER_ROW("warps", "warps", 1, MAX_BLOCK_WARPS, "4",
		    "warps of a block that take locks"),
	INTEGER_ROW("lanes", "lanes", 1, WARP_LANES, "32",
		    "lanes of each warp that take a lock"),
	INTEGER_ROW("words", "words", 1, 4096, "1",
		    "different locks: lane i takes lock i mod words"),
	INTEGER_ROW("groups", "lines of 128 bytes", 1, MAX_LINE, "1",
		    "in global memory: warp i of the grid accesses line i mod groups"),
	CHOICE_ROW("section", "bare|fence|update|load|three", "update",
		   "what is done under a lock: nothing, a fence, an addition of 1 or of a word "
		   "of global memory and a fence, or three additions"),
	CHOICE_ROW("space", "shared|global", "shared", "memory of the locks and words"),
	INTEGER_ROW("lock-line", "lines of 128 bytes", 0, MAX_LINE, "0",
		    "in global memory: line of their buffer in which the locks begin"),
	INTEGER_ROW("word-line", "lines of 128 bytes", 0, MAX_LINE, "0",
		    "the same of the words that they guard"),
	CHOICE_ROW(
		"placing", "round|one-sub-core", "round",
		"the warps are 0, 1, 2, ... of the block, or 0, 4, 8, ..., and the others end"),
	INTEGER_ROW("entries", "sections", 0, 1 << 16, "1",
		    "sections that each lane goes through, one after the other"),
	{0},
};

const Workload workload_spin_locks = {
	.name = "spin-locks",
	.summary = "critical sections under spin locks, shared or global",
	.description =
		"Warps of one block whose lanes each go through the critical section of a "
		"word. Locks are recorded as operations, with what waits for what (version "
		"2): who gets one when is the simulated machine's business.",
	.options = options,
	.generate = generate,
};
