/* SPDX-License-Identifier: MIT */
/*
 * Gaps and sites as bytes. Nothing is allocated by a number in a file: arrays grow with the
 * operations that were really read, each of two bytes or more of at most TRACE_MAX_DATAFLOW_BYTES.
 */
#include "trace/dataflow.h"

#include "trace/format.h"

/* A data flow that was read owns these. */
typedef struct {
	Dataflow flow; /* first */
	GBytes *bytes;
	GArray *operations; /* CodeOperation, of all gaps */
	GArray *gaps;	    /* Gap */
	GArray *sites;	    /* SiteFlow */
} OwnedDataflow;

/* Bytes with a place, and what went wrong there. */
typedef struct {
	const uint8_t *start, *at, *end;
	const char *problem; /* NULL: nothing */
} Cursor;

static bool refuse(Cursor *cursor, const char *problem)
{
	if (!cursor->problem)
		cursor->problem = problem;
	return false;
}

static uint8_t take_byte(Cursor *cursor)
{
	if (cursor->at < cursor->end)
		return *cursor->at++;
	refuse(cursor, "the data flow ends in the middle");
	return 0;
}

static uint32_t take_varint(Cursor *cursor)
{
	uint32_t value = 0;

	for (unsigned shift = 0; shift < 35; shift += 7) {
		uint32_t byte = take_byte(cursor);

		if (shift == 28 && byte > 0x0f)
			break;
		value |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	refuse(cursor, "a number is longer than 5 bytes or 32 bits");
	return 0;
}

/* A list of n values, each below n_values. */
static const uint8_t *take_values(Cursor *cursor, uint32_t n, uint32_t n_values)
{
	const uint8_t *values = cursor->at;

	for (uint32_t i = 0; i < n; i++)
		if (take_byte(cursor) >= n_values)
			refuse(cursor, "a value that there is not");
	return values;
}

static uint8_t take_guard(Cursor *cursor, bool stored, uint32_t n_values)
{
	uint32_t guard = stored ? take_byte(cursor) : DATAFLOW_NO_VALUE;

	if (stored && guard >= n_values)
		refuse(cursor, "a value that there is not");
	return (uint8_t)guard;
}

/* A stored instruction's number; 0: not known. */
static uint32_t take_instruction(Cursor *cursor)
{
	const uint32_t instruction = take_varint(cursor);

	if (instruction > DATAFLOW_MAX_INSTRUCTIONS)
		refuse(cursor, "an instruction beyond 16777216");
	return instruction;
}

/* before: the instruction of the operation before it in its gap. */
static CodeOperation take_operation(Cursor *cursor, const Dataflow *flow, uint32_t before)
{
	uint8_t first = take_byte(cursor), counts = take_byte(cursor);
	CodeOperation operation = {.class = first & CODE_CLASS_MASK,
				   .n_writes = counts & 15,
				   .n_reads = counts >> 4};

	if (operation.class >= N_CODE_CLASSES)
		refuse(cursor, "unknown class of operation");
	if (cursor->problem)
		return operation;
	operation.guard = take_guard(cursor, first & CODE_GUARD, flow->n_values);
	if (first & CODE_LINE) {
		uint32_t line = take_varint(cursor);

		if (line >= flow->n_lines)
			refuse(cursor, "a line of constants that there is not");
		operation.line = (uint16_t)(line + 1);
	}
	operation.instruction = first & CODE_INSTRUCTION ? take_instruction(cursor)
							 : format_next_instruction(before);
	operation.writes = take_values(cursor, operation.n_writes, flow->n_values);
	operation.reads = take_values(cursor, operation.n_reads, flow->n_values);
	return operation;
}

static bool read_gaps(OwnedDataflow *owned, Cursor *cursor)
{
	uint32_t n_gaps = take_varint(cursor), first = 0;

	for (uint32_t g = 0; g < n_gaps && !cursor->problem; g++) {
		Gap gap = {.n_operations = take_varint(cursor)};
		uint32_t instruction = 0;

		if (gap.n_operations == 0)
			refuse(cursor, "a gap of 0 operations; 1 or more are allowed");
		for (uint32_t i = 0; i < gap.n_operations && !cursor->problem; i++) {
			CodeOperation operation =
				take_operation(cursor, &owned->flow, instruction);

			instruction = operation.instruction;
			g_array_append_val(owned->operations, operation);
		}
		g_array_append_val(owned->gaps, gap);
	}
	if (cursor->problem)
		return false;
	/* The operations stay where they are only now. */
	for (uint32_t g = 0; g < n_gaps; g++) {
		Gap *gap = &g_array_index(owned->gaps, Gap, g);

		gap->operations = &g_array_index(owned->operations, CodeOperation, first);
		first += gap->n_operations;
	}
	owned->flow.n_gaps = n_gaps;
	owned->flow.gaps = (const Gap *)(void *)owned->gaps->data;
	return true;
}

static bool read_sites(OwnedDataflow *owned, Cursor *cursor, uint32_t n_sites)
{
	uint32_t n = take_varint(cursor), n_values = owned->flow.n_values;

	if (n > n_sites)
		return refuse(cursor, "more sites than the metadata has");
	for (uint32_t s = 0; s < n && !cursor->problem; s++) {
		uint8_t reads = take_byte(cursor), second = take_byte(cursor);
		SiteFlow site = {
			.n_address = reads & 15, .n_data = reads >> 4, .n_writes = second & 15};

		if (second & ~(15 | SITE_GUARD | SITE_INSTRUCTION))
			refuse(cursor, "a bit of a site that has no meaning is set");
		if (cursor->problem)
			return false;
		site.guard = take_guard(cursor, second & SITE_GUARD, n_values);
		if (second & SITE_INSTRUCTION)
			site.instruction = take_instruction(cursor);
		site.address = take_values(cursor, site.n_address, n_values);
		site.data = take_values(cursor, site.n_data, n_values);
		site.writes = take_values(cursor, site.n_writes, n_values);
		g_array_append_val(owned->sites, site);
	}
	owned->flow.n_sites = n;
	owned->flow.sites = (const SiteFlow *)(void *)owned->sites->data;
	return !cursor->problem;
}

static bool read_head(Dataflow *flow, Cursor *cursor)
{
	flow->n_values = take_varint(cursor);
	flow->n_lines = take_varint(cursor);
	if (flow->n_values > DATAFLOW_MAX_VALUES)
		return refuse(cursor, "more than 255 values");
	if (flow->n_lines > DATAFLOW_MAX_LINES)
		return refuse(cursor, "more than 4096 lines of constants");
	return !cursor->problem;
}

Dataflow *dataflow_read(GBytes *bytes, uint32_t n_sites, const char **problem, size_t *at)
{
	static const uint8_t nothing;
	gsize length;
	const uint8_t *data = g_bytes_get_data(bytes, &length);
	const uint8_t *start = data != NULL ? data : &nothing; /* no bytes may have no place */
	Cursor cursor = {start, start, start + length, NULL};
	OwnedDataflow *owned = g_new0(OwnedDataflow, 1);

	owned->bytes = g_bytes_ref(bytes);
	owned->operations = g_array_new(FALSE, FALSE, sizeof(CodeOperation));
	owned->gaps = g_array_new(FALSE, FALSE, sizeof(Gap));
	owned->sites = g_array_new(FALSE, FALSE, sizeof(SiteFlow));
	if (read_head(&owned->flow, &cursor) && read_gaps(owned, &cursor) &&
	    read_sites(owned, &cursor, n_sites) && cursor.at != cursor.end)
		refuse(&cursor, "bytes follow the data flow");
	if (!cursor.problem)
		return &owned->flow;
	*problem = cursor.problem;
	*at = (size_t)(cursor.at - cursor.start);
	dataflow_free(&owned->flow);
	return NULL;
}

void dataflow_free(Dataflow *dataflow)
{
	OwnedDataflow *owned = (OwnedDataflow *)dataflow;

	if (!owned)
		return;
	g_array_unref(owned->operations);
	g_array_unref(owned->gaps);
	g_array_unref(owned->sites);
	g_bytes_unref(owned->bytes);
	g_free(owned);
}
