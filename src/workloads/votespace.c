/* SPDX-License-Identifier: MIT */
#include "workloads/votespace.h"

#include "base/error.h"

/* Of a loop, as a compiler emits it beside the access. */
static const FlowOperation loop_code[] = {
	{CODE_INT, SPACE_ADDRESS, {SPACE_ADDRESS}, 0},
	{CODE_COMPARE, SPACE_MORE, {SPACE_ADDRESS}, 0},
	{CODE_JUMP, 0, {0}, SPACE_MORE},
};
static const FlowOperation add_code[] = {{CODE_INT, SPACE_SUM, {SPACE_SUM, SPACE_COPY}, 0}};
const FlowStep vote_space_loop = FLOW_STEP(loop_code);
const FlowStep vote_space_add = FLOW_STEP(add_code);

static const FlowOperation voter_start_code[] = {
	{CODE_SYSTEM, VOTER_THREAD, {0}, 0},
	{CODE_SYSTEM, VOTER_BLOCK, {0}, 0},
	{CODE_INT, VOTER_BASE, {VOTER_THREAD}, 0},
	{CODE_MUL, VOTER_BASE, {VOTER_BASE}, 0},
	{CODE_INT, SPACE_ADDRESS, {VOTER_THREAD}, 0},
	{CODE_MOVE, SPACE_SUM, {0}, 0},
	{CODE_MUL, VOTER_ADDRESS, {VOTER_BLOCK, VOTER_THREAD}, 0},
	{CODE_WIDE, VOTER_ADDRESS, {VOTER_ADDRESS}, 0},
};
static const FlowOperation voter_loop_code[] = {
	{CODE_INT, VOTER_ADDRESS, {VOTER_ADDRESS}, 0},
	{CODE_COMPARE, SPACE_MORE, {VOTER_ADDRESS}, 0},
	{CODE_JUMP, 0, {0}, SPACE_MORE},
};
const FlowStep voter_start = FLOW_STEP(voter_start_code);
const FlowStep voter_loop = FLOW_STEP(voter_loop_code);

gboolean vote_space_read(const WorkloadParameters *parameters, VoteSpace *space, uint32_t words,
			 uint32_t n_threads, uint8_t width, GError **error)
{
	*space = (VoteSpace){
		.words = words,
		.copies = (uint32_t)workload_integer(parameters, "replicas"),
		.padding = (uint32_t)workload_integer(parameters, "padding"),
		.n_threads = n_threads,
		.mapping = (Mapping)workload_choice(parameters, "mapping"),
		.width = width,
	};

	if (space->copies > n_threads)
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--replicas: %u found; allowed: 1 to %u, the threads of a block",
			space->copies, n_threads);
	uint64_t elements = (uint64_t)space->copies * words +
			    (uint64_t)(space->copies - 1) * space->padding;
	if (elements * width > TRACE_MAX_SHARED_BYTES)
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"%u copies of %u words and %u of padding between them, %u bytes each: "
			"%" G_GUINT64_FORMAT " bytes of shared memory found; allowed: up to %u",
			space->copies, words, space->padding, width, elements * width,
			TRACE_MAX_SHARED_BYTES);
	space->bytes = (uint32_t)elements * width;
	return TRUE;
}

uint32_t vote_space_base(const VoteSpace *space, uint32_t thread)
{
	uint32_t copy = thread;

	if (space->mapping == MAPPING_BLOCK)
		copy = thread / (space->n_threads / space->copies);
	return space->offset +
	       copy % space->copies * (space->words + space->padding) * space->width;
}

/* One access of the warp's lanes to consecutive elements from `first` on. */
static void emit_row(const VoteSpace *space, Emitter *emitter, RecordKind kind, uint32_t mask,
		     uint32_t first)
{
	uint32_t address[WARP_LANES];

	for (uint32_t i = 0; i < WARP_LANES; i++)
		address[i] = space->offset + (first + i) * space->width;
	emit_shared(emitter, kind, space->width, mask, address);
}

/* Lanes that exist in the block and whose element is below n. */
static uint32_t row_mask(const VoteSpace *space, const Emitter *emitter, uint32_t first,
			 uint32_t n)
{
	return warp_mask(emitter->warp * WARP_LANES, space->n_threads) & warp_mask(first, n);
}

void vote_space_zero(const VoteSpace *space, Emitter *emitter)
{
	uint32_t n = space->bytes / space->width;

	for (uint32_t i = emitter->warp * WARP_LANES; i < n; i += space->n_threads) {
		emit_row(space, emitter, RECORD_STS, row_mask(space, emitter, i, n), i);
		emit_step(emitter, SPACE_ZERO_LOOP);
	}
}

void vote_space_reduce(const VoteSpace *space, Emitter *emitter)
{
	uint32_t stride = space->words + space->padding, site = emitter->site;

	emitter->buffer = SPACE_RESULT;
	for (uint32_t i = emitter->warp * WARP_LANES; i < space->words; i += space->n_threads) {
		uint32_t mask = row_mask(space, emitter, i, space->words);

		/* The loop over the copies is unrolled by a compiler: a load and an addition. */
		emitter->site = site + (emitter->flow->recorded ? 1 : 0);
		for (uint32_t copy = 0; copy < space->copies; copy++) {
			emit_row(space, emitter, RECORD_LDS, mask, copy * stride + i);
			emit_step(emitter, SPACE_ADD);
		}
		emitter->site = site;
		emit_global_vote(emitter, &space->vote, mask,
				 space->result + (uint64_t)i * space->width);
		emit_step(emitter, SPACE_SUM_LOOP);
	}
}
