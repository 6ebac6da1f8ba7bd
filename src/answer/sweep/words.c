/* SPDX-License-Identifier: MIT */
/* What of a sweep's words does not go together. */
#include "answer/sweep/sweep.h"

#include <string.h>

#include "base/error.h"

static gboolean varies_configs(const SweepWords *words)
{
	for (guint i = 0; i < words->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(words->axes, i);

		if (strcmp(axis->key, SWEEP_CONFIG_AXIS) == 0)
			return TRUE;
	}
	return FALSE;
}

gboolean sweep_words_check(const SweepWords *words, const SweepAtHand *at_hand, GError **error)
{
	const guint n_traces =
		words->traces->len + (at_hand != NULL ? at_hand->inputs->len : 0);
	const gboolean has_config = words->config != NULL || varies_configs(words) ||
				    (at_hand != NULL && at_hand->config != NULL);

	if (!has_config)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "no --config; for example: --config fermi.json");
	if (words->gen == NULL && n_traces == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "no trace and no --gen WORKLOAD");
	if (words->gen != NULL && n_traces > 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--gen and a trace are given; allowed: one of them");
	if (words->zip && words->sample != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--zip and --sample are given; allowed: one of them");
	if (words->sample < 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--sample must not be negative");
	return TRUE;
}
