/* SPDX-License-Identifier: MIT */
/* Axes that change the traces: what_if.replicate=1,2,4. */
#include <string.h>

#include "base/error.h"
#include "explore/sweep/sweep.h"

/* The value of what_if.NAME in a combination; NULL: it is not varied. */
static const char *find(const SweepPlan *plan, guint combination, const char *name)
{
	for (guint i = 0; i < plan->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(plan->axes, i);

		if (sweep_axis_is_what_if(axis) &&
		    strcmp(axis->key + strlen(SWEEP_WHAT_IF), name) == 0)
			return sweep_plan_value(plan, combination, i);
	}
	return NULL;
}

/* Whether an axis says how the copies of another, what_if.replicate, are made. A padding of rows is
   written ROW:WORDS and is a change of its own. */
static gboolean is_of_copies(const char *name, const char *value)
{
	return strcmp(name, "map") == 0 ||
	       (strcmp(name, "pad") == 0 && strchr(value, ':') == NULL);
}

static gboolean add_copies(const SweepPlan *plan, guint combination, const char *copies,
			   WhatIf *what_if, GError **error)
{
	const char *map = find(plan, combination, "map");
	const char *pad = find(plan, combination, "pad");
	GString *text = g_string_new(NULL);
	gboolean good;

	g_string_append_printf(text, "replicate=%s", copies);
	if (map != NULL)
		g_string_append_printf(text, ",map=%s", map);
	if (pad != NULL && is_of_copies("pad", pad))
		g_string_append_printf(text, ",pad=%s", pad);
	good = what_if_add(what_if, text->str, error);
	g_string_free(text, TRUE);
	return good;
}

WhatIf *sweep_plan_what_if(const SweepPlan *plan, guint combination, GError **error)
{
	g_autoptr(WhatIf) what_if = what_if_new();

	for (guint i = 0; i < plan->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(plan->axes, i);
		const char *value = sweep_plan_value(plan, combination, i);
		const char *name = axis->key + strlen(SWEEP_WHAT_IF);
		g_autofree char *text = NULL;

		if (!sweep_axis_is_what_if(axis) || strcmp(value, "none") == 0)
			continue;
		if (strcmp(name, "replicate") == 0) {
			if (!add_copies(plan, combination, value, what_if, error))
				return NULL;
			continue;
		}
		if (is_of_copies(name, value)) {
			if (find(plan, combination, "replicate") != NULL)
				continue;
			atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				     "--vary %s: says how copies are made, and there is no "
				     "what_if.replicate",
				     axis->key);
			return NULL;
		}
		text = g_strdup_printf("%s=%s", name, value);
		if (!what_if_add(what_if, text, error))
			return NULL;
	}
	return g_steal_pointer(&what_if);
}
