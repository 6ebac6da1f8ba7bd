/* SPDX-License-Identifier: MIT */
#include "workloads/parameters.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/error.h"

typedef struct {
	const WorkloadOption *option;
	char *text; /* as typed; NULL: no value */
	int64_t number;
	gboolean refused; /* given, but not as its row allows */
} Parameter;

struct WorkloadParameters {
	const Workload *workload;
	guint n;
	Parameter *list;
	const int64_t *indices; /* NULL: none are given */
	gsize n_indices;
};

const WorkloadOption workload_common_options[] = {
	{.name = "seed",
	 .type = WORKLOAD_INTEGER,
	 .maximum = UINT32_MAX,
	 .default_value = "1",
	 .doc = "start of the random numbers: the same seed gives the same bytes"},
	{0},
};

char *workload_option_allowed(const WorkloadOption *option)
{
	const char *space = option->unit ? " " : "";
	const char *unit = option->unit ? option->unit : "";

	switch (option->type) {
	case WORKLOAD_INTEGER:
		return g_strdup_printf("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT "%s%s",
				       option->minimum, option->maximum, space, unit);
	case WORKLOAD_HUNDREDTHS:
		return g_strdup_printf("%d.%02d to %d.%02d%s%s", (int)option->minimum / 100,
				       (int)option->minimum % 100, (int)option->maximum / 100,
				       (int)option->maximum % 100, space, unit);
	case WORKLOAD_CHOICE:
		return g_strdup(option->choices);
	case WORKLOAD_TEXT:
		return g_strdup(option->unit ? option->unit : "text");
	case WORKLOAD_FILE:
		return g_strdup("a file");
	}
	g_assert_not_reached();
}

/* Digits with at most two places after the point: no float, no locale. */
static gboolean parse_hundredths(const char *text, int64_t *number)
{
	const char *point = strchr(text, '.');
	g_autofree char *whole =
		point ? g_strndup(text, (gsize)(point - text)) : g_strdup(text);
	const char *places = point ? point + 1 : "";
	guint64 units;

	if (!g_ascii_string_to_unsigned(whole, 10, 0, INT32_MAX, &units, NULL))
		return FALSE;
	if (strlen(places) > 2 || strspn(places, "0123456789") != strlen(places))
		return FALSE;

	*number = (int64_t)units * 100;
	if (places[0])
		*number += (places[0] - '0') * 10;
	if (places[0] && places[1])
		*number += places[1] - '0';
	return TRUE;
}

static gboolean parse_choice(const char *choices, const char *text, int64_t *number)
{
	g_auto(GStrv) words = g_strsplit(choices, "|", -1);

	for (guint i = 0; words[i]; i++) {
		if (strcmp(words[i], text) == 0) {
			*number = i;
			return TRUE;
		}
	}
	return FALSE;
}

static gboolean parse_value(const WorkloadOption *option, const char *text, int64_t *number)
{
	*number = 0;
	switch (option->type) {
	case WORKLOAD_INTEGER:
		return g_ascii_string_to_signed(text, 10, option->minimum, option->maximum,
						number, NULL);
	case WORKLOAD_HUNDREDTHS:
		return parse_hundredths(text, number) && *number >= option->minimum &&
		       *number <= option->maximum;
	case WORKLOAD_CHOICE:
		return parse_choice(option->choices, text, number);
	case WORKLOAD_TEXT:
	case WORKLOAD_FILE:
		return text[0] != '\0';
	}
	g_assert_not_reached();
}

static Parameter *find(const WorkloadParameters *parameters, const char *name)
{
	for (guint i = 0; i < parameters->n; i++)
		if (strcmp(parameters->list[i].option->name, name) == 0)
			return &parameters->list[i];
	return NULL;
}

static void report_unknown(const WorkloadParameters *parameters, const char *name,
			   GString *problems)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < parameters->n; i++)
		g_ptr_array_add(names, (char *)parameters->list[i].option->name);
	g_ptr_array_add(names, NULL);

	const char *similar = atomsim_suggest(name, (const char *const *)names->pdata);
	g_string_append_printf(problems, "workload '%s' has no option --%s",
			       parameters->workload->name, name);
	if (similar)
		g_string_append_printf(problems, "; did you mean --%s?", similar);
	g_string_append_c(problems, '\n');
}

static void set(WorkloadParameters *parameters, const char *name, const char *text,
		GString *problems)
{
	Parameter *parameter = find(parameters, name);

	if (!parameter) {
		report_unknown(parameters, name, problems);
		return;
	}
	if (!parse_value(parameter->option, text, &parameter->number)) {
		g_autofree char *allowed = workload_option_allowed(parameter->option);
		g_string_append_printf(problems, "--%s: '%s' found; allowed: %s\n", name, text,
				       allowed);
		parameter->refused = TRUE;
		return;
	}
	g_free(parameter->text);
	parameter->text = g_strdup(text);
}

static void add_rows(WorkloadParameters *parameters, const WorkloadOption *rows)
{
	guint n = 0;

	while (rows[n].name)
		n++;
	parameters->list = g_renew(Parameter, parameters->list, parameters->n + n);
	for (guint i = 0; i < n; i++)
		parameters->list[parameters->n++] = (Parameter){.option = &rows[i]};
}

WorkloadParameters *parameters_new(const Workload *workload, const char *const *settings,
				   GError **error)
{
	g_autoptr(WorkloadParameters) parameters = g_new0(WorkloadParameters, 1);
	g_autoptr(GString) problems = g_string_new(NULL);

	parameters->workload = workload;
	add_rows(parameters, workload->options);
	add_rows(parameters, workload_common_options);

	for (guint i = 0; i < parameters->n; i++)
		if (parameters->list[i].option->default_value)
			set(parameters, parameters->list[i].option->name,
			    parameters->list[i].option->default_value, problems);
	g_assert(problems->len == 0); /* a default that its own row forbids */

	for (guint i = 0; settings && settings[i]; i++) {
		g_auto(GStrv) pair = g_strsplit(settings[i], "=", 2);
		if (pair[0] && pair[1])
			set(parameters, pair[0], pair[1], problems);
		else
			g_string_append_printf(problems, "'%s' found; allowed: key=value\n",
					       settings[i]);
	}
	for (guint i = 0; i < parameters->n; i++) {
		const Parameter *parameter = &parameters->list[i];
		const WorkloadOption *option = parameter->option;
		if (option->required && !parameter->text && !parameter->refused)
			g_string_append_printf(problems, "workload '%s' needs --%s: %s\n",
					       workload->name, option->name, option->doc);
	}

	if (problems->len > 0) {
		g_string_truncate(problems, problems->len - 1);
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problems->str);
		return NULL;
	}
	return g_steal_pointer(&parameters);
}

void parameters_free(WorkloadParameters *parameters)
{
	if (!parameters)
		return;
	for (guint i = 0; i < parameters->n; i++)
		g_free(parameters->list[i].text);
	g_free(parameters->list);
	g_free(parameters);
}

struct cJSON *parameters_to_json(const WorkloadParameters *parameters)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "name", parameters->workload->name);
	for (guint i = 0; i < parameters->n; i++) {
		const Parameter *parameter = &parameters->list[i];
		const char *name = parameter->option->name;

		if (!parameter->text || strcmp(name, "seed") == 0)
			continue;
		if (parameter->option->type == WORKLOAD_INTEGER) {
			cJSON_AddNumberToObject(object, name, (double)parameter->number);
		} else if (parameter->option->type == WORKLOAD_FILE) {
			/* Where the file lay on one machine is nobody else's business. */
			g_autofree char *base = g_path_get_basename(parameter->text);
			cJSON_AddStringToObject(object, name, base);
		} else {
			cJSON_AddStringToObject(object, name, parameter->text);
		}
	}
	return object;
}

static const Parameter *get(const WorkloadParameters *parameters, const char *name)
{
	const Parameter *parameter = find(parameters, name);

	g_assert(parameter);
	return parameter;
}

int64_t workload_integer(const WorkloadParameters *parameters, const char *name)
{
	const Parameter *parameter = get(parameters, name);

	g_assert(parameter->text && parameter->option->type <= WORKLOAD_HUNDREDTHS);
	return parameter->number;
}

unsigned workload_choice(const WorkloadParameters *parameters, const char *name)
{
	const Parameter *parameter = get(parameters, name);

	g_assert(parameter->text && parameter->option->type == WORKLOAD_CHOICE);
	return (unsigned)parameter->number;
}

const char *workload_text(const WorkloadParameters *parameters, const char *name)
{
	return get(parameters, name)->text;
}

gboolean workload_has(const WorkloadParameters *parameters, const char *name)
{
	return get(parameters, name)->text != NULL;
}

void parameters_give(WorkloadParameters *parameters, const int64_t *indices, gsize n)
{
	parameters->indices = indices;
	parameters->n_indices = n;
}

const int64_t *workload_indices(const WorkloadParameters *parameters, gsize *n)
{
	*n = parameters->n_indices;
	return parameters->indices;
}

GRand *workload_random(const WorkloadParameters *parameters, uint32_t block, uint32_t warp)
{
	const guint32 seed[] = {(guint32)workload_integer(parameters, "seed"), block, warp};

	return g_rand_new_with_seed_array(seed, G_N_ELEMENTS(seed));
}
