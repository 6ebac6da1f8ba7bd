/* SPDX-License-Identifier: MIT */
/*
 * The keys of mechanism `lock-bits`, and what must hold between them.
 */
#include <glib.h>

#include "model/atomic/lock-bits.h"

static const KeyNames winner_rule_names = {KEY_NAME_LIST(winner_names)};

static const char *const lock_table_names[N_LOCK_TABLES] = {
	[LOCK_TABLE_BITS] = "bits",
	[LOCK_TABLE_CAM] = "cam",
	[LOCK_TABLE_BANK_CAM] = "bank-cam",
};

static const KeyNames table_names = {KEY_NAME_LIST(lock_table_names)};

#define PATH(name)	    .path = "atomic.lock_bits." name, .formerly = "atomic." name
#define CYCLES(field, from) PATH(#field), KEY_CYCLES(LockBitsParameters, field, from)

const Key lock_bits_keys[N_LOCK_BITS_KEYS] = {
	{PATH("winner"), KEY_FIELD(KEY_CHOICE, WinnerRule, LockBitsParameters, winner),
	 .names = &winner_rule_names, .default_value = "lowest", .assumption = true,
	 .acts_on = KEY_ACTS_FAILURE,
	 .doc = "Winner of a free lock bit: which lane gets it when several lanes try.",
	 .source = "not published"},
	{CYCLES(t_base_cycles, 1), .default_value = "108",
	 .doc = "Time of an atomic of one warp without any conflict.",
	 .source = KEY_PAPER ", t_base"},
	{CYCLES(t_position_cycles, 1), .default_value = "120",
	 .doc = "Time of each further round of an atomic: t_base and the branch back.",
	 .source = KEY_PAPER ", t_position"},
	{CYCLES(lk_cycles, 1), .default_value = "28", .assumption = true,
	 .acts_on = KEY_ACTS_ATOMIC,
	 .doc = "Part of t_base: load-and-lock, until its data arrive.",
	 .source = "the paper gives the sum only. A load's latency would be 52; with "
		   "operation_cycles chosen by the rule of plots/plane.sh, by which claims of "
		   "the "
		   "paper on warps hold"},
	{CYCLES(operation_cycles, 1), .default_value = "18", .assumption = true,
	 .acts_on = KEY_ACTS_ATOMIC,
	 .doc = "Part of t_base: the operation. The rest of t_base is store-and-unlock and the "
		"issue of the branch.",
	 .source = "the paper gives the sum only. As lk_cycles, and no less than an addition: "
		   "18, "
		   "Volkov, GTC 2010; about 22, " KEY_GUIDE ", section 5.2.3"},
	{CYCLES(hold_cycles, 0), .default_value = "0", .assumption = true,
	 .acts_on = KEY_ACTS_ATOMIC,
	 .doc = "From the unlocking store to the release of the lock bit. Above 72, with the "
		"other keys at their defaults, a single warp meets its own locks and takes "
		"longer than Algorithm 1 predicts.",
	 .source = "not published"},
	{RETRY_KEY_WHO("atomic.lock_bits", LockBitsParameters), .acts_on = KEY_ACTS_LOCKS,
	 .doc = "Retry policy: which lanes try again, and when. all: each lane that failed, in "
		"each further round of its warp. one-winner: a lane waits until its lock is "
		"free, and one of a warp's lanes for that lock tries. fifo: the same, and "
		"lanes get a lock in the order of their requests. Waiting lanes take no issue "
		"slots.",
	 .source = "Fermi's loop, " KEY_PAPER
		   "; the others are designs: US 12,547,413, TPDS 2019"},
	{RETRY_KEY_BACK_OFF("atomic.lock_bits", LockBitsParameters),
	 .acts_on = KEY_ACTS_FAILURE,
	 .doc = "Longest back-off: after a round in which no lane won, a warp waits for a "
		"random time from 0 to this; the limit doubles with each further such round.",
	 .source = "Fermi does not; a design"},
	{RETRY_KEY_DOUBLINGS("atomic.lock_bits", LockBitsParameters),
	 .acts_on = KEY_ACTS_FAILURE},
	{.path = "atomic.lock_bits.ports",
	 KEY_NUMBER(LockBitsParameters, ports, 0, 64),
	 .default_value = "1",
	 .acts_on = KEY_ACTS_LOCKS,
	 .doc = "Lock ports of a bank: how many of the locks next to one bank a pass can "
		"reach. Lock i is next to bank i modulo shared.banks. Of table cam: words for "
		"which a pass can search it. 0: all.",
	 .neutral = true,
	 .source =
		 "not published, and argued: Fermi's lock bits are next to the banks of their "
		 "words, where a second port is never used"},
	{.path = "atomic.lock_bits.table",
	 KEY_FIELD(KEY_CHOICE, LockTable, LockBitsParameters, table),
	 .names = &table_names,
	 .default_value = "bits",
	 .acts_on = KEY_ACTS_LOCKS,
	 .doc = "Lock table: what locks are kept in. bits: atomic.locks bits, found by "
		"atomic.lock_hash. cam: a table that is searched by address (CAM); a word has "
		"an entry while it is locked, and no two words share one. bank-cam: a CAM next "
		"to each bank, for its words. A lane that finds no free entry tries again in "
		"its warp's next round.",
	 .source = "Fermi's bits, " KEY_PAPER "; the others are designs: TPDS 2019"},
	{.path = "atomic.lock_bits.cam_entries",
	 KEY_NUMBER(LockBitsParameters, cam_entries, 1, 65536),
	 .unit = "entries",
	 .default_value = "64",
	 .acts_on = KEY_ACTS_LOCKS,
	 .needs = "atomic.lock_bits.table",
	 .doc = "Entries of an SM's CAM: how many words can be locked at a time. Of table "
		"bank-cam each bank has an equal part.",
	 .neutral = true,
	 .source = "a design"},
};

static const char *base_problem(const AtomicParameters *atomic, const SharedParameters *shared,
				uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];
	const uint32_t used = p->lk_cycles + p->operation_cycles + issue_cycles;

	return p->t_base_cycles >= used + MAX(issue_cycles, shared->pass_cycles)
		       ? NULL
		       : "allowed: a rest of atomic.lock_bits.t_base_cycles, less "
			 "sm.issue_cycles for the branch, of at least sm.issue_cycles and "
			 "shared.pass_cycles";
}

static const char *retry_problem(const AtomicParameters *atomic, const SharedParameters *shared,
				 uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];

	(void)shared;
	(void)issue_cycles;
	return retry_problem_of(&p->retry);
}

static const char *parts_problem(const AtomicParameters *atomic, const SharedParameters *shared,
				 uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];

	(void)issue_cycles;
	return p->table != LOCK_TABLE_BANK_CAM || p->cam_entries % shared->banks == 0
		       ? NULL
		       : "allowed with atomic.lock_bits.table bank-cam: a multiple of "
			 "shared.banks, as each bank has an equal part";
}

#define MOST_CAM_BYTES (4 * 65536) /* of words whose locks have numbers of their own */

static const char *words_problem(const AtomicParameters *atomic, const SharedParameters *shared,
				 uint32_t issue_cycles)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];

	(void)issue_cycles;
	return p->table == LOCK_TABLE_BITS || shared->bytes <= MOST_CAM_BYTES
		       ? NULL
		       : "allowed: atomic.lock_bits.table bits, or shared.bytes of at most "
			 "262144: a CAM's locks are numbered by word, up to 65536";
}

const MechanismRule lock_bits_rules[N_LOCK_BITS_RULES] = {
	{{"atomic.lock_bits.lk_cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
	{{"atomic.lock_bits.operation_cycles", "sm.issue_cycles", "shared.pass_cycles"}, NULL},
	{{"atomic.lock_bits.t_base_cycles", "atomic.lock_bits.lk_cycles",
	  "atomic.lock_bits.operation_cycles", "sm.issue_cycles"},
	 base_problem},
	{{"atomic.lock_bits.t_position_cycles", "atomic.lock_bits.t_base_cycles"}, NULL},
	{{"atomic.lock_bits.back_off_cycles", "atomic.lock_bits.retry"}, retry_problem},
	{{"atomic.lock_bits.cam_entries", "atomic.lock_bits.table", "shared.banks"},
	 parts_problem},
	{{"atomic.lock_bits.table", "shared.bytes"}, words_problem},
};
