/* SPDX-License-Identifier: MIT */
/*
 * One instruction, or a pair, of each class: a struct with a static function `link` that takes a
 * chain one link further. A chain's state is what the next link needs, so links of one chain wait
 * for each other and chains do not; a store, which has no chain, takes its place from the link's
 * number. `sass` says what a link is in machine code on sm_90.
 */
#ifndef OPS_H
#define OPS_H

#include "probe.h"

/* What chains work on; a chain uses of it what its class needs. Every value but `a` and the
   pointers is the same in all chains of a lane. */
typedef struct {
	uint32_t a;	   /* chained integer, or address in shared or constant memory */
	uint32_t b, c;	   /* operands; unknown to the compiler */
	float f;	   /* chained */
	float g;	   /* operand */
	double d, e;	   /* chained, operand */
	uint64_t u, v;	   /* chained 64 bits or global address, operand */
	uint32_t word;	   /* address in shared memory of the lane's own word */
	uint64_t far_word; /* address in global memory of the lane's own word */
} Chain;

#define OP(NAME, SASS, BODY)                                                                   \
	struct NAME {                                                                          \
		static const char *sass(void)                                                  \
		{                                                                              \
			return SASS;                                                           \
		}                                                                              \
		static __device__ __forceinline__ void link(Chain &x, int i = 0)               \
		{                                                                              \
			BODY;                                                                  \
		}                                                                              \
	};

#define INTEGER(PTX)  asm volatile(PTX : "+r"(x.a) : "r"(x.b), "r"(x.c) : "memory")
#define FLOATING(PTX) asm volatile(PTX : "+f"(x.f) : "f"(x.g))
#define DOUBLE(PTX)   asm volatile(PTX : "+d"(x.d) : "d"(x.e))
#define LONG(PTX)     asm volatile(PTX : "+l"(x.u) : "l"(x.v) : "memory")

/* Asks what the code was compiled for: a GPU that has it runs code for an older one, which has nothing in its place. */
static inline bool has_redux(void)
{
	cudaFuncAttributes attributes;

	CHECK(cudaFuncGetAttributes(&attributes, warm_up_kernel));
	return attributes.ptxVersion >= 80;
}

namespace op
{

OP(iadd3_of_two, "IADD3 of two adds", INTEGER("add.u32 %0, %0, %1;"))
OP(imad, "IMAD", INTEGER("mad.lo.u32 %0, %0, %1, %2;"))
OP(imad_wide, "IMAD.WIDE",
   LONG("{ .reg .u32 l, h; mov.b64 {l, h}, %0; mad.wide.u32 %0, l, l, %0; }"))
OP(iadd_carry, "IADD3 + IADD3.X", LONG("add.u64 %0, %0, %1;"))
OP(lop3, "LOP3", INTEGER("lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(shf, "SHF", INTEGER("shf.l.wrap.b32 %0, %0, %1, %2;"))
OP(prmt, "PRMT", INTEGER("prmt.b32 %0, %0, %1, %2;"))
OP(vimnmx_of_two, "VIMNMX3 of two", INTEGER("min.u32 %0, %0, %1;"))
OP(fadd, "FADD", FLOATING("add.f32 %0, %0, %1;"))
OP(fmul, "FMUL", FLOATING("mul.f32 %0, %0, %1;"))
OP(ffma, "FFMA", FLOATING("fma.rn.f32 %0, %0, %1, %1;"))
OP(hfma2, "HFMA2", INTEGER("fma.rn.f16x2 %0, %0, %1, %2;"))
OP(dadd, "DADD", DOUBLE("add.f64 %0, %0, %1;"))
OP(dfma, "DFMA", DOUBLE("fma.rn.f64 %0, %0, %1, %1;"))
OP(mufu_ex2, "MUFU.EX2", FLOATING("ex2.approx.ftz.f32 %0, %0;"))
OP(mufu_rsq, "MUFU.RSQ", FLOATING("rsqrt.approx.ftz.f32 %0, %0;"))
OP(mufu_sin, "FMUL.RZ + MUFU.SIN", FLOATING("sin.approx.ftz.f32 %0, %0;"))
OP(f2i, "F2I", INTEGER("{ .reg .f32 f; mov.b32 f, %0; cvt.rzi.s32.f32 %0, f; }"))
OP(i2f, "I2FP", INTEGER("{ .reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f; }"))
OP(f2f_pair, "F2F.F64.F32 + F2F.F32.F64",
   FLOATING("{ .reg .f64 d; cvt.f64.f32 d, %0; cvt.rn.f32.f64 %0, d; }"))
/* Two instructions in turn, for what one adds to the time of a result of the other. */
#define BITS(CODE) INTEGER("{ .reg .f32 f; mov.b32 f, %0; " CODE " }")
#define HALVES(CODE)                                                                           \
	DOUBLE("{ .reg .u32 l, h; add.f64 %0, %0, %1; mov.b64 {l, h}, %0; " CODE               \
	       " mov.b64 %0, {l, h}; }")
OP(lop3_shf, "LOP3 + SHF",
   INTEGER("lop3.b32 %0, %0, %1, %2, 0x96; shf.l.wrap.b32 %0, %0, %1, %2;"))
OP(imad_lop3, "IMAD + LOP3",
   INTEGER("mad.lo.u32 %0, %0, %1, %2; lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(imad_shf, "IMAD + SHF", INTEGER("mad.lo.u32 %0, %0, %1, %2; shf.l.wrap.b32 %0, %0, %1, %2;"))
OP(imad_isetp_sel, "IMAD + ISETP + SEL",
   INTEGER("{ .reg .pred p; mad.lo.u32 %0, %0, %1, %2; setp.lt.u32 p, %0, %1; "
	   "selp.u32 %0, %1, %2, p; }"))
OP(ffma_imad, "FFMA + IMAD",
   BITS("fma.rn.f32 f, f, f, f; mov.b32 %0, f; mad.lo.u32 %0, %0, %1, %2;"))
OP(ffma_lop3, "FFMA + LOP3",
   BITS("fma.rn.f32 f, f, f, f; mov.b32 %0, f; lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(ffma_fmnmx, "FFMA + FMNMX", FLOATING("fma.rn.f32 %0, %0, %1, %1; min.f32 %0, %0, %1;"))
OP(hfma2_lop3, "HFMA2 + LOP3",
   INTEGER("fma.rn.f16x2 %0, %0, %1, %2; lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(hfma2_imad, "HFMA2 + IMAD",
   INTEGER("fma.rn.f16x2 %0, %0, %1, %2; mad.lo.u32 %0, %0, %1, %2;"))
OP(dadd_lop3, "DADD + LOP3", HALVES("lop3.b32 l, l, h, h, 0x96;"))
OP(dadd_imad, "DADD + IMAD", HALVES("mad.lo.u32 l, l, h, h;"))
OP(mufu_lop3, "MUFU.RCP + LOP3",
   BITS("rcp.approx.ftz.f32 f, f; mov.b32 %0, f; lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(mufu_ffma, "MUFU.RCP + FFMA",
   FLOATING("rcp.approx.ftz.f32 %0, %0; fma.rn.f32 %0, %0, %1, %1;"))
OP(popc_lop3, "POPC + LOP3", INTEGER("popc.b32 %0, %0; lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(popc_imad, "POPC + IMAD", INTEGER("popc.b32 %0, %0; mad.lo.u32 %0, %0, %1, %2;"))
OP(shfl_lop3, "SHFL.BFLY + LOP3",
   INTEGER("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff; "
	   "lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(shfl_imad, "SHFL.BFLY + IMAD",
   INTEGER("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff; mad.lo.u32 %0, %0, %1, %2;"))
OP(imad_hi, "IMAD.HI", INTEGER("mul.hi.u32 %0, %0, %1;"))
OP(imad_hi_added, "IMAD.HI with an addend", INTEGER("mad.hi.u32 %0, %0, %1, %2;"))
OP(imad_hi_lop3, "IMAD.HI + LOP3",
   INTEGER("mul.hi.u32 %0, %0, %1; lop3.b32 %0, %0, %1, %2, 0x96;"))
OP(imad_hi_imad, "IMAD.HI + IMAD", INTEGER("mul.hi.u32 %0, %0, %1; mad.lo.u32 %0, %0, %1, %2;"))
OP(imad3_lop3, "3 IMAD + LOP3 of them",
   INTEGER("{ .reg .u32 p, q, r; mad.lo.u32 p, %0, %1, %2; mad.lo.u32 q, %0, %2, %1; "
	   "mad.lo.u32 r, %0, %0, %1; lop3.b32 %0, p, q, r, 0x96; }"))
OP(imad_hi3_lop3, "3 IMAD.HI + LOP3 of them",
   INTEGER("{ .reg .u32 p, q, r; mul.hi.u32 p, %0, %1; mul.hi.u32 q, %0, %2; "
	   "mul.hi.u32 r, %0, %0; lop3.b32 %0, p, q, r, 0x96; }"))
OP(imad_wide_both, "IMAD.WIDE by both halves",
   LONG("{ .reg .u32 l, h; mov.b64 {l, h}, %0; mul.wide.u32 %0, l, h; }"))
OP(imad_wide_added, "IMAD.WIDE by its addend",
   LONG("{ .reg .u32 l, h; mov.b64 {l, h}, %1; mad.wide.u32 %0, l, h, %0; }"))
OP(imad_wide_ldg64_l1, "IMAD.WIDE by its addend + LDG.64 hitting L1",
   LONG("{ .reg .u32 l, h; mov.b64 {l, h}, %1; mad.wide.u32 %0, l, h, %0; "
	"ld.global.ca.u64 %0, [%0]; }"))
OP(imad_wide_high, "IMAD.WIDE by its upper half",
   LONG("{ .reg .u32 l, h; mov.b64 {l, h}, %0; mul.wide.u32 %0, h, h; }"))
OP(popc, "POPC", INTEGER("popc.b32 %0, %0;"))
OP(flo, "FLO", INTEGER("bfind.u32 %0, %0;"))
OP(brev, "BREV", INTEGER("brev.b32 %0, %0;"))
OP(isetp_sel, "ISETP + SEL",
   INTEGER("{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, %2, p; }"))
OP(isetp_guard, "ISETP + @P IMAD",
   INTEGER("{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mad.lo.u32 %0, %0, %1, %2; }"))
OP(fsetp_fsel, "FSETP + FSEL",
   FLOATING("{ .reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %1, %0, p; }"))
OP(shfl_idx, "SHFL.IDX", INTEGER("shfl.sync.idx.b32 %0, %1, %0, 0x1f, 0xffffffff;"))
OP(shfl_bfly, "SHFL.BFLY", INTEGER("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;"))
OP(shfl_down, "SHFL.DOWN", INTEGER("shfl.sync.down.b32 %0, %0, 1, 0x1f, 0xffffffff;"))
OP(isetp_vote_ballot, "ISETP + VOTE",
   INTEGER("{ .reg .pred p; setp.ne.u32 p, %0, %1; "
	   "vote.sync.ballot.b32 %0, p, 0xffffffff; }"))
OP(isetp_vote_any_sel, "ISETP + VOTE + SEL",
   INTEGER("{ .reg .pred p, q; setp.ne.u32 p, %0, %1; "
	   "vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, %1, %2, q; }"))
OP(match_any, "MATCH.ANY", INTEGER("match.any.sync.b32 %0, %0, 0xffffffff;"))
/* GPUs below sm_80 have none: has_redux(). */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
OP(redux_add, "REDUX + move from a uniform register",
   INTEGER("redux.sync.add.u32 %0, %0, 0xffffffff;"))
#else
OP(redux_add, "REDUX + move from a uniform register", )
#endif
OP(isetp_s2r_smid, "ISETP + @P S2R",
   INTEGER("{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%smid; }"))
OP(ldc_reg, "LDC", INTEGER("ld.const.u32 %0, [%0];"))
OP(lds32, "LDS", INTEGER("ld.shared.u32 %0, [%0];"))
OP(lds64, "LDS.64", INTEGER("{ .reg .u32 y; ld.volatile.shared.v2.u32 {%0, y}, [%0]; }"))
OP(lds128, "LDS.128",
   INTEGER("{ .reg .u32 x, y, z; ld.volatile.shared.v4.u32 {%0, x, y, z}, [%0]; }"))
OP(iadd3_lds32, "IADD3 + LDS", INTEGER("add.u32 %0, %0, %1; ld.shared.u32 %0, [%0];"))
OP(imad_lds32, "IMAD + LDS", INTEGER("mad.lo.u32 %0, %0, %2, %1; ld.shared.u32 %0, [%0];"))
OP(lop3_lds32, "LOP3 + LDS", INTEGER("xor.b32 %0, %0, %1; ld.shared.u32 %0, [%0];"))
OP(sts_lds32, "STS + LDS of the word",
   asm volatile("st.volatile.shared.u32 [%1], %0; ld.volatile.shared.u32 %0, [%1];"
		: "+r"(x.a)
		: "r"(x.word)
		: "memory"))
OP(atoms_add, "ATOMS.ADD", INTEGER("atom.shared.add.u32 %0, [%0], %1;"))
OP(atoms_exch, "ATOMS.EXCH", INTEGER("atom.shared.exch.b32 %0, [%0], %0;"))
OP(atoms_cas, "ATOMS.CAS", INTEGER("atom.shared.cas.b32 %0, [%0], %2, %2;"))
OP(atoms_min, "ATOMS.MIN", INTEGER("atom.shared.min.u32 %0, [%0], %0;"))
OP(atoms_and, "ATOMS.AND", INTEGER("atom.shared.and.b32 %0, [%0], %0;"))
OP(ldg64_l1, "LDG.64 hitting L1", LONG("ld.global.ca.u64 %0, [%0];"))
OP(ldg64_l2, "LDG.64 hitting L2", LONG("ld.global.cg.u64 %0, [%0];"))
OP(iadd64_ldg64_l1, "IADD3 + IADD3.X + LDG.64",
   LONG("add.u64 %0, %0, %1; ld.global.ca.u64 %0, [%0];"))
OP(atomg_add64, "ATOMG.ADD.64", LONG("atom.global.add.u64 %0, [%0], %1;"))
OP(atomg_cas64, "ATOMG.CAS.64", LONG("atom.global.cas.b64 %0, [%0], %1, %1;"))

/* Without a chain: rates only. */
OP(sts32, "STS",
   asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(x.word), "r"(x.b)
		: "memory"))
OP(sts64, "STS.64",
   asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %1};" ::"r"(x.word), "r"(x.b)
		: "memory"))
OP(sts128, "STS.128",
   asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(x.word), "r"(x.b)
		: "memory"))
OP(atoms_add_noret, "ATOMS.ADD without result",
   asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(x.word), "r"(x.b)
		: "memory"))
OP(stg32, "STG",
   asm volatile("st.global.u32 [%0], %1;" ::"l"(x.far_word + i * 8192), "r"(x.b)
		: "memory"))

/* No instruction at all. */
OP(nothing, "nothing", (void)x)

} // namespace op

#endif
