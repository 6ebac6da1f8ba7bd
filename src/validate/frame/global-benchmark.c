/* SPDX-License-Identifier: MIT */
#include "validate/frame/global-benchmark.h"

#include <string.h>

#include "validate/frame/made-grid.h"
#include "validate/frame/sm-clocks.h"
#include "model/memory/coalesce.h"

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
	MadeGrid grid; /* first: the callbacks cast */
	const GlobalProgram *program;
	guint n_steps, ahead;
	const Machine *machine;
	uint64_t buffer_bytes[N_BUFFERS];
} Grid;

typedef struct {
	MadeWarp warp; /* first */
	guint step;
	enum {
		AT_LAUNCH,
		AT_TABLE,
		AT_BARRIER,
		AT_START,
		AT_ACCESS,
		AT_USE,
		AT_ROUNDS,
		AT_FENCE,
		AT_EXIT
	} place;
} Warp;

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

/* The entry of a lane's next access. */
static uint64_t lane_entry(const Grid *grid, const Warp *self, guint lane)
{
	return entry_of(grid->program, made_warp_number(&self->warp) * WARP_THREADS + lane,
			self->step);
}

static void fill_access(const Grid *grid, const Warp *self, Record *record)
{
	const GlobalProgram *p = grid->program;

	global_operation_record(p->operation, BUFFER_WORDS, record);
	for (guint i = 0; i < WARP_THREADS; i++)
		record->address[i] = (uint32_t)byte_of(p, lane_entry(grid, self, i));
}

/* An index of each thread from the table. */
static void fill_index(const Grid *grid, const Warp *self, Record *record)
{
	*record = (Record){.kind = RECORD_LDG,
			   .width = WORD_BYTES,
			   .result = true,
			   .buffer = BUFFER_TABLE,
			   .n_lanes = WARP_THREADS,
			   .mask = UINT32_MAX,
			   .bytes = WORD_BYTES * WARP_THREADS};
	for (guint i = 0; i < WARP_THREADS; i++)
		record->address[i] = (uint32_t)lane_entry(grid, self, i) * WORD_BYTES;
}

/* What comes behind an access. */
static void step_on(const Grid *grid, Warp *self)
{
	self->step++;
	if (grid->ahead && self->step % grid->ahead == 0)
		self->place = AT_USE;
	else if (self->step == grid->n_steps)
		self->place = AT_ROUNDS;
}

static bool next(MadeWarp *warp, Record *record)
{
	const Grid *grid = (const Grid *)warp->grid;
	const GlobalProgram *p = grid->program;
	Warp *self = (Warp *)warp;

	switch (self->place) {
	case AT_LAUNCH:
		made_alu(record, MAX(sm_launch_alu(grid->machine, warp->block), 1));
		self->place = AT_TABLE;
		return true;
	case AT_TABLE:
		fill_index(grid, self, record);
		if (++self->step == HELD) {
			self->step = 0;
			self->place = AT_BARRIER;
		}
		return true;
	case AT_BARRIER:
		*record = (Record){.kind = RECORD_BAR};
		self->place = AT_START;
		return true;
	case AT_START:
		made_alu(record, MAX(p->start_alu, 1));
		self->place = AT_ACCESS;
		return true;
	case AT_ACCESS:
		fill_access(grid, self, record);
		step_on(grid, self);
		return true;
	case AT_USE:
		made_alu(record, INDEX_ALU);
		self->place = self->step == grid->n_steps ? AT_ROUNDS : AT_ACCESS;
		return true;
	case AT_ROUNDS:
		made_alu(record, MAX(p->n_accesses - grid->n_steps, 1) / HELD * ROUND_ALU + 1);
		self->place = AT_FENCE;
		return true;
	case AT_FENCE:
		*record = (Record){.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
		self->place = AT_EXIT;
		return true;
	default:
		return false;
	}
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
	g_autoptr(SmClocks) clocks = sm_clocks_new(machine, p->n_blocks);
	Grid grid = {.grid = {.n_blocks = p->n_blocks,
			      .n_warps = p->n_warps,
			      .warp_bytes = sizeof(Warp),
			      .next = next},
		     .program = p,
		     .n_steps = p->n_accesses,
		     .ahead = accesses_ahead(p),
		     .machine = machine};
	uint64_t n_entries = (uint64_t)p->n_blocks * p->n_warps * WARP_THREADS * HELD;

	/* The compiler drops repeated loads of one address that nothing comes between. */
	if (p->operation->kind == RECORD_LDG && !p->dependent)
		grid.n_steps = MIN(p->n_accesses, HELD);
	grid.buffer_bytes[BUFFER_WORDS - 1] = touched_bytes(p);
	grid.buffer_bytes[BUFFER_TABLE - 1] = MIN(n_entries, TABLE_SIZE) * WORD_BYTES;
	grid.grid.source.kernel =
		(KernelInfo){.n_buffers = N_BUFFERS, .buffer_bytes = grid.buffer_bytes};
	if (!made_grid_run(&grid.grid, machine, place, sm_clocks_observer(clocks), cycles,
			   error))
		return FALSE;
	*cycles = (double)sm_clocks_read(clocks);
	return TRUE;
}
