/* SPDX-License-Identifier: MIT */
/* `reduction` with what waits for what: arithmetic as a compiler emits it, and a site for each access. */
#include "workloads/reduction.h"

const char *const reduction_flow_sites[] = {
	"reduction: read an element",	  "reduction: fill the tile",
	"reduction: add: read the first", "reduction: add: read the second",
	"reduction: add: write",	  "reduction: read the sum",
	"reduction: write the sum",	  NULL};
enum {
	FLOW_READ = 1,
	FLOW_FILL,
	FLOW_HERE,
	FLOW_THERE,
	FLOW_ADD,
	FLOW_RESULT,
	FLOW_SUM,
};

enum { NO_BUFFER, BUFFER_DATA, BUFFER_SUMS };

enum {
	THREAD = 1,
	BLOCK,
	INDEX,
	ADDRESS,
	ELEMENT,
	TILE_ADDRESS,
	STRIDE,
	FIRST,
	SECOND,
	TAKES_PART,
	GOES_ON,
	OTHER_ADDRESS,
};

static const FlowOperation start_code[] = {
	{CODE_SYSTEM, THREAD, {0}, 0},	       {CODE_SYSTEM, BLOCK, {0}, 0},
	{CODE_MUL, INDEX, {BLOCK, THREAD}, 0}, {CODE_MUL, ADDRESS, {INDEX}, 0},
	{CODE_INT, TILE_ADDRESS, {THREAD}, 0}, {CODE_MOVE, STRIDE, {0}, 0},
};
/* Interleaved: i = 2 * s * thread. */
static const FlowOperation interleaved_code[] = {
	{CODE_MUL, INDEX, {THREAD, STRIDE}, 0},
	{CODE_COMPARE, TAKES_PART, {INDEX}, 0},
};
static const FlowOperation sequential_code[] = {
	{CODE_COMPARE, TAKES_PART, {THREAD, STRIDE}, 0},
};
static const FlowOperation skip_code[] = {{CODE_JUMP, 0, {0}, TAKES_PART}};
static const FlowOperation enter_interleaved_code[] = {
	{CODE_BRANCH, 0, {0}, TAKES_PART},
	{CODE_INT, TILE_ADDRESS, {INDEX}, 0},
	{CODE_INT, OTHER_ADDRESS, {INDEX, STRIDE}, 0},
};
static const FlowOperation enter_sequential_code[] = {
	{CODE_BRANCH, 0, {0}, TAKES_PART},
	{CODE_INT, OTHER_ADDRESS, {TILE_ADDRESS, STRIDE}, 0},
};
static const FlowOperation add_code[] = {{CODE_FLOAT, FIRST, {FIRST, SECOND}, 0}};
static const FlowOperation loop_code[] = {
	{CODE_INT, STRIDE, {STRIDE}, 0},
	{CODE_COMPARE, GOES_ON, {STRIDE}, 0},
	{CODE_JUMP, 0, {0}, GOES_ON},
};

void reduction_flow_begin(ReductionFlow *flow, TraceWriter *writer)
{
	gboolean sequential = flow->addressing == ADDRESSING_SEQUENTIAL;

	trace_writer_set_version_2(writer, WARP_LANES);
	flow->start = FLOW_GAP(writer, start_code);
	flow->step = sequential ? FLOW_GAP(writer, sequential_code)
				: FLOW_GAP(writer, interleaved_code);
	flow->skip = FLOW_GAP(writer, skip_code);
	flow->enter = sequential ? FLOW_GAP(writer, enter_sequential_code)
				 : FLOW_GAP(writer, enter_interleaved_code);
	flow->add = FLOW_GAP(writer, add_code);
	flow->loop = FLOW_GAP(writer, loop_code);
	flow_site(writer, FLOW_READ, ADDRESS, 0, ELEMENT);
	flow_site(writer, FLOW_FILL, TILE_ADDRESS, ELEMENT, 0);
	flow_site(writer, FLOW_HERE, TILE_ADDRESS, 0, FIRST);
	flow_site(writer, FLOW_THERE, OTHER_ADDRESS, 0, SECOND);
	flow_site(writer, FLOW_ADD, TILE_ADDRESS, FIRST, 0);
	flow_site(writer, FLOW_RESULT, 0, 0, ELEMENT);
	flow_site(writer, FLOW_SUM, ADDRESS, ELEMENT, 0);
}

/* Behind an access records are of no site. */
static void shared_at(Emitter *emitter, uint32_t site, RecordKind kind, uint32_t mask,
		      const uint32_t *address)
{
	emitter->site = site;
	emit_shared(emitter, kind, FLOAT_BYTES, mask, address);
	emitter->site = 0;
}

static void write_addition_flow(Emitter *emitter, const ReductionFlow *flow, uint32_t mask,
				uint32_t factor, uint32_t s)
{
	uint32_t first = emitter->warp * WARP_LANES;
	uint32_t here[WARP_LANES], there[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		here[lane] = factor * (first + lane) * FLOAT_BYTES;
		there[lane] = here[lane] + s * FLOAT_BYTES;
	}
	emit_code(emitter, flow->enter);
	shared_at(emitter, FLOW_HERE, RECORD_LDS, mask, here);
	shared_at(emitter, FLOW_THERE, RECORD_LDS, mask, there);
	emit_code(emitter, flow->add);
	shared_at(emitter, FLOW_ADD, RECORD_STS, mask, here);
}

static void global_at(Emitter *emitter, uint32_t site, RecordKind kind, uint16_t buffer,
		      uint32_t mask, uint64_t first)
{
	uint64_t byte[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		byte[lane] = (first + lane) * FLOAT_BYTES;
	emitter->site = site;
	emit_buffer(emitter, kind, CACHE_NORMAL, buffer, FLOAT_BYTES, mask, byte);
	emitter->site = 0;
}

void reduction_flow_write(gconstpointer data, Emitter *emitter)
{
	const ReductionFlow *flow = data;
	gboolean sequential = flow->addressing == ADDRESSING_SEQUENTIAL;
	uint32_t first = emitter->warp * WARP_LANES, mask = warp_mask(first, flow->tile);
	uint32_t address[WARP_LANES];

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (first + lane) * FLOAT_BYTES;
	emit_code(emitter, flow->start);
	global_at(emitter, FLOW_READ, RECORD_LDG, BUFFER_DATA, mask,
		  emitter->block * flow->tile + first);
	shared_at(emitter, FLOW_FILL, RECORD_STS, mask, address);
	emit_barrier(emitter, flow->barrier);
	for (uint32_t left = flow->tile / 2; left >= 1; left /= 2) {
		uint32_t s = sequential ? left : flow->tile / 2 / left;
		uint32_t adding = warp_mask(first, left);

		emit_code(emitter, flow->step);
		if (adding)
			write_addition_flow(emitter, flow, adding, sequential ? 1 : 2 * s, s);
		else
			emit_code(emitter, flow->skip);
		emit_barrier(emitter, flow->barrier);
		emit_code(emitter, flow->loop);
	}
	if (emitter->warp > 0)
		return;
	shared_at(emitter, FLOW_RESULT, RECORD_LDS, 1, address);
	global_at(emitter, FLOW_SUM, RECORD_STG, BUFFER_SUMS, 1, emitter->block);
}
