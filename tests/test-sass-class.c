/* SPDX-License-Identifier: MIT */
/* Classes of opcodes where one prefix of the table begins another: the longest counts, wherever it stands. */
#include <glib.h>

#include "base/sass-class.h"

typedef struct {
	const char *opcode;
	CodeClass class;
} Case;

static void check(const Case *cases, guint n)
{
	for (guint i = 0; i < n; i++) {
		g_test_message("%s", cases[i].opcode);
		g_assert_cmpuint(sass_class(cases[i].opcode), ==, cases[i].class);
	}
}

static void test_longest_prefix(void)
{
	static const Case cases[] = {
		{"IMAD.WIDE.U32", CODE_WIDE},
		{"IMAD.MOV.U32", CODE_MUL},
		{"IMAD.HI.U32", CODE_WIDE},
		{"UIMAD.WIDE.U32", CODE_UNIFORM},
		{"VIADD", CODE_MUL},
		{"VIADDMNMX", CODE_INT},
		{"VIMNMX", CODE_INT},
		{"MOV", CODE_MOVE},
		{"I2F.RP", CODE_CONVERT},
		{"I2FP.F32.S32", CODE_INT},
		{"I2I.U16", CODE_CONVERT},
		{"I2IP.S8.S32.SAT", CODE_INT},
		{"F2F.F64.F32", CODE_CONVERT},
		{"F2FP.BF16.F32.PACK_AB", CODE_INT},
		{"SHF.R.U32.HI", CODE_INT},
		{"SHFL.BFLY", CODE_SHUFFLE},
		{"UIADD3", CODE_UNIFORM},
		{"UTMALDG.2D", CODE_OTHER},
		{"ULDC.64", CODE_UNIFORM},
		{"UBLKCP.S.G", CODE_OTHER},
		{"R2P", CODE_COMPARE},
		{"R2UR", CODE_UNIFORM},
		{"VOTE.ANY", CODE_VOTE},
		{"VOTEU.ANY", CODE_VOTE},
		{"S2R", CODE_SYSTEM},
		{"S2UR", CODE_CONSTANT},
		{"HMMA.16816.F32", CODE_MATRIX},
		{"HMMA.1688.F32", CODE_MATRIX_SHORT},
		{"HMMA.1688.F32.TF32", CODE_MATRIX},
		{"HMMA.1684.F32.TF32", CODE_MATRIX_SHORT},
		{"IMMA.16832.S8.S8", CODE_MATRIX},
		{"IMMA.16816.S8.S8", CODE_MATRIX_SHORT},
		{"DMMA.8", CODE_MATRIX64},
		{"TLD4.R", CODE_TEXTURE},
		{"TLD.LZ", CODE_TEXEL},
		{"TXQ", CODE_OTHER},
	};

	check(cases, G_N_ELEMENTS(cases));
}

static void test_no_class(void)
{
	static const Case cases[] = {
		{"", CODE_OTHER},	{"NOP", CODE_OTHER},	   {"IMA", CODE_OTHER},
		{"LDS.64", CODE_OTHER}, {"RED.E.ADD", CODE_OTHER}, {"BAR.SYNC", CODE_OTHER},
	};

	check(cases, G_N_ELEMENTS(cases));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sass-class/the longest prefix counts", test_longest_prefix);
	g_test_add_func("/sass-class/accesses and what is not known have none", test_no_class);
	return g_test_run();
}
