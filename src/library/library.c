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

bool library_given(const void *argument, const char *name, const char *allowed,
		   AtomsimError **error)
{
	if (argument == NULL)
		library_fail(error, g_error_new(ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
						"%s is NULL; allowed: %s", name, allowed));
	return argument != NULL;
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
	if (problem == NULL)
		return ATOMSIM_USAGE;
	/* What GLib itself says is of files. */
	return problem->domain == ATOMSIM_ERROR ? (AtomsimCode)problem->code : ATOMSIM_IO;
}

const char *atomsim_error_message(const AtomsimError *error)
{
	return error != NULL ? ((const GError *)error)->message : "no error";
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
	Config *config;

	if (!library_given(path_or_name, "path_or_name", "a path or the name of a config",
			   error))
		return NULL;
	config = config_load(path_or_name, settings, &problem);
	return config_new(config, path_or_name, problem, error);
}

AtomsimConfig *atomsim_config_parse(const char *name, const char *json, size_t length,
				    const char *const *settings, AtomsimError **error)
{
	GError *problem = NULL;
	Config *config;

	if (!library_given(name, "name", "what errors are to call the config", error) ||
	    !library_given(json, "json", "the bytes of a config", error))
		return NULL;
	config = config_load_text(name, json, length, settings, &problem);
	return config_new(config, name, problem, error);
}

AtomsimConfig *atomsim_config_with(const AtomsimConfig *config, const char *const *settings,
				   AtomsimError **error)
{
	static const char *const none[] = {NULL};
	GError *problem = NULL;
	Config *changed;

	if (!library_given(config, "config", "a config", error))
		return NULL;
	changed = config_with(config->config, settings ? settings : none, &problem);
	return config_new(changed, config->name, problem, error);
}

char *atomsim_config_json(const AtomsimConfig *config)
{
	return config != NULL ? config_to_json(config->config) : NULL;
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

AtomsimTrace *atomsim_trace_open(const char *path_or_name, AtomsimError **error)
{
	GError *problem = NULL;
	TraceReader *reader;

	if (!library_given(path_or_name, "path_or_name", "a path or the name of a trace",
			   error))
		return NULL;
	reader = trace_open(path_or_name, &problem);
	/* As commands do: the file that the name means. */
	return trace_new(reader, NULL, reader ? trace_path(reader) : NULL, problem, error);
}

AtomsimTrace *atomsim_trace_open_bytes(const char *name, const void *bytes, size_t length,
				       AtomsimError **error)
{
	GError *problem = NULL;
	GBytes *copy;
	TraceReader *reader;

	if (!library_given(name, "name", "what errors are to call the trace", error) ||
	    !library_given(bytes, "bytes", "the bytes of a trace", error))
		return NULL;
	copy = g_bytes_new(bytes, length);
	reader = trace_open_bytes(name, copy, &problem);
	return trace_new(reader, copy, name, problem, error);
}

AtomsimTrace *atomsim_trace_generate(const char *workload, const char *const *settings,
				     AtomsimError **error)
{
	static const char *const none[] = {NULL};
	GError *problem = NULL;
	const Workload *found;
	GBytes *bytes = NULL;
	TraceReader *reader = NULL;

	if (!library_given(workload, "workload", "the name of a workload", error))
		return NULL;
	found = workload_find(workload, &problem);
	if (found)
		bytes = workload_generate_bytes(found, settings ? settings : none, &problem);
	if (bytes)
		reader = trace_open_bytes(workload, bytes, &problem);
	return trace_new(reader, bytes, workload, problem, error);
}

const void *atomsim_trace_bytes(const AtomsimTrace *trace, size_t *length)
{
	GBytes *bytes = trace != NULL ? trace->bytes : NULL;

	if (length != NULL)
		*length = 0;
	return bytes != NULL ? g_bytes_get_data(bytes, length) : NULL;
}

const char *atomsim_trace_metadata(const AtomsimTrace *trace)
{
	return trace != NULL ? trace_metadata(trace->reader) : NULL;
}

uint64_t atomsim_trace_blocks(const AtomsimTrace *trace)
{
	return trace != NULL ? trace_source(trace->reader)->n_blocks : 0;
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
