/* SPDX-License-Identifier: MIT */
/* A change on its way from words to records. Only files of transform include it. */
#ifndef ATOMSIM_TRANSFORM_CHANGE_H
#define ATOMSIM_TRANSFORM_CHANGE_H

#include "base/dataflow.h"
#include "transform/arrays.h"
#include "transform/what-if.h"

/* --- A data flow with more code in it: what a change makes a warp compute, that its atomics then wait for (code.c) --- */

typedef struct Code Code;

/* Around another data flow, which must outlive it. */
Code *code_new(const Dataflow *below);
void code_free(Code *code);

typedef enum {
	CODE_BEFORE,  /* the site's operands wait for it */
	CODE_ADDRESS, /* its addresses do */
	CODE_BEHIND,  /* it waits for the site's result, and who uses that waits for it */
	CODE_APART,   /* operations that wait for the site's operands, and nothing for them */
} CodePlace;

/* Adds a gap of n operations (1 or more), each waiting for the one before but for CODE_APART. distinct: of a match or a sync
   among them, the different values that its lanes hold. Returns the gap's number. */
uint32_t code_add(Code *code, uint32_t site, CodePlace place, const uint8_t *classes,
		  uint32_t n, uint32_t distinct);

/* The same for several sites at a time: each operation for all of them, one behind the other, before the next. */
uint32_t code_add_for(Code *code, const uint32_t *sites, uint32_t n_sites, CodePlace place,
		      const uint8_t *classes, uint32_t n);

/* The class of an addition of such a type: bits ValueType. */
uint8_t code_class_of(uint32_t types);

/* The whole, once all is added; it lives as long as `code`. */
const Dataflow *code_dataflow(Code *code);

/* --- A change --- */

typedef enum { MAP_CYCLIC, MAP_BLOCK, MAP_WARP, N_MAPS } CopyMap;

/* How the user names the array. */
typedef enum {
	NAMED_BY_NOTHING,
	NAMED_BY_LINE,
	NAMED_BY_SITE,
	NAMED_BY_BYTES,
	NAMED_BY_BUFFER,
} ArrayNaming;

typedef struct ChangeKind ChangeKind;

/* One change: what was asked for and, once it is applied, the array it is made to. */
typedef struct {
	const ChangeKind *kind;
	char *text; /* as the user wrote it */
	ArrayNaming naming;
	uint32_t line, site, bytes_first, bytes_end, buffer;
	/* Of one kind or the other. */
	uint32_t copies;    /* 1 or more */
	CopyMap map;	    /* thread to copy */
	uint32_t pad_words; /* behind each copy or row */
	uint32_t row_words;
	uint8_t type; /* ValueType */
	uint32_t seed;
	bool of_threads;   /* private=thread, not block */
	bool reached_only; /* private=block: of the words those that a block reaches */
	bool of_warps;	   /* aggregate=tree, serial: each warp wants one word at a time */
	bool one_by_one;   /* aggregate=serial */
	bool segments;	   /* aggregate=segments */
	uint32_t least;	   /* lanes that aggregate; fewer act for themselves */
	char *mechanism;   /* its name */
	uint8_t mechanism_number; /* of the records: Record.mechanism */
	/* When applied. */
	uint32_t first, end; /* bytes of the array before the change */
	uint64_t base;	     /* of a buffer: its byte that `first` counts from */
	uint32_t
		shared_bytes; /* of each block after the change; 0: as before, and grown_bytes */
	uint32_t block_bytes; /* shared memory of the largest block, before the change */
	uint32_t
		atom_width; /* bytes of its atomics' words; 0: of several widths, or it has none */
	bool atom_loops;    /* they are loops where the trace was captured */
	bool still_loops;	     /* and are others after the change */
	uint8_t operation;	     /* of its atomics, if it is one */
	uint32_t atom_site;	     /* of one of its atomics */
	uint32_t grown_bytes;	     /* by which what lies behind the array moves */
	uint32_t stride_bytes;	     /* of a copy */
	bool one_word;		     /* for all lanes of a warp */
	GPtrArray *reached;	     /* of GArray of uint32_t, by block: its words, ascending */
	bool by_block;		     /* what it does depends on Place.block */
	uint64_t buffer_bytes;	     /* of the buffer after the change; 0: as before */
	uint32_t index_instructions; /* of its places, before each access */
	bool clears, merges;	     /* copies, as the trace does neither to the array */
	/* What the data flow got for the change (code.c): by site, n_codes each. NULL: the trace has none. */
	uint32_t *gaps;
	uint32_t n_codes, n_sites;
} Change;

/* Where a record is. */
typedef struct {
	uint32_t warp, n_warps; /* of its block */
	uint32_t warp_lanes;
	bool in_section;   /* the warp holds a spin lock */
	uint64_t block;	   /* of the source */
	uint64_t n_before; /* records of the warp */
} Place;

/* Of a warp, between the records that a change rewrites. */
typedef struct {
	uint64_t pending; /* words of the array whose sums the warp's threads hold */
	Record atom;	  /* that the sums are of */
} WarpState;

struct ChangeKind {
	const char *name;
	/* Whether it needs atomics or locks, and is wrong where their old values are used. */
	bool of_atomics;
	bool keeps_values; /* right also where old values are used */
	bool of_machine;   /* without an array, a change of the machine's config */
	bool drops_tries;  /* tries of loops that failed in the captured run are not its own */
	bool ends_loops;   /* and it leaves no loop where there was one */
	bool in_buffers;   /* can be of atomics on global memory, too */
	/* Reads what follows NAME=. */
	gboolean (*read)(Change *change, const char *value, GError **error);
	const char *options; /* of its own, for messages: "map=, pad=, "; NULL: it has none */
	/* Reads an option of its own, NULL: it has none. FALSE without an error: not its option. */
	gboolean (*read_option)(Change *change, const char *name, const char *value,
				GError **error);
	/* Checks that it is sound for this array of the source and fills in what is of the time when it is applied. */
	gboolean (*plan)(Change *change, const SharedArray *array, RecordSource *source,
			 GError **error);
	/* Adds what it needs to the data flow, for each site that has atomics on the array. NULL: nothing. */
	void (*add_code)(Change *change, const SharedArray *array, Code *code);
	/* The i-th record (from 0) that stands for one that reaches the array; false: no more. */
	bool (*expand)(const Change *change, const Place *place, const Record *in, uint32_t i,
		       Record *out);
	/* In place of expand, where what comes before and behind counts: appends what stands for any record of the warp, of
	   Record; first with NULL, before the first. */
	void (*rewrite)(const Change *change, const Place *place, WarpState *state,
			const Record *in, GArray *out);
	/* Next to expand: appends what a warp does before its first record, or else before its exit, of Record. NULL: nothing. */
	void (*surround)(const Change *change, const Place *place, bool begins, GArray *out);
};

extern const ChangeKind change_replicate, change_pad, change_aggregate, change_private,
	change_hash, change_type, change_scatter, change_mechanism;

/* A whole number within a range. Errors: ATOMSIM_ERROR_USAGE. */
gboolean change_read_number(const char *what, const char *text, uint32_t least, uint32_t most,
			    uint32_t *number, GError **error);
/* One of n words. Errors: ATOMSIM_ERROR_USAGE. */
gboolean change_read_word(const char *what, const char *text, const char *const *words, guint n,
			  uint32_t *place, GError **error);

/* Sets grown_bytes so that the array takes `bytes` after the change, and what lies behind keeps its
   alignment of 16 bytes. Errors: a block of more than 1 MiB. */
gboolean change_set_size(Change *change, uint64_t bytes, GError **error);

/* TRUE if its atomics are all of one operation, whose order does not matter and that has a neutral element. Errors:
   ATOMSIM_ERROR_INPUT. */
gboolean change_can_be_split(const SharedArray *array, GError **error);

/* Whether the record reaches the array that a change is made to, in shared memory or in a buffer. */
bool change_reaches(const Change *change, const Record *record);

/* Where the array's byte is that lane i of such a record reaches, counted from the array's first. */
uint32_t change_place_of(const Change *change, const Record *record, uint32_t i);

/* Makes the bytes and segments of an atomic on global memory those of its lanes. */
void change_settle(Record *record);

/* The `which`-th code of the change for that site, or where the trace has no data flow so many instructions. */
void change_code(const Change *change, uint32_t which, uint32_t instructions, const Record *in,
		 Record *out);

/* A source that makes a change to another; transform_close frees it. `mechanisms`: what records of
   the outermost source can name, which live longer than it; empty: none. */
RecordSource *transform_open(const Change *change, const SharedArray *array,
			     const char *const *mechanisms, RecordSource *below);
void transform_close(RecordSource *source);

/* The list of changes. */

struct WhatIf {
	GPtrArray *changes;    /* of Change */
	GPtrArray *settings;   /* of the changes that are of the machine; ends in NULL */
	GPtrArray *mechanisms; /* names that changes give to arrays; ends in NULL */
};

/* --- The part of private= that is of blocks (private-block.c) --- */

/* Plans it for an array of a buffer. FALSE without an error: a stream failed. Errors: ATOMSIM_ERROR_INPUT, for an array that is too
   large. */
gboolean private_plan_block(Change *change, const SharedArray *array, RecordSource *source,
			    GError **error);

/* As ChangeKind.rewrite. */
void private_rewrite_block(const Change *change, const Place *place, const Record *in,
			   GArray *out);

#endif
