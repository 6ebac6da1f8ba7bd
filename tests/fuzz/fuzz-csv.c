/* SPDX-License-Identifier: MIT */
/* Any bytes as a table of measurements, and as one of a pattern's addresses. */
#include "fuzz-tools.h"

#include <string.h>

#include "base/csv.h"
#include "workloads/workload.h"

static void read_all(const CsvTable *table, guint n_columns)
{
	for (guint row = 0; row < csv_rows(table); row++)
		for (guint column = 0; column < n_columns; column++) {
			g_autoptr(GError) error = NULL;
			double number;

			fuzz_check_error(csv_number(table, row, column, 0, &number, &error),
					 error);
			g_assert_cmpuint(csv_line(table, row), >, 1);
		}
}

static void try_table(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(CsvTable) table = csv_parse("fuzz", (const char *)data, size, &error);
	/* A quoted comma is no column: so many at the most. */
	guint n = 1;

	fuzz_check_error(table != NULL, error);
	if (table == NULL)
		return;
	for (const uint8_t *c = data; c < data + size && *c != '\n' && n < 8; c++)
		n += *c == ',';
	if (memchr(data, '"', size) == NULL)
		read_all(table, n);
}

static void try_pattern(const uint8_t *data, size_t size)
{
	int file;
	g_autofree char *path = fuzz_file(data, size, &file);
	g_autofree char *setting = g_strconcat("file=", path, NULL);
	const char *const settings[] = {setting, NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes =
		workload_generate_bytes(workload_find("pattern", NULL), settings, &error);

	close(file);
	fuzz_check_error(bytes != NULL, error);
	if (bytes != NULL)
		fuzz_check_trace(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_table(data, size);
	try_pattern(data, size);
	return 0;
}
