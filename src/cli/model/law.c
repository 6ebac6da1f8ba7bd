/* SPDX-License-Identifier: MIT */
#include "cli/model/law.h"

#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/schemas.h"
#include "model/atomic/elteir.h"

#define MAX_COUNT  1000000
#define MAX_TIME   1e9
#define MAX_GROUPS 64 /* in one list */

/* By bandwidth, as the paper takes them: 96 and 18 GB/s of the two paths; 2,176 GB/s of local memory
   against 153.6 of global memory. */
#define COMPLETE_TO_FAST (96.0 / 18.0)
#define LOCAL_TO_FAST	 (153.6 / 2176.0)

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

gboolean law_wanted(const LawOptions *o)
{
	return o->name || o->groups || o->lanes || o->at_once || o->t_complete || o->t_fast ||
	       o->t_local;
}

static gboolean read_count(const char *option, const char *text, double *value, GError **error)
{
	guint64 number;

	if (!text)
		return TRUE;
	if (!g_ascii_string_to_unsigned(text, 10, 1, MAX_COUNT, &number, NULL))
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--%s: found '%s'; allowed: 1 to %d", option, text,
				    MAX_COUNT);
	*value = (double)number;
	return TRUE;
}

static gboolean read_time(const char *option, const char *text, double *value, GError **error)
{
	char *end;

	if (!text)
		return TRUE;
	*value = g_ascii_strtod(text, &end);
	if (end == text || *end || !(*value > 0 && *value <= MAX_TIME))
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--%s: found '%s'; allowed: a number above 0, up to 1e9",
				    option, text);
	return TRUE;
}

static gboolean read_input(const LawOptions *o, ElteirInput *input, GError **error)
{
	*input = (ElteirInput){.t_fast = 1, .lanes = 64};
	if (!read_time("t-fast", o->t_fast, &input->t_fast, error))
		return FALSE;
	input->t_complete = COMPLETE_TO_FAST * input->t_fast;
	input->t_local = LOCAL_TO_FAST * input->t_fast;
	return read_time("t-complete", o->t_complete, &input->t_complete, error) &&
	       read_time("t-local", o->t_local, &input->t_local, error) &&
	       read_count("lanes", o->lanes, &input->lanes, error) &&
	       read_count("at-once", o->at_once, &input->at_once, error);
}

static void print_text(const ElteirInput *in, const ElteirTimes *t, gboolean first)
{
	if (first)
		printf("Equations 1 to 4 of Elteir, Lin and Feng (IEEE Cluster 2011)\n"
		       "  %g lanes; t_complete %g, t_fast %g, t_local %g: x = %.4g, x_l = "
		       "%.4g\n\n"
		       "groups  at once   (1) system  (2) software  = request + coordinator + "
		       "reply  (3) software   (4) system   speedup\n",
		       in->lanes, in->t_complete, in->t_fast, in->t_local,
		       in->t_complete / in->t_fast, in->t_local / in->t_fast);
	printf("%6g  %7g  %11.2f  %12.2f  %9.2f  %12.2f  %6.2f  %12.2f  %11.2f  %8.2f\n",
	       in->groups, in->at_once, t->equation[0], t->equation[1], t->request,
	       t->coordinate, t->reply, t->equation[2], t->equation[3], t->speedup);
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "groups", .type = "number", .doc = "thread blocks"},
	{.path = "at_once", .type = "number", .doc = "of these, resident"},
	{.path = "lanes", .type = "number", .doc = "of a group, that do an atomic"},
	{.path = "t_complete", .type = "number", .doc = "time of an access by the complete path"},
	{.path = "t_fast", .type = "number", .doc = "by the fast path"},
	{.path = "t_local", .type = "number", .doc = "of local memory"},
	{.path = "equation_1", .type = "number", .doc = "of the paper"},
	{.path = "equation_2", .type = "number", .doc = "of the paper"},
	{.path = "request", .type = "number", .doc = "part of equation 3"},
	{.path = "coordinator", .type = "number", .doc = "part of equation 3"},
	{.path = "reply", .type = "number", .doc = "part of equation 3"},
	{.path = "equation_3", .type = "number", .doc = "of the paper"},
	{.path = "equation_4", .type = "number", .doc = "of the paper"},
	{.path = "speedup", .type = "number", .doc = "of software atomics over those of the hardware"},
};
/* clang-format on */

const Shape law_shape = {
	.name = "law",
	.version = 1,
	.title = "What atomsim model --law --format json says of a number of groups",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

static void print_json(const ElteirInput *in, const ElteirTimes *t)
{
	const struct {
		const char *name;
		double value;
	} fields[] = {
		{"groups", in->groups},
		{"at_once", in->at_once},
		{"lanes", in->lanes},
		{"t_complete", in->t_complete},
		{"t_fast", in->t_fast},
		{"t_local", in->t_local},
		{"equation_1", t->equation[0]},
		{"equation_2", t->equation[1]},
		{"request", t->request},
		{"coordinator", t->coordinate},
		{"reply", t->reply},
		{"equation_3", t->equation[2]},
		{"equation_4", t->equation[3]},
		{"speedup", t->speedup},
	};
	g_autoptr(cJSON) root = shape_object(&law_shape);
	char *text;

	for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
		cJSON_AddNumberToObject(root, fields[i].name, fields[i].value);
	text = cJSON_PrintUnformatted(root);
	printf("%s\n", text);
	free(text);
}

static void print_csv(const ElteirInput *in, const ElteirTimes *t, gboolean first,
		      CsvColumns *columns)
{
	g_autoptr(GString) text = g_string_new(first ? LAW_COLUMNS "\n" : NULL);

	g_string_append_printf(
		text,
		"%g,%g,%g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g\n",
		in->groups, in->at_once, in->lanes, in->t_complete, in->t_fast, in->t_local,
		t->equation[0], t->equation[1], t->request, t->coordinate, t->reply,
		t->equation[2], t->equation[3], t->speedup);
	csv_columns_take(columns, text);
	fputs(text->str, stdout);
}

gboolean law_print(const LawOptions *options, guint format, CsvColumns *columns, GError **error)
{
	const char *list = options->groups ? options->groups : "1,8,32,128";
	g_auto(GStrv) groups = g_strsplit(list, ",", -1);
	ElteirInput input[MAX_GROUPS], shared;
	guint n = g_strv_length(groups);

	if (g_strcmp0(options->name, "elteir") != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--law: found '%s'; allowed: elteir",
				    options->name ? options->name : "nothing");
	if (n == 0 || n > MAX_GROUPS)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--groups: found %u numbers; allowed: 1 to %d", n,
				    MAX_GROUPS);
	if (!read_input(options, &shared, error))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		input[i] = shared;
		if (!read_count("groups", groups[i], &input[i].groups, error))
			return FALSE;
		if (!options->at_once)
			input[i].at_once = input[i].groups;
	}
	for (guint i = 0; i < n; i++) {
		ElteirTimes times = elteir_times(&input[i]);

		if (format == FORMAT_TEXT)
			print_text(&input[i], &times, i == 0);
		else if (format == FORMAT_JSON)
			print_json(&input[i], &times);
		else
			print_csv(&input[i], &times, i == 0, columns);
	}
	return TRUE;
}
