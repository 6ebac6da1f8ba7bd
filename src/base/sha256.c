/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4,
   4.2.2). */
static const uint32_t constants[64] __attribute__((aligned(16))) = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static inline uint32_t rotated(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static inline uint32_t big_endian(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

/* FIPS 180-4, 6.2.2. The sixteen words of the schedule that are still needed go around in w. */
static void blocks_plain(uint32_t state[8], const uint8_t *bytes, size_t n_blocks)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

	for (; n_blocks > 0; n_blocks--, bytes += SHA256_BLOCK_BYTES) {
		uint32_t w[16];

#pragma GCC unroll 16
		for (unsigned t = 0; t < 16; t++)
			w[t] = big_endian(&bytes[4 * t]);
		for (unsigned first = 0; first < 64; first += 16) {
#pragma GCC unroll 16
			for (unsigned t = 0; t < 16; t++) {
				const uint32_t x = w[(t + 1) % 16], y = w[(t + 14) % 16];
				const uint32_t one =
					h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
					(g ^ (e & (f ^ g))) + constants[first + t] + w[t];
				const uint32_t two =
					(rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +
					((a & b) | (c & (a | b)));

				h = g, g = f, f = e, e = d + one;
				d = c, c = b, b = a, a = one + two;
				w[t] += (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) +
					(rotated(y, 17) ^ rotated(y, 19) ^ y >> 10) +
					w[(t + 9) % 16];
			}
		}
		a = state[0] += a, b = state[1] += b, c = state[2] += c, d = state[3] += d;
		e = state[4] += e, f = state[5] += f, g = state[6] += g, h = state[7] += h;
	}
}

#if defined __x86_64__ && defined __GNUC__
#include <cpuid.h>
#include <immintrin.h>

/* By the processor's own instructions: two rounds each, the state in the order that they want, lowest
   word first (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, SHA256RNDS2). */
__attribute__((target("sha,sse4.1"))) static void
blocks_x86(uint32_t state[8], const uint8_t *bytes, size_t n_blocks)
{
	const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	const __m128i abcd = _mm_loadu_si128((const __m128i *)&state[0]);
	const __m128i efgh = _mm_loadu_si128((const __m128i *)&state[4]);
	__m128i feba = _mm_shuffle_epi32(_mm_unpacklo_epi64(abcd, efgh), 0x1b);
	__m128i hgdc = _mm_shuffle_epi32(_mm_unpackhi_epi64(abcd, efgh), 0x1b);

	for (; n_blocks > 0; n_blocks--, bytes += SHA256_BLOCK_BYTES) {
		const __m128i feba_before = feba, hgdc_before = hgdc;
		__m128i w[4];

#pragma GCC unroll 4
		for (unsigned i = 0; i < 4; i++)
			w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + i),
						swap);
#pragma GCC unroll 16
		for (unsigned i = 0; i < 16; i++) { /* four rounds each */
			__m128i *now = &w[i % 4], *last = &w[(i + 3) % 4];
			__m128i sum = _mm_add_epi32(
				*now, _mm_load_si128((const __m128i *)constants + i));

			hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sum);
			feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(sum, 0x0e));
			/* What the schedule has in their place sixteen rounds on. */
			*now = _mm_add_epi32(_mm_sha256msg1_epu32(*now, w[(i + 1) % 4]),
					     _mm_alignr_epi8(*last, w[(i + 2) % 4], 4));
			*now = _mm_sha256msg2_epu32(*now, *last);
		}
		feba = _mm_add_epi32(feba, feba_before);
		hgdc = _mm_add_epi32(hgdc, hgdc_before);
	}
	feba = _mm_shuffle_epi32(feba, 0x1b);
	hgdc = _mm_shuffle_epi32(hgdc, 0x1b);
	_mm_storeu_si128((__m128i *)&state[0], _mm_unpacklo_epi64(feba, hgdc));
	_mm_storeu_si128((__m128i *)&state[4], _mm_unpackhi_epi64(feba, hgdc));
}

static bool has_x86(void)
{
	uint32_t a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;
}
#else
#define blocks_x86 NULL

static bool has_x86(void)
{
	return false;
}
#endif

unsigned sha256_paths(Sha256Path paths[SHA256_MAX_PATHS])
{
	unsigned n = 0;

	if (has_x86())
		paths[n++] = (Sha256Path){"x86 SHA", blocks_x86};
	paths[n++] = (Sha256Path){"plain C", blocks_plain};
	return n;
}

void sha256_init(Sha256 *sha)
{
	static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	Sha256Path paths[SHA256_MAX_PATHS];

	sha256_paths(paths);
	memcpy(sha->state, start, sizeof start);
	sha->n_bytes = 0;
	sha->blocks = paths[0].blocks;
}

void sha256_add(Sha256 *sha, const uint8_t *bytes, size_t n)
{
	const size_t held = sha->n_bytes % SHA256_BLOCK_BYTES;
	const size_t taken = n < SHA256_BLOCK_BYTES - held ? n : SHA256_BLOCK_BYTES - held;

	sha->n_bytes += n;
	if (held > 0) {
		memcpy(sha->rest + held, bytes, taken);
		if (held + taken < SHA256_BLOCK_BYTES)
			return;
		sha->blocks(sha->state, sha->rest, 1);
		bytes += taken;
		n -= taken;
	}
	sha->blocks(sha->state, bytes, n / SHA256_BLOCK_BYTES);
	memcpy(sha->rest, bytes + n / SHA256_BLOCK_BYTES * SHA256_BLOCK_BYTES,
	       n % SHA256_BLOCK_BYTES);
}

void sha256_end(Sha256 *sha, char hex[65])
{
	const uint64_t n_bits = sha->n_bytes * 8;
	/* A one, zeros up to the last eight bytes of a block, and there the number of bits. */
	uint8_t end[SHA256_BLOCK_BYTES + 8] = {0x80};
	const size_t n = 1 + (119 - sha->n_bytes % SHA256_BLOCK_BYTES) % SHA256_BLOCK_BYTES;

	for (unsigned i = 0; i < 8; i++)
		end[n + i] = (uint8_t)(n_bits >> (56 - 8 * i));
	sha256_add(sha, end, n + 8);
	for (unsigned i = 0; i < 8; i++)
		snprintf(hex + 8 * i, 9, "%08x", sha->state[i]);
}
