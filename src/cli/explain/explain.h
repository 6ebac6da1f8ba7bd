/* SPDX-License-Identifier: MIT */
/* An explanation for people. Only cli includes it. */
#ifndef ATOMSIM_CLI_EXPLAIN_EXPLAIN_H
#define ATOMSIM_CLI_EXPLAIN_EXPLAIN_H

#include "explore/explain/explain.h"

/* g_free. */
char *explanation_to_text(const ExplainRequest *request, const Explanation *explanation);

#endif
