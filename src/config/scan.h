/* SPDX-License-Identifier: MIT */
/* The strict scanner behind document.h. Who may include it: document.c. */
#ifndef ATOMSIM_CONFIG_SCAN_H
#define ATOMSIM_CONFIG_SCAN_H

#include "config/document.h"

/*
 * Goes over document->text (`length` bytes, then a NUL) and fills document->spans. A malformed
 * number is reported and overwritten by 0, text after the value is reported and cut off, so that
 * the rest can still be checked. Returns false if the text is not JSON.
 */
gboolean scan_text(Document *document, gsize length, Problems *problems);

#endif
