/* SPDX-License-Identifier: MIT */
/* What a run's figures are put down to: states, sites, hot spots, spin locks, the baseline. */
#include <glib.h>

#include "list-source.h"
#include "sim/run/run.h"

#define N_SITES 4

static HotSpot sites[N_SITES + 1]; /* of the last run */

static void run_sites(const Machine *machine, ListSource *list, SimResult *result)
{
	SimRequest request = {.machine = machine,
			      .source = &list->source,
			      .n_threads = 1,
			      .n_sites = N_SITES,
			      .sites = sites};

	sim_run(&request, result);
}

static void append(ListSource *list, uint64_t block, uint32_t warp, Record record,
		   uint32_t site)
{
	record.site = site;
	list_source_append(list, block, warp, &record);
}

/* 32 words of one bank. */
static Record column(RecordKind kind)
{
	uint32_t words[32];

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i * 32;
	return list_record(kind, words, 32);
}

static Record one_word(RecordKind kind, uint32_t word)
{
	return list_record(kind, &word, 1);
}

static Record ldg(void)
{
	return (Record){.kind = RECORD_LDG, .count = 1, .bytes = 4, .mask = 1, .n_lanes = 1};
}

static void without_contention_no_access_takes_a_second_pass(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 4096);
	Machine machines[] = {list_fermi(), list_hopper()};

	append(list, 0, 0, column(RECORD_LDS), 1);
	append(list, 0, 0, column(RECORD_ATOM), 1);
	for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
		const Machine without = machine_with_ideals(&machines[i], N_CONTENTION_IDEALS);
		SimResult result;

		run_sites(&machines[i], list, &result);
		g_assert_cmpuint(result.statistics.shared.conflict_passes, >, 0);
		run_sites(&without, list, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		g_assert_cmpuint(result.statistics.shared.conflict_passes, ==, 0);
		g_assert_cmpuint(result.statistics.warp_cycles[STATE_BANK], ==, 0);
		g_assert_cmpuint(result.statistics.warp_cycles[STATE_RETRY], ==, 0);
	}
}

static void without_contention_nobody_waits_for_a_spin_lock(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 8, 64);
	Machine machine = list_fermi(), without;
	SimResult contended, result;

	for (uint32_t warp = 0; warp < 8; warp++) {
		append(list, 0, warp, one_word(RECORD_LOCK, 0), 1);
		append(list, 0, warp, ldg(), 2);
		append(list, 0, warp, one_word(RECORD_UNLOCK, 0), 3);
	}
	without = machine_with_ideals(&machine, N_CONTENTION_IDEALS);
	run_sites(&machine, list, &contended);
	run_sites(&without, list, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(contended.statistics.spin_attempts, >, 8);
	g_assert_cmpuint(result.statistics.spin_attempts, ==, 8);
	g_assert_cmpuint(contended.statistics.cycles, >, 5 * result.statistics.cycles);
}

/* Lanes that try one lock are served one after the other, and that is the lock's doing. */
static void attempts_at_a_spin_lock_are_no_bank_conflicts(void)
{
	static const uint32_t words[32] = {0};
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	Machine machine = list_hopper(), without;
	SimResult result, free;

	list->source.kernel.lock_sections = true;
	append(list, 0, 0, list_record(RECORD_LOCK, words, 32), 1);
	append(list, 0, 0, list_record(RECORD_UNLOCK, words, 32), 2);
	without = machine_with_ideal(&machine, IDEAL_bank_conflicts);
	run_sites(&machine, list, &result);
	run_sites(&without, list, &free);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.shared.conflict_passes, >, 0);
	g_assert_cmpuint(result.statistics.warp_cycles[STATE_RETRY], >, 0);
	g_assert_cmpuint(result.statistics.warp_cycles[STATE_BANK], ==, 0);
	g_assert_cmpuint(free.statistics.cycles, ==, result.statistics.cycles);
}

/* A load of n passes has n - 1 further ones, and its warp waits for them wherever it waits. */
static void bank_conflicts_are_bank_conflicts_on_every_machine(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 4096);
	Machine machines[] = {list_fermi(), list_hopper()};

	append(list, 0, 0, column(RECORD_LDS), 1);
	append(list, 0, 0, list_plain(RECORD_ALU, 1), 2);
	for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
		SimResult result;

		run_sites(&machines[i], list, &result);
		g_assert_cmpuint(sites[1].passes, ==, 31);
		g_assert_cmpuint(result.statistics.warp_cycles[STATE_BANK], ==,
				 31 * machines[i].shared.conflict_latency_cycles);
	}
}

/* The load is issued and forgotten; the arithmetic waits; the cycles are the load's. */
static void a_wait_belongs_to_the_instruction_that_is_waited_for(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	Machine machine = list_hopper();
	SimResult result;

	append(list, 0, 0, ldg(), 1);
	append(list, 0, 0, one_word(RECORD_LDS, 3), 2);
	append(list, 0, 0, list_plain(RECORD_ALU, 1), 3);
	run_sites(&machine, list, &result);
	g_assert_cmpuint(sites[1].cycles, >=, machine.global.latency_cycles - 10);
	g_assert_cmpuint(sites[2].cycles, <=, 10);
	/* And the end of the warp, which comes behind its last site. */
	g_assert_cmpuint(sites[3].cycles, ==,
			 machine.sm.alu_latency_cycles + machine.sm.issue_cycles);
	g_assert_cmpuint(result.statistics.warp_cycles[STATE_GLOBAL], >=,
			 machine.global.latency_cycles - 10);
}

/* The run also waits for all that was loaded, so it takes both one after the other to tell. */
static void an_atomic_waits_for_the_loads_before_it(void)
{
	g_autoptr(ListSource) both = list_source_new(1, 1, 64);
	g_autoptr(ListSource) load = list_source_new(1, 1, 64);
	g_autoptr(ListSource) atomic = list_source_new(1, 1, 64);
	Machine machine = list_hopper();
	Record add = one_word(RECORD_ATOM, 3);
	SimResult result, of_load, of_atomic;

	add.result = true;
	append(both, 0, 0, ldg(), 1);
	append(both, 0, 0, add, 2);
	append(load, 0, 0, ldg(), 1);
	append(atomic, 0, 0, add, 2);
	run_sites(&machine, both, &result);
	run_sites(&machine, load, &of_load);
	run_sites(&machine, atomic, &of_atomic);
	g_assert_cmpuint(of_load.statistics.cycles, >, machine.global.latency_cycles);
	g_assert_cmpuint(of_atomic.statistics.cycles, >, 20);
	g_assert_cmpuint(result.statistics.cycles, >=,
			 of_load.statistics.cycles + of_atomic.statistics.cycles - 20);
}

/* The second block lies where the first one did. */
static void a_spin_lock_left_set_does_not_outlive_its_block(void)
{
	g_autoptr(ListSource) list = list_source_new(2, 1, 49152);
	Machine machine = list_fermi();
	SimResult result;

	machine.sm.count = 1;
	append(list, 0, 0, one_word(RECORD_LOCK, 7), 1);
	append(list, 1, 0, one_word(RECORD_LOCK, 7), 1);
	run_sites(&machine, list, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.spin_attempts, ==, 2);
}

/* One warp holds a lock bit for longer than the watchdog waits, again and again; the other fails all
   that time, and while a third one works nothing is stuck. */
static void a_warp_that_fails_is_no_livelock_while_others_get_on(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 2, 64);
	Machine machine = list_fermi();
	SimResult result;

	list_lock_bits(&machine)->hold_cycles = 5000;
	machine.sim.watchdog_cycles = 3000;
	append(list, 0, 0, one_word(RECORD_ATOM, 0), 1);
	for (int i = 0; i < 300; i++)
		append(list, 0, 1, list_plain(RECORD_ALU, 1), 2);
	append(list, 0, 0, one_word(RECORD_ATOM, 0), 1);
	run_sites(&machine, list, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	machine.sim.watchdog_cycles = 1000;
	g_assert_true(result.statistics.cycles > 5000);
}

/* The same of locks whose section is recorded once: the others spin for longer than the watchdog waits. */
static void a_warp_that_spins_is_no_livelock_while_the_holder_gets_on(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 2, 64);
	Machine machine = list_hopper();
	SimResult result;

	list->source.kernel.lock_sections = true;
	machine.sim.watchdog_cycles = 1000;
	for (uint32_t warp = 0; warp < 2; warp++) {
		append(list, 0, warp, one_word(RECORD_LOCK, 0), 1);
		for (int i = 0; i < 300; i++) {
			append(list, 0, warp, one_word(RECORD_LDS, 1), 2);
			append(list, 0, warp, list_plain(RECORD_ALU, 1), 3);
		}
		append(list, 0, warp, one_word(RECORD_UNLOCK, 0), 4);
	}
	run_sites(&machine, list, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.cycles, >, 4 * machine.sim.watchdog_cycles);
}

/* Equal costs: the lower number first. */
static void ties_of_hot_spots_are_in_order_of_their_numbers(void)
{
	static const uint32_t words[] = {9, 3, 6};
	g_autoptr(ListSource) list = list_source_new(1, 3, 64);
	Machine machine = list_fermi();
	SimResult result;

	for (uint32_t warp = 0; warp < 3; warp++) {
		uint32_t lanes[2] = {words[warp], words[warp]};

		append(list, 0, warp, list_record(RECORD_ATOM, lanes, 2), 1);
	}
	run_sites(&machine, list, &result);
	g_assert_cmpuint(result.n_addresses, ==, 3);
	for (uint32_t i = 0; i < 3; i++) {
		g_assert_cmpuint(result.addresses[i].failures, ==, 1);
		g_assert_cmpuint(result.addresses[i].id, ==, 3 * (i + 1));
		g_assert_cmpuint(result.locks[i].id, ==, 3 * (i + 1));
	}
}

static void a_machine_without_locks_reports_none(void)
{
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	Machine machine = list_hopper();
	uint32_t words[32] = {0};
	Record record = list_record(RECORD_ATOM, words, 32);
	SimResult result;

	record.type = TYPE_F32;
	append(list, 0, 0, record, 1);
	run_sites(&machine, list, &result);
	g_assert_cmpuint(result.n_addresses, ==, 1);
	g_assert_cmpuint(result.n_locks, ==, 0);
}

#define TEST(function, sentence) g_test_add_func("/accounts/" sentence, function)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(without_contention_no_access_takes_a_second_pass,
	     "without contention no access takes a second pass");
	TEST(without_contention_nobody_waits_for_a_spin_lock,
	     "without contention nobody waits for a spin lock");
	TEST(attempts_at_a_spin_lock_are_no_bank_conflicts,
	     "attempts at a spin lock are no bank conflicts");
	TEST(bank_conflicts_are_bank_conflicts_on_every_machine,
	     "bank conflicts are bank conflicts on every machine");
	TEST(a_wait_belongs_to_the_instruction_that_is_waited_for,
	     "a wait belongs to the instruction that is waited for");
	TEST(an_atomic_waits_for_the_loads_before_it,
	     "an atomic waits for the loads before it");
	TEST(a_spin_lock_left_set_does_not_outlive_its_block,
	     "a spin lock left set does not outlive its block");
	TEST(a_warp_that_spins_is_no_livelock_while_the_holder_gets_on,
	     "a warp that spins is no livelock while the holder gets on");
	TEST(a_warp_that_fails_is_no_livelock_while_others_get_on,
	     "a warp that fails is no livelock while others get on");
	TEST(ties_of_hot_spots_are_in_order_of_their_numbers,
	     "ties of hot spots are in order of their numbers");
	TEST(a_machine_without_locks_reports_none, "a machine without locks reports none");
	return g_test_run();
}
