/* SPDX-License-Identifier: MIT */
/* Parts of the text report. Who may include it: report only. */
#ifndef ATOMSIM_REPORT_TEXT_H
#define ATOMSIM_REPORT_TEXT_H

#include "report/report.h"

/* The states as a newcomer would say them. */
extern const char *const text_state_words[N_WARP_STATES];

/* What the run took, as this report and as ncu counts it, and how far off that is known to be. */
void text_write_cost(GString *text, const RunReport *report);

/* What the run would take without each thing that it may have waited for; nothing if that was not looked for. */
void text_write_causes(GString *text, const RunReport *report);

/* How busy units were; nothing if nobody asked. */
void text_write_utilization(GString *text, const RunReport *report);

/* States by cost, costliest first, equal ones in their own order; the cheapest as one line. The second
   column adds up to what the run without contention is shorter by, over all warps. */
void text_write_states(GString *text, const RunReport *report);

/* What of the loads and stores is of thread-local memory, why, and what helps; nothing if none is. */
void text_write_local(GString *text, const RunReport *report);

/* The costliest words, locks (where the machine has some) and banks side by side; nothing if none cost
   anything. */
void text_write_hot_spots(GString *text, const RunReport *report);

/* The lines of the program where warps spent most time, their instructions summed up; nothing if the
   trace knows no lines. */
void text_write_sites(GString *text, const RunReport *report);

/* What was merged of atomics, and of which lines, and why not the rest; nothing where no config asks for that. */
void text_write_combined(GString *text, const RunReport *report);

#endif
