/* SPDX-License-Identifier: MIT */
/*
 * What patterns of lanes cost an SM's ways, a group of SMs and a slice of the L2: cases from a file.
 *
 *   l2-patterns CASES.csv > l2-patterns.csv
 *
 * CASES.csv has the columns experiment, op, sms, warps, rounds, warp_stride, sm_stride, bytes and pattern; what it has
 * besides is ignored, so a measured file serves as cases. Every warp of each of `sms` walks the pattern's steps
 * `rounds` times. sms: numbers with dots between them, or `all`, or `same` and `other`: those of the side that page
 * 0 is near to, and of the other one; `same:4`, so many of them. pattern: up to four steps with / between them; a
 * step: 32 numbers with dots between them, the word of each lane, - for none. A lane's byte is 4 times
 * its word, warp_stride for each warp and sm_stride for each SM before its own, modulo `bytes`.
 * Cycles are those of the slowest SM (median, least and most of RUNS), `chip_cycles` what one warp instruction
 * costs the whole chip.
 */
#include "contend.h"
#include "points.h"

#define WORD_BYTES 4

static bool chosen[MAX_SMS];

/* Marks the SMs that the field names; returns how many, 0 if the GPU lacks one. */
static int choose(const char *field)
{
	int n = 0, side = -1, most = MAX_SMS;

	memset(chosen, 0, sizeof(chosen));
	if (field[0] >= '0' && field[0] <= '9') {
		for (const char *rest = field; rest; rest = strchr(rest, '.')) {
			rest += *rest == '.';
			if (atoi(rest) >= bench.map.n_sms)
				return 0;
			chosen[atoi(rest)] = true;
			n++;
		}
		return n;
	}
	if (strncmp(field, "all", 3) != 0)
		side = bench.map.line_side[0] ^ (strncmp(field, "other", 5) == 0);
	if (strchr(field, ':'))
		most = atoi(strchr(field, ':') + 1);
	for (int sm = 0; sm < bench.map.n_sms && n < most; sm++)
		if (side < 0 || bench.map.sm_side[sm] == side) {
			chosen[sm] = true;
			n++;
		}
	return n;
}

/* Reads the lanes' words of each step; returns the number of steps. */
static int read_pattern(const char *text, uint32_t words[STEPS][32])
{
	int n_steps = 0;

	while (text && n_steps < STEPS) {
		for (int lane = 0; lane < 32; lane++) {
			words[n_steps][lane] =
				*text == '-' ? NO_ADDRESS : strtoul(text, NULL, 10);
			text += strcspn(text, "./");
			text += *text == '.';
		}
		n_steps++;
		text = *text == '/' ? text + 1 : NULL;
	}
	return n_steps;
}

/* The row of addresses of the n-th of the SMs. */
static int make_row(const uint32_t words[STEPS][32], int n_steps, int warp_stride,
		    int sm_stride, int bytes, int n)
{
	int row = new_row();

	for (int step = 0; step < STEPS; step++)
		for (int i = 0; i < N_THREADS; i++) {
			uint32_t word = words[step % n_steps][i % 32];

			if (word != NO_ADDRESS)
				row_at(row, step)[i] =
					(uint32_t)(((uint64_t)word * WORD_BYTES +
						    (uint64_t)(i / 32) * warp_stride +
						    (uint64_t)n * sm_stride) %
						   bytes);
		}
	return row;
}

static int read_operation(const Points *points)
{
	for (int i = 0; i < N_OPERATIONS; i++)
		if (strcmp(points_text(points, "op"), operation_names[i]) == 0)
			return i;
	fprintf(stderr, "%s:%d: no such op\n", points->path, points->line);
	exit(1);
}

int main(int argc, char **argv)
{
	Points points;

	if (argc != 2) {
		fprintf(stderr, "usage: %s CASES.csv\n", argv[0]);
		return 2;
	}
	points_open(&points, argv[1]);
	bench_begin(MAP_PAGES);
	printf("experiment,op,sms,warps,rounds,warp_stride,sm_stride,bytes,pattern,cycles,"
	       "cycles_min,"
	       "cycles_max,chip_cycles\n");
	while (points_next(&points)) {
		int operation = read_operation(&points);
		int warps = points_number(&points, "warps", 1, 32);
		int rounds = points_number(&points, "rounds", BATCH, 4096);
		int warp_stride = points_number(&points, "warp_stride", 0, 1 << 24);
		int sm_stride = points_number(&points, "sm_stride", 0, 1 << 24);
		int bytes = points_number(&points, "bytes", 4, (int)bench.bytes);
		uint32_t words[STEPS][32];
		int n_steps = read_pattern(points_text(&points, "pattern"), words), n = 0,
		    row = 0;
		Reading reading;

		clear_roles();
		if (!choose(points_text(&points, "sms")))
			continue;
		for (int sm = 0; sm < MAX_SMS; sm++) {
			if (!chosen[sm])
				continue;
			if (n == 0 || sm_stride > 0)
				row = make_row(words, n_steps, warp_stride, sm_stride, bytes,
					       n);
			bench.roles[sm] = (Role){operation, warps, rounds, 0, row};
			n++;
		}
		reading = run_roles(RUNS);
		printf("%s,%s,%s,%d,%d,%d,%d,%d,%s,%.0f,%.0f,%.0f,%.4f\n",
		       points_text(&points, "experiment"), operation_names[operation],
		       points_text(&points, "sms"), warps, rounds, warp_stride, sm_stride,
		       bytes, points_text(&points, "pattern"), reading.cycles, reading.least,
		       reading.most, reading.chip_cycles);
	}
	return 0;
}
