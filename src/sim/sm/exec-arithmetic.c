/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic, and what else is a chain of dependent instructions: alu, unknown, code, shfl, vote, fence.
 *
 * Modelled: in-order issue, each instruction of a warp waiting for the one before
 * (alu_latency_cycles, "about 22 cycles", CUDA C Programming Guide 4.2, 5.2.3).
 * Not modelled: instruction fetch, dual issue.
 */
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

void exec_arithmetic(Sm *sm, uint32_t slot, Cycle now)
{
	const SmParameters *p = &sm->machine->sm;
	Warp *warp = &sm->warps[slot];
	/* A scheduler that is busy for longer than the latency serves nobody else meanwhile. */
	Cycle ready = now + MAX(p->alu_latency_cycles, p->issue_cycles);

	if (!warp->in_record) {
		warp->in_record = true;
		warp->left = record_instructions(&warp->record,
						 sm->context->source->kernel.dataflow);
	}
	exec_observe(sm, slot, "alu", now, now, ready, 0);
	exec_book(sm, now, now, ready, 0, STATE_ARITHMETIC);
	sm->progress_at = now;
	if (--warp->left == 0) {
		fetch_next(sm, slot, ready);
		return;
	}
	if (warp->left == 1)
		fetch_soon(warp);
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}
