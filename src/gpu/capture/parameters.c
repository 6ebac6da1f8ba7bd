/* SPDX-License-Identifier: MIT */
/*
 * A launch's parameters as the kernel finds them in its constant bank: the sanitizer does not say
 * them, but the driver's call that launches does. Where each lies in the bank says the kernel's module, an
 * ELF file, in its section .nv.info.KERNEL: a list of attributes, each a format, a kind and two bytes that
 * are either its value or, in format 4, the length of what follows (as cuobjdump --dump-elf shows it).
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sanitizer_driver_cbid.h>

#include "inject.h"

#define FORMAT_SIZED 4
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

/* ---- The module */

typedef struct {
	const unsigned char *bytes;
	size_t size;
} Bytes;

/* The bytes from `at` on, `size` of them; none if they are not all there. */
static Bytes part(Bytes whole, uint64_t at, uint64_t size)
{
	if (at > whole.size || size > whole.size - at)
		return (Bytes){NULL, 0};
	return (Bytes){whole.bytes + at, size};
}

static Bytes find_section(Bytes elf, const char *wanted)
{
	Elf64_Ehdr header;
	Elf64_Shdr section, names;
	size_t length = strlen(wanted) + 1;

	if (elf.size < sizeof(header))
		return (Bytes){NULL, 0};
	memcpy(&header, elf.bytes, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_shentsize != sizeof(section) ||
	    !part(elf, header.e_shoff, (uint64_t)header.e_shnum * sizeof(section)).bytes ||
	    header.e_shstrndx >= header.e_shnum)
		return (Bytes){NULL, 0};
	memcpy(&names, elf.bytes + header.e_shoff + header.e_shstrndx * sizeof(names),
	       sizeof(names));
	for (unsigned i = 0; i < header.e_shnum; i++) {
		Bytes name;

		memcpy(&section, elf.bytes + header.e_shoff + i * sizeof(section),
		       sizeof(section));
		name = part(elf, names.sh_offset + section.sh_name, length);
		if (name.bytes && memcmp(name.bytes, wanted, length) == 0)
			return part(elf, section.sh_offset, section.sh_size);
	}
	return (Bytes){NULL, 0};
}

static unsigned read_16(const unsigned char *bytes)
{
	return bytes[0] | (unsigned)bytes[1] << 8;
}

/* The next attribute of the section from *at on; none at its end. */
static Bytes next_attribute(Bytes section, size_t *at, unsigned *kind)
{
	Bytes head = part(section, *at, 4), value;

	if (!head.bytes)
		return head;
	*kind = head.bytes[1];
	value = part(section, *at + 4,
		     head.bytes[0] == FORMAT_SIZED ? read_16(head.bytes + 2) : 0);
	*at += 4 + value.size;
	return value;
}

/* ---- The parameters */

/* Puts a parameter where it lies among them all. */
static void place(Bytes attribute, unsigned char *all, unsigned n_bytes)
{
	unsigned ordinal = read_16(attribute.bytes + 4);
	unsigned offset = read_16(attribute.bytes + 6);
	unsigned bytes = (read_16(attribute.bytes + 8) | (unsigned)read_16(attribute.bytes + 10)
								 << 16) >>
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

static RawParameters *read_from(Bytes info)
{
	RawParameters *head = calloc(1, sizeof(*head) + MAX_PARAMETER_BYTES);
	unsigned char *bytes = (unsigned char *)(head + 1);
	size_t at = 0;
	unsigned kind;
	Bytes attribute;

	while (head && (attribute = next_attribute(info, &at, &kind)).bytes)
		if (kind == ATTRIBUTE_BANK && attribute.size >= 8) {
			head->offset = read_16(attribute.bytes + 4);
			head->bytes = read_16(attribute.bytes + 6);
		}
	if (!head || head->bytes == 0 || head->bytes > MAX_PARAMETER_BYTES) {
		free(head);
		return NULL;
	}
	if (!call.each && call.extra)
		copy_buffer(bytes, head->bytes);
	for (at = 0; call.each && (attribute = next_attribute(info, &at, &kind)).bytes;)
		if (kind == ATTRIBUTE_PARAMETER && attribute.size >= 12)
			place(attribute, bytes, head->bytes);
	return head;
}

RawParameters *parameters_read(const char *module, const char *kernel)
{
	RawParameters *parameters = NULL;
	char name[RAW_MAX_NAME_BYTES + 16];
	struct stat status;
	int file;
	void *map;

	if (!call.each && !call.extra)
		return NULL;
	file = open(module, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && status.st_size > 0) {
		size_t size = (size_t)status.st_size;

		map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
		if (map != MAP_FAILED) {
			snprintf(name, sizeof(name), ".nv.info.%s", kernel);
			parameters = read_from(find_section((Bytes){map, size}, name));
			munmap(map, size);
		}
	}
	close(file);
	return parameters;
}
