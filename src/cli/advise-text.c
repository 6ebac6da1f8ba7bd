/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cli/advise.h"
#include "model/ideals.h"
#include "report/format.h"
#include "report/text.h"

#define SHOWN	     5
#define SHOWN_CAUSES 3
#define LEAST_SHARE  0.05 /* of the cycles, that a cause must cost to be named */

static void append_costs(GString *text, const AdviceReport *report, const Advice *advice)
{
	g_autofree char *before = format_count(report->shared_bytes);
	g_autofree char *after = format_count(advice->shared_bytes);

	if (advice->shared_bytes != report->shared_bytes)
		g_string_append_printf(
			text, "      costs     shared memory of a block: %s, not %s bytes",
			after, before);
	if (advice->resident_blocks != report->resident_blocks)
		g_string_append_printf(text, "; blocks on an SM at a time: %u, not %u",
				       advice->resident_blocks, report->resident_blocks);
	if (advice->shared_bytes != report->shared_bytes)
		g_string_append_c(text, '\n');
	if (advice->behind_cycles > 0) {
		g_autofree char *behind = format_count(advice->behind_cycles);

		g_string_append_printf(
			text,
			"      costs     a kernel behind: %s cycles of its launch, "
			"counted in the gain\n",
			behind);
	}
}

static void append_place(GString *text, const Advice *advice)
{
	g_string_append(text, "      where     ");
	if (advice->line > 0)
		g_string_append_printf(text, "line %u, ", advice->line);
	if (advice->buffer > 0)
		g_string_append_printf(text, "buffer %u in global memory\n", advice->buffer);
	else
		g_string_append_printf(text, "bytes %u to %u\n", advice->first_byte,
				       advice->last_byte);
}

static void append_advice(GString *text, const AdviceReport *report, const Advice *advice,
			  guint number)
{
	g_autofree char *cycles = format_count(advice->cycles);

	g_string_append_printf(text, "\n%3u.  %.2f times faster (%s cycles)\n", number,
			       advice->gain, cycles);
	g_string_append_printf(text, "      change    %s\n", advice->words);
	if (!advice->of_design)
		append_place(text, advice);
	g_string_append_printf(text, "      because   %s\n", advice_cause_words[advice->cause]);
	append_costs(text, report, advice);
	g_string_append_printf(text, "      try it    %s %s\n",
			       advice->of_design ? "--set" : "--what-if", advice->change);
	if (advice->expected_points > 0)
		g_string_append_printf(text,
				       "      trust     off by up to %.0f %% at the median, "
				       "%.0f %% at most, in %u "
				       "measured cases\n",
				       100 * advice->expected_median,
				       100 * advice->expected_max, advice->expected_points);
	else
		g_string_append(text, "      trust     no such change was measured on this "
				      "machine\n");
}

/* The causes that cost most. */
static void append_causes(GString *text, const AdviceReport *report)
{
	uint64_t left = UINT64_MAX;

	for (guint n = 0; n < SHOWN_CAUSES; n++) {
		uint64_t most = 0;
		unsigned cause = 0;
		g_autofree char *cycles = NULL;

		for (unsigned i = 0; i < N_IDEALS; i++) {
			const uint64_t saves =
				cause_saves(&report->causes.without[i], report->cycles);

			if (saves > most && saves < left) {
				most = saves;
				cause = i;
			}
		}
		if ((double)most < LEAST_SHARE * (double)report->cycles)
			break;
		left = most;
		cycles = format_count(report->causes.without[cause].cycles);
		g_string_append_printf(text, "      without %s: %s cycles, %.1f %% less\n",
				       ideal_words[cause], cycles,
				       100.0 * (double)most / (double)report->cycles);
	}
}

/* The states in which warps spent most of their time. */
static void append_states(GString *text, const Statistics *s)
{
	const double whole = (double)MAX(s->resident_warp_cycles, 1);
	uint32_t first = 0, second = 0;

	for (uint32_t i = 1; i < N_WARP_STATES; i++)
		if (s->warp_cycles[i] > s->warp_cycles[first])
			first = i;
	second = first == 0;
	for (uint32_t i = 0; i < N_WARP_STATES; i++)
		if (i != first && s->warp_cycles[i] > s->warp_cycles[second])
			second = i;
	g_string_append_printf(
		text, "      warps' time: %.0f %% %s, %.0f %% %s\n",
		100 * (double)s->warp_cycles[first] / whole, text_state_words[first],
		100 * (double)s->warp_cycles[second] / whole, text_state_words[second]);
}

/* How accesses to global memory coalesce, and where they are served. */
static void append_memory(GString *text, const AdviceReport *report)
{
	const MemoryCounters *memory = &report->statistics.memory;
	const Coalescing *found = &report->coalescing;

	if (memory->accesses == 0 || memory->sectors == 0)
		return;
	g_string_append_printf(
		text,
		"      global memory: coalescing %.1f sectors of at most 32 an "
		"access, L2 hits %.0f %%\n",
		(double)memory->sectors / (double)memory->accesses,
		100 * (1 - (double)memory->missed_sectors / (double)memory->sectors));
	if (found->sectors > found->least_sectors)
		g_string_append_printf(text,
				       "      loads and stores: %.1f sectors an access, whose "
				       "bytes would fill "
				       "%.1f\n",
				       (double)found->sectors / (double)found->accesses,
				       (double)found->least_sectors / (double)found->accesses);
}

/* What keeps SMs idle. */
static void append_sms(GString *text, const AdviceReport *report, const Machine *machine)
{
	const uint64_t blocks = report->statistics.blocks;
	const uint32_t sms = machine_launch_sms(machine);

	if (blocks < sms)
		g_string_append_printf(text, "      SMs with a block: %" PRIu64 " of %u\n",
				       blocks, sms);
	else if (report->bound_by_shared && blocks > (uint64_t)sms * report->resident_blocks)
		g_string_append_printf(text,
				       "      blocks on an SM at a time: %u, as each takes %u "
				       "bytes of shared memory\n",
				       report->resident_blocks, report->shared_bytes);
}

static void append_limits(GString *text, const AdviceReport *report)
{
	if (report->limits->len == 0)
		return;
	g_string_append(text, "\nNot simulated, and what each can gain at most\n");
	for (guint i = 0; i < report->limits->len; i++) {
		const AdviceLimit *limit = &g_array_index(report->limits, AdviceLimit, i);

		g_string_append_printf(text, "      %.2f  %s\n", limit->most_gain,
				       limit->words);
	}
}

static void append_refused(GString *text, const AdviceReport *report)
{
	if (report->refused->len > 0)
		g_string_append(text, "\nDoes not apply\n");
	for (guint i = 0; i < report->refused->len; i++) {
		const AdviceRefusal *refusal = report->refused->pdata[i];

		g_string_append_printf(text, "      %s: %s\n", refusal->change, refusal->why);
	}
}

static void append_designs(GString *text, const AdviceReport *report)
{
	if (report->designs->len > 0)
		g_string_append(text, "\nIf you design the hardware\n");
	for (guint i = 0; i < MIN(report->designs->len, SHOWN); i++)
		append_advice(text, report, report->designs->pdata[i], i + 1);
}

char *advice_to_text(const AdviceReport *report, const char *trace, const Config *config)
{
	GString *text = g_string_new(NULL);
	g_autofree char *name = format_path(trace, 40);
	g_autofree char *cycles = format_count(report->cycles);
	g_autofree char *free_cycles = format_count(report->contention_free_cycles);

	g_string_append_printf(text, "%s on a simulated %s: %s cycles, without contention %s\n",
			       name, config_machine(config)->name, cycles, free_cycles);
	if (report->nothing)
		g_string_append_printf(text, "Nothing to advise: %s.\n", report->nothing);
	for (guint i = 0; i < MIN(report->advice->len, SHOWN); i++)
		append_advice(text, report, report->advice->pdata[i], i + 1);
	g_string_append(text, "\nWhat bounds it\n");
	append_causes(text, report);
	append_states(text, &report->statistics);
	append_memory(text, report);
	append_sms(text, report, config_machine(config));
	append_limits(text, report);
	append_refused(text, report);
	append_designs(text, report);
	return g_string_free(text, FALSE);
}
