/* SPDX-License-Identifier: MIT */
/* The report of a replay, with all that it points to. */
#include "report/report.h"

#include "config/acts.h"

typedef struct {
	RunReport report; /* first: report_free casts */
	char **assumptions;
	char *config_name, *trace_name;
} OwnedReport;

RunReport *report_new(const Config *config, const char *config_name, const Replay *replay,
		      const ReplayResult *result, GError **error)
{
	TraceReader *reader = replay->reader;
	const char *sha256 = trace_sha256(reader, error);
	OwnedReport *owned;

	g_assert(replay->sites);
	if (sha256 == NULL)
		return NULL;
	owned = g_new0(OwnedReport, 1);
	owned->assumptions = config_assumptions(
		config, key_run(replay->machine,
				replay->source ? &replay->source->kernel
					       : &trace_source(reader)->kernel,
				&result->run)
				.had);
	owned->config_name = g_path_get_basename(config_name);
	owned->trace_name =
		g_path_get_basename(replay->name != NULL ? replay->name : trace_path(reader));
	owned->report = (RunReport){
		.version = PACKAGE_VERSION,
		.config_name = owned->config_name,
		.machine = replay->machine,
		.config = config,
		.assumptions = (const char *const *)owned->assumptions,
		.trace_name = owned->trace_name,
		.trace_sha256 = sha256,
		.metadata = trace_metadata_json(reader),
		.kernel = &trace_source(reader)->kernel,
		.trace_blocks = result->has_estimate && result->estimate.is_sample
					? result->estimate.n_blocks
					: trace_source(reader)->n_blocks,
		.seed = replay->seed,
		.result = &result->run,
		.sites = result->sites,
		.utilization = result->has_utilization ? &result->utilization : NULL,
		.baseline = result->has_baseline ? &result->baseline : NULL,
		.estimate = result->has_estimate && result->run.status == SIM_OK
				    ? &result->estimate
				    : NULL,
		.causes = result->has_causes ? &result->causes : NULL,
		.wall_s = -1.0,
		.threads = replay->n_threads,
	};
	return &owned->report;
}

void report_free(RunReport *report)
{
	OwnedReport *owned = (OwnedReport *)report;

	if (owned == NULL)
		return;
	g_strfreev(owned->assumptions);
	g_free(owned->config_name);
	g_free(owned->trace_name);
	g_free(owned);
}
