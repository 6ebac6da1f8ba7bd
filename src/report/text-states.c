/* SPDX-License-Identifier: MIT */
/* What warps spent their time on, of the text report: a row a state, and its words. */
#include <math.h>
#include <string.h>

#include "report/format.h"
#include "report/text.h"

#define BAR_WIDTH  25
#define STATE_ROWS 6

/* The states as a newcomer would say them, with ncu's stall reason where it is the same (arithmetic's are wait and math_pipe_throttle);
   `--format json` has the exact names. */
const char *const text_state_words[N_WARP_STATES] = {
	[STATE_ISSUE] = "issuing (selected)",
	[STATE_READY] = "eligible (not_selected)",
	[STATE_ARITHMETIC] = "arithmetic",
	[STATE_QUEUE] = "LSU queue full (mio_throttle)",
	[STATE_SHARED] = "shared memory (short_scoreboard)",
	[STATE_BANK] = "bank conflicts",
	[STATE_RETRY] = "atomic retries, spin locks",
	[STATE_GLOBAL_QUEUE] = "global queue full (lg_throttle)",
	[STATE_GLOBAL] = "global memory (long_scoreboard)",
	[STATE_L1] = "L1 (long_scoreboard)",
	[STATE_L2] = "L2 (long_scoreboard)",
	[STATE_DRAM] = "DRAM (long_scoreboard)",
	[STATE_FENCE] = "fences (membar)",
	[STATE_BARRIER] = "barrier",
	[STATE_DONE] = "finished, waiting for its block",
};

/* A state: its share of the warps' time, and how much of that goes without contention. */
static void write_state(GString *text, const char *words, uint64_t cycles, uint64_t free_cycles,
			gboolean has_baseline, uint64_t whole)
{
	char bar[BAR_WIDTH + 1] = "", saved[24] = "";
	double percent = format_percent(cycles, whole);
	double less = percent - format_percent(free_cycles, whole);

	memset(bar, '#', (gsize)lround(percent * BAR_WIDTH / 100.0));
	if (has_baseline && fabs(less) >= 0.05)
		g_snprintf(saved, sizeof(saved), "%+7.1f pp", -less);
	g_string_append_printf(text, "  %-34s %5.1f %%%10s %s", words, percent, saved, bar);
	while (text->str[text->len - 1] == ' ')
		g_string_truncate(text, text->len - 1);
	g_string_append_c(text, '\n');
}

void text_write_states(GString *text, const RunReport *report)
{
	const uint64_t *cycles = report->result->statistics.warp_cycles;
	gboolean has_baseline = report->baseline != NULL;
	uint64_t left[N_WARP_STATES], free_left[N_WARP_STATES] = {0};
	uint64_t whole = 0, rest = 0, free_rest = 0;

	memcpy(left, cycles, sizeof(left));
	if (has_baseline)
		memcpy(free_left, report->baseline->statistics.warp_cycles, sizeof(free_left));
	for (guint state = 0; state < N_WARP_STATES; state++)
		whole += left[state];
	if (whole == 0) {
		g_string_append(text, "No warp ran: there are no warp states.\n\n");
		return;
	}
	g_string_append_printf(text, "%-36s %7s%s\n", "Warp states", "share",
			       has_baseline ? "  change without contention" : "");
	for (guint row = 0; row < STATE_ROWS; row++) {
		guint most = 0;

		for (guint state = 1; state < N_WARP_STATES; state++)
			if (left[state] > left[most])
				most = state;
		if (left[most] == 0)
			break;
		write_state(text, text_state_words[most], left[most], free_left[most],
			    has_baseline, whole);
		left[most] = free_left[most] = 0;
	}
	for (guint state = 0; state < N_WARP_STATES; state++) {
		rest += left[state];
		free_rest += free_left[state];
	}
	if (rest > 0)
		write_state(text, "other", rest, free_rest, has_baseline, whole);
	g_string_append_c(text, '\n');
}
