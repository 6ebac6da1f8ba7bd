/* SPDX-License-Identifier: MIT */
/*
 * A Zipf distribution in integers, so that it is the same on every machine: pow() is not. Only
 * distribution.c includes it.
 */
#ifndef ATOMSIM_WORKLOADS_ZIPF_H
#define ATOMSIM_WORKLOADS_ZIPF_H

#include <stdint.h>

typedef struct Zipf Zipf;

/* Ranks 0 .. n-1 (n 1 .. 65536), rank k with a weight of (k + 1)^-(hundredths / 100). */
Zipf *zipf_new(uint32_t n, uint32_t hundredths);
void zipf_free(Zipf *zipf);

/* The rank that belongs to a uniform 32-bit number. */
uint32_t zipf_rank(const Zipf *zipf, uint32_t uniform);

#endif
