/* SPDX-License-Identifier: MIT */
/* Parts of explanation_to_svg: svg.c draws what becomes of lanes, time.c rounds, banks.c loads and stores. Nobody else may include it. */
#ifndef ATOMSIM_CLI_EXPLAIN_PICTURE_H
#define ATOMSIM_CLI_EXPLAIN_PICTURE_H

#include "explore/explain/explain.h"
#include "report/svg.h"

#define PICTURE_LEFT 84 /* where grids begin */
#define PICTURE_GRID 504

/* The rounds of each warp over cycles, with their legend. Returns where the next thing goes. */
int picture_time(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		 int y);

/* Each warp's passes, one row each, over the banks, and a bank hash as its matrix. Returns where the next thing goes. */
int picture_banks(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		  int y);

#endif
