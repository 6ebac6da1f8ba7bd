/* SPDX-License-Identifier: MIT */
/* Why a run could not go on, in words that say what to look at. */
#include "replay/failure.h"

#include "base/error.h"

static void append_blocked_warp(GString *message, const BlockedWarp *blocked)
{
	g_string_append_printf(message,
			       "\n  block %" G_GUINT64_FORMAT
			       " warp %u on SM %u: %s since cycle "
			       "%" G_GUINT64_FORMAT,
			       blocked->block, blocked->warp, blocked->sm, blocked->state,
			       blocked->since_cycle);
	if (blocked->site > 0)
		g_string_append_printf(message, ", site %u", blocked->site);
	if (blocked->barrier > 0 || blocked->n_wanted > 0)
		g_string_append_printf(message, ", barrier %u, %u warps of ", blocked->barrier,
				       blocked->n_arrived);
	if (blocked->n_wanted > 0)
		g_string_append_printf(message, "%u", blocked->n_wanted);
	else if (blocked->barrier > 0)
		g_string_append(message, "the whole block");
	if (blocked->has_holder)
		g_string_append_printf(
			message, ", word %u, held by block %" G_GUINT64_FORMAT " warp %u",
			blocked->word, blocked->holder_block, blocked->holder_warp);
}

/* Who waits for what, the rest counted. */
static void append_blocked_warps(GString *message, const SimResult *result)
{
	for (guint i = 0; i < result->n_blocked_warps; i++)
		append_blocked_warp(message, &result->blocked_warps[i]);
	if (result->waiting > result->n_blocked_warps)
		g_string_append_printf(message, "\n  and %" G_GUINT64_FORMAT " more warps",
				       result->waiting - result->n_blocked_warps);
}

/* Whether warps wait for what the trace does not have: then they say so, and not that the program hangs. */
static bool append_missing(GString *message, const SimResult *result, const cJSON *metadata)
{
	static const char *const counts[] = {"bulk_instructions", "partial_barriers"};
	const cJSON *capture = cJSON_GetObjectItemCaseSensitive(metadata, "capture");
	gsize length = message->len;

	if (result->status != SIM_DEADLOCK && result->status != SIM_LIVELOCK)
		return false;
	for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
		double n = cJSON_GetNumberValue(
			cJSON_GetObjectItemCaseSensitive(capture, counts[i]));

		if (n > 0)
			g_string_append_printf(message, "%s%.0f %s",
					       message->len > length ? ", " : "", n, counts[i]);
	}
	if (message->len == length)
		return false;
	g_string_append_printf(
		message,
		" of the kernel are not in the trace, and at cycle %" G_GUINT64_FORMAT
		" all %" G_GUINT64_FORMAT
		" warps wait for what only these could bring: it cannot be replayed; "
		"allowed: a kernel without them (docs/guide/capture.md)",
		result->failed_cycle, result->waiting);
	return true;
}

void replay_set_failure(const char *place, const Machine *machine, const SimResult *result,
			const cJSON *metadata, GError **error)
{
	GString *message = g_string_new(NULL);

	g_string_append_printf(message, "%s: ", place);
	if (append_missing(message, result, metadata)) {
		atomsim_fail(error, ATOMSIM_ERROR_RUN, "%s", message->str);
		g_string_free(message, TRUE);
		return;
	}
	switch (result->status) {
	case SIM_TOO_LARGE:
		g_string_append_printf(message,
				       "block %" G_GUINT64_FORMAT
				       " cannot run: it needs %" G_GUINT64_FORMAT
				       " %s; an SM of %s has %" G_GUINT64_FORMAT,
				       result->block, result->needed, result->resource,
				       machine->name, result->available);
		break;
	case SIM_BAD_RECORD:
		g_string_append_printf(message, "block %" G_GUINT64_FORMAT ", warp %u: %s",
				       result->block, result->warp, result->problem);
		break;
	case SIM_DEADLOCK:
		g_string_append_printf(message,
				       "deadlock at cycle %" G_GUINT64_FORMAT
				       ": %" G_GUINT64_FORMAT
				       " warps wait and nothing will wake them",
				       result->failed_cycle, result->waiting);
		append_blocked_warps(message, result);
		break;
	case SIM_LIVELOCK:
		g_string_append_printf(
			message,
			"livelock at cycle %" G_GUINT64_FORMAT
			": no warp got on for %" G_GUINT64_FORMAT
			" cycles (sim.watchdog_cycles); %" G_GUINT64_FORMAT " warps wait",
			result->failed_cycle, machine->sim.watchdog_cycles, result->waiting);
		append_blocked_warps(message, result);
		break;
	case SIM_TOO_LONG:
		g_string_append_printf(message,
				       "block %" G_GUINT64_FORMAT
				       ", warp %u: too long: it would go on beyond cycle "
				       "%" G_GUINT64_FORMAT
				       "; allowed: shorter latencies, or more "
				       "global.bandwidth_mb_per_s",
				       result->block, result->warp, SIM_MAX_CYCLE);
		break;
	case SIM_SOURCE_FAILED:
		g_string_append(message, "the trace could not be read to its end");
		break;
	case SIM_INTERRUPTED:
		g_string_append_printf(message,
				       "interrupted; %" G_GUINT64_FORMAT " blocks were done",
				       result->blocks_done);
		break;
	case SIM_OK:
		g_assert_not_reached();
	}
	atomsim_fail(error, ATOMSIM_ERROR_RUN, "%s", message->str);
	g_string_free(message, TRUE);
}
