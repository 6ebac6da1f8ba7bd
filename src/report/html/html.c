/* SPDX-License-Identifier: MIT */
/* The page: page.html, built into the program, with the run's data in it. */
#include "report/html/html.h"

#include <string.h>

#include "report/lines.h"
#include "report/text.h"

#define LINES_SHOWN 100

const OutputKind html_kind = {"a page", {"<title>atomsim report</title>"}};

static const unsigned char page[] = {
#include "report/html/page.inc"
};

static void add_count(cJSON *object, const char *name, uint64_t count)
{
	g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, count);

	cJSON_AddRawToObject(object, name, digits);
}

/* Each state with its words, as the text report has them, and its cycles without contention. */
static void add_words(cJSON *data, const RunReport *report)
{
	cJSON *states = cJSON_AddArrayToObject(data, "states");

	for (guint i = 0; i < N_WARP_STATES; i++) {
		cJSON *state = cJSON_CreateObject();

		cJSON_AddStringToObject(state, "name", warp_state_names[i]);
		cJSON_AddStringToObject(state, "words", text_state_words[i]);
		if (report->baseline != NULL)
			add_count(state, "free_cycles",
				  report->baseline->statistics.warp_cycles[i]);
		cJSON_AddItemToArray(states, state);
	}
}

/* The same of each thing that can be ideal. */
static void add_ideals(cJSON *data)
{
	cJSON *ideals = cJSON_AddArrayToObject(data, "ideals");

	for (guint i = 0; i < N_IDEALS; i++) {
		cJSON *ideal = cJSON_CreateObject();

		cJSON_AddStringToObject(ideal, "name", ideal_names[i]);
		cJSON_AddStringToObject(ideal, "words", ideal_words[i]);
		cJSON_AddItemToArray(ideals, ideal);
	}
}

static cJSON *line_object(const ReportLine *line)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *instructions;

	cJSON_AddStringToObject(object, "label", line->label);
	if (line->line > 0) {
		cJSON_AddStringToObject(object, "file", line->file);
		cJSON_AddNumberToObject(object, "line", line->line);
	}
	instructions = cJSON_AddArrayToObject(object, "instructions");
	for (guint i = 0; i < line->instructions->len; i++)
		cJSON_AddItemToArray(instructions,
				     cJSON_CreateString(line->instructions->pdata[i]));
	add_count(object, "cycles", line->cycles);
	add_count(object, "failures", line->failures);
	add_count(object, "passes", line->passes);
	return object;
}

/* The costliest lines, and what the others come to together. */
static void add_lines(cJSON *data, const GPtrArray *lines)
{
	cJSON *list = cJSON_AddArrayToObject(data, "lines");
	ReportLine others = {0};

	for (guint i = 0; i < lines->len; i++) {
		const ReportLine *line = lines->pdata[i];

		if (i < LINES_SHOWN) {
			cJSON_AddItemToArray(list, line_object(line));
			continue;
		}
		others.cycles += line->cycles;
		others.failures += line->failures;
		others.passes += line->passes;
	}
	if (lines->len <= LINES_SHOWN)
		return;
	others.label = g_strdup_printf("%u other lines", lines->len - LINES_SHOWN);
	others.instructions = g_ptr_array_new();
	cJSON_AddItemToArray(list, line_object(&others));
	g_ptr_array_unref(others.instructions);
	g_free(others.label);
}

static char *data_text(const RunReport *report, const HtmlWatch *watch, cJSON *atomics,
		       cJSON *advice, const char *folder, GPtrArray *left_out)
{
	g_autoptr(GPtrArray) lines = report_lines(report);
	cJSON *data = cJSON_CreateObject();
	char *printed;
	g_autofree char *launch = report_launch(report);
	g_autofree char *cold = report_cold(report);
	g_autofree char *idle = report_idle_sms(report);
	GString *text;

	cJSON_AddStringToObject(data, "machine", report->machine->name);
	cJSON_AddStringToObject(data, "config_name", report->config_name);
	if (launch)
		cJSON_AddStringToObject(data, "launch", launch);
	if (cold)
		cJSON_AddStringToObject(data, "cold", cold);
	if (idle)
		cJSON_AddStringToObject(data, "idle_sms", idle);
	cJSON_AddBoolToObject(data, "has_locks",
			      atomic_has_lock_bits(&report->machine->atomic));
	cJSON_AddItemToObject(data, "report", report_object(report));
	add_words(data, report);
	add_ideals(data);
	add_lines(data, lines);
	cJSON_AddItemToObject(data, "heat", html_watch_heat(watch));
	cJSON_AddItemToObject(data, "sources", html_sources(report, lines, folder, left_out));
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
