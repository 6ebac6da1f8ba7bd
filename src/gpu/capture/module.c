/* SPDX-License-Identifier: MIT */
/*
 * What a kernel's module says of it. A module is an ELF file; a section .nv.info, of all kernels, or .nv.info.KERNEL is a list of
 * attributes, each a format, a kind and two bytes that are either its value or, in format 4, the length of what follows
 * (as cuobjdump --dump-elf shows it).
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject.h"

#define FORMAT_SIZED 4
#define ATTRIBUTE_REGISTERS                                                                    \
	0x2f /* of a function: its symbol, then their number, 32 bits each */

int module_open(Module *module, const char *path)
{
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	*module = (Module){NULL, 0};
	if (file < 0)
		return 0;
	if (fstat(file, &status) == 0 && status.st_size > 0) {
		const size_t size = (size_t)status.st_size;
		void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);

		if (map != MAP_FAILED)
			*module = (Module){map, size};
	}
	close(file);
	return module->bytes != NULL;
}

void module_close(Module *module)
{
	munmap((void *)(uintptr_t)module->bytes, module->size);
	*module = (Module){NULL, 0};
}

/* The bytes from `at` on, `size` of them; none if they are not all there. */
static ModuleBytes part(ModuleBytes whole, uint64_t at, uint64_t size)
{
	if (at > whole.size || size > whole.size - at)
		return (ModuleBytes){NULL, 0};
	return (ModuleBytes){whole.bytes + at, size};
}

ModuleBytes module_section(const Module *module, const char *wanted, unsigned *info)
{
	const ModuleBytes elf = *module;
	Elf64_Ehdr header;
	Elf64_Shdr section, names;
	size_t length = strlen(wanted) + 1;

	if (elf.size < sizeof(header))
		return (ModuleBytes){NULL, 0};
	memcpy(&header, elf.bytes, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_shentsize != sizeof(section) ||
	    !part(elf, header.e_shoff, (uint64_t)header.e_shnum * sizeof(section)).bytes ||
	    header.e_shstrndx >= header.e_shnum)
		return (ModuleBytes){NULL, 0};
	memcpy(&names, elf.bytes + header.e_shoff + header.e_shstrndx * sizeof(names),
	       sizeof(names));
	for (unsigned i = 0; i < header.e_shnum; i++) {
		ModuleBytes name;

		memcpy(&section, elf.bytes + header.e_shoff + i * sizeof(section),
		       sizeof(section));
		name = part(elf, names.sh_offset + section.sh_name, length);
		if (!name.bytes || memcmp(name.bytes, wanted, length) != 0)
			continue;
		if (info)
			*info = section.sh_info;
		return part(elf, section.sh_offset, section.sh_size);
	}
	return (ModuleBytes){NULL, 0};
}

unsigned module_16(const unsigned char *bytes)
{
	return bytes[0] | (unsigned)bytes[1] << 8;
}

ModuleBytes module_attribute(ModuleBytes section, size_t *at, unsigned *kind)
{
	ModuleBytes head = part(section, *at, 4), value;

	if (!head.bytes)
		return head;
	*kind = head.bytes[1];
	value = part(section, *at + 4,
		     head.bytes[0] == FORMAT_SIZED ? module_16(head.bytes + 2) : 0);
	*at += 4 + value.size;
	return value;
}

uint32_t module_registers(const char *path, const char *kernel)
{
	char name[RAW_MAX_NAME_BYTES + 16];
	unsigned symbol = 0, kind;
	uint32_t registers = 0;
	size_t at = 0;
	Module module;
	ModuleBytes info, attribute;

	if (!module_open(&module, path))
		return 0;
	snprintf(name, sizeof(name), ".text.%s", kernel);
	if (module_section(&module, name, &symbol).bytes) {
		symbol &=
			0xffffff; /* the section's symbol; older modules have their number in the byte above */
		info = module_section(&module, ".nv.info", NULL);
		while ((attribute = module_attribute(info, &at, &kind)).bytes)
			if (kind == ATTRIBUTE_REGISTERS && attribute.size >= 8 &&
			    (module_16(attribute.bytes) | module_16(attribute.bytes + 2)
								  << 16) == symbol)
				registers = module_16(attribute.bytes + 4);
	}
	module_close(&module);
	return registers;
}
