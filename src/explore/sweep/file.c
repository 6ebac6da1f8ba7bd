/* SPDX-License-Identifier: MIT */
#include "explore/sweep/file.h"

#include <math.h>
#include <string.h>

#include "config/document.h"
#include "config/problems.h"
#include "base/error.h"
#include "base/input.h"

typedef struct {
	const Document *document;
	Problems *problems;
	SweepWords *words;
	const char *section; /* pointer to the object at hand */
} Reading;

void sweep_words_init(SweepWords *words)
{
	*words = (SweepWords){
		.settings = g_ptr_array_new_with_free_func(g_free),
		.axes = g_ptr_array_new_with_free_func((GDestroyNotify)sweep_axis_free),
		.traces = g_ptr_array_new_with_free_func(g_free),
	};
}

void sweep_words_clear(SweepWords *words)
{
	g_free(words->config);
	g_free(words->gen);
	g_clear_pointer(&words->settings, g_ptr_array_unref);
	g_clear_pointer(&words->axes, g_ptr_array_unref);
	g_clear_pointer(&words->traces, g_ptr_array_unref);
}

void sweep_words_vary(SweepWords *words, SweepAxis *axis)
{
	for (guint i = 0; i < words->axes->len; i++) {
		const SweepAxis *other = g_ptr_array_index(words->axes, i);

		if (strcmp(other->key, axis->key) == 0)
			g_ptr_array_remove_index(words->axes, i--);
	}
	g_ptr_array_add(words->axes, axis);
}

static void report_text(const Reading *reading, const cJSON *item, const char *text)
{
	g_autofree char *place =
		document_place(reading->document, document_span(reading->document, item));
	g_autofree char *pointer =
		item->string != NULL ? pointer_join(reading->section, item->string) : NULL;

	problems_add(reading->problems, place, pointer, "%s", text);
}

static void report(const Reading *reading, const cJSON *item, const char *allowed)
{
	g_autofree char *found = document_quote(reading->document, item);
	g_autofree char *text = g_strdup_printf("found %s; allowed: %s", found, allowed);

	report_text(reading, item, text);
}

/* A scalar or a hash as --set takes it, or NULL. g_free. */
static char *value_text(const cJSON *item)
{
	char *printed = NULL, *text = NULL;

	if (cJSON_IsString(item))
		return g_strdup(item->valuestring);
	if (!cJSON_IsNumber(item) && !cJSON_IsObject(item))
		return NULL;
	printed = cJSON_PrintUnformatted(item);
	text = g_strdup(printed);
	cJSON_free(printed);
	return text;
}

static void take_set(const Reading *outer, const cJSON *object)
{
	const Reading inner = {outer->document, outer->problems, outer->words, "/set"};
	const Reading *reading = &inner;
	const cJSON *item;

	if (!cJSON_IsObject(object)) {
		report(outer, object, "an object of keys and values");
		return;
	}
	cJSON_ArrayForEach(item, object)
	{
		g_autofree char *text = value_text(item);

		if (text == NULL)
			report(reading, item, "a value as --set takes it");
		else
			g_ptr_array_add(reading->words->settings,
					g_strconcat(item->string, "=", text, NULL));
	}
}

static void take_axis(const Reading *reading, const cJSON *values)
{
	g_autoptr(SweepAxis) axis = sweep_axis_new(values->string);
	g_autoptr(GError) error = NULL;
	const cJSON *item;

	/* Ranges are short to write, and each is as long as a sweep can be. */
	if (reading->words->n_values > SWEEP_MAX_POINTS) {
		report(reading, values,
		       "no more values: the axes before it have over " G_STRINGIFY(
			       SWEEP_MAX_POINTS));
		return;
	}
	if (cJSON_IsString(values)) {
		if (!sweep_axis_add(axis, values->valuestring, &error))
			report_text(reading, values, error->message);
	} else if (!cJSON_IsArray(values) || values->child == NULL) {
		report(reading, values, "an array of values, or a text as --vary takes it");
	} else {
		cJSON_ArrayForEach(item, values)
		{
			g_autofree char *text = value_text(item);

			if (text == NULL)
				report(reading, item, "a number, a text or a hash");
			else
				sweep_axis_add_value(axis, text);
		}
	}
	reading->words->n_values += axis->n_values;
	if (axis->n_values > 0)
		sweep_words_vary(reading->words, g_steal_pointer(&axis));
}

static void take_vary(const Reading *outer, const cJSON *object)
{
	const Reading inner = {outer->document, outer->problems, outer->words, "/vary"};
	const cJSON *item;

	if (!cJSON_IsObject(object)) {
		report(outer, object, "an object of keys and their values");
		return;
	}
	cJSON_ArrayForEach(item, object) take_axis(&inner, item);
}

static void take_traces(const Reading *reading, const cJSON *array)
{
	const cJSON *item;

	if (!cJSON_IsArray(array)) {
		report(reading, array, "an array of paths");
		return;
	}
	cJSON_ArrayForEach(item, array)
	{
		if (cJSON_IsString(item))
			g_ptr_array_add(reading->words->traces, g_strdup(item->valuestring));
		else
			report(reading, item, "a path");
	}
}

static void take_text(const Reading *reading, const cJSON *item, char **text)
{
	if (!cJSON_IsString(item)) {
		report(reading, item, "a text");
		return;
	}
	g_free(*text);
	*text = g_strdup(item->valuestring);
}

static void take_number(const Reading *reading, const cJSON *item, gint64 *number)
{
	g_autofree char *digits = document_quote(reading->document, item);
	guint64 exact;

	/* cJSON's number is a double: the digits say more from 2^53 on. */
	if (cJSON_IsNumber(item) &&
	    g_ascii_string_to_unsigned(digits, 10, 0, G_MAXINT64, &exact, NULL))
		*number = (gint64)exact;
	else if (!cJSON_IsNumber(item) || item->valuedouble < 0 ||
		 item->valuedouble >= 0x1p53 || floor(item->valuedouble) != item->valuedouble)
		report(reading, item, "a whole number of 0 to 9223372036854775807");
	else
		*number = (gint64)item->valuedouble;
}

static void take_config(const Reading *reading, const cJSON *item)
{
	take_text(reading, item, &reading->words->config);
}

static void take_gen(const Reading *reading, const cJSON *item)
{
	take_text(reading, item, &reading->words->gen);
}

static void take_sample(const Reading *reading, const cJSON *item)
{
	take_number(reading, item, &reading->words->sample);
}

static void take_seed(const Reading *reading, const cJSON *item)
{
	take_number(reading, item, &reading->words->seed);
}

static void take_zip(const Reading *reading, const cJSON *item)
{
	if (cJSON_IsBool(item))
		reading->words->zip = cJSON_IsTrue(item);
	else
		report(reading, item, "true or false");
}

static void take_description(const Reading *reading, const cJSON *item)
{
	if (!cJSON_IsString(item))
		report(reading, item, "a text");
}

static const struct {
	const char *name;
	void (*take)(const Reading *reading, const cJSON *item);
} members[] = {
	{"description", take_description},
	{"config", take_config},
	{"set", take_set},
	{"vary", take_vary},
	{"zip", take_zip},
	{"sample", take_sample},
	{"seed", take_seed},
	{"gen", take_gen},
	{"traces", take_traces},
};

static void take_member(const Reading *reading, const cJSON *item)
{
	const char *names[G_N_ELEMENTS(members) + 1] = {NULL};
	const char *similar = NULL;
	g_autofree char *all = NULL;
	g_autofree char *text = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
		names[i] = members[i].name;
		if (strcmp(item->string, members[i].name) == 0) {
			members[i].take(reading, item);
			return;
		}
	}
	similar = atomsim_suggest(item->string, names);
	all = g_strjoinv(", ", (char **)names);
	text = similar != NULL ? g_strdup_printf("unknown; did you mean %s?", similar)
			       : g_strdup_printf("unknown; allowed: %s", all);
	report_text(reading, item, text);
}

static void take_document(const Reading *reading)
{
	const cJSON *item;

	if (!cJSON_IsObject(reading->document->root)) {
		report(reading, reading->document->root, "an object");
		return;
	}
	cJSON_ArrayForEach(item, reading->document->root) take_member(reading, item);
}

gboolean sweep_text_read(const char *name, const char *text, gsize length, SweepWords *words,
			 GError **error)
{
	g_autofree char *problem_text = NULL;
	g_autoptr(Document) document = NULL;
	Problems problems;

	problems_init(&problems);
	document = document_parse(name, TRUE, text, length, &problems);
	if (document->root != NULL)
		take_document(&(Reading){document, &problems, words, ""});
	problem_text = problems_text(&problems);
	problems_clear(&problems);
	if (problem_text != NULL)
		atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s", problem_text);
	return problem_text == NULL;
}

gboolean sweep_file_read(const char *path, SweepWords *words, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;

	return input_read(path, DOCUMENT_MAX_BYTES, "a sweep file of up to 1 MiB", &text,
			  &length, error) &&
	       sweep_text_read(path, text, length, words, error);
}
