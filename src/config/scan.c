/* SPDX-License-Identifier: MIT */
#include "config/scan.h"

#include <string.h>

#define NUMBER_SHOWN 40 /* bytes */

typedef struct {
	const SpanPlace *place;
	GArray *spans;
	Problems *problems;
	char *text;
	gsize length;
	gsize at;
	gsize line_start; /* of the line that `at` is in */
	guint line;
	gsize counted; /* columns are counted from here on ... */
	guint column;  /* ... where the column is this */
} Scanner;

static gboolean scan_value(Scanner *scanner, const char *pointer, guint depth);

static Span span_here(Scanner *scanner)
{
	/* Count on from the last place asked for: a long line must not cost its square. */
	for (; scanner->counted < scanner->at; scanner->counted++)
		scanner->column += ((guchar)scanner->text[scanner->counted] & 0xc0) != 0x80;
	return (Span){
		.line = scanner->line,
		.column = scanner->column,
		.start = scanner->at,
		.end = scanner->at,
	};
}

char *span_place(const SpanPlace *place, const Span *span)
{
	if (!place->has_lines)
		return g_strdup(place->name);
	return g_strdup_printf("%s:%u:%u", place->name, span->line, span->column);
}

static void add_problem(Scanner *scanner, const Span *span, const char *pointer,
			const char *text)
{
	g_autofree char *place = span_place(scanner->place, span);

	problems_add(scanner->problems, place, pointer && *pointer ? pointer : NULL, "%s",
		     text);
}

/* Always false, so that callers can return it. */
static gboolean fail(Scanner *scanner, const char *text)
{
	Span span = span_here(scanner);
	g_autofree char *line = g_strdup_printf("not JSON: %s", text);

	add_problem(scanner, &span, NULL, line);
	return FALSE;
}

/* Always false. Names what was found instead of what was expected. */
static gboolean fail_expecting(Scanner *scanner, const char *expected)
{
	const char *here = scanner->text + scanner->at;
	g_autofree char *line = NULL;

	if (scanner->at == scanner->length)
		line = g_strdup_printf("the text ends where %s should be", expected);
	else if (g_unichar_isprint(g_utf8_get_char(here)))
		line = g_strdup_printf("found '%.*s' where %s should be",
				       (int)(g_utf8_next_char(here) - here), here, expected);
	else
		line = g_strdup_printf("found U+%04X where %s should be",
				       (guint)g_utf8_get_char(here), expected);
	return fail(scanner, line);
}

static char peek(const Scanner *scanner)
{
	return scanner->text[scanner->at]; /* the NUL at the end is no token */
}

static void skip_space(Scanner *scanner)
{
	for (;; scanner->at++) {
		char c = peek(scanner);

		if (c == '\n') {
			scanner->line++;
			scanner->counted = scanner->at + 1;
			scanner->column = 1;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return;
		}
	}
}

static gboolean scan_string(Scanner *scanner)
{
	gsize length = 0;
	const char *problem = token_string(scanner->text + scanner->at, &length);

	scanner->at += length;
	return problem ? fail(scanner, problem) : TRUE;
}

static void scan_number(Scanner *scanner, Span *span, const char *pointer)
{
	char *start = scanner->text + scanner->at;
	gsize length = 0;
	const char *problem = token_number(start, &length);
	g_autofree char *line = NULL;

	scanner->at += length;
	if (!problem)
		return;
	line = g_strdup_printf("%.*s%s: %s", (int)MIN(length, NUMBER_SHOWN), start,
			       length > NUMBER_SHOWN ? "..." : "", problem);
	add_problem(scanner, span, pointer, line);
	memset(start, ' ', length);
	*start = '0';
	span->bad = TRUE;
}

static gboolean scan_word(Scanner *scanner)
{
	gsize length = token_word(scanner->text + scanner->at);

	scanner->at += length;
	return length > 0 || fail_expecting(scanner, "a value");
}

/* A member's name. g_free. NULL if there is none. */
static char *scan_name(Scanner *scanner)
{
	gsize start = scanner->at;

	if (peek(scanner) != '"') {
		fail_expecting(scanner, "a key in quotes");
		return NULL;
	}
	if (!scan_string(scanner))
		return NULL;
	return token_unquote(scanner->text + start, scanner->at - start);
}

static gboolean scan_member(Scanner *scanner, const char *pointer, guint depth,
			    GHashTable *seen)
{
	Span span = span_here(scanner);
	g_autofree char *child = NULL;
	const Span *first = NULL;
	char *name = scan_name(scanner);

	if (!name)
		return FALSE;
	child = pointer_join(pointer, name);
	first = g_hash_table_lookup(seen, name);
	if (first) {
		g_autofree char *line = g_strdup_printf(
			"given twice, first at line %u, column %u", first->line, first->column);

		add_problem(scanner, &span, child, line);
		g_free(name);
	} else {
		g_hash_table_insert(seen, name, g_memdup2(&span, sizeof span));
	}
	skip_space(scanner);
	if (peek(scanner) != ':')
		return fail_expecting(scanner, "':'");
	scanner->at++;
	skip_space(scanner);
	return scan_value(scanner, child, depth + 1);
}

/* What is between brackets; between those of an object each value has a name, of which none comes twice. */
static gboolean scan_items(Scanner *scanner, const char *pointer, guint depth,
			   GHashTable *names)
{
	const char close = names ? '}' : ']';

	scanner->at++;
	skip_space(scanner);
	for (guint i = 0; peek(scanner) != close; i++) {
		g_autofree char *child = g_strdup_printf("%s/%u", pointer, i);

		if (i > 0 && peek(scanner) != ',')
			return fail_expecting(scanner, names ? "',' or '}'" : "',' or ']'");
		if (i > 0) {
			scanner->at++;
			skip_space(scanner);
		}
		if (!(names ? scan_member(scanner, pointer, depth, names)
			    : scan_value(scanner, child, depth + 1)))
			return FALSE;
		skip_space(scanner);
	}
	scanner->at++;
	return TRUE;
}

static gboolean scan_object(Scanner *scanner, const char *pointer, guint depth)
{
	g_autoptr(GHashTable) names =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	return scan_items(scanner, pointer, depth, names);
}

static gboolean scan_value(Scanner *scanner, const char *pointer, guint depth)
{
	GArray *spans = scanner->spans;
	Span span = span_here(scanner);
	guint index = spans->len;
	char c = peek(scanner);
	gboolean good = TRUE;

	if (depth > DOCUMENT_MAX_DEPTH)
		return fail(scanner,
			    "nested more than " G_STRINGIFY(DOCUMENT_MAX_DEPTH) " deep");
	/* Before its children, as the walk over the tree will meet it. */
	g_array_append_val(spans, span);
	if (c == '{')
		good = scan_object(scanner, pointer, depth);
	else if (c == '[')
		good = scan_items(scanner, pointer, depth, NULL);
	else if (c == '"')
		good = scan_string(scanner);
	else if (c && (g_ascii_isdigit(c) || strchr("+-.", c)))
		scan_number(scanner, &span, pointer);
	else
		good = scan_word(scanner);
	span.end = scanner->at;
	g_array_index(spans, Span, index) = span;
	return good;
}

/* Bytes that no JSON text can have, whatever is around them. */
static gboolean check_bytes(Scanner *scanner)
{
	const char *end = NULL;
	gboolean valid = g_utf8_validate_len(scanner->text, scanner->length, &end);

	if (g_str_has_prefix(scanner->text, "\xef\xbb\xbf"))
		return fail(scanner, "it starts with a byte order mark; save it without");
	if (valid)
		return TRUE;
	for (const char *c = scanner->text; c < end; c++) {
		if (*c == '\n') {
			scanner->line++;
			scanner->counted = (gsize)(c + 1 - scanner->text);
		}
	}
	scanner->at = (gsize)(end - scanner->text);
	return fail(scanner, *end ? "a byte that is not UTF-8" : "a NUL byte");
}

gboolean scan_text(const SpanPlace *place, char *text, gsize length, GArray *spans,
		   Problems *problems)
{
	Scanner scanner = {
		.place = place,
		.spans = spans,
		.problems = problems,
		.text = text,
		.length = length,
		.line = 1,
		.column = 1,
	};

	if (length > DOCUMENT_MAX_BYTES)
		return fail(&scanner, "longer than 1 MiB");
	if (!check_bytes(&scanner))
		return FALSE;
	skip_space(&scanner);
	if (scanner.at == length)
		return fail(&scanner, "there is nothing in it");
	if (!scan_value(&scanner, "", 1))
		return FALSE;
	skip_space(&scanner);
	if (scanner.at < length) {
		fail_expecting(&scanner, "the end");
		text[scanner.at] = '\0';
	}
	return TRUE;
}
