/* SPDX-License-Identifier: MIT */
#include "workloads/emit.h"

#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "workloads/flow.h"

#define SEGMENT_BYTES 128 /* what a global access moves at least, as TraceRecord counts it */

void emit_blocks(TraceWriter *writer, const Flow *flow, const WorkloadLaunch *launch,
		 uint32_t warp_lanes, EmitWarp write, gconstpointer data)
{
	const uint32_t n_warps = (launch->n_threads + warp_lanes - 1) / warp_lanes;

	for (uint64_t block = 0; block < launch->n_blocks; block++) {
		trace_writer_begin_block(writer, block, n_warps, launch->shared_bytes);
		for (uint32_t warp = 0; warp < n_warps; warp++) {
			Emitter emitter = {
				.writer = writer, .block = block, .warp = warp, .flow = flow};

			write(data, &emitter);
		}
		trace_writer_end_block(writer, block);
	}
}

/* CUDA C programming guide, atomic functions: inc and dec take unsigned int, floating point has
   add and exch alone. Signed 64-bit sums are those of u64, and traces name them so or so. */
static gboolean operation_fits(uint8_t operation, uint8_t type)
{
	gboolean is_float = type == TYPE_F32 || type == TYPE_F64;

	switch (operation) {
	case OPERATION_ADD:
	case OPERATION_EXCH:
		return TRUE;
	case OPERATION_INC:
	case OPERATION_DEC:
		return type == TYPE_U32;
	default:
		return !is_float;
	}
}

gboolean vote_read(const WorkloadParameters *parameters, Vote *vote, GError **error)
{
	vote->operation = (uint8_t)workload_choice(parameters, "op");
	vote->type = (uint8_t)workload_choice(parameters, "type");
	vote->width = value_type_bytes[vote->type];
	vote->result = workload_choice(parameters, "result") != 0;
	vote->values = workload_choice(parameters, "values") != 0;

	if (operation_fits(vote->operation, vote->type))
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_USAGE,
		"--op %s does not exist for --type %s; allowed: inc and dec on u32, "
		"add and exch on every type, the others on integers",
		operation_names[vote->operation], value_type_names[vote->type]);
}

uint32_t warp_mask(uint64_t first_thread, uint64_t n_threads)
{
	if (first_thread >= n_threads)
		return 0;
	if (n_threads - first_thread >= WARP_LANES)
		return UINT32_MAX;
	return (1u << (n_threads - first_thread)) - 1;
}

static void append_at(Emitter *emitter, RecordKind kind, LaneMask mask, uint32_t site)
{
	emitter->record.kind = (uint8_t)kind;
	emitter->record.mask = mask;
	emitter->record.n_lanes = (uint8_t)__builtin_popcountll(mask);
	emitter->record.site = site;
	trace_writer_append(emitter->writer, emitter->block, emitter->warp, &emitter->record);
}

static void append(Emitter *emitter, RecordKind kind, LaneMask mask)
{
	/* What a site waits for is an access's. */
	append_at(emitter, kind, mask, mask == 0 && has_dataflow(emitter) ? 0 : emitter->site);
}

void emit_count(Emitter *emitter, RecordKind kind, uint32_t n)
{
	if (n == 0)
		return;
	emitter->record.count = n;
	append(emitter, kind, 0);
}

void emit_alu(Emitter *emitter, uint32_t n)
{
	emit_count(emitter, RECORD_ALU, n);
}

void emit_bar(Emitter *emitter)
{
	emitter->record.barrier = 0;
	emitter->record.count = 0; /* all threads of the block */
	emitter->record.arrives = false;
	append(emitter, RECORD_BAR, 0);
}

void emit_shared(Emitter *emitter, RecordKind kind, uint8_t width, LaneMask mask,
		 const uint32_t *address)
{
	emitter->record.width = width;
	memcpy(emitter->record.address, address,
	       sizeof(*address) * (size_t)__builtin_popcountll(mask));
	append(emitter, kind, mask);
}

/* The bits of a 1 of the type. */
static uint64_t one_of(uint8_t type)
{
	switch (type) {
	case TYPE_F32:
		return 0x3f800000;
	case TYPE_F64:
		return 0x3ff0000000000000;
	default:
		return 1;
	}
}

static void set_vote(Record *record, const Vote *vote, LaneMask mask, const uint64_t *value)
{
	record->operation = vote->operation;
	record->type = vote->type;
	record->width = vote->width;
	record->result = vote->result;
	record->has_values = vote->values || value;
	record->cache = CACHE_NORMAL;
	if (!record->has_values)
		return;
	for (int i = 0; i < __builtin_popcountll(mask); i++) {
		record->value[i] = value ? value[i] : one_of(vote->type);
		record->compare[i] = 0;
	}
}

void emit_vote_values(Emitter *emitter, const Vote *vote, LaneMask mask,
		      const uint32_t *address, const uint64_t *value)
{
	set_vote(&emitter->record, vote, mask, value);
	emit_shared(emitter, RECORD_ATOM, vote->width, mask, address);
}

void emit_vote(Emitter *emitter, const Vote *vote, LaneMask mask, const uint32_t *address)
{
	emit_vote_values(emitter, vote, mask, address, NULL);
}

void emit_fence(Emitter *emitter, Scope scope)
{
	emit_fence_at(emitter, scope, has_dataflow(emitter) ? 0 : emitter->site);
}

void emit_fence_at(Emitter *emitter, Scope scope, uint32_t site)
{
	emitter->record.scope = (uint8_t)scope;
	append_at(emitter, RECORD_FENCE, 0, site);
}

void emit_barrier(Emitter *emitter, Barrier barrier)
{
	if (barrier == BARRIER_AMP)
		emit_fence(emitter, SCOPE_DEVICE);
	emit_bar(emitter);
}

/* Addresses count from the lowest one. */
static void set_bytes(Record *record, uint16_t buffer, LaneMask mask, const uint64_t *byte)
{
	int n = __builtin_popcountll(mask);

	record->buffer = buffer;
	record->offset = byte[0];
	for (int i = 1; i < n; i++)
		record->offset = MIN(record->offset, byte[i]);
	for (int i = 0; i < n; i++)
		record->address[i] = (uint32_t)(byte[i] - record->offset);
}

void emit_buffer(Emitter *emitter, RecordKind kind, CacheHint cache, uint16_t buffer,
		 uint8_t width, LaneMask mask, const uint64_t *byte)
{
	emitter->record.width = width;
	emitter->record.cache = (uint8_t)cache;
	set_bytes(&emitter->record, buffer, mask, byte);
	append(emitter, kind, mask);
}

void emit_buffer_vote(Emitter *emitter, const Vote *vote, uint16_t buffer, LaneMask mask,
		      const uint64_t *byte, const uint64_t *value)
{
	set_vote(&emitter->record, vote, mask, value);
	set_bytes(&emitter->record, buffer, mask, byte);
	append(emitter, RECORD_ATOMG, mask);
}

void emit_lock(Emitter *emitter, RecordKind kind, uint16_t buffer, LaneMask mask,
	       const uint64_t *byte)
{
	emitter->record.width = 4;
	emitter->record.space = buffer ? MEMORY_GLOBAL : MEMORY_SHARED;
	if (buffer) {
		set_bytes(&emitter->record, buffer, mask, byte);
	} else {
		emitter->record.buffer = 0;
		for (int i = 0; i < __builtin_popcountll(mask); i++)
			emitter->record.address[i] = (uint32_t)byte[i];
	}
	append(emitter, kind, mask);
}

/* Whether global accesses have addresses. */
static bool tells_buffers(const Emitter *emitter)
{
	return has_dataflow(emitter) && emitter->buffer > 0;
}

/* Of the active lanes' consecutive elements. */
static void fill_bytes(uint64_t *byte, uint64_t offset, uint32_t element_bytes)
{
	for (uint32_t i = 0; i < WARP_LANES; i++)
		byte[i] = offset + (uint64_t)i * element_bytes;
}

void emit_global(Emitter *emitter, RecordKind kind, uint32_t mask, uint64_t offset,
		 uint32_t element_bytes)
{
	uint32_t bytes = (uint32_t)__builtin_popcount(mask) * element_bytes;
	uint64_t last = offset + bytes - 1, byte[WARP_LANES];

	if (tells_buffers(emitter) && kind != RECORD_ATOMG && element_bytes <= 16 &&
	    (element_bytes & (element_bytes - 1)) == 0) {
		fill_bytes(byte, offset, element_bytes);
		emit_buffer(emitter, kind, CACHE_NORMAL, emitter->buffer,
			    (uint8_t)element_bytes, mask, byte);
		return;
	}
	emitter->record.buffer = 0;
	emitter->record.bytes = bytes;
	emitter->record.count = (uint32_t)(last / SEGMENT_BYTES - offset / SEGMENT_BYTES + 1);
	append(emitter, kind, mask);
}

void emit_global_vote(Emitter *emitter, const Vote *vote, uint32_t mask, uint64_t offset)
{
	uint64_t byte[WARP_LANES];

	if (!tells_buffers(emitter)) {
		emit_global(emitter, RECORD_ATOMG, mask, offset, vote->width);
		return;
	}
	fill_bytes(byte, offset, vote->width);
	emit_buffer_vote(emitter, vote, emitter->buffer, mask, byte, NULL);
}
