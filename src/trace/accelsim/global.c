/* SPDX-License-Identifier: MIT */
/*
 * Accesses to global memory: their addresses, relative to numbered buffers. A trace does not say
 * allocations, so a run of pages with accesses is a buffer. It begins with the page that was met first, and
 * grows at its end. Where pages are met in falling order, or with gaps that close later, one
 * allocation becomes several buffers side by side; an access that reaches into two is recorded without
 * addresses, and counted.
 */
#include "base/lanes.h"
#include "trace/accelsim/accelsim.h"

#define PAGE_BYTES (UINT64_C(2) << 20) /* the driver maps memory in these */

/* --- Buffers --- */

static ImportBuffer *buffer_at(const AccelSimKernel *kernel, guint i)
{
	return &g_array_index(kernel->buffers, ImportBuffer, i);
}

static gboolean holds(const AccelSimKernel *kernel, guint i, guint64 address)
{
	return i < kernel->buffers->len && address >= buffer_at(kernel, i)->begin &&
	       address < buffer_at(kernel, i)->end;
}

/* Place of the first buffer that ends behind an address. */
static guint first_behind(const AccelSimKernel *kernel, guint64 address)
{
	guint low = 0, high = kernel->buffers->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (address >= buffer_at(kernel, middle)->end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The page of an address belongs to a buffer from now on. FALSE if there are too many. */
static gboolean add_page(AccelSimKernel *kernel, guint64 address)
{
	guint64 page = address / PAGE_BYTES * PAGE_BYTES;
	guint place = first_behind(kernel, address);
	ImportBuffer buffer = {.begin = page, .end = page + PAGE_BYTES};

	if (holds(kernel, place, address))
		return TRUE;
	if (place > 0 && buffer_at(kernel, place - 1)->end == page &&
	    buffer.end - buffer_at(kernel, place - 1)->begin <= TRACE_MAX_BUFFER_BYTES) {
		buffer_at(kernel, place - 1)->end = buffer.end;
		return TRUE;
	}
	if (kernel->buffers->len == TRACE_MAX_BUFFERS)
		return FALSE;
	buffer.number = (guint16)(kernel->buffers->len + 1);
	g_array_insert_val(kernel->buffers, place, buffer);
	return TRUE;
}

static gboolean add_pages(AccelSimKernel *kernel, const Instruction *instruction, guint n_lanes,
			  guint width)
{
	for (guint i = 0; i < n_lanes; i++)
		if (!add_page(kernel, instruction->address[i]) ||
		    !add_page(kernel, instruction->address[i] + width - 1))
			return FALSE;
	return TRUE;
}

/* Gives the record its buffer, offset and addresses. FALSE if they are in no single one, not
   multiples of the width, or 4 GiB apart. */
static gboolean place(AccelSimKernel *kernel, const Instruction *instruction, Record *record)
{
	guint32 *last = &instruction->code->last_buffer;
	guint64 low = G_MAXUINT64, high = 0, all = 0;
	ImportBuffer *buffer;

	for (guint i = 0; i < record->n_lanes; i++) {
		guint64 address = instruction->address[i];

		low = MIN(low, address);
		high = MAX(high, address);
		all |= address;
	}
	if (all % record->width != 0 || high - low > G_MAXUINT32 || high > G_MAXINT64)
		return FALSE;
	high += record->width;
	if (!holds(kernel, *last, low) || !holds(kernel, *last, high - 1)) {
		if (!add_pages(kernel, instruction, record->n_lanes, record->width))
			return FALSE;
		*last = first_behind(kernel, low);
		if (!holds(kernel, *last, high - 1))
			return FALSE;
	}
	buffer = buffer_at(kernel, *last);
	buffer->used = MAX(buffer->used, high);
	record->buffer = buffer->number;
	record->offset = low - buffer->begin;
	for (guint i = 0; i < record->n_lanes; i++)
		record->address[i] = (guint32)(instruction->address[i] - low);
	return TRUE;
}

/* --- Records --- */

void accelsim_append_global(AccelSimKernel *kernel, AccelSimWarp *warp,
			    const Instruction *instruction)
{
	static const RecordKind kinds[] = {[OPCODE_LOAD] = RECORD_LDG,
					   [OPCODE_STORE] = RECORD_STG,
					   [OPCODE_ATOMIC] = RECORD_ATOMG};
	const Opcode *opcode = instruction->code->opcode;
	guint n_lanes = (guint)__builtin_popcount(instruction->mask);
	Record record = {.kind = (uint8_t)kinds[opcode->kind],
			 .operation = (uint8_t)opcode->operation,
			 .type = (uint8_t)opcode->type,
			 .width = opcode->width,
			 .mask = instruction->mask,
			 .n_lanes = (uint8_t)n_lanes,
			 /* answered, whether a register takes the answer or not */
			 .result = !opcode->reduction};

	if (opcode->untyped || !place(kernel, instruction, &record)) {
		kernel->dropped[DROPPED_UNPLACED]++;
		record.buffer = 0;
		record.bytes = n_lanes * opcode->width;
		record.count = lanes_segments(instruction->address, n_lanes, opcode->width);
	} else if (opcode->kind != OPCODE_ATOMIC) {
		record.cache = opcode->cache;
	}
	accelsim_append_record(kernel, warp, instruction, &record);
}
