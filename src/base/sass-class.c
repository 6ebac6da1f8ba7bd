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

/* Rows end with an empty name. The first row whose prefix fits an opcode's start counts. */
static CodeClass class_by_prefix(const char *opcode)
{
	static const struct {
		const char *prefix;
		CodeClass class;
	} rows[] = {
		{"IMAD.MOV", CODE_MOVE},
		{"IMAD", CODE_MUL},
		{"IMUL", CODE_MUL},
		{"XMAD", CODE_MUL},
		{"IDP", CODE_MUL},
		{"ISETP", CODE_COMPARE},
		{"FSETP", CODE_COMPARE},
		{"PLOP3", CODE_COMPARE},
		{"PSETP", CODE_COMPARE},
		{"HSETP2", CODE_COMPARE},
		{"R2P", CODE_COMPARE},
		{"FCHK", CODE_COMPARE},
		/* Conversions that the integer units do, at a fixed time. */
		{"I2FP", CODE_INT},
		{"I2IP", CODE_INT},
		{"F2FP", CODE_INT},
		{"FSEL", CODE_INT},
		{"FMNMX", CODE_INT},
		{"FADD", CODE_FLOAT},
		{"FMUL", CODE_FLOAT},
		{"FFMA", CODE_FLOAT},
		{"FSWZADD", CODE_FLOAT},
		{"HMMA", CODE_MATRIX},
		{"IMMA", CODE_MATRIX},
		{"BMMA", CODE_MATRIX},
		{"DMMA", CODE_MATRIX},
		{"QMMA", CODE_MATRIX},
		{"DADD", CODE_DOUBLE},
		{"DMUL", CODE_DOUBLE},
		{"DFMA", CODE_DOUBLE},
		{"DSETP", CODE_DOUBLE},
		{"DMNMX", CODE_DOUBLE},
		{"HADD2", CODE_HALF},
		{"HMUL2", CODE_HALF},
		{"HFMA2", CODE_HALF},
		{"HMNMX2", CODE_HALF},
		{"MUFU", CODE_SPECIAL},
		{"I2F", CODE_CONVERT},
		{"F2I", CODE_CONVERT},
		{"F2F", CODE_CONVERT},
		{"I2I", CODE_CONVERT},
		{"FRND", CODE_CONVERT},
		{"POPC", CODE_CONVERT},
		{"FLO", CODE_CONVERT},
		{"BREV", CODE_CONVERT},
		{"MOV", CODE_MOVE},
		{"CS2R", CODE_MOVE}, /* but for clocks, see below */
		{"LDC", CODE_CONSTANT},
		{"VOTE", CODE_VOTE},
		{"S2R", CODE_SYSTEM},
		{"S2UR", CODE_SYSTEM},
		{"B2R", CODE_SYSTEM},
		{"SHFL", CODE_SHUFFLE},
		{"REDUX", CODE_REDUCE},
		{"CREDUX", CODE_REDUCE},
		{"MATCH", CODE_MATCH},
		{"BSSY", CODE_SPLIT},
		{"BSYNC", CODE_JOIN},
		{"WARPSYNC", CODE_SYNC},
		{"YIELD", CODE_YIELD},
		{"BRA", CODE_BRANCH},
		{"BRX", CODE_BRANCH},
		{"JM", CODE_BRANCH},
		{"CALL", CODE_BRANCH},
		{"RET", CODE_BRANCH},
		{"EXIT", CODE_BRANCH},
		{"IADD", CODE_INT},
		{"ISCADD", CODE_INT},
		{"IABS", CODE_INT},
		{"IMNMX", CODE_INT},
		{"LEA", CODE_INT},
		{"LOP", CODE_INT},
		{"SHF", CODE_INT},
		{"SHL", CODE_INT},
		{"SHR", CODE_INT},
		{"SEL", CODE_INT},
		{"SGXT", CODE_INT},
		{"BMSK", CODE_INT},
		{"PRMT", CODE_INT},
		{"P2R", CODE_INT},
		{"VI", CODE_INT},
		{"VABSDIFF", CODE_INT},
		{"", CODE_OTHER},
	};

	for (guint i = 0;; i++)
		if (g_str_has_prefix(opcode, rows[i].prefix))
			return rows[i].class;
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
		"UTMASTG",   "UBLKCP", "SYNCS", "WARPGROUP", NULL};

	return sass_is_one_of(opcode, none);
}

CodeClass sass_class(const char *opcode)
{
	if (sass_is_access(opcode))
		return CODE_OTHER;
	if (g_str_has_prefix(opcode, "VOTEU"))
		return CODE_VOTE;
	if (g_str_has_prefix(opcode, "R2UR"))
		return CODE_UNIFORM;
	if (opcode[0] == 'U' && !g_str_has_prefix(opcode, "UTMA") &&
	    !g_str_has_prefix(opcode, "UBLK"))
		return CODE_UNIFORM;
	return class_by_prefix(opcode);
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
	if (g_str_has_prefix(opcode, "F2F.F64") || g_str_has_prefix(opcode, "I2F.F64"))
		return is_result || sass_has_suffix(opcode, "S64") ||
				       sass_has_suffix(opcode, "U64")
			       ? 2
			       : 1;
	if (g_str_has_prefix(opcode, "F2I"))
		return is_result			? (strstr(opcode, "64.") ? 2 : 1)
		       : sass_has_suffix(opcode, "F64") ? 2
							: 1;
	if (g_str_has_prefix(opcode, "F2F") || g_str_has_prefix(opcode, "I2F"))
		return !is_result && (sass_has_suffix(opcode, "F64") ||
				      sass_has_suffix(opcode, "S64") ||
				      sass_has_suffix(opcode, "U64"))
			       ? 2
			       : 1;
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
