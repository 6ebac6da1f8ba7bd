/* SPDX-License-Identifier: MIT */
#include "cli/run/run.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

static gboolean refuse(GError **error, const char *problem)
{
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
}

static gboolean check_timeline(const WatchOptions *options, guint n_traces, GError **error)
{
	TimelineWindow window;

	if (!timeline_has_format(options->timeline))
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--timeline %s: allowed: a file name that ends in .json (Perfetto) "
			"or .kanata (Konata)",
			options->timeline);
	if (n_traces > 1)
		return refuse(error, "--timeline shows one trace; several are given");
	return timeline_window_parse(options->window, &window, error) &&
	       overwrite_plan(options->timeline, &timeline_kind, error);
}

gboolean watch_check(const WatchOptions *options, guint n_traces, GError **error)
{
	if (options->window != NULL && options->timeline == NULL)
		return refuse(error, "--timeline-window: there is no --timeline");
	if (options->advice != NULL && options->page == NULL)
		return refuse(error, "--advice is on the page; there is no --report");
	if (options->timeline != NULL && !check_timeline(options, n_traces, error))
		return FALSE;
	if (options->page == NULL)
		return TRUE;
	if (!g_str_has_suffix(options->page, ".html"))
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--report %s: allowed: a file name that ends in .html",
				    options->page);
	if (n_traces > 1)
		return refuse(error, "--report shows one trace; several are given");
	return overwrite_plan(options->page, &html_kind, error);
}

static void notify_all(Observer *observer, const Instruction *instruction)
{
	const Watch *watch = (Watch *)observer;

	for (guint i = 0; i < watch->n; i++)
		watch->each[i]->instruction(watch->each[i], instruction);
}

gboolean watch_begin(Watch *watch, const WatchOptions *options, const Machine *machine,
		     const TraceReader *reader, GError **error)
{
	TimelineWindow window;

	watch->all = (Observer){.instruction = notify_all};
	if (options->page != NULL) {
		watch->page = html_watch_new(machine);
		watch->each[watch->n++] = html_watch_observer(watch->page);
	}
	if (options->timeline == NULL)
		return TRUE;
	if (!timeline_window_parse(options->window, &window, error))
		return FALSE;
	watch->timeline = timeline_open(options->timeline, machine, trace_metadata_json(reader),
					&window, error);
	if (watch->timeline != NULL)
		watch->each[watch->n++] = timeline_observer(watch->timeline);
	return watch->timeline != NULL;
}

Observer *watch_observer(Watch *watch)
{
	return watch->n > 1 ? &watch->all : watch->n > 0 ? watch->each[0] : NULL;
}

static gboolean write_page(const Watch *watch, const WatchOptions *options,
			   const RunRequest *request, const RunAnswer *answer, GError **error)
{
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = run_page(request, answer, watch->page,
					 (Wanted)options->advice_wanted, left_out);

	for (guint i = 0; i < left_out->len; i++) {
		g_autofree char *words = text_printable(g_ptr_array_index(left_out, i));

		g_printerr("atomsim: %s: does not quote %s\n", options->page, words);
	}
	return output_write_file(options->page, &html_kind, text, strlen(text), error);
}

gboolean watch_end(Watch *watch, const WatchOptions *options, const RunRequest *request,
		   const RunAnswer *answer, GError **error)
{
	guint64 left_out = 0;

	if (watch->timeline != NULL &&
	    !timeline_close(g_steal_pointer(&watch->timeline), &left_out, error))
		return FALSE;
	if (left_out > 0)
		g_printerr("atomsim: %s: %" G_GUINT64_FORMAT
			   " instructions of the window are left out; --timeline-window "
			   "chooses which\n",
			   options->timeline, left_out);
	return watch->page == NULL || write_page(watch, options, request, answer, error);
}

void watch_clear(Watch *watch)
{
	g_clear_pointer(&watch->timeline, timeline_abandon);
	g_clear_pointer(&watch->page, html_watch_free);
}
