/* SPDX-License-Identifier: MIT */
#include "base/names.h"
#include "explore/explain/parts.h"

#define SECTION_INSTRUCTIONS 20 /* of a spin lock's critical section */

typedef struct {
	WarpStream stream; /* first */
	const ExplainRequest *request;
	uint32_t warp, next;
} AtomicStream;

uint32_t explain_width(const ExplainRequest *request)
{
	return request->access == EXPLAIN_ATOMIC ? value_type_bytes[request->type] : 4;
}

static void fill_lanes(const ExplainRequest *request, uint32_t warp, RecordKind kind,
		       Record *record)
{
	const ExplainWarp *lanes = &request->warps[warp];

	record->kind = (uint8_t)kind;
	record->operation = request->operation;
	record->type = request->type;
	record->width = (uint8_t)explain_width(request);
	record->result = request->result;
	record->mask = lanes->mask;
	for (uint32_t left = lanes->mask; left; left &= left - 1)
		record->address[record->n_lanes++] = 4 * lanes->word[__builtin_ctz(left)];
}

static StreamStatus next(WarpStream *base, Record *record)
{
	static const RecordKind kinds[N_EXPLAIN_ACCESSES][4] = {
		[EXPLAIN_ATOMIC] = {RECORD_ATOM, RECORD_EXIT},
		[EXPLAIN_LOAD] = {RECORD_LDS, RECORD_EXIT},
		[EXPLAIN_STORE] = {RECORD_STS, RECORD_EXIT},
		[EXPLAIN_LOCK] = {RECORD_LOCK, RECORD_ALU, RECORD_UNLOCK, RECORD_EXIT},
	};
	AtomicStream *stream = (AtomicStream *)base;
	const RecordKind *mine = kinds[stream->request->access];
	RecordKind kind;

	*record = (Record){.kind = RECORD_EXIT};
	if (stream->next > 0 && mine[stream->next - 1] == RECORD_EXIT)
		return STREAM_END;
	kind = mine[stream->next++];
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
	const ExplainSource *source = (const ExplainSource *)base;

	*info = (BlockInfo){block, source->request->n_warps, source->shared_bytes};
}

static WarpStream *open_warp(RecordSource *base, uint64_t block, uint32_t warp)
{
	AtomicStream *stream = g_new0(AtomicStream, 1);

	(void)block;
	stream->stream = (WarpStream){.next = next, .close = stream_close};
	stream->request = ((const ExplainSource *)base)->request;
	stream->warp = warp;
	return &stream->stream;
}

ExplainSource explain_source(const ExplainRequest *request, uint32_t shared_bytes)
{
	return (ExplainSource){
		.source = {.n_blocks = 1, .block_info = block_info, .open_warp = open_warp},
		.request = request,
		.shared_bytes = shared_bytes};
}
