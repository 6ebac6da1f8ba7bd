/* SPDX-License-Identifier: MIT */
/*
 * When the banks of a shared memory are busy, and when with further passes of an access: a bit a cycle each, around a ring. Each pass
 * takes the first free place from its time on. These run once for each pass, hence inline. Who may include it: model.
 */
#ifndef ATOMSIM_MODEL_SHARED_CALENDAR_H
#define ATOMSIM_MODEL_SHARED_CALENDAR_H

#include <glib.h>
#include <stdint.h>

#include "base/words.h"

/* Cycles that the calendar reaches ahead: 256 passes of one access, conflict_latency_cycles (at most 255) apart,
   behind as many of other warps. Passes still later go one behind the other. */
#define CALENDAR_CYCLES 65536
#define CALENDAR_WORDS	(CALENDAR_CYCLES / 64)

typedef struct {
	uint64_t *
		busy; /* CALENDAR_WORDS of them, and behind them as many of further passes alone; NULL: none is kept */
	uint64_t further_end; /* no further pass lies from here on */
	uint64_t swept_word;  /* cycles before the 64 of this word are past */
	uint64_t end;	      /* none is kept from here on */
	uint64_t full_before; /* no pass finds a place before */
	/* Passes behind the end lie in these cycles, and none but they; equal: there are none. */
	uint64_t beyond_from, beyond_until;
} Calendar;

#define CALENDAR_MAX_LENGTH 32 /* of a pass */

void calendar_init(Calendar *calendar);
void calendar_clear(Calendar *calendar);

/* The banks are free from then on; 0: they have never been busy, or all that is known is past. */
uint64_t calendar_drained(const Calendar *calendar);

/* All that is before `now` is past: the slow part of calendar_sweep. */
void calendar_sweep_words(Calendar *calendar, uint64_t now);

static inline void calendar_sweep(Calendar *calendar, uint64_t now)
{
	if (now / 64 != calendar->swept_word)
		calendar_sweep_words(calendar, now);
}

/* 64 cycles from `at` on, of a calendar's words. */
static inline uint64_t calendar_from(const uint64_t *words, uint64_t at)
{
	const uint64_t low = words[at / 64 % CALENDAR_WORDS];
	const uint64_t high = words[(at / 64 + 1) % CALENDAR_WORDS];

	return low >> at % 64 | high << 1 << (63 - at % 64);
}

static inline uint64_t calendar_busy_from(const Calendar *calendar, uint64_t at)
{
	return calendar_from(calendar->busy, at);
}

/* Of 64 cycles, those that `length` (1 .. 32) free ones begin with: of them `low` are free, of the next 64 `high`. */
static inline uint64_t calendar_room(uint64_t low, uint64_t high, uint32_t length)
{
	uint64_t room = low;

	if (G_LIKELY(length == 2)) /* Fermi */
		return low & (low >> 1 | high << 63);
	for (uint32_t i = 1; i < length; i++)
		room &= low >> i | high << (64 - i);
	return room;
}

/* The first cycle from `from` on, which is not before full_before, at which the banks are free for `length` (1 ..
   32) cycles. */
static inline uint64_t calendar_free_from(const Calendar *calendar, uint64_t from,
					  uint32_t length)
{
	while (from < calendar->end) {
		const uint64_t room =
			calendar_room(~calendar_busy_from(calendar, from), 0, length);

		if (G_LIKELY(room))
			return from + (uint32_t)__builtin_ctzll(room);
		/* A place may begin in the last cycles that were looked at. */
		from += 65 - length;
	}
	return MAX(from, MAX(calendar->beyond_until, calendar->end + CALENDAR_MAX_LENGTH));
}

/* The same for any `from`. */
static inline uint64_t calendar_first_free(Calendar *calendar, uint64_t from, uint32_t length)
{
	const uint64_t full_before = calendar->full_before;
	const uint64_t at = calendar_free_from(calendar, MAX(from, full_before), length);

	if (from <= full_before)
		calendar->full_before = at;
	return at;
}

/* The same of a place behind the calendar's end: its slow part. */
void calendar_reserve_beyond(Calendar *calendar, uint64_t at, uint32_t length);

/* Takes a free place for a pass, as calendar_free_from has said it. */
static inline void calendar_reserve(Calendar *calendar, uint64_t at, uint32_t length)
{
	const uint64_t cycles = UINT64_MAX >> (64 - length);

	if (G_UNLIKELY(at >= calendar->end)) {
		calendar_reserve_beyond(calendar, at, length);
		return;
	}
	calendar->busy[at / 64 % CALENDAR_WORDS] |= cycles << at % 64;
	calendar->busy[(at / 64 + 1) % CALENDAR_WORDS] |= cycles >> 1 >> (63 - at % 64);
}

/* The words of further passes: bits of `busy`, in the same places. */
static inline uint64_t *calendar_further_words(const Calendar *calendar)
{
	return calendar->busy + CALENDAR_WORDS;
}

/* What calendar_reserve has taken at `at` is a further pass. One behind the calendar's end is not noted. */
static inline void calendar_mark_further(Calendar *calendar, uint64_t at, uint32_t length)
{
	const uint64_t cycles = UINT64_MAX >> (64 - length);
	uint64_t *words = calendar_further_words(calendar);

	if (G_UNLIKELY(at >= calendar->end))
		return;
	words[at / 64 % CALENDAR_WORDS] |= cycles << at % 64;
	words[(at / 64 + 1) % CALENDAR_WORDS] |= cycles >> 1 >> (63 - at % 64);
	calendar->further_end = MAX(calendar->further_end, at + length);
}

/* Cycles from `from` up to `until` that further passes take, but for what has been swept: the slow part of calendar_further. */
uint64_t calendar_count_further(const Calendar *calendar, uint64_t from, uint64_t until);

static inline uint64_t calendar_further(const Calendar *calendar, uint64_t from, uint64_t until)
{
	return from < MIN(until, calendar->further_end)
		       ? calendar_count_further(calendar, from, until)
		       : 0;
}

/*
 * Enters n further passes (1 or more) of `length` cycles each, the first at the first free place from `at` on, and each other one at the
 * first that is `apart` (not less than length) or more after the one before. Their times go to pass_at.
 * The calendar's words are taken one after the other, and where in each there is room is found before anybody knows
 * from when on it is wanted: no pass takes anything from a place that a later one looks at.
 */
static inline __attribute__((always_inline)) void
calendar_enter_further(Calendar *calendar, uint64_t at, uint32_t n, uint32_t length,
		       uint64_t apart, uint64_t *pass_at)
{
	const uint64_t cycles = UINT64_MAX >> (64 - length), end = calendar->end;
	uint64_t *const busy = calendar->busy, *const last = &busy[CALENDAR_WORDS - 1];
	/* A word's first cycle, and from which of the word's on there is to be room. */
	uint64_t base = at / 64 * 64, from = at % 64;
	uint64_t *word = &busy[at / 64 % CALENDAR_WORDS], *next = word < last ? word + 1 : busy;
	uint64_t later = ~*next, room = calendar_room(~*word, later, length);
	uint32_t pass = 0;

	while (G_LIKELY(base + 64 < end)) {
		const uint64_t wanted = from < 64 ? room & UINT64_MAX << from : 0;
		const uint64_t free = later;
		uint32_t place;

		if (!wanted) {
			from = from > 64 ? from - 64 : 0;
			base += 64;
			word = next;
			next = word < last ? word + 1 : busy;
			later = ~*next;
			room = calendar_room(free, later, length);
			continue;
		}
		place = (uint32_t)__builtin_ctzll(wanted);
		*word |= cycles << place;
		word[CALENDAR_WORDS] |= cycles << place;
		if (place > 64 - length) {
			*next |= cycles >> (64 - place);
			next[CALENDAR_WORDS] |= cycles >> (64 - place);
		}
		pass_at[pass] = base + place;
		if (++pass == n) {
			calendar->further_end =
				MAX(calendar->further_end, base + place + length);
			return;
		}
		from = place + apart;
		at = base + from;
	}
	if (pass > 0)
		calendar->further_end = MAX(calendar->further_end, pass_at[pass - 1] + length);
	for (; pass < n; at += apart) {
		at = calendar_free_from(calendar, at, length);
		calendar_reserve(calendar, at, length);
		calendar_mark_further(calendar, at, length);
		pass_at[pass++] = at;
	}
}

/* Everything that is to happen from `now` on happens later by `by`. What is more than half the calendar
   ahead is forgotten. */
void calendar_shift(Calendar *calendar, uint64_t now, uint64_t by);

#endif
