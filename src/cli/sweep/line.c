/* SPDX-License-Identifier: MIT */
/* A point of a sweep as a line of JSON: what was varied, then the report of its run. */
#include <string.h>

#include "cli/sweep/sweep.h"
#include "report/report.h"

/* Of a run's report, what a table of many points has no use for: lists of hot spots, the run without
   contention (not simulated), the assumptions (values of the config, which is there). */
static const char *const left_out[] = {"status", "hot_spots", "contention_free", "assumptions"};

static const char *status_name(SimStatus status)
{
	switch (status) {
	case SIM_OK:
		return SWEEP_COMPLETE;
	case SIM_TOO_LARGE:
		return "too_large";
	case SIM_BAD_RECORD:
		return "bad_record";
	case SIM_DEADLOCK:
		return "deadlock";
	case SIM_LIVELOCK:
		return "livelock";
	case SIM_TOO_LONG:
		return "too_long";
	case SIM_INTERRUPTED:
	case SIM_SOURCE_FAILED:
		break; /* no points */
	}
	g_assert_not_reached();
}

/* A value as --set takes it: a number or an object as such, else a text. */
static cJSON *value_item(const char *value)
{
	cJSON *item = NULL;

	if (g_ascii_isdigit(*value) || *value == '{') {
		const char *end = NULL;

		item = cJSON_ParseWithOpts(value, &end, TRUE);
	}
	return item != NULL ? item : cJSON_CreateString(value);
}

static void add_varied(cJSON *line, const SweepPoint *point)
{
	const SweepPlan *plan = point->sweep->plan;
	cJSON *varied = cJSON_AddObjectToObject(line, "varied");

	for (guint i = 0; i < plan->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(plan->axes, i);

		cJSON_AddItemToObject(
			varied, axis->key,
			value_item(sweep_plan_value(plan, point->combination, i)));
	}
}

/* Why the simulation could not go on, in one line; null if it could. */
static void add_problem(cJSON *line, const SweepPoint *point)
{
	g_autofree char *problem = NULL;

	if (point->failure == NULL) {
		cJSON_AddNullToObject(line, "problem");
		return;
	}
	problem = g_strndup(point->failure->message, strcspn(point->failure->message, "\n"));
	cJSON_AddStringToObject(line, "problem", problem);
}

/* What made a generated trace: all parameters, and the seed of its random numbers. */
static void add_workload(cJSON *line, const SweepPoint *point)
{
	const cJSON *metadata = point->input->metadata;
	const cJSON *workload = cJSON_GetObjectItemCaseSensitive(metadata, "workload");
	const cJSON *seed = cJSON_GetObjectItemCaseSensitive(metadata, "seed");
	cJSON *copy = NULL;

	if (point->sweep->input_of == NULL || workload == NULL)
		return;
	copy = cJSON_Duplicate(workload, 1);
	cJSON_AddItemToObject(copy, "seed", cJSON_Duplicate(seed, 1));
	cJSON_AddItemToObject(line, "workload", copy);
}

static void add_report(cJSON *line, const SweepPoint *point)
{
	RunReport report = {
		.version = PACKAGE_VERSION,
		.machine = config_machine(point->config),
		.config = point->config,
		.trace_name = point->input->name,
		.trace_sha256 = trace_sha256(point->input->reader, NULL), /* known by now */
		.metadata = point->input->metadata,
		.trace_blocks = trace_source(point->input->reader)->n_blocks,
		.seed = point->sweep->seed,
		.result = point->result,
		.wall_s = -1.0,
	};
	cJSON *object = report_object(&report);

	for (guint i = 0; i < G_N_ELEMENTS(left_out); i++)
		cJSON_DeleteItemFromObjectCaseSensitive(object, left_out[i]);
	while (object->child != NULL) {
		g_autofree char *name = g_strdup(object->child->string);

		cJSON_AddItemToObject(line, name,
				      cJSON_DetachItemViaPointer(object, object->child));
	}
	cJSON_Delete(object);
}

char *sweep_line(const SweepPoint *point)
{
	cJSON *line = cJSON_CreateObject();
	char *printed, *text;

	cJSON_AddNumberToObject(line, "point", point->point + 1);
	cJSON_AddStringToObject(line, "status", status_name(point->result->status));
	add_problem(line, point);
	add_varied(line, point);
	add_workload(line, point);
	add_report(line, point);
	printed = cJSON_PrintUnformatted(line);
	text = g_strconcat(printed, "\n", NULL);
	cJSON_free(printed);
	cJSON_Delete(line);
	return text;
}

void sweep_row(GString *text, cJSON *line, gboolean with_header)
{
	/* What a workload found out need not be the same for all points; columns must be. */
	cJSON_DeleteItemFromObjectCaseSensitive(line, "workload");
	report_csv_append(text, line, with_header);
}
