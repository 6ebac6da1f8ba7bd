/* SPDX-License-Identifier: MIT */
#include "sim/memory/residency.h"

#include <glib.h>

#include "model/memory/coalesce.h"
#include "sim/memory/line-table.h"

/* Lines whose time is remembered together. */
#define TOGETHER 256

/* Of each line twice when it is there, and 1 if it was stored to. */
#define STORED 1u

struct Residency {
	LineTable *lines;
	uint64_t n_brought;
	uint32_t n_times;
	Tick *times; /* of the last n_times groups of lines */
	Tick gone;   /* what was there then, or earlier, is not there any more */
};

Residency *residency_new(uint64_t capacity_bytes)
{
	Residency *residency = g_new0(Residency, 1);

	residency->lines = line_table_new();
	residency->n_times = (uint32_t)MAX(capacity_bytes / (LINE_BYTES * TOGETHER), 1);
	residency->times = g_new0(Tick, residency->n_times);
	return residency;
}

void residency_free(Residency *residency)
{
	if (!residency)
		return;
	line_table_free(residency->lines);
	g_free(residency->times);
	g_free(residency);
}

Tick residency_there_at(const Residency *residency, uint64_t line)
{
	const Tick at = line_table_get(residency->lines, line) / 2;

	return at > residency->gone ? at : 0;
}

void residency_bring(Residency *residency, uint64_t line, Tick at)
{
	Tick *time;

	line_table_set(residency->lines, line, at * 2);
	if (residency->n_brought++ % TOGETHER > 0)
		return;
	time = &residency->times[residency->n_brought / TOGETHER % residency->n_times];
	residency->gone = MAX(residency->gone, *time);
	*time = at;
}

bool residency_store(Residency *residency, uint64_t line)
{
	const uint64_t number = line_table_get(residency->lines, line);

	line_table_set(residency->lines, line, number | STORED);
	return number & STORED;
}
