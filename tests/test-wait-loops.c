/* SPDX-License-Identifier: MIT */
/*
 * Loops that wait for what another block stores (sim/memory/wait-loops.h): they make as many tries as the replay needs, however
 * many the trace holds. Two blocks on the machine of configs/h200.
 */
#include "config/config.h"
#include "list-source.h"
#include "sim/run/run.h"
#include "trace/dataflow.h"

enum { TRY = 1, STORE };

#define N_SITES	     2
#define BUFFER_BYTES (1u << 20)
#define TRIP	     279 /* of a load; measurements/h200/issue */
#define LONG	     4000

static const uint8_t value_0 = 0;
static const uint64_t buffer_bytes = BUFFER_BYTES;

typedef struct {
	uint32_t teller;       /* block that stores */
	uint32_t delay;	       /* operations before it does */
	uint32_t tries;	       /* of the other block in the trace */
	bool other_word;       /* it looks at another word */
	bool own;	       /* it stores itself, behind its tries */
	uint32_t n_operations; /* of its between two tries */
} Case;

static Record word(RecordKind kind, uint32_t site, uint32_t at)
{
	return (Record){.kind = (uint8_t)kind,
			.site = site,
			.buffer = 1,
			.width = 4,
			.cache = CACHE_BYPASS,
			.offset = at,
			.mask = 1,
			.n_lanes = 1,
			.bytes = 4,
			.count = 1};
}

/* n integer operations, each of the value before it. */
static Record code(DataflowBuilder *builder, uint32_t n)
{
	g_autofree CodeOperation *operations = g_new(CodeOperation, n);

	for (uint32_t i = 0; i < n; i++)
		operations[i] = (CodeOperation){.class = CODE_INT,
						.guard = DATAFLOW_NO_VALUE,
						.n_writes = 1,
						.n_reads = 1,
						.writes = &value_0,
						.reads = &value_0};
	return (Record){.kind = RECORD_CODE,
			.gap = dataflow_builder_gap(builder, operations, n)};
}

static SimResult run(const Case *c, uint32_t n_threads)
{
	g_autoptr(Config) config = config_load("h200.json", NULL, NULL);
	g_autoptr(ListSource) list = list_source_new(2, 1, 1024);
	DataflowBuilder *builder = dataflow_builder_new();
	const SiteFlow none = {.guard = DATAFLOW_NO_VALUE};
	SiteFlow load = none;
	Record delay, between, try = word(RECORD_LDG, TRY, c->other_word ? 512 : 0),
			       store = word(RECORD_STG, STORE, 0);
	g_autoptr(GByteArray) array = NULL;
	g_autoptr(GBytes) bytes = NULL;
	const char *problem;
	size_t at;
	Dataflow *flow;
	SimRequest request = {.machine = config_machine(config),
			      .source = &list->source,
			      .n_threads = n_threads,
			      .n_sites = N_SITES};
	SimResult result;

	load.n_writes = 1;
	load.writes = &value_0;
	dataflow_builder_site(builder, TRY, &load);
	dataflow_builder_site(builder, STORE, &none);
	delay = code(builder, c->delay);
	between = code(builder, c->n_operations);
	list_source_append(list, c->teller, 0, &delay);
	if (!c->own)
		list_source_append(list, c->teller, 0, &store);
	for (uint32_t i = 0; i < c->tries; i++) {
		list_source_append(list, 1 - c->teller, 0, &try);
		list_source_append(list, 1 - c->teller, 0, &between);
	}
	if (c->own)
		list_source_append(list, 1 - c->teller, 0, &store);
	array = dataflow_builder_bytes(builder);
	bytes = g_bytes_new(array->data, array->len);
	flow = dataflow_read(bytes, N_SITES, &problem, &at);
	g_assert_nonnull(flow);
	list->source.kernel.dataflow = flow;
	list->source.kernel.lock_sections = true;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = &buffer_bytes;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	dataflow_free(flow);
	dataflow_builder_free(builder);
	return result;
}

static uint64_t cycles(const Case *c)
{
	return run(c, 1).statistics.busy_cycles;
}

static void test_tries_of_the_trace(void)
{
	Case few = {.delay = LONG / 4, .tries = 2, .n_operations = 4}, many = few;

	many.tries = 40;
	g_assert_cmpuint(cycles(&few), ==, cycles(&many));
}

static void test_waits(void)
{
	for (uint32_t delay = 8; delay <= LONG / 4; delay *= 5) {
		const Case c = {.delay = delay, .tries = 3, .n_operations = 4};
		const uint64_t end = cycles(&c), told = delay * 4;

		g_assert_cmpuint(end, >=, told + TRIP / 2);
		/* The store's way, a try that has just missed it, and the next one. */
		g_assert_cmpuint(end, <=, told + 4 * TRIP);
	}
}

static void test_does_not_wait(void)
{
	/* A single load is no loop; nor does a block wait for one behind it, for itself, or for what nobody stores. */
	const Case single = {.delay = LONG / 4, .tries = 1, .n_operations = 4};
	Case behind = {.teller = 1, .delay = 8, .tries = 4, .n_operations = 4};
	Case nobody = {.delay = 8, .tries = 4, .other_word = true, .n_operations = 4};
	Case own = {.delay = 8, .tries = 4, .own = true, .n_operations = 4};
	const Case *const cases[] = {&behind, &nobody, &own};

	g_assert_cmpuint(cycles(&single), <, LONG + TRIP);
	for (uint32_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		Case longer = *cases[i];

		longer.tries += 10;
		g_assert_cmpuint(cycles(&longer), >=, cycles(cases[i]) + 10 * TRIP);
	}
}

/* The accounts are even, and threads change nothing. */
static void test_accounts(void)
{
	const Case c = {.delay = LONG / 4, .tries = 2, .n_operations = 7};
	const SimResult one = run(&c, 1), two = run(&c, 2);
	uint64_t sum = 0;

	for (uint32_t state = 0; state < N_WARP_STATES; state++)
		sum += one.statistics.warp_cycles[state];
	g_assert_cmpuint(sum, ==, one.statistics.resident_warp_cycles);
	g_assert_cmpuint(one.statistics.warp_instructions, ==,
			 two.statistics.warp_instructions);
	g_assert_cmpuint(one.statistics.busy_cycles, ==, two.statistics.busy_cycles);
	/* Tries: a trip and the loop each, about as many as go into the time. */
	g_assert_cmpuint(one.statistics.warp_instructions, >, LONG / 4 + 3 + 8 * 8);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/wait-loops/a replay makes as many tries as it needs",
			test_tries_of_the_trace);
	g_test_add_func("/wait-loops/a loop waits for the store", test_waits);
	g_test_add_func("/wait-loops/what is no loop does not wait", test_does_not_wait);
	g_test_add_func("/wait-loops/every cycle is accounted for", test_accounts);
	return g_test_run();
}
