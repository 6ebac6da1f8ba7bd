/* SPDX-License-Identifier: MIT */
/* Loads and stores of 8 and 16 bytes a lane, against a GPU's own counters. */
#include <glib.h>
#include <stdlib.h>

#include "base/csv.h"
#include "model/shared/shared.h"

#define FILE_NAME "measurements/h200/wide-accesses.csv"

static const Ideals no_ideals;

static SharedParameters parameters(uint32_t split_wide_accesses)
{
	return (SharedParameters){.bytes = 1u << 20,
				  .allocation_bytes = 4,
				  .banks = 32,
				  .bank_hash = {.name = "mod"},
				  .pass_cycles = 1,
				  .conflict_latency_cycles = 2,
				  .load_cycles = 23,
				  .store_cycles = 23,
				  .split_wide_accesses = split_wide_accesses};
}

/* Words of a row, "-" for a lane without one, to byte addresses by rank and a mask. */
static LaneMask read_lanes(const char *cell, uint32_t *address)
{
	g_auto(GStrv) words = g_strsplit(cell, " ", -1);
	LaneMask mask = 0;
	uint32_t n = 0;

	for (uint32_t lane = 0; words[lane]; lane++) {
		if (g_str_equal(words[lane], "-"))
			continue;
		mask |= (LaneMask)1 << lane;
		address[n++] = (uint32_t)strtoul(words[lane], NULL, 10) * 4;
	}
	return mask;
}

static void test_every_measured_access(void)
{
	g_autofree char *path = g_build_filename(g_getenv("SOURCE"), FILE_NAME, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(CsvTable) table = csv_read(path, &error);
	const SharedParameters p = parameters(1);
	SharedMemory shared;
	BankTable banks;
	uint32_t n = 0;

	g_assert_no_error(error);
	bank_table_init(&banks, &p, p.bytes / 4);
	shared_init(&shared, &p, &no_ideals, &banks);
	for (guint row = 0; row < csv_rows(table); row++) {
		const char *op = csv_cell(table, row, (guint)csv_column(table, "op"));
		const char *width = csv_cell(table, row, (guint)csv_column(table, "width"));
		guint passes_at = (guint)csv_column(table, "wavefronts");
		guint conflicts_at = (guint)csv_column(table, "conflicts");
		guint addresses_at = (guint)csv_column(table, "addresses");
		const SharedCounters before = shared.counters;
		uint32_t address[MAX_LANES];
		SharedPasses passes;
		LaneMask mask;

		if (!g_str_equal(op, "lds") && !g_str_equal(op, "sts"))
			continue;
		mask = read_lanes(csv_cell(table, row, addresses_at), address);
		shared_passes(&shared, g_str_equal(op, "lds"), (uint32_t)atoi(width), 0,
			      address, mask, &passes);
		shared_access_groups(&shared, row * 1000, &passes);
		g_assert_cmpuint(shared.counters.passes - before.passes, ==,
				 strtoul(csv_cell(table, row, passes_at), NULL, 10));
		g_assert_cmpuint(shared.counters.conflict_passes - before.conflict_passes, ==,
				 strtoul(csv_cell(table, row, conflicts_at), NULL, 10));
		n++;
	}
	g_assert_cmpuint(n, ==, 432);
	shared_clear(&shared);
	bank_table_clear(&banks);
}

static void test_together(void)
{
	const SharedParameters p = parameters(0);
	uint32_t address[MAX_LANES];
	SharedMemory shared;
	SharedPasses passes;
	BankTable banks;

	for (uint32_t lane = 0; lane < 32; lane++)
		address[lane] = lane * 8;
	bank_table_init(&banks, &p, p.bytes / 4);
	shared_init(&shared, &p, &no_ideals, &banks);
	shared_passes(&shared, true, 8, 0, address, UINT32_MAX, &passes);
	g_assert_cmpuint(passes.n_groups, ==, 1);
	g_assert_cmpuint(passes.passes, ==, 2);
	shared_access_groups(&shared, 0, &passes);
	g_assert_cmpuint(shared.counters.conflict_passes, ==, 1);
	g_assert_cmpuint(shared.conflict_cycles, ==, 2);
	shared_clear(&shared);
	bank_table_clear(&banks);
}

static void test_time_of_groups_is_no_conflict(void)
{
	const SharedParameters p = parameters(1);
	uint32_t address[MAX_LANES];
	SharedMemory shared;
	SharedPasses passes;
	BankTable banks;

	for (uint32_t lane = 0; lane < 32; lane++)
		address[lane] = lane * 16;
	bank_table_init(&banks, &p, p.bytes / 4);
	shared_init(&shared, &p, &no_ideals, &banks);
	shared_passes(&shared, false, 16, 0, address, UINT32_MAX, &passes);
	g_assert_cmpuint(passes.n_groups, ==, 4);
	g_assert_cmpuint(passes.passes, ==, 4);
	shared_access_groups(&shared, 0, &passes);
	g_assert_cmpuint(shared.bank_cycles, ==, 6);
	g_assert_cmpuint(shared.conflict_cycles, ==, 0);
	g_assert_cmpuint(shared.counters.accesses, ==, 4);
	shared_clear(&shared);
	bank_table_clear(&banks);
}

/* Cycles of the banks that are taken for much later leave what is taken for now: an access goes behind the passes of the one before. */
static void test_what_is_taken_for_later_frees_nothing(void)
{
	SharedParameters p = parameters(1);
	uint32_t address[MAX_LANES];
	Cycle second[2];
	BankTable banks;

	p.queue = 8;
	for (uint32_t lane = 0; lane < 32; lane++)
		address[lane] = lane * 128;
	bank_table_init(&banks, &p, p.bytes / 4);
	for (guint i = 0; i < 2; i++) {
		SharedMemory shared;
		SharedPasses passes;

		shared_init(&shared, &p, &no_ideals, &banks);
		shared_passes(&shared, false, 4, 0, address, UINT32_MAX, &passes);
		shared_access_groups(&shared, 100, &passes);
		if (i == 1)
			shared_take(&shared, 101, 5000, 8);
		second[i] = shared_access_groups(&shared, 102, &passes);
		shared_clear(&shared);
	}
	g_assert_cmpuint(second[0], >, 130);
	g_assert_cmpuint(second[1], ==, second[0]);
	bank_table_clear(&banks);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/wide/as many passes and conflicts as a GPU counts",
			test_every_measured_access);
	g_test_add_func("/wide/without groups all lanes go together", test_together);
	g_test_add_func("/wide/a group more is no conflict",
			test_time_of_groups_is_no_conflict);
	g_test_add_func("/wide/what is taken for later frees nothing",
			test_what_is_taken_for_later_frees_nothing);
	return g_test_run();
}
