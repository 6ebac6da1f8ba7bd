/* SPDX-License-Identifier: MIT */
/*
 * Text from outside (file names, cells, metadata, kernel names) made fit for a terminal: the one
 * place that does it. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_TEXT_H
#define ATOMSIM_BASE_TEXT_H

#include <glib.h>

/*
 * One line of valid UTF-8 that a terminal only prints: '?' stands for each control character (C0,
 * DEL, and C1 as U+009B, which starts a command as ESC [ does), for those that turn the reading
 * direction or are invisible (U+202E, U+200B), line ends (U+2028) and code points that stand for
 * nothing. What is no UTF-8 becomes U+FFFD. NULL is "". g_free.
 */
char *text_printable(const char *text);

/* The same, but lines stay lines. g_free. */
char *text_printable_lines(const char *text);

/* Appends `words` to the line that `to` ends with, and goes on in a new line, after `indent` blanks, before a word that would
   end behind column `width`. A longer word has a line of its own. Line ends in `words` stay. */
void text_wrap(GString *to, const char *words, guint indent, guint width);

#endif
