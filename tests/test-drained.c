/* SPDX-License-Identifier: MIT */
/*
 * A run lasts until all that its warps have put into queues is done: no run is shorter than what the banks, the
 * schedulers or a slice of the L2 need, on any shipped machine, with any mechanism, whether or not the trace says what
 * waits for what.
 */
#include "config/config.h"
#include "model/memory/global-mechanism.h"
#include "model/atomic/mechanism.h"
#include "replay/replay.h"
#include "workloads/workload.h"
#include "shipped.h"

static char **machines;
static guint n_runs; /* of all that there would be; a share of them is done */

static TraceReader *made(const char *name, const char *const *options)
{
	g_autoptr(GError) error = NULL;
	const Workload *workload = workload_find(name, &error);
	g_autoptr(GBytes) bytes = workload_generate_bytes(workload, options, &error);
	TraceReader *reader = bytes ? trace_open_bytes(name, bytes, &error) : NULL;

	g_assert_no_error(error);
	return reader;
}

/* NULL: the checks refuse the setting on this machine. */
static Config *machine_with(const char *machine, const char *setting)
{
	const char *const settings[] = {setting, NULL};

	return config_load(machine, settings, NULL);
}

static void needs(const char *what, const char *place, uint64_t cycles, uint64_t least)
{
	if (cycles < least)
		g_error("%s: %" G_GUINT64_FORMAT " cycles, but %s %" G_GUINT64_FORMAT, place,
			cycles, what, least);
}

/* --- Banks and schedulers of one SM --- */

/* Words of one bank, 32 of them; one word; two banks. */
static const char *const patterns[] = {
	"0 32 64 96 128 160 192 224 256 288 320 352 384 416 448 480 512 544 576 608 640 672 "
	"704 "
	"736 768 800 832 864 896 928 960 992",
	"5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5",
	"0 1 32 33 64 65 96 97 128 129 160 161 192 193 224 225 256 257 288 289",
};

/* Options of the accesses to them. */
static const char *const ways[][2] = {
	{"access=load", "type=u32"}, {"access=store", "type=u32"}, {"result=no", "type=u32"},
	{"result=yes", "type=u32"},  {"result=no", "type=f32"},	   {"result=no", "type=u64"},
};

/* One block, so one SM. */
static void hold_on_sm(TraceReader *reader, const Machine *machine, const char *place)
{
	const Replay request = {
		.machine = machine, .reader = reader, .name = place, .n_threads = 1};
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;
	const Statistics *s = &result.run.statistics;

	replay_run(&request, &result, &error);
	g_assert_no_error(error);
	needs("its banks need", place, s->cycles, s->shared.bank_busy_cycles);
	needs("its passes take", place, s->cycles,
	      s->shared.passes * machine->shared.pass_cycles);
	needs("its schedulers issue for", place, s->cycles * machine->sm.schedulers,
	      s->warp_instructions * machine->sm.issue_cycles);
}

static void hold_with_all(const char *pattern, const char *const way[2], const char *dataflow)
{
	g_autofree char *addresses = g_strconcat("addresses=", pattern, NULL);
	const char *const options[] = {addresses, "warps=8", "repeat=24", way[0],
				       way[1],	  dataflow,  NULL};
	g_autoptr(TraceReader) reader = made("pattern", options);

	for (guint c = 0; machines[c] != NULL; c++)
		for (guint m = 0; m < N_MECHANISMS; m++) {
			if (n_runs++ % test_share() != 0)
				continue;
			g_autofree char *setting =
				g_strconcat("atomic.mechanism=", mechanisms[m]->name, NULL);
			g_autofree char *place = g_strjoin(", ", machines[c], setting, way[0],
							   way[1], dataflow, pattern, NULL);
			g_autoptr(Config) config = machine_with(machines[c], setting);

			g_assert_nonnull(config);
			hold_on_sm(reader, config_machine(config), place);
		}
}

static void no_run_is_shorter_than_its_banks_need(void)
{
	for (guint p = 0; p < G_N_ELEMENTS(patterns); p++)
		for (guint w = 0; w < G_N_ELEMENTS(ways); w++) {
			hold_with_all(patterns[p], ways[w], "dataflow=no");
			hold_with_all(patterns[p], ways[w], "dataflow=yes");
		}
}

/* --- A slice of the L2 --- */

/* All threads add to one word, and nobody waits for it: each packet takes its slice for a sector's time. */
static void hold_on_slice(TraceReader *reader, const Machine *machine, const char *place)
{
	const Replay request = {
		.machine = machine, .reader = reader, .name = place, .n_threads = 1};
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;
	uint64_t time; /* in thousandths of an L2 clock */

	replay_run(&request, &result, &error);
	g_assert_no_error(error);
	time = result.run.statistics.memory.packets * machine->l2->sector_mclk;
	needs("its slice needs", place, result.run.statistics.cycles,
	      time / 1000 * machine->clock_mhz * 1000 / machine->l2->clock_khz);
}

/* Returns on how many machines and mechanisms that have slices. */
static guint hold_with_all_global(const char *threads, const char *flow)
{
	const char *const options[] = {"words=1", "values=one", threads, flow, NULL};
	g_autoptr(TraceReader) reader = made("global-atomics", options);
	guint n = 0;

	for (guint c = 0; machines[c] != NULL; c++)
		for (guint m = 0; m < N_GLOBAL_MECHANISMS; m++) {
			g_autofree char *setting = g_strconcat(
				"global.atomic.mechanism=", global_mechanisms[m]->name, NULL);
			g_autofree char *place =
				g_strjoin(", ", machines[c], setting, threads, flow, NULL);
			g_autoptr(Config) config = machine_with(machines[c], setting);

			if (config == NULL ||
			    config_machine(config)->global.model == GLOBAL_FLAT)
				continue;
			if (n++ % test_share() != 0)
				continue;
			hold_on_slice(reader, config_machine(config), place);
		}
	return n;
}

static void no_run_is_shorter_than_a_slice_needs(void)
{
	static const char *const threads[] = {"threads=64", "threads=512", "threads=2048"};

	for (guint t = 0; t < G_N_ELEMENTS(threads) * 2; t++) {
		const char *flow = t % 2 ? "dataflow=yes" : "dataflow=no";

		g_assert_cmpuint(hold_with_all_global(threads[t / 2], flow), >=, 8 * 3);
	}
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	machines = shipped_configs();
#define TEST(function, sentence) g_test_add_func("/drained/" sentence, function)
	TEST(no_run_is_shorter_than_its_banks_need, "no run is shorter than its banks need");
	TEST(no_run_is_shorter_than_a_slice_needs, "no run is shorter than a slice needs");
	status = g_test_run();
	g_strfreev(machines);
	return status;
}
