/* SPDX-License-Identifier: MIT */
#include "replay/what-if.h"

#include <cjson/cJSON.h>

#include "base/error.h"

uint32_t *replay_site_lines(TraceReader *reader)
{
	uint32_t n = trace_n_sites(reader), k = 0;
	uint32_t *lines = g_new0(uint32_t, MAX(n, 1));
	const cJSON *metadata = trace_metadata_json(reader);
	const cJSON *site;

	cJSON_ArrayForEach(site, cJSON_GetObjectItemCaseSensitive(metadata, "sites"))
	{
		const cJSON *line = cJSON_GetObjectItemCaseSensitive(site, "line");

		if (k < n && cJSON_IsNumber(line) && line->valuedouble >= 1 &&
		    line->valuedouble <= INT32_MAX)
			lines[k] = (uint32_t)line->valuedouble;
		k++;
	}
	return lines;
}

Config *replay_config(const Config *config, const WhatIf *what_if, GError **error)
{
	g_autoptr(Config) with = config_with(config, what_if_settings(what_if), error);

	if (with == NULL || !config_use_mechanisms(with, what_if_mechanisms(what_if), error))
		return NULL;
	return g_steal_pointer(&with);
}

gboolean replay_change(TraceReader *reader, const WhatIf *what_if, ChangedSource *changed,
		       GError **error)
{
	g_autofree uint32_t *lines = replay_site_lines(reader);
	GError *why = NULL;

	if (what_if_apply(what_if, trace_path(reader), trace_source(reader), lines,
			  trace_n_sites(reader), changed, &why))
		return TRUE;
	if (why != NULL)
		g_propagate_error(error, why);
	else if (trace_failure(reader) != NULL)
		g_propagate_error(error, g_error_copy(trace_failure(reader)));
	else
		atomsim_fail(error, ATOMSIM_ERROR_TRACE, "%s: cannot be read",
			     trace_path(reader));
	return FALSE;
}
