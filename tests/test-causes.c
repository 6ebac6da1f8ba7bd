/* SPDX-License-Identifier: MIT */
/* Causes by elimination: each shows where it is what a kernel waits for, and nowhere else. */
#include <glib.h>
#include <string.h>

#include "config/config.h"
#include "laws.h"
#include "list-source.h"
#include "replay/replay.h"
#include "shipped.h"
#include "sim/run/ideal-machine.h"

static const char *const machines[] = {"h200.json", "fermi.json", "gtx1080.json", "a100.json",
				       "hd5870.json"};

static Config *load(const char *name)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, NULL, &error);

	g_assert_no_error(error);
	return config;
}

/* --- Patterns --- */

typedef enum { ROW, COLUMN, ONE_WORD, TWO_WORDS_OF_A_LOCK } Words;

static void fill_words(Words pattern, uint32_t *words)
{
	for (uint32_t i = 0; i < 32; i++)
		words[i] = pattern == ROW      ? i
			   : pattern == COLUMN ? i * 32
			   : pattern == ONE_WORD
				   ? 7
				   : i % 2 * 1024; /* of a bank and, on Fermi, a lock */
}

#define BIT(cause) (1u << IDEAL_##cause)

typedef struct {
	const char *name;
	RecordKind kind;
	ValueType type;
	Words words;
	uint32_t n_warps;
	unsigned causes, with_locks; /* of contention; where there are lock bits */
} Pattern;

static const Pattern patterns[] = {
	{"loads of a row", RECORD_LDS, TYPE_U32, ROW, 4, 0, 0},
	{"loads of a column", RECORD_LDS, TYPE_U32, COLUMN, 1, BIT(bank_conflicts),
	 BIT(bank_conflicts)},
	{"stores of a column by warps", RECORD_STS, TYPE_U32, COLUMN, 8, BIT(bank_conflicts),
	 BIT(bank_conflicts)},
	{"loads of one word", RECORD_LDS, TYPE_U32, ONE_WORD, 4, 0, 0},
	{"integer atomics of a row", RECORD_ATOM, TYPE_U32, ROW, 1, 0, 0},
	{"integer atomics of a column", RECORD_ATOM, TYPE_U32, COLUMN, 1, BIT(bank_conflicts),
	 BIT(bank_conflicts)},
	{"integer atomics of one word", RECORD_ATOM, TYPE_U32, ONE_WORD, 1, BIT(same_word),
	 BIT(same_word)},
	{"integer atomics of one word by warps", RECORD_ATOM, TYPE_U32, ONE_WORD, 8,
	 BIT(same_word), BIT(same_word)},
	{"float atomics of a row", RECORD_ATOM, TYPE_F32, ROW, 1, 0, 0},
	{"float atomics of a row by warps", RECORD_ATOM, TYPE_F32, ROW, 8, BIT(same_word),
	 BIT(same_word)},
	{"float atomics of a column", RECORD_ATOM, TYPE_F32, COLUMN, 1, BIT(bank_conflicts),
	 BIT(bank_conflicts)},
	{"float atomics of one word", RECORD_ATOM, TYPE_F32, ONE_WORD, 1, BIT(same_word),
	 BIT(same_word)},
	{"integer atomics of two words of a lock", RECORD_ATOM, TYPE_U32, TWO_WORDS_OF_A_LOCK,
	 1, BIT(bank_conflicts) | BIT(same_word),
	 BIT(bank_conflicts) | BIT(same_word) | BIT(lock_aliases)},
	{"spin locks", RECORD_LOCK, TYPE_U32, ONE_WORD, 4, BIT(spin_locks), BIT(spin_locks)},
};

static void append(ListSource *list, const Pattern *pattern, uint32_t warp)
{
	const uint32_t n = pattern->kind == RECORD_LOCK ? 1 : 32;
	uint32_t words[32];
	Record record, work;

	fill_words(pattern->words, words);
	record = list_record(pattern->kind, words, n);
	record.type = pattern->type;
	record.result = pattern->kind == RECORD_ATOM; /* so that no add of 1 merges its lanes */
	list_source_append(list, 0, warp, &record);
	if (pattern->kind != RECORD_LOCK)
		return;
	work = list_plain(RECORD_ALU, 20);
	list_source_append(list, 0, warp, &work);
	record.kind = RECORD_UNLOCK;
	list_source_append(list, 0, warp, &record);
}

/* The causes that save anything of a run, as bits. */
static unsigned causes_of(const Machine *machine, ListSource *list, SimResult *result)
{
	const SimRequest request = {
		.machine = machine, .source = &list->source, .n_threads = 1};
	IdealRuns runs = {.request = &request, .run = result};
	unsigned found = 0;
	Causes causes;

	g_assert_cmpint(sim_run(&request, result), ==, SIM_OK);
	g_assert_true(causes_find(&runs, NULL, &causes));
	ideal_runs_clear(&runs);
	for (unsigned i = 0; i < N_IDEALS; i++)
		if (cause_saves(&causes.without[i], result->statistics.cycles) > 0)
			found |= 1u << i;
	return found;
}

static void must_be(const char *what, const char *machine, unsigned found, unsigned wanted)
{
	if (found == wanted)
		return;
	g_test_message("%s on %s: %x, not %x", what, machine, found, wanted);
	g_test_fail();
}

static unsigned contention_of(const Machine *machine, const Pattern *pattern, bool *loses)
{
	g_autoptr(ListSource) list = list_source_new(1, pattern->n_warps, 8192);
	SimResult result;
	unsigned found;

	for (uint32_t warp = 0; warp < pattern->n_warps; warp++)
		append(list, pattern, warp);
	found = causes_of(machine, list, &result);
	*loses = result.statistics.atomics.retries > 0;
	return found & ((1u << N_CONTENTION_IDEALS) - 1);
}

static void a_pattern_shows_what_it_waits_for_and_nothing_else(void)
{
	for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
		g_autoptr(Config) config = load(machines[m]);
		const Machine *machine = config_machine(config);
		const bool locks = atomic_has_locks(&machine->atomic);

		for (guint i = 0; i < G_N_ELEMENTS(patterns); i++) {
			const Pattern *pattern = &patterns[i];
			unsigned wanted = locks ? pattern->with_locks : pattern->causes;
			bool loses;
			const unsigned found = contention_of(machine, pattern, &loses);

			/* Warps of rows meet where floats are loops: not on an HD 5870. */
			if (pattern->type == TYPE_F32 && pattern->words == ROW && !loses)
				wanted = 0;
			must_be(pattern->name, machines[m], found, wanted);
		}
	}
}

static void append_plain(ListSource *list, uint32_t warp, RecordKind kind, uint32_t count)
{
	const Record record = list_plain(kind, count);

	list_source_append(list, 0, warp, &record);
}

/* Two warps that each wait for the other at a barrier, or for results alone; and warps that want to issue at the same time. */
static void skew_shows_at_barriers_and_many_warps_at_issue(void)
{
	for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
		g_autoptr(Config) config = load(machines[m]);
		g_autoptr(ListSource) skewed = list_source_new(1, 2, 1024);
		g_autoptr(ListSource) even = list_source_new(1, 2, 1024);
		g_autoptr(ListSource) many = list_source_new(1, 32, 1024);
		const Machine *machine = config_machine(config);
		/* All to one scheduler: two warps meet there. */
		const unsigned slots = machine->sm.schedulers == 1 ? BIT(issue) : 0;
		/* One hides the latency of the other there. */
		const unsigned hidden = slots ? BIT(instruction_latency) : 0;
		SimResult result;

		for (uint32_t warp = 0; warp < 2; warp++) {
			append_plain(skewed, warp, RECORD_ALU, warp == 0 ? 400 : 1);
			append_plain(skewed, warp, RECORD_BAR, 0);
			append_plain(skewed, warp, RECORD_ALU, warp == 0 ? 1 : 400);
			append_plain(even, warp, RECORD_ALU, 400);
		}
		for (uint32_t warp = 0; warp < 32; warp++)
			append_plain(many, warp, RECORD_ALU, 400);
		must_be("skew", machines[m], causes_of(machine, skewed, &result) & ~slots,
			BIT(barriers) | BIT(instruction_latency));
		must_be("two warps", machines[m], causes_of(machine, even, &result) & ~slots,
			BIT(instruction_latency) & ~hidden);
		must_be("many warps", machines[m],
			causes_of(machine, many, &result) & ~BIT(instruction_latency),
			BIT(issue));
	}
}

/* --- Shipped traces --- */

typedef struct {
	guint known, kept, original;
} Count;

static char *path_of(const char *name)
{
	return g_build_filename(g_getenv("SOURCE"), "traces", name, NULL);
}

static void find(const char *name, const Machine *machine, guint n_threads,
		 ReplayResult *result)
{
	g_autofree char *path = path_of(name);
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(path, &error);
	const Replay replay = {.machine = machine,
			       .reader = reader,
			       .n_threads = n_threads,
			       .baseline = true,
			       .causes = WANTED_YES};

	g_assert_no_error(error);
	trace_keep_decoded(reader, 1u << 28);
	replay_run(&replay, result, &error);
	g_assert_no_error(error);
	g_assert_true(result->has_causes);
}

static void count(const char *name, const char *machine, const ReplayResult *result,
		  Count *count)
{
	const uint64_t cycles = result->run.statistics.cycles;

	g_assert_cmpuint(result->baseline.statistics.cycles, <=, cycles);
	for (unsigned i = 0; i < N_IDEALS; i++) {
		const Cause *cause = &result->causes.without[i];

		count->known += cause->known;
		count->kept += cause->known && cause->order != ORDER_OWN;
		if (cause->known)
			g_assert_cmpuint(cause->cycles, <=, cycles);
		if (!cause->known || cause->order != ORDER_ORIGINAL)
			continue;
		g_assert_cmpuint(cause->cycles, ==, cycles);
		count->original++;
		g_test_message("%s on %s: longer without %s in each order", name, machine,
			       ideal_words[i]);
	}
}

static void with_less_to_wait_for_a_run_takes_no_longer(void)
{
	g_autofree char *folder_path = path_of("");
	g_autoptr(GDir) folder = g_dir_open(folder_path, 0, NULL);
	Count all = {0};
	const char *name;

	if (test_share() > 1) {
		g_test_skip("many runs by code that the other tests run, too");
		return;
	}
	while ((name = g_dir_read_name(folder)) != NULL) {
		if (!g_str_has_suffix(name, ".bin"))
			continue;
		for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
			g_autoptr(Config) config = load(machines[m]);
			g_auto(ReplayResult) result = {0};

			find(name, config_machine(config), 2, &result);
			count(name, machines[m], &result, &all);
		}
	}
	g_test_message(
		"of %u causes %u not in their own order, %u of them in none that was tried",
		all.known, all.kept, all.original);
	g_assert_cmpuint(all.known, >, 600);
	g_assert_cmpuint(all.kept, >, all.original);
	g_assert_cmpuint(all.original * 120, <=, all.known); /* 5 of 715 */
}

/* --- Orders that are kept --- */

static void run_in_order(SimRequest *request, const RunOrder *order, RunOrderKind kind,
			 const SimResult *run, const char *what)
{
	g_autofree SimResult *again = g_new(SimResult, 1);
	g_autofree char *problem = NULL;

	request->keep_order = order;
	request->order = kind;
	g_assert_cmpint(sim_run(request, again), ==, SIM_OK);
	problem = laws_differ(run, again);
	if (problem == NULL)
		return;
	g_test_message("%s, order %d: %s", what, kind, problem);
	g_test_fail();
}

/* Nothing ideal, nothing sooner: and so all as it was. */
static void a_run_in_its_own_order_is_the_same(void)
{
	static const char *const traces[] = {"histogram.bin",	"weighted.bin",
					     "kmeans-lock.bin", "kmeans-lock-dimension.bin",
					     "bins-global.bin", "torch-bincount.bin"};

	for (guint i = 0; i < G_N_ELEMENTS(traces) * G_N_ELEMENTS(machines); i++) {
		if (i % test_share() != 0)
			continue;
		const char *trace = traces[i / G_N_ELEMENTS(machines)];
		const char *machine = machines[i % G_N_ELEMENTS(machines)];
		g_autofree char *path = path_of(trace);
		g_autofree char *what = g_strdup_printf("%s on %s", trace, machine);
		g_autoptr(Config) config = load(machine);
		g_autoptr(TraceReader) reader = trace_open(path, NULL);
		g_autoptr(RunOrder) order = run_order_new(trace_source(reader));
		g_autofree SimResult *run = g_new(SimResult, 1);
		SimRequest request = {.machine = config_machine(config),
				      .source = trace_source(reader),
				      .n_sites = trace_n_sites(reader),
				      .n_threads = 2,
				      .all_sms = true,
				      .note_order = order};

		g_assert_cmpint(sim_run(&request, run), ==, SIM_OK);
		request.note_order = NULL;
		run_in_order(&request, order, ORDER_KEPT, run, what);
		run_in_order(&request, order, ORDER_PACED, run, what);
		run_in_order(&request, order, ORDER_TIMED, run, what);
	}
}

/* Causes are found side by side: the same on any number of threads. */
static void causes_are_the_same_on_any_number_of_threads(void)
{
	g_autoptr(Config) config = load("a100.json");
	ReplayResult results[3] = {{.has_baseline = false}};

	for (guint i = 0; i < G_N_ELEMENTS(results); i++) {
		find("kmeans-lock.bin", config_machine(config), 1 + i * i, &results[i]);
		for (unsigned k = 0; k < N_IDEALS; k++) {
			const Cause *one = &results[0].causes.without[k];
			const Cause *other = &results[i].causes.without[k];

			g_assert_cmpint(one->known, ==, other->known);
			g_assert_cmpuint(one->cycles, ==, other->cycles);
			g_assert_cmpint(one->order, ==, other->order);
		}
		g_assert_cmpuint(results[0].causes.all.cycles, ==,
				 results[i].causes.all.cycles);
	}
	for (guint i = 0; i < G_N_ELEMENTS(results); i++)
		replay_result_clear(&results[i]);
}

/* The kernel that everybody tries first, and the same with a padded tile. */
static void transposes_wait_for_banks_until_they_are_padded(void)
{
	for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
		g_autoptr(Config) config = load(machines[m]);
		g_auto(ReplayResult) plain = {0}, padded = {0};
		uint64_t cycles;

		find("transpose.bin", config_machine(config), 1, &plain);
		find("transpose-padded.bin", config_machine(config), 1, &padded);
		cycles = plain.run.statistics.cycles;
		for (unsigned i = 0; i < N_IDEALS; i++)
			if (i != IDEAL_bank_conflicts && i != IDEAL_issue)
				g_assert_cmpuint(
					cause_saves(&plain.causes.without[i], cycles), <,
					cause_saves(&plain.causes.without[IDEAL_bank_conflicts],
						    cycles));
		g_assert_cmpuint(plain.causes.without[IDEAL_bank_conflicts].cycles, ==,
				 plain.baseline.statistics.cycles);
		g_assert_false(padded.causes.without[IDEAL_bank_conflicts].known);
	}
}

/* --- Which are looked for --- */

static void causes_are_looked_for_where_somebody_asks_or_the_run_is_short(void)
{
	g_autoptr(Config) config = load("fermi.json");

	for (Wanted wanted = WANTED_NO; wanted <= WANTED_YES; wanted++) {
		g_autofree char *path = path_of("transpose.bin");
		g_autoptr(GError) error = NULL;
		g_autoptr(TraceReader) reader = trace_open(path, &error);
		g_auto(ReplayResult) result = {0};
		const Replay replay = {.machine = config_machine(config),
				       .reader = reader,
				       .n_threads = 1,
				       .causes = wanted};

		g_assert_no_error(error);
		replay_run(&replay, &result, &error);
		g_assert_no_error(error);
		g_assert_cmpint(result.has_causes, ==, wanted != WANTED_NO);
	}
}

/* What is ideal in the config itself saves nothing, and no run is made to see it. */
static void what_is_ideal_already_is_not_looked_for(void)
{
	g_autoptr(Config) config = load("fermi.json");
	g_autofree char *path = path_of("transpose.bin");
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(path, &error);
	const unsigned ideals[] = {IDEAL_issue, IDEAL_barriers};

	g_assert_no_error(error);
	for (guint i = 0; i < G_N_ELEMENTS(ideals); i++) {
		g_auto(ReplayResult) result = {0};
		const Machine machine = machine_with_ideal(config_machine(config), ideals[i]);
		const Replay replay = {.machine = &machine,
				       .reader = reader,
				       .n_threads = 1,
				       .causes = WANTED_YES};

		replay_run(&replay, &result, &error);
		g_assert_no_error(error);
		for (guint k = 0; k < G_N_ELEMENTS(ideals); k++)
			g_assert_cmpint(result.causes.without[ideals[k]].known, ==, k != i);
	}
}

/* Each ideal takes the cycles that it is of, and leaves the others. */
static void an_ideal_takes_what_it_is_of(void)
{
	g_autoptr(Config) config = load("h200.json");

	for (unsigned i = 0; i < N_IDEALS; i++) {
		Machine machine = machine_with_ideal(config_machine(config), i);
		IssueParameters issue = *machine.issue;
		IdealMachine space;
		const Machine *ideal;
		const GlobalParameters *global;

		issue.fence_device_cycles = 7;
		issue.latency[CODE_INT] = issue.latency[CODE_CONSTANT] = 7;
		issue.stall[CODE_BRANCH] = machine.sm.alu_latency_cycles = 7;
		machine.issue = &issue;
		machine.global.latency_cycles = machine.global.load_cycles = 7;
		machine.global.store_cycles = machine.global.l1_cycles = 7;
		machine.global.line_cycles = machine.global.l1_line_cycles = 7;
		machine.shared.scheduler_port_cycles = 7;
		ideal = ideal_machine(&machine, &space);
		global = &ideal->global;
		const uint32_t latency[] = {global->latency_cycles, global->load_cycles,
					    global->store_cycles, global->l1_cycles,
					    ideal->issue->fence_device_cycles};
		const uint32_t bandwidth[] = {global->line_cycles, global->l1_line_cycles};

		for (guint k = 0; k < G_N_ELEMENTS(latency); k++)
			g_assert_cmpuint(latency[k], ==, i == IDEAL_global_latency ? 0 : 7);
		for (guint k = 0; k < G_N_ELEMENTS(bandwidth); k++)
			g_assert_cmpuint(bandwidth[k], ==, i == IDEAL_global_bandwidth ? 0 : 7);
		const bool results = i == IDEAL_instruction_latency;

		g_assert_cmpuint(ideal->issue->latency[CODE_INT], ==, results ? 1 : 7);
		g_assert_cmpuint(ideal->issue->stall[CODE_BRANCH], ==, results ? 0 : 7);
		g_assert_cmpuint(ideal->sm.alu_latency_cycles, ==, results ? 0 : 7);
		g_assert_cmpuint(ideal->issue->latency[CODE_CONSTANT], ==, 7);
		g_assert_cmpuint(ideal->shared.scheduler_port_cycles, ==,
				 i == IDEAL_issue ? 0 : 7);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(function, sentence) g_test_add_func("/causes/" sentence, function)
	TEST(a_pattern_shows_what_it_waits_for_and_nothing_else,
	     "a pattern shows what it waits for and nothing else");
	TEST(skew_shows_at_barriers_and_many_warps_at_issue,
	     "skew shows at barriers and many warps at issue");
	TEST(transposes_wait_for_banks_until_they_are_padded,
	     "transposes wait for banks until they are padded");
	TEST(with_less_to_wait_for_a_run_takes_no_longer,
	     "with less to wait for a run takes no longer");
	TEST(a_run_in_its_own_order_is_the_same, "a run in its own order is the same");
	TEST(causes_are_the_same_on_any_number_of_threads,
	     "causes are the same on any number of threads");
	TEST(causes_are_looked_for_where_somebody_asks_or_the_run_is_short,
	     "causes are looked for where somebody asks or the run is short");
	TEST(an_ideal_takes_what_it_is_of, "an ideal takes what it is of");
	TEST(what_is_ideal_already_is_not_looked_for,
	     "what is ideal already is not looked for");
	return g_test_run();
}
