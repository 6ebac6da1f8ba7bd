/* SPDX-License-Identifier: MIT */
/*
 * Which keys can have had an effect on a run: what each acts on (base/key.h) compared with what the run has had.
 *
 * What is said of a key is a law: where key_why_idle has a reason, the run would have been the same, event by event, with
 * any other value of the key (tests/test-acts.c). Where it has none the key may act, or not.
 * Who may include it: config, report, explore, answer, cli.
 */
#ifndef ATOMSIM_CONFIG_ACTS_H
#define ATOMSIM_CONFIG_ACTS_H

#include "base/key.h"
#include "base/record.h"
#include "config/keys.h"
#include "sim/run/run.h"

/* --- What a run has had for keys to act on (had.c) --- */

/* A run that came to its end, and what it has had. Points to machine and result, which outlive it. */
typedef struct {
	const Machine *machine;
	const SimResult *result;
	uint64_t had; /* KEY_ACTS_* */
} KeyRun;

/* `kernel`: of the records that ran. */
KeyRun key_run(const Machine *machine, const KernelInfo *kernel, const SimResult *result);

/* --- What a key acts on --- */

/* Whether the machine makes use of the key and had what it acts on. */
gboolean key_acts(const Key *key, const Machine *machine, uint64_t had);

/*
 * Why the run would have been the same with any value of the key, or, with `other`, with the value that it has there: a
 * sentence of which "it" is the trace, as "it has no barrier". NULL: it might have been another. g_free.
 */
char *key_why_idle(const Key *key, const KeyRun *run, const Machine *other);

#endif
