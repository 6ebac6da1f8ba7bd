/* SPDX-License-Identifier: MIT */
/*
 * Where lines, pages and SMs lie around the L2, by round trips of single atomics and loads.
 *
 *   l2-map FOLDER
 *
 * writes into the folder
 *   l2-slices.csv   a row a line of 2 MiB: side, slice, mean and extremes of its round trips
 *   l2-sms.csv      a row an SM: side, group (GPC), mean round trip near and far
 *   l2-trips.csv    a row a line of 32 pages: round trip of an atomic from every SM
 *   l2-loads.csv    the same of loads past L1
 *   l2-pages.csv    a row a page of 64 MiB: round trip of an atomic from two SMs of each side
 *
 * Cycles are from one access to the next that waits for it: latency and some 25 cycles of loop.
 */
#include "l2.h"

#define MAP_LINES  16384
#define TRIP_LINES (32 * PAGE_LINES)
#define N_PAGES	   16384
#define CLUSTER	   16 /* blocks: a cluster lies in one GPC */
#define GROUP_RUNS 24
#define MAP_BYTES  ((size_t)N_PAGES * PAGE_BYTES)

static void print_slices(const L2Map *map, FILE *out)
{
	fprintf(out, "line,side,slice,cycles_mean,cycles_least,cycles_most\n");
	for (int line = 0; line < map->n_lines; line++) {
		double sum = 0, least = 1e9, most = 0;

		for (int sm = 0; sm < map->n_sms; sm++) {
			double cycles = map->cycles[(size_t)sm * map->n_lines + line];

			sum += cycles;
			least = cycles < least ? cycles : least;
			most = cycles > most ? cycles : most;
		}
		fprintf(out, "%d,%d,%d,%.2f,%.0f,%.0f\n", line, map->line_side[line],
			map->slice[line], sum / map->n_sms, least, most);
	}
}

static __global__ void where(unsigned int *sm)
{
	if (threadIdx.x == 0)
		sm[blockIdx.x] = sm_id();
	/* Long enough that no SM takes a second cluster's block. */
	for (long long begin = stamp(); stamp() - begin < 20000;)
		;
}

/* Groups of SMs that one cluster of 16 blocks was seen to span: the parts of a GPC that are in
   use. The least number of an SM names its group. */
static void find_groups(int n_sms, int *group)
{
	unsigned int *sms = (unsigned int *)gpu_memory(sizeof(*sms) * n_sms), sm[1024];
	cudaLaunchConfig_t config;
	cudaLaunchAttribute attribute;

	for (int i = 0; i < n_sms; i++)
		group[i] = i;
	if (cudaFuncSetAttribute(where, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) !=
	    cudaSuccess) {
		cudaGetLastError();
		return;
	}
	memset(&config, 0, sizeof(config));
	config.gridDim = n_sms / CLUSTER * CLUSTER;
	config.blockDim = 1024;
	config.numAttrs = 1;
	config.attrs = &attribute;
	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	for (int run = 0; run < GROUP_RUNS; run++) {
		int size = run % 3 == 0 ? CLUSTER : run % 3 == 1 ? 2 : 8;

		attribute.val.clusterDim.x = size;
		if (cudaLaunchKernelEx(&config, where, sms) != cudaSuccess) {
			cudaGetLastError();
			continue;
		}
		CHECK_RUN();
		from_gpu(sm, sms, sizeof(*sms) * config.gridDim.x);
		for (unsigned int block = 0; block < config.gridDim.x; block++) {
			int a = group[sm[block / size * size]], b = group[sm[block]];

			for (int i = 0; i < n_sms; i++)
				if (group[i] == (a > b ? a : b))
					group[i] = a > b ? b : a;
		}
	}
}

static void print_sms(const L2Map *map, FILE *out)
{
	int group[1024];

	find_groups(map->n_sms, group);
	fprintf(out, "sm,side,group,near_mean,far_mean\n");
	for (int sm = 0; sm < map->n_sms; sm++) {
		double sum[2] = {0, 0};
		int n[2] = {0, 0};

		for (int line = 0; line < map->n_lines; line++) {
			int far = map->line_side[line] != map->sm_side[sm];

			sum[far] += map->cycles[(size_t)sm * map->n_lines + line];
			n[far]++;
		}
		fprintf(out, "%d,%d,%d,%.2f,%.2f\n", sm, map->sm_side[sm], group[sm],
			n[0] ? sum[0] / n[0] : 0, n[1] ? sum[1] / n[1] : 0);
	}
}

static void print_trips(int n_sms, const uint16_t *cycles, int n_lines, FILE *out)
{
	fprintf(out, "line");
	for (int sm = 0; sm < n_sms; sm++)
		fprintf(out, ",sm%d", sm);
	for (int i = 0; i < TRIP_LINES; i++) {
		fprintf(out, "\n%d", i);
		for (int sm = 0; sm < n_sms; sm++)
			fprintf(out, ",%d", cycles[(size_t)sm * n_lines + i]);
	}
	fputc('\n', out);
}

static void print_loads(char *base, FILE *out)
{
	int n_sms = sm_count();
	uint32_t offset[TRIP_LINES];
	uint16_t *cycles = (uint16_t *)malloc(sizeof(*cycles) * n_sms * TRIP_LINES);

	for (int i = 0; i < TRIP_LINES; i++)
		offset[i] = i * LINE_BYTES;
	measure_lines(base, offset, TRIP_LINES, PATH_LOAD, cycles);
	print_trips(n_sms, cycles, TRIP_LINES, out);
	free(cycles);
}

static void print_pages(char *base, const L2Map *map, FILE *out)
{
	uint32_t *offset = (uint32_t *)malloc(sizeof(*offset) * N_PAGES);
	uint32_t *offsets = NULL;
	uint16_t *least = (uint16_t *)gpu_memory(sizeof(*least) * N_PAGES);
	unsigned int *taken = (unsigned int *)gpu_memory(sizeof(*taken));
	uint16_t *cycles[4];
	int sm[4], n[2] = {0, 0};

	for (int i = 0; i < map->n_sms; i++)
		if (n[map->sm_side[i]] < 2)
			sm[map->sm_side[i] * 2 + n[map->sm_side[i]]++] = i;
	for (int i = n[1]; i < 2; i++)
		sm[2 + i] = sm[i]; /* one side alone */
	for (int i = 0; i < N_PAGES; i++)
		offset[i] = i * PAGE_BYTES;
	offsets = (uint32_t *)to_gpu(offset, sizeof(*offset) * N_PAGES);
	fprintf(out, "page,sm%d_side0,sm%d_side0,sm%d_side1,sm%d_side1\n", sm[0], sm[1], sm[2],
		sm[3]);
	for (int i = 0; i < 4; i++) {
		cycles[i] = (uint16_t *)malloc(sizeof(*least) * N_PAGES);
		unsigned int done = 0;

		for (int launch = 0; launch < 100 && !done; launch++) {
			round_trips<<<2 * map->n_sms, 1024>>>(base, offsets, N_PAGES, sm[i],
							      PATH_ATOM, least, taken);
			CHECK_RUN();
			from_gpu(&done, taken, sizeof(done));
		}
		CHECK(cudaMemset(taken, 0, sizeof(*taken)));
		from_gpu(cycles[i], least, sizeof(*least) * N_PAGES);
	}
	for (int page = 0; page < N_PAGES; page++)
		fprintf(out, "%d,%d,%d,%d,%d\n", page, cycles[0][page], cycles[1][page],
			cycles[2][page], cycles[3][page]);
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
	char *base = (char *)gpu_memory(MAP_BYTES);

	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	warm_up();

	L2Map map = l2_map(base, MAP_LINES);

	fprintf(stderr, "%d lines, gap %.0f cycles, %d slices\n", map.n_lines, map.gap,
		map.n_slices);
	print_slices(&map, open_file(argv[1], "l2-slices.csv"));
	print_sms(&map, open_file(argv[1], "l2-sms.csv"));
	print_trips(map.n_sms, map.cycles, map.n_lines, open_file(argv[1], "l2-trips.csv"));
	print_loads(base, open_file(argv[1], "l2-loads.csv"));
	print_pages(base, &map, open_file(argv[1], "l2-pages.csv"));
	return 0;
}
