/* SPDX-License-Identifier: MIT */
#include "validate/frame/form.h"

struct SmClocks {
	Observer observer; /* first */
	const Machine *machine;
	guint n_blocks;
	Cycle *arrived; /* of each block: its last warp at the barrier, and 1; 0: there is none */
	uint32_t *sm;	/* and where it ran */
	Cycle *end;	/* of each SM: its last warp's */
};

static void observe(Observer *observer, const Instruction *instruction)
{
	SmClocks *clocks = (SmClocks *)observer;
	Cycle *at;

	if (instruction->record->kind == RECORD_BAR) {
		at = &clocks->arrived[instruction->block];
		*at = MAX(*at, instruction->issue + 1);
		clocks->sm[instruction->block] = instruction->sm;
	} else if (instruction->record->kind == RECORD_EXIT) {
		at = &clocks->end[instruction->sm];
		*at = MAX(*at, instruction->issue);
	}
}

SmClocks *sm_clocks_new(const Machine *machine, guint n_blocks)
{
	SmClocks *clocks = g_new0(SmClocks, 1);

	clocks->observer.instruction = observe;
	clocks->machine = machine;
	clocks->n_blocks = n_blocks;
	clocks->arrived = g_new0(Cycle, n_blocks);
	clocks->sm = g_new0(uint32_t, n_blocks);
	clocks->end = g_new0(Cycle, machine->sm.count);
	return clocks;
}

void sm_clocks_free(SmClocks *clocks)
{
	g_free(clocks->arrived);
	g_free(clocks->sm);
	g_free(clocks->end);
	g_free(clocks);
}

Observer *sm_clocks_observer(SmClocks *clocks)
{
	return &clocks->observer;
}

Cycle sm_clocks_read(const SmClocks *clocks)
{
	const SmParameters *sm = &clocks->machine->sm;
	g_autofree Cycle *begin = g_new(Cycle, sm->count);
	Cycle longest = 0;

	for (guint i = 0; i < sm->count; i++)
		begin[i] = UINT64_MAX;
	for (guint b = 0; b < clocks->n_blocks; b++) {
		Cycle *first = &begin[clocks->sm[b]];

		if (clocks->arrived[b] > 0)
			*first = MIN(*first,
				     clocks->arrived[b] - 1 + sm->barrier_latency_cycles);
	}
	for (guint i = 0; i < sm->count; i++)
		if (begin[i] < clocks->end[i])
			longest = MAX(longest, clocks->end[i] - begin[i]);
	return longest;
}
