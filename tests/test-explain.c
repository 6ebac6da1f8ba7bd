/* SPDX-License-Identifier: MIT */
/* What explain says of random patterns is what Algorithm 1 and the laws say. */
#include <glib.h>

#include "base/lanes.h"
#include "config/config.h"
#include "explore/explain/explain.h"
#include "list-source.h"
#include "shipped.h"
#include "model/atomic/lock-bits.h"
#include "model/atomic/winner.h"

static void fill(ExplainWarp *warp, GRand *rand, uint32_t n_words)
{
	warp->mask = g_rand_int(rand) | 1;
	for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
		warp->word[lane] = (uint32_t)g_rand_int_range(rand, 0, (gint32)n_words) *
				   (uint32_t)g_rand_int_range(rand, 1, 40);
}

/* Every lane wins once, loses for a reason that holds, and is done from then on. */
static void check_fates(const ExplainRequest *request, const Explanation *explanation)
{
	uint32_t won[EXPLAIN_MAX_WARPS] = {0}, merged[EXPLAIN_MAX_WARPS] = {0};

	for (guint i = 0; i < explanation->rounds->len; i++) {
		const ExplainRound *round =
			&g_array_index(explanation->rounds, ExplainRound, i);
		const ExplainWarp *warp = &request->warps[round->warp];
		const uint32_t queued =
			warp->mask & ~won[round->warp] & ~round->tried & ~round->merged;

		g_assert_cmphex(round->won & ~round->tried, ==, 0);
		for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++) {
			const LaneOutcome *outcome = &round->lanes[lane];
			uint32_t bit = 1u << lane, by = (uint32_t)outcome->by_lane;

			g_assert_true((outcome->fate == FATE_IDLE) == !(warp->mask & bit));
			g_assert_true((outcome->fate == FATE_DONE) ==
				      ((won[round->warp] & bit) != 0 ||
				       (round->merged & bit && round->number > 0)));
			g_assert_true((outcome->fate == FATE_QUEUED) == ((queued & bit) != 0));
			g_assert_true((outcome->fate == FATE_MERGED) ==
				      ((round->merged & bit) != 0 && round->number == 0));
			if (outcome->fate == FATE_POSITION)
				g_assert_cmpuint(warp->word[by], ==, warp->word[lane]);
			if (outcome->fate == FATE_ALIAS) {
				g_assert_cmpuint(warp->word[by], !=, warp->word[lane]);
				g_assert_cmpuint(warp->lock[by], ==, warp->lock[lane]);
			}
			if (outcome->fate == FATE_BANK)
				g_assert_cmpuint(warp->bank[by], ==, warp->bank[lane]);
		}
		g_assert_cmpuint(won[round->warp] & round->won, ==, 0);
		won[round->warp] |= round->won;
		merged[round->warp] = round->merged;
	}
	for (uint32_t w = 0; w < request->n_warps; w++)
		g_assert_cmpuint(won[w] | merged[w], ==, request->warps[w].mask);
}

/* One of several texts. */
static const char *draw(GRand *rand, const char *const *texts)
{
	guint n = 0;

	while (texts[n] != NULL)
		n++;
	return texts[g_rand_int_range(rand, 0, (gint32)n)];
}

static const char *any_mechanism(GRand *rand)
{
	return mechanisms[g_rand_int_range(rand, 0, N_MECHANISMS)]->name;
}

/* A shipped machine with a few other ways to do things, as far as they go together. */
static Config *random_config(GRand *rand, char **names)
{
	static const struct {
		const char *key, *values[8];
	} keys[] = {
		{"atomic.mechanism", {NULL}}, /* any */
		{"atomic.mechanism_f32", {"same", "native", "lock-bits", "none"}},
		{"atomic.mechanism_64bit", {"same", "native", "lock-bits", "none"}},
		{"shared.bank_hash", {"mod", "xor", "ipoly"}},
		{"shared.banks", {"16", "32", "64"}},
		{"ideal.bank_conflicts", {"0", "1"}},
		{"ideal.same_word", {"0", "0", "1"}},
		{"ideal.lock_aliases", {"0", "0", "1"}},
		{"shared.queue", {"0", "1", "18"}},
		{"shared.reserved_bytes", {"0", "4", "1024"}},
		{"sm.scoreboard", {"0", "1"}},
		{"atomic.locks", {"8", "64", "1024", "2048"}},
		{"atomic.lock_hash", {"mod", "xor", "ipoly"}},
		{"atomic.lock_bits.winner", {"lowest", "rotate", "random"}},
		{"atomic.lock_bits.retry", {"all", "one-winner", "fifo"}},
		{"atomic.cas_loop.retry", {"all", "one-winner", "fifo"}},
		{"atomic.native.merge_increments", {"0", "1"}},
		{"atomic.native.cas_passes", {"1", "2", "5"}},
	};
	const guint n = g_strv_length(names);
	Config *config = config_load(names[g_rand_int(rand) % n], NULL, NULL);

	g_assert_nonnull(config);
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autofree char *setting = g_strdup_printf(
			"%s=%s", keys[i].key,
			keys[i].values[0] ? draw(rand, keys[i].values) : any_mechanism(rand));
		const char *const settings[] = {setting, NULL};
		Config *with = g_rand_int_range(rand, 0, 3) == 0
				       ? config_with(config, settings, NULL)
				       : NULL;

		if (with == NULL)
			continue;
		config_free(config);
		config = with;
	}
	return config;
}

static uint32_t lanes_of(LaneMask ranks, uint32_t mask)
{
	uint32_t lanes = 0;

	for (; mask; mask &= mask - 1, ranks >>= 1)
		lanes |= ranks & 1 ? mask & -mask : 0;
	return lanes;
}

/* Round by round: how long it lasts, and who wins. */
static void check_rounds(const ExplainRequest *request, const Explanation *explanation,
			 const ClosedForm *expected)
{
	uint64_t begin = 0;

	g_assert_cmpuint(explanation->cycles, ==, expected->cycles);
	g_assert_cmpuint(expected->base_cycles + expected->lock_cycles + expected->bank_cycles,
			 ==, expected->cycles);
	g_assert_cmpuint(explanation->rounds->len, ==, expected->n_rounds);
	for (guint i = 0; i < expected->n_rounds; i++) {
		const ExplainRound *round =
			&g_array_index(explanation->rounds, ExplainRound, i);
		const ClosedFormRound *other = &expected->rounds[i];

		g_assert_cmpuint(round->begin, ==, begin);
		begin += other->base_cycles + other->bank_cycles;
		g_assert_cmpuint(round->end, ==, begin);
		g_assert_cmphex(round->won, ==,
				lanes_of(other->winners, request->warps[0].mask));
		g_assert_cmphex(round->tried, ==,
				lanes_of(other->tried, request->warps[0].mask));
	}
}

/* What model says, of any atomic on any machine, is what explain says: where a mechanism has both. */
static void test_closed_forms_are_the_simulation(void)
{
	GRand *rand = g_rand_new_with_seed(3);
	g_auto(GStrv) names = shipped_configs();
	guint n_held[N_MECHANISMS] = {0}, n_of_type[N_SHARED_TYPES] = {0};

	for (guint i = 0; i < 4400 / test_share(); i++) {
		g_autofree ExplainRequest *request = g_new0(ExplainRequest, 1);
		g_autoptr(Config) config = random_config(rand, names);
		const Machine *machine = config_machine(config);
		g_auto(Explanation) explanation = {0};
		uint32_t words[TRACE_MAX_LANES];
		ClosedFormAtomic atomic = {.words = words, .salt = winner_salt(5, 0, 0, 0)};
		ClosedForm expected;
		const Mechanism *mechanism;

		request->machine = machine;
		request->n_warps = 1;
		request->seed = 5;
		request->operation = atomic.operation =
			(Operation)g_rand_int_range(rand, 0, N_OPERATIONS);
		request->type = atomic.type =
			(ValueType)g_rand_int_range(rand, 0, N_SHARED_TYPES);
		request->result = atomic.result = g_rand_boolean(rand);
		mechanism = mechanism_of_use(&machine->atomic,
					     atomic_kind(atomic.operation, atomic.type));
		if (mechanism->closed_form == NULL)
			continue;
		fill(&request->warps[0], rand, i % 2 ? 4 : 64);
		for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (request->warps[0].mask >> lane & 1)
				words[atomic.n_lanes++] = request->warps[0].word[lane] +
							  machine->shared.reserved_bytes / 4;
		g_assert_true(explain(request, &explanation, NULL));
		g_assert_true(explanation.mechanism == mechanism);
		mechanism->closed_form(&machine->atomic, &machine->shared, &machine->ideal,
				       &atomic, &expected);
		check_rounds(request, &explanation, &expected);
		check_fates(request, &explanation);
		n_held[mechanism_place(mechanism)]++;
		n_of_type[atomic.type]++;
	}
	for (guint m = 0; m < N_MECHANISMS; m++)
		g_assert_true(mechanisms[m]->closed_form == NULL ||
			      n_held[m] > 100 / test_share());
	for (guint type = 0; type < N_SHARED_TYPES; type++)
		g_assert_cmpuint((n_of_type[type] + 1) * test_share(), >, 200);
	g_rand_free(rand);
}

/* Fermi, as it is, with lanes that wait for their locks, with lanes that are merged and with a small CAM of locks, and a GPU without
   locks. */
enum { N_KINDS = 6 };
static void make_machines(Machine *machines)
{
	static const char *const merging[] = {"atomic.merge.threshold=2", NULL};

	for (guint i = 0; i < N_KINDS; i++)
		machines[i] = i == 1 ? list_hopper() : list_fermi();
	list_lock_bits(&machines[2])->retry.who = RETRY_ONE_WINNER;
	list_lock_bits(&machines[3])->retry.who = RETRY_FIFO;
	machines[4] = list_machine(merging);
	list_lock_bits(&machines[5])->table = LOCK_TABLE_CAM;
	list_lock_bits(&machines[5])->cam_entries = 10;
}

static void test_several_warps_on_every_machine(void)
{
	GRand *rand = g_rand_new_with_seed(4);
	Machine machines[N_KINDS];
	guint n_queued[N_KINDS] = {0}, n_merged[N_KINDS] = {0};
	guint n_full[N_KINDS] = {0}, n_alias[N_KINDS] = {0};

	make_machines(machines);
	for (guint i = 0; i < 400; i++) {
		g_autofree ExplainRequest *request = g_new0(ExplainRequest, 1);
		g_auto(Explanation) explanation = {0};

		request->machine = &machines[i % N_KINDS];
		request->type = i / N_KINDS % 2 ? TYPE_U32 : TYPE_F32;
		request->n_warps = 1 + i % 7;
		for (uint32_t w = 0; w < request->n_warps; w++)
			fill(&request->warps[w], rand, 16);
		g_assert_true(explain(request, &explanation, NULL));
		check_fates(request, &explanation);
		for (guint k = 0; k < explanation.rounds->len; k++) {
			const ExplainRound *round =
				&g_array_index(explanation.rounds, ExplainRound, k);

			for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++) {
				const LaneFate fate = round->lanes[lane].fate;

				n_queued[i % N_KINDS] += fate == FATE_QUEUED;
				n_merged[i % N_KINDS] += fate == FATE_MERGED;
				n_full[i % N_KINDS] += fate == FATE_FULL;
				n_alias[i % N_KINDS] +=
					fate == FATE_ALIAS || fate == FATE_OTHER_ALIAS;
			}
		}
	}
	for (guint k = 0; k < N_KINDS; k++) {
		g_assert_cmpuint(n_queued[k] > 0, ==, k == 2 || k == 3);
		g_assert_cmpuint(n_merged[k] > 0, ==, k == 4);
		g_assert_cmpuint(n_full[k] > 0, ==, k == 5);
		g_assert_true(k != 5 || n_alias[k] == 0);
	}
	g_rand_free(rand);
}

/* The different words of the fullest bank, counted word by word. */
static guint passes_of(const ExplainWarp *warp)
{
	guint most = 0;

	for (guint bank = 0; bank < SHARED_MAX_BANKS; bank++) {
		g_autoptr(GHashTable) words = g_hash_table_new(NULL, NULL);

		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			if (warp->mask >> lane & 1 && warp->bank[lane] == bank)
				g_hash_table_add(words, GUINT_TO_POINTER(warp->word[lane]));
		most = MAX(most, g_hash_table_size(words));
	}
	return most;
}

/* Each pass of a load or store serves one word of each bank, to all lanes that want it. */
static void check_served(const ExplainWarp *warp, const ExplainRound *round)
{
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		for (guint other = 0; other < TRACE_MAX_LANES; other++) {
			const bool both = round->won >> lane & round->won >> other & 1;

			if (!(round->tried >> lane & round->tried >> other & 1))
				continue;
			if (both && warp->bank[lane] == warp->bank[other])
				g_assert_cmpuint(warp->word[lane], ==, warp->word[other]);
			if (warp->word[lane] == warp->word[other])
				g_assert_cmpuint(round->won >> lane & 1, ==,
						 round->won >> other & 1);
		}
}

static void test_loads_and_stores_are_shown_by_pass(void)
{
	GRand *rand = g_rand_new_with_seed(5);
	g_auto(GStrv) names = shipped_configs();
	guint conflicts = 0;

	for (guint i = 0; i < 300 / test_share(); i++) {
		g_autofree ExplainRequest *request = g_new0(ExplainRequest, 1);
		g_auto(Explanation) explanation = {0};
		g_autoptr(Config) config = random_config(rand, names);
		guint expected = 0;

		request->machine = config_machine(config);
		request->access = i % 2 ? EXPLAIN_LOAD : EXPLAIN_STORE;
		request->n_warps = 1 + i % 3;
		for (uint32_t w = 0; w < request->n_warps; w++)
			fill(&request->warps[w], rand, 60);
		g_assert_true(explain(request, &explanation, NULL));
		check_fates(request, &explanation);
		for (uint32_t w = 0; w < request->n_warps; w++)
			expected += request->machine->ideal.bank_conflicts
					    ? 1
					    : passes_of(&request->warps[w]);
		g_assert_cmpuint(explanation.rounds->len, ==, expected);
		conflicts += expected > request->n_warps;
		for (guint k = 0; k < explanation.rounds->len; k++) {
			const ExplainRound *round =
				&g_array_index(explanation.rounds, ExplainRound, k);

			g_assert_cmpuint(round->begin, <, round->end);
			if (!request->machine->ideal.bank_conflicts)
				check_served(&request->warps[round->warp], round);
		}
	}
	g_assert_cmpuint(conflicts, >, 100 / test_share());
	g_rand_free(rand);
}

/* Warps that want one spin lock get it one after the other, whoever does the exchange. */
static void test_spin_locks_are_taken_in_turn(void)
{
	Machine machines[N_KINDS];

	make_machines(machines);
	for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
		g_autofree ExplainRequest *request = g_new0(ExplainRequest, 1);
		g_auto(Explanation) explanation = {0};
		uint32_t takers = 0;
		guint in_vain = 0;

		request->machine = &machines[i];
		request->access = EXPLAIN_LOCK;
		request->n_warps = 3;
		for (uint32_t w = 0; w < 3; w++)
			request->warps[w] = (ExplainWarp){.mask = 3, .word = {9, 20 + w}};
		g_assert_true(explain(request, &explanation, NULL));
		for (guint k = 0; k < explanation.rounds->len; k++) {
			const ExplainRound *round =
				&g_array_index(explanation.rounds, ExplainRound, k);

			in_vain += round->won == 0;
			if (round->won == 0) {
				g_assert_cmpint(round->lanes[0].fate, ==, FATE_OTHER_POSITION);
				g_assert_cmpint(round->lanes[0].by_warp, >=, 0);
				g_assert_cmpint(round->lanes[1].fate, ==, FATE_WAITS);
				continue;
			}
			g_assert_cmpuint(round->won, ==, 3);
			g_assert_cmpuint(takers >> round->warp & 1, ==, 0);
			takers |= 1u << round->warp;
		}
		g_assert_cmpuint(takers, ==, 7);
		g_assert_cmpuint(in_vain, >=, 2);
	}
}

static void test_lanes_are_read(void)
{
	Lanes lanes;
	LanesFault fault;

	g_assert_cmpint(lanes_read("7 - 1024,3\n", " ,\n", 32, UINT32_MAX, &lanes, &fault), ==,
			LANES_GOOD);
	g_assert_cmpuint(lanes.mask, ==, 13);
	g_assert_cmpuint(lanes.n_words, ==, 3);
	g_assert_cmpuint(lanes.words[0], ==, 7);
	g_assert_cmpuint(lanes.words[1], ==, 1024);
	g_assert_cmpuint(lanes.words[2], ==, 3);
	g_assert_cmpuint(fault.lane, ==, 4);
	g_assert_cmpint(lanes_read("1 2 -", " ", 3, UINT32_MAX, &lanes, &fault), ==,
			LANES_GOOD);
	g_assert_cmpint(lanes_read("1 2 - 4", " ", 3, UINT32_MAX, &lanes, &fault), ==,
			LANES_TOO_MANY);
	g_assert_cmpint(lanes_read("- -", " ", 32, UINT32_MAX, &lanes, &fault), ==, LANES_NONE);
	g_assert_cmpint(lanes_read("4294967296", " ", 32, UINT32_MAX, &lanes, &fault), ==,
			LANES_NO_NUMBER);
	g_assert_cmpint(lanes_read("1 11", " ", 32, 10, &lanes, &fault), ==, LANES_NO_NUMBER);
	g_assert_cmpuint(fault.lane, ==, 1);
	g_assert_cmpstr(fault.found, ==, "11");
}

/* Lane 63 of a wavefront is a lane like any other. */
static void test_64_lanes_are_read(void)
{
	g_autoptr(GString) text = g_string_new(NULL);
	Lanes lanes;
	LanesFault fault;

	for (guint lane = 0; lane < 64; lane++)
		g_string_append_printf(text, "%u ", lane * 2);
	g_assert_cmpint(lanes_read(text->str, " ", 64, 126, &lanes, &fault), ==, LANES_GOOD);
	g_assert_cmpuint(lanes.mask, ==, UINT64_MAX);
	g_assert_cmpuint(lanes.words[63], ==, 126);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/explain/closed forms are the simulation",
			test_closed_forms_are_the_simulation);
	g_test_add_func("/explain/several warps on every machine",
			test_several_warps_on_every_machine);
	g_test_add_func("/explain/loads and stores are shown by pass",
			test_loads_and_stores_are_shown_by_pass);
	g_test_add_func("/explain/spin locks are taken in turn",
			test_spin_locks_are_taken_in_turn);
	g_test_add_func("/explain/lanes are read", test_lanes_are_read);
	g_test_add_func("/explain/64 lanes are read", test_64_lanes_are_read);
	return g_test_run();
}
