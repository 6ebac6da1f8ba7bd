/* SPDX-License-Identifier: MIT */
/*
 * Small kernels with atomics or bank conflicts, each as somebody writes it first and with changes that
 * are said to help: what a change gains is measured, and advice is compared with that.
 *
 *   variants NAME|all [RUNS]
 *   variants list
 *
 * `list` prints a line a variant: its family's plain variant, its own name, the kind of the change. Launches
 * VARIANT RUNS times (6), checks the result on the CPU, and prints PASS or FAIL; `all` takes each in the order of
 * `list`, which is the order of the launches.
 */
#include <functional>
#include <vector>

#include "kernel.h"

#define N 65536 /* elements, keys and values */

/* How the lanes of a warp, or the threads of a block, put their operands together before the atomic. */
enum Merge { EACH, MATCH, MATCH_KEY, SHUFFLE, REDUCE, BLOCK, PRIVATE };
/* Which elements a thread takes. */
enum Order { CYCLIC, RUNS };
/* Which copy of the array a thread takes. */
enum Copy { BY_THREAD, BY_WARP };

__device__ static inline int element(int order, int i, int n)
{
	int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;

	return order == CYCLIC ? thread + i * threads : thread * (n / threads) + i;
}

template <typename T> __device__ static inline T warp_sum(T value)
{
	for (int step = 16; step > 0; step /= 2)
		value += __shfl_down_sync(0xffffffff, value, step);
	return value;
}

/* The lanes that want *word: by its address of 64 bits, or by its key of 32. */
template <int MERGE>
__device__ static inline unsigned int peers_of(const void *word, unsigned int key)
{
	return MERGE == MATCH_KEY ? __match_any_sync(0xffffffff, key)
				  : __match_any_sync(0xffffffff, (unsigned long long)word);
}

/* Adds `value` to *word for every lane: lanes of one word by one atomic. All lanes of the warp call it. */
template <int MERGE, typename T>
__device__ static inline void add_matched(T *word, unsigned int key, T value)
{
	unsigned int peers = peers_of<MERGE>(word, key);
	int lane = threadIdx.x % 32, leader = __ffs(peers) - 1;
	T sum = 0;

	for (unsigned int left = peers; left; left &= left - 1) {
		int peer = __ffs(left) - 1;

		sum += __shfl_sync(peers, value, peer);
	}
	if (lane == leader)
		atomicAdd(word, sum);
}

template <int MERGE>
__device__ static inline void count_matched(unsigned int *word, unsigned int key)
{
	unsigned int peers = peers_of<MERGE>(word, key);

	if (threadIdx.x % 32 == __ffs(peers) - 1)
		atomicAdd(word, __popc(peers));
}

/* --- Counts and sums of keys in shared memory --- */

template <typename T, int MERGE, int ORDER, int COPY>
__global__ void count_keys(const unsigned int *keys, int n, T *out, int bins, int copies,
			   int pad)
{
	extern __shared__ unsigned char bytes[];
	T *counts = (T *)bytes;
	int stride = bins + pad,
	    copy = (COPY == BY_WARP ? threadIdx.x / 32 : threadIdx.x) % copies;

	for (int i = threadIdx.x; i < copies * stride; i += blockDim.x)
		counts[i] = 0;
	__syncthreads();
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		unsigned int place = copy * stride + keys[element(ORDER, i, n)];
		T *word = &counts[place];

		if (MERGE == MATCH || MERGE == MATCH_KEY)
			count_matched<MERGE>((unsigned int *)word, place);
		else
			atomicAdd(word, (T)1);
	}
	__syncthreads();
	for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
		T sum = 0;

		for (int c = 0; c < copies; c++)
			sum += counts[c * stride + bin];
		atomicAdd(&out[bin], sum);
	}
}

/* Few bins: counts of a thread in its registers first. */
template <int BINS>
__global__ void count_in_registers(const unsigned int *keys, int n, unsigned int *out)
{
	__shared__ unsigned int counts[BINS];
	unsigned int own[BINS] = {0};

	if (threadIdx.x < BINS)
		counts[threadIdx.x] = 0;
	__syncthreads();
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		unsigned int key = keys[element(CYCLIC, i, n)];

		for (int bin = 0; bin < BINS; bin++)
			own[bin] += key == bin;
	}
	for (int bin = 0; bin < BINS; bin++)
		atomicAdd(&counts[bin], own[bin]);
	__syncthreads();
	if (threadIdx.x < BINS)
		atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

/* Sums of values by key; FIXED: whole numbers of 1/16, in 32-bit integers. */
template <typename T, int MERGE, bool FIXED>
__global__ void sum_keys(const unsigned int *keys, const float *values, int n, T *out, int bins,
			 int copies, int pad)
{
	extern __shared__ unsigned char bytes[];
	T *sums = (T *)bytes;
	int *fixed = (int *)bytes;
	int stride = bins + pad, copy = threadIdx.x % copies;

	for (int i = threadIdx.x; i < copies * stride; i += blockDim.x)
		sums[i] = 0;
	__syncthreads();
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		int at = element(CYCLIC, i, n), place = copy * stride + (int)keys[at];

		if (FIXED)
			atomicAdd(&fixed[place], __float2int_rn(values[at] * 16));
		else if (MERGE == MATCH || MERGE == MATCH_KEY)
			add_matched<MERGE>(&sums[place], place, (T)values[at]);
		else
			atomicAdd(&sums[place], (T)values[at]);
	}
	__syncthreads();
	for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
		T sum = 0;

		for (int c = 0; c < copies; c++)
			sum += FIXED ? (T)fixed[c * stride + bin] / 16 : sums[c * stride + bin];
		atomicAdd(&out[bin], sum);
	}
}

/* One sum of a block. */
template <typename T, int MERGE> __global__ void sum_one(const float *values, int n, T *out)
{
	__shared__ T sum;
	T own = 0;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		T value = (T)values[element(CYCLIC, i, n)];

		if (MERGE == PRIVATE) {
			own += value;
		} else if (MERGE == SHUFFLE) {
			value = warp_sum(value);
			if (threadIdx.x % 32 == 0)
				atomicAdd(&sum, value);
		} else if (MERGE == REDUCE) {
			int total = __reduce_add_sync(0xffffffff, (int)value);

			if (threadIdx.x % 32 == 0)
				atomicAdd(&sum, (T)total);
		} else {
			atomicAdd(&sum, value);
		}
	}
	if (MERGE == PRIVATE) {
		own = warp_sum(own);
		if (threadIdx.x % 32 == 0)
			atomicAdd(&sum, own);
	}
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(out, sum);
}

/* The largest value of a block. */
template <int HOW> __global__ void largest(const unsigned int *keys, int n, unsigned int *out)
{
	__shared__ unsigned int most;

	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		unsigned int key = keys[element(CYCLIC, i, n)];

		if (HOW == 1) { /* looks first */
			if (key > *(volatile unsigned int *)&most)
				atomicMax(&most, key);
		} else if (HOW == 2) {
			key = __reduce_max_sync(0xffffffff, key);
			if (threadIdx.x % 32 == 0)
				atomicMax(&most, key);
		} else {
			atomicMax(&most, key);
		}
	}
	__syncthreads();
	if (threadIdx.x == 0)
		atomicMax(out, most);
}

/* Each element's rank among those of its key in its block: the atomic's result is used. */
template <int MERGE, int COPY>
__global__ void rank_keys(const unsigned int *keys, int n, unsigned int *out, int bins,
			  int copies)
{
	extern __shared__ unsigned char bytes[];
	unsigned int *counts = (unsigned int *)bytes, total = 0;
	int copy = (COPY == BY_WARP ? threadIdx.x / 32 : threadIdx.x) % copies;

	for (int i = threadIdx.x; i < copies * bins; i += blockDim.x)
		counts[i] = 0;
	__syncthreads();
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		unsigned int place = copy * bins + keys[element(CYCLIC, i, n)];
		unsigned int *word = &counts[place], rank;

		if (MERGE == MATCH || MERGE == MATCH_KEY) {
			unsigned int peers = peers_of<MERGE>(word, place);
			int leader = __ffs(peers) - 1, lane = threadIdx.x % 32;

			rank = 0;
			if (lane == leader)
				rank = atomicAdd(word, __popc(peers));
			rank = __shfl_sync(peers, rank, leader) +
			       __popc(peers & ((1u << lane) - 1));
		} else {
			rank = atomicAdd(word, 1u);
		}
		total += rank;
	}
	/* Of each key with c elements in a copy: 0 + 1 + ... + c - 1, in any order. */
	atomicAdd(&out[threadIdx.x % 32], total);
}

/* Keys into an open hash table of SLOTS slots; how many are new. */
__global__ void fill_table(const unsigned int *keys, int n, unsigned int *out, int slots)
{
	extern __shared__ unsigned char bytes[];
	unsigned int *table = (unsigned int *)bytes, n_new = 0;

	for (int i = threadIdx.x; i < slots; i += blockDim.x)
		table[i] = 0xffffffff;
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		unsigned int key = keys[blockIdx.x * n + i], at = key * 2654435761u % slots;

		while (true) {
			unsigned int old = atomicCAS(&table[at], 0xffffffff, key);

			n_new += old == 0xffffffff;
			if (old == 0xffffffff || old == key)
				break;
			at = (at + 1) % slots;
		}
	}
	atomicAdd(&out[0], n_new);
}

/* Sums and counts of keys under locks in shared memory; ATOMIC: two atomics in place of the lock. */
template <bool ATOMIC>
__global__ void locked_sums(const unsigned int *keys, const float *values, int n, float *out,
			    int bins, int locks)
{
	__shared__ int lock[256];
	__shared__ float sums[256], most[256];

	for (int i = threadIdx.x; i < 256; i += blockDim.x) {
		lock[i] = 0;
		sums[i] = most[i] = 0;
	}
	__syncthreads();
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		int at = element(CYCLIC, i, n);
		unsigned int key = keys[at];
		float value = values[at];
		bool done = ATOMIC;

		if (ATOMIC) {
			atomicAdd(&sums[key], value);
			atomicMax((int *)&most[key], __float_as_int(value));
		}
		while (!done) {
			if (atomicCAS(&lock[key % locks], 0, 1) == 0) {
				volatile float *sum = &sums[key], *high = &most[key];

				*sum = *sum + value;
				if (value > *high)
					*high = value;
				__threadfence_block();
				atomicExch(&lock[key % locks], 0);
				done = true;
			}
		}
	}
	__syncthreads();
	for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
		atomicAdd(&out[bin], sums[bin]);
}

/* --- Atomics on global memory --- */

template <typename T, int MERGE, int ORDER>
__global__ void global_sums(const unsigned int *keys, const float *values, int n, T *out,
			    int bins, int copies)
{
	extern __shared__ unsigned char bytes[];
	T *sums = (T *)bytes, own = 0;
	T *mine = out + blockIdx.x % copies * bins;

	if (MERGE == BLOCK) {
		for (int i = threadIdx.x; i < bins; i += blockDim.x)
			sums[i] = 0;
		__syncthreads();
	}
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		int at = element(ORDER, i, n);
		unsigned int key = bins == 1 ? 0 : keys[at];
		T value = values ? (T)values[at] : (T)1;

		if (MERGE == BLOCK) {
			atomicAdd(&sums[key], value);
		} else if (MERGE == PRIVATE) {
			own += value;
		} else if (MERGE == SHUFFLE) {
			value = warp_sum(value);
			if (threadIdx.x % 32 == 0)
				atomicAdd(&mine[0], value);
		} else if (MERGE == MATCH || MERGE == MATCH_KEY) {
			add_matched<MERGE>(&mine[key], key, value);
		} else {
			atomicAdd(&mine[key], value);
		}
	}
	if (MERGE == PRIVATE) {
		own = warp_sum(own);
		if (threadIdx.x % 32 == 0)
			atomicAdd(&mine[0], own);
	}
	if (MERGE == BLOCK) {
		__syncthreads();
		for (int i = threadIdx.x; i < bins; i += blockDim.x)
			atomicAdd(&mine[i], sums[i]);
	}
}

/* Keys below a limit go to a list: the counter's result is used. */
template <int MERGE>
__global__ void push(const unsigned int *keys, int n, unsigned int *list, unsigned int *counter,
		     unsigned int limit)
{
	__shared__ unsigned int n_block, base;

	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		unsigned int key = keys[element(CYCLIC, i, n)], place;
		bool takes = key < limit;

		if (MERGE == BLOCK) {
			if (threadIdx.x == 0)
				n_block = 0;
			__syncthreads();
			place = takes ? atomicAdd(&n_block, 1u) : 0;
			__syncthreads();
			if (threadIdx.x == 0)
				base = atomicAdd(counter, n_block);
			__syncthreads();
			if (takes)
				list[base + place] = key;
			__syncthreads();
			continue;
		}
		if (!takes)
			continue;

		unsigned int active = __activemask();
		int lane = threadIdx.x % 32, leader = __ffs(active) - 1;

		place = 0;
		if (lane == leader)
			place = atomicAdd(counter, __popc(active));
		place = __shfl_sync(active, place, leader) +
			__popc(active & ((1u << lane) - 1));
		list[place] = key;
	}
}

/* The same, by nothing but the counter. nvcc puts atomicAdd of a constant together in the warp by itself, so the
   operand comes from memory. */
__global__ void push_each(const unsigned int *keys, int n, unsigned int *list,
			  unsigned int *counter, unsigned int limit, const unsigned int *one)
{
	for (int i = 0; i < n / (int)(gridDim.x * blockDim.x); i++) {
		unsigned int key = keys[element(CYCLIC, i, n)];

		if (key < limit)
			list[atomicAdd(counter, one[threadIdx.x % 32])] = key;
	}
}

/* --- Bank conflicts --- */

/* Transposes tiles of 32 x 32; PAD words behind each row; SWIZZLE: column xor row in place of that. */
template <typename T, int PAD, bool SWIZZLE>
__global__ void transpose_tiles(const float *in, T *out, int side)
{
	__shared__ T tile[32][32 + PAD];
	int x = blockIdx.x % (side / 32) * 32 + threadIdx.x, y = blockIdx.x / (side / 32) * 32;

	for (int j = threadIdx.y; j < 32; j += blockDim.y)
		tile[j][SWIZZLE ? threadIdx.x ^ j : threadIdx.x] = (T)in[(y + j) * side + x];
	__syncthreads();
	x = blockIdx.x / (side / 32) * 32 + threadIdx.x;
	y = blockIdx.x % (side / 32) * 32;
	for (int j = threadIdx.y; j < 32; j += blockDim.y)
		out[(y + j) * side + x] = tile[threadIdx.x][SWIZZLE ? j ^ threadIdx.x : j];
}

/* Structures of FIELDS words in shared memory, updated field by field STEPS times. SEPARATE: an array a field. */
template <int FIELDS, bool SEPARATE, int PAD>
__global__ void update_fields(const float *values, int n, float *out, int steps)
{
	__shared__ float fields[256 * (FIELDS + PAD)];
	float sum = 0;

	for (int f = 0; f < FIELDS; f++)
		fields[SEPARATE ? f * 256 + threadIdx.x : threadIdx.x * (FIELDS + PAD) + f] =
			values[(blockIdx.x * 256 + threadIdx.x + f) % n];
	for (int step = 0; step < steps; step++) {
		for (int f = 0; f < FIELDS; f++) {
			int at = SEPARATE ? f * 256 + threadIdx.x
					  : threadIdx.x * (FIELDS + PAD) + f;

			fields[at] = fields[at] + (float)step;
			__syncwarp();
		}
	}
	for (int f = 0; f < FIELDS; f++)
		sum += fields[SEPARATE ? f * 256 + threadIdx.x
				       : threadIdx.x * (FIELDS + PAD) + f];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}

/* Sum of 512 values a block, in a tree. SEQUENTIAL: halves are added, not neighbours. */
template <int HOW> __global__ void tree(const float *values, float *out)
{
	__shared__ float sums[512 + 512 / 32];
	int t = threadIdx.x;

#define AT(i) (HOW == 2 ? (i) + (i) / 32 : (i))
	sums[AT(t)] = values[blockIdx.x * 512 + t];
	sums[AT(t + 256)] = values[blockIdx.x * 512 + t + 256];
	__syncthreads();
	if (HOW == 1) {
		for (int half = 256; half > 0; half /= 2) {
			if (t < half)
				sums[t] += sums[t + half];
			__syncthreads();
		}
	} else {
		for (int step = 1; step < 512; step *= 2) {
			int i = 2 * step * t;

			if (i < 512)
				sums[AT(i)] += sums[AT(i + step)];
			__syncthreads();
		}
	}
	if (t == 0)
		out[blockIdx.x] = sums[0];
#undef AT
}

/* Rows of a matrix in shared memory times a vector: each thread a row. PAD words behind each row. */
template <int PAD> __global__ void rows_times(const float *values, float *out, int steps)
{
	__shared__ float matrix[128 * (32 + PAD)];
	float sum = 0;

	for (int i = threadIdx.x; i < 128 * 32; i += blockDim.x)
		matrix[i / 32 * (32 + PAD) + i % 32] = values[(blockIdx.x * 4096 + i) % N];
	__syncthreads();
	for (int step = 0; step < steps; step++)
		for (int k = 0; k < 32; k++)
			sum += matrix[threadIdx.x * (32 + PAD) + k] * (float)(k + step);
	out[blockIdx.x * 128 + threadIdx.x] = sum;
}

/* --- The variants --- */

typedef struct {
	const char *plain, *name, *change;
	std::function<void(void)> launch;
	std::function<bool(void)> check;
} Variant;

static std::vector<Variant> variants;
static unsigned int *host_keys, *keys, *one;
static float *host_values, *values;
static void *out;

static void add(const char *plain, const char *name, const char *change,
		std::function<void(void)> launch, std::function<bool(void)> check)
{
	variants.push_back({plain, name, change, launch, check});
}

template <typename T> static std::vector<T> result(int n)
{
	std::vector<T> host(n);

	CHECK(cudaMemcpy(host.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost));
	return host;
}

/* The N keys of a distribution, in place of the last one's. */
typedef enum { UNIFORM, HOT, ZIPF, SORTED } Distribution;
static void set_keys(Distribution how, int bins)
{
	uint32_t state = 2463534242u;

	for (int i = 0; i < N; i++) {
		uint32_t r = next_random(&state) >> 4;

		if (how == UNIFORM)
			host_keys[i] = r % bins;
		else if (how == HOT)
			host_keys[i] = r % 10 < 9 ? 3 % bins : (r >> 8) % bins;
		else if (how == ZIPF) /* key k about as often as 1 / (k + 1) */
			host_keys[i] =
				(uint32_t)exp2((double)(r % 4096) / 4096 * log2(bins + 1.0)) -
				1;
		else
			host_keys[i] = (uint32_t)((long long)i * bins / N);
	}
	CHECK(cudaMemcpy(keys, host_keys, N * sizeof(*keys), cudaMemcpyHostToDevice));
}

template <typename T> static bool counted(int bins, int copies = 1)
{
	std::vector<T> got = result<T>(bins * copies), want(bins);

	for (int i = 0; i < N; i++)
		want[bins == 1 ? 0 : host_keys[i]] += 1;
	for (int bin = 0; bin < bins; bin++) {
		T sum = 0;

		for (int c = 0; c < copies; c++)
			sum += got[c * bins + bin];
		if (sum != want[bin])
			return false;
	}
	return true;
}

/* Values are whole numbers of 1/16, and their sums small: exact in any order. */
template <typename T> static bool summed(int bins, int n = N)
{
	std::vector<T> got = result<T>(bins);
	std::vector<double> want(bins);

	for (int i = 0; i < n; i++)
		want[bins == 1 ? 0 : host_keys[i]] += (T)host_values[i];
	for (int bin = 0; bin < bins; bin++)
		if (got[bin] != (T)want[bin])
			return false;
	return true;
}

#define COUNT(plain, name, change, T, merge, order, copy, dist, bins, copies, pad, blocks,     \
	      threads)                                                                         \
	add(                                                                                   \
		plain, name, change,                                                           \
		[] {                                                                           \
			set_keys(dist, bins);                                                  \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			count_keys<T, merge, order, copy>                                      \
				<<<blocks, threads,                                            \
				   (copies) * ((bins) + (pad)) * sizeof(T)>>>(                 \
					keys, N, (T *)out, bins, copies, pad);                 \
		},                                                                             \
		[] { return counted<T>(bins); })
#define SUM(plain, name, change, T, merge, fixed, dist, bins, copies, pad)                     \
	add(                                                                                   \
		plain, name, change,                                                           \
		[] {                                                                           \
			set_keys(dist, bins);                                                  \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			sum_keys<T, merge, fixed>                                              \
				<<<32, 256, (copies) * ((bins) + (pad)) * sizeof(T)>>>(        \
					keys, values, N, (T *)out, bins, copies, pad);         \
		},                                                                             \
		[] { return summed<T>(bins); })
#define ONE(plain, name, change, T, merge)                                                     \
	add(                                                                                   \
		plain, name, change,                                                           \
		[] {                                                                           \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			sum_one<T, merge><<<32, 256>>>(values, N, (T *)out);                   \
		},                                                                             \
		[] { return summed<T>(1); })
#define GLOBAL(plain, name, change, T, merge, order, with_values, dist, bins, copies, blocks,  \
	       threads)                                                                        \
	add(                                                                                   \
		plain, name, change,                                                           \
		[] {                                                                           \
			set_keys(dist, bins);                                                  \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			global_sums<T, merge, order><<<                                        \
				blocks, threads, merge == BLOCK ? (bins) * sizeof(T) : 0>>>(   \
				keys, with_values ? values : NULL, N, (T *)out, bins, copies); \
		},                                                                             \
		[] { return with_values ? summed<T>(bins) : counted<T>(bins, copies); })

static void list_counts(void)
{
	COUNT("count-uniform", "count-uniform", "-", unsigned, EACH, CYCLIC, BY_THREAD, UNIFORM,
	      256, 1, 0, 32, 256);
	COUNT("count-uniform", "count-uniform-copies4", "copies", unsigned, EACH, CYCLIC,
	      BY_THREAD, UNIFORM, 256, 4, 0, 32, 256);
	COUNT("count-uniform", "count-uniform-copies4-pad1", "copies-pad", unsigned, EACH,
	      CYCLIC, BY_THREAD, UNIFORM, 256, 4, 1, 32, 256);
	COUNT("count-uniform", "count-uniform-warps", "warp-private", unsigned, EACH, CYCLIC,
	      BY_WARP, UNIFORM, 256, 8, 0, 32, 256);
	COUNT("count-uniform", "count-uniform-match", "aggregate", unsigned, MATCH, CYCLIC,
	      BY_THREAD, UNIFORM, 256, 1, 0, 32, 256);
	COUNT("count-uniform", "count-uniform-match-key", "aggregate", unsigned, MATCH_KEY,
	      CYCLIC, BY_THREAD, UNIFORM, 256, 1, 0, 32, 256);
	COUNT("count-uniform", "count-uniform-threads", "threads", unsigned, EACH, CYCLIC,
	      BY_THREAD, UNIFORM, 256, 1, 0, 128, 64);
	COUNT("count-hot", "count-hot", "-", unsigned, EACH, CYCLIC, BY_THREAD, HOT, 256, 1, 0,
	      32, 256);
	COUNT("count-hot", "count-hot-copies8", "copies", unsigned, EACH, CYCLIC, BY_THREAD,
	      HOT, 256, 8, 0, 32, 256);
	COUNT("count-hot", "count-hot-copies8-pad1", "copies-pad", unsigned, EACH, CYCLIC,
	      BY_THREAD, HOT, 256, 8, 1, 32, 256);
	COUNT("count-hot", "count-hot-match", "aggregate", unsigned, MATCH, CYCLIC, BY_THREAD,
	      HOT, 256, 1, 0, 32, 256);
	COUNT("count-hot", "count-hot-match-key", "aggregate", unsigned, MATCH_KEY, CYCLIC,
	      BY_THREAD, HOT, 256, 1, 0, 32, 256);
	COUNT("count-few", "count-few", "-", unsigned, EACH, CYCLIC, BY_THREAD, ZIPF, 8, 1, 0,
	      32, 256);
	COUNT("count-few", "count-few-copies32-pad1", "copies-pad", unsigned, EACH, CYCLIC,
	      BY_THREAD, ZIPF, 8, 32, 1, 32, 256);
	COUNT("count-few", "count-few-match", "aggregate", unsigned, MATCH, CYCLIC, BY_THREAD,
	      ZIPF, 8, 1, 0, 32, 256);
	COUNT("count-few", "count-few-match-key", "aggregate", unsigned, MATCH_KEY, CYCLIC,
	      BY_THREAD, ZIPF, 8, 1, 0, 32, 256);
	add(
		"count-few", "count-few-registers", "thread-private",
		[] {
			set_keys(ZIPF, 8);
			CHECK(cudaMemset(out, 0, 1 << 20));
			count_in_registers<8><<<32, 256>>>(keys, N, (unsigned *)out);
		},
		[] { return counted<unsigned>(8); });
	COUNT("count-sorted", "count-sorted", "-", unsigned, EACH, CYCLIC, BY_THREAD, SORTED,
	      256, 1, 0, 32, 256);
	COUNT("count-sorted", "count-sorted-runs", "order", unsigned, EACH, RUNS, BY_THREAD,
	      SORTED, 256, 1, 0, 32, 256);
	COUNT("count-sorted", "count-sorted-match", "aggregate", unsigned, MATCH, CYCLIC,
	      BY_THREAD, SORTED, 256, 1, 0, 32, 256);
	COUNT("count-sorted", "count-sorted-match-key", "aggregate", unsigned, MATCH_KEY,
	      CYCLIC, BY_THREAD, SORTED, 256, 1, 0, 32, 256);
	COUNT("count-sorted", "count-sorted-copies16-pad1", "copies-pad", unsigned, EACH,
	      CYCLIC, BY_THREAD, SORTED, 256, 16, 1, 32, 256);
	COUNT("wide-uniform", "wide-uniform", "-", unsigned long long, EACH, CYCLIC, BY_THREAD,
	      UNIFORM, 64, 1, 0, 32, 256);
	COUNT("wide-uniform", "wide-uniform-u32", "type", unsigned, EACH, CYCLIC, BY_THREAD,
	      UNIFORM, 64, 1, 0, 32, 256);
	COUNT("wide-uniform", "wide-uniform-copies4-pad1", "copies-pad", unsigned long long,
	      EACH, CYCLIC, BY_THREAD, UNIFORM, 64, 4, 1, 32, 256);
	COUNT("wide-zipf", "wide-zipf", "-", unsigned long long, EACH, CYCLIC, BY_THREAD, ZIPF,
	      64, 1, 0, 32, 256);
	COUNT("wide-zipf", "wide-zipf-u32", "type", unsigned, EACH, CYCLIC, BY_THREAD, ZIPF, 64,
	      1, 0, 32, 256);
	COUNT("wide-zipf", "wide-zipf-copies8", "copies", unsigned long long, EACH, CYCLIC,
	      BY_THREAD, ZIPF, 64, 8, 0, 32, 256);
}

static void list_sums(void)
{
	SUM("sum-uniform", "sum-uniform", "-", float, EACH, false, UNIFORM, 64, 1, 0);
	SUM("sum-uniform", "sum-uniform-copies8", "copies", float, EACH, false, UNIFORM, 64, 8,
	    0);
	SUM("sum-uniform", "sum-uniform-copies8-pad1", "copies-pad", float, EACH, false,
	    UNIFORM, 64, 8, 1);
	SUM("sum-uniform", "sum-uniform-fixed", "type", float, EACH, true, UNIFORM, 64, 1, 0);
	SUM("sum-uniform", "sum-uniform-match", "aggregate", float, MATCH, false, UNIFORM, 64,
	    1, 0);
	SUM("sum-uniform", "sum-uniform-match-key", "aggregate", float, MATCH_KEY, false,
	    UNIFORM, 64, 1, 0);
	SUM("sum-zipf", "sum-zipf", "-", float, EACH, false, ZIPF, 256, 1, 0);
	SUM("sum-zipf", "sum-zipf-copies4-pad1", "copies-pad", float, EACH, false, ZIPF, 256, 4,
	    1);
	SUM("sum-zipf", "sum-zipf-fixed", "type", float, EACH, true, ZIPF, 256, 1, 0);
	SUM("sum-zipf", "sum-zipf-match", "aggregate", float, MATCH, false, ZIPF, 256, 1, 0);
	SUM("sum-zipf", "sum-zipf-match-key", "aggregate", float, MATCH_KEY, false, ZIPF, 256,
	    1, 0);
	SUM("sum-double", "sum-double", "-", double, EACH, false, ZIPF, 32, 1, 0);
	SUM("sum-double", "sum-double-float", "type", float, EACH, false, ZIPF, 32, 1, 0);
	SUM("sum-double", "sum-double-copies8", "copies", double, EACH, false, ZIPF, 32, 8, 0);
	ONE("sum-one", "sum-one", "-", float, EACH);
	ONE("sum-one", "sum-one-shuffle", "aggregate", float, SHUFFLE);
	ONE("sum-one", "sum-one-private", "thread-private", float, PRIVATE);
	ONE("int-one", "int-one", "-", int, EACH);
	ONE("int-one", "int-one-shuffle", "aggregate", int, SHUFFLE);
	ONE("int-one", "int-one-reduce", "aggregate", int, REDUCE);
	ONE("int-one", "int-one-private", "thread-private", int, PRIVATE);
	add(
		"largest", "largest", "-",
		[] {
			set_keys(UNIFORM, 1 << 20);
			CHECK(cudaMemset(out, 0, 1 << 20));
			largest<0><<<32, 256>>>(keys, N, (unsigned *)out);
		},
		[] {
			unsigned most = 0;
			for (int i = 0; i < N; i++)
				most = host_keys[i] > most ? host_keys[i] : most;
			return result<unsigned>(1)[0] == most;
		});
	Variant base = variants.back();
	add(
		"largest", "largest-first", "test-first",
		[] {
			set_keys(UNIFORM, 1 << 20);
			CHECK(cudaMemset(out, 0, 1 << 20));
			largest<1><<<32, 256>>>(keys, N, (unsigned *)out);
		},
		base.check);
	add(
		"largest", "largest-reduce", "aggregate",
		[] {
			set_keys(UNIFORM, 1 << 20);
			CHECK(cudaMemset(out, 0, 1 << 20));
			largest<2><<<32, 256>>>(keys, N, (unsigned *)out);
		},
		base.check);
}

#define RANK(name, change, merge, copy, copies)                                                \
	add(                                                                                   \
		"rank", name, change,                                                          \
		[] {                                                                           \
			set_keys(ZIPF, 16);                                                    \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			rank_keys<merge, copy><<<32, 256, (copies)*16 * 4>>>(                  \
				keys, N, (unsigned *)out, 16, copies);                         \
		},                                                                             \
		[] {                                                                           \
			std::vector<unsigned> got = result<unsigned>(32);                      \
			unsigned long long sum = 0, want = 0;                                  \
			for (int lane = 0; lane < 32; lane++)                                  \
				sum += got[lane];                                              \
			for (int block = 0; block < 32; block++) {                             \
				unsigned long long votes[16 * 256] = {0};                      \
				for (int i = 0; i < N; i++)                                    \
					if (i / 256 % 32 == block)                             \
						votes[((copy) == BY_WARP ? i % 256 / 32        \
									 : i % 256) %          \
							      (copies)*16 +                    \
						      host_keys[i]]++;                         \
				for (int k = 0; k < 16 * 256; k++)                             \
					want += votes[k] * (votes[k] - (votes[k] > 0)) / 2;    \
			}                                                                      \
			return sum == want;                                                    \
		})
#define TABLE(name, change, slots)                                                             \
	add(                                                                                   \
		"table", name, change,                                                         \
		[] {                                                                           \
			set_keys(UNIFORM, 1000);                                               \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			fill_table<<<32, 256, (slots)*4>>>(keys, N / 32, (unsigned *)out,      \
							   slots);                             \
		},                                                                             \
		[] {                                                                           \
			unsigned want = 0;                                                     \
			for (int block = 0; block < 32; block++) {                             \
				bool seen[1000] = {false};                                     \
				for (int i = 0; i < N / 32; i++) {                             \
					want += !seen[host_keys[block * (N / 32) + i]];        \
					seen[host_keys[block * (N / 32) + i]] = true;          \
				}                                                              \
			}                                                                      \
			return result<unsigned>(1)[0] == want;                                 \
		})
#define LOCKED(name, change, atomic, locks)                                                    \
	add(                                                                                   \
		"locked", name, change,                                                        \
		[] {                                                                           \
			set_keys(UNIFORM, 256);                                                \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			locked_sums<atomic>                                                    \
				<<<8, 128>>>(keys, values, N / 8, (float *)out, 256, locks);   \
		},                                                                             \
		[] { return summed<float>(256, N / 8); })

static void list_others(void)
{
	RANK("rank", "-", EACH, BY_THREAD, 1);
	RANK("rank-warps", "warp-private", EACH, BY_WARP, 8);
	RANK("rank-match", "aggregate", MATCH, BY_THREAD, 1);
	RANK("rank-match-key", "aggregate", MATCH_KEY, BY_THREAD, 1);
	RANK("rank-match-warps", "aggregate+warp-private", MATCH, BY_WARP, 8);
	TABLE("table", "-", 1024);
	TABLE("table-2048", "larger", 2048);
	TABLE("table-8192", "larger", 8192);
	LOCKED("locked", "-", false, 4);
	LOCKED("locked-32", "locks", false, 32);
	LOCKED("locked-256", "locks", false, 256);
	LOCKED("locked-atomic", "atomic", true, 1);
}

#define PUSH(name, change, call)                                                               \
	add(                                                                                   \
		"push", name, change,                                                          \
		[] {                                                                           \
			set_keys(UNIFORM, 4);                                                  \
			CHECK(cudaMemset(out, 0, 1 << 20));                                    \
			unsigned *list = (unsigned *)out + 32, *counter = (unsigned *)out;     \
			call;                                                                  \
		},                                                                             \
		[] {                                                                           \
			unsigned want = 0;                                                     \
			for (int i = 0; i < N; i++)                                            \
				want += host_keys[i] < 3;                                      \
			return result<unsigned>(1)[0] == want;                                 \
		})

static void list_global(void)
{
	GLOBAL("global-count", "global-count", "-", unsigned, EACH, CYCLIC, false, ZIPF, 256, 1,
	       64, 256);
	GLOBAL("global-count", "global-count-block", "block-private", unsigned, BLOCK, CYCLIC,
	       false, ZIPF, 256, 1, 64, 256);
	GLOBAL("global-count", "global-count-copies16", "copies", unsigned, EACH, CYCLIC, false,
	       ZIPF, 256, 16, 64, 256);
	GLOBAL("global-count", "global-count-match", "aggregate", unsigned, MATCH, CYCLIC,
	       false, ZIPF, 256, 1, 64, 256);
	GLOBAL("global-count", "global-count-match-key", "aggregate", unsigned, MATCH_KEY,
	       CYCLIC, false, ZIPF, 256, 1, 64, 256);
	GLOBAL("global-sum", "global-sum", "-", float, EACH, CYCLIC, true, UNIFORM, 64, 1, 128,
	       128);
	GLOBAL("global-sum", "global-sum-block", "block-private", float, BLOCK, CYCLIC, true,
	       UNIFORM, 64, 1, 128, 128);
	GLOBAL("global-sum", "global-sum-match", "aggregate", float, MATCH, CYCLIC, true,
	       UNIFORM, 64, 1, 128, 128);
	GLOBAL("global-sum", "global-sum-match-key", "aggregate", float, MATCH_KEY, CYCLIC,
	       true, UNIFORM, 64, 1, 128, 128);
	GLOBAL("global-one", "global-one", "-", float, EACH, CYCLIC, true, UNIFORM, 1, 1, 64,
	       256);
	GLOBAL("global-one", "global-one-shuffle", "aggregate", float, SHUFFLE, CYCLIC, true,
	       UNIFORM, 1, 1, 64, 256);
	GLOBAL("global-one", "global-one-private", "thread-private", float, PRIVATE, CYCLIC,
	       true, UNIFORM, 1, 1, 64, 256);
	GLOBAL("global-one", "global-one-block", "block-private", float, BLOCK, CYCLIC, true,
	       UNIFORM, 1, 1, 64, 256);
	GLOBAL("global-sorted", "global-sorted", "-", float, EACH, CYCLIC, true, SORTED, 1024,
	       1, 64, 256);
	GLOBAL("global-sorted", "global-sorted-match", "aggregate", float, MATCH, CYCLIC, true,
	       SORTED, 1024, 1, 64, 256);
	GLOBAL("global-sorted", "global-sorted-match-key", "aggregate", float, MATCH_KEY,
	       CYCLIC, true, SORTED, 1024, 1, 64, 256);
	GLOBAL("global-sorted", "global-sorted-runs", "order", float, EACH, RUNS, true, SORTED,
	       1024, 1, 64, 256);
	GLOBAL("global-wide", "global-wide", "-", float, EACH, CYCLIC, true, UNIFORM, 32768, 1,
	       64, 256);
	GLOBAL("global-wide", "global-wide-threads", "threads", float, EACH, CYCLIC, true,
	       UNIFORM, 32768, 1, 256, 128);
	PUSH("push", "-", (push_each<<<64, 256>>>(keys, N, list, counter, 3, one)));
	PUSH("push-match", "aggregate", (push<MATCH><<<64, 256>>>(keys, N, list, counter, 3)));
	PUSH("push-block", "block-private",
	     (push<BLOCK><<<64, 256>>>(keys, N, list, counter, 3)));
}

#define TILES(plain, name, change, T, pad, swizzle)                                            \
	add(                                                                                   \
		plain, name, change,                                                           \
		[] {                                                                           \
			transpose_tiles<T, pad, swizzle>                                       \
				<<<64, dim3(32, 8)>>>(values, (T *)out, 256);                  \
		},                                                                             \
		[] {                                                                           \
			std::vector<T> got = result<T>(256 * 256);                             \
			for (int i = 0; i < 256 * 256; i++)                                    \
				if (got[i % 256 * 256 + i / 256] != (T)host_values[i])         \
					return false;                                          \
			return true;                                                           \
		})
#define FIELDS(plain, name, change, fields, separate, pad)                                     \
	add(                                                                                   \
		plain, name, change,                                                           \
		[] {                                                                           \
			update_fields<fields, separate, pad>                                   \
				<<<32, 256>>>(values, N, (float *)out, 16);                    \
		},                                                                             \
		[] {                                                                           \
			std::vector<float> got = result<float>(32 * 256);                      \
			for (int i = 0; i < 32 * 256; i++) {                                   \
				float want = 0;                                                \
				for (int f = 0; f < fields; f++)                               \
					want += host_values[(i + f) % N] + 120;                \
				if (got[i] != want)                                            \
					return false;                                          \
			}                                                                      \
			return true;                                                           \
		})
#define TREE(name, change, how)                                                                \
	add(                                                                                   \
		"tree", name, change, [] { tree<how><<<64, 256>>>(values, (float *)out); },    \
		[] {                                                                           \
			std::vector<float> got = result<float>(64);                            \
			for (int block = 0; block < 64; block++) {                             \
				float want = 0;                                                \
				for (int i = 0; i < 512; i++)                                  \
					want += host_values[block * 512 + i];                  \
				if (got[block] != want)                                        \
					return false;                                          \
			}                                                                      \
			return true;                                                           \
		})
#define ROWS(name, change, pad)                                                                \
	add(                                                                                   \
		"rows", name, change,                                                          \
		[] { rows_times<pad><<<32, 128>>>(values, (float *)out, 4); },                 \
		[] {                                                                           \
			std::vector<float> got = result<float>(32 * 128);                      \
			for (int i = 0; i < 32 * 128; i++) {                                   \
				float want = 0;                                                \
				for (int step = 0; step < 4; step++)                           \
					for (int k = 0; k < 32; k++)                           \
						want += host_values[(i * 32 + k) % N] *        \
							(float)(k + step);                     \
				if (got[i] != want)                                            \
					return false;                                          \
			}                                                                      \
			return true;                                                           \
		})

static void list_banks(void)
{
	TILES("tiles", "tiles", "-", float, 0, false);
	TILES("tiles", "tiles-pad1", "pad", float, 1, false);
	TILES("tiles", "tiles-swizzle", "order", float, 0, true);
	TILES("tiles-double", "tiles-double", "-", double, 0, false);
	TILES("tiles-double", "tiles-double-pad1", "pad", double, 1, false);
	FIELDS("fields", "fields", "-", 8, false, 0);
	FIELDS("fields", "fields-pad1", "pad", 8, false, 1);
	FIELDS("fields", "fields-separate", "order", 8, true, 0);
	FIELDS("fields3", "fields3", "-", 3, false, 0);
	FIELDS("fields3", "fields3-pad1", "pad", 3, false, 1);
	FIELDS("fields3", "fields3-separate", "order", 3, true, 0);
	TREE("tree", "-", 0);
	TREE("tree-halves", "order", 1);
	TREE("tree-pad", "pad", 2);
	ROWS("rows", "-", 0);
	ROWS("rows-pad1", "pad", 1);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "list";
	int runs = number_argument(argc, argv, 2, "RUNS", 6, 1, 1000), n_tried = 0;
	unsigned int ones[32];
	uint32_t state = 88172645u;
	bool good = true;

	list_counts();
	list_sums();
	list_others();
	list_global();
	list_banks();
	if (strcmp(name, "list") == 0) {
		for (const Variant &variant : variants)
			printf("%s %s %s\n", variant.plain, variant.name, variant.change);
		return 0;
	}
	host_keys = (unsigned int *)malloc(N * sizeof(*host_keys));
	host_values = (float *)malloc(N * sizeof(*host_values));
	for (int i = 0; i < N; i++)
		host_values[i] = (float)(next_random(&state) >> 8 & 63) / 16;
	for (int i = 0; i < 32; i++)
		ones[i] = 1;
	values = (float *)to_gpu(host_values, N * sizeof(float));
	one = (unsigned int *)to_gpu(ones, sizeof(ones));
	CHECK(cudaMalloc(&keys, N * sizeof(*keys)));
	CHECK(cudaMalloc(&out, 1 << 20));
	for (const Variant &variant : variants) {
		if (strcmp(name, "all") != 0 && strcmp(name, variant.name) != 0)
			continue;
		n_tried++;
		for (int run = 0; run < runs; run++) {
			variant.launch();
			CHECK(cudaGetLastError());
		}
		CHECK(cudaDeviceSynchronize());
		if (!variant.check()) {
			printf("%s: wrong result\n", variant.name);
			good = false;
		}
	}
	if (n_tried == 0)
		fprintf(stderr, "%s: there is no variant '%s'\n", argv[0], name);
	puts(good && n_tried > 0 ? "PASS" : "FAIL");
	return good && n_tried > 0 ? 0 : 1;
}
