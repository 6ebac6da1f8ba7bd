/* SPDX-License-Identifier: MIT */
/* How busy units were, in the text report. */
#include "report/text.h"

void text_write_utilization(GString *text, const RunReport *report)
{
	const Utilization *utilization = report->utilization;

	if (utilization == NULL)
		return;
	g_string_append(text, "Busy       mean  busiest 1 % of the time\n");
	for (guint i = 0; i < N_UTILIZED; i++) {
		const UtilizedTime *time = &utilization->times[i];

		if (time->of > 0)
			g_string_append_printf(text, "  %-10s %5.1f %% %5.1f %%\n",
					       utilized_names[i], time->mean, time->busiest);
	}
	g_string_append_c(text, '\n');
}
