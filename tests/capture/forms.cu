/* SPDX-License-Identifier: MIT */
/*
 * Every form of shared-memory access that the capture should know, one kernel a group, each
 * result checked on the CPU as far as it is determined. Its machine code and its raw capture
 * are the samples of tests/test-capture.c. Build: nvcc -arch=sm_90 -lineinfo.
 */
#include <stdint.h>
#include <stdio.h>

typedef unsigned long long u64;

static __device__ int sink[64 * 32];

__global__ void integers(unsigned *out, int odd)
{
	__shared__ unsigned w[64];
	__shared__ int s[64];
	unsigned lane = threadIdx.x, old = 0;

	w[lane] = s[lane] = lane;
	__syncthreads();
	atomicAdd(&w[lane / 2], 1);
	atomicAdd(&w[lane], lane);
	old += atomicAdd(&w[0], 3);
	old += atomicSub(&w[1], 3);
	old += atomicInc(&w[2], 100);
	old += atomicDec(&w[3], 100);
	old += atomicMin(&w[4], lane);
	old += atomicMax(&w[5], lane);
	old += atomicMin(&s[4], (int)lane);
	old += atomicMax(&s[5], (int)lane);
	old += atomicAnd(&w[6], lane);
	old += atomicOr(&w[7], lane);
	old += atomicXor(&w[8], lane);
	old += atomicExch(&w[9], lane);
	old += atomicCAS(&w[10], 10, lane);
	atomicMax(&s[6], (int)lane);
	atomicOr(&w[11], lane);
	if (lane & odd)
		atomicAdd(&w[12], 1);
	__syncthreads();
	out[lane] = w[lane] + s[lane];
	sink[lane] = old;
}

__global__ void wide(u64 *out)
{
	__shared__ u64 w[32];
	unsigned lane = threadIdx.x;
	u64 old = 0;

	w[lane] = lane;
	__syncthreads();
	old += atomicAdd(&w[lane / 4], (u64)lane);
	old += atomicExch(&w[20], (u64)lane);
	old += atomicCAS(&w[21], 21ull, (u64)lane);
	old += atomicMax(&w[22], (u64)lane);
	old += atomicMin((long long *)&w[23], (long long)lane);
	old += atomicOr(&w[24], (u64)lane);
	atomicAdd(&w[25], 1ull);
	__syncthreads();
	out[lane] = w[lane];
	sink[lane] = (int)old;
}

__global__ void floats(float *out, double *out2)
{
	__shared__ float f[32];
	__shared__ double d[32];
	unsigned lane = threadIdx.x;
	float old;

	f[lane] = 0;
	d[lane] = 0;
	__syncthreads();
	atomicAdd(&f[lane / 8], 1.0f);
	old = atomicAdd(&f[10], 2.0f);
	old += atomicExch(&f[11], 3.0f);
	atomicAdd(&d[lane / 16], 1.0);
	__syncthreads();
	out[lane] = f[lane];
	out2[lane] = d[lane];
	sink[lane] = (int)old;
}

/* Float adds in a loop with nothing recorded between two rounds of it. */
__global__ void float_loop(float *out, int n)
{
	__shared__ float f[32];
	unsigned lane = threadIdx.x % 32;

	if (threadIdx.x < 32)
		f[lane] = 0;
	__syncthreads();
	for (int i = 0; i < n; i++)
		atomicAdd(&f[(lane + i) % 4], 1.0f);
	__syncthreads();
	if (threadIdx.x < 32)
		out[lane] = f[lane];
}

__global__ void widths(int *out)
{
	__shared__ __align__(16) unsigned char bytes[16 * 32];
	unsigned lane = threadIdx.x;

	bytes[lane] = lane;
	((uint16_t *)bytes)[32 + lane] = lane;
	((uint2 *)bytes)[32 + lane] = make_uint2(lane, lane);
	__syncthreads();
	uint4 q = ((uint4 *)bytes)[31 - lane];
	__syncthreads();
	((uint4 *)bytes)[lane] = q;
	__syncthreads();
	uint2 p = ((uint2 *)bytes)[lane];
	int h = ((int16_t *)bytes)[2 * lane], b = ((signed char *)bytes)[3 * lane];
	out[lane] = p.x + p.y + h + b;
}

__device__ __noinline__ unsigned generic_add(unsigned *word)
{
	return atomicAdd(word, 1) + *(volatile unsigned *)word;
}

__global__ void generic(unsigned *out, int shared)
{
	__shared__ unsigned w[32];

	w[threadIdx.x] = 0;
	__syncthreads();
	unsigned got = generic_add(shared ? &w[threadIdx.x / 2] : &out[threadIdx.x]);
	__syncthreads();
	out[threadIdx.x] = w[threadIdx.x] + 0 * got;
	if (got > 1000)
		sink[threadIdx.x] = got;
}

/* A spin lock per word in shared memory, one lane at a time; a critical section of two words. */
__global__ void spin_lock(int *out)
{
	__shared__ int locks[4], sum[4], count[4];
	unsigned which = threadIdx.x % 3;

	if (threadIdx.x < 4)
		locks[threadIdx.x] = sum[threadIdx.x] = count[threadIdx.x] = 0;
	__syncthreads();
	for (int done = 0; !done;) {
		if (atomicCAS(&locks[which], 0, 1) == 0) {
			volatile int *s = sum, *c = count;

			s[which] += threadIdx.x;
			c[which] += 1;
			__threadfence_block();
			atomicExch(&locks[which], 0);
			done = 1;
		}
	}
	__syncthreads();
	if (threadIdx.x < 4)
		out[threadIdx.x] = sum[threadIdx.x] + 10000 * count[threadIdx.x];
}

static int failures;

static void expect(const char *what, long long found, long long wanted)
{
	if (found != wanted) {
		printf("%s: %lld, not %lld\n", what, found, wanted);
		failures++;
	}
}

int main(void)
{
	unsigned *u;
	u64 *w;
	float *f;
	double *d;
	int *i;

	cudaMallocHost(&u, 4096);
	cudaMallocHost(&w, 4096);
	cudaMallocHost(&f, 4096);
	cudaMallocHost(&d, 4096);
	cudaMallocHost(&i, 4096);
	integers<<<1, 32>>>(u, 1);
	cudaDeviceSynchronize();
	expect("u32 add", u[12], 12 + 2 + 12 + 16 + 12);
	wide<<<1, 32>>>(w);
	cudaDeviceSynchronize();
	expect("u64 add", w[2], 2 + 8 + 9 + 10 + 11);
	expect("u64 add of 1", w[25], 25 + 32);
	floats<<<1, 32>>>(f, d);
	cudaDeviceSynchronize();
	expect("f32 add", (long long)f[3], 8);
	expect("f64 add", (long long)d[1], 16);
	float_loop<<<2, 64>>>(f, 5);
	cudaDeviceSynchronize();
	expect("f32 loop", (long long)f[1], 64 * 5 / 4);
	widths<<<1, 32>>>(i);
	generic<<<1, 32>>>(u, 1);
	cudaDeviceSynchronize();
	expect("generic add", u[15], 2);
	spin_lock<<<1, 70>>>(i);
	cudaDeviceSynchronize();
	expect("spin lock", i[0], 24 * 10000 + 3 * (23 * 24 / 2));
	expect("launches", cudaGetLastError(), cudaSuccess);
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
