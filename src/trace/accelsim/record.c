/* SPDX-License-Identifier: MIT */
/* Instructions of an Accel-Sim trace become records as docs/import.md says. */
#include <stdlib.h>
#include <string.h>

#include "trace/accelsim/accelsim.h"

/* From compute capability 9.0 on shared memory begins with 1 KiB that belongs to the system, and
   the number of the block within its cluster stands above bit 24. */
#define FIRST_SYSTEM_SHARED 90
#define SYSTEM_SHARED_BYTES 0x400
#define SHARED_ADDRESS_MASK 0xffffff
#define MAX_CLUSTER_BLOCKS  16

#define MAX_SITES     65536 /* instructions beyond have no site */
#define SEGMENT_BYTES 128

static void append(AccelSimKernel *kernel, const AccelSimWarp *warp, const Record *record)
{
	trace_writer_append(kernel->writer, kernel->block_id, warp->number, record);
}

void accelsim_flush(AccelSimKernel *kernel, AccelSimWarp *warp)
{
	Record record = {.kind = RECORD_ALU, .count = warp->n_alu};

	if (warp->n_alu > 0)
		append(kernel, warp, &record);
	warp->n_alu = 0;
}

static guint32 site_of(AccelSimKernel *kernel, const Instruction *instruction)
{
	guint32 number =
		GPOINTER_TO_UINT(g_hash_table_lookup(kernel->site_of, &instruction->pc));

	if (number == 0 && kernel->sites->len < MAX_SITES) {
		ImportSite site = {instruction->pc, instruction->source_line,
				   instruction->opcode};

		g_array_append_val(kernel->sites, site);
		number = kernel->sites->len;
		g_hash_table_insert(kernel->site_of,
				    g_memdup2(&instruction->pc, sizeof(instruction->pc)),
				    GUINT_TO_POINTER(number));
	}
	return number;
}

static void append_at(AccelSimKernel *kernel, AccelSimWarp *warp,
		      const Instruction *instruction, Record *record)
{
	accelsim_flush(kernel, warp);
	record->site = site_of(kernel, instruction);
	append(kernel, warp, record);
}

static void append_unknown(AccelSimKernel *kernel, AccelSimWarp *warp,
			   const Instruction *instruction)
{
	Record record = {.kind = RECORD_UNKNOWN, .count = 1};

	kernel->counts->n_dropped++;
	append_at(kernel, warp, instruction, &record);
}

static void drop(AccelSimKernel *kernel, AccelSimWarp *warp, const Instruction *instruction,
		 Dropped why)
{
	kernel->dropped[why]++;
	append_unknown(kernel, warp, instruction);
}

/* Bytes of generic addresses that are shared memory. */
static guint64 window_bytes(const AccelSimHeader *header)
{
	guint64 one = SHARED_ADDRESS_MASK + 1;

	return header->binary_version >= FIRST_SYSTEM_SHARED ? MAX_CLUSTER_BLOCKS * one : one;
}

/* Byte address in the block's shared memory. FALSE if it is none. */
static gboolean shared_offset(const AccelSimKernel *kernel, const Opcode *opcode,
			      guint64 address, guint32 *offset)
{
	if (opcode->space == SPACE_GENERIC)
		address -= kernel->header.shared_base;
	if (kernel->header.binary_version >= FIRST_SYSTEM_SHARED) {
		address &= SHARED_ADDRESS_MASK;
		if (address < SYSTEM_SHARED_BYTES)
			return FALSE;
		address -= SYSTEM_SHARED_BYTES;
	}
	*offset = (guint32)address;
	return address <= kernel->header.shared_bytes &&
	       address + opcode->width <= kernel->header.shared_bytes &&
	       address % opcode->width == 0;
}

static void append_shared(AccelSimKernel *kernel, AccelSimWarp *warp,
			  const Instruction *instruction)
{
	static const RecordKind kinds[] = {[OPCODE_LOAD] = RECORD_LDS,
					   [OPCODE_STORE] = RECORD_STS,
					   [OPCODE_ATOMIC] = RECORD_ATOM};
	const Opcode *opcode = instruction->opcode;
	Record record = {.kind = (uint8_t)kinds[opcode->kind],
			 .operation = (uint8_t)opcode->operation,
			 .type = (uint8_t)opcode->type,
			 .width = opcode->width,
			 .mask = instruction->mask,
			 .n_lanes = (uint8_t)__builtin_popcount(instruction->mask),
			 .result = !opcode->reduction && instruction->has_result};

	if (opcode->untyped) {
		append_unknown(kernel, warp, instruction);
		return;
	}
	for (guint i = 0; i < record.n_lanes; i++)
		if (!shared_offset(kernel, opcode, instruction->address[i],
				   &record.address[i])) {
			drop(kernel, warp, instruction, DROPPED_OUT_OF_RANGE);
			return;
		}
	append_at(kernel, warp, instruction, &record);
}

static int compare_segments(const void *a, const void *b)
{
	guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

	return (x > y) - (x < y);
}

static guint32 count_segments(const Instruction *instruction, guint n_lanes)
{
	guint64 touched[2 * TRACE_MAX_LANES];
	gboolean sorted = TRUE;
	guint32 n = 0, n_different;

	for (guint i = 0; i < n_lanes; i++) {
		guint64 first = instruction->address[i] / SEGMENT_BYTES;
		guint64 last = (instruction->address[i] + instruction->opcode->width - 1) /
			       SEGMENT_BYTES;

		for (guint64 segment = first;; segment = last) {
			if (n == 0 || touched[n - 1] != segment) {
				sorted &= n == 0 || touched[n - 1] < segment;
				touched[n++] = segment;
			}
			if (segment == last)
				break;
		}
	}
	if (sorted) /* most are, or lie in one segment */
		return n;
	qsort(touched, n, sizeof(*touched), compare_segments);
	n_different = 1;
	for (guint32 i = 1; i < n; i++)
		n_different += touched[i] != touched[i - 1];
	return n_different;
}

static void append_global(AccelSimKernel *kernel, AccelSimWarp *warp,
			  const Instruction *instruction)
{
	static const RecordKind kinds[] = {[OPCODE_LOAD] = RECORD_LDG,
					   [OPCODE_STORE] = RECORD_STG,
					   [OPCODE_ATOMIC] = RECORD_ATOMG};
	guint n_lanes = (guint)__builtin_popcount(instruction->mask);
	Record record = {.kind = (uint8_t)kinds[instruction->opcode->kind],
			 .mask = instruction->mask,
			 .n_lanes = (uint8_t)n_lanes,
			 .bytes = n_lanes * instruction->opcode->width,
			 .count = count_segments(instruction, n_lanes)};

	append_at(kernel, warp, instruction, &record);
}

static void append_access(AccelSimKernel *kernel, AccelSimWarp *warp,
			  const Instruction *instruction)
{
	guint n_lanes = (guint)__builtin_popcount(instruction->mask), n_shared = 0;
	const AccelSimHeader *header = &kernel->header;

	if (!instruction->has_addresses) {
		drop(kernel, warp, instruction, DROPPED_NO_ADDRESS);
		return;
	}
	if (instruction->opcode->space == SPACE_SHARED)
		n_shared = n_lanes;
	else if (instruction->opcode->space == SPACE_GENERIC && header->shared_base != 0)
		for (guint i = 0; i < n_lanes; i++)
			n_shared += instruction->address[i] - header->shared_base <
				    window_bytes(header);
	if (n_shared == n_lanes)
		append_shared(kernel, warp, instruction);
	else if (n_shared == 0)
		append_global(kernel, warp, instruction);
	else
		drop(kernel, warp, instruction, DROPPED_MIXED);
}

/* Lanes of a warp may come to a barrier one after the other; the warp waits when all that run have.
   Called when a lane arrives or ends. */
static void append_barrier(AccelSimKernel *kernel, AccelSimWarp *warp,
			   const Instruction *instruction)
{
	Record record = {.kind = RECORD_BAR};

	if (warp->arrived == 0 || (warp->entered & ~warp->exited & ~warp->arrived) != 0)
		return;
	warp->arrived = 0;
	append_at(kernel, warp, instruction, &record);
}

void accelsim_append(AccelSimKernel *kernel, AccelSimWarp *warp, const Instruction *instruction)
{
	Opcode *opcode = instruction->opcode;

	opcode->n_lines++;
	kernel->counts->n_instructions++;
	kernel->counts->n_unknown += opcode->kind == OPCODE_UNKNOWN;
	warp->entered |= instruction->mask;
	/* Without a lane that does it, it only takes the time to be issued. */
	if (instruction->mask == 0 || opcode->kind <= OPCODE_UNKNOWN) {
		if (warp->n_alu == G_MAXUINT32)
			accelsim_flush(kernel, warp);
		warp->n_alu++;
		return;
	}
	switch (opcode->kind) {
	case OPCODE_BARRIER:
		warp->arrived |= instruction->mask;
		append_barrier(kernel, warp, instruction);
		break;
	case OPCODE_EXIT:
		/* The record of the end follows when the block is complete. */
		warp->exited |= instruction->mask;
		append_barrier(kernel, warp, instruction);
		break;
	case OPCODE_UNTOLD:
		append_unknown(kernel, warp, instruction);
		break;
	default:
		append_access(kernel, warp, instruction);
	}
}
