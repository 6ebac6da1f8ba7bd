/* SPDX-License-Identifier: MIT */
/* JSON's strings, numbers and words, held to RFC 8259. Pure. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_TOKEN_H
#define ATOMSIM_CONFIG_TOKEN_H

#include <glib.h>

/* `text` starts with a quote and ends in a NUL. NULL, and *length is the string's with both quotes;
   or what is wrong, and *length is how far in. */
const char *token_string(const char *text, gsize *length);

/* `text` starts like a number and ends in a NUL. *length is that of all that was meant as a number;
   returns what is wrong with it, or NULL. */
const char *token_number(const char *text, gsize *length);

/* The length of true, false or null, 0 if `text` begins with none. */
gsize token_word(const char *text);

/* What is between the quotes of a string that token_string found good, `length` bytes with them; unescaped by cJSON, so that
   "a" and "\u0061" are seen to be the same. g_free. */
char *token_unquote(const char *quoted, gsize length);

#endif
