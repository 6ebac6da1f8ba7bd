/* SPDX-License-Identifier: MIT */
/* How fast a run was, and what memory it took: said on stderr. */
#include <string.h>
#include <sys/resource.h>

#include "cli/run/run.h"

/* Of this process so far. getrusage has the maximum over what ran here before an exec, too: of the shell, or of the Python
   that started it. g_free. */
static char *peak_memory(void)
{
	g_autofree char *status = NULL;
	const char *line = NULL;
	struct rusage usage = {0};

	if (g_file_get_contents("/proc/self/status", &status, NULL, NULL))
		line = strstr(status, "\nVmHWM:");
	if (line)
		return g_strdup_printf("%" G_GUINT64_FORMAT " KiB",
				       g_ascii_strtoull(line + strlen("\nVmHWM:"), NULL, 10));
	getrusage(RUSAGE_SELF, &usage);
	return g_strdup_printf(
		"up to %ld KiB (no /proc/self/status: may be of what started it)",
		usage.ru_maxrss);
}

void run_report_performance(const ReplayResult *result, const char *trace)
{
	const Statistics *statistics = &result->run.statistics;
	double wall_s = MAX(result->wall_s, 1e-6);
	g_autofree char *equal = NULL, *peak = peak_memory();

	if (result->run.sms_simulated < result->run.n_sms)
		equal = g_strdup_printf("; %u of %u SMs simulated, the others do the same",
					result->run.sms_simulated, result->run.n_sms);
	g_printerr("atomsim: %s: %.3f s, %.1f million warp instructions a second, "
		   "%.2f million warp atomics a second, peak memory %s%s\n",
		   trace, result->wall_s, statistics->warp_instructions / wall_s / 1e6,
		   statistics->atomics.warp_instructions / wall_s / 1e6, peak,
		   equal ? equal : "");
}
