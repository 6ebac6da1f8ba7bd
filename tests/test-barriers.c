/* SPDX-License-Identifier: MIT */
/*
 * Barriers with a number, of a part of the block, and arrivals that do not wait: who goes on when, held
 * against a list of who has to come; what cannot be carried out; and what a run says that stops at one.
 */
#include <glib.h>
#include <string.h>

#include "list-source.h"
#include "replay/failure.h"
#include "sim/run/run.h"

#define N_WARPS	 8
#define N_EVENTS 60

static SimStatus run(const Machine *machine, ListSource *list, Observer *observer,
		     SimResult *result)
{
	SimRequest request = {.machine = machine,
			      .source = &list->source,
			      .n_threads = 1,
			      .n_sites = 1,
			      .observer = observer};

	return sim_run(&request, result);
}

static Record bar(uint32_t number, uint32_t n_threads, bool arrives)
{
	return (Record){.kind = RECORD_BAR,
			.barrier = (uint8_t)number,
			.count = n_threads,
			.arrives = arrives};
}

/* --- Random programs against the list of their barriers --- */

/* A barrier once: `site`, which only tells it apart, is its place among the events + 1. */
typedef struct {
	uint32_t number, waits, arrives; /* warps, a bit each */
	Cycle last;			 /* of those that came */
} Event;

typedef struct {
	Observer observer;
	Event events[N_EVENTS];
	uint32_t n_lanes;
	int waits_for
		[N_WARPS]; /* event that the warp's next instruction must not come before; -1 */
	guint n_ahead; /* instructions of warps that had only arrived, before the last came */
} Watch;

static void watch(Observer *observer, const Instruction *instruction)
{
	Watch *w = (Watch *)observer;
	const Record *record = instruction->record;
	int *waits_for = &w->waits_for[instruction->warp];

	if (*waits_for >= 0) {
		const Event *event = &w->events[*waits_for];

		/* Observed in order of issue: those that have not come yet come later. */
		g_assert_cmpuint(event->waits | event->arrives, ==, 0);
		g_assert_cmpuint(instruction->issue, >, event->last);
		*waits_for = -1;
	}
	if (record->kind != RECORD_BAR)
		return;

	Event *event = &w->events[record->value[0]];
	uint32_t bit = 1u << instruction->warp;

	g_assert_true((record->arrives ? event->arrives : event->waits) & bit);
	event->arrives &= ~bit;
	event->waits &= ~bit;
	event->last = instruction->issue;
	if (!record->arrives)
		*waits_for = (int)record->value[0];
	else
		w->n_ahead += (event->arrives | event->waits) != 0;
}

/* Which warps come, and how. Each number once, but for 0, which all wait at: then numbers are free again. */
static void random_events(GRand *rand, Watch *w)
{
	for (uint32_t e = 0; e < N_EVENTS; e++) {
		uint32_t all = (1u << N_WARPS) - 1, come, wait;

		if (e % 20 == 0) {
			w->events[e] = (Event){.number = 0, .waits = all};
			continue;
		}
		come = g_rand_int(rand) & all;
		come |= 1u << g_rand_int_range(rand, 0, N_WARPS);
		wait = (g_rand_int(rand) & come) | (come & -come);
		w->events[e] = (Event){.number = 1 + (e * 5 + 3) % (TRACE_MAX_BARRIERS - 1),
				       .waits = wait,
				       .arrives = come & ~wait};
	}
}

static ListSource *program_of(GRand *rand, const Watch *w)
{
	ListSource *list = list_source_new(1, N_WARPS, 0);

	list->source.kernel.warp_lanes = w->n_lanes;
	for (uint32_t e = 0; e < N_EVENTS; e++) {
		const Event *event = &w->events[e];
		uint32_t come = event->waits | event->arrives;

		for (uint32_t warp = 0; warp < N_WARPS; warp++) {
			Record work = list_plain(RECORD_ALU,
						 1 + (uint32_t)g_rand_int_range(rand, 0, 50));
			Record record = bar(event->number,
					    e % 20 == 0 ? 0
							: (uint32_t)__builtin_popcount(come) *
								  w->n_lanes,
					    event->arrives >> warp & 1);

			/* Else one barrier follows the other at once. */
			if (g_rand_boolean(rand))
				list_source_append(list, 0, warp, &work);
			record.value[0] = e;
			if (come >> warp & 1)
				list_source_append(list, 0, warp, &record);
		}
	}
	return list;
}

static void nobody_goes_on_before_all_have_come(void)
{
	guint n_ahead = 0;

	for (guint32 seed = 1; seed <= 60; seed++) {
		Watch w = {.observer = {.instruction = watch}, .n_lanes = seed % 2 ? 32 : 64};
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		g_autoptr(ListSource) list = NULL;
		Machine machine = seed % 3 ? list_fermi() : list_hopper();
		SimResult result;

		memset(w.waits_for, 0xff, sizeof(w.waits_for));
		random_events(rand, &w);
		list = program_of(rand, &w);
		g_assert_cmpint(run(&machine, list, &w.observer, &result), ==, SIM_OK);
		for (uint32_t e = 0; e < N_EVENTS; e++)
			g_assert_cmpuint(w.events[e].waits | w.events[e].arrives, ==, 0);
		n_ahead += w.n_ahead;
	}
	g_assert_cmpuint(n_ahead, >, 100);
}

/* --- One case each --- */

static ListSource *two_warps(void)
{
	return list_source_new(1, 2, 64);
}

static void append_bar(ListSource *list, uint32_t warp, uint32_t number, uint32_t n_threads,
		       bool arrives)
{
	Record record = bar(number, n_threads, arrives);

	list_source_append(list, 0, warp, &record);
}

/* A barrier that waits takes as long as the old one; one that only arrives takes an issue. */
static void an_arrival_takes_an_issue(void)
{
	g_autoptr(ListSource) list = two_warps();
	Machine machine = list_fermi();
	Record work = list_plain(RECORD_ALU, 1000);
	SimResult result;

	append_bar(list, 0, 1, 64, true);
	append_bar(list, 1, 1, 64, false);
	list_source_append(list, 0, 0, &work);
	g_assert_cmpint(run(&machine, list, NULL, &result), ==, SIM_OK);
	g_assert_cmpuint(result.statistics.cycles, ==,
			 machine.sm.issue_cycles + 1000 * 22 + machine.sm.issue_cycles);
	g_assert_cmpuint(result.statistics.warp_cycles[STATE_BARRIER], <, 100);
}

/* As often as it comes: a producer that gives two signals. Of the whole block the ended do not count. */
static void warps_count_as_often_as_they_come(void)
{
	g_autoptr(ListSource) twice = two_warps();
	g_autoptr(ListSource) ended = list_source_new(1, 3, 0);
	Machine machine = list_fermi();
	Record work = list_plain(RECORD_ALU, 100);
	SimResult result;

	append_bar(twice, 0, 3, 64, true);
	append_bar(twice, 0, 3, 64, true);
	append_bar(twice, 1, 3, 64, true);
	append_bar(twice, 1, 3, 64, false);
	g_assert_cmpint(run(&machine, twice, NULL, &result), ==, SIM_OK);
	append_bar(ended, 0, 9, 0, false);
	append_bar(ended, 1, 9, 0, true);
	list_source_append(ended, 0, 2, &work);
	g_assert_cmpint(run(&machine, ended, NULL, &result), ==, SIM_OK);
	g_assert_cmpuint(result.statistics.cycles, >, 100 * 22);
}

static void what_cannot_be_carried_out_is_refused(void)
{
	static const struct {
		uint32_t threads[2];
		const char *problem;
	} rows[] = {
		{{96, 96}, "a barrier of more threads than the block has"},
		{{32 + 64, 64}, "a barrier of more threads than the block has"},
		{{0, 0},
		 "a second arrival at a barrier of the whole block that is not complete"},
	};
	Machine machine = list_fermi();
	g_autoptr(ListSource) three = list_source_new(1, 3, 0);
	SimResult result;

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(ListSource) list = two_warps();
		Record work = list_plain(RECORD_ALU, 100);

		list_source_append(list, 0, 1, &work);
		append_bar(list, 0, 2, rows[i].threads[0], true);
		append_bar(list, 0, 2, rows[i].threads[1], true);
		g_assert_cmpint(run(&machine, list, NULL, &result), ==, SIM_BAD_RECORD);
		g_assert_cmpstr(result.problem, ==, rows[i].problem);
	}
	append_bar(three, 0, 2, 64, false);
	append_bar(three, 1, 2, 0, false);
	g_assert_cmpint(run(&machine, three, NULL, &result), ==, SIM_BAD_RECORD);
	g_assert_cmpstr(result.problem, ==,
			"a barrier that warps come to with different numbers of threads");
}

static void a_deadlock_says_which_barrier_and_who_is_missing(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 4, 0);
	Machine machine = list_fermi();
	g_autoptr(GError) error = NULL;
	SimResult result;

	append_bar(list, 0, 5, 96, false);
	append_bar(list, 1, 5, 96, true);
	append_bar(list, 2, 6, 0, false);
	g_assert_cmpint(run(&machine, list, NULL, &result), ==, SIM_DEADLOCK);
	g_assert_cmpuint(result.n_blocked_warps, ==, 2);
	g_assert_cmpuint(result.blocked_warps[0].barrier, ==, 5);
	g_assert_cmpuint(result.blocked_warps[0].n_arrived, ==, 2);
	g_assert_cmpuint(result.blocked_warps[0].n_wanted, ==, 3);
	replay_set_failure("t.bin", &machine, &result, NULL, &error);
	g_assert_nonnull(strstr(error->message, ", barrier 5, 2 warps of 3"));
	g_assert_nonnull(strstr(error->message, ", barrier 6, 1 warps of the whole block"));
}

/* Who holds the lock sleeps at a barrier that the others never come to: they try for ever. */
static void a_lock_held_at_a_named_barrier_is_a_livelock(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 3, 64);
	Machine machine = list_fermi();
	const uint32_t word = 3;
	const Record lock = list_record(RECORD_LOCK, &word, 1),
		     unlock = list_record(RECORD_UNLOCK, &word, 1);
	SimResult result;
	uint32_t n_asleep = 0;

	list->source.kernel.lock_sections = true;
	for (uint32_t warp = 0; warp < 3; warp++) {
		list_source_append(list, 0, warp, &lock);
		append_bar(list, warp, 4, 64, false);
		list_source_append(list, 0, warp, &unlock);
	}
	machine.sim.watchdog_cycles = 30000;
	g_assert_cmpint(run(&machine, list, NULL, &result), ==, SIM_LIVELOCK);
	g_assert_cmpuint(result.waiting, ==, 3);
	for (uint32_t i = 0; i < 3; i++) {
		if (strcmp(result.blocked_warps[i].state, "barrier") != 0)
			continue;
		n_asleep++;
		g_assert_cmpuint(result.blocked_warps[i].barrier, ==, 4);
		g_assert_cmpuint(result.blocked_warps[i].n_wanted, ==, 2);
	}
	g_assert_cmpuint(n_asleep, ==, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(function, sentence) g_test_add_func("/barriers/" sentence, function)
	TEST(nobody_goes_on_before_all_have_come, "nobody goes on before all have come");
	TEST(an_arrival_takes_an_issue, "an arrival takes an issue");
	TEST(warps_count_as_often_as_they_come, "warps count as often as they come");
	TEST(what_cannot_be_carried_out_is_refused, "what cannot be carried out is refused");
	TEST(a_deadlock_says_which_barrier_and_who_is_missing,
	     "a deadlock says which barrier and who is missing");
	TEST(a_lock_held_at_a_named_barrier_is_a_livelock,
	     "a lock held at a named barrier is a livelock");
	return g_test_run();
}
