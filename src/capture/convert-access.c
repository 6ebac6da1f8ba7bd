/* SPDX-License-Identifier: MIT */
/* Events of accesses to records: addresses, operations, retry loops, arithmetic before them. */
#include "capture/convert-internal.h"

/*
 * Shared memory begins with 1 KiB that belongs to the system from compute capability 9.0 on, and
 * the number of the block within its cluster stands above bit 24: nvcc's code for 9.0 and 10.0
 * adds both, that for 7.5 to 8.6 does not (seen with CUDA 13.0).
 */
#define SYSTEM_SHARED_BYTES 0x400
#define SHARED_ADDRESS_MASK 0xffffff

void convert_append(Launch *launch, const Step *step, Record *record)
{
	record->site = step->index >= 0 ? launch->site_of[step->index] : 0;
	record->n_lanes = (uint8_t)__builtin_popcount(record->mask);
	trace_writer_append(launch->writer, step->event->block_id, step->event->warp, record);
}

void convert_append_plain(Launch *launch, const Step *step, RecordKind kind, uint32_t count)
{
	Record record = {.kind = kind, .count = count};

	convert_append(launch, step, &record);
}

/* Arithmetic belongs to no site. */
static void append_alu(Launch *launch, const Step *step, uint32_t count)
{
	Record record = {.kind = RECORD_ALU, .count = count};

	trace_writer_append(launch->writer, step->event->block_id, step->event->warp, &record);
}

/* Tells what records have no words for, and counts it. */
void convert_append_unknown(Launch *launch, const Step *step, uint64_t *counter)
{
	(*counter)++;
	convert_append_plain(launch, step, RECORD_UNKNOWN, 1);
}

/* Lanes that come together may have last been seen at different places: the warp came from the
   latest of these. */
static int last_place(const Warp *warp, uint32_t mask)
{
	uint64_t latest = 0;
	int at = -1;

	for (int lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (mask >> lane & 1 && warp->last_event[lane] > latest) {
			latest = warp->last_event[lane];
			at = warp->at[lane];
		}
	return at;
}

/* Arithmetic since the warp's last event. A retry loop counts as its one record: what follows
   it begins behind its branch. */
void convert_append_arithmetic(Launch *launch, const Step *step)
{
	int from = last_place(step->warp, step->event->mask);
	int count = -1;

	if (from >= 0 && !launch->raw) {
		int loop = sass_instruction(launch->function, from)->loop;

		if (loop >= 0)
			from = g_array_index(launch->function->loops, SassLoop, loop).branch;
	}
	if (step->index >= 0)
		count = sass_path(launch->function, from, step->index);
	if (count > 0)
		append_alu(launch, step, (uint32_t)count);
	else if (count < 0)
		launch->counts->unresolved_paths++;
}

/* Byte address in the block's shared memory. False if it lies outside or across words, which
   no GPU does. */
static gboolean shared_address(const Launch *launch, const Step *step, guint i,
			       uint32_t *address)
{
	uint64_t value = raw_address(step->event, step->addresses, i);
	uint32_t system_bytes = launch->target >= 90 ? SYSTEM_SHARED_BYTES : 0;

	value &= SHARED_ADDRESS_MASK;
	*address = (uint32_t)(value - system_bytes);
	return value >= system_bytes && *address % step->event->bytes == 0 &&
	       (uint64_t)*address + step->event->bytes <= step->block->shared_bytes;
}

static gboolean set_shared_addresses(const Launch *launch, const Step *step, Record *record)
{
	record->mask = step->event->mask;
	record->width = step->event->bytes;
	for (guint i = 0; i < (guint)__builtin_popcount(record->mask); i++)
		if (!shared_address(launch, step, i, &record->address[i]))
			return FALSE;
	return TRUE;
}

/*
 * An access of a retry loop. Its load tells the lanes that try: those that come new into the loop
 * make a record, the others try again. Lanes of one execution leave the loop together, so an
 * attempt has no lane that the one before had not; and a lane keeps its word. What cannot be told
 * apart is a loop around the loop with no event between and the same words: it counts as retry.
 */
void convert_loop(Launch *launch, const Step *step)
{
	const SassLoop *loop =
		&g_array_index(launch->function->loops, SassLoop, step->instruction->loop);
	Warp *warp = step->warp;
	uint32_t mask = step->event->mask, fresh = 0;
	Record all = {.kind = RECORD_ATOM}, record = all;
	gboolean is_inside = FALSE;
	guint n = 0;

	if (step->index != loop->load) {
		launch->counts->folded_events++;
		return;
	}
	if (!set_shared_addresses(launch, step, &all)) {
		convert_append_unknown(launch, step, &launch->counts->out_of_range);
		return;
	}
	for (int lane = 0, i = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		if (warp->loop[lane] != step->instruction->loop ||
		    warp->word[lane] != all.address[i])
			fresh |= 1u << lane;
		else
			is_inside = TRUE;
		i++;
	}
	if (is_inside && (mask & ~warp->attempt))
		fresh = mask;
	for (int lane = 0, i = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		if (fresh >> lane & 1)
			record.address[n++] = all.address[i];
		warp->loop[lane] = step->instruction->loop;
		warp->word[lane] = all.address[i++];
	}
	warp->attempt = mask;
	if (!fresh) {
		launch->counts->folded_events++;
		return;
	}
	launch->counts->folded_atomics++;
	convert_append_arithmetic(launch, step);
	record.mask = fresh;
	record.width = step->event->bytes;
	record.operation = loop->operation;
	record.type = loop->type;
	record.result = loop->result;
	convert_append(launch, step, &record);
}

void convert_shared(Launch *launch, const Step *step)
{
	const RawEvent *event = step->event;
	gboolean reads = event->flags & RAW_READ, writes = event->flags & RAW_WRITE;
	Record record = {.kind = reads ? RECORD_LDS : RECORD_STS};

	if (!set_shared_addresses(launch, step, &record)) {
		convert_append_unknown(launch, step, &launch->counts->out_of_range);
		return;
	}
	if (reads && writes) {
		Operation operation;
		ValueType type;

		if (!step->instruction ||
		    !sass_atomic(step->instruction, &operation, &type, &record.result) ||
		    event->bytes != (type >= TYPE_U64 ? 8 : 4)) {
			convert_append_unknown(launch, step,
					       &launch->counts->unknown_operations);
			return;
		}
		record.kind = RECORD_ATOM;
		record.operation = operation;
		record.type = type;
	}
	convert_append(launch, step, &record);
}

static int compare_segments(gconstpointer a, gconstpointer b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void convert_global(Launch *launch, const Step *step)
{
	const RawEvent *event = step->event;
	gboolean reads = event->flags & RAW_READ, writes = event->flags & RAW_WRITE;
	guint n_lanes = __builtin_popcount(event->mask), n = 0;
	uint64_t segments[2 * TRACE_MAX_LANES];
	Record record = {
		.kind = reads && writes ? RECORD_ATOMG
			: reads		? RECORD_LDG
					: RECORD_STG,
		.mask = event->mask,
		.bytes = n_lanes * event->bytes,
	};

	for (guint i = 0; i < n_lanes; i++) {
		uint64_t address = raw_address(event, step->addresses, i);

		segments[n++] = address / 128;
		segments[n++] = (address + MAX(event->bytes, 1) - 1) / 128;
	}
	qsort(segments, n, sizeof(*segments), compare_segments);
	for (guint i = 0; i < n; i++)
		record.count += i == 0 || segments[i] != segments[i - 1];
	convert_append(launch, step, &record);
}
