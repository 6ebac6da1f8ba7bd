/* SPDX-License-Identifier: MIT */
/* What goes between lanes: votes, sums, shuffles, matches. */
#include "gpu/sass/compute-internal.h"

#define ALL UINT32_MAX

/* Bits 0 of the lanes that are known to hold 1. */
static uint32_t bits_of(const LaneValues *values)
{
	uint32_t bits = 0;

	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		bits |= (values->value[lane] & 1) << lane;
	return bits & values->known;
}

static void set_all(LaneValues *values, uint32_t value)
{
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		values->value[lane] = value;
	values->known = ALL;
}

static bool vote(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues votes, result;
	uint32_t yes;
	bool all = compute_has(code, SUFFIX_ALL);

	if (compute_n_inputs(code) < 1 || compute_has(code, SUFFIX_EQ))
		return false;
	compute_fetch(warp, code, compute_input(code, 0), false, &votes);
	if (lanes & ~votes.known)
		return false;
	yes = bits_of(&votes) & lanes;
	for (guint i = 0; i < code->n_outputs; i++) {
		set_all(&result, !code->operands[i].predicate ? yes
				 : all			      ? yes == lanes
							      : yes != 0);
		compute_store(warp, &code->operands[i], false, lanes, &result);
	}
	return true;
}

static uint32_t joined(const Code *code, uint32_t a, uint32_t b)
{
	bool is_less = compute_has(code, SUFFIX_S32) ? (int32_t)a < (int32_t)b : a < b;

	return compute_has(code, SUFFIX_SUM)		  ? a + b
	       : compute_has(code, SUFFIX_OR)		  ? a | b
	       : compute_has(code, SUFFIX_AND)		  ? a & b
	       : compute_has(code, SUFFIX_XOR)		  ? a ^ b
	       : compute_has(code, SUFFIX_MIN) == is_less ? a
							  : b;
}

static bool reduce(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues values, result;
	uint32_t sum = 0;
	bool first = true;

	if (compute_n_inputs(code) < 1)
		return false;
	compute_fetch(warp, code, compute_input(code, 0), false, &values);
	if (lanes & ~values.known)
		return false;
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		if (lanes >> lane & 1) {
			sum = first ? values.value[lane]
				    : joined(code, sum, values.value[lane]);
			first = false;
		}
	set_all(&result, sum);
	compute_store(warp, &code->operands[0], false, lanes, &result);
	return true;
}

/* From which lane each takes its value; *in_range as its predicate says. */
static int source_lane(const Code *code, int lane, uint32_t by, uint32_t bounds, bool *in_range)
{
	int clamp = (int)(bounds & 31), segment = (int)(bounds >> 8 & 31);
	int least = lane & segment, most = least | (clamp & ~segment), from;

	by &= 31;
	if (compute_has(code, SUFFIX_UP)) {
		from = lane - (int)by;
		*in_range = from >= most;
	} else if (compute_has(code, SUFFIX_DOWN)) {
		from = lane + (int)by;
		*in_range = from <= most;
	} else if (compute_has(code, SUFFIX_BFLY)) {
		from = lane ^ (int)by;
		*in_range = from <= most;
	} else {
		from = least | ((int)by & ~segment);
		*in_range = from <= most;
	}
	return *in_range ? from : lane;
}

static bool shuffle(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues values, by, bounds, result = {.known = 0}, in_range = {.known = 0};

	if (compute_n_inputs(code) < 3)
		return false;
	compute_fetch(warp, code, compute_input(code, 0), false, &values);
	compute_fetch(warp, code, compute_input(code, 1), false, &by);
	compute_fetch(warp, code, compute_input(code, 2), false, &bounds);
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		bool inside;
		int from;

		if (!(by.known & bounds.known >> 0 & 1u << lane))
			continue;
		from = source_lane(code, lane, by.value[lane], bounds.value[lane], &inside);
		in_range.value[lane] = inside;
		in_range.known |= 1u << lane;
		/* A lane that is not here gives nothing that is known. */
		if (values.known >> from & 1 && lanes >> from & 1) {
			result.value[lane] = values.value[from];
			result.known |= 1u << lane;
		}
	}
	for (guint i = 0; i < code->n_outputs; i++)
		compute_store(warp, &code->operands[i], false, lanes,
			      code->operands[i].predicate ? &in_range : &result);
	return true;
}

/* MATCH.ANY: the lanes that hold the same. */
static bool match(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues values[2], result = {.known = ALL};
	guint parts = 1 + compute_has(code, SUFFIX_U64);

	if (compute_n_inputs(code) < 1 || compute_has(code, SUFFIX_ALL))
		return false;
	for (guint part = 0; part < parts; part++) {
		compute_fetch(warp, code, compute_input(code, 0), part, &values[part]);
		if (lanes & ~values[part].known)
			return false;
	}
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		for (int other = 0; other < COMPUTE_LANES; other++) {
			bool same = lanes >> other & 1;

			for (guint part = 0; part < parts; part++)
				same = same &&
				       values[part].value[lane] == values[part].value[other];
			result.value[lane] |= (uint32_t)same << other;
		}
	compute_store(warp, &code->operands[0], false, lanes, &result);
	return true;
}

const ComputeRow compute_exchange_rows[] = {
	{.base = "VOTE", .together = vote},    {.base = "VOTEU", .together = vote},
	{.base = "REDUX", .together = reduce}, {.base = "SHFL", .together = shuffle},
	{.base = "MATCH", .together = match},  {.base = NULL},
};
