/* SPDX-License-Identifier: MIT */
#include "model/memory/global-mechanism.h"

#include <stddef.h>

#define X(name) &global_mechanism_##name,
const GlobalMechanism *const global_mechanisms[] = {GLOBAL_MECHANISMS(X) NULL};
#undef X

uint32_t global_mechanism_index(const GlobalMechanism *mechanism)
{
	uint32_t i = 0;

	while (global_mechanisms[i] != mechanism)
		i++;
	return i;
}

bool global_mechanism_in_use(const GlobalAtomicParameters *parameters,
			     const GlobalMechanism *mechanism)
{
	return mechanism == parameters->mechanism || mechanism == parameters->mechanism_f32 ||
	       mechanism == parameters->mechanism_64bit;
}

const GlobalMechanism *global_mechanism_of_kind(const GlobalAtomicParameters *parameters,
						uint32_t kind)
{
	const GlobalMechanism *special = NULL;

	if (kind == ATOMIC_F32)
		special = parameters->mechanism_f32;
	else if (kind == ATOMIC_64BIT)
		special = parameters->mechanism_64bit;
	return special ? special : parameters->mechanism;
}

const GlobalMechanism *global_mechanism_of(const GlobalAtomicParameters *parameters,
					   Operation operation, ValueType type)
{
	const GlobalMechanism *mechanism =
		global_mechanism_of_kind(parameters, atomic_kind(operation, type));

	return operation == OPERATION_UPDATE && mechanism->at_once ? &global_mechanism_cas_loop
								   : mechanism;
}
