/* SPDX-License-Identifier: MIT */
#include "base/sass-class.h"

#include <glib.h>
#include <string.h>

#include "base/sass-suffix.h"

static bool has_base(const char *opcode, const char *base)
{
	size_t n = strcspn(opcode, ".");

	return strlen(base) == n && memcmp(opcode, base, n) == 0;
}

bool sass_is_one_of(const char *opcode, const char *const *bases)
{
	for (; *bases; bases++)
		if (has_base(opcode, *bases))
			return true;
	return false;
}

bool sass_is_access(const char *opcode)
{
	static const char *const accesses[] = {
		"LDS",	  "STS",   "ATOMS", "LDG",  "STG",  "LD",     "ST",
		"ATOM",	  "ATOMG", "RED",   "REDG", "REDS", "LDSM",   "STSM",
		"LDGSTS", "LDL",   "STL",   "BAR",  "LDTM", "MEMBAR", NULL};

	return sass_is_one_of(opcode, accesses);
}

bool sass_writes_none(const char *opcode)
{
	static const char *const none[] = {
		"ST",	     "STG",    "STS",	"STL",	     "STSM",	 "RED",	   "REDG",
		"REDS",	     "BAR",    "BRA",	"BRX",	     "JMP",	 "JMX",	   "EXIT",
		"BSSY",	     "BSYNC",  "NOP",	"BREAK",     "WARPSYNC", "MEMBAR", "DEPBAR",
		"LDGDEPBAR", "YIELD",  "CALL",	"CCTL",	     "ERRBAR",	 "KILL",   "RET",
		"NANOSLEEP", "LDGSTS", "BPT",	"FENCE",     "BRXU",	 "JMXU",   "UTMALDG",
		"UTMASTG",   "UBLKCP", "SYNCS", "WARPGROUP", "SUST",	 "SURED",  NULL};

	return sass_is_one_of(opcode, none);
}

/* What opcodes of a class begin with. Of all that an opcode begins with the longest counts, so that the order says nothing. */
static const struct {
	CodeClass class;
	const char *const prefixes[32]; /* NULL-terminated */
} classes[] = {
	{CODE_OTHER, {"UTMA", "UBLK", NULL}},
	{CODE_UNIFORM, {"U", "R2UR", NULL}},
	/* A copy, a shift or an addition that is written as a multiplication is one. VIADD's results come when those of the same unit do. */
	{CODE_MUL, {"IMAD", "IMUL", "XMAD", "IDP", "VIADD", NULL}},
	{CODE_WIDE, {"IMAD.WIDE", "IMAD.HI", "IMUL.WIDE", "IMUL.HI", NULL}},
	{CODE_COMPARE, {"ISETP", "FSETP", "PLOP3", "PSETP", "HSETP2", "R2P", "FCHK", NULL}},
	{CODE_INT,
	 {"IADD", "ISCADD", "IABS", "IMNMX", "LEA", "LOP", "SHF", "SHL", "SHR", "SEL", "SGXT",
	  "BMSK", "PRMT", "P2R", "VI", "VIADDM", "VABSDIFF", "FSEL", "FMNMX",
	  /* Conversions that the integer units do, at a fixed time. */
	  "I2FP", "I2IP", "F2FP", NULL}},
	{CODE_CONVERT, {"I2F", "F2I", "F2F", "I2I", "FRND", "POPC", "FLO", "BREV", NULL}},
	{CODE_FLOAT, {"FADD", "FMUL", "FFMA", "FSWZADD", NULL}},
	{CODE_DOUBLE, {"DADD", "DMUL", "DFMA", "DSETP", "DMNMX", NULL}},
	{CODE_HALF, {"HADD2", "HMUL2", "HFMA2", "HMNMX2", NULL}},
	/* Of 16 x 8 sums HMMA.16816 has 16 products, HMMA.1688.F32.TF32 as many bits of factors, the short ones half of that. */
	{CODE_MATRIX, {"HMMA", "IMMA", "BMMA", "QMMA", "HMMA.1688.F32.TF32", NULL}},
	{CODE_MATRIX_SHORT, {"HMMA.1688", "HMMA.1684", "IMMA.16816", "IMMA.8816", NULL}},
	{CODE_MATRIX64, {"DMMA", NULL}},
	{CODE_TEXTURE, {"TEX", "TLD4", "TXD", "TMML", NULL}},
	{CODE_TEXEL, {"TLD", "SULD", "SUST", "SUATOM", "SURED", NULL}},
	{CODE_SPECIAL, {"MUFU", NULL}},
	{CODE_MOVE, {"MOV", "CS2R", NULL}},
	/* What a warp has in common comes as constants do; a uniform register has nothing else. */
	{CODE_CONSTANT, {"LDC", "S2UR", NULL}},
	{CODE_SYSTEM, {"S2R", "B2R", NULL}},
	{CODE_VOTE, {"VOTE", NULL}},
	{CODE_SHUFFLE, {"SHFL", NULL}},
	{CODE_REDUCE, {"REDUX", "CREDUX", NULL}},
	{CODE_MATCH, {"MATCH", NULL}},
	{CODE_MATCH64, {"MATCH.ANY.U64", "MATCH.ALL.U64", NULL}},
	{CODE_SPLIT, {"BSSY", NULL}},
	{CODE_JOIN, {"BSYNC", NULL}},
	{CODE_SYNC, {"WARPSYNC", NULL}},
	{CODE_YIELD, {"YIELD", NULL}},
	{CODE_BRANCH, {"BRA", "BRX", "JM", "CALL", "RET", "EXIT", NULL}},
};

CodeClass sass_class(const char *opcode)
{
	CodeClass class = CODE_OTHER;
	size_t longest = 0;

	if (sass_is_access(opcode))
		return CODE_OTHER;
	for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
		for (const char *const *prefix = classes[i].prefixes; *prefix; prefix++) {
			size_t n = strlen(*prefix);

			if (n > longest && strncmp(opcode, *prefix, n) == 0) {
				class = classes[i].class;
				longest = n;
			}
		}
	return class;
}

unsigned sass_access_registers(const char *opcode)
{
	if (has_base(opcode, "LDSM") || has_base(opcode, "STSM"))
		return sass_has_suffix(opcode, "4") ? 4 : sass_has_suffix(opcode, "2") ? 2 : 1;
	if (sass_has_suffix(opcode, "128"))
		return 4;
	if (sass_has_suffix(opcode, "64") || sass_has_suffix(opcode, "S64") ||
	    sass_has_suffix(opcode, "U64") || sass_has_suffix(opcode, "F64"))
		return 2;
	return 1;
}

static bool is_conversion(const char *opcode)
{
	static const char *const conversions[] = {"F2F", "F2I", "I2F", "FRND", NULL};

	return sass_is_one_of(opcode, conversions);
}

static bool names_64_bit_integer(const char *opcode)
{
	return sass_has_suffix(opcode, "S64") || sass_has_suffix(opcode, "U64") ||
	       sass_has_suffix(opcode, "64");
}

/* Of two types the text has the result's first: F2F.F64.F32, F2I.S64.F64. Of one, the operand's: F2I.F64, I2F.S64, but for I2F.F64. */
static bool makes_64_bits(const char *opcode)
{
	const char *wide = strstr(opcode, ".F64"), *narrow = strstr(opcode, ".F32");

	if (g_str_has_prefix(opcode, "F2I"))
		return names_64_bit_integer(opcode);
	return wide && (!narrow || wide < narrow);
}

static bool takes_64_bits(const char *opcode)
{
	if (g_str_has_prefix(opcode, "I2F"))
		return names_64_bit_integer(opcode);
	if (g_str_has_prefix(opcode, "F2F"))
		return strstr(opcode, ".F64") && !makes_64_bits(opcode);
	return strstr(opcode, ".F64") != NULL;
}

unsigned sass_operand_registers(const char *opcode, unsigned i, unsigned written)
{
	bool is_result = i < written;

	if (g_str_has_prefix(opcode, "DADD") || g_str_has_prefix(opcode, "DMUL") ||
	    g_str_has_prefix(opcode, "DFMA") || g_str_has_prefix(opcode, "DSETP") ||
	    g_str_has_prefix(opcode, "DMNMX"))
		return 2;
	if (sass_has_suffix(opcode, "WIDE")) /* product and addend have 64 bits, factors 32 */
		return is_result || i >= written + 2 ? 2 : 1;
	if (g_str_has_prefix(opcode, "CS2R"))
		return sass_has_suffix(opcode, "32") ? 1 : 2;
	if (g_str_has_prefix(opcode, "LDC") || g_str_has_prefix(opcode, "ULDC"))
		return is_result && sass_has_suffix(opcode, "64")    ? 2
		       : is_result && sass_has_suffix(opcode, "128") ? 4
								     : 1;
	if (is_conversion(opcode))
		return (is_result ? makes_64_bits(opcode) : takes_64_bits(opcode)) ? 2 : 1;
	if (g_str_has_prefix(opcode, "HMMA") || g_str_has_prefix(opcode, "IMMA"))
		return is_result || i == 3 ? 4 : i == 1 ? 4 : 2;
	return 1;
}

CacheHint sass_cache_hint(const char *opcode)
{
	if (strstr(opcode, ".CONSTANT"))
		return CACHE_READ_ONLY;
	if (strstr(opcode, ".STRONG") || strstr(opcode, ".VOLATILE"))
		return CACHE_BYPASS;
	if (strstr(opcode, ".EF") || strstr(opcode, ".LU") || strstr(opcode, ".NA"))
		return CACHE_STREAM;
	return CACHE_NORMAL;
}

Scope sass_fence_scope(const char *opcode)
{
	return strstr(opcode, ".SYS")	? SCOPE_SYSTEM
	       : strstr(opcode, ".GPU") ? SCOPE_DEVICE
					: SCOPE_BLOCK;
}
