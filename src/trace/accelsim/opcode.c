/* SPDX-License-Identifier: MIT */
/*
 * Names of machine instructions, Kepler to Hopper: NVIDIA, CUDA Binary Utilities, "Instruction Set
 * Reference". A name is a word and suffixes: ATOMS.ADD.S32, LDG.E.64.
 */
#include "trace/accelsim/accelsim.h"

#include <string.h>

#include "base/names.h"
#include "base/sass-class.h"
#include "base/sass-suffix.h"

/* A name is kept for each; no program has more. */
#define MAX_OPCODES 4096

typedef struct {
	const char *word;
	OpcodeKind kind;
	Space space;
	gboolean reduction;
} Row;

static const Row rows[] = {
	{"LDS", OPCODE_LOAD, SPACE_SHARED, FALSE},
	{"STS", OPCODE_STORE, SPACE_SHARED, FALSE},
	{"ATOMS", OPCODE_ATOMIC, SPACE_SHARED, FALSE},
	{"REDS", OPCODE_ATOMIC, SPACE_SHARED, TRUE},
	/* Kepler locks a word, and stores and unlocks it. */
	{"LDSLK", OPCODE_LOAD, SPACE_SHARED, FALSE},
	{"STSCUL", OPCODE_STORE, SPACE_SHARED, FALSE},
	{"STSUL", OPCODE_STORE, SPACE_SHARED, FALSE},
	{"LDG", OPCODE_LOAD, SPACE_GLOBAL, FALSE},
	{"STG", OPCODE_STORE, SPACE_GLOBAL, FALSE},
	{"ATOMG", OPCODE_ATOMIC, SPACE_GLOBAL, FALSE},
	{"REDG", OPCODE_ATOMIC, SPACE_GLOBAL, TRUE},
	{"LD", OPCODE_LOAD, SPACE_GENERIC, FALSE},
	{"ST", OPCODE_STORE, SPACE_GENERIC, FALSE},
	{"ATOM", OPCODE_ATOMIC, SPACE_GENERIC, FALSE},
	{"RED", OPCODE_ATOMIC, SPACE_GENERIC, TRUE},
	{"BAR", OPCODE_BARRIER, SPACE_SHARED, FALSE},
	{"MEMBAR", OPCODE_FENCE, SPACE_SHARED, FALSE},
	{"EXIT", OPCODE_EXIT, SPACE_SHARED, FALSE},
	{"KILL", OPCODE_EXIT, SPACE_SHARED, FALSE},
	/* Matrices, copies by other units, and barriers in shared memory. */
	{"LDSM", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"STSM", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"LDGSTS", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"STAS", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"REDAS", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"SYNCS", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"ARRIVES", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"HGMMA", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"IGMMA", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"BGMMA", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"QGMMA", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"UBLKCP", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"UBLKRED", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"UTMALDG", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"UTMASTG", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
	{"UTMAREDG", OPCODE_UNRECORDED, SPACE_SHARED, FALSE},
};

/* Arithmetic, control, constants, local memory, textures, surfaces: words between blanks. */
static const char arithmetic[] =
	" FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZ FSWZADD "
	"MUFU "
	"RRO FRND HADD2 HADD2_32I HFMA2 HFMA2_32I HMMA HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 "
	"DADD "
	"DFMA DMMA DMNMX DMUL DSET DSETP BMMA IMMA BFE BFI BMSK BREV FLO IABS IADD IADD3 "
	"IADD32I "
	"ICMP IDP IDP4A IMAD IMAD32I IMADSP IMNMX IMUL IMUL32I ISAD ISCADD ISCADD32I ISET "
	"ISETP LEA "
	"LOP LOP3 LOP32I POPC SHF SHL SHR SGXT VABSDIFF VABSDIFF4 VADD VIADD VIADDMNMX VIMNMX "
	"VIMNMX3 VHMNMX XMAD F2F F2FP F2I F2IP I2F I2FP I2I I2IP MOV MOV32I MOVM PRMT SEL SHFL "
	"CSET CSETP P2R PLOP3 PSET PSETP R2P VOTE VOTEU MATCH REDUX ELECT R2UR R2B B2R S2R "
	"S2UR CS2R "
	"CS2UR UP2UR UR2UP UBMSK UBREV UCLEA UF2FP UFLO UFSETP UIADD3 UIMAD UIMNMX UISETP ULEA "
	"ULOP ULOP3 ULOP32I UMOV UPLOP3 UPOPC UPRMT UPSETP USEL USGXT USHF USHL USHR UVIADD "
	"UVIMNMX "
	"BMOV BPT BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL CONT JCAL JMP JMX JMXU LONGJMP "
	"NANOSLEEP "
	"NOP PBK PCNT PRET PLONGJMP PMTRIG RET RPCMOV RTT SAM RAM SSY SYNC WARPSYNC WARPGROUP "
	"WARPGROUPSET YIELD DEPBAR LDGDEPBAR TEXDEPBAR GETLMEMBASE SETLMEMBASE SETCTAID LEPC "
	"ERRBAR "
	"CGAERRBAR FENCE CCTL CCTLL CCTLT QSPC ACQBULK PREEXIT USETMAXREG UCGABAR_ARV "
	"UCGABAR_WAIT UTMACCTL UTMACMDFLUSH UTMAPF UBLKPF LDC LDCU ULDC LDL STL TEX TEXS TLD "
	"TLD4 "
	"TLD4S TLDS TMML TXD TXQ TXA SUATOM SULD SURED SUST SUQ ";

static gboolean is_arithmetic(const char *word, size_t length)
{
	g_autofree char *wanted = g_strdup_printf(" %.*s ", (int)length, word);

	return strstr(arithmetic, wanted) != NULL;
}

/* Bytes a lane: LDS.64, LDG.E.U8; 4 if the name does not say. */
static uint8_t width_of(const char *name)
{
	static const struct {
		const char *suffix;
		uint8_t bytes;
	} widths[] = {{"8", 1},	 {"U8", 1},  {"S8", 1},	 {"16", 2},  {"U16", 2}, {"S16", 2},
		      {"64", 8}, {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}};

	for (guint i = 0; i < G_N_ELEMENTS(widths); i++)
		if (sass_has_suffix(name, widths[i].suffix))
			return widths[i].bytes;
	return 4;
}

static bool set_operation(Opcode *opcode)
{
	Operation operation = OPERATION_ADD;
	ValueType type = TYPE_U32;

	if (!sass_operation(opcode->name, &operation) || !sass_value_type(opcode->name, &type))
		return false;
	opcode->operation = operation;
	opcode->type = type;
	opcode->width = value_type_bytes[type];
	return true;
}

static void classify(Opcode *opcode)
{
	size_t length = strcspn(opcode->name, ".");

	opcode->width = width_of(opcode->name);
	opcode->cache = sass_cache_hint(opcode->name);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (strlen(rows[i].word) != length ||
		    memcmp(rows[i].word, opcode->name, length) != 0)
			continue;
		opcode->kind = rows[i].kind;
		opcode->space = rows[i].space;
		opcode->reduction = rows[i].reduction;
		/* Of such a global atomic only its bytes are recorded. */
		if (opcode->kind == OPCODE_ATOMIC)
			opcode->untyped = !set_operation(opcode);
		if ((opcode->untyped || opcode->type >= N_SHARED_TYPES) &&
		    opcode->space == SPACE_SHARED)
			opcode->kind = OPCODE_UNRECORDED;
		/* It does not wait for the block. */
		if (opcode->kind == OPCODE_BARRIER && sass_has_suffix(opcode->name, "ARV"))
			opcode->kind = OPCODE_UNRECORDED;
		return;
	}
	opcode->kind = is_arithmetic(opcode->name, length) ? OPCODE_ARITHMETIC : OPCODE_UNKNOWN;
}

GHashTable *opcodes_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
}

Opcode *opcodes_get(GHashTable *opcodes, const char *name)
{
	Opcode *opcode = g_hash_table_lookup(opcodes, name);

	if (opcode || g_hash_table_size(opcodes) >= MAX_OPCODES)
		return opcode;
	opcode = g_malloc0(sizeof(*opcode) + strlen(name) + 1);
	strcpy(opcode->name, name);
	classify(opcode);
	g_hash_table_insert(opcodes, opcode->name, opcode);
	return opcode;
}
