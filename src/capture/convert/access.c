/* SPDX-License-Identifier: MIT */
/* Events of accesses to records: addresses, operations, retry loops, arithmetic before them. */
#include "capture/convert/internal.h"

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

/* Instructions from `first` on, itself counted, before `to`. */
static int path_from(SassFunction *function, int first, int to)
{
	int behind = first == to ? -1 : sass_path(function, first, to);

	return first == to ? 0 : behind < 0 ? -1 : behind + 1;
}

/* Arithmetic since the warp's last event. A retry loop counts as its one record: what follows
   it begins behind its branch. */
void convert_append_arithmetic(Launch *launch, const Step *step)
{
	int from = last_place(step->warp, step->event->mask);
	int loop =
		from >= 0 && !launch->raw ? sass_instruction(launch->function, from)->loop : -1;
	int count = -1;

	if (step->index >= 0 && loop >= 0)
		count = path_from(
			launch->function,
			g_array_index(launch->function->loops, SassLoop, loop).branch + 1,
			step->index);
	else if (step->index >= 0)
		count = sass_path(launch->function, from, step->index);
	if (count > 0)
		append_alu(launch, step, (uint32_t)count);
	else if (count < 0)
		launch->counts->unresolved_paths++;
}

bool convert_shared_address(const Launch *launch, const Step *step, guint i, uint32_t *address)
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
		if (!convert_shared_address(launch, step, i, &record->address[i]))
			return FALSE;
	return TRUE;
}

/*
 * Whether the lanes try again what they tried before: in the same loop, with the same words. Lanes
 * of one execution leave the loop together, so an attempt has no lane that the one before had not.
 * What cannot be told apart is a loop around the loop with no event between, the same words, and
 * all lanes done at once: it counts as retry.
 */
static gboolean is_retry(const Step *step, const Record *attempt)
{
	const Warp *warp = step->warp;

	for (int lane = 0, i = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(attempt->mask >> lane & 1))
			continue;
		if (warp->loop[lane] != step->instruction->loop ||
		    warp->word[lane] != attempt->address[i++] ||
		    (attempt->mask & ~warp->attempt[lane]))
			return FALSE;
	}
	return TRUE;
}

/* An access of a retry loop. Its load is where an attempt begins; the first makes the record. */
void convert_loop(Launch *launch, const Step *step)
{
	const SassLoop *loop =
		&g_array_index(launch->function->loops, SassLoop, step->instruction->loop);
	Record record = {.kind = RECORD_ATOM,
			 .operation = loop->operation,
			 .type = loop->type,
			 .result = loop->result};
	Warp *warp = step->warp;
	gboolean again;

	if (step->index != loop->load) {
		launch->counts->folded_events++;
		return;
	}
	if (!set_shared_addresses(launch, step, &record)) {
		convert_append_unknown(launch, step, &launch->counts->out_of_range);
		return;
	}
	again = is_retry(step, &record);
	for (int lane = 0, i = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(record.mask >> lane & 1))
			continue;
		warp->loop[lane] = step->instruction->loop;
		warp->word[lane] = record.address[i++];
		warp->attempt[lane] = record.mask;
	}
	if (again) {
		launch->counts->folded_events++;
		return;
	}
	launch->counts->folded_atomics++;
	convert_append_arithmetic(launch, step);
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
