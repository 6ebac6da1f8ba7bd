/* SPDX-License-Identifier: MIT */
/* The rows of sm.issue, in two files. Who may include it: these. */
#ifndef ATOMSIM_MODEL_ISSUE_ISSUE_KEYS_H
#define ATOMSIM_MODEL_ISSUE_ISSUE_KEYS_H

#include "base/key.h"

#define GUIDE_LATENCY KEY_GUIDE ", section 5.2.3: about 22 cycles"

extern const KeyTable issue_rule_keys; /* those of no class of operations */

#endif
