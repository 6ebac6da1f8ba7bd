/* SPDX-License-Identifier: MIT */
/*
 * Time in equal parts, for each unit how long it was busy in each; when a run outgrows them, two parts become one.
 */
#include "report/utilization.h"

#include <glib.h>
#include <string.h>

#define PARTS	    1024
#define FIRST_WIDTH 16 /* cycles of a part */

/* The units of a kind, one for each SM or slice. */
typedef struct {
	uint32_t n_units;
	uint32_t capacity; /* how much of a tick each can be busy for */
	uint64_t ticks;	   /* of a cycle */
	uint64_t *busy;	   /* n_units rows of PARTS */
} Meter;

/* What an SM had done when it was last heard of. */
typedef struct {
	uint64_t bank_cycles;
	Cycle port_cycles;
} Heard;

struct UtilizationWatch {
	Observer observer; /* first */
	const Machine *machine;
	uint64_t width; /* of a part, in cycles */
	Meter meters[N_UTILIZED];
	Heard *heard;
};

const char *const utilized_names[N_UTILIZED] = {
#define X(constant, name, doc, counter) [UTILIZED_##constant] = #name,
	UTILIZED(X)
#undef X
};

static void halve(UtilizationWatch *watch)
{
	watch->width *= 2;
	for (guint m = 0; m < N_UTILIZED; m++)
		for (uint32_t u = 0; u < watch->meters[m].n_units; u++) {
			uint64_t *busy = &watch->meters[m].busy[(size_t)u * PARTS];

			for (uint32_t i = 0; i < PARTS / 2; i++)
				busy[i] = busy[2 * i] + busy[2 * i + 1];
			memset(&busy[PARTS / 2], 0, PARTS / 2 * sizeof *busy);
		}
}

/* From there on for so long, in ticks of the meter. */
static void add(UtilizationWatch *watch, Utilized kind, uint32_t unit, uint64_t from,
		uint64_t time)
{
	Meter *meter = &watch->meters[kind];
	uint64_t *busy;

	if (time == 0) /* of what the machine has no units of, too */
		return;
	while ((from + time - 1) / (watch->width * meter->ticks) >= PARTS)
		halve(watch);
	busy = &meter->busy[(size_t)unit * PARTS];
	while (time > 0) {
		const uint64_t width = watch->width * meter->ticks;
		const uint64_t here = MIN(time, width - from % width);

		busy[from / width] += here;
		from += here;
		time -= here;
	}
}

/* The passes of an access: each as long as the others. */
static void add_passes(UtilizationWatch *watch, Utilized kind, const Instruction *i,
		       uint64_t time)
{
	const uint32_t n = MIN(i->passes, SHARED_MAX_PASSES);

	if (n == 0)
		add(watch, kind, i->sm, i->start, time);
	for (uint32_t pass = 0; pass < n; pass++)
		add(watch, kind, i->sm, i->shared->pass_at[pass], time / n + (pass < time % n));
}

static bool is_atomic(const Record *record)
{
	return record->kind == RECORD_ATOM || record->kind == RECORD_LOCK ||
	       record->kind == RECORD_UNLOCK;
}

static void hear(Observer *observer, const Instruction *i)
{
	UtilizationWatch *watch = (UtilizationWatch *)observer;
	Heard *heard = &watch->heard[i->sm];
	const Heard now = {i->shared->counters.bank_busy_cycles, i->shared->port_cycles};
	const uint64_t bank_cycles = now.bank_cycles - heard->bank_cycles;

	add(watch, UTILIZED_PORTS, i->sm, i->issue, now.port_cycles - heard->port_cycles);
	add_passes(watch, UTILIZED_BANKS, i, bank_cycles);
	if (is_atomic(i->record))
		add_passes(watch, UTILIZED_ATOMICS, i, bank_cycles);
	*heard = now;
}

static void hear_issue(Observer *observer, uint32_t sm, Cycle at)
{
	UtilizationWatch *watch = (UtilizationWatch *)observer;

	add(watch, UTILIZED_ISSUE, sm, at, watch->machine->sm.issue_cycles);
}

static void hear_slice(Observer *observer, uint32_t slice, bool atomic, Tick from, Tick until)
{
	UtilizationWatch *watch = (UtilizationWatch *)observer;

	add(watch, UTILIZED_L2, slice, from, until - from);
	if (atomic)
		add(watch, UTILIZED_L2_ATOMICS, slice, from, until - from);
}

UtilizationWatch *utilization_watch_new(const Machine *machine)
{
	UtilizationWatch *watch = g_new0(UtilizationWatch, 1);
	const uint32_t n_sms = machine->sm.count;
	const uint32_t n_slices = machine->global.model == GLOBAL_SLICES
					  ? machine->l2->partitions * machine->l2->slices
					  : 0;
	const Meter meters[N_UTILIZED] = {
		[UTILIZED_ISSUE] = {n_sms, machine->sm.schedulers, 1, NULL},
		[UTILIZED_PORTS] = {machine->shared.queue > 0 ? n_sms : 0,
				    machine->sm.schedulers, 1, NULL},
		[UTILIZED_BANKS] = {n_sms, 1, 1, NULL},
		[UTILIZED_ATOMICS] = {n_sms, 1, 1, NULL},
		[UTILIZED_L2] = {n_slices, 1, TICKS_PER_CYCLE, NULL},
		[UTILIZED_L2_ATOMICS] = {n_slices, 1, TICKS_PER_CYCLE, NULL},
	};

	watch->observer =
		(Observer){.instruction = hear, .issue = hear_issue, .slice = hear_slice};
	watch->machine = machine;
	watch->width = FIRST_WIDTH;
	watch->heard = g_new0(Heard, n_sms);
	for (guint m = 0; m < N_UTILIZED; m++) {
		watch->meters[m] = meters[m];
		watch->meters[m].busy = g_new0(uint64_t, (gsize)meters[m].n_units * PARTS);
	}
	return watch;
}

void utilization_watch_free(UtilizationWatch *watch)
{
	for (guint m = 0; m < N_UTILIZED; m++)
		g_free(watch->meters[m].busy);
	g_free(watch->heard);
	g_free(watch);
}

Observer *utilization_watch_observer(UtilizationWatch *watch)
{
	return &watch->observer;
}

/* --- At the end --- */

/* A part of a unit's time. */
typedef struct {
	uint64_t busy, of;
} Part;

static gint compare_parts(gconstpointer a, gconstpointer b)
{
	const Part *x = a, *y = b;
	const double of_x = (double)x->busy / (double)x->of;
	const double of_y = (double)y->busy / (double)y->of;

	return (of_x < of_y) - (of_x > of_y);
}

/* A unit's parts up to the end of the run. What is more than a part holds is done behind it: what asks for several turns was heard of
   with the first. Behind the last it was done before. */
static void take_parts(GArray *parts, const uint64_t *busy, uint64_t width, uint64_t end,
		       uint64_t capacity)
{
	const guint first = parts->len;
	uint64_t left = 0;

	for (uint32_t i = 0; i < PARTS; i++) {
		const uint64_t begin = i * width;
		Part part = {.of = begin < end ? MIN(width, end - begin) * capacity : 0};

		left += busy[i];
		part.busy = MIN(left, part.of);
		left -= part.busy;
		if (part.of > 0)
			g_array_append_val(parts, part);
	}
	for (guint i = parts->len; left > 0 && i > first; i--) {
		Part *part = &g_array_index(parts, Part, i - 1);
		const uint64_t more = MIN(left, part->of - part->busy);

		part->busy += more;
		left -= more;
	}
}

static double busiest_of(GArray *parts, uint64_t of)
{
	const double wanted = (double)of / 100;
	double busy = 0, left = wanted;

	g_array_sort(parts, compare_parts);
	for (guint i = 0; i < parts->len && left > 0; i++) {
		const Part *part = &g_array_index(parts, Part, i);
		const double taken = MIN(left, (double)part->of);

		busy += taken * (double)part->busy / (double)part->of;
		left -= taken;
	}
	return wanted > 0 ? 100 * busy / wanted : 0;
}

void utilization_find(const UtilizationWatch *watch, const SimResult *result,
		      Utilization *utilization)
{
	*utilization = (Utilization){0};
	for (guint m = 0; m < N_UTILIZED; m++) {
		const Meter *meter = &watch->meters[m];
		const uint64_t width = watch->width * meter->ticks;
		const uint64_t end = result->statistics.cycles * meter->ticks;
		const uint32_t n = m == UTILIZED_L2 || m == UTILIZED_L2_ATOMICS
					   ? meter->n_units
					   : MIN(result->n_sms, meter->n_units);
		UtilizedTime *time = &utilization->times[m];
		g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));

		for (uint32_t u = 0; u < n; u++)
			take_parts(parts, &meter->busy[(size_t)u * PARTS], width, end,
				   meter->capacity);
		for (guint i = 0; i < parts->len; i++) {
			time->busy += g_array_index(parts, Part, i).busy;
			time->of += g_array_index(parts, Part, i).of;
		}
		time->mean = time->of > 0 ? 100 * (double)time->busy / (double)time->of : 0;
		time->busiest = MAX(time->mean, busiest_of(parts, time->of));
	}
}
