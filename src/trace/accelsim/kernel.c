/* SPDX-License-Identifier: MIT */
/*
 * A kernel of an Accel-Sim trace, block by block, warp by warp. What is read goes to the writer at
 * once: memory follows one thread block.
 */
#include <string.h>

#include "base/error.h"
#include "trace/accelsim/accelsim.h"

#define LINES_PER_PROGRESS 65536

G_STATIC_ASSERT(TRACE_MAX_WARPS <= 64); /* warps_seen */

/* The next line that is not empty. NULL at the file's end or with *error. */
static char *next_line(AccelSimKernel *kernel, GError **error)
{
	char *line;

	do {
		const ImportProgress *progress = kernel->progress;

		line = lines_next(kernel->lines, error);
		if (line && progress && progress->function &&
		    lines_number(kernel->lines) % LINES_PER_PROGRESS == 0 &&
		    !progress->function(progress->data, lines_bytes_read(kernel->lines),
					lines_bytes(kernel->lines))) {
			atomsim_fail(error, ATOMSIM_ERROR_RUN, "%s: interrupted",
				     lines_path(kernel->lines));
			return NULL;
		}
	} while (line && line[strspn(line, " \t")] == '\0');
	return line;
}

/* Likewise, but the file may not end here. */
static char *need_line(AccelSimKernel *kernel, const char *what, GError **error)
{
	g_autoptr(GError) problem = NULL;
	char *line = next_line(kernel, &problem);

	if (problem)
		g_propagate_error(error, g_steal_pointer(&problem));
	else if (!line)
		lines_fail(kernel->lines, error, "the file ends here; %s is missing", what);
	return line;
}

/* The text behind "name =", or NULL if the line is another. */
static char *value_of(char *line, const char *name)
{
	gsize n = strlen(name);

	line += strspn(line, " \t");
	if (strncmp(line, name, n) != 0)
		return NULL;
	line += n + strspn(line + n, " \t");
	return *line == '=' ? g_strstrip(line + 1) : NULL;
}

/* "name = number" in the line. */
static gboolean parse_count(AccelSimKernel *kernel, char *line, const char *name, guint64 max,
			    guint64 *number, GError **error)
{
	g_autofree char *found = g_strndup(line, 40);
	const char *value = value_of(line, name);

	if (value && g_ascii_string_to_unsigned(value, 10, 0, max, number, NULL))
		return TRUE;
	return lines_fail(kernel->lines, error,
			  "'%s' found; allowed: %s = a number from 0 to %" G_GUINT64_FORMAT,
			  found, name, max);
}

static gboolean is_here(const AccelSimKernel *kernel, const AccelSimWarp *warp,
			const Instruction *instruction)
{
	const guint32 *grid = kernel->header.grid, *block = instruction->block;

	return kernel->header.tracer_version >= 3 ||
	       (warp->number == instruction->warp && block[0] < grid[0] && block[1] < grid[1] &&
		block[0] + (guint64)grid[0] * (block[1] + (guint64)grid[1] * block[2]) ==
			kernel->block_id);
}

/* "warp = w" is in the line. */
static gboolean import_warp(AccelSimKernel *kernel, char *line, GError **error)
{
	Instruction instruction;
	guint64 number, n, i;
	AccelSimWarp warp = {0};

	if (!parse_count(kernel, line, "warp", kernel->n_warps - 1, &number, error))
		return FALSE;
	if (kernel->warps_seen >> number & 1)
		return lines_fail(kernel->lines, error,
				  "warp %" G_GUINT64_FORMAT " comes twice in its thread block",
				  number);
	kernel->warps_seen |= UINT64_C(1) << number;
	warp.number = (guint32)number;
	line = need_line(kernel, "'insts = '", error);
	if (!line || !parse_count(kernel, line, "insts", G_MAXINT64, &n, error))
		return FALSE;
	for (i = 0; i < n; i++) {
		line = need_line(kernel, "an instruction", error);
		if (!line)
			return FALSE;
		if (line[0] == '#' || line[0] == 'w')
			return lines_fail(kernel->lines, error,
					  "warp %u has %" G_GUINT64_FORMAT
					  " instructions; 'insts = ' says %" G_GUINT64_FORMAT,
					  warp.number, i, n);
		if (!accelsim_parse_line(kernel->lines, line, &kernel->header, kernel->opcodes,
					 kernel->instructions, &instruction, error))
			return FALSE;
		if (!is_here(kernel, &warp, &instruction))
			return lines_fail(kernel->lines, error,
					  "an instruction of another thread block or warp");
		accelsim_append(kernel, &warp, &instruction);
	}
	import_gaps_flush(kernel, &warp);
	return TRUE;
}

/* "thread block = x,y,z" is in the line. */
static gboolean begin_block(AccelSimKernel *kernel, char *line, GError **error)
{
	const guint32 *grid = kernel->header.grid;
	g_autofree char *found = g_strndup(line, 40);
	const char *value = value_of(line, "thread block");
	g_autofree char *text = g_strdup_printf("(%s)", value ? value : "");
	guint32 block[3];

	if (!accelsim_parse_dimensions(text, 0, G_MAXINT32, block) || block[0] >= grid[0] ||
	    block[1] >= grid[1] || block[2] >= grid[2])
		return lines_fail(kernel->lines, error,
				  "'%s' found; allowed: thread block = x,y,z within the grid "
				  "(%u,%u,%u)",
				  found, grid[0], grid[1], grid[2]);
	kernel->block_id =
		block[0] + (guint64)grid[0] * (block[1] + (guint64)grid[1] * block[2]);
	if (!g_hash_table_add(kernel->blocks, g_memdup2(&kernel->block_id, sizeof(guint64))))
		return lines_fail(kernel->lines, error,
				  "thread block %s comes twice in the file", text);
	kernel->warps_seen = 0;
	trace_writer_begin_block(kernel->writer, kernel->block_id, kernel->n_warps,
				 kernel->header.shared_bytes);
	return TRUE;
}

/* #BEGIN_TB was read. */
static gboolean import_block(AccelSimKernel *kernel, GError **error)
{
	char *line = need_line(kernel, "'thread block = '", error);

	if (!line || !begin_block(kernel, line, error))
		return FALSE;
	while ((line = need_line(kernel, "#END_TB", error))) {
		if (g_str_has_prefix(line, "#END_TB")) {
			trace_writer_end_block(kernel->writer, kernel->block_id);
			kernel->counts->n_blocks++;
			return TRUE;
		}
		if (!import_warp(kernel, line, error))
			return FALSE;
	}
	return FALSE;
}

static gboolean import_lines(AccelSimKernel *kernel, GError **error)
{
	g_autoptr(GError) problem = NULL;
	char *line;

	while ((line = next_line(kernel, &problem))) {
		if (g_str_has_prefix(line, "#BEGIN_TB")) {
			if (!accelsim_check_header(kernel, error) ||
			    !import_block(kernel, error))
				return FALSE;
		} else if (line[0] == '-' && kernel->counts->n_blocks == 0) {
			if (!accelsim_parse_field(kernel, line, error))
				return FALSE;
		} else if (line[0] != '#') {
			return lines_fail(
				kernel->lines, error,
				"'%.40s' found; allowed: %s#BEGIN_TB or a comment", line,
				kernel->counts->n_blocks == 0 ? "-name = value, " : "");
		}
	}
	if (problem) {
		g_propagate_error(error, g_steal_pointer(&problem));
		return FALSE;
	}
	return kernel->counts->n_blocks > 0 ||
	       lines_fail(kernel->lines, error, "the file ends here, without a thread block");
}

char *accelsim_import(const char *path, TraceWriter *writer, ImportCounts *counts,
		      const ImportProgress *progress, GError **error)
{
	AccelSimKernel kernel = {.writer = writer, .counts = counts, .progress = progress};
	char *metadata = NULL;

	kernel.lines = lines_open(path, error);
	if (!kernel.lines)
		return NULL;
	kernel.opcodes = opcodes_new();
	kernel.instructions = instructions_new();
	kernel.sites = g_ptr_array_new();
	kernel.buffers = g_array_new(FALSE, FALSE, sizeof(ImportBuffer));
	kernel.gaps = import_gaps_new();
	trace_writer_set_version_2(writer, TRACE_MAX_LANES);
	kernel.blocks = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	if (import_lines(&kernel, error))
		metadata = accelsim_metadata(path, &kernel);
	lines_free(kernel.lines);
	g_hash_table_unref(kernel.opcodes);
	instructions_free(kernel.instructions);
	g_ptr_array_unref(kernel.sites);
	g_array_unref(kernel.buffers);
	import_gaps_free(kernel.gaps);
	g_hash_table_unref(kernel.blocks);
	g_free(kernel.header.kernel);
	return metadata;
}
