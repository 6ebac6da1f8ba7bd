/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), the name that a report calls a trace by. GLib has one; it takes a fifth of a short
 * run. Who may include it: everybody.
 */
#ifndef ATOMSIM_BASE_SHA256_H
#define ATOMSIM_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK_BYTES 64

/* Takes n_blocks blocks of 64 bytes into the state. */
typedef void Sha256Blocks(uint32_t state[8], const uint8_t *bytes, size_t n_blocks);

/* One way to do it. */
typedef struct {
	const char *name;
	Sha256Blocks *blocks;
} Sha256Path;

/* The ways that this processor has, fastest first; the last is plain C. Returns their number, 1 or
   SHA256_MAX_PATHS. */
#define SHA256_MAX_PATHS 2
unsigned sha256_paths(Sha256Path paths[SHA256_MAX_PATHS]);

typedef struct {
	uint32_t state[8];
	uint64_t n_bytes;		  /* so far */
	uint8_t rest[SHA256_BLOCK_BYTES]; /* the last n_bytes % 64 of them */
	Sha256Blocks *blocks;
} Sha256;

void sha256_init(Sha256 *sha);
void sha256_add(Sha256 *sha, const uint8_t *bytes, size_t n);
/* 64 hexadecimal digits and a 0. The state is of no use afterwards. */
void sha256_end(Sha256 *sha, char hex[65]);

#endif
