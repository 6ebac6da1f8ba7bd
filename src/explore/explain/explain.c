/* SPDX-License-Identifier: MIT */
/* Runs the warps under an observer, puts its instructions together to rounds, and looks up who was
   in the way of each lane that lost. */
#include "explore/explain/explain.h"

#include "base/error.h"
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

#define SECTION_INSTRUCTIONS 20 /* of a spin lock's critical section */

/* --- The warps as a source of records: an atomic, or locks, and the end --- */

typedef struct {
	RecordSource source; /* first */
	const ExplainRequest *request;
	uint32_t shared_bytes;
} WarpSource;

typedef struct {
	WarpStream stream; /* first */
	const ExplainRequest *request;
	uint32_t warp, next;
} AtomicStream;

static void fill_lanes(const ExplainRequest *request, uint32_t warp, RecordKind kind,
		       Record *record)
{
	const ExplainWarp *lanes = &request->warps[warp];

	record->kind = (uint8_t)kind;
	record->operation = request->operation;
	record->type = request->type;
	record->width = request->type >= TYPE_U64 && !request->lock ? 8 : 4;
	record->result = request->result;
	record->mask = lanes->mask;
	for (uint32_t left = lanes->mask; left; left &= left - 1)
		record->address[record->n_lanes++] = 4 * lanes->word[__builtin_ctz(left)];
}

static StreamStatus next(WarpStream *base, Record *record)
{
	static const RecordKind atomic[] = {RECORD_ATOM, RECORD_EXIT};
	static const RecordKind lock[] = {RECORD_LOCK, RECORD_ALU, RECORD_UNLOCK, RECORD_EXIT};
	AtomicStream *stream = (AtomicStream *)base;
	bool is_lock = stream->request->lock;
	RecordKind kind;

	*record = (Record){.kind = RECORD_EXIT};
	if (stream->next == (is_lock ? G_N_ELEMENTS(lock) : G_N_ELEMENTS(atomic)))
		return STREAM_END;
	kind = is_lock ? lock[stream->next] : atomic[stream->next];
	stream->next++;
	record->kind = (uint8_t)kind;
	record->count = SECTION_INSTRUCTIONS;
	if (kind != RECORD_EXIT && kind != RECORD_ALU)
		fill_lanes(stream->request, stream->warp, kind, record);
	return STREAM_RECORD;
}

static void stream_close(WarpStream *stream)
{
	g_free(stream);
}

static void block_info(RecordSource *base, uint64_t block, BlockInfo *info)
{
	const WarpSource *source = (const WarpSource *)base;

	*info = (BlockInfo){block, source->request->n_warps, source->shared_bytes};
}

static WarpStream *open_warp(RecordSource *base, uint64_t block, uint32_t warp)
{
	AtomicStream *stream = g_new0(AtomicStream, 1);

	(void)block;
	stream->stream = (WarpStream){next, stream_close};
	stream->request = ((const WarpSource *)base)->request;
	stream->warp = warp;
	return &stream->stream;
}

/* --- Rounds --- */

typedef struct {
	Observer observer; /* first */
	const ExplainRequest *request;
	GArray *rounds; /* of ExplainRound */
	uint64_t cycles;
	/* Of spin locks: a warp's exchanges before the present one, and when it released its own. */
	uint32_t exchanges[EXPLAIN_MAX_WARPS];
	bool exchanged[EXPLAIN_MAX_WARPS]; /* the present one is complete */
	Cycle released[EXPLAIN_MAX_WARPS];
} Watcher;

/* Lanes counted by rank among the active ones, as lanes. */
static uint32_t lanes_of_ranks(uint32_t ranks, uint32_t mask)
{
	uint32_t lanes = 0;

	for (; mask; mask &= mask - 1, ranks >>= 1)
		lanes |= ranks & 1 ? mask & -mask : 0;
	return lanes;
}

static ExplainRound *round_of(Watcher *watcher, const Instruction *instruction)
{
	const uint32_t number = watcher->request->lock ? watcher->exchanges[instruction->warp]
						       : instruction->round;
	ExplainRound new = {.warp = instruction->warp,
			    .number = number,
			    .begin = instruction->issue,
			    .tried = lanes_of_ranks(instruction->tried,
						    (uint32_t)instruction->record->mask)};

	for (guint i = watcher->rounds->len; i-- > 0;) {
		ExplainRound *round = &g_array_index(watcher->rounds, ExplainRound, i);

		if (round->warp == new.warp && round->number == new.number)
			return round;
	}
	g_array_append_val(watcher->rounds, new);
	return &g_array_index(watcher->rounds, ExplainRound, watcher->rounds->len - 1);
}

/* An exchange after a complete one says that the complete one was in vain. */
static void follow_exchanges(Watcher *watcher, const Instruction *instruction)
{
	/* What follows a loop's last store has nothing to try any more. */
	if (!watcher->exchanged[instruction->warp] || instruction->tried == 0)
		return;
	watcher->exchanged[instruction->warp] = false;
	round_of(watcher, instruction)->won = 0;
	watcher->exchanges[instruction->warp]++;
}

static void watch(Observer *observer, const Instruction *instruction)
{
	Watcher *watcher = (Watcher *)observer;
	uint8_t kind = instruction->record->kind;
	ExplainRound *round;

	if (kind == RECORD_UNLOCK)
		watcher->released[instruction->warp] = instruction->issue;
	if (kind != RECORD_ATOM && kind != RECORD_LOCK)
		return;
	if (kind == RECORD_LOCK)
		follow_exchanges(watcher, instruction);
	round = round_of(watcher, instruction);
	round->end = MAX(round->end, instruction->done);
	round->decided = instruction->issue;
	round->won |= lanes_of_ranks(instruction->winners, (uint32_t)instruction->record->mask);
	if (round->n_instructions < ROUND_INSTRUCTIONS)
		round->instructions[round->n_instructions++] =
			(RoundInstruction){instruction->name, instruction->start,
					   instruction->done, instruction->passes};
	watcher->exchanged[instruction->warp] = round->won == round->tried;
	watcher->cycles = MAX(watcher->cycles, instruction->done);
}

/* --- Who was in the way --- */

/* A lane of the same warp that won in this round and wanted the same word, lock or bank. */
static bool lost_within(const ExplainWarp *warp, const ExplainRound *round, uint32_t lane,
			const uint32_t *wanted, LaneFate fate, LaneOutcome *outcome)
{
	for (uint32_t left = round->won; left; left &= left - 1) {
		uint32_t winner = (uint32_t)__builtin_ctz(left);

		if (wanted[winner] != wanted[lane])
			continue;
		*outcome = (LaneOutcome){fate, (int)winner, (int)round->warp};
		return true;
	}
	(void)warp;
	return false;
}

/* A warp whose round goes on when this one begins to try, and that wins the same lock in it. */
static bool lost_between(const ExplainRequest *request, const GArray *rounds,
			 const ExplainRound *round, uint32_t lane, bool has_locks,
			 LaneOutcome *outcome)
{
	const ExplainWarp *mine = &request->warps[round->warp];

	for (guint i = 0; i < rounds->len; i++) {
		const ExplainRound *other = &g_array_index(rounds, ExplainRound, i);
		const ExplainWarp *its = &request->warps[other->warp];

		if (other->warp == round->warp || other->begin > round->end ||
		    other->end < round->begin)
			continue;
		for (uint32_t left = other->won; left; left &= left - 1) {
			uint32_t winner = (uint32_t)__builtin_ctz(left);
			bool same_word = its->word[winner] == mine->word[lane];

			if (!same_word && !(has_locks && its->lock[winner] == mine->lock[lane]))
				continue;
			outcome->fate = !has_locks  ? FATE_OVERTAKEN
					: same_word ? FATE_OTHER_POSITION
						    : FATE_OTHER_ALIAS;
			outcome->by_warp = (int)other->warp;
			if (same_word)
				return true;
		}
	}
	return outcome->by_warp >= 0;
}

/* Spin locks are taken all at once: each lane wins, or waits for who holds its own or another's. */
static void judge_locks(const Watcher *watcher, ExplainRound *round)
{
	const ExplainRequest *request = watcher->request;
	const ExplainWarp *mine = &request->warps[round->warp];

	for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++) {
		LaneOutcome *outcome = &round->lanes[lane];
		bool active = mine->mask >> lane & 1;

		*outcome = (LaneOutcome){!active		  ? FATE_IDLE
					 : round->won >> lane & 1 ? FATE_WINS
								  : FATE_WAITS,
					 -1, -1};
		for (guint i = 0; outcome->fate == FATE_WAITS && i < watcher->rounds->len;
		     i++) {
			const ExplainRound *other =
				&g_array_index(watcher->rounds, ExplainRound, i);
			const ExplainWarp *its = &request->warps[other->warp];

			if (other->warp == round->warp || other->won == 0 ||
			    other->decided > round->decided ||
			    watcher->released[other->warp] <= round->decided)
				continue;
			for (uint32_t left = its->mask; left; left &= left - 1)
				if (its->word[__builtin_ctz(left)] == mine->word[lane])
					*outcome = (LaneOutcome){FATE_OTHER_POSITION, -1,
								 (int)other->warp};
		}
	}
}

static void judge(const ExplainRequest *request, const GArray *rounds, ExplainRound *round,
		  bool has_locks)
{
	const ExplainWarp *warp = &request->warps[round->warp];

	for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++) {
		LaneOutcome *outcome = &round->lanes[lane];
		uint32_t bit = 1u << lane;

		*outcome = (LaneOutcome){FATE_DONE, -1, -1};
		if (!(warp->mask & bit))
			outcome->fate = FATE_IDLE;
		else if (round->won & bit)
			outcome->fate = FATE_WINS;
		else if (!(round->tried & bit))
			outcome->fate = FATE_DONE;
		else if (!lost_within(warp, round, lane, warp->word, FATE_POSITION, outcome) &&
			 !(has_locks &&
			   lost_within(warp, round, lane, warp->lock, FATE_ALIAS, outcome)) &&
			 !(!has_locks &&
			   lost_within(warp, round, lane, warp->bank, FATE_BANK, outcome)) &&
			 !lost_between(request, rounds, round, lane, has_locks, outcome))
			outcome->fate = FATE_OVERTAKEN;
	}
}

/* --- The machine --- */

/* Operations that need arithmetic on some types can have a mechanism of their own. */
static const Mechanism *mechanism_of(const ExplainRequest *request)
{
	const AtomicParameters *atomic = &request->machine->atomic;
	bool arithmetic = !request->lock && request->operation != OPERATION_EXCH &&
			  request->operation != OPERATION_CAS;

	if (arithmetic && request->type == TYPE_F32 && atomic->mechanism_f32)
		return atomic->mechanism_f32;
	if (arithmetic && request->type >= TYPE_U64 && atomic->mechanism_64bit)
		return atomic->mechanism_64bit;
	return atomic->mechanism;
}

static void find_locks_and_banks(ExplainRequest *request, bool has_locks, uint32_t base_word)
{
	const Machine *machine = request->machine;
	Hash locks, banks;

	hash_build(&machine->shared.bank_hash, machine->shared.banks, &banks);
	if (has_locks)
		hash_build(&machine->atomic.lock_hash, machine->atomic.locks, &locks);
	for (uint32_t w = 0; w < request->n_warps; w++) {
		ExplainWarp *warp = &request->warps[w];

		for (uint32_t left = warp->mask; left; left &= left - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(left);
			uint32_t word = base_word + warp->word[lane];

			warp->bank[lane] = hash_apply(&banks, word);
			warp->lock[lane] = has_locks ? hash_apply(&locks, word) : 0;
		}
	}
}

/* The shared memory that the words need; 0 and an error if that is too much. */
static uint32_t shared_bytes(const ExplainRequest *request, GError **error)
{
	const SharedParameters *shared = &request->machine->shared;
	uint32_t most = MIN(shared->bytes - MIN(shared->reserved_bytes, shared->bytes),
			    TRACE_MAX_SHARED_BYTES);
	uint64_t bytes = 0;

	for (uint32_t w = 0; w < request->n_warps; w++)
		for (uint32_t left = request->warps[w].mask; left; left &= left - 1)
			bytes = MAX(bytes,
				    UINT64_C(4) * request->warps[w].word[__builtin_ctz(left)] +
					    8);
	if (bytes <= most)
		return (uint32_t)bytes;
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
		    "--addresses: word %" G_GUINT64_FORMAT " found; %s has words 0 to %u",
		    bytes / 4 - 2, request->machine->name, most / 4 - 2);
	return 0;
}

gboolean explain(ExplainRequest *request, Explanation *explanation, GError **error)
{
	WarpSource source = {
		.source = {.n_blocks = 1, .block_info = block_info, .open_warp = open_warp},
		.request = request,
		.shared_bytes = shared_bytes(request, error)};
	Watcher watcher = {.observer = {.instruction = watch}, .request = request};
	g_auto(ReplayResult) result = {0};
	const Replay replay = {.machine = request->machine,
			       .source = &source.source,
			       .name = "explain",
			       .seed = request->seed,
			       .n_threads = 1,
			       .observer = &watcher.observer};
	bool has_locks;

	if (source.shared_bytes == 0)
		return FALSE;
	watcher.rounds = g_array_new(FALSE, TRUE, sizeof(ExplainRound));
	explanation->rounds = watcher.rounds;
	explanation->mechanism = mechanism_of(request);
	has_locks = explanation->mechanism->has_locks;
	find_locks_and_banks(request, has_locks, request->machine->shared.reserved_bytes / 4);
	if (!replay_run(&replay, &result, error))
		return FALSE;
	explanation->cycles = watcher.cycles;
	for (guint i = 0; i < watcher.rounds->len; i++) {
		ExplainRound *round = &g_array_index(watcher.rounds, ExplainRound, i);

		if (request->lock)
			judge_locks(&watcher, round);
		else
			judge(request, watcher.rounds, round, has_locks);
	}
	return TRUE;
}

void explanation_clear(Explanation *explanation)
{
	g_clear_pointer(&explanation->rounds, g_array_unref);
}
