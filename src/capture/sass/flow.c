/* SPDX-License-Identifier: MIT */
/*
 * The first operands of an instruction are what it writes, the others what it reads; how many
 * registers each means follows from the opcode's suffixes. The forms are those of nvdisasm 13.0 for
 * sm_75 to sm_100. A form that is not known reads and writes one register where it names one, which
 * makes a dependence less, never one that is not there.
 */
#include "capture/sass/flow.h"

#include <string.h>

#include "base/sass-suffix.h"

#define MAX_OPERANDS 16

typedef struct {
	const char *text;
	size_t length;
} Operand;

/* ---- Opcodes */

static bool has_base(const char *opcode, const char *base)
{
	size_t n = strcspn(opcode, ".");

	return strlen(base) == n && memcmp(opcode, base, n) == 0;
}

static bool is_one_of(const char *opcode, const char *const *bases)
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

static bool is_access(const char *opcode)
{
	static const char *const accesses[] = {
		"LDS",	  "STS",   "ATOMS", "LDG",  "STG",  "LD",     "ST",
		"ATOM",	  "ATOMG", "RED",   "REDG", "REDS", "LDSM",   "STSM",
		"LDGSTS", "LDL",   "STL",   "BAR",  "LDTM", "MEMBAR", NULL};

	return is_one_of(opcode, accesses);
}

static CodeClass class_of(const SassInstruction *instruction)
{
	const char *opcode = instruction->opcode;

	if (is_access(opcode))
		return CODE_OTHER;
	if (g_str_has_prefix(opcode, "VOTEU"))
		return CODE_VOTE;
	if (g_str_has_prefix(opcode, "CS2R") && !strstr(instruction->operands, "SRZ"))
		return CODE_SYSTEM;
	if (g_str_has_prefix(opcode, "R2UR"))
		return CODE_UNIFORM;
	if (opcode[0] == 'U' && !g_str_has_prefix(opcode, "UTMA") &&
	    !g_str_has_prefix(opcode, "UBLK"))
		return CODE_UNIFORM;
	return class_by_prefix(opcode);
}

/* Registers of one datum of an access. */
static unsigned access_registers(const char *opcode)
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

/* ---- Operands */

static guint split_operands(const char *text, Operand operands[MAX_OPERANDS])
{
	guint n = 0;
	int depth = 0;
	const char *start = text;

	for (const char *at = text;; at++) {
		if (*at == '[' || *at == '(')
			depth++;
		else if (*at == ']' || *at == ')')
			depth--;
		if ((*at == ',' && depth <= 0) || *at == '\0') {
			while (*start == ' ')
				start++;
			if (at > start && n < MAX_OPERANDS)
				operands[n++] = (Operand){start, (size_t)(at - start)};
			start = at + 1;
		}
		if (*at == '\0')
			return n;
	}
}

static void add_value(SassValues *list, int value)
{
	for (uint8_t i = 0; i < list->n; i++)
		if (list->values[i] == value)
			return;
	if (list->n < SASS_MAX_USES)
		list->values[list->n++] = (uint16_t)value;
}

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/*
 * The register that begins at `at`, or -1 if it is none, or holds nothing. *n gets the length of its
 * name, 0 if there is none.
 */
static int register_at(const char *at, size_t *n)
{
	bool uniform = at[0] == 'U';
	const char *kind = at + uniform;
	const char *digits = kind + 1;
	size_t length = 0;

	*n = 0;
	if (*kind != 'R' && *kind != 'P')
		return -1;
	while (g_ascii_isdigit(digits[length]))
		length++;
	if (length == 0 || length > 3 || is_word(digits[length])) {
		/* RZ, PT: named, but no value. */
		if ((*kind == 'R' && digits[0] == 'Z') || (*kind == 'P' && digits[0] == 'T'))
			*n = is_word(digits[1]) ? 0 : (size_t)(digits + 1 - at);
		return -1;
	}
	*n = (size_t)(digits + length - at);

	int number = (int)g_ascii_strtoull(digits, NULL, 10);

	if (*kind == 'P')
		return number > 7
			       ? -1
			       : number + (uniform ? SASS_UNIFORM_PREDICATE : SASS_PREDICATE);
	if (uniform)
		return number > 126 ? -1 : SASS_UNIFORM + number;
	return number > 254 ? -1 : number;
}

/* Adds all registers that the operand names, each as `width` registers; one with .64 behind it, and
   a descriptor, are two. */
static void add_registers(const Operand *operand, unsigned width, SassValues *list)
{
	const char *end = operand->text + operand->length;
	bool is_descriptor = g_str_has_prefix(operand->text, "desc[");

	for (const char *at = operand->text; at < end;) {
		size_t n = 0;
		bool begins = at == operand->text || !is_word(at[-1]);
		int value = begins ? register_at(at, &n) : -1;

		if (n == 0) {
			at++;
			continue;
		}
		if (value >= 0) {
			unsigned count = width;

			if (value >= SASS_PREDICATE)
				count = 1;
			else if (g_str_has_prefix(at + n, ".64") ||
				 (is_descriptor && at == operand->text + 5))
				count = MAX(width, 2u);
			for (unsigned i = 0; i < count; i++)
				add_value(list, value + (int)i);
		}
		at += n;
	}
}

/* P0, PT, UP3, without a "!" before it. */
static bool is_predicate(const Operand *operand)
{
	const char *text = operand->text + (operand->text[0] == 'U');

	return text[0] == 'P' && (g_ascii_isdigit(text[1]) || text[1] == 'T') &&
	       (size_t)(text + 2 - operand->text) == operand->length;
}

static bool is_register(const Operand *operand)
{
	const char *text = operand->text + (operand->text[0] == 'U');

	return text[0] == 'R' && (g_ascii_isdigit(text[1]) || text[1] == 'Z');
}

static bool is_address(const Operand *operand)
{
	return operand->text[0] == '[' || g_str_has_prefix(operand->text, "desc[");
}

/* ---- How many operands are written */

static guint count_written(const char *opcode, const Operand *operands, guint n)
{
	static const char *const none[] = {
		"ST",	     "STG",    "STS",	"STL",	     "STSM",	 "RED",	   "REDG",
		"REDS",	     "BAR",    "BRA",	"BRX",	     "JMP",	 "JMX",	   "EXIT",
		"BSSY",	     "BSYNC",  "NOP",	"BREAK",     "WARPSYNC", "MEMBAR", "DEPBAR",
		"LDGDEPBAR", "YIELD",  "CALL",	"CCTL",	     "ERRBAR",	 "KILL",   "RET",
		"NANOSLEEP", "LDGSTS", "BPT",	"FENCE",     "BRXU",	 "JMXU",   "UTMALDG",
		"UTMASTG",   "UBLKCP", "SYNCS", "WARPGROUP", NULL};
	guint written = 0;

	if (is_one_of(opcode, none))
		return 0;
	if (strstr(opcode, "SETP") || strstr(opcode, "PLOP3"))
		return MIN(n, 2);
	if (g_str_has_prefix(opcode, "FCHK"))
		return MIN(n, 1);
	if (g_str_has_prefix(opcode, "VOTE"))
		return n > 0 ? n - 1 : 0;
	/* A predicate may stand before the register that is written, and carries behind it. */
	while (written < n && is_predicate(&operands[written]))
		written++;
	if (written < n && is_register(&operands[written]))
		written++;
	while (written < n && written > 0 && is_predicate(&operands[written]))
		written++;
	return written;
}

/* Registers that operand `i` of an instruction means that is no access. */
static unsigned registers_of(const char *opcode, guint i, guint written)
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

/* c[0x0][0x210]: bank and byte, if no register takes part. */
static void find_constant(const Operand *operand, SassFlowUse *use)
{
	const char *at = g_strstr_len(operand->text, (gssize)operand->length, "c[");
	char *end;

	if (!at || (at > operand->text && is_word(at[-1])))
		return;

	guint64 bank = g_ascii_strtoull(at + 2, &end, 16), offset;

	if (end == at + 2 || !g_str_has_prefix(end, "]["))
		return;
	at = end + 2;
	offset = g_ascii_strtoull(at, &end, 16);
	if (end == at || *end != ']')
		return;
	use->constant_bank = (int)bank;
	use->constant_offset = (uint32_t)offset;
}

static void use_access(const char *opcode, const Operand *operands, guint n, guint written,
		       SassFlowUse *use)
{
	unsigned width = access_registers(opcode);

	for (guint i = 0; i < n; i++) {
		if (i < written)
			add_registers(&operands[i], width, &use->writes);
		else if (is_address(&operands[i]))
			add_registers(&operands[i], 1, &use->address);
		else
			add_registers(&operands[i], width, &use->data);
	}
}

static void use_plain(const char *opcode, const Operand *operands, guint n, guint written,
		      SassFlowUse *use)
{
	for (guint i = 0; i < n; i++) {
		SassValues *list = i < written ? &use->writes : &use->reads;

		if (operands[i].length == 2 && memcmp(operands[i].text, "PR", 2) == 0)
			/* All predicates as one. */
			for (int p = 0; p < 7; p++)
				add_value(g_str_has_prefix(opcode, "R2P") ? &use->writes
									  : &use->reads,
					  SASS_PREDICATE + p);
		else
			add_registers(&operands[i], registers_of(opcode, i, written), list);
		if (i >= written)
			find_constant(&operands[i], use);
	}
}

void sass_use(const SassInstruction *instruction, SassFlowUse *use)
{
	Operand operands[MAX_OPERANDS];
	guint n = split_operands(instruction->operands, operands);
	guint written = count_written(instruction->opcode, operands, n);

	memset(use, 0, sizeof(*use));
	use->class = class_of(instruction);
	use->guard = instruction->guard;
	use->constant_bank = -1;
	if (is_access(instruction->opcode))
		use_access(instruction->opcode, operands, n, written, use);
	else
		use_plain(instruction->opcode, operands, n, written, use);
	if (use->guard >= 0)
		for (uint8_t i = 0; i < use->writes.n; i++)
			add_value(&use->reads, use->writes.values[i]);
}
