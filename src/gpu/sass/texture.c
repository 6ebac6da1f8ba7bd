/* SPDX-License-Identifier: MIT */
#include "gpu/sass/texture.h"

#include <glib.h>
#include <string.h>

#include "base/sass-suffix.h"

/* Of a texel: bits of the last operand, 0x1 to 0xf; all where there is none. */
static unsigned channels_of(const char *operands)
{
	const char *last = strrchr(operands, ',');
	guint64 mask = 0;

	if (last) {
		while (*++last == ' ')
			;
		if (g_str_has_prefix(last, "0x"))
			mask = g_ascii_strtoull(last, NULL, 16);
	}
	return mask > 0 && mask < 16 ? (unsigned)__builtin_popcountll(mask) : 4;
}

static unsigned words_of(const char *opcode)
{
	return sass_has_suffix(opcode, "128") ? 4 : sass_has_suffix(opcode, "64") ? 2 : 1;
}

/* Coordinates are in the third and the fourth operand. */
static void set_fetch(bool filters, const char *opcode, const char *operands,
		      SassTexture *texture)
{
	const unsigned n = channels_of(operands);
	const bool deep = strstr(operands, "3D") || strstr(operands, "CUBE"),
		   layers = strstr(operands, "ARRAY") != NULL;
	const bool flat = strstr(operands, "1D") && !layers;

	*texture = (SassTexture){
		.written = 2,
		.widths = {n > 2 ? n - 2 : 1, MIN(n, 2), flat ? 1 : 2, deep || layers ? 2 : 1},
		.passes = g_str_has_prefix(opcode, "TLD4") || n > 2 || deep ? 4 : 2,
	};
	if (!filters)
		texture->passes = n > 2 ? 2 : 1;
}

void sass_texture(CodeClass class, const char *opcode, const char *operands,
		  SassTexture *texture)
{
	const unsigned words = words_of(opcode);
	const bool loads = g_str_has_prefix(opcode, "SULD");

	if (!g_str_has_prefix(opcode, "SU")) {
		set_fetch(class == CODE_TEXTURE, opcode, operands, texture);
		return;
	}
	*texture = (SassTexture){.written = loads || g_str_has_prefix(opcode, "SUATOM"),
				 .widths = {words, 2, loads ? 1 : words, 1},
				 .passes = loads ? words : 2 * words};
	if (texture->written == 0) {
		texture->widths[0] = 2;
		texture->widths[1] = words;
	}
}
