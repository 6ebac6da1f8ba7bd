/* SPDX-License-Identifier: MIT */
/*
 * Critical sections against what any machine must do with them. Random programs of sections: each lane goes through each of its
 * sections once, what is within one is executed once a round and by its lanes, a word has one holder at a time. And an oracle of the
 * order: of lanes that try a word together the first gets it.
 */
#include <glib.h>
#include <string.h>

#include "config/config.h"
#include "list-source.h"
#include "sim/run/observer.h"
#include "sim/run/run.h"

#define N_LANES	   32
#define N_SECTIONS 4 /* at most, of a warp */
#define N_WARPS	   3
#define N_WORDS	   8
#define BUSY                                                                                   \
	20 /* of the instructions of a section, the first one's: each of them has another count */

/* A program, and what is seen of it. */
typedef struct {
	Observer observer;
	uint32_t n_warps, n_sections;
	LaneMask mask[N_WARPS][N_SECTIONS];
	uint32_t word[N_WARPS][N_SECTIONS][N_LANES]; /* by lane */
	bool by_lane; /* lanes of a warp on a word have their turns together: the first gets it */
	bool in_order; /* no section is entered before the one in front of it is left by all */
	bool global[N_SECTIONS]; /* its locks are in global memory */
	/* Seen. */
	uint32_t n_through[N_WARPS][N_SECTIONS][N_LANES];
	uint32_t n_rounds[N_WARPS][N_SECTIONS], n_busy[N_WARPS][N_SECTIONS];
	uint32_t last_section;			     /* that was left */
	uint32_t gone[N_WARPS][N_SECTIONS][N_WORDS]; /* the last lane that has left it, + 1 */
	GArray *touches;			     /* Touch */
	GString *
		order; /* of the releases: "0-1 2": lanes of one instruction have - between them */
} Program;

/* A lane's store within its section, and its release. */
typedef struct {
	Cycle at;
	uint32_t word;
	bool release;
} Touch;

static void see_lanes(Program *program, const Instruction *instruction)
{
	const Record *record = instruction->record;
	const uint32_t warp = instruction->warp, section = record->site - 1;
	uint32_t i = 0;

	g_assert_cmpuint(record->mask & ~program->mask[warp][section], ==, 0);
	if (program->in_order)
		g_assert_cmpuint(section, >=, program->last_section);
	for (LaneMask left = record->mask; left; left &= left - 1, i++) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const Touch touch = {instruction->start,
				     record->address[i] / 4 +
					     (program->global[section] ? N_WORDS : 0),
				     record->kind == RECORD_UNLOCK};

		uint32_t *gone = &program->gone[warp][section][record->address[i] / 4];

		g_assert_cmpuint(record->address[i] / 4, ==,
				 program->word[warp][section][lane]);
		g_array_append_val(program->touches, touch);
		if (!touch.release)
			continue;
		program->last_section = section;
		if (program->by_lane)
			g_assert_cmpuint(lane, >=, *gone);
		*gone = lane + 1;
		program->n_through[warp][section][lane]++;
		g_string_append_printf(program->order, "%s%u",
				       i > 0		     ? "-"
				       : program->order->len ? " "
							     : "",
				       lane);
	}
	g_assert_cmpuint(i, ==, record->n_lanes);
	program->n_rounds[warp][section] += record->kind == RECORD_UNLOCK;
}

static void watch(Observer *observer, const Instruction *instruction)
{
	Program *program = (Program *)observer;
	const Record *record = instruction->record;

	if (record->kind == RECORD_STS || record->kind == RECORD_UNLOCK)
		see_lanes(program, instruction);
	if (record->kind == RECORD_ALU && record->count >= BUSY)
		program->n_busy[instruction->warp][record->count - BUSY]++;
}

/* lock, store, alu, unlock; between sections an instruction of all lanes. */
static ListSource *write_program(const Program *program, bool together)
{
	static const uint64_t bytes[] = {4096};
	ListSource *list = list_source_new(1, program->n_warps, 4 * N_WORDS);
	const RecordKind kinds[] = {RECORD_LOCK, RECORD_STS, RECORD_ALU, RECORD_UNLOCK};

	for (uint32_t w = 0; w < program->n_warps; w++)
		for (uint32_t s = 0; s < program->n_sections; s++) {
			const LaneMask mask = program->mask[w][s];
			uint32_t words[N_LANES], n = 0;
			Record record;

			for (LaneMask left = mask; left; left &= left - 1)
				words[n++] = program->word[w][s][__builtin_ctzll(left)];
			for (uint32_t k = 0; n > 0 && k < G_N_ELEMENTS(kinds); k++) {
				record = kinds[k] == RECORD_ALU
						 ? list_plain(RECORD_ALU, BUSY + s)
						 : list_record(kinds[k], words, n);
				record.site = kinds[k] == RECORD_ALU ? 0 : s + 1;
				record.mask = kinds[k] == RECORD_ALU ? 0 : mask;
				if (program->global[s] &&
				    (kinds[k] == RECORD_LOCK || kinds[k] == RECORD_UNLOCK)) {
					record.space = MEMORY_GLOBAL;
					record.buffer = 1;
					record.cache = CACHE_BYPASS;
				}
				list_source_append(list, 0, w, &record);
			}
			record = list_plain(together ? RECORD_VOTE : RECORD_ALU, 1);
			list_source_append(list, 0, w, &record);
		}
	list->source.kernel.lock_sections = true;
	list->source.kernel.n_buffers = 1;
	list->source.kernel.buffer_bytes = bytes;
	return list;
}

static void clear_seen(Program *program)
{
	memset(program->n_through, 0, sizeof program->n_through);
	memset(program->n_rounds, 0, sizeof program->n_rounds);
	memset(program->n_busy, 0, sizeof program->n_busy);
	memset(program->gone, 0, sizeof program->gone);
	program->last_section = 0;
	g_array_set_size(program->touches, 0);
	g_string_set_size(program->order, 0);
}

static uint64_t run(Program *program, const Machine *machine, bool together)
{
	g_autoptr(ListSource) list = write_program(program, together);
	SimRequest request = {.machine = machine,
			      .source = &list->source,
			      .n_threads = 1,
			      .n_sites = N_SECTIONS,
			      .observer = &program->observer};
	SimResult result;

	clear_seen(program);
	sim_run(&request, &result);
	g_assert_cmpint(result.status, ==, SIM_OK);
	return result.statistics.spin_attempts;
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const Touch *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Every store is in a section of its word's one holder. */
static void check_holders(Program *program)
{
	bool held[2 * N_WORDS] = {false};

	g_array_sort(program->touches, by_time);
	for (guint i = 0; i < program->touches->len; i++) {
		const Touch *touch = &g_array_index(program->touches, Touch, i);

		g_assert_cmpint(held[touch->word], ==, touch->release);
		held[touch->word] = !touch->release;
	}
}

static void check_program(Program *program)
{
	for (uint32_t w = 0; w < program->n_warps; w++)
		for (uint32_t s = 0; s < program->n_sections; s++) {
			g_assert_cmpuint(program->n_busy[w][s], ==,
					 program->n_rounds[w][s] * (BUSY + s));
			for (uint32_t lane = 0; lane < N_LANES; lane++)
				g_assert_cmpuint(program->n_through[w][s][lane], ==,
						 program->mask[w][s] >> lane & 1);
		}
	check_holders(program);
}

static Program *program_new(void)
{
	Program *program = g_new0(Program, 1);

	program->observer = (Observer){.instruction = watch};
	program->touches = g_array_new(FALSE, FALSE, sizeof(Touch));
	program->order = g_string_new(NULL);
	return program;
}

static void program_free(Program *program)
{
	g_array_unref(program->touches);
	g_string_free(program->order, TRUE);
	g_free(program);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Program, program_free)

static LaneMask random_mask(GRand *rand)
{
	const LaneMask some[] = {UINT32_MAX, 0xffff, 0xffff0000, g_rand_int(rand),
				 g_rand_int(rand) & g_rand_int(rand)};

	return some[g_rand_int_range(rand, 0, G_N_ELEMENTS(some))];
}

static Config *load(const char *name)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, NULL, &error);

	g_assert_no_error(error);
	return config;
}

static void every_lane_goes_once_through_each_of_its_sections(void)
{
	const char *const machines[] = {"h200.json", "gtx1080.json", "fermi.json"};
	g_autoptr(GRand) rand = g_rand_new_with_seed(20);
	g_autoptr(Program) program = program_new();

	for (guint m = 0; m < G_N_ELEMENTS(machines); m++) {
		g_autoptr(Config) config = load(machines[m]);

		program->by_lane = strcmp(machines[m], "fermi.json") == 0;
		for (uint32_t i = 0; i < 240; i++) {
			const gint32 n_words =
				g_rand_int_range(rand, 1, i % 2 ? 3 : N_WORDS + 1);

			program->n_warps = (uint32_t)g_rand_int_range(rand, 1, N_WARPS + 1);
			program->n_sections =
				(uint32_t)g_rand_int_range(rand, 1, N_SECTIONS + 1);
			for (uint32_t k = 0; k < N_WARPS * N_SECTIONS; k++) {
				const uint32_t w = k / N_SECTIONS, s = k % N_SECTIONS;

				program->mask[w][s] = random_mask(rand);
				for (uint32_t lane = 0; lane < N_LANES; lane++)
					program->word[w][s][lane] =
						(uint32_t)g_rand_int_range(rand, 0, n_words);
			}
			run(program, config_machine(config), i % 4 == 0);
			check_program(program);
		}
	}
}

/* One warp, one section: round r lets the r-th lane of each word in, so there are as many rounds, and tries, as lanes on the word
   that most want. */
static void of_lanes_on_a_word_the_first_goes_first(void)
{
	const char *const machines[] = {"h200.json", "gtx1080.json", "fermi.json"};
	g_autoptr(GRand) rand = g_rand_new_with_seed(21);
	g_autoptr(Program) program = program_new();

	program->n_warps = program->n_sections = 1;
	for (uint32_t i = 0; i < 60; i++) {
		g_autoptr(Config) config = load(machines[i % G_N_ELEMENTS(machines)]);
		g_autoptr(GString) expected = g_string_new(NULL);
		const gint32 n_words = g_rand_int_range(rand, 1, N_WORDS + 1);
		uint32_t rank[N_LANES], n_of[N_WORDS] = {0}, n_rounds = 0;
		uint64_t tries;

		program->mask[0][0] = random_mask(rand) | 1;
		for (uint32_t lane = 0; lane < N_LANES; lane++) {
			const uint32_t word = (uint32_t)g_rand_int_range(rand, 0, n_words);

			program->word[0][0][lane] = word;
			rank[lane] = program->mask[0][0] >> lane & 1 ? n_of[word]++ : N_LANES;
			n_rounds = MAX(n_rounds, n_of[word]);
		}
		for (uint32_t round = 0; round < n_rounds; round++) {
			const char *between = round > 0 ? " " : "";

			for (uint32_t lane = 0; lane < N_LANES; lane++)
				if (rank[lane] == round) {
					g_string_append_printf(expected, "%s%u", between, lane);
					between = "-";
				}
		}
		tries = run(program, config_machine(config), false);
		check_program(program);
		g_assert_cmpstr(program->order->str, ==, expected->str);
		g_assert_cmpuint(tries, ==, n_rounds);
	}
}

/* Locks in two memories cannot be tried together: those go first whose lanes try already. */
static void who_tries_already_goes_first(void)
{
	g_autoptr(Config) config = load("h200.json");
	g_autoptr(GRand) rand = g_rand_new_with_seed(22);
	g_autoptr(Program) program = program_new();

	program->n_warps = 1;
	program->n_sections = 2;
	program->in_order = true;
	for (uint32_t i = 0; i < 60; i++) {
		program->global[i % 2] = true;
		program->global[1 - i % 2] = false;
		for (uint32_t k = 0; k < 2 * N_LANES; k++)
			program->word[0][k / N_LANES][k % N_LANES] =
				(uint32_t)g_rand_int_range(rand, 0, 3);
		program->mask[0][0] = random_mask(rand);
		program->mask[0][1] = random_mask(rand);
		run(program, config_machine(config), false);
		check_program(program);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(function, sentence) g_test_add_func("/sections/" sentence, function)
	TEST(every_lane_goes_once_through_each_of_its_sections,
	     "every lane goes once through each of its sections");
	TEST(of_lanes_on_a_word_the_first_goes_first,
	     "of lanes on a word the first goes first");
	TEST(who_tries_already_goes_first, "who tries already goes first");
#undef TEST
	return g_test_run();
}
