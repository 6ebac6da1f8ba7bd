/* SPDX-License-Identifier: MIT */
#include "cli/watch.h"

#include "base/error.h"
#include "cli/cli.h"

void watch_options_clear(WatchOptions *options)
{
	g_free(options->timeline);
	g_free(options->window);
}

gboolean watch_check(const WatchOptions *options, guint n_traces, GError **error)
{
	TimelineWindow window;

	if (options->timeline == NULL) {
		if (options->window == NULL)
			return TRUE;
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "--timeline-window: there is no --timeline");
		return FALSE;
	}
	if (!timeline_has_format(options->timeline)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--timeline %s: allowed: a file name that ends in .json (Perfetto) "
			    "or .kanata (Konata)",
			    options->timeline);
		return FALSE;
	}
	if (n_traces > 1) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "--timeline shows one trace; several are given");
		return FALSE;
	}
	return timeline_window_parse(options->window, &window, error) &&
	       output_check(options->timeline, &timeline_kind, error);
}

gboolean watch_begin(Watch *watch, const WatchOptions *options, const Machine *machine,
		     GError **error)
{
	TimelineWindow window;

	if (options->timeline == NULL)
		return TRUE;
	if (!timeline_window_parse(options->window, &window, error))
		return FALSE;
	watch->timeline = timeline_open(options->timeline, machine, &window, error);
	return watch->timeline != NULL;
}

Observer *watch_observer(Watch *watch)
{
	return watch->timeline != NULL ? timeline_observer(watch->timeline) : NULL;
}

gboolean watch_end(Watch *watch, const WatchOptions *options, GError **error)
{
	guint64 left_out = 0;

	if (watch->timeline == NULL)
		return TRUE;
	if (!timeline_close(g_steal_pointer(&watch->timeline), &left_out, error))
		return FALSE;
	if (left_out > 0)
		g_printerr("atomsim: %s: %" G_GUINT64_FORMAT
			   " instructions of the window are left out; --timeline-window "
			   "chooses which\n",
			   options->timeline, left_out);
	return TRUE;
}

void watch_clear(Watch *watch)
{
	g_clear_pointer(&watch->timeline, timeline_abandon);
}
