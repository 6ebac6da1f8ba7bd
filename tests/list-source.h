/* SPDX-License-Identifier: MIT */
/*
 * Records from memory, for tests: a RecordSource over arrays that the test fills.
 */
#ifndef ATOMSIM_TESTS_LIST_SOURCE_H
#define ATOMSIM_TESTS_LIST_SOURCE_H

#include <glib.h>

#include "base/record.h"

typedef struct {
	RecordSource source;
	uint32_t n_warps, shared_bytes; /* of every block */
	GArray **warps;			/* of Record: [block * n_warps + warp] */
} ListSource;

/* Blocks whose warps have no records yet but the exit that ends each. */
ListSource *list_source_new(uint64_t n_blocks, uint32_t n_warps, uint32_t shared_bytes);
void list_source_free(ListSource *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ListSource, list_source_free)

/* Appends before the warp's exit. */
void list_source_append(ListSource *list, uint64_t block, uint32_t warp, const Record *record);

/* A record of lanes: n words of a block's shared memory, one a lane, lanes 0 .. n-1 active. */
Record list_record(RecordKind kind, const uint32_t *words, uint32_t n);
/* alu, bar, unknown. */
Record list_plain(RecordKind kind, uint32_t count);

/* Fails the test unless the change, as --what-if takes it, cannot be made to the list and the error says `words`. */
void list_refuse(ListSource *list, const char *change, const char *words);

#include "model/atomic/lock-bits.h"
#include "sim/run/machine.h"

/* A Fermi with settings (NULL-terminated "key=value", or NULL) laid over it. Its plug-ins' own
   parameters are no other machine's, and live on. */
Machine list_machine(const char *const *settings);
/* The Fermi machine of configs/fermi.json. */
Machine list_fermi(void);
/* Its lock bits, to be changed. */
LockBitsParameters *list_lock_bits(Machine *machine);
/* Makes a machine's warps run ahead of their results, through ports and a queue, as an H200's do. */
void list_run_ahead(Machine *machine);
/* An SM of configs/h200 with Fermi's sizes. */
Machine list_hopper(void);
/* The same with a setting, "key=value". */
Machine list_hopper_with(const char *setting);

#endif
