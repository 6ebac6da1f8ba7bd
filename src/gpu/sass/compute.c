/* SPDX-License-Identifier: MIT */
/*
 * Each value is kept for every lane, uniform registers too: what lanes that went apart put there does not
 * reach the others, as the compiler's code expects.
 */
#include "gpu/sass/compute-internal.h"

#include <string.h>

#define MAX_STEPS (1u << 18) /* that a warp keeps: 10 MB */

ComputeWarp *compute_warp_new(ComputeCode *code, uint64_t block, uint32_t warp)
{
	ComputeWarp *made = g_new0(ComputeWarp, 1);
	const uint32_t *grid = code->launch->grid;

	made->code = code;
	made->steps = g_array_new(FALSE, FALSE, sizeof(ComputeStep));
	made->warp = warp;
	made->block[0] = (uint32_t)(block % grid[0]);
	made->block[1] = (uint32_t)(block / grid[0] % grid[1]);
	made->block[2] = (uint32_t)(block / grid[0] / grid[1]);
	return made;
}

void compute_warp_free(ComputeWarp *warp)
{
	if (!warp)
		return;
	if (warp->noted)
		g_array_unref(warp->noted);
	g_array_unref(warp->steps);
	g_free(warp);
}

/* ---- Executing */

static void put(Inputs *in, guint i, bool high, int lane, const LaneValues *values)
{
	if (high)
		in->high[i] = values->value[lane];
	else
		in->value[i] = values->value[lane];
}

/* Each lane on its own. */
static void compute_lanes(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	guint n = code->n_operands - code->n_outputs;
	LaneValues fetched, value = {.known = 0}, high = {.known = 0};
	LaneValues predicates[2] = {{.known = 0}, {.known = 0}};
	Inputs in[COMPUTE_LANES];
	uint32_t known = lanes;
	guint n_predicates = 0;

	memset(in, 0, sizeof(in));
	for (guint i = 0; i < n; i++)
		for (int part = 0; part < 1 + (int)(code->pairs >> i & 1); part++) {
			compute_fetch(warp, code, &code->operands[code->n_outputs + i], part,
				      &fetched);
			known &= fetched.known;
			for (int lane = 0; lane < COMPUTE_LANES; lane++)
				put(&in[lane], i, part, lane, &fetched);
		}
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		Outputs out = {0};

		if (!(known >> lane & 1) || !code->row->lane(code, &in[lane], &out)) {
			known &= ~(1u << lane);
			continue;
		}
		value.value[lane] = out.value;
		high.value[lane] = out.high;
		for (int i = 0; i < 2; i++)
			predicates[i].value[lane] = out.predicate[i];
	}
	value.known = high.known = predicates[0].known = predicates[1].known = known;
	for (guint i = 0; i < code->n_outputs; i++) {
		const SassOperand *operand = &code->operands[i];

		if (operand->predicate) {
			if (n_predicates < 2)
				compute_store(warp, operand, false, lanes,
					      &predicates[n_predicates++]);
			continue;
		}
		compute_store(warp, operand, false, lanes, &value);
		if (code->is_pair)
			compute_store(warp, operand, true, lanes, &high);
	}
	compute_forget(warp, code, lanes & ~known); /* all that it writes, of a pair both */
}

/* What a load got: bytes and half words may have a sign. */
static void store_loaded(ComputeWarp *warp, const Code *code, uint32_t lanes,
			 const uint32_t *loaded, guint words)
{
	guint first = code->n_outputs > 0 ? code->n_outputs - 1 : 0;

	if (code->n_outputs == 0 || !loaded) {
		compute_forget(warp, code, lanes);
		return;
	}
	if (words == 3) /* of four registers, the last is not known */
		compute_forget(warp, code, lanes);
	for (guint word = 0; word < words; word++) {
		SassOperand operand = code->operands[first];
		LaneValues values = {.known = lanes};
		guint n = 0;

		operand.value += (int)word;
		if (operand.value >= SASS_UNIFORM)
			return;
		for (int lane = 0; lane < COMPUTE_LANES; lane++)
			if (lanes >> lane & 1) {
				uint32_t value = loaded[words * n++ + word];

				if (compute_has(code, SUFFIX_S8))
					value = (uint32_t)(int8_t)value;
				else if (compute_has(code, SUFFIX_S16))
					value = (uint32_t)(int16_t)value;
				values.value[lane] = value;
			}
		compute_store(warp, &operand, false, lanes, &values);
	}
}

/* Lanes that pass the guard, as far as it is known. */
static uint32_t guarded(const ComputeWarp *warp, const SassInstruction *instruction,
			uint32_t mask, uint32_t *known)
{
	uint32_t lanes = 0;

	*known = mask;
	if (instruction->guard < 0)
		return instruction->guard_negated ? 0 : mask; /* @!PT: none */
	*known &= warp->values[instruction->guard].known;
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		lanes |= (warp->values[instruction->guard].value[lane] & 1) << lane;
	return (instruction->guard_negated ? ~lanes : lanes) & *known;
}

/* An event says who passed the guard. */
static void learn_guard(ComputeWarp *warp, const SassInstruction *instruction, uint32_t mask,
			uint32_t executing)
{
	LaneValues *guard;

	if (instruction->guard < 0)
		return;
	guard = &warp->values[instruction->guard];
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		if (mask >> lane & 1)
			guard->value[lane] =
				(executing >> lane & 1) ^ instruction->guard_negated;
	guard->known |= mask;
}

static void execute(ComputeWarp *warp, const ComputeStep *step)
{
	const Code *code = compute_code_of(warp, step->index);
	const SassInstruction *instruction = code->instruction;
	uint32_t known = step->mask, lanes = step->executing & step->mask;

	if (step->is_known)
		learn_guard(warp, instruction, step->mask, step->executing);
	if (step->is_branch)
		return;
	if (!step->is_known)
		lanes = guarded(warp, instruction, step->mask, &known);
	if (code->row && code->row->together) {
		if (!code->row->together(warp, code, lanes))
			compute_forget(warp, code, lanes);
	} else if (instruction->recorded || instruction->stepped || step->loaded) {
		store_loaded(warp, code, lanes, step->loaded, step->words);
	} else if (code->row) {
		compute_lanes(warp, code, lanes);
	} else {
		compute_forget(warp, code, lanes);
	}
	compute_forget(warp, code, step->mask & ~known);
}

void compute_catch_up(ComputeWarp *warp)
{
	for (guint i = 0; i < warp->steps->len; i++)
		execute(warp, &g_array_index(warp->steps, ComputeStep, i));
	g_array_set_size(warp->steps, 0);
}

static void append(ComputeWarp *warp, const ComputeStep *step)
{
	if (warp->steps->len == MAX_STEPS)
		compute_catch_up(warp);
	g_array_append_vals(warp->steps, step, 1);
}

void compute_execute(ComputeWarp *warp, int index, uint32_t mask, bool is_known,
		     uint32_t executing, const uint32_t *loaded, guint words)
{
	const ComputeStep step = {index, mask, executing, is_known, false, words, loaded};

	append(warp, &step);
}

void compute_passed_over(ComputeWarp *warp, uint32_t mask)
{
	compute_catch_up(warp);
	for (guint i = 0; i < SASS_N_VALUES; i++)
		warp->used[i] |= mask;
}

uint32_t compute_branch(ComputeWarp *warp, int index, uint32_t mask, uint32_t *known)
{
	const Code *code = compute_code_of(warp, index);
	const SassOperand *second = code->n_operands > 0 ? &code->operands[0] : NULL;
	uint32_t taken;

	*known = 0;
	if (!code->is_asked)
		return 0;
	compute_catch_up(warp);
	taken = guarded(warp, code->instruction, mask, known);
	/* BRA.DIV URx: if lanes that URx names are not here. */
	if (compute_has(code, SUFFIX_DIV)) {
		LaneValues wanted;

		if (!second || second->predicate)
			return 0;
		compute_fetch(warp, code, second, false, &wanted);
		*known = mask;
		if (mask == UINT32_MAX)
			return 0;
		if (!(wanted.known & mask)) {
			*known = 0;
			return 0;
		}
		return wanted.value[__builtin_ctz(wanted.known & mask)] & ~mask ? mask : 0;
	}
	if (strchr(code->instruction->opcode, '.') || code->instruction->opcode[0] == 'W') {
		*known = 0;
		return 0;
	}
	/* BRA P1, there: both must hold. */
	if (second && second->predicate) {
		LaneValues other;
		uint32_t holds = 0;

		compute_fetch(warp, code, second, false, &other);
		for (int lane = 0; lane < COMPUTE_LANES; lane++)
			holds |= (other.value[lane] & 1) << lane;
		*known = ((*known & ~taken) | (other.known & ~holds) | (*known & other.known)) &
			 mask;
		taken &= holds & other.known;
	}
	return taken;
}

uint32_t compute_targets(ComputeWarp *warp, int index, uint32_t mask,
			 int targets[COMPUTE_LANES])
{
	const SassFunction *function = warp->code->function;
	const SassInstruction *instruction = sass_instruction(function, index);
	size_t n = strcspn(instruction->operands, " ");
	g_autofree char *place = g_strndup(instruction->operands, n);
	const SassInstruction only = {.operands = place};
	SassOperand operands[SASS_MAX_OPERANDS];
	LaneValues values = {.known = 0};
	uint32_t from = instruction->part ? instruction->part->offset : 0;

	if (!instruction->by_value || sass_operands(&only, operands) != 1 ||
	    operands[0].kind != OPERAND_VALUE)
		return 0;
	compute_catch_up(warp);
	values = warp->values[operands[0].value];
	/* BRX counts from the instruction behind it: R4 -0xe0. */
	if (instruction->flow == SASS_INDIRECT)
		from = instruction->offset + SASS_INSTRUCTION_BYTES +
		       (uint32_t)g_ascii_strtoll(instruction->operands + n, NULL, 0);
	mask &= values.known;
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		targets[lane] = sass_find(function, from + values.value[lane]);
		if (targets[lane] < 0)
			mask &= ~(1u << lane);
	}
	return mask;
}

void compute_learn(ComputeWarp *warp, int index, uint32_t mask, uint32_t taken)
{
	const Code *code = compute_code_of(warp, index);
	const ComputeStep step = {index, mask, taken, true, true, 0, NULL};

	if (code->n_operands > 0 && !code->operands[0].predicate &&
	    !strchr(code->instruction->opcode, '.') && code->instruction->opcode[0] == 'B')
		append(warp, &step);
}
