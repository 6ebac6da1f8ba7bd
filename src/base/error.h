/* SPDX-License-Identifier: MIT */
/*
 * What a user can cause, as GErrors. Everything above sim may include this;
 * sim and model may not: nothing a user can cause is left to happen there.
 */
#ifndef ATOMSIM_BASE_ERROR_H
#define ATOMSIM_BASE_ERROR_H

#include <glib.h>

#define ATOMSIM_ERROR (atomsim_error_quark())

typedef enum {
	ATOMSIM_ERROR_CONFIG, /* a config file or --set value */
	ATOMSIM_ERROR_TRACE,  /* the bytes or the records of a trace */
	ATOMSIM_ERROR_IO,     /* a file that cannot be read or written */
	ATOMSIM_ERROR_USAGE,  /* the command line */
	ATOMSIM_ERROR_RUN,    /* a simulation that cannot go on: deadlock, block too large */
	ATOMSIM_ERROR_INPUT,  /* the contents of another file: measurements, images */
} AtomsimErrorCode;

GQuark atomsim_error_quark(void);

/* Sets *error, where there is one, and returns FALSE. */
gboolean atomsim_fail(GError **error, AtomsimErrorCode code, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* The same for what the system refused, of ATOMSIM_ERROR_IO: "PATH: WHAT: REASON", the last of an errno. */
gboolean atomsim_fail_io(GError **error, const char *path, const char *what, int reason);

/* The candidate (of a NULL-terminated array) that `word` most likely meant, for "did you mean";
   NULL if none is close. The first of equals. */
const char *atomsim_suggest(const char *word, const char *const *candidates);

#endif
