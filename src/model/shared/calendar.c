/* SPDX-License-Identifier: MIT */
#include "model/shared/calendar.h"

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

/* Passes that have lain behind the end lie before it now: the cycles between the first of them and the last are all taken. */
static void take_beyond(Calendar *calendar)
{
	const uint64_t end = calendar->end + 64;
	uint64_t at = MAX(calendar->beyond_from, calendar->swept_word * 64);

	for (; at < MIN(calendar->beyond_until, end); at++)
		calendar->busy[at / 64 % CALENDAR_WORDS] |= UINT64_C(1) << at % 64;
	calendar->beyond_from = MIN(at, calendar->beyond_until);
	if (calendar->beyond_from == calendar->beyond_until)
		calendar->beyond_from = calendar->beyond_until = 0;
}

void calendar_reserve_beyond(Calendar *calendar, uint64_t at, uint32_t length)
{
	if (calendar->beyond_until == 0)
		calendar->beyond_from = at;
	calendar->beyond_until = at + length;
}

uint64_t calendar_drained(const Calendar *calendar)
{
	if (calendar->beyond_until > 0)
		return calendar->beyond_until;
	for (uint64_t w = CALENDAR_WORDS; w > 0; w--) {
		const uint64_t word = calendar->swept_word + w - 1;
		const uint64_t busy = calendar->busy[word % CALENDAR_WORDS];

		if (busy)
			return (word + 1) * 64 - (uint32_t)__builtin_clzll(busy);
	}
	return 0;
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
	if (calendar->beyond_until > 0)
		take_beyond(calendar);
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
	g_assert(calendar->beyond_until == 0); /* snapshots with passes there are never equal */
	for (uint32_t i = 0; i < CALENDAR_WORDS / 2; i++) {
		words[(later / 64 + i) % CALENDAR_WORDS] |= busy[i] << later % 64;
		words[(later / 64 + i + 1) % CALENDAR_WORDS] |=
			busy[i] >> 1 >> (63 - later % 64);
	}
}
