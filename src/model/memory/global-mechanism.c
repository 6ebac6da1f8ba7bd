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

uint32_t global_way(Operation operation, ValueType type)
{
	if (operation == OPERATION_EXCH || operation == OPERATION_CAS)
		return GLOBAL_WAY_PLAIN;
	if (type == TYPE_F32)
		return GLOBAL_WAY_F32;
	return type == TYPE_U64 || type == TYPE_S64 || type == TYPE_F64 ? GLOBAL_WAY_64BIT
									: GLOBAL_WAY_PLAIN;
}

const GlobalMechanism *global_mechanism_of_way(const GlobalAtomicParameters *parameters,
					       uint32_t way)
{
	const GlobalMechanism *special = NULL;

	if (way == GLOBAL_WAY_F32)
		special = parameters->mechanism_f32;
	else if (way == GLOBAL_WAY_64BIT)
		special = parameters->mechanism_64bit;
	return special ? special : parameters->mechanism;
}

const GlobalMechanism *global_mechanism_of(const GlobalAtomicParameters *parameters,
					   Operation operation, ValueType type)
{
	return global_mechanism_of_way(parameters, global_way(operation, type));
}
