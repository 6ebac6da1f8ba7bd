/* SPDX-License-Identifier: MIT */
/*
 * Numbers of files are little-endian: traces, raw captures, constants of machine code. These make them the machine's, and, called
 * again, those of a file. On a little-endian machine nothing is done. A leaf: every layer may include it.
 */
#ifndef ATOMSIM_BASE_LITTLE_H
#define ATOMSIM_BASE_LITTLE_H

#include <stddef.h>
#include <stdint.h>

#define LITTLE_IS_NATIVE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

static inline uint16_t little_16(uint16_t number)
{
	return LITTLE_IS_NATIVE ? number : __builtin_bswap16(number);
}

static inline uint32_t little_32(uint32_t number)
{
	return LITTLE_IS_NATIVE ? number : __builtin_bswap32(number);
}

static inline uint64_t little_64(uint64_t number)
{
	return LITTLE_IS_NATIVE ? number : __builtin_bswap64(number);
}

/* n numbers, in place. */
static inline void little_16s(uint16_t *numbers, size_t n)
{
	for (size_t i = 0; !LITTLE_IS_NATIVE && i < n; i++)
		numbers[i] = little_16(numbers[i]);
}

static inline void little_32s(uint32_t *numbers, size_t n)
{
	for (size_t i = 0; !LITTLE_IS_NATIVE && i < n; i++)
		numbers[i] = little_32(numbers[i]);
}

static inline void little_64s(uint64_t *numbers, size_t n)
{
	for (size_t i = 0; !LITTLE_IS_NATIVE && i < n; i++)
		numbers[i] = little_64(numbers[i]);
}

/* Turns the bytes of each field of a struct around, at any address. layout: how many bytes each field has, in their order,
   as digits; of text 1 for each byte. */
static inline void little_turn(void *at, const char *layout)
{
	for (uint8_t *from = at; *layout; from += *layout++ - '0')
		for (uint8_t *a = from, *b = from + (*layout - '0') - 1; a < b; a++, b--) {
			uint8_t byte = *a;

			*a = *b;
			*b = byte;
		}
}

/* A struct, in place. */
static inline void little_fields(void *at, const char *layout)
{
	if (!LITTLE_IS_NATIVE)
		little_turn(at, layout);
}

#endif
