/* SPDX-License-Identifier: MIT */
/* The atomic of `apps`, one lane's for all where it is aggregated. */
#include "workloads/apps.h"

static const Vote add_vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, false, false};
static const Vote take_vote = {OPERATION_ADD, TYPE_U32, WORD_BYTES, true, false};

/* The lowest lane of `mask` for all of them: their sum in its value. */
static LaneMask aggregate(LaneMask mask, const uint64_t *value, uint64_t *sums)
{
	unsigned leader = (unsigned)__builtin_ctzll(mask);

	sums[leader] = 0;
	for (LaneMask rest = mask; rest; rest &= rest - 1)
		sums[leader] += value[__builtin_ctzll(rest)];
	return (LaneMask)1 << leader;
}

void apps_add(const Apps *work, Warp *warp, gboolean result, LaneMask mask,
	      const uint64_t *value)
{
	/* Records that are emitted add 1 each; what compilers make of it, they make by counting lanes. */
	gboolean counts = work->application >= APP_MATMUL;
	gboolean aggregated = work->aggregated && mask;
	uint64_t byte[MAX_LANES] = {0}, sums[MAX_LANES];

	if (aggregated) {
		apps_step(warp, counts ? STEP_COUNT : result ? STEP_SCAN : STEP_REDUCE);
		mask = aggregate(mask, value, sums);
		value = sums;
	}
	warp->emit.site = SITE_ATOMIC;
	warp_add(warp, result ? &take_vote : &add_vote, BUFFER_WORD, mask, byte, value);
	warp->emit.site = 0;
	if (aggregated && result)
		apps_step(warp, counts ? STEP_COUNTED : STEP_SHARE);
}
