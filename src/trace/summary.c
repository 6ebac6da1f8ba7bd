/* SPDX-License-Identifier: MIT */
/* Counts what a trace holds. */
#include "trace/summary.h"

#include "trace/internal.h"

static void add_addresses(TraceSummary *summary, const Record *record)
{
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint32_t first = record->address[i], last = first + record->width - 1;

		if (!summary->has_addresses) {
			summary->has_addresses = true;
			summary->lowest_address = first;
			summary->highest_address = last;
		}
		summary->lowest_address = MIN(summary->lowest_address, first);
		summary->highest_address = MAX(summary->highest_address, last);
	}
}

static void add_record(TraceSummary *summary, const Record *record, const Dataflow *dataflow,
		       uint64_t bytes)
{
	summary->n_records++;
	summary->records[record->kind]++;
	summary->record_bytes[record->kind] += bytes;
	summary->lane_operations[record->kind] += record->n_lanes;
	summary->instructions += record_instructions(record, dataflow);
	switch (record->kind) {
	case RECORD_ATOM:
		summary->atoms[record->operation][record->type]++;
		summary->atom_lane_operations[record->operation][record->type] +=
			record->n_lanes;
		summary->atoms_with_result += record->result;
		summary->atoms_with_values += record->has_values;
		add_addresses(summary, record);
		break;
	case RECORD_LOCK:
	case RECORD_UNLOCK:
		if (record->space == MEMORY_SHARED)
			add_addresses(summary, record);
		break;
	case RECORD_LDS:
	case RECORD_STS:
		add_addresses(summary, record);
		break;
	case RECORD_BAR:
		summary->named_barriers += record->barrier > 0 || record->count > 0;
		summary->barrier_arrivals += record->arrives;
		break;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		summary->with_buffer += record->buffer > 0;
		break;
	default:
		break;
	}
}

static bool add_warp(TraceSummary *summary, Directory *directory, uint64_t block, uint32_t warp,
		     GError **error)
{
	WarpStream *stream = stream_open(directory, block, warp);
	uint64_t bytes = 0;
	StreamStatus status;
	Record record;

	while ((status = stream->next(stream, &record)) == STREAM_RECORD) {
		uint64_t now = stream_bytes(stream);
		add_record(summary, &record, directory->reader->dataflow, now - bytes);
		bytes = now;
	}
	summary->raw_bytes += bytes;
	if (status == STREAM_FAILED)
		g_propagate_error(error, g_error_copy(stream_error(stream)));
	stream->close(stream);
	return status == STREAM_END;
}

bool trace_summary_add(TraceSummary *summary, TraceReader *reader, uint64_t block,
		       GError **error)
{
	const Place place = references_place(&reader->references, reader->entries, block);
	Directory *directory = directory_open(reader, place.stored, error);
	bool good = directory != NULL;

	if (!directory)
		return false;
	summary->n_blocks++;
	summary->n_warps += directory->n_warps;
	summary->shared_bytes =
		MAX(summary->shared_bytes, reader->entries[place.stored].shared_bytes);
	summary->n_stored += !place.span;
	for (uint32_t s = 0; !place.span && s < directory->first_segment[directory->n_warps];
	     s++) {
		summary->n_segments++;
		summary->stored_bytes += directory->segments[s].stored_bytes;
	}
	for (uint32_t w = 0; good && w < directory->n_warps; w++)
		good = add_warp(summary, directory, block, w, error);
	directory_close(directory);
	return good;
}
