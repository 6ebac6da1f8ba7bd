/* SPDX-License-Identifier: MIT */
/* Spin locks in global memory: one holder at a time over all SMs, every lane through once, on any number of threads. */
#include <glib.h>
#include <string.h>

#include "config/config.h"
#include "list-source.h"
#include "sim/run/observer.h"
#include "sim/run/run.h"

#define N_BLOCKS 3
#define N_WARPS	 2 /* of a block */
#define N_WORDS	 5 /* that 32 lanes take in turn */

/* A lane's section: its store to the word under the lock, and the release. */
typedef struct {
	Cycle at;
	uint32_t word;
	bool release;
} Touch;

typedef struct {
	Observer observer;
	GArray *touches;
} Watcher;

static void watch(Observer *observer, const Instruction *instruction)
{
	Watcher *watcher = (Watcher *)observer;
	const Record *record = instruction->record;

	if (record->kind != RECORD_STG && record->kind != RECORD_UNLOCK)
		return;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		Touch touch = {instruction->issue, record->address[i] / 4,
			       record->kind == RECORD_UNLOCK};

		g_array_append_val(watcher->touches, touch);
	}
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const Touch *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* A shipped config; where none is found, what is missing is said. */
static Config *load(const char *name, const char *const *settings)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, settings, &error);

	g_assert_no_error(error);
	return config;
}

static Record global_record(RecordKind kind)
{
	uint32_t words[32];
	Record record;

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i % N_WORDS;
	record = list_record(kind, words, 32);
	record.space = MEMORY_GLOBAL;
	record.buffer = 1;
	record.width = 4;
	record.cache = CACHE_BYPASS;
	return record;
}

/* Every warp locks, stores to the word, works, and unlocks, twice. */
static ListSource *program(void)
{
	static const uint64_t bytes[] = {4096};
	ListSource *list = list_source_new(N_BLOCKS, N_WARPS, 64);
	Record lock = global_record(RECORD_LOCK), store = global_record(RECORD_STG),
	       unlock = global_record(RECORD_UNLOCK), work = list_plain(RECORD_ALU, 10);

	for (uint32_t i = 0; i < N_BLOCKS * N_WARPS * 2; i++) {
		const Record *const records[] = {&lock, &store, &work, &unlock};

		for (uint32_t r = 0; r < G_N_ELEMENTS(records); r++)
			list_source_append(list, i / 2 / N_WARPS, i / 2 % N_WARPS, records[r]);
	}
	list->source.kernel.lock_sections = true;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = bytes;
	return list;
}

static void run(const Machine *machine, Observer *observer, uint32_t n_threads,
		SimResult *result)
{
	g_autoptr(ListSource) list = program();
	SimRequest request = {.machine = machine,
			      .source = &list->source,
			      .n_threads = n_threads,
			      .observer = observer};

	sim_run(&request, result);
}

static void test_one_holder_at_a_time(void)
{
	g_autoptr(Config) config = load("h200.json", NULL);
	g_autoptr(GArray) touches = g_array_new(FALSE, FALSE, sizeof(Touch));
	Watcher watcher = {{.instruction = watch}, touches};
	bool held[N_WORDS] = {false};
	uint32_t n_releases = 0;
	SimResult result;

	run(config_machine(config), &watcher.observer, 1, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_array_sort(touches, by_time);
	for (guint i = 0; i < touches->len; i++) {
		const Touch *touch = &g_array_index(touches, Touch, i);

		g_assert_cmpint(held[touch->word], ==, touch->release);
		held[touch->word] = !touch->release;
		n_releases += touch->release;
	}
	g_assert_cmpuint(n_releases, ==, N_BLOCKS * N_WARPS * 2 * 32);
	/* A round lets one lane of each word in; 32 lanes on 5 words take at least 7. */
	g_assert_cmpuint(result.statistics.spin_attempts, >=, N_BLOCKS * N_WARPS * 2 * 7);
}

/* Cycles of a lane that takes a lock and waits at so many fences. */
static Cycle fenced(const char *setting, uint32_t n_fences)
{
	static const uint64_t bytes[] = {4096};
	const char *const settings[] = {setting, NULL};
	g_autoptr(Config) config = load("h200.json", settings);
	g_autoptr(ListSource) list = list_source_new(1, 1, 64);
	Record lock = global_record(RECORD_LOCK), unlock = global_record(RECORD_UNLOCK);
	const Record fence = {.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
	SimRequest request = {
		.machine = config_machine(config), .source = &list->source, .n_threads = 1};
	SimResult result;

	lock.n_lanes = unlock.n_lanes = 1;
	lock.mask = unlock.mask = 1;
	list->source.kernel.lock_sections = true;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = bytes;
	list_source_append(list, 0, 0, &lock);
	for (uint32_t i = 0; i < n_fences; i++)
		list_source_append(list, 0, 0, &fence);
	list_source_append(list, 0, 0, &unlock);
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.fences[SCOPE_DEVICE], ==, n_fences);
	return result.statistics.cycles;
}

/* l2-steps.csv: 388 behind what was of the SM's own partition; issue-fence.csv: 264 alone, and without that cost. */
static void test_fences_cost_more_behind_a_try(void)
{
	const char *const alone = "network.fence_near_partition_cycles=0";

	g_assert_cmpuint(fenced(NULL, 1) - fenced(NULL, 0), ==, 388);
	g_assert_cmpuint(fenced(alone, 1) - fenced(alone, 0), ==, 264);
	g_assert_cmpuint(fenced(NULL, 2) - fenced(NULL, 1), ==, 264);
}

/* Cycles until the last of n warps is through a store and a fence, each so many instructions behind the one before. */
static Cycle fenced_together(const char *setting, uint32_t n, uint32_t apart)
{
	static const uint64_t bytes[] = {4096};
	const char *const settings[] = {setting, NULL};
	g_autoptr(Config) config = config_load("h200.json", settings, NULL);
	g_autoptr(ListSource) list = list_source_new(1, n, 64);
	Record store = global_record(RECORD_STG);
	const Record fence = {.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
	SimRequest request = {
		.machine = config_machine(config), .source = &list->source, .n_threads = 1};
	SimResult result;

	store.n_lanes = 1;
	store.mask = 1;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = bytes;
	for (uint32_t warp = 0; warp < n; warp++) {
		const Record delay = list_plain(RECORD_ALU, MAX(warp * apart, 1));

		store.offset = warp * LINE_BYTES;
		list_source_append(list, 0, warp, &delay);
		list_source_append(list, 0, warp, &store);
		list_source_append(list, 0, warp, &fence);
	}
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	return result.statistics.cycles;
}

/* issue-fence-waves.csv, near stores: a warp 80 cycles behind another ends 220 behind it, and a third one with the second, though
   388 behind its own store would be sooner; together all end at once. */
static void test_fences_go_in_batches(void)
{
	const char *const none = "network.fence_batch_interval_cycles=0";
	Cycle first = fenced_together(NULL, 1, 0);

	g_assert_cmpuint(first, >=, 388);
	g_assert_cmpuint(first, ==, fenced_together(none, 1, 0));
	g_assert_cmpuint(fenced_together(NULL, 2, 20), >=, first + 210);
	g_assert_cmpuint(fenced_together(NULL, 2, 20), <=, first + 230);
	g_assert_cmpuint(fenced_together(none, 2, 20), <, first + 120);
	g_assert_cmpuint(fenced_together(NULL, 3, 20), ==, fenced_together(NULL, 2, 20));
	g_assert_cmpuint(fenced_together(NULL, 2, 0), <, first + 20);
	/* One that comes when the first one's trip is over waits for nobody. */
	g_assert_cmpuint(fenced_together(NULL, 2, 60), ==, fenced_together(none, 2, 60));
}

/* What the fence of warp 1 costs. */
typedef struct {
	Observer observer;
	Cycle cost;
} FenceWatcher;

static void watch_fence(Observer *observer, const Instruction *instruction)
{
	FenceWatcher *watcher = (FenceWatcher *)observer;

	if (instruction->record->kind == RECORD_FENCE && instruction->warp == 1)
		watcher->cost = instruction->ready - instruction->issue;
}

/* Of a fence of a warp that has stored nothing, so many instructions behind a store and a fence of another one. */
static Cycle fence_behind(uint32_t n_instructions)
{
	static const uint64_t bytes[] = {4096};
	static const char *const settings[] = {"network.fence_batch_interval_cycles=0", NULL};
	g_autoptr(Config) config = load("h200.json", settings);
	g_autoptr(ListSource) list = list_source_new(1, 2, 64);
	FenceWatcher watcher = {.observer = {.instruction = watch_fence}};
	Record store = global_record(RECORD_STG);
	const Record fence = {.kind = RECORD_FENCE, .scope = SCOPE_DEVICE};
	const Record delay = list_plain(RECORD_ALU, n_instructions);
	SimRequest request = {.machine = config_machine(config),
			      .source = &list->source,
			      .n_threads = 1,
			      .observer = &watcher.observer};
	SimResult result;

	store.n_lanes = 1;
	store.mask = 1;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = bytes;
	list_source_append(list, 0, 0, &store);
	list_source_append(list, 0, 0, &fence);
	list_source_append(list, 0, 1, &delay);
	list_source_append(list, 0, 1, &fence);
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	return watcher.cost;
}

/* A fence covers what was answered only once it is over, and nobody's stores before. The first one is over
   some 400 cycles, 100 instructions, behind the begin. */
static void test_a_fence_covers_at_its_end(void)
{
	for (uint32_t n = 30; n <= 70; n += 20)
		g_assert_cmpuint(fence_behind(n), ==, 388);
	for (uint32_t n = 110; n <= 170; n += 20)
		g_assert_cmpuint(fence_behind(n), ==, 264);
}

static void test_the_same_on_any_number_of_threads(void)
{
	g_autoptr(Config) config = load("gtx1080.json", NULL);
	SimResult one, three;

	run(config_machine(config), NULL, 1, &one);
	run(config_machine(config), NULL, 3, &three);
	g_assert_cmpint(one.status, ==, SIM_OK);
	g_assert_cmpmem(&one.statistics, sizeof one.statistics, &three.statistics,
			sizeof three.statistics);
}

/* Without contention every lane is let in at once: one try a record. */
static void test_free_locks_are_tried_once(void)
{
	g_autoptr(Config) config = load("h200.json", NULL);
	Machine machine = machine_with_ideals(config_machine(config), N_CONTENTION_IDEALS);
	SimResult result;

	run(&machine, NULL, 1, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.spin_attempts, ==, N_BLOCKS * N_WARPS * 2);
}

static void test_broken_releases_are_refused(void)
{
	static const uint64_t bytes[] = {4096, 4096};
	g_autoptr(Config) config = load("h200.json", NULL);
	Record lock = global_record(RECORD_LOCK), unlock = global_record(RECORD_UNLOCK);

	for (uint32_t way = 0; way < 4; way++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 64);
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1};
		Record other = unlock;
		SimResult result;

		if (way == 1)
			other.address[3] += 4;
		else if (way == 2)
			other.buffer = 2;
		else if (way == 3)
			other.space = MEMORY_SHARED;
		list_source_append(list, 0, 0, &lock);
		list_source_append(list, 0, 0, &other);
		list->source.kernel.lock_sections = true;
		list->source.kernel.n_buffers = 2;
		list->source.kernel.buffer_bytes = bytes;
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, way == 0 ? SIM_OK : SIM_BAD_RECORD);
	}
}

/* A lock under another is refused by name, in either memory: its lanes would have to be told apart from those outside. */
static void test_locks_within_sections_are_refused(void)
{
	static const uint64_t bytes[] = {4096};
	g_autoptr(Config) config = load("h200.json", NULL);

	for (uint32_t shared = 0; shared < 2; shared++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 64);
		const RecordKind kinds[] = {RECORD_LOCK, RECORD_LOCK, RECORD_UNLOCK,
					    RECORD_UNLOCK};
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1};
		SimResult result;

		for (uint32_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
			Record record = global_record(kinds[i]);

			record.n_lanes = 1;
			record.mask = 1;
			record.address[0] = i % 3 ? 4 : 0; /* outer, inner, inner, outer */
			if (shared) {
				record.space = MEMORY_SHARED;
				record.buffer = 0;
			}
			list_source_append(list, 0, 0, &record);
		}
		list->source.kernel.lock_sections = true;
		list->source.kernel.n_buffers = 1;
		list->source.kernel.buffer_bytes = bytes;
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_BAD_RECORD);
		g_assert_cmpstr(result.problem, ==,
				"a lock within a critical section, which is not replayed");
	}
}

/* Without slices a lock in global memory is refused by name, also where the lanes come on to it from a lock in shared memory. */
static void test_locks_in_flat_memory_are_refused(void)
{
	static const uint64_t bytes[] = {4096};
	const char *const settings[] = {"global.model=flat", "global.atomic.mechanism_f32=same",
					NULL};
	g_autoptr(Config) config = load("h200.json", settings);

	for (uint32_t first = 0; first < 2; first++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 4096);
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1};
		SimResult result;

		for (uint32_t k = 2 * first; k < 4; k++) {
			Record record = global_record(k % 2 == 0 ? RECORD_LOCK : RECORD_UNLOCK);

			record.space = k < 2 ? MEMORY_SHARED : MEMORY_GLOBAL;
			record.buffer = k < 2 ? 0 : 1;
			list_source_append(list, 0, 0, &record);
		}
		list->source.kernel.lock_sections = true;
		list->source.kernel.n_buffers = 1;
		list->source.kernel.buffer_bytes = bytes;
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_BAD_RECORD);
		g_assert_cmpstr(result.problem, ==,
				"a lock in global memory, which needs global.model slices");
	}
}

/* Whoever is in a critical section has asked for its lock: an atomic of other lanes would be dropped, of all or of some. */
static void test_lanes_without_the_lock_are_refused(void)
{
	const LaneMask masks[] = {0x3, 0x1, 0xc, 0x6};
	g_autoptr(Config) config = load("h200.json", NULL);

	for (uint32_t i = 0; i < G_N_ELEMENTS(masks); i++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 64);
		const uint32_t words[2] = {0, 1};
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1};
		Record records[] = {list_record(RECORD_LOCK, words, 2),
				    list_record(RECORD_ATOM, words,
						(uint32_t)__builtin_popcountll(masks[i])),
				    list_record(RECORD_UNLOCK, words, 2)};
		SimResult result;

		records[1].mask = masks[i];
		for (uint32_t k = 0; k < G_N_ELEMENTS(records); k++)
			list_source_append(list, 0, 0, &records[k]);
		list->source.kernel.lock_sections = true;
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, i < 2 ? SIM_OK : SIM_BAD_RECORD);
		if (i >= 2)
			g_assert_cmpstr(
				result.problem, ==,
				"lanes within a critical section that are not of its lock");
	}
}

/* A section of these lanes, each under a lock of its own or all under one, with an atomic. */
static void append_section(ListSource *list, LaneMask lanes, bool one_lock)
{
	const RecordKind kinds[] = {RECORD_LOCK, RECORD_ATOM, RECORD_UNLOCK};

	for (uint32_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
		uint32_t words[32], n = (uint32_t)__builtin_popcountll(lanes);
		Record record;

		for (uint32_t i = 0; i < n; i++)
			words[i] = one_lock ? 0 : i;
		record = list_record(kinds[k], words, n);
		record.mask = lanes;
		list_source_append(list, 0, 0, &record);
	}
}

/* Lanes that come from a lock which others did not want, or which they got later, neither end the warp nor pass a barrier before
   all are through theirs. */
static void test_no_lane_is_left_behind(void)
{
	const LaneMask first[] = {0x20000, 0x3fb3f11, 0xffffffff};
	const RecordKind between[] = {RECORD_EXIT, RECORD_BAR, RECORD_VOTE, RECORD_LDS};
	g_autoptr(Config) config = load("h200.json", NULL);

	for (uint32_t i = 0; i < 4 * G_N_ELEMENTS(first) * G_N_ELEMENTS(between); i++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 256);
		const LaneMask lanes = first[i / 4 % G_N_ELEMENTS(first)];
		const RecordKind kind = between[i / 4 / G_N_ELEMENTS(first)];
		const uint32_t word = 3;
		Record record = kind == RECORD_LDS ? list_record(kind, &word, 1)
						   : list_plain(kind, kind == RECORD_VOTE);
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1};
		SimResult result;

		append_section(list, lanes, i % 2);
		append_section(list, 0xffffffff, i / 2 % 2);
		if (kind != RECORD_EXIT)
			list_source_append(list, 0, 0, &record);
		append_section(list, 0xffff, i % 2);
		list->source.kernel.lock_sections = true;
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		g_assert_cmpuint(result.statistics.atomics.lane_operations, ==,
				 (uint64_t)__builtin_popcountll(lanes) + 32 + 16);
	}
}

/* Lanes that have given their lock back when the warp does something together. */
typedef struct {
	Observer observer;
	uint32_t n_through, n_together;
} TogetherWatcher;

static void watch_together(Observer *observer, const Instruction *instruction)
{
	TogetherWatcher *watcher = (TogetherWatcher *)observer;

	if (instruction->record->kind == RECORD_UNLOCK)
		watcher->n_through += instruction->record->n_lanes;
	if (instruction->record->kind != RECORD_VOTE &&
	    instruction->record->kind != RECORD_SHFL && instruction->record->kind != RECORD_BAR)
		return;
	g_assert_cmpuint(watcher->n_through, ==, 32);
	watcher->n_together++;
}

/* A vote, an exchange and a barrier are of all lanes: who is through a lock waits there for those that still try it, though it
   wants another one behind. */
static void test_what_all_do_waits_for_all(void)
{
	const RecordKind kinds[] = {RECORD_VOTE, RECORD_SHFL, RECORD_BAR};
	g_autoptr(Config) config = load("h200.json", NULL);

	for (uint32_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
		g_autoptr(ListSource) list = list_source_new(1, 1, 64);
		const Record together = list_plain(kinds[k], kinds[k] != RECORD_BAR);
		TogetherWatcher watcher = {.observer = {.instruction = watch_together}};
		SimRequest request = {.machine = config_machine(config),
				      .source = &list->source,
				      .n_threads = 1,
				      .observer = &watcher.observer};
		SimResult result;

		append_section(list, 0xffffffff, true);
		list_source_append(list, 0, 0, &together);
		append_section(list, 0xffffffff, true);
		list->source.kernel.lock_sections = true;
		sim_run(&request, &result);
		g_assert_cmpint(result.status, ==, SIM_OK);
		g_assert_cmpuint(watcher.n_through, ==, 64);
		g_assert_cmpuint(watcher.n_together, ==, 1);
	}
}

/* An SM whose lanes wait for a word that others take one after the other has not failed: the watchdog sees that the lock goes
   round. A section takes some 3,000 cycles, and an SM waits for several. */
static void test_others_progress_is_progress(void)
{
	static const uint64_t bytes[] = {4096};
	g_autoptr(Config) config = load("h200.json", NULL);
	g_autoptr(ListSource) list = list_source_new(4, 1, 64);
	Machine machine = *config_machine(config);
	SimRequest request = {.machine = &machine, .source = &list->source, .n_threads = 1};
	Record lock = global_record(RECORD_LOCK), unlock = global_record(RECORD_UNLOCK);
	const Record work = list_plain(RECORD_ALU, 500);
	SimResult result;

	lock.n_lanes = unlock.n_lanes = 8;
	lock.mask = unlock.mask = 0xff;
	memset(lock.address, 0, sizeof lock.address);
	memset(unlock.address, 0, sizeof unlock.address);
	machine.sim.watchdog_cycles = 8000;
	for (uint32_t block = 0; block < 4; block++) {
		list_source_append(list, block, 0, &lock);
		list_source_append(list, block, 0, &work);
		list_source_append(list, block, 0, &unlock);
	}
	list->source.kernel.lock_sections = true;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = bytes;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	g_assert_cmpuint(result.statistics.cycles, >, 32 * 2000);
}

static bool count_calls(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)blocks_done;
	(void)n_blocks;
	return ++*(guint *)data < 100000;
}

/* A lane that waits for a lock in global memory, while the others of its warp try one in shared memory whose holder never
   gives it back, is no progress: the watchdog ends the run. */
static void test_lanes_that_wait_elsewhere_are_no_progress(void)
{
	const char *const settings[] = {"sim.watchdog_cycles=20000", NULL};
	static const uint64_t bytes[] = {256};
	const uint32_t held = 1, words[2] = {0, 1};
	g_autoptr(Config) config = load("h200.json", settings);
	g_autoptr(ListSource) list = list_source_new(1, 2, 64);
	const Record bar = list_plain(RECORD_BAR, 0), lock = list_record(RECORD_LOCK, &held, 1),
		     unlock = list_record(RECORD_UNLOCK, &held, 1);
	const Record first[] = {list_record(RECORD_LOCK, words, 2),
				list_record(RECORD_UNLOCK, words, 2)};
	Record second[] = {global_record(RECORD_LOCK), global_record(RECORD_UNLOCK)};
	guint n_calls = 0;
	SimRequest request = {.machine = config_machine(config),
			      .source = &list->source,
			      .n_threads = 1,
			      .progress = count_calls,
			      .progress_data = &n_calls};
	SimResult result;

	list_source_append(list, 0, 0, &lock);
	list_source_append(list, 0, 0, &bar);
	list_source_append(list, 0, 0, &unlock);
	for (uint32_t i = 0; i < 40; i++) { /* until the other holds its lock */
		const Record wait = list_record(RECORD_LDS, words, 2);

		list_source_append(list, 0, 1, &wait);
	}
	for (uint32_t i = 0; i < 2; i++)
		list_source_append(list, 0, 1, &first[i]);
	for (uint32_t i = 0; i < 2; i++) {
		second[i].mask = 1;
		second[i].n_lanes = 1;
		list_source_append(list, 0, 1, &second[i]);
	}
	list_source_append(list, 0, 1, &bar);
	list->source.kernel.lock_sections = true;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = bytes;
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_LIVELOCK);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/global-locks/one holder at a time", test_one_holder_at_a_time);
	g_test_add_func("/global-locks/fences cost more behind a try",
			test_fences_cost_more_behind_a_try);
	g_test_add_func("/global-locks/fences go in batches", test_fences_go_in_batches);
	g_test_add_func("/global-locks/a fence covers at its end",
			test_a_fence_covers_at_its_end);
	g_test_add_func("/global-locks/the same on any number of threads",
			test_the_same_on_any_number_of_threads);
	g_test_add_func("/global-locks/what all do waits for all",
			test_what_all_do_waits_for_all);
	g_test_add_func("/global-locks/others' progress is progress",
			test_others_progress_is_progress);
	g_test_add_func("/global-locks/free locks are tried once",
			test_free_locks_are_tried_once);
	g_test_add_func("/global-locks/broken releases are refused",
			test_broken_releases_are_refused);
	g_test_add_func("/global-locks/locks within sections are refused",
			test_locks_within_sections_are_refused);
	g_test_add_func("/global-locks/locks in flat memory are refused",
			test_locks_in_flat_memory_are_refused);
	g_test_add_func("/global-locks/lanes without the lock are refused",
			test_lanes_without_the_lock_are_refused);
	g_test_add_func("/global-locks/no lane is left behind", test_no_lane_is_left_behind);
	g_test_add_func("/global-locks/lanes that wait elsewhere are no progress",
			test_lanes_that_wait_elsewhere_are_no_progress);
	return g_test_run();
}
