/* SPDX-License-Identifier: MIT */
/* What instructions read and write, and the way of a warp through the code. */
#include <glib.h>
#include <string.h>

#include "gpu/convert/walk.h"
#include "gpu/sass/flow.h"

/* "R2 R3": the values of a list. */
static char *tell(const SassValues *list)
{
	GString *text = g_string_new(NULL);

	for (uint8_t i = 0; i < list->n; i++) {
		int value = list->values[i];

		g_string_append_printf(text, "%s%s%d", i ? " " : "",
				       value >= SASS_UNIFORM_PREDICATE ? "UP"
				       : value >= SASS_PREDICATE       ? "P"
				       : value >= SASS_UNIFORM	       ? "UR"
								       : "R",
				       value >= SASS_UNIFORM_PREDICATE
					       ? value - SASS_UNIFORM_PREDICATE
				       : value >= SASS_PREDICATE ? value - SASS_PREDICATE
				       : value >= SASS_UNIFORM	 ? value - SASS_UNIFORM
								 : value);
	}
	return g_string_free(text, FALSE);
}

static void operands_are_told_apart(void)
{
	static const struct {
		const char *text;
		CodeClass class;
		const char *writes, *reads, *address, *data;
	} rows[] = {
		{"IMAD.WIDE R6, R2, 0x4, R8", CODE_WIDE, "R6 R7", "R2 R8 R9", "", ""},
		{"IADD3 R4, P0, P1, R5, -R6.reuse, RZ", CODE_INT, "R4 P0 P1", "R5 R6", "", ""},
		{"IADD3.X R5, R5, UR7, RZ, P0, !PT", CODE_INT, "R5", "R5 UR7 P0", "", ""},
		{"ISETP.GE.U32.AND.EX P2, PT, R4, R3, PT, P1", CODE_COMPARE, "P2", "R4 R3 P1",
		 "", ""},
		{"LOP3.LUT P0, R12, R0, 0x3, RZ, 0xc0, !PT", CODE_INT, "P0 R12", "R0", "", ""},
		{"@!P1 SEL R3, R3, R4, P0", CODE_INT, "R3", "R3 R4 P0", "", ""},
		{"MOV R1, c[0x0][0x28]", CODE_MOVE, "R1", "", "", ""},
		{"ULDC.64 UR4, c[0x0][0x208]", CODE_UNIFORM, "UR4 UR5", "", "", ""},
		{"DFMA R4, R6, -R8, R10", CODE_DOUBLE, "R4 R5", "R6 R7 R8 R9 R10 R11", "", ""},
		{"F2F.F32.F64 R3, R4", CODE_CONVERT, "R3", "R4 R5", "", ""},
		{"FCHK P0, R3, R21", CODE_COMPARE, "P0", "R3 R21", "", ""},
		{"VOTE.ANY R5, PT, P0", CODE_VOTE, "R5", "P0", "", ""},
		{"SHFL.DOWN P1, R3, R4, 0x10, 0x1f", CODE_SHUFFLE, "P1 R3", "R4", "", ""},
		{"LDG.E.64 R2, desc[UR6][R8.64+0x10]", CODE_OTHER, "R2 R3", "", "UR6 UR7 R8 R9",
		 ""},
		{"STS.128 [R4+UR5], R8", CODE_OTHER, "", "", "R4 UR5", "R8 R9 R10 R11"},
		{"ATOMS.CAS.64 R2, [R9], R4, R6", CODE_OTHER, "R2 R3", "", "R9", "R4 R5 R6 R7"},
		{"ATOMG.E.ADD.STRONG.GPU PT, R7, desc[UR4][R2.64], R5", CODE_OTHER, "R7", "",
		 "UR4 UR5 R2 R3", "R5"},
		{"RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", CODE_OTHER, "", "",
		 "UR4 UR5 R2 R3", "R5"},
		/* What stands in brackets is one operand. */
		{"STS [R4, UR5], R8", CODE_OTHER, "", "", "R4 UR5", "R8"},
		{"BRA `(.L_x_1)", CODE_BRANCH, "", "", "", ""},
		/* What lanes have in common comes as constants do. */
		{"S2R R3, SR_TID.Y", CODE_SYSTEM, "R3", "", "", ""},
		{"S2R R3, SR_LANEID", CODE_SYSTEM, "R3", "", "", ""},
		{"S2R R3, SR_LTMASK", CODE_SYSTEM, "R3", "", "", ""},
		{"S2R R3, SR_CTAID.Z", CODE_CONSTANT, "R3", "", "", ""},
		{"S2R R3, SR_VIRTUALSMID", CODE_CONSTANT, "R3", "", "", ""},
		{"S2UR UR5, SR_CgaCtaId", CODE_CONSTANT, "UR5", "", "", ""},
		{"@!P1 S2R R3, SR_CTAID.X", CODE_SYSTEM, "R3", "R3", "", ""},
		/* Of a texel as many registers as channels: the first two in the second operand. */
		{"TEX.LL RZ, R10, R2, R7, UR4, 0x0, 2D, 0x1", CODE_TEXTURE, "R10",
		 "R2 R3 R7 UR4", "", ""},
		{"TEX.LL R12, R10, R2, R7, UR4, 0x0, 2D", CODE_TEXTURE, "R12 R13 R10 R11",
		 "R2 R3 R7 UR4", "", ""},
		{"TEX.LL RZ, R10, R2, R6, UR4, 0x0, 3D, 0x3", CODE_TEXTURE, "R10 R11",
		 "R2 R3 R6 R7 UR4", "", ""},
		{"TLD.LZ R16, R20, R14, UR4, 0x0, 1D, 0x7", CODE_TEXEL, "R16 R20 R21",
		 "R14 UR4", "", ""},
		{"SULD.D.BA.2D.64.STRONG.SM.TRAP R4, [R2], UR6, 0x0", CODE_TEXEL, "R4 R5",
		 "R2 R3 UR6", "", ""},
		{"SUST.D.BA.2D.STRONG.SM.TRAP [R6], R9, UR6, 0x0", CODE_TEXEL, "",
		 "R6 R7 R9 UR6", "", ""},
		{"P2R R0, PR, RZ, 0x7f", CODE_INT, "R0", "P0 P1 P2 P3 P4 P5 P6", "", ""},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code = g_strdup_printf(
			".target sm_90\n.text.k:\n/*0000*/ %s ;\n", rows[i].text);
		g_autoptr(Sass) sass = sass_parse(code);
		const SassFunction *function = g_ptr_array_index(sass->functions, 0);
		SassFlowUse use;

		sass_use(sass_instruction(function, 0), &use);

		g_autofree char *writes = tell(&use.writes), *reads = tell(&use.reads);
		g_autofree char *address = tell(&use.address), *data = tell(&use.data);

		g_test_message("%s", rows[i].text);
		g_assert_cmpint(use.class, ==, rows[i].class);
		g_assert_cmpstr(writes, ==, rows[i].writes);
		g_assert_cmpstr(reads, ==, rows[i].reads);
		g_assert_cmpstr(address, ==, rows[i].address);
		g_assert_cmpstr(data, ==, rows[i].data);
		g_assert_cmpint(use.guard, ==,
				rows[i].text[0] == '@' ? SASS_PREDICATE + 1 : -1);
	}
}

static void constants_have_bank_and_place(void)
{
	g_autoptr(Sass) sass = sass_parse(".target sm_90\n.text.k:\n"
					  "/*0000*/ IMAD R3, R4, c[0x0][0x21c], R5 ;\n"
					  "/*0010*/ LDC R3, c[0x3][R4+0x10] ;\n"
					  "/*0020*/ LDC R3, c[0x0][R4+0x240] ;\n"
					  "/*0030*/ LDC R3, c[0x0][RZ] ;\n"
					  "/*0040*/ ULDC UR5, c[0x0][UR4+0x218] ;\n");
	const SassFunction *function = g_ptr_array_index(sass->functions, 0);
	SassFlowUse use;

	sass_use(sass_instruction(function, 0), &use);
	g_assert_cmpint(use.constant_bank, ==, 0);
	g_assert_cmpuint(use.constant_offset, ==, 0x21c);
	sass_use(sass_instruction(function, 1), &use);
	g_assert_cmpint(use.constant_bank, ==, -1); /* which line depends on R4 */
	g_assert_cmpint(use.indexed_bank, ==, 3);
	g_assert_cmpuint(use.constant_offset, ==, 0x10);
	g_assert_cmpuint(use.reads.n, ==, 1);
	sass_use(sass_instruction(function, 2), &use);
	g_assert_cmpint(use.constant_bank, ==,
			0); /* parameters: the place that R4 counts from */
	g_assert_cmpint(use.indexed_bank, ==, -1);
	g_assert_cmpuint(use.constant_offset, ==, 0x240);
	g_assert_cmpuint(use.reads.n, ==, 1);
	sass_use(sass_instruction(function, 3), &use);
	g_assert_cmpint(use.constant_bank, ==, 0);
	g_assert_cmpuint(use.constant_offset, ==, 0);
	g_assert_cmpuint(use.reads.n, ==, 0);
	sass_use(sass_instruction(function, 4), &use);
	g_assert_cmpint(use.constant_bank, ==, 0);
	g_assert_cmpuint(use.constant_offset, ==, 0x218);
	g_assert_cmpuint(use.reads.n, ==, 1);
}

/* Who reads first what an instruction of variable latency has written must wait for it, by its scoreboard: a check of def and use on real
   code. */
#define CODE_WITH_CONTROL                                                                      \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ S2R R0, SR_TID.X ; /* 0x0000000000007919 */\n/* 0x000e2e0000002100 */\n"     \
	"/*0010*/ LDC R4, c[0x0][RZ] ; /* 0x00000000ff047b82 */\n/* 0x000e620000000800 */\n"   \
	"/*0020*/ IMAD.SHL.U32 R3, R4, 0x2, RZ ; /* 0x0000000204037824 */\n"                   \
	"/* 0x002fca00078e00ff */\n"                                                           \
	"/*0030*/ IMAD R2, R3, UR4, R0 ; /* 0x0000000403027c24 */\n"                           \
	"/* 0x001fe2000f8e0200 */\n"

static void first_readers_wait_for_what_they_read(void)
{
	g_autoptr(Sass) sass = sass_parse(CODE_WITH_CONTROL);
	const SassFunction *function = g_ptr_array_index(sass->functions, 0);
	guint n_pairs = 0;

	g_assert_cmpuint(function->instructions->len, ==, 4);
	for (int i = 0; i < 4; i++) {
		const int scoreboard = sass_instruction(function, i)->scoreboard;
		SassFlowUse use, reader;
		bool found = false;

		sass_use(sass_instruction(function, i), &use);
		for (int k = i + 1; scoreboard >= 0 && k < 4 && !found; k++) {
			sass_use(sass_instruction(function, k), &reader);
			for (uint8_t r = 0; r < reader.reads.n; r++)
				found |= reader.reads.values[r] == use.writes.values[0];
			if (found) {
				g_assert_cmpuint(
					sass_instruction(function, k)->waits >> scoreboard & 1,
					==, 1);
				n_pairs++;
			}
		}
	}
	g_assert_cmpuint(n_pairs, ==, 2);
}

/* An instruction, the scoreboard that it counts on (7: none) and a bit for each that it waits for; the last addition of each row is asked
   what it waits for. */
static void results_that_share_a_scoreboard_are_waited_for_together(void)
{
	static const struct {
		const char *waits;
		struct {
			const char *text;
			unsigned counts_on, waits;
		} code[8];
	} rows[] = {
		{"R5 R4",
		 {{"LDG.E R4, [R2.64]", 5, 0},
		  {"LDG.E R5, [R2.64]", 5, 0},
		  {"LDG.E R6, [R2.64]", 4, 0},
		  {"FADD R0, R4, R4", 7, 0x20}}},
		{"R4 R6",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {"LDG.E R5, [R2.64]", 1, 0},
		  {"LDG.E R6, [R2.64]", 5, 0},
		  {"FADD R0, R4, R4", 7, 0x21}}},
		/* Who waited before has waited for all until then. */
		{"R5",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {"FADD R0, R4, R4", 7, 1},
		  {"LDG.E R5, [R2.64]", 0, 0},
		  {"FADD R0, R5, R5", 7, 1}}},
		{"R5",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {"LDG.E R5, [R4.64]", 0, 1},
		  {"FADD R0, R5, R5", 7, 1}}},
		/* What else has written the value is not waited for. */
		{"R5",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {"LDG.E R5, [R2.64]", 0, 0},
		  {"MOV R4, R9", 7, 0},
		  {"FADD R0, R5, R5", 7, 1}}},
		/* The text goes on behind a branch that may fall through, not behind one that is always taken. */
		{"R4",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {"@P0 BRA `(.L_x_1)", 7, 0},
		  {"FADD R0, R5, R5", 7, 1}}},
		{"",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {"BRA `(.L_x_1)", 7, 0},
		  {"FADD R0, R5, R5", 7, 1}}},
		{"R8 R7 R6 R5",
		 {{"LDG.E R4, [R2.64]", 2, 0},
		  {"LDG.E R5, [R2.64]", 2, 0},
		  {"LDG.E R6, [R2.64]", 2, 0},
		  {"LDG.E R7, [R2.64]", 2, 0},
		  {"LDG.E R8, [R2.64]", 2, 0},
		  {"FADD R0, R4, R4", 7, 4}}},
		/* Of a loop what the round before has left, not what was before the first. */
		{"R5",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {".L_x_1:", 0, 0},
		  {"FADD R0, R5, R5", 7, 1},
		  {"LDG.E R5, [R2.64]", 0, 0},
		  {"LDG.E R4, [R2.64]", 3, 0},
		  {"@P0 BRA `(.L_x_1)", 7, 0}}},
		{"",
		 {{"LDG.E R4, [R2.64]", 0, 0},
		  {"CALL.REL.NOINC `(f)", 7, 0},
		  {"FADD R0, R5, R5", 7, 1}}},
		/* A store leaves no result that could be waited for. */
		{"", {{"STG.E [R2.64], R4", 0, 0}, {"FADD R0, R4, R4", 7, 1}}},
		{"", {{"LDG.E R4, [R2.64]", 0, 0}, {"FADD R0, R4, R4", 7, 0}}},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GString) code = g_string_new(".target sm_90\n.text.k:\n");
		SassValues waits;
		guint n = 0, asked = 0;

		for (guint k = 0; k < G_N_ELEMENTS(rows[i].code) && rows[i].code[k].text; k++) {
			if (rows[i].code[k].text[0] == '.') {
				g_string_append_printf(code, "%s\n", rows[i].code[k].text);
				continue;
			}
			asked = g_str_has_prefix(rows[i].code[k].text, "FADD") ? n : asked;
			g_string_append_printf(code,
					       "/*%04x*/ %s ; /* 0x0000000000000000 */\n"
					       "\t/* 0x%016" G_GINT64_MODIFIER "x */\n",
					       n++ * 16, rows[i].code[k].text,
					       (guint64)rows[i].code[k].counts_on << 46 |
						       (guint64)rows[i].code[k].waits << 52 |
						       (guint64)0xf << 41);
		}

		g_autoptr(Sass) sass = sass_parse(code->str);
		const SassFunction *function = g_ptr_array_index(sass->functions, 0);

		sass_waits(function, (int)asked, &waits);

		g_autofree char *told = tell(&waits);

		g_test_message("row %u", i);
		g_assert_cmpuint(function->instructions->len, ==, n);
		g_assert_cmpstr(told, ==, rows[i].waits);
	}
}

/* ---- Ways */

#define FUNCTION_PC 0x7000

typedef struct {
	uint64_t pc;
	uint32_t mask;
	RawEventKind kind;
} Seen;

/* "0x0 0x10/3 ...": the steps of a warp, its lanes where they are not all. */
static char *walk_lanes(const char *code, uint32_t lanes, bool stepped, const Seen *seen,
			guint n, WalkCounts *counts)
{
	g_autoptr(Sass) sass = sass_parse(code);
	const SassFunction *function = g_ptr_array_index(sass->functions, 0);
	g_autoptr(WalkMap) map = walk_map_new(function, stepped);
	g_autoptr(GPtrArray) events = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(WalkStep));
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < n; i++) {
		RawEvent *event = g_malloc0(sizeof(RawEvent) + 256);

		*event = (RawEvent){.pc = FUNCTION_PC + seen[i].pc,
				    .mask = seen[i].mask,
				    .kind = (uint8_t)seen[i].kind,
				    .bytes = 4,
				    .detail = seen[i].kind == RAW_SYNCWARP ? 0xf : 0};
		g_ptr_array_add(events, event);
	}
	*counts = (WalkCounts){0};
	walk_warp(map, events, lanes, FUNCTION_PC, NULL, steps, counts);
	for (guint i = 0; i < steps->len; i++) {
		const WalkStep *step = &g_array_index(steps, WalkStep, i);

		g_string_append_printf(
			text, "%s%x", i ? " " : "",
			step->index < 0 ? 0xbad
					: sass_instruction(function, step->index)->offset);
		if (step->mask != lanes)
			g_string_append_printf(text, "/%x%s", step->mask,
					       step->again ? "+" : "");
	}
	return g_string_free(text, FALSE);
}

static char *walk(const char *code, bool stepped, const Seen *seen, guint n, WalkCounts *counts)
{
	return walk_lanes(code, 0xf, stepped, seen, n, counts);
}

#define PARTED                                                                                 \
	".target sm_90\n.text.k:\n"                                                            \
	"/*0000*/ BSSY B0, `(.L_join) ;\n"                                                     \
	"/*0010*/ @P0 BRA `(.L_other) ;\n"                                                     \
	"/*0020*/ STS [R0], R1 ;\n"                                                            \
	"/*0030*/ BRA `(.L_join) ;\n"                                                          \
	".L_other:\n"                                                                          \
	"/*0040*/ IADD3 R1, R1, 1, RZ ;\n"                                                     \
	"/*0050*/ LDS R2, [R0] ;\n"                                                            \
	".L_join:\n"                                                                           \
	"/*0060*/ BSYNC B0 ;\n"                                                                \
	"/*0070*/ MOV R3, R2 ;\n"                                                              \
	"/*0080*/ EXIT ;\n"

/* What both sides share is executed once, before they part and after they join. */
static void lanes_part_and_join(void)
{
	static const Seen seen[] = {
		{0x20, 0x3, RAW_SHARED}, {0x50, 0xc, RAW_SHARED}, {0x80, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *steps = walk(PARTED, false, seen, G_N_ELEMENTS(seen), &counts);

	g_assert_cmpstr(steps, ==, "0 10 20/3 40/c 50/c 30/3 60/3 60/c 70 80");
	g_assert_cmpuint(counts.guesses + counts.unresolved, ==, 0);
}

/* One lane after the other leaves the way, until each goes its own. */
static void every_lane_goes_its_own_way(void)
{
	g_autoptr(GString) code = g_string_new(".target sm_90\n.text.k:\n");
	Seen seen[2 * TRACE_MAX_LANES];
	const uint32_t last = TRACE_MAX_LANES - 1;
	g_autofree char *steps = NULL;
	WalkCounts counts;
	uint32_t at = 0;

	for (; at < last; at++)
		g_string_append_printf(code, "/*%04x*/ @P0 BRA `(.L_%u) ;\n", 16 * at, at);
	for (uint32_t i = 0; i <= last; i++, at += 2) {
		const uint32_t lane = (i + last) % TRACE_MAX_LANES; /* the last one goes on */

		if (lane < last)
			g_string_append_printf(code, ".L_%u:\n", lane);
		g_string_append_printf(code, "/*%04x*/ LDS R2, [R0] ;\n/*%04x*/ EXIT ;\n",
				       16 * at, 16 * (at + 1));
		seen[2 * i] = (Seen){16 * at, UINT32_C(1) << lane, RAW_SHARED};
		seen[2 * i + 1] = (Seen){16 * (at + 1), UINT32_C(1) << lane, RAW_EXIT};
	}
	steps = walk_lanes(code->str, UINT32_MAX, false, seen, G_N_ELEMENTS(seen), &counts);
	g_assert_true(g_str_has_prefix(steps, "0 10/fffffffe 20/fffffffc"));
	g_assert_cmpuint(counts.guesses + counts.unresolved, ==, 0);
}

/* They come together at the end alone, each by all of a long way. */
static void every_lane_goes_a_long_way(void)
{
	g_autoptr(GString) code = g_string_new(".target sm_90\n.text.k:\n");
	const guint n_tail = 100, last = TRACE_MAX_LANES - 1;
	Seen seen[TRACE_MAX_LANES + 1];
	g_auto(GStrv) steps = NULL;
	g_autofree char *text = NULL;
	WalkCounts counts;
	guint at = 0;

	for (; at < last; at++)
		g_string_append_printf(code, "/*%04x*/ @P0 BRA `(.L_%u) ;\n", 16 * at, at);
	for (guint i = 0; i <= last; i++, at += 2) {
		const uint32_t lane = (i + last) % TRACE_MAX_LANES;

		if (lane < last)
			g_string_append_printf(code, ".L_%u:\n", lane);
		g_string_append_printf(code,
				       "/*%04x*/ LDS R2, [R0] ;\n/*%04x*/ BRA `(.L_tail) ;\n",
				       16 * at, 16 * (at + 1));
		seen[i] = (Seen){16 * at, UINT32_C(1) << lane, RAW_SHARED};
	}
	g_string_append(code, ".L_tail:\n");
	for (guint i = 0; i < n_tail; i++)
		g_string_append_printf(code, "/*%04x*/ NOP ;\n", 16 * at++);
	g_string_append_printf(code, "/*%04x*/ EXIT ;\n", 16 * at);
	seen[TRACE_MAX_LANES] = (Seen){16 * at, UINT32_MAX, RAW_EXIT};
	text = walk_lanes(code->str, UINT32_MAX, true, seen, G_N_ELEMENTS(seen), &counts);
	steps = g_strsplit(text, " ", -1);
	g_assert_cmpuint(g_strv_length(steps), ==, last + TRACE_MAX_LANES * (2 + n_tail) + 1);
	g_assert_cmpuint(counts.guesses + counts.unresolved, ==, 0);
}

/* The loop has no event but the shuffles: they tell its rounds. */
static void shuffles_give_the_rounds_of_a_loop(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n.L_again:\n"
				   "/*0000*/ SHFL.DOWN PT, R1, R2, R3, 0x1f ;\n"
				   "/*0010*/ FADD R2, R1, R2 ;\n"
				   "/*0020*/ @P0 BRA `(.L_again) ;\n"
				   "/*0030*/ EXIT ;\n";
	static const Seen seen[] = {
		{0, 0xf, RAW_SHUFFLE}, {0, 0xf, RAW_SHUFFLE}, {0x30, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *new = walk(code, true, seen, 3, &counts);

	g_assert_cmpstr(new, ==, "0 10 20 0 10 20 30");
	g_assert_cmpuint(counts.guesses, ==, 0);

	g_autofree char *old = walk(code, false, &seen[2], 1, &counts);

	g_assert_cmpstr(old, ==, "0 10 20 30");
	g_assert_cmpuint(counts.guesses, ==, 1);
}

/* A skip that leads where the way through leads too cannot be seen: the shorter is taken, counted. */
static void guesses_are_counted(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ @P0 BRA `(.L_end) ;\n"
				   "/*0010*/ FADD R2, R1, R2 ;\n"
				   ".L_end:\n"
				   "/*0020*/ EXIT ;\n";
	static const Seen seen[] = {{0x20, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *steps = walk(code, true, seen, 1, &counts);

	g_assert_cmpstr(steps, ==, "0 20");
	g_assert_cmpuint(counts.guesses, ==, 1);
}

static void calls_come_back(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ CALL.REL.NOINC `(.L_f) ;\n"
				   "/*0010*/ CALL.REL.NOINC `(.L_f) ;\n"
				   "/*0020*/ EXIT ;\n"
				   ".L_f:\n"
				   "/*0030*/ FADD R2, R1, R2 ;\n"
				   "/*0040*/ RET.REL.NODEC R4 `(k) ;\n";
	const uint32_t masks[] = {0xf, 0x1, 0x80000000};

	for (guint i = 0; i < G_N_ELEMENTS(masks); i++) {
		const Seen seen[] = {{0, masks[i], RAW_CALL},
				     {0x40, masks[i], RAW_RETURN},
				     {0x10, masks[i], RAW_CALL},
				     {0x40, masks[i], RAW_RETURN},
				     {0x20, masks[i], RAW_EXIT}};
		WalkCounts counts;
		g_autofree char *steps =
			walk_lanes(code, masks[i], true, seen, G_N_ELEMENTS(seen), &counts);

		g_assert_cmpstr(steps, ==, "0 30 40 10 30 40 20");
		g_assert_cmpuint(counts.unresolved, ==, 0);
	}
}

/* A kernel may call itself, which begins with its first instruction. */
static void a_kernel_calls_itself(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n.L_k:\n"
				   "/*0000*/ LDS R2, [R0] ;\n"
				   "/*0010*/ @P0 RET.REL.NODEC R4 `(k) ;\n"
				   "/*0020*/ CALL.REL.NOINC `(.L_k) ;\n"
				   "/*0030*/ EXIT ;\n";
	static const Seen seen[] = {{0, 0xf, RAW_SHARED},
				    {0x20, 0xf, RAW_CALL},
				    {0, 0xf, RAW_SHARED},
				    {0x10, 0xf, RAW_RETURN},
				    {0x30, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *steps = walk(code, true, seen, G_N_ELEMENTS(seen), &counts);

	g_assert_cmpstr(steps, ==, "0 10 20 0 10 30");
	g_assert_cmpuint(counts.unresolved + counts.outside, ==, 0);
}

/* The text may end with an instruction that the way goes on from. */
static void the_last_instruction_leads_on(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ BRA `(.L_2) ;\n"
				   ".L_1:\n"
				   "/*0010*/ EXIT ;\n"
				   ".L_2:\n"
				   "/*0020*/ BRA `(.L_1) ;\n";
	static const Seen seen[] = {{0x10, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *steps = walk(code, true, seen, G_N_ELEMENTS(seen), &counts);

	g_assert_cmpstr(steps, ==, "0 20 10");
	g_assert_cmpuint(counts.unresolved + counts.guesses, ==, 0);
}

/* A call of what a register names may go to any function of the kernel, also where there is but one. */
static void calls_by_value_find_the_function(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ CALL.REL.NOINC R4 ;\n"
				   "/*0010*/ EXIT ;\n"
				   "$k$f:\n"
				   "/*0020*/ LDS R2, [R0] ;\n"
				   "/*0030*/ RET.REL.NODEC R20 `(k) ;\n";
	static const Seen seen[] = {{0, 0xf, RAW_CALL},
				    {0x20, 0xf, RAW_SHARED},
				    {0x30, 0xf, RAW_RETURN},
				    {0x10, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *steps = walk(code, true, seen, G_N_ELEMENTS(seen), &counts);

	g_assert_cmpstr(steps, ==, "0 20 30 10");
	g_assert_cmpuint(counts.unresolved + counts.outside, ==, 0);
}

/* Of several functions that lead to the next event the nearest is taken, of as near ones the first, and counted. */
static void calls_by_value_go_to_the_nearest_function(void)
{
	static const struct {
		const char *first, *second, *steps;
		guint guesses;
	} rows[] = {
		{"BRA `(.L_load)", "BRA `(.L_load)", "0 20 50 60 10", 1},
		{"BRA `(.L_load)", "MOV R5, RZ", "0 20 50 60 10", 1},
		{"MOV R5, RZ", "BRA `(.L_load)", "0 40 50 60 10", 1},
		{"EXIT", "BRA `(.L_load)", "0 40 50 60 10", 0},
		{"BRA `(.L_load)", "EXIT", "0 20 50 60 10", 0},
	};
	static const Seen seen[] = {{0, 0xf, RAW_CALL},
				    {0x50, 0xf, RAW_SHARED},
				    {0x60, 0xf, RAW_RETURN},
				    {0x10, 0xf, RAW_EXIT}};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code = g_strdup_printf(".target sm_90\n.text.k:\n"
							"/*0000*/ CALL.REL.NOINC R4 ;\n"
							"/*0010*/ EXIT ;\n"
							"$k$f:\n"
							"/*0020*/ %s ;\n"
							"/*0030*/ BRA `(.L_load) ;\n"
							"$k$g:\n"
							"/*0040*/ %s ;\n"
							".L_load:\n"
							"/*0050*/ LDS R2, [R0] ;\n"
							"/*0060*/ RET.REL.NODEC R20 `(k) ;\n",
							rows[i].first, rows[i].second);
		WalkCounts counts;
		g_autofree char *steps = walk(code, true, seen, G_N_ELEMENTS(seen), &counts);

		g_test_message("row %u", i);
		g_assert_cmpstr(steps, ==, rows[i].steps);
		g_assert_cmpuint(counts.guesses, ==, rows[i].guesses);
		g_assert_cmpuint(counts.unresolved + counts.outside, ==, 0);
	}
}

/* Events that the code does not allow are counted, and the walk goes on behind them. */
static void events_without_a_way_are_counted(void)
{
	static const Seen seen[] = {{0x50, 0x3, RAW_SHARED},
				    {0x20, 0x3, RAW_SHARED},
				    {0x9990, 0xf, RAW_SHARED},
				    {0x80, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *steps = walk(PARTED, false, seen, G_N_ELEMENTS(seen), &counts);

	g_assert_cmpuint(counts.unresolved, >=, 2);
	g_assert_true(g_str_has_suffix(steps, "80"));
}

/* Lanes that load from shared and from other memory by one generic load make two events: the load runs once, and
   the lanes stay together. Where they came one after the other, it ran twice. */
static void a_generic_access_of_two_events_is_one_step(void)
{
	static const char code[] = ".target sm_90\n.text.k:\n"
				   "/*0000*/ LD.E R2, desc[UR4][R2.64] ;\n"
				   "/*0010*/ FADD R2, R1, R2 ;\n"
				   "/*0020*/ EXIT ;\n";
	static const char parted[] = ".target sm_90\n.text.k:\n"
				     "/*0000*/ @P0 BRA `(.L_load) ;\n"
				     "/*0010*/ STS [R0], R1 ;\n"
				     ".L_load:\n"
				     "/*0020*/ LD.E R2, desc[UR4][R2.64] ;\n"
				     "/*0030*/ EXIT ;\n";
	static const Seen seen[] = {
		{0, 0x3, RAW_SHARED}, {0, 0xc, RAW_GLOBAL}, {0x20, 0xf, RAW_EXIT}};
	static const Seen apart[] = {{0x10, 0x3, RAW_SHARED},
				     {0x20, 0x3, RAW_SHARED},
				     {0x20, 0xc, RAW_GLOBAL},
				     {0x30, 0xf, RAW_EXIT}};
	WalkCounts counts;
	g_autofree char *together = walk(code, true, seen, G_N_ELEMENTS(seen), &counts);

	g_assert_cmpstr(together, ==, "0/3 0/c+ 10 20");
	g_assert_cmpuint(counts.unresolved, ==, 0);

	g_autofree char *twice = walk(parted, true, apart, G_N_ELEMENTS(apart), &counts);

	g_assert_cmpstr(twice, ==, "0 10/3 20/3 20/c 30");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/capture/flow/" #name, name)
	TEST(operands_are_told_apart);
	TEST(constants_have_bank_and_place);
	TEST(first_readers_wait_for_what_they_read);
	TEST(results_that_share_a_scoreboard_are_waited_for_together);
	TEST(lanes_part_and_join);
	TEST(every_lane_goes_its_own_way);
	TEST(every_lane_goes_a_long_way);
	TEST(shuffles_give_the_rounds_of_a_loop);
	TEST(guesses_are_counted);
	TEST(calls_come_back);
	TEST(the_last_instruction_leads_on);
	TEST(a_kernel_calls_itself);
	TEST(calls_by_value_find_the_function);
	TEST(calls_by_value_go_to_the_nearest_function);
	TEST(events_without_a_way_are_counted);
	TEST(a_generic_access_of_two_events_is_one_step);
#undef TEST
	return g_test_run();
}
