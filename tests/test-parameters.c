/* SPDX-License-Identifier: MIT */
/* Parameters of workloads: what they allow, how problems are told, what the trace records of them. */
#include <cjson/cJSON.h>

#include "base/error.h"
#include "gen-trace.h"
#include "workloads/workload.h"

static void test_seed(void)
{
	const char *const kinds[] = {"uniform", "zipf", "sorted", "warp-sorted", "walk", "hot"};

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		g_autofree char *command = g_strdup_printf("voting distribution=%s hot-lanes=9 "
							   "blocks=2 warps=2 steps=20",
							   kinds[i]);
		g_autofree char *other = g_strconcat(command, " seed=2", NULL);
		g_autoptr(GBytes) first = gen_bytes(command);
		g_autoptr(GBytes) again = gen_bytes(command);
		g_autoptr(TraceReader) one = gen_trace(command);
		g_autoptr(TraceReader) two = gen_trace(other);
		g_autofree char *one_text = records_text(one);
		g_autofree char *two_text = records_text(two);

		g_assert_true(g_bytes_equal(first, again));
		g_assert_cmpstr(one_text, !=, two_text);
	}
}

static void refuse_value(const Workload *workload, const WorkloadOption *option, int64_t value)
{
	g_autofree char *command =
		g_strdup_printf("%s %s=%" G_GINT64_FORMAT, workload->name, option->name, value);
	g_autofree char *pattern = g_strdup_printf(
		"*--%s: '%" G_GINT64_FORMAT "' found; allowed: %" G_GINT64_FORMAT
		" to %" G_GINT64_FORMAT "*",
		option->name, value, option->minimum, option->maximum);

	gen_refused(command, ATOMSIM_ERROR_USAGE, pattern);
}

static void test_ranges(void)
{
	for (guint i = 0; workloads[i]; i++) {
		for (const WorkloadOption *option = workloads[i]->options; option->name;
		     option++) {
			g_autofree char *word = g_strdup_printf(
				"%s %s=perhaps", workloads[i]->name, option->name);
			g_autofree char *pattern = g_strdup_printf(
				"*--%s: 'perhaps' found; allowed: *", option->name);

			if (option->type == WORKLOAD_INTEGER) {
				refuse_value(workloads[i], option, option->minimum - 1);
				refuse_value(workloads[i], option, option->maximum + 1);
			}
			if (option->type <= WORKLOAD_CHOICE)
				gen_refused(word, ATOMSIM_ERROR_USAGE, pattern);
		}
	}
}

static void test_hundredths(void)
{
	const char *const bad[] = {"1.234", "8.01", "-1", ".5", "1,5", "1e1", "", "0x1"};

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autofree char *command = g_strdup_printf("voting exponent=%s", bad[i]);
		gen_refused(command, ATOMSIM_ERROR_USAGE, "--exponent: *0.00 to 8.00*");
	}
	g_autoptr(GBytes) bytes = gen_bytes("voting exponent=8 blocks=1 warps=1 steps=1");
}

static void test_problems(void)
{
	gen_refused("votign", ATOMSIM_ERROR_USAGE, "*'votign'*did you mean 'voting'*");
	gen_refused("xyzzy", ATOMSIM_ERROR_USAGE, "*'xyzzy'; there are: *voting*");
	gen_refused("voting wrds=1", ATOMSIM_ERROR_USAGE,
		    "*no option --wrds; did you mean --words*");
	gen_refused("voting words", ATOMSIM_ERROR_USAGE, "*key=value*");
	gen_refused("voting words=0 warps=65 mapping=diagonal seed=x", ATOMSIM_ERROR_USAGE,
		    "--words*\n--warps*\n--mapping*allowed: cyclic|block\n--seed*");
	gen_refused("histogram", ATOMSIM_ERROR_USAGE, "*needs --image*");
	gen_refused("histogram image=/nowhere/x.pgm", ATOMSIM_ERROR_IO, "/nowhere/x.pgm: *");
	gen_refused("voting op=inc type=s32", ATOMSIM_ERROR_USAGE,
		    "--op inc *--type s32*allowed*");
	gen_refused("voting op=max type=f32", ATOMSIM_ERROR_USAGE,
		    "--op max *--type f32*allowed*");
	gen_refused("voting distribution=lanes words=33", ATOMSIM_ERROR_USAGE, "--words: 33*");
	gen_refused("voting distribution=hot hot-lanes=3 words=1", ATOMSIM_ERROR_USAGE,
		    "--words: 1 *");
}

static void test_too_large(void)
{
	gen_refused("voting warps=1 replicas=33", ATOMSIM_ERROR_USAGE,
		    "--replicas: 33 found; allowed: 1 to 32,*");
	/* 1,048,576 bytes are allowed: exactly, and not a word more. */
	g_autoptr(GBytes) bytes = gen_bytes("voting words=65536 replicas=4 blocks=1 steps=1");
	gen_refused("voting words=52429 replicas=5", ATOMSIM_ERROR_USAGE,
		    "5 copies of 52429 words*1048580 bytes*allowed: up to 1048576");
	gen_refused("voting words=65536 replicas=4 padding=1", ATOMSIM_ERROR_USAGE,
		    "4 copies of 65536 words and 1 of padding*1048588 bytes*");
	gen_refused("voting words=65536 replicas=3 type=u64", ATOMSIM_ERROR_USAGE, "*1572864*");
}

static void test_metadata(void)
{
	g_autoptr(TraceReader) reader =
		gen_trace("voting kernel=full words=32 blocks=3 warps=2 steps=1 seed=7");
	cJSON *object = cJSON_Parse(trace_metadata(reader));
	cJSON *workload = cJSON_GetObjectItem(object, "workload");
	cJSON *grid = cJSON_GetObjectItem(object, "grid");
	cJSON *block = cJSON_GetObjectItem(object, "block");

	g_assert_nonnull(object);
	g_assert_cmpstr(cJSON_GetObjectItem(object, "source")->valuestring, ==, "gen");
	g_assert_cmpstr(cJSON_GetObjectItem(object, "kernel")->valuestring, ==, "voting");
	g_assert_cmpint(cJSON_GetObjectItem(object, "seed")->valueint, ==, 7);
	g_assert_cmpint(cJSON_GetObjectItem(object, "shared_bytes")->valueint, ==, 128);
	g_assert_cmpint(cJSON_GetArrayItem(grid, 0)->valueint, ==, 3);
	g_assert_cmpint(cJSON_GetArrayItem(grid, 2)->valueint, ==, 1);
	g_assert_cmpint(cJSON_GetArrayItem(block, 0)->valueint, ==, 64);
	g_assert_cmpint(cJSON_GetArraySize(cJSON_GetObjectItem(object, "sites")), ==, 3);
	/* Defaults are recorded too: a later version may have others. */
	g_assert_cmpint(cJSON_GetObjectItem(workload, "words")->valueint, ==, 32);
	g_assert_cmpstr(cJSON_GetObjectItem(workload, "mapping")->valuestring, ==, "cyclic");
	g_assert_cmpstr(cJSON_GetObjectItem(workload, "exponent")->valuestring, ==, "1.00");
	cJSON_Delete(object);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name, function) g_test_add_func("/parameters/" name, function)
	TEST("the same seed gives the same bytes and another seed other votes", test_seed);
	TEST("each option of each workload refuses what is out of its range", test_ranges);
	TEST("decimal options take two places and no float", test_hundredths);
	TEST("all problems are told at once, with what is allowed", test_problems);
	TEST("copies beyond the threads or the shared memory are refused", test_too_large);
	TEST("metadata hold launch, sites, seed and every parameter", test_metadata);
	return g_test_run();
}
