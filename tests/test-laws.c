/* SPDX-License-Identifier: MIT */
/* The laws that the table of statistics states, held against replays of shipped traces. */
#include <string.h>

#include "config/config.h"
#include "random-program.h"
#include "replay/replay.h"
#include "report/fields.h"
#include "sim/run.h"

static uint64_t count_of(const cJSON *item)
{
	g_assert_true(cJSON_IsRaw(item) || cJSON_IsNumber(item));
	return cJSON_IsRaw(item) ? g_ascii_strtoull(item->valuestring, NULL, 10)
				 : (uint64_t)item->valuedouble;
}

/* A number, the value of a path, or for "group.*" the sum of the group's. */
static uint64_t term_value(const cJSON *report, const char *term)
{
	g_auto(GStrv) keys = g_strsplit(term, ".", -1);
	const cJSON *item = report, *child;
	uint64_t sum = 0;

	if (g_ascii_isdigit(*term))
		return g_ascii_strtoull(term, NULL, 10);
	for (guint i = 0; keys[i] != NULL && strcmp(keys[i], "*") != 0; i++) {
		item = cJSON_GetObjectItemCaseSensitive(item, keys[i]);
		if (item == NULL)
			g_test_message("no key %s", term);
		g_assert_nonnull(item);
	}
	if (!cJSON_IsObject(item))
		return count_of(item);
	cJSON_ArrayForEach(child, item) sum += count_of(child);
	return sum;
}

static gboolean law_holds(const cJSON *report, const char *law)
{
	gboolean at_least = strstr(law, " >= ") != NULL;
	g_auto(GStrv) sides = g_strsplit(law, at_least ? " >= " : " = ", 2);
	g_auto(GStrv) terms = g_strsplit(sides[1], " + ", -1);
	uint64_t sum = 0;

	for (guint i = 0; terms[i] != NULL; i++)
		sum += term_value(report, terms[i]);
	return at_least ? term_value(report, sides[0]) >= sum
			: term_value(report, sides[0]) == sum;
}

/* The report of a shipped trace on a shipped config. cJSON_Delete. */
static cJSON *report_of(const char *config_name, const char *trace)
{
	g_autofree char *config_path =
		g_build_filename(g_getenv("SOURCE"), "configs", config_name, NULL);
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), "traces", trace, NULL);
	g_autoptr(Config) config = config_load(config_path, NULL, NULL);
	g_autoptr(TraceReader) reader = trace_open(path, NULL);
	g_auto(ReplayResult) result = {0};
	Replay replay = {.machine = config_machine(config), .reader = reader, .n_threads = 1};
	RunReport report = {.machine = replay.machine, .result = &result.run, .wall_s = -1};

	g_assert_nonnull(reader);
	g_assert_true(replay_run(&replay, &result, NULL));
	return report_object(&report);
}

/* Each law that does not hold fails the test. `what` names the report. */
static void hold_laws(const cJSON *report, const char *what, const char *config_name)
{
	for (guint i = 0; i < n_report_fields; i++) {
		const char *law = report_fields[i].law;

		if (law != NULL && !law_holds(report, law)) {
			g_test_message("%s on %s: %s", what, config_name, law);
			g_test_fail();
		}
	}
}

static void test_laws(gconstpointer config_name)
{
	static const char *const traces[] = {"histogram.bin", "kmeans-float.bin",
					     "kmeans-lock-dimension.bin", "hashtable.bin",
					     "transpose.bin"};

	for (guint t = 0; t < G_N_ELEMENTS(traces); t++) {
		cJSON *report = report_of(config_name, traces[t]);

		hold_laws(report, traces[t], config_name);
		cJSON_Delete(report);
	}
}

/* What the programs of a test have had. */
typedef struct {
	guint atomics[N_VALUE_TYPES][2]; /* without and with result */
	guint kinds[N_RECORD_KINDS];
} Seen;

static void look_at(const ListSource *list, Seen *seen)
{
	for (uint64_t i = 0; i < list->source.n_blocks * list->n_warps; i++)
		for (guint k = 0; k < list->warps[i]->len; k++) {
			const Record *record = &g_array_index(list->warps[i], Record, k);

			seen->kinds[record->kind]++;
			if (record->kind == RECORD_ATOM)
				seen->atomics[record->type][record->result]++;
		}
}

static void test_laws_of_random_programs(gconstpointer config_name)
{
	static const RecordKind kinds[] = {RECORD_LDS,	RECORD_STS,   RECORD_LDG,  RECORD_STG,
					   RECORD_ATOM, RECORD_ATOMG, RECORD_LOCK, RECORD_BAR};
	g_autofree char *path =
		g_build_filename(g_getenv("SOURCE"), "configs", config_name, NULL);
	g_autoptr(Config) config = config_load(path, NULL, NULL);
	g_autoptr(GRand) rand = g_rand_new_with_seed(9);
	Seen seen = {0};

	for (int trial = 0; trial < 20; trial++) {
		g_autoptr(ListSource) list = random_program(rand, 5, 6, 32);
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1,
				      .n_sites = PROGRAM_SITES};
		SimResult result;
		RunReport report = {
			.machine = request.machine, .result = &result, .wall_s = -1};
		cJSON *object;

		look_at(list, &seen);
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		object = report_object(&report);
		hold_laws(object, "a random program", config_name);
		cJSON_Delete(object);
	}
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		g_assert_cmpuint(seen.kinds[kinds[i]], >, 0);
	for (guint type = 0; type < N_VALUE_TYPES; type++)
		for (guint result = 0; result < 2; result++)
			g_assert_cmpuint(seen.atomics[type][result], >, 0);
}

/* A law that does not hold is found out, whichever side is wrong. */
static void test_a_broken_law_is_seen(void)
{
	cJSON *report = cJSON_Parse("{\"a\": 5, \"b\": {\"x\": 2, \"y\": 3}, \"c\": 1}");

	g_assert_true(law_holds(report, "a = b.*"));
	g_assert_true(law_holds(report, "a = b.x + b.y"));
	g_assert_false(law_holds(report, "a = b.* + c"));
	g_assert_false(law_holds(report, "c = 0"));
	cJSON_Delete(report);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/laws/hold on fermi.json", "fermi.json", test_laws);
	g_test_add_data_func("/laws/hold on h200.json", "h200.json", test_laws);
	g_test_add_data_func("/laws/hold for random programs on fermi.json", "fermi.json",
			     test_laws_of_random_programs);
	g_test_add_data_func("/laws/hold for random programs on h200.json", "h200.json",
			     test_laws_of_random_programs);
	g_test_add_func("/laws/a broken law is seen", test_a_broken_law_is_seen);
	return g_test_run();
}
