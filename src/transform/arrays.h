/* SPDX-License-Identifier: MIT */
/*
 * The arrays of shared memory, as far as a trace shows them: bytes that the same instructions reach.
 * Who may include it: transform and every layer above.
 */
#ifndef ATOMSIM_TRANSFORM_ARRAYS_H
#define ATOMSIM_TRANSFORM_ARRAYS_H

#include <glib.h>

#include "base/record.h"

/* Bytes [first, end) of a block's shared memory or of a buffer, and who reaches them, over all blocks. */
typedef struct {
	uint32_t first, end;
	uint32_t buffer; /* of global memory, counted from 1; 0: shared memory */
	uint64_t base;	 /* of a buffer: its byte that the array's byte 0 is */
	/* Warp instructions. */
	uint64_t loads, stores, atomics, locks;
	uint64_t atomics_with_result; /* of the atomics: the program uses the old value */
	uint64_t atomics_apart;	      /* of the atomics: lanes want different words */
	uint64_t lane_operations;     /* lanes of all of them */
	uint32_t operations;	      /* of the atomics: bit Operation */
	uint32_t types;		      /* of the atomics: bit ValueType */
	uint32_t widest;	      /* bytes of the widest access of a lane */
	/* Of an array of shared memory. */
	uint64_t meetings; /* of the atomics: two lanes want one word */
	GHashTable *
		strides; /* bytes from lane to lane of accesses that have one: how many have it */
	bool guards_global; /* who holds one of its locks writes to global memory */
	GArray *sites;	    /* of uint32_t, ascending; 0 stands for all that have none */
	/* Of an array in a buffer: by its sites, of uint32_t, the site of its atomics that a warp always comes from, with the same lanes
	   and nothing else in a buffer between; 0: there is none, or another each time. NULL: of shared memory. */
	GArray *behind;
} SharedArray;

/*
 * Finds the arrays of a source: the bytes from the lowest to the highest that one site reaches are of
 * one array, and so are those of sites that meet, and locks with the words that are written under them. Accesses without a
 * site count by kind. Where the kernel says the size of its one array, it is of that size. Arrays come in the order
 * of their bytes. NULL if a stream failed: the source keeps why. g_ptr_array_unref.
 */
GPtrArray *shared_arrays_find(RecordSource *source);

/* The same, but with everything in the bytes [first, end) as one array; arrays that reach over its
   bounds stay what they are. */
GPtrArray *shared_arrays_find_within(RecordSource *source, uint32_t first, uint32_t end);

/*
 * The arrays of global memory that have atomics: of each buffer the bytes from the lowest to the highest that atomics reach, and
 * how often loads and stores reach between them. Atomics whose addresses are not known are of none. NULL as above.
 */
GPtrArray *global_arrays_find(RecordSource *source);

/* The bytes from lane to lane of most of its accesses whose lanes are further apart than an access is wide; 0: none has such. */
uint32_t shared_array_stride(const SharedArray *array);

/* Whether a record reaches shared memory at addresses of its own. */
bool record_has_shared_addresses(const Record *record);

/* Visits each record that has lanes and addresses in a buffer of global memory, of all warps or of those of a block, and before each
   warp NULL; false: a stream failed. */
typedef void (*BufferVisitor)(void *data, const Record *record);
bool buffer_accesses_visit(RecordSource *source, BufferVisitor visit, void *data);
bool buffer_accesses_visit_block(RecordSource *source, uint64_t block, BufferVisitor visit,
				 void *data);

/* Gives the array the size that the kernel says of its one array, if it is that one. */
void array_take_size(SharedArray *array, const KernelInfo *kernel);

/* Whether the lanes of a record want more than one word. */
bool record_lanes_part(const Record *record);

#endif
