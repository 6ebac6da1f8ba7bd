/* SPDX-License-Identifier: MIT */
/*
 * The workloads on global memory prove their results: what the trace's atomics, sections of locks and
 * stores do to each word is added up and held against a sequential computation, and the forms of one
 * computation against each other.
 */
#include "base/error.h"
#include "gen-trace.h"
#include "workloads/workload.h"

/* What a trace does to the words of one buffer, or of shared memory (buffer 0: of all blocks). */
typedef struct {
	uint16_t buffer;
	uint32_t n_words;
	uint64_t *lanes;  /* of atomics */
	uint64_t *sums;	  /* of their operands; 1 a lane without any */
	uint64_t *stores; /* lanes */
	uint64_t *loads;
	uint64_t *locked; /* lanes that took a lock of that word */
} Words;

static uint64_t word_of(const Words *words, const Record *record, uint32_t lane)
{
	uint64_t word = ((words->buffer ? record->offset : 0) + record->address[lane]) / 4;

	g_assert_cmpuint(word, <, words->n_words);
	return word;
}

static void add_record(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Words *words = data;
	gboolean atomic = record->kind == (words->buffer ? RECORD_ATOMG : RECORD_ATOM);
	gboolean store = record->kind == (words->buffer ? RECORD_STG : RECORD_STS);
	gboolean load = record->kind == (words->buffer ? RECORD_LDG : RECORD_LDS);
	gboolean lock = record->kind == RECORD_LOCK;

	(void)block;
	(void)warp;
	if (!atomic && !store && !load && !lock)
		return;
	if ((words->buffer || lock) && record->buffer != words->buffer)
		return;
	for (uint32_t lane = 0; lane < record->n_lanes; lane++) {
		uint64_t word = word_of(words, record, lane);

		words->lanes[word] += atomic;
		words->sums[word] += !atomic ? 0 : record->has_values ? record->value[lane] : 1;
		words->stores[word] += store;
		words->loads[word] += load;
		words->locked[word] += lock;
	}
}

static Words *words_of(const char *command, uint16_t buffer, uint32_t n_words)
{
	g_autoptr(TraceReader) reader = gen_trace(command);
	Words *words = g_new0(Words, 1);

	*words = (Words){buffer,
			 n_words,
			 g_new0(uint64_t, n_words),
			 g_new0(uint64_t, n_words),
			 g_new0(uint64_t, n_words),
			 g_new0(uint64_t, n_words),
			 g_new0(uint64_t, n_words)};
	visit_records(reader, add_record, words);
	return words;
}

static void words_free(Words *words)
{
	g_free(words->lanes);
	g_free(words->sums);
	g_free(words->stores);
	g_free(words->loads);
	g_free(words->locked);
	g_free(words);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Words, words_free)

static uint64_t total(const uint64_t *numbers, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += numbers[i];
	return sum;
}

static void assert_same(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		g_assert_cmpuint(a[i], ==, b[i]);
}

/* --- Global atomics --- */

static void test_every_thread_votes_once_a_step(void)
{
	static const char *const ways[] = {"", " aggregated=yes", " values=one"};

	for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *command =
			g_strconcat("global-atomics words=37 threads=1000 steps=3 spacing=2",
				    ways[i], NULL);
		g_autoptr(Words) words = words_of(command, 1, 2 * 37);

		for (uint32_t word = 0; word < 37; word++) {
			uint64_t expected = 0;

			for (uint32_t entry = 0; entry < 3000; entry++)
				expected += entry % 37 == word;
			g_assert_cmpuint(words->sums[2 * word], ==, expected);
			g_assert_cmpuint(words->lanes[2 * word + 1], ==, 0);
		}
	}
}

static void test_aggregation_leaves_a_vote_a_warp(void)
{
	g_autoptr(Words) words =
		words_of("global-atomics words=1 threads=1000 aggregated=yes", 1, 1);

	g_assert_cmpuint(words->lanes[0], ==, (1000 + 31) / 32);
	g_assert_cmpuint(words->sums[0], ==, 1000);
}

static void test_random_words_lose_nothing(void)
{
	g_autoptr(Words) words =
		words_of("global-atomics words=100 threads=5000 order=random", 1, 100);

	g_assert_cmpuint(total(words->sums, 100), ==, 5000);
	g_assert_cmpuint(words->sums[0], <, 200);
}

static void test_what_cannot_be_aggregated(void)
{
	gen_refused("global-atomics aggregated=yes op=max", ATOMSIM_ERROR_USAGE,
		    "*aggregated*adds*");
	gen_refused("global-atomics aggregated=yes result=yes", ATOMSIM_ERROR_USAGE,
		    "*aggregated*without result*");
}

/* --- Histograms --- */

#define HISTOGRAM                                                                              \
	"private-histogram elements=3000 bins=50 blocks=3 threads=96 distribution=zipf"

static void test_histograms_agree(void)
{
	static const char *const ways[] = {" private=global",
					   " private=block",
					   " private=warp",
					   " private=global aggregated=yes",
					   " private=block aggregated=yes",
					   " private=warp aggregated=yes"};
	g_autoptr(Words) naive = words_of(HISTOGRAM " private=global", 2, 50);

	g_assert_cmpuint(total(naive->lanes, 50), ==, 3000);
	g_assert_cmpuint(naive->sums[0], >, naive->sums[40]);
	for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *command = g_strconcat(HISTOGRAM, ways[i], NULL);
		g_autoptr(Words) words = words_of(command, 2, 50);

		assert_same(words->sums, naive->sums, 50);
	}
}

static void test_private_votes_are_those_flushed(void)
{
	g_autoptr(Words) block = words_of(HISTOGRAM " private=block", 0, 50);
	g_autoptr(Words) warp = words_of(HISTOGRAM " private=warp aggregated=yes", 0, 150);
	g_autoptr(Words) flushed = words_of(HISTOGRAM " private=block", 2, 50);

	assert_same(block->sums, flushed->sums, 50);
	for (uint32_t bin = 0; bin < 50; bin++)
		g_assert_cmpuint(warp->sums[bin] + warp->sums[50 + bin] + warp->sums[100 + bin],
				 ==, flushed->sums[bin]);
	/* H1 of the flush: an atomic for each bin of a block that is not empty, no more. */
	for (uint32_t bin = 0; bin < 50; bin++)
		g_assert_cmpuint(flushed->lanes[bin], <=, 3);
}

/* --- Reductions --- */

static uint64_t sum_of_elements(uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t place = 0; place < n; place++)
		sum += place * 2654435761u % 4093 % 16;
	return sum;
}

static void test_reductions_sum_everything(void)
{
	static const char *const ways[] = {"level=warp",
					   "level=block",
					   "level=warp blocks=3",
					   "level=block blocks=3",
					   "level=block blocks=2 threads=100",
					   "level=block exchange=shared"};

	for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *command =
			g_strconcat("shuffle-reduction elements=5000 ", ways[i], NULL);
		g_autoptr(Words) words = words_of(command, 2, 1);

		g_assert_cmpuint(words->sums[0], ==, sum_of_elements(5000));
	}
}

static void test_reductions_cut_atomics(void)
{
	g_autoptr(Words) warp = words_of("shuffle-reduction elements=4096 level=warp", 2, 1);
	g_autoptr(Words) block = words_of("shuffle-reduction elements=4096 level=block", 2, 1);
	g_autoptr(Words) grid = words_of("shuffle-reduction elements=4096 level=grid", 4, 1);
	g_autoptr(Words) partial =
		words_of("shuffle-reduction elements=4096 level=partial", 3, 16);

	g_assert_cmpuint(warp->lanes[0], ==, 4096 / 32);
	g_assert_cmpuint(block->lanes[0], ==, 4096 / 256);
	g_assert_cmpuint(grid->sums[0], ==, 4096 / 256);
	for (uint32_t i = 0; i < 16; i++)
		g_assert_cmpuint(partial->stores[i], ==, 1);
}

/* --- Scans: the steps prove themselves while they are written --- */

static void test_scans_write_every_element(void)
{
	static const char *const methods[] = {"hillis", "blelloch", "warp"};

	for (guint i = 0; i < G_N_ELEMENTS(methods); i++) {
		g_autofree char *command =
			g_strdup_printf("scan elements=1000 threads=256 method=%s", methods[i]);
		g_autoptr(Words) data = words_of(command, 1, 1000);
		g_autoptr(Words) sums = words_of(command, 2, 4);

		for (uint32_t word = 0; word < 1000; word++)
			g_assert_cmpuint(data->stores[word], ==, 1);
		for (uint32_t block = 0; block < 4; block++)
			g_assert_cmpuint(sums->stores[block], ==, 1);
	}
}

static void test_scan_adds_to_all_blocks_but_the_first(void)
{
	g_autoptr(Words) data = words_of("scan elements=1000 threads=256 phase=add", 1, 1000);

	for (uint32_t word = 0; word < 1000; word++)
		g_assert_cmpuint(data->stores[word], ==, word >= 256);
}

/* --- k-means --- */

#define KMEANS "kmeans-update points=700 clusters=11 dimensions=5 threads=128 "

enum { SUMS = 3, COUNTS = 4, LOCKS = 5 };

static void test_kmeans_forms_agree(void)
{
	/* Forms whose threads change global memory themselves: a store a point and coordinate. */
	static const char *const direct[] = {"gm-cl", "gm-dl", "gm-ct", "gm-dt"};
	g_autoptr(Words) counts = words_of(KMEANS "algorithm=gm-cl", COUNTS, 11);
	g_autoptr(Words) locks = words_of(KMEANS "algorithm=gm-cl", LOCKS, 55);

	g_assert_cmpuint(total(counts->stores, 11), ==, 700);
	assert_same(locks->locked, counts->stores, 11);
	for (guint i = 0; i < G_N_ELEMENTS(direct); i++) {
		g_autofree char *command = g_strconcat(KMEANS "algorithm=", direct[i], NULL);
		g_autoptr(Words) own = words_of(command, COUNTS, 11);
		g_autoptr(Words) sums = words_of(command, SUMS, 55);

		assert_same(own->stores, counts->stores, 11);
		for (uint32_t word = 0; word < 55; word++)
			g_assert_cmpuint(sums->stores[word], ==, counts->stores[word / 5]);
	}
}

static void test_kmeans_locks_each_coordinate(void)
{
	g_autoptr(Words) counts = words_of(KMEANS "algorithm=gm-cl", COUNTS, 11);
	g_autoptr(Words) locks = words_of(KMEANS "algorithm=gm-dl", LOCKS, 55);

	for (uint32_t word = 0; word < 55; word++)
		g_assert_cmpuint(locks->locked[word], ==, counts->stores[word / 5]);
}

static void test_kmeans_in_shared_memory(void)
{
	/* 11 clusters of 5 sums, a count and a lock: 308 bytes; in 100 bytes 3 fit, so 4 passes. */
	static const char *const forms[] = {"algorithm=sm-cl",
					    "algorithm=sm-cl shared-bytes=100",
					    "algorithm=sm-cl write-back=all"};

	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		g_autofree char *command = g_strconcat(KMEANS, forms[i], NULL);
		g_autoptr(Words) shared = words_of(command, 0, 77);
		g_autoptr(Words) back = words_of(command, LOCKS, 55);

		/* Every point goes through a lock of its block, every block once through each
		   cluster's. */
		g_assert_cmpuint(total(shared->locked, 77), ==, 700);
		for (uint32_t cluster = 0; cluster < 11; cluster++)
			g_assert_cmpuint(back->locked[cluster], ==, (700 + 127) / 128);
	}
}

static void test_kmeans_in_shared_memory_by_coordinate(void)
{
	g_autoptr(Words) counts = words_of(KMEANS "algorithm=gm-cl", COUNTS, 11);
	g_autoptr(Words) shared = words_of(KMEANS "algorithm=sm-dl", 0, 121);
	g_autoptr(Words) back = words_of(KMEANS "algorithm=sm-dl", LOCKS, 55);
	g_autoptr(Words) sums = words_of(KMEANS "algorithm=sm-dl", SUMS, 55);

	/* 55 sums, 11 counts, 55 locks. 3,500 threads are 28 blocks; each zeroes its copy first. */
	for (uint32_t word = 0; word < 55; word++) {
		g_assert_cmpuint(shared->stores[word], ==, 28 + counts->stores[word / 5]);
		g_assert_cmpuint(shared->locked[66 + word], ==, counts->stores[word / 5]);
		g_assert_cmpuint(back->locked[word], ==, 28);
		g_assert_cmpuint(sums->stores[word], ==, 28);
	}
	for (uint32_t cluster = 0; cluster < 11; cluster++)
		g_assert_cmpuint(shared->stores[55 + cluster], ==,
				 28 + counts->stores[cluster]);
}

static void test_kmeans_by_clusters_in_shared_memory(void)
{
	static const char *const forms[] = {"sm-ct", "sm-dt"};
	g_autoptr(Words) counts = words_of(KMEANS "algorithm=gm-cl", COUNTS, 11);

	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		g_autofree char *command = g_strconcat(KMEANS "algorithm=", forms[i], NULL);
		g_autoptr(Words) shared = words_of(command, 0, 66);
		g_autoptr(Words) sums = words_of(command, SUMS, 55);
		g_autoptr(Words) own = words_of(command, COUNTS, 11);

		for (uint32_t word = 0; word < 55; word++) {
			g_assert_cmpuint(shared->stores[word], ==, counts->stores[word / 5]);
			g_assert_cmpuint(sums->stores[word], ==, 1);
		}
		for (uint32_t cluster = 0; cluster < 11; cluster++) {
			g_assert_cmpuint(shared->stores[55 + cluster], ==,
					 counts->stores[cluster]);
			g_assert_cmpuint(own->stores[cluster], ==, 1);
		}
	}
}

static void test_kmeans_normalizes_every_sum(void)
{
	g_autoptr(Words) sums = words_of(KMEANS "kernel=normalize", SUMS, 55);

	for (uint32_t word = 0; word < 55; word++)
		g_assert_cmpuint(sums->stores[word], ==, 1);
}

static void test_rival_adds_what_changed(void)
{
	/* A point that changed is taken from one cluster and added to another, coordinate by
	   coordinate; each centroid is scaled first and divided last. */
	g_autoptr(Words) still = words_of(KMEANS "algorithm=kmcuda", SUMS, 55);
	g_autoptr(Words) moved = words_of(KMEANS "algorithm=kmcuda changed=100", SUMS, 55);

	for (uint32_t word = 0; word < 55; word++)
		g_assert_cmpuint(still->stores[word], ==, 2);
	g_assert_cmpuint(total(moved->stores, 55), ==, 55 * 2 + 700 * 2 * 5);
}

/* --- The HD 5870 paper's applications --- */

static void test_apps_add_what_they_should(void)
{
	static const struct {
		const char *command;
		uint64_t sum;
	} cases[] = {
		{"apps application=micro1 groups=5", 320 * 319 / 2},
		{"apps application=micro2 groups=3 group-threads=100", 300 * 299 / 2},
		{"apps application=take groups=3 group-threads=100", 300 * 299 / 2},
		{"apps application=copy groups=4", 256 * 255 / 2},
		{"apps application=stream groups=4", 256},
		{"apps application=matmul size=20 groups=2", 400},
		{"apps application=matmul size=20 groups=2 reserve=wavefront", 400},
		{"apps application=matmul size=23 groups=2 dataflow=yes", 529},
		{"apps application=matmul size=20 groups=2 aggregated=yes", 400},
		{"apps application=micro1 groups=5 aggregated=yes", 320 * 319 / 2},
		{"apps application=micro2 groups=3 group-threads=100 aggregated=yes",
		 300 * 299 / 2},
		{"apps application=match text=65536 matches=87 groups=4 aggregated=yes", 87},
		{"apps application=kmeans groups=3 group-threads=70", 210},
		{"apps application=match text=65536 matches=87 groups=4", 87},
		{"apps application=match text=65536 matches=1413 groups=4 reserve=wavefront",
		 1413},
		{"apps application=match text=65536 matches=87 groups=3 lanes=32", 87},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(Words) word = words_of(cases[i].command, 3, 1);

		g_assert_cmpuint(word->sums[0], ==, cases[i].sum);
	}
}

/* Where every lane of the copy kernel loads the word that all add to, and where of the stream each its own. */
static void test_copies_load_the_contended_word(void)
{
	g_autoptr(Words) copied = words_of("apps application=copy groups=4", 3, 1);
	g_autoptr(Words) second = words_of("apps application=micro2 groups=4", 3, 1);
	g_autoptr(Words) streamed = words_of("apps application=stream groups=4", 3, 1);
	g_autoptr(Words) own = words_of("apps application=stream groups=4", 1, 256);

	g_assert_cmpuint(copied->loads[0], ==, 256);
	g_assert_cmpuint(second->loads[0], ==, 256);
	g_assert_cmpuint(streamed->loads[0], ==, 0);
	g_assert_cmpuint(total(own->loads, 256), ==, 256);
}

static void test_apps_have_wavefronts_of_64(void)
{
	g_autoptr(TraceReader) reader = gen_trace("apps groups=2 group-threads=128");
	g_autoptr(Words) word = words_of("apps groups=2 group-threads=128", 3, 1);

	g_assert_cmpuint(word->lanes[0], ==, 256);
	g_assert_cmpuint(trace_source(reader)->kernel.warp_lanes, ==, 64);
	gen_refused("apps application=match text=8 matches=3", ATOMSIM_ERROR_USAGE,
		    "*matches*2*");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(name, function) g_test_add_func("/global-workloads/" name, function)
	ADD("every-thread-votes-once-a-step", test_every_thread_votes_once_a_step);
	ADD("aggregation-leaves-a-vote-a-warp", test_aggregation_leaves_a_vote_a_warp);
	ADD("random-words-lose-nothing", test_random_words_lose_nothing);
	ADD("what-cannot-be-aggregated", test_what_cannot_be_aggregated);
	ADD("histograms-agree", test_histograms_agree);
	ADD("private-votes-are-those-flushed", test_private_votes_are_those_flushed);
	ADD("reductions-sum-everything", test_reductions_sum_everything);
	ADD("reductions-cut-atomics", test_reductions_cut_atomics);
	ADD("scans-write-every-element", test_scans_write_every_element);
	ADD("scan-adds-to-all-blocks-but-the-first",
	    test_scan_adds_to_all_blocks_but_the_first);
	ADD("kmeans-forms-agree", test_kmeans_forms_agree);
	ADD("kmeans-locks-each-coordinate", test_kmeans_locks_each_coordinate);
	ADD("kmeans-in-shared-memory", test_kmeans_in_shared_memory);
	ADD("kmeans-in-shared-memory-by-coordinate",
	    test_kmeans_in_shared_memory_by_coordinate);
	ADD("kmeans-by-clusters-in-shared-memory", test_kmeans_by_clusters_in_shared_memory);
	ADD("kmeans-normalizes-every-sum", test_kmeans_normalizes_every_sum);
	ADD("rival-adds-what-changed", test_rival_adds_what_changed);
	ADD("apps-add-what-they-should", test_apps_add_what_they_should);
	ADD("copies-load-the-contended-word", test_copies_load_the_contended_word);
	ADD("apps-have-wavefronts-of-64", test_apps_have_wavefronts_of_64);
	return g_test_run();
}
