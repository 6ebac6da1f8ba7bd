/* SPDX-License-Identifier: MIT */
#include "sim/run/launch-state.h"

const char *const launch_l2_names[N_LAUNCH_L2] = {"warm", "written", "home", "cold",
						  "recorded"};
const char *const launch_code_names[N_LAUNCH_CODES] = {"warm", "cold", "recorded"};
const char *const launch_tlb_names[N_LAUNCH_TLBS] = {"warm", "cold", "recorded"};
const char *const launch_parameters_names[N_LAUNCH_PARAMETERS] = {"warm", "cold", "recorded"};
const char *const launch_place_names[N_LAUNCH_PLACES] = {"round_robin", "median"};
const char *const launch_warps_names[N_LAUNCH_WARPS] = {"staggered", "together"};

/* A copy from the host of up to so much stays in the L2. */
#define MOST_COPY_BYTES (UINT64_C(16) << 20)

/* Measured: measurements/h200/history.csv, and of copies first-reads-counted.csv: of what the host has copied a kernel reads next to nothing
   from DRAM up to 8 MiB, 5 and 16 % of 16 MiB, 9 and 89 % of 32. */
static LaunchL2 finds(BufferBefore before, uint64_t bytes, bool first)
{
	switch (before) {
	case BUFFER_FRESH:
		return first ? LAUNCH_L2_COLD : LAUNCH_L2_HOME;
	case BUFFER_COPIED:
		return first && bytes > MOST_COPY_BYTES ? LAUNCH_L2_COLD : LAUNCH_L2_HOME;
	case BUFFER_SET:
	case BUFFER_WRITTEN:
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
	if (buffer + 1 == kernel->local_buffer) /* first-touch.csv, local-load */
		return finds(BUFFER_FRESH, 0, kernel->was_launched == KERNEL_HAS_NOT);
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

bool launch_constants_are_cold(const LaunchState *launch, const KernelInfo *kernel)
{
	return launch->code == LAUNCH_CODE_COLD ||
	       (launch->code == LAUNCH_CODE_RECORDED && kernel->was_launched == KERNEL_HAS_NOT);
}

static bool may_have_been_used(BufferBefore before, uint32_t launch)
{
	return before == BUFFER_USED || before == BUFFER_WRITTEN || before == BUFFER_REUSED ||
	       (before == BUFFER_UNKNOWN && launch != 1);
}

/* Nsight Compute empties the TLBs before the first kernel that it counts (measurements/h200/translation-first.csv). Small buffers lie
   in regions that earlier launches of the program have used. */
bool launch_tlb_is_cold(const LaunchState *launch, const KernelInfo *kernel)
{
	if (launch->tlb != LAUNCH_TLB_RECORDED)
		return launch->tlb == LAUNCH_TLB_COLD;
	if (!kernel->buffer_before || kernel->launch > 1)
		return false;
	for (uint32_t i = 0; i < kernel->n_buffers; i++)
		if (i + 1 != kernel->local_buffer &&
		    may_have_been_used(kernel->buffer_before[i], kernel->launch))
			return false;
	return true;
}

/* Parameters of up to 112 bytes, which end in the first half of the 256 bytes at 0x200 of their bank, are late; of 120 to 240, which end
   in the second half, not; of 256 to 368 those from 0x300 on; of 408 and 488, which end in the second half again, none
   (measurements/h200/parameters.csv, but for two processes of 92). */
#define PARAMETER_PART_BYTES 256

uint32_t launch_late_parameters(const KernelParameters *parameters)
{
	const uint32_t end = parameters->offset + parameters->bytes;
	const uint32_t part = (end - 1) / PARAMETER_PART_BYTES * PARAMETER_PART_BYTES;

	if (parameters->bytes == 0 || end - part > PARAMETER_PART_BYTES / 2)
		return UINT32_MAX;
	for (uint32_t i = 0; i < parameters->n_lines; i++)
		if (parameters->lines[i] > 0 && kernel_parameter_line_at(parameters, i) >= part)
			return part;
	return UINT32_MAX;
}

bool launch_parameters_are_cold(const LaunchState *launch, const KernelInfo *kernel,
				uint32_t buffers)
{
	if (launch_late_parameters(&kernel->parameters) == UINT32_MAX)
		return false;
	return launch->parameters == LAUNCH_PARAMETERS_COLD ||
	       (launch->parameters == LAUNCH_PARAMETERS_RECORDED && kernel->launch > 0 &&
		kernel->launch <= buffers);
}
