/* SPDX-License-Identifier: MIT */
/*
 * The end when there is no memory left at all. GLib ends a program that gets none with a message, and makes
 * the message in memory: g_vasprintf (2.74) reports by g_error that it got none, which calls g_vasprintf for its
 * message, and so on until the stack ends, by SIGSEGV and without a word. What GLib calls for it, vasprintf
 * of the C library, is defined here for the whole program: it does the same, and ends the program
 * with words that are there.
 */
#undef _FORTIFY_SOURCE /* which would define vasprintf itself */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
/* A sanitizer has a vasprintf of its own. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                         \
	!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

/* As callers that were built with _FORTIFY_SOURCE have it; GLib is one. */
int __vasprintf_chk(char **text, int flag, const char *format, va_list arguments);

__attribute__((noreturn)) static void end(void)
{
	static const char words[] = "atomsim: out of memory\n";
	/* Nobody is left to learn that they could not be written. */
	ssize_t n = write(STDERR_FILENO, words, sizeof(words) - 1);

	(void)n;
	abort();
}

__attribute__((visibility("default"))) int vasprintf(char **text, const char *format,
						     va_list arguments)
{
	va_list copy;
	int length;

	*text = NULL;
	va_copy(copy, arguments);
	length = vsnprintf(NULL, 0, format, copy);
	va_end(copy);
	if (length < 0)
		return length;
	*text = malloc((size_t)length + 1);
	if (*text == NULL)
		end();
	return vsnprintf(*text, (size_t)length + 1, format, arguments);
}

__attribute__((visibility("default"))) int
__vasprintf_chk(char **text, int flag, const char *format, va_list arguments)
{
	(void)flag;
	return vasprintf(text, format, arguments);
}

#endif
