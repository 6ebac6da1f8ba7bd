/* SPDX-License-Identifier: MIT */
/* What a launch found, and where its blocks went: in words, and as fields of a report. */
#include "report/fields-internal.h"
#include "report/report.h"

/* Whether it found the TLBs cold (true) or warm. FALSE: none are simulated, or the run asked the memory side for nothing. */
static gboolean found_tlb(const RunReport *report, gboolean *cold)
{
	if (report->machine->tlb->entry_kib == 0 || report->kernel == NULL ||
	    report->result->statistics.memory.accesses == 0)
		return FALSE;
	*cold = launch_tlb_is_cold(&report->machine->launch, report->kernel);
	return TRUE;
}

/* The same of the SMs' code. FALSE: its fetch is not simulated, or the trace has no data flow. */
static gboolean found_code(const RunReport *report, gboolean *cold)
{
	if (report->machine->issue->code_fetch_mcycles == 0 || report->kernel == NULL ||
	    report->kernel->dataflow == NULL)
		return FALSE;
	*cold = launch_code_is_cold(&report->machine->launch, report->kernel);
	return TRUE;
}

/* The same of the memory of its parameters. FALSE: not simulated, or the trace does not say where they are. */
static gboolean found_parameters(const RunReport *report, gboolean *cold)
{
	const IssueParameters *issue = report->machine->issue;

	if (issue->parameter_miss_cycles == 0 || report->kernel == NULL ||
	    report->kernel->dataflow == NULL || report->kernel->parameters.bytes == 0)
		return FALSE;
	*cold = launch_parameters_are_cold(&report->machine->launch, report->kernel,
					   issue->parameter_buffers);
	return TRUE;
}

char *report_cold(const RunReport *report)
{
	gboolean code = FALSE, parameters = FALSE;

	found_code(report, &code);
	found_parameters(report, &parameters);
	if (code && parameters)
		return g_strdup("code and parameters are cold: SMs must fetch them");
	if (code)
		return g_strdup("code is cold: SMs must fetch it");
	return parameters ? g_strdup("parameters are cold: they come in memory that is new")
			  : NULL;
}

/* SMs that have a block: up to machine_launch_sms. */
static uint64_t busy_sms(const RunReport *report)
{
	return MIN(report->trace_blocks, machine_launch_sms(report->machine));
}

char *report_idle_sms(const RunReport *report)
{
	const uint32_t n = machine_launch_sms(report->machine);
	const uint64_t busy = busy_sms(report);

	if (busy == n)
		return NULL;
	return g_strdup_printf(
		"%" G_GUINT64_FORMAT " of %u SMs %s a block, %" G_GUINT64_FORMAT " %s none",
		busy, n, busy == 1 ? "has" : "have", n - busy, n - busy == 1 ? "has" : "have");
}

/* As the config has it, and what that came to where the trace decides. */
static void append_tlb(GString *text, const RunReport *report)
{
	const LaunchTlb tlb = report->machine->launch.tlb;
	gboolean cold;

	if (!found_tlb(report, &cold))
		return;
	g_string_append_printf(text, ", TLB %s", launch_tlb_names[tlb]);
	if (tlb == LAUNCH_TLB_RECORDED)
		g_string_append_printf(text, " (%s)", cold ? "cold" : "warm");
}

char *report_launch(const RunReport *report)
{
	const LaunchState *launch = &report->machine->launch;
	const uint32_t n = machine_launch_sms(report->machine);
	const gboolean fewer = n < report->machine->sm.count;
	GString *text = g_string_new(NULL);

	if (report->result->statistics.memory.accesses > 0) {
		g_string_append_printf(text, ", L2 %s", launch_l2_names[launch->l2]);
		append_tlb(text, report);
		g_string_append_printf(text, ", place %s", launch_place_names[launch->place]);
	}
	if (fewer)
		g_string_append_printf(text, ", %u SM%s", n, n == 1 ? "" : "s");
	if (launch->warps != LAUNCH_WARPS_STAGGERED)
		g_string_append_printf(text, ", warps %s", launch_warps_names[launch->warps]);
	g_string_erase(text, 0, MIN(text->len, 2));
	return g_string_free(text, text->len == 0);
}

cJSON *field_launch_sms(const RunReport *report)
{
	return field_count_item(machine_launch_sms(report->machine));
}

cJSON *field_busy_sms(const RunReport *report)
{
	return field_count_item(busy_sms(report));
}

static cJSON *found(gboolean (*ask)(const RunReport *report, gboolean *cold),
		    const RunReport *report)
{
	gboolean cold;

	return ask(report, &cold) ? cJSON_CreateString(cold ? "cold" : "warm") : NULL;
}

cJSON *field_found_tlb(const RunReport *report)
{
	return found(found_tlb, report);
}

cJSON *field_found_code(const RunReport *report)
{
	return found(found_code, report);
}

cJSON *field_found_parameters(const RunReport *report)
{
	return found(found_parameters, report);
}
