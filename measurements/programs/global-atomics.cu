/* SPDX-License-Identifier: MIT */
/*
 * Atomics and loads on words in global memory.
 *
 *   global-atomics POINTS.csv > global-atomics.csv
 *
 * POINTS.csv has the columns op, dependent, targets, spacing_words, order, blocks, threads and
 * atomics_per_thread; what it has besides is ignored, so a measured file serves as points. Every
 * thread holds eight word indexes in registers and walks them atomics_per_thread/8 times; index i
 * of thread t is entry (i * threads in the grid + t) mod 2^20 of a table: `cyclic`, entry e is e
 * mod targets; `random`, uniform. A word is its index times the spacing. `dependent` 1: each
 * address needs the result before. Cycles: the largest time of any SM from its first warp's begin
 * to its last warp's end, a device-wide fence before the end; median, least and most of RUNS.
 * word_bytes: of the words that the spacing counts, 8 for f64. Two columns say what this program's machine code does (nvcc
 * 13.0, sm_90): ahead, accesses that do not depend on each other before one's result is used (0: it has none); start_cycles, what passes
 * between the first reading of the clock and the first access. Memory is cleared before each point. The sum of all words proves that no add was lost.
 */
#include "points.h"

#define RUNS	   5
#define TABLE	   (1 << 20)
#define INDEXES	   8
#define MAX_SMS	   512
#define WORD_BYTES ((size_t)TABLE * 32 * 8)

enum {
	RED_ADD_U32,
	ATOM_ADD_U32,
	RED_ADD_F32,
	ATOM_CAS_U32,
	ATOM_EXCH_U32,
	RED_MAX_U32,
	LD_CG,
	RED_ADD_F64,
	N_OPERATIONS
};
static const char *const names[] = {"red_add_u32",  "atom_add_u32",  "red_add_f32",
				    "atom_cas_u32", "atom_exch_u32", "red_max_u32",
				    "ld_cg",	    "red_add_f64"};

static const int results_ahead[] = {0, 4, 0, 2, 4, 0, 8, 0};
#define START_CYCLES 260

typedef struct {
	long long begin, end;
} Span;

template <int OP>
static __device__ __forceinline__ uint32_t access(char *address, uint32_t operand)
{
	uint32_t value = 0;

	if (OP == RED_ADD_U32)
		asm volatile("red.global.add.u32 [%0], 1;" ::"l"(address) : "memory");
	else if (OP == ATOM_ADD_U32)
		asm volatile("atom.global.add.u32 %0, [%1], 1;"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else if (OP == RED_ADD_F32)
		asm volatile("red.global.add.f32 [%0], 0f3f800000;" ::"l"(address) : "memory");
	else if (OP == ATOM_CAS_U32)
		asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
			     : "=r"(value)
			     : "l"(address), "r"(operand), "r"(operand + 1)
			     : "memory");
	else if (OP == ATOM_EXCH_U32)
		asm volatile("atom.global.exch.b32 %0, [%1], %2;"
			     : "=r"(value)
			     : "l"(address), "r"(operand)
			     : "memory");
	else if (OP == RED_MAX_U32)
		asm volatile("red.global.max.u32 [%0], %1;" ::"l"(address), "r"(operand)
			     : "memory");
	else if (OP == LD_CG)
		asm volatile("ld.global.cg.u32 %0, [%1];"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else
		asm volatile("red.global.add.f64 [%0], 0d3ff0000000000000;" ::"l"(address)
			     : "memory");
	return value;
}

/* `steps` rounds of the eight indexes; results never have their top bit set. */
template <int OP, bool DEPENDENT>
static __global__ void walk(char *words, const uint32_t *table, uint32_t bytes, int steps,
			    Span *spans, uint32_t *sink)
{
	unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned int n_threads = gridDim.x * blockDim.x;
	uint32_t offset[INDEXES], all = 0, late = 0;

	for (int i = 0; i < INDEXES; i++)
		offset[i] = table[((size_t)i * n_threads + thread) % TABLE];
	__syncthreads();

	long long begin = stamp();

#pragma unroll 1
	for (int step = 0; step < steps; step++)
#pragma unroll
		for (int i = 0; i < INDEXES; i++) {
			char *address = words + (size_t)(offset[i] + late) * bytes;
			uint32_t value = access<OP>(address, thread % 8);

			all ^= value;
			if (DEPENDENT)
				late = value >> 31;
		}
	if (all == 0x9e3779b9)
		*sink = all;
	__threadfence();

	long long end = stamp();

	if (threadIdx.x % 32 == 0) {
		atomicMin(&spans[sm_id()].begin, begin);
		atomicMax(&spans[sm_id()].end, end);
	}
}

static struct {
	char *words;
	uint32_t *table;   /* on the GPU */
	uint32_t *entries; /* on the host */
	Span *spans;
	uint32_t *sink;
} memory;

typedef struct {
	int op, dependent, targets, spacing, random, blocks, threads, atomics;
} Point;

/* A word of f64 is two of the others': its spacing is in its own. */
static uint32_t word_bytes(const Point *point)
{
	return point->op == RED_ADD_F64 ? 8 : 4;
}

static size_t words_bytes(const Point *point)
{
	return (size_t)point->targets * point->spacing * word_bytes(point);
}

template <int OP, bool DEPENDENT> static void launch(const Point *point)
{
	walk<OP, DEPENDENT><<<point->blocks, point->threads>>>(
		memory.words, memory.table, point->spacing * word_bytes(point),
		point->atomics / INDEXES, memory.spans, memory.sink);
}

template <int OP> static void launch_any(const Point *point)
{
	if (point->dependent)
		launch<OP, true>(point);
	else
		launch<OP, false>(point);
}

static double run_point(const Point *point)
{
	static Span span[MAX_SMS];
	double most = 0;

	for (int i = 0; i < MAX_SMS; i++)
		span[i] = (Span){INT64_MAX, 0};
	CHECK(cudaMemcpy(memory.spans, span, sizeof(span), cudaMemcpyHostToDevice));
	switch (point->op) {
	case RED_ADD_U32:
		launch_any<RED_ADD_U32>(point);
		break;
	case ATOM_ADD_U32:
		launch_any<ATOM_ADD_U32>(point);
		break;
	case RED_ADD_F32:
		launch_any<RED_ADD_F32>(point);
		break;
	case ATOM_CAS_U32:
		launch_any<ATOM_CAS_U32>(point);
		break;
	case ATOM_EXCH_U32:
		launch_any<ATOM_EXCH_U32>(point);
		break;
	case RED_MAX_U32:
		launch_any<RED_MAX_U32>(point);
		break;
	case LD_CG:
		launch_any<LD_CG>(point);
		break;
	default:
		launch_any<RED_ADD_F64>(point);
	}
	CHECK_RUN();
	from_gpu(span, memory.spans, sizeof(span));
	for (int i = 0; i < MAX_SMS; i++)
		if (span[i].end && span[i].end - span[i].begin > most)
			most = span[i].end - span[i].begin;
	return most;
}

/* Fills the table of the point, unless the last one had it already. */
static void fill_table(const Point *point)
{
	uint32_t random = 2463534242u;

	static int targets, order;

	CHECK(cudaMemset(memory.words, 0, words_bytes(point)));
	if (targets == point->targets && order == point->random)
		return;
	targets = point->targets;
	order = point->random;
	for (int e = 0; e < TABLE; e++)
		memory.entries[e] = point->random ? next_random(&random) % point->targets
						  : (uint32_t)(e % point->targets);
	CHECK(cudaMemcpy(memory.table, memory.entries, TABLE * sizeof(uint32_t),
			 cudaMemcpyHostToDevice));
}

/* Exits unless adds of u32 add up to what was asked for. */
static void prove(const Point *point, int runs)
{
	size_t bytes = words_bytes(point);
	uint64_t sum = 0;
	uint32_t *words;

	if (point->op != RED_ADD_U32 && point->op != ATOM_ADD_U32)
		return;
	words = (uint32_t *)malloc(bytes);
	from_gpu(words, memory.words, bytes);
	for (int i = 0; i < point->targets; i++)
		sum += words[(size_t)i * point->spacing];
	free(words);
	if (sum != (uint64_t)runs * point->blocks * point->threads * point->atomics) {
		fprintf(stderr, "%s: adds were lost\n", names[point->op]);
		exit(1);
	}
}

static Point read_point(const Points *points)
{
	Point point = {-1, 0, 0, 0, 0, 0, 0, 0};

	for (int i = 0; i < N_OPERATIONS; i++)
		if (strcmp(points_text(points, "op"), names[i]) == 0)
			point.op = i;
	if (point.op < 0) {
		fprintf(stderr, "%s:%d: no such op\n", points->path, points->line);
		exit(1);
	}
	point.dependent = points_number(points, "dependent", 0, 1);
	point.targets = points_number(points, "targets", 1, TABLE);
	point.spacing = points_number(points, "spacing_words", 1, 64);
	point.random = strcmp(points_text(points, "order"), "random") == 0;
	point.blocks = points_number(points, "blocks", 1, 65535);
	point.threads = points_number(points, "threads", 32, 1024);
	point.atomics = points_number(points, "atomics_per_thread", INDEXES, 1 << 20);
	return point;
}

int main(int argc, char **argv)
{
	Points points;

	if (argc != 2) {
		fprintf(stderr, "usage: %s POINTS.csv\n", argv[0]);
		return 2;
	}
	points_open(&points, argv[1]);
	memory.words = (char *)gpu_memory(WORD_BYTES);
	memory.table = (uint32_t *)gpu_memory(TABLE * sizeof(uint32_t));
	memory.entries = (uint32_t *)malloc(TABLE * sizeof(uint32_t));
	memory.spans = (Span *)gpu_memory(MAX_SMS * sizeof(Span));
	memory.sink = (uint32_t *)gpu_memory(sizeof(uint32_t));
	warm_up();
	printf("op,dependent,targets,spacing_words,order,blocks,threads,atomics_per_thread,"
	       "word_bytes,cycles,cycles_min,cycles_max,ahead,start_cycles\n");
	while (points_next(&points)) {
		Point point = read_point(&points);
		double cycles[RUNS], middle;

		fill_table(&point);
		run_point(&point);
		for (int run = 0; run < RUNS; run++)
			cycles[run] = run_point(&point);
		prove(&point, RUNS + 1);
		middle = median(cycles, RUNS);
		printf("%s,%d,%d,%d,%s,%d,%d,%d,%u,%.0f,%.0f,%.0f,%d,%d\n", names[point.op],
		       point.dependent, point.targets, point.spacing,
		       point.random ? "random" : "cyclic", point.blocks, point.threads,
		       point.atomics, word_bytes(&point), middle, cycles[0], cycles[RUNS - 1],
		       point.dependent && results_ahead[point.op] ? 1 : results_ahead[point.op],
		       START_CYCLES);
	}
	return 0;
}
