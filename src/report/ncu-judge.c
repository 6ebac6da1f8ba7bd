/* SPDX-License-Identifier: MIT */
/* Whether what ncu counted is within the report's expected error, and what a change has gained. */
#include "report/ncu.h"

#include <math.h>

#include "report/diff.h"

/* The expected error is of the first; the other is measured where counters may not be read. */
static const char *const judged[] = {"sm__cycles_active.max", "gpu__time_duration.sum"};

/* The row of a counter that was measured and simulated; FALSE: there is none, or nothing was measured. */
static gboolean find(const cJSON *object, const char *counter, double *measured,
		     double *simulated)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(object, "counters"))
	{
		const char *name = cJSON_GetStringValue(diff_item(row, "counter"));
		const cJSON *a = diff_item(row, "measured"), *b = diff_item(row, "simulated");

		if (g_strcmp0(name, counter) != 0)
			continue;
		*measured = cJSON_GetNumberValue(a);
		*simulated = cJSON_GetNumberValue(b);
		return *measured > 0 && *simulated > 0;
	}
	return FALSE;
}

gboolean ncu_off(const cJSON *object, const char **counter, double *percent)
{
	double measured, simulated;

	for (guint i = 0; i < G_N_ELEMENTS(judged); i++) {
		if (!find(object, judged[i], &measured, &simulated))
			continue;
		*counter = judged[i];
		*percent = 100 * fabs(simulated / measured - 1);
		return TRUE;
	}
	return FALSE;
}

/* --- The expected error --- */

static double number(const cJSON *expected, const char *name)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(expected, name));
}

const cJSON *ncu_within(const cJSON *object, char **why)
{
	const cJSON *expected = diff_item(object, "expected_error");
	const char *none = cJSON_GetStringValue(diff_item(expected, "none"));
	double measured, simulated;

	*why = NULL;
	if (expected == NULL)
		*why = g_strdup("the report is of a version that had none");
	else if (none != NULL || !(number(expected, "p90") >= 0))
		*why = g_strdup(none ? none : "the report has none");
	else if (!find(object, judged[0], &measured, &simulated))
		*why = g_strdup_printf("it is of %s, which was not measured or not simulated",
				       judged[0]);
	return *why == NULL ? diff_item(object, "within_expected_error") : NULL;
}

void ncu_add_judgement(cJSON *object, const cJSON *expected_error)
{
	double measured, simulated;
	const double p90 = number(expected_error, "p90");

	if (expected_error != NULL)
		cJSON_AddItemToObject(object, "expected_error",
				      cJSON_Duplicate(expected_error, TRUE));
	if (p90 >= 0 && find(object, judged[0], &measured, &simulated))
		cJSON_AddBoolToObject(object, "within_expected_error",
				      fabs(simulated / measured - 1) <= p90);
	else
		cJSON_AddNullToObject(object, "within_expected_error");
}

void ncu_append_judgement(GString *text, const cJSON *object)
{
	const cJSON *expected = diff_item(object, "expected_error");
	g_autofree char *why = NULL;
	const cJSON *within = ncu_within(object, &why);
	const char *counter;
	double percent;

	if (within == NULL) {
		g_string_append_printf(text, "Expected error: none, %s\n", why);
		return;
	}
	ncu_off(object, &counter, &percent);
	g_string_append_printf(
		text,
		"%s the expected error: %s is off by %.1f %%\n"
		"  expected: %.0f %% (median), %.0f %% (90th percentile), of %.0f launches:\n"
		"  %s\n",
		cJSON_IsTrue(within) ? "Within" : "Outside", counter, percent,
		100 * number(expected, "median"), 100 * number(expected, "p90"),
		number(expected, "launches"),
		cJSON_GetStringValue(diff_item(expected, "class")));
}

/* --- Before and after a change --- */

gboolean ncu_add_change(cJSON *object, const cJSON *before)
{
	for (guint i = 0; i < G_N_ELEMENTS(judged); i++) {
		double measured[2], simulated[2];
		cJSON *change;

		if (!find(before, judged[i], &measured[0], &simulated[0]) ||
		    !find(object, judged[i], &measured[1], &simulated[1]))
			continue;
		change = cJSON_AddObjectToObject(object, "change");
		cJSON_AddStringToObject(change, "counter", judged[i]);
		cJSON_AddNumberToObject(change, "measured_before", measured[0]);
		cJSON_AddNumberToObject(change, "simulated_before", simulated[0]);
		cJSON_AddNumberToObject(change, "measured_gain", measured[0] / measured[1]);
		cJSON_AddNumberToObject(change, "simulated_gain", simulated[0] / simulated[1]);
		return TRUE;
	}
	return FALSE;
}

void ncu_append_change(GString *text, const cJSON *object)
{
	const cJSON *change = diff_item(object, "change");
	const double measured = number(change, "measured_gain");
	const double simulated = number(change, "simulated_gain");

	g_string_append_printf(text, "\n%-50s %10s %10s %8s\n", "change", "measured",
			       "simulated", "differs");
	g_string_append_printf(text, "%-50s %10.2f %10.2f %+6.1f %%\n", "speedup over before",
			       measured, simulated, 100 * (simulated / measured - 1));
}
