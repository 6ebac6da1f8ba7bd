/* SPDX-License-Identifier: MIT */
#include "sim/run/first-use.h"

#include <glib.h>

#include "model/memory/slice-map.h"
#include "sim/run/machine.h"

/* Of the lines of constants: the SMs that get blocks, group by group, and as many schedulers of each as have warps when
   all blocks have been dispatched that fit. */
static void share_lines(RunContext *context, const SmPlace *places, uint32_t n_sms)
{
	const Machine *machine = context->machine;
	RecordSource *source = context->source;
	const uint64_t n_blocks = (source->n_blocks + n_sms - 1) / n_sms;
	g_autoptr(GArray) n_of_group = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	BlockInfo info = {0};

	if (source->n_blocks > 0)
		source->block_info(source, 0, &info);
	context->line_schedulers =
		(uint32_t)MIN(machine->sm.schedulers, MAX(n_blocks * info.n_warps, 1));
	for (uint32_t i = 0; i < n_sms; i++) {
		const uint32_t group = places[i].group;

		if (group >= n_of_group->len)
			g_array_set_size(n_of_group, group + 1);
		g_array_index(n_of_group, uint32_t, group)++;
		context->first_use[i].sms = group;
	}
	for (uint32_t i = 0; i < n_sms; i++)
		context->first_use[i].sms =
			g_array_index(n_of_group, uint32_t, context->first_use[i].sms);
}

/* Cycles until the SM's first instruction has come, where nobody has run the kernel. The first SM is near to its code, as far as is known
   (starts-first.csv, none, common and both: 43 to 59 cycles on one SM in each of nine processes, at least 138 and 167 on 66 and 132). */
static uint32_t code_cycles(const RunContext *context, uint32_t sm, bool near)
{
	const IssueParameters *issue = context->machine->issue;

	return issue->code_miss_cycles + (near ? 0 : issue->code_far_cycles) +
	       issue->code_group_fill_cycles * context->first_use[sm].sms *
		       context->line_schedulers;
}

/* Which partition is near to the parameters is not known: launches of one process differ (parameters.csv). */
static uint32_t parameter_cycles(const RunContext *context, bool near)
{
	const IssueParameters *issue = context->machine->issue;

	return issue->parameter_miss_cycles + (near ? 0 : issue->parameter_far_cycles);
}

/* What a module's constants take that an SM asks for first. The first launch finds them in DRAM; where the TLBs are empty, the first of them
   waits for a page walk, too. */
static void find_module_constants(RunContext *context)
{
	const Machine *machine = context->machine;
	const KernelInfo *kernel = &context->source->kernel;
	const IssueParameters *issue = machine->issue;

	if (issue->module_constant_miss_cycles == 0)
		return;
	context->module_constant_cycles = issue->module_constant_miss_cycles +
					  (launch_constants_are_cold(&machine->launch, kernel)
						   ? issue->module_constant_cold_cycles
						   : 0);
	if (machine->tlb->entry_kib > 0 && launch_tlb_is_cold(&machine->launch, kernel))
		context->first_module_constant_cycles = machine->tlb->walk_cycles;
}

void first_use_find(RunContext *context, uint32_t n_sms)
{
	const Machine *machine = context->machine;
	const KernelInfo *kernel = &context->source->kernel;
	const bool code = launch_code_is_cold(&machine->launch, kernel),
		   parameters = launch_parameters_are_cold(&machine->launch, kernel,
							   machine->issue->parameter_buffers);
	g_autofree SmPlace *places = NULL;

	if (!kernel->dataflow ||
	    (machine->issue->constant_group_fill_cycles == 0 &&
	     machine->issue->module_constant_miss_cycles == 0 && !code && !parameters))
		return;
	find_module_constants(context);
	places = g_new(SmPlace, n_sms);
	for (uint32_t i = 0; i < n_sms; i++)
		places[i] = slice_sm_place(machine->l2, machine->network->group_sms, n_sms, i);
	context->first_use = g_new0(FirstUse, n_sms);
	share_lines(context, places, n_sms);
	for (uint32_t i = 0; i < n_sms; i++) {
		const bool is_first = places[i].partition == places[0].partition;

		if (code)
			context->first_use[i].code = code_cycles(context, i, is_first);
		if (parameters)
			context->first_use[i].parameters = parameter_cycles(
				context, !is_first || machine->l2->partitions < 2);
	}
}
