/* SPDX-License-Identifier: MIT */
#include "report/timeline/timeline.h"

#include <string.h>

#include "base/error.h"
#include "report/lines.h"
#include "report/timeline/format.h"

#define FLUSH_BYTES 65536

const OutputKind timeline_kind = {"a timeline", {"\"traceEvents\"", "Kanata\t"}};

static const TimelineFormat *const formats[] = {&timeline_perfetto, &timeline_konata};

struct Timeline {
	Observer observer; /* first */
	const TimelineFormat *format;
	void *state;
	GPtrArray *sites; /* of char *: names */
	TimelineWindow window;
	Output *output;
	GString *text; /* not yet written */
	guint64 n_events, left_out;
};

/* --- The window --- */

static gboolean read_range(const char *name, const char *text, guint64 *first, guint64 *last,
			   GError **error)
{
	g_auto(GStrv) ends = g_strsplit(text, "..", 2);

	if (ends[0] && ends[1] &&
	    g_ascii_string_to_unsigned(ends[0], 10, 0, G_MAXINT64, first, NULL) &&
	    g_ascii_string_to_unsigned(ends[1], 10, *first, G_MAXINT64, last, NULL))
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "--timeline-window: %s=%s found; allowed: %s=FIRST..LAST", name,
			    text, name);
}

static gboolean read_part(TimelineWindow *window, const char *part, GError **error)
{
	g_auto(GStrv) pair = g_strsplit(part, "=", 2);

	if (!pair[0] || !pair[1])
		pair[0] = pair[0] ? pair[0] : g_strdup("");
	else if (strcmp(pair[0], "cycles") == 0)
		return read_range(pair[0], pair[1], &window->first_cycle, &window->last_cycle,
				  error);
	else if (strcmp(pair[0], "blocks") == 0)
		return read_range(pair[0], pair[1], &window->first_block, &window->last_block,
				  error);
	else if (strcmp(pair[0], "sms") == 0)
		return read_range(pair[0], pair[1], &window->first_sm, &window->last_sm, error);
	else if (strcmp(pair[0], "events") == 0 &&
		 g_ascii_string_to_unsigned(pair[1], 10, 1, G_MAXINT64, &window->events, NULL))
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "--timeline-window: '%s' found; allowed: cycles=FIRST..LAST, "
			    "blocks=FIRST..LAST, sms=FIRST..LAST, events=N",
			    part);
}

gboolean timeline_window_parse(const char *text, TimelineWindow *window, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", -1);

	*window = (TimelineWindow){.last_cycle = G_MAXUINT64,
				   .last_block = G_MAXUINT64,
				   .last_sm = G_MAXUINT64,
				   .events = TIMELINE_EVENTS};
	for (guint i = 0; parts[i] != NULL; i++)
		if (!read_part(window, parts[i], error))
			return FALSE;
	return TRUE;
}

/* --- The file --- */

static bool is_within(const Timeline *timeline, const Instruction *instruction)
{
	const TimelineWindow *window = &timeline->window;
	guint64 last_sm = timeline->format->one_sm ? window->first_sm : window->last_sm;

	return instruction->issue >= window->first_cycle &&
	       instruction->issue <= window->last_cycle &&
	       instruction->block >= window->first_block &&
	       instruction->block <= window->last_block &&
	       instruction->sm >= window->first_sm && instruction->sm <= last_sm;
}

static void flush(Timeline *timeline)
{
	output_write(timeline->output, timeline->text->str, timeline->text->len);
	g_string_truncate(timeline->text, 0);
}

static void observe(Observer *observer, const Instruction *instruction)
{
	Timeline *timeline = (Timeline *)observer;

	if (!is_within(timeline, instruction))
		return;
	if (timeline->n_events == timeline->window.events) {
		timeline->left_out++;
		return;
	}
	timeline->n_events++;
	timeline->format->instruction(timeline->state, instruction, timeline->text);
	if (timeline->text->len >= FLUSH_BYTES)
		flush(timeline);
}

static const TimelineFormat *find(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		if (g_str_has_suffix(path, formats[i]->suffix))
			return formats[i];
	return NULL;
}

gboolean timeline_has_format(const char *path)
{
	return find(path) != NULL;
}

Timeline *timeline_open(const char *path, const Machine *machine, const cJSON *metadata,
			const TimelineWindow *window, GError **error)
{
	Output *output = output_open(path, &timeline_kind, error);
	Timeline *timeline;

	if (!output)
		return NULL;
	timeline = g_new0(Timeline, 1);
	timeline->observer.instruction = observe;
	timeline->format = find(path);
	g_assert(timeline->format);
	timeline->sites = report_site_names(metadata);
	timeline->state = timeline->format->new (machine, timeline->sites);
	timeline->window = *window;
	timeline->output = output;
	timeline->text = g_string_new(NULL);
	timeline->format->begin(timeline->state, timeline->text);
	return timeline;
}

Observer *timeline_observer(Timeline *timeline)
{
	return &timeline->observer;
}

gboolean timeline_close(Timeline *timeline, guint64 *left_out, GError **error)
{
	gboolean good;

	timeline->format->end(timeline->state, timeline->text);
	flush(timeline);
	*left_out = timeline->left_out;
	good = output_commit(g_steal_pointer(&timeline->output), error);
	timeline_abandon(timeline);
	return good;
}

void timeline_abandon(Timeline *timeline)
{
	if (timeline->output)
		output_abandon(timeline->output);
	timeline->format->free(timeline->state);
	g_ptr_array_unref(timeline->sites);
	g_string_free(timeline->text, TRUE);
	g_free(timeline);
}
