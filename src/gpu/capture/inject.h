/* SPDX-License-Identifier: MIT */
/*
 * What inject.c, history.c, module.c, parameters.c, ring.c and stray.c share: the library that is loaded into the program. For them alone;
 * needs the Compute Sanitizer's headers.
 */
#ifndef ATOMSIM_GPU_CAPTURE_INJECT_H
#define ATOMSIM_GPU_CAPTURE_INJECT_H

#include <sanitizer.h>

#include "raw.h"

#define MAX_IN_FLIGHT 64 /* launches at a time */

/* Says stderr and the folder's file `messages` what went wrong. */
void inject_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* True if the call went well; else says what failed. */
int inject_good(SanitizerResult result, const char *what);
/* Appends a chunk to the raw capture; from any thread. */
void inject_write_chunk(uint32_t kind, uint32_t launch, const void *bytes, uint64_t n);

/* module.c: what a kernel's cubin says of it. */
typedef struct {
	const unsigned char *bytes;
	size_t size;
} ModuleBytes;

typedef ModuleBytes Module; /* the whole file */

/* False: it cannot be read. */
int module_open(Module *module, const char *path);
void module_close(Module *module);
/* A section's bytes, none if it is not there or not whole; with its ELF header's sh_info unless `info` is NULL. */
ModuleBytes module_section(const Module *module, const char *wanted, unsigned *info);
/* The next attribute of a section .nv.info from *at on; none at its end. */
ModuleBytes module_attribute(ModuleBytes section, size_t *at, unsigned *kind);
unsigned module_16(const unsigned char *bytes);
/* Registers of a thread of the kernel; `path` is its cubin's. 0: unknown. */
uint32_t module_registers(const char *path, const char *kernel);

/* parameters.c: what a launch's kernel is given. Failing to find it is no error: it is left out. */

/* Has parameters_called called for the driver's launching calls. False, and said, if that fails. */
int parameters_subscribe(Sanitizer_SubscriberHandle subscriber);
/* A callback of the domain DRIVER_API. */
void parameters_called(Sanitizer_CallbackId id, const Sanitizer_CallbackData *data);
/* The parameters of the launch that this thread is in, and their bytes behind them; `module` is the path of the kernel's
   cubin. NULL: unknown. free() it. */
RawParameters *parameters_read(const char *module, const char *kernel);

/* history.c: what has happened to the program's memory, and how often its kernels were launched. Callers hold the library's lock. */

/* Has copies and memsets reported. False, and said, if that fails. */
int history_subscribe(Sanitizer_SubscriberHandle subscriber);
void history_allocated(const Sanitizer_ResourceMemoryData *data);
void history_freed(const Sanitizer_ResourceMemoryData *data);
void history_copied(const Sanitizer_MemcpyData *data);
void history_set(const Sanitizer_MemsetData *data);
/* A launch with these parameters begins. */
void history_used(const void *parameters, unsigned n_bytes);
/* What the program had launched before a launch. */
typedef struct {
	uint32_t launches; /* of the same function, or RAW_LAUNCHES_UNKNOWN */
	uint32_t
		new_kernels; /* functions that were launched for the first time since the last of these */
} Earlier;

/* A launch of the function begins. */
Earlier history_launched(const void *function);
/* Appends the chunks MEMORY, HISTORY and CODE to the raw capture. `registers` of a thread; 0: unknown. */
void history_write(uint32_t launch, Earlier earlier, uint32_t registers);
/* The allocations; NULL: not all are known. */
const RawMemory *history_memory(unsigned *n);

/* ring.c: the way of a launch's events from the GPU to the file. */
typedef struct Ring Ring;

/* A ring of `bytes` bytes for a launch; NULL, and said, if there is none. */
Ring *ring_take(CUcontext context, uint32_t launch, uint64_t bytes);
/* Gives the patches its address. */
void ring_describe(const Ring *ring, RawDevice *device);
/* Starts the thread that empties it; false, and said, if that fails. */
int ring_start(Ring *ring);
/* The launch has ended, after `last` units. Waits until all are in the file; if it failed, until
   nothing comes any more. The ring may be taken again. */
void ring_finish(Ring *ring, uint64_t last, int failed);
/* Of a launch that failed and is finished: the next event that was not recorded, from *at on (0 at first), with the addresses of
   its lanes if it has 8 bytes for each. False: there are no more. */
int ring_left(const Ring *ring, uint64_t *at, RawEvent *event, uint64_t *addresses);
/* The context ends, and its memory with it. */
void ring_forget(CUcontext context);

/* stray.c: says what a launch that failed accessed out of the program's allocations, if its ring shows that, else how to find out. */
void stray_advise(void); /* says how to find out */
void stray_say(const Ring *ring, const RawMemory *memory, unsigned n, const char *kernel);

#endif
