/* SPDX-License-Identifier: MIT */
/* In the place of the Compute Sanitizer's header, for tests of what needs no GPU: the names that inject.h uses. */
#ifndef ATOMSIM_TESTS_STAND_IN_SANITIZER_H
#define ATOMSIM_TESTS_STAND_IN_SANITIZER_H

#include <stddef.h>
#include <stdint.h>

typedef void *CUcontext;
typedef void *Sanitizer_SubscriberHandle;
typedef int Sanitizer_CallbackId;
typedef struct Sanitizer_CallbackData Sanitizer_CallbackData;
typedef enum { SANITIZER_SUCCESS } SanitizerResult;

/* Of these only the members that the library reads. */
typedef enum {
	SANITIZER_CB_DOMAIN_MEMCPY,
	SANITIZER_CB_DOMAIN_MEMSET
} Sanitizer_CallbackDomain;
enum { SANITIZER_MEMORY_FLAG_MANAGED = 2 };
typedef enum {
	SANITIZER_MEMCPY_DIRECTION_HOST_TO_DEVICE,
	SANITIZER_MEMCPY_DIRECTION_DEVICE_TO_HOST,
	SANITIZER_MEMCPY_DIRECTION_DEVICE_TO_DEVICE,
} Sanitizer_MemcpyDirection;
typedef struct {
	uint64_t address, size;
	uint32_t flags;
} Sanitizer_ResourceMemoryData;
typedef struct {
	uint64_t dstAddress, size;
	Sanitizer_MemcpyDirection direction;
} Sanitizer_MemcpyData;
typedef struct {
	uint64_t address, width, height;
	uint32_t elementSize;
} Sanitizer_MemsetData;

SanitizerResult sanitizerEnableDomain(uint32_t enable, Sanitizer_SubscriberHandle subscriber,
				      Sanitizer_CallbackDomain domain);
SanitizerResult sanitizerAllocHost(CUcontext context, void **memory, size_t bytes);

#endif
