/* SPDX-License-Identifier: MIT */
#include "model/mechanism.h"

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

const Mechanism *mechanism_for(const AtomicParameters *parameters, Operation operation,
			       ValueType type)
{
	const Mechanism *special = NULL;

	if (operation != OPERATION_EXCH && operation != OPERATION_CAS)
		special = type == TYPE_F32 ? parameters->mechanism_f32
			  : type == TYPE_U64 || type == TYPE_S64 || type == TYPE_F64
				  ? parameters->mechanism_64bit
				  : NULL;
	return special ? special : parameters->mechanism;
}

void atomic_begin(AtomicUnit *unit, Atomic *atomic)
{
	atomic->pending = UINT32_MAX >> (32 - atomic->n_lanes);
	unit->counters->warp_instructions++;
	unit->counters->lane_operations += atomic->n_lanes;
}

uint32_t atomic_next_serial(AtomicUnit *unit)
{
	if (++unit->serial == 1u << (32 - STAMP_SHIFT)) {
		/* The stamps of old atomics would read as new. */
		for (uint32_t i = 0; i < unit->lock_map->n_locks; i++)
			unit->locks[i].stamp = 0;
		unit->serial = 1;
	}
	return unit->serial;
}

void atomic_end(AtomicUnit *unit, const Atomic *atomic)
{
	unit->counters->lock_degree[MIN(atomic->round, DEGREE_BINS - 1)]++;
}
