/* SPDX-License-Identifier: MIT */
#include "laws-units.h"

#define N "%" G_GUINT64_FORMAT

typedef enum { BANKS, SHARED_PORTS, ISSUE, SLICES, SLICE_PORTS, N_KINDS } Kind;

static const char *const names[N_KINDS] = {"the banks of SM", "ports to shared memory of SM",
					   "issue slots of SM", "slice", "port of slices"};

/* The units of a kind: how long each was busy, in ticks, of `ticks` a cycle; `capacity` of them at a time. */
typedef struct {
	uint32_t n;
	uint64_t capacity, ticks;
	uint64_t *busy;
} Units;

struct UnitsWatch {
	Observer observer; /* first */
	const Machine *machine;
	Units units[N_KINDS];
};

static void add(Observer *observer, Kind kind, uint32_t unit, uint64_t time)
{
	Units *units = &((UnitsWatch *)observer)->units[kind];

	g_assert_cmpuint(unit, <, units->n);
	units->busy[unit] += time;
}

static void see_instruction(Observer *observer, const Instruction *i)
{
	UnitsWatch *watch = (UnitsWatch *)observer;

	/* Sums of the SM since its begin. */
	watch->units[BANKS].busy[i->sm] = i->shared->counters.bank_busy_cycles;
	watch->units[SHARED_PORTS].busy[i->sm] = i->shared->port_cycles;
}

static void see_issue(Observer *observer, uint32_t sm, Cycle at)
{
	(void)at;
	add(observer, ISSUE, sm, ((UnitsWatch *)observer)->machine->sm.issue_cycles);
}

static void see_slice(Observer *observer, uint32_t slice, bool atomic, uint64_t from,
		      uint64_t until)
{
	(void)atomic;
	add(observer, SLICES, slice, until - from);
}

static void see_port(Observer *observer, uint32_t port, uint64_t from, uint64_t until)
{
	add(observer, SLICE_PORTS, port, until - from);
}

UnitsWatch *units_watch_new(const Machine *machine)
{
	UnitsWatch *watch = g_new0(UnitsWatch, 1);
	const uint32_t n_slices = machine->global.model == GLOBAL_SLICES
					  ? machine->l2->partitions * machine->l2->slices
					  : 0;
	const uint32_t n_sms = machine->sm.count, n_schedulers = machine->sm.schedulers;
	const Units units[N_KINDS] = {
		[BANKS] = {n_sms, 1, 1, NULL},
		[SHARED_PORTS] = {n_sms, n_schedulers, 1, NULL},
		[ISSUE] = {n_sms, n_schedulers, 1, NULL},
		[SLICES] = {n_slices, 1, TICKS_PER_CYCLE, NULL},
		[SLICE_PORTS] = {n_slices * 2, 1, TICKS_PER_CYCLE, NULL},
	};

	watch->observer = (Observer){.instruction = see_instruction,
				     .issue = see_issue,
				     .slice = see_slice,
				     .port = see_port};
	watch->machine = machine;
	for (guint kind = 0; kind < N_KINDS; kind++) {
		watch->units[kind] = units[kind];
		watch->units[kind].busy = g_new0(uint64_t, units[kind].n);
	}
	return watch;
}

void units_watch_free(UnitsWatch *watch)
{
	for (guint kind = 0; kind < N_KINDS; kind++)
		g_free(watch->units[kind].busy);
	g_free(watch);
}

Observer *units_watch_observer(UnitsWatch *watch)
{
	return &watch->observer;
}

static uint64_t sum_of(const Units *units)
{
	uint64_t sum = 0;

	for (uint32_t u = 0; u < units->n; u++)
		sum += units->busy[u];
	return sum;
}

static char *not_counted(const char *what, uint64_t seen, uint64_t counted)
{
	return seen == counted ? NULL
			       : g_strdup_printf("%s worked for " N " cycles, counted are " N,
						 what, seen, counted);
}

char *units_too_short(const UnitsWatch *watch, const SimResult *result)
{
	const Statistics *s = &result->statistics;
	char *problem =
		not_counted("banks", sum_of(&watch->units[BANKS]), s->shared.bank_busy_cycles);

	/* What loops that wait repeat meanwhile is counted at once. */
	if (problem == NULL && s->memory.wait_loop_accesses == 0)
		problem = not_counted("schedulers", sum_of(&watch->units[ISSUE]),
				      s->warp_cycles[STATE_ISSUE]);
	for (guint kind = 0; problem == NULL && kind < N_KINDS; kind++) {
		const Units *units = &watch->units[kind];

		for (uint32_t u = 0; problem == NULL && u < units->n; u++)
			if (units->busy[u] > s->cycles * units->capacity * units->ticks)
				problem = g_strdup_printf(
					"%s %u: busy for " N " of " N " x " N " cycles",
					names[kind], u, units->busy[u] / units->ticks,
					units->capacity, s->cycles);
	}
	return problem;
}
