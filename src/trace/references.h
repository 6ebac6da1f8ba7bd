/* SPDX-License-Identifier: MIT */
/*
 * Blocks that a trace stores once (version 3): which stored block a block of the launch is, and by how much its
 * accesses to buffers are moved. Who may include it: the files of the reader.
 */
#ifndef ATOMSIM_TRACE_REFERENCES_H
#define ATOMSIM_TRACE_REFERENCES_H

#include <glib.h>
#include <stdbool.h>

#include "trace/format.h"

/* So many accesses to buffers one after the other in a warp are of one class. */
typedef struct {
	uint32_t length; /* 0: all that are left */
	uint32_t class;
} ClassPiece;

/* A stored block that others refer to. */
typedef struct {
	uint64_t stored; /* entry of the index */
	uint32_t n_classes;
	uint64_t warps; /* where its warps' begins are */
} Template;

/* Blocks that follow one another in the launch: one that is stored, or some that refer to one. */
typedef struct {
	uint64_t position; /* of the first in the launch */
	uint64_t block_id; /* of the first */
	uint64_t stored;   /* entry of the index */
	/* Of those that refer, where their shifts begin: for each class that of the first block, then for each by
	   how much a block's is above that of the one before. */
	uint64_t shifts;
	const Template *template; /* NULL: it is stored itself */
} Span;

/* All zero: each block is stored. */
typedef struct {
	uint64_t n_blocks;
	uint64_t n_records; /* of all blocks */
	GArray *spans;	    /* Span, of the whole launch; NULL: each block is stored */
	GArray *templates;  /* Template, by their numbers in the index */
	GArray *pieces;	    /* ClassPiece, of each warp with its last one */
	GArray *begins; /* uint64_t, of each warp of a template of several classes: its first piece */
	GArray *shifts;		/* int64_t, bytes */
	uint64_t *stored_place; /* of each stored block: which it is in the launch */
} References;

/* A block of the launch. */
typedef struct {
	uint64_t stored; /* entry of the index */
	uint64_t block_id;
	const Span *span; /* NULL: it is stored */
	uint64_t number;  /* of those of the span */
} Place;

/* Of version 3, from the bytes of the file's part; `index` are its stored blocks, checked. NULL if it is good, else what is wrong and at which
   byte. */
const char *references_read(References *references, const uint8_t *bytes, uint64_t n_bytes,
			    const TraceIndexEntry *index, uint64_t n_stored, uint64_t *at);
void references_clear(References *references);

/* Block `block` (0 .. n_blocks-1) of the launch. */
Place references_place(const References *references, const TraceIndexEntry *index,
		       uint64_t block);
/* Where the stored block is in the launch. */
uint64_t references_stored_place(const References *references, uint64_t stored);
/* NULL: no block refers to it. */
const Template *references_template(const References *references, uint64_t stored);
/* By how many bytes accesses of a class are moved in a block that refers. */
int64_t references_shift(const References *references, const Place *place, uint32_t class);
/* The pieces of a warp of a template. NULL: all is of class 0. */
const ClassPiece *references_pieces(const References *references, const Template *template,
				    uint32_t warp);

#endif
