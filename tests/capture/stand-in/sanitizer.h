/* SPDX-License-Identifier: MIT */
/* In the place of the Compute Sanitizer's header, for tests of what needs no GPU: the names that inject.h uses. */
#ifndef ATOMSIM_TESTS_STAND_IN_SANITIZER_H
#define ATOMSIM_TESTS_STAND_IN_SANITIZER_H

#include <stddef.h>

typedef void *CUcontext;
typedef void *Sanitizer_SubscriberHandle;
typedef int Sanitizer_CallbackId;
typedef struct Sanitizer_CallbackData Sanitizer_CallbackData;
typedef enum { SANITIZER_SUCCESS } SanitizerResult;

SanitizerResult sanitizerAllocHost(CUcontext context, void **memory, size_t bytes);

#endif
