/* SPDX-License-Identifier: MIT */
#include "sim/sm/exec.h"

Execute *const exec_of_kind[N_RECORD_KINDS] = {
	[RECORD_EXIT] = exec_exit,	 [RECORD_ALU] = exec_arithmetic,
	[RECORD_LDS] = exec_shared,	 [RECORD_STS] = exec_shared,
	[RECORD_ATOM] = exec_atomic,	 [RECORD_LDG] = exec_global,
	[RECORD_STG] = exec_global,	 [RECORD_ATOMG] = exec_global,
	[RECORD_BAR] = exec_barrier,	 [RECORD_LOCK] = exec_lock,
	[RECORD_UNLOCK] = exec_unlock,	 [RECORD_UNKNOWN] = exec_arithmetic,
	[RECORD_CODE] = exec_code,	 [RECORD_SHFL] = exec_arithmetic,
	[RECORD_VOTE] = exec_arithmetic, [RECORD_FENCE] = exec_fence,
};
