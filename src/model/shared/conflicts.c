/* SPDX-License-Identifier: MIT */
#include "model/shared/conflicts.h"

#include <string.h>

#define BANKS_8(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
const BankWords bank_words_none = {{BANKS_8(0), BANKS_8(8), BANKS_8(16), BANKS_8(24),
				    BANKS_8(32), BANKS_8(40), BANKS_8(48), BANKS_8(56)}};

/* --- Plain: what the others mean --- */

static uint32_t passes_plain(const ConflictWords *in, const uint32_t *words, uint32_t n,
			     uint32_t *worst_bank)
{
	uint32_t in_bank[CONFLICTS_MAX_BANKS] = {0}, passes = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t bank = in->bank_of[words[i]];
		bool seen = false;

		for (uint32_t k = 0; k < i; k++)
			seen |= words[k] == words[i];
		if (!seen && ++in_bank[bank] > passes) {
			passes = in_bank[bank];
			*worst_bank = bank;
		}
	}
	return passes;
}

/* Of a count with its bank: passes << 8 | bank. */
static inline uint32_t passes_and_bank(uint32_t counted)
{
	return counted >> BANK_WORDS_SHIFT << 8 | counted % (1u << BANK_WORDS_SHIFT);
}

static uint32_t most_plain(const BankWords *words, uint32_t n_banks)
{
	uint32_t most = 0;

	for (uint32_t b = 0; b < n_banks; b++)
		most = words->of[b] > most ? words->of[b] : most;
	return passes_and_bank(most);
}

static bool take_run_plain(const uint32_t *words, uint32_t n, uint64_t *free_at,
			   uint32_t *taken, uint64_t start, uint32_t shift, uint32_t slot)
{
	for (uint32_t i = 0; i < n; i++)
		if (words[i] != words[0] + i || free_at[i] > start)
			return false;
	for (uint32_t i = 0; i < n; i++) {
		free_at[i] = UINT64_MAX;
		taken[i] = words[i] << shift | slot;
	}
	return true;
}

static const ConflictPath plain = {"plain", passes_plain, most_plain, take_run_plain};

/* --- Fast, compiled for several instruction sets --- */

#define VECTOR_BYTES 32
#define CHUNK	     (VECTOR_BYTES / 4)
#define TIMES	     (VECTOR_BYTES / 8)
#define COUNTS	     (VECTOR_BYTES / 2)

typedef uint32_t Lanes __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t Times __attribute__((vector_size(VECTOR_BYTES)));
typedef int16_t Counts __attribute__((vector_size(VECTOR_BYTES)));

/* The bits of all of a vector's elements of 64 bits, or-ed. */
static inline __attribute__((always_inline)) uint64_t bits_of(const void *vector)
{
	uint64_t parts[VECTOR_BYTES / 8], bits = 0;

	memcpy(parts, vector, sizeof parts);
#pragma GCC unroll 4
	for (unsigned i = 0; i < VECTOR_BYTES / 8; i++)
		bits |= parts[i];
	return bits;
}

/* Whether all words are the same, or all banks different: then there is one pass. */
static inline __attribute__((always_inline)) bool
is_one_pass(const ConflictWords *in, const uint32_t *words, uint32_t n, bool vectors)
{
	Lanes differ = {0}, banks = {0}, chunk;
	uint32_t seen = 0, i = 0;
	uint64_t any = 0;

	if (in->modulo == 0 || in->modulo > 32)
		return false;
	for (; vectors && i + CHUNK <= n; i += CHUNK) {
		memcpy(&chunk, &words[i], sizeof chunk);
		differ |= chunk ^ words[0];
		banks |= 1u << (chunk & (in->modulo - 1));
	}
	if (vectors) {
		const uint64_t both = bits_of(&banks);

		any = bits_of(&differ);
		seen = (uint32_t)(both | both >> 32);
	}
	for (; i < n; i++) {
		any |= words[i] ^ words[0];
		seen |= 1u << (words[i] & (in->modulo - 1));
	}
	return any == 0 || (uint32_t)__builtin_popcount(seen) == n;
}

/* Without a branch for a lane: which word is a repeat is what no processor can predict. */
static inline __attribute__((always_inline)) uint32_t
passes_fast(const ConflictWords *in, const uint32_t *words, uint32_t n, uint32_t *worst_bank,
	    bool vectors)
{
	uint16_t in_bank[CONFLICTS_MAX_BANKS];
	uint32_t most = 0; /* passes << 16 | lanes that come after */

	*worst_bank = in->bank_of[words[0]];
	if (is_one_pass(in, words, n, vectors))
		return 1;
	memset(in_bank, 0, sizeof in_bank);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *mark = &in->marks[words[i]], bank = in->bank_of[words[i]];
		const uint32_t count = in_bank[bank] + (*mark != in->mark);
		const uint32_t mine = count << 16 | (n - i);

		*mark = in->mark;
		in_bank[bank] = (uint16_t)count;
		most = mine > most ? mine : most;
	}
	*worst_bank = in->bank_of[words[n - most % (1u << 16)]];
	return most >> 16;
}

/* Element by element; no function, as not every caller's processor has vectors of this length. */
#define LARGER_OF(a, b) (((a) & ((a) > (b))) | ((b) & ~((a) > (b))))

/* Each element, or that of the same vector which the list names, whichever is larger. */
#ifdef __clang__
#define SHUFFLED(...) __builtin_shufflevector(each, each, __VA_ARGS__)
#else
#define SHUFFLED(...) __builtin_shuffle(each, (Counts){__VA_ARGS__})
#endif
#define FOLD(...) next = SHUFFLED(__VA_ARGS__), each = LARGER_OF(each, next)

static inline __attribute__((always_inline)) uint32_t most_vector(const BankWords *words,
								  uint32_t n_banks)
{
	Counts each, next;
	int16_t one[COUNTS];

	memcpy(&each, &words->of[0], sizeof each);
	for (uint32_t b = COUNTS; b < n_banks; b += COUNTS) {
		memcpy(&next, &words->of[b], sizeof next);
		each = LARGER_OF(each, next);
	}
	FOLD(8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0);
	FOLD(4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	FOLD(2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	FOLD(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	memcpy(one, &each, sizeof one);
	return passes_and_bank((uint32_t)one[0]);
}

static inline __attribute__((always_inline)) bool take_run_fast(const uint32_t *words,
								uint32_t n, uint64_t *free_at,
								uint32_t *taken, uint64_t start,
								uint32_t shift, uint32_t slot)
{
	const Lanes step = {0, 1, 2, 3, 4, 5, 6, 7};
	Lanes broken = {0}, chunk;
	Times late = {0}, times;
	uint64_t any = 0;
	uint32_t i = 0;

	for (; i + CHUNK <= n; i += CHUNK) {
		memcpy(&chunk, &words[i], sizeof chunk);
		broken |= chunk ^ (step + (words[0] + i));
	}
	for (; i < n; i++)
		any |= words[i] ^ (words[0] + i);
	if (any | bits_of(&broken))
		return false;
	for (i = 0; i + TIMES <= n; i += TIMES) {
		memcpy(&times, &free_at[i], sizeof times);
		late |= (Times)(times > start);
	}
	for (; i < n; i++)
		any |= free_at[i] > start;
	if (any | bits_of(&late))
		return false;
	memset(free_at, 0xff, n * sizeof *free_at);
	for (i = 0; i + CHUNK <= n; i += CHUNK) {
		chunk = (step + (words[0] + i)) << shift | slot;
		memcpy(&taken[i], &chunk, sizeof chunk);
	}
	for (; i < n; i++)
		taken[i] = words[i] << shift | slot;
	return true;
}

#define FAST_PATH(id, label, attribute, vectors)                                               \
	attribute static uint32_t passes_##id(const ConflictWords *in, const uint32_t *words,  \
					      uint32_t n, uint32_t *worst_bank)                \
	{                                                                                      \
		return passes_fast(in, words, n, worst_bank, vectors);                         \
	}                                                                                      \
	attribute static uint32_t most_##id(const BankWords *words, uint32_t n_banks)          \
	{                                                                                      \
		return (vectors ? most_vector : most_plain)(words, n_banks);                   \
	}                                                                                      \
	attribute static bool take_run_##id(const uint32_t *words, uint32_t n,                 \
					    uint64_t *free_at, uint32_t *taken,                \
					    uint64_t start, uint32_t shift, uint32_t slot)     \
	{                                                                                      \
		return (vectors ? take_run_fast : take_run_plain)(words, n, free_at, taken,    \
								  start, shift, slot);         \
	}                                                                                      \
	static const ConflictPath id = {label, passes_##id, most_##id, take_run_##id};

FAST_PATH(portable, "portable", , false)
#if defined __x86_64__ && defined __GNUC__
FAST_PATH(avx2, "AVX2", __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), true)
FAST_PATH(avx512, "AVX-512",
	  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,lzcnt,popcnt"))),
	  true)
#endif

unsigned conflict_paths(const ConflictPath *paths[CONFLICTS_MAX_PATHS])
{
	unsigned n = 0;

#if defined __x86_64__ && defined __GNUC__
	const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");

	if (has_avx2 && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
		paths[n++] = &avx512;
	if (has_avx2)
		paths[n++] = &avx2;
#endif
	paths[n++] = &portable;
	paths[n++] = &plain;
	return n;
}
