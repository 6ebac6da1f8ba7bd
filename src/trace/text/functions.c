/* SPDX-License-Identifier: MIT */
/* The functions of expressions: a row of operator_functions each. */
#include <string.h>

#include "trace/text/operators.h"

static gboolean are_numbers(const TextValue *operands, guint n)
{
	for (guint i = 0; i < n; i++)
		if (operands[i].text != NULL)
			return FALSE;
	return TRUE;
}

static gboolean value_min(const TextValue *operands, TextValue *value)
{
	value->number = MIN(operands[0].number, operands[1].number);
	return are_numbers(operands, 2);
}

static gboolean value_max(const TextValue *operands, TextValue *value)
{
	value->number = MAX(operands[0].number, operands[1].number);
	return are_numbers(operands, 2);
}

/* A number's text, in the buffer; a text's own. */
static const char *text_of(const TextValue *value, char buffer[24])
{
	if (value->text != NULL)
		return value->text;
	g_snprintf(buffer, 24, "%" G_GINT64_FORMAT, value->number);
	return buffer;
}

static gboolean value_starts(const TextValue *operands, TextValue *value)
{
	char text[24], begin[24];

	value->number =
		g_str_has_prefix(text_of(&operands[0], text), text_of(&operands[1], begin));
	return TRUE;
}

static gboolean value_has(const TextValue *operands, TextValue *value)
{
	char text[24], part[24];

	value->number =
		strstr(text_of(&operands[0], text), text_of(&operands[1], part)) != NULL;
	return TRUE;
}

/* Behind `n` of the pieces of a text that these characters part. */
static const char *behind(const char *text, const char *separators, gint64 n)
{
	for (; n > 0 && *text != '\0'; n--) {
		text += strcspn(text, separators);
		text += *text != '\0';
	}
	return text;
}

#define LIST_SEPARATORS " \t./"

#define OTHER_ITEM (-2) /* neither a number nor a - */

/* The numbers of a text, blanks, dots or slashes between them; -1 for a -. */
static GArray *read_items(const char *text)
{
	GArray *items = g_array_new(FALSE, FALSE, sizeof(gint64));

	for (text += strspn(text, LIST_SEPARATORS); *text != '\0';
	     text += strspn(text, LIST_SEPARATORS)) {
		const gsize length = strcspn(text, LIST_SEPARATORS);
		gint64 item = length == 1 && *text == '-' ? -1 : OTHER_ITEM;

		if (length > 0 && strspn(text, "0123456789") == length)
			item = (gint64)MIN(g_ascii_strtoull(text, NULL, 10),
					   (guint64)G_MAXINT64);
		g_array_append_val(items, item);
		text += length;
	}
	return items;
}

static void items_free(gpointer items)
{
	g_array_unref(items);
}

GHashTable *text_lists_new(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, items_free);
}

/* The same, kept where the state has a place for it. g_array_unref. */
static GArray *items_of(const TextState *state, const TextValue *list)
{
	GArray *items = state->lists && list->text
				? g_hash_table_lookup(state->lists, list->text)
				: NULL;
	char buffer[24];

	if (items != NULL)
		return g_array_ref(items);
	items = read_items(text_of(list, buffer));
	if (state->lists && list->text)
		g_hash_table_insert(state->lists, (gpointer)list->text, g_array_ref(items));
	return items;
}

/* Item i, from 0; -1 where there is none. */
static gboolean list_item(const GArray *items, const TextValue *operands, TextValue *value)
{
	const TextValue *i = &operands[1];

	if (i->text != NULL || i->number < 0)
		return FALSE;
	value->number = i->number < items->len ? g_array_index(items, gint64, i->number) : -1;
	value->number = MAX(value->number, -1);
	return TRUE;
}

static gboolean list_items(const GArray *items, const TextValue *operands, TextValue *value)
{
	(void)operands;
	value->number = items->len;
	return TRUE;
}

/* -1 where there is none. */
static gboolean list_largest(const GArray *items, const TextValue *operands, TextValue *value)
{
	(void)operands;
	value->number = -1;
	for (guint i = 0; i < items->len; i++) {
		const gint64 item = g_array_index(items, gint64, i);

		if (item == OTHER_ITEM)
			return FALSE;
		value->number = MAX(value->number, item);
	}
	return TRUE;
}

/* The i-th word of a text, from 0, blanks between them. Words of parameters are few: they stay. */
static gboolean value_word(const TextValue *operands, TextValue *value)
{
	char buffer[24];
	const char *at = text_of(&operands[0], buffer);
	g_autofree char *word = NULL;

	if (operands[1].text != NULL || operands[1].number < 0)
		return FALSE;
	at = behind(at, " ", operands[1].number);
	word = g_strndup(at, strcspn(at, " "));
	*value = text_value_of(g_intern_string(word));
	return TRUE;
}

/* What follows so many words. */
static gboolean value_rest(const TextValue *operands, TextValue *value)
{
	char buffer[24];
	const char *at = text_of(&operands[0], buffer);

	if (operands[1].text != NULL || operands[1].number < 0)
		return FALSE;
	at = behind(at, " ", operands[1].number);
	*value = text_value_of(operands[0].text ? at : g_intern_string(at));
	return TRUE;
}

/* The finalizer of SplitMix64, below n. */
static gboolean value_mix(const TextValue *operands, TextValue *value)
{
	guint64 h = (guint64)operands[0].number;

	if (!are_numbers(operands, 2) || operands[1].number <= 0)
		return FALSE;
	h = (h ^ h >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	h = (h ^ h >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	value->number = (gint64)((h ^ h >> 31) % (guint64)operands[1].number);
	return TRUE;
}

static guint32 xorshift_step(guint32 state)
{
	state ^= state << 13;
	state ^= state >> 17;
	return state ^ state << 5;
}

#define JUMPS 32

static void *make_jumps(void *data)
{
	static guint32 jumps[JUMPS][32];

	(void)data;
	for (guint bit = 0; bit < 32; bit++)
		jumps[0][bit] = xorshift_step((guint32)1 << bit);
	for (guint k = 1; k < JUMPS; k++)
		for (guint bit = 0; bit < 32; bit++)
			for (guint i = 0; i < 32; i++)
				if (jumps[k - 1][bit] >> i & 1)
					jumps[k][bit] ^= jumps[k - 1][i];
	return jumps;
}

/* What 2^k steps make of each bit: a step is linear, so its bits' images add up. */
static guint32 (*xorshift_jumps(void))[32]
{
	static GOnce once = G_ONCE_INIT;

	return g_once(&once, make_jumps, NULL);
}

/* Draw i, from 0, of Marsaglia's xorshift of 32 bits that begins with that state. */
static gboolean value_xorshift(const TextValue *operands, TextValue *value)
{
	guint32(*jumps)[32] = xorshift_jumps();
	guint32 state = (guint32)operands[0].number;

	if (!are_numbers(operands, 2) || operands[0].number < 1 ||
	    operands[0].number > G_MAXUINT32 || operands[1].number < 0 ||
	    operands[1].number >= G_MAXUINT32)
		return FALSE;
	for (guint k = 0; k < JUMPS; k++) {
		guint32 next = 0;

		if (!((operands[1].number + 1) >> k & 1))
			continue;
		for (guint bit = 0; bit < 32; bit++)
			if (state >> bit & 1)
				next ^= jumps[k][bit];
		state = next;
	}
	value->number = state;
	return TRUE;
}

const OperatorFunction operator_functions[] = {
	{"min", 2, value_min, NULL, "two numbers"},
	{"max", 2, value_max, NULL, "two numbers"},
	{"starts", 2, value_starts, NULL, "two texts"},
	{"has", 2, value_has, NULL, "two texts"},
	{"item", 2, NULL, list_item, "a text and a number from 0"},
	{"items", 1, NULL, list_items, "a text"},
	{"largest", 1, NULL, list_largest, "numbers, and - for none"},
	{"word", 2, value_word, NULL, "a text and a number from 0"},
	{"rest", 2, value_rest, NULL, "a text and a number from 0"},
	{"mix", 2, value_mix, NULL, "a number and one above 0"},
	{"xorshift", 2, value_xorshift, NULL, "a number from 1 to 2^32 - 1 and one from 0 on"},
};

GArray *operator_list(const Expression *e, const TextState *state, const TextValue *operands)
{
	return operator_functions[e->number].of_list ? items_of(state, &operands[0]) : NULL;
}

gboolean operator_call(const Expression *e, const TextState *state, const GArray *list,
		       const TextValue *operands, TextValue *value, GError **error)
{
	const OperatorFunction *row = &operator_functions[e->number];

	*value = (TextValue){0};
	return (list ? row->of_list(list, operands, value) : row->value(operands, value)) ||
	       text_fail(error, state->name, e->place, "%s of other values; allowed: %s",
			 row->name, row->allowed);
}

int operator_function(const char *name, gsize length)
{
	for (guint i = 0; i < G_N_ELEMENTS(operator_functions); i++)
		if (strlen(operator_functions[i].name) == length &&
		    strncmp(operator_functions[i].name, name, length) == 0)
			return (int)i;
	return -1;
}
