/* SPDX-License-Identifier: MIT */
/*
 * Loaded into the program by LD_PRELOAD: has each module's instructions patched as it is
 * loaded, gives each wanted launch a buffer on the GPU, and writes the buffer to the raw
 * capture (raw.h) when the launch ends. Built by capture.sh against the user's CUDA toolkit,
 * with libc alone. What to do comes from the environment, which capture.sh sets:
 *
 *   ATOMSIM_CAPTURE_FOLDER    where the files go
 *   ATOMSIM_CAPTURE_PATCH     patch.cu, compiled
 *   ATOMSIM_CAPTURE_BUFFER    bytes of a launch's buffer on the GPU
 *   ATOMSIM_CAPTURE_KERNEL    regular expression that the kernel's name matches
 *   ATOMSIM_CAPTURE_LAUNCHES  FIRST-LAST of those that match, counted from 1
 *   ATOMSIM_CAPTURE_BLOCKS    FIRST-LAST of the launch, counted from 0
 *
 * It never stops the program: what fails is told on stderr and in the folder's file
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

#include "raw.h"

#define MAX_IN_FLIGHT 64
#define MAX_MODULES   4096
#define COPY_BYTES    (16u << 20)

/* A launch between its begin and its end. */
typedef struct {
	int used;
	Sanitizer_LaunchHandle handle;
	CUcontext context;
	uint32_t number;
	void *device; /* RawDevice */
	void *buffer;
} Launch;

static struct {
	pthread_mutex_t mutex; /* of all below */
	FILE *raw;
	Launch launches[MAX_IN_FLIGHT];
	CUmodule modules[MAX_MODULES];
	unsigned n_modules;
	uint32_t n_launches; /* of the program */
	uint64_t n_matching; /* of these, whose kernel's name matches */
	int has_kernel;
	regex_t kernel;
	uint64_t first_launch, last_launch, first_block, last_block, buffer_bytes;
} state = {
	.mutex =
		PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}; /* the sanitizer calls back from its own calls */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
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
static int good(SanitizerResult result, const char *what)
{
	const char *text = NULL;

	if (result == SANITIZER_SUCCESS)
		return 1;
	sanitizerGetResultString(result, &text);
	say("%s failed: %s", what, text ? text : "unknown error");
	return 0;
}

static void write_bytes(const void *bytes, size_t n)
{
	if (state.raw && fwrite(bytes, 1, n, state.raw) != n) {
		say("cannot write the raw capture: %m");
		fclose(state.raw);
		state.raw = NULL;
	}
}

static void write_chunk(uint32_t kind, uint32_t launch, const void *bytes, uint64_t n)
{
	RawChunkHeader header = {.kind = kind, .launch = launch, .bytes = n};

	write_bytes(&header, sizeof(header));
	write_bytes(bytes, n);
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
		say("cannot write '%s': %m", path);
		return;
	}
	write_bytes(&header, sizeof(header));
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
	};
	char path[4096];

	if (state.n_modules == MAX_MODULES) {
		say("more than %d modules: the rest is not recorded", MAX_MODULES);
		return;
	}
	snprintf(path, sizeof(path), "%s/module-%d-%u.cubin", getenv("ATOMSIM_CAPTURE_FOLDER"),
		 (int)getpid(), state.n_modules);

	FILE *cubin = fopen(path, "wb");

	if (!cubin || fwrite(data->pCubin, 1, data->cubinSize, cubin) != data->cubinSize)
		say("cannot write '%s': %m", path);
	if (cubin)
		fclose(cubin);
	state.modules[state.n_modules++] = data->module;

	if (!good(sanitizerAddPatchesFromFile(getenv("ATOMSIM_CAPTURE_PATCH"), data->context),
		  "loading the patches"))
		return;
	for (size_t i = 0; i < sizeof(patches) / sizeof(patches[0]); i++)
		if (!good(sanitizerPatchInstructions(patches[i].kind, data->module,
						     patches[i].callback),
			  patches[i].callback))
			return;
	good(sanitizerPatchModule(data->module), "patching a module");
}

/* Whether the selection wants this launch. Counts it. */
static int is_wanted(const char *name)
{
	if (state.has_kernel && regexec(&state.kernel, name, 0, NULL, 0) != 0)
		return 0;
	state.n_matching++;
	return state.n_matching >= state.first_launch && state.n_matching <= state.last_launch;
}

static void write_launch(const Sanitizer_LaunchData *data, uint32_t number)
{
	size_t name_bytes = strlen(data->functionName) + 1;
	size_t padded = (name_bytes + 7) / 8 * 8;
	char name[RAW_MAX_NAME_BYTES] = {0};
	RawChunkHeader header = {.kind = RAW_CHUNK_LAUNCH, .launch = number};
	RawLaunch launch = {
		.grid = {data->gridDim_x, data->gridDim_y, data->gridDim_z},
		.block = {data->blockDim_x, data->blockDim_y, data->blockDim_z},
		.cluster = {data->clusterDim_x, data->clusterDim_y, data->clusterDim_z},
		.module = UINT32_MAX,
		.name_bytes = name_bytes,
	};

	if (padded > sizeof(name)) {
		name_bytes = launch.name_bytes = padded = sizeof(name);
	}
	memcpy(name, data->functionName, name_bytes - 1);
	for (unsigned i = 0; i < state.n_modules; i++)
		if (state.modules[i] == data->module)
			launch.module = i;
	good(sanitizerGetFunctionPcAndSize(data->module, data->functionName,
					   &launch.function_pc, &launch.function_bytes),
	     "asking for the kernel's address");
	header.bytes = sizeof(launch) + padded;
	write_bytes(&header, sizeof(header));
	write_bytes(&launch, sizeof(launch));
	write_bytes(name, padded);
}

static void launch_begin(const Sanitizer_LaunchData *data)
{
	uint32_t number = state.n_launches++;
	RawDevice device = {
		.capacity = state.buffer_bytes / 8,
		.end = state.buffer_bytes / 8,
		.first_block = state.first_block,
		.last_block = state.last_block,
		.grid = {data->gridDim_x, data->gridDim_y, data->gridDim_z},
		.block = {data->blockDim_x, data->blockDim_y, data->blockDim_z},
	};
	Launch *launch = NULL;

	for (unsigned i = 0; i < MAX_IN_FLIGHT && !launch; i++)
		if (!state.launches[i].used)
			launch = &state.launches[i];
	if (!is_wanted(data->functionName)) {
		/* What an earlier launch of the function was given must not be used again. */
		sanitizerSetLaunchCallbackData(data->hLaunch, data->function, data->hStream,
					       NULL);
		return;
	}
	open_raw();
	if (!launch) {
		say("launch %u is not recorded: more than %d at a time", number, MAX_IN_FLIGHT);
		return;
	}
	*launch = (Launch){.handle = data->hLaunch, .context = data->context, .number = number};
	if (!good(sanitizerAlloc(data->context, &launch->buffer, state.buffer_bytes),
		  "taking GPU memory for the events (see --buffer)"))
		return;
	device.events = (uintptr_t)launch->buffer;
	if (!good(sanitizerAlloc(data->context, &launch->device, sizeof(device)),
		  "taking GPU memory") ||
	    !good(sanitizerMemcpyHostToDeviceAsync(launch->device, &device, sizeof(device),
						   data->hStream),
		  "copying to the GPU") ||
	    !good(sanitizerStreamSynchronize(data->hStream), "waiting for the GPU") ||
	    !good(sanitizerSetLaunchCallbackData(data->hLaunch, data->function, data->hStream,
						 launch->device),
		  "giving the launch its buffer"))
		return;
	write_launch(data, number);
	launch->used = 1;
}

/* Copies the events from the GPU to the file, as one chunk. */
static int write_events(const Launch *launch, uint64_t bytes, Sanitizer_StreamHandle stream)
{
	RawChunkHeader header = {
		.kind = RAW_CHUNK_EVENTS, .launch = launch->number, .bytes = bytes};
	char *copy = malloc(COPY_BYTES);
	int ok = copy != NULL;

	write_bytes(&header, sizeof(header));
	for (uint64_t at = 0; ok && at < bytes; at += COPY_BYTES) {
		size_t n = bytes - at < COPY_BYTES ? bytes - at : COPY_BYTES;

		ok = good(sanitizerMemcpyDeviceToHost(copy, (char *)launch->buffer + at, n,
						      stream),
			  "copying events from the GPU");
		if (ok)
			write_bytes(copy, n);
	}
	free(copy);
	return ok;
}

static void launch_end(const Sanitizer_LaunchData *data)
{
	RawDevice device;
	RawEnd end = {.buffer_bytes = state.buffer_bytes};
	Launch *launch = NULL;

	for (unsigned i = 0; i < MAX_IN_FLIGHT && !launch; i++)
		if (state.launches[i].used && state.launches[i].handle == data->hLaunch)
			launch = &state.launches[i];
	if (!launch)
		return;
	end.failed = !good(sanitizerStreamSynchronize(data->hStream), "the launch") ||
		     !good(sanitizerMemcpyDeviceToHost(&device, launch->device, sizeof(device),
						       data->hStream),
			   "copying from the GPU");
	if (!end.failed) {
		uint64_t units = device.cursor < device.end ? device.cursor : device.end;

		end.n_events = device.n_events;
		end.dropped = device.dropped;
		end.failed = !write_events(launch, 8 * units, data->hStream);
	}
	write_chunk(RAW_CHUNK_END, launch->number, &end, sizeof(end));
	if (state.raw)
		fflush(state.raw);
	sanitizerFree(launch->context, launch->device);
	sanitizerFree(launch->context, launch->buffer);
	launch->used = 0;
}

static void called_back(void *userdata, Sanitizer_CallbackDomain domain,
			Sanitizer_CallbackId id, const void *data)
{
	(void)userdata;
	pthread_mutex_lock(&state.mutex);
	if (domain == SANITIZER_CB_DOMAIN_RESOURCE &&
	    id == SANITIZER_CBID_RESOURCE_MODULE_LOADED)
		module_loaded(data);
	else if (domain == SANITIZER_CB_DOMAIN_LAUNCH && id == SANITIZER_CBID_LAUNCH_BEGIN)
		launch_begin(data);
	else if (domain == SANITIZER_CB_DOMAIN_LAUNCH && id == SANITIZER_CBID_LAUNCH_END)
		launch_end(data);
	pthread_mutex_unlock(&state.mutex);
}

static void read_range(const char *name, uint64_t *first, uint64_t *last)
{
	const char *text = getenv(name);

	if (!text)
		return;

	int n = sscanf(text, "%" SCNu64 "-%" SCNu64, first, last);

	if (n == 1)
		*last = *first;
	if (n < 1)
		say("%s must be N or N-M, not '%s'", name, text);
}

__attribute__((constructor)) static void start(void)
{
	const char *kernel = getenv("ATOMSIM_CAPTURE_KERNEL");
	const char *buffer = getenv("ATOMSIM_CAPTURE_BUFFER");
	Sanitizer_SubscriberHandle subscriber;

	if (!getenv("ATOMSIM_CAPTURE_FOLDER") || !getenv("ATOMSIM_CAPTURE_PATCH"))
		return;
	state.first_launch = 1;
	state.last_launch = state.last_block = UINT64_MAX;
	read_range("ATOMSIM_CAPTURE_LAUNCHES", &state.first_launch, &state.last_launch);
	read_range("ATOMSIM_CAPTURE_BLOCKS", &state.first_block, &state.last_block);
	state.buffer_bytes = buffer ? strtoull(buffer, NULL, 10) / 8 * 8 : 256u << 20;
	if (kernel) {
		state.has_kernel =
			regcomp(&state.kernel, kernel, REG_EXTENDED | REG_NOSUB) == 0;
		if (!state.has_kernel)
			say("'%s' is no regular expression", kernel);
	}
	if (good(sanitizerSubscribe(&subscriber, called_back, NULL),
		 "starting the sanitizer") &&
	    good(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_RESOURCE),
		 "starting"))
		good(sanitizerEnableDomain(1, subscriber, SANITIZER_CB_DOMAIN_LAUNCH),
		     "starting");
}
