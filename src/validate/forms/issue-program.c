/* SPDX-License-Identifier: MIT */
#include "validate/forms/issue-program.h"

#include <string.h>

#include "base/lanes.h"
#include "model/memory/coalesce.h"
#include "replay/replay.h"
#include "trace/reader.h"

#define WORD_BYTES   4
#define WARP_LANES   32
#define WARP_BYTES   (WARP_LANES * 16) /* of shared memory that a warp's accesses lie in */
#define N_RESULTS    ISSUE_MAX_LOADS   /* values that independent instructions write in turn */
#define CHAIN_VALUE  0
#define FIRST_RESULT 1
#define N_VALUES     (FIRST_RESULT + N_RESULTS)

struct IssueProgram {
	guint n_blocks, n_warps;
	uint64_t block_bytes;  /* of global memory, from a block's to the next one's */
	uint64_t buffer_bytes; /* of all blocks; 0: there is none */
	guint n_match_values;  /* different ones that the lanes of a match hold */
	gboolean is_watched;   /* an access is, whose site is: */
	uint32_t watched_site;
	TraceWriter *writer;
	guint n_sites;
	uint8_t values[N_VALUES];
};

IssueProgram *issue_program_new(guint n_blocks, guint n_warps)
{
	IssueProgram *program = g_new0(IssueProgram, 1);

	program->n_blocks = n_blocks;
	program->n_warps = n_warps;
	program->n_match_values = WARP_LANES;
	program->writer = trace_writer_new_memory();
	trace_writer_set_version_2(program->writer, WARP_LANES);
	for (guint block = 0; block < n_blocks; block++)
		trace_writer_begin_block(
			program->writer, block, n_warps,
			MAX(n_warps * WARP_BYTES + WARP_LANES * ISSUE_MAX_STRIDE,
			    ISSUE_SHARED_BYTES));
	for (guint i = 0; i < N_VALUES; i++)
		program->values[i] = (uint8_t)i;
	return program;
}

void issue_program_record(IssueProgram *program, guint warp, const Record *record)
{
	Record own = *record;

	for (guint block = 0; block < program->n_blocks; block++) {
		trace_writer_append(program->writer, block, warp, &own);
		if (record_in_buffer(record))
			own.offset += program->block_bytes;
	}
}

void issue_program_match_values(IssueProgram *program, guint n_values)
{
	program->n_match_values = n_values;
}

void issue_program_buffer(IssueProgram *program, uint64_t block_bytes)
{
	program->block_bytes = block_bytes;
	program->buffer_bytes = program->n_blocks * block_bytes;
}

void issue_program_common_buffer(IssueProgram *program, uint64_t bytes)
{
	program->buffer_bytes = bytes;
}

void issue_program_watch(IssueProgram *program)
{
	program->is_watched = TRUE;
	program->watched_site = program->n_sites + 1;
}

/* The values that a part reads and writes, and which one guards it. */
typedef struct {
	const uint8_t *read, *write, *guard;
} Uses;

static gboolean writes(const IssuePart *part)
{
	if (part->kind == RECORD_CODE)
		return part->class == CODE_OTHER || code_has_result(part->class);
	return part->kind == RECORD_LDS || part->result;
}

static Uses uses_of(const IssueProgram *program, const IssueLink *link, guint part, guint copy,
		    gboolean chain)
{
	const uint8_t *values = program->values;
	Uses uses = {.read = &values[CHAIN_VALUE], .write = &values[CHAIN_VALUE]};

	if (!chain)
		uses.write = &values[FIRST_RESULT + (copy * link->n_parts + part) % N_RESULTS];
	else if (link->parts[part].predicated)
		uses.guard = &values[CHAIN_VALUE];
	return uses;
}

static void append_code(IssueProgram *program, guint warp, const IssuePart *part,
			const Uses *uses)
{
	const CodeOperation operation = {
		.class = (uint8_t)part->class,
		.guard = uses->guard ? *uses->guard : DATAFLOW_NO_VALUE,
		.n_reads = writes(part),
		.n_writes = writes(part),
		.reads = uses->read,
		.writes = uses->write,
		.line = (uint16_t)(part->class == CODE_MATCH ? program->n_match_values : 0),
	};
	const Record record = {.kind = RECORD_CODE,
			       .gap = trace_writer_gap(program->writer, &operation, 1)};

	issue_program_record(program, warp, &record);
}

static void append_access(IssueProgram *program, guint warp, const IssuePart *part,
			  const Uses *uses, gboolean uniform)
{
	const SiteFlow flow = {.guard = DATAFLOW_NO_VALUE,
			       .n_address = 1,
			       .address = uses->read,
			       .n_writes = writes(part),
			       .writes = uses->write};
	Record record = {.kind = (uint8_t)part->kind,
			 .width = part->width,
			 .operation = (uint8_t)part->operation,
			 .type = TYPE_U32,
			 .result = part->result,
			 .mask = lanes_below(WARP_LANES),
			 .n_lanes = WARP_LANES,
			 .site = ++program->n_sites};

	for (guint lane = 0; lane < WARP_LANES; lane++)
		record.address[lane] = warp * WARP_BYTES + (uniform ? 0 : lane * part->width);
	trace_writer_site_flow(program->writer, record.site, &flow);
	issue_program_record(program, warp, &record);
}

void issue_program_links(IssueProgram *program, guint warp, const IssueLink *link, guint n,
			 gboolean chain, gboolean uniform)
{
	for (guint copy = 0; copy < n; copy++) {
		for (guint i = 0; i < link->n_parts; i++) {
			const IssuePart *part = &link->parts[i];
			Uses uses = uses_of(program, link, i, copy, chain);

			if (part->kind == RECORD_CODE)
				append_code(program, warp, part, &uses);
			else
				append_access(program, warp, part, &uses, uniform);
		}
	}
}

static gboolean loads(const IssuePart *part)
{
	return part->kind == RECORD_LDS || part->kind == RECORD_LDG || part->result;
}

/* Of a lane's bytes from the access's. */
static uint32_t lane_offset(const IssueAccess *access, guint lane)
{
	const guint each = access->lines ? WARP_LANES / access->lines : 0; /* lanes of a line */

	if (each)
		return lane / each * LINE_BYTES + lane % each * WORD_BYTES;
	return lane * access->stride % (access->wrap ? access->wrap : UINT32_MAX);
}

void issue_program_access(IssueProgram *program, guint warp, const IssuePart *part,
			  const IssueAccess *access)
{
	static const uint8_t none = 0;
	const gboolean in_buffer = part->kind == RECORD_LDG || part->kind == RECORD_STG ||
				   part->kind == RECORD_ATOMG;
	const uint8_t *value = &program->values[FIRST_RESULT + access->value];
	const SiteFlow flow = {.guard = DATAFLOW_NO_VALUE,
			       .n_data = part->kind != RECORD_LDS && part->kind != RECORD_LDG,
			       .data = value,
			       .n_writes = loads(part),
			       .writes = value,
			       .n_address = access->waits,
			       .address = access->waits ? value : &none};
	Record record = {.kind = (uint8_t)part->kind,
			 .width = part->width,
			 .operation = (uint8_t)part->operation,
			 .type = (uint8_t)part->type,
			 .result = part->result,
			 .cache = (uint8_t)part->cache,
			 .buffer = in_buffer,
			 .offset = access->offset,
			 .mask = lanes_below(WARP_LANES),
			 .n_lanes = WARP_LANES,
			 .site = ++program->n_sites};

	for (guint lane = 0; lane < WARP_LANES; lane++)
		record.address[lane] =
			(in_buffer ? 0 : warp * WARP_BYTES) + lane_offset(access, lane);
	trace_writer_site_flow(program->writer, record.site, &flow);
	issue_program_record(program, warp, &record);
}

void issue_program_words(IssueProgram *program, guint warp, const IssuePart *part,
			 const uint32_t *address, guint n, LaneMask mask)
{
	const SiteFlow flow = {.guard = DATAFLOW_NO_VALUE,
			       .n_writes = loads(part),
			       .writes = &program->values[FIRST_RESULT]};
	Record record = {.kind = (uint8_t)part->kind,
			 .width = part->width,
			 .operation = (uint8_t)part->operation,
			 .type = (uint8_t)part->type,
			 .result = part->result,
			 .mask = mask,
			 .n_lanes = (uint8_t)n,
			 .site = ++program->n_sites};

	memcpy(record.address, address, n * sizeof(*address));
	trace_writer_site_flow(program->writer, record.site, &flow);
	issue_program_record(program, warp, &record);
}

void issue_program_empty_accesses(IssueProgram *program, guint warp, guint n)
{
	const CodeOperation operation = {.class = CODE_OTHER,
					 .guard = program->values[CHAIN_VALUE]};
	const Record record = {.kind = RECORD_CODE,
			       .gap = trace_writer_gap(program->writer, &operation, 1)};

	for (guint i = 0; i < n; i++)
		issue_program_record(program, warp, &record);
}

void issue_program_loads(IssueProgram *program, guint warp, guint n, guint width)
{
	const IssuePart load = {
		.kind = RECORD_LDG, .width = (uint8_t)width, .cache = CACHE_BYPASS};

	for (guint i = 0; i < n; i++)
		issue_program_access(
			program, warp, &load,
			&(IssueAccess){.value = i,
				       .stride = width,
				       .offset = (uint64_t)(i * program->n_warps + warp) *
						 WARP_LANES * width});
}

void issue_program_uses(IssueProgram *program, guint warp, guint n)
{
	static const IssuePart move = {.kind = RECORD_CODE, .class = CODE_MOVE};

	for (guint i = 0; i < n; i++) {
		const Uses uses = {.read = &program->values[FIRST_RESULT + i],
				   .write = &program->values[CHAIN_VALUE]};

		append_code(program, warp, &move, &uses);
	}
}

/* The program as a trace. */
static TraceReader *finish(IssueProgram *program, const char *place, GError **error)
{
	g_autoptr(GString) metadata = g_string_new("{\"format\":2,\"sites\":[");
	g_autoptr(GBytes) bytes = NULL;

	for (guint i = 0; i < program->n_sites; i++)
		g_string_append(metadata, i > 0 ? ",{}" : "{}");
	g_string_append_c(metadata, ']');
	if (program->buffer_bytes > 0)
		g_string_append_printf(metadata,
				       ",\"buffers\":[{\"bytes\":%" G_GUINT64_FORMAT "}]",
				       program->buffer_bytes);
	g_string_append_c(metadata, '}');
	for (guint block = 0; block < program->n_blocks; block++)
		trace_writer_end_block(program->writer, block);
	bytes = trace_writer_finish_bytes(program->writer, metadata->str);
	g_free(program);
	return trace_open_bytes(place, bytes, error);
}

/* --- Runs --- */

typedef struct {
	Observer observer; /* first */
	uint32_t site, warp;
	gboolean began, ended;
	Cycle begin, end;
} Watch;

static void observe(Observer *observer, const Instruction *instruction)
{
	Watch *watch = (Watch *)observer;

	if (instruction->record->site == watch->site &&
	    instruction->record->kind != RECORD_CODE && !watch->began) {
		watch->began = TRUE;
		watch->warp = instruction->warp;
		watch->begin = instruction->issue;
	} else if (watch->began && !watch->ended && instruction->warp == watch->warp) {
		watch->ended = TRUE;
		watch->end = instruction->issue;
	}
}

/* Replays and frees the program. observer: or NULL. */
static gboolean replay(IssueProgram *program, const Machine *machine, Observer *observer,
		       const char *place, Statistics *statistics, GError **error)
{
	g_autoptr(TraceReader) reader = finish(program, place, error);
	g_auto(ReplayResult) result = {0};
	Machine together = *machine; /* what was measured began behind a barrier */
	const Replay replay = {.machine = &together,
			       .reader = reader,
			       .name = place,
			       .n_threads = 1,
			       .observer = observer};

	together.sm.warp_start_cycles = 0;
	if (!reader || !replay_run(&replay, &result, error))
		return FALSE;
	*statistics = result.run.statistics;
	return TRUE;
}

double issue_program_run(IssueProgram *program, const Machine *machine, gboolean until_end,
			 const char *place, GError **error)
{
	const gboolean is_watched = program->is_watched;
	Watch watch = {.observer.instruction = observe, .site = program->watched_site};
	Statistics statistics;

	if (!replay(program, machine, is_watched ? &watch.observer : NULL, place, &statistics,
		    error))
		return -1;
	if (is_watched)
		return (double)(watch.end - watch.begin);
	return (double)(until_end ? statistics.busy_cycles : statistics.cycles);
}

gboolean issue_program_count(IssueProgram *program, const Machine *machine, const char *place,
			     Statistics *statistics, GError **error)
{
	return replay(program, machine, NULL, place, statistics, error);
}
