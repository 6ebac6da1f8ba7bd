/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdarg.h>

#include "cli/advise.h"
#include "base/text.h"
#include "model/ideals.h"
#include "report/format.h"
#include "report/text.h"

#define SHOWN	     5
#define SHOWN_CAUSES 3
#define LEAST_SHARE  0.05 /* of the cycles, that a cause must cost to be named */

#define TIMED_APART 1.05 /* gains further apart are both given */

#define COLUMN 16 /* of what labels are for */
#define WIDTH  80

/* A label and its words, wrapped; both end the line. */
static void append_row(GString *text, const char *label, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
static void append_row(GString *text, const char *label, const char *format, ...)
{
	g_autofree char *words = NULL;
	va_list arguments;

	va_start(arguments, format);
	words = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_string_append_printf(text, "      %-10s", label);
	text_wrap(text, words, COLUMN, WIDTH);
	g_string_append_c(text, '\n');
}

/* A line without a label. */
static void append_line(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void append_line(GString *text, const char *format, ...)
{
	g_autofree char *words = NULL;
	va_list arguments;

	va_start(arguments, format);
	words = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_string_append(text, "      ");
	text_wrap(text, words, 8, WIDTH);
	g_string_append_c(text, '\n');
}

static void append_costs(GString *text, const AdviceReport *report, const Advice *advice)
{
	g_autofree char *before = format_count(report->shared_bytes);
	g_autofree char *after = format_count(advice->shared_bytes);
	g_autofree char *bits_before = format_count(report->cost_bits);
	g_autofree char *bits_after = format_count(advice->cost_bits);
	g_autoptr(GString) costs = g_string_new(NULL);

	if (advice->shared_bytes != report->shared_bytes)
		g_string_append_printf(costs, "%s bytes of shared memory a block instead of %s",
				       after, before);
	if (advice->resident_blocks != report->resident_blocks)
		g_string_append_printf(costs, "%sresident blocks an SM: %u instead of %u",
				       costs->len > 0 ? "; " : "", advice->resident_blocks,
				       report->resident_blocks);
	if (advice->of_design && advice->cost_bits != report->cost_bits)
		g_string_append_printf(costs, "%shardware cost: %s bits instead of %s",
				       costs->len > 0 ? "; " : "", bits_after, bits_before);
	if (costs->len > 0)
		append_row(text, "costs", "%s", costs->str);
	if (advice->behind_cycles > 0) {
		g_autofree char *behind = format_count(advice->behind_cycles);

		append_row(text, "costs",
			   "a second kernel: %s cycles for its launch, part of the gain; its "
			   "loads "
			   "are not, so the gain is an upper bound",
			   behind);
	}
}

static void append_place(GString *text, const Advice *advice)
{
	g_autofree char *place = advice->place ? text_printable(advice->place) : NULL;
	g_autofree char *where = advice->line > 0 ? g_strdup_printf("line %u, ", advice->line)
				 : place	  ? g_strdup_printf("%s, ", place)
						  : g_strdup("");

	if (advice->buffer > 0)
		append_row(text, "where", "%sbuffer %u in global memory", where,
			   advice->buffer);
	else
		append_row(text, "where", "%sbytes %u to %u of shared memory", where,
			   advice->first_byte, advice->last_byte);
}

/* How much faster ncu's timer says it is, where that differs much: it counts the launch, too. */
static void append_timed(GString *text, const AdviceReport *report, const Advice *advice)
{
	const double timed =
		advice->duration_us > 0 ? report->duration_us / advice->duration_us : 0;
	g_autofree char *gain = format_gain(timed);

	if (timed > 0 &&
	    (advice->gain > timed * TIMED_APART || timed > advice->gain * TIMED_APART))
		g_string_append_printf(text, ", %sx by gpu__time_duration", gain);
}

static void append_advice(GString *text, const AdviceReport *report, const Advice *advice,
			  guint number)
{
	g_autofree char *cycles = format_count(advice->cycles);
	g_autofree char *gain = format_gain(advice->gain);

	g_string_append_printf(text, "\n%3u.  %sx faster (%s cycles)", number, gain, cycles);
	append_timed(text, report, advice);
	g_string_append_c(text, '\n');
	append_row(text, "change", "%s", advice->words);
	if (!advice->of_design)
		append_place(text, advice);
	append_row(text, "because", "%s", advice_cause_words[advice->cause]);
	append_costs(text, report, advice);
	append_row(text, "try it", "%s %s", advice->of_design ? "--set" : "--what-if",
		   advice->change);
	if (advice->expected_points > 0)
		append_row(text, "accuracy",
			   "error of predicted gain: median %.0f %%, max %.0f %% (%u measured "
			   "cases)",
			   100 * advice->expected_median, 100 * advice->expected_max,
			   advice->expected_points);
	else if (report->no_error != NULL && !advice->of_design)
		append_row(text, "accuracy", "error unknown, %s", report->no_error);
	else
		append_row(text, "accuracy", "gain not validated on this GPU");
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
		append_line(text, "without %s: %s cycles, %.1f %% less", ideal_words[cause],
			    cycles, 100.0 * (double)most / (double)report->cycles);
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
	append_line(text, "warp states: %.0f %% %s, %.0f %% %s",
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
	append_line(text, "global memory: %.1f sectors an access (at most 32), L2 hits %.0f %%",
		    (double)memory->sectors / (double)memory->accesses,
		    100 * (1 - (double)memory->missed_sectors / (double)memory->sectors));
	if (found->sectors > found->least_sectors)
		append_line(text,
			    "loads and stores: %.1f sectors an access, %.1f when "
			    "coalesced",
			    (double)found->sectors / (double)found->accesses,
			    (double)found->least_sectors / (double)found->accesses);
}

/* What of memory's traffic the compiler has made. */
static void append_local(GString *text, const Statistics *s)
{
	const uint64_t all = s->records[RECORD_LDG] + s->records[RECORD_STG];
	const uint64_t local = s->local_loads + s->local_stores;

	if (local > 0)
		append_line(text,
			    "local memory: %.1f %% of loads and stores, of arrays indexed at "
			    "run time or spilled registers; constant indices, shared memory or "
			    "more registers a thread would avoid it (gain not simulated)",
			    format_percent(local, all));
}

/* What keeps SMs idle. */
static void append_sms(GString *text, const AdviceReport *report, const Machine *machine)
{
	const uint64_t blocks = report->statistics.blocks;
	const uint32_t sms = machine_launch_sms(machine);

	if (blocks < sms)
		append_line(text,
			    "SMs with a block: %" PRIu64 " of %u; more, smaller blocks would "
			    "use more SMs (gain not simulated)",
			    blocks, sms);
	else if (report->bound_by_shared && blocks > (uint64_t)sms * report->resident_blocks)
		append_line(text,
			    "resident blocks an SM: %u, as each takes %u bytes of "
			    "shared memory",
			    report->resident_blocks, report->shared_bytes);
}

static void append_limits(GString *text, const AdviceReport *report)
{
	if (report->limits->len == 0)
		return;
	g_string_append(text, "\nNot simulated, with the upper bound of each gain\n");
	for (guint i = 0; i < report->limits->len; i++) {
		const AdviceLimit *limit = &g_array_index(report->limits, AdviceLimit, i);

		g_autofree char *gain = format_gain(limit->most_gain);
		g_autofree char *label = g_strconcat(gain, "x", NULL);

		append_row(text, label, "%s", limit->words);
	}
}

static void append_refused(GString *text, const AdviceReport *report)
{
	if (report->refused->len > 0)
		g_string_append(text, "\nDoes not apply\n");
	for (guint i = 0; i < report->refused->len; i++) {
		const AdviceRefusal *refusal = report->refused->pdata[i];

		append_line(text, "%s: %s", refusal->change, refusal->why);
	}
}

static void append_designs(GString *text, const AdviceReport *report)
{
	if (report->designs->len > 0)
		g_string_append(text, "\nFor hardware architects\n");
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
	append_local(text, &report->statistics);
	append_sms(text, report, config_machine(config));
	append_limits(text, report);
	append_refused(text, report);
	append_designs(text, report);
	return g_string_free(text, FALSE);
}
