/* SPDX-License-Identifier: MIT */
#include "model/calendar.h"

#include <string.h>

static void begin_at(Calendar *calendar, uint64_t word)
{
	calendar->swept_word = word;
	calendar->end = word * 64 + CALENDAR_CYCLES - 128;
}

void calendar_init(Calendar *calendar)
{
	*calendar = (Calendar){.busy = g_new0(uint64_t, CALENDAR_WORDS)};
	begin_at(calendar, 0);
}

void calendar_clear(Calendar *calendar)
{
	g_clear_pointer(&calendar->busy, g_free);
}

void calendar_sweep_words(Calendar *calendar, uint64_t now)
{
	const uint64_t word = now / 64;

	if (word - calendar->swept_word >= CALENDAR_WORDS)
		memset(calendar->busy, 0, CALENDAR_WORDS * sizeof *calendar->busy);
	else
		for (uint64_t w = calendar->swept_word; w < word; w++)
			calendar->busy[w % CALENDAR_WORDS] = 0;
	begin_at(calendar, word);
}

void calendar_shift(Calendar *calendar, uint64_t now, uint64_t by)
{
	const uint64_t later = now + by;
	uint64_t busy[CALENDAR_WORDS / 2], *words = calendar->busy;

	calendar_sweep(calendar, now);
	for (uint32_t i = 0; i < CALENDAR_WORDS / 2; i++)
		busy[i] = calendar_busy_from(calendar, now + (uint64_t)i * 64);
	memset(words, 0, CALENDAR_WORDS * sizeof *words);
	begin_at(calendar, later / 64);
	calendar->full_before += calendar->full_before > now ? by : 0;
	for (uint32_t i = 0; i < CALENDAR_WORDS / 2; i++) {
		words[(later / 64 + i) % CALENDAR_WORDS] |= busy[i] << later % 64;
		words[(later / 64 + i + 1) % CALENDAR_WORDS] |=
			busy[i] >> 1 >> (63 - later % 64);
	}
}
