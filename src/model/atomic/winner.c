/* SPDX-License-Identifier: MIT */
#include "model/atomic/winner.h"

#include "base/spread.h"

const char *const winner_names[N_WINNER_RULES] = {
	[WINNER_LOWEST] = "lowest",
	[WINNER_HIGHEST] = "highest",
	[WINNER_ROTATE] = "rotate",
	[WINNER_RANDOM] = "random",
};

/* Spreads the bits of x over all 64: two rounds of multiply and shift, each invertible. */
static uint64_t mix(uint64_t x)
{
	x = spread_key(x ^ (x >> 32));
	x = (x ^ (x >> 29)) * UINT64_C(0xd1342543de82ef95);
	return x ^ (x >> 32);
}

uint64_t winner_salt(uint64_t seed, uint64_t block, uint32_t warp, uint64_t atomic_index)
{
	return mix(mix(mix(seed + 1) + block) + ((uint64_t)warp << 48) + atomic_index);
}

static uint32_t nth_lane(LaneMask lanes, uint32_t n)
{
	while (n--)
		lanes &= lanes - 1;
	return (uint32_t)__builtin_ctzll(lanes);
}

uint32_t winner_pick(WinnerRule rule, LaneMask candidates, uint32_t n_lanes, uint64_t round,
		     uint32_t lock, uint64_t salt)
{
	LaneMask from;

	switch (rule) {
	case WINNER_HIGHEST:
		return 63 - (uint32_t)__builtin_clzll(candidates);
	case WINNER_ROTATE:
		from = candidates & (UINT64_MAX << round % (n_lanes > 32 ? 64 : 32));
		return (uint32_t)__builtin_ctzll(from ? from : candidates);
	case WINNER_RANDOM:
		return nth_lane(candidates,
				(uint32_t)(mix(salt + (round << 32) + lock) %
					   (uint32_t)__builtin_popcountll(candidates)));
	default:
		return (uint32_t)__builtin_ctzll(candidates);
	}
}
