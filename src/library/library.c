/* SPDX-License-Identifier: MIT */
/* The library's door: errors, configs and traces. Everything is done by the rooms below. */
#include "library/library.h"

#include "base/error.h"
#include "workloads/workload.h"

const char *atomsim_version(void)
{
	return PACKAGE_VERSION;
}

void atomsim_free(char *string)
{
	g_free(string);
}

/* --- Errors --- */

void library_fail(AtomsimError **error, GError *problem)
{
	if (error != NULL)
		*error = (AtomsimError *)problem;
	else
		g_error_free(problem);
}

AtomsimCode atomsim_error_code(const AtomsimError *error)
{
	const GError *problem = (const GError *)error;

	G_STATIC_ASSERT((int)ATOMSIM_CONFIG == (int)ATOMSIM_ERROR_CONFIG &&
			(int)ATOMSIM_TRACE == (int)ATOMSIM_ERROR_TRACE &&
			(int)ATOMSIM_IO == (int)ATOMSIM_ERROR_IO &&
			(int)ATOMSIM_USAGE == (int)ATOMSIM_ERROR_USAGE &&
			(int)ATOMSIM_RUN == (int)ATOMSIM_ERROR_RUN &&
			(int)ATOMSIM_INPUT == (int)ATOMSIM_ERROR_INPUT);
	/* What GLib itself says is of files. */
	return problem->domain == ATOMSIM_ERROR ? (AtomsimCode)problem->code : ATOMSIM_IO;
}

const char *atomsim_error_message(const AtomsimError *error)
{
	return ((const GError *)error)->message;
}

void atomsim_error_free(AtomsimError *error)
{
	if (error != NULL)
		g_error_free((GError *)error);
}

/* --- Configs --- */

/* Takes the config, which is NULL if `problem` says why there is none. */
static AtomsimConfig *config_new(Config *config, const char *name, GError *problem,
				 AtomsimError **error)
{
	AtomsimConfig *whole;

	if (config == NULL) {
		library_fail(error, problem);
		return NULL;
	}
	whole = g_new0(AtomsimConfig, 1);
	whole->config = config;
	whole->name = g_path_get_basename(name);
	return whole;
}

AtomsimConfig *atomsim_config_load(const char *path_or_name, const char *const *settings,
				   AtomsimError **error)
{
	GError *problem = NULL;
	Config *config = config_load(path_or_name, settings, &problem);

	return config_new(config, path_or_name, problem, error);
}

AtomsimConfig *atomsim_config_parse(const char *name, const char *json, size_t length,
				    const char *const *settings, AtomsimError **error)
{
	GError *problem = NULL;
	Config *config = config_load_text(name, json, length, settings, &problem);

	return config_new(config, name, problem, error);
}

AtomsimConfig *atomsim_config_with(const AtomsimConfig *config, const char *const *settings,
				   AtomsimError **error)
{
	static const char *const none[] = {NULL};
	GError *problem = NULL;
	Config *changed = config_with(config->config, settings ? settings : none, &problem);

	return config_new(changed, config->name, problem, error);
}

char *atomsim_config_json(const AtomsimConfig *config)
{
	return config_to_json(config->config);
}

void atomsim_config_free(AtomsimConfig *config)
{
	if (config == NULL)
		return;
	config_free(config->config);
	g_free(config->name);
	g_free(config);
}

/* --- Traces --- */

/* Takes reader and bytes; a NULL reader means that `problem` says why. */
static AtomsimTrace *trace_new(TraceReader *reader, GBytes *bytes, const char *name,
			       GError *problem, AtomsimError **error)
{
	AtomsimTrace *trace;

	if (reader == NULL) {
		g_clear_pointer(&bytes, g_bytes_unref);
		library_fail(error, problem);
		return NULL;
	}
	trace = g_new0(AtomsimTrace, 1);
	trace->reader = reader;
	trace->bytes = bytes;
	trace->name = g_path_get_basename(name);
	return trace;
}

AtomsimTrace *atomsim_trace_open(const char *path, AtomsimError **error)
{
	GError *problem = NULL;
	TraceReader *reader = trace_open(path, &problem);

	return trace_new(reader, NULL, path, problem, error);
}

AtomsimTrace *atomsim_trace_open_bytes(const char *name, const void *bytes, size_t length,
				       AtomsimError **error)
{
	GError *problem = NULL;
	GBytes *copy = g_bytes_new(bytes, length);
	TraceReader *reader = trace_open_bytes(name, copy, &problem);

	return trace_new(reader, copy, name, problem, error);
}

AtomsimTrace *atomsim_trace_generate(const char *workload, const char *const *settings,
				     AtomsimError **error)
{
	static const char *const none[] = {NULL};
	GError *problem = NULL;
	const Workload *found = workload_find(workload, &problem);
	GBytes *bytes =
		found ? workload_generate_bytes(found, settings ? settings : none, &problem)
		      : NULL;
	TraceReader *reader = bytes ? trace_open_bytes(workload, bytes, &problem) : NULL;

	return trace_new(reader, bytes, workload, problem, error);
}

const void *atomsim_trace_bytes(const AtomsimTrace *trace, size_t *length)
{
	return trace->bytes != NULL ? g_bytes_get_data(trace->bytes, length) : NULL;
}

const char *atomsim_trace_metadata(const AtomsimTrace *trace)
{
	return trace_metadata(trace->reader);
}

uint64_t atomsim_trace_blocks(const AtomsimTrace *trace)
{
	return trace_source(trace->reader)->n_blocks;
}

void atomsim_trace_free(AtomsimTrace *trace)
{
	if (trace == NULL)
		return;
	trace_close(trace->reader);
	g_clear_pointer(&trace->bytes, g_bytes_unref);
	g_free(trace->name);
	g_free(trace);
}
