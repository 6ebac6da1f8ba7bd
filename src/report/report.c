/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <string.h>

#include "replay/expected-error.h"

const ReportFormat *const report_formats[N_REPORT_FORMATS] = {&report_text, &report_json,
							      &report_csv};

double report_time_us(const RunReport *report, uint64_t cycles)
{
	return report->machine->clock_mhz > 0 ? (double)cycles / report->machine->clock_mhz
					      : 0.0;
}

gboolean report_is_flat(const RunReport *report)
{
	const Statistics *s = &report->result->statistics;

	return report->machine->global.model == GLOBAL_SLICES && s->global_segments > 0 &&
	       s->memory.accesses == 0;
}

gboolean report_is_sampled(const RunReport *report)
{
	return report->estimate != NULL && report->estimate->whole == NULL;
}

double report_gain(const RunReport *report)
{
	return (double)report->unchanged->statistics.cycles /
	       (double)MAX(report->result->statistics.cycles, 1);
}

/* Whether the trace says that it was not recorded from a program that ran. */
static gboolean is_made_up(const RunReport *report)
{
	const char *source = cJSON_GetStringValue(
		cJSON_GetObjectItemCaseSensitive(report->metadata, "source"));

	return source != NULL && strcmp(source, "capture") != 0;
}

/* Of the capture, by its name in the metadata; no number, which is not above 0 either, where it has none. */
static double capture_count(const RunReport *report, const char *name)
{
	const cJSON *capture = cJSON_GetObjectItemCaseSensitive(report->metadata, "capture");

	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(capture, name));
}

/* The first of the counts of the capture that is not 0; NULL: all are. */
static const char *first_count(const RunReport *report, const char *const *names)
{
	for (; *names != NULL; names++)
		if (capture_count(report, *names) > 0)
			return *names;
	return NULL;
}

/* What a capture may have dropped, by its names in the metadata. */
static const char *const dropped_counts[] = {"unknown_operations",
					     "out_of_range",
					     "matrix_accesses",
					     "remote_accesses",
					     "partial_barriers",
					     "bulk_instructions",
					     "outside_calls",
					     "unresolved_paths",
					     "dropped_values",
					     "unmarked_gaps",
					     NULL};

/* What recorded the program, if that was not the sanitizer: then only what the program marks is in the trace. NULL: it was. */
static const char *recorder_of(const RunReport *report)
{
	const cJSON *capture = cJSON_GetObjectItemCaseSensitive(report->metadata, "capture");

	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(capture, "recorder"));
}

char *report_missing(const RunReport *report)
{
	uint64_t unknown = report->result->statistics.records[RECORD_UNKNOWN];
	GString *text = g_string_new(NULL);

	if (unknown > 0)
		g_string_append_printf(text, "%" G_GUINT64_FORMAT " unknown record%s", unknown,
				       unknown == 1 ? "" : "s");
	for (const char *const *name = dropped_counts; *name != NULL; name++) {
		double count = capture_count(report, *name);

		if (count > 0)
			g_string_append_printf(text, "%s%.0f %s", text->len > 0 ? ", " : "",
					       count, *name);
	}
	if (recorder_of(report) != NULL)
		g_string_append_printf(text, "%sall that the program does not mark",
				       text->len > 0 ? ", " : "");
	return g_string_free(text, text->len == 0);
}

uint64_t report_texture_accesses(const RunReport *report)
{
	const double n = capture_count(report, "texture_accesses");

	return n > 0 && n < 9e15 ? (uint64_t)n : 0;
}

/* Its pages move when the GPU touches them, which can take longer than the kernel. */
static gboolean has_managed_memory(const RunReport *report)
{
	const cJSON *buffers = cJSON_GetObjectItemCaseSensitive(report->metadata, "buffers");
	const cJSON *buffer;

	cJSON_ArrayForEach(buffer, buffers)
	{
		if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(buffer, "managed")))
			return TRUE;
	}
	return FALSE;
}

/* What of the program the trace does not have, and why nothing is promised then. NULL: nothing is missing. g_free. */
static char *what_is_missing(const RunReport *report)
{
	static const char *const guessed[] = {"guessed_branches", NULL};
	const char *count = first_count(report, dropped_counts);

	if (report->result->statistics.records[RECORD_UNKNOWN] > 0)
		return g_strdup("the trace has unknown records");
	if (recorder_of(report) != NULL)
		return g_strdup("the program recorded itself: the trace has what it marks");
	if (count != NULL)
		return g_strdup_printf("the capture dropped operations (%s)", count);
	if (first_count(report, guessed) != NULL)
		return g_strdup("the capture guessed which way branches went");
	if (report_texture_accesses(report) > 0)
		return g_strdup("what textures take beyond the L1 is not simulated");
	if (has_managed_memory(report))
		return g_strdup("page faults of managed memory are not simulated");
	return NULL;
}

const char *report_expected_class(const RunReport *report)
{
	g_autofree char *missing = what_is_missing(report);

	return missing == NULL ? expected_class(report->machine, &report->result->statistics)
			       : NULL;
}

const ExpectedError *report_expected_error(const RunReport *report)
{
	g_autofree char *none = report_expected_none(report);

	return none == NULL
		       ? expected_launch_error(report->machine, &report->result->statistics)
		       : NULL;
}

/* The machine comes first: where no launch was measured, no other trace would help. Then what the trace lacks, which goes for every
   config that has errors. */
char *report_expected_none(const RunReport *report)
{
	const Machine *machine = report->machine;
	char *missing;

	if (machine->expected == NULL && !machine->changed)
		return g_strdup("no launch was measured on this machine");
	missing = what_is_missing(report);
	if (missing != NULL)
		return missing;
	if (is_made_up(report))
		return g_strdup("validated for captured traces only");
	if (machine->changed)
		return g_strdup("the config is not the one that was validated");
	if (expected_launch_error(machine, &report->result->statistics) == NULL)
		return g_strdup("fewer than five launches like it were measured");
	return NULL;
}
