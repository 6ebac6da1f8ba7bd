/* SPDX-License-Identifier: MIT */
/*
 * Whole numbers of 64 bits in JSON. cJSON keeps numbers as doubles, which are exact up to 2^53: what
 * is above is kept as its digits. And JSON as text that g_free takes. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_JSON_H
#define ATOMSIM_BASE_JSON_H

#include <cjson/cJSON.h>
#include <glib.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(cJSON, cJSON_Delete)

/* From now on cJSON ends the program when it gets no memory, as GLib does: its callers do not ask, and
   an item that is left out would be a wrong result. For a program, once, before anything else. */
void json_end_without_memory(void);

/* Parses a text that is one value of JSON and nothing behind it, and keeps whole numbers above 2^53 as they are written: such an item is
   cJSON_IsRaw and prints as its digits. NULL if the text is no JSON. cJSON_Delete. */
cJSON *json_parse(const char *text);

/* The same for what cJSON has made of `text`. */
void json_keep_digits(cJSON *root, const char *text);

/* An item on one line, without its end. g_free. */
char *json_line(const cJSON *item);
/* A tree on lines, without the end of the last; and with it, as files have it. They delete the tree. g_free. */
char *json_text(cJSON *root);
char *json_page(cJSON *root);

/* How many values a text of JSON has, or more, without taking memory for them: 1 and what follows commas,
   brackets and braces. */
gsize json_count(const char *text);

/* The value of an item that is a whole number of 64 bits without a sign; FALSE if it is none. */
gboolean json_uint64(const cJSON *item, guint64 *value);

/* The value of an item that is a whole number within these bounds; FALSE if it is none. */
gboolean json_whole(const cJSON *item, guint64 min, guint64 max, guint64 *number);

#endif
