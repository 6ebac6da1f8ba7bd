/* SPDX-License-Identifier: MIT */
/* What files of timeline share. */
#ifndef ATOMSIM_REPORT_TIMELINE_FORMAT_H
#define ATOMSIM_REPORT_TIMELINE_FORMAT_H

#include "report/timeline/timeline.h"

typedef struct {
	const char *suffix;
	/* Its own state, and an end to it. */
	void *(*new)(const Machine *machine);
	void (*free)(void *state);
	void (*begin)(void *state, GString *text);
	void (*instruction)(void *state, const Instruction *instruction, GString *text);
	void (*end)(void *state, GString *text);
	bool one_sm;
} TimelineFormat;

extern const TimelineFormat timeline_perfetto, timeline_konata;

#endif
