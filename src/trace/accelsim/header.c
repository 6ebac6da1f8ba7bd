/* SPDX-License-Identifier: MIT */
/* The header of an Accel-Sim trace: lines of "-name = value". */
#include <string.h>

#include "trace/accelsim/accelsim.h"

typedef enum { FIELD_TEXT, FIELD_DIMENSIONS, FIELD_UINT32, FIELD_ADDRESS } FieldType;

static const struct {
	const char *name;
	FieldType type;
	gsize offset;
	guint64 min, max;
} fields[] = {
	{"kernel name", FIELD_TEXT, G_STRUCT_OFFSET(AccelSimHeader, kernel), 0, 0},
	{"grid dim", FIELD_DIMENSIONS, G_STRUCT_OFFSET(AccelSimHeader, grid), 1, G_MAXINT32},
	{"block dim", FIELD_DIMENSIONS, G_STRUCT_OFFSET(AccelSimHeader, block), 1, 1024},
	{"shmem", FIELD_UINT32, G_STRUCT_OFFSET(AccelSimHeader, shared_bytes), 0,
	 TRACE_MAX_SHARED_BYTES},
	{"nregs", FIELD_UINT32, G_STRUCT_OFFSET(AccelSimHeader, registers), 0,
	 TRACE_MAX_REGISTERS},
	{"binary version", FIELD_UINT32, G_STRUCT_OFFSET(AccelSimHeader, binary_version), 0,
	 999},
	{"shmem base_addr", FIELD_ADDRESS, G_STRUCT_OFFSET(AccelSimHeader, shared_base), 0, 0},
	{"accelsim tracer version", FIELD_UINT32,
	 G_STRUCT_OFFSET(AccelSimHeader, tracer_version), 0, ACCELSIM_LAST_VERSION},
	{"enable lineinfo", FIELD_UINT32, G_STRUCT_OFFSET(AccelSimHeader, has_source_line), 0,
	 1},
};

gboolean accelsim_parse_dimensions(const char *text, guint64 min, guint64 max, guint32 *values)
{
	g_auto(GStrv) parts = NULL;
	gsize n = strlen(text);

	if (n < 2 || text[0] != '(' || text[n - 1] != ')')
		return FALSE;
	g_autofree char *inner = g_strndup(text + 1, n - 2);

	parts = g_strsplit(inner, ",", -1);
	if (g_strv_length(parts) != 3)
		return FALSE;
	for (guint i = 0; i < 3; i++) {
		guint64 value;

		if (!g_ascii_string_to_unsigned(g_strstrip(parts[i]), 10, min, max, &value,
						NULL))
			return FALSE;
		values[i] = (guint32)value;
	}
	return TRUE;
}

static gboolean set_field(AccelSimKernel *kernel, guint i, const char *text, GError **error)
{
	void *field = (char *)&kernel->header + fields[i].offset;
	guint64 value = 0;
	gboolean good = TRUE;

	switch (fields[i].type) {
	case FIELD_TEXT:
		g_free(*(char **)field);
		*(char **)field = g_utf8_make_valid(text, -1);
		break;
	case FIELD_DIMENSIONS:
		good = accelsim_parse_dimensions(text, fields[i].min, fields[i].max, field);
		break;
	case FIELD_UINT32:
		good = g_ascii_string_to_unsigned(text, 10, fields[i].min, fields[i].max,
						  &value, NULL);
		*(guint32 *)field = (guint32)value;
		break;
	case FIELD_ADDRESS:
		good = g_ascii_string_to_unsigned(text + (g_str_has_prefix(text, "0x") ? 2 : 0),
						  16, 0, G_MAXUINT64, field, NULL);
		break;
	}
	if (good)
		return TRUE;
	return lines_fail(
		kernel->lines, error,
		"-%s: '%.40s' found; allowed: %s%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
		"%s",
		fields[i].name, text,
		fields[i].type == FIELD_DIMENSIONS ? "(x,y,z), each " : "a number from ",
		fields[i].min, fields[i].type == FIELD_ADDRESS ? G_MAXUINT64 : fields[i].max,
		fields[i].type == FIELD_ADDRESS ? ", hexadecimal" : "");
}

/* Names that nobody needs here are many. */
gboolean accelsim_parse_field(AccelSimKernel *kernel, char *line, GError **error)
{
	char *equals = strchr(line, '=');

	if (!equals)
		return lines_fail(kernel->lines, error,
				  "'%.40s' found; allowed in the header: -name = value", line);
	*equals = '\0';
	g_strstrip(++line);
	for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
		if (strcmp(fields[i].name, line) == 0)
			return set_field(kernel, i, g_strstrip(equals + 1), error);
	return TRUE;
}

gboolean accelsim_check_header(AccelSimKernel *kernel, GError **error)
{
	const AccelSimHeader *header = &kernel->header;
	guint64 n_threads = (guint64)header->block[0] * header->block[1] * header->block[2];

	if (header->grid[0] == 0 || header->block[0] == 0)
		return lines_fail(kernel->lines, error, "no '-%s = (x,y,z)' before this line",
				  header->grid[0] == 0 ? "grid dim" : "block dim");
	if ((guint64)header->grid[0] * header->grid[1] > G_MAXINT64 / header->grid[2])
		return lines_fail(kernel->lines, error,
				  "a grid of more than 2^63 thread blocks");
	if (n_threads > TRACE_MAX_WARPS * TRACE_MAX_LANES)
		return lines_fail(kernel->lines, error,
				  "%" G_GUINT64_FORMAT " threads in a block; allowed: 1 to %d",
				  n_threads, TRACE_MAX_WARPS * TRACE_MAX_LANES);
	kernel->n_warps = (guint32)((n_threads + TRACE_MAX_LANES - 1) / TRACE_MAX_LANES);
	return TRUE;
}
