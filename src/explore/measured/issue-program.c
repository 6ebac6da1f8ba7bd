/* SPDX-License-Identifier: MIT */
#include "explore/measured/issue-program.h"

#include <string.h>

#include "base/lanes.h"
#include "replay/replay.h"
#include "trace/reader.h"

#define WORD_BYTES   4
#define WARP_LANES   32
#define WARP_BYTES   (WARP_LANES * 16) /* of shared memory that a warp's accesses lie in */
#define N_RESULTS    ISSUE_MAX_LOADS   /* values that independent instructions write in turn */
#define CHAIN_VALUE  0
#define FIRST_RESULT 1
#define N_VALUES     (FIRST_RESULT + N_RESULTS)
#define MATCH_VALUES 32 /* different values that the lanes of a match hold */

#define OP(name)                                                                               \
	{                                                                                      \
		.kind = RECORD_CODE, .class = CODE_##name                                      \
	}
#define ONE(name, ...)                                                                         \
	{                                                                                      \
		name, {__VA_ARGS__}, 1                                                         \
	}
#define LOAD(bytes)                                                                            \
	{                                                                                      \
		.kind = RECORD_LDS, .width = bytes                                             \
	}
#define STORE(bytes)                                                                           \
	{                                                                                      \
		.kind = RECORD_STS, .width = bytes                                             \
	}
#define ATOM(op, used)                                                                         \
	{                                                                                      \
		.kind = RECORD_ATOM, .width = WORD_BYTES, .operation = OPERATION_##op,         \
		.result = used                                                                 \
	}

/* What the timed code of a row is, as nvcc made it for sm_90 (column `sass`, and `note`). Rows of two
   instructions in other proportions, and of global memory, have none. */
static const IssueLink links[] = {
	ONE("imad", OP(MUL)),
	ONE("lop3", OP(INT)),
	ONE("shf", OP(INT)),
	ONE("prmt", OP(INT)),
	ONE("i2f", OP(INT)), /* I2FP */
	ONE("fadd", OP(FLOAT)),
	ONE("fmul", OP(FLOAT)),
	ONE("ffma", OP(FLOAT)),
	ONE("dadd", OP(DOUBLE)),
	ONE("dfma", OP(DOUBLE)),
	ONE("mufu_ex2", OP(SPECIAL)),
	ONE("mufu_rsq", OP(SPECIAL)),
	ONE("f2i", OP(CONVERT)),
	ONE("popc", OP(CONVERT)),
	ONE("flo", OP(CONVERT)),
	ONE("brev", OP(CONVERT)),
	ONE("shfl_idx", OP(SHUFFLE)),
	ONE("shfl_bfly", OP(SHUFFLE)),
	ONE("shfl_down", OP(SHUFFLE)),
	ONE("match_any", OP(MATCH)),
	ONE("ldc_reg", OP(CONSTANT)),
	{"isetp_sel", {OP(COMPARE), OP(INT)}, 2},
	{"fsetp_fsel", {OP(COMPARE), OP(INT)}, 2},
	{"isetp_vote", {OP(COMPARE), OP(VOTE)}, 2},
	{"isetp_vote_ballot", {OP(COMPARE), OP(VOTE)}, 2},
	{"isetp_guard",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_MUL, .predicated = TRUE}},
	 2},
	{"isetp_s2r_smid",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_SYSTEM, .predicated = TRUE}},
	 2},
	{"redux_add", {OP(REDUCE), OP(MOVE)}, 2},
	{"ffma_imad", {OP(FLOAT), OP(MUL)}, 2},
	{"ffma_lop3", {OP(FLOAT), OP(INT)}, 2},
	{"imad_lop3", {OP(MUL), OP(INT)}, 2},
	{"lop3_mufu", {OP(INT), OP(SPECIAL)}, 2},
	/* Of issue-sequences.csv, with the stalls that a compiler would give them. */
	ONE("taken BRA", OP(JUMP)),
	ONE("BRA not taken, stall 5", OP(BRANCH)),
	ONE("YIELD stall 5", OP(YIELD)),
	ONE("WARPSYNC.ALL", OP(SYNC)),
	{"BSSY+BSYNC", {OP(SPLIT), OP(JOIN)}, 2},
	ONE("FFMA chain link", OP(FLOAT)),
	{"FFMA+taken BRA", {OP(FLOAT), OP(JUMP)}, 2},
	{"ISETP+guarded FFMA",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_FLOAT, .predicated = TRUE}},
	 2},
	{"ISETP+BRA",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_BRANCH, .predicated = TRUE}},
	 2},
	{"ISETP+BRA taken",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_JUMP, .predicated = TRUE}},
	 2},
	{"S2R TID.X to use + 4", {OP(SYSTEM), OP(FLOAT)}, 2},
	{"S2R LANEID to use + 4", {OP(SYSTEM), OP(FLOAT)}, 2},
	{"S2R CTAID.X to use + 4", {OP(SYSTEM), OP(FLOAT)}, 2},
	ONE("lds32", LOAD(4)),
	ONE("lds64", LOAD(8)),
	ONE("lds128", LOAD(16)),
	ONE("sts32", STORE(4)),
	ONE("sts64", STORE(8)),
	ONE("sts128", STORE(16)),
	{"iadd3_lds32", {OP(INT), LOAD(4)}, 2},
	{"imad_lds32", {OP(MUL), LOAD(4)}, 2},
	{"lop3_lds32", {OP(INT), LOAD(4)}, 2},
	{"ffma_lds", {OP(FLOAT), LOAD(4)}, 2},
	ONE("atoms_add", ATOM(ADD, TRUE)),
	ONE("atoms_add_ret", ATOM(ADD, TRUE)),
	ONE("atoms_add_noret", ATOM(ADD, FALSE)),
	ONE("atoms_exch", ATOM(EXCH, TRUE)),
	ONE("atoms_cas", ATOM(CAS, TRUE)),
	ONE("atoms_min", ATOM(MIN, TRUE)),
	ONE("atoms_and", ATOM(AND, TRUE)),
};

const IssueLink *issue_link(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(links); i++)
		if (strcmp(links[i].name, name) == 0)
			return &links[i];
	return NULL;
}

struct IssueProgram {
	guint n_blocks, n_warps;
	uint64_t block_bytes; /* of global memory that each block loads; 0: none */
	TraceWriter *writer;
	guint n_sites;
	uint8_t values[N_VALUES];
};

IssueProgram *issue_program_new(guint n_blocks, guint n_warps)
{
	IssueProgram *program = g_new0(IssueProgram, 1);

	program->n_blocks = n_blocks;
	program->n_warps = n_warps;
	program->writer = trace_writer_new_memory();
	trace_writer_set_version_2(program->writer, WARP_LANES);
	for (guint block = 0; block < n_blocks; block++)
		trace_writer_begin_block(program->writer, block, n_warps, n_warps * WARP_BYTES);
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

/* The values that a part reads and writes, and which one guards it. */
typedef struct {
	const uint8_t *read, *write, *guard;
} Uses;

static gboolean writes(const IssuePart *part)
{
	switch (part->kind == RECORD_CODE ? part->class : CODE_OTHER) {
	case CODE_BRANCH:
	case CODE_JUMP:
	case CODE_SPLIT:
	case CODE_JOIN:
	case CODE_SYNC:
	case CODE_YIELD:
		return FALSE;
	default:
		return part->kind == RECORD_CODE || part->kind == RECORD_LDS || part->result;
	}
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
		.line = part->class == CODE_MATCH ? MATCH_VALUES : 0,
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

void issue_program_loads(IssueProgram *program, guint warp, guint n, guint width)
{
	program->block_bytes = (uint64_t)n * program->n_warps * WARP_LANES * width;
	for (guint i = 0; i < n; i++) {
		const SiteFlow flow = {.guard = DATAFLOW_NO_VALUE,
				       .n_writes = 1,
				       .writes = &program->values[FIRST_RESULT + i]};
		Record record = {.kind = RECORD_LDG,
				 .width = (uint8_t)width,
				 .cache = CACHE_BYPASS,
				 .buffer = 1,
				 .offset = (uint64_t)(i * program->n_warps + warp) *
					   WARP_LANES * width,
				 .mask = lanes_below(WARP_LANES),
				 .n_lanes = WARP_LANES,
				 .site = ++program->n_sites};

		for (guint lane = 0; lane < WARP_LANES; lane++)
			record.address[lane] = lane * width;
		trace_writer_site_flow(program->writer, record.site, &flow);
		issue_program_record(program, warp, &record);
	}
}

void issue_program_uses(IssueProgram *program, guint warp, guint n)
{
	static const IssuePart move = OP(MOVE);

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
	if (program->block_bytes > 0)
		g_string_append_printf(metadata,
				       ",\"buffers\":[{\"bytes\":%" G_GUINT64_FORMAT "}]",
				       program->n_blocks * program->block_bytes);
	g_string_append_c(metadata, '}');
	for (guint block = 0; block < program->n_blocks; block++)
		trace_writer_end_block(program->writer, block);
	bytes = trace_writer_finish_bytes(program->writer, metadata->str);
	g_free(program);
	return trace_open_bytes(place, bytes, error);
}

double issue_program_run(IssueProgram *program, const Machine *machine, const char *place,
			 GError **error)
{
	g_autoptr(TraceReader) reader = finish(program, place, error);
	g_auto(ReplayResult) result = {0};
	Machine together = *machine; /* what was measured began behind a barrier */
	const Replay replay = {
		.machine = &together, .reader = reader, .name = place, .n_threads = 1};

	together.sm.warp_start_cycles = 0;
	if (!reader || !replay_run(&replay, &result, error))
		return -1;
	return (double)result.run.statistics.cycles;
}
