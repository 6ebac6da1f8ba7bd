/* SPDX-License-Identifier: MIT */
/*
 * Arrays of indices in NumPy's format .npy (versions 1 to 3): one or two dimensions of int32 or int64, little endian, rows one
 * after the other. Who may include it: all but sim and model.
 */
#ifndef ATOMSIM_BASE_NPY_H
#define ATOMSIM_BASE_NPY_H

#include <glib.h>

#define NPY_MAX_BYTES (1u << 30)

typedef struct {
	gsize rows, columns; /* 1 column of one dimension */
	gint64 *values;	     /* rows x columns; g_free */
} NpyIndices;

/* Whether the file's name ends in .npy. */
gboolean npy_has_name(const char *path);

/*
 * Reads a file whose values are all from `least` to `most`. Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_INPUT for one that is no
 * such array, is empty, or has another value: the message names its row and column, from 0.
 */
gboolean npy_read(const char *path, gint64 least, gint64 most, NpyIndices *indices,
		  GError **error);

#endif
