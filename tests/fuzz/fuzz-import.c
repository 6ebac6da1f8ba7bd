/* SPDX-License-Identifier: MIT */
/* Any bytes as a kernel file of Accel-Sim. What is taken must be a good trace. */
#define _GNU_SOURCE /* memfd_create */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/importer.h"
#include "trace/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_trace(GBytes *bytes)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int file = memfd_create("fuzz", 0);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
	g_autoptr(TraceWriter) writer = trace_writer_new_memory();
	g_autofree char *metadata = NULL;
	g_autoptr(GError) error = NULL;
	ImportCounts counts = {0};

	g_assert(file >= 0 && write(file, data, size) == (ssize_t)size);
	metadata = importer_accelsim.import(path, writer, &counts, NULL, &error);
	close(file);
	g_assert((metadata == NULL) == (error != NULL));
	if (metadata) {
		g_autoptr(GBytes) bytes =
			trace_writer_finish_bytes(g_steal_pointer(&writer), metadata);

		check_trace(bytes);
	}
	return 0;
}
