/* SPDX-License-Identifier: MIT */
/* atomsim trace dump: the records as text, one a line. docs/reference/trace-format.md describes the lines. */
#include <stdio.h>

#include "cli/option.h"
#include "cli/trace/trace.h"
#include "base/error.h"
#include "base/names.h"
#include "trace/reader.h"

/* What to print; UINT64_MAX: all. */
typedef struct {
	guint64 block;
	guint64 warp;
	guint64 limit;
	gboolean dataflow; /* that, and no records */
} Selection;

static void print_addresses(const Record *record)
{
	uint64_t offset = record_in_buffer(record) ? record->offset : 0;

	printf(" addresses=");
	for (unsigned i = 0; i < record->n_lanes; i++)
		printf("%s%" G_GUINT64_FORMAT, i ? "," : "", offset + record->address[i]);
}

static void print_values(const char *name, const uint64_t *numbers, unsigned n)
{
	printf(" %s=", name);
	for (unsigned i = 0; i < n; i++)
		printf("%s0x%" G_GINT64_MODIFIER "x", i ? "," : "", numbers[i]);
}

static void print_operation(const Record *record)
{
	printf(".%s.%s%s", operation_names[record->operation], value_type_names[record->type],
	       record->result ? " result" : "");
}

static void print_global(const Record *record)
{
	if (record_in_buffer(record)) {
		if (record->kind == RECORD_ATOMG)
			print_operation(record);
		else
			printf(" width=%u", record->width);
		printf(" buffer=%u", record->buffer);
		if (record->cache != CACHE_NORMAL)
			printf(" cache=%s", cache_hint_names[record->cache]);
	}
	printf(" bytes=%u segments=%u", record->bytes, record->count);
}

static void print_barrier(const Record *record)
{
	if (record->barrier)
		printf(" barrier=%u", record->barrier);
	if (record->count)
		printf(" threads=%u", record->count);
	if (record->arrives)
		printf(" arrives");
}

static void print_head(const Record *record)
{
	switch (record->kind) {
	case RECORD_ALU:
	case RECORD_UNKNOWN:
	case RECORD_SHFL:
	case RECORD_VOTE:
		printf(" n=%u", record->count);
		break;
	case RECORD_CODE:
		printf(" gap=%u", record->gap);
		break;
	case RECORD_FENCE:
		printf(" scope=%s", scope_names[record->scope]);
		break;
	case RECORD_BAR:
		print_barrier(record);
		break;
	case RECORD_LOCK:
	case RECORD_UNLOCK:
		if (record->buffer)
			printf(" buffer=%u", record->buffer);
		break;
	case RECORD_LDS:
	case RECORD_STS:
		printf(" width=%u", record->width);
		break;
	case RECORD_ATOM:
		print_operation(record);
		break;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		print_global(record);
		break;
	default:
		break;
	}
}

static void print_record(guint64 block_id, guint64 warp, guint64 number, const Record *record)
{
	bool global = record->kind == RECORD_LDG || record->kind == RECORD_STG ||
		      record->kind == RECORD_ATOMG;
	bool atomic = record->kind == RECORD_ATOM || record->kind == RECORD_ATOMG;

	printf("block=%" G_GUINT64_FORMAT " warp=%" G_GUINT64_FORMAT
	       " record=%" G_GUINT64_FORMAT " %s",
	       block_id, warp, number, record_kind_names[record->kind]);
	print_head(record);
	if (record->n_lanes > 0)
		printf(" mask=0x%08" G_GINT64_MODIFIER "x", record->mask);
	if (record->site)
		printf(" site=%u", record->site);
	if (record->n_lanes > 0 && (!global || record_in_buffer(record)))
		print_addresses(record);
	if (atomic && (!global || record_in_buffer(record)) && record->has_values) {
		if (record->operation == OPERATION_CAS)
			print_values("compare", record->compare, record->n_lanes);
		print_values("values", record->value, record->n_lanes);
	}
	putchar('\n');
}

/* Prints up to `left` records; returns how many, or -1 when the stream fails. */
static gint64 dump_warp(RecordSource *source, guint64 block, guint64 block_id, guint32 warp,
			guint64 left)
{
	WarpStream *stream = source->open_warp(source, block, warp);
	StreamStatus status = STREAM_FAILED;
	guint64 n = 0;
	Record record;

	if (!stream)
		return -1;
	while (n < left && (status = stream->next(stream, &record)) == STREAM_RECORD)
		print_record(block_id, warp, n++, &record);
	stream->close(stream);
	return n < left && status == STREAM_FAILED ? -1 : (gint64)n;
}

static void set_not_found(TraceReader *reader, const Selection *selection, GError **error)
{
	RecordSource *source = trace_source(reader);
	guint64 first = G_MAXUINT64, last = 0;
	guint32 n_warps = 0;
	gboolean has_block = FALSE;

	for (guint64 block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		first = MIN(first, info.block_id);
		last = MAX(last, info.block_id);
		if (selection->block == G_MAXUINT64 || selection->block == info.block_id) {
			has_block = TRUE;
			n_warps = MAX(n_warps, info.n_warps);
		}
	}
	if (has_block)
		atomsim_fail(error, ATOMSIM_ERROR_TRACE,
			     "%s: no warp %" G_GUINT64_FORMAT "; allowed: 0 .. %u",
			     trace_path(reader), selection->warp, n_warps - 1);
	else
		atomsim_fail(error, ATOMSIM_ERROR_TRACE,
			     "%s: no block %" G_GUINT64_FORMAT "; allowed: %" G_GUINT64_FORMAT
			     " .. %" G_GUINT64_FORMAT "%s",
			     trace_path(reader), selection->block, first, last,
			     last - first < source->n_blocks ? ""
							     : ", of which some are missing");
}

static gboolean dump(TraceReader *reader, const Selection *selection, GError **error)
{
	RecordSource *source = trace_source(reader);
	guint64 left = selection->limit;
	gboolean found = FALSE;

	for (guint64 block = 0; block < source->n_blocks && left > 0; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		if (selection->block != G_MAXUINT64 && selection->block != info.block_id)
			continue;
		for (guint32 w = 0; w < info.n_warps && left > 0; w++) {
			gint64 n;

			if (selection->warp != G_MAXUINT64 && selection->warp != w)
				continue;
			found = TRUE;
			n = dump_warp(source, block, info.block_id, w, left);
			if (n < 0) {
				g_propagate_error(error, g_error_copy(trace_failure(reader)));
				return FALSE;
			}
			left -= (guint64)n;
		}
	}
	if (!found && left > 0 && source->n_blocks > 0) {
		set_not_found(reader, selection, error);
		return FALSE;
	}
	return TRUE;
}

static gboolean parse_number(const char *option, const char *text, guint64 *number,
			     GError **error)
{
	if (!text || g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT64, number, NULL))
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "trace dump: %s: '%s' found; a whole number is allowed", option,
			    text);
}

static gboolean check_usage(char **files, const char *block, const char *warp,
			    const char *limit, Selection *selection, GError **error)
{
	if (!files || files[1])
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "trace dump: %s; one trace is needed",
				    files ? "several traces given" : "no trace given");
	return parse_number("--block", block, &selection->block, error) &&
	       parse_number("--warp", warp, &selection->warp, error) &&
	       parse_number("--limit", limit, &selection->limit, error);
}

/* What the user gave. */
static struct {
	char *block, *warp, *limit;
	char **files;
	Selection selection;
} given = {.selection = {G_MAXUINT64, G_MAXUINT64, G_MAXUINT64, FALSE}};

static const GOptionEntry entries[] = {
	{"block", 0, 0, G_OPTION_ARG_STRING, &given.block, "Only the block with this number",
	 "B"},
	{"warp", 0, 0, G_OPTION_ARG_STRING, &given.warp, "Only this warp of each block", "W"},
	{"limit", 0, 0, G_OPTION_ARG_STRING, &given.limit, "Stop after N records", "N"},
	{"dataflow", 0, 0, G_OPTION_ARG_NONE, &given.selection.dataflow,
	 "Print the data flow instead: gaps and sites", NULL},
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	Selection *selection = &given.selection;
	g_autoptr(TraceReader) reader = NULL;

	if (!check_usage(given.files, given.block, given.warp, given.limit, selection, error))
		return CLI_FAILED;
	reader = trace_open(given.files[0], error);
	if (!reader || (!selection->dataflow && !dump(reader, selection, error)))
		return CLI_FAILED;
	if (selection->dataflow && trace_source(reader)->kernel.dataflow)
		dump_dataflow(trace_source(reader)->kernel.dataflow);
	return CLI_GOOD;
}

const Command command_trace_dump = {
	.name = "trace dump",
	.synopsis = "[OPTION]... FILE",
	.summary = "Print the records of a trace, one per line",
	.examples = "atomsim trace dump --block 0 --warp 1 --limit 10 weighted\n"
		    "atomsim trace dump --dataflow weighted",
	.options = entries,
	.run = run,
};
