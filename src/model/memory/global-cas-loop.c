/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `cas-loop` of global words: what the memory has no operation for, by compare-and-swap.
 *
 *	LDG	R, [A]			read the word
 * loop: OP	S, R, v			the operation
 *	ATOMG.CAS R, [A], R, S		store S if the word still is R; what it was otherwise
 *	BRA loop			lanes that failed go back
 *
 * Modelled:
 * - The loop of the CUDA C++ programming guide (atomic functions, atomicAdd of doubles by atomicCAS): a lane
 *   that failed goes on with the value that its swap brought back, and loads no more.
 * - A swap succeeds if nobody has written the word since its lane saw it, whichever SM it is on: looked at
 *   where the memory serves it. Of the lanes of a warp that name one word the lowest goes first.
 * - An update (OPERATION_UPDATE) is the same loop in a program's own code, whose load is a record of its own: it begins with
 *   the operation, and each lane has seen what its word was half a load's round trip before (of a near line that nothing
 *   holds up: assumed), however long its first swap waits.
 * - Loads and swaps cost what they do (model/memory/slice.h, coalesce.h).
 * Assumed: the instructions between them (operation_cycles, exit_cycles, retry_cycles).
 * Ideal l2_atomics: every swap succeeds.
 * Designs (keys retry, back_off_cycles). retry one-winner: of the lanes of a warp that name one word one tries the swap, and the others
 * operate on what it brings back. Back-off: as in model/atomic/retry.h; then the warp loads its words again. Different warps all
 * try again: the L2 keeps no queue of lanes, so there is no fifo.
 * Not modelled: values. A swap that another's write of the same value would let through fails.
 */
#include <glib.h>

#include "model/atomic/winner.h"
#include "model/memory/global-cas-loop.h"
#include "model/memory/written-words.h"

typedef struct {
	LaneMask seen_now;	  /* lanes that this access has seen a word for */
	LaneMask tries;		  /* lanes of this round's swap */
	LaneMask winners;	  /* of them */
	bool is_update;		  /* and this is its first swap */
	Tick saw;		  /* what its load found was there then */
	uint32_t failed_rounds;	  /* one behind the other */
	uint32_t word[MAX_LANES]; /* number of each lane's word */
	uint32_t seen[MAX_LANES]; /* writes of it when the lane saw it */
} Loop;

typedef struct {
	WrittenWords *words;
	uint64_t n_failed; /* lanes */
	bool at_once;	   /* none does */
	Tick trip;	   /* of a load, nothing in the way */
	uint64_t seed;
} Common;

enum { PHASE_LOAD, PHASE_OPERATION, PHASE_SWAP, PHASE_BRANCH };

static void loaded(void *data, const Packet *packet, Tick at)
{
	GlobalAtomic *atomic = data;
	Common *common = atomic->common;
	Loop *loop = atomic->own;

	(void)at;
	for (LaneMask left = atomic->pending & ~loop->seen_now; left; left &= left - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(left);

		if (!global_in_packet(atomic, i, packet))
			continue;
		loop->seen_now |= left & -left;
		loop->word[i] =
			written_words_number(common->words, atomic->base + atomic->address[i]);
		loop->seen[i] = written_words_at(common->words, loop->word[i])->writes;
	}
}

/* Of the lanes that are left those that try: all, or the first of each word. */
static LaneMask tries_of(const GlobalAtomic *atomic, Retry who)
{
	LaneMask tries = atomic->pending;

	for (LaneMask left = atomic->pending; who != RETRY_ALL && left; left &= left - 1) {
		const uint32_t i = (uint32_t)__builtin_ctzll(left);

		for (LaneMask later = left & (left - 1); later; later &= later - 1)
			if (atomic->address[__builtin_ctzll(later)] == atomic->address[i])
				tries &= ~(later & -later);
	}
	return tries;
}

/* Lanes that have left the swap to another one of their warp see what that saw, or left. */
static void see_too(const GlobalAtomic *atomic, Loop *loop, uint32_t i, uint32_t writes)
{
	for (LaneMask left = atomic->pending & ~loop->tries; left; left &= left - 1) {
		const uint32_t other = (uint32_t)__builtin_ctzll(left);

		if (atomic->address[other] != atomic->address[i])
			continue;
		loop->word[other] = loop->word[i];
		loop->seen[other] = writes;
	}
}

/* What the lane of an update has seen. Of several writes since all but one count as seen, which makes no difference: it has not
   seen the last. */
static void look_back(const GlobalAtomic *atomic, Loop *loop, uint32_t i)
{
	Common *common = atomic->common;
	const WrittenWord *word;

	loop->word[i] = written_words_number(common->words, atomic->base + atomic->address[i]);
	word = written_words_at(common->words, loop->word[i]);
	loop->seen[i] = word->writes - (word->writes > 0 && word->written > loop->saw);
}

/* Lanes of the packet come in order, and those of one word see what the one before left. */
static void swapped(void *data, const Packet *packet, Tick at)
{
	GlobalAtomic *atomic = data;
	Common *common = atomic->common;
	Loop *loop = atomic->own;

	for (LaneMask left = loop->tries & ~loop->seen_now; left; left &= left - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(left);
		WrittenWord *word;

		if (!global_in_packet(atomic, i, packet))
			continue;
		if (loop->is_update)
			look_back(atomic, loop, i);
		word = written_words_at(common->words, loop->word[i]);
		loop->seen_now |= left & -left;
		if (loop->seen[i] == word->writes || common->at_once) {
			loop->winners |= left & -left;
			word->writes++;
			word->written = at;
		} else {
			loop->seen[i] = word->writes;
			common->n_failed++;
		}
		see_too(atomic, loop, i, word->writes);
	}
}

static void ask(GlobalAtomic *atomic, GlobalStep *step, const char *name, AccessKind kind,
		LaneMask lanes, void (*served)(void *, const Packet *, Tick))
{
	Loop *loop = atomic->own;

	loop->seen_now = loop->winners = 0;
	step->name = name;
	step->ask = (GlobalAsk){
		.kind = (int)kind, .result = true, .lanes = lanes, .served = served};
	step->waits = true;
}

static void branch(const GlobalCasLoopParameters *p, GlobalAtomic *atomic, Loop *loop,
		   Cycle now, GlobalStep *step)
{
	const Common *common = atomic->common;

	step->name = "BRA";
	step->failed = (uint32_t)__builtin_popcountll(loop->tries & ~loop->winners);
	atomic->pending &= ~loop->winners;
	step->done = atomic->pending == 0;
	step->retry = !step->done;
	step->ready = MAX(step->ready, now + (step->done ? p->exit_cycles : p->retry_cycles));
	if (step->retry)
		step->ready = retry_back_off(
			&p->retry, &loop->failed_rounds, loop->winners != 0,
			winner_salt(common->seed, atomic->warp, 0, now), step->ready);
}

/* When the load was served whose value a warp has at `now`. */
static Tick look_time(const Common *common, Cycle now)
{
	const Tick there = now * TICKS_PER_CYCLE;

	return there - MIN(there, common->trip / 2);
}

static void operate(const GlobalCasLoopParameters *p, GlobalAtomic *atomic, Cycle now,
		    GlobalStep *step)
{
	step->name = "OP";
	step->ready = MAX(step->ready, now + p->operation_cycles);
	atomic->phase = PHASE_SWAP;
}

static void step(const void *own, SharedMemory *shared, GlobalAtomic *atomic, Cycle now,
		 GlobalStep *step)
{
	const GlobalCasLoopParameters *p = own;
	Loop *loop = atomic->own;

	(void)shared;
	switch (atomic->phase) {
	case PHASE_LOAD:
		loop->is_update =
			atomic->operation == OPERATION_UPDATE && loop->failed_rounds == 0;
		if (loop->is_update) {
			loop->saw = look_time(atomic->common, now);
			operate(p, atomic, now, step);
			break;
		}
		ask(atomic, step, "LDG", ACCESS_LOAD, atomic->pending, loaded);
		atomic->phase = PHASE_OPERATION;
		break;
	case PHASE_OPERATION:
		operate(p, atomic, now, step);
		break;
	case PHASE_SWAP:
		loop->tries = tries_of(atomic, p->retry.who);
		ask(atomic, step, "CAS", ACCESS_CAS, loop->tries, swapped);
		atomic->phase = PHASE_BRANCH;
		break;
	default:
		loop->is_update = false;
		branch(p, atomic, loop, now, step);
		atomic->phase = loop->failed_rounds > 0 && p->retry.back_off_cycles > 0
					? PHASE_LOAD
					: PHASE_OPERATION;
	}
}

static void *new_common(const void *own, const GlobalKernel *kernel)
{
	Common *common = g_new0(Common, 1);

	(void)own;
	common->words = written_words_new();
	common->at_once = kernel->at_once;
	common->seed = kernel->seed;
	common->trip = (Tick)kernel->trip_cycles * TICKS_PER_CYCLE;
	return common;
}

static void free_common(void *data)
{
	Common *common = data;

	written_words_free(common->words);
	g_free(common);
}

static void count(const void *common, MemoryCounters *counters)
{
	counters->failed_lanes += ((const Common *)common)->n_failed;
}

const GlobalMechanism global_mechanism_cas_loop = {
	.name = "cas-loop",
	.summary = "load, operate, compare-and-swap by the L2, retried until done",
	.keys = {"global.atomic.cas_loop", "Mechanism cas-loop of global atomics",
		 global_cas_loop_keys, N_GLOBAL_CAS_LOOP_KEYS, sizeof(GlobalCasLoopParameters),
		 NULL},
	.costs = global_cas_loop_costs,
	.n_costs = N_GLOBAL_CAS_LOOP_COSTS,
	.by_memory = true,
	.own_bytes = sizeof(Loop),
	.new_common = new_common,
	.free_common = free_common,
	.step = step,
	.count = count,
};
