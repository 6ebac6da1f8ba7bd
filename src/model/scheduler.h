/* SPDX-License-Identifier: MIT */
#ifndef ATOMSIM_MODEL_SCHEDULER_H
#define ATOMSIM_MODEL_SCHEDULER_H

#include <stdint.h>

typedef struct Scheduler Scheduler;
struct Scheduler {
	const char *name;
	const char *summary;
};

extern const Scheduler *const schedulers[]; /* NULL-terminated */
const Scheduler *scheduler_find(const char *name);

#endif
