/* SPDX-License-Identifier: MIT */
/* Runs the warps under an observer, puts its instructions together to rounds, and has each judged. */
#include "explore/explain/parts.h"
#include "explore/explain/words.h"

#include "model/atomic/lock-bits.h"
#include "replay/replay.h"

const char *const lane_fate_names[N_LANE_FATES] = {
#define X(constant, name, letter, words) name,
	LANE_FATES(X)
#undef X
};

const char lane_fate_letters[N_LANE_FATES] = {
#define X(constant, name, letter, words) letter,
	LANE_FATES(X)
#undef X
};

const char *const lane_fate_words[N_LANE_FATES] = {
#define X(constant, name, letter, words) words,
	LANE_FATES(X)
#undef X
};

const char *const explain_access_names[N_EXPLAIN_ACCESSES] = {
#define X(constant, name) name,
	EXPLAIN_ACCESSES(X)
#undef X
};

/* --- Rounds --- */

/* Lanes counted by rank among the active ones, as lanes. */
static uint32_t lanes_of_ranks(uint32_t ranks, uint32_t mask)
{
	uint32_t lanes = 0;

	for (; mask; mask &= mask - 1, ranks >>= 1)
		lanes |= ranks & 1 ? mask & -mask : 0;
	return lanes;
}

/* All spin locks of a warp are asked for at once. */
static uint32_t tried_by(const ExplainWatcher *watcher, const Instruction *instruction)
{
	const bool all = watcher->request->access == EXPLAIN_LOCK;

	return lanes_of_ranks(all ? UINT32_MAX : (uint32_t)instruction->tried,
			      (uint32_t)instruction->record->mask);
}

static ExplainRound *round_of(ExplainWatcher *watcher, const Instruction *instruction)
{
	const uint32_t number = watcher->request->access == EXPLAIN_LOCK
					? watcher->exchanges[instruction->warp]
					: instruction->round;
	ExplainRound new = {.warp = instruction->warp,
			    .number = number,
			    .begin = instruction->issue,
			    .merged = watcher->request->warps[instruction->warp].mask &
				      ~(uint32_t)instruction->record->mask};

	for (guint i = watcher->rounds->len; i-- > 0;) {
		ExplainRound *round = &g_array_index(watcher->rounds, ExplainRound, i);

		if (round->warp == new.warp && round->number == new.number)
			return round;
	}
	g_array_append_val(watcher->rounds, new);
	return &g_array_index(watcher->rounds, ExplainRound, watcher->rounds->len - 1);
}

/* An exchange after a complete one says that the complete one failed. */
static void follow_exchanges(ExplainWatcher *watcher, const Instruction *instruction)
{
	/* What follows a loop's last store has nothing to try any more. */
	if (!watcher->exchanged[instruction->warp] || instruction->tried == 0)
		return;
	watcher->exchanged[instruction->warp] = false;
	round_of(watcher, instruction)->won = 0;
	watcher->exchanges[instruction->warp]++;
}

/* The lanes that a pass serves: in each bank those of one word, the lowest lane's first; all, where banks do not conflict. */
static uint32_t served(const ExplainWatcher *watcher, const ExplainWarp *warp, uint32_t left)
{
	uint64_t busy = 0; /* banks */
	uint32_t word[SHARED_MAX_BANKS], lanes = 0;

	if (watcher->request->machine->ideal.bank_conflicts)
		return left;
	for (; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctz(left), bank = warp->bank[lane];

		if (!(busy >> bank & 1))
			word[bank] = warp->word[lane];
		busy |= UINT64_C(1) << bank;
		if (word[bank] == warp->word[lane])
			lanes |= 1u << lane;
	}
	return lanes;
}

/* A load or store: each of its passes is a round, the last until its value is there. The warp may go on before that. */
static void watch_passes(ExplainWatcher *watcher, const Instruction *instruction)
{
	const SharedParameters *shared = &watcher->request->machine->shared;
	const ExplainWarp *warp = &watcher->request->warps[instruction->warp];
	const Cycle *pass_at = instruction->shared->pass_at;
	const Cycle latency = instruction->record->kind == RECORD_LDS ? shared->load_cycles
								      : shared->store_cycles;
	const Cycle through =
		pass_at[instruction->passes - 1] + MAX(latency, shared->pass_cycles);
	uint32_t left = warp->mask;

	for (uint32_t pass = 0; pass < instruction->passes; pass++) {
		const bool last = pass + 1 == instruction->passes;
		const ExplainRound round = {
			.warp = instruction->warp,
			.number = pass,
			.begin = pass == 0 ? instruction->issue : pass_at[pass],
			.end = last ? MAX(instruction->done, through) : pass_at[pass + 1],
			.tried = left,
			.won = served(watcher, warp, left),
		};

		left &= ~round.won;
		g_array_append_val(watcher->rounds, round);
		watcher->cycles = MAX(watcher->cycles, round.end);
	}
}

/* From the load that sets them until the banks are through with the store that clears them: model/atomic/lock-bits-free.c. */
static void watch_lock_bits(const ExplainWatcher *watcher, const Instruction *instruction,
			    ExplainRound *round)
{
	const Machine *machine = watcher->request->machine;
	const LockBitsParameters *own = machine->atomic.own[MECHANISM_lock_bits];

	round->locked = round->instructions[0].start;
	round->freed = instruction->shared->pass_at[instruction->passes - 1] +
		       machine->shared.pass_cycles + own->hold_cycles;
}

static void watch(Observer *observer, const Instruction *instruction)
{
	ExplainWatcher *watcher = (ExplainWatcher *)observer;
	uint8_t kind = instruction->record->kind;
	ExplainRound *round;

	if (kind == RECORD_LDS || kind == RECORD_STS)
		watch_passes(watcher, instruction);
	if (kind == RECORD_UNLOCK)
		watcher->released[instruction->warp] = instruction->issue;
	if (kind != RECORD_ATOM && kind != RECORD_LOCK)
		return;
	if (kind == RECORD_LOCK)
		follow_exchanges(watcher, instruction);
	round = round_of(watcher, instruction);
	if (round->tried == 0) /* a combiner, before its first instruction, tries nothing */
		round->tried = tried_by(watcher, instruction);
	round->end = MAX(round->end, instruction->done);
	round->decided = instruction->issue;
	round->won |= lanes_of_ranks(instruction->winners, (uint32_t)instruction->record->mask);
	if (round->n_instructions < ROUND_INSTRUCTIONS)
		round->instructions[round->n_instructions++] =
			(RoundInstruction){instruction->name, instruction->start,
					   instruction->done, instruction->passes};
	if (watcher->has_locks && kind == RECORD_ATOM && instruction->winners)
		watch_lock_bits(watcher, instruction, round);
	watcher->exchanged[instruction->warp] = round->won == round->tried;
	watcher->cycles = MAX(watcher->cycles, instruction->done);
}

/* --- The machine --- */

static const Mechanism *mechanism_of(const ExplainRequest *request)
{
	if (explain_is_plain(request))
		return NULL;
	return mechanism_of_use(&request->machine->atomic,
				request->access == EXPLAIN_LOCK
					? ATOMIC_PLAIN
					: atomic_kind(request->operation, request->type));
}

static void find_locks_and_banks(ExplainRequest *request, bool has_locks, uint32_t base_word)
{
	const Machine *machine = request->machine;
	const bool own_lock = atomic_cam_entries(&machine->atomic) > 0;
	Hash locks, banks;

	hash_build(&machine->shared.bank_hash, machine->shared.banks, &banks);
	if (has_locks && !own_lock)
		hash_build(&machine->atomic.lock_hash, machine->atomic.locks, &locks);
	for (uint32_t w = 0; w < request->n_warps; w++) {
		ExplainWarp *warp = &request->warps[w];

		for (uint32_t left = warp->mask; left; left &= left - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(left);
			uint32_t word = base_word + warp->word[lane];

			warp->bank[lane] = hash_apply(&banks, word);
			warp->lock[lane] = own_lock    ? warp->word[lane]
					   : has_locks ? hash_apply(&locks, word)
						       : 0;
		}
	}
}

/* The shared memory that the words need; 0 and an error if that is too much. */
static uint32_t shared_bytes(const ExplainRequest *request, GError **error)
{
	uint32_t last = 0;

	for (uint32_t w = 0; w < request->n_warps; w++)
		for (uint32_t left = request->warps[w].mask; left; left &= left - 1)
			last = MAX(last, request->warps[w].word[__builtin_ctz(left)]);
	return explain_word_bytes(request->machine, last, explain_width(request), "--addresses",
				  error);
}

gboolean explain(ExplainRequest *request, Explanation *explanation, GError **error)
{
	ExplainSource source = explain_source(request, shared_bytes(request, error));
	ExplainWatcher watcher = {.observer = {.instruction = watch}, .request = request};
	g_auto(ReplayResult) result = {0};
	const Replay replay = {.machine = request->machine,
			       .source = &source.source,
			       .name = "explain",
			       .seed = request->seed,
			       .n_threads = 1,
			       .observer = &watcher.observer};

	if (source.shared_bytes == 0)
		return FALSE;
	watcher.rounds = g_array_new(FALSE, TRUE, sizeof(ExplainRound));
	explanation->rounds = watcher.rounds;
	explanation->mechanism = mechanism_of(request);
	explanation->has_locks = explanation->mechanism && explanation->mechanism->has_locks;
	watcher.has_locks = explanation->has_locks;
	find_locks_and_banks(request, explanation->has_locks,
			     request->machine->shared.reserved_bytes / 4);
	if (!replay_run(&replay, &result, error))
		return FALSE;
	explanation->cycles = watcher.cycles;
	for (guint i = 0; i < watcher.rounds->len; i++) {
		ExplainRound *round = &g_array_index(watcher.rounds, ExplainRound, i);

		if (request->access == EXPLAIN_LOCK)
			explain_judge_locks(&watcher, round);
		else
			explain_judge(&watcher, round, explanation->has_locks);
	}
	return TRUE;
}

void explanation_clear(Explanation *explanation)
{
	g_clear_pointer(&explanation->rounds, g_array_unref);
}
