/* SPDX-License-Identifier: MIT */
/* The workloads kmeans, transpose and reduction: their records, carried out, do what they say. */
#include "base/error.h"
#include "gen-trace.h"
#include "workloads/votespace.h"

/* --- kmeans --- */

typedef struct {
	uint32_t space_words; /* of one vote space with all its copies */
	uint64_t n_votes[8];  /* lanes, by vote space */
	uint64_t n_loaded;
} Kmeans;

static void follow_kmeans(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Kmeans *kmeans = data;

	(void)block;
	(void)warp;
	if (record->kind == RECORD_LDG)
		kmeans->n_loaded += record->n_lanes;
	if (record->kind != RECORD_ATOM)
		return;
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint32_t space = record->address[i] / 4 / kmeans->space_words;

		g_assert_cmpint(record->type, ==, space == 0 ? TYPE_U32 : TYPE_F32);
		kmeans->n_votes[space]++;
	}
}

static void every_object_votes_once_in_each_vote_space(void)
{
	g_autoptr(TraceReader) reader =
		gen_trace("kmeans objects=1000 clusters=16 components=3 replicas=2 "
			  "padding=1 blocks=2 threads=96");
	Kmeans kmeans = {.space_words = 2 * 17};

	visit_records(reader, follow_kmeans, &kmeans);
	g_assert_cmpuint(kmeans.n_loaded, ==, 1000);
	for (int space = 0; space < 8; space++)
		g_assert_cmpuint(kmeans.n_votes[space], ==, space < 4 ? 1000 : 0);
}

static void the_vote_spaces_of_kmeans_get_the_same_votes_in_the_same_copies(void)
{
	g_autoptr(TraceReader) reader =
		gen_trace("kmeans objects=5000 clusters=16 components=2 replicas=4 "
			  "padding=1 mapping=block blocks=1 threads=128");
	g_autofree uint64_t *votes = count_votes(reader, 3 * 4 * 17);
	uint64_t n_votes = 0;

	for (uint32_t word = 0; word < 4 * 17; word++) {
		g_assert_cmpuint(votes[word], ==, votes[4 * 17 + word]);
		g_assert_cmpuint(votes[word], ==, votes[8 * 17 + word]);
		g_assert_true((votes[word] > 0) == (word % 17 < 16));
		n_votes += votes[word];
	}
	g_assert_cmpuint(n_votes, ==, 5000);
}

/* What a kernel does to each word outside of its votes. */
typedef struct {
	uint32_t zeroed[3 * 4 * 17];
	uint32_t summed[3 * 4 * 17];
} Frame;

static void follow_frame(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Frame *frame = data;

	(void)block;
	(void)warp;
	for (unsigned i = 0; i < record->n_lanes; i++) {
		if (record->kind == RECORD_STS)
			frame->zeroed[record->address[i] / 4]++;
		if (record->kind == RECORD_LDS)
			frame->summed[record->address[i] / 4]++;
	}
}

static void kmeans_zeroes_and_sums_every_copy_of_every_vote_space(void)
{
	g_autoptr(TraceReader) reader =
		gen_trace("kmeans objects=100 clusters=16 components=2 replicas=4 padding=1 "
			  "blocks=1 threads=64");
	Frame frame = {0};

	visit_records(reader, follow_frame, &frame);
	for (uint32_t word = 0; word < 3 * 4 * 17; word++) {
		gboolean used = word % 17 < 16;

		if (used)
			g_assert_cmpuint(frame.zeroed[word], ==, 1);
		g_assert_cmpuint(frame.summed[word], ==, used ? 1 : 0);
	}
}

static void the_offset_of_a_vote_space_moves_every_copy(void)
{
	VoteSpace space = {
		.words = 10, .copies = 2, .n_threads = 32, .width = 4, .offset = 400};

	g_assert_cmpuint(vote_space_base(&space, 0), ==, 400);
	g_assert_cmpuint(vote_space_base(&space, 1), ==, 440);
}

static void kmeans_says_how_much_memory_it_needs(void)
{
	BlockInfo info;
	g_autoptr(TraceReader) reader =
		gen_trace("kmeans objects=10 clusters=128 components=2 replicas=32 blocks=1");

	trace_source(reader)->block_info(trace_source(reader), 0, &info);
	g_assert_cmpuint(info.shared_bytes, ==, 48 * 1024);
	g_assert_cmpuint(info.n_warps, ==, 32);
	gen_refused("kmeans clusters=65536 components=64", ATOMSIM_ERROR_USAGE,
		    "*64 of components*bytes of shared memory found; allowed: up to*");
}

/* --- transpose --- */

typedef struct {
	uint32_t *tile; /* what each word of the tile holds: row * 32 + column */
	uint32_t n_stores, n_loads;
	gboolean reading; /* second visit */
	gboolean conflict_free;
} Transpose;

static void follow_transpose(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Transpose *transpose = data;
	uint64_t banks = 0;

	if (block != 1 || (record->kind != RECORD_STS && record->kind != RECORD_LDS) ||
	    (record->kind == RECORD_LDS) != transpose->reading)
		return;
	g_assert_cmpuint(record->n_lanes, ==, 32);
	for (uint32_t lane = 0; lane < 32; lane++) {
		uint32_t word = record->address[lane] / 4;

		banks |= 1ull << word % 32;
		if (record->kind == RECORD_STS)
			transpose->tile[word] = warp * 32 + lane;
		else
			/* Row `warp` of the result is column `warp` of the matrix. */
			g_assert_cmpuint(transpose->tile[word], ==, lane * 32 + warp);
	}
	if (record->kind == RECORD_STS) {
		transpose->n_stores++;
		g_assert_cmpint(__builtin_popcountll(banks), ==,
				transpose->conflict_free ? 32 : 1);
	} else {
		transpose->n_loads++;
		g_assert_cmpint(__builtin_popcountll(banks), ==, 32);
	}
}

static void transpose_turns_the_tile_and_padding_frees_the_banks(void)
{
	for (uint32_t padding = 0; padding <= 1; padding++) {
		g_autofree char *command =
			g_strdup_printf("transpose size=96 blocks=2 padding=%u", padding);
		g_autoptr(TraceReader) reader = gen_trace(command);
		g_autofree uint32_t *tile = g_new(uint32_t, 32 * 33);
		Transpose transpose = {.tile = tile, .conflict_free = padding == 1};

		g_assert_cmpuint(trace_source(reader)->n_blocks, ==, 2);
		visit_records(reader, follow_transpose, &transpose);
		transpose.reading = TRUE;
		visit_records(reader, follow_transpose, &transpose);
		g_assert_cmpuint(transpose.n_stores, ==, 32);
		g_assert_cmpuint(transpose.n_loads, ==, 32);
	}
	gen_refused("transpose size=100", ATOMSIM_ERROR_USAGE,
		    "*100 found; allowed: multiples*");
}

/* The most words of one bank that a warp stores, of all warps. */
static void worst_store(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	uint32_t n_in_bank[32] = {0}, *worst = data;

	(void)block;
	(void)warp;
	for (uint32_t lane = 0; record->kind == RECORD_STS && lane < record->n_lanes; lane++) {
		uint32_t *n = &n_in_bank[record->address[lane] / 4 % 32];

		(*n)++;
		*worst = MAX(*worst, *n);
	}
}

static void smaller_tiles_conflict_less(void)
{
	static const struct {
		const char *command;
		uint32_t n_blocks, worst;
	} cases[] = {
		{"transpose size=64 tile=32", 4, 32},
		{"transpose size=64 tile=16", 16, 8},
		{"transpose size=64 tile=16 padding=1 dataflow=yes", 16, 2},
		{"transpose size=64 tile=8", 64, 2},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(TraceReader) reader = gen_trace(cases[i].command);
		uint32_t worst = 0;

		visit_records(reader, worst_store, &worst);
		g_assert_cmpuint(trace_source(reader)->n_blocks, ==, cases[i].n_blocks);
		g_assert_cmpuint(worst, ==, cases[i].worst);
	}
}

/* Fences of the device and barriers: of each warp one behind the other. */
static void count_fences(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	guint *n = data;

	(void)block;
	(void)warp;
	n[0] += record->kind == RECORD_BAR;
	n[1] += record->kind == RECORD_FENCE && record->scope == SCOPE_DEVICE;
}

static void a_barrier_of_amp_is_a_fence_too(void)
{
	static const char *const commands[] = {
		"transpose size=32",
		"transpose size=32 dataflow=yes",
		"reduction elements=1024",
		"reduction elements=1024 dataflow=yes",
	};

	for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
		for (guint amp = 0; amp <= 1; amp++) {
			g_autofree char *command = g_strdup_printf("%s barrier=%s", commands[i],
								   amp ? "amp" : "cuda");
			g_autoptr(TraceReader) reader = gen_trace(command);
			guint n[2] = {0};

			visit_records(reader, count_fences, n);
			g_assert_cmpuint(n[0], >, 0);
			g_assert_cmpuint(n[1], ==, amp * n[0]);
		}
}

/* --- reduction --- */

typedef struct {
	uint64_t tile[512];
	uint64_t loaded[2][32]; /* by the last two loads of the warp */
	uint32_t step;		/* whose records are carried out: barriers before them */
	uint32_t at[16];	/* barriers of each warp so far */
	uint32_t worst_degree;
} Reduction;

static void follow_reduction(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Reduction *reduction = data;
	uint32_t n_in_bank[32] = {0};

	(void)block;
	if (record->kind == RECORD_BAR)
		reduction->at[warp]++;
	if (reduction->at[warp] != reduction->step ||
	    (record->kind != RECORD_LDS && record->kind != RECORD_STS))
		return;
	if (record->kind == RECORD_LDS)
		memcpy(reduction->loaded[0], reduction->loaded[1], sizeof reduction->loaded[0]);
	for (unsigned i = 0; i < record->n_lanes; i++) {
		uint32_t word = record->address[i] / 4;

		n_in_bank[word % 32]++;
		reduction->worst_degree = MAX(reduction->worst_degree, n_in_bank[word % 32]);
		if (record->kind == RECORD_LDS)
			reduction->loaded[1][i] = reduction->tile[word];
		else if (reduction->step == 0)
			reduction->tile[word] = word + 1; /* the elements: 1, 2, ... 512 */
		else
			reduction->tile[word] =
				reduction->loaded[0][i] + reduction->loaded[1][i];
	}
}

static void reduce(const char *command, uint32_t worst_degree)
{
	g_autoptr(TraceReader) reader = gen_trace(command);
	Reduction reduction = {0};

	/* A barrier keeps the warps together, so step by step over all warps is the program's order. */
	for (reduction.step = 0; reduction.step <= 9; reduction.step++) {
		memset(reduction.at, 0, sizeof reduction.at);
		visit_records(reader, follow_reduction, &reduction);
		for (int warp = 0; warp < 16; warp++)
			g_assert_cmpuint(reduction.at[warp], ==, 10);
	}
	g_assert_cmpuint(reduction.tile[0], ==, 512 * 513 / 2);
	g_assert_cmpuint(reduction.worst_degree, ==, worst_degree);
}

static void both_ways_of_addressing_leave_the_sum_in_the_first_word(void)
{
	/* Strides 2, 4, ... 32 put 2, 4, ... 32 lanes into a bank, but a step has fewer and fewer
	   lanes: with stride 16 there are still 32, with stride 32 only 16. */
	reduce("reduction elements=512 addressing=interleaved", 16);
	reduce("reduction elements=512 addressing=sequential", 1);
	gen_refused("reduction tile=48 elements=480", ATOMSIM_ERROR_USAGE,
		    "*48 found; allowed: powers of two*");
	gen_refused("reduction elements=1000", ATOMSIM_ERROR_USAGE,
		    "*1000 found; allowed: multiples of 512*");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(function, sentence) g_test_add_func("/kernels/" sentence, function)
	TEST(every_object_votes_once_in_each_vote_space,
	     "every object votes once in each vote space");
	TEST(the_vote_spaces_of_kmeans_get_the_same_votes_in_the_same_copies,
	     "the vote spaces of k-means get the same votes in the same copies");
	TEST(kmeans_zeroes_and_sums_every_copy_of_every_vote_space,
	     "k-means zeroes and sums every copy of every vote space");
	TEST(the_offset_of_a_vote_space_moves_every_copy,
	     "the offset of a vote space moves every copy");
	TEST(kmeans_says_how_much_memory_it_needs, "k-means says how much memory it needs");
	TEST(transpose_turns_the_tile_and_padding_frees_the_banks,
	     "transpose turns the tile, and padding frees the banks");
	TEST(smaller_tiles_conflict_less, "smaller tiles conflict less");
	TEST(a_barrier_of_amp_is_a_fence_too, "a barrier of AMP is a fence, too");
	TEST(both_ways_of_addressing_leave_the_sum_in_the_first_word,
	     "both ways of addressing leave the sum in the first word");
	return g_test_run();
}
