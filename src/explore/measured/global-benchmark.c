/* SPDX-License-Identifier: MIT */
#include "explore/measured/global-benchmark.h"

#include <string.h>

#include "explore/measured/sm-clocks.h"
#include "model/coalesce.h"
#include "replay/replay.h"

#define TABLE_SIZE (1u << 20)
#define HELD	   8 /* indexes that a thread holds */
#define INDEX_ALU  2 /* index += result >> 31 */
#define ROUND_ALU                                                                              \
	6 /* of a round of HELD loads, which the compiler made once: four LOP3 in a chain, a branch */
#define WORD_BYTES   4
#define DOUBLE_BYTES 8
#define WARP_THREADS 32

enum { BUFFER_WORDS = 1, BUFFER_TABLE, N_BUFFERS = BUFFER_TABLE };

static const GlobalOperation operations[] = {
	{"red_add_u32", RECORD_ATOMG, OPERATION_ADD, TYPE_U32, WORD_BYTES, false},
	{"atom_add_u32", RECORD_ATOMG, OPERATION_ADD, TYPE_U32, WORD_BYTES, true},
	{"red_add_f32", RECORD_ATOMG, OPERATION_ADD, TYPE_F32, WORD_BYTES, false},
	{"atom_cas_u32", RECORD_ATOMG, OPERATION_CAS, TYPE_U32, WORD_BYTES, true},
	{"atom_exch_u32", RECORD_ATOMG, OPERATION_EXCH, TYPE_U32, WORD_BYTES, true},
	{"red_add_u64", RECORD_ATOMG, OPERATION_ADD, TYPE_U64, DOUBLE_BYTES, false},
	{"red_add_f64", RECORD_ATOMG, OPERATION_ADD, TYPE_F64, DOUBLE_BYTES, false},
	{"red_max_u32", RECORD_ATOMG, OPERATION_MAX, TYPE_U32, WORD_BYTES, false},
	{"ld_cg", RECORD_LDG, OPERATION_ADD, TYPE_U32, WORD_BYTES, true},
	{"ld_relaxed", RECORD_LDG, OPERATION_ADD, TYPE_U32, WORD_BYTES, true},
	{"st_relaxed", RECORD_STG, OPERATION_ADD, TYPE_U32, WORD_BYTES, false},
};

const GlobalOperation *global_operation(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(operations); i++)
		if (strcmp(operations[i].name, name) == 0)
			return &operations[i];
	return NULL;
}

typedef struct {
	RecordSource source; /* first: the callbacks cast */
	const GlobalProgram *program;
	guint n_steps, ahead;
	const Machine *machine;
	uint64_t buffer_bytes[N_BUFFERS];
} Program;

typedef struct {
	WarpStream stream; /* first */
	const Program *program;
	uint64_t thread; /* its first, in the grid */
	guint step, launch_alu;
	enum {
		AT_LAUNCH,
		AT_TABLE,
		AT_BARRIER,
		AT_START,
		AT_ACCESS,
		AT_USE,
		AT_ROUNDS,
		AT_FENCE,
		AT_EXIT,
		AT_END
	} place;
} ProgramStream;

/* The finalizer of SplitMix64. */
static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
	return h ^ h >> 31;
}

static uint64_t byte_of(const GlobalProgram *p, uint64_t entry)
{
	uint64_t target = p->random ? mix(entry + 1) % p->n_targets : entry % p->n_targets;

	return target * p->spacing_words * p->word_bytes;
}

static uint64_t entry_of(const GlobalProgram *p, uint64_t thread, guint step)
{
	uint64_t n_threads = (uint64_t)p->n_blocks * p->n_warps * WARP_THREADS;

	return (step % HELD * n_threads + thread) % TABLE_SIZE;
}

void global_operation_record(const GlobalOperation *operation, uint16_t buffer, Record *record)
{
	record->kind = (uint8_t)operation->kind;
	record->operation = (uint8_t)operation->operation;
	record->type = (uint8_t)operation->type;
	record->width = (uint8_t)operation->bytes;
	record->result = operation->result;
	record->has_values = false;
	record->cache = CACHE_BYPASS;
	record->buffer = buffer;
	record->offset = 0;
	record->site = 0;
	record->n_lanes = WARP_THREADS;
	record->mask = UINT32_MAX;
	record->count = 0;
	record->bytes = record->width * WARP_THREADS;
}

static void fill_access(const ProgramStream *self, Record *record)
{
	const GlobalProgram *p = self->program->program;

	global_operation_record(p->operation, BUFFER_WORDS, record);
	for (guint i = 0; i < WARP_THREADS; i++)
		record->address[i] =
			(uint32_t)byte_of(p, entry_of(p, self->thread + i, self->step));
}

/* An index of each thread from the table. */
static void fill_index(const ProgramStream *self, Record *record)
{
	*record = (Record){.kind = RECORD_LDG,
			   .width = WORD_BYTES,
			   .result = true,
			   .buffer = BUFFER_TABLE,
			   .n_lanes = WARP_THREADS,
			   .mask = UINT32_MAX,
			   .bytes = WORD_BYTES * WARP_THREADS};
	for (guint i = 0; i < WARP_THREADS; i++)
		record->address[i] = (uint32_t)entry_of(self->program->program,
							self->thread + i, self->step) *
				     WORD_BYTES;
}

static void fill_alu(Record *record, guint count)
{
	*record = (Record){.kind = RECORD_ALU, .count = count};
}

static void access_next(ProgramStream *self, Record *record)
{
	const Program *program = self->program;

	fill_access(self, record);
	self->step++;
	if (program->ahead && self->step % program->ahead == 0)
		self->place = AT_USE;
	else if (self->step == program->n_steps)
		self->place = AT_ROUNDS;
}

static StreamStatus program_next(WarpStream *stream, Record *record)
{
	ProgramStream *self = (ProgramStream *)stream;
	const Program *program = self->program;
	const GlobalProgram *p = program->program;

	switch (self->place) {
	case AT_LAUNCH:
		fill_alu(record, MAX(self->launch_alu, 1));
		self->place = AT_TABLE;
		return STREAM_RECORD;
	case AT_TABLE:
		fill_index(self, record);
		if (++self->step == HELD) {
			self->step = 0;
			self->place = AT_BARRIER;
		}
		return STREAM_RECORD;
	case AT_BARRIER:
		*record = (Record){.kind = RECORD_BAR};
		self->place = AT_START;
		return STREAM_RECORD;
	case AT_START:
		fill_alu(record, MAX(p->start_alu, 1));
		self->place = AT_ACCESS;
		return STREAM_RECORD;
	case AT_ACCESS:
		access_next(self, record);
		return STREAM_RECORD;
	case AT_USE:
		fill_alu(record, INDEX_ALU);
		self->place = self->step == program->n_steps ? AT_ROUNDS : AT_ACCESS;
		return STREAM_RECORD;
	case AT_ROUNDS:
		fill_alu(record,
			 MAX(p->n_accesses - program->n_steps, 1) / HELD * ROUND_ALU + 1);
		self->place = AT_FENCE;
		return STREAM_RECORD;
	case AT_FENCE:
		*record = (Record){.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
		self->place = AT_EXIT;
		return STREAM_RECORD;
	case AT_EXIT:
		*record = (Record){.kind = RECORD_EXIT};
		self->place = AT_END;
		return STREAM_RECORD;
	default:
		return STREAM_END;
	}
}

static void program_close(WarpStream *stream)
{
	g_free(stream);
}

static WarpStream *program_open_warp(RecordSource *source, uint64_t block, uint32_t warp)
{
	const Program *program = (const Program *)source;
	ProgramStream *stream = g_new0(ProgramStream, 1);

	stream->stream.next = program_next;
	stream->stream.close = program_close;
	stream->program = program;
	stream->launch_alu = sm_launch_alu(program->machine, block);
	stream->thread = (block * program->program->n_warps + warp) * WARP_THREADS;
	return &stream->stream;
}

static void program_block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	const Program *program = (const Program *)source;

	*info = (BlockInfo){.block_id = block, .n_warps = program->program->n_warps};
}

/* Of the lines that it touches: what of a sparse array takes room in the L2. */
static uint64_t touched_bytes(const GlobalProgram *p)
{
	uint64_t n_lines =
		(uint64_t)p->n_targets * p->spacing_words * p->word_bytes / LINE_BYTES + 1;
	uint64_t n_entries =
		MIN((uint64_t)p->n_blocks * p->n_warps * WARP_THREADS * HELD, TABLE_SIZE);
	g_autofree guint8 *touched = NULL;
	uint64_t n = 0;

	if (n_lines < TABLE_SIZE / HELD)
		return n_lines * LINE_BYTES;
	touched = g_new0(guint8, n_lines);
	for (uint64_t entry = 0; entry < n_entries; entry++) {
		guint8 *line = &touched[byte_of(p, entry) / LINE_BYTES];

		n += !*line;
		*line = 1;
	}
	return n * LINE_BYTES;
}

/* Accesses before the program needs their results; 0: it never does. */
static guint accesses_ahead(const GlobalProgram *p)
{
	if (p->dependent)
		return 1;
	return p->operation->result ? p->n_ahead : 0;
}

gboolean global_benchmark(const Machine *machine, const GlobalProgram *p, const char *place,
			  double *cycles, GError **error)
{
	g_auto(ReplayResult) result = {0};
	g_autoptr(SmClocks) clocks = sm_clocks_new(machine, p->n_blocks);
	Program program = {.program = p,
			   .n_steps = p->n_accesses,
			   .ahead = accesses_ahead(p),
			   .machine = machine};
	const Replay replay = {.machine = machine,
			       .source = &program.source,
			       .name = place,
			       .n_threads = 1,
			       .observer = sm_clocks_observer(clocks)};
	uint64_t n_entries = (uint64_t)p->n_blocks * p->n_warps * WARP_THREADS * HELD;

	/* The compiler drops repeated loads of one address that nothing comes between. */
	if (p->operation->kind == RECORD_LDG && !p->dependent)
		program.n_steps = MIN(p->n_accesses, HELD);
	program.buffer_bytes[BUFFER_WORDS - 1] = touched_bytes(p);
	program.buffer_bytes[BUFFER_TABLE - 1] = MIN(n_entries, TABLE_SIZE) * WORD_BYTES;
	program.source = (RecordSource){
		.n_blocks = p->n_blocks,
		.block_info = program_block_info,
		.open_warp = program_open_warp,
		.kernel = {.n_buffers = N_BUFFERS, .buffer_bytes = program.buffer_bytes}};
	if (!replay_run(&replay, &result, error))
		return FALSE;
	*cycles = (double)sm_clocks_read(clocks);
	return TRUE;
}
