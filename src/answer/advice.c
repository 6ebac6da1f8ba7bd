/* SPDX-License-Identifier: MIT */
#include "answer/advice.h"

#include "model/ideals.h"
#include "report/report.h"

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "trace", .type = "string", .doc = "its name"},
	{.path = "machine", .type = "string", .doc = "name of the config"},
	{.path = "cycles", .type = "count", .doc = "of the trace as it is"},
	{.path = "contention_free_cycles", .type = "count", .doc = "the same without contention, as contention_free.cycles of run; 0: not simulated"},
	{.path = "duration_us?", .type = "number", .doc = "as duration_us of run"},
	{.path = "shared_bytes", .type = "count", .doc = "of the largest block"},
	{.path = "resident_blocks", .type = "count", .doc = "of such blocks, on an SM"},
	{.path = "sms", .type = "count", .doc = "that take blocks of the launch, as launch.sms of run"},
	{.path = "sms_with_block", .type = "count", .doc = "of these: the others are idle, and more, smaller blocks would use more"},
	{.path = "local_loads?", .type = "count", .doc = "from thread-local memory, as local.loads of run: constant indices, shared memory or more registers a thread would avoid them; left out without such memory"},
	{.path = "local_stores?", .type = "count", .doc = "to it, the same"},
	{.path = "cost_bits", .type = "count", .doc = "hardware of the config's atomics, as cost_bits of run"},
	{.path = "tried", .type = "count", .doc = "changes that were simulated"},
	{.path = "too_long?", .type = "boolean", .doc = "none was, as they would take too long"},
	{.path = "advice", .type = "[object]", .doc = "changes of the program that pay, the largest gain first"},
	{.path = "designs", .type = "[object]", .doc = "changes of the machine that pay, the largest gain first"},
	{.path = "advice|designs[].gain", .type = "number", .doc = "cycles of the trace as it is over those with the change"},
	{.path = "advice|designs[].cycles", .type = "count", .doc = "with the change"},
	{.path = "advice|designs[].duration_us?", .type = "number", .doc = "as duration_us of run, with the change"},
	{.path = "advice|designs[].behind_cycles?", .type = "count", .doc = "of the launch of a further kernel that the change needs, in the gain; what this kernel loads is not, so the gain is an upper bound"},
	{.path = "advice|designs[].cause", .type = "string", .doc = "what the change is against", .values = advice_cause_names, .n_values = N_ADVICE_CAUSES},
	{.path = "advice|designs[].words", .type = "string", .doc = "the change, a sentence"},
	{.path = "advice[].what_if", .type = "string", .doc = "the change, as run --what-if takes it"},
	{.path = "advice[].buffer?", .type = "count", .doc = "of global memory, that it is of"},
	{.path = "advice[].first_byte?", .type = "count", .doc = "of the array of shared memory that it is of"},
	{.path = "advice[].last_byte?", .type = "count", .doc = "of that array"},
	{.path = "advice[].line?", .type = "count", .doc = "of the program, that reaches the array"},
	{.path = "advice[].place?", .type = "string", .doc = "the same as reports name it: file, line and function; pc and function where the trace has no lines"},
	{.path = "designs[].set", .type = "string", .doc = "the change, as run --set takes it"},
	{.path = "advice|designs[].shared_bytes", .type = "count", .doc = "of the largest block, with the change"},
	{.path = "advice|designs[].resident_blocks", .type = "count", .doc = "of such blocks, on an SM"},
	{.path = "designs[].cost_bits", .type = "count", .doc = "hardware of the atomics with the change, as cost_bits"},
	{.path = "advice|designs[].expected_error", .type = "object|null", .doc = "what measurement says of gains predicted for such changes on this machine; null where nothing does"},
	{.path = "advice|designs[].expected_error.points", .type = "count", .doc = "gains that were measured"},
	{.path = "advice|designs[].expected_error.median", .type = "number", .doc = "relative error of them"},
	{.path = "advice|designs[].expected_error.max", .type = "number", .doc = "the largest"},
	{.path = "expected_error_none?", .type = "string", .doc = "why no expected_error is known, as expected_error.none of run for the trace as it is; left out where one is"},
	{.path = "not_simulated", .type = "[object]", .doc = "changes that fit a cause but that no what-if makes"},
	{.path = "not_simulated[].most_gain", .type = "number", .doc = "without the cause at all"},
	{.path = "not_simulated[].cause", .type = "string", .doc = "what the change is against", .values = advice_cause_names, .n_values = N_ADVICE_CAUSES},
	{.path = "not_simulated[].words", .type = "string", .doc = "the change, a sentence"},
	{.path = "refused", .type = "[object]", .doc = "changes that cannot be made"},
	{.path = "refused[].what_if", .type = "string", .doc = "the change, as run --what-if takes it"},
	{.path = "refused[].why", .type = "string", .doc = "the reason"},
	{.path = "cycles_without", .type = "{count}", .doc = "cycles with one thing ideal at a time, by its name as in causes[].cause of run"},
	{.path = "nothing?", .type = "string", .doc = "why there is no advice; left out where there is some"},
};
/* clang-format on */

const Shape advice_shape = {
	.name = "advise",
	.version = 1,
	.title = "What atomsim advise --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

void advice_judge(AdviceReport *report, const Config *config, const TraceReader *reader)
{
	g_autofree SimResult *unchanged = g_new0(SimResult, 1);
	const RunReport run = {.machine = config_machine(config),
			       .metadata = trace_metadata_json(reader),
			       .result = unchanged};

	for (guint i = 0; i < report->advice->len; i++) {
		Advice *advice = report->advice->pdata[i];

		if (advice->site > 0 && advice->place == NULL)
			advice->place = report_site_label(&run, advice->site);
	}
	unchanged->statistics = report->statistics;
	report->no_error = report_expected_none(&run);
	for (guint i = 0; report->no_error != NULL && i < report->advice->len; i++)
		((Advice *)report->advice->pdata[i])->expected_points = 0;
}

static cJSON *one_object(const Advice *advice)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *error;

	cJSON_AddNumberToObject(object, "gain", advice->gain);
	cJSON_AddNumberToObject(object, "cycles", (double)advice->cycles);
	if (advice->duration_us > 0)
		cJSON_AddNumberToObject(object, "duration_us", advice->duration_us);
	if (advice->behind_cycles > 0)
		cJSON_AddNumberToObject(object, "behind_cycles", (double)advice->behind_cycles);
	cJSON_AddStringToObject(object, "cause", advice_cause_names[advice->cause]);
	cJSON_AddStringToObject(object, "words", advice->words);
	cJSON_AddStringToObject(object, advice->of_design ? "set" : "what_if", advice->change);
	if (advice->buffer > 0) {
		cJSON_AddNumberToObject(object, "buffer", advice->buffer);
	} else if (!advice->of_design) {
		cJSON_AddNumberToObject(object, "first_byte", advice->first_byte);
		cJSON_AddNumberToObject(object, "last_byte", advice->last_byte);
	}
	if (advice->line > 0)
		cJSON_AddNumberToObject(object, "line", advice->line);
	if (advice->place != NULL)
		cJSON_AddStringToObject(object, "place", advice->place);
	cJSON_AddNumberToObject(object, "shared_bytes", advice->shared_bytes);
	cJSON_AddNumberToObject(object, "resident_blocks", advice->resident_blocks);
	if (advice->of_design)
		cJSON_AddNumberToObject(object, "cost_bits", (double)advice->cost_bits);
	if (advice->expected_points == 0) {
		cJSON_AddNullToObject(object, "expected_error");
		return object;
	}
	error = cJSON_AddObjectToObject(object, "expected_error");
	cJSON_AddNumberToObject(error, "points", advice->expected_points);
	cJSON_AddNumberToObject(error, "median", advice->expected_median);
	cJSON_AddNumberToObject(error, "max", advice->expected_max);
	return object;
}

static void add_list(cJSON *object, const char *name, const GPtrArray *all)
{
	cJSON *list = cJSON_AddArrayToObject(object, name);

	for (guint i = 0; i < all->len; i++)
		cJSON_AddItemToArray(list, one_object(all->pdata[i]));
}

static void add_limits(cJSON *object, const AdviceReport *report)
{
	cJSON *list = cJSON_AddArrayToObject(object, "not_simulated");

	for (guint i = 0; i < report->limits->len; i++) {
		const AdviceLimit *limit = &g_array_index(report->limits, AdviceLimit, i);
		cJSON *item = cJSON_CreateObject();

		cJSON_AddNumberToObject(item, "most_gain", limit->most_gain);
		cJSON_AddStringToObject(item, "cause", advice_cause_names[limit->cause]);
		cJSON_AddStringToObject(item, "words", limit->words);
		cJSON_AddItemToArray(list, item);
	}
}

static void add_refused(cJSON *object, const AdviceReport *report)
{
	cJSON *list = cJSON_AddArrayToObject(object, "refused");

	for (guint i = 0; i < report->refused->len; i++) {
		const AdviceRefusal *refusal = report->refused->pdata[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "what_if", refusal->change);
		cJSON_AddStringToObject(item, "why", refusal->why);
		cJSON_AddItemToArray(list, item);
	}
}

/* Cycles without each thing that can have cost any. */
static void add_causes(cJSON *object, const AdviceReport *report)
{
	cJSON *causes = cJSON_AddObjectToObject(object, "cycles_without");

	for (unsigned i = 0; i < N_IDEALS; i++)
		if (report->causes.without[i].known)
			cJSON_AddNumberToObject(causes, ideal_names[i],
						(double)report->causes.without[i].cycles);
}

cJSON *advice_object(const AdviceReport *report, const char *trace, const Config *config)
{
	const uint32_t sms = machine_launch_sms(config_machine(config));
	const bool local = report->statistics.local_loads + report->statistics.local_stores > 0;
	cJSON *object = shape_object(&advice_shape);

	cJSON_AddStringToObject(object, "trace", trace);
	cJSON_AddStringToObject(object, "machine", config_machine(config)->name);
	cJSON_AddNumberToObject(object, "cycles", (double)report->cycles);
	cJSON_AddNumberToObject(object, "contention_free_cycles",
				(double)report->contention_free_cycles);
	if (report->duration_us > 0)
		cJSON_AddNumberToObject(object, "duration_us", report->duration_us);
	cJSON_AddNumberToObject(object, "shared_bytes", report->shared_bytes);
	cJSON_AddNumberToObject(object, "resident_blocks", report->resident_blocks);
	cJSON_AddNumberToObject(object, "sms", sms);
	cJSON_AddNumberToObject(object, "sms_with_block",
				(double)MIN(report->statistics.blocks, sms));
	if (local) {
		cJSON_AddNumberToObject(object, "local_loads",
					(double)report->statistics.local_loads);
		cJSON_AddNumberToObject(object, "local_stores",
					(double)report->statistics.local_stores);
	}
	cJSON_AddNumberToObject(object, "cost_bits", (double)report->cost_bits);
	cJSON_AddNumberToObject(object, "tried", report->tried);
	if (report->too_long)
		cJSON_AddTrueToObject(object, "too_long");
	add_list(object, "advice", report->advice);
	add_list(object, "designs", report->designs);
	add_limits(object, report);
	add_refused(object, report);
	add_causes(object, report);
	if (report->no_error)
		cJSON_AddStringToObject(object, "expected_error_none", report->no_error);
	if (report->nothing)
		cJSON_AddStringToObject(object, "nothing", report->nothing);
	return object;
}
