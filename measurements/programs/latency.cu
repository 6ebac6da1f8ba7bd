/* SPDX-License-Identifier: MIT */
/*
 * Latency of each class of instruction: dependent chains of one warp.
 *
 *   latency > issue-latency.csv
 *   latency pairs > issue-pairs.csv
 *
 * A row is a chain: cycles a link between two stamps that stand inside a longer chain, so that
 * neither its start nor its end is in them; median, least and most of RUNS launches of PASSES,
 * of which the first, with cold caches, is `cold_per_link`. `address`: own, each lane its own
 * word; uniform, all lanes one; values=n, n distinct values among the lanes. pairs: a link is two
 * instructions or three, in turn.
 */
#include "ops.h"

#define PASSES	    5
#define RUNS	    5
#define LINKS	    96
#define WARM_LINKS  16
#define N_CONSTANTS 64
#define N_PAGES	    8
#define PAGE_BYTES  4096

__constant__ uint32_t constants[N_CONSTANTS];

typedef enum { NONE, SHARED, GLOBAL, CONSTANT } Space;

typedef struct {
	Space space;
	int own; /* each lane has a word of its own, of `bytes` */
	int bytes;
	int values; /* distinct values of `a` among the lanes; 0: of no account */
	uint32_t b, c;
} Setting;

/* Operands come from memory, a value a lane: else they would be uniform registers, which some
   instructions take into their address. */
static __device__ Chain begin_chain(const Setting &setting, const uint32_t *operands,
				    uint64_t *far_words)
{
	static __shared__ __align__(16) uint32_t words[32 * 4 + 4];
	uint32_t base = (uint32_t)__cvta_generic_to_shared(words);
	unsigned int lane = threadIdx.x % 32;
	Chain x;

	x.b = operands[lane];
	x.c = operands[32 + lane];
	x.word = base + lane * 4;
	x.a = setting.values ? lane % setting.values : lane;
	x.f = x.g = 1.0f + x.b;
	x.d = x.e = 1.0 + x.b;
	x.u = lane;
	x.v = x.b;
	x.far_word = (uint64_t)(far_words + lane);
	if (setting.space == SHARED) {
		x.a = base + (setting.own ? lane * setting.bytes : 0);
		words[(x.a - base) / 4] = x.a;
		/* The second word of a wide load is a zero, which leaves the address as it is. */
		if (setting.bytes > 4)
			words[(x.a - base) / 4 + 1] = 0;
	} else if (setting.space == GLOBAL) {
		x.u = (uint64_t)(far_words + (setting.own ? lane : 0));
		far_words[setting.own ? lane : 0] = x.u;
		__threadfence();
	} else if (setting.space == CONSTANT) {
		x.a = 0;
	}
	__syncwarp();
	return x;
}

template <class Op>
__global__ void chain(Setting setting, const uint32_t *operands, uint64_t *far_words,
		      long long *cycles, uint64_t *sink)
{
	Chain x = begin_chain(setting, operands, far_words);

	/* Constant memory's own address space begins where its first word says. */
	if (setting.space == CONSTANT)
		x.a = constants[0];
	if (setting.space == SHARED && setting.own == 0)
		x.word = x.a;
#pragma unroll 1
	for (int pass = 0; pass < PASSES; pass++) {
#pragma unroll
		for (int i = 0; i < WARM_LINKS; i++)
			Op::link(x);

		long long begin = stamp();

#pragma unroll
		for (int i = 0; i < LINKS; i++)
			Op::link(x);

		long long end = stamp();

#pragma unroll
		for (int i = 0; i < WARM_LINKS; i++)
			Op::link(x);
		if (threadIdx.x == 0)
			cycles[pass] = end - begin;
	}
	sink[threadIdx.x] = x.a + x.u + __float_as_uint(x.f) + __double_as_longlong(x.d);
}

static __global__ void find_constants(uint32_t *address)
{
	uint64_t generic = (uint64_t)constants, own;

	asm("cvta.to.const.u64 %0, %1;" : "=l"(own) : "l"(generic));
	*address = (uint32_t)own;
}

/* One run on the words of a page: the passes behind the first, and that one. */
template <class Op>
static void run_page(Setting setting, int page, double *reading, double *cold)
{
	static char *pages = (char *)gpu_memory(N_PAGES * PAGE_BYTES);
	static uint64_t *sink = (uint64_t *)gpu_memory(32 * sizeof(uint64_t));
	static uint32_t *operands = (uint32_t *)gpu_memory(64 * sizeof(uint32_t));
	static long long *cycles = (long long *)gpu_memory(PASSES * sizeof(long long));
	uint32_t operand[64];
	long long pass[PASSES];

	for (int i = 0; i < 64; i++)
		operand[i] = i < 32 ? setting.b : setting.c;
	CHECK(cudaMemcpy(operands, operand, sizeof(operand), cudaMemcpyHostToDevice));
	chain<Op><<<1, 32>>>(setting, operands, (uint64_t *)(pages + page * PAGE_BYTES), cycles,
			     sink);
	CHECK_RUN();
	from_gpu(pass, cycles, sizeof(pass));
	*cold = (double)pass[0] / LINKS;
	for (int i = 1; i < PASSES; i++)
		reading[i - 1] = (double)pass[i] / LINKS;
}

/* A chain in global memory is that of the nearest page: those of the L2's other partition are far
   for this SM. */
template <class Op> static void measure(const char *name, const char *address, Setting setting)
{
	double best[RUNS * (PASSES - 1)], best_cold[RUNS];
	const int n = RUNS * (PASSES - 1);

	for (int page = 0; page < (setting.space == GLOBAL ? N_PAGES : 1); page++) {
		double reading[n], cold[RUNS];

		for (int run = 0; run < RUNS; run++)
			run_page<Op>(setting, page, reading + run * (PASSES - 1), cold + run);
		median(reading, n);
		if (page == 0 || reading[n / 2] < best[n / 2]) {
			memcpy(best, reading, sizeof(best));
			memcpy(best_cold, cold, sizeof(cold));
		}
	}
	printf("%s,%s,%s,%.3f,%.3f,%.3f,%.3f\n", name, address, Op::sass(), best[n / 2],
	       best[0], best[n - 1], median(best_cold, RUNS));
}

#define PLAIN(OP) measure<op::OP>(#OP, "-", (Setting){NONE, 0, 0, 0, 3, 5})
#define BOTH(OP, SPACE, BYTES, B, C)                                                           \
	do {                                                                                   \
		measure<op::OP>(#OP, "own", (Setting){SPACE, 1, BYTES, 0, B, C});              \
		measure<op::OP>(#OP, "uniform", (Setting){SPACE, 0, BYTES, 0, B, C});          \
	} while (0)

static void measure_arithmetic(void)
{
	PLAIN(iadd3_of_two);
	PLAIN(imad);
	PLAIN(imad_wide);
	PLAIN(iadd_carry);
	PLAIN(lop3);
	PLAIN(shf);
	PLAIN(prmt);
	PLAIN(vimnmx_of_two);
	PLAIN(fadd);
	PLAIN(fmul);
	PLAIN(ffma);
	PLAIN(hfma2);
	PLAIN(dadd);
	PLAIN(dfma);
	PLAIN(mufu_ex2);
	PLAIN(mufu_rsq);
	PLAIN(mufu_sin);
	PLAIN(f2i);
	PLAIN(i2f);
	PLAIN(f2f_pair);
	PLAIN(popc);
	PLAIN(flo);
	PLAIN(brev);
	PLAIN(isetp_sel);
	PLAIN(isetp_guard);
	PLAIN(fsetp_fsel);
}

static void measure_warp(void)
{
	PLAIN(shfl_idx);
	PLAIN(shfl_bfly);
	PLAIN(shfl_down);
	PLAIN(isetp_vote_ballot);
	PLAIN(isetp_vote_any_sel);
	for (int values = 1; values <= 32; values *= 2) {
		char name[32];

		snprintf(name, sizeof(name), "values=%d", values);
		measure<op::match_any>("match_any", name, (Setting){NONE, 0, 0, values, 0, 0});
	}
	if (has_redux())
		PLAIN(redux_add);
	PLAIN(isetp_s2r_smid);
}

static void measure_memory(void)
{
	uint32_t address, *gpu = (uint32_t *)gpu_memory(4), words[N_CONSTANTS];

	find_constants<<<1, 1>>>(gpu);
	CHECK_RUN();
	from_gpu(&address, gpu, 4);
	for (int i = 0; i < N_CONSTANTS; i++)
		words[i] = address;
	CHECK(cudaMemcpyToSymbol(constants, words, sizeof(words)));
	measure<op::ldc_reg>("ldc_reg", "-", (Setting){CONSTANT, 0, 4, 0, 0, 0});
	BOTH(lds32, SHARED, 4, 0, 0);
	BOTH(lds64, SHARED, 8, 0, 0);
	BOTH(lds128, SHARED, 16, 0, 0);
	BOTH(iadd3_lds32, SHARED, 4, 0, 0);
	BOTH(imad_lds32, SHARED, 4, 0, 1);
	BOTH(lop3_lds32, SHARED, 4, 0, 0);
	BOTH(sts_lds32, SHARED, 4, 0, 0);
	measure<op::atoms_add>("atoms_add", "own", (Setting){SHARED, 1, 4, 0, 0, 1});
	measure<op::atoms_exch>("atoms_exch", "own", (Setting){SHARED, 1, 4, 0, 0, 1});
	measure<op::atoms_cas>("atoms_cas", "own", (Setting){SHARED, 1, 4, 0, 0, 1});
	measure<op::atoms_min>("atoms_min", "own", (Setting){SHARED, 1, 4, 0, 0, 1});
	measure<op::atoms_and>("atoms_and", "own", (Setting){SHARED, 1, 4, 0, 0, 1});
	BOTH(ldg64_l1, GLOBAL, 8, 0, 0);
	BOTH(ldg64_l2, GLOBAL, 8, 0, 0);
	BOTH(iadd64_ldg64_l1, GLOBAL, 8, 0, 0);
	measure<op::atomg_add64>("atomg_add64", "own", (Setting){GLOBAL, 1, 8, 0, 0, 0});
	measure<op::atomg_cas64>("atomg_cas64", "own", (Setting){GLOBAL, 1, 8, 0, 0, 0});
}

static void measure_pairs(void)
{
	PLAIN(lop3);
	PLAIN(imad);
	PLAIN(ffma);
	PLAIN(dadd);
	PLAIN(lop3_shf);
	PLAIN(imad_lop3);
	PLAIN(imad_shf);
	PLAIN(imad_isetp_sel);
	PLAIN(ffma_imad);
	PLAIN(ffma_lop3);
	PLAIN(ffma_fmnmx);
	PLAIN(hfma2_lop3);
	PLAIN(hfma2_imad);
	PLAIN(dadd_lop3);
	PLAIN(dadd_imad);
	PLAIN(mufu_lop3);
	PLAIN(mufu_ffma);
	PLAIN(popc_lop3);
	PLAIN(popc_imad);
	PLAIN(shfl_lop3);
	PLAIN(shfl_imad);
	PLAIN(imad_hi);
	PLAIN(imad_hi_added);
	PLAIN(imad_hi_lop3);
	PLAIN(imad_hi_imad);
	PLAIN(imad3_lop3);
	PLAIN(imad_hi3_lop3);
	PLAIN(imad_wide_both);
	PLAIN(imad_wide_high);
	PLAIN(imad_wide_added);
	BOTH(ldg64_l1, GLOBAL, 8, 0, 0);
	BOTH(iadd64_ldg64_l1, GLOBAL, 8, 0, 0);
	BOTH(imad_wide_ldg64_l1, GLOBAL, 8, 0, 0);
}

int main(int argc, char **argv)
{
	warm_up();
	printf("chain,address,sass,cycles_per_link,min,max,cold_per_link\n");
	if (argc > 1 && strcmp(argv[1], "pairs") == 0) {
		measure_pairs();
		return 0;
	}
	measure_arithmetic();
	measure_warp();
	measure_memory();
	return 0;
}
