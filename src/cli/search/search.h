/* SPDX-License-Identifier: MIT */
/* The parts of `atomsim search`. Who may include it: cli/search*.c. */
#ifndef ATOMSIM_CLI_SEARCH_SEARCH_H
#define ATOMSIM_CLI_SEARCH_SEARCH_H

#include "cli/reasons.h"
#include "config/config.h"
#include "explore/search/search.h"

#define SEARCH_MAX_STEPS 2

/* One search, or one for locks and one for banks after it. */
typedef struct {
	const char *config_name; /* as the user gave it */
	const Config *config;
	gboolean has_settings; /* --set was used, so the file alone is not the config */
	char **traces;
	uint32_t seed;
	guint n_steps;
	SearchResult steps[SEARCH_MAX_STEPS];
} SearchReport;

/* "bank" or "lock". */
const char *search_entry(const SearchResult *result);

/* The report as text or as JSON. g_free. */
char *search_text(const SearchReport *report);
char *search_json(const SearchReport *report);

/* Draws cycles against the cost of the hardware, the front apart (report/series.h). Errors: ATOMSIM_ERROR_IO. */
gboolean search_plot(const SearchReport *report, const char *svg, GError **error);

/* A config with the chosen hashes, which extends the searched one, or holds it whole if that was
   changed by --set. g_free. */
char *search_overlay(const SearchReport *report);

/* idle.c: why settings had no effect, of the runs of a search. NULL-terminated; settings NULL: none. */
typedef struct {
	char **settings, **traces;
	Reasons *reasons;
} SearchSeen;

/* A SearchRequest.seen; data: a SearchSeen. */
void search_see(void *data, guint reader, const KeyRun *run);
/* Says of which targets no hash made a difference, and which settings had no effect. */
void search_report_idle(const SearchReport *report, const SearchSeen *seen);

#endif
