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
	*calendar = (Calendar){.busy = g_new0(uint64_t, 2 * CALENDAR_WORDS)};
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

/* The words from number `first` up to number `end` become 0. */
static void clear_words(uint64_t *words, uint64_t first, uint64_t end)
{
	if (end - first >= CALENDAR_WORDS)
		memset(words, 0, CALENDAR_WORDS * sizeof *words);
	else
		for (uint64_t w = first; w < end; w++)
			words[w % CALENDAR_WORDS] = 0;
}

void calendar_sweep_words(Calendar *calendar, uint64_t now)
{
	const uint64_t word = now / 64;

	g_assert(word >= calendar->swept_word);
	clear_words(calendar->busy, calendar->swept_word, word);
	if (calendar->further_end > calendar->swept_word * 64)
		clear_words(calendar_further_words(calendar), calendar->swept_word, word);
	begin_at(calendar, word);
	if (calendar->beyond_until > 0)
		take_beyond(calendar);
}

uint64_t calendar_count_further(const Calendar *calendar, uint64_t from, uint64_t until)
{
	const uint64_t end = MIN(until, calendar->further_end);
	uint64_t n = 0;

	for (from = MAX(from, calendar->swept_word * 64); from < end; from += 64) {
		const uint64_t left = end - from;
		uint64_t cycles = calendar_from(calendar_further_words(calendar), from);

		if (left < 64)
			cycles &= (UINT64_C(1) << left) - 1;
		n += (uint64_t)__builtin_popcountll(cycles);
	}
	return n;
}

/* What lies from `now` on lies from `later` on. */
static void shift_words(uint64_t *words, uint64_t now, uint64_t later)
{
	uint64_t kept[CALENDAR_WORDS / 2];

	for (uint32_t i = 0; i < CALENDAR_WORDS / 2; i++)
		kept[i] = calendar_from(words, now + (uint64_t)i * 64);
	memset(words, 0, CALENDAR_WORDS * sizeof *words);
	for (uint32_t i = 0; i < CALENDAR_WORDS / 2; i++) {
		words[(later / 64 + i) % CALENDAR_WORDS] |= kept[i] << later % 64;
		words[(later / 64 + i + 1) % CALENDAR_WORDS] |=
			kept[i] >> 1 >> (63 - later % 64);
	}
}

void calendar_shift(Calendar *calendar, uint64_t now, uint64_t by)
{
	calendar_sweep(calendar, now);
	shift_words(calendar->busy, now, now + by);
	shift_words(calendar_further_words(calendar), now, now + by);
	begin_at(calendar, (now + by) / 64);
	calendar->full_before += calendar->full_before > now ? by : 0;
	calendar->further_end += calendar->further_end > now ? by : 0;
	g_assert(calendar->beyond_until == 0); /* snapshots with passes there are never equal */
}
