/* SPDX-License-Identifier: MIT */
#include "model/memory/path-keys.h"

#include <stddef.h>

#include "model/memory/key-parts.h"
#include "model/memory/memory-parameters.h"

static const char *const path_rule_names[N_PATH_RULES] = {"one", "kernel-has-atomic",
							  "all-but-stores"};

static const KeyNames rule_names = {KEY_NAME_LIST(path_rule_names)};

#define ELTEIR "Elteir, Lin, Feng, IEEE Cluster 2011"

const Key path_keys[N_PATH_KEYS] = {
	{.path = "paths.rule",
	 KEY_FIELD(KEY_CHOICE, PathRule, PathParameters, rule),
	 .names = &rule_names,
	 .default_value = "one",
	 .acts_on = KEY_ACTS_GLOBAL_ATOMIC,
	 .doc = "Which of two paths to memory the accesses of a kernel take. one: there is one "
		"path. kernel-has-atomic: all accesses take the complete path if the program "
		"has an atomic that the memory carries out (global.atomic.mechanism), else the "
		"fast path, which the other sections describe. all-but-stores: the same, but "
		"stores take the fast path. HD 5870: the compiler chooses kernel by kernel.",
	 .source = "one path: all GPUs of NVIDIA. HD 5870: " ELTEIR
		   ", II.B; VI.C: stores of what is found go the fast way in string match"},
	{.path = "paths.complete_cycles",
	 KEY_CYCLES(PathParameters, complete_cycles, 1),
	 .default_value = "1500",
	 .needs = "paths.rule",
	 .assumption = true,
	 .doc = "Round trip of any access on the complete path.",
	 .source = "not published; " ELTEIR ", II.B: a load sleeps for hundreds of cycles"},
	{.path = "paths.complete_sector_mclk",
	 KEY_NUMBER(PathParameters, complete_sector_mclk, 0, MAX_MILLI),
	 .unit = "1/1000 L2 clock",
	 .default_value = "12089",
	 .needs = "paths.rule",
	 .doc = "Service time, on the complete path, of a sector all of whose words take part. "
		"Loads and stores are atomics there, in rounds of one lane for every word.",
	 .source = ELTEIR ", II.B: a load copies the old value to a side buffer, as atomics "
			  "do; Fig 1: a copy moves 18 GB/s; 8 slices at 850 MHz"},
	{.path = "paths.result_turns",
	 KEY_NUMBER(PathParameters, result_turns, 1, 16),
	 .unit = "turns",
	 .default_value = "3",
	 .needs = "paths.rule",
	 .assumption = true,
	 .doc = "Turns of l2.sector_mclk for which a lane occupies a word on the complete path "
		"if it gets a result: a load, or an atomic whose result is used. Full sectors "
		"have their own time.",
	 .source = ELTEIR ", II.B: the old value is copied to a buffer (read, written), then "
			  "loaded from there; that all three keep the word is assumed"},
};
