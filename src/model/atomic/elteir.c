/* SPDX-License-Identifier: MIT */
#include "model/atomic/elteir.h"

ElteirTimes elteir_times(const ElteirInput *i)
{
	const double x = i->t_complete / i->t_fast, x_local = i->t_local / i->t_fast;
	ElteirTimes times;

	times.request = 2 * i->lanes * i->t_local + 2 * i->t_fast;
	times.coordinate = 5 * i->t_fast + i->at_once * i->t_local + i->groups / 2 * i->t_local;
	times.reply = 2 * i->t_fast;
	times.equation[0] = i->lanes * i->at_once * i->t_complete;
	times.equation[1] = times.request + times.coordinate + times.reply;
	times.equation[2] =
		((2 * i->lanes + i->at_once + i->groups / 2) * x_local + 9) * i->t_fast;
	times.equation[3] = i->lanes * i->at_once * x * i->t_fast;
	times.speedup = times.equation[0] / times.equation[1];
	return times;
}
