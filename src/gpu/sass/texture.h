/* SPDX-License-Identifier: MIT */
/*
 * Operands of what goes to textures and surfaces, by the forms of nvdisasm 13.0 for sm_90 (TEX.LL R12, R10, R2, R7, UR4, 0x0, 2D, 0x1;
 * SULD.D.BA.2D.128.STRONG.SM.TRAP R4, [R2], UR6, 0x0). Which filter a texture has, and how wide its texels are, the text does not say.
 */
#ifndef ATOMSIM_GPU_SASS_TEXTURE_H
#define ATOMSIM_GPU_SASS_TEXTURE_H

#include "base/dataflow.h"

#define SASS_TEXTURE_OPERANDS 4

typedef struct {
	unsigned written; /* the first operands, which hold results */
	unsigned widths
		[SASS_TEXTURE_OPERANDS]; /* registers of each, where it is one; of others 1 */
	unsigned
		passes; /* through the unit, 1 to 8: measurements/h200/issue/issue-textures.csv */
} SassTexture;

/* class: one of code_is_texture, the opcode's. */
void sass_texture(CodeClass class, const char *opcode, const char *operands,
		  SassTexture *texture);

#endif
