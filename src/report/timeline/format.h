/* SPDX-License-Identifier: MIT */
/* What files of timeline share. */
#ifndef ATOMSIM_REPORT_TIMELINE_FORMAT_H
#define ATOMSIM_REPORT_TIMELINE_FORMAT_H

#include "report/timeline/timeline.h"

typedef struct {
	const char *suffix;
	/* Its own state, and an end to it. sites: what each is called (report/lines.h), which outlives it. */
	void *(*new)(const Machine *machine, const GPtrArray *sites);
	void (*free)(void *state);
	void (*begin)(void *state, GString *text);
	void (*instruction)(void *state, const Instruction *instruction, GString *text);
	void (*end)(void *state, GString *text);
	bool one_sm;
} TimelineFormat;

/* What it calls the record's site: a name of each was given. */
static inline const char *timeline_site(const GPtrArray *sites, const Record *record)
{
	g_assert(record->site < sites->len);
	return sites->pdata[record->site];
}

extern const TimelineFormat timeline_perfetto, timeline_konata;

#endif
