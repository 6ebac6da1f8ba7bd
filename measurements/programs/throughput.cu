/* SPDX-License-Identifier: MIT */
/*
 * Rate of each class of instruction: a block whose warps each run COUNT of them in chains that do
 * not wait for each other.
 *
 *   throughput > issue-throughput.csv
 *   throughput conflicts > issue-conflicts.csv
 *
 * A row: a class, sub-cores at work (warp w is on sub-core w mod 4) and warps on each; `span` from
 * the first warp's start to the last one's end, median, least and most of RUNS launches; cycles an
 * instruction (or a pair, as `note` says) of a sub-core and of the SM.
 */
#include "ops.h"

#define COUNT	  128
#define CHAINS	  8
#define RUNS	  7
#define SUB_CORES 4
#define MAX_WARPS 32

__constant__ uint32_t constants[64];

typedef struct {
	uint32_t b, c;
	int shared_chain; /* bytes of a lane's own word that the chain walks on; 0: none */
	int global_chain, constant_chain;
	int sub_cores, warps;
} Setting;

template <class A, class B>
__global__ void __launch_bounds__(1024, 1)
	rate(Setting setting, const uint32_t *operands, uint64_t *far_words, long long *begins,
	     long long *ends, uint64_t *sink)
{
	__shared__ __align__(16) uint32_t words[1024 * 8];
	int warp = threadIdx.x / 32;
	uint32_t base = (uint32_t)__cvta_generic_to_shared(words);
	/* All chains have the same operands: an instruction that needs three new registers would
	   wait for their banks. */
	uint32_t b = operands[threadIdx.x], c = operands[1024 + threadIdx.x];
	float g = 1.0f + b;
	double e = 1.0 + b;
	Chain x[CHAINS], y[CHAINS];

	for (int i = 0; i < CHAINS; i++) {
		x[i].b = b;
		x[i].c = c;
		x[i].g = g;
		x[i].e = e;
		x[i].word = base + threadIdx.x * 16;
		x[i].a = threadIdx.x + i;
		x[i].f = g + i;
		x[i].d = e + i;
		x[i].far_word = (uint64_t)(far_words + threadIdx.x);
		x[i].u = threadIdx.x + i;
		x[i].v = b;
		if (setting.shared_chain) {
			/* Banks of a lane's own, for each width. */
			x[i].a = base + warp * 512 + threadIdx.x % 32 * setting.shared_chain;
			words[(x[i].a - base) / 4] = x[i].a;
			x[i].word = x[i].a;
		}
		if (setting.constant_chain)
			x[i].a = constants[i];
		if (setting.global_chain) {
			x[i].u = (uint64_t)(far_words + threadIdx.x);
			far_words[threadIdx.x] = x[i].u;
		}
		y[i] = x[i];
	}
	__syncthreads();
	if (warp % SUB_CORES >= setting.sub_cores || warp / SUB_CORES >= setting.warps)
		return;

	long long begin = 0, end = 0;

	/* The first pass fetches the code. The warps at work go through a barrier of their own, at the
	   end too: what a warp does behind its last stamp would take issue slots of the others. */
	int n = setting.sub_cores * setting.warps * 32;

#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory");
		begin = stamp();
#pragma unroll
		for (int i = 0; i < COUNT / CHAINS; i++)
#pragma unroll
			for (int k = 0; k < CHAINS; k++) {
				A::link(x[k], i * CHAINS + k);
				B::link(y[k], i * CHAINS + k);
			}
		end = stamp();
	}
	asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory");

	uint64_t sum = 0;

	for (int i = 0; i < CHAINS; i++)
		sum += x[i].a + x[i].u + __float_as_uint(x[i].f) +
		       __double_as_longlong(x[i].d) + y[i].a + y[i].u +
		       __float_as_uint(y[i].f) + __double_as_longlong(y[i].d);
	if (threadIdx.x % 32 == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
	sink[threadIdx.x] = sum;
}

template <class A, class B = op::nothing>
static void measure_one(const char *name, const char *note, Setting setting)
{
	static uint64_t *far_words = (uint64_t *)gpu_memory((COUNT + 1) * 8192);
	static uint64_t *sink = (uint64_t *)gpu_memory(1024 * sizeof(uint64_t));
	static long long *begins = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static uint32_t *operands = (uint32_t *)gpu_memory(2048 * sizeof(uint32_t));
	static uint32_t operand[2048];
	double span[RUNS];

	for (int i = 0; i < 2048; i++)
		operand[i] = i < 1024 ? setting.b : setting.c;
	CHECK(cudaMemcpy(operands, operand, sizeof(operand), cudaMemcpyHostToDevice));
	for (int run = -1; run < RUNS; run++) {
		long long begin[MAX_WARPS], end[MAX_WARPS], first = INT64_MAX, last = 0;

		CHECK(cudaMemset(ends, 0, sizeof(end)));
		rate<A, B><<<1, 1024>>>(setting, operands, far_words, begins, ends, sink);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(end, ends, sizeof(end));
		for (int warp = 0; warp < MAX_WARPS; warp++) {
			if (!end[warp])
				continue;
			first = begin[warp] < first ? begin[warp] : first;
			last = end[warp] > last ? end[warp] : last;
		}
		if (run >= 0)
			span[run] = last - first;
	}

	double middle = median(span, RUNS);
	int n = COUNT * setting.warps;

	printf("%s,%d,%d,%.0f,%.0f,%.0f,%.3f,%.3f,%s\n", name, setting.sub_cores, setting.warps,
	       middle, span[0], span[RUNS - 1], middle / n, middle / n / setting.sub_cores,
	       note);
}

template <class A, class B = op::nothing>
static void measure(const char *name, const char *note, uint32_t b, uint32_t c,
		    int shared_chain, int global_chain, int constant_chain)
{
	static const int warps[] = {1, 2, 3, 4, 6, 8};

	for (int sub_cores = 1; sub_cores <= SUB_CORES; sub_cores *= 2)
		for (int i = 0; i < 6; i++) {
			Setting setting = {
				b,	   c,	    shared_chain, global_chain, constant_chain,
				sub_cores, warps[i]};

			measure_one<A, B>(name, note, setting);
		}
}

static __global__ void find_constants(uint32_t *address)
{
	uint64_t generic = (uint64_t)constants, own;

	asm("cvta.to.const.u64 %0, %1;" : "=l"(own) : "l"(generic));
	*address = (uint32_t)own;
}

static void place_constants(void)
{
	uint32_t address, *gpu = (uint32_t *)gpu_memory(4), words[64];

	find_constants<<<1, 1>>>(gpu);
	CHECK_RUN();
	from_gpu(&address, gpu, 4);
	for (int i = 0; i < 64; i++)
		words[i] = address;
	CHECK(cudaMemcpyToSymbol(constants, words, sizeof(words)));
}

#define PLAIN(OP)	measure<op::OP>(#OP, "", 3, 5, 0, 0, 0)
#define TWO(NAME, A, B) measure<op::A, op::B>(NAME, "pair", 3, 5, 0, 0, 0)

template <class A> static void measure_ways(const char *name, int width, int c)
{
	for (int ways = 1; ways <= 32; ways *= 2) {
		char row[32];

		if (width * ways > 128)
			break;
		snprintf(row, sizeof(row), "%s/%d", name, ways);
		measure<A>(row, "", 0, c, width * ways, 0, 0);
	}
}

static void measure_conflicts(void)
{
	measure_ways<op::lds32>("lds32", 4, 0);
	measure_ways<op::lds64>("lds64", 8, 0);
	measure_ways<op::lds128>("lds128", 16, 0);
	measure_ways<op::sts32>("sts32", 4, 0);
	measure_ways<op::sts64>("sts64", 8, 0);
	measure_ways<op::atoms_add>("atoms_add_ret", 4, 0);
	measure_ways<op::atoms_add_noret>("atoms_add_noret", 4, 0);
	measure_ways<op::atoms_cas>("atoms_cas", 4, 1);
}

int main(int argc, char **argv)
{
	warm_up();
	place_constants();
	printf("class,sub_cores,warps_per_sub_core,span,min,max,cycles_per_op_per_sub_core,"
	       "cycles_per_op_per_sm,note\n");
	if (argc > 1 && strcmp(argv[1], "conflicts") == 0) {
		measure_conflicts();
		return 0;
	}
	PLAIN(lop3);
	measure<op::iadd3_of_two>("iadd3_of_two", "64 IADD3 for 128", 3, 5, 0, 0, 0);
	PLAIN(imad);
	PLAIN(imad_wide);
	PLAIN(imad_hi);
	PLAIN(imad_wide_both);
	PLAIN(shf);
	PLAIN(prmt);
	PLAIN(fadd);
	PLAIN(fmul);
	PLAIN(ffma);
	PLAIN(hfma2);
	PLAIN(dadd);
	PLAIN(dfma);
	PLAIN(mufu_ex2);
	PLAIN(mufu_rsq);
	PLAIN(f2i);
	PLAIN(i2f);
	PLAIN(popc);
	PLAIN(flo);
	measure<op::isetp_sel>("isetp_sel", "pair", 3, 5, 0, 0, 0);
	measure<op::fsetp_fsel>("fsetp_fsel", "pair", 3, 5, 0, 0, 0);
	PLAIN(shfl_bfly);
	PLAIN(shfl_idx);
	measure<op::isetp_vote_ballot>("isetp_vote", "pair", 3, 5, 0, 0, 0);
	PLAIN(match_any);
	if (has_redux())
		measure<op::redux_add>("redux_add", "REDUX and a move", 3, 5, 0, 0, 0);
	measure<op::ldc_reg>("ldc_reg", "", 0, 0, 0, 0, 1);
	measure<op::lds32>("lds32", "", 0, 0, 4, 0, 0);
	measure<op::lds64>("lds64", "", 0, 0, 8, 0, 0);
	measure<op::lds128>("lds128", "", 0, 0, 16, 0, 0);
	measure<op::ldg64_l1>("ldg64_l1", "", 0, 0, 0, 1, 0);
	measure<op::sts32>("sts32", "", 0, 0, 4, 0, 0);
	measure<op::sts64>("sts64", "", 0, 0, 8, 0, 0);
	measure<op::sts128>("sts128", "", 0, 0, 16, 0, 0);
	measure<op::atoms_add>("atoms_add_ret", "", 0, 0, 4, 0, 0);
	measure<op::atoms_add_noret>("atoms_add_noret", "", 0, 0, 4, 0, 0);
	measure<op::atoms_cas>("atoms_cas", "", 0, 1, 4, 0, 0);
	PLAIN(stg32);
	TWO("ffma_imad", ffma, imad);
	TWO("ffma_lop3", ffma, lop3);
	TWO("imad_lop3", imad, lop3);
	TWO("lop3_mufu", lop3, mufu_ex2);
	measure<op::ffma, op::lds32>("ffma_lds", "pair", 0, 0, 4, 0, 0);
	return 0;
}
