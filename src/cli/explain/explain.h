/* SPDX-License-Identifier: MIT */
/* An explanation for people. Only cli includes it. */
#ifndef ATOMSIM_CLI_EXPLAIN_EXPLAIN_H
#define ATOMSIM_CLI_EXPLAIN_EXPLAIN_H

#include "explore/explain/explain.h"
#include "report/svg.h"

/* What it is about: "add.u32 of 1 without result, 1 warp on a simulated H200, by native: 29 cycles". g_free. */
char *explanation_title(const ExplainRequest *request, const Explanation *explanation);

/* lanes: also each lane of each round. g_free. */
char *explanation_to_text(const ExplainRequest *request, const Explanation *explanation,
			  bool lanes);

/* A picture: rounds over time, then who wins and loses; of loads and stores the banks, pass by pass. g_free. */
char *explanation_to_svg(const ExplainRequest *request, const Explanation *explanation);

/* --- Parts of explanation_to_svg: svg.c draws what becomes of lanes, time.c rounds, banks.c loads and stores --- */

#define PICTURE_LEFT 84 /* where grids begin */
#define PICTURE_GRID 504

/* The rounds of each warp over cycles, with their legend. Returns where the next thing goes. */
int picture_time(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		 int y);

/* Each warp's passes, one row each, over the banks, and a bank hash as its matrix. Returns where the next thing goes. */
int picture_banks(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		  int y);

#endif
