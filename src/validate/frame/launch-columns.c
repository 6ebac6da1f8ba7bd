/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate-rows.h"

#include "config/config.h"

#define PREFIX "launch."

gboolean launch_columns_are(const CsvTable *table)
{
	for (guint i = 0; csv_column_name(table, i) != NULL; i++)
		if (g_str_has_prefix(csv_column_name(table, i), PREFIX))
			return TRUE;
	return FALSE;
}

gboolean launch_columns_read(const CsvTable *table, guint row, LaunchState *state,
			     GError **error)
{
	for (guint i = 0; csv_column_name(table, i) != NULL; i++) {
		const char *name = csv_column_name(table, i), *cell = csv_cell(table, row, i);
		g_autofree char *allowed = NULL;

		if (!g_str_has_prefix(name, PREFIX) ||
		    config_set_launch(state, name, cell, &allowed))
			continue;
		return csv_fail_cell(table, row, i, error, "found '%s'; allowed: %s", cell,
				     allowed);
	}
	return TRUE;
}

LaunchState launch_measured(const Machine *machine)
{
	LaunchState state = machine->launch;

	if (state.l2 == LAUNCH_L2_HOME || state.l2 == LAUNCH_L2_RECORDED)
		state.l2 = LAUNCH_L2_WARM;
	if (state.code == LAUNCH_CODE_RECORDED)
		state.code = LAUNCH_CODE_WARM;
	if (state.tlb == LAUNCH_TLB_RECORDED)
		state.tlb = LAUNCH_TLB_WARM;
	if (state.parameters == LAUNCH_PARAMETERS_RECORDED)
		state.parameters = LAUNCH_PARAMETERS_WARM;
	return state;
}

LaunchState launch_together(const Machine *machine)
{
	LaunchState state = machine->launch;

	state.warps = LAUNCH_WARPS_TOGETHER;
	return state;
}
