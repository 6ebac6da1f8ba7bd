/* SPDX-License-Identifier: MIT */
/*
 * What a kernel of compute capability 9.0 and later does without the events that other accesses make: the opcodes
 * are those of NVIDIA, CUDA Binary Utilities, "Instruction Set Reference", Hopper and Blackwell.
 */
#include "gpu/sass/sass.h"

static const struct {
	const char *what;
	const char *prefixes[8];
} kinds[] = {
	{"tensor copies (TMA)", {"UTMA"}},
	{"bulk copies", {"UBLK"}},
	{"tensor cores that read shared memory (wgmma, tcgen05)",
	 {"HGMMA", "IGMMA", "QGMMA", "BGMMA", "UTC"}},
	{"memory barriers (mbarrier)", {"SYNCS"}},
	{"cluster barriers", {"UCGABAR"}},
};

static bool is_of(guint kind, const char *opcode)
{
	for (const char *const *prefix = kinds[kind].prefixes; *prefix; prefix++)
		if (g_str_has_prefix(opcode, *prefix))
			return true;
	return false;
}

guint sass_count_bulk(const SassFunction *function, GString *words)
{
	guint all = 0;

	for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
		guint n = 0;

		for (guint i = 0; i < function->instructions->len; i++)
			n += is_of(k, sass_instruction(function, (int)i)->opcode);
		if (n > 0)
			g_string_append_printf(words, "%s%u of %s", words->len > 0 ? ", " : "",
					       n, kinds[k].what);
		all += n;
	}
	return all;
}
