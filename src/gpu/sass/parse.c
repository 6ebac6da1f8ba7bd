/* SPDX-License-Identifier: MIT */
/* From nvdisasm's text to a Sass, line by line. */
#include "gpu/sass/sass.h"

#include <string.h>

#define TABLE_SECTION ".nv.constant2."
#define TEXT_SECTION  ".text."

/* Reader of the text, line by line. */
typedef struct {
	Sass *sass;
	SassFunction *function; /* that instructions belong to, NULL before the first */
	GHashTable *labels;	/* name -> index + 1, of the current function */
	GPtrArray *targets;	/* label each instruction of the function names, or NULL */
	GPtrArray *branches;	/* labels of its indirect branches, in their order */
	GByteArray *table;	/* that lines of data belong to, or NULL */
	const char *file;	/* of the following instructions */
	uint32_t line;
	bool line_is_chosen; /* among the lines of one inlining chain */
} Parser;

/* The instruction behind a label; -1 for a label that there is not, or that nothing follows. */
static int find_label(const Parser *parser, const char *label)
{
	int found =
		label ? GPOINTER_TO_INT(g_hash_table_lookup(parser->labels, label)) - 1 : -1;

	return found < (int)parser->function->instructions->len ? found : -1;
}

/* Branches name labels that may come later: at a function's end all are known. */
static void end_function(Parser *parser)
{
	if (!parser->function)
		return;
	for (guint i = 0; i < parser->targets->len; i++) {
		const char *label = g_ptr_array_index(parser->targets, i);
		SassInstruction *instruction =
			&g_array_index(parser->function->instructions, SassInstruction, i);

		instruction->target = instruction->flow == SASS_SPLIT || instruction->by_value
					      ? -1
					      : find_label(parser, label);
		if (instruction->flow == SASS_BRANCH && instruction->target < 0)
			instruction->flow = SASS_INDIRECT;
	}
	for (guint i = 0; i < parser->branches->len; i++) {
		int found = find_label(parser, g_ptr_array_index(parser->branches, i));

		g_array_append_val(parser->function->targets, found);
	}
	/* A label that nothing follows begins nothing. */
	while (parser->function->entries->len > 0 &&
	       g_array_index(parser->function->entries, int,
			     parser->function->entries->len - 1) ==
		       (int)parser->function->instructions->len)
		g_array_set_size(parser->function->entries, parser->function->entries->len - 1);
	sass_find_loops(parser->function);
	g_ptr_array_set_size(parser->targets, 0);
	g_ptr_array_set_size(parser->branches, 0);
	g_hash_table_remove_all(parser->labels);
	parser->function = NULL;
}

static void begin_function(Parser *parser, const char *name)
{
	end_function(parser);
	parser->function = sass_function_new(parser->sass, name);
	parser->file = NULL;
	parser->line = 0;
}

/* "@!P0 ": the predicate, as flow.h numbers values. Returns what follows it. */
static char *parse_guard(char *line, SassInstruction *instruction)
{
	char *name = line + 1, *end = line + strcspn(line, " \t");

	instruction->guard_negated = *name == '!';
	name += *name == '!';

	bool uniform = *name == 'U';

	if (name[uniform] == 'P' && g_ascii_isdigit(name[uniform + 1]))
		instruction->guard = (uniform ? SASS_UNIFORM_PREDICATE : SASS_PREDICATE) +
				     (name[uniform + 1] - '0');
	return g_strchug(end);
}

/* Bytes of a function's constants: .byte 0x70, 0x06 and its like behind an offset. What is no number ends the table: it
   is known only when the code is loaded. */
static void parse_data(Parser *parser, const char *line)
{
	static const struct {
		const char *name;
		guint bytes;
	} units[] = {{".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}};
	char *end;
	guint64 offset = g_ascii_strtoull(line + 2, &end, 16);

	if (!g_str_has_prefix(end, "*/") || offset != parser->table->len)
		return;
	end += 2;
	end += strspn(end, " \t");
	for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
		size_t n = strlen(units[i].name);

		if (strncmp(end, units[i].name, n) != 0 || !g_ascii_isspace(end[n]))
			continue;
		for (const char *at = end + n; *at != '\0';) {
			guint64 value;

			at += strspn(at, " \t,");
			if (!g_ascii_isdigit(*at)) {
				parser->table = NULL;
				return;
			}
			value = g_ascii_strtoull(at, &end, 0);
			at = end;
			for (guint b = 0; b < units[i].bytes; b++) {
				guint8 byte = (guint8)(value >> 8 * b);

				g_byte_array_append(parser->table, &byte, 1);
			}
		}
		return;
	}
}

/* .text.NAME, which no label of that name follows in code of libraries; .nv.constant2.NAME. */
static void begin_section(Parser *parser, const char *section)
{
	g_autofree char *name = g_strndup(section, strcspn(section, ",\" \t"));

	end_function(parser);
	parser->table = NULL;
	if (g_str_has_prefix(name, TEXT_SECTION)) {
		begin_function(parser, name + strlen(TEXT_SECTION));
	} else if (g_str_has_prefix(name, TABLE_SECTION)) {
		parser->table = g_byte_array_new();
		g_hash_table_insert(parser->sass->tables,
				    g_strdup(name + strlen(TABLE_SECTION)), parser->table);
	}
}

/* (*"BRANCH_TARGETS .L_x_1,.L_x_2"*) behind an indirect branch. */
static void parse_targets(Parser *parser, SassInstruction *instruction)
{
	const char *at = strstr(instruction->operands, "BRANCH_TARGETS ");

	if (!at)
		return;
	at += strlen("BRANCH_TARGETS ");
	instruction->first_target = parser->branches->len;
	while (*at && *at != '"') {
		size_t n = strcspn(at, ",\"");

		g_ptr_array_add(
			parser->branches,
			g_string_chunk_insert_len(parser->sass->strings, at, (gssize)n));
		instruction->n_targets++;
		at += n + (at[n] == ',');
	}
}

static void parse_instruction(Parser *parser, char *line)
{
	GStringChunk *strings = parser->sass->strings;
	SassInstruction instruction = {.target = -1, .loop = -1, .guard = -1, .scoreboard = -1};
	g_autofree char *label = NULL;
	char *end;

	instruction.offset = (uint32_t)g_ascii_strtoull(line + 2, &end, 16);
	if (!g_str_has_prefix(end, "*/"))
		return;
	line = g_strstrip(end + 2);
	line[strcspn(line, ";")] = '\0';
	if (*line == '{')
		line = g_strchug(line + 1);
	if (*line == '@') {
		instruction.conditional = true;
		line = parse_guard(line, &instruction);
	}
	end = line + strcspn(line, " \t");
	instruction.opcode = g_string_chunk_insert_len(strings, line, end - line);
	instruction.operands = g_string_chunk_insert(strings, g_strstrip(end));
	sass_set_flow(&instruction);
	if (instruction.flow == SASS_INDIRECT)
		parse_targets(parser, &instruction);
	instruction.file = parser->file;
	instruction.line = parser->line;
	parser->line_is_chosen = false;
	g_array_append_val(parser->function->instructions, instruction);

	label = sass_label(instruction.operands);
	g_ptr_array_add(parser->targets, label ? g_string_chunk_insert(strings, label) : NULL);
}

/*
 * //## File "F", line N [inlined at ...], one for each level from the innermost outwards. The
 * atomics of CUDA are inlined from the toolkit's headers; the user wants the line that calls
 * them: the first that is not of the toolkit.
 */
static void parse_line_info(Parser *parser, const char *line)
{
	const char *name = strchr(line, '"');
	const char *end = name ? strchr(name + 1, '"') : NULL;
	const char *number = end ? strstr(end, "line ") : NULL;

	if (!number || parser->line_is_chosen)
		return;

	g_autofree char *file = g_strndup(name + 1, end - name - 1);

	parser->file = g_string_chunk_insert_const(parser->sass->strings, file);
	parser->line = (uint32_t)g_ascii_strtoull(number + 5, NULL, 10);
	parser->line_is_chosen = !(strstr(file, "/include/") &&
				   (strstr(file, "/targets/") || strstr(file, "/cuda")));
}

/* $KERNEL$FUNCTION is a function of its own within the kernel's text. */
static void add_label(Parser *parser, const char *label)
{
	int index = (int)parser->function->instructions->len;

	g_hash_table_insert(parser->labels, g_strdup(label), GINT_TO_POINTER(index + 1));
	if (*label == '$')
		g_array_append_val(parser->function->entries, index);
}

/* The number behind `prefix`: 90 of "sm_90a" behind "sm_". 0 if the line does not say it. */
static unsigned parse_target(const char *line, const char *prefix)
{
	const char *found = strstr(line, prefix);

	return found ? (unsigned)g_ascii_strtoull(found + strlen(prefix), NULL, 10) : 0;
}

/* The label at the begin of a section, or, without one, of a function. */
static void begin_text(Parser *parser, const char *name)
{
	const SassFunction *function = parser->function;

	if (!function || function->instructions->len > 0 || strcmp(function->name, name) != 0)
		begin_function(parser, name);
}

static void parse_line(Parser *parser, char *line)
{
	const size_t n = strlen(g_strstrip(line));

	if (g_str_has_prefix(line, "//## File")) {
		parse_line_info(parser, line);
	} else if (g_str_has_prefix(line, ".target")) {
		parser->sass->target = parse_target(line, "sm_");
	} else if (strcmp(line, ".marked") == 0) {
		parser->sass->marked = true;
	} else if (g_str_has_prefix(line, ".headerflags") && !parser->sass->target) {
		/* All that there is for code of assemblers before CUDA 13, such as Triton's. */
		parser->sass->target = parse_target(line, "EF_CUDA_SM");
	} else if (g_str_has_prefix(line, "/* 0x") && parser->function) {
		sass_set_scoreboards(parser->function, g_ascii_strtoull(line + 2, NULL, 16));
	} else if (g_str_has_prefix(line, "/*") && parser->function) {
		parse_instruction(parser, line);
	} else if (g_str_has_prefix(line, "/*") && parser->table) {
		parse_data(parser, line);
	} else if (n > 1 && line[n - 1] == ':' && !strpbrk(line, " \t")) {
		line[n - 1] = '\0';
		if (g_str_has_prefix(line, TEXT_SECTION))
			begin_text(parser, line + strlen(TEXT_SECTION));
		else if (parser->function)
			add_label(parser, line);
	} else if (g_str_has_prefix(line, ".section") && g_ascii_isspace(line[8])) {
		begin_section(parser, g_strchug(line + 8));
	}
}

Sass *sass_parse(const char *text)
{
	Sass *sass = sass_new();
	Parser parser = {.sass = sass};
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	parser.labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	parser.targets = g_ptr_array_new();
	parser.branches = g_ptr_array_new();
	for (char **line = lines; *line; line++)
		parse_line(&parser, *line);
	end_function(&parser);
	for (guint i = 0; i < sass->functions->len; i++) {
		SassFunction *function = g_ptr_array_index(sass->functions, i);

		function->constants = g_hash_table_lookup(sass->tables, function->name);
	}
	g_hash_table_unref(parser.labels);
	g_ptr_array_unref(parser.targets);
	g_ptr_array_unref(parser.branches);
	return sass;
}
