/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-patterns.h"

#include <string.h>

#include "base/lanes.h"
#include "validate/frame/validate-cells.h"
#include "validate/forms/validate-sm-rows.h"

#define WORD_BYTES 4
#define MAX_STEPS  4

/* Warps that walk a pattern of lanes. */
typedef struct {
	SmProgram program; /* first: `address` casts */
	guint n_steps, warp_stride, sm_stride, bytes;
	LaneMask mask; /* lanes that have a word in every step */
	uint32_t words[MAX_STEPS][SM_BENCHMARK_LANES];
} Pattern;

enum {
	OP,
	SMS,
	WARPS,
	ROUNDS,
	WARP_STRIDE,
	SM_STRIDE,
	BYTES,
	PATTERN,
	CYCLES,
	EXPERIMENT,
	N_COLUMNS
};

static const char *const names[N_COLUMNS] = {"op",	    "sms",	 "warps", "rounds",
					     "warp_stride", "sm_stride", "bytes", "pattern",
					     "cycles",	    "experiment"};

#define BATCH	   4 /* rounds whose accesses are under way together: contend.h */
#define MAX_ROUNDS 4096
#define MAX_STRIDE (1u << 24)
#define MAX_BYTES  (1u << 28)

/* A lane takes part that has a word in every step; a round is MAX_STEPS accesses, whatever the pattern has. */
static LaneMask pattern_address(const SmProgram *program, guint rank, guint warp, guint access,
				uint32_t byte[SM_BENCHMARK_LANES])
{
	const Pattern *p = (const Pattern *)program;
	const uint32_t *words = p->words[access % MAX_STEPS % p->n_steps];
	uint64_t first = (uint64_t)warp * p->warp_stride + (uint64_t)rank * p->sm_stride;

	for (guint lane = 0; lane < SM_BENCHMARK_LANES; lane++)
		byte[lane] =
			(uint32_t)(((uint64_t)words[lane] * WORD_BYTES + first) % p->bytes);
	return p->mask;
}

/* A whole number that addresses of so many bytes can be made of. */
static gboolean read_bytes(const CsvTable *table, guint i, guint column, guint unit, guint min,
			   guint max, guint *number, GError **error)
{
	if (!measured_whole(table, i, column, min, max, number, error))
		return FALSE;
	if (*number % unit == 0)
		return TRUE;
	csv_set_cell_error(table, i, column, error, "found %u; allowed: a multiple of %u",
			   *number, unit);
	return FALSE;
}

/* The words of a step; unit: bytes that each one's address is a multiple of. */
static gboolean read_step(const char *text, guint unit, Pattern *pattern, guint step)
{
	Lanes lanes;
	LanesFault fault;
	guint n = 0;

	if (lanes_read(text, ".", SM_BENCHMARK_LANES, MAX_BYTES / WORD_BYTES, &lanes, &fault) !=
	    LANES_GOOD)
		return FALSE;
	for (guint lane = 0; lane < SM_BENCHMARK_LANES; lane++) {
		if (!(lanes.mask >> lane & 1))
			continue;
		pattern->words[step][lane] = lanes.words[n++];
		if (pattern->words[step][lane] * WORD_BYTES % unit != 0)
			return FALSE;
	}
	pattern->mask &= lanes.mask;
	return TRUE;
}

static gboolean read_words(const CsvTable *table, guint i, guint column, guint unit,
			   Pattern *pattern, GError **error)
{
	const char *cell = csv_cell(table, i, column);
	g_auto(GStrv) steps = g_strsplit(cell, "/", MAX_STEPS + 1);
	gboolean good;

	pattern->n_steps = g_strv_length(steps);
	pattern->mask = lanes_below(SM_BENCHMARK_LANES);
	good = pattern->n_steps >= 1 && pattern->n_steps <= MAX_STEPS;
	for (guint step = 0; good && step < pattern->n_steps; step++)
		good = read_step(steps[step], unit, pattern, step);
	if (good && pattern->mask != 0)
		return TRUE;
	csv_set_cell_error(table, i, column, error,
			   "found '%.40s'; allowed: 1 to %d steps with / between them, each up "
			   "to %d words from 0 to %u (of %u bytes: every %s) with dots between "
			   "them, - for an idle lane, and a lane that has one in every step",
			   cell, MAX_STEPS, SM_BENCHMARK_LANES, MAX_BYTES / WORD_BYTES, unit,
			   unit > WORD_BYTES ? "second one" : "one");
	return FALSE;
}

/* How much of an experiment's name is that of its family: its first words without a number, or of the first one what stands
   before it. */
static gsize family_length(const char *experiment)
{
	gsize number = strcspn(experiment, "=0123456789"), length = number;

	while (experiment[number] != '\0' && length > 0 && experiment[length - 1] != ' ')
		length--;
	if (length == 0)
		length = number;
	while (length > 1 && strchr(" -", experiment[length - 1]) != NULL)
		length--;
	return length;
}

static char *pattern_called(const char *experiment, const char *sms, guint n_sms, guint warps)
{
	gsize length = family_length(experiment);
	const char *rest = experiment + length;

	return g_strdup_printf("%.*s/%s, %u warps of %u SMs: %.40s", (int)length, experiment,
			       rest + strspn(rest, " "), warps, n_sms, sms);
}

static gboolean read_pattern(const Machine *machine, const CsvTable *table, guint i,
			     const guint *columns, SmProgram *program, MeasuredRow *measured,
			     GError **error)
{
	Pattern *pattern = (Pattern *)program;
	guint rounds, n_sms, unit;

	program->operation = global_operation(csv_cell(table, i, columns[OP]));
	n_sms = sm_benchmark_choose(program, machine, csv_cell(table, i, columns[SMS]));
	if (program->operation == NULL) {
		csv_set_cell_error(table, i, columns[OP], error,
				   "found '%s'; allowed: an operation such as red_add_u32 or "
				   "ld_relaxed",
				   csv_cell(table, i, columns[OP]));
		return FALSE;
	}
	if (n_sms == 0) {
		csv_set_cell_error(
			table, i, columns[SMS], error,
			"found '%.40s'; allowed: numbers from 0 to %u, each once, with "
			"dots between them, or all, same, other, or same:4",
			csv_cell(table, i, columns[SMS]), machine->sm.count - 1);
		return FALSE;
	}
	unit = program->operation->bytes;
	if (!measured_whole(table, i, columns[WARPS], 1, TRACE_MAX_WARPS, &program->n_warps,
			    error) ||
	    !measured_whole(table, i, columns[ROUNDS], BATCH, MAX_ROUNDS, &rounds, error) ||
	    !read_bytes(table, i, columns[WARP_STRIDE], unit, 0, MAX_STRIDE,
			&pattern->warp_stride, error) ||
	    !read_bytes(table, i, columns[SM_STRIDE], unit, 0, MAX_STRIDE, &pattern->sm_stride,
			error) ||
	    !read_bytes(table, i, columns[BYTES], unit, WORD_BYTES, MAX_BYTES, &pattern->bytes,
			error) ||
	    !read_words(table, i, columns[PATTERN], unit, pattern, error) ||
	    !csv_number(table, i, columns[CYCLES], VALIDATE_LEAST_CYCLES, &measured->measured,
			error))
		return FALSE;
	program->bytes = program->operation->bytes;
	program->n_accesses = rounds * MAX_STEPS;
	program->n_ahead = program->operation->result ? BATCH * MAX_STEPS : 0;
	program->fence = TRUE;
	program->buffer_bytes = (uint64_t)pattern->bytes + program->bytes;
	program->address = pattern_address;
	measured->pattern =
		pattern_called(csv_cell(table, i, columns[EXPERIMENT]),
			       csv_cell(table, i, columns[SMS]), n_sms, program->n_warps);
	return TRUE;
}

static const SmRowForm form = {names, N_COLUMNS, sizeof(Pattern), read_pattern};

gboolean validate_is_patterns(const CsvTable *table)
{
	return sm_rows_are(table, &form);
}

gboolean validate_add_patterns(Validation *validation, const Machine *machine,
			       const CsvTable *table, GError **error)
{
	return sm_rows_add(validation, machine, table, &form, error);
}
