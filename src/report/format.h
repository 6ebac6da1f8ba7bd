/* SPDX-License-Identifier: MIT */
/* Numbers and names as people read them. Who may include it: report and cli. */
#ifndef ATOMSIM_REPORT_FORMAT_H
#define ATOMSIM_REPORT_FORMAT_H

#include <glib.h>
#include <stdint.h>

/* 1234567 -> "1,234,567", whatever the locale. g_free. */
char *format_count(uint64_t count);
/* The same in at most 11 characters: from a thousand million on in millions, "1,234 M", and so on. */
char *format_count_short(uint64_t count);
/* "12.3 us", "4.56 ms", "1.2 s". g_free. */
char *format_time_us(double time_us);
/* A gain in two digits that count: "4.2", "65", "1.07" below 1.1. g_free. */
char *format_gain(double gain);
/* A share of a whole as a percentage; 0 of a whole of 0. */
double format_percent(uint64_t part, uint64_t whole);
/*
 * Text that may come from a file, fit for a terminal line of `width` columns: control characters
 * and broken UTF-8 replaced, cut with "..." if it is longer. NULL gives "". width 4 or more. g_free.
 */
char *format_name(const char *name, guint width);
/* format_name, cut at the front: of a path the end says most. */
char *format_path(const char *path, guint width);

#endif
