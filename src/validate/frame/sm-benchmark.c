/* SPDX-License-Identifier: MIT */
#include "validate/frame/sm-benchmark.h"

#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "validate/frame/made-grid.h"
#include "validate/frame/sm-clocks.h"
#include "model/memory/slice-map.h"

/* --- Which SM of the model is which of the GPU --- */

gboolean sm_benchmark_has_sms(const Machine *machine)
{
	return machine->sm.count <= SM_BENCHMARK_MAX_SMS &&
	       slice_map_sms(&machine->l2->map) == machine->sm.count;
}

static SmPlace place_of(const Machine *machine, guint sm)
{
	return slice_sm_place(machine->l2, machine->network->group_sms, machine->sm.count, sm);
}

/* The SM of the model, as blocks are dealt, that stands for each of the GPU: one of the same GPC and the same cluster of TPCs. */
static void model_sms(const Machine *machine, guint model[SM_BENCHMARK_MAX_SMS])
{
	gboolean taken[SM_BENCHMARK_MAX_SMS] = {FALSE};

	g_assert(sm_benchmark_has_sms(machine));
	for (guint sm = 0; sm < machine->sm.count; sm++) {
		uint32_t group, cluster, i = 0;

		slice_map_gpu_sm(&machine->l2->map, sm, &group, &cluster);
		for (; i < machine->sm.count; i++) {
			SmPlace place = place_of(machine, i);

			if (!taken[i] && place.group == group && place.cluster == cluster)
				break;
		}
		g_assert(i < machine->sm.count);
		taken[i] = TRUE;
		model[sm] = i;
	}
}

static guint choose_numbers(SmProgram *program, guint n_sms, const char *list)
{
	guint n = 0;

	for (const char *at = list; *at != '\0'; n++) {
		char *end;
		gulong sm = strtoul(at, &end, 10);

		if (end == at || sm >= n_sms || program->works[sm] ||
		    (*end != '.' && *end != '\0') || (*end == '.' && end[1] == '\0'))
			return 0;
		program->works[sm] = TRUE;
		at = end + (*end == '.');
	}
	return n;
}

guint sm_benchmark_choose(SmProgram *program, const Machine *machine, const char *list)
{
	const uint32_t partition = slice_place(machine->l2, 0).partition;
	const char *most = strchr(list, ':');
	gsize length = most ? (gsize)(most - list) : strlen(list);
	gboolean all = length == 3 && strncmp(list, "all", length) == 0;
	gboolean other = length == 5 && strncmp(list, "other", length) == 0;
	guint64 left = machine->sm.count;
	guint model[SM_BENCHMARK_MAX_SMS], n = 0;

	memset(program->works, 0, sizeof(program->works));
	if (g_ascii_isdigit(*list))
		return choose_numbers(program, machine->sm.count, list);
	if ((!all && !other && !(length == 4 && strncmp(list, "same", length) == 0)) ||
	    (most &&
	     !g_ascii_string_to_unsigned(most + 1, 10, 1, machine->sm.count, &left, NULL)))
		return 0;
	model_sms(machine, model);
	for (guint sm = 0; sm < machine->sm.count && n < left; sm++) {
		program->works[sm] =
			all || (place_of(machine, model[sm]).partition == partition) != other;
		n += program->works[sm];
	}
	return n;
}

/* --- Records --- */

typedef struct {
	MadeGrid grid; /* first: the callbacks cast */
	const Machine *machine;
	const SmProgram *program;
	int rank[SM_BENCHMARK_MAX_SMS]; /* of each block, among those that work; -1: it does not */
} Grid;

typedef struct {
	MadeWarp warp; /* first */
	guint access;
	enum { AT_LAUNCH, AT_BARRIER, AT_ACCESS, AT_USE, AT_FENCE, AT_EXIT } place;
} Warp;

static void fill_access(const Grid *grid, const Warp *self, Record *record)
{
	const SmProgram *p = grid->program;
	uint32_t byte[SM_BENCHMARK_LANES];
	LaneMask mask = p->address(p, (guint)grid->rank[self->warp.block], self->warp.warp,
				   self->access, byte);

	global_operation_record(p->operation, 1, record);
	if (p->operation->kind != RECORD_ATOMG)
		record->width = (uint8_t)p->bytes;
	record->mask = mask;
	record->n_lanes = 0;
	for (guint lane = 0; lane < SM_BENCHMARK_LANES; lane++)
		if (mask >> lane & 1)
			record->address[record->n_lanes++] = byte[lane];
	record->bytes = (uint32_t)record->width * record->n_lanes;
}

/* What comes behind an access. */
static void step_on(const SmProgram *p, Warp *self)
{
	self->access++;
	if (p->n_ahead > 0 && (self->access % p->n_ahead == 0 || self->access == p->n_accesses))
		self->place = AT_USE;
	else if (self->access == p->n_accesses)
		self->place = AT_FENCE;
}

static bool next(MadeWarp *warp, Record *record)
{
	const Grid *grid = (const Grid *)warp->grid;
	const SmProgram *p = grid->program;
	Warp *self = (Warp *)warp;

	switch (self->place) {
	case AT_LAUNCH:
		made_alu(record, MAX(1, sm_launch_alu(grid->machine, warp->block)));
		self->place = AT_BARRIER;
		return true;
	case AT_BARRIER:
		*record = (Record){.kind = RECORD_BAR};
		self->place = AT_ACCESS;
		return true;
	case AT_ACCESS:
		fill_access(grid, self, record);
		step_on(p, self);
		return true;
	case AT_USE:
		made_alu(record, 1);
		self->place = self->access == p->n_accesses ? AT_FENCE : AT_ACCESS;
		return true;
	case AT_FENCE:
		*record = (Record){.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
		self->place = AT_EXIT;
		return p->fence;
	default:
		return false;
	}
}

static void open_warp(MadeWarp *warp)
{
	if (((const Grid *)warp->grid)->rank[warp->block] < 0)
		((Warp *)warp)->place = AT_EXIT;
}

static guint warps_of(const MadeGrid *grid, uint64_t block)
{
	return ((const Grid *)grid)->rank[block] < 0 ? 1 : grid->n_warps;
}

gboolean sm_benchmark(const Machine *machine, const SmProgram *program, const char *place,
		      double *cycles, GError **error)
{
	g_autoptr(SmClocks) clocks = sm_clocks_new(machine, machine->sm.count);
	guint model[SM_BENCHMARK_MAX_SMS];
	int n = 0;
	Grid grid = {.grid = {.n_blocks = machine->sm.count,
			      .n_warps = program->n_warps,
			      .warps_of = warps_of,
			      .warp_bytes = sizeof(Warp),
			      .open = open_warp,
			      .next = next},
		     .machine = machine,
		     .program = program};

	/* Block i of a launch of one for each SM goes to the model's SM i. */
	grid.grid.source.kernel =
		(KernelInfo){.n_buffers = 1, .buffer_bytes = &program->buffer_bytes};
	model_sms(machine, model);
	for (guint sm = 0; sm < machine->sm.count; sm++)
		grid.rank[model[sm]] = program->works[sm] ? n++ : -1;
	if (!made_grid_run(&grid.grid, machine, place, sm_clocks_observer(clocks), cycles,
			   error))
		return FALSE;
	*cycles = (double)sm_clocks_read(clocks);
	return TRUE;
}
