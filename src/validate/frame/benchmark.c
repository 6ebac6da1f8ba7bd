/* SPDX-License-Identifier: MIT */
#include "validate/frame/benchmark.h"

#include <string.h>

#include "validate/frame/launch-columns.h"
#include "validate/frame/made-grid.h"

#define WORD_BYTES 4
#define INDEX_ALU  2 /* a dependent step: index += result >> 31 */

/* clang-format off */
const BenchmarkOperation benchmark_operations[] = {
	/* name, kind, operation, type, result, chained, value, clock_cycles, step_alu, round_alu x 2 */
	{"ld",         RECORD_LDS,  OPERATION_ADD,  TYPE_U32, true,  true,  0,   3, 0, 5, 4},
	{"st",         RECORD_STS,  OPERATION_ADD,  TYPE_U32, false, false, 0,  12, 0, 2, 2},
	{"iadd_ret",   RECORD_ATOM, OPERATION_ADD,  TYPE_U32, true,  true,  3,   9, 0, 5, 4},
	{"iadd_noret", RECORD_ATOM, OPERATION_ADD,  TYPE_U32, false, false, 3,  12, 0, 2, 2},
	{"inc_noret",  RECORD_ATOM, OPERATION_ADD,  TYPE_U32, false, false, 1,  10, 0, 2, 2},
	{"fadd_ret",   RECORD_ATOM, OPERATION_ADD,  TYPE_F32, true,  true,  1,   4, 2, 3, 4},
	{"fadd_noret", RECORD_ATOM, OPERATION_ADD,  TYPE_F32, false, false, 1,  -4, 0, 3, 3},
	{"cas_ret",    RECORD_ATOM, OPERATION_CAS,  TYPE_U32, true,  true,  0,  -3, 0, 8, 4},
	{"exch_ret",   RECORD_ATOM, OPERATION_EXCH, TYPE_U32, true,  true,  0,   9, 0, 5, 4},
	{"imax_ret",   RECORD_ATOM, OPERATION_MAX,  TYPE_U32, true,  true,  0,   9, 0, 5, 4},
	{"u64add_ret", RECORD_ATOM, OPERATION_ADD,  TYPE_U64, true,  true,  1,   4, 2, 3, 4},
	{NULL, 0, 0, 0, false, false, 0, 0, 0, 0, 0},
};
/* clang-format on */

const BenchmarkOperation *benchmark_operation(const char *name)
{
	const BenchmarkOperation *operation = benchmark_operations;

	while (operation->name && strcmp(operation->name, name) != 0)
		operation++;
	return operation->name ? operation : NULL;
}

/* --- A program: rounds of steps, as a record source --- */

typedef struct {
	MadeGrid grid; /* first: the callbacks cast; of one block */
	const BenchmarkOperation *operation;
	guint n_steps, n_rounds;
	const Lanes *steps;
	uint32_t step_alu, round_alu;
	bool last_is_open; /* nobody waits for the last step's result */
} Program;

typedef struct {
	MadeWarp warp; /* first */
	guint round, step;
	enum { AT_STEP, AT_STEP_ALU, AT_ROUND_ALU, AT_EXIT } place;
} ProgramWarp;

static uint32_t width_of(const BenchmarkOperation *operation)
{
	return operation->type == TYPE_U64 ? 2 * WORD_BYTES : WORD_BYTES;
}

/* The first byte behind all addresses. */
static uint32_t end_of(const BenchmarkOperation *operation, const Lanes *lanes)
{
	const uint32_t width = width_of(operation);
	uint32_t end = 0;

	for (guint i = 0; i < lanes->n_words; i++)
		end = MAX(end, (lanes->words[i] * WORD_BYTES / width + 1) * width);
	return end;
}

/* Words are those of the file; the 64-bit operations take the double word that holds one. */
static void fill_record(const BenchmarkOperation *operation, const Lanes *lanes, Record *record)
{
	const uint32_t width = width_of(operation);

	memset(record, 0, sizeof *record);
	record->kind = (uint8_t)operation->kind;
	record->operation = (uint8_t)operation->operation;
	record->type = (uint8_t)operation->type;
	record->width = (uint8_t)width;
	record->result = operation->result;
	record->has_values = true;
	record->n_lanes = (uint8_t)lanes->n_words;
	record->mask = lanes->mask;
	for (guint i = 0; i < lanes->n_words; i++) {
		record->address[i] = lanes->words[i] * WORD_BYTES / width * width;
		record->value[i] = operation->value;
	}
}

static void next_place(const Program *program, ProgramWarp *self)
{
	bool round_ends = self->step + 1 == program->n_steps;
	bool all_ends = round_ends && self->round + 1 == program->n_rounds;

	switch (self->place) {
	case AT_STEP:
		if (all_ends && program->last_is_open)
			self->place = AT_EXIT;
		else
			self->place = AT_STEP_ALU;
		break;
	case AT_STEP_ALU:
		self->place = round_ends ? AT_ROUND_ALU : AT_STEP;
		self->step = round_ends ? self->step : self->step + 1;
		break;
	default:
		self->place = all_ends ? AT_EXIT : AT_STEP;
		self->step = 0;
		self->round++;
	}
}

static bool program_next(MadeWarp *warp, Record *record)
{
	const Program *program = (const Program *)warp->grid;
	ProgramWarp *self = (ProgramWarp *)warp;

	while ((self->place == AT_STEP_ALU && program->step_alu == 0) ||
	       (self->place == AT_ROUND_ALU && program->round_alu == 0))
		next_place(program, self);
	switch (self->place) {
	case AT_STEP:
		fill_record(program->operation,
			    &program->steps[warp->warp * program->n_steps + self->step],
			    record);
		if (program->last_is_open && self->round + 1 == program->n_rounds)
			record->result = false;
		break;
	case AT_STEP_ALU:
		made_alu(record, program->step_alu);
		break;
	case AT_ROUND_ALU:
		made_alu(record, program->round_alu);
		break;
	default:
		return false;
	}
	next_place(program, self);
	return true;
}

/* --- Simulating one --- */

static gboolean simulate(const Machine *machine, Program *program, const char *place,
			 double *cycles, GError **error)
{
	MadeGrid *grid = &program->grid;
	const LaunchState state = launch_together(machine);
	const Machine together = machine_in_state(machine, &state);

	grid->n_blocks = 1;
	grid->warp_bytes = sizeof(ProgramWarp);
	grid->next = program_next;
	for (guint i = 0; i < grid->n_warps * program->n_steps; i++)
		grid->shared_bytes =
			MAX(grid->shared_bytes, end_of(program->operation, &program->steps[i]));
	if (!made_grid_run(grid, &together, place, NULL, cycles, error))
		return FALSE;
	/* A clock read around the program on a GPU does not see the warp's exit. */
	*cycles -= machine->sm.issue_cycles;
	return TRUE;
}

gboolean benchmark_atomic(const Machine *machine, const Lanes *lanes, const char *place,
			  double *cycles, GError **error)
{
	Program program = {.operation = benchmark_operation("iadd_ret"),
			   .grid.n_warps = 1,
			   .n_steps = 1,
			   .n_rounds = 1,
			   .steps = lanes};

	return simulate(machine, &program, place, cycles, error);
}

gboolean benchmark_chain(const Machine *machine, const BenchmarkOperation *operation,
			 const Lanes *lanes, const char *place, double *cycles, GError **error)
{
	Program program = {.operation = operation,
			   .grid.n_warps = 1,
			   .n_steps = 1,
			   .n_rounds = BENCHMARK_CHAIN,
			   .steps = lanes,
			   .step_alu = operation->chained ? INDEX_ALU : 0,
			   .last_is_open = true};

	if (!simulate(machine, &program, place, cycles, error))
		return FALSE;
	*cycles = (*cycles + operation->clock_cycles) / BENCHMARK_CHAIN;
	return TRUE;
}

gboolean benchmark_block(const Machine *machine, const BenchmarkOperation *operation,
			 bool dependent, guint rounds, guint n_warps, guint n_steps,
			 const Lanes *steps, const char *place, double *cycles, GError **error)
{
	Program program = {.operation = operation,
			   .grid.n_warps = n_warps,
			   .n_steps = n_steps,
			   .n_rounds = rounds,
			   .steps = steps,
			   .step_alu = dependent ? INDEX_ALU : operation->step_alu,
			   .round_alu =
				   dependent ? operation->round_alu1 : operation->round_alu};

	return simulate(machine, &program, place, cycles, error);
}

gboolean benchmark_repeat(const Machine *machine, const BenchmarkOperation *operation,
			  guint iterations, guint n_warps, const Lanes *steps,
			  const char *place, double *cycles, GError **error)
{
	Program program = {.operation = operation,
			   .grid.n_warps = n_warps,
			   .n_steps = 1,
			   .n_rounds = iterations,
			   .steps = steps,
			   .last_is_open = true};

	return simulate(machine, &program, place, cycles, error);
}
