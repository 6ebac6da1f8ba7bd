/* SPDX-License-Identifier: MIT */
#include "config/keys-own.h"

static gboolean always(const Machine *machine, guint c)
{
	(void)machine;
	(void)c;
	return TRUE;
}

static gboolean has_slices(const Machine *machine, guint c)
{
	(void)c;
	return machine->global.model == GLOBAL_SLICES;
}

static char *why_no_slices(const Machine *machine, guint c)
{
	(void)c;
	return g_strdup_printf("global.model is %s", global_model_names[machine->global.model]);
}

const KeyOwner *combiner_key_owner(MemorySpace space, guint c)
{
	const gboolean global = space == MEMORY_GLOBAL;
	static KeyOwner owner;

	owner = (KeyOwner){
		.table = combiners[c]->keys[space],
		.block =
			offsetof(Machine, combine) + (space * N_COMBINERS + c) * sizeof(void *),
		.in_use = global ? has_slices : always,
		.why = global ? why_no_slices : NULL,
		.acts_on = global ? KEY_ACTS_GLOBAL_ATOMIC : KEY_ACTS_ATOMIC,
		.i = c,
	};
	return &owner;
}
