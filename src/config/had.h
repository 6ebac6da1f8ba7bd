/* SPDX-License-Identifier: MIT */
/* What a run has had for keys to act on. Who may include it: those of config/acts.h. */
#ifndef ATOMSIM_CONFIG_HAD_H
#define ATOMSIM_CONFIG_HAD_H

#include "base/key.h"
#include "base/record.h"
#include "sim/run/run.h"

/* A run that came to its end, and what it has had. Points to machine and result, which outlive it. */
typedef struct {
	const Machine *machine;
	const SimResult *result;
	uint64_t had; /* KEY_ACTS_* */
} KeyRun;

/* `kernel`: of the records that ran. */
KeyRun key_run(const Machine *machine, const KernelInfo *kernel, const SimResult *result);

#endif
