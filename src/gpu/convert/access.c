/* SPDX-License-Identifier: MIT */
/* Events of accesses to records: addresses, operations. */
#include <string.h>

#include "base/lanes.h"
#include "base/names.h"
#include "base/sass-class.h"
#include "gpu/convert/internal.h"

/*
 * Shared memory begins with 1 KiB that belongs to the system from compute capability 9.0 on, and
 * the number of the block within its cluster is above bit 24: nvcc's code for 9.0 and 10.0
 * adds both, that for 7.5 to 8.6 does not (seen with CUDA 13.0).
 */
#define SYSTEM_SHARED_BYTES 0x400
#define SHARED_ADDRESS_MASK 0xffffff

/* A compare-and-swap of 16 bits, as nvcc makes atomics of one number of half precision: taken as one of its word. */
static bool is_half_swap(const RawEvent *event)
{
	return event->bytes == 2 && event->flags & RAW_READ && event->flags & RAW_WRITE;
}

/* The sanitizer counts the bytes that somebody reads: 12 of LDS.128, or 3 of LDS, may be all. */
uint32_t convert_width_of(const RawEvent *event)
{
	uint32_t width = is_half_swap(event) ? 4 : 1;

	while (width < event->bytes)
		width *= 2;
	return width;
}

uint64_t convert_address_of(const Step *step, guint i)
{
	return raw_address(step->event, step->addresses, i) &
	       (is_half_swap(step->event) ? ~UINT64_C(3) : UINT64_MAX);
}

/* Byte address of the event's i-th lane in the block's shared memory. False if it lies outside
   or across words, which no GPU does. */
static bool shared_address(const Launch *launch, const Step *step, guint i, uint32_t *address)
{
	uint64_t value = convert_address_of(step, i);
	uint32_t system_bytes = launch->target >= 90 ? SYSTEM_SHARED_BYTES : 0;

	value &= SHARED_ADDRESS_MASK;
	*address = (uint32_t)(value - system_bytes);
	return value >= system_bytes && *address % convert_width_of(step->event) == 0 &&
	       (uint64_t)*address + convert_width_of(step->event) <= step->block->shared_bytes;
}

gboolean convert_shared_addresses(const Launch *launch, const Step *step, Record *record)
{
	record->mask = step->event->mask;
	record->width = (uint8_t)convert_width_of(step->event);
	for (guint i = 0; i < (guint)__builtin_popcountll(record->mask); i++)
		if (!shared_address(launch, step, i, &record->address[i]))
			return FALSE;
	return TRUE;
}

/* What each lane adds, as a program that records itself says it. */
static void set_recorded_values(const RawEvent *event, Record *record)
{
	const uint32_t *words = raw_values(event);
	guint n_lanes = (guint)__builtin_popcount(event->mask), n_words = event->bytes / 4;

	if (!words || n_words == 0 || n_words > 2 || record->operation == OPERATION_CAS)
		return;
	record->has_values = true;
	for (guint i = 0; i < n_lanes; i++, words += n_words)
		record->value[i] =
			n_words == 1 ? words[0] : words[0] | (uint64_t)words[1] << 32;
}

/* ATOM.E.ADD.F16x2 P0, RZ, [R4]: the GPU adds pairs of half precision in global memory alone, and says by P0 that it
   did not; the loop that does comes behind. */
static bool is_refused(const Step *step)
{
	return step->instruction && g_str_has_prefix(step->instruction->opcode, "ATOM.") &&
	       strstr(step->instruction->opcode, "F16x2");
}

void convert_shared(Launch *launch, const Step *step)
{
	const RawEvent *event = step->event;
	gboolean reads = event->flags & RAW_READ, writes = event->flags & RAW_WRITE;
	Record record = {.kind = reads ? RECORD_LDS : RECORD_STS};

	if (!convert_shared_addresses(launch, step, &record)) {
		convert_append_unknown(launch, step, &launch->counts->out_of_range);
		return;
	}
	if (reads && writes) {
		Operation operation;
		ValueType type;

		if (is_refused(step)) {
			convert_collect(launch, step, false, false);
			return;
		}
		if (!step->instruction ||
		    !sass_atomic(step->instruction, &operation, &type, &record.result) ||
		    convert_width_of(event) != value_type_bytes[type] ||
		    type >= N_SHARED_TYPES) {
			convert_append_unknown(launch, step,
					       &launch->counts->unknown_operations);
			return;
		}
		record.kind = RECORD_ATOM;
		record.operation = operation;
		record.type = type;
		set_recorded_values(event, &record);
	}
	convert_append(launch, step, &record);
}

/* 128-byte segments that an access touches. */
static uint32_t count_segments(const Step *step)
{
	guint n_lanes = (guint)__builtin_popcount(step->event->mask);
	uint64_t address[TRACE_MAX_LANES];

	for (guint i = 0; i < n_lanes; i++)
		address[i] = convert_address_of(step, i);
	return lanes_segments(address, n_lanes, MAX(convert_width_of(step->event), 1));
}

/* Gives the record its buffer, offset and addresses. Without a buffer if the lanes are in different
   ones, or 4 GiB apart. */
static bool set_global_addresses(const Launch *launch, const Step *step, Record *record)
{
	guint n_lanes = (guint)__builtin_popcount(step->event->mask);
	uint64_t low = UINT64_MAX, high = 0, base = 0, other;
	uint32_t bytes = convert_width_of(step->event);
	uint16_t buffer;

	for (guint i = 0; i < n_lanes; i++) {
		uint64_t address = convert_address_of(step, i);

		low = MIN(low, address);
		high = MAX(high, address);
		if (bytes && address % bytes != 0)
			return false;
	}
	buffer = buffers_find(launch->buffers, low, &base);
	if (!buffer || high - low > UINT32_MAX ||
	    buffers_find(launch->buffers, high + bytes - 1, &other) != buffer)
		return false;
	record->buffer = buffer;
	record->offset = low - base;
	record->width = (uint8_t)bytes;
	for (guint i = 0; i < n_lanes; i++)
		record->address[i] = (uint32_t)(convert_address_of(step, i) - low);
	return true;
}

bool convert_begin_global(const Launch *launch, const Step *step, RecordKind kind,
			  Record *record)
{
	*record = (Record){
		.kind = kind,
		.mask = step->event->mask,
		.bytes = (uint32_t)__builtin_popcount(step->event->mask) *
			 convert_width_of(step->event),
		.count = count_segments(step),
	};
	return step->instruction && set_global_addresses(launch, step, record);
}

void convert_global(Launch *launch, const Step *step)
{
	const RawEvent *event = step->event;
	gboolean reads = event->flags & RAW_READ, writes = event->flags & RAW_WRITE;
	Record record;
	Operation operation;
	ValueType type;

	if (convert_begin_global(launch, step,
				 reads && writes ? RECORD_ATOMG
				 : reads	 ? RECORD_LDG
						 : RECORD_STG,
				 &record)) {
		if (reads && writes &&
		    (!sass_atomic(step->instruction, &operation, &type, &record.result) ||
		     convert_width_of(event) != value_type_bytes[type])) {
			launch->counts->unknown_operations++;
			record.buffer = 0;
		} else if (reads && writes) {
			record.operation = operation;
			record.type = type;
			record.result = sass_is_answered(step->instruction);
		} else {
			record.cache = sass_cache_hint(step->instruction->opcode);
		}
	}
	launch->counts->unplaced_accesses += !record.buffer;
	convert_append(launch, step, &record);
}

#define WORD_BYTES 4

/*
 * Where thread-local memory lies: words of 4 bytes, lane beside lane, so that lanes that name the same word of theirs name one line of 128
 * bytes (measurements/h200/issue/issue-local.csv: 32 warps' stores of 4 bytes to 1, 2, 4 and 8 words of a lane take 4, 10, 20 and 40
 * cycles each, which stores to as many lines of global memory do, too). Wider values are taken to lie lane beside lane whole: the lines are the
 * same where all lanes name the same value, and too few where they name different ones (16 bytes a lane, 32 values: 64 cycles, measured 255).
 */
static uint64_t local_place(uint64_t byte, uint32_t width, guint lane)
{
	const uint64_t each = MAX(width, WORD_BYTES);

	return byte / each * each * TRACE_MAX_LANES + lane * each + byte % each;
}

static bool set_local_addresses(const Launch *launch, const Step *step, Record *record)
{
	const uint32_t width = convert_width_of(step->event);
	uint64_t place[TRACE_MAX_LANES] = {0}, begin;
	LaneMask left = record->mask;

	record->buffer = buffers_local(launch->buffers, &begin);
	record->width = (uint8_t)width;
	record->offset = UINT64_MAX;
	for (guint i = 0; left; i++, left &= left - 1) {
		const uint64_t byte = raw_address(step->event, step->addresses, i) - begin;

		if (byte % width != 0)
			return false;
		place[i] = local_place(byte, width, (guint)__builtin_ctzll(left));
		record->offset = MIN(record->offset, place[i]);
	}
	for (guint i = 0; i < (guint)__builtin_popcountll(record->mask); i++)
		record->address[i] = (uint32_t)(place[i] - record->offset);
	record->count = lanes_segments(place, (guint)__builtin_popcountll(record->mask), width);
	return record->buffer > 0;
}

void convert_local(Launch *launch, const Step *step)
{
	Record record = {
		.kind = step->event->flags & RAW_READ ? RECORD_LDG : RECORD_STG,
		.mask = step->event->mask,
		.bytes = (uint32_t)__builtin_popcount(step->event->mask) *
			 convert_width_of(step->event),
	};

	if (set_local_addresses(launch, step, &record)) {
		convert_append(launch, step, &record);
		return;
	}
	launch->counts->unplaced_accesses++;
	convert_collect(launch, step, false, false);
}

void convert_lock(Launch *launch, const Step *step, StepRole role)
{
	Record record = {.kind = role == STEP_LOCK ? RECORD_LOCK : RECORD_UNLOCK,
			 .mask = step->event->mask,
			 .width = 4};
	bool placed;

	if (step->event->kind == RAW_GLOBAL) {
		record.space = MEMORY_GLOBAL;
		placed = set_global_addresses(launch, step, &record);
	} else {
		record.space = MEMORY_SHARED;
		placed = convert_shared_addresses(launch, step, &record);
	}
	if (placed)
		convert_append(launch, step, &record);
	else
		convert_append_unknown(launch, step, &launch->counts->out_of_range);
}
