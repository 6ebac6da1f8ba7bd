/* SPDX-License-Identifier: MIT */
/* The registry: a workload is found here by its name and run with checked parameters. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "workloads/parameters.h"

/* A new workload is one word here, in the order of the help. */
#define WORKLOADS(X)                                                                           \
	X(pattern)                                                                             \
	X(voting)                                                                              \
	X(histogram)                                                                           \
	X(hough)                                                                               \
	X(kmeans)                                                                              \
	X(transpose)                                                                           \
	X(reduction)                                                                           \
	X(global_atomics)                                                                      \
	X(scatter)                                                                             \
	X(private_histogram)                                                                   \
	X(shuffle_reduction)                                                                   \
	X(scan)                                                                                \
	X(kmeans_update)                                                                       \
	X(lock_chain)                                                                          \
	X(spin_locks)                                                                          \
	X(apps)

#define X(name) extern const Workload workload_##name;
WORKLOADS(X)
#undef X

#define X(name) &workload_##name,
const Workload *const workloads[] = {WORKLOADS(X) NULL};
#undef X

const Workload *workload_find(const char *name, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; workloads[i]; i++) {
		if (strcmp(workloads[i]->name, name) == 0)
			return workloads[i];
		g_ptr_array_add(names, (char *)workloads[i]->name);
	}
	g_ptr_array_add(names, NULL);

	const char *const *list = (const char *const *)names->pdata;
	const char *similar = atomsim_suggest(name, list);
	g_autofree char *all = g_strjoinv(", ", (char **)list);
	if (similar)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "unknown workload '%s'; did you mean '%s'?", name, similar);
	else
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "unknown workload '%s'; there are: %s",
			     name, all);
	return NULL;
}

static void add_buffers(cJSON *object, const WorkloadBuffer *buffers)
{
	if (!buffers[0].name)
		return;

	cJSON *list = cJSON_AddArrayToObject(object, "buffers");
	for (guint i = 0; buffers[i].name; i++) {
		cJSON *buffer = cJSON_CreateObject();
		cJSON_AddStringToObject(buffer, "name", buffers[i].name);
		cJSON_AddNumberToObject(buffer, "bytes", (double)buffers[i].bytes);
		cJSON_AddItemToArray(list, buffer);
	}
}

static void add_array(cJSON *object, const WorkloadLaunch *launch)
{
	cJSON *array;

	if (launch->array_bytes == 0)
		return;
	array = cJSON_AddObjectToObject(object, "array");
	cJSON_AddNumberToObject(array, "bytes", (double)launch->array_bytes);
	if (launch->array_buffer > 0)
		cJSON_AddNumberToObject(array, "buffer", launch->array_buffer);
}

static char *metadata_text(const WorkloadLaunch *launch, uint32_t version, int64_t seed)
{
	const uint32_t grid[] = {launch->n_blocks, 1, 1}, block[] = {launch->n_threads, 1, 1};
	cJSON *object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "format", version);
	cJSON_AddStringToObject(object, "kernel", launch->kernel);
	trace_metadata_add(object, grid, block, launch->shared_bytes, 0, "gen");
	cJSON_AddNumberToObject(object, "seed", (double)seed);
	cJSON_AddItemReferenceToObject(object, "workload", launch->facts);
	if (launch->sites) {
		cJSON *sites = cJSON_AddArrayToObject(object, "sites");
		for (guint i = 0; launch->sites[i]; i++) {
			cJSON *site = cJSON_CreateObject();
			cJSON_AddStringToObject(site, "function", launch->sites[i]);
			cJSON_AddItemToArray(sites, site);
		}
	}

	add_buffers(object, launch->buffers);
	add_array(object, launch);
	if (launch->global_atomics != KERNEL_UNKNOWN)
		cJSON_AddBoolToObject(object, "global_atomics",
				      launch->global_atomics == KERNEL_HAS);
	return json_text(object);
}

static char *generate(const Workload *workload, const WorkloadParameters *parameters,
		      TraceWriter *writer, GError **error)
{
	WorkloadLaunch launch = {.facts = parameters_to_json(parameters)};
	char *text = NULL;

	if (workload->generate(parameters, writer, &launch, error))
		text = metadata_text(&launch, trace_writer_version(writer),
				     workload_integer(parameters, "seed"));
	cJSON_Delete(launch.facts);
	return text;
}

char *workload_generate(const Workload *workload, const char *const *settings,
			TraceWriter *writer, GError **error)
{
	g_autoptr(WorkloadParameters) parameters = parameters_new(workload, settings, error);

	return parameters ? generate(workload, parameters, writer, error) : NULL;
}

GBytes *workload_generate_from(const Workload *workload, const int64_t *indices, gsize n,
			       const char *const *settings, GError **error)
{
	g_autoptr(WorkloadParameters) parameters = parameters_new(workload, settings, error);
	g_autoptr(TraceWriter) writer = NULL;
	g_autofree char *metadata = NULL;

	if (!parameters)
		return NULL;
	parameters_give(parameters, indices, n);
	writer = trace_writer_new_memory();
	metadata = generate(workload, parameters, writer, error);
	if (!metadata)
		return NULL;
	return trace_writer_finish_bytes(g_steal_pointer(&writer), metadata);
}

GBytes *workload_generate_bytes(const Workload *workload, const char *const *settings,
				GError **error)
{
	return workload_generate_from(workload, NULL, 0, settings, error);
}
