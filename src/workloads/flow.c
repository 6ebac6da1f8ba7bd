/* SPDX-License-Identifier: MIT */
#include "workloads/flow.h"

#include <string.h>

/* Value v of a table is number v - 1 of the trace. */
static uint8_t number(uint8_t value)
{
	return value > 0 ? (uint8_t)(value - 1) : DATAFLOW_NO_VALUE;
}

static uint32_t flow_gap(TraceWriter *writer, const FlowOperation *operations, guint n)
{
	g_autofree CodeOperation *code = g_new0(CodeOperation, n);
	g_autofree uint8_t *values = g_new(uint8_t, n * (FLOW_MAX_READS + 1));

	for (guint i = 0; i < n; i++) {
		uint8_t *own = values + i * (FLOW_MAX_READS + 1);

		code[i] = (CodeOperation){.class = (uint8_t)operations[i].class,
					  .guard = number(operations[i].guard),
					  .writes = own,
					  .reads = own + 1};
		own[0] = number(operations[i].write);
		code[i].n_writes = operations[i].write > 0;
		while (code[i].n_reads < FLOW_MAX_READS &&
		       operations[i].reads[code[i].n_reads]) {
			own[1 + code[i].n_reads] = number(operations[i].reads[code[i].n_reads]);
			code[i].n_reads++;
		}
	}
	return trace_writer_gap(writer, code, n);
}

static void flow_site(TraceWriter *writer, uint32_t site, const FlowSite *access)
{
	const uint8_t values[] = {number(access->address), number(access->data),
				  number(access->write)};
	const SiteFlow flow = {
		.guard = DATAFLOW_NO_VALUE,
		.n_address = access->address > 0,
		.n_data = access->data > 0,
		.n_writes = access->write > 0,
		.address = &values[0],
		.data = &values[1],
		.writes = &values[2],
	};

	trace_writer_site_flow(writer, site, &flow);
}

static void emit_code(Emitter *emitter, uint32_t gap)
{
	emitter->record.kind = RECORD_CODE;
	emitter->record.mask = 0;
	emitter->record.n_lanes = 0;
	emitter->record.site = 0;
	emitter->record.gap = gap;
	trace_writer_append(emitter->writer, emitter->block, emitter->warp, &emitter->record);
}

/* --- Steps --- */

/* A gap of a chain of n operations, then those of the step. */
static uint32_t step_gap(TraceWriter *writer, const FlowStep *step, guint n)
{
	g_autofree FlowOperation *operations = g_new0(FlowOperation, n + step->n);

	for (guint i = 0; i < n; i++)
		operations[i] = (FlowOperation){CODE_INT, step->chain, {step->chain}, 0};
	if (step->n > 0)
		memcpy(operations + n, step->code, step->n * sizeof(*operations));
	return flow_gap(writer, operations, n + step->n);
}

void flow_begin(Flow *flow, guint first, const KernelCode *code, TraceWriter *writer,
		uint32_t warp_lanes, WorkloadLaunch *launch)
{
	g_assert(first + code->n_steps <= FLOW_MAX_STEPS);
	memcpy(flow->steps + first, code->steps, code->n_steps * sizeof(*code->steps));
	launch->kernel = code->name;
	launch->sites = flow->recorded ? code->dataflow_sites : code->sites;
	if (!flow->recorded)
		return;
	if (trace_writer_version(writer) == 1)
		trace_writer_set_version_2(writer, warp_lanes);
	for (guint i = 0; i < FLOW_MAX_STEPS; i++) {
		const FlowStep *step = &flow->steps[i];
		const FlowStep chain = {.chain = step->chain};

		if (step->n + step->more % FLOW_MAX_CHAIN > 0)
			flow->gaps[i] = step_gap(writer, step, step->more % FLOW_MAX_CHAIN);
		if (step->more >= FLOW_MAX_CHAIN)
			flow->chain_gaps[i] = step_gap(writer, &chain, FLOW_MAX_CHAIN);
	}
	for (guint i = 0; i < code->n_flows; i++)
		flow_site(writer, i + 1, &code->flows[i]);
}

void flow_generate(const KernelCode *code, gboolean dataflow, TraceWriter *writer,
		   EmitWarp write, gconstpointer data, WorkloadLaunch *launch)
{
	Flow flow = {.recorded = dataflow};

	flow_begin(&flow, 0, code, writer, WARP_LANES, launch);
	emit_blocks(writer, &flow, launch, WARP_LANES, write, data);
}

gboolean flow_asked(const WorkloadParameters *parameters)
{
	return workload_choice(parameters, "dataflow") != 0;
}

void emit_step(Emitter *emitter, guint number)
{
	const Flow *flow = emitter->flow;
	const FlowStep *step = &flow->steps[number];

	if (!flow->recorded) {
		emit_alu(emitter, step->more + step->n);
		return;
	}
	for (guint i = 0; i < step->more / FLOW_MAX_CHAIN; i++)
		emit_code(emitter, flow->chain_gaps[number]);
	if (step->n + step->more % FLOW_MAX_CHAIN > 0)
		emit_code(emitter, flow->gaps[number]);
}

void emit_mixed_step(Emitter *emitter, RecordKind first, guint number)
{
	if (emitter->flow->recorded) {
		emit_step(emitter, number);
		return;
	}
	emit_count(emitter, first, 1);
	emit_alu(emitter, emitter->flow->steps[number].n - 1);
}

void emit_step_or(Emitter *emitter, guint step, uint32_t n_alu)
{
	if (has_dataflow(emitter))
		emit_step(emitter, step);
	else
		emit_alu(emitter, n_alu);
}
