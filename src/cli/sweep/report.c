/* SPDX-License-Identifier: MIT */
/* What is said on stderr of a sweep that has run. */
#include "cli/sweep/sweep.h"

void sweep_report_done(const SweepTally *tally, double wall_s)
{
	wall_s = MAX(wall_s, 1e-6);
	g_printerr("atomsim: %u point%s", tally->n_done, tally->n_done == 1 ? "" : "s");
	if (tally->n_found > 0)
		g_printerr(" (%u more found)", tally->n_found);
	if (tally->n_shared > 0)
		g_printerr(" (%u simulated, %u identical)", tally->n_done - tally->n_shared,
			   tally->n_shared);
	g_printerr(", %.3f s, %.1f million warp instructions x points a second\n", wall_s,
		   (double)tally->executed / wall_s / 1e6);
}

CliStatus sweep_report_failures(guint n_failed, guint n_points, const char *folder)
{
	if (n_failed == 0)
		return CLI_GOOD;
	g_printerr("atomsim: %s: %u of %u points could not be simulated to their end: those "
		   "whose \"status\" is not \"" SWEEP_COMPLETE "\" have a \"problem\"\n",
		   folder, n_failed, n_points);
	return CLI_FAILED;
}
