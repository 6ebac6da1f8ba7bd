/* SPDX-License-Identifier: MIT */
/*
 * What fetches from textures and accesses to surfaces take of their warp and of the SM, of words that the first cache has.
 *
 *   textures > issue-textures.csv
 *
 * A row: `warps` warps of one block make `loads` fetches of the same texels, add up what they bring and go on (rounds). op: `fetch`, one
 * word of linear memory; `point`, `linear`, of an array of two dimensions without and with a filter; `layered`, `volume`, the same of layers
 * and of three dimensions, with a filter; `gather`, four neighbours; `bytes`, four bytes as numbers from 0 to 1, without a filter;
 * `surface`, `write`: a load from and a store to the array. A `4`: of 16 bytes a texel, else of 4. pattern, where the lanes' texels are:
 * `one`; `row`, neighbours; `tile`, 8 by 4; `column`, one below the other; `spread`, 8 by 4, four apart in x and eight in y.
 * cycles: a fetch and SM, from the first warp's start to the last one's end; the median of RUNS launches. held_back: a third, by a hash of
 * the cell.
 */
#include "probe.h"

#define RUNS	5
#define ROUNDS	32
#define SIDE	512
#define LAYERS	4
#define PATTERN 5

enum {
	FETCH,
	FETCH4,
	POINT,
	POINT4,
	LINEAR,
	LINEAR4,
	LAYERED,
	VOLUME,
	GATHER,
	BYTES,
	SURFACE,
	SURFACE4,
	WRITE,
	WRITE4,
	N_OPS
};
static const char *const ops[] = {"fetch",   "fetch4",	 "point",  "point4", "linear",
				  "linear4", "layered",	 "volume", "gather", "bytes",
				  "surface", "surface4", "write",  "write4"};
static const char *const patterns[] = {"one", "row", "tile", "column", "spread"};

typedef struct {
	cudaTextureObject_t of[N_OPS];
	cudaSurfaceObject_t surface, surface4;
} Objects;

static __device__ __forceinline__ float sum_of(float4 v)
{
	return v.x + v.y + v.z + v.w;
}

template <int OP>
static __device__ __forceinline__ float fetch(const Objects &o, float x, float y)
{
	switch (OP) {
	case FETCH:
		return tex1Dfetch<float>(o.of[FETCH], (int)x);
	case FETCH4:
		return sum_of(tex1Dfetch<float4>(o.of[FETCH4], (int)x));
	case POINT:
		return tex2D<float>(o.of[POINT], x, y);
	case POINT4:
		return sum_of(tex2D<float4>(o.of[POINT4], x, y));
	case LINEAR:
		return tex2D<float>(o.of[LINEAR], x, y);
	case LINEAR4:
		return sum_of(tex2D<float4>(o.of[LINEAR4], x, y));
	case LAYERED:
		return tex2DLayered<float>(o.of[LAYERED], x, y, 1);
	case VOLUME:
		return tex3D<float>(o.of[VOLUME], x, y, 1.5f);
	case GATHER:
		return sum_of(tex2Dgather<float4>(o.of[LINEAR], x, y));
	case BYTES:
		return sum_of(tex2D<float4>(o.of[BYTES], x, y));
	case SURFACE:
		return surf2Dread<float>(o.surface, (int)x * 4, (int)y);
	case SURFACE4:
		return sum_of(surf2Dread<float4>(o.surface4, (int)x * 16, (int)y));
	}
	return 0;
}

/* Coordinates are whole numbers, and what is fetched is 0. */
template <int OP, int LOADS>
static __global__ void __launch_bounds__(1024, 1)
	rounds(Objects o, const float2 *places, long long *begins, long long *ends, float *sink)
{
	float x = places[threadIdx.x % 32].x, y = places[threadIdx.x % 32].y;
	long long begin = 0, end;

#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = stamp();
#pragma unroll 4
		for (int round = 0; round < ROUNDS; round++) {
			float got[LOADS];

#pragma unroll
			for (int i = 0; i < LOADS; i++)
				if (OP == WRITE)
					surf2Dwrite(0.0f, o.surface, ((int)x + i * 32) * 4,
						    (int)y);
				else if (OP == WRITE4)
					surf2Dwrite(make_float4(0, 0, 0, 0), o.surface4,
						    ((int)x + i * 32) * 16, (int)y);
				else
					got[i] = fetch<OP>(o, x + i * 32, y);
			if (OP != WRITE && OP != WRITE4)
#pragma unroll
				for (int i = 0; i < LOADS; i++)
					x += got[i];
		}
	}
	if (x == 12345.5f)
		asm volatile("trap;");
	end = stamp();
	if (x == 12345.25f)
		*sink = x;
	if (threadIdx.x % 32 == 0) {
		begins[threadIdx.x / 32] = begin;
		ends[threadIdx.x / 32] = end;
	}
}

static float2 *places;
static long long *begins, *ends;
static float *sink;

template <int OP, int LOADS> static void measure(const Objects &o)
{
	static const int n_warps[] = {1, 2, 4, 8, 16, 32};

	for (int pattern = 0; pattern < PATTERN; pattern++) {
		float2 at[32];

		for (int l = 0; l < 32; l++) {
			const int tx = pattern == 0   ? 0
				       : pattern == 1 ? l
				       : pattern == 2 ? l % 8
				       : pattern == 3 ? 0
						      : l % 8 * 4;
			const int ty = pattern == 0   ? 0
				       : pattern == 1 ? 0
				       : pattern == 2 ? l / 8
				       : pattern == 3 ? l
						      : l / 8 * 8;

			at[l] = make_float2(tx + (OP == FETCH || OP == FETCH4 ? ty * SIDE : 0),
					    ty);
		}
		CHECK(cudaMemcpy(places, at, sizeof(at), cudaMemcpyHostToDevice));
		for (int warps : n_warps) {
			double cycles[RUNS], middle;
			char cell[64];

			for (int run = 0; run < RUNS; run++) {
				rounds<OP, LOADS>
					<<<1, warps * 32>>>(o, places, begins, ends, sink);
				CHECK_RUN();
				cycles[run] = (double)span_of_warps(begins, ends, warps) /
					      (ROUNDS * LOADS * warps);
			}
			snprintf(cell, sizeof(cell), "%s,%s,%d,%d", ops[OP], patterns[pattern],
				 warps, LOADS);
			middle = median(cycles, RUNS);
			printf("%s,%.3f,%.3f,%.3f,%d\n", cell, middle, cycles[0],
			       cycles[RUNS - 1], held_back(cell));
		}
	}
}

template <int OP> static void measure_all(const Objects &o)
{
	measure<OP, 1>(o);
	measure<OP, 4>(o);
}

static cudaTextureObject_t texture_of(cudaResourceDesc what, bool filter, bool normalized)
{
	cudaTextureDesc how = {};
	cudaTextureObject_t object;

	how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
	how.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
	how.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
	CHECK(cudaCreateTextureObject(&object, &what, &how, NULL));
	return object;
}

static cudaResourceDesc array_of(cudaChannelFormatDesc format, int depth, unsigned flags)
{
	cudaResourceDesc what = {};
	cudaMemcpy3DParms copy = {};
	cudaArray_t array;
	const size_t texel = (format.x + format.y + format.z + format.w) / 8;

	what.resType = cudaResourceTypeArray;
	CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(SIDE, SIDE, depth), flags));
	what.res.array.array = array;
	copy.srcPtr = make_cudaPitchedPtr(gpu_memory(SIDE * SIDE * LAYERS * texel),
					  SIDE * texel, SIDE, SIDE);
	copy.dstArray = array;
	copy.extent = make_cudaExtent(SIDE, SIDE, depth > 0 ? depth : 1);
	copy.kind = cudaMemcpyDeviceToDevice;
	CHECK(cudaMemcpy3D(&copy));
	return what;
}

static cudaResourceDesc linear_of(cudaChannelFormatDesc format, size_t bytes)
{
	cudaResourceDesc what = {};

	what.resType = cudaResourceTypeLinear;
	what.res.linear.devPtr = gpu_memory(bytes);
	what.res.linear.desc = format;
	what.res.linear.sizeInBytes = bytes;
	return what;
}

int main(void)
{
	const cudaChannelFormatDesc one = cudaCreateChannelDesc<float>(),
				    four = cudaCreateChannelDesc<float4>();
	const cudaResourceDesc array = array_of(one, 0,
						cudaArraySurfaceLoadStore |
							cudaArrayTextureGather),
			       array4 = array_of(four, 0, cudaArraySurfaceLoadStore);
	Objects o = {};

	begins = (long long *)gpu_memory(32 * sizeof(long long));
	ends = (long long *)gpu_memory(32 * sizeof(long long));
	places = (float2 *)gpu_memory(32 * sizeof(float2));
	sink = (float *)gpu_memory(sizeof(float));
	o.of[FETCH] = texture_of(linear_of(one, SIDE * SIDE * 4), false, false);
	o.of[FETCH4] = texture_of(linear_of(four, SIDE * SIDE * 16), false, false);
	o.of[POINT] = texture_of(array, false, false);
	o.of[LINEAR] = texture_of(array, true, false);
	o.of[POINT4] = texture_of(array4, false, false);
	o.of[LINEAR4] = texture_of(array4, true, false);
	o.of[LAYERED] = texture_of(array_of(one, LAYERS, cudaArrayLayered), true, false);
	o.of[VOLUME] = texture_of(array_of(one, LAYERS, 0), true, false);
	o.of[BYTES] = texture_of(array_of(cudaCreateChannelDesc<uchar4>(), 0, 0), false, true);
	CHECK(cudaCreateSurfaceObject(&o.surface, &array));
	CHECK(cudaCreateSurfaceObject(&o.surface4, &array4));
	warm_up();
	printf("op,pattern,warps,loads,cycles,cycles_min,cycles_max,held_back\n");
	measure_all<FETCH>(o);
	measure_all<FETCH4>(o);
	measure_all<POINT>(o);
	measure_all<POINT4>(o);
	measure_all<LINEAR>(o);
	measure_all<LINEAR4>(o);
	measure_all<LAYERED>(o);
	measure_all<VOLUME>(o);
	measure_all<GATHER>(o);
	measure_all<BYTES>(o);
	measure_all<SURFACE>(o);
	measure_all<SURFACE4>(o);
	measure_all<WRITE>(o);
	measure_all<WRITE4>(o);
	return 0;
}
