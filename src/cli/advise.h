/* SPDX-License-Identifier: MIT */
/* Advice for people. Only cli includes it. */
#ifndef ATOMSIM_CLI_ADVISE_H
#define ATOMSIM_CLI_ADVISE_H

#include "explore/advise/advise.h"

/* g_free. trace: its name, as the user gave it. */
char *advice_to_text(const AdviceReport *report, const char *trace, const Config *config);

#endif
