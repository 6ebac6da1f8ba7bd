/* SPDX-License-Identifier: MIT */
/*
 * Whole runs: a trace of several blocks and warps (trace-input.h) on every shipped machine, as it is and changed, and what
 * must hold for all of them (../laws.h). Of the head's own bytes
 *   0  INPUT_OWN_BITS: index into machines
 *   3  index into variants
 *   4  index into what_ifs
 *   5  the seed
 * Some checks cost as much as many runs. A share of the inputs has them, drawn by the input's hash, so that an input that
 * fails does so again; as a test, where inputs are few, all have all.
 */
#include "fuzz-tools.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "config/config.h"
#include "explore/advise/advise.h"
#include "replay/causes.h"
#include "replay/replay.h"
#include "replay/what-if.h"
#include "trace-input.h"

#include "../laws-units.h"
#include "../laws.h"

#define MAX_INSTRUCTIONS 4000 /* of a trace: a record can stand for 2^32 */
#define MAX_TELLS	 3000 /* times that a run tells how far it is: the longest are given up */

static const char *const machines[] = {"h200.json", "fermi.json", "a100.json", "gtx1080.json",
				       "hd5870.json"};

/* Settings of one word each, of a machine as it is the first. */
#define MAX_SETTINGS 8
static const char *const variants[][MAX_SETTINGS] = {
	{NULL},
	{"sm.count=1", NULL},
	{"sm.count=2", "sm.max_blocks=2", NULL},
	{"sm.count=1", "global.model=slices", "global.atomic.mechanism=coordinator", NULL},
	{"sm.count=2", "global.model=slices", "global.atomic.mechanism=cas-loop", NULL},
	{"global.model=flat", "paths.rule=one", "global.atomic.mechanism=l2",
	 "global.atomic.mechanism_f32=same", "sm.count=3", NULL},
	{"atomic.mechanism=lock-bits", "atomic.locks=4", "sm.count=2", NULL},
	{"global.model=slices", "sm.scoreboard=0", NULL},
	{"sm.scheduler=gto", "atomic.mechanism=cas-loop", "sm.count=1", NULL},
	{"sm.scheduler=two-level", "sm.schedulers=3", "global.model=slices", NULL},
	{"sm.scheduler=gty", "atomic.mechanism=lock-bits", "atomic.lock_bits.winner=random",
	 NULL},
	{"atomic.mechanism=none", "shared.queue=2", "sm.count=1", NULL},
	{"atomic.mechanism=native", "shared.bank_hash=xor", "sm.count=2", NULL},
	/* What designs have of their own; new ones come last, and what older inputs mean stays. */
	{"atomic.merge.threshold=2", "sm.count=2", NULL},
	{"atomic.merge.threshold=3", "atomic.merge.order=serial",
	 "global.atomic.merge.threshold=2", "global.model=slices", "sm.count=1", NULL},
	{"global.model=slices", "global.atomic.mechanism=l2",
	 "global.atomic.mechanism_f32=same", "global.atomic.buffer.entries=4",
	 "global.atomic.buffer.per=scheduler", "global.atomic.buffer.order=address",
	 "sm.count=2", NULL},
	{"global.model=slices", "global.atomic.mechanism=l2",
	 "global.atomic.mechanism_f32=same", "global.atomic.buffer.entries=3",
	 "global.atomic.buffer.per=sm", "global.atomic.buffer.entry=line",
	 "global.atomic.buffer.evict=oldest", NULL},
	{"atomic.mechanism=lock-bits", "atomic.locks=16", "atomic.lock_bits.back_off_cycles=9",
	 "atomic.lock_bits.ports=1", "sm.count=1", NULL},
	{"atomic.mechanism=lock-bits", "atomic.locks=8", "atomic.lock_bits.retry=fifo",
	 "atomic.lock_bits.ports=2", NULL},
	{"atomic.mechanism=lock-bits", "atomic.locks=8", "atomic.lock_bits.retry=one-winner",
	 "sm.count=2", NULL},
	{"atomic.mechanism=cas-loop", "atomic.cas_loop.retry=fifo", "sm.count=1", NULL},
	{"atomic.mechanism_f32=cas-loop", "atomic.cas_loop.back_off_cycles=9", "sm.count=2",
	 NULL},
};

static const char *const what_ifs[] = {
	NULL,
	NULL,
	NULL,
	NULL,
	"replicate=4,pad=1",
	"replicate=2,map=block",
	"replicate=3,map=warp",
	"replicate=4,site=1",
	"pad=4:1",
	"pad=32:3",
	"aggregate=warp",
	"aggregate=warp,bytes=0..63",
	"hash=xor",
	"type=u32",
	"type=s32",
	"scatter=7",
	"mechanism=native",
	"mechanism=lock-bits",
	"mechanism=none",
	"mechanism=cas-loop",
	"private=thread",
	"private=thread,buffer=1",
	"private=block,words=reached,buffer=1",
};

/* --- Shares --- */

typedef enum { SHARE_BASELINE, SHARE_THREADS, SHARE_ALL_SMS, SHARE_ADVISE, SHARE_IDEAL } Share;

#ifdef ATOMSIM_FUZZING
static const guint one_in[] = {4, 8, 4, 64, 4};
#else
static const guint one_in[] = {1, 1, 1, 1, 1};
#endif

static gboolean in_share(uint64_t hash, Share share)
{
	return (hash >> 12 * share) % one_in[share] == 0;
}

/* --- Machines: made once each, for configs take longer than runs --- */

static Config *load(unsigned machine, unsigned variant)
{
	g_autoptr(GPtrArray) settings = g_ptr_array_new();
	g_autofree char *path =
		g_build_filename(g_getenv("SOURCE"), "configs", machines[machine], NULL);
	g_autoptr(GError) error = NULL;
	Config *config;

	for (guint i = 0; i < MAX_SETTINGS && variants[variant][i] != NULL; i++)
		g_ptr_array_add(settings, (char *)variants[variant][i]);
	g_ptr_array_add(settings, (char *)"sim.watchdog_cycles=20000");
	g_ptr_array_add(settings, NULL);
	config = config_load(path, (const char *const *)settings->pdata, &error);
	if (config == NULL)
		g_error("%s", error->message);
	return config;
}

/* With what a what-if changes of the machine. NULL: it cannot. */
static const Config *config_of(unsigned machine, unsigned variant, unsigned what_if,
			       const WhatIf *change)
{
	static Config *configs[G_N_ELEMENTS(machines)][G_N_ELEMENTS(variants)]
			      [G_N_ELEMENTS(what_ifs)];
	static gboolean cannot[G_N_ELEMENTS(machines)][G_N_ELEMENTS(variants)]
			      [G_N_ELEMENTS(what_ifs)];
	Config **config = &configs[machine][variant][what_if];
	g_autoptr(GError) error = NULL;

	if (*config != NULL || cannot[machine][variant][what_if])
		return *config;
	if (change == NULL) {
		*config = load(machine, variant);
	} else {
		*config = replay_config(config_of(machine, variant, 0, NULL), change, &error);
		fuzz_check_error(*config != NULL, error);
		cannot[machine][variant][what_if] = *config == NULL;
	}
	return *config;
}

/* --- What must hold --- */

static void must_be_null(char *problem)
{
	if (problem == NULL)
		return;
	g_printerr("a law is broken: %s\n", problem);
	abort(); /* a signal that libFuzzer takes for a crash, unlike g_error's */
}

/* With one thing ideal, or without contention, a run takes no longer, in its own order of warps or in one of the run: but for one in
   so many, which are counted, reported at the end, and fatal beyond that. Reports say that such a cause has no gain. Of random
   changes of the seeds 57 of 99,081 were longer; before swaps kept their outcomes and ports their place, 139 of 98,715. What a
   fuzzer keeps are odd programs all: of two such corpora 157 of 20,747 and 103 of 9,523 were, before. */
#define LONGER_ONE_IN 250

typedef struct {
	uint64_t n, n_longer;
} Checked;

static Checked without_contention, with_ideal[N_IDEALS];

static void report_one(const char *what, const Checked *checked)
{
	if (checked->n > 0)
		g_printerr("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			   " runs were longer without %s\n",
			   checked->n_longer, checked->n, what);
}

static void report_longer(void)
{
	uint64_t n = without_contention.n, n_longer = without_contention.n_longer;

	report_one("contention", &without_contention);
	for (guint i = 0; i < N_IDEALS; i++) {
		report_one(ideal_words[i], &with_ideal[i]);
		n += with_ideal[i].n;
		n_longer += with_ideal[i].n_longer;
	}
	if (n_longer > 1 + n / LONGER_ONE_IN)
		abort();
}

static void count_longer(Checked *checked, char *problem)
{
	static gboolean is_told;

	if (!is_told)
		atexit(report_longer);
	is_told = TRUE;
	checked->n++;
	checked->n_longer += problem != NULL;
	if (g_getenv("ATOMSIM_FUZZ_STRICT") != NULL)
		must_be_null(problem);
	g_free(problem);
}

static uint64_t n_tells;

static bool tell(void *data, uint64_t done, uint64_t all)
{
	(void)data;
	(void)done;
	(void)all;
	return ++n_tells < MAX_TELLS;
}

/* FALSE: it was given up. */
static gboolean run(const Replay *request, ReplayResult *result, gboolean *good, GError **error)
{
	n_tells = 0;
	*good = replay_run(request, result, error);
	fuzz_check_error(*good, *error);
	return n_tells < MAX_TELLS;
}

static void hold_laws(const Replay *request, const SimResult *result, const GArray *sites,
		      const TraceSummary *summary)
{
	must_be_null(laws_broken(result, sites));
	if (summary != NULL)
		must_be_null(laws_not_of_trace(result, summary,
					       trace_source(request->reader)->kernel.dataflow !=
						       NULL));
	must_be_null(laws_too_short(request->machine, result));
}

/* What memory holds before it is set changes nothing: `byte` and its complement where the C library can be told to write them. */
static void fill_memory(int byte)
{
#ifdef M_PERTURB
	mallopt(M_PERTURB, byte);
#else
	(void)byte;
#endif
}

/* The same again on two threads, with each SM simulated, or watched. */
static void run_again(Replay request, const ReplayResult *result, gboolean good,
		      const GError *error, const UnitsWatch *units)
{
	g_auto(ReplayResult) again = {0};
	g_autoptr(GError) other = NULL;
	gboolean good_again, ended;

	fill_memory(0x5a);
	ended = run(&request, &again, &good_again, &other);
	fill_memory(0);
	if (!ended)
		return;
	g_assert(good == good_again);
	if (good)
		must_be_null(laws_differ(&result->run, &again.run));
	else
		g_assert_cmpstr(error->message, ==, other->message);
	if (good && units != NULL)
		must_be_null(units_too_short(units, &again.run));
}

/* With each SM simulated: no unit of it works for longer than the run takes. */
static void run_watched(Replay request, const ReplayResult *result, gboolean good,
			const GError *error)
{
	UnitsWatch *units = units_watch_new(request.machine);

	request.all_sms = TRUE;
	request.observer = units_watch_observer(units);
	run_again(request, result, good, error, units);
	units_watch_free(units);
}

/* The same with one thing ideal that can have cost it anything, drawn: whatever is ideal, the laws hold. */
static void run_ideal(const Replay *replay, const SimResult *real, const TraceSummary *summary,
		      uint64_t draw)
{
	const SimRequest request = {
		.machine = replay->machine,
		.source =
			replay->source != NULL ? replay->source : trace_source(replay->reader),
		.seed = replay->seed,
		.n_threads = 1,
		.n_sites = trace_n_sites(replay->reader),
		.progress = tell,
	};
	IdealRuns runs = {.request = &request, .run = real};
	g_autofree IdealRun *ideal = g_new(IdealRun, 1);
	Replay changed = *replay;
	unsigned i = draw % N_IDEALS, n = 0;

	while (n < N_IDEALS && !cause_applies(i, replay->machine, real)) {
		i = (i + 1) % N_IDEALS;
		n++;
	}
	if (n == N_IDEALS)
		return;
	ideal->machine = machine_with_ideal(replay->machine, i);
	changed.machine = &ideal->machine;
	n_tells = 0;
	if (ideal_runs_make(&runs, ideal, 1) && ideal->result.status == SIM_OK) {
		hold_laws(&changed, &ideal->result, NULL, summary);
		count_longer(&with_ideal[i], laws_faster_with_contention(real, &ideal->result));
	}
	ideal_runs_clear(&runs);
}

static void replay(Replay *request, const TraceSummary *summary, uint64_t hash)
{
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) error = NULL;
	gboolean good;

	request->n_threads = 1;
	request->progress = tell;
	request->baseline = in_share(hash, SHARE_BASELINE);
	if (!run(request, &result, &good, &error))
		return;
	if (good)
		hold_laws(request, &result.run, result.sites, summary);
	if (result.has_baseline) {
		hold_laws(request, &result.baseline, NULL, summary);
		count_longer(&without_contention,
			     laws_faster_with_contention(&result.run, &result.baseline));
	}
	if (good && in_share(hash, SHARE_IDEAL))
		run_ideal(request, &result.run, summary, hash >> 20);
	request->baseline = FALSE;
	if (in_share(hash, SHARE_THREADS)) {
		request->n_threads = 2;
		run_again(*request, &result, good, error, NULL);
	}
	request->n_threads = 1;
	if (in_share(hash, SHARE_ALL_SMS))
		run_watched(*request, &result, good, error);
}

static void ask_for_advice(const Config *config, TraceReader *reader)
{
	g_auto(AdviceReport) report = {0};
	g_autoptr(GError) error = NULL;
	const AdviceRequest request = {
		.config = config, .reader = reader, .n_threads = 1, .progress = tell};
	gboolean good;

	n_tells = 0;
	good = advise(&request, &report, &error);
	if (n_tells < MAX_TELLS)
		fuzz_check_error(good, error);
}

static void replay_on(const uint8_t *head, TraceReader *reader, const TraceSummary *summary,
		      uint64_t hash)
{
	const unsigned machine = (head[0] & INPUT_OWN_BITS) % G_N_ELEMENTS(machines);
	const unsigned variant = head[3] % G_N_ELEMENTS(variants);
	const unsigned what_if = head[4] % G_N_ELEMENTS(what_ifs);
	g_autoptr(WhatIf) change = NULL;
	g_auto(ChangedSource) changed = {0};
	g_autoptr(GError) error = NULL;
	Replay request = {.reader = reader, .seed = head[5], .sites = true};
	const Config *config;

	if (what_ifs[what_if] != NULL) {
		change = what_if_new();
		g_assert(what_if_add(change, what_ifs[what_if], NULL));
	}
	config = config_of(machine, variant, what_if, change);
	if (config == NULL)
		return;
	request.machine = config_machine(config);
	if (change != NULL) {
		if (!replay_change(reader, change, &changed, &error)) {
			fuzz_check_error(FALSE, error);
			return;
		}
		request.source = changed.source;
	}
	replay(&request, change == NULL ? summary : NULL, hash);
	if (change == NULL && in_share(hash, SHARE_ADVISE))
		ask_for_advice(config, reader);
}

/* Whether all of a trace is good, and short enough to be run. */
static gboolean is_good(TraceReader *reader, TraceSummary *summary)
{
	const uint64_t n_blocks = trace_source(reader)->n_blocks;
	g_autoptr(TraceCheck) check = trace_check_new(reader, 10);

	for (uint64_t block = 0; block < n_blocks; block++)
		trace_check_block(check, block);
	trace_check_end(check);
	if (trace_check_n_problems(check) > 0)
		return FALSE;
	for (uint64_t block = 0; block < n_blocks; block++)
		g_assert(trace_summary_add(summary, reader, block, NULL));
	return summary->instructions <= MAX_INSTRUCTIONS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GBytes) bytes = trace_input_file(data, size, input_metadata);
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = NULL;
	TraceSummary summary = {0};

	if (bytes == NULL)
		return 0;
	reader = trace_open_bytes("fuzz", bytes, &error);
	fuzz_check_error(reader != NULL, error);
	if (reader != NULL && is_good(reader, &summary))
		replay_on(data, reader, &summary, XXH64(data, size, 0));
	return 0;
}

#ifdef ATOMSIM_FUZZING
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return trace_input_mutate(data, size, max_size, seed, LLVMFuzzerMutate);
}
#endif
