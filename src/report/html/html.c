/* SPDX-License-Identifier: MIT */
/* The page: page.html, built into the program, with the run's data in it. */
#include "report/html/html.h"

#include <string.h>

#include "report/text.h"

const OutputKind html_kind = {"a page", {"<title>atomsim report</title>"}};

static const unsigned char page[] = {
#include "report/html/page.inc"
};

/* Each state with its words and each site with its instruction, as the text report has them. */
static void add_words(cJSON *data, const RunReport *report)
{
	cJSON *states = cJSON_AddArrayToObject(data, "states");
	cJSON *instructions = cJSON_AddArrayToObject(data, "instructions");
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	const cJSON *site;

	for (guint i = 0; i < N_WARP_STATES; i++) {
		cJSON *state = cJSON_CreateObject();

		cJSON_AddStringToObject(state, "name", warp_state_names[i]);
		cJSON_AddStringToObject(state, "words", text_state_words[i]);
		cJSON_AddItemToArray(states, state);
	}
	cJSON_ArrayForEach(site, sites)
	{
		const char *name = cJSON_GetStringValue(
			cJSON_GetObjectItemCaseSensitive(site, "instruction"));

		cJSON_AddItemToArray(instructions, cJSON_CreateString(name ? name : ""));
	}
}

static char *data_text(const RunReport *report, const HtmlWatch *watch, cJSON *atomics,
		       cJSON *advice, const char *folder, GPtrArray *left_out)
{
	cJSON *data = cJSON_CreateObject();
	char *printed;
	GString *text;

	cJSON_AddStringToObject(data, "machine", report->machine->name);
	cJSON_AddStringToObject(data, "config_name", report->config_name);
	cJSON_AddBoolToObject(data, "has_locks", atomic_has_locks(&report->machine->atomic));
	cJSON_AddItemToObject(data, "report", report_object(report));
	add_words(data, report);
	cJSON_AddItemToObject(data, "heat", html_watch_heat(watch));
	cJSON_AddItemToObject(data, "sources", html_sources(report, folder, left_out));
	cJSON_AddItemToObject(data, "atomics", atomics);
	if (advice)
		cJSON_AddItemToObject(data, "advice", advice);
	printed = cJSON_PrintUnformatted(data);
	text = g_string_new(printed);
	cJSON_free(printed);
	cJSON_Delete(data);
	/* Nothing in it may end the script that holds it. */
	g_string_replace(text, "<", "\\u003c", 0);
	return g_string_free(text, FALSE);
}

char *report_html(const RunReport *report, const HtmlWatch *watch, cJSON *atomics,
		  cJSON *advice, const char *folder, GPtrArray *left_out)
{
	static const char mark[] = "@DATA@";
	g_autofree char *data = data_text(report, watch, atomics, advice, folder, left_out);
	GString *text = g_string_new_len((const char *)page, sizeof page);
	const char *place = strstr(text->str, mark);
	gsize at = (gsize)(place - text->str);

	g_assert(place);
	g_string_erase(text, (gssize)at, sizeof mark - 1);
	g_string_insert(text, (gssize)at, data);
	return g_string_free(text, FALSE);
}
