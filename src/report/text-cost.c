/* SPDX-License-Identifier: MIT */
/* The cost of the text report: cycles, what ncu counts of them, what contention makes of them, how far off they are. */
#include "replay/expected-error.h"
#include "replay/launch-time.h"
#include "report/format.h"
#include "report/text.h"

/* How far off the busy cycles of such launches were. */
static void write_expected_error(GString *text, const RunReport *report)
{
	g_autofree char *none = report_expected_none(report);
	const ExpectedError *error = report_expected_error(report);

	if (none != NULL)
		g_string_append_printf(text, "         expected error: unknown, %s\n", none);
	else
		g_string_append_printf(text,
				       "         expected error: median %.0f %%, 90th "
				       "percentile %.0f %% (%u launches:\n         %s)\n",
				       100 * error->median, 100 * error->high, error->points,
				       error->what);
}

/* What ncu would count of such a launch, by its names, where the config knows what a launch costs. */
static void write_counters(GString *text, const RunReport *report)
{
	const Machine *machine = report->machine;
	const Statistics *statistics = &report->result->statistics;
	g_autofree char *busy = format_count(launch_busy_cycles(machine, statistics));
	g_autofree char *elapsed = format_count(launch_elapsed_cycles(machine, statistics));
	g_autofree char *time = format_time_us(launch_duration_us(machine, statistics));

	if (machine->sm.launch_cycles > 0)
		g_string_append_printf(text, "         sm__cycles_active.max: %s cycles\n%s",
				       busy,
				       statistics->cycles * 9 > statistics->busy_cycles * 10
					       ? "         (until the last block ends; "
						 "stores and atomics still reach the L2 then)\n"
					       : "");
	if (machine->launch_ns > 0)
		g_string_append_printf(text,
				       "         sm__cycles_elapsed.max: %s cycles, "
				       "gpu__time_duration: %s\n",
				       elapsed, time);
}

/* How sure the cycles are, and what was simulated for that. */
static void write_estimate(GString *text, const RunReport *report)
{
	const Estimate *estimate = report->estimate;
	const double cycles = (double)report->result->statistics.cycles;
	g_autofree char *low = NULL, *high = NULL;

	if (estimate == NULL)
		return;
	if (estimate->whole != NULL) {
		g_string_append_printf(text, "         simulated completely: %s\n",
				       estimate->whole);
		return;
	}
	low = format_count(estimate->low);
	high = format_count(estimate->high);
	g_string_append_printf(text,
			       "         estimated: +- %.1f %%, %s to %s cycles with 95 %% "
			       "confidence,\n         ",
			       100 * ((double)estimate->high - cycles) / cycles, low, high);
	if (estimate->records_skipped > 0)
		g_string_append_printf(
			text, "by %.0f %% of the records, as loops are in steady state",
			100.0 * (double)(estimate->records - estimate->records_skipped) /
				(double)estimate->records);
	else
		g_string_append_printf(text,
				       "by %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
				       " waves of blocks%s",
				       estimate->waves, estimate->n_waves,
				       estimate->is_sample ? ", those of the trace" : "");
	g_string_append(text, "; other figures are not available\n");
	if (estimate->within > 0 && (double)estimate->high - cycles > estimate->within * cycles)
		g_string_append_printf(text,
				       "         wider than the %g %% of --within: a sample of "
				       "more waves is needed\n",
				       100 * estimate->within);
}

void text_write_cost(GString *text, const RunReport *report)
{
	uint64_t cycles = report->result->statistics.cycles;
	g_autofree char *count = format_count(cycles);
	g_autofree char *time = format_time_us(report_time_us(report, cycles));

	g_string_append_printf(text, "Cost     %s cycles = %s\n", count, time);
	write_counters(text, report);
	write_estimate(text, report);
	if (report->result->status == SIM_INTERRUPTED) {
		g_autofree char *done = format_count(report->result->blocks_done);

		g_string_append_printf(text,
				       "         INTERRUPTED: of %" G_GUINT64_FORMAT
				       " blocks %s were "
				       "done; all figures are for that part\n",
				       report->trace_blocks, done);
	}
	if (report->baseline != NULL) {
		uint64_t free_cycles = report->baseline->statistics.cycles;
		g_autofree char *free_count = format_count(free_cycles);
		g_autofree char *free_time =
			format_time_us(report_time_us(report, free_cycles));
		double slowdown = free_cycles > 0 ? (double)cycles / free_cycles : 1.0;

		g_string_append_printf(text, "         without contention: %s cycles = %s\n",
				       free_count, free_time);
		if (cycles < free_cycles)
			g_string_append_printf(
				text,
				"         contention costs nothing: without it the run takes "
				"%.*f %% longer,\n         in every warp order tried\n",
				free_cycles < 1.1 * cycles ? 2 : 0,
				100.0 * (free_cycles - cycles) / cycles);
		else if (cycles == free_cycles)
			g_string_append(text, "         contention costs nothing\n");
		else
			g_string_append_printf(
				text,
				"         slowdown from contention: %.*fx (1.0x: costs "
				"nothing)\n",
				slowdown < 1.1 ? 3 : 1, slowdown);
	}
	if (!report_is_sampled(report))
		write_expected_error(text, report);
	g_string_append_c(text, '\n');
}
