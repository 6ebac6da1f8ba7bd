/* SPDX-License-Identifier: MIT */
/*
 * Atomics or loads of chosen SMs on chosen words, alone or beside SMs that hammer something else:
 * what each SM does is a role, where its lanes go a row of a table of addresses.
 */
#ifndef CONTEND_H
#define CONTEND_H

#include "l2.h"

#define MAX_SMS	    512
#define N_THREADS   1024
#define STEPS	    4 /* addresses of a thread, in turn */
#define BATCH	    4 /* rounds of STEPS accesses that are under way together */
#define NO_ADDRESS  (~0u)
#define RUNS	    5
#define MAP_PAGES   128
#define PIECE_BYTES ((size_t)2 << 20)

enum { RED, ATOM, CAS, FLOAT, RED64, LOAD, DOUBLE, STORE, N_OPERATIONS };
static const char *const operation_names[] = {"red_add_u32", "atom_add_u32", "atom_cas_u32",
					      "red_add_f32", "red_add_u64",  "ld_relaxed",
					      "red_add_f64", "st_relaxed"};

/* What an SM does. */
typedef struct {
	int operation, warps;
	int rounds; /* of STEPS accesses; 0: until `cycles` are over */
	long long cycles;
	int row; /* of the table of addresses */
} Role;

typedef struct {
	long long begin, end;
	unsigned long long rounds; /* of all warps */
} Outcome;

/* One access; the old value of those that ask for it, else 0. */
template <int OPERATION> static __device__ unsigned int access_word(char *address)
{
	unsigned int value = 0;

	if (OPERATION == RED)
		asm volatile("red.global.add.u32 [%0], 1;" ::"l"(address) : "memory");
	else if (OPERATION == FLOAT)
		asm volatile("red.global.add.f32 [%0], 0f3f800000;" ::"l"(address) : "memory");
	else if (OPERATION == RED64)
		asm volatile("red.global.add.u64 [%0], 1;" ::"l"(address) : "memory");
	else if (OPERATION == DOUBLE)
		asm volatile("red.global.add.f64 [%0], 0d3ff0000000000000;" ::"l"(address)
			     : "memory");
	else if (OPERATION == STORE)
		asm volatile("st.relaxed.gpu.global.u32 [%0], 7;" ::"l"(address) : "memory");
	else if (OPERATION == ATOM)
		asm volatile("atom.global.add.u32 %0, [%1], 1;"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else if (OPERATION == CAS)
		asm volatile("atom.global.cas.b32 %0, [%1], 7, 9;"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	else
		asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
			     : "=r"(value)
			     : "l"(address)
			     : "memory");
	return value;
}

/* Results count as awaited at the end of BATCH rounds: 0, but only they can tell. */
template <int OPERATION> static __device__ unsigned int do_rounds(char *const *address)
{
	unsigned int all = 0;

#pragma unroll
	for (int i = 0; i < BATCH * STEPS; i++)
		all |= access_word<OPERATION>(address[i % STEPS]);
	return all >> 31; /* never set */
}

template <int OPERATION>
static __device__ unsigned long long work(const Role *role, char *const *address,
					  long long begin)
{
	unsigned long long rounds = 0;

	if (role->rounds > 0)
#pragma unroll 1
		for (int n = role->rounds; (int)rounds < n;)
			rounds += BATCH + do_rounds<OPERATION>(address);
	else
#pragma unroll 1
		while (stamp() - begin < role->cycles)
			rounds += BATCH + do_rounds<OPERATION>(address);
	return rounds;
}

static __global__ void __launch_bounds__(N_THREADS, 1)
	contend(char *base, const Role *roles, const uint32_t *offsets, Outcome *outcomes,
		unsigned int *taken)
{
	__shared__ long long begin, end;
	__shared__ unsigned long long rounds;
	__shared__ int mine;
	const Role *role = &roles[sm_id()];

	if (threadIdx.x == 0) {
		mine = atomicExch(&taken[sm_id()], 1) == 0;
		begin = 0x7fffffffffffffff;
		end = 0;
		rounds = 0;
	}
	__syncthreads();
	if (!mine || (int)(threadIdx.x / 32) >= role->warps)
		return;

	char *address[STEPS];
	bool active = true;

	for (int step = 0; step < STEPS; step++) {
		uint32_t offset =
			offsets[((size_t)role->row * STEPS + step) * N_THREADS + threadIdx.x];

		active = active && offset != NO_ADDRESS;
		address[step] = base + offset;
	}

	long long first = stamp();
	unsigned long long n = 0;

	if (active) {
		switch (role->operation) {
		case RED:
			n = work<RED>(role, address, first);
			break;
		case ATOM:
			n = work<ATOM>(role, address, first);
			break;
		case CAS:
			n = work<CAS>(role, address, first);
			break;
		case FLOAT:
			n = work<FLOAT>(role, address, first);
			break;
		case RED64:
			n = work<RED64>(role, address, first);
			break;
		case DOUBLE:
			n = work<DOUBLE>(role, address, first);
			break;
		case STORE:
			n = work<STORE>(role, address, first);
			break;
		default:
			n = work<LOAD>(role, address, first);
		}
		__threadfence();
	}
	__syncwarp();

	long long last = stamp();

	atomicMin(&begin, first);
	atomicMax(&end, last);
	for (int other = 16; other > 0; other /= 2)
		n = max(n, __shfl_xor_sync(~0u, n, other));
	if (threadIdx.x % 32 == 0)
		atomicAdd(&rounds, n);
	/* Every warp of the role writes; the last one to come has it all. */
	__syncwarp();
	if (threadIdx.x % 32 == 0) {
		atomicMin(&outcomes[sm_id()].begin, begin);
		atomicMax(&outcomes[sm_id()].end, end);
		atomicMax(&outcomes[sm_id()].rounds, rounds);
	}
}

static struct {
	char *base;
	size_t bytes; /* of the words */
	L2Map map;
	Role roles[MAX_SMS];
	uint32_t *offsets; /* [row][step][thread] */
	int n_rows;
	Role *gpu_roles;
	uint32_t *gpu_offsets;
	Outcome *gpu_outcomes;
	unsigned int *gpu_taken;
} bench;

#define MAX_ROWS MAX_SMS

/* Bytes of shared memory of a block beside which a second finds no room. */
static inline int one_a_sm(void)
{
	const int half =
		device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / 2 + 1024;

	return half < shared_bytes_most() - 1024 ? half : shared_bytes_most() - 1024;
}

static inline void clear_roles(void)
{
	memset(bench.roles, 0, sizeof(bench.roles));
	bench.n_rows = 0;
}

static inline uint32_t *row_at(int row, int step)
{
	return bench.offsets + ((size_t)row * STEPS + step) * N_THREADS;
}

/* A new row without addresses. */
static inline int new_row(void)
{
	for (int i = 0; i < STEPS * N_THREADS; i++)
		row_at(bench.n_rows, 0)[i] = NO_ADDRESS;
	return bench.n_rows++;
}

/* A new row in which every warp's first `lanes` lanes access `words` words in turn, from byte
   `offset` on, each `spacing` bytes further. */
static inline int spread_row(uint32_t offset, int lanes, int words, int spacing)
{
	int row = new_row();

	for (int step = 0; step < STEPS; step++)
		for (int i = 0; i < N_THREADS; i++)
			if (i % 32 < lanes)
				row_at(row, step)[i] = offset + i % 32 % words * spacing;
	return row;
}

/* A new row in which lane 0 of warp w accesses, at step s, line (w + s) mod n of the lines. */
static inline int lines_row(const int *lines, int n)
{
	int row = new_row();

	for (int step = 0; step < STEPS; step++)
		for (int warp = 0; warp < N_THREADS / 32; warp++)
			row_at(row, step)[warp * 32] = lines[(warp + step) % n] * LINE_BYTES;
	return row;
}

/* Up to n SMs of the side (-1: any) that have no role yet get this one. Returns how many. */
static inline int assign(int side, int n, int operation, int warps, int rounds,
			 long long cycles, int row)
{
	int given = 0;

	for (int sm = 0; sm < bench.map.n_sms && given < n; sm++) {
		if (bench.roles[sm].warps || (side >= 0 && bench.map.sm_side[sm] != side))
			continue;
		bench.roles[sm] = (Role){operation, warps, rounds, cycles, row};
		given++;
	}
	return given;
}

static inline void print_header(void)
{
	printf("experiment,op,case,sms,warps,instructions,cycles,cycles_min,cycles_max,"
	       "chip_cycles,others_per_1000_cycles\n");
}

typedef struct {
	double cycles, least, most; /* of the slowest SM that has rounds */
	double chip_cycles;	    /* one warp instruction's of those SMs */
	double others; /* warp instructions a 1,000 cycles of the SMs without rounds */
	int sms, warps, instructions, operation;
} Reading;

/* Runs the roles n times and once before, which does not count. */
static inline Reading run_roles(int n)
{
	static Outcome outcome[MAX_SMS];
	Reading reading = {0};
	double cycles[RUNS];

	CHECK(cudaMemset(bench.base, 0, bench.bytes));
	CHECK(cudaMemcpy(bench.gpu_roles, bench.roles, sizeof(bench.roles),
			 cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(bench.gpu_offsets, bench.offsets,
			 sizeof(uint32_t) * bench.n_rows * STEPS * N_THREADS,
			 cudaMemcpyHostToDevice));
	for (int run = n > 1 ? -1 : 0; run < n; run++) {
		for (int sm = 0; sm < MAX_SMS; sm++)
			outcome[sm] = (Outcome){0x7fffffffffffffff, 0, 0};
		CHECK(cudaMemcpy(bench.gpu_outcomes, outcome, sizeof(outcome),
				 cudaMemcpyHostToDevice));
		CHECK(cudaMemset(bench.gpu_taken, 0, sizeof(unsigned int) * MAX_SMS));
		contend<<<3 * bench.map.n_sms, N_THREADS, one_a_sm()>>>(
			bench.base, bench.gpu_roles, bench.gpu_offsets, bench.gpu_outcomes,
			bench.gpu_taken);
		CHECK_RUN();
		from_gpu(outcome, bench.gpu_outcomes, sizeof(outcome));
		if (run < 0)
			continue;
		reading.sms = 0;
		cycles[run] = 0;
		for (int sm = 0; sm < bench.map.n_sms; sm++) {
			const Role *role = &bench.roles[sm];
			double span = outcome[sm].end - outcome[sm].begin;

			if (role->warps && outcome[sm].end == 0) {
				fprintf(stderr, "SM %d ran no block\n", sm);
				exit(1);
			}
			if (role->rounds) {
				reading.sms++;
				reading.warps = role->warps;
				reading.operation = role->operation;
				reading.instructions = role->rounds * STEPS;
				cycles[run] = span > cycles[run] ? span : cycles[run];
			} else if (role->warps) {
				reading.others +=
					1000.0 * outcome[sm].rounds * STEPS / span / n;
			}
		}
	}
	reading.cycles = median(cycles, n);
	reading.least = cycles[0];
	reading.most = cycles[n - 1];
	reading.chip_cycles =
		reading.cycles / ((double)reading.sms * reading.warps * reading.instructions);
	return reading;
}

static inline void run_case(const char *experiment, const char *name)
{
	Reading reading = run_roles(RUNS);

	printf("%s,%s,%s,%d,%d,%d,%.0f,%.0f,%.0f,%.4f,%.3f\n", experiment,
	       operation_names[reading.operation], name, reading.sms, reading.warps,
	       reading.instructions, reading.cycles, reading.least, reading.most,
	       reading.chip_cycles, reading.others);
	fflush(stdout);
}

/* Memory for the words, its map, and what runs need. */
static inline void bench_begin(int pages)
{
	bench.bytes = (size_t)pages * PAGE_BYTES;
	/* Slices depend on the place within PIECE_BYTES: an allocation of as much begins there. */
	bench.base = (char *)gpu_memory(bench.bytes > PIECE_BYTES ? bench.bytes : PIECE_BYTES);
	bench.offsets = (uint32_t *)malloc(sizeof(uint32_t) * MAX_ROWS * STEPS * N_THREADS);
	bench.gpu_offsets =
		(uint32_t *)gpu_memory(sizeof(uint32_t) * MAX_ROWS * STEPS * N_THREADS);
	bench.gpu_roles = (Role *)gpu_memory(sizeof(bench.roles));
	bench.gpu_outcomes = (Outcome *)gpu_memory(sizeof(Outcome) * MAX_SMS);
	bench.gpu_taken = (unsigned int *)gpu_memory(sizeof(unsigned int) * MAX_SMS);
	CHECK(cudaFuncSetAttribute(contend, cudaFuncAttributeMaxDynamicSharedMemorySize,
				   one_a_sm()));
	if (sm_count() > MAX_ROWS) {
		fprintf(stderr, "%d SMs found; allowed: up to %d\n", sm_count(), MAX_ROWS);
		exit(1);
	}
	warm_up();
	bench.map = l2_map(bench.base, pages * PAGE_LINES);
	fprintf(stderr, "gap %.0f cycles between near and far lines\n", bench.map.gap);
}

#endif
