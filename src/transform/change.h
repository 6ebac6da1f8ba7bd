/* SPDX-License-Identifier: MIT */
/* A change on its way from words to records. Only files of transform include it. */
#ifndef ATOMSIM_TRANSFORM_CHANGE_H
#define ATOMSIM_TRANSFORM_CHANGE_H

#include "transform/arrays.h"
#include "transform/what-if.h"

typedef enum { MAP_CYCLIC, MAP_BLOCK, MAP_WARP, N_MAPS } CopyMap;

/* How the user names the array. */
typedef enum { NAMED_BY_NOTHING, NAMED_BY_LINE, NAMED_BY_SITE, NAMED_BY_BYTES } ArrayNaming;

typedef struct ChangeKind ChangeKind;

/* One change: what was asked for and, once it is applied, the array it is made to. */
typedef struct {
	const ChangeKind *kind;
	char *text; /* as the user wrote it */
	ArrayNaming naming;
	uint32_t line, site, bytes_first, bytes_end;
	/* Of one kind or the other. */
	uint32_t copies;    /* 1 or more */
	CopyMap map;	    /* thread to copy */
	uint32_t pad_words; /* behind each copy or row */
	uint32_t row_words;
	uint8_t type; /* ValueType */
	uint32_t seed;
	char *mechanism;	  /* its name */
	uint8_t mechanism_number; /* of the records: Record.mechanism */
	/* When applied. */
	uint32_t first, end;   /* bytes of the array before the change */
	uint32_t grown_bytes;  /* by which what lies behind the array moves */
	uint32_t stride_bytes; /* of a copy */
} Change;

/* Where a record stands. */
typedef struct {
	uint32_t warp, n_warps; /* of its block */
	uint32_t warp_lanes;
	bool in_section;   /* the warp holds a spin lock */
	uint64_t block;	   /* of the source */
	uint64_t n_before; /* records of the warp */
} Place;

struct ChangeKind {
	const char *name;
	/* Whether it needs atomics or locks, and is wrong where their old values are used. */
	bool of_atomics;
	bool keeps_values; /* right also where old values are used */
	bool of_machine;   /* without an array, a change of the machine's config */
	bool by_block;	   /* what it does depends on Place.block */
	/* Reads what stands behind NAME=. */
	gboolean (*read)(Change *change, const char *value, GError **error);
	/* Reads an option of its own, NULL: it has none. FALSE without an error: not its option. */
	gboolean (*read_option)(Change *change, const char *name, const char *value,
				GError **error);
	/* Checks that it is sound for this array and fills in grown_bytes. */
	gboolean (*plan)(Change *change, const SharedArray *array, GError **error);
	/* The i-th record (from 0) that stands for one that reaches the array; false: no more. */
	bool (*expand)(const Change *change, const Place *place, const Record *in, uint32_t i,
		       Record *out);
};

extern const ChangeKind change_replicate, change_pad, change_aggregate, change_hash,
	change_type, change_scatter, change_mechanism;

/* NULL-terminated. */
extern const ChangeKind *const change_kinds[];

/* A whole number within a range. Errors: ATOMSIM_ERROR_USAGE. */
gboolean change_read_number(const char *what, const char *text, uint32_t least, uint32_t most,
			    uint32_t *number, GError **error);
/* One of n words. Errors: ATOMSIM_ERROR_USAGE. */
gboolean change_read_word(const char *what, const char *text, const char *const *words, guint n,
			  uint32_t *place, GError **error);

/* Sets grown_bytes so that the array takes `bytes` after the change, and what lies behind keeps its
   alignment of 16 bytes. Errors: a block of more than 1 MiB. */
gboolean change_set_size(Change *change, uint64_t bytes, GError **error);

/* A source that makes a change to another; transform_close frees it. `mechanisms`: what records of
   the outermost source can name, which live longer than it; empty: none. */
RecordSource *transform_open(const Change *change, const char *const *mechanisms,
			     RecordSource *below);
void transform_close(RecordSource *source);

#endif
