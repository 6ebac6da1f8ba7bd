/* SPDX-License-Identifier: MIT */
/* A part of explanation_to_svg: svg.c draws atomics and locks, banks.c loads and stores. Nobody else may include it. */
#ifndef ATOMSIM_CLI_EXPLAIN_PICTURE_H
#define ATOMSIM_CLI_EXPLAIN_PICTURE_H

#include "explore/explain/explain.h"
#include "report/svg.h"

/* Each warp's passes, one row each, over the banks, and a bank hash as its matrix. Returns where the next thing goes. */
int picture_banks(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		  int y);

#endif
