/* SPDX-License-Identifier: MIT */
/*
 * What lanes calculate, and that a capture tells every instruction by it: the raw captures of
 * tests/capture/ways.cu and sync.cu, the first held against what the GPU counted (ways-counted.csv).
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "gpu/convert/convert.h"
#include "gpu/convert/walk.h"
#include "gpu/sass/compute.h"
#include "gpu/sass/flow.h"
#include "gen-trace.h"
#include "list-source.h"
#include "sim/run/run.h"
#include "trace/reader.h"

/* ---- Instructions, one by one */

/* Runs the instructions on a full warp 1 of block 5: what lane 3 has in P0, 2 if that is not known. `behind`: code that is not known
   came first. */
static uint32_t calculate_from(const char *code, bool behind)
{
	static const ComputeLaunch launch = {
		.grid = {4, 3, 1},
		.block = {48, 2, 1},
		.cluster = {1, 1, 1},
		.parameters =
			(const unsigned char *)"\x07\0\0\0\xff\xff\xff\xff\x78\x56\x34\x12",
		.parameters_offset = 0x210,
		.parameters_bytes = 12};
	GString *text = g_string_new(".text.k:\n");
	g_auto(GStrv) lines = g_strsplit(code, "; ", -1);
	g_autoptr(Sass) sass = NULL;
	g_autoptr(ComputeCode) read = NULL;
	g_autoptr(ComputeWarp) warp = NULL;
	guint n = g_strv_length(lines);
	SassFunction *function;
	uint32_t known, taken;

	for (guint i = 0; i < n; i++)
		g_string_append_printf(text, "/*%04x*/ %s ;\n", 16 * i, lines[i]);
	g_string_append_printf(text, "/*%04x*/ @P0 BRA `(.L_1) ;\n.L_1:\n", 16 * n);
	sass = sass_parse(text->str);
	function = sass_function(sass, "k");
	read = compute_code_new(function, &launch, NULL);
	warp = compute_warp_new(read, 5, 1);
	if (behind)
		compute_passed_over(warp, UINT32_MAX);
	for (guint i = 0; i < n; i++)
		compute_execute(warp, (int)i, UINT32_MAX, false, UINT32_MAX, NULL, 0);
	taken = compute_branch(warp, (int)n, UINT32_MAX, &known);
	g_string_free(text, TRUE);
	return known >> 3 & 1 ? taken >> 3 & 1 : 2;
}

static uint32_t calculate(const char *code)
{
	return calculate_from(code, false);
}

/* Whether R0 is the value, by comparing it in the machine's own words. */
static bool gives(const char *code, uint32_t value)
{
	g_autofree char *equal =
		g_strdup_printf("%s; ISETP.EQ.U32.AND P0, PT, R0, 0x%x, PT", code, value);
	g_autofree char *other =
		g_strdup_printf("%s; ISETP.NE.U32.AND P0, PT, R0, 0x%x, PT", code, value);

	return calculate(equal) == 1 && calculate(other) == 0;
}

/* A register that something unknown has been put into is no empty one. */
static void what_is_put_into_a_register_is_not_empty(void)
{
	static const char *const rows[] = {
		"LDS R2, [R3]",
		"LDS R4, [R3]; SHFL.IDX PT, R2, R4, RZ, 0x1f",
		"MOV R2, 0x1; LDS R2, [R3]",
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code = g_strdup_printf("%s; PRMT R5, RZ, 0x7610, R2; "
							"ISETP.EQ.U32.AND P0, PT, R5, RZ, PT",
							rows[i]);

		g_assert_cmpuint(calculate(code), ==, 2);
	}
	g_assert_cmpuint(
		calculate("PRMT R5, RZ, 0x7610, R2; ISETP.EQ.U32.AND P0, PT, R5, RZ, PT"), ==,
		1);
	/* Behind code that is not known it may have been. */
	g_assert_cmpuint(calculate_from("PRMT R5, RZ, 0x7610, R2; "
					"ISETP.EQ.U32.AND P0, PT, R5, RZ, PT",
					true),
			 ==, 2);
	/* Of other instructions it is unknown. */
	g_assert_cmpuint(
		calculate("IADD3 R5, R2, 0x1, RZ; ISETP.EQ.U32.AND P0, PT, R5, 0x1, PT"), ==,
		2);
}

static void instructions_are_calculated(void)
{
	static const struct {
		const char *code;
		uint32_t value;
	} rows[] = {
		{"S2R R0, SR_TID.X", 35},
		{"S2R R0, SR_CTAID.Y", 1},
		{"S2R R0, SR_CTAID.X", 1},
		{"S2R R0, SR_LTMASK", 7},
		{"LDC R0, c[0x0][0x210]", 7},
		{"LDC R0, c[0x0][0xc]", 4},
		{"ULDC.64 UR4, c[0x0][0x214]; UMOV UR6, UR5; MOV R0, UR6", 0x12345678},
		{"LDC.U8 R0, c[0x0][0x219]", 0x56},
		{"MOV R2, 0x8; LDC R0, c[0x0][R2+0x210]", 0x12345678},
		{"IMAD R0, RZ, RZ, 0x5; IMAD R0, R0, 0x7, R0", 40},
		{"MOV R2, 0xffffffff; IMAD.HI.U32 R0, R2, R2, RZ", 0xfffffffe},
		{"MOV R2, 0xffffffff; MOV R3, RZ; IMAD.WIDE R4, R2, 0x10, R2; MOV R0, R4",
		 0xffffffef},
		{"MOV R2, 0xffffffff; IADD3 R2, P1, R2, 0x2, RZ; IADD3.X R0, RZ, 0x4, RZ, P1, "
		 "!PT",
		 5},
		{"MOV R2, 0x3; IADD3 R2, P1, R2, -0x3, RZ; IADD3.X R0, RZ, -0x1, RZ, P1, !PT",
		 0},
		{"MOV R2, RZ; LEA R3, P1, -R2, 0x5, 0x4; IMAD.X R0, RZ, RZ, 0x9, P1", 10},
		{"MOV R2, 0xc0000000; LEA.HI R0, R2, 0x1, RZ, 0x2", 4},
		{"MOV R2, 0xf0f0; LOP3.LUT R0, R2, 0xff, RZ, 0xc0, !PT", 0xf0},
		{"MOV R2, 0x80000000; SHF.R.S32.HI R0, RZ, 0x4, R2", 0xf8000000},
		{"MOV R2, 0x80000001; SHF.L.U64.HI R0, R2, 0x4, RZ", 8},
		{"MOV R2, 0x12345678; PRMT R0, R2, 0x3201, RZ", 0x12347856},
		{"MOV R2, 0x80; PRMT R0, R2, 0x8880, RZ", 0xffffff80},
		/* A byte or a half word of a register that nothing had been put into. */
		{"PRMT R2, RZ, 0x7610, R2; LOP3.LUT R0, R2, 0xff, RZ, 0xc0, !PT", 0},
		{"MOV R3, 0x1; PRMT R2, R3, 0x7610, R2; LOP3.LUT R0, R2, 0xffff, RZ, 0xc0, !PT",
		 1},
		{"MOV R2, 0xf; SGXT R0, R2, 0x3", 0xffffffff},
		{"BMSK R0, 0x4, 0x8", 0xff0},
		{"MOV R2, 0x50; FLO.U32 R0, R2", 6},
		{"MOV R2, 0x50; BREV R3, R2; FLO.U32.SH R0, R3", 4},
		{"MOV R2, -0x5; IABS R0, R2", 5},
		{"MOV R2, -0x5; VIMNMX R0, R2, 0x3, !PT", 3},
		{"MOV R2, -0x5; VIMNMX.U32 R0, R2, 0x3, PT", 3},
		{"HFMA2.MMA R0, -RZ, RZ, 1.875, 5.9604644775390625e-08", 0x3f800001},
		{"MOV R2, 0x40000000; FFMA R0, R2, 2, -1", 0x40400000},
		{"MOV R2, 0x4048f5c3; F2I.FTZ.U32.TRUNC.NTZ R0, R2", 3},
		{"I2F.U32.RP R0, 0x1000001", 0x4b800001},
		{"MOV R2, 0x1; MOV R3, 0x1; I2F.S64 R0, R2", 0x4f800000},
		{"MOV R2, RZ; MOV R3, 0x40080000; DADD R4, R2, R2; MOV R0, R5", 0x40180000},
		{"S2R R2, SR_LANEID; SHFL.DOWN PT, R0, R2, 0x8, 0x1f", 11},
		{"S2R R2, SR_LANEID; SHFL.BFLY PT, R0, R2, 0x1, 0x1f", 2},
		{"S2R R2, SR_LANEID; SHFL.IDX PT, R2, R2, 0x6, 0x181f; MOV R0, R2", 6},
		{"S2R R2, SR_LANEID; ISETP.LT.AND P1, PT, R2, 0x5, PT; VOTE.ANY R0, PT, P1",
		 31},
		{"S2R R2, SR_LANEID; REDUX.SUM UR4, R2; MOV R0, UR4", 496},
		{"S2R R2, SR_LANEID; LOP3.LUT R2, R2, 0x3, RZ, 0xc0, !PT; MATCH.ANY R0, R2",
		 0x88888888},
		{"ISETP.EQ.AND P1, PT, RZ, RZ, PT; P2R R0, PR, RZ, 0x2", 2},
		{"MOV R0, 0x1; ISETP.NE.AND P1, PT, RZ, RZ, PT; @P1 MOV R0, 0x2", 1},
		{"MOV R2, 0x3f800000; FCHK P1, R2, R2; SEL R0, 0x1, 0x2, P1", 2},
		/* Sums, products, shifts. */
		{"MOV R2, 0x5; IADD3 R0, R2, 0x6, R2", 16},
		{"MOV R2, 0xffffffff; IADD3 R2, P1, P2, R2, R2, R2; SEL R0, 0x1, 0x2, P2", 1},
		{"MOV R2, 0xffffffff; IADD3 R2, P1, P2, R2, 0x1, RZ; SEL R0, 0x1, 0x2, P2", 2},
		/* Upper words: those below decide where they are equal, and without them they decide alone. */
		{"ISETP.LT.U32.AND P1, PT, RZ, 0x1, PT; ISETP.LT.AND.EX P2, PT, RZ, RZ, PT, "
		 "P1; "
		 "SEL R0, 0x1, 0x2, P2",
		 1},
		{"ISETP.LT.U32.AND P1, PT, RZ, RZ, PT; ISETP.LE.AND.EX P2, PT, RZ, RZ, PT, P1; "
		 "SEL R0, 0x1, 0x2, P2",
		 2},
		{"ISETP.EQ.AND.EX P2, PT, RZ, RZ, PT; SEL R0, 0x1, 0x2, P2", 1},
		{"MOV R2, 0x5; VIADD R0, R2, 0xfffffffe", 3},
		{"MOV R2, -0x2; IMAD.HI R0, R2, 0x3, RZ", 0xffffffff},
		{"MOV R2, -0x2; MOV R3, 0x1; IMAD.WIDE R4, R2, 0x3, R2; MOV R0, R5", 1},
		{"MOV R2, 0x3; MOV R3, 0x9; LEA.HI R0, R2, 0x1, R3, 0x1f", 0x80000002},
		{"MOV R2, -0x8; LEA.HI.SX32 R0, R2, 0x1, 0x1e", 0xffffffff},
		{"MOV R2, 0x1; SHF.L.U32 R0, R2, 0x4, RZ", 16},
		{"MOV R2, 0x1; SHF.L.U32 R0, R2, 0x20, RZ", 0},
		{"MOV R2, 0x1; SHF.L.W.U32 R0, R2, 0x21, RZ", 2},
		{"MOV R2, 0x80000000; SHF.R.U32.HI R0, RZ, 0x4, R2", 0x08000000},
		{"MOV R2, 0x80000000; SHF.R.U32.HI R0, RZ, 0x20, R2", 0},
		{"MOV R2, 0x80000000; SHF.R.S32.HI R0, RZ, 0x7f, R2", 0xffffffff},
		{"MOV R2, 0x10; MOV R3, 0x1; SHF.R.U64 R0, R2, 0x4, R3", 0x10000001},
		{"MOV R2, 0x3; MOV R3, 0x7; SEL R0, R2, R3, !PT", 7},
		{"MOV R2, 0x7; VIADDMNMX R0, R2, 0x3, 0x5, PT", 5},
		{"MOV R2, 0x1; VIADDMNMX R0, R2, 0x3, 0x5, PT", 4},
		{"MOV R2, 0x1; VIADDMNMX R0, R2, 0x3, 0x5, !PT", 5},
		{"MOV R2, -0x5; IMNMX R0, R2, 0x3, PT", 0xfffffffb},
		/* Bits. */
		{"MOV R2, 0xf0f1; POPC R0, R2", 9},
		{"MOV R2, 0xcc; MOV R3, 0xaa; LOP3.LUT R0, R2, R3, 0xf0, 0x96, !PT", 0x96},
		{"MOV R2, -0x5; FLO R0, R2", 2},
		{"FLO.U32 R0, RZ", 0xffffffff},
		{"FLO.U32.SH R0, RZ", 0xffffffff},
		{"FLO.U32 R0, 0x1", 0},
		{"MOV R2, 0xf; SGXT.U32 R0, R2, 0x3", 7},
		{"MOV R2, 0xf; SGXT R0, R2, 0x5", 15},
		{"MOV R2, 0x8000000f; SGXT R0, R2, 0x20", 0x8000000f},
		{"MOV R2, 0xf; SGXT R0, R2, RZ", 0},
		{"BMSK R0, 0x20, 0x1", 0},
		{"BMSK R0, RZ, 0x20", 0xffffffff},
		{"BMSK R0, 0x1, 0x1f", 0xfffffffe},
		{"BREV R0, 0x80000001", 0x80000001},
		{"MOV R2, 0x3; BREV R0, R2", 0xc0000000},
		{"MOV R2, 0x12345678; MOV R3, 0x9abcdef0; PRMT R0, R2, 0x7654, R3", 0x9abcdef0},
		{"IABS R0, 0x5", 5},
		/* Floats; a GPU rounds some of them otherwise in the last bit, but not these. */
		{"MOV R2, 0x40000000; FADD R0, R2, 1", 0x40400000},
		{"MOV R2, 0x40000000; FADD R0, -R2, 1", 0xbf800000},
		{"MOV R2, 0x40000000; FMUL R0, R2, R2", 0x40800000},
		{"MOV R2, 0x40000000; FMNMX R0, R2, 1, PT", 0x3f800000},
		{"MOV R2, 0x40000000; FMNMX R0, R2, 1, !PT", 0x40000000},
		{"MOV R2, 0x40000000; FSEL R0, -R2, 1, PT", 0xc0000000},
		{"MOV R2, 0x40800000; MUFU.RCP R0, R2", 0x3e800000},
		{"MOV R2, 0x40800000; MUFU.RSQ R0, R2", 0x3f000000},
		{"MOV R2, 0x40800000; MUFU.SQRT R0, R2", 0x40000000},
		{"MOV R2, 0x40800000; MUFU.EX2 R0, R2", 0x41800000},
		{"MOV R2, 0x40800000; MUFU.LG2 R0, R2", 0x40000000},
		{"MUFU.SIN R0, RZ", 0},
		{"MOV R2, 0x40100000; MUFU.RCP64H R0, R2", 0x3fd00000},
		{"MOV R2, 0x40100000; MUFU.RSQ64H R0, R2", 0x3fe00000},
		{"MOV R2, RZ; MOV R3, 0xc00c0000; F2I.F64.TRUNC R0, R2", 0xfffffffd}, /* -3.5 */
		{"MOV R2, RZ; MOV R3, 0xc00c0000; F2I.F64.FLOOR R0, R2", 0xfffffffc},
		{"MOV R2, RZ; MOV R3, 0x41f00000; F2I.U32.F64.TRUNC R0, R2", 0xffffffff},
		{"MOV R2, RZ; MOV R3, 0x41f00000; F2I.S64.F64.TRUNC R4, R2; MOV R0, R5", 1},
		{"MOV R2, RZ; MOV R3, 0x40080000; F2F.F32.F64 R0, R2", 0x40400000},
		{"MOV R2, 0x40400000; F2F.F64.F32 R4, R2; MOV R0, R5", 0x40080000},
		{"MOV R2, 0x40400000; F2F.FTZ.F64.F32 R4, R2; MOV R0, R5", 0x40080000},
		{"MOV R2, RZ; MOV R3, 0xc00c0000; FRND.F64.FLOOR R4, R2; MOV R0, R5",
		 0xc0100000},
		{"MOV R2, 0x1ff; I2F.U8 R0, R2", 0x437f0000},
		{"MOV R2, 0x1ff; I2F.S8 R0, R2", 0xbf800000},
		{"MOV R2, 0x1ffff; I2F.U16 R0, R2", 0x477fff00},
		{"MOV R2, 0x1ffff; I2F.S16 R0, R2", 0xbf800000},
		{"MOV R2, 0x7; VIMNMX3 R0, R2, 0x3, 0x5, PT", 3},
		{"MOV R2, -0x7; VIMNMX3 R0, R2, 0x3, 0x5, !PT", 5},
		{"MOV R2, -0x7; VIMNMX3.U32 R0, R2, 0x3, 0x5, !PT", 0xfffffff9},
		{"MUFU.COS R0, RZ", 0x3f800000},
		{"MUFU.TANH R0, RZ", 0},
		{"MOV R2, 0xc06ccccd; F2I.TRUNC.NTZ R0, R2", 0xfffffffd}, /* -3.7 */
		{"MOV R2, 0xc06ccccd; F2I.FLOOR.NTZ R0, R2", 0xfffffffc},
		{"MOV R2, 0xc04ccccd; F2I.CEIL.NTZ R0, R2", 0xfffffffd}, /* -3.2 */
		{"MOV R2, 0x40200000; F2I.NTZ R0, R2", 2},		 /* 2.5 */
		{"MOV R2, 0x50000000; F2I.TRUNC.NTZ R0, R2", 0x7fffffff},
		{"MOV R2, 0x50000000; F2I.U32.TRUNC.NTZ R0, R2", 0xffffffff},
		{"MOV R2, 0xd0000000; F2I.TRUNC.NTZ R0, R2", 0x80000000},
		{"MOV R2, 0xc0000000; F2I.U32.TRUNC.NTZ R0, R2", 0},
		{"MOV R2, 0x7fc00000; F2I.TRUNC.NTZ R0, R2", 0},
		{"I2F.RZ R0, 0x1000001", 0x4b800000},
		{"I2F.U32.RP R0, 0x1000002", 0x4b800001},
		{"MOV R2, -0x1; I2F R0, R2", 0xbf800000},
		{"MOV R2, -0x1; I2F.U32 R0, R2", 0x4f800000},
		{"MOV R2, RZ; MOV R3, 0x40080000; DMUL R4, R2, R2; MOV R0, R5", 0x40220000},
		{"MOV R2, RZ; MOV R3, 0x40080000; DFMA R4, R2, R2, R2; MOV R0, R5", 0x40280000},
		{"HFMA2.MMA R0, -RZ, RZ, -2, 0", 0xc0000000},
		{"MOV R2, 0x7f800000; FCHK P1, R2, R2; SEL R0, 0x1, 0x2, P1", 1},
		{"MOV R2, 0x3f800000; FCHK P1, R2, RZ; SEL R0, 0x1, 0x2, P1", 1},
		/* Places, and what lanes do together. */
		{"S2R R0, SR_TID.Y", 0},
		{"S2R R0, SR_TID.Z", 0},
		{"S2R R0, SR_EQMASK", 8},
		{"S2R R0, SR_LEMASK", 15},
		{"S2R R0, SR_GTMASK", 0xfffffff0},
		{"S2R R0, SR_GEMASK", 0xfffffff8},
		{"MOV R1, 0x7; CS2R R0, SRZ; IADD3 R0, R0, R1, RZ", 0},
		{"MOV R1, 0x7; CS2R.32 R0, SRZ; IADD3 R0, R0, R1, RZ", 7},
		{"MOV R1, 0x7; S2R R0, SR_LANEID; IADD3 R0, R0, R1, RZ", 10},
		{"LDC.S8 R0, c[0x0][0x214]", 0xffffffff},
		{"LDC.U16 R0, c[0x0][0x216]", 0xffff},
		{"LDC.S16 R0, c[0x0][0x216]", 0xffffffff},
		{"LDC.64 R4, c[0x0][0x214]; MOV R0, R5", 0x12345678},
		{"S2R R2, SR_LANEID; SHFL.UP PT, R0, R2, 0x2, RZ", 1},
		{"S2R R2, SR_LANEID; SHFL.UP P1, R0, R2, 0x4, RZ; SEL R0, R0, 0x40, P1", 0x40},
		{"S2R R2, SR_LANEID; SHFL.UP P1, R0, R2, 0x3, RZ; SEL R0, R0, 0x40, P1", 0},
		{"S2R R2, SR_LANEID; SHFL.DOWN P1, R0, R2, 0x1c, 0x1f; SEL R0, R0, 0x40, P1",
		 31},
		{"S2R R2, SR_LANEID; SHFL.DOWN P1, R0, R2, 0x1d, 0x1f; SEL R0, R0, 0x40, P1",
		 0x40},
		{"S2R R2, SR_LANEID; SHFL.DOWN PT, R0, R2, 0x1d, 0x1f", 3},
		{"S2R R2, SR_LANEID; SHFL.BFLY P1, R0, R2, 0x4, 0x3; SEL R0, R0, 0x40, P1",
		 0x40},
		{"S2R R2, SR_LANEID; SHFL.IDX P1, R0, R2, 0x9, 0x7; SEL R0, R0, 0x40, P1",
		 0x40},
		{"S2R R2, SR_LANEID; ISETP.LT.AND P1, PT, R2, 0x5, PT; VOTE.ALL P2, P1; "
		 "SEL R0, 0x1, 0x2, P2",
		 2},
		{"S2R R2, SR_LANEID; ISETP.LT.AND P1, PT, R2, 0x20, PT; VOTE.ALL P2, P1; "
		 "SEL R0, 0x1, 0x2, P2",
		 1},
		{"S2R R2, SR_LANEID; ISETP.GT.AND P1, PT, R2, 0x40, PT; VOTE.ANY P2, P1; "
		 "SEL R0, 0x1, 0x2, P2",
		 2},
		{"S2R R2, SR_LANEID; REDUX.OR UR4, R2; MOV R0, UR4", 31},
		{"S2R R2, SR_LANEID; IADD3 R2, R2, 0x40, RZ; REDUX.AND UR4, R2; MOV R0, UR4",
		 0x40},
		{"S2R R2, SR_LANEID; IADD3 R2, R2, 0x1, RZ; REDUX.XOR UR4, R2; MOV R0, UR4",
		 32},
		{"S2R R2, SR_LANEID; REDUX.MAX.U32 UR4, R2; MOV R0, UR4", 31},
		{"S2R R2, SR_LANEID; IADD3 R2, R2, -0x2, RZ; REDUX.MIN.S32 UR4, R2; MOV R0, "
		 "UR4",
		 0xfffffffe},
		{"S2R R2, SR_LANEID; IADD3 R2, R2, -0x2, RZ; REDUX.MIN UR4, R2; MOV R0, UR4",
		 0},
		{"MOV R2, 0x4; R2P PR, R2, 0x6; SEL R0, 0x1, 0x2, P2", 1},
		{"ISETP.EQ.AND P1, PT, RZ, RZ, PT; MOV R2, 0x4; R2P PR, R2, 0x6; "
		 "SEL R0, 0x1, 0x2, P1",
		 2},
		{"ISETP.EQ.AND P1, PT, RZ, RZ, PT; MOV R2, 0x4; R2P PR, R2, 0x4; "
		 "SEL R0, 0x1, 0x2, P1",
		 1},
		{"ISETP.EQ.AND P1, PT, RZ, RZ, PT; MOV R2, 0x71; P2R R0, PR, R2, 0x2", 0x73},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (!gives(rows[i].code, rows[i].value))
			g_test_message("%s", rows[i].code);
		g_assert_true(gives(rows[i].code, rows[i].value));
	}
}

/* 64-bit comparisons, and joins of predicates. */
static void predicates_are_calculated(void)
{
	static const struct {
		const char *code;
		uint32_t value;
	} rows[] = {
		{"ISETP.GE.U32.AND P0, PT, RZ, 0x1, PT; ISETP.GE.U32.AND.EX P0, PT, RZ, RZ, "
		 "PT, P0",
		 0},
		{"ISETP.GE.U32.AND P0, PT, RZ, 0x1, PT; "
		 "ISETP.GE.U32.AND.EX P0, PT, 0x1, RZ, PT, P0",
		 1},
		{"ISETP.NE.OR P0, PT, RZ, RZ, PT", 1},
		{"ISETP.NE.OR P0, PT, RZ, RZ, !PT", 0},
		{"ISETP.GT.AND P1, P0, RZ, 0x1, PT", 1},
		{"PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", 0},
		{"PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0", 1},
		{"FSETP.GEU.AND P0, PT, +QNAN, 1, PT", 1},
		{"FSETP.GE.AND P0, PT, +QNAN, 1, PT", 0},
		{"DSETP.LT.AND P0, PT, RZ, 0.5, PT", 1},
		{"FSETP.LT.AND P0, PT, RZ, 1, PT", 1},
		{"FSETP.LT.AND P0, PT, RZ, +QNAN, PT", 0},
		{"FSETP.LTU.AND P0, PT, RZ, +QNAN, PT", 1},
		{"FSETP.LE.AND P0, PT, RZ, RZ, PT", 1},
		{"FSETP.EQ.AND P0, PT, RZ, 1, PT", 0},
		{"FSETP.NE.AND P0, PT, RZ, 1, PT", 1},
		{"FSETP.NEU.AND P0, PT, RZ, RZ, PT", 0},
		{"FSETP.GT.AND P0, PT, RZ, RZ, PT", 0},
		{"FSETP.GTU.AND P0, PT, RZ, +QNAN, PT", 1},
		{"FSETP.NUM.AND P0, PT, RZ, +QNAN, PT", 0},
		{"FSETP.NAN.AND P0, PT, RZ, +QNAN, PT", 1},
		{"FSETP.GT.OR P0, PT, RZ, 1, PT", 1},
		{"FSETP.LT.XOR P0, PT, RZ, 1, PT", 0},
		{"FSETP.LT.AND P1, P0, RZ, 1, PT", 0},
		{"FSETP.GT.AND P1, P0, RZ, 1, PT", 1},
		{"DSETP.GT.AND P0, PT, RZ, 0.5, PT", 0},
		{"ISETP.LT.AND P0, PT, RZ, -0x1, PT", 0},
		{"ISETP.LT.U32.AND P0, PT, RZ, -0x1, PT", 1},
		{"ISETP.LE.AND P0, PT, RZ, RZ, PT", 1},
		{"ISETP.LT.AND P0, PT, RZ, RZ, PT", 0},
		{"ISETP.GT.AND P0, PT, RZ, RZ, PT", 0},
		{"ISETP.GE.AND P0, PT, RZ, RZ, PT", 1},
		{"ISETP.EQ.XOR P0, PT, RZ, RZ, PT", 0},
		{"ISETP.EQ.AND P1, P0, RZ, RZ, !PT", 0},
		{"ISETP.NE.AND P1, PT, RZ, RZ, PT; ISETP.NE.AND.EX P0, PT, RZ, RZ, PT, P1", 0},
		{"ISETP.NE.AND P1, PT, RZ, 0x1, PT; ISETP.NE.AND.EX P0, PT, RZ, RZ, PT, P1", 1},
		{"MOV R2, 0x2; LOP3.LUT P0, RZ, R2, 0x1, RZ, 0xc0, !PT", 0},
		{"MOV R2, 0x3; LOP3.LUT P0, RZ, R2, 0x1, RZ, 0xc0, !PT", 1},
		{"MOV R2, 0x2; LOP3.LUT P0, RZ, R2, 0x1, RZ, 0xc0, PT", 1},
		{"MOV R2, 0x3; LOP3.LUT.PAND P0, RZ, R2, 0x1, RZ, 0xc0, !PT", 0},
		{"MOV R2, 0x3; LOP3.LUT.PAND P0, RZ, R2, 0x1, RZ, 0xc0, PT", 1},
		{"PLOP3.LUT P1, P0, PT, PT, PT, 0x80, 0x7f", 0},
		{"PLOP3.LUT P1, P0, PT, !PT, PT, 0x0, 0x20", 1},
		/* What is not known stays so. */
		{"MOV R2, 0x3f800000; F2I.S16.TRUNC R2, R2; ISETP.NE.AND P0, PT, R2, RZ, PT",
		 2},
		{"MOV R2, 0x3f800000; F2I.U8.TRUNC R2, R2; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
		{"MOV R2, 0x1; I2F.U8 R2, R2.B1; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
		{"MOV R2, 0x1; F2F.F16.F32 R2, R2; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
		{"MOV R2, 0x1; FRND.F16.TRUNC R2, R2; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
		{"MOV R2, 0x1; VIMNMX3.RELU R2, R2, 0x2, 0x3, PT; ISETP.NE.AND P0, PT, R2, RZ, "
		 "PT",
		 2},
		{"MOV R2, 0x1; VIMNMX.U16x2 R2, R2, 0x2, PT; ISETP.NE.AND P0, PT, R2, RZ, PT",
		 2},
		{"MATCH.ALL PT, R2, RZ; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
		{"LDG.E R2, [R6]; VOTE.ANY R3, PT, P1; SHFL.IDX PT, R3, R2, RZ, 0x1f; "
		 "ISETP.NE.AND P0, PT, R3, RZ, PT",
		 2},
		{"LDG.E R2, [R6]; REDUX.OR UR4, R2; ISETP.NE.AND P0, PT, RZ, UR4, PT", 2},
		{"LDC R2, c[0x0][0x28]; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
		{"LDG.E R2, desc[UR4][R6.64]; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
		{"NOVEL R2, R3; ISETP.NE.AND P0, PT, R2, RZ, PT", 2},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint32_t value = calculate(rows[i].code);

		if (value != rows[i].value)
			g_test_message("%s: %u", rows[i].code, value);
		g_assert_cmpuint(value, ==, rows[i].value);
	}
}

static void loads_give_what_they_got(void)
{
	const ComputeLaunch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	g_autoptr(Sass) sass = sass_parse(".text.k:\n"
					  "/*0000*/ @P1 LDG.E.64 R2, desc[UR4][R6.64] ;\n"
					  "/*0010*/ LDS.S8 R4, [R6] ;\n"
					  "/*0020*/ IMAD R3, R4, 0x2, R3 ;\n"
					  "/*0030*/ ISETP.EQ.AND P0, PT, R3, 0x5, PT ;\n"
					  "/*0040*/ @P0 BRA `(.L_1) ;\n"
					  ".L_1:\n");
	g_autoptr(ComputeCode) code = compute_code_new(sass_function(sass, "k"), &launch, NULL);
	g_autoptr(ComputeWarp) warp = compute_warp_new(code, 0, 0);
	static const uint32_t pairs[] = {1, 9, 2, 11}, bytes[] = {254, 253, 1, 1};
	uint32_t known, taken;

	/* Lanes 0 and 2 of four load. */
	compute_execute(warp, 0, 0xf, true, 0x5, pairs, 2);
	compute_execute(warp, 1, 0xf, true, 0xf, bytes, 1);
	compute_execute(warp, 2, 0xf, false, 0xf, NULL, 0);
	compute_execute(warp, 3, 0xf, false, 0xf, NULL, 0);
	taken = compute_branch(warp, 4, 0xf, &known);
	g_assert_cmphex(known, ==, 0x5);
	g_assert_cmphex(taken, ==, 0x1); /* 9 - 2 * 2 */
}

/* Nobody asks for a value while a warp does more than is kept for later. */
static void values_of_long_warps_are_kept_up_with(void)
{
	const ComputeLaunch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	g_autoptr(Sass) sass = sass_parse(".text.k:\n"
					  "/*0000*/ MOV R0, RZ ;\n"
					  "/*0010*/ IADD3 R0, R0, 0x1, RZ ;\n"
					  "/*0020*/ ISETP.EQ.AND P0, PT, R0, 0x493e0, PT ;\n"
					  "/*0030*/ @P0 BRA `(.L_1) ;\n"
					  ".L_1:\n");
	const SassFunction *function = sass_function(sass, "k");
	static const bool none[4] = {false};
	g_autoptr(ComputeCode) code = compute_code_new(function, &launch, NULL);
	g_autoptr(ComputeCode) unasked = compute_code_new(function, &launch, none);
	g_autoptr(ComputeWarp) warp = compute_warp_new(code, 0, 0);
	g_autoptr(ComputeWarp) other = compute_warp_new(unasked, 0, 0);
	uint32_t known;

	compute_execute(warp, 0, 1, false, 1, NULL, 0);
	for (int i = 0; i < 300000; i++)
		compute_execute(warp, 1, 1, false, 1, NULL, 0);
	compute_execute(warp, 2, 1, false, 1, NULL, 0);
	g_assert_cmphex(compute_branch(warp, 3, 1, &known), ==, 1);
	g_assert_cmphex(known, ==, 1);
	for (int i = 0; i < 3; i++)
		compute_execute(other, i, 1, false, 1, NULL, 0);
	g_assert_cmphex(compute_branch(other, 3, 1, &known), ==, 0);
	g_assert_cmphex(known, ==, 0);
}

/* What a full warp goes through, of *n instructions. */
static GArray *walked(const char *code, guint *n_lines)
{
	const ComputeLaunch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	g_auto(GStrv) lines = g_strsplit(code, "; ", -1);
	const guint n = *n_lines = g_strv_length(lines);
	g_autoptr(GString) text = g_string_new(".text.k:\n");
	g_autoptr(GPtrArray) events = g_ptr_array_new_with_free_func(g_free);
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(WalkStep));
	WalkCounts counts = {0};

	for (guint i = 0; i < n; i++) {
		RawEvent event = {.pc = 16 * i,
				  .mask = UINT32_MAX,
				  .kind = i + 1 == n ? RAW_EXIT : RAW_SYNCWARP,
				  .detail = UINT32_MAX};

		g_string_append_printf(text, "/*%04x*/ %s ;\n", 16 * i, lines[i]);
		if (i + 1 == n || g_str_has_prefix(lines[i], "WARPSYNC"))
			g_ptr_array_add(events, g_memdup2(&event, sizeof(event)));
	}

	g_autoptr(Sass) sass = sass_parse(text->str);
	SassFunction *function = sass_function(sass, "k");
	g_autoptr(ComputeCode) read = compute_code_new(function, &launch, NULL);
	g_autoptr(ComputeWarp) warp = compute_warp_new(read, 0, 0);
	g_autoptr(WalkMap) map = walk_map_new(function, true);

	walk_warp(map, events, UINT32_MAX, 0, warp, steps, &counts);
	g_assert_cmpuint(counts.unresolved, ==, 0);
	return steps;
}

/* Of the instruction in front of an EXIT: how many different values its lanes hold. */
static guint distinct_of(const char *code)
{
	guint n;
	g_autoptr(GArray) steps = walked(code, &n);

	g_assert_cmpuint(steps->len, ==, n);
	return g_array_index(steps, WalkStep, n - 2).distinct;
}

/* A mask that is no register's, or is not known, says nothing. */
static void groups_that_synchronise_are_counted(void)
{
#define PLACES(n) "S2R R2, SR_LANEID; LOP3.LUT R2, R2, " n ", RZ, 0xc0, !PT; MATCH.ANY R0, R2"
	static const struct {
		const char *code;
		guint groups;
	} rows[] = {
		{PLACES("0x3") "; EXIT", 4},
		{PLACES("0x3") "; WARPSYNC R0; EXIT", 4},
		{PLACES("0xf") "; WARPSYNC R0; WARPSYNC R0; EXIT", 16},
		{"MOV R0, 0xffffffff; WARPSYNC R0; EXIT", 1},
		{"WARPSYNC 0xffffffff; EXIT", 0},
		{PLACES("0x3") "; WARPSYNC R5; EXIT", 0},
		{PLACES("0x3") "; WARPSYNC R0; WARPSYNC.ALL; EXIT", 0},
		/* Constants at addresses in registers, whatever is added to all of them. */
		{"S2R R2, SR_LANEID; LOP3.LUT R2, R2, 0x7, RZ, 0xc0, !PT; LDC R3, "
		 "c[0x3][R2+0x10]; "
		 "EXIT",
		 8},
		{"S2R R2, SR_LANEID; LDC.64 R4, c[0x3][R2]; EXIT", 32},
		{"LDC R3, c[0x3][R5]; EXIT", 0},
		{"LDC R3, c[0x0][0x210]; EXIT", 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		g_assert_cmpuint(distinct_of(rows[i].code), ==, rows[i].groups);
#undef PLACES
}

/* A reduction is made group by group, in four instructions each, where it is known which lanes are of one. */
static void groups_reduce_one_after_the_other(void)
{
#define REDUCTION(n, mask)                                                                     \
	"S2R R2, SR_LANEID; LOP3.LUT R2, R2, " n ", RZ, 0xc0, !PT; MATCH.ANY R0, R2; "         \
	"BSSY B3, 0x80; WARPSYNC.EXCLUSIVE " mask "; REDUX.SUM UR6, R2; MOV R7, UR6; "         \
	"BSYNC B3; EXIT"
	static const struct {
		const char *code;
		guint groups;
	} rows[] = {
		{REDUCTION("0x0", "R0"), 1},
		{REDUCTION("0x3", "R0"), 4},
		{REDUCTION("0x1f", "R0"), 32},
		{REDUCTION("0x3", "R5"), 1},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		guint n;
		g_autoptr(GArray) steps = walked(rows[i].code, &n);

		g_assert_cmpuint(steps->len, ==, n + 4 * (rows[i].groups - 1));
		g_assert_cmphex(g_array_index(steps, WalkStep, steps->len - 1).mask, ==,
				UINT32_MAX);
	}
#undef REDUCTION
}

/* ---- Real captures */

static GPtrArray *convert(const char *name, char **folder)
{
	const char *source = g_getenv("SOURCE");
	g_autofree char *raw =
		g_build_filename(source ? source : ".", "tests/capture", name, NULL);
	g_autofree char *output = NULL;
	g_autoptr(GError) error = NULL;
	GPtrArray *traces;

	*folder = g_dir_make_tmp("atomsim-test-XXXXXX", NULL);
	output = g_build_filename(*folder, "t.bin", NULL);
	traces = convert_folder(raw, output, FALSE, &error);
	g_assert_no_error(error);
	return traces;
}

static void clean(GPtrArray *traces, char *folder)
{
	for (guint i = 0; i < traces->len; i++)
		g_unlink(((ConvertedTrace *)g_ptr_array_index(traces, i))->path);
	g_rmdir(folder);
	g_free(folder);
	g_ptr_array_unref(traces);
}

/* Converts a raw capture and holds each launch against what the GPU counted of it. Returns how many have exactly as many
   instructions; no other is off by more than `most`. *traces: clean. */
static guint count_exact(const char *name, int64_t most, GPtrArray **traces, char **folder)
{
	const char *source = g_getenv("SOURCE");
	g_autofree char *base = g_strconcat(name, "-counted.csv", NULL);
	g_autofree char *path =
		g_build_filename(source ? source : ".", "tests/capture", base, NULL);
	g_autofree char *text = NULL;
	guint n_exact = 0;

	*traces = convert(name, folder);
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));

	g_auto(GStrv) lines = g_strsplit(g_strstrip(text), "\n", -1);

	g_assert_cmpuint(g_strv_length(lines), ==, (*traces)->len + 1);
	for (guint i = 0; i < (*traces)->len; i++) {
		const ConvertedTrace *trace = g_ptr_array_index(*traces, i);
		const char *counted = strrchr(lines[i + 1], ',') + 1;
		int64_t off = (int64_t)trace->counts.n_instructions -
			      g_ascii_strtoll(counted, NULL, 10);

		g_assert_cmpuint(trace->counts.refuted_branches, ==, 0);
		g_assert_cmpuint(trace->counts.unresolved_paths, ==, 0);
		g_assert_cmpuint(trace->counts.outside_calls, ==, 0);
		n_exact += off == 0;
		g_assert_cmpint(ABS(off), <=, most);
	}
	return n_exact;
}

static void all_instructions_are_told(void)
{
	g_autofree char *folder = NULL;
	GPtrArray *traces;
	/* This capture has no tables: a jump table is told as a guess. A function that calls itself has lanes that part
	   within it, 20 of 664 instructions less than counted. */
	guint n_exact = count_exact("ways", 20, &traces, &folder);

	for (guint i = 0; i < traces->len; i++) {
		const ConvertedTrace *trace = g_ptr_array_index(traces, i);

		g_assert_cmpint(trace->counts.guessed_branches > 0, ==,
				strcmp(trace->kernel, "switched") == 0);
	}
	g_assert_cmpuint(n_exact, ==, traces->len - 2);
	clean(traces, g_steal_pointer(&folder));
}

static void jumps_and_calls_by_tables_are_told(void)
{
	g_autofree char *folder = NULL;
	GPtrArray *traces;
	/* Lanes of a warp that go to the same case by several tables: 4 of 621 less. */
	guint n_exact = count_exact("pointers", 4, &traces, &folder);

	g_assert_cmpuint(traces->len, ==, 14);
	g_assert_cmpuint(n_exact, ==, traces->len - 1);
	for (guint i = 0; i < traces->len; i++) {
		const ConvertedTrace *trace = g_ptr_array_index(traces, i);

		g_assert_cmpuint(trace->counts.guessed_branches, ==, 0);
	}
	clean(traces, g_steal_pointer(&folder));
}

typedef struct {
	RecordKind kind;
	guint n, *n_lanes;
	Record *last;
} KindCount;

static void count_one(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	KindCount *counted = data;

	(void)block, (void)warp;
	if (record->kind != counted->kind)
		return;
	counted->n++;
	*counted->n_lanes += record->n_lanes;
	*counted->last = *record;
}

/* Counts the records of a kind in a trace, and lanes that they have. */
static guint count(const ConvertedTrace *trace, RecordKind kind, guint *n_lanes, Record *last)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(trace->path, &error);
	KindCount counted = {kind, 0, n_lanes, last};

	g_assert_no_error(error);
	*n_lanes = 0;
	visit_records(reader, count_one, &counted);
	return counted.n;
}

/* Each round of the kernel has its match in a gap of its own. */
static void check_matches(const ConvertedTrace *trace)
{
	static const unsigned expected[] = {1, 2, 8, 32};
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(trace->path, &error);
	RecordSource *source = trace_source(reader);
	WarpStream *stream = source->open_warp(source, 0, 1);
	Record record;
	guint n = 0;

	g_assert_no_error(error);
	while (stream->next(stream, &record) == STREAM_RECORD) {
		const Dataflow *flow = source->kernel.dataflow;

		if (record.kind != RECORD_CODE)
			continue;
		for (uint32_t i = 0; i < flow->gaps[record.gap].n_operations; i++) {
			const CodeOperation *operation = &flow->gaps[record.gap].operations[i];

			if (!code_is_match(operation->class))
				continue;
			g_assert_cmpuint(n, <, G_N_ELEMENTS(expected));
			g_assert_cmpuint(operation->line, ==, expected[n++]);
		}
	}
	stream->close(stream);
	g_assert_cmpuint(n, ==, G_N_ELEMENTS(expected));
}

/* Each barrier of number 1 is arrived at by one of the two warps and waited at by the other; and that can be replayed. */
static void check_arrivals(const ConvertedTrace *trace)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open(trace->path, &error);
	RecordSource *source = trace_source(reader);
	guint n_arrive = 0, n_wait = 0;

	g_assert_no_error(error);
	for (uint32_t warp = 0; warp < 2; warp++) {
		WarpStream *stream = source->open_warp(source, 0, warp);
		Record record;

		while (stream->next(stream, &record) == STREAM_RECORD) {
			if (record.kind != RECORD_BAR || record.barrier != 1)
				continue;
			g_assert_cmpuint(record.count, ==, 0);
			n_arrive += record.arrives;
			n_wait += !record.arrives;
		}
		stream->close(stream);
	}
	g_assert_cmpuint(n_arrive, >, 0);
	g_assert_cmpuint(n_arrive, ==, n_wait);

	const Machine machine = list_hopper();
	SimRequest request = {.machine = &machine,
			      .source = source,
			      .n_threads = 1,
			      .n_sites = trace_n_sites(reader)};
	SimResult result;

	g_assert_cmpint(sim_run(&request, &result), ==, SIM_OK);
}

/* A copy of a capture of this folder, with another fact. */
static void add_fact(const char *name, const char *fact, const char *folder)
{
	const char *source = g_getenv("SOURCE");
	g_autofree char *from =
		g_build_filename(source ? source : ".", "tests/capture", name, NULL);
	g_autoptr(GDir) dir = g_dir_open(from, 0, NULL);
	const char *file;

	while ((file = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(from, file, NULL);
		g_autofree char *copy = g_build_filename(folder, file, NULL);
		g_autofree char *bytes = NULL;
		g_autoptr(GString) text = NULL;
		gsize n;

		g_assert_true(g_file_get_contents(path, &bytes, &n, NULL));
		text = g_string_new_len(bytes, (gssize)n);
		if (g_str_equal(file, "facts"))
			g_string_append(text, fact);
		g_assert_true(g_file_set_contents(copy, text->str, (gssize)text->len, NULL));
	}
}

static void launches_of_graphs_are_a_fact(void)
{
	g_autofree char *folder = g_dir_make_tmp("atomsim-test-XXXXXX", NULL);
	g_autofree char *output = g_build_filename(folder, "t.bin", NULL);
	g_autoptr(GPtrArray) traces = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) dir = NULL;
	const char *file;

	add_fact("sync", "graph_launches\t3\n", folder);
	traces = convert_folder(folder, output, FALSE, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(((ConvertedTrace *)traces->pdata[0])->counts.graph_launches, ==, 3);
	dir = g_dir_open(folder, 0, NULL);
	while ((file = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, file, NULL);

		g_unlink(path);
	}
	g_rmdir(folder);
}

static void locks_and_barriers_are_told(void)
{
	g_autofree char *folder = NULL;
	GPtrArray *traces = convert("sync", &folder);
	const ConvertedTrace *const *trace = (const ConvertedTrace *const *)traces->pdata;
	guint n_lanes;
	Record record;

	g_assert_cmpuint(traces->len, ==, 6);
	/* A lock in global memory that each thread of two blocks takes once. */
	g_assert_cmpuint(count(trace[0], RECORD_LOCK, &n_lanes, &record), ==, 4);
	g_assert_cmpuint(n_lanes, ==, 128);
	g_assert_cmpint(record.space, ==, MEMORY_GLOBAL);
	g_assert_cmpuint(count(trace[0], RECORD_UNLOCK, &n_lanes, &record), ==, 4);
	/* One thread of each of four blocks. */
	g_assert_cmpuint(count(trace[2], RECORD_LOCK, &n_lanes, &record), ==, 4);
	g_assert_cmpuint(n_lanes, ==, 4);
	/* Lanes find those with their number, of 1, 2, 8 and 32 numbers in turn. */
	check_matches(trace[3]);
	/* Half a block arrives at barrier 1 of the whole block, and does not wait there. */
	g_assert_cmpuint(count(trace[4], RECORD_BAR, &n_lanes, &record), ==, 5);
	g_assert_cmpuint(trace[4]->counts.partial_barriers, ==, 0);
	check_arrivals(trace[4]);
	/* Before, between and behind two atomics: fences of the block, the GPU, the system. */
	g_assert_cmpuint(count(trace[5], RECORD_FENCE, &n_lanes, &record), ==, 6);
	g_assert_cmpint(record.scope, ==, SCOPE_SYSTEM);
	for (guint i = 3; i < 6; i++) {
		static const guint counted[] = {350, 38, 72}; /* by the GPU */

		g_assert_cmpuint(trace[i]->counts.n_instructions, ==, counted[i - 3]);
	}
	clean(traces, g_steal_pointer(&folder));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/branches/instructions are calculated",
			instructions_are_calculated);
	g_test_add_func("/capture/branches/what is put into a register is not empty",
			what_is_put_into_a_register_is_not_empty);
	g_test_add_func("/capture/branches/predicates are calculated",
			predicates_are_calculated);
	g_test_add_func("/capture/branches/loads tell what they got", loads_give_what_they_got);
	g_test_add_func("/capture/branches/values of long warps are kept up with",
			values_of_long_warps_are_kept_up_with);
	g_test_add_func("/capture/branches/groups that synchronise are counted",
			groups_that_synchronise_are_counted);
	g_test_add_func("/capture/branches/groups reduce one after the other",
			groups_reduce_one_after_the_other);
	g_test_add_func("/capture/branches/all instructions are told",
			all_instructions_are_told);
	g_test_add_func("/capture/branches/jumps and calls by tables are told",
			jumps_and_calls_by_tables_are_told);
	g_test_add_func("/capture/branches/launches of graphs are a fact",
			launches_of_graphs_are_a_fact);
	g_test_add_func("/capture/branches/locks and barriers are told",
			locks_and_barriers_are_told);
	return g_test_run();
}
