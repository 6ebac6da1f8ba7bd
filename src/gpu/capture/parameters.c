/* SPDX-License-Identifier: MIT */
/*
 * A launch's parameters as the kernel finds them in its constant bank: the sanitizer does not say
 * them, but the driver's call that launches does. Where each lies in the bank says the kernel's module in its section
 * .nv.info.KERNEL.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer_driver_cbid.h>

#include "inject.h"

#define ATTRIBUTE_BANK                                                                         \
	0x0a /* of all: symbol, then offset in the bank and bytes, 16 bits each */
#define ATTRIBUTE_PARAMETER  0x17 /* of one: index, then ordinal and offset, then bytes << 18 */
#define MAX_PARAMETER_BYTES  32768
#define MAX_PARAMETERS	     4096
#define EXTRA_BUFFER_POINTER ((void *)1)
#define EXTRA_BUFFER_SIZE    ((void *)2)

/* The arguments of the driver's call in which this thread is. */
static __thread struct {
	void **each; /* one pointer a parameter, NULL if they come in one buffer */
	void **extra;
} call;

/* The arguments of the calls, in their order, as the sanitizer hands them over. */
typedef struct {
	CUfunction function;
	unsigned grid[3], block[3], shared_bytes;
	CUstream stream;
	void **each;
	void **extra; /* not of cuLaunchCooperativeKernel */
} LaunchArguments;

typedef struct {
	const void *config;
	CUfunction function;
	void **each;
	void **extra;
} LaunchExArguments;

static const struct {
	Sanitizer_CallbackId id;
	int is_ex, has_extra;
} calls[] = {
	{SANITIZER_CBID_DRIVER_API_cuLaunchKernel, 0, 1},
	{SANITIZER_CBID_DRIVER_API_cuLaunchKernel_ptsz, 0, 1},
	{SANITIZER_CBID_DRIVER_API_cuLaunchKernelEx, 1, 1},
	{SANITIZER_CBID_DRIVER_API_cuLaunchKernelEx_ptsz, 1, 1},
	{SANITIZER_CBID_DRIVER_API_cuLaunchCooperativeKernel, 0, 0},
	{SANITIZER_CBID_DRIVER_API_cuLaunchCooperativeKernel_ptsz, 0, 0},
};

int parameters_subscribe(Sanitizer_SubscriberHandle subscriber)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!inject_good(sanitizerEnableCallback(1, subscriber,
							 SANITIZER_CB_DOMAIN_DRIVER_API,
							 calls[i].id),
				 "watching launches"))
			return 0;
	return 1;
}

void parameters_called(Sanitizer_CallbackId id, const Sanitizer_CallbackData *data)
{
	call.each = call.extra = NULL;
	if (data->callbackSite != SANITIZER_API_ENTER)
		return;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const LaunchArguments *plain = data->functionParams;
		const LaunchExArguments *ex = data->functionParams;

		if (calls[i].id != id)
			continue;
		call.each = calls[i].is_ex ? ex->each : plain->each;
		if (calls[i].has_extra)
			call.extra = calls[i].is_ex ? ex->extra : plain->extra;
	}
}

/* ---- The parameters */

/* Puts a parameter where it lies among them all. */
static void place(ModuleBytes attribute, unsigned char *all, unsigned n_bytes)
{
	unsigned ordinal = module_16(attribute.bytes + 4);
	unsigned offset = module_16(attribute.bytes + 6);
	unsigned bytes = (module_16(attribute.bytes + 8) |
			  (unsigned)module_16(attribute.bytes + 10) << 16) >>
			 18;

	if (ordinal < MAX_PARAMETERS && offset <= n_bytes && bytes <= n_bytes - offset)
		memcpy(all + offset, call.each[ordinal], bytes);
}

/* The parameters in one buffer that the program has made. */
static void copy_buffer(unsigned char *all, unsigned n_bytes)
{
	const void *from = NULL;
	size_t bytes = 0;

	for (void **at = call.extra; at[0]; at += 2) {
		if (at[0] == EXTRA_BUFFER_POINTER)
			from = at[1];
		else if (at[0] == EXTRA_BUFFER_SIZE)
			bytes = *(const size_t *)at[1];
	}
	if (from)
		memcpy(all, from, bytes < n_bytes ? bytes : n_bytes);
}

static RawParameters *read_from(ModuleBytes info)
{
	RawParameters *head = calloc(1, sizeof(*head) + MAX_PARAMETER_BYTES);
	unsigned char *bytes = (unsigned char *)(head + 1);
	size_t at = 0;
	unsigned kind;
	ModuleBytes attribute;

	while (head && (attribute = module_attribute(info, &at, &kind)).bytes)
		if (kind == ATTRIBUTE_BANK && attribute.size >= 8) {
			head->offset = module_16(attribute.bytes + 4);
			head->bytes = module_16(attribute.bytes + 6);
		}
	if (!head || head->bytes == 0 || head->bytes > MAX_PARAMETER_BYTES) {
		free(head);
		return NULL;
	}
	if (!call.each && call.extra)
		copy_buffer(bytes, head->bytes);
	for (at = 0; call.each && (attribute = module_attribute(info, &at, &kind)).bytes;)
		if (kind == ATTRIBUTE_PARAMETER && attribute.size >= 12)
			place(attribute, bytes, head->bytes);
	return head;
}

RawParameters *parameters_read(const char *module, const char *kernel)
{
	RawParameters *parameters = NULL;
	char name[RAW_MAX_NAME_BYTES + 16];
	Module map;

	if ((!call.each && !call.extra) || !module_open(&map, module))
		return NULL;
	snprintf(name, sizeof(name), ".nv.info.%s", kernel);
	parameters = read_from(module_section(&map, name, NULL));
	module_close(&map);
	return parameters;
}
