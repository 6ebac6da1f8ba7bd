/* SPDX-License-Identifier: MIT */
#include "sim/run/utilization.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

const char *const utilized_names[N_UTILIZED] = {
#define X(constant, name, doc, counter) [UTILIZED_##constant] = #name,
	UTILIZED(X)
#undef X
};

/* --- Meters --- */

Meter *meter_new(uint32_t n_kinds, uint64_t width)
{
	Meter *meter = g_new0(Meter, 1);

	meter->n_kinds = n_kinds;
	meter->width = width;
	return meter;
}

void meter_free(Meter *meter)
{
	if (!meter)
		return;
	g_free(meter->busy);
	g_free(meter);
}

static void halve(Meter *meter)
{
	const uint32_t n = meter->n_kinds, n_left = (meter->n_parts + 1) / 2;

	for (uint32_t i = 0; i < n_left; i++)
		for (uint32_t k = 0; k < n; k++) {
			const uint64_t second = 2 * i + 1 < meter->n_parts
							? meter->busy[(2 * i + 1) * n + k]
							: 0;

			meter->busy[i * n + k] = meter->busy[2 * i * n + k] + second;
		}
	for (uint32_t i = n_left * n; i < meter->n_parts * n; i++)
		meter->busy[i] = 0;
	meter->n_parts = n_left;
	meter->width *= 2;
}

static void grow(Meter *meter, uint32_t n)
{
	const size_t old = (size_t)meter->room * meter->n_kinds;
	uint32_t room = MAX(meter->room, 16);
	size_t all;

	while (room < n)
		room *= 2;
	all = (size_t)room * meter->n_kinds;
	meter->busy = g_renew(uint64_t, meter->busy, all);
	memset(&meter->busy[old], 0, (all - old) * sizeof *meter->busy);
	meter->room = room;
}

/* The part that a cycle is in, and how many there are with it. */
static uint32_t part_of(const Meter *meter, Cycle at)
{
	return (uint32_t)(at >> __builtin_ctzll(meter->width));
}

/* Makes room up to a cycle. */
static void reach(Meter *meter, Cycle to)
{
	while (to > meter->width * METER_PARTS)
		halve(meter);
	meter->n_parts = MAX(meter->n_parts, part_of(meter, to - 1) + 1);
	if (meter->n_parts > meter->room)
		grow(meter, meter->n_parts);
}

/* Of a kind so much in the cycles from .. to - 1: the same in each, in 1/1024; what is left over in the last. */
static void spread(Meter *meter, uint32_t kind, uint64_t time, Cycle from, Cycle to)
{
	const uint64_t each = (time << 10) / (to - from);
	const uint32_t last = part_of(meter, to - 1);
	uint64_t left = time;

	for (uint32_t part = part_of(meter, from); part < last; part++) {
		const Cycle end = (part + UINT64_C(1)) * meter->width;
		const uint64_t here = MIN(left, each * (end - from) >> 10);

		meter->busy[part * meter->n_kinds + kind] += here;
		left -= here;
		from = end;
	}
	meter->busy[last * meter->n_kinds + kind] += left;
}

void meter_look(Meter *meter, const uint64_t *counted, Cycle from, Cycle to)
{
	uint64_t *part, more = 0;
	bool within;

	g_assert(from < to);
	for (uint32_t k = 0; k < meter->n_kinds; k++)
		more |= counted[k] ^ meter->counted[k];
	if (!more)
		return;
	reach(meter, to);
	within = part_of(meter, from) == part_of(meter, to - 1);
	part = &meter->busy[part_of(meter, from) * meter->n_kinds];
	for (uint32_t k = 0; k < meter->n_kinds; k++) {
		const uint64_t time = counted[k] - meter->counted[k];

		meter->counted[k] = counted[k];
		if (within)
			part[k] += time;
		else if (time > 0)
			spread(meter, k, time, from, to);
	}
}

/* --- Sums --- */

#define BINS 1024 /* parts of time by how busy they were */

typedef struct {
	uint64_t busy, of;
} Time;

struct UtilizationSum {
	Time bins[N_UTILIZED][BINS + 1];
};

UtilizationSum *utilization_sum_new(void)
{
	return g_new0(UtilizationSum, 1);
}

/* Of a part's time, `of`, so much was busy, n times. */
static void add_time(UtilizationSum *sum, Utilized kind, uint64_t busy, uint64_t of, uint64_t n)
{
	Time *bin = &sum->bins[kind][busy > 0 ? busy * BINS / of : 0];

	bin->busy += busy * n;
	bin->of += of * n;
}

/* Busy and whole time of parts up to the end of the run. What is more than a part holds is done behind it: what asks for several turns was
   counted with the first. Behind the last it was done before. Returns how many. */
static uint32_t take_parts(const Meter *meter, uint32_t place, uint64_t width, uint64_t end,
			   uint64_t capacity, Time *parts)
{
	const uint32_t n = (uint32_t)((end + width - 1) / width);
	uint64_t left = 0;

	for (uint32_t i = 0; i < n; i++) {
		parts[i].of = MIN(width, end - i * width) * capacity;
		if (i < meter->n_parts)
			left += meter->busy[i * meter->n_kinds + place];
		parts[i].busy = MIN(left, parts[i].of);
		left -= parts[i].busy;
	}
	for (uint32_t i = n; i < meter->n_parts; i++)
		left += meter->busy[i * meter->n_kinds + place];
	for (uint32_t i = n; left > 0 && i > 0; i--) {
		const uint64_t more = MIN(left, parts[i - 1].of - parts[i - 1].busy);

		parts[i - 1].busy += more;
		left -= more;
	}
	return n;
}

void utilization_sum_add(UtilizationSum *sum, Utilized kind, Meter *meter, uint32_t place,
			 uint64_t n, uint64_t end, uint32_t capacity, uint32_t ticks)
{
	Time parts[METER_PARTS];
	uint32_t n_parts;
	uint64_t idle = 0;

	if (meter->counted[place] == 0) {
		add_time(sum, kind, 0, end * ticks * capacity, n);
		return;
	}
	while (end > meter->width * METER_PARTS) /* it saw less than the whole run */
		halve(meter);
	n_parts = take_parts(meter, place, meter->width * ticks, end * ticks, capacity, parts);
	for (uint32_t i = 0; i < n_parts; i++)
		if (parts[i].busy > 0)
			add_time(sum, kind, parts[i].busy, parts[i].of, n);
		else
			idle += parts[i].of;
	add_time(sum, kind, 0, idle, n);
}

static double busiest_of(const Time *bins, uint64_t of)
{
	const double whole = (double)of / 100;
	double busy = 0, left = whole;

	for (uint32_t i = BINS + 1; i > 0 && left > 0; i--) {
		const Time *bin = &bins[i - 1];
		const double taken = MIN(left, (double)bin->of);

		if (bin->of > 0)
			busy += taken * (double)bin->busy / (double)bin->of;
		left -= taken;
	}
	return whole > 0 ? 100 * busy / whole : 0;
}

void utilization_sum_end(UtilizationSum *sum, Utilization *utilization)
{
	*utilization = (Utilization){0};
	for (uint32_t k = 0; k < N_UTILIZED; k++) {
		UtilizedTime *time = &utilization->times[k];

		for (uint32_t i = 0; i <= BINS; i++) {
			time->busy += sum->bins[k][i].busy;
			time->of += sum->bins[k][i].of;
		}
		time->mean = time->of > 0 ? 100 * (double)time->busy / (double)time->of : 0;
		time->busiest = MAX(time->mean, busiest_of(sum->bins[k], time->of));
	}
	g_free(sum);
}
