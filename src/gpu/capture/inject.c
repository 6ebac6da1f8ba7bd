/* SPDX-License-Identifier: MIT */
/*
 * Loaded into the program by LD_PRELOAD: has each module's instructions patched as it is
 * loaded, gives each wanted launch a ring for its events, and writes what comes through the ring
 * to the raw capture (raw.h) while the kernel runs. Built by capture.sh against the user's CUDA toolkit,
 * with libc alone. What to do comes from the environment, which capture.sh sets:
 *
 *   ATOMSIM_CAPTURE_FOLDER    where the files go
 *   ATOMSIM_CAPTURE_PATCH     patch.cu, compiled
 *   ATOMSIM_CAPTURE_BUFFER    bytes of a launch's ring
 *   ATOMSIM_CAPTURE_KERNEL    regular expression that the kernel's name matches
 *   ATOMSIM_CAPTURE_LAUNCHES  FIRST-LAST of those that match, counted from 1
 *   ATOMSIM_CAPTURE_BLOCKS    FIRST-LAST or FIRST-LAST:STEP of the launch, counted from 0
 *   ATOMSIM_CAPTURE_SAMPLE    waves of blocks of the launch, in place of these (sample.h)
 *
 * Launches that it cannot record are counted: a line each in the folder's file `gaps`.
 *
 * It never stops the program: what fails is reported on stderr and in the folder's file
 * `messages`, for capture.sh to see.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <regex.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sanitizer.h>

#include "inject.h"
#include "sample.h"

#define MAX_MODULES	 4096
#define MAX_OTHERS	 256  /* kernels that are named though they are not recorded */
#define LEAST_RING_BYTES 4096 /* more than the largest event */
#define MOST_RING_BYTES	 (UINT64_C(1) << 35)

/* A launch between its begin and its end. */
typedef struct {
	Ring *ring; /* NULL: the slot is free */
	Sanitizer_LaunchHandle handle;
	CUcontext context;
	uint32_t number;
	void *device; /* RawDevice */
	void *counts; /* of a sample: as RawDevice.counts; else NULL */
} Launch;

static struct {
	pthread_mutex_t mutex;	     /* of all below */
	pthread_mutex_t write_mutex; /* of raw */
	FILE *raw;
	Launch launches[MAX_IN_FLIGHT];
	CUmodule modules[MAX_MODULES];
	char is_used[MAX_MODULES]; /* by a launch that is recorded */
	unsigned n_modules;
	char *others[MAX_OTHERS]; /* kernels */
	unsigned n_others;
	uint32_t n_launches; /* of the program */
	uint64_t n_matching; /* of these, whose kernel's name matches */
	int has_kernel;
	regex_t kernel;
	uint64_t first_launch, last_launch, first_block, last_block, block_step, sample_waves;
	uint64_t buffer_bytes;
} state = {
	/* The sanitizer calls back from its own calls. */
	.mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
	.write_mutex = PTHREAD_MUTEX_INITIALIZER,
};

void inject_say(const char *format, ...)
{
	const char *folder = getenv("ATOMSIM_CAPTURE_FOLDER");
	char path[4096];
	va_list arguments;

	snprintf(path, sizeof(path), "%s/messages", folder ? folder : ".");

	FILE *messages = fopen(path, "a");

	fputs("atomsim capture: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	if (messages) {
		va_start(arguments, format);
		vfprintf(messages, format, arguments);
		va_end(arguments);
		fputc('\n', messages);
		fclose(messages);
	}
}

/* True if the call went well; else says what failed. */
int inject_good(SanitizerResult result, const char *what)
{
	const char *text = NULL;

	if (result == SANITIZER_SUCCESS)
		return 1;
	sanitizerGetResultString(result, &text);
	inject_say("%s failed: %s", what, text ? text : "unknown error");
	return 0;
}

static void write_bytes(const void *bytes, size_t n)
{
	if (state.raw && fwrite(bytes, 1, n, state.raw) != n) {
		inject_say("cannot write the raw capture: %m");
		fclose(state.raw);
		state.raw = NULL;
	}
}

void inject_write_chunk(uint32_t kind, uint32_t launch, const void *bytes, uint64_t n)
{
	RawChunkHeader header = {.kind = kind, .launch = launch, .bytes = n};

	pthread_mutex_lock(&state.write_mutex);
	write_bytes(&header, sizeof(header));
	write_bytes(bytes, n);
	pthread_mutex_unlock(&state.write_mutex);
}

/* The program may start others that load this library too: each process has its own files. */
static void open_raw(void)
{
	RawFileHeader header = {.magic = RAW_MAGIC, .version = RAW_VERSION};
	char path[4096];

	if (state.raw)
		return;
	snprintf(path, sizeof(path), "%s/events-%d.raw", getenv("ATOMSIM_CAPTURE_FOLDER"),
		 (int)getpid());
	state.raw = fopen(path, "wb");
	if (!state.raw) {
		inject_say("cannot write '%s': %m", path);
		return;
	}
	write_bytes(&header, sizeof(header));
}

static void name_module(unsigned number, char *path, size_t bytes)
{
	snprintf(path, bytes, "%s/module-%d-%u.cubin", getenv("ATOMSIM_CAPTURE_FOLDER"),
		 (int)getpid(), number);
}

static void module_loaded(const Sanitizer_ResourceModuleData *data)
{
	static const struct {
		Sanitizer_InstructionId kind;
		const char *callback;
	} patches[] = {
		{SANITIZER_INSTRUCTION_BLOCK_ENTER, "atomsim_enter"},
		{SANITIZER_INSTRUCTION_BLOCK_EXIT, "atomsim_exit"},
		{SANITIZER_INSTRUCTION_SHARED_MEMORY_ACCESS, "atomsim_shared"},
		{SANITIZER_INSTRUCTION_GLOBAL_MEMORY_ACCESS, "atomsim_global"},
		{SANITIZER_INSTRUCTION_REMOTE_SHARED_MEMORY_ACCESS, "atomsim_remote"},
		{SANITIZER_INSTRUCTION_BARRIER, "atomsim_barrier"},
		{SANITIZER_INSTRUCTION_MATRIX_MEMORY_ACCESS, "atomsim_matrix"},
		{SANITIZER_INSTRUCTION_MEMCPY_ASYNC, "atomsim_copy"},
		{SANITIZER_INSTRUCTION_SHFL, "atomsim_shuffle"},
		{SANITIZER_INSTRUCTION_SYNCWARP, "atomsim_syncwarp"},
		{SANITIZER_INSTRUCTION_CALL, "atomsim_call"},
		{SANITIZER_INSTRUCTION_RET, "atomsim_return"},
		{SANITIZER_INSTRUCTION_LOCAL_MEMORY_ACCESS, "atomsim_local"},
	};
	char path[4096];

	if (state.n_modules == MAX_MODULES) {
		inject_say("more than %d modules: the rest is not recorded", MAX_MODULES);
		return;
	}
	name_module(state.n_modules, path, sizeof(path));

	FILE *cubin = fopen(path, "wb");

	if (!cubin || fwrite(data->pCubin, 1, data->cubinSize, cubin) != data->cubinSize)
		inject_say("cannot write '%s': %m", path);
	if (cubin)
		fclose(cubin);
	state.modules[state.n_modules++] = data->module;

	if (!inject_good(
		    sanitizerAddPatchesFromFile(getenv("ATOMSIM_CAPTURE_PATCH"), data->context),
		    "loading the patches"))
		return;
	for (size_t i = 0; i < sizeof(patches) / sizeof(patches[0]); i++)
		if (!inject_good(sanitizerPatchInstructions(patches[i].kind, data->module,
							    patches[i].callback),
				 patches[i].callback))
			return;
	inject_good(sanitizerPatchModule(data->module), "patching a module");
}

/* The folder's file `others` names each kernel of which a launch is not recorded, once. */
static void note_other(const char *name)
{
	char path[4096];
	FILE *list;

	for (unsigned i = 0; i < state.n_others; i++)
		if (strcmp(state.others[i], name) == 0)
			return;
	if (state.n_others == MAX_OTHERS || !(state.others[state.n_others] = strdup(name)))
		return;
	state.n_others++;
	snprintf(path, sizeof(path), "%s/others", getenv("ATOMSIM_CAPTURE_FOLDER"));
	list = fopen(path, "a");
	if (!list || fprintf(list, "%s\n", name) < 0)
		inject_say("cannot write '%s': %m", path);
	if (list)
		fclose(list);
}

/* Whether the selection wants this launch. Counts it, and notes kernels that it leaves out. */
static int is_wanted(const char *name)
{
	if (state.has_kernel && regexec(&state.kernel, name, 0, NULL, 0) != 0) {
		note_other(name);
		return 0;
	}
	state.n_matching++;
	return state.n_matching >= state.first_launch && state.n_matching <= state.last_launch;
}

/* Only the code of modules that the folder's file `modules` names is looked at: disassembling takes longer than all else. */
static void note_used(unsigned module)
{
	char path[4096];
	FILE *list;

	if (module >= MAX_MODULES || state.is_used[module])
		return;
	state.is_used[module] = 1;
	snprintf(path, sizeof(path), "%s/modules", getenv("ATOMSIM_CAPTURE_FOLDER"));
	list = fopen(path, "a");
	if (!list || fprintf(list, "module-%d-%u\n", (int)getpid(), module) < 0)
		inject_say("cannot write '%s': %m", path);
	if (list)
		fclose(list);
}

static void write_launch(const Sanitizer_LaunchData *data, uint32_t number)
{
	struct {
		RawLaunch launch;
		char name[RAW_MAX_NAME_BYTES];
	} chunk = {
		.launch = {
			.grid = {data->gridDim_x, data->gridDim_y, data->gridDim_z},
			.block = {data->blockDim_x, data->blockDim_y, data->blockDim_z},
			.cluster = {data->clusterDim_x, data->clusterDim_y, data->clusterDim_z},
			.module = UINT32_MAX,
		}};
	size_t name_bytes = strlen(data->functionName) + 1;

	if (name_bytes > sizeof(chunk.name))
		name_bytes = sizeof(chunk.name);
	memcpy(chunk.name, data->functionName, name_bytes - 1);
	chunk.launch.name_bytes = name_bytes;
	for (unsigned i = 0; i < state.n_modules; i++)
		if (state.modules[i] == data->module)
			chunk.launch.module = i;
	inject_good(sanitizerGetFunctionPcAndSize(data->module, data->functionName,
						  &chunk.launch.function_pc,
						  &chunk.launch.function_bytes),
		    "asking for the kernel's address");
	inject_write_chunk(RAW_CHUNK_LAUNCH, number, &chunk,
			   sizeof(chunk.launch) + (name_bytes + 7) / 8 * 8);
	note_used(chunk.launch.module);
}

#define CUBIN_PATH_BYTES 4096

/* The path of the launch's cubin; false: it is not known. */
static int find_cubin(const Sanitizer_LaunchData *data, char path[CUBIN_PATH_BYTES])
{
	for (unsigned i = 0; i < state.n_modules; i++)
		if (state.modules[i] == data->module) {
			name_module(i, path, CUBIN_PATH_BYTES);
			return 1;
		}
	return 0;
}

/* What the launch is given; free() it. */
static RawParameters *given(const Sanitizer_LaunchData *data)
{
	char path[CUBIN_PATH_BYTES];

	return find_cubin(data, path) ? parameters_read(path, data->functionName) : NULL;
}

static uint32_t registers_of(const Sanitizer_LaunchData *data)
{
	char path[CUBIN_PATH_BYTES];

	return find_cubin(data, path) ? module_registers(path, data->functionName) : 0;
}

#define MOST_COUNTED (1u << 28) /* blocks of a launch of which a sample is taken */

/* Zeros in the GPU's memory, a number for each block; NULL if that fails. */
static void *take_counts(const Sanitizer_LaunchData *data, uint64_t n_blocks)
{
	uint32_t *zeros = calloc(n_blocks, sizeof(*zeros));
	void *counts = NULL;

	if (!zeros ||
	    !inject_good(sanitizerAlloc(data->context, &counts, n_blocks * sizeof(*zeros)),
			 "taking GPU memory") ||
	    !inject_good(sanitizerMemcpyHostToDeviceAsync(
				 counts, zeros, n_blocks * sizeof(*zeros), data->hStream),
			 "copying to the GPU") ||
	    !inject_good(sanitizerStreamSynchronize(data->hStream),
			 "a kernel before this launch"))
		counts = NULL;
	free(zeros);
	return counts;
}

/* Records the launch if the selection wants it. `earlier`: as history_launched. */
static void record_launch(const Sanitizer_LaunchData *data, Earlier earlier,
			  const RawParameters *parameters)
{
	uint32_t number = state.n_launches++;
	RawDevice device = {
		.first_block = state.first_block,
		.last_block = state.last_block,
		.block_step = state.block_step,
		.grid = {data->gridDim_x, data->gridDim_y, data->gridDim_z},
		.block = {data->blockDim_x, data->blockDim_y, data->blockDim_z},
	};
	const uint64_t n_blocks = (uint64_t)data->gridDim_x * data->gridDim_y * data->gridDim_z;
	Launch *launch = NULL;
	Ring *ring;

	if (!is_wanted(data->functionName)) {
		/* What an earlier launch of the function was given must not be used again. */
		sanitizerSetLaunchCallbackData(data->hLaunch, data->function, data->hStream,
					       NULL);
		return;
	}
	if (state.sample_waves && n_blocks > MOST_COUNTED) {
		inject_say("launch %u is not recorded: a sample is taken of up to %u blocks",
			   number, MOST_COUNTED);
		return;
	}
	open_raw();
	for (unsigned i = 0; i < MAX_IN_FLIGHT && !launch; i++)
		if (!state.launches[i].ring)
			launch = &state.launches[i];
	ring = launch ? ring_take(data->context, number, state.buffer_bytes) : NULL;
	if (!ring) {
		inject_say("launch %u is not recorded: no room for its events, or more than %d "
			   "launches at a time",
			   number, MAX_IN_FLIGHT);
		return;
	}
	*launch = (Launch){.handle = data->hLaunch, .context = data->context, .number = number};
	if (state.sample_waves && (launch->counts = take_counts(data, n_blocks))) {
		device.sample_waves = state.sample_waves;
		device.counts = (uint64_t)(uintptr_t)launch->counts;
	}
	ring_describe(ring, &device);
	if (!inject_good(sanitizerAlloc(data->context, &launch->device, sizeof(device)),
			 "taking GPU memory") ||
	    !inject_good(sanitizerMemcpyHostToDeviceAsync(launch->device, &device,
							  sizeof(device), data->hStream),
			 "copying to the GPU"))
		return;
	if (!inject_good(sanitizerStreamSynchronize(data->hStream),
			 "a kernel before this launch")) {
		stray_advise();
		return;
	}
	if (!inject_good(sanitizerSetLaunchCallbackData(data->hLaunch, data->function,
							data->hStream, launch->device),
			 "giving the launch its ring"))
		return;
	write_launch(data, number);
	history_write(number, earlier, registers_of(data));
	if (parameters)
		inject_write_chunk(RAW_CHUNK_PARAMETERS, number, parameters,
				   sizeof(*parameters) + (parameters->bytes + 7) / 8 * 8);
	if (!ring_start(ring)) {
		sanitizerSetLaunchCallbackData(data->hLaunch, data->function, data->hStream,
					       NULL);
		return;
	}
	launch->ring = ring;
}

static void launch_begin(const Sanitizer_LaunchData *data)
{
	const Earlier earlier = history_launched(data->function);
	RawParameters *parameters = given(data);

	record_launch(data, earlier, parameters);
	if (parameters)
		history_used(parameters + 1, parameters->bytes);
	free(parameters);
}

/* Sums up the blocks of a wave. */
static RawWave wave_of(const uint32_t *counts, uint64_t n)
{
	RawWave wave = {.least = UINT32_MAX};

	for (uint64_t i = 0; i < n; i++) {
		wave.sum += counts[i];
		wave.least = counts[i] < wave.least ? counts[i] : wave.least;
		wave.most = counts[i] > wave.most ? counts[i] : wave.most;
	}
	return wave;
}

/* What the trace needs to know of a launch of which some waves are recorded. */
static void write_sample(const RawDevice *device, const Launch *launch,
			 const Sanitizer_LaunchData *data)
{
	const uint64_t n_blocks = (uint64_t)device->grid[0] * device->grid[1] * device->grid[2];
	const uint64_t size = device->wave_blocks;
	const uint64_t n_waves = size ? n_blocks / size : 0;
	uint32_t *counts;
	RawSample *sample;

	if (size == 0 || !sample_is_part(n_blocks, size, device->sample_waves))
		return;
	counts = malloc(n_blocks * sizeof(*counts));
	sample = malloc(sizeof(*sample) + n_waves * sizeof(RawWave));
	if (counts && sample &&
	    inject_good(sanitizerMemcpyDeviceToHost(counts, launch->counts,
						    n_blocks * sizeof(*counts), data->hStream),
			"copying from the GPU")) {
		RawWave *waves = (RawWave *)(sample + 1);

		*sample = (RawSample){size, device->sample_waves};
		for (uint64_t i = 0; i < n_waves; i++)
			waves[i] = wave_of(counts + i * size, size);
		inject_write_chunk(RAW_CHUNK_SAMPLE, launch->number, sample,
				   sizeof(*sample) + n_waves * sizeof(*waves));
	} else {
		inject_say("launch %u: no memory to note its sample", launch->number);
	}
	free(sample);
	free(counts);
}

static void launch_end(const Sanitizer_LaunchData *data)
{
	const RawMemory *memory;
	unsigned n_memory;
	RawDevice device;
	RawEnd end = {.buffer_bytes = state.buffer_bytes};
	Launch *launch = NULL;

	for (unsigned i = 0; i < MAX_IN_FLIGHT && !launch; i++)
		if (state.launches[i].ring && state.launches[i].handle == data->hLaunch)
			launch = &state.launches[i];
	if (!launch)
		return;
	end.failed = !inject_good(sanitizerStreamSynchronize(data->hStream), "the launch") ||
		     !inject_good(sanitizerMemcpyDeviceToHost(&device, launch->device,
							      sizeof(device), data->hStream),
				  "copying from the GPU");
	if (!end.failed)
		end.n_events = device.n_events;
	ring_finish(launch->ring, end.failed ? 0 : device.cursor, end.failed);
	memory = history_memory(&n_memory);
	if (end.failed && memory)
		stray_say(launch->ring, memory, n_memory, data->functionName);
	else if (end.failed)
		stray_advise();
	if (!end.failed && launch->counts)
		write_sample(&device, launch, data);
	inject_write_chunk(RAW_CHUNK_END, launch->number, &end, sizeof(end));
	if (state.raw)
		fflush(state.raw);
	/* The memory goes, and a graph may launch the function again. */
	sanitizerSetCallbackData(data->function, NULL);
	sanitizerFree(launch->context, launch->device);
	if (launch->counts)
		sanitizerFree(launch->context, launch->counts);
	launch->ring = NULL;
}

/* A kernel that a CUDA graph launches: not recorded, but reported. */
static void graph_node_begin(const Sanitizer_GraphNodeLaunchData *data)
{
	const Sanitizer_LaunchData *launch = &data->launchData;
	char path[4096];
	FILE *gaps;

	if (data->nodeType != CU_GRAPH_NODE_TYPE_KERNEL || data->isGraphUpload)
		return;
	sanitizerSetLaunchCallbackData(launch->hLaunch, launch->function, launch->hStream,
				       NULL);
	if (state.has_kernel && regexec(&state.kernel, launch->functionName, 0, NULL, 0) != 0)
		return;
	snprintf(path, sizeof(path), "%s/gaps", getenv("ATOMSIM_CAPTURE_FOLDER"));
	gaps = fopen(path, "a");
	if (!gaps) {
		inject_say("cannot write '%s': %m", path);
		return;
	}
	fprintf(gaps, "graph_launch\t%s\n", launch->functionName);
	fclose(gaps);
}

static void called_back(void *userdata, Sanitizer_CallbackDomain domain,
			Sanitizer_CallbackId id, const void *data)
{
	(void)userdata;
	if (domain == SANITIZER_CB_DOMAIN_DRIVER_API) {
		parameters_called(id, data);
		return;
	}
	pthread_mutex_lock(&state.mutex);
	if (domain == SANITIZER_CB_DOMAIN_RESOURCE &&
	    id == SANITIZER_CBID_RESOURCE_MODULE_LOADED)
		module_loaded(data);
	else if (domain == SANITIZER_CB_DOMAIN_RESOURCE &&
		 id == SANITIZER_CBID_RESOURCE_CONTEXT_DESTROY_STARTING)
		ring_forget(((const Sanitizer_ResourceContextData *)data)->context);
	else if (domain == SANITIZER_CB_DOMAIN_RESOURCE &&
		 (id == SANITIZER_CBID_RESOURCE_DEVICE_MEMORY_ALLOC ||
		  id == SANITIZER_CBID_RESOURCE_MEMORY_ALLOC_ASYNC))
		history_allocated(data);
	else if (domain == SANITIZER_CB_DOMAIN_RESOURCE &&
		 (id == SANITIZER_CBID_RESOURCE_DEVICE_MEMORY_FREE ||
		  id == SANITIZER_CBID_RESOURCE_MEMORY_FREE_ASYNC))
		history_freed(data);
	else if (domain == SANITIZER_CB_DOMAIN_MEMCPY && id == SANITIZER_CBID_MEMCPY_STARTING)
		history_copied(data);
	else if (domain == SANITIZER_CB_DOMAIN_MEMSET && id == SANITIZER_CBID_MEMSET_STARTING)
		history_set(data);
	else if (domain == SANITIZER_CB_DOMAIN_LAUNCH && id == SANITIZER_CBID_LAUNCH_BEGIN)
		launch_begin(data);
	else if (domain == SANITIZER_CB_DOMAIN_LAUNCH && id == SANITIZER_CBID_LAUNCH_END)
		launch_end(data);
	else if (domain == SANITIZER_CB_DOMAIN_GRAPHS &&
		 id == SANITIZER_CBID_GRAPHS_NODE_LAUNCH_BEGIN)
		graph_node_begin(data);
	pthread_mutex_unlock(&state.mutex);
}

/* FIRST, FIRST-LAST or FIRST-LAST:STEP. */
static void read_range(const char *name, uint64_t *first, uint64_t *last, uint64_t *step)
{
	const char *text = getenv(name);

	if (!text)
		return;

	int n = sscanf(text, "%" SCNu64 "-%" SCNu64 ":%" SCNu64, first, last, step);

	if (n == 1)
		*last = *first;
	if (n < 1 || *step == 0) {
		*step = 1;
		inject_say("%s must be N, N-M or N-M:STEP, not '%s'", name, text);
	}
}

/* The largest that patch.cu can take, of at most so many bytes. */
static uint64_t largest_ring(uint64_t bytes)
{
	uint64_t ring = LEAST_RING_BYTES;

	while (ring <= bytes / 2 && ring < MOST_RING_BYTES)
		ring *= 2;
	return ring;
}

__attribute__((constructor)) static void start(void)
{
	const char *kernel = getenv("ATOMSIM_CAPTURE_KERNEL");
	const char *buffer = getenv("ATOMSIM_CAPTURE_BUFFER");
	const char *sample = getenv("ATOMSIM_CAPTURE_SAMPLE");
	Sanitizer_SubscriberHandle subscriber;
	uint64_t step;

	if (!getenv("ATOMSIM_CAPTURE_FOLDER") || !getenv("ATOMSIM_CAPTURE_PATCH"))
		return;
	state.first_launch = 1;
	state.last_launch = state.last_block = UINT64_MAX;
	state.block_step = step = 1;
	read_range("ATOMSIM_CAPTURE_LAUNCHES", &state.first_launch, &state.last_launch, &step);
	read_range("ATOMSIM_CAPTURE_BLOCKS", &state.first_block, &state.last_block,
		   &state.block_step);
	state.sample_waves = sample ? strtoull(sample, NULL, 10) : 0;
	if (sample && (state.sample_waves < SAMPLE_LEAST_WAVES ||
		       state.sample_waves > SAMPLE_MOST_WAVES)) {
		inject_say("ATOMSIM_CAPTURE_SAMPLE must be %d to %d, not '%s'",
			   SAMPLE_LEAST_WAVES, SAMPLE_MOST_WAVES, sample);
		state.sample_waves = 0;
	}
	state.buffer_bytes = largest_ring(buffer ? strtoull(buffer, NULL, 10) : 64u << 20);
	if (kernel) {
		state.has_kernel =
			regcomp(&state.kernel, kernel, REG_EXTENDED | REG_NOSUB) == 0;
		if (!state.has_kernel)
			inject_say("'%s' is no regular expression", kernel);
	}
	if (inject_good(sanitizerSubscribe(&subscriber, called_back, NULL),
			"starting the sanitizer") &&
	    inject_good(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_RESOURCE),
			"starting") &&
	    inject_good(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_GRAPHS),
			"starting") &&
	    parameters_subscribe(subscriber) && history_subscribe(subscriber))
		inject_good(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_LAUNCH),
			    "starting");
}
