/* SPDX-License-Identifier: MIT */
/*
 * Decompresses xz ahead of its reader, in a thread of its own where one is to be had, so that the two
 * together take as long as the slower one. What the reader gets does not depend on that. Memory does not
 * grow with the file. Who may include it: src/trace/lines.c.
 */
#ifndef ATOMSIM_TRACE_UNXZ_H
#define ATOMSIM_TRACE_UNXZ_H

#include <glib.h>
#include <stdint.h>
#include <stdio.h>

#define UNXZ_PIECE_BYTES (1u << 18)

/* The next of the text. */
typedef struct {
	size_t n;	     /* bytes of text */
	guint64 n_read;	     /* of the file, up to here */
	gboolean last;	     /* nothing comes after it: the end, or one of the two below */
	int reason;	     /* errno of a read that failed; 0: none */
	const char *problem; /* of the compressed bytes; constant; NULL: none */
	char text[UNXZ_PIECE_BYTES];
} UnxzPiece;

typedef struct Unxz Unxz;

/* Decompresses `begun`, n bytes that were read already, and then the file, which stays the caller's and is
   read by nobody else until unxz_free. ahead: whether in a thread. NULL: no memory. */
Unxz *unxz_new(FILE *file, const uint8_t *begun, size_t n, gboolean ahead);
void unxz_free(Unxz *unxz);

/* Good until the next call. Not to be called after the last one. */
const UnxzPiece *unxz_next(Unxz *unxz);

#endif
