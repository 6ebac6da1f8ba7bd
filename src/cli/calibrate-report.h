/* SPDX-License-Identifier: MIT */
/* What atomsim calibrate says of a fit. Who may include it: calibrate. */
#ifndef ATOMSIM_CLI_CALIBRATE_REPORT_H
#define ATOMSIM_CLI_CALIBRATE_REPORT_H

#include "validate/frame/calibrate.h"

/* g_free. */
char *calibrate_json(const Calibration *calibration);
char *calibrate_text(const Calibration *calibration);

#endif
