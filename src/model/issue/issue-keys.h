/* SPDX-License-Identifier: MIT */
/* The rows of sm.issue, in three files. Who may include it: these. */
#ifndef ATOMSIM_MODEL_ISSUE_ISSUE_KEYS_H
#define ATOMSIM_MODEL_ISSUE_ISSUE_KEYS_H

#include "base/key.h"

#define GUIDE_LATENCY KEY_GUIDE ", section 5.2.3: about 22 cycles"

/* Those of no class of operations; of code and its caches. */
extern const KeyTable issue_rule_keys, issue_code_keys;

#endif
