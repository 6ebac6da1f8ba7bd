/* SPDX-License-Identifier: MIT */
#include "workloads/distribution.h"

#include "base/error.h"

struct Distribution {
	const WorkloadParameters *parameters;
	DistributionKind kind;
	uint32_t n_words;
	uint32_t n_hot_lanes;
	uint32_t reach;
	Zipf *zipf;
	/* sorted: element i of the input is the word w with first[w] <= i < first[w + 1]. */
	uint64_t *first;
	uint64_t block_threads;
	uint64_t grid_threads;

	GRand *random; /* of the warp at hand */
	uint32_t warp;
	uint64_t element; /* of its lane 0 in the next step */
};

/* The sorted input needs no memory for its elements: how often each word occurs says it all. */
static void sort_input(Distribution *distribution, uint64_t n_elements)
{
	uint64_t *first = g_new0(uint64_t, distribution->n_words + 1);
	GRand *random = workload_random(distribution->parameters, UINT32_MAX, UINT32_MAX);

	for (uint64_t i = 0; i < n_elements; i++)
		first[random_below(random, distribution->n_words) + 1]++;
	for (uint32_t w = 0; w < distribution->n_words; w++)
		first[w + 1] += first[w];
	g_rand_free(random);
	distribution->first = first;
}

static gboolean check(const Distribution *distribution, GError **error)
{
	if (distribution->kind == DISTRIBUTION_LANES && distribution->n_words % WARP_LANES != 0)
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--words: %u found; allowed with --distribution lanes: multiples of %d",
			distribution->n_words, WARP_LANES);
	if (distribution->kind == DISTRIBUTION_HOT && distribution->n_words == 1 &&
	    distribution->n_hot_lanes < WARP_LANES)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--words: 1 found; allowed with --hot-lanes %u: 2 or more, "
				    "for the lanes that are not hot",
				    distribution->n_hot_lanes);
	return TRUE;
}

Distribution *distribution_new(const WorkloadParameters *parameters, uint32_t n_words,
			       uint32_t n_blocks, uint32_t n_warps, uint32_t n_steps,
			       GError **error)
{
	g_autoptr(Distribution) distribution = g_new0(Distribution, 1);

	distribution->parameters = parameters;
	distribution->kind = (DistributionKind)workload_choice(parameters, "distribution");
	distribution->n_words = n_words;
	distribution->n_hot_lanes = (uint32_t)workload_integer(parameters, "hot-lanes");
	distribution->reach = (uint32_t)workload_integer(parameters, "reach");
	distribution->block_threads = (uint64_t)n_warps * WARP_LANES;
	distribution->grid_threads = n_blocks * distribution->block_threads;
	if (!check(distribution, error))
		return NULL;

	if (distribution->kind == DISTRIBUTION_ZIPF)
		distribution->zipf =
			zipf_new(n_words, (uint32_t)workload_integer(parameters, "exponent"));
	if (distribution->kind == DISTRIBUTION_SORTED)
		sort_input(distribution, distribution->grid_threads * n_steps);
	return g_steal_pointer(&distribution);
}

void distribution_free(Distribution *distribution)
{
	if (!distribution)
		return;
	g_clear_pointer(&distribution->random, g_rand_free);
	zipf_free(distribution->zipf);
	g_free(distribution->first);
	g_free(distribution);
}

void distribution_begin(Distribution *distribution, uint32_t block, uint32_t warp)
{
	g_clear_pointer(&distribution->random, g_rand_free);
	distribution->random = workload_random(distribution->parameters, block, warp);
	distribution->warp = warp;
	/* Grid stride: in step s, thread t of the grid reads element s * grid_threads + t. */
	distribution->element =
		block * distribution->block_threads + (uint64_t)warp * WARP_LANES;
}

static void next_uniform(Distribution *distribution, uint32_t *word)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		word[lane] = random_below(distribution->random, distribution->n_words);
}

static void next_zipf(Distribution *distribution, uint32_t *word)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		word[lane] = zipf_rank(distribution->zipf, g_rand_int(distribution->random));
}

static void next_sorted(Distribution *distribution, uint32_t *word)
{
	uint32_t low = 0, high = distribution->n_words - 1;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (distribution->first[middle + 1] > distribution->element)
			high = middle;
		else
			low = middle + 1;
	}
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		while (distribution->first[low + 1] <= distribution->element + lane)
			low++;
		word[lane] = low;
	}
}

/* By insertion: 32 values. */
static void sort_words(uint32_t *word)
{
	for (unsigned i = 1; i < WARP_LANES; i++) {
		uint32_t key = word[i];
		unsigned j = i;
		for (; j > 0 && word[j - 1] > key; j--)
			word[j] = word[j - 1];
		word[j] = key;
	}
}

/* On a ring, so that no word is more likely than others. The next step lies a whole grid further
   in the input, so it begins anywhere. */
static void next_walk(Distribution *distribution, uint32_t *word)
{
	uint32_t n = distribution->n_words;
	uint32_t reach = distribution->reach;
	uint32_t here = random_below(distribution->random, n);

	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		word[lane] = here;
		uint32_t away = random_below(distribution->random, 2 * reach + 1);
		here = (here + away % n + n - reach % n) % n;
	}
}

static void next_hot(Distribution *distribution, uint32_t *word)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		word[lane] = lane < distribution->n_hot_lanes
				     ? 0
				     : 1 + random_below(distribution->random,
							distribution->n_words - 1);
}

static void next_lanes(Distribution *distribution, uint32_t *word)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		word[lane] = (distribution->warp * WARP_LANES + lane) % distribution->n_words;
}

void distribution_next(Distribution *distribution, uint32_t word[WARP_LANES])
{
	switch (distribution->kind) {
	case DISTRIBUTION_UNIFORM:
		next_uniform(distribution, word);
		break;
	case DISTRIBUTION_ZIPF:
		next_zipf(distribution, word);
		break;
	case DISTRIBUTION_SORTED:
		next_sorted(distribution, word);
		break;
	case DISTRIBUTION_WARP_SORTED:
		next_uniform(distribution, word);
		sort_words(word);
		break;
	case DISTRIBUTION_WALK:
		next_walk(distribution, word);
		break;
	case DISTRIBUTION_HOT:
		next_hot(distribution, word);
		break;
	case DISTRIBUTION_LANES:
		next_lanes(distribution, word);
		break;
	}
	distribution->element += distribution->grid_threads;
}
