/* SPDX-License-Identifier: MIT */
/* The syntax of --what-if. */
#include "transform/what-if.h"

#include "base/error.h"
#include "transform/change.h"

static const ChangeKind *const change_kinds[] = {
	&change_replicate, &change_pad,	      &change_aggregate,
	&change_private,   &change_hash,      &change_type,
	&change_scatter,   &change_mechanism, NULL,
};

const char *what_if_change_name(guint i)
{
	return change_kinds[i] ? change_kinds[i]->name : NULL;
}

static void change_free(gpointer data)
{
	Change *change = data;

	g_free(change->text);
	g_free(change->mechanism);
	g_free(change);
}

WhatIf *what_if_new(void)
{
	WhatIf *what_if = g_new0(WhatIf, 1);

	what_if->changes = g_ptr_array_new_with_free_func(change_free);
	what_if->settings = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(what_if->settings, NULL);
	what_if->mechanisms = g_ptr_array_new();
	g_ptr_array_add(what_if->mechanisms, NULL);
	return what_if;
}

void what_if_free(WhatIf *what_if)
{
	if (what_if == NULL)
		return;
	g_ptr_array_unref(what_if->changes);
	g_ptr_array_unref(what_if->settings);
	g_ptr_array_unref(what_if->mechanisms);
	g_free(what_if);
}

guint what_if_length(const WhatIf *what_if)
{
	return what_if->changes->len;
}

const char *what_if_text(const WhatIf *what_if, guint i)
{
	const Change *change = g_ptr_array_index(what_if->changes, i);

	return change->text;
}

const char *const *what_if_settings(const WhatIf *what_if)
{
	return (const char *const *)what_if->settings->pdata;
}

const char *const *what_if_mechanisms(const WhatIf *what_if)
{
	return (const char *const *)what_if->mechanisms->pdata;
}

gboolean change_read_number(const char *what, const char *text, uint32_t least, uint32_t most,
			    uint32_t *number, GError **error)
{
	guint64 value = 0;

	if (!g_ascii_string_to_unsigned(text, 10, least, most, &value, NULL))
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "%s: '%s' found; allowed: a whole number from %u to %u",
				    what, text, least, most);
	*number = (uint32_t)value;
	return TRUE;
}

gboolean change_read_word(const char *what, const char *text, const char *const *words, guint n,
			  uint32_t *place, GError **error)
{
	GString *allowed = g_string_new(NULL);

	for (guint i = 0; i < n; i++) {
		if (g_str_equal(text, words[i])) {
			*place = i;
			g_string_free(allowed, TRUE);
			return TRUE;
		}
		g_string_append_printf(allowed, "%s%s", i > 0 ? ", " : "", words[i]);
	}
	atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s: '%s' found; allowed: %s", what, text,
		     allowed->str);
	g_string_free(allowed, TRUE);
	return FALSE;
}

static gboolean read_bytes(Change *change, const char *value, GError **error)
{
	g_auto(GStrv) ends = g_strsplit(value, "..", 2);
	uint32_t last = 0;

	if (!ends[0] || !ends[1])
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "bytes=%s; allowed: bytes=FIRST..LAST, as in bytes=0..127",
				    value);
	if (!change_read_number("bytes: first", ends[0], 0, TRACE_MAX_SHARED_BYTES - 1,
				&change->bytes_first, error) ||
	    !change_read_number("bytes: last", ends[1], change->bytes_first,
				TRACE_MAX_SHARED_BYTES - 1, &last, error))
		return FALSE;
	change->bytes_end = last + 1;
	return TRUE;
}

/* The option that names the array. FALSE without an error: it is another option. */
static gboolean read_array(Change *change, const char *name, const char *value, GError **error)
{
	if (g_str_equal(name, "line")) {
		change->naming = NAMED_BY_LINE;
		return change_read_number("line", value, 1, INT32_MAX, &change->line, error);
	}
	if (g_str_equal(name, "site")) {
		change->naming = NAMED_BY_SITE;
		return change_read_number("site", value, 1, INT32_MAX, &change->site, error);
	}
	if (g_str_equal(name, "buffer") && change->kind->in_buffers) {
		change->naming = NAMED_BY_BUFFER;
		return change_read_number("buffer", value, 1, UINT16_MAX, &change->buffer,
					  error);
	}
	if (!g_str_equal(name, "bytes"))
		return FALSE;
	change->naming = NAMED_BY_BYTES;
	return read_bytes(change, value, error);
}

static gboolean read_option(Change *change, const char *item, GError **error)
{
	const ChangeKind *kind = change->kind;
	g_auto(GStrv) pair = g_strsplit(item, "=", 2);
	GError *why = NULL;

	if (pair[0] && pair[1]) {
		if (read_array(change, pair[0], pair[1], &why))
			return TRUE;
		if (!why && kind->read_option &&
		    kind->read_option(change, pair[0], pair[1], &why))
			return TRUE;
	}
	if (why) {
		g_propagate_error(error, why);
		return FALSE;
	}
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "%s takes no option '%s'; allowed: %sline=, site=, bytes=%s",
			    kind->name, item, kind->options ? kind->options : "",
			    kind->in_buffers ? ", buffer=" : "");
}

static bool has_option(const ChangeKind *kind, const char *name)
{
	g_auto(GStrv) options = g_strsplit(kind->options ? kind->options : "", "=, ", -1);

	return *name != '\0' && g_strv_contains((const char *const *)options, name);
}

/* A kind that has the option, any for one that names an array; NULL: it is no option. */
static const ChangeKind *kind_with_option(const char *name)
{
	static const char *const of_arrays[] = {"line", "site", "bytes", "buffer", NULL};

	for (guint i = 0; change_kinds[i] != NULL; i++)
		if (has_option(change_kinds[i], name))
			return change_kinds[i];
	return g_strv_contains(of_arrays, name) ? &change_aggregate : NULL;
}

static const ChangeKind *find_kind(const char *name, GError **error)
{
	GString *names = g_string_new(NULL);
	const ChangeKind *owner;

	for (guint i = 0; change_kinds[i] != NULL; i++) {
		if (g_str_equal(change_kinds[i]->name, name)) {
			g_string_free(names, TRUE);
			return change_kinds[i];
		}
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", change_kinds[i]->name);
	}
	owner = kind_with_option(name);
	if (owner)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "'%s' is an option of a change; allowed: after a change, as in "
			     "%s=...,%s=...",
			     name, owner->name, name);
	else
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "'%s' is no change; allowed: %s", name,
			     names->str);
	g_string_free(names, TRUE);
	return NULL;
}

static gboolean read_change(Change *change, char **items, GError **error)
{
	g_auto(GStrv) pair = g_strsplit(items[0] ? items[0] : "", "=", 2);

	if (!pair[0] || !pair[1])
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "a change is CHANGE=VALUE, as in replicate=4,pad=1");
	change->kind = find_kind(pair[0], error);
	if (!change->kind || !change->kind->read(change, pair[1], error))
		return FALSE;
	for (guint i = 1; items[i] != NULL; i++)
		if (!read_option(change, items[i], error))
			return FALSE;
	return TRUE;
}

static void add_before_end(GPtrArray *list, char *text)
{
	g_ptr_array_insert(list, (gint)list->len - 1, text);
}

/* All atomics on shared words, of whatever type; also those of arrays that changes before it gave another. */
static void set_mechanism(WhatIf *what_if, const char *name)
{
	static const char *const of_types[] = {"atomic.mechanism_f32=same",
					       "atomic.mechanism_64bit=same"};

	add_before_end(what_if->settings, g_strconcat("atomic.mechanism=", name, NULL));
	for (guint i = 0; i < G_N_ELEMENTS(of_types); i++)
		add_before_end(what_if->settings, g_strdup(of_types[i]));
	for (guint i = 0; i < what_if->changes->len; i++) {
		Change *before = what_if->changes->pdata[i];

		before->mechanism_number = 0;
	}
	g_ptr_array_set_size(what_if->mechanisms, 0);
	g_ptr_array_add(what_if->mechanisms, NULL);
}

/* A mechanism for all atomics is a setting of the machine, one for an array is the records'. */
static void add_mechanism(WhatIf *what_if, Change *change)
{
	guint place = 0;

	if (change->naming == NAMED_BY_NOTHING) {
		set_mechanism(what_if, change->mechanism);
		return;
	}
	while (place + 1 < what_if->mechanisms->len &&
	       !g_str_equal(what_if->mechanisms->pdata[place], change->mechanism))
		place++;
	if (place + 1 == what_if->mechanisms->len)
		add_before_end(what_if->mechanisms, change->mechanism);
	change->mechanism_number = (uint8_t)(place + 1);
}

gboolean what_if_add(WhatIf *what_if, const char *text, GError **error)
{
	g_auto(GStrv) items = g_strsplit(text, ",", -1);
	Change *change = g_new0(Change, 1);

	change->text = g_strdup(text);
	if (!read_change(change, items, error)) {
		g_prefix_error(error, "--what-if %s: ", text);
		change_free(change);
		return FALSE;
	}
	g_ptr_array_add(what_if->changes, change);
	if (change->mechanism)
		add_mechanism(what_if, change);
	return TRUE;
}
