/* SPDX-License-Identifier: MIT */
/*
 * The slices of the L2, found by contention: two lines of one slice, hammered in turn by all SMs,
 * take longer than two lines of two slices. Latency (l2.h) only says which pairs to try first.
 *
 *   l2-slices FOLDER
 *
 * writes into the folder
 *   l2-slices.csv   a row a line of PAGES pages: side, slice, chip cycles of one-lane reds that go
 *                   in turn to it and to the first line of its slice
 *   l2-pairs.csv    a row a pair of slices of which the reds slow each other down without being
 *                   one: chip cycles, and those of a pair that does not
 *   l2-mirror.csv   half of a side's SMs on one line, the other half hammering another line: chip
 *                   cycles of the first half's, for every line tried; without hammering in the
 *                   row whose hammered line is -1
 */
#include "contend.h"

#define PAGES	      64
#define MAX_FOUND     512
#define CANDIDATE     16.0 /* cycles; lines whose signatures differ more are not tried */
#define ONE_SLICE     0.83 /* of one line's time, and longer: one slice */
#define HAMMER_CYCLES 700000

static struct {
	int n, first[MAX_FOUND]; /* line that stands for a slice */
} found;

static double alternate(int a, int b)
{
	int lines[2] = {a, b};

	clear_roles();
	assign(-1, MAX_SMS, RED, 32, 4, 0, lines_row(lines, a == b ? 1 : 2));
	return run_roles(1).chip_cycles;
}

/* The slice of the line, nearest signatures first; a new one if it shares none's time. */
static int find_slice(int line, double alone, double *cycles)
{
	bool tried[MAX_FOUND] = {false};

	for (;;) {
		double least = CANDIDATE;
		int next = -1;

		for (int i = 0; i < found.n; i++) {
			double d = signature_difference(&bench.map, line, found.first[i]);

			if (!tried[i] && d < least) {
				least = d;
				next = i;
			}
		}
		if (next < 0)
			break;
		tried[next] = true;
		*cycles = alternate(line, found.first[next]);
		if (*cycles > ONE_SLICE * alone)
			return next;
	}
	*cycles = alone;
	found.first[found.n] = line;
	return found.n++;
}

static void print_slices(FILE *out)
{
	double alone = alternate(0, 0);

	fprintf(out, "page,line,side,slice,chip_cycles\n");
	for (int line = 0; line < PAGES * PAGE_LINES && found.n < MAX_FOUND; line++) {
		double cycles;
		int slice = find_slice(line, alone, &cycles);

		bench.map.slice[line] = slice;
		fprintf(out, "%d,%d,%d,%d,%.4f\n", line / PAGE_LINES, line % PAGE_LINES,
			bench.map.line_side[line], slice, cycles);
	}
	fprintf(stderr, "%d slices\n", found.n);
	bench.map.n_slices = found.n;
}

static void print_pairs(FILE *out)
{
	double all[MAX_FOUND], middle;

	fprintf(out, "slice,other,side,other_side,chip_cycles,usual\n");
	for (int a = 0; a < found.n; a++) {
		double sorted[MAX_FOUND];

		for (int b = 0; b < a; b++)
			all[b] = sorted[b] = alternate(found.first[a], found.first[b]);
		middle = a ? median(sorted, a) : 0;
		for (int b = 0; b < a; b++)
			if (all[b] > 1.05 * middle)
				fprintf(out, "%d,%d,%d,%d,%.4f,%.4f\n", a, b,
					bench.map.line_side[found.first[a]],
					bench.map.line_side[found.first[b]], all[b], middle);
	}
}

/* The SMs of side 0: every second one on `line`, the others hammering `other` (-1: idle). */
static Reading beside(int operation, int line, int other)
{
	int row, n = 0;

	clear_roles();
	row = spread_row(line * LINE_BYTES, 1, 1, 4);
	if (other >= 0)
		spread_row(other * LINE_BYTES, 1, 1, 4);
	for (int sm = 0; sm < bench.map.n_sms; sm++) {
		if (bench.map.sm_side[sm] != 0)
			continue;
		if (n++ % 2 == 0)
			bench.roles[sm] = (Role){operation, 32, 32, 0, row};
		else if (other >= 0)
			bench.roles[sm] = (Role){operation, 32, 0, HAMMER_CYCLES, row + 1};
	}
	return run_roles(1);
}

/* Lines of the slices in turn, from all pages: two of each page. */
static void print_mirror(FILE *out)
{
	static const int operations[] = {RED, ATOM, CAS};

	fprintf(out, "op,line,line_side,line_slice,hammered,hammered_side,hammered_slice,"
		     "chip_cycles,others_per_1000_cycles\n");
	for (int o = 0; o < 3; o++)
		for (int v = 0; v < 2; v++) {
			int line = 0;

			while (line < PAGES * PAGE_LINES && bench.map.line_side[line] != v)
				line += PAGE_LINES;
			if (line >= PAGES * PAGE_LINES)
				continue; /* one partition */
			for (int other = -1; other < PAGES * PAGE_LINES;
			     other += other < 0		? 1
				      : other % 16 == 0 ? 2
							: 6) {
				Reading reading = beside(operations[o], line, other);

				if (o && other > PAGES * PAGE_LINES / 4)
					break;
				fprintf(out, "%s,%d,%d,%d,%d,%d,%d,%.4f,%.3f\n",
					operation_names[operations[o]], line, v,
					bench.map.slice[line], other,
					other < 0 ? -1 : bench.map.line_side[other],
					other < 0 ? -1 : bench.map.slice[other],
					reading.chip_cycles, reading.others);
			}
		}
}

static FILE *open_file(const char *folder, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	bench_begin(PAGES);
	print_slices(open_file(argv[1], "l2-slices.csv"));
	print_pairs(open_file(argv[1], "l2-pairs.csv"));
	print_mirror(open_file(argv[1], "l2-mirror.csv"));
	return 0;
}
