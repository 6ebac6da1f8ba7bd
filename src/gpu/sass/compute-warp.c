/* SPDX-License-Identifier: MIT */
/* What lanes do together, and what depends on where they are: exchanges, votes, special registers,
   constants, all predicates at once. */
#include "gpu/sass/compute-internal.h"

#include <string.h>

#define ALL UINT32_MAX

static const SassOperand *input(const Code *code, guint i)
{
	return &code->operands[code->n_outputs + i];
}

static guint count_inputs(const Code *code)
{
	return code->n_operands - code->n_outputs;
}

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

/* ---- Special registers */

static bool special_value(const ComputeWarp *warp, const SassOperand *name, uint32_t lane,
			  uint32_t *value)
{
	const uint32_t *block = warp->code->launch->block,
		       *cluster = warp->code->launch->cluster;
	uint32_t thread = 32 * warp->warp + lane;
	const struct {
		const char *name;
		uint32_t value;
	} rows[] = {
		{"SR_TID.X", thread % block[0]},
		{"SR_TID.Y", thread / block[0] % block[1]},
		{"SR_TID.Z", thread / block[0] / block[1]},
		{"SR_CTAID.X", warp->block[0]},
		{"SR_CTAID.Y", warp->block[1]},
		{"SR_CTAID.Z", warp->block[2]},
		{"SR_LANEID", lane},
		{"SR_EQMASK", 1u << lane},
		{"SR_LTMASK", (1u << lane) - 1},
		{"SR_LEMASK", 2 * (1u << lane) - 1},
		{"SR_GTMASK", ~(2 * (1u << lane) - 1)},
		{"SR_GEMASK", ~((1u << lane) - 1)},
		{"SRZ", 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (sass_operand_is(name, rows[i].name)) {
			*value = rows[i].value;
			return true;
		}
	/* The block's place in its cluster, where that is one line of blocks. */
	if (sass_operand_is(name, "SR_CgaCtaId") && cluster[1] <= 1 && cluster[2] <= 1) {
		*value = cluster[0] > 1 ? warp->block[0] % cluster[0] : 0;
		return true;
	}
	return false;
}

static bool read_special(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues values = {.known = 0};

	if (count_inputs(code) < 1)
		return false;
	for (uint32_t lane = 0; lane < COMPUTE_LANES; lane++)
		if (special_value(warp, input(code, 0), lane, &values.value[lane]))
			values.known |= 1u << lane;
	compute_store(warp, &code->operands[0], false, lanes, &values);
	if (sass_operand_is(input(code, 0), "SRZ") && !compute_has(code, ".32"))
		compute_store(warp, &code->operands[0], true, lanes, &values);
	return true;
}

static bool load_constant(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	guint words = compute_has(code, ".128") ? 4 : compute_has(code, ".64") ? 2 : 1;
	SassOperand from, to = code->operands[0];
	LaneValues values;

	if (code->n_outputs < 1 || count_inputs(code) < 1)
		return false;
	from = *input(code, 0);
	for (guint i = 0; i < words; i++) {
		uint32_t byte = from.offset & 3;

		from.offset &= ~3u;
		compute_fetch(warp, code, &from, false, &values);
		for (int lane = 0; lane < COMPUTE_LANES; lane++) {
			uint32_t *value = &values.value[lane];

			*value >>= 8 * byte;
			*value = compute_has(code, ".U8")    ? (uint8_t)*value
				 : compute_has(code, ".S8")  ? (uint32_t)(int8_t)*value
				 : compute_has(code, ".U16") ? (uint16_t)*value
				 : compute_has(code, ".S16") ? (uint32_t)(int16_t)*value
							     : *value;
		}
		/* Parts of a word at a place that a register tells may lie anywhere in it. */
		if (from.value >= 0 && (compute_has(code, ".U8") || compute_has(code, ".S8") ||
					compute_has(code, ".U16") || compute_has(code, ".S16")))
			values.known = 0;
		compute_store(warp, &to, i % 2, lanes, &values);
		to.value += i % 2 ? 2 : 0;
		from.offset += 4;
	}
	return true;
}

/* ---- Predicates as bits of a register */

static bool pack_predicates(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues kept, mask, values = {.known = 0};

	if (count_inputs(code) < 3 || strchr(code->instruction->opcode, '.'))
		return false;
	compute_fetch(warp, code, input(code, 1), false, &kept);
	compute_fetch(warp, code, input(code, 2), false, &mask);
	values.known = kept.known & mask.known;
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		uint32_t bits = 0;

		for (int i = 0; i < 7; i++) {
			const LaneValues *predicate = &warp->values[SASS_PREDICATE + i];

			bits |= (predicate->value[lane] & 1) << i;
			if (mask.value[lane] >> i & 1 && !(predicate->known >> lane & 1))
				values.known &= ~(1u << lane);
		}
		values.value[lane] =
			(kept.value[lane] & ~mask.value[lane]) | (bits & mask.value[lane]);
	}
	compute_store(warp, &code->operands[0], false, lanes, &values);
	return true;
}

static bool unpack_predicates(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues from, mask;
	guint n = code->n_operands;

	if (n < 3 || strchr(code->instruction->opcode, '.'))
		return false;
	compute_fetch(warp, code, &code->operands[n - 2], false, &from);
	compute_fetch(warp, code, &code->operands[n - 1], false, &mask);
	for (int i = 0; i < 7; i++) {
		LaneValues *predicate = &warp->values[SASS_PREDICATE + i];

		for (int lane = 0; lane < COMPUTE_LANES; lane++) {
			uint32_t bit = 1u << lane;

			if (!(lanes & bit) || !(mask.value[lane] >> i & 1))
				continue;
			predicate->value[lane] = from.value[lane] >> i & 1;
			predicate->known =
				(predicate->known & ~bit) | (from.known & mask.known & bit);
		}
	}
	return true;
}

/* ---- Between lanes */

static bool vote(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues votes, result;
	uint32_t yes;
	bool all = compute_has(code, ".ALL");

	if (count_inputs(code) < 1 || compute_has(code, ".EQ"))
		return false;
	compute_fetch(warp, code, input(code, 0), false, &votes);
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
	bool is_less = compute_has(code, ".S32") ? (int32_t)a < (int32_t)b : a < b;

	return compute_has(code, ".SUM")	      ? a + b
	       : compute_has(code, ".OR")	      ? a | b
	       : compute_has(code, ".AND")	      ? a & b
	       : compute_has(code, ".XOR")	      ? a ^ b
	       : compute_has(code, ".MIN") == is_less ? a
						      : b;
}

static bool reduce(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	LaneValues values, result;
	uint32_t sum = 0;
	bool first = true;

	if (count_inputs(code) < 1)
		return false;
	compute_fetch(warp, code, input(code, 0), false, &values);
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
	if (compute_has(code, ".UP")) {
		from = lane - (int)by;
		*in_range = from >= most;
	} else if (compute_has(code, ".DOWN")) {
		from = lane + (int)by;
		*in_range = from <= most;
	} else if (compute_has(code, ".BFLY")) {
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

	if (count_inputs(code) < 3)
		return false;
	compute_fetch(warp, code, input(code, 0), false, &values);
	compute_fetch(warp, code, input(code, 1), false, &by);
	compute_fetch(warp, code, input(code, 2), false, &bounds);
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		bool inside;
		int from;

		if (!(by.known & bounds.known >> 0 & 1u << lane))
			continue;
		from = source_lane(code, lane, by.value[lane], bounds.value[lane], &inside);
		in_range.value[lane] = inside;
		in_range.known |= 1u << lane;
		/* A lane that is not here gives nothing that can be told. */
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
	guint parts = 1 + compute_has(code, ".U64");

	if (count_inputs(code) < 1 || compute_has(code, ".ALL"))
		return false;
	for (guint part = 0; part < parts; part++) {
		compute_fetch(warp, code, input(code, 0), part, &values[part]);
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

const ComputeRow compute_warp_rows[] = {
	{.base = "S2R", .together = read_special},
	{.base = "S2UR", .together = read_special},
	{.base = "CS2R", .together = read_special},
	{.base = "LDC", .together = load_constant},
	{.base = "P2R", .together = pack_predicates},
	{.base = "R2P", .together = unpack_predicates},
	{.base = "VOTE", .together = vote},
	{.base = "VOTEU", .together = vote},
	{.base = "REDUX", .together = reduce},
	{.base = "SHFL", .together = shuffle},
	{.base = "MATCH", .together = match},
	{.base = NULL},
};
