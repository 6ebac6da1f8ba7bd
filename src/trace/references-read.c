/* SPDX-License-Identifier: MIT */
/*
 * The references of version 3. What they take in memory is bounded by the bytes that they have in the file, and what they
 * stand for by the format's limits.
 */
#include "trace/references.h"

typedef struct {
	References *references;
	const TraceIndexEntry *index;
	uint64_t n_stored;
	const uint8_t *bytes;
	uint64_t n_bytes, at;
	const char *problem;
	uint64_t merged;  /* stored blocks that have a span */
	uint64_t next_id; /* no block that comes has a lower number */
	uint64_t n_referring, n_referring_records;
} Parser;

static bool fail(Parser *parser, const char *problem)
{
	if (!parser->problem)
		parser->problem = problem;
	return false;
}

/* LEB128 below 2^63. */
static bool take(Parser *parser, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 63; shift += 7) {
		uint64_t byte;

		if (parser->at == parser->n_bytes)
			return fail(parser, "they are cut off");
		byte = parser->bytes[parser->at++];
		*value |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return fail(parser, "a number is longer than 9 bytes");
}

/* The same, below `end`. */
static bool take_below(Parser *parser, uint64_t end, uint64_t *value, const char *problem)
{
	return take(parser, value) && (*value < end || fail(parser, problem));
}

/* A shift: zigzag. */
static bool take_shift(Parser *parser)
{
	uint64_t zigzag;
	int64_t shift;

	if (!take(parser, &zigzag))
		return false;
	shift = (int64_t)(zigzag >> 1) ^ -(int64_t)(zigzag & 1);
	if (shift >= TRACE_MAX_SHIFT || shift <= -TRACE_MAX_SHIFT)
		return fail(parser, "a shift of 2^42 bytes or more");
	g_array_append_val(parser->references->shifts, shift);
	return true;
}

static bool read_pieces(Parser *parser, const Template *template)
{
	for (uint32_t w = 0; w < parser->index[template->stored].n_warps; w++) {
		const uint64_t begin = parser->references->pieces->len;
		uint64_t length, class;

		g_array_append_val(parser->references->begins, begin);
		do {
			ClassPiece piece;

			if (!take_below(parser, UINT32_MAX, &length,
					"a piece of 2^32 records") ||
			    !take_below(parser, template->n_classes, &class,
					"a class that the block does not have"))
				return false;
			piece = (ClassPiece){(uint32_t)length, (uint32_t) class};
			g_array_append_val(parser->references->pieces, piece);
		} while (length > 0);
	}
	return true;
}

static bool read_templates(Parser *parser)
{
	uint64_t n, stored = 0;

	if (!take_below(parser, parser->n_stored + 1, &n,
			"more blocks are referred to than are stored"))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t gap, n_classes;
		Template template;

		if (!take_below(parser, parser->n_stored - stored, &gap,
				"a block is referred to that is not stored") ||
		    !take_below(parser, TRACE_MAX_CLASSES + 1, &n_classes,
				"a block has more than 16 classes"))
			return false;
		template = (Template){.stored = stored + gap,
				      .n_classes = (uint32_t)n_classes,
				      .warps = parser->references->begins->len};
		if (n_classes > 1 && !read_pieces(parser, &template))
			return false;
		g_array_append_val(parser->references->templates, template);
		stored = template.stored + 1;
	}
	return true;
}

static void add_span(Parser *parser, const Span *span, uint64_t count)
{
	References *references = parser->references;

	g_array_append_val(references->spans, *span);
	references->n_blocks += count;
	references->n_records += count * parser->index[span->stored].n_records;
	parser->next_id = span->block_id + count;
}

static void add_stored(Parser *parser)
{
	const uint64_t stored = parser->merged++;
	const Span span = {.position = parser->references->n_blocks,
			   .block_id = parser->index[stored].block_id,
			   .stored = stored};

	parser->references->stored_place[stored] = span.position;
	add_span(parser, &span, 1);
}

/* Whether the blocks fit between those that are stored, and all of them within the limits. */
static bool check_span(Parser *parser, const Span *span, uint64_t count)
{
	const uint64_t n_records = parser->index[span->stored].n_records;

	if (parser->merged < parser->n_stored &&
	    parser->index[parser->merged].block_id < span->block_id + count)
		return fail(parser, "a block is stored and refers to another");
	parser->n_referring += count;
	if (parser->n_referring > TRACE_MAX_REFERRING)
		return fail(parser, "more than 16777216 blocks refer to others");
	if (n_records > (TRACE_MAX_REFERRING_RECORDS - parser->n_referring_records) / count)
		return fail(parser, "blocks that refer to others have more than 2^40 records");
	parser->n_referring_records += count * n_records;
	return true;
}

/* Shifts grow evenly, so that the last block's bound all between. */
static bool read_shifts(Parser *parser, const Span *span, uint64_t count)
{
	const uint32_t n = span->template->n_classes;
	const int64_t *shifts;

	for (uint32_t c = 0; c < (count > 1 ? 2 * n : n); c++)
		if (!take_shift(parser))
			return false;
	shifts = (const int64_t *)parser->references->shifts->data + span->shifts;
	for (uint32_t c = 0; count > 1 && c < n; c++) {
		int64_t last;

		if (__builtin_mul_overflow(shifts[n + c], (int64_t)(count - 1), &last) ||
		    __builtin_add_overflow(shifts[c], last, &last) || last >= TRACE_MAX_SHIFT ||
		    last <= -TRACE_MAX_SHIFT)
			return fail(parser, "a shift of 2^42 bytes or more");
	}
	return true;
}

static bool read_span(Parser *parser, uint64_t before)
{
	const References *references = parser->references;
	uint64_t gap, count, number;
	Span span;

	if (!take_below(parser, INT64_MAX - before, &gap, "a block's number of 2^63 or more") ||
	    !take_below(parser, TRACE_MAX_REFERRING + 1, &count,
			"more than 16777216 blocks refer to others") ||
	    !take_below(parser, references->templates->len, &number,
			"a reference to a block that is not in their list"))
		return false;
	if (count == 0)
		return fail(parser, "a span of no blocks");
	if (before + gap + count > INT64_MAX)
		return fail(parser, "a block's number of 2^63 or more");
	while (parser->merged < parser->n_stored &&
	       parser->index[parser->merged].block_id < before + gap)
		add_stored(parser);
	span = (Span){.position = references->n_blocks,
		      .block_id = before + gap,
		      .shifts = references->shifts->len,
		      .template = &g_array_index(references->templates, Template, number)};
	span.stored = span.template->stored;
	if (!check_span(parser, &span, count) || !read_shifts(parser, &span, count))
		return false;
	add_span(parser, &span, count);
	return true;
}

static bool read_all(Parser *parser)
{
	uint64_t n, before = 0;

	if (!read_templates(parser) || !take(parser, &n))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (!read_span(parser, before))
			return false;
		before = parser->next_id;
	}
	while (parser->merged < parser->n_stored)
		add_stored(parser);
	return parser->at == parser->n_bytes || fail(parser, "bytes follow the last span");
}

const char *references_read(References *references, const uint8_t *bytes, uint64_t n_bytes,
			    const TraceIndexEntry *index, uint64_t n_stored, uint64_t *at)
{
	Parser parser = {.references = references,
			 .index = index,
			 .n_stored = n_stored,
			 .bytes = bytes,
			 .n_bytes = n_bytes};

	references->spans = g_array_new(FALSE, FALSE, sizeof(Span));
	/* With room from the start: what has no elements has a place in them all the same. */
	references->templates = g_array_sized_new(FALSE, FALSE, sizeof(Template), 1);
	references->pieces = g_array_sized_new(FALSE, FALSE, sizeof(ClassPiece), 1);
	references->begins = g_array_sized_new(FALSE, FALSE, sizeof(uint64_t), 1);
	references->shifts = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), 1);
	references->stored_place = g_new(uint64_t, n_stored + 1);
	read_all(&parser);
	*at = parser.at;
	return parser.problem;
}
