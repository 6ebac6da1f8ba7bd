/* SPDX-License-Identifier: MIT */
/*
 * How an atomic on words in global memory is carried out: interchangeable mechanisms, as those of shared
 * memory are (mechanism.h).
 *
 * A mechanism is one file, global-*.c, that opens with what it models, what it does not and the source of
 * each rule; and one word in the list below. It is asked for one warp instruction at a time, and answers
 * with what that asks of the memory that SMs share. What words hold can only be known where the memory serves
 * (sim/memory/memory.h): there, in one order of all SMs, it gets each packet. What it knows of all SMs
 * is touched there alone.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_MEMORY_GLOBAL_MECHANISM_H
#define ATOMSIM_MODEL_MEMORY_GLOBAL_MECHANISM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/key.h"
#include "base/words.h"
#include "model/cost-row.h"
#include "model/memory/coalesce.h"
#include "model/memory/memory-parameters.h"
#include "model/shared/shared.h"

/* Every one; global-NAME.c defines global_mechanism_NAME. */
#define GLOBAL_MECHANISMS(X) X(l2) X(cas_loop) X(coordinator)

enum {
#define X(name) GLOBAL_MECHANISM_##name,
	GLOBAL_MECHANISMS(X)
#undef X
		N_GLOBAL_MECHANISMS,
};

typedef struct GlobalMechanism GlobalMechanism;

typedef struct {
	const GlobalMechanism *mechanism;
	/* Instead of it, for operations that need arithmetic on values of these types; NULL: none. */
	const GlobalMechanism *mechanism_f32;
	const GlobalMechanism *mechanism_64bit;
	const void *own[N_GLOBAL_MECHANISMS]; /* each one's parameters, as its keys fill them */
} GlobalAtomicParameters;

/* A kernel, as far as mechanisms ask. */
typedef struct {
	uint64_t seed;	      /* of the run */
	uint32_t n_warps;     /* of the grid; UINT32_MAX: that or more */
	uint32_t trip_cycles; /* a load's round trip, nothing in the way */
	bool at_once; /* ideal l2_atomics: no try fails, and nothing that serves is waited for */
} GlobalKernel;

/* One warp's atomic in flight. Lanes are numbered by rank among the active lanes, in lane order. */
typedef struct {
	const GlobalMechanism *mechanism;
	Operation operation;
	ValueType type;
	bool result;
	uint32_t n_lanes;	 /* 1 .. MAX_LANES */
	uint64_t base;		 /* byte address of lane i's word: base + address[i] */
	const uint32_t *address; /* valid until the atomic is done */
	const uint64_t *value;	 /* operands; NULL: not known */
	uint32_t warp;		 /* number in the grid: block by block */
	/* Kept by the mechanism. */
	uint32_t phase;	  /* 0 before the first step */
	LaneMask pending; /* lanes still to do: all before the first step */
	void *own;	  /* own_bytes of the mechanism, all 0 before the first step */
	void *common;	  /* what it knows of all SMs; NULL: nothing */
} GlobalAtomic;

/* What a step asks of the memory; kind NO_ACCESS: nothing. */
#define NO_ACCESS (-1)
typedef struct {
	int kind;    /* AccessKind */
	bool result; /* the program, or the mechanism, uses what comes back */
	LaneMask
		lanes; /* by rank, on the atomic's words; 0: on a word of the mechanism's own */
	uint64_t own_byte; /* of its own array: multiples of 4, below own_area */
	/* Called for each packet when it is served, `at` ticks; NULL: nobody asks. */
	void (*served)(void *atomic, const Packet *packet, Tick at);
} GlobalAsk;

typedef struct {
	const char *name; /* of the instruction, for observers */
	GlobalAsk ask;
	bool waits;	    /* until all that the warp has asked for has been answered; else: */
	Cycle start, ready; /* as a Step's (mechanism.h); with an ask the memory has a say */
	uint32_t bank_cycles; /* of shared memory */
	uint32_t failed;      /* lanes whose attempt failed */
	bool retry;	      /* belongs to a further try */
	bool done;	      /* the atomic is complete, but for what is on its way */
} GlobalStep;

struct GlobalMechanism {
	const char *name;
	const char *summary;  /* one line */
	KeyTable keys;	      /* all 0: none */
	const CostRow *costs; /* its hardware; NULL: none */
	uint32_t n_costs;
	/* The memory itself operates: where a GPU has a slow path for that, kernels with it take that. */
	bool by_memory;
	bool at_once; /* one step does it: it keeps nothing of an atomic, and gets no packet */
	size_t own_bytes; /* of an atomic in flight */

	/* What it knows of all SMs; NULL: nothing. `own`: its parameters, which outlive it. */
	void *(*new_common)(const void *own, const GlobalKernel *kernel);
	void (*free_common)(void *common);
	/* Bytes of its own in global memory, behind all buffers; NULL: none. */
	uint64_t (*own_area)(const GlobalKernel *kernel);
	/* Why it cannot do that, a constant; NULL: it can. */
	const char *(*refuses)(const void *own, const GlobalKernel *kernel,
			       const GlobalAtomic *atomic);
	/* The atomic's next warp instruction, issued at `now`; *step is all 0 but for the rest of what is
	   here: ask.kind NO_ACCESS, start now, ready now + issue_cycles. */
	void (*step)(const void *own, SharedMemory *shared, GlobalAtomic *atomic, Cycle now,
		     GlobalStep *step);
	/* When the kernel is over whose last warp ended at `last`; NULL: then. */
	Cycle (*finish)(void *common, Cycle last);
	/* Adds what it counted to *counters; NULL: nothing. */
	void (*count)(const void *common, MemoryCounters *counters);
};

#define X(name) extern const GlobalMechanism global_mechanism_##name;
GLOBAL_MECHANISMS(X)
#undef X

extern const GlobalMechanism *const global_mechanisms[]; /* NULL-terminated, as in the list */

/* Its place in the list. */
uint32_t global_mechanism_index(const GlobalMechanism *mechanism);
/* Whether some operation is carried out by it. */
bool global_mechanism_in_use(const GlobalAtomicParameters *parameters,
			     const GlobalMechanism *mechanism);
/* The mechanism of an AtomicKind; of an operation: an update is a loop wherever the memory itself would operate at once. */
const GlobalMechanism *global_mechanism_of_kind(const GlobalAtomicParameters *parameters,
						uint32_t kind);
const GlobalMechanism *global_mechanism_of(const GlobalAtomicParameters *parameters,
					   Operation operation, ValueType type);

/* Whether lanes of loops of compare-and-swaps are to get their words in the order of their requests (global-cas-loop.c). */
bool global_cas_loop_has_queue(const GlobalAtomicParameters *parameters);

/* For mechanisms: whether the packet holds lane i's word. */
static inline bool global_in_packet(const GlobalAtomic *atomic, uint32_t i,
				    const Packet *packet)
{
	uint64_t byte = atomic->base + atomic->address[i];

	return byte / LINE_BYTES == packet->line &&
	       packet->sectors >> byte % LINE_BYTES / SECTOR_BYTES & 1;
}

#endif
