/* SPDX-License-Identifier: MIT */
/* Words are found by open addressing, in a table that is at most half full. */
#include "model/memory/written-words.h"

#include <glib.h>

#include "base/spread.h"

#define FIRST_BITS 6

struct WrittenWords {
	GArray *words;	 /* WrittenWord */
	uint32_t *table; /* 1 + the word's number; 0: free */
	uint32_t bits;	 /* 1 << bits places */
};

WrittenWords *written_words_new(void)
{
	WrittenWords *words = g_new(WrittenWords, 1);

	*words = (WrittenWords){
		.words = g_array_new(FALSE, FALSE, sizeof(WrittenWord)),
		.table = g_new0(uint32_t, 1u << FIRST_BITS),
		.bits = FIRST_BITS,
	};
	return words;
}

void written_words_free(WrittenWords *words)
{
	g_array_unref(words->words);
	g_free(words->table);
	g_free(words);
}

WrittenWord *written_words_at(const WrittenWords *words, uint32_t number)
{
	return &g_array_index(words->words, WrittenWord, number);
}

/* The place of a word in the table, or the free one where it would be. Fibonacci hashing. */
static uint32_t *place_of(const WrittenWords *words, uint64_t byte)
{
	const uint32_t mask = (1u << words->bits) - 1;
	uint32_t h = (uint32_t)(spread_key(byte) >> (64 - words->bits));

	while (words->table[h] && written_words_at(words, words->table[h] - 1)->byte != byte)
		h = (h + 1) & mask;
	return &words->table[h];
}

static void grow(WrittenWords *words)
{
	words->bits++;
	g_free(words->table);
	words->table = g_new0(uint32_t, UINT64_C(1) << words->bits);
	for (guint i = 0; i < words->words->len; i++)
		*place_of(words, written_words_at(words, i)->byte) = i + 1;
}

uint32_t written_words_number(WrittenWords *words, uint64_t byte)
{
	const WrittenWord word = {.byte = byte};
	uint32_t *place = place_of(words, byte);

	if (*place)
		return *place - 1;
	g_array_append_val(words->words, word);
	*place = words->words->len;
	if (words->words->len > 1u << (words->bits - 1))
		grow(words);
	return words->words->len - 1;
}
