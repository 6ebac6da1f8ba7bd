/* SPDX-License-Identifier: MIT */
/* atomsim list --schema: the JSON Schemas of what commands print. */
#include "cli/schemas.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/list/list.h"

const Shape *const schemas[] = {
#define X(name) &name##_shape,
	SCHEMAS(X)
#undef X
		NULL,
};

static void add_tables(cJSON *schema)
{
	for (const ListTable *table = list_tables; table->name; table++) {
		g_autofree char *path = g_strconcat(table->name, "?", NULL);
		const ShapeRow row = {path, "[{string}]", table->heading, NULL, 0};

		shape_add_row(schema, &row);
	}
}

const Shape list_shape = {
	.name = "list",
	.version = 1,
	.title = "What atomsim list --format json says: a list for each table, of rows that "
		 "begin with a name",
	.more = add_tables,
};

gboolean list_schema(const char *name, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *all = NULL;
	const char *similar;

	for (guint i = 0; schemas[i]; i++) {
		if (strcmp(schemas[i]->name, name) == 0) {
			g_autofree char *text = shape_schema(schemas[i]);

			fputs(text, stdout);
			return TRUE;
		}
		g_ptr_array_add(names, (char *)schemas[i]->name);
	}
	g_ptr_array_add(names, NULL);
	all = g_strjoinv(", ", (char **)names->pdata);
	similar = atomsim_suggest(name, (const char *const *)names->pdata);
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "list: --schema %s%s%s%s; allowed: %s",
			    name, similar ? " (did you mean '" : "", similar ? similar : "",
			    similar ? "'?)" : "", all);
}
