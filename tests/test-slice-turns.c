/* SPDX-License-Identifier: MIT */
/* Who is next at a slice that many SMs want (sim/memory/slice-turns.c), against shares counted by hand. */
#include <glib.h>

#include "sim/memory/by-turns.h"
#include "sim/memory/memory.h"

#define N_LANES	   32
#define N_SMS	   12  /* clusters of four: two of the first partition, one of the second */
#define N_ACCESSES 200 /* of each SM that asks */
#define SERVED	   240 /* looked at: all still ask */
#define AS_COMES   1000000

/* A clock of the L2 is a cycle; a round of one word takes one, and a packet of all lanes 32. */
static const L2Parameters l2 = {
	.clock_khz = 1000000,
	.partitions = 2,
	.slices = 4,
	.page_bytes = 4096,
	.page_slices = 4,
	.port_flit_mclk = 1000,
	.sector_mclk = 1000,
	.full_sector_mclk = 1000,
	.cas_sector_mclk = 1000,
	.store_sector_mclk = 1000,
	.load_request_mclk = 1000,
	.links = 1,
};

static const NetworkParameters network = {
	.one_way_cycles = 100,
	.load_cycles = 200,
	.atomic_cycles = 300,
	.issue_cycles = 1,
	.in_flight = 64,
	.group_sms = 4,
	.network_flits = 1 << 20,
	.queue_flits = 1 << 20,
	.lock_attempt_flits = 1 << 20,
	.egress_flit_mcycles = 500,
};

static const Ideals no_ideals;
static const DramParameters no_dram = {.channels = 1};
static const LaunchState warm = {.l2 = LAUNCH_L2_WARM};

typedef struct {
	uint32_t n, of[N_SMS]; /* packets served, and of each SM; */
	uint32_t share[N_SMS]; /* of the first SERVED of them */
} Seen;

typedef struct {
	Seen *seen;
	uint32_t sm;
} Asker;

static void served(void *data, const Packet *packet, Tick at)
{
	Asker *asker = data;
	Seen *seen = asker->seen;

	(void)packet;
	(void)at;
	seen->of[asker->sm]++;
	if (seen->n++ < SERVED)
		seen->share[asker->sm]++;
}

static Memory *memory_of(uint32_t slice_packets, uint32_t places, L2Parameters *slices,
			 Arena *arena)
{
	*slices = l2;
	slices->slice_packets = slice_packets;
	slices->port_packets = places;
	arena_init(arena);
	return memory_new(slices, &network, &no_dram, &warm, &no_ideals, 1000, N_SMS, N_SMS, 0,
			  arena);
}

static void serve_all(Memory *memory)
{
	Cycle now;

	while ((now = memory_next(memory)) != UINT64_MAX)
		memory_serve(memory, now);
}

/* All SMs of `sms` want one word at once, N_ACCESSES times, each lane of a warp or one alone: who is served. */
static Seen crowd(uint32_t slice_packets, uint32_t places, AccessKind kind, uint32_t n_lanes,
		  uint32_t sms)
{
	L2Parameters slices;
	uint64_t addresses[N_LANES] = {0};
	Asker askers[N_SMS];
	Seen seen = {0};
	Arena arena;
	Memory *memory;

	memory = memory_of(slice_packets, places, &slices, &arena);
	for (uint32_t i = 0; i < N_ACCESSES; i++)
		for (uint32_t sm = 0; sm < N_SMS; sm++) {
			MemoryAccess access = {.sm = sm,
					       .kind = kind,
					       .width = 4,
					       .n_lanes = n_lanes,
					       .addresses = addresses,
					       .served = served,
					       .served_data = &askers[sm]};

			askers[sm] = (Asker){&seen, sm};
			if (sms >> sm & 1)
				memory_access(memory, &access);
		}
	serve_all(memory);
	memory_free(memory);
	arena_clear(&arena);
	for (uint32_t sm = 0; sm < N_SMS; sm++)
		g_assert_cmpuint(seen.of[sm], ==, sms >> sm & 1 ? N_ACCESSES : 0);
	return seen;
}

static void assert_near(uint32_t share, double expected)
{
	g_assert_cmpfloat((double)share, >=, expected - 3);
	g_assert_cmpfloat((double)share, <=, expected + 3);
}

/* cas-turns.csv: SMs 0, 1 and 2 are a cluster, SM 4 is one, and SM 8 is one of the other partition. */
static void assert_turns(const Seen *seen)
{
	assert_near(seen->share[8], SERVED / 2);
	assert_near(seen->share[4], SERVED / 4);
	for (uint32_t sm = 0; sm < 3; sm++)
		assert_near(seen->share[sm], SERVED / 12.0);
}

#define FIVE (1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8)

static void test_halves_and_clusters_take_turns(void)
{
	const Seen atomics = crowd(2, 1000, ACCESS_ATOMIC, N_LANES, FIVE);
	const Seen swaps = crowd(2, 1000, ACCESS_CAS, N_LANES, FIVE);

	assert_turns(&atomics);
	assert_turns(&swaps);
}

/* Four SMs fill a port's 16 places as they come, and clusters then take turns for those that become free. */
static void test_clusters_take_turns_for_places(void)
{
	const Seen seen = crowd(AS_COMES, 16, ACCESS_ATOMIC, N_LANES, FIVE & ~(1u << 8));
	const double alone = 4 + (SERVED - 16) / 2.0;

	assert_near(seen.share[4], alone);
	for (uint32_t sm = 0; sm < 3; sm++)
		assert_near(seen.share[sm], (SERVED - alone) / 3);
}

/* With room for all at the port. */
static void test_what_is_there_is_served_as_it_came(void)
{
	const Seen seen = crowd(AS_COMES, 1000, ACCESS_ATOMIC, 1, 1u << 0 | 1u << 1 | 1u << 4);

	assert_near(seen.share[0], SERVED / 3.0);
	assert_near(seen.share[1], SERVED / 3.0);
	assert_near(seen.share[4], SERVED / 3.0);
}

/* When the last of so many accesses of one SM, so many cycles apart, is answered. */
static Cycle last_answer(uint32_t slice_packets, AccessKind kind, uint32_t n, Cycle apart)
{
	L2Parameters slices;
	uint64_t address = 0;
	Arena arena;
	Memory *memory;
	MemoryReply reply;
	Cycle last = 0;
	uint32_t answered = 0;

	memory = memory_of(slice_packets, 1000, &slices, &arena);
	for (uint32_t i = 0; i < n; i++) {
		MemoryAccess access = {.issue = i * apart,
				       .kind = kind,
				       .result = true,
				       .width = 4,
				       .n_lanes = 1,
				       .addresses = &address};

		memory_access(memory, &access);
		if (apart > 0)
			serve_all(memory);
	}
	serve_all(memory);
	while (memory_reply(memory, &reply)) {
		last = MAX(last, reply.at);
		answered++;
	}
	g_assert_cmpuint(answered, ==, n);
	memory_free(memory);
	arena_clear(&arena);
	return last;
}

static void test_turns_end(void)
{
	const Cycle alone = last_answer(AS_COMES, ACCESS_ATOMIC, 1, 0);

	g_assert_cmpuint(last_answer(1, ACCESS_ATOMIC, 3, 10000), ==, 20000 + alone);
	g_assert_cmpuint(last_answer(1, ACCESS_STORE, 3, 10000), >, 20000);
}

static void test_loads_wait_for_no_turn(void)
{
	g_assert_cmpuint(last_answer(1, ACCESS_LOAD, 50, 0), ==,
			 last_answer(AS_COMES, ACCESS_LOAD, 50, 0));
	/* Atomics do: each is taken on when the one before is done. */
	g_assert_cmpuint(last_answer(1, ACCESS_ATOMIC, 50, 0), >,
			 last_answer(AS_COMES, ACCESS_ATOMIC, 50, 0));
}

typedef struct {
	char name;
	Waiter waiter;
} Named;

static char taken(ByTurns *turns)
{
	return WAITER_OF(Named, by_turns_take(turns))->name;
}

static void test_by_turns(void)
{
	ByTurns *turns = by_turns_new(2, 3);
	Named named[] = {{.name = 'a'}, {.name = 'b'}, {.name = 'c'}, {.name = 'd'}};
	GString *order = g_string_new(NULL);

	by_turns_wait(&turns[1], 2, &named[0].waiter);
	by_turns_wait(&turns[1], 2, &named[1].waiter);
	by_turns_wait(&turns[1], 2, &named[2].waiter);
	by_turns_wait(&turns[1], 0, &named[3].waiter);
	g_assert_null(turns[0].first);
	for (uint32_t i = 0; i < 3; i++)
		g_string_append_c(order, taken(&turns[1]));
	by_turns_wait(&turns[1], 1, &named[0].waiter);
	while (turns[1].first)
		g_string_append_c(order, taken(&turns[1]));
	g_assert_cmpstr(order->str, ==, "adbca");
	g_string_free(order, TRUE);
	by_turns_free(turns);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/slice turns/halves of the L2 and clusters of SMs take turns",
			test_halves_and_clusters_take_turns);
	g_test_add_func("/slice turns/clusters take turns for places at a port",
			test_clusters_take_turns_for_places);
	g_test_add_func("/slice turns/what a slice works on is served as it came",
			test_what_is_there_is_served_as_it_came);
	g_test_add_func("/slice turns/what is done makes room", test_turns_end);
	g_test_add_func("/slice turns/loads wait for no turn", test_loads_wait_for_no_turn);
	g_test_add_func("/slice turns/of one line the first, of lines each once",
			test_by_turns);
	return g_test_run();
}
