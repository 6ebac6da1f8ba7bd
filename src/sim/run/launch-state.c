/* SPDX-License-Identifier: MIT */
#include "sim/run/launch-state.h"

const char *const launch_l2_names[N_LAUNCH_L2] = {"warm", "written", "home", "cold",
						  "recorded"};
const char *const launch_code_names[N_LAUNCH_CODES] = {"warm", "cold", "recorded"};
const char *const launch_place_names[N_LAUNCH_PLACES] = {"round_robin", "median"};
const char *const launch_warps_names[N_LAUNCH_WARPS] = {"staggered", "together"};

/* Copies from the host of up to so much pass through the L2, others only where it has the lines. */
#define SMALL_COPY_BYTES 65536

/* Measured: measurements/h200/history.csv. */
static LaunchL2 finds(BufferBefore before, uint64_t bytes, bool first)
{
	switch (before) {
	case BUFFER_FRESH:
		return first ? LAUNCH_L2_COLD : LAUNCH_L2_HOME;
	case BUFFER_COPIED:
		return first && bytes > SMALL_COPY_BYTES ? LAUNCH_L2_COLD : LAUNCH_L2_HOME;
	case BUFFER_SET:
		return LAUNCH_L2_WRITTEN;
	case BUFFER_USED:
		return LAUNCH_L2_WARM;
	default:
		return LAUNCH_L2_HOME;
	}
}

LaunchL2 launch_finds(const LaunchState *launch, const KernelInfo *kernel, uint32_t buffer)
{
	if (launch->l2 != LAUNCH_L2_RECORDED)
		return launch->l2;
	return kernel->buffer_before
		       ? finds(kernel->buffer_before[buffer], kernel->buffer_bytes[buffer],
			       kernel->was_launched == KERNEL_HAS_NOT)
		       : LAUNCH_L2_HOME;
}

bool launch_code_is_cold(const LaunchState *launch, const KernelInfo *kernel)
{
	return launch->code == LAUNCH_CODE_COLD ||
	       (launch->code == LAUNCH_CODE_RECORDED && kernel->has_code == KERNEL_HAS_NOT);
}
