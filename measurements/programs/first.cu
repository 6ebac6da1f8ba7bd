/* SPDX-License-Identifier: MIT */
/*
 * What the first time costs that an SM runs code, reads parameters, loads and stores in a launch: for
 * Nsight Compute, which counts how long each SM is busy, while the kernels' own stamps say what happened
 * between their first warp's begin and their last one's end (active.sh joins both).
 *
 *   first > rows
 *
 * A row is a launch, in order. Each kernel is launched several times in a row, and the GPU begins each launch
 * at another SM: `sm` is that of block 0, so a row may be the first on its SM, or not. Kernels:
 *   line:  `size` instructions of straight code, in one chain of 4 cycles each (variant 1) or in four (variant 4)
 *   jumps: `size` steps, each a comparison and a taken branch over 24 instructions that never run
 *   chase: one lane follows 24 pointers `size` bytes apart; variant 0: through the first cache, 1: past it
 *   copy:  `size` bytes a lane, loaded and stored by each of the grid's lanes
 *   store: `size` bytes a lane, only stored
 *   param: a chain through parameters of the kernel, 16 words apart
 *   plain: stamps alone
 * `state` tells the data: copied from the host, flushed by 256 MB of other stores, or warm. `span` is the
 * time of the block or SM that took longest, `steps` those of block 0 between its stamps, if it takes any.
 */
#include "probe.h"

#define MAX_BLOCKS 4096
#define N_STEPS	   24
#define N_WORDS	   512

typedef struct {
	long long begin, end; /* clock of the SM */
	unsigned int sm;
	unsigned int steps[N_STEPS];
} Span;

typedef struct {
	uint32_t next[N_WORDS];
} Ring;

static __device__ void tell(Span *spans, long long begin)
{
	Span *span = &spans[blockIdx.x];
	long long end = stamp();

	if (threadIdx.x == 0) {
		span->sm = sm_id();
		span->begin = begin;
	}
	if (threadIdx.x == blockDim.x - 32)
		span->end = end;
}

template <int SIZE, int FORM> static __global__ void line(Span *spans)
{
	float y = threadIdx.x, x[4] = {y, y + 1, y + 2, y + 3};
	long long begin = stamp();

#pragma unroll
	for (int i = 0; i < SIZE; i++)
		asm volatile("add.f32 %0, %0, %1;" : "+f"(x[i % FORM]) : "f"(1.0f + i));
	if (x[0] + x[1] + x[2] + x[3] == 12345)
		begin = 0;
	tell(spans, begin);
}

template <int SIZE> static __global__ void jumps(Span *spans)
{
	float x = threadIdx.x, y = x;
	long long begin = stamp();

#pragma unroll
	for (int i = 0; i < SIZE; i++) {
		asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(1.0f + i));
		if (x == 12345.0f) {
#pragma unroll
			for (int k = 0; k < 24; k++)
				asm volatile("add.f32 %0, %0, %1;" : "+f"(y) : "f"(1.0f + k));
		}
	}
	if (y == 12345)
		begin = 0;
	tell(spans, begin);
}

template <bool PAST>
static __global__ void chase(Span *spans, const uint32_t *words, uint32_t at)
{
	__shared__ long long steps[N_STEPS];
	long long begin = stamp(), last = begin;

#pragma unroll
	for (int i = 0; i < N_STEPS; i++) {
		long long now;

		if (PAST)
			asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(words + at));
		else
			asm volatile("ld.global.u32 %0, [%1];" : "=r"(at) : "l"(words + at));
		if (at == 0xffffffff)
			return;
		now = stamp();
		steps[i] = now - last;
		last = now;
	}
	tell(spans, begin);
	for (int i = 0; i < N_STEPS; i++)
		spans[blockIdx.x].steps[i] = (unsigned int)steps[i];
}

template <typename T> static __global__ void copy(Span *spans, const T *from, T *to)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	long long begin = stamp();

	to[i] = from[i];
	tell(spans, begin);
}

template <typename T> static __global__ void store(Span *spans, T *to, T value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	long long begin = stamp();

	to[i] = value;
	tell(spans, begin);
}

static __global__ void param(Span *spans, const __grid_constant__ Ring ring, uint32_t at)
{
	long long steps[N_STEPS];
	long long begin = stamp(), last = begin;

#pragma unroll
	for (int i = 0; i < N_STEPS; i++) {
		long long now;

		at = ring.next[at];
		if (at >= N_WORDS)
			return;
		now = stamp();
		steps[i] = now - last;
		last = now;
	}
	tell(spans, begin);
	for (int i = 0; i < N_STEPS; i++)
		spans[blockIdx.x].steps[i] = (unsigned int)steps[i];
}

static __global__ void plain(Span *spans)
{
	tell(spans, stamp());
}

static __global__ void flush(float4 *words)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 1 << 24;
	     i += gridDim.x * blockDim.x)
		words[i] = make_float4(i, i, i, i);
}

static Span *spans;
static float4 *other;
static char *from, *to, *host;
#define DATA_BYTES (64u << 20)

/* The longest time on one SM from its first block's begin to its last one's end. */
static void row(const char *kernel, int form, int size, const char *state, int blocks,
		int threads, int launch, bool steps)
{
	static Span copy_of[MAX_BLOCKS];
	static long long first[1024], last[1024];
	long long most = 0;

	CHECK_RUN();
	from_gpu(copy_of, spans, blocks * sizeof(Span));
	memset(last, 0, sizeof(last));
	for (int i = 0; i < blocks; i++) {
		unsigned int sm = copy_of[i].sm % 1024;

		if (last[sm] == 0 || copy_of[i].begin < first[sm])
			first[sm] = copy_of[i].begin;
		if (copy_of[i].end > last[sm])
			last[sm] = copy_of[i].end;
		if (last[sm] - first[sm] > most)
			most = last[sm] - first[sm];
	}
	printf("%s,%d,%d,%s,%d,%d,%d,%u,%lld,", kernel, form, size, state, blocks, threads,
	       launch, copy_of[0].sm, most);
	for (int i = 0; steps && i < N_STEPS; i++)
		printf("%s%u", i ? " " : "", copy_of[0].steps[i]);
	printf("\n");
}

static void data(const char *state)
{
	if (strcmp(state, "copied") == 0) {
		CHECK(cudaMemcpy(from, host, DATA_BYTES / 16, cudaMemcpyHostToDevice));
	} else if (strcmp(state, "flushed") == 0) {
		flush<<<1024, 256>>>(other);
	}
	CHECK_RUN();
}

static int shapes[][2] = {{1, 32}, {1, 512}, {0, 32}, {0, 512}}; /* 0: a block an SM */

template <int SIZE, int FORM> static void lines(void)
{
	for (int s = 0; s < 4; s++)
		for (int launch = 0; launch < 10; launch++) {
			line<SIZE, FORM><<<shapes[s][0], shapes[s][1]>>>(spans);
			row("line", FORM, SIZE, "-", shapes[s][0], shapes[s][1], launch, false);
		}
}

template <int SIZE> static void all_jumps(void)
{
	for (int s = 0; s < 4; s++)
		for (int launch = 0; launch < 10; launch++) {
			jumps<SIZE><<<shapes[s][0], shapes[s][1]>>>(spans);
			row("jumps", 0, SIZE, "-", shapes[s][0], shapes[s][1], launch, false);
		}
}

static void chases(int stride)
{
	static const char *const states[] = {"copied", "warm", "flushed"};
	uint32_t *words = (uint32_t *)host;

	for (int i = 0; i < N_STEPS; i++)
		words[i * (stride / 4)] = (i + 1) * (stride / 4);
	words[N_STEPS * (stride / 4)] = 0;
	CHECK(cudaMemcpy(from, host, DATA_BYTES, cudaMemcpyHostToDevice));
	for (int s = 0; s < 3; s++)
		for (int blocks = 1; blocks; blocks = blocks == 1 ? sm_count() : 0)
			for (int past = 0; past < 2; past++)
				for (int launch = 0; launch < 5; launch++) {
					data(states[s]);
					if (past)
						chase<true><<<blocks, 32>>>(
							spans, (const uint32_t *)from, 0);
					else
						chase<false><<<blocks, 32>>>(
							spans, (const uint32_t *)from, 0);
					row("chase", past, stride, states[s], blocks, 32,
					    launch, true);
				}
}

template <typename T> static void copies(int blocks, int threads)
{
	static const char *const states[] = {"copied", "warm", "flushed"};
	T value = {};

	for (int s = 0; s < 3; s++)
		for (int launch = 0; launch < 5; launch++) {
			data(states[s]);
			copy<T><<<blocks, threads>>>(spans, (const T *)from, (T *)to);
			row("copy", 0, sizeof(T), states[s], blocks, threads, launch, false);
		}
	for (int s = 1; s < 3; s++)
		for (int launch = 0; launch < 4; launch++) {
			data(states[s]);
			store<T><<<blocks, threads>>>(spans, (T *)to, value);
			row("store", 0, sizeof(T), states[s], blocks, threads, launch, false);
		}
}

int main(void)
{
	const int sms = sm_count(), copy_blocks[] = {1, 64, sms, 4 * sms};
	Ring ring;

	if (4 * sms > MAX_BLOCKS)
		return 1;
	shapes[2][0] = shapes[3][0] = sms;

	CHECK(cudaMalloc(&spans, MAX_BLOCKS * sizeof(Span)));
	CHECK(cudaMalloc(&other, 256 << 20));
	CHECK(cudaMalloc(&from, DATA_BYTES));
	CHECK(cudaMalloc(&to, DATA_BYTES));
	host = (char *)calloc(DATA_BYTES, 1);
	printf("kernel,variant,size,state,blocks,threads,launch,sm,span,steps\n");
	for (int s = 0; s < 4; s++)
		for (int launch = 0; launch < 10; launch++) {
			plain<<<shapes[s][0], shapes[s][1]>>>(spans);
			row("plain", 0, 0, "-", shapes[s][0], shapes[s][1], launch, false);
		}
	lines<32, 1>();
	lines<128, 1>();
	lines<512, 1>();
	lines<2048, 1>();
	lines<8192, 1>();
	lines<128, 4>();
	lines<512, 4>();
	lines<2048, 4>();
	lines<8192, 4>();
	all_jumps<4>();
	all_jumps<16>();
	all_jumps<64>();
	for (int i = 0; i < N_WORDS; i++)
		ring.next[i] = (i + 16) % N_WORDS;
	for (int s = 0; s < 4; s += 2)
		for (int launch = 0; launch < 10; launch++) {
			param<<<shapes[s][0], shapes[s][1]>>>(spans, ring, 0);
			row("param", 0, 64, "-", shapes[s][0], shapes[s][1], launch, true);
		}
	for (int i = 0; i < 4; i++) {
		copies<float>(copy_blocks[i], 32);
		copies<float>(copy_blocks[i], 256);
		copies<float4>(copy_blocks[i], 256);
	}
	chases(128);
	chases(1 << 16);
	chases(2 << 20);
	return 0;
}
