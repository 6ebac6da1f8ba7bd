/* SPDX-License-Identifier: MIT */
/* Machine code as nvdisasm prints it: operations, loops, lines, and ways between instructions. */
#include <glib.h>
#include <string.h>

#include "gpu/sass/sass.h"

/* A function "k" of these instructions, one every 16 bytes; "LABEL:" lines may stand between. */
static Sass *parse_lines(const char *const *lines)
{
	g_autoptr(GString) text = g_string_new(".text.k:\n");
	unsigned offset = 0;

	for (; *lines; lines++) {
		if (g_str_has_suffix(*lines, ":") || g_str_has_prefix(*lines, "//##")) {
			g_string_append_printf(text, "%s\n", *lines);
			continue;
		}
		g_string_append_printf(text, "        /*%04x*/   %s ;\n", offset, *lines);
		offset += 16;
	}
	return sass_parse(text->str);
}

static void each_form_of_an_atomic_is_told(void)
{
	/* All as nvcc 13.0 made them for sm_75, sm_80, sm_90 and sm_100. */
	static const struct {
		const char *line;
		Operation operation;
		ValueType type;
		bool result;
	} forms[] = {
		{"ATOMS.POPC.INC.32 RZ, [R9+URZ]", OPERATION_ADD, TYPE_U32, false},
		{"ATOMS.ADD RZ, [R3.X4], R3", OPERATION_ADD, TYPE_U32, false},
		{"@P0 ATOMS.ADD R15, [0x4], R8", OPERATION_ADD, TYPE_U32, true},
		{"ATOMS.INC R19, [UR4+0x8], R24", OPERATION_INC, TYPE_U32, true},
		{"ATOMS.DEC R7, [0xc], R19", OPERATION_DEC, TYPE_U32, true},
		{"ATOMS.MIN R17, [UR4+0x10], R3", OPERATION_MIN, TYPE_U32, true},
		{"ATOMS.MIN.S32 R14, [UR5+0x10], R3", OPERATION_MIN, TYPE_S32, true},
		{"ATOMS.MAX R15, [UR4+0x14], R3", OPERATION_MAX, TYPE_U32, true},
		{"@!P0 ATOMS.MAX.S32 RZ, [0x118], R3", OPERATION_MAX, TYPE_S32, false},
		{"ATOMS.AND R10, [0x18], R3", OPERATION_AND, TYPE_U32, true},
		{"ATOMS.OR R8, [UR4+0x1c], R3", OPERATION_OR, TYPE_U32, true},
		{"ATOMS.XOR R9, [UR4+0x20], R3", OPERATION_XOR, TYPE_U32, true},
		{"ATOMS.EXCH RZ, [R0], RZ", OPERATION_EXCH, TYPE_U32, false},
		{"ATOMS.EXCH.64 R4, [UR4+0xa0], R6", OPERATION_EXCH, TYPE_U64, true},
		{"ATOMS.CAS R5, [R3], R10, R11", OPERATION_CAS, TYPE_U32, true},
		{"ATOMS.CAS.64 R10, [R11+0xa8], R12, R14", OPERATION_CAS, TYPE_U64, true},
		{"ATOM.E.ADD.STRONG.GPU PT, R0, desc[UR4][R2.64], R9", OPERATION_ADD, TYPE_U32,
		 true},
		{"REDG.E.ADD.STRONG.GPU desc[UR8][R2.64], RZ", OPERATION_ADD, TYPE_U32, false},
		{"ATOMG.E.ADD.F16x2.RN R1, [R2], R3", OPERATION_ADD, TYPE_F16X2, true},
	};

	for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
		const char *lines[] = {forms[i].line, NULL};
		g_autoptr(Sass) sass = parse_lines(lines);
		const SassInstruction *instruction =
			sass_instruction(sass_function(sass, "k"), 0);
		Operation operation;
		ValueType type;
		bool result;

		g_test_message("%s", forms[i].line);
		g_assert_true(sass_atomic(instruction, &operation, &type, &result));
		g_assert_cmpint(operation, ==, forms[i].operation);
		g_assert_cmpint(type, ==, forms[i].type);
		g_assert_cmpint(result, ==, forms[i].result);
		g_assert_true(instruction->recorded);
	}
}

static void other_instructions_are_no_atomics(void)
{
	static const char *const lines[] = {"REDUX.MAX.S32 UR8, R3", "LDS R3, [R2+UR5]",
					    "ATOMG.E.ADD.F16.RN R1, [R2], R3",
					    "IADD3 R1, R2, R3", NULL};
	g_autoptr(Sass) sass = parse_lines(lines);
	Operation operation;
	ValueType type;
	bool result;

	for (int i = 0; lines[i]; i++)
		g_assert_false(sass_atomic(sass_instruction(sass_function(sass, "k"), i),
					   &operation, &type, &result));
}

static void loops_of_half_precision_are_recognised(void)
{
	static const struct {
		const char *add;
		ValueType type;
	} rows[] = {
		{"HADD2 R5, R4, R3", TYPE_F16X2},
		{"HFMA2.BF16_V2 R5, R4, 1, 1, R3", TYPE_BF16X2},
		{"HADD2.BF16_V2 R5, R4, R3", TYPE_BF16X2},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *const lines[] = {".L_x_1:",
					     "LDS R4, [R2]",
					     rows[i].add,
					     "ATOMS.CAST.SPIN R5, [R2], R4, R5",
					     "ISETP.EQ.U32.AND P0, PT, R5, 0x1, PT",
					     "@!P0 BRA `(.L_x_1)",
					     "EXIT",
					     NULL};
		g_autoptr(Sass) sass = parse_lines(lines);
		const SassFunction *function = sass_function(sass, "k");
		const SassLoop *loop;

		g_assert_cmpuint(function->loops->len, ==, 1);
		loop = &g_array_index(function->loops, SassLoop, 0);
		g_assert_cmpint(loop->operation, ==, OPERATION_ADD);
		g_assert_cmpint(loop->type, ==, rows[i].type);
		g_assert_false(loop->result);
	}
}

/* The loops of the real code of tests/capture/forms.cu for sm_90. */
static void retry_loops_are_recognised(void)
{
	static const struct {
		const char *function;
		unsigned load; /* offset */
		Operation operation;
		ValueType type;
		bool result;
	} loops[] = {
		{"_Z6floatsPfPd", 0x110, OPERATION_ADD, TYPE_F32, false},
		{"_Z6floatsPfPd", 0x180, OPERATION_ADD, TYPE_F32, true},
		{"_Z6floatsPfPd", 0x250, OPERATION_ADD, TYPE_F64, false},
		{"_Z4widePy", 0xe0, OPERATION_ADD, TYPE_U64, true},
		{"_Z4widePy", 0x1f0, OPERATION_MAX, TYPE_U64, true},
		{"_Z4widePy", 0x2a0, OPERATION_MIN, TYPE_S64, true},
		{"_Z4widePy", 0x380, OPERATION_OR, TYPE_U64, true},
		{"_Z4widePy", 0x4b0, OPERATION_ADD, TYPE_U64, false},
	};
	const char *source = g_getenv("SOURCE");
	g_autofree char *path = g_build_filename(source ? source : ".",
						 "tests/capture/forms/module-594-0.sass", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Sass) sass = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	sass = sass_parse(text);
	g_assert_cmpuint(sass->target, ==, 90);
	g_assert_cmpuint(sass->functions->len, ==, 7);
	for (guint i = 0; i < G_N_ELEMENTS(loops); i++) {
		const SassFunction *function = sass_function(sass, loops[i].function);
		int at = sass_find(function, loops[i].load);
		int number = sass_instruction(function, at)->loop;
		const SassLoop *loop;

		g_assert_cmpint(number, >=, 0);
		loop = &g_array_index(function->loops, SassLoop, number);
		g_assert_cmpint(loop->load, ==, at);
		g_assert_cmpint(loop->operation, ==, loops[i].operation);
		g_assert_cmpint(loop->type, ==, loops[i].type);
		g_assert_cmpint(loop->result, ==, loops[i].result);
	}
	/* A program's own loop around a compare and swap is not the compiler's. */
	g_assert_cmpuint(sass_function(sass, "_Z9spin_lockPi")->loops->len, ==, 0);
}

/* The old value of a retry loop is used by what reads it behind the loop, if only for an address. */
static void results_of_loops_are_those_that_are_read(void)
{
	static const struct {
		const char *behind;
		bool result;
	} rows[] = {
		{"EXIT", false},
		{"MOV R1, RZ", false},
		{"MOV R11, R10", false},
		{"IADD3 R4, R1, 0x1, RZ", true},
		{"STS [R1], R4", true},
		{"STS [R4], R1", true},
		{"RED.E.ADD.STRONG.GPU [R1.64], R5", true},
		{"MOV R4, UR1", false},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *code =
			g_strdup_printf(".target sm_90\n.text.k:\n.L_again:\n"
					"/*0000*/ LDS R1, [R0] ;\n"
					"/*0010*/ FADD R2, R1, 1 ;\n"
					"/*0020*/ ATOMS.CAST.SPIN R2, [R0], R1, R2 ;\n"
					"/*0030*/ ISETP.EQ.U32.AND P0, PT, R2, 0x1, PT ;\n"
					"/*0040*/ @!P0 BRA `(.L_again) ;\n"
					"/*0050*/ %s ;\n"
					"/*0060*/ MOV R1, 0x7 ;\n"
					"/*0070*/ STS [R0], R1 ;\n",
					rows[i].behind);
		g_autoptr(Sass) sass = sass_parse(code);
		const SassFunction *function = g_ptr_array_index(sass->functions, 0);

		g_test_message("%s", rows[i].behind);
		g_assert_cmpuint(function->loops->len, ==, 1);
		g_assert_cmpint(g_array_index(function->loops, SassLoop, 0).result, ==,
				rows[i].result);
	}
}

static void an_inlined_atomic_has_the_line_that_calls_it(void)
{
	static const char *const lines[] = {
		"//## File \"/x/targets/x86_64-linux/include/a.hpp\", line 9 inlined at "
		"\"/h/k.cu\", "
		"line 5",
		"//## File \"/h/k.cu\", line 5",
		"ATOMS.ADD RZ, [R3], R3",
		"//## File \"/h/k.cu\", line 7",
		"LDS R1, [R3]",
		NULL};
	g_autoptr(Sass) sass = parse_lines(lines);
	const SassFunction *function = sass_function(sass, "k");

	g_assert_cmpstr(sass_instruction(function, 0)->file, ==, "/h/k.cu");
	g_assert_cmpuint(sass_instruction(function, 0)->line, ==, 5);
	g_assert_cmpuint(sass_instruction(function, 1)->line, ==, 7);
}

static void ways_count_what_lies_between(void)
{
	static const char *const lines[] = {"S2R R0, SR_TID.X",	 /* 0 */
					    "@P0 BRA `(.L_out)", /* 1 */
					    ".L_loop:",
					    "IADD3 R1, R1, 0x1, RZ",   /* 2 */
					    "LDG.E R2, [R1]",	       /* 3 */
					    "SHF.L.U32 R2, R2, 2, RZ", /* 4 */
					    "ATOMS.ADD RZ, [R2], R3",  /* 5 */
					    "@P1 STS [R2], R3",	       /* 6 */
					    "@!P1 BRA `(.L_loop)",     /* 7 */
					    ".L_out:",
					    "BAR.SYNC 0x0", /* 8 */
					    "BRX R4",	    /* 9 */
					    "EXIT",	    /* 10 */
					    NULL};
	g_autoptr(Sass) sass = parse_lines(lines);
	SassFunction *function = sass_function(sass, "k");

	for (int again = 0; again < 2; again++) { /* the second answer is a kept one */
		g_assert_cmpint(sass_path(function, -1, 3), ==, 3);
		g_assert_cmpint(sass_path(function, -1, 8), ==, 2);
		g_assert_cmpint(sass_path(function, 3, 5), ==, 1);
		g_assert_cmpint(sass_path(function, 5, 3), ==,
				3); /* past the store, all lanes off */
		g_assert_cmpint(sass_path(function, 5, 8), ==, 2);
		g_assert_cmpint(sass_path(function, 3, 8), ==,
				-1); /* the atomic is in the way */
		g_assert_cmpint(sass_path(function, 8, 10), ==, -1); /* a branch to anywhere */
	}
}

static void a_call_is_followed(void)
{
	static const char *const lines[] = {"CALL.REL.NOINC `($k$f)",
					    "BAR.SYNC 0x0",
					    "EXIT",
					    "$k$f:",
					    "IADD3 R1, R1, R2, RZ",
					    "LDS R1, [R2]",
					    "IADD3 R1, R1, R2, RZ",
					    "RET.REL.NODEC R4 `(k)",
					    NULL};
	g_autoptr(Sass) sass = parse_lines(lines);
	SassFunction *function = sass_function(sass, "k");

	g_assert_cmpint(sass_path(function, -1, 4), ==, 2);
	g_assert_cmpint(sass_path(function, 4, 1), ==, 2);
}

static void text_without_code_gives_no_functions(void)
{
	static const char *const texts[] = {"",
					    "\n\n",
					    "junk",
					    "/*0000*/ EXIT ;",
					    ".text.:",
					    ".text.k:\n/*zz*/ EXIT\n/*",
					    ".target",
					    "//## File \"",
					    ".text.k:\n/*0010*/ ;\n/*0020*/"};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(Sass) sass = sass_parse(texts[i]);

		g_assert_null(sass_function(sass, "x"));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture/code/each form of an atomic is recognised",
			each_form_of_an_atomic_is_told);
	g_test_add_func("/capture/code/other instructions are no atomics",
			other_instructions_are_no_atomics);
	g_test_add_func("/capture/code/loops of half precision are recognised",
			loops_of_half_precision_are_recognised);
	g_test_add_func("/capture/code/retry loops are recognised", retry_loops_are_recognised);
	g_test_add_func("/capture/code/results of loops are those that are read",
			results_of_loops_are_those_that_are_read);
	g_test_add_func("/capture/code/an inlined atomic has the line that calls it",
			an_inlined_atomic_has_the_line_that_calls_it);
	g_test_add_func("/capture/code/ways count what lies between",
			ways_count_what_lies_between);
	g_test_add_func("/capture/code/a call is followed", a_call_is_followed);
	g_test_add_func("/capture/code/text without code gives no functions",
			text_without_code_gives_no_functions);
	return g_test_run();
}
