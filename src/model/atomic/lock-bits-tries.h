/* SPDX-License-Identifier: MIT */
/*
 * The table of lock bits of an SM, and what one LK and one UL of a warp do to it. The inner loops of
 * mechanism `lock-bits`; mech-lock-bits.c says what is modelled. Who may include it: that file and lock-bits-*.c.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_LOCK_BITS_TRIES_H
#define ATOMSIM_MODEL_ATOMIC_LOCK_BITS_TRIES_H

#include "model/atomic/lock-bits.h"
#include "model/issue/scheduler.h"

#define LOCK_SLOT_BITS 6 /* of 64 warp slots; 26 bits are left for a word */

/* A word that lanes of an atomic want. */
typedef struct {
	uint16_t lock; /* number of its lock */
	uint8_t bank;
	uint8_t pass; /* of UL that stores it: 0 .. */
} WantedWord;

/* A warp's atomic: its lanes sorted by word. A word has the number of its first lane. In the order of use: what a round
   looks at lies in few lines of the cache. */
typedef struct {
	bool was_sorted; /* the warp's last atomic had lanes that share a word */
	bool chained;	 /* no two of the words share a lock, and the lowest lane wins */
	bool run; /* the words are consecutive, the locks from that of word 0 on, and all were won */
	uint32_t n_tried, n_failed; /* lanes that try in this round, those that fail, */
	uint32_t n_lost; /* of these, where it is known, those who lost to a lane of the warp */
	LaneMask winners;	/* lanes that hold their lock in this round */
	LaneMask won;		/* words of the winners */
	LaneMask gone;		/* words of the winners that no other lane waits for */
	LaneMask words_pending; /* words with a lane still to do */
	LaneMask shared;	/* words of more than one lane */
	uint16_t read_passes, write_passes;
	uint8_t worst_read_bank, worst_write_bank;
	WantedWord words[MAX_LANES];
	BankWords reads; /* of the pending ones, without those that have just gone */
	/* By word, where `chained` of those that lanes share: */
	uint8_t n_left[MAX_LANES]; /* its lanes still to do */
	uint8_t first[MAX_LANES];  /* of these */
	uint8_t next[MAX_LANES];   /* the one after this lane, if there is one */
	/* Where not: */
	LaneMask rivals[MAX_LANES]; /* lanes that try the lock of a word */
	uint8_t word_of[MAX_LANES]; /* of a lane */
} Sorted;

/* Entries of a CAM (lock-bits-cam.c). */
typedef struct LockCam LockCam;

/* An SM's lock bits. */
typedef struct {
	const LockBitsParameters *parameters;
	const LockMap *map;
	bool tells_all; /* no instruction is silent */
	/* What follows silently, in a first round and in later ones: the operation, if somebody has won; all that is left of a
	   round that nobody wins; and the branch behind UL, back or, of the last round, on. */
	SilentRun operation[2], lost[2], back, on[2];
	/* The bits of the table, map->n_locks of each. The hardware does not know whose a lock is; the
	   holder kept here serves the statistics and the report of a livelock only. */
	Cycle *free_at;	 /* free to an attempt at this cycle or later */
	uint32_t *taken; /* when it was last taken: word << LOCK_SLOT_BITS | slot of the warp */
	uint32_t
		*stamp; /* serial of the last atomic that tried it, as in SharedMemory.stamps */
	bool locks_in_banks; /* all words of a lock are in one bank */
	bool in_order; /* consecutive words have consecutive locks and banks, around the end */
	/* Ideal same_word: warps that hold each lock, all for one word; NULL: it is not on. */
	uint32_t *n_holders;
	/* Of designs in which not all try again at once, or locks have ports (lock-bits-waits.c); NULL: Fermi's own way. */
	RetryWaits *waits;
	bool ports_bind; /* a pass may need more ports than a part of the table has */
	LockCam *cam;	 /* NULL: the locks are bits, or there is one for each word */
	bool others_only; /* a lock that an LK finds set belongs to the same word and to another warp */
	uint32_t serial; /* of the atomic whose lanes are being sorted, as in SharedMemory */
	Sorted *sorted[MAX_WARP_SLOTS]; /* NULL: no warp of this slot has had an atomic */
} LockBits;

/* Lanes that fail are counted by cause: four numbers of 16 bits. */
enum { LOCK_ALIAS_SHIFT = 16, LOCK_INTER_SHIFT = 32 };

static inline void lock_bits_add_failures(AtomicUnit *unit, uint64_t failed)
{
	AtomicCounters *counters = unit->counters;

	counters->failures.intra_position += failed & 0xffff;
	counters->failures.intra_alias += failed >> 16 & 0xffff;
	counters->failures.inter_position += failed >> 32 & 0xffff;
	counters->failures.inter_alias += failed >> 48;
}

static inline uint32_t lock_bits_lock_of(const LockBits *bits, const Atomic *atomic,
					 uint32_t lane)
{
	return bits->map->lock_of[atomic->word[lane]];
}

/* Nobody has tried anything yet. */
void lock_bits_init(LockBits *bits, const AtomicUnit *unit);
void lock_bits_clear(LockBits *bits);

/* The passes of LK for the words that are to be tried next. */
void lock_bits_count_reads(const BankTable *table, Sorted *sorted);

/* Sorts the lanes of an atomic that begins: fills what does not change from round to round. */
void lock_bits_sort(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted);

/*
 * Every pending lane tries its lock at cycle `start`: of each free lock, one of the lanes that try it
 * gets it, and the others fail. Fills what `sorted` has of this round, and finds the passes of LK, for all
 * words that were tried, and of UL, for those that won. The first round sorts the lanes.
 */
void lock_bits_try(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		   Cycle start);

/* The same of lanes that are sorted, but not chained (lock-bits-any.c), */
void lock_bits_try_any(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		       Cycle start);
/* and lock_bits_lose of these. */
bool lock_bits_lose_any(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
			const Sorted *sorted, Cycle start);

/* The same of a first round in which every lane gets its lock, lanes not yet sorted (lock-bits-free.c); false, and nothing is
   decided, if it is another. */
bool lock_bits_take_free(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
			 Sorted *sorted, Cycle start);

/* The same with the ideal same_word (lock-bits-together.c). */
void lock_bits_try_together(LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
			    Sorted *sorted, Cycle start);
/* UL of a lock that warps hold together: whether the last of them gives it back. */
bool lock_bits_leave(LockBits *bits, uint32_t lock);

/* Of bits->cam, where there is one. Whether the word, whose lock is clear at `start`, has an entry or can get one; queues: by word,
   LOCK_NOBODY where nobody waits; NULL: nobody ever does. */
void lock_cam_init(LockBits *bits, const AtomicUnit *unit);
void lock_cam_clear(LockBits *bits);
bool lock_cam_has_room(const LockBits *bits, const uint16_t *queues, uint32_t word,
		       Cycle start);
/* Its lock is taken: it has an entry from now on. */
void lock_cam_take(const LockBits *bits, uint32_t word);
/* All that decides who gets an entry from `now` on. */
void lock_cam_snapshot(const LockBits *bits, Cycle now, Snapshot *snapshot);

/* The same in other designs than Fermi's: bits->waits. */
void lock_waits_init(LockBits *bits, const AtomicUnit *unit);
void lock_waits_try(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		    Cycle start);
/* Whether a pass may ever need more ports than a part of the table has (LockBits.ports_bind). */
bool lock_ports_bind(const LockBits *bits, const AtomicUnit *unit);
/* Passes of an LK or UL of these lanes: of the bank with most different words, or of the part of the lock array with most different
   locks for its ports. Words come in the order of their first lanes, as in Fermi's own way. Sets the pass of each word, by the
   first of these lanes that wants it. */
uint32_t lock_ports_count_passes(const LockBits *bits, const AtomicUnit *unit,
				 const Atomic *atomic, Sorted *sorted, LaneMask lanes,
				 uint8_t *worst_bank);

/* The same in a round after one that nobody won: if nobody wins this one either, counts those who fail and returns true.
   False: nothing has changed. */
bool lock_bits_lose(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
		    const Sorted *sorted, Cycle start);

/* UL of this round's winners, whose passes start as unit->shared says: frees their locks, and leaves those who are still
   to do. */
void lock_bits_release(LockBits *bits, const AtomicUnit *unit, Atomic *atomic, Sorted *sorted);

/* Of Mechanism, what is of the state alone (lock-bits-state.c). */
bool lock_bits_waits(const void *state, const Atomic *atomic, Cycle now, AtomicWait *wait);
uint32_t lock_bits_n_held(const void *state);
void lock_bits_snapshot(const AtomicUnit *unit, const void *state, const Atomic *atomic,
			Cycle now, Snapshot *snapshot);
void lock_bits_shift(void *state, const Atomic *atomic, Cycle now, Cycle by);

#endif
