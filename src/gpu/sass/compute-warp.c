/* SPDX-License-Identifier: MIT */
/* What depends on where a lane is: special registers, constants; and all predicates at once. */
#include "gpu/sass/compute-internal.h"

#include <string.h>

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

	if (compute_n_inputs(code) < 1)
		return false;
	for (uint32_t lane = 0; lane < COMPUTE_LANES; lane++)
		if (special_value(warp, compute_input(code, 0), lane, &values.value[lane]))
			values.known |= 1u << lane;
	compute_store(warp, &code->operands[0], false, lanes, &values);
	if (sass_operand_is(compute_input(code, 0), "SRZ") && !compute_has(code, SUFFIX_32))
		compute_store(warp, &code->operands[0], true, lanes, &values);
	return true;
}

static bool load_constant(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	guint words = compute_has(code, SUFFIX_128) ? 4 : compute_has(code, SUFFIX_64) ? 2 : 1;
	SassOperand from, to = code->operands[0];
	LaneValues values;

	if (code->n_outputs < 1 || compute_n_inputs(code) < 1)
		return false;
	from = *compute_input(code, 0);
	for (guint i = 0; i < words; i++) {
		uint32_t byte = from.offset & 3;

		from.offset &= ~3u;
		compute_fetch(warp, code, &from, false, &values);
		for (int lane = 0; lane < COMPUTE_LANES; lane++) {
			uint32_t *value = &values.value[lane];

			*value >>= 8 * byte;
			*value = compute_has(code, SUFFIX_U8)	 ? (uint8_t)*value
				 : compute_has(code, SUFFIX_S8)	 ? (uint32_t)(int8_t)*value
				 : compute_has(code, SUFFIX_U16) ? (uint16_t)*value
				 : compute_has(code, SUFFIX_S16) ? (uint32_t)(int16_t)*value
								 : *value;
		}
		/* Parts of a word at a place that a register says may lie anywhere in it. */
		if (from.value >= 0 &&
		    (compute_has(code, SUFFIX_U8) || compute_has(code, SUFFIX_S8) ||
		     compute_has(code, SUFFIX_U16) || compute_has(code, SUFFIX_S16)))
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

	if (compute_n_inputs(code) < 3 || strchr(code->instruction->opcode, '.'))
		return false;
	compute_fetch(warp, code, compute_input(code, 1), false, &kept);
	compute_fetch(warp, code, compute_input(code, 2), false, &mask);
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

const ComputeRow compute_warp_rows[] = {
	{.base = "S2R", .together = read_special},
	{.base = "S2UR", .together = read_special},
	{.base = "CS2R", .together = read_special},
	{.base = "LDC", .together = load_constant},
	{.base = "P2R", .together = pack_predicates},
	{.base = "R2P", .together = unpack_predicates},
	{.base = NULL},
};
