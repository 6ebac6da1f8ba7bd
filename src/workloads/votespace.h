/* SPDX-License-Identifier: MIT */
/*
 * A vote space in shared memory and its replicas: where a thread's vote lands, and the parts of a
 * voting kernel around the votes. Only workloads include it.
 *
 * Copy r begins at word r * (words + padding). Cyclic mapping gives thread t the copy t % R, so
 * neighbouring lanes use different copies; block mapping gives it floor(t / floor(N / R)) % R, so
 * that threads of a warp share one (N threads a block, R copies). Source: Gomez-Luna et al., IEEE
 * TPDS 2013, replication; padding there is one word.
 */
#ifndef ATOMSIM_WORKLOADS_VOTESPACE_H
#define ATOMSIM_WORKLOADS_VOTESPACE_H

#include "workloads/flow.h"

/* Values, steps and buffers of a workload with a vote space; its own follow. */
enum { SPACE_ADDRESS = 1, SPACE_COPY, SPACE_SUM, SPACE_MORE, N_SPACE_VALUES };
enum { SPACE_ZERO_LOOP, SPACE_ADD, SPACE_SUM_LOOP, N_SPACE_STEPS };
enum { SPACE_INPUT = 1, SPACE_RESULT };

typedef enum { MAPPING_CYCLIC, MAPPING_BLOCK } Mapping;

typedef struct {
	uint32_t words;	    /* V, elements of `width` bytes */
	uint32_t copies;    /* R */
	uint32_t padding;   /* elements between two copies */
	uint32_t n_threads; /* N, of the block */
	Mapping mapping;
	uint8_t width;
	uint32_t bytes;	 /* of all copies */
	uint32_t offset; /* bytes in front of copy 0 */
	Vote vote;	 /* with which the sums are added */
	uint64_t result; /* byte of the result of word 0, a multiple of 128 */
} VoteSpace;

/* Rows that a workload with a vote space puts among its own. */
#define REPLICATION_ROWS                                                                       \
	INTEGER_ROW("replicas", "copies", 1, 2048, "1",                                        \
		    "copies of the vote space, at most one a thread"),                         \
		CHOICE_ROW("mapping", "cyclic|block", "cyclic",                                \
			   "which copy a thread uses: by lane, or by runs of threads"),        \
		INTEGER_ROW("padding", "words", 0, 1024, "0",                                  \
			    "unused words between two copies")

/* Reads replicas, mapping and padding. Errors: ATOMSIM_ERROR_USAGE when the copies exceed the
   threads or the shared memory of a trace. */
gboolean vote_space_read(const WorkloadParameters *parameters, VoteSpace *space, uint32_t words,
			 uint32_t n_threads, uint8_t width, GError **error);

/* Its steps, in front of a workload's own. */
extern const FlowStep vote_space_loop, vote_space_add;
#define SPACE_STEPS vote_space_loop, vote_space_add, vote_space_loop
/* What its three sites do, in this order: SPACE_ZERO_SITE with the first, SPACE_SUM_SITES with the last two. */
#define SPACE_ZERO_SITE                                                                        \
	{                                                                                      \
		.address = SPACE_ADDRESS                                                       \
	}
#define SPACE_SUM_SITES                                                                        \
	{.address = SPACE_ADDRESS, .data = SPACE_SUM},                                         \
	{                                                                                      \
		.address = SPACE_ADDRESS, .write = SPACE_COPY                                  \
	}

/* A kernel whose threads walk over elements and vote: its values follow the space's, its own follow these. */
enum { VOTER_THREAD = N_SPACE_VALUES, VOTER_BLOCK, VOTER_BASE, VOTER_ADDRESS, N_VOTER_VALUES };
/* Thread number, copy, addresses: once a thread. */
extern const FlowStep voter_start;
/* Next element, comparison, branch. */
extern const FlowStep voter_loop;

/* Byte address of element 0 in the copy of a thread. */
uint32_t vote_space_base(const VoteSpace *space, uint32_t thread);

/* The warp's share of zeroing all copies: each thread of the block takes every N-th element. */
void vote_space_zero(const VoteSpace *space, Emitter *emitter);

/* The warp's share of summing the copies into global memory: a thread takes every N-th word, loads
   it from each copy and adds the sum to the result by one global atomic. With data flow the loads are of the site
   behind that of the atomic. */
void vote_space_reduce(const VoteSpace *space, Emitter *emitter);

#endif
