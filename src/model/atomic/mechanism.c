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

const char *mechanism_key(const AtomicParameters *parameters, uint32_t kind)
{
	if (kind == ATOMIC_F32 && parameters->mechanism_f32)
		return "atomic.mechanism_f32";
	return kind == ATOMIC_64BIT && parameters->mechanism_64bit ? "atomic.mechanism_64bit"
								   : "atomic.mechanism";
}

const Mechanism *mechanism_of_use(const AtomicParameters *parameters, uint32_t use)
{
	const Mechanism *special = NULL;

	if (use >= ATOMIC_NAMED)
		return mechanisms[use - ATOMIC_NAMED];
	if (use == ATOMIC_F32)
		special = parameters->mechanism_f32;
	else if (use == ATOMIC_64BIT)
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

uint32_t atomic_cam_entries(const AtomicParameters *parameters)
{
	for (uint32_t i = 0; i < N_MECHANISMS; i++)
		if (mechanisms[i]->cam_entries && mechanism_in_use(parameters, mechanisms[i]))
			return mechanisms[i]->cam_entries(parameters->own[i]);
	return 0;
}

bool atomic_has_lock_bits(const AtomicParameters *parameters)
{
	return atomic_has_locks(parameters) && atomic_cam_entries(parameters) == 0;
}

bool atomic_by_block(const AtomicParameters *parameters)
{
	for (uint32_t i = 0; i < N_MECHANISMS; i++)
		if (mechanisms[i]->by_block && mechanism_in_use(parameters, mechanisms[i]) &&
		    mechanisms[i]->by_block(parameters->own[i]))
			return true;
	return false;
}

/* The first use of the same mechanism: it owns the state. */
static uint32_t owner_of(const AtomicUnit *unit, uint32_t use)
{
	uint32_t first = 0;

	while (unit->instances[first].mechanism != unit->instances[use].mechanism)
		first++;
	return first;
}

void atomic_unit_init(AtomicUnit *unit)
{
	const AtomicParameters *p = unit->parameters;

	for (uint32_t use = 0; use < N_ATOMIC_USES; use++) {
		if (use < ATOMIC_NAMED || p->named >> (use - ATOMIC_NAMED) & 1)
			unit->instances[use].mechanism = mechanism_of_use(p, use);
	}
	for (uint32_t use = 0; use < N_ATOMIC_USES; use++) {
		MechanismInstance *instance = &unit->instances[use];
		uint32_t owner = owner_of(unit, use);

		if (!instance->mechanism)
			continue;
		if (owner < use)
			instance->state = unit->instances[owner].state;
		else
			instance->state = instance->mechanism->new
						  ? instance->mechanism->new (unit)
						  : NULL;
	}
}

void atomic_unit_clear(AtomicUnit *unit)
{
	for (uint32_t use = N_ATOMIC_USES; use-- > 0;)
		if (owner_of(unit, use) == use && unit->instances[use].state)
			unit->instances[use].mechanism->free(unit->instances[use].state);
}

const MechanismInstance *atomic_instance_named(const AtomicUnit *unit, uint32_t place)
{
	return &unit->instances[ATOMIC_NAMED + place];
}

const MechanismInstance *atomic_instance(const AtomicUnit *unit, Operation operation,
					 ValueType type)
{
	return &unit->instances[atomic_kind(operation, type)];
}

uint32_t atomic_held(const AtomicUnit *unit)
{
	uint32_t n = 0;

	for (uint32_t use = 0; use < N_ATOMIC_USES; use++) {
		const MechanismInstance *instance = &unit->instances[use];

		if (instance->mechanism && instance->mechanism->n_held &&
		    owner_of(unit, use) == use)
			n += instance->mechanism->n_held(instance->state);
	}
	return n;
}

void atomic_settle(AtomicUnit *unit, const MechanismInstance *instance, const Atomic *atomic)
{
	if (instance->mechanism->settle)
		instance->mechanism->settle(unit, instance->state, atomic);
}

void atomic_snapshot(const AtomicUnit *unit, const MechanismInstance *instance,
		     const Atomic *atomic, Cycle now, Snapshot *snapshot)
{
	if (instance->mechanism->snapshot) {
		instance->mechanism->snapshot(unit, instance->state, atomic, now, snapshot);
		return;
	}
	snapshot_add(snapshot, atomic->phase);
	snapshot_add(snapshot, atomic->round);
	snapshot_add(snapshot, atomic->pending);
	if (instance->mechanism->new)
		snapshot_never(snapshot);
}

void atomic_shift(const MechanismInstance *instance, const Atomic *atomic, Cycle now, Cycle by)
{
	if (instance->mechanism->shift)
		instance->mechanism->shift(instance->state, atomic, now, by);
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
