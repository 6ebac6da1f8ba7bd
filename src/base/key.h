/* SPDX-License-Identifier: MIT */
/*
 * A row of the table of keys: one number, name or hash that a config can set.
 *
 * A part that has parameters of its own (a mechanism, a scheduler) defines its rows beside the
 * struct that they fill; config puts all rows together, and parsing, errors, --help-config, the JSON
 * Schema and the manual follow from them. Plain data. A leaf: every layer may include it.
 */
#ifndef ATOMSIM_BASE_KEY_H
#define ATOMSIM_BASE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
	KEY_UINT32,
	KEY_UINT64, /* of no more than 15 digits, which is what cJSON writes */
	KEY_TEXT,
	KEY_CHOICE, /* one of a list of names, kept as its number (an enum) */
	KEY_PLUGIN, /* one of a list of names, kept as a pointer to its struct */
	KEY_HASH,
	KEY_MAP, /* a SliceMap: a name, an object or the name of a file that has one */
} KeyType;

/* The names that a choice or a plug-in can have: a list of n, or what a function calls each. */
typedef struct {
	const char *const *list; /* of a choice, by its number */
	unsigned n;
	const char *(*name)(unsigned i);   /* without a list; NULL after the last */
	const void *(*plugin)(unsigned i); /* KEY_PLUGIN */
	const char *const *
		formerly; /* by number, what each was called, which is accepted; NULL: none was renamed */
} KeyNames;

#define KEY_NAME_LIST(names) .list = (names), .n = sizeof(names) / sizeof *(names)

/* NULL after the last. */
static inline const char *key_name(const KeyNames *names, unsigned i)
{
	if (!names->list)
		return names->name(i);
	return i < names->n ? names->list[i] : NULL;
}

/* What a run must have had for a key to have any effect on it. Bits; config/acts.c has words for each. */
#define KEY_ACTS_CHOICE	 (UINT64_C(1) << 0) /* a scheduler had several warps to choose from */
#define KEY_ACTS_ROOM	 (UINT64_C(1) << 1) /* a block had to wait for room */
#define KEY_ACTS_BARRIER (UINT64_C(1) << 2)
#define KEY_ACTS_LOAD	 (UINT64_C(1) << 3) /* from shared memory */
#define KEY_ACTS_STORE                                                                         \
	(UINT64_C(1) << 4) /* to shared memory, releases of spin locks included */
#define KEY_ACTS_ATOMIC	      (UINT64_C(1) << 5) /* on shared memory */
#define KEY_ACTS_FAILURE      (UINT64_C(1) << 6) /* of a lane of such an atomic */
#define KEY_ACTS_SECTION      (UINT64_C(1) << 7) /* a spin lock with its section */
#define KEY_ACTS_BLOCK_FENCE  (UINT64_C(1) << 8)
#define KEY_ACTS_DEVICE_FENCE (UINT64_C(1) << 9)
#define KEY_ACTS_GLOBAL	      (UINT64_C(1) << 10) /* global memory without a memory side */
#define KEY_ACTS_MEMORY	      (UINT64_C(1) << 11) /* the memory side that SMs share */
#define KEY_ACTS_GLOBAL_STORE (UINT64_C(1) << 12)
#define KEY_ACTS_FLOW	      (UINT64_C(1) << 13) /* the trace says what waits for what */
#define KEY_ACTS_BUFFERS      (UINT64_C(1) << 14) /* it says addresses of global memory */
#define KEY_ACTS_LINES	      (UINT64_C(1) << 15) /* SMs of a group ask for lines of constants */
#define KEY_ACTS_SHARED	      (UINT64_C(1) << 16) /* any access to shared memory */
#define KEY_ACTS_LOCK_BITS    (UINT64_C(1) << 17) /* an atomic took one */
/* An atomic on shared memory was carried out by atomic.mechanism; or was arithmetic on 32-bit floats, on 64-bit
   values, which may have a mechanism of its own. */
#define KEY_ACTS_ATOMIC_PLAIN (UINT64_C(1) << 19)
#define KEY_ACTS_ATOMIC_F32   (UINT64_C(1) << 20)
#define KEY_ACTS_ATOMIC_64BIT (UINT64_C(1) << 21)
#define KEY_ACTS_GLOBAL_ATOMIC                                                                 \
	(UINT64_C(1) << 22) /* the program has an atomic on global memory */
#define KEY_ACTS_SPIN_LOCK (UINT64_C(1) << 23)
#define KEY_ACTS_ANY_GLOBAL                                                                    \
	(UINT64_C(1) << 24) /* an access to global memory, or a fence of the device */
#define KEY_ACTS_REGISTERS (UINT64_C(1) << 31) /* of a thread are known */
#define KEY_ACTS_LOCKS	   (UINT64_C(1) << 32) /* an atomic took a lock, a bit or another */
#define KEY_ACTS_NEVER	   (UINT64_C(1) << 33) /* what no run has */
/* A mechanism, by its place, carried out an atomic on shared memory, on global memory. */
#define KEY_ACTS_MECHANISM(place)	 (UINT64_C(1) << (26 + (place)))
#define KEY_ACTS_GLOBAL_MECHANISM(place) (UINT64_C(1) << (34 + (place)))
/* The trace has such operations: bits 40 to 63, and 18, 25 and 39 for classes from 25 on. Some rare ones share a bit: searches of 64 bits and
   what goes to textures that of searches, matrix products one. */
#define KEY_ACTS_CODE(class)                                                                   \
	(UINT64_C(1) << ((class) < CODE_MATCH64	    ? 40 + (class)                             \
			 : (class) == CODE_LOOKUP   ? 25                                       \
			 : (class) == CODE_WIDE	    ? 39                                       \
			 : (class) == CODE_INDIRECT ? 18                                       \
			 : (class) == CODE_MATRIX_SHORT || (class) == CODE_MATRIX64            \
				 ? 40 + CODE_MATRIX                                            \
				 : 40 + CODE_MATCH))

typedef struct {
	const char *path; /* sm.max_warps, atomic.lock_bits.lk_cycles */
	KeyType type;
	const char *unit;	     /* NULL: none */
	uint64_t min, max, multiple; /* numbers; multiple 0: any */
	const KeyNames *names;	     /* KEY_CHOICE, KEY_PLUGIN */
	const char *default_value;   /* the default, as --set takes it */
	bool assumption;	     /* of the default: the literature does not fix it */
	bool neutral;		     /* of the default: nothing is known, so it costs nothing */
	const char *measured_on;     /* of the default: the GPU; NULL: it is a GTX 580's */
	const char *doc;	     /* it begins with a noun, a plot's label */
	const char *source;	     /* of the default */
	uint64_t
		acts_on; /* KEY_ACTS_*, one of which a run must have had; 0: any run may be another */
	const char *
		needs; /* the path of a number without which, 0, it has no effect; NULL: none */
	const char *
		formerly; /* paths that it had, which are accepted, a space between them; NULL: none */
	const char
		*replaces; /* the path of a key with other values, whose error names this one */
	size_t offset;	   /* of the field, in the struct that the table fills */
	/* Filled in by config: where in Machine the pointer to that struct is; 0: it is Machine. */
	size_t block;
} Key;

/* The keys of one part, and the struct of its own that they fill. All 0: it has none. */
typedef struct KeyTable KeyTable;
struct KeyTable {
	const char *section; /* what all paths begin with: atomic.lock_bits */
	const char *title;   /* their heading in help and manual */
	const Key *rows;
	uint32_t n_rows;
	size_t size;	      /* of the struct, in bytes */
	const KeyTable *rest; /* further rows of the same struct, if they are in two files */
};

/* For rows: the field's offset and type in one, checked by the compiler; and what most rows say. */
#define KEY_FIELD(kind, ctype, owner, field)                                                   \
	.type = kind,                                                                          \
	.offset = offsetof(owner, field) + 0 * sizeof((ctype *)0 == &((owner *)0)->field)
#define KEY_NUMBER(owner, field, from, to)                                                     \
	KEY_FIELD(KEY_UINT32, uint32_t, owner, field), .min = (from), .max = (to)
#define KEY_CYCLES(owner, field, from)                                                         \
	KEY_NUMBER(owner, field, from, KEY_MAX_CYCLES), .unit = "cycles"

#define KEY_MAX_CYCLES 1000000 /* of one step of one warp */

/* Sources that many rows name. */
#define KEY_NOT_PUBLISHED .neutral = true, .source = "not published"
#define KEY_PAPER	  "Gomez-Luna et al., TPDS 2013"
#define KEY_GUIDE	  "CUDA C Programming Guide 4.2"
#define KEY_H200	  "measurements/h200"

#endif
