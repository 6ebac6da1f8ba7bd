/* SPDX-License-Identifier: MIT */
#include "model/atomic/mechanism.h"

#include <glib.h>

#define X(name) &mechanism_##name,
const Mechanism *const mechanisms[] = {MECHANISMS(X) NULL};
#undef X

const Mechanism *mechanism_find(const char *name)
{
	for (const Mechanism *const *m = mechanisms; *m; m++)
		if (g_str_equal((*m)->name, name))
			return *m;
	return NULL;
}

uint32_t mechanism_place(const Mechanism *mechanism)
{
	uint32_t m = 0;

	while (mechanisms[m] != mechanism)
		m++;
	return m;
}

const char *atomic_way_key(const AtomicParameters *parameters, uint32_t way)
{
	if (way == ATOMIC_WAY_F32 && parameters->mechanism_f32)
		return "atomic.mechanism_f32";
	return way == ATOMIC_WAY_64BIT && parameters->mechanism_64bit ? "atomic.mechanism_64bit"
								      : "atomic.mechanism";
}

const Mechanism *mechanism_of_way(const AtomicParameters *parameters, uint32_t way)
{
	const Mechanism *special = NULL;

	if (way >= ATOMIC_WAY_NAMED)
		return mechanisms[way - ATOMIC_WAY_NAMED];
	if (way == ATOMIC_WAY_F32)
		special = parameters->mechanism_f32;
	else if (way == ATOMIC_WAY_64BIT)
		special = parameters->mechanism_64bit;
	return special ? special : parameters->mechanism;
}

bool mechanism_in_use(const AtomicParameters *parameters, const Mechanism *mechanism)
{
	for (uint32_t m = 0; m < N_MECHANISMS; m++)
		if (parameters->named >> m & 1 && mechanisms[m] == mechanism)
			return true;
	return mechanism == parameters->mechanism || mechanism == parameters->mechanism_f32 ||
	       mechanism == parameters->mechanism_64bit;
}

bool atomic_has_locks(const AtomicParameters *parameters)
{
	for (uint32_t i = 0; i < N_MECHANISMS; i++)
		if (mechanisms[i]->has_locks && mechanism_in_use(parameters, mechanisms[i]))
			return true;
	return false;
}

bool atomic_by_block(const AtomicParameters *parameters)
{
	for (uint32_t i = 0; i < N_MECHANISMS; i++)
		if (mechanisms[i]->by_block && mechanism_in_use(parameters, mechanisms[i]) &&
		    mechanisms[i]->by_block(parameters->own[i]))
			return true;
	return false;
}

/* The first way of the same mechanism: it owns the state. */
static uint32_t owner_of(const AtomicUnit *unit, uint32_t way)
{
	uint32_t first = 0;

	while (unit->ways[first].mechanism != unit->ways[way].mechanism)
		first++;
	return first;
}

void atomic_unit_init(AtomicUnit *unit)
{
	const AtomicParameters *p = unit->parameters;

	for (uint32_t w = 0; w < N_ATOMIC_WAYS; w++) {
		if (w < ATOMIC_WAY_NAMED || p->named >> (w - ATOMIC_WAY_NAMED) & 1)
			unit->ways[w].mechanism = mechanism_of_way(p, w);
	}
	for (uint32_t w = 0; w < N_ATOMIC_WAYS; w++) {
		AtomicWay *way = &unit->ways[w];
		uint32_t owner = owner_of(unit, w);

		if (!way->mechanism)
			continue;
		if (owner < w)
			way->state = unit->ways[owner].state;
		else
			way->state = way->mechanism->new ? way->mechanism->new (unit) : NULL;
	}
}

void atomic_unit_clear(AtomicUnit *unit)
{
	for (uint32_t w = N_ATOMIC_WAYS; w-- > 0;)
		if (owner_of(unit, w) == w && unit->ways[w].state)
			unit->ways[w].mechanism->free(unit->ways[w].state);
}

const AtomicWay *atomic_way_named(const AtomicUnit *unit, uint32_t place)
{
	return &unit->ways[ATOMIC_WAY_NAMED + place];
}

uint32_t atomic_way_number(Operation operation, ValueType type)
{
	if (operation == OPERATION_EXCH || operation == OPERATION_CAS)
		return ATOMIC_WAY_PLAIN;
	if (type == TYPE_F32)
		return ATOMIC_WAY_F32;
	return type == TYPE_U64 || type == TYPE_S64 || type == TYPE_F64 ? ATOMIC_WAY_64BIT
									: ATOMIC_WAY_PLAIN;
}

const AtomicWay *atomic_way(const AtomicUnit *unit, Operation operation, ValueType type)
{
	return &unit->ways[atomic_way_number(operation, type)];
}

uint32_t atomic_held(const AtomicUnit *unit)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < N_ATOMIC_WAYS; w++) {
		const AtomicWay *way = &unit->ways[w];

		if (way->mechanism && way->mechanism->n_held && owner_of(unit, w) == w)
			n += way->mechanism->n_held(way->state);
	}
	return n;
}

void atomic_settle(AtomicUnit *unit, const AtomicWay *way, const Atomic *atomic)
{
	if (way->mechanism->settle)
		way->mechanism->settle(unit, way->state, atomic);
}

void atomic_snapshot(const AtomicUnit *unit, const AtomicWay *way, const Atomic *atomic,
		     Cycle now, Snapshot *snapshot)
{
	if (way->mechanism->snapshot) {
		way->mechanism->snapshot(unit, way->state, atomic, now, snapshot);
		return;
	}
	snapshot_add(snapshot, atomic->phase);
	snapshot_add(snapshot, atomic->round);
	snapshot_add(snapshot, atomic->pending);
	if (way->mechanism->new)
		snapshot_never(snapshot);
}

void atomic_shift(const AtomicWay *way, const Atomic *atomic, Cycle now, Cycle by)
{
	if (way->mechanism->shift)
		way->mechanism->shift(way->state, atomic, now, by);
}

SilentRun silent_run(Silent silent, uint32_t issue_cycles)
{
	SilentRun run = {.silent = silent};

	for (; silent; silent = silent_trails(silent) ? 0 : silent_next(silent)) {
		const uint32_t rest = silent_cycles(silent) - issue_cycles;

		if (silent_is_retry(silent))
			run.retry_cycles += rest;
		else
			run.first_cycles += rest;
	}
	return run;
}

void atomic_begin(AtomicUnit *unit, Atomic *atomic)
{
	atomic->pending = lanes_below(atomic->n_lanes);
	unit->counters->warp_instructions++;
	unit->counters->lane_operations += atomic->n_lanes;
}

void atomic_end(AtomicUnit *unit, const Atomic *atomic)
{
	unit->counters->lock_degree[MIN(atomic->round, DEGREE_BINS - 1)]++;
}
