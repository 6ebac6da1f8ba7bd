/* SPDX-License-Identifier: MIT */
#include "explore/explain/parts.h"

/* A lane of the same warp that won in this round and wanted the same word, lock or bank. */
static bool lost_within(const ExplainRound *round, uint32_t lane, const uint32_t *wanted,
			LaneFate fate, LaneOutcome *outcome)
{
	for (uint32_t left = round->won; left; left &= left - 1) {
		uint32_t winner = (uint32_t)__builtin_ctz(left);

		if (wanted[winner] != wanted[lane])
			continue;
		*outcome = (LaneOutcome){fate, (int)winner, (int)round->warp};
		return true;
	}
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

/* Of locks that are found by word: whether another warp's is set when this round's attempt is made. Else no entry was free. */
static void lost_to_holder(const ExplainWatcher *watcher, const ExplainRound *round,
			   uint32_t lane, LaneOutcome *outcome)
{
	const uint32_t word = watcher->request->warps[round->warp].word[lane];
	const Cycle at = round->instructions[0].start;

	outcome->fate = FATE_FULL;
	for (guint i = 0; i < watcher->rounds->len; i++) {
		const ExplainRound *other = &g_array_index(watcher->rounds, ExplainRound, i);
		const ExplainWarp *its = &watcher->request->warps[other->warp];

		for (uint32_t left = other->won; left; left &= left - 1)
			if (its->word[__builtin_ctz(left)] == word && other->locked <= at &&
			    at < other->freed)
				*outcome = (LaneOutcome){FATE_OTHER_POSITION, -1,
							 (int)other->warp};
	}
}

/* Spin locks are taken all at once: each lane wins, or waits for who holds its own or another's. */
void explain_judge_locks(const ExplainWatcher *watcher, ExplainRound *round)
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

static uint32_t won_before(const GArray *rounds, const ExplainRound *round)
{
	uint32_t won = 0;

	for (guint i = 0; i < rounds->len; i++) {
		const ExplainRound *other = &g_array_index(rounds, ExplainRound, i);

		if (other->warp == round->warp && other->number < round->number)
			won |= other->won;
	}
	return won;
}

void explain_judge(const ExplainWatcher *watcher, ExplainRound *round, bool has_locks)
{
	const ExplainRequest *request = watcher->request;
	const GArray *rounds = watcher->rounds;
	const ExplainWarp *warp = &request->warps[round->warp];
	const uint32_t done = won_before(rounds, round);
	const bool by_word = has_locks && atomic_cam_entries(&request->machine->atomic) > 0;

	for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++) {
		LaneOutcome *outcome = &round->lanes[lane];
		uint32_t bit = 1u << lane;

		*outcome = (LaneOutcome){FATE_DONE, -1, -1};
		if (!(warp->mask & bit))
			outcome->fate = FATE_IDLE;
		else if (round->won & bit)
			outcome->fate = FATE_WINS;
		else if (round->merged & bit && round->number == 0)
			outcome->fate = FATE_MERGED;
		else if ((done | round->merged) & bit)
			outcome->fate = FATE_DONE;
		else if (!(round->tried & bit))
			outcome->fate = FATE_QUEUED;
		else if (by_word) {
			if (!lost_within(round, lane, warp->word, FATE_POSITION, outcome))
				lost_to_holder(watcher, round, lane, outcome);
		} else if (!lost_within(round, lane, warp->word, FATE_POSITION, outcome) &&
			   !(has_locks &&
			     lost_within(round, lane, warp->lock, FATE_ALIAS, outcome)) &&
			   !(!has_locks &&
			     lost_within(round, lane, warp->bank, FATE_BANK, outcome)) &&
			   !lost_between(request, rounds, round, lane, has_locks, outcome))
			outcome->fate = FATE_OVERTAKEN;
	}
}
