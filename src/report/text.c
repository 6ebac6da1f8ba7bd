/* SPDX-License-Identifier: MIT */
/*
 * The report for people: one screen of 80 columns that says what the run cost, what it would cost
 * without contention, where the time went and which words, locks, banks and lines are to blame.
 */
#include "report/report.h"

#include <string.h>

#include "config/provenance.h"
#include "report/format.h"
#include "report/text.h"

#define WIDTH 80

static const char *metadata_text(const RunReport *report, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(report->metadata, name));
}

/* What the program did and the run did not. */
static void write_missing(GString *text, const RunReport *report)
{
	g_autofree char *missing = report_missing(report);

	if (missing != NULL)
		g_string_append_printf(text, "Missing: %s; their cost is not included.\n",
				       missing);
	if (report_texture_accesses(report) > 0)
		g_string_append_printf(text,
				       "Missing: what %" G_GUINT64_FORMAT
				       " accesses to textures and surfaces take beyond the L1; "
				       "they are simulated as hits in it.\n",
				       report_texture_accesses(report));
}

/* What makes all of the report a guess. */
static void write_not_measured(GString *text, const RunReport *report)
{
	g_auto(ProvenanceCounts) counts = {0};
	guint n, all;

	if (report->config == NULL)
		return;
	provenance_count(report->config, &counts);
	n = provenance_borrowed(&counts, &all);
	if (n > 0)
		g_string_append_printf(
			text,
			"Not measured: %u of %u values of this config are from another GPU.\n",
			n, all);
}

/* "1024 locks (mod), "; "": there are none. g_free. */
static char *locks_text(const AtomicParameters *atomic)
{
	if (atomic_has_lock_bits(atomic))
		return g_strdup_printf("%u locks (%s), ", atomic->locks,
				       atomic->lock_hash.name);
	if (atomic_has_locks(atomic))
		return g_strdup_printf("CAM of %u locks, ", atomic_cam_entries(atomic));
	return g_strdup("");
}

static void write_head(GString *text, const RunReport *report)
{
	const Machine *machine = report->machine;
	const Statistics *statistics = &report->result->statistics;
	g_autofree char *trace = format_path(report->trace_name, 40);
	g_autofree char *gpu = format_name(machine->name, 30);
	g_autofree char *whole =
		g_strdup_printf("%s on a simulated %s (%s)", trace, gpu, report->config_name);
	g_autofree char *title = format_name(whole, WIDTH);
	g_autofree char *kernel = format_name(metadata_text(report, "kernel"), 66);
	g_autofree char *captured = format_name(metadata_text(report, "gpu"), 24);
	g_autofree char *blocks = format_count_short(report->trace_blocks);
	g_autofree char *recorded =
		format_count_short(report->estimate ? report->estimate->blocks : 0);
	g_autofree char *warps = format_count_short(statistics->warps);
	g_autofree char *instructions = format_count_short(statistics->trace_warp_instructions);
	g_autofree char *launch = report_launch(report);
	g_autofree char *cold = report_cold(report);
	g_autofree char *idle = report_idle_sms(report);
	g_autofree char *locks = locks_text(&machine->atomic);

	write_missing(text, report);
	write_not_measured(text, report);
	g_string_append_printf(text, "%s\n\n", title);
	if (*kernel != '\0')
		g_string_append_printf(text, "Kernel   %s%s%s\n", kernel,
				       *captured != '\0' ? "\n         captured on " : "",
				       captured);
	g_string_append_printf(text, "Trace    %s block%s", blocks,
			       report->trace_blocks == 1 ? "" : "s");
	if (report->estimate != NULL && report->estimate->is_sample)
		g_string_append_printf(text, ", of which %s are recorded", recorded);
	if (!report_is_sampled(report))
		g_string_append_printf(text, ", %s warp%s, %s warp instructions", warps,
				       statistics->warps == 1 ? "" : "s", instructions);
	g_string_append_c(text, '\n');
	if (report_is_flat(report))
		g_string_append(text, "         no addresses in global memory: accesses take a "
				      "fixed time\n");
	g_string_append_printf(text, "Machine  %u SMs at %u MHz, %u banks (%s), %s%s\n",
			       machine->sm.count, machine->clock_mhz, machine->shared.banks,
			       machine->shared.bank_hash.name, locks,
			       machine->atomic.mechanism->name);
	if (idle != NULL)
		g_string_append_printf(text, "         %s\n", idle);
	if (launch != NULL)
		g_string_append_printf(text, "Launch   %s\n", launch);
	if (cold != NULL)
		g_string_append_printf(text, "%-9s%s\n", launch ? "" : "Launch", cold);
	g_string_append_c(text, '\n');
}

/* What the what-ifs bring. */
static void write_gain(GString *text, const RunReport *report)
{
	g_autofree char *cycles = NULL, *times = NULL;
	double gain;

	if (report->what_if == NULL)
		return;
	for (guint i = 0; i < what_if_length(report->what_if); i++) {
		g_autofree char *change = format_name(what_if_text(report->what_if, i), 66);

		g_string_append_printf(text, "%s %s\n", i == 0 ? "What if " : "        ",
				       change);
	}
	gain = report_gain(report);
	cycles = format_count(report->unchanged->statistics.cycles);
	times = format_gain(gain >= 1 ? gain : 1 / MAX(gain, 1e-9));
	g_string_append_printf(text,
			       "         unchanged: %s cycles; with the change %sx %s\n\n",
			       cycles, times, gain >= 1 ? "faster" : "slower");
}

static void write_cause(GString *text, const char *cause, uint64_t failures, uint64_t all)
{
	g_autofree char *count = format_count_short(failures);

	if (failures > 0)
		g_string_append_printf(text, "  %-50s %15s %5.1f %%\n", cause, count,
				       format_percent(failures, all));
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Software locks: their exchanges are no atomics of the trace. */
static void write_spin_locks(GString *text, const Statistics *statistics)
{
	uint64_t taken = statistics->records[RECORD_LOCK], tries = statistics->spin_attempts;
	g_autofree char *locks = format_count_short(taken);
	g_autofree char *attempts = format_count_short(tries);
	g_autofree char *failed = format_count_short(tries - MIN(taken, tries));

	if (taken > 0)
		g_string_append_printf(
			text,
			"Spin     locks taken %s time%s by warps: %s exchange%s, %s "
			"of them failed\n",
			locks, taken == 1 ? "" : "s", attempts, tries == 1 ? "" : "s", failed);
}

static void write_atomics(GString *text, const AtomicCounters *atomics)
{
	g_autofree char *warps = format_count_short(atomics->warp_instructions);
	g_autofree char *lanes = format_count_short(atomics->lane_operations);
	g_autofree char *attempts = format_count_short(atomics->attempts);
	g_autofree char *retries = format_count_short(atomics->retries);
	guint worst = DEGREE_BINS - 1;

	if (atomics->warp_instructions == 0) {
		g_string_append(text, "Atomics  none on shared memory in this trace\n");
		return;
	}
	while (worst > 0 && atomics->lock_degree[worst] == 0)
		worst--;
	g_string_append_printf(text, "Atomics  %s warp instruction%s, %s lane operation%s\n",
			       warps, plural(atomics->warp_instructions), lanes,
			       plural(atomics->lane_operations));
	g_string_append_printf(text, "         rounds per atomic: mean %.2f, maximum %u%s\n",
			       (double)atomics->rounds / atomics->warp_instructions, worst,
			       worst == DEGREE_BINS - 1 ? " or more" : "");
	g_string_append_printf(text, "         %s attempt%s by lanes: %s %s\n", attempts,
			       plural(atomics->attempts), retries,
			       atomics->retries == 1 ? "retry" : "retries");
	if (atomics->retries == 0)
		return;
	g_string_append(text, "Retries by cause\n");
	write_cause(text, "same warp, same word", atomics->failures.intra_position,
		    atomics->retries);
	write_cause(text, "same warp, another word", atomics->failures.intra_alias,
		    atomics->retries);
	write_cause(text, "another warp, same word", atomics->failures.inter_position,
		    atomics->retries);
	write_cause(text, "another warp, another word", atomics->failures.inter_alias,
		    atomics->retries);
	if (atomics->failures.full > 0)
		write_cause(text, "lock table full", atomics->failures.full, atomics->retries);
}

static void write_shared(GString *text, const SharedCounters *shared)
{
	g_autofree char *accesses = format_count_short(shared->accesses);
	g_autofree char *conflicts = format_count_short(shared->conflict_passes);

	if (shared->accesses == 0) {
		g_string_append(text, "Banks    no access to shared memory in this trace\n\n");
		return;
	}
	g_string_append_printf(text,
			       "Banks    %s access%s, %.2f passes each; %s conflict pass%s\n\n",
			       accesses, shared->accesses == 1 ? "" : "es",
			       (double)shared->passes / shared->accesses, conflicts,
			       shared->conflict_passes == 1 ? "" : "es");
}

static void write_provenance(GString *text, const RunReport *report)
{
	g_auto(ProvenanceCounts) counts = {0};
	g_autofree char *sums = NULL;
	char *end;

	if (report->config == NULL)
		return;
	provenance_count(report->config, &counts);
	sums = provenance_counts_text(&counts);
	/* On a second line what has no room on one, behind the word. */
	end = strlen(sums) > WIDTH - 9 ? g_strrstr_len(sums, WIDTH - 9, ", ") : NULL;
	if (end)
		end[1] = '\n';
	g_string_append_printf(text, "Config   %s\n", sums);
}

static void write_foot(GString *text, const RunReport *report)
{
	guint n = 0;

	write_provenance(text, report);
	while (report->assumptions != NULL && report->assumptions[n] != NULL)
		n++;
	if (n > 0) {
		g_autofree char *list = g_strjoinv(", ", (char **)report->assumptions);
		g_autofree char *line =
			g_strdup_printf("Assumptions in effect: %u: %s", n, list);
		g_autofree char *shown = format_name(line, WIDTH);

		g_string_append_printf(text, "%s\n", shown);
	}
	g_string_append(text, "More: --report FILE.html, --format json, atomsim advise; keys: "
			      "--help-config\n");
}

/* What is known of launches that were simulated whole. */
static void write_what_happened(GString *text, const RunReport *report)
{
	text_write_causes(text, report);
	text_write_utilization(text, report);
	text_write_states(text, report);
	write_atomics(text, &report->result->statistics.atomics);
	write_spin_locks(text, &report->result->statistics);
	text_write_local(text, report);
	write_shared(text, &report->result->statistics.shared);
	text_write_hot_spots(text, report);
	text_write_sites(text, report);
	text_write_combined(text, report);
}

static void append_text(GString *text, const RunReport *report, gboolean first)
{
	if (!first)
		g_string_append_c(text, '\n');
	write_head(text, report);
	write_gain(text, report);
	text_write_cost(text, report);
	if (!report_is_sampled(report))
		write_what_happened(text, report);
	write_foot(text, report);
}

const ReportFormat report_text = {
	.name = "text",
	.summary = "one screen for people",
	.append = append_text,
};
