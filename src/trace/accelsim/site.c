/* SPDX-License-Identifier: MIT */
/* A record in its place: behind the gap before it, with the site of its instruction. */
#include "trace/accelsim/accelsim.h"

static guint32 site_of(AccelSimKernel *kernel, StaticInstruction *code)
{
	const ImportFlow *from = &code->flow;
	const SiteFlow flow = {
		.guard = DATAFLOW_NO_VALUE,
		.instruction = code->number + 1,
		.n_address = from->n_address,
		.n_data = (uint8_t)(from->n_reads - from->n_address),
		.n_writes = from->n_writes,
		.address = from->reads,
		.data = from->reads + from->n_address,
		.writes = from->writes,
	};

	if (code->site == 0 && kernel->sites->len < TRACE_MAX_SITES) { /* others have no site */
		g_ptr_array_add(kernel->sites, code);
		code->site = kernel->sites->len;
		trace_writer_site_flow(kernel->writer, code->site, &flow);
	}
	return code->site;
}

void accelsim_append_record(AccelSimKernel *kernel, AccelSimWarp *warp,
			    const Instruction *instruction, Record *record)
{
	import_gaps_flush(kernel, warp);
	record->site = site_of(kernel, instruction->code);
	trace_writer_append(kernel->writer, kernel->block_id, warp->number, record);
}
