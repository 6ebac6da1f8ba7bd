/* SPDX-License-Identifier: MIT */
/* The library's door: errors, configs and traces. Everything is done by the rooms below. */
#include "library/library.h"

#include "base/error.h"
#include "base/installed.h"
#include "trace/find.h"
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

/* Takes both configs, of which the first is NULL if `problem` says why there is none. `before`: the settings before. */
static AtomsimConfig *config_new(Config *config, Config *shipped, const char *name,
				 const GPtrArray *before, const char *const *settings,
				 GError *problem, AtomsimError **error)
{
	AtomsimConfig *whole;

	if (config == NULL) {
		config_free(shipped);
		library_fail(error, problem);
		return NULL;
	}
	whole = g_new0(AtomsimConfig, 1);
	whole->config = config;
	whole->shipped = shipped;
	whole->name = g_path_get_basename(name);
	whole->settings = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; before != NULL && before->pdata[i] != NULL; i++)
		g_ptr_array_add(whole->settings, g_strdup(before->pdata[i]));
	for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
		g_ptr_array_add(whole->settings, g_strdup(settings[i]));
	g_ptr_array_add(whole->settings, NULL);
	return whole;
}

AtomsimConfig *atomsim_config_load(const char *path_or_name, const char *const *settings,
				   AtomsimError **error)
{
	const bool is_set = settings != NULL && settings[0] != NULL;
	GError *problem = NULL;
	Config *config;

	if (!library_given(path_or_name, "path_or_name", "a path or the name of a config",
			   error))
		return NULL;
	config = config_load(path_or_name, settings, &problem);
	return config_new(config, is_set ? config_load(path_or_name, NULL, NULL) : NULL,
			  path_or_name, NULL, settings, problem, error);
}

AtomsimConfig *atomsim_config_parse(const char *name, const char *json, size_t length,
				    const char *const *settings, AtomsimError **error)
{
	const bool is_set = settings != NULL && settings[0] != NULL;
	GError *problem = NULL;
	Config *config;

	if (!library_given(name, "name", "what errors are to call the config", error) ||
	    !library_given(json, "json", "the bytes of a config", error))
		return NULL;
	config = config_load_text(name, json, length, settings, &problem);
	return config_new(config,
			  is_set ? config_load_text(name, json, length, NULL, NULL) : NULL,
			  name, NULL, settings, problem, error);
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
	return config_new(
		changed,
		config_with(config->shipped ? config->shipped : config->config, none, NULL),
		config->name, config->settings, settings, problem, error);
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
	config_free(config->shipped);
	g_ptr_array_unref(config->settings);
	g_free(config->name);
	g_free(config);
}

/* The i-th of names; takes them. */
static char *pick_name(GPtrArray *names, size_t i)
{
	char *name = i < names->len ? g_strdup(names->pdata[i]) : NULL;

	g_ptr_array_unref(names);
	return name;
}

char *atomsim_config_name(size_t i)
{
	return pick_name(config_names(), i);
}

/* --- Traces --- */

char *atomsim_trace_name(size_t i)
{
	g_auto(GStrv) folders = trace_search_path();

	return pick_name(installed_names(folders, ".bin"), i);
}

/* Takes reader and bytes; a NULL reader means that `problem` says why. `asked`: the name that the user gave. */
static AtomsimTrace *trace_new(TraceReader *reader, GBytes *bytes, const char *name,
			       const char *asked, GError *problem, AtomsimError **error)
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
	trace->asked = g_path_get_basename(asked);
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
	return trace_new(reader, NULL, reader ? trace_path(reader) : NULL, path_or_name,
			 problem, error);
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
	return trace_new(reader, copy, name, name, problem, error);
}

static AtomsimTrace *generate(const char *workload, const int64_t *indices, size_t n,
			      const char *const *settings, AtomsimError **error)
{
	static const char *const none[] = {NULL};
	GError *problem = NULL;
	const Workload *found = workload_find(workload, &problem);
	GBytes *bytes = NULL;
	TraceReader *reader = NULL;

	if (found)
		bytes = workload_generate_from(found, indices, n, settings ? settings : none,
					       &problem);
	if (bytes)
		reader = trace_open_bytes(workload, bytes, &problem);
	return trace_new(reader, bytes, workload, workload, problem, error);
}

AtomsimTrace *atomsim_trace_generate(const char *workload, const char *const *settings,
				     AtomsimError **error)
{
	return library_given(workload, "workload", "the name of a workload", error)
		       ? generate(workload, NULL, 0, settings, error)
		       : NULL;
}

AtomsimTrace *atomsim_trace_scatter(const int64_t *indices, size_t n,
				    const char *const *settings, AtomsimError **error)
{
	return library_given(indices, "indices", "the index of each thread, or -1", error)
		       ? generate("scatter", indices, n, settings, error)
		       : NULL;
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
	g_free(trace->asked);
	g_free(trace);
}
