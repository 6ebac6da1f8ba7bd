/* SPDX-License-Identifier: MIT */
#include "explore/measured/global-benchmark.h"

#include <string.h>

#include "model/coalesce.h"
#include "replay/replay.h"

#define TABLE_SIZE (1u << 20)
#define HELD	   8 /* indexes that a thread holds */
#define LOADS_AHEAD                                                                            \
	4 /* that the compiled loop has under way; repeats of one address it drops */
#define ATOMS_AHEAD  2 /* results that it folds in one instruction */
#define INDEX_ALU    2 /* index += result >> 31 */
#define WORD_BYTES   4
#define WARP_THREADS 32

static const GlobalOperation operations[] = {
	{"red_add_u32", RECORD_ATOMG, OPERATION_ADD, TYPE_U32, false},
	{"atom_add_u32", RECORD_ATOMG, OPERATION_ADD, TYPE_U32, true},
	{"red_add_f32", RECORD_ATOMG, OPERATION_ADD, TYPE_F32, false},
	{"atom_cas_u32", RECORD_ATOMG, OPERATION_CAS, TYPE_U32, true},
	{"atom_exch_u32", RECORD_ATOMG, OPERATION_EXCH, TYPE_U32, true},
	{"red_add_f64", RECORD_ATOMG, OPERATION_ADD, TYPE_F64, false},
	{"red_max_u32", RECORD_ATOMG, OPERATION_MAX, TYPE_U32, false},
	{"ld_cg", RECORD_LDG, OPERATION_ADD, TYPE_U32, true},
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
	uint64_t buffer_bytes;
} Program;

typedef struct {
	WarpStream stream; /* first */
	const Program *program;
	uint64_t thread; /* its first, in the grid */
	guint step;
	enum { AT_ACCESS, AT_USE, AT_FENCE, AT_EXIT, AT_END } place;
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

static void fill_access(const ProgramStream *self, Record *record)
{
	const GlobalProgram *p = self->program->program;
	const GlobalOperation *operation = p->operation;

	record->kind = (uint8_t)operation->kind;
	record->operation = (uint8_t)operation->operation;
	record->type = (uint8_t)operation->type;
	record->width = operation->type == TYPE_F64 ? 8 : WORD_BYTES;
	record->result = operation->result;
	record->has_values = false;
	record->cache = CACHE_BYPASS;
	record->buffer = 1;
	record->offset = 0;
	record->site = 0;
	record->n_lanes = WARP_THREADS;
	record->mask = UINT32_MAX;
	record->count = 0;
	record->bytes = record->width * WARP_THREADS;
	for (guint i = 0; i < WARP_THREADS; i++)
		record->address[i] =
			(uint32_t)byte_of(p, entry_of(p, self->thread + i, self->step));
}

static StreamStatus program_next(WarpStream *stream, Record *record)
{
	ProgramStream *self = (ProgramStream *)stream;
	const Program *program = self->program;
	bool used;

	switch (self->place) {
	case AT_ACCESS:
		fill_access(self, record);
		self->step++;
		used = program->ahead && self->step % program->ahead == 0;
		self->place = used			       ? AT_USE
			      : self->step == program->n_steps ? AT_FENCE
							       : AT_ACCESS;
		return STREAM_RECORD;
	case AT_USE:
		*record = (Record){.kind = RECORD_ALU, .count = INDEX_ALU};
		self->place = self->step == program->n_steps ? AT_FENCE : AT_ACCESS;
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
	if (p->operation->kind == RECORD_LDG)
		return LOADS_AHEAD;
	return p->operation->result ? ATOMS_AHEAD : 0;
}

gboolean global_benchmark(const Machine *machine, const GlobalProgram *p, const char *place,
			  double *cycles, GError **error)
{
	g_auto(ReplayResult) result = {0};
	Program program = {.program = p, .n_steps = p->n_accesses, .ahead = accesses_ahead(p)};
	const Replay replay = {
		.machine = machine, .source = &program.source, .name = place, .n_threads = 1};

	/* The compiler drops repeated loads of one address that nothing comes between. */
	if (p->operation->kind == RECORD_LDG && !p->dependent)
		program.n_steps = MIN(p->n_accesses, HELD);
	program.buffer_bytes = touched_bytes(p);
	program.source = (RecordSource){
		.n_blocks = p->n_blocks,
		.block_info = program_block_info,
		.open_warp = program_open_warp,
		.kernel = {.n_buffers = 1, .buffer_bytes = &program.buffer_bytes}};
	if (!replay_run(&replay, &result, error))
		return FALSE;
	/* A clock read around the program on a GPU does not see the warp's exit. */
	*cycles = (double)(result.run.statistics.cycles - machine->sm.issue_cycles);
	return TRUE;
}
