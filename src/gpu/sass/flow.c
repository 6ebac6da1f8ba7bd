/* SPDX-License-Identifier: MIT */
/*
 * The first operands of an instruction are what it writes, the others what it reads; how many
 * registers each means follows from the opcode's suffixes. The forms are those of nvdisasm 13.0 for
 * sm_75 to sm_100. A form that is not known reads and writes one register where it names one, which
 * makes a dependence less, never one that is not there.
 */
#include "gpu/sass/flow.h"

#include <string.h>

#include "base/sass-class.h"
#include "gpu/sass/texture.h"

#define MAX_OPERANDS 16

typedef struct {
	const char *text;
	size_t length;
} Operand;

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

static guint count_written(const char *opcode, const Operand *operands, guint n)
{
	guint written = 0;

	if (sass_writes_none(opcode))
		return 0;
	if (strstr(opcode, "SETP") || strstr(opcode, "PLOP3"))
		return MIN(n, 2);
	if (g_str_has_prefix(opcode, "FCHK"))
		return MIN(n, 1);
	if (g_str_has_prefix(opcode, "VOTE"))
		return n > 0 ? n - 1 : 0;
	/* A predicate may be before the register that is written, and carries behind it. */
	while (written < n && is_predicate(&operands[written]))
		written++;
	if (written < n && is_register(&operands[written]))
		written++;
	while (written < n && written > 0 && is_predicate(&operands[written]))
		written++;
	return written;
}

/* c[0x0][0x210]: bank and byte. With a register, c[0x0][R2+0x210] or c[0x0][UR4+0x210], of the parameters where it begins to
   count from, for all of them are alike there; of another bank what the register is added to, in indexed_bank. */
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
	if (g_str_has_prefix(at, "RZ]")) {
		use->constant_bank = (int)bank;
		return;
	}
	if (*at == 'R' || *at == 'U') {
		end = strpbrk(at, "+]");
		if (!end || (bank == 0 && *end == ']'))
			return;
		offset = *end == '+' ? g_ascii_strtoull(end + 1, &end, 16) : 0;
		if (*end != ']')
			return;
		*(bank == 0 ? &use->constant_bank : &use->indexed_bank) = (int)bank;
		use->constant_offset = (uint32_t)offset;
		return;
	}
	offset = g_ascii_strtoull(at, &end, 16);
	if (end == at || *end != ']')
		return;
	use->constant_bank = (int)bank;
	use->constant_offset = (uint32_t)offset;
}

static void use_access(const char *opcode, const Operand *operands, guint n, guint written,
		       SassFlowUse *use)
{
	unsigned width = sass_access_registers(opcode);

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
			add_registers(&operands[i], sass_operand_registers(opcode, i, written),
				      list);
		if (i >= written)
			find_constant(&operands[i], use);
	}
}

static void use_texture(const SassInstruction *instruction, const Operand *operands, guint n,
			SassFlowUse *use)
{
	SassTexture texture;

	sass_texture(use->class, instruction->opcode, instruction->operands, &texture);
	for (guint i = 0; i < n; i++)
		add_registers(&operands[i], i < SASS_TEXTURE_OPERANDS ? texture.widths[i] : 1,
			      i < texture.written ? &use->writes : &use->reads);
	use->passes = (uint8_t)texture.passes;
}

/* Whether the special register that it reads may differ between lanes of a warp. */
static bool reads_own(const SassInstruction *instruction)
{
	const char *const name = strstr(instruction->operands, "SR_");

	return !name || g_str_has_prefix(name, "SR_TID") ||
	       g_str_has_prefix(name, "SR_LANEID") || g_str_has_prefix(name, "SR_CLOCK") ||
	       strstr(name, "MASK");
}

/* What lanes have in common (block, SM, cluster) comes by the unit of constants, a lane's own through the load/store unit
   (measurements/h200/starts.csv). With a guard it would be taken for a constant at an address in a register, which reads what it
   writes as well. */
static CodeClass class_of(const SassInstruction *instruction)
{
	if (g_str_has_prefix(instruction->opcode, "S2R") ||
	    g_str_has_prefix(instruction->opcode, "S2UR"))
		return instruction->guard < 0 && !reads_own(instruction) ? CODE_CONSTANT
									 : CODE_SYSTEM;
	/* It copies zeros, but for clocks. */
	if (g_str_has_prefix(instruction->opcode, "CS2R") &&
	    !strstr(instruction->operands, "SRZ"))
		return CODE_SYSTEM;
	return sass_class(instruction->opcode);
}

void sass_use(const SassInstruction *instruction, SassFlowUse *use)
{
	Operand operands[MAX_OPERANDS];
	guint n = split_operands(instruction->operands, operands);
	guint written = count_written(instruction->opcode, operands, n);

	memset(use, 0, sizeof(*use));
	use->class = class_of(instruction);
	use->guard = instruction->guard;
	use->constant_bank = use->indexed_bank = -1;
	if (sass_is_access(instruction->opcode))
		use_access(instruction->opcode, operands, n, written, use);
	else if (code_is_texture(use->class))
		use_texture(instruction, operands, n, use);
	else
		use_plain(instruction->opcode, operands, n, written, use);
	if (use->guard >= 0)
		for (uint8_t i = 0; i < use->writes.n; i++)
			add_value(&use->reads, use->writes.values[i]);
}
