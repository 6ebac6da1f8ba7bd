/* SPDX-License-Identifier: MIT */
/*
 * How often words of global memory have been written, and when last. Pure. Who may include it: model.
 */
#ifndef ATOMSIM_MODEL_MEMORY_WRITTEN_WORDS_H
#define ATOMSIM_MODEL_MEMORY_WRITTEN_WORDS_H

#include "model/memory/memory-parameters.h"

typedef struct {
	uint64_t byte; /* its address */
	uint32_t writes;
	Tick written; /* the last of them */
} WrittenWord;

typedef struct WrittenWords WrittenWords;

WrittenWords *written_words_new(void);
void written_words_free(WrittenWords *words);
/* The number of the word at an address, which is known from now on: they are numbered as they come. */
uint32_t written_words_number(WrittenWords *words, uint64_t byte);
/* The word of a number that the last function has returned; until its next call. */
WrittenWord *written_words_at(const WrittenWords *words, uint32_t number);

#endif
