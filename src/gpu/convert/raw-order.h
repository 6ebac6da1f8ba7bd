/* SPDX-License-Identifier: MIT */
/* Raw captures on machines whose numbers are not little-endian. For convert/ and its tests. */
#ifndef ATOMSIM_GPU_CONVERT_RAW_ORDER_H
#define ATOMSIM_GPU_CONVERT_RAW_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Turns the numbers of a raw capture's `n` bytes around, in place; `bytes` lie at a multiple of 8, and `native`: the numbers are
   this machine's, else they become so. It goes as far as chunks and events are whole and their kinds known: who reads them refuses what follows.
   The bytes of kernel parameters stay as they are. */
void raw_turn(uint8_t *bytes, size_t n, bool native);

#endif
