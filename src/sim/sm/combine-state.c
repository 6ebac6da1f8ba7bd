/* SPDX-License-Identifier: MIT */
#include "sim/sm/combine-state.h"

#include <string.h>

void combine_init(Sm *sm)
{
	for (uint32_t space = 0; space < N_MEMORY_SPACES; space++)
		for (uint32_t c = 0; c < N_COMBINERS; c++) {
			const void *own = sm->machine->combine[space][c];

			if (!own || !combiners[c]->is_on(own) ||
			    (space == MEMORY_GLOBAL && !sm->context->memory))
				continue;
			sm->combiners[space][c] = combiners[c]->new (own);
			sm->combine_spaces |= 1u << space;
			sm->keeps_atomics |= combiners[c]->drain != NULL;
		}
	if (sm->combine_spaces)
		sm->combined_sites = g_new0(CombineCounters, sm->context->n_sites + 1);
}

void combine_clear(Sm *sm)
{
	for (uint32_t space = 0; space < N_MEMORY_SPACES; space++)
		for (uint32_t c = 0; c < N_COMBINERS; c++)
			if (sm->combiners[space][c])
				combiners[c]->free(sm->combiners[space][c]);
	memset(sm->combiners, 0, sizeof sm->combiners);
}

bool combine_is_idle(const Sm *sm, Cycle now)
{
	for (uint32_t space = 0; space < N_MEMORY_SPACES; space++)
		for (uint32_t c = 0; c < N_COMBINERS; c++)
			if (sm->combiners[space][c] &&
			    !combiners[c]->is_idle(sm->combiners[space][c], now))
				return false;
	return true;
}
