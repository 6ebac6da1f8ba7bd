/* SPDX-License-Identifier: MIT */
/* What the files' names of instructions stand for. */
#include <string.h>

#include "validate/forms/issue-program.h"

#define WORD_BYTES 4

#define OP(name)                                                                               \
	{                                                                                      \
		.kind = RECORD_CODE, .class = CODE_##name                                      \
	}
#define ONE(name, ...)                                                                         \
	{                                                                                      \
		name, {__VA_ARGS__}, 1                                                         \
	}
#define LOAD(bytes)                                                                            \
	{                                                                                      \
		.kind = RECORD_LDS, .width = bytes                                             \
	}
#define STORE(bytes)                                                                           \
	{                                                                                      \
		.kind = RECORD_STS, .width = bytes                                             \
	}
#define ATOM(op, used)                                                                         \
	{                                                                                      \
		.kind = RECORD_ATOM, .width = WORD_BYTES, .operation = OPERATION_##op,         \
		.result = used                                                                 \
	}

/* What the timed code of a row is, as nvcc made it for sm_90 (column `sass`, and `note`). Rows of two
   instructions in other proportions, and of global memory, have none. */
static const IssueLink links[] = {
	ONE("imad", OP(MUL)),
	ONE("lop3", OP(INT)),
	ONE("shf", OP(INT)),
	ONE("prmt", OP(INT)),
	ONE("i2f", OP(INT)), /* I2FP */
	ONE("fadd", OP(FLOAT)),
	ONE("fmul", OP(FLOAT)),
	ONE("ffma", OP(FLOAT)),
	ONE("dadd", OP(DOUBLE)),
	ONE("dfma", OP(DOUBLE)),
	ONE("mufu_ex2", OP(SPECIAL)),
	ONE("mufu_rsq", OP(SPECIAL)),
	ONE("f2i", OP(CONVERT)),
	ONE("popc", OP(CONVERT)),
	ONE("flo", OP(CONVERT)),
	ONE("brev", OP(CONVERT)),
	ONE("shfl_idx", OP(SHUFFLE)),
	ONE("shfl_bfly", OP(SHUFFLE)),
	ONE("shfl_down", OP(SHUFFLE)),
	ONE("match_any", OP(MATCH)),
	ONE("ldc_reg", OP(CONSTANT)),
	{"isetp_sel", {OP(COMPARE), OP(INT)}, 2},
	{"fsetp_fsel", {OP(COMPARE), OP(INT)}, 2},
	{"isetp_vote", {OP(COMPARE), OP(VOTE)}, 2},
	{"isetp_vote_ballot", {OP(COMPARE), OP(VOTE)}, 2},
	{"isetp_guard",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_MUL, .predicated = TRUE}},
	 2},
	{"isetp_s2r_smid",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_SYSTEM, .predicated = TRUE}},
	 2},
	{"redux_add", {OP(REDUCE), OP(MOVE)}, 2},
	{"ffma_imad", {OP(FLOAT), OP(MUL)}, 2},
	{"ffma_lop3", {OP(FLOAT), OP(INT)}, 2},
	{"imad_lop3", {OP(MUL), OP(INT)}, 2},
	{"lop3_mufu", {OP(INT), OP(SPECIAL)}, 2},
	/* Of issue-sequences.csv, with the stalls that a compiler would give them. */
	ONE("taken BRA", OP(JUMP)),
	ONE("BRA not taken, stall 5", OP(BRANCH)),
	ONE("YIELD stall 5", OP(YIELD)),
	ONE("WARPSYNC.ALL", OP(SYNC)),
	ONE("BSSY", OP(SPLIT)),
	ONE("BSYNC", OP(JOIN)),
	{"BSSY+BSYNC", {OP(SPLIT), OP(JOIN)}, 2},
	ONE("FFMA chain link", OP(FLOAT)),
	{"FFMA+taken BRA", {OP(FLOAT), OP(JUMP)}, 2},
	{"ISETP+guarded FFMA",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_FLOAT, .predicated = TRUE}},
	 2},
	{"ISETP+BRA",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_BRANCH, .predicated = TRUE}},
	 2},
	{"ISETP+BRA taken",
	 {OP(COMPARE), {.kind = RECORD_CODE, .class = CODE_JUMP, .predicated = TRUE}},
	 2},
	{"S2R TID.X to use + 4", {OP(SYSTEM), OP(FLOAT)}, 2},
	{"S2R LANEID to use + 4", {OP(SYSTEM), OP(FLOAT)}, 2},
	{"S2R CTAID.X to use + 4", {OP(SYSTEM), OP(FLOAT)}, 2},
	ONE("lds32", LOAD(4)),
	ONE("lds64", LOAD(8)),
	ONE("lds128", LOAD(16)),
	ONE("sts32", STORE(4)),
	ONE("sts64", STORE(8)),
	ONE("sts128", STORE(16)),
	{"iadd3_lds32", {OP(INT), LOAD(4)}, 2},
	{"imad_lds32", {OP(MUL), LOAD(4)}, 2},
	{"lop3_lds32", {OP(INT), LOAD(4)}, 2},
	{"ffma_lds", {OP(FLOAT), LOAD(4)}, 2},
	ONE("atoms_add", ATOM(ADD, TRUE)),
	ONE("atoms_add_ret", ATOM(ADD, TRUE)),
	ONE("atoms_add_noret", ATOM(ADD, FALSE)),
	ONE("atoms_exch", ATOM(EXCH, TRUE)),
	ONE("atoms_cas", ATOM(CAS, TRUE)),
	ONE("atoms_min", ATOM(MIN, TRUE)),
	ONE("atoms_and", ATOM(AND, TRUE)),
};

const IssueLink *issue_link(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(links); i++)
		if (strcmp(links[i].name, name) == 0)
			return &links[i];
	return NULL;
}
