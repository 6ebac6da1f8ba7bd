/* SPDX-License-Identifier: MIT */
/*
 * What the first use of a region of memory costs after the driver has changed a mapping, which empties the TLBs: a row a warp.
 *
 *   translation > translation.csv
 *
 * A region is 32 MiB at a multiple of that; all lines are in the L2. Before each pair of launches 1 GiB is allocated and freed. The first
 * launch (`cold`) uses regions that no one has used since, the second (`warm`) the same lines again. A block begins with a load from a
 * region of its own (`own`), 4,000 cycles before the rest. Each warp has one active lane. Variants:
 *
 *   together N   a warp loads from N regions, one after the other without waiting; cycles until all are there
 *   chain N      the same, each load waits for the one before
 *   pages N      as together, N pages of 2 MiB of one region
 *   reach N      as chain 2, N MiB apart; N is no number of loads
 *   behind 3     warp 0 loads from the region; 60 cycles later warp 1 from `own`, warp 2 another line of the region
 *   stored 3     the same, but warp 0 stores; cycles of the store instruction
 *   store 1      a store and a fence of the device; 0: the fence alone
 *   atomic 1     an addition whose result is used
 *   red 1        an addition without, and a fence of the device
 *   sms N        as together 1, a block on each SM, all at once; column `sm`
 *   slots N      the same, 4 us after one another in the order of SMs
 *
 *   translation first HISTORY BYTES >> translation-first.csv
 *
 * What the first kernel of a program finds, alone and under `ncu --cache-control none --metrics sm__cycles_active.max`: one thread loads
 * from four buffers of BYTES, each load after the one before, then from the first two again, 1,024 bytes behind. HISTORY has a letter a buffer:
 * what it has met, c a copy from the host, s cudaMemset, k another kernel, n nothing. A row: these, the launch, the number
 * of the load, cycles; the file has in front how the program was run (`way`): `alone`, `counted`, or `counted_first`, where ncu counts this kernel only.
 */
#include "probe.h"

#define REGION	  (size_t)(32 << 20)
#define PAGE	  (size_t)(2 << 20)
#define MOST	  8
#define REPEATS	  9
#define MAX_SMS	  512
#define SETTLE	  4000
#define LATER	  60
#define SLOT_NS	  4000
#define BUFFERS	  4
#define MET_BYTES 16384

enum { TOGETHER, CHAIN, STORE, ATOMIC, RED };

typedef struct {
	uint32_t *address[3][MOST];
	uint32_t *own;
	int n, warps, form, later[3], loads_own;
	int slot_ns; /* 0: at once */
	unsigned long long *begin;
} Job;

typedef struct {
	long long cycles;
	unsigned int sm;
} Row;

static __device__ __forceinline__ uint32_t load(const uint32_t *p)
{
	uint32_t value;

	asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
	return value;
}

static __device__ uint32_t use(const Job *job, uint32_t *const *address, int form)
{
	uint32_t value[MOST], sum = 0;

	switch (form) {
	case TOGETHER:
#pragma unroll
		for (int i = 0; i < MOST; i++)
			value[i] = i < job->n ? load(address[i]) : 0;
#pragma unroll
		for (int i = 0; i < MOST; i++)
			sum += value[i];
		return sum;
	case CHAIN:
		for (int i = 0; i < job->n; i++)
			sum += load(address[i] + sum); /* memory is zero */
		return sum;
	case STORE:
		for (int i = 0; i < job->n; i++)
			asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(address[i]),
				     "r"(0)
				     : "memory");
		return 0;
	case ATOMIC:
		return atomicAdd(address[0], 0);
	case RED:
		asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(address[0]),
			     "r"(0)
			     : "memory");
		return 0;
	default:
		return 0;
	}
}

static __global__ void probe(Job given, Row *rows, uint32_t *sink)
{
	__shared__ Job job;
	const int warp = threadIdx.x / 32;
	long long begin, end;
	uint32_t sum, mix = threadIdx.x;

	if (threadIdx.x == 0)
		job = given;
	__syncthreads();
	/* Code and `own` are there. */
	if (threadIdx.x == 0 && load(job.own + sm_id() * 32) == 1)
		*sink = 1;
	begin = stamp();
	while (stamp() - begin < SETTLE)
		;
	if (job.slot_ns) {
		const unsigned long long now = global_timer(),
					 old = atomicCAS(job.begin, 0, now);
		const unsigned long long first = (old ? old : now) + 20000;

		while (global_timer() < first + (unsigned long long)sm_id() * job.slot_ns)
			;
	}
	__syncthreads();
	if (threadIdx.x % 32)
		return;
	begin = stamp();
	while (stamp() - begin < job.later[warp] + 100)
		;
	begin = stamp();
	sum = use(&job, job.address[warp], warp > 0 ? TOGETHER : job.form);
	if (warp == 0 && (job.form == STORE || job.form == RED) && !job.loads_own)
		__threadfence();
	end = stamp_behind(sum, &mix);
	if (mix == 0x12345678)
		*sink = mix;
	rows[blockIdx.x * 3 + warp] = (Row){end - begin, sm_id()};
}

static char *region;
static uint32_t *own, *sink;
static Row *rows;
static unsigned long long *begin_at;
static int repeat;

static uint32_t *line(int i, size_t offset)
{
	return (uint32_t *)(region + i * REGION + offset);
}

static void empty_tlbs(void)
{
	void *memory;

	CHECK(cudaMalloc(&memory, (size_t)1 << 30));
	CHECK(cudaFree(memory));
}

static void run(const char *variant, int n, Job job, int blocks)
{
	static Row host[MAX_SMS * 3];

	job.own = own;
	job.begin = begin_at;
	/* The first brings lines to the L2. */
	for (int launch = -1; launch < 2; launch++) {
		if (launch == 0)
			empty_tlbs();
		CHECK(cudaMemset(begin_at, 0, sizeof(*begin_at)));
		probe<<<blocks, 32 * job.warps>>>(job, rows, sink);
		CHECK_RUN();
		from_gpu(host, rows, sizeof(host[0]) * 3 * blocks);
		for (int b = 0; launch >= 0 && b < blocks; b++)
			for (int w = 0; w < job.warps; w++)
				printf("%s,%d,%s,%d,%d,%u,%lld\n", variant, n,
				       launch ? "warm" : "cold", repeat, w, host[b * 3 + w].sm,
				       host[b * 3 + w].cycles);
	}
}

static void all(void)
{
	for (int n = 1; n <= MOST; n *= 2)
		for (int variant = 0; variant < 3; variant++) {
			Job job = {.n = n, .warps = 1, .form = variant == 1 ? CHAIN : TOGETHER};

			for (int i = 0; i < n; i++)
				job.address[0][i] = variant == 2 ? line(repeat, i * PAGE)
								 : line(repeat + i, i * 256);
			run(variant == 2 ? "pages" : variant ? "chain" : "together", n, job, 1);
		}
	for (int mib = 1; mib <= 64; mib *= 2) {
		Job job = {.n = 2, .warps = 1, .form = CHAIN};

		job.address[0][0] = line(repeat, 0);
		job.address[0][1] = line(repeat, (size_t)mib << 20);
		run("reach", mib, job, 1);
	}
	for (int form = TOGETHER; form <= STORE; form += STORE) {
		Job job = {.n = 1, .warps = 3, .form = form, .loads_own = 1};

		job.later[1] = job.later[2] = LATER;
		job.address[0][0] = line(repeat, 0);
		job.address[1][0] = own + 65536;
		job.address[2][0] = line(repeat, PAGE);
		run(form == STORE ? "stored" : "behind", 3, job, 1);
	}
	for (int n = 0; n < 2; n++) {
		Job job = {.n = n, .warps = 1, .form = STORE};

		job.address[0][0] = line(repeat, 0);
		run("store", n, job, 1);
	}
	for (int form = ATOMIC; form <= RED; form++) {
		Job job = {.n = 1, .warps = 1, .form = form};

		job.address[0][0] = line(repeat, 0);
		run(form == RED ? "red" : "atomic", 1, job, 1);
	}
	if (repeat > 2)
		return;
	for (int slots = 0; slots < 2; slots++) {
		Job job = {
			.n = 1, .warps = 1, .form = TOGETHER, .slot_ns = slots ? SLOT_NS : 0};

		job.address[0][0] = line(repeat, 0);
		run(slots ? "slots" : "sms", sm_count(), job, sm_count());
	}
}

typedef struct {
	char *of[BUFFERS];
} Buffers;

static __global__ void read_all(Buffers buffers, int *cycles, uint32_t *sink)
{
	int taken[BUFFERS + 2];
	uint32_t mix = threadIdx.x;

#pragma unroll
	for (int i = 0; i < BUFFERS + 2; i++) {
		const long long begin = stamp();
		const uint32_t value =
			load((uint32_t *)(buffers.of[i % BUFFERS] + (i < BUFFERS ? 0 : 1024)));

		taken[i] = (int)(stamp_behind(value, &mix) - begin);
	}
	if (mix == 0x12345678)
		*sink = mix;
#pragma unroll
	for (int i = 0; i < BUFFERS + 2; i++)
		cycles[i] = taken[i];
}

static __global__ void write_one(char *buffer)
{
	*buffer = 1;
}

static void meet(char *buffer, char what, const void *host)
{
	if (what == 's')
		CHECK(cudaMemset(buffer, 0, MET_BYTES));
	if (what == 'c')
		CHECK(cudaMemcpy(buffer, host, MET_BYTES, cudaMemcpyHostToDevice));
	if (what == 'k') {
		write_one<<<1, 1>>>(buffer);
		CHECK_RUN();
	}
}

static void first(const char *history, const char *bytes)
{
	void *zeros = calloc(1, MET_BYTES);
	int *cycles, host[BUFFERS + 2];
	Buffers buffers;

	for (int i = 0; i < BUFFERS; i++)
		CHECK(cudaMalloc(&buffers.of[i], strtoull(bytes, NULL, 10)));
	CHECK(cudaMalloc(&cycles, 4096));
	for (int i = 0; i < BUFFERS; i++)
		meet(buffers.of[i], history[i], zeros);
	for (int launch = 0; launch < 2; launch++) {
		read_all<<<1, 1>>>(buffers, cycles, (uint32_t *)cycles);
		CHECK_RUN();
		from_gpu(host, cycles, sizeof(host));
		for (int i = 0; i < BUFFERS + 2; i++)
			printf("%s,%s,%d,%d,%d\n", history, bytes, launch, i, host[i]);
	}
	free(zeros);
}

int main(int argc, char **argv)
{
	char *memory;

	if (argc == 4 && !strcmp(argv[1], "first") && strlen(argv[2]) == BUFFERS) {
		first(argv[2], argv[3]);
		return 0;
	}
	memory = (char *)gpu_memory(REGION * (MOST + REPEATS + 2));
	region = memory + (REGION - (uintptr_t)memory % REGION) % REGION;
	own = (uint32_t *)gpu_memory(1 << 20);
	sink = (uint32_t *)gpu_memory(sizeof(*sink));
	rows = (Row *)gpu_memory(sizeof(Row) * 3 * MAX_SMS);
	begin_at = (unsigned long long *)gpu_memory(sizeof(*begin_at));
	warm_up();
	printf("variant,n,launch,repeat,warp,sm,cycles\n");
	for (repeat = 0; repeat < REPEATS; repeat++)
		all();
	return 0;
}
