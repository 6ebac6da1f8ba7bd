/* SPDX-License-Identifier: MIT */
#include "report/sequence.h"

#include <cjson/cJSON.h>

#include "base/json.h"
#include "replay/launch-time.h"
#include "report/fields.h"
#include "report/format.h"

typedef struct {
	uint64_t cycles;	   /* of all launches */
	double launch_us, time_us; /* what they cost, and both */
} Sum;

static Sum sum_of(const RunReport *reports, guint n)
{
	Sum sum = {0, launch_cost_us(reports->machine, n), 0};

	uint64_t ended = 0;

	for (guint i = 0; i < n; i++) {
		const Statistics *statistics = &reports[i].result->statistics;

		sum.cycles += statistics->cycles;
		ended += launch_ended_cycles(reports->machine, statistics);
	}
	sum.time_us = report_time_us(reports, ended) + sum.launch_us;
	return sum;
}

static void add_runs(cJSON *schema)
{
	report_fields_schema(schema, "runs[].", NULL);
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "launches", .type = "count", .doc = "one after the other"},
	{.path = "cycles", .type = "count", .doc = "of all of them"},
	{.path = "launch_us", .type = "number", .doc = "what launches themselves cost (launch_ns), in us"},
	{.path = "time_us", .type = "number", .doc = "from the first launch to the end of the last, in us"},
	{.path = "runs", .type = "[object]", .doc = "the reports, as run has them"},
};
/* clang-format on */

const Shape report_sequence_shape = {
	.name = "sequence",
	.version = 1,
	.title = "What atomsim run --sequence --format json reports",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
	.more = add_runs,
};

static char *write_json(const RunReport *reports, guint n, const Sum *sum)
{
	g_autoptr(cJSON) root = shape_object(&report_sequence_shape);
	cJSON *runs;

	cJSON_AddNumberToObject(root, "launches", n);
	cJSON_AddNumberToObject(root, "cycles", (double)sum->cycles);
	cJSON_AddNumberToObject(root, "launch_us", sum->launch_us);
	cJSON_AddNumberToObject(root, "time_us", sum->time_us);
	runs = cJSON_AddArrayToObject(root, "runs");
	for (guint i = 0; i < n; i++)
		cJSON_AddItemToArray(runs, report_object(&reports[i]));
	return report_json_text(root);
}

static char *write_text(const RunReport *reports, guint n, const Sum *sum)
{
	GString *text = g_string_new(NULL);
	g_autofree char *cycles = format_count(sum->cycles);
	g_autofree char *launch = format_time_us(sum->launch_us);
	g_autofree char *time = format_time_us(sum->time_us);

	for (guint i = 0; i < n; i++)
		report_text.append(text, &reports[i], i == 0);
	g_string_append_printf(text,
			       "\nSequence of %u launches: %s cycles; with %s for the launches "
			       "themselves (launch_ns) %s\n",
			       n, cycles, launch, time);
	return g_string_free(text, FALSE);
}

char *report_sequence(const ReportFormat *format, const RunReport *reports, guint n)
{
	Sum sum = sum_of(reports, n);

	if (format == &report_json)
		return write_json(reports, n, &sum);
	if (format == &report_text)
		return write_text(reports, n, &sum);
	return g_strdup_printf(SEQUENCE_COLUMNS "\n%u,%" G_GUINT64_FORMAT ",%.10g,%.10g\n", n,
			       sum.cycles, sum.launch_us, sum.time_us);
}
