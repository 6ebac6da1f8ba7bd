/* SPDX-License-Identifier: MIT */
/* What fuzz targets share. */
#ifndef ATOMSIM_TESTS_FUZZ_TOOLS_H
#define ATOMSIM_TESTS_FUZZ_TOOLS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib.h>

#include "trace/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Mutators are for libFuzzer alone: replay.c has none. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* The bytes as a file without a folder; its path. close *file. g_free. */
static inline char *fuzz_file(const uint8_t *data, size_t size, int *file)
{
	*file = memfd_create("fuzz", MFD_CLOEXEC);
	g_assert(*file >= 0 && write(*file, data, size) == (ssize_t)size);
	return g_strdup_printf("/proc/self/fd/%d", *file);
}

/* An error is there if and only if there is no result. */
static inline void fuzz_check_result(gboolean good, const GError *error)
{
	g_assert(good == (error == NULL));
	g_assert(error == NULL || *error->message != '\0');
}
/* `good` may be the call that sets the error. */
#define fuzz_check_error(good, error)                                                          \
	do {                                                                                   \
		gboolean result_ = (good);                                                     \
		fuzz_check_result(result_, error);                                             \
	} while (0)

/* What writes traces must write good ones. */
static inline void fuzz_check_trace(GBytes *bytes)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(TraceReader) reader = trace_open_bytes("fuzz", bytes, &error);
	g_autoptr(TraceCheck) check = NULL;

	g_assert_no_error(error);
	check = trace_check_new(reader, 10);
	for (uint64_t block = 0; block < trace_source(reader)->n_blocks; block++)
		trace_check_block(check, block);
	trace_check_end(check);
	g_assert_cmpuint(trace_check_n_problems(check), ==, 0);
}

#endif
