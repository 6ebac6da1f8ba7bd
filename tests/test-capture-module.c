/* SPDX-License-Identifier: MIT */
/* What a capture reads in a kernel's module. */
#include <elf.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "gpu/capture/inject.h"

/* A module of two kernels: their symbols are 9 and 10, their registers 95 and 8. */
typedef struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[5];
	char names[64];
	guint32 info[12];
} Elf;

static void name(Elf *elf, guint i, guint *used, const char *text)
{
	elf->sections[i].sh_name = *used;
	memcpy(elf->names + *used, text, strlen(text));
	*used += (guint)strlen(text) + 1;
}

static Elf make(void)
{
	/* Attributes: format 4, a kind, 8 bytes; the last has a kind that says something else. */
	static const guint32 info[12] = {0x00082f04, 10, 8,	0x00082f04, 9,	95,
					 0x00081204, 9,	 0x140, 0x00081104, 10, 1};
	Elf elf = {0};
	guint used = 1;

	memcpy(elf.header.e_ident, ELFMAG, SELFMAG);
	elf.header.e_shoff = G_STRUCT_OFFSET(Elf, sections);
	elf.header.e_shentsize = sizeof(Elf64_Shdr);
	elf.header.e_shnum = 5;
	elf.header.e_shstrndx = 1;
	name(&elf, 1, &used, ".shstrtab");
	elf.sections[1].sh_offset = G_STRUCT_OFFSET(Elf, names);
	name(&elf, 2, &used, ".nv.info");
	elf.sections[2].sh_offset = G_STRUCT_OFFSET(Elf, info);
	elf.sections[2].sh_size = sizeof(info);
	name(&elf, 3, &used, ".text.large");
	name(&elf, 4, &used, ".text.small");
	elf.sections[3].sh_size = elf.sections[4].sh_size = 16;
	elf.sections[3].sh_info = 9;
	elf.sections[4].sh_info = 0x08000000 | 10; /* as older compilers wrote it */
	memcpy(elf.info, info, sizeof(info));
	return elf;
}

static guint registers(const Elf *elf, gsize size, const char *kernel)
{
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;
	guint found;
	gint file = g_file_open_tmp("atomsim-module-XXXXXX", &path, &error);

	g_assert_no_error(error);
	g_close(file, NULL);
	g_file_set_contents(path, (const char *)elf, (gssize)size, &error);
	g_assert_no_error(error);
	found = module_registers(path, kernel);
	g_unlink(path);
	return found;
}

static void test_registers(void)
{
	const Elf elf = make();

	g_assert_cmpuint(registers(&elf, sizeof(elf), "large"), ==, 95);
	g_assert_cmpuint(registers(&elf, sizeof(elf), "small"), ==, 8);
}

static void test_unknown(void)
{
	Elf elf = make();

	g_assert_cmpuint(registers(&elf, sizeof(elf), "other"), ==, 0);
	g_assert_cmpuint(module_registers("/nowhere", "large"), ==, 0);
	/* Cut anywhere, it is no module or has not all of its attributes: nothing is read beyond its end. */
	for (gsize size = 1; size < sizeof(elf); size++)
		g_assert_cmpuint(registers(&elf, size, "large"), ==, 0);
	elf.sections[2].sh_offset = G_MAXUINT64 - 4;
	g_assert_cmpuint(registers(&elf, sizeof(elf), "large"), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/module/registers-are-the-kernel-s-own", test_registers);
	g_test_add_func("/capture/module/what-is-not-there-is-unknown", test_unknown);
	return g_test_run();
}
