/* SPDX-License-Identifier: MIT */
/* Instructions of an Accel-Sim trace become records as docs/guide/import.md says. */
#include "base/sass-class.h"
#include "trace/accelsim/accelsim.h"

/* From compute capability 9.0 on shared memory begins with 1 KiB that belongs to the system, and
   the number of the block within its cluster is above bit 24. */
#define FIRST_SYSTEM_SHARED 90
#define SYSTEM_SHARED_BYTES 0x400
#define SHARED_ADDRESS_MASK 0xffffff
#define MAX_CLUSTER_BLOCKS  16

/* Of a block: NVIDIA, PTX ISA, "bar": 0 to 15. A number of threads is a multiple of a warp's. */
#define N_HARDWARE_BARRIERS 16

static void append_unknown(AccelSimKernel *kernel, AccelSimWarp *warp,
			   const Instruction *instruction)
{
	Record record = {.kind = RECORD_UNKNOWN, .count = 1};

	kernel->counts->n_dropped++;
	accelsim_append_record(kernel, warp, instruction, &record);
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
	const Opcode *opcode = instruction->code->opcode;
	Record record = {.kind = (uint8_t)kinds[opcode->kind],
			 .operation = (uint8_t)opcode->operation,
			 .type = (uint8_t)opcode->type,
			 .width = opcode->width,
			 .mask = instruction->mask,
			 .n_lanes = (uint8_t)__builtin_popcount(instruction->mask),
			 .result = !opcode->reduction && instruction->code->has_result};

	if (opcode->untyped || opcode->type >= N_SHARED_TYPES) {
		append_unknown(kernel, warp, instruction);
		return;
	}
	for (guint i = 0; i < record.n_lanes; i++)
		if (!shared_offset(kernel, opcode, instruction->address[i],
				   &record.address[i])) {
			drop(kernel, warp, instruction, DROPPED_OUT_OF_RANGE);
			return;
		}
	accelsim_append_record(kernel, warp, instruction, &record);
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
	if (instruction->code->opcode->space == SPACE_SHARED)
		n_shared = n_lanes;
	else if (instruction->code->opcode->space == SPACE_GENERIC && header->shared_base != 0)
		for (guint i = 0; i < n_lanes; i++)
			n_shared += instruction->address[i] - header->shared_base <
				    window_bytes(header);
	if (n_shared == n_lanes)
		append_shared(kernel, warp, instruction);
	else if (n_shared == 0)
		accelsim_append_global(kernel, warp, instruction);
	else
		drop(kernel, warp, instruction, DROPPED_MIXED);
}

/* The number of the barrier, 0 where a line does not say; FALSE if it is of a part of the block, or
   its operands are in registers. */
static gboolean barrier_number(const Instruction *instruction, guint8 *number)
{
	*number = 0;
	if (instruction->code->flow.n_reads > 0)
		return FALSE;
	if (instruction->has_immediate &&
	    (instruction->immediate < 0 || instruction->immediate >= N_HARDWARE_BARRIERS))
		return FALSE; /* the number of threads, which is behind that of the barrier */
	if (instruction->has_immediate)
		*number = (guint8)instruction->immediate;
	return TRUE;
}

/* Lanes of a warp may come to a barrier one after the other; the warp waits when all that run have.
   Called when a lane arrives or ends. FALSE if the warp goes on. */
static gboolean append_barrier(AccelSimKernel *kernel, AccelSimWarp *warp,
			       const Instruction *instruction)
{
	Record record = {.kind = RECORD_BAR, .barrier = warp->barrier};

	if (warp->arrived == 0 || (warp->entered & ~warp->exited & ~warp->arrived) != 0)
		return FALSE;
	warp->arrived = 0;
	accelsim_append_record(kernel, warp, instruction, &record);
	return TRUE;
}

static void arrive(AccelSimKernel *kernel, AccelSimWarp *warp, const Instruction *instruction)
{
	if (!barrier_number(instruction, &warp->barrier)) {
		drop(kernel, warp, instruction, DROPPED_BARRIERS);
		return;
	}
	warp->arrived |= instruction->mask;
	if (!append_barrier(kernel, warp, instruction))
		import_gaps_skip(kernel, warp, instruction->code);
}

static void append_exit(AccelSimKernel *kernel, AccelSimWarp *warp,
			const Instruction *instruction)
{
	warp->exited |= instruction->mask;
	/* That of the last lanes is the record of the end, which follows when the block is complete. */
	if ((warp->entered & ~warp->exited) != 0)
		import_gaps_collect(kernel, warp, instruction->code, instruction->mask);
	append_barrier(kernel, warp, instruction);
}

static void append_fence(AccelSimKernel *kernel, AccelSimWarp *warp,
			 const Instruction *instruction)
{
	Record record = {.kind = RECORD_FENCE,
			 .scope = sass_fence_scope(instruction->code->opcode->name)};

	accelsim_append_record(kernel, warp, instruction, &record);
}

static gboolean is_operation(const Opcode *opcode)
{
	return opcode->kind <= OPCODE_UNKNOWN;
}

void accelsim_append(AccelSimKernel *kernel, AccelSimWarp *warp, const Instruction *instruction)
{
	StaticInstruction *code = instruction->code;

	code->n_lines++;
	kernel->counts->n_instructions++;
	kernel->counts->n_unknown += code->opcode->kind == OPCODE_UNKNOWN;
	warp->entered |= instruction->mask;
	import_gaps_go_on(kernel, warp, code);
	if (is_operation(code->opcode)) {
		import_gaps_collect(kernel, warp, code, instruction->mask);
		return;
	}
	/* Without a lane that does it, it only takes the time to be issued. */
	if (instruction->mask == 0) {
		import_gaps_skip(kernel, warp, code);
		return;
	}
	switch (code->opcode->kind) {
	case OPCODE_BARRIER:
		arrive(kernel, warp, instruction);
		break;
	case OPCODE_FENCE:
		append_fence(kernel, warp, instruction);
		break;
	case OPCODE_EXIT:
		append_exit(kernel, warp, instruction);
		break;
	case OPCODE_UNRECORDED:
		append_unknown(kernel, warp, instruction);
		break;
	default:
		append_access(kernel, warp, instruction);
	}
}
