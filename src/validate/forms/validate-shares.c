/* SPDX-License-Identifier: MIT */
#include "validate/forms/validate-shares.h"

#include <string.h>

#include "base/lanes.h"
#include "validate/frame/validate-cells.h"
#include "validate/forms/validate-sm-rows.h"

#define WORD_BYTES 4

/* Loads of some SMs at a time. */
typedef struct {
	SmProgram program; /* first: `address` casts */
	gboolean is_random;
	guint n_sms;
	uint32_t byte_mask; /* of the memory that they walk through */
} Share;

enum { PART, N_SMS, SET, WARPS, LANE_BYTES, LOADS, STEPS, VALUE, N_COLUMNS };

static const char *const names[N_COLUMNS] = {"part",	       "sms",	"set",	 "warps",
					     "bytes_per_lane", "loads", "steps", "value"};

#define SMALL_BYTES (8u << 20)	 /* that `walk` and `random` stay in */
#define COLD_BYTES  (6ull << 30) /* that `cold` takes pieces of */
#define MAX_LOADS   16
#define MAX_STEPS   4096

/* The program's sets, as lists. */
static const struct {
	const char *name, *sms;
} sets[] = {
	{"one", "0"},
	{"tpc", "0.1"},
	{"gpc-2", "0.16"},
	{"gpcs-2", "0.2"},
	{"gpc-4-tpcs-2", "0.1.16.17"},
	{"gpc-4-tpcs-4", "0.16.32.48"},
	{"gpcs-4", "0.2.4.6"},
	{"gpc-8", "2.18.34.50.64.78.92.106"},
	{"gpc-8-tpcs-4", "2.3.18.19.34.35.50.51"},
	{"gpcs-8", "0.2.4.6.8.10.12.14"},
	{"gpc-16", "2.3.18.19.34.35.50.51.64.65.78.79.92.93.106.107"},
	{"gpc-18", "12.13.28.29.44.45.60.61.74.75.88.89.102.103.116.117.120.121"},
	{"gpcs-16", "0.2.4.6.8.10.12.14.16.18.20.22.24.26.28.30"},
	{"gpcs-32", "all:32"},
	{"gpcs-66", "0.2.4.6.8.10.12.14.16.18.20.22.24.26.28.30.32.34.36.38.40.42.44.46.48."
		    "50.52.54.56.58.60.62.64.66.68.70.72.74.76.78.80.82.84.86.88.90.92.94.96."
		    "98.100.102.104.106.108.110.112.114.116.118.120.122.124.126.128.130"},
	{"all", "all"},
};

/* A warp's next load is one grid behind its last, or at a random whole line. */
static LaneMask share_address(const SmProgram *program, guint rank, guint warp, guint access,
			      uint32_t byte[SM_BENCHMARK_LANES])
{
	const Share *share = (const Share *)program;
	const uint32_t warp_bytes = SM_BENCHMARK_LANES * program->bytes;
	uint32_t number = rank * program->n_warps + warp, first;

	if (share->is_random) {
		uint32_t state = number * 2654435769u;

		for (guint i = 0; i <= access; i++)
			state = state * 1664525u + 1013904223u;
		first = state >> 9 & share->byte_mask & ~(warp_bytes - 1);
	} else {
		uint32_t grid = share->n_sms * program->n_warps;

		first = (number + access * grid) * warp_bytes & share->byte_mask;
	}
	for (guint lane = 0; lane < SM_BENCHMARK_LANES; lane++)
		byte[lane] = first + lane * program->bytes;
	return lanes_below(SM_BENCHMARK_LANES);
}

static const char *sms_of_set(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(sets); i++)
		if (strcmp(sets[i].name, name) == 0)
			return sets[i].sms;
	return NULL;
}

static gboolean read_share(const Machine *machine, const CsvTable *table, guint i,
			   const guint *columns, SmProgram *program, MeasuredRow *measured,
			   GError **error)
{
	const char *part = csv_cell(table, i, columns[PART]);
	const char *set = csv_cell(table, i, columns[SET]), *sms = sms_of_set(set);
	gboolean cold = strcmp(part, "cold") == 0;
	Share *share = (Share *)program;
	double value;

	share->is_random = strcmp(part, "random") == 0;
	if (!cold && !share->is_random && strcmp(part, "walk") != 0) {
		csv_set_cell_error(table, i, columns[PART], error,
				   "found '%s'; allowed: walk, random, cold", part);
		return FALSE;
	}
	if (sms == NULL) {
		csv_set_cell_error(table, i, columns[SET], error,
				   "found '%s'; allowed: a set such as one, gpc-8 or all", set);
		return FALSE;
	}
	share->n_sms = sm_benchmark_choose(program, machine, sms);
	if (!measured_whole(table, i, columns[WARPS], 1, TRACE_MAX_WARPS, &program->n_warps,
			    error) ||
	    !measured_whole(table, i, columns[LANE_BYTES], WORD_BYTES, 4 * WORD_BYTES,
			    &program->bytes, error) ||
	    !measured_whole(table, i, columns[LOADS], 1, MAX_LOADS, &program->n_ahead, error) ||
	    !measured_whole(table, i, columns[STEPS], 1, MAX_STEPS, &program->n_accesses,
			    error) ||
	    !csv_number(table, i, columns[VALUE], VALIDATE_LEAST_CYCLES, &value, error))
		return FALSE;
	if ((program->bytes & (program->bytes - 1)) != 0) {
		csv_set_cell_error(table, i, columns[LANE_BYTES], error,
				   "found %u; allowed: 4, 8, 16", program->bytes);
		return FALSE;
	}
	program->operation = global_operation("ld_cg");
	program->buffer_bytes = cold ? COLD_BYTES : SMALL_BYTES;
	program->address = share_address;
	share->byte_mask = cold ? UINT32_MAX : SMALL_BYTES - 1;
	measured->measured = (double)SM_BENCHMARK_LANES * program->bytes * program->n_accesses *
			     program->n_warps / value;
	measured->pattern =
		g_strdup_printf("%s/%s, %u warps of %u bytes a lane, %u under way", part, set,
				program->n_warps, program->bytes, program->n_ahead);
	return TRUE;
}

static const SmRowForm form = {names, N_COLUMNS, sizeof(Share), read_share};

gboolean validate_is_shares(const CsvTable *table)
{
	return sm_rows_are(table, &form);
}

gboolean validate_add_shares(Validation *validation, const Machine *machine,
			     const CsvTable *table, GError **error)
{
	return sm_rows_add(validation, machine, table, &form, error);
}
