/* SPDX-License-Identifier: MIT */
/* Configs that do not load: each error in its exact words, with its place. */
#include <string.h>

#include "config-text.h"
#include "config/keys.h"
#include "config/value.h"
#include "base/error.h"

static void assert_failure(const char *text, const char *expected)
{
	g_autofree char *message = failure_of_text(text, strlen(text), NULL);

	g_assert_cmpstr(message, ==, expected);
}

static void assert_setting_failure(const char *setting, const char *expected)
{
	const char *const settings[] = {setting, NULL};
	g_autofree char *message = failure_of_text("{}", 2, settings);

	g_assert_cmpstr(message, ==, expected);
}

static void assert_failures(const char *const (*cases)[2], guint n_cases)
{
	for (guint i = 0; i < n_cases; i++)
		assert_failure(cases[i][0], cases[i][1]);
}

static void test_texts_that_are_not_json_are_refused_with_their_place(void)
{
	static const char *const cases[][2] = {
		{"", "t.json:1:1: not JSON: there is nothing in it"},
		{" \n ", "t.json:2:2: not JSON: there is nothing in it"},
		{"{", "t.json:1:2: not JSON: the text ends where a key in quotes should be"},
		{"{\"a\"", "t.json:1:5: not JSON: the text ends where ':' should be"},
		{"{\"a\" 1}", "t.json:1:6: not JSON: found '1' where ':' should be"},
		{"{\"a\":}", "t.json:1:6: not JSON: found '}' where a value should be"},
		{"{\"provenance\": {}",
		 "t.json:1:18: not JSON: the text ends where ',' or '}' should be"},
		{"{\n\"a\": {},\n}",
		 "t.json:3:1: not JSON: found '}' where a key in quotes should be"},
		{"{\"a\": [1 2]}",
		 "t.json:1:10: not JSON: found '2' where ',' or ']' should be"},
		{"{\"a\": [1,]}", "t.json:1:10: not JSON: found ']' where a value should be"},
		{"{\"a\": \"b", "t.json:1:9: not JSON: a string lacks its closing quote"},
		{"{\"a\": \"b\nc\"}", "t.json:1:9: not JSON: a string lacks its closing quote"},
		{"{\"a\": \"\t\"}", "t.json:1:8: not JSON: a control character in a string"},
		{"{\"a\": \"\\x\"}", "t.json:1:8: not JSON: an unknown escape in a string"},
		{"{\"a\": \"\\u12g4\"}",
		 "t.json:1:8: not JSON: \\u needs four hexadecimal digits"},
		{"{\"a\": \"\\u0000\"}", "t.json:1:8: not JSON: \\u0000 cannot be in a string"},
		{"{\"a\": \"\\ud800\"}",
		 "t.json:1:8: not JSON: \\u names half of a surrogate pair"},
		{"{\"a\": \"\\udc00\\ud800\"}",
		 "t.json:1:8: not JSON: \\u names half of a surrogate pair"},
		{"{\"\xc3\xa9\": truth}",
		 "t.json:1:7: not JSON: found 't' where a value should be"},
		{"{\"a\": \xc3\xa9}",
		 "t.json:1:7: not JSON: found '\xc3\xa9' where a value should be"},
		{"// no\n{}", "t.json:1:1: not JSON: found '/' where a value should be"},
		{"\xef\xbb\xbf{}",
		 "t.json:1:1: not JSON: it starts with a byte order mark; save it without"},
		{"{\n \"\xff\": 1}", "t.json:2:3: not JSON: a byte that is not UTF-8"},
		{"{} {}", "t.json:1:4: not JSON: found '{' where the end should be"},
		{"[]", "t.json:1:1: found an array; allowed: an object of keys"},
		{"7", "t.json:1:1: found 7; allowed: an object of keys"},
	};

	assert_failures(cases, G_N_ELEMENTS(cases));
}

static void test_nul_bytes_are_refused(void)
{
	static const char text[] = "{}\n\0{}";
	g_autofree char *message = failure_of_text(text, sizeof(text) - 1, NULL);

	g_assert_cmpstr(message, ==, "t.json:2:1: not JSON: a NUL byte");
}

static void test_deep_nesting_and_long_texts_are_refused(void)
{
	g_autofree char *deep = g_malloc0(100001);
	g_autofree char *longer = g_malloc(2000000);
	g_autofree char *message = NULL;

	memset(deep, '[', 100000);
	memset(longer, ' ', 2000000);
	assert_failure(deep, "t.json:1:33: not JSON: nested more than 32 deep");
	message = failure_of_text(longer, 2000000, NULL);
	g_assert_cmpstr(message, ==, "t.json:1:1: not JSON: longer than 1 MiB");
}

static void test_bad_numbers_are_refused(void)
{
	static const char *const cases[][2] = {
		{"{\"clock_mhz\": 01}", "t.json:1:15: /clock_mhz: 01: a number cannot start "
					"with 0; allowed: a number such as 12, -0.5 or 2e3"},
		{"{\"clock_mhz\": 1e999}", "t.json:1:15: /clock_mhz: 1e999: too large for a "
					   "number; allowed: up to 1.7976931348623157e308"},
		{"{\"clock_mhz\": 1.}",
		 "t.json:1:15: /clock_mhz: 1.: not a number: no digit after the point; "
		 "allowed: a number such as 12, -0.5 or 2e3"},
		{"{\"clock_mhz\": 1e+}",
		 "t.json:1:15: /clock_mhz: 1e+: not a number: no digit in the exponent; "
		 "allowed: a number such as 12, -0.5 or 2e3"},
		{"{\"clock_mhz\": +1}", "t.json:1:15: /clock_mhz: +1: not a number; allowed: a "
					"number such as 12, -0.5 or 2e3"},
		{"{\"clock_mhz\": 0x10}", "t.json:1:15: /clock_mhz: 0x10: not a number; "
					  "allowed: a number such as 12, -0.5 or 2e3"},
		{"{\"clock_mhz\": -}", "t.json:1:15: /clock_mhz: -: not a number; allowed: a "
				       "number such as 12, -0.5 or 2e3"},
		{"{\"clock_mhz\": .5}", "t.json:1:15: /clock_mhz: .5: not a number; allowed: a "
					"number such as 12, -0.5 or 2e3"},
		{"{\"clock_mhz\": 1.5}", "t.json:1:15: /clock_mhz: found 1.5; allowed: a whole "
					 "number from 1 to 100000"},
		{"{\"clock_mhz\": 0}",
		 "t.json:1:15: /clock_mhz: found 0; allowed: a whole number from 1 to 100000"},
		{"{\"clock_mhz\": 100001}", "t.json:1:15: /clock_mhz: found 100001; allowed: a "
					    "whole number from 1 to 100000"},
		{"{\"clock_mhz\": -1}",
		 "t.json:1:15: /clock_mhz: found -1; allowed: a whole number from 1 to 100000"},
		{"{\"sim\": {\"watchdog_cycles\": 1000000000001}}",
		 "t.json:1:29: /sim/watchdog_cycles: found 1000000000001; "
		 "allowed: a whole number from 1000 to 1000000000000"},
		{"{\"shared\": {\"bytes\": 1026}}",
		 "t.json:1:22: /shared/bytes: found 1026; allowed: a multiple of 4 from 4 to "
		 "1048576"},
		{"{\"provenance\": {\"a\": [1, 00]}}",
		 "t.json:1:26: /provenance/a/1: 00: a number cannot start with 0; allowed: a "
		 "number such as 12, -0.5 or 2e3"},
	};
	g_autofree char *digits = g_strnfill(70, '1');
	g_autofree char *text = g_strdup_printf("{\"clock_mhz\": %s}", digits);

	assert_failures(cases, G_N_ELEMENTS(cases));
	assert_failure(text,
		       "t.json:1:15: /clock_mhz: 1111111111111111111111111111111111111111...: "
		       "a number of too many digits; allowed: up to 60");
}

static void test_wrong_types_are_refused(void)
{
	static const char *const cases[][2] = {
		{"{\"clock_mhz\": \"1544\"}", "t.json:1:15: /clock_mhz: found \"1544\"; "
					      "allowed: a whole number from 1 to 100000"},
		{"{\"clock_mhz\": null}", "t.json:1:15: /clock_mhz: found null; "
					  "allowed: a whole number from 1 to 100000"},
		{"{\"clock_mhz\": [1]}", "t.json:1:15: /clock_mhz: found an array; "
					 "allowed: a whole number from 1 to 100000"},
		{"{\"name\": 580}",
		 "t.json:1:10: /name: found 580; allowed: a text of one line"},
		{"{\"name\": \"\"}",
		 "t.json:1:10: /name: found \"\"; allowed: a text of one line"},
		{"{\"name\": \"a\\nb\"}",
		 "t.json:1:10: /name: found \"a\\nb\"; allowed: a text of one line"},
		{"{\"sm\": \"\xc3\xa9 text of more than forty characters, cut\"}",
		 "t.json:1:8: /sm: found \"\xc3\xa9 text of more than forty characters, c...; "
		 "allowed: an object of keys"},
		{"{\"sm\": 3}", "t.json:1:8: /sm: found 3; allowed: an object of keys"},
		{"{\"sm\": {\"provenance\": {\"count\": {\"measured\": 3}}}}",
		 "t.json:1:33: /sm/provenance/count: found an object; allowed: an object with "
		 "one "
		 "of measured, published, fitted, assumed, neutral, set and, of them, on, "
		 "rows, "
		 "statistic, spread and error: texts; fitted has an error"},
		{"{\"sm\": {\"provenance\": {\"cuont\": {\"assumed\": \"x\"}}}}",
		 "t.json:1:33: /sm/provenance/cuont: found cuont; allowed: a key of this "
		 "section, "
		 "or a pattern of some"},
		{"{\"sm\": {\"provenance\": 1}}",
		 "t.json:1:23: /sm/provenance: found 1; allowed: an object"},
		{"{\"provenance\": true}",
		 "t.json:1:16: /provenance: found true; allowed: an object"},
		{"{\"description\": 1}", "t.json:1:17: /description: found 1; allowed: a text"},
		{"{\"extends\": {}}",
		 "t.json:1:13: /extends: found an object; allowed: a config's name or path"},
		{"{\"extends\": \"a/b\\r\\nc\"}",
		 "t.json:1:13: /extends: a/b??c: no such file"},
		{"{\"l2\": {\"copied\": 2}}",
		 "t.json:1:19: /l2/copied: unknown key; it is now /launch/l2"},
		{"{\"sm\": {\"two_level_warps\": 0}}",
		 "t.json:1:28: /sm/two_level_warps: found 0; allowed: a whole number from 1 "
		 "to 64"},
		{"{\"sm\": {\"two_level_warps\": 5, \"two_level\": {\"warps\": 6}}}",
		 "t.json:1:28: /sm/two_level_warps: given twice: it is an older name of "
		 "/sm/two_level/warps; allowed: one of them"},
		{"{\"atomic\": {\"lock_bits\": {\"winner\": \"lowestt\"}}}",
		 "t.json:1:37: /atomic/lock_bits/winner: found \"lowestt\"; allowed: "
		 "\"lowest\", "
		 "\"highest\", "
		 "\"rotate\" or \"random\""},
	};
	g_autofree char *allowed = value_allowed(key_find("sm.scheduler"));
	g_autofree char *of_scheduler =
		g_strconcat("t.json:1:22: /sm/scheduler: found 1; allowed: ", allowed, NULL);

	assert_failures(cases, G_N_ELEMENTS(cases));
	assert_failure("{\"sm\": {\"scheduler\": 1}}", of_scheduler);
}

#define HASHES	  "HASHES" /* stands for what value_allowed says of them */
#define BANK_HASH "t.json:1:26: /shared/bank_hash: "

static void test_bad_hashes_are_refused(void)
{
	static const char *const cases[][2] = {
		{"\"matrix\"", "found \"matrix\"; allowed: " HASHES},
		{"3", "found 3; allowed: " HASHES},
		{"{}", "found an object; allowed: " HASHES},
		{"{\"ipoly\": []}", "found an object; allowed: " HASHES},
		{"{\"xor\": [1], \"matrix\": [1]}", "found an object; allowed: " HASHES},
		{"{\"xor\": []}",
		 "\"xor\" is not an array of 1 to 4 numbers; allowed: " HASHES},
		{"{\"xor\": 5}", "\"xor\" is not an array of 1 to 4 numbers; allowed: " HASHES},
		{"{\"xor\": [1,2,3,4,5]}",
		 "\"xor\" is not an array of 1 to 4 numbers; allowed: " HASHES},
		{"{\"xor\": [5, 32]}",
		 "number 2 of \"xor\" is not a whole number from 1 to 31; "
		 "allowed: " HASHES},
		{"{\"matrix\": [4294967296]}",
		 "number 1 of \"matrix\" is not a whole number from "
		 "0 to 4294967295; allowed: " HASHES},
		{"{\"matrix\": [\"0x\"]}", "number 1 of \"matrix\" is not a whole number from "
					   "0 to 4294967295; allowed: " HASHES},
		{"{\"matrix\": [\"12\"]}", "number 1 of \"matrix\" is not a whole number from "
					   "0 to 4294967295; allowed: " HASHES},
		{"{\"matrix\": [1, 2]}",
		 "shared.banks is 32, shared.bank_hash is "
		 "{\"matrix\":[1,2]}; allowed: a matrix of log2 of that "
		 "many rows"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text =
			g_strdup_printf("{\"shared\": {\"bank_hash\": %s}}", cases[i][0]);
		g_autofree char *allowed = value_allowed(key_find("shared.bank_hash"));
		g_autoptr(GString) expected = g_string_new(BANK_HASH);

		g_string_append(expected, cases[i][1]);
		g_string_replace(expected, HASHES, allowed, 0);
		assert_failure(text, expected->str);
	}
}

static void test_unknown_keys_are_refused_with_a_suggestion(void)
{
	static const char *const cases[][2] = {
		{"{\"atomic\": {\"lokcs\": 1}}",
		 "t.json:1:22: /atomic/lokcs: unknown key; did you mean /atomic/locks?"},
		{"{\"locks\": 1}",
		 "t.json:1:11: /locks: unknown key; did you mean /atomic/locks?"},
		{"{\"atomic.locks\": 1}",
		 "t.json:1:18: /atomic.locks: unknown key; did you mean /atomic/locks?"},
		{"{\"atomics\": {}}",
		 "t.json:1:13: /atomics: unknown key; did you mean /atomic?"},
		{"{\"extend\": \"x\"}",
		 "t.json:1:12: /extend: unknown key; did you mean /extends?"},
		{"{\"sm\": {\"extends\": \"x\"}}",
		 "t.json:1:20: /sm/extends: unknown key; 'atomsim --help-config' lists them"},
		{"{\"frobnicate\": 1}",
		 "t.json:1:16: /frobnicate: unknown key; 'atomsim --help-config' lists them"},
		{"{\"\": 1}", "t.json:1:6: /: unknown key; 'atomsim --help-config' lists them"},
		{"{\"q/~\\n\": 1}",
		 "t.json:1:11: /q~1~0\\u000a: unknown key; 'atomsim --help-config' lists them"},
	};

	assert_failures(cases, G_N_ELEMENTS(cases));
}

static void test_duplicate_keys_are_refused(void)
{
	static const char *const cases[][2] = {
		{"{\"clock_mhz\": 1,\n \"clock_mhz\": 1}",
		 "t.json:2:2: /clock_mhz: given twice, first at line 1, column 2"},
		{"{\"sm\": {\"count\": 1, \"\\u0063ount\": 2}}",
		 "t.json:1:21: /sm/count: given twice, first at line 1, column 9"},
		{"{\"provenance\": {\"x\": 1, \"x\": 1}}",
		 "t.json:1:25: /provenance/x: given twice, first at line 1, column 17"},
	};

	assert_failures(cases, G_N_ELEMENTS(cases));
}

#define OUTLAST " of at least sm.issue_cycles and shared.pass_cycles"
#define REST                                                                                   \
	"allowed: a rest of atomic.lock_bits.t_base_cycles, less sm.issue_cycles for the "     \
	"branch," OUTLAST

static void test_rules_between_keys_hold(void)
{
	static const char *const cases[][2] = {
		{"shared.load_cycles=1",
		 "shared.load_cycles is 1, sm.issue_cycles is 2, "
		 "shared.pass_cycles is 2; allowed: shared.load_cycles" OUTLAST},
		{"shared.store_cycles=1",
		 "shared.store_cycles is 1, sm.issue_cycles is 2, shared.pass_cycles is 2; "
		 "allowed: shared.store_cycles" OUTLAST},
		{"atomic.lock_bits.lk_cycles=1",
		 "atomic.lock_bits.lk_cycles is 1, sm.issue_cycles is 2, "
		 "shared.pass_cycles is 2; allowed: atomic.lock_bits.lk_cycles" OUTLAST},
		{"atomic.lock_bits.operation_cycles=1",
		 "atomic.lock_bits.operation_cycles is 1, sm.issue_cycles is 2, "
		 "shared.pass_cycles is 2; "
		 "allowed: atomic.lock_bits.operation_cycles" OUTLAST},
		{"atomic.lock_bits.lk_cycles=87",
		 "atomic.lock_bits.t_base_cycles is 108, atomic.lock_bits.lk_cycles is 87, "
		 "atomic.lock_bits.operation_cycles is 18, sm.issue_cycles is 2; " REST},
		{"atomic.lock_bits.lk_cycles=1000000",
		 "atomic.lock_bits.t_base_cycles is 108, atomic.lock_bits.lk_cycles is "
		 "1000000, "
		 "atomic.lock_bits.operation_cycles is 18, sm.issue_cycles is 2; " REST},
		{"atomic.lock_bits.t_position_cycles=107",
		 "atomic.lock_bits.t_position_cycles is 107, atomic.lock_bits.t_base_cycles is "
		 "108; allowed: "
		 "atomic.lock_bits.t_position_cycles of at least "
		 "atomic.lock_bits.t_base_cycles"},
		{"shared.conflict_latency_cycles=1",
		 "shared.conflict_latency_cycles is 1, shared.pass_cycles is 2; "
		 "allowed: shared.conflict_latency_cycles of at least "
		 "shared.pass_cycles"},
		{"atomic.lock_hash=ipoly", NULL},
		{"atomic.locks=1000", NULL},
		{"sm.max_warps=1", "sm.schedulers is 2, sm.max_warps is 1; allowed: no more "
				   "sm.schedulers than sm.max_warps"},
		{"shared.bytes=64",
		 "shared.allocation_bytes is 128, shared.bytes is 64; allowed: "
		 "shared.allocation_bytes of at most shared.bytes"},
		{"shared.reserved_bytes=49152",
		 "shared.reserved_bytes is 49152, shared.bytes is 49152; allowed: "
		 "shared.reserved_bytes of less than shared.bytes"},
		{"sim.watchdog_cycles=1000000", NULL},
		{"global.latency_cycles=1000000", NULL},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *const settings[] = {cases[i][0], NULL};
		g_autofree char *path = g_strndup(cases[i][0], strcspn(cases[i][0], "="));
		g_autofree char *pointer = key_pointer(key_find(path));
		g_autofree char *expected = NULL;

		if (!cases[i][1]) { /* no rule speaks of this one alone */
			config_free(load_text("{}", settings));
			continue;
		}
		expected =
			g_strdup_printf("--set %s: %s: %s", cases[i][0], pointer, cases[i][1]);
		assert_setting_failure(cases[i][0], expected);
	}
}

/* What no memory side can be. */
static void test_rules_of_the_memory_side_hold(void)
{
	static const char *const cases[][2] = {
		{"{\"l2\": {\"slices\": 0}}",
		 "t.json:1:19: /l2/slices: found 0; allowed: a whole number from 1 to 256"},
		{"{\"l2\": {\"page_slices\": 4}}",
		 "t.json:1:24: /l2/page_slices: l2.page_slices is 4, l2.slices is 1, "
		 "l2.page_bytes is 4096; allowed: l2.page_slices of at most l2.slices"},
		{"{\"l2\": {\"page_bytes\": 384}}",
		 "t.json:1:23: /l2/page_bytes: l2.page_slices is 1, l2.slices is 1, "
		 "l2.page_bytes is 384; allowed: l2.page_bytes a power of two"},
		{"{\"l2\": {\"map\": {\"line_bits\": [1], \"pages\": [[0, 1]], \"group_sms\": "
		 "[1]}}}",
		 "t.json:1:16: /l2/map: l2.map is a map, l2.partitions is 1, l2.slices is 1; "
		 "allowed: as many l2.partitions and l2.slices as the map has"},
		{"{\"l2\": {\"map\": {\"line_bits\": [], \"pages\": [[0]],\n\"group_sms\": "
		 "[]}}}",
		 "t.json:2:14: /l2/map: group_sms: allowed: a group and more"},
		{"{\"network\": {\"one_way_cycles\": 266, \"load_cycles\": 265, "
		 "\"atomic_cycles\": 284}}",
		 "t.json:1:32: /network/one_way_cycles: network.one_way_cycles is 266, "
		 "network.load_cycles is 265, network.atomic_cycles is 284; allowed: "
		 "network.one_way_cycles of at most network.load_cycles and "
		 "network.atomic_cycles"},
		{"{\"network\": {\"load_cycles\": 400, \"one_way_cycles\": 285, "
		 "\"atomic_cycles\": 284}}",
		 "t.json:1:52: /network/one_way_cycles: network.one_way_cycles is 285, "
		 "network.load_cycles is 400, network.atomic_cycles is 284; allowed: "
		 "network.one_way_cycles of at most network.load_cycles and "
		 "network.atomic_cycles"},
		{"{\"global\": {\"model\": \"slices\"}, \"paths\": {\"rule\": "
		 "\"kernel-has-atomic\", \"complete_cycles\": 99}, \"network\": "
		 "{\"load_cycles\": 100, \"atomic_cycles\": 100, \"one_way_cycles\": 100}}",
		 "t.json:1:91: /paths/complete_cycles: paths.complete_cycles is 99, "
		 "network.one_way_cycles is 100, paths.rule is kernel-has-atomic; allowed: "
		 "paths.complete_cycles of at least network.one_way_cycles"},
		{"{\"paths\": {\"rule\": \"kernel-has-atomic\"}}",
		 "t.json:1:20: /paths/rule: paths.rule is kernel-has-atomic, global.model is "
		 "flat; "
		 "allowed: with global.model flat one: flat memory has no paths to "
		 "choose from"},
		{"{\"global\": {\"atomic\": {\"cas_loop\": {\"retry\": \"fifo\"}}}}",
		 "t.json:1:46: /global/atomic/cas_loop/retry: global.atomic.cas_loop.retry is "
		 "fifo; allowed: all, one-winner: the L2 keeps "
		 "no "
		 "queue of lanes"},
		{"{\"global\": {\"model\": \"slices\", \"atomic\": {\"mechanism\": "
		 "\"cas-loop\", \"buffer\": {\"entries\": 4}}}}",
		 "t.json:1:90: /global/atomic/buffer/entries: global.atomic.buffer.entries is "
		 "4, "
		 "global.atomic.mechanism is cas-loop, global.atomic.mechanism_f32 is same, "
		 "global.atomic.mechanism_64bit is same; allowed: no such buffer, or l2: what "
		 "leaves a buffer is one access, and a loop of compare-and-swaps takes "
		 "several"},
		{"{\"global\": {\"atomic\": {\"mechanism_f32\": \"cas-loop\"}}}",
		 "t.json:1:41: /global/atomic/mechanism_f32: global.atomic.mechanism is l2, "
		 "global.atomic.mechanism_f32 is cas-loop, global.atomic.mechanism_64bit is "
		 "same, "
		 "global.model is flat; allowed: with global.model flat l2: flat memory has no "
		 "slices "
		 "that find out whether a word has changed"},
		{"{\"global\": {\"l1_bytes\": 100}}",
		 "t.json:1:25: /global/l1_bytes: found 100; allowed: a multiple of 128 from 0 "
		 "to "
		 "1048576"},
	};

	assert_failures(cases, G_N_ELEMENTS(cases));
}

static void test_rules_blame_the_key_that_was_set_last(void)
{
	const char *const settings[] = {"atomic.lock_hash=ipoly", "atomic.locks=1000", NULL};
	const char *const other[] = {"atomic.lock_hash=xor", NULL};
	const char *text = "{\"atomic\": {\"locks\": 1000}}";
	g_autofree char *first = failure_of_text("{}", 2, settings);
	g_autofree char *second = failure_of_text(text, strlen(text), other);

	g_assert_cmpstr(
		first, ==,
		"--set atomic.locks=1000: /atomic/locks: atomic.locks is 1000, "
		"atomic.lock_hash is ipoly; allowed: a power of two, or the hash \"mod\"");
	g_assert_cmpstr(
		second, ==,
		"--set atomic.lock_hash=xor: /atomic/lock_hash: atomic.locks is 1000, "
		"atomic.lock_hash is xor; allowed: a power of two, or the hash \"mod\"");
	/* Of a config that is changed later, too. */
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = config_load_text("t.json", text, strlen(text), NULL, NULL);

	g_assert_null(config_with(config, other, &error));
	g_assert_cmpstr(error->message, ==, second);
}

static void test_rules_blame_the_first_of_keys_set_together(void)
{
	assert_failure(
		"{\"atomic\": {\"lock_hash\": \"xor\", \"locks\": 1000}}",
		"t.json:1:42: /atomic/locks: atomic.locks is 1000, atomic.lock_hash is xor; "
		"allowed: a power of two, or the hash \"mod\"");
}

static void test_rules_leave_out_keys_that_are_wrong_themselves(void)
{
	assert_failure("{\"atomic\": {\"lock_bits\": {\"t_base_cycles\": \"x\", "
		       "\"t_position_cycles\": 50}}}",
		       "t.json:1:44: /atomic/lock_bits/t_base_cycles: found \"x\"; "
		       "allowed: a whole number from 1 to 1000000");
}

static void test_the_watchdog_outlasts_every_wait(void)
{
	const char *const settings[] = {"global.latency_cycles=2000",
					"sim.watchdog_cycles=2000", NULL};
	g_autofree char *message = failure_of_text("{}", 2, settings);

	g_assert_cmpstr(
		message, ==,
		"--set sim.watchdog_cycles=2000: /sim/watchdog_cycles: sim.watchdog_cycles "
		"is 2000; allowed: more than any other key in cycles");
}

static void test_settings_without_key_and_value_are_wrong_usage(void)
{
	static const char *const cases[][2] = {
		{"foo", "--set foo: allowed: KEY=VALUE, such as atomic.locks=512"},
		{"=1", "--set =1: allowed: KEY=VALUE, such as atomic.locks=512"},
		{"a\nb\xff=1", "--set a b\xef\xbf\xbd=1: allowed: KEY=VALUE, such as "
			       "atomic.locks=512"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *const settings[] = {cases[i][0], NULL};
		g_autoptr(GError) error = NULL;

		g_assert_null(config_load_text("t.json", "{}", 2, settings, &error));
		g_assert_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE);
		g_assert_cmpstr(error->message, ==, cases[i][1]);
	}
}

static void test_bad_settings_are_refused(void)
{
	static const char *const cases[][2] = {
		{"atomic.locks=", "--set atomic.locks=: not JSON: there is nothing in it"},
		{"atomic.locks=many", "--set atomic.locks=many: /atomic/locks: found \"many\"; "
				      "allowed: a whole number from 1 to 65536"},
		{"atomic.locks=012", "--set atomic.locks=012: 012: a number cannot start with "
				     "0; allowed: a number such as 12, -0.5 or 2e3"},
		{"atomic.locks=1 2",
		 "--set atomic.locks=1 2: not JSON: found '2' where the end should be"},
		{"atomic.lock=1",
		 "--set atomic.lock=1: /atomic/lock: unknown key; did you mean /atomic/locks?"},
		{"locks=1", "--set locks=1: /locks: unknown key; did you mean /atomic/locks?"},
		{"sm=1", "--set sm=1: /sm: found 1; allowed: an object of keys"},
		{"sm={\"cout\": 1}",
		 "--set sm={\"cout\": 1}: /sm/cout: unknown key; did you mean /sm/count?"},
		{"extends=x.json", "--set extends=x.json: /extends: unknown key; "
				   "'atomsim --help-config' lists them"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_setting_failure(cases[i][0], cases[i][1]);
}

static void test_all_problems_are_reported_at_once(void)
{
	const char *const settings[] = {"sm.cout=1", "sm.count=0", NULL};
	const char *text =
		"{\"clock_mhz\": 01, \"foo\": 1,\n"
		" \"atomic\": {\"locks\": 0, \"locks\": 8},\n"
		" \"shared\": {\"conflict_latency_cycles\": 1, \"load_cycles\": 1.5}} x";
	g_autofree char *message = failure_of_text(text, strlen(text), settings);

	g_assert_cmpstr(
		message, ==,
		"t.json:1:15: /clock_mhz: 01: a number cannot start with 0; allowed: a number "
		"such as 12, -0.5 or 2e3\n"
		"t.json:2:25: /atomic/locks: given twice, first at line 2, column 13\n"
		"t.json:3:64: not JSON: found 'x' where the end should be\n"
		"t.json:1:26: /foo: unknown key; 'atomsim --help-config' lists them\n"
		"t.json:2:22: /atomic/locks: found 0; allowed: a whole number from 1 to 65536\n"
		"t.json:3:58: /shared/load_cycles: found 1.5; "
		"allowed: a whole number from 1 to 1000000\n"
		"--set sm.cout=1: /sm/cout: unknown key; did you mean /sm/count?\n"
		"--set sm.count=0: /sm/count: found 0; allowed: a whole number from 1 to 1024\n"
		"t.json:3:40: /shared/conflict_latency_cycles: shared.conflict_latency_cycles "
		"is 1, "
		"shared.pass_cycles is 2; allowed: shared.conflict_latency_cycles of at least "
		"shared.pass_cycles");
}

static void test_more_than_100_problems_are_counted(void)
{
	g_autoptr(GString) text = g_string_new("{\"a0\": 0");
	g_autofree char *message = NULL;
	g_auto(GStrv) lines = NULL;

	for (guint i = 1; i < 5000; i++)
		g_string_append_printf(text, ", \"a%u\": 0", i);
	g_string_append_c(text, '}');
	message = failure_of_text(text->str, text->len, NULL);
	lines = g_strsplit(message, "\n", -1);
	g_assert_cmpuint(g_strv_length(lines), ==, 101);
	g_assert_cmpstr(lines[100], ==, "and 4900 more problems");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/config-errors/texts-that-are-not-json-are-refused-with-their-place",
			test_texts_that_are_not_json_are_refused_with_their_place);
	g_test_add_func("/config-errors/nul-bytes-are-refused", test_nul_bytes_are_refused);
	g_test_add_func("/config-errors/deep-nesting-and-long-texts-are-refused",
			test_deep_nesting_and_long_texts_are_refused);
	g_test_add_func("/config-errors/bad-numbers-are-refused", test_bad_numbers_are_refused);
	g_test_add_func("/config-errors/wrong-types-are-refused", test_wrong_types_are_refused);
	g_test_add_func("/config-errors/bad-hashes-are-refused", test_bad_hashes_are_refused);
	g_test_add_func("/config-errors/unknown-keys-are-refused-with-a-suggestion",
			test_unknown_keys_are_refused_with_a_suggestion);
	g_test_add_func("/config-errors/duplicate-keys-are-refused",
			test_duplicate_keys_are_refused);
	g_test_add_func("/config-errors/rules-between-keys-hold", test_rules_between_keys_hold);
	g_test_add_func("/config-errors/rules-of-the-memory-side-hold",
			test_rules_of_the_memory_side_hold);
	g_test_add_func("/config-errors/rules-blame-the-key-that-was-set-last",
			test_rules_blame_the_key_that_was_set_last);
	g_test_add_func("/config-errors/rules-blame-the-first-of-keys-set-together",
			test_rules_blame_the_first_of_keys_set_together);
	g_test_add_func("/config-errors/rules-leave-out-keys-that-are-wrong-themselves",
			test_rules_leave_out_keys_that_are_wrong_themselves);
	g_test_add_func("/config-errors/the-watchdog-outlasts-every-wait",
			test_the_watchdog_outlasts_every_wait);
	g_test_add_func("/config-errors/bad-settings-are-refused",
			test_bad_settings_are_refused);
	g_test_add_func("/config-errors/settings-without-key-and-value-are-wrong-usage",
			test_settings_without_key_and_value_are_wrong_usage);
	g_test_add_func("/config-errors/all-problems-are-reported-at-once",
			test_all_problems_are_reported_at_once);
	g_test_add_func("/config-errors/more-than-100-problems-are-counted",
			test_more_than_100_problems_are_counted);
	return g_test_run();
}
