/* SPDX-License-Identifier: MIT */
/* A statement of a trace text becomes a record of a warp, in each block that is alike. */

#include "base/names.h"
#include "trace/text/flow.h"

#define LOCK_BYTES 4
#define MAX_WIDTH  16

/* --- Records --- */

/* Appends it to its warp of each block that is alike; `each`: bytes from a block's buffer to the next one's. */
static gboolean append_alone(Assembly *assembly, TextPlace place, Record *record, uint64_t each)
{
	if (assembly->records + assembly->n_alike > assembly->max_steps / 2)
		return text_fail(assembly->error, assembly->state.name, place,
				 "more records than may be made; allowed: %" G_GUINT64_FORMAT,
				 assembly->max_steps / 2);
	assembly->records += assembly->n_alike;
	record->offset += assembly->first_block * each;
	for (uint64_t i = 0; i < assembly->n_alike; i++) {
		trace_writer_append(assembly->writer, assembly->first_block + i, assembly->warp,
				    record);
		record->offset += each;
	}
	return TRUE;
}

gboolean assemble_gap(Assembly *assembly, TextPlace place)
{
	Record record = {.kind = RECORD_CODE};

	return !open_gap_take(assembly->gaps, assembly->writer, &record.gap) ||
	       append_alone(assembly, place, &record, 0);
}

/* Behind the operations in front of it. */
static gboolean append(Assembly *assembly, const Statement *statement, Record *record,
		       uint64_t each)
{
	return assemble_gap(assembly, statement->place) &&
	       append_alone(assembly, statement->place, record, each);
}

static gboolean assemble_code(Assembly *assembly, const Statement *statement)
{
	const bool distinct = code_has_distinct(statement->class);
	const gint64 most = distinct ? assembly->n_lanes : DATAFLOW_MAX_LINES - 1;
	gint64 number = 0;
	Flow flow;

	if (!flow_of(assembly, statement, &flow) ||
	    (statement->number && !expression_range(statement->number, &assembly->state,
						    statement_number_name(statement->class),
						    distinct, most, &number, assembly->error)))
		return FALSE;
	if (statement->number && !distinct)
		number++;
	flow.number = (uint16_t)number;
	/* The place of a load of a constant is its gap and which operation of it: the same one again has its line. */
	if (statement->class == CODE_CONSTANT && !assemble_gap(assembly, statement->place))
		return FALSE;
	/* A taken branch goes back to what was run, as the loop does that `repeat` stands for: so it ends its gap. */
	return (!open_gap_add(assembly->gaps, &flow) && statement->class != CODE_CONSTANT &&
		!code_is_taken(statement->class)) ||
	       assemble_gap(assembly, statement->place);
}

/* What an atomic's lanes store, add, compare with. */
static gboolean fill_operands(Assembly *assembly, const Statement *statement, Record *record)
{
	const struct {
		const Expression *expression;
		uint64_t *to;
	} operands[] = {{statement->value, record->value},
			{statement->compare, record->compare}};
	gint64 numbers[MAX_LANES];

	for (guint k = 0; k < G_N_ELEMENTS(operands); k++) {
		guint n = 0;

		if (operands[k].expression == NULL)
			continue;
		if (record->width > sizeof(record->value[0]))
			return text_fail(assembly->error, assembly->state.name,
					 operands[k].expression->place,
					 "the operand of an atomic of 16 bytes found; allowed: "
					 "none");
		if (!expression_lanes(operands[k].expression, &assembly->state, record->mask,
				      numbers, assembly->error))
			return FALSE;
		for (guint i = 0; i < assembly->n_lanes; i++)
			if (record->mask >> i & 1)
				operands[k].to[n++] = (uint64_t)numbers[i];
		record->has_values = true;
	}
	return TRUE;
}

/* Its lanes, and the byte of each one. */
static gboolean fill_lanes(Assembly *assembly, const Statement *statement, uint64_t limit,
			   Record *record, uint64_t byte[MAX_LANES])
{
	gint64 takes_part[MAX_LANES], at[MAX_LANES];

	record->mask = lanes_below(assembly->n_lanes);
	if (statement->where) {
		if (!expression_lanes(statement->where, &assembly->state, record->mask,
				      takes_part, assembly->error))
			return FALSE;
		for (guint i = 0; i < assembly->n_lanes; i++)
			if (takes_part[i] == 0)
				record->mask &= ~((LaneMask)1 << i);
	}
	if (!expression_lanes(statement->at, &assembly->state, record->mask, at,
			      assembly->error))
		return FALSE;
	for (guint i = 0; i < assembly->n_lanes; i++) {
		if (!(record->mask >> i & 1))
			continue;
		if (at[i] < 0 || (uint64_t)at[i] + record->width > limit ||
		    (at[i] & (record->width - 1)) != 0)
			return text_fail(
				assembly->error, assembly->state.name, statement->at->place,
				"lane %u at byte %" G_GINT64_FORMAT
				" found; allowed: multiples of %u from 0 to %" G_GINT64_FORMAT,
				i, at[i], record->width, (gint64)limit - record->width);
		byte[record->n_lanes++] = (uint64_t)at[i];
	}
	return fill_operands(assembly, statement, record);
}

/* Bytes of an access of each lane. */
static gboolean fill_width(Assembly *assembly, const Statement *statement, Record *record)
{
	gint64 width = LOCK_BYTES;

	if (statement->record == RECORD_ATOM || statement->record == RECORD_ATOMG)
		width = value_type_bytes[statement->type];
	else if (statement->number && !expression_number(statement->number, &assembly->state,
							 &width, assembly->error))
		return FALSE;
	if (width < 1 || width > MAX_WIDTH || (width & (width - 1)) != 0)
		return flow_fail(assembly, statement->number->place, "bytes of a lane", width,
				 "1, 2, 4, 8, 16");
	record->width = (uint8_t)width;
	return TRUE;
}

/* Addresses of lanes, in a buffer from the lowest on. */
static gboolean fill_addresses(Assembly *assembly, const Statement *statement,
			       const uint64_t *byte, Record *record)
{
	uint64_t lowest = byte[0];

	for (guint i = 1; i < record->n_lanes; i++)
		lowest = MIN(lowest, byte[i]);
	record->offset = statement->buffer > 0 ? lowest : 0;
	for (guint i = 0; i < record->n_lanes; i++) {
		if (byte[i] - record->offset > G_MAXUINT32)
			return text_fail(assembly->error, assembly->state.name,
					 statement->at->place,
					 "lanes further apart than 4 GiB; allowed: up to that");
		record->address[i] = (uint32_t)(byte[i] - record->offset);
	}
	return TRUE;
}

/* An access, a lock. Where no lane takes part there is none. */
static gboolean assemble_access(Assembly *assembly, const Statement *statement)
{
	const Buffer *buffer =
		statement->buffer > 0 ? &assembly->text->buffers[statement->buffer - 1] : NULL;
	const uint64_t bytes =
		buffer ? assembly->buffer_bytes[statement->buffer - 1] : assembly->shared_bytes;
	Record record = {.kind = (uint8_t)statement->record,
			 .operation = (uint8_t)statement->operation,
			 .type = (uint8_t)statement->type,
			 .result = statement->writes != NULL,
			 .cache = (uint8_t)statement->cache,
			 .space = buffer ? MEMORY_GLOBAL : MEMORY_SHARED,
			 .buffer = (uint16_t)statement->buffer};
	uint64_t byte[MAX_LANES];
	gboolean gives;
	Flow flow;

	if (buffer && buffer->local && statement->record != RECORD_LDG &&
	    statement->record != RECORD_STG)
		return text_fail(assembly->error, assembly->state.name, statement->place,
				 "%s: an atomic or a lock found; allowed in thread-local "
				 "memory: ldg, stg",
				 buffer->name);
	if (!fill_width(assembly, statement, &record) ||
	    !fill_lanes(assembly, statement, bytes, &record, byte))
		return FALSE;
	if (record.n_lanes == 0)
		return TRUE;
	if (statement->result) {
		if (!expression_true(statement->result, &assembly->state, &gives,
				     assembly->error))
			return FALSE;
		record.result |= gives;
	}
	if (buffer)
		assembly_touch(assembly, statement->buffer, byte, record.n_lanes);
	if (!fill_addresses(assembly, statement, byte, &record) ||
	    !flow_of(assembly, statement, &flow) || !site_of(assembly, &flow, &record.site))
		return FALSE;
	if (statement->watched && assembly->outcome->watched_site == 0)
		assembly->outcome->watched_site = record.site;
	return append(assembly, statement, &record, buffer && buffer->each ? bytes : 0);
}

static gboolean assemble_barrier(Assembly *assembly, const Statement *statement)
{
	gint64 barrier = 0, threads = 0;

	if ((statement->number &&
	     !expression_range(statement->number, &assembly->state, "bar", 0,
			       TRACE_MAX_BARRIERS - 1, &barrier, assembly->error)) ||
	    (statement->threads &&
	     !expression_range(statement->threads, &assembly->state, "threads", 1,
			       assembly->n_warps * assembly->n_lanes, &threads,
			       assembly->error)))
		return FALSE;
	Record record = {.kind = RECORD_BAR,
			 .barrier = (uint8_t)barrier,
			 .count = (uint32_t)threads,
			 .arrives = statement->arrives};

	return append(assembly, statement, &record, 0);
}

static gboolean assemble_count(Assembly *assembly, const Statement *statement)
{
	Record record = {.kind = (uint8_t)statement->record};
	gint64 count;

	if (!expression_range(statement->number, &assembly->state,
			      record_kind_names[statement->record], 0, G_MAXINT32, &count,
			      assembly->error))
		return FALSE;
	record.count = (uint32_t)count;
	return count == 0 || append(assembly, statement, &record, 0);
}

gboolean assemble_record(Assembly *assembly, const Statement *statement)
{
	Record fence = {.kind = RECORD_FENCE, .scope = (uint8_t)statement->scope};

	switch (statement->record) {
	case RECORD_EXIT:
		assembly->exited = TRUE;
		return TRUE;
	case RECORD_CODE:
		return assemble_code(assembly, statement);
	case RECORD_BAR:
		return assemble_barrier(assembly, statement);
	case RECORD_FENCE:
		return append(assembly, statement, &fence, 0);
	case RECORD_ALU:
	case RECORD_UNKNOWN:
	case RECORD_SHFL:
	case RECORD_VOTE:
		return assemble_count(assembly, statement);
	default:
		return assemble_access(assembly, statement);
	}
}
