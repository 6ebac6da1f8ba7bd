/* SPDX-License-Identifier: MIT */
#include "config/layers.h"

#include <string.h>

#include "base/json.h"
#include "config/keys.h"

/* JSON if it looks so, else a bare word that stands for a text. g_free. */
static char *setting_json(const char *value)
{
	g_autoptr(cJSON) item = NULL;

	if (!*value || strchr("{[\"+-.0123456789 \t", *value) || g_str_equal(value, "true") ||
	    g_str_equal(value, "false") || g_str_equal(value, "null"))
		return g_strdup(value);
	item = cJSON_CreateString(value);
	return json_line(item);
}

/* A setting on one line. g_free. */
static char *setting_place(const char *setting)
{
	g_autofree char *valid = g_utf8_make_valid(setting, -1);
	char *place = g_strconcat("--set ", valid, NULL);

	for (char *c = place; *c; c++) {
		if ((guchar)*c < 0x20 || *c == 0x7f)
			*c = ' ';
	}
	return place;
}

Document *setting_parse(const char *setting, char **path, Problems *problems)
{
	g_autofree char *place = setting_place(setting);
	g_autofree char *json = NULL;
	const char *equals = strchr(setting, '=');

	if (!equals || equals == setting || !g_utf8_validate(setting, -1, NULL)) {
		problems_add(problems, place, NULL,
			     "allowed: KEY=VALUE, such as atomic.locks=512");
		problems->is_usage = TRUE;
		return NULL;
	}
	*path = g_strndup(setting, (gsize)(equals - setting));
	json = setting_json(equals + 1);
	return document_parse(place, FALSE, json, strlen(json), problems);
}

char *setting_section(const char *path)
{
	char *section = g_strdup(path), *dot = NULL;

	while ((dot = strrchr(section, '.'))) {
		*dot = '\0';
		if (key_is_section(section))
			return section;
	}
	*section = '\0';
	return section;
}
