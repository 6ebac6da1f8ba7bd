/* SPDX-License-Identifier: MIT */
/*
 * What every kernel's program shares: errors, images, random numbers, options. Programs are
 * single files of CUDA C; this header and measure.h are all they include of their own.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                            \
	do {                                                                                   \
		cudaError_t check_error = (call);                                              \
		if (check_error != cudaSuccess) {                                              \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(check_error));   \
			exit(1);                                                               \
		}                                                                              \
	} while (0)

#include "measure.h"

/* Argument i as a number within its range, or its default if there is none. */
static inline int number_argument(int argc, char **argv, int i, const char *name, int value,
				  int low, int high)
{
	if (i < argc)
		value = atoi(argv[i]);
	if (value < low || value > high) {
		fprintf(stderr, "%s: %s must be a number from %d to %d\n", argv[0], name, low,
			high);
		exit(2);
	}
	return value;
}

/* Argument i as one of the words, which `words` lists between spaces; its place in the list. */
static inline int word_argument(int argc, char **argv, int i, const char *words)
{
	char list[128];
	int place = 0;

	snprintf(list, sizeof(list), "%s", words);
	for (char *word = strtok(list, " "); word; word = strtok(NULL, " "), place++)
		if (i >= argc || strcmp(argv[i], word) == 0)
			return place;
	fprintf(stderr, "%s: '%s' is none of: %s\n", argv[0], argv[i], words);
	exit(2);
}

/* Reads the next number of a PGM header; `#` begins a comment. */
static int header_number(FILE *file)
{
	int c, number = 0;

	while ((c = fgetc(file)) != EOF && (c < '0' || c > '9'))
		if (c == '#')
			while ((c = fgetc(file)) != EOF && c != '\n')
				;
	for (; c >= '0' && c <= '9' && number < 100000; c = fgetc(file))
		number = 10 * number + c - '0';
	return number;
}

/* The pixels of a binary PGM image of 8 bits; exits with 1 if it is none. */
static inline uint8_t *read_pgm(const char *path, int *width, int *height)
{
	FILE *file = fopen(path, "rb");

	if (!file || fgetc(file) != 'P' || fgetc(file) != '5') {
		fprintf(stderr, "%s: not a readable binary PGM image\n", path);
		exit(1);
	}
	*width = header_number(file);
	*height = header_number(file);

	int white = header_number(file);
	size_t n = (size_t)*width * *height;
	uint8_t *pixels = (uint8_t *)malloc(n ? n : 1);

	if (white < 1 || white > 255 || n < 1 || fread(pixels, 1, n, file) != n) {
		fprintf(stderr, "%s: not a whole 8-bit image\n", path);
		exit(1);
	}
	fclose(file);
	return pixels;
}

/* The next of a sequence of random numbers (xorshift), the same on every machine. */
static inline uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* A copy of `bytes` bytes in the GPU's memory. */
static inline void *to_gpu(const void *data, size_t bytes)
{
	void *copy;

	CHECK(cudaMalloc(&copy, bytes));
	CHECK(cudaMemcpy(copy, data, bytes, cudaMemcpyHostToDevice));
	return copy;
}

/*
 * What a trace of this run must hold, for a test to compare. KIND is `add` (lanes of atomic adds on shared
 * memory), `lock` (lanes that took a lock there), `addg` or `lockg` (the same on global memory; words are
 * counted from their buffer's begin). In block BLOCK, or in all together if it is -1, word
 * first + i and the words stride, 2 * stride, ... behind it, one for each copy, take votes[i] in
 * all.
 */
static inline void print_votes(const char *kind, int block, int first, int n, int stride,
			       int copies, const unsigned int *votes)
{
	printf("votes %s block %d first %d words %d stride %d copies %d\n", kind, block, first,
	       n, stride, copies);
	for (int i = 0; i < n; i++)
		printf("%u%c", votes[i], i == n - 1 ? '\n' : ' ');
}

/* The program's last words and its exit status. */
static inline int conclude(int good)
{
	measure_print();
	puts(good ? "PASS" : "FAIL");
	return good ? 0 : 1;
}

#endif
