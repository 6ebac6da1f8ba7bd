/* SPDX-License-Identifier: MIT */
/*
 * Every memory side that passes the checks runs: random values of the keys of slices, network, DRAM, paths and mechanisms,
 * under random accesses to global memory. One thread and two give the same.
 */
#include <string.h>

#include "base/names.h"
#include "config/keys.h"
#include "list-source.h"
#include "random-config.h"
#include "shipped.h"
#include "sim/run/run.h"

#define BUFFER_BYTES (1 << 22)
#define N_BLOCKS     5
#define N_WARPS	     2

static const uint64_t buffer_bytes[] = {BUFFER_BYTES};
static const char *const bases[] = {"h200.json", "a100.json", "gtx1080.json", "hd5870.json"};

static gboolean is_of_the_memory_side(const char *path)
{
	return g_str_has_prefix(path, "l2.") || g_str_has_prefix(path, "network.") ||
	       g_str_has_prefix(path, "dram.") || g_str_has_prefix(path, "paths.") ||
	       g_str_has_prefix(path, "global.") || strstr(path, "fence");
}

static uint32_t below(GRand *rand, uint32_t n)
{
	return g_rand_int(rand) % n;
}

/* A few lanes on one word, on words in a row, or anywhere. */
static Record random_access(GRand *rand)
{
	static const uint32_t strides[] = {0, 1, 1, 2, 8, 33, 1024};
	const RecordKind kinds[] = {RECORD_LDG, RECORD_STG, RECORD_ATOMG, RECORD_ATOMG};
	const uint32_t n = 1 + below(rand, 32);
	const uint32_t stride = strides[below(rand, 7)];
	Record record = {
		.n_lanes = (uint8_t)n, .mask = UINT32_MAX >> (32 - n), .buffer = 1, .count = 1};

	/* One after the other, so that every compiler draws the same. */
	record.kind = (uint8_t)kinds[below(rand, 4)];
	record.operation = (uint8_t)below(rand, N_OPERATIONS);
	record.type = (uint8_t)below(rand, N_VALUE_TYPES);
	record.result = below(rand, 2) == 0;
	record.has_values = below(rand, 2) == 0;
	record.cache = (uint8_t)below(rand, N_CACHE_HINTS);
	record.width = value_type_bytes[record.type];
	record.bytes = n * record.width;
	record.offset = (uint64_t)below(rand, 64) * 4096;
	for (uint32_t i = 0; i < n; i++) {
		record.address[i] = i * stride * record.width;
		record.value[i] = below(rand, 3);
		record.compare[i] = 0;
	}
	return record;
}

static ListSource *random_kernel(GRand *rand)
{
	ListSource *list = list_source_new(N_BLOCKS, N_WARPS, 4);

	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = buffer_bytes;
	for (uint64_t b = 0; b < N_BLOCKS; b++)
		for (uint32_t w = 0; w < N_WARPS; w++)
			for (uint32_t n = below(rand, 8); n > 0; n--) {
				Record record = random_access(rand);

				if (below(rand, 6) == 0)
					record = (Record){
						.kind = RECORD_FENCE,
						.scope = (uint8_t)below(rand, N_SCOPES)};
				list_source_append(list, b, w, &record);
			}
	return list;
}

static void assert_same(const SimResult *one, const SimResult *two, const char *text)
{
	if (one->status != two->status ||
	    memcmp(&one->statistics, &two->statistics, sizeof one->statistics) != 0)
		g_error("%s: two threads: %" G_GUINT64_FORMAT " for %" G_GUINT64_FORMAT
			" cycles",
			text, two->statistics.cycles, one->statistics.cycles);
}

static void run_any(GRand *rand, const Config *config, const char *text, guint *n_complete)
{
	g_autoptr(ListSource) list = random_kernel(rand);
	SimRequest request = {.machine = config_machine(config), .source = &list->source};
	SimResult results[2];

	for (uint32_t i = 0; i < 2; i++) {
		request.n_threads = i + 1;
		sim_run(&request, &results[i]);
	}
	switch (results[0].status) {
	case SIM_OK:
		*n_complete += 1;
		assert_same(&results[0], &results[1], text);
		break;
	case SIM_BAD_RECORD: /* what a coordinator cannot do */
		g_assert_nonnull(results[0].problem);
		break;
	default:
		g_error("%s: status %d", text, results[0].status);
	}
}

static void every_legal_memory_runs(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(22);
	guint n_legal = 0, n_complete = 0;

	for (guint trial = 0; trial < 400 / test_share(); trial++) {
		g_autofree char *text = NULL;
		g_autoptr(Config) config = random_config(
			rand, bases[trial % G_N_ELEMENTS(bases)], is_of_the_memory_side, &text);

		if (!config)
			continue;
		n_legal++;
		run_any(rand, config, text, &n_complete);
	}
	/* The test tests something: most are legal, and most of those come to their end. */
	g_assert_cmpuint(n_legal, >, 200 / test_share());
	g_assert_cmpuint(n_complete * 4, >, n_legal * 3);
}

static uint64_t cycles_of(const Config *config, ListSource *list)
{
	const SimRequest request = {
		.machine = config_machine(config), .source = &list->source, .n_threads = 1};
	SimResult result;

	g_assert_cmpint(sim_run(&request, &result), ==, SIM_OK);
	return result.statistics.cycles;
}

static gboolean is_cost(const Key *key)
{
	return (g_str_has_prefix(key->path, "l2.") ||
		g_str_has_prefix(key->path, "network.")) &&
	       key->unit != NULL &&
	       (strstr(key->unit, "cycle") != NULL || strstr(key->unit, "L2 clock") != NULL);
}

/* A cost that neither latency nor bandwidth nor atomics take away would never be reported as a cause. */
static guint costs_that_act(const char *state)
{
	static const char *const ideals[] = {"ideal.global_latency=1",
					     "ideal.global_bandwidth=1", "ideal.l2_atomics=1",
					     NULL};
	const char *const found[] = {state, NULL};
	g_autoptr(Config) plain = config_load("h200.json", found, NULL);
	g_autoptr(Config) ideal = config_with(plain, ideals, NULL);
	guint n_acting = 0;

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		uint64_t cycles[2], with[2];

		if (!is_cost(key))
			continue;
		for (guint k = 0; k < 2; k++) {
			const Config *config = k == 0 ? plain : ideal;
			g_autoptr(GRand) rand = g_rand_new_with_seed(23);
			g_autoptr(ListSource) list = random_kernel(rand);
			g_autofree char *setting = g_strdup_printf(
				"%s=%" G_GUINT64_FORMAT, key->path, MIN(key->max, 5000));
			const char *const settings[] = {setting, NULL};
			g_autoptr(Config) dear = config_with(config, settings, NULL);

			cycles[k] = cycles_of(config, list);
			with[k] = dear ? cycles_of(dear, list) : cycles[k];
		}
		n_acting += with[0] > cycles[0];
		if (with[1] != cycles[1])
			g_error("%s: %" G_GUINT64_FORMAT " for %" G_GUINT64_FORMAT " cycles",
				key->path, with[1], cycles[1]);
	}
	return n_acting;
}

static void no_cost_is_left_of_an_ideal_memory_side(void)
{
	g_assert_cmpuint(costs_that_act("launch.l2=warm"), >=, 20);
	g_assert_cmpuint(costs_that_act("launch.l2=home"), >=, 20);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/any-memory/every legal memory side runs", every_legal_memory_runs);
	g_test_add_func("/any-memory/no cost is left of an ideal memory side",
			no_cost_is_left_of_an_ideal_memory_side);
	return g_test_run();
}
