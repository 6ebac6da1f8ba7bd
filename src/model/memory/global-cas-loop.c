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
 *   the operation, and each lane has seen what its word was a load's round trip before its first swap is served.
 * - Loads and swaps cost what they do (model/memory/slice.h, coalesce.h).
 * Assumed: the instructions between them (operation_cycles, exit_cycles, retry_cycles).
 * Ideal l2_atomics: every swap succeeds.
 * Designs (keys retry, back_off_cycles). retry one-winner: of the lanes of a warp that name one word one tries the swap, and the others
 * operate on what it brings back. Back-off: as in model/atomic/retry.h; then the warp loads its words again. Different warps all
 * try again: the L2 keeps no queue of lanes, so there is no fifo.
 * Not modelled: values. A swap that another's write of the same value would let through fails.
 */
#include <glib.h>

#include "base/spread.h"
#include "model/atomic/winner.h"
#include "model/memory/global-cas-loop.h"

typedef struct {
	LaneMask seen_now;	  /* lanes that this access has seen a word for */
	LaneMask tries;		  /* lanes of this round's swap */
	LaneMask winners;	  /* of them */
	bool is_update;		  /* and this is its first swap */
	uint32_t failed_rounds;	  /* one behind the other */
	uint32_t word[MAX_LANES]; /* number of each lane's word */
	uint32_t seen[MAX_LANES]; /* writes of it when the lane saw it */
} Loop;

/* A word that lanes have loaded. */
typedef struct {
	uint64_t byte; /* its address */
	uint32_t writes;
	Tick written; /* the last of them */
} Word;

/* How often words were written: numbered as they come, and found by open addressing, at most half full. */
typedef struct {
	GArray *words;	   /* Word */
	uint32_t *table;   /* 1 + the word's number; 0: free */
	uint32_t bits;	   /* 1 << bits places */
	uint64_t n_failed; /* lanes */
	bool at_once;	   /* none does */
	Tick trip;	   /* of a load, nothing in the way */
	uint64_t seed;
} Words;

#define FIRST_BITS 6

enum { PHASE_LOAD, PHASE_OPERATION, PHASE_SWAP, PHASE_BRANCH };

/* The place of a word in the table, or the free one where it would be. Fibonacci hashing. */
static uint32_t *place_of(const Words *words, uint64_t byte)
{
	const uint32_t mask = (1u << words->bits) - 1;
	uint32_t h = (uint32_t)(spread_key(byte) >> (64 - words->bits));

	while (words->table[h] &&
	       g_array_index(words->words, Word, words->table[h] - 1).byte != byte)
		h = (h + 1) & mask;
	return &words->table[h];
}

static void grow(Words *words)
{
	words->bits++;
	g_free(words->table);
	words->table = g_new0(uint32_t, UINT64_C(1) << words->bits);
	for (guint i = 0; i < words->words->len; i++)
		*place_of(words, g_array_index(words->words, Word, i).byte) = i + 1;
}

/* Its number; it is known from now on. */
static uint32_t number_of(Words *words, uint64_t byte)
{
	const Word word = {.byte = byte};
	uint32_t *place = place_of(words, byte);

	if (*place)
		return *place - 1;
	g_array_append_val(words->words, word);
	*place = words->words->len;
	if (words->words->len > 1u << (words->bits - 1))
		grow(words);
	return words->words->len - 1;
}

static void loaded(void *data, const Packet *packet, Tick at)
{
	GlobalAtomic *atomic = data;
	Words *words = atomic->common;
	Loop *loop = atomic->own;

	(void)at;
	for (LaneMask left = atomic->pending & ~loop->seen_now; left; left &= left - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(left);

		if (!global_in_packet(atomic, i, packet))
			continue;
		loop->seen_now |= left & -left;
		loop->word[i] = number_of(words, atomic->base + atomic->address[i]);
		loop->seen[i] = g_array_index(words->words, Word, loop->word[i]).writes;
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

/* What the lane of an update has seen: its load was served a round trip ago. Of several writes since all but one count as seen,
   which makes no difference: it has not seen the last. */
static void look_back(const GlobalAtomic *atomic, Loop *loop, uint32_t i, Tick at)
{
	Words *words = atomic->common;
	const Word *word;

	loop->word[i] = number_of(words, atomic->base + atomic->address[i]);
	word = &g_array_index(words->words, Word, loop->word[i]);
	loop->seen[i] = word->writes - (word->writes > 0 && at < word->written + words->trip);
}

/* Lanes of the packet come in order, and those of one word see what the one before left. */
static void swapped(void *data, const Packet *packet, Tick at)
{
	GlobalAtomic *atomic = data;
	Words *words = atomic->common;
	Loop *loop = atomic->own;

	for (LaneMask left = loop->tries & ~loop->seen_now; left; left &= left - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(left);
		Word *word;

		if (!global_in_packet(atomic, i, packet))
			continue;
		if (loop->is_update)
			look_back(atomic, loop, i, at);
		word = &g_array_index(words->words, Word, loop->word[i]);
		loop->seen_now |= left & -left;
		if (loop->seen[i] == word->writes || words->at_once) {
			loop->winners |= left & -left;
			word->writes++;
			word->written = at;
		} else {
			loop->seen[i] = word->writes;
			words->n_failed++;
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
	const Words *words = atomic->common;

	step->name = "BRA";
	step->failed = (uint32_t)__builtin_popcountll(loop->tries & ~loop->winners);
	atomic->pending &= ~loop->winners;
	step->done = atomic->pending == 0;
	step->retry = !step->done;
	step->ready = MAX(step->ready, now + (step->done ? p->exit_cycles : p->retry_cycles));
	if (step->retry)
		step->ready = retry_back_off(
			&p->retry, &loop->failed_rounds, loop->winners != 0,
			winner_salt(words->seed, atomic->warp, 0, now), step->ready);
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
	Words *words = g_new0(Words, 1);

	(void)own;
	words->at_once = kernel->at_once;
	words->seed = kernel->seed;
	words->trip = (Tick)kernel->trip_cycles * TICKS_PER_CYCLE;
	words->bits = FIRST_BITS;
	words->words = g_array_new(FALSE, FALSE, sizeof(Word));
	words->table = g_new0(uint32_t, 1u << FIRST_BITS);
	return words;
}

static void free_common(void *common)
{
	Words *words = common;

	g_array_unref(words->words);
	g_free(words->table);
	g_free(words);
}

static void count(const void *common, MemoryCounters *counters)
{
	counters->failed_lanes += ((const Words *)common)->n_failed;
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
