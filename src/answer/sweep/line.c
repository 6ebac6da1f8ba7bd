/* SPDX-License-Identifier: MIT */
/*
 * A point of a sweep as a line of JSON: in a journal what its run counted, in results what was varied and
 * the report of the run, which is made of the former.
 */
#include <string.h>

#include "answer/sweep/sweep.h"
#include "base/error.h"
#include "base/json.h"
#include "explore/sweep/seal.h"
#include "report/counts.h"
#include "report/fields.h"
#include "report/report.h"

/* Of a run's report, what a table of many points has no use for: lists of hot spots, the runs without
   contention and its causes (not simulated), the assumptions (values of the config, which is there) and where its values
   come from. */
static const char *const left_out[] = {
	"status", "hot_spots", "contention_free", "causes", "assumptions", "provenance", NULL};

/* Of runs that are results. */
static const struct {
	SimStatus status;
	const char *name;
} statuses[] = {
	{SIM_OK, SWEEP_COMPLETE},	{SIM_TOO_LARGE, "too_large"},
	{SIM_BAD_RECORD, "bad_record"}, {SIM_DEADLOCK, "deadlock"},
	{SIM_LIVELOCK, "livelock"},	{SIM_TOO_LONG, "too_long"},
};

static void add_fields(cJSON *schema)
{
	report_fields_schema(schema, "", left_out);
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "point", .type = "count", .doc = "of the sweep, from 1"},
	{.path = "status", .type = "string", .doc = "complete, or what ended the run before its end"},
	{.path = "problem", .type = "string|null", .doc = "of a run that did not come to its end; null of one that did"},
	{.path = "varied", .type = "{any}", .doc = "values of the point, by the keys that vary"},
	{.path = "workload?", .type = "{any}", .doc = "what made a generated trace: name, options, seed"},
	{.path = SEAL_SWEEP, .type = "string", .doc = "which sweep the line is of"},
	{.path = SEAL_MEMBER, .type = "string", .doc = "XXH64 of the bytes before it"},
};
/* clang-format on */

const Shape sweep_shape = {
	.name = "sweep",
	.version = REPORT_SCHEMA,
	.title = "What atomsim sweep says of a point: a report as of run, without lists",
	.bare = TRUE,
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
	.more = add_fields,
};

static const char *status_name(SimStatus status)
{
	for (guint i = 0; i < G_N_ELEMENTS(statuses); i++)
		if (statuses[i].status == status)
			return statuses[i].name;
	g_assert_not_reached();
}

static gboolean find_status(const char *name, SimStatus *status)
{
	for (guint i = 0; i < G_N_ELEMENTS(statuses); i++)
		if (strcmp(statuses[i].name, name) == 0) {
			*status = statuses[i].status;
			return TRUE;
		}
	return FALSE;
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

/* What both lines begin with. */
static cJSON *begin_line(const SweepPoint *point)
{
	cJSON *line = cJSON_CreateObject();

	cJSON_AddNumberToObject(line, "point", point->point + 1);
	cJSON_AddStringToObject(line, "status", status_name(point->result->status));
	if (point->problem != NULL)
		cJSON_AddStringToObject(line, "problem", point->problem);
	else
		cJSON_AddNullToObject(line, "problem");
	return line;
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
		.kernel = &trace_source(point->input->reader)->kernel,
		.trace_blocks = trace_source(point->input->reader)->n_blocks,
		.seed = point->sweep->seed,
		.result = point->result,
		.wall_s = -1.0,
	};
	cJSON *object = report_object(&report);

	for (guint i = 0; left_out[i]; i++)
		cJSON_DeleteItemFromObjectCaseSensitive(object, left_out[i]);
	while (object->child != NULL) {
		g_autofree char *name = g_strdup(object->child->string);

		cJSON_AddItemToObject(line, name,
				      cJSON_DetachItemViaPointer(object, object->child));
	}
	cJSON_Delete(object);
}

char *sweep_brief(const SweepPoint *point)
{
	g_autoptr(cJSON) line = begin_line(point);

	cJSON_AddItemToObject(line, SWEEP_COUNTS, report_counts(point->result));
	return report_json_text(line);
}

cJSON *sweep_result(const SweepPoint *point)
{
	cJSON *line = begin_line(point);

	add_varied(line, point);
	add_workload(line, point);
	add_report(line, point);
	return line;
}

/* What a brief line says of the point's run. FALSE if it is none that sweep_brief wrote. */
static gboolean read_brief(const cJSON *brief, SweepPoint *point, SimResult *result)
{
	const cJSON *status = cJSON_GetObjectItemCaseSensitive(brief, "status");
	const cJSON *problem = cJSON_GetObjectItemCaseSensitive(brief, "problem");

	point->problem = cJSON_GetStringValue(problem);
	return cJSON_IsString(status) && find_status(status->valuestring, &result->status) &&
	       report_counts_read(cJSON_GetObjectItemCaseSensitive(brief, SWEEP_COUNTS),
				  result);
}

cJSON *sweep_whole(gpointer data, guint number, const cJSON *brief, GError **error)
{
	const Sweep *sweep = data;
	guint combination = sweep_combination(sweep, number);
	g_autoptr(Config) config = sweep_config(sweep, combination, error);
	g_autofree SimResult *result = g_new0(SimResult, 1);
	SweepPoint point = {
		.sweep = sweep,
		.point = number,
		.combination = combination,
		.input = g_ptr_array_index(sweep->inputs, sweep_input(sweep, number)),
		.config = config,
		.result = result,
	};

	if (config == NULL)
		return NULL;
	if (read_brief(brief, &point, result))
		return sweep_result(&point);
	atomsim_fail(error, ATOMSIM_ERROR_INPUT,
		     "point %u: the journal's line does not have what a sweep wrote",
		     number + 1);
	return NULL;
}

void sweep_row(GString *text, cJSON *line, gboolean with_header)
{
	/* What a workload found out need not be the same for all points; columns must be. */
	cJSON_DeleteItemFromObjectCaseSensitive(line, "workload");
	report_csv_append(text, line, with_header);
}
