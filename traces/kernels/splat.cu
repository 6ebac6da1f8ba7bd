/* SPDX-License-Identifier: MIT */
/*
 * Gradients of Gaussian splatting: how each Gaussian would have to change for the picture that they make to change as wanted.
 *
 *   splat [VARIANT [GAUSSIANS [SIZE [RADIUS]]]]
 *
 * A picture of SIZE x SIZE pixels is made of flat, round Gaussians with colours, the nearest first; a block of 16 x 16 threads has
 * a tile of it and walks the Gaussians that touch the tile, the furthest first. Each thread adds the nine parts of a Gaussian's
 * gradient (colour, opacity, place, shape) for its pixel, if the Gaussian shows there at all, so that lanes of a warp add to the
 * same words. VARIANT says how:
 *   naive      an atomic add a lane and part, in global memory
 *   serial     if 16 lanes or more of a warp have something to add, the first of them fetches the others' parts one after the other,
 *              and adds for all; fewer add for themselves (SW-S of DISTWAR, arXiv 2401.05345)
 *   butterfly  the same, but the lanes' parts are summed up by exchanges between all 32 (SW-B)
 *   staged     lanes add in shared memory, and the block gives its sums of each 256 Gaussians to global memory
 * Gradients are checked on the CPU, in double precision.
 */
#include "launch.h"

#define TILE	  16
#define BATCH	  (TILE * TILE)
#define PARTS	  9
#define THRESHOLD 16

typedef struct {
	float x, y; /* of the centre, pixels */
	float a, b,
		c; /* weight of a pixel (dx, dy) away: exp(-a dx^2 / 2 - b dx dy - c dy^2 / 2) */
	float opacity;
	float red, green, blue;
} Gaussian;

/* What a Gaussian adds to a pixel's gradient, or the gradient's share of one pixel. */
typedef struct {
	float part[PARTS];
} Gradient;

typedef struct {
	const Gaussian *gaussians;
	const int *order; /* of all tiles, one after the other: Gaussians, the nearest first */
	const int *begin; /* of each tile's in order, and the end of the last */
	const float
		*through; /* of each pixel: what is left of the light behind all Gaussians */
	const int *last; /* of each pixel: how many of its tile's Gaussians the light reaches */
	const float *wanted; /* of each pixel: how much it should change, three colours */
	float *gradients;    /* PARTS of each Gaussian */
	int size;
} Scene;

/* What a Gaussian weighs at a distance of (dx, dy). */
template <typename Real>
__host__ __device__ static Real weigh(const Gaussian *g, Real dx, Real dy)
{
	return exp(-(g->a * dx * dx + g->c * dy * dy) / 2 - g->b * dx * dy);
}

/* How much of the light it keeps there; a Gaussian shows where that is 1 / 255 or more in single precision, as the picture was made. */
template <typename Real> __host__ __device__ static Real keep(const Gaussian *g, Real weight)
{
	const Real alpha = g->opacity * weight;

	return alpha > (Real)0.99 ? (Real)0.99 : alpha;
}

static __host__ __device__ bool shows_at(const Gaussian *g, float x, float y)
{
	return keep(g, weigh(g, g->x - x, g->y - y)) >= 1.0f / 255;
}

/* A pixel's state on its way from the furthest Gaussian to the nearest. */
template <typename Real> struct Pixel {
	Real through;	/* light that reaches the Gaussian */
	Real behind[3]; /* colours of all that is behind it */
	Real wanted[3];
};

/* The parts of a Gaussian's gradient at a pixel where it shows. */
template <typename Real>
__host__ __device__ static void differentiate(const Gaussian *g, Real x, Real y,
					      Pixel<Real> *pixel, Real *part)
{
	const Real dx = g->x - x, dy = g->y - y;
	const Real colour[3] = {g->red, g->green, g->blue};
	const Real weight = weigh(g, dx, dy), alpha = keep(g, weight);
	Real by_alpha = 0;

	pixel->through /= 1 - alpha;
	for (int k = 0; k < 3; k++) {
		part[k] = alpha * pixel->through * pixel->wanted[k];
		by_alpha += (colour[k] - pixel->behind[k]) * pixel->wanted[k];
		pixel->behind[k] += alpha * (colour[k] - pixel->behind[k]);
	}
	by_alpha *= pixel->through;

	const Real by_power = g->opacity * weight * by_alpha;

	part[3] = weight * by_alpha;
	part[4] = -by_power * (g->a * dx + g->b * dy);
	part[5] = -by_power * (g->c * dy + g->b * dx);
	part[6] = -by_power * dx * dx / 2;
	part[7] = -by_power * dx * dy;
	part[8] = -by_power * dy * dy / 2;
}

enum Variant { NAIVE, SERIAL, BUTTERFLY, STAGED };

/* Adds the parts of the lanes that have some; all lanes of the warp come here. `words`: PARTS of them. */
template <Variant variant>
static __device__ void add_parts(float *words, bool shows, float *part)
{
	const unsigned int all = 0xffffffff, lane = threadIdx.x % 32;

	if (variant == SERIAL || variant == BUTTERFLY) {
		const unsigned int lanes = __ballot_sync(all, shows);

		if (__popc(lanes) >= THRESHOLD) {
			const unsigned int first = __ffs(lanes) - 1;

			if (variant == BUTTERFLY) {
#pragma unroll
				for (int k = 0; k < PARTS; k++) {
					if (!shows)
						part[k] = 0;
#pragma unroll
					for (int o = 16; o > 0; o /= 2)
						part[k] += __shfl_xor_sync(all, part[k], o);
				}
			} else {
				float sum[PARTS] = {0};

				for (unsigned int left = lanes; left; left &= left - 1) {
					const int from = __ffs(left) - 1;

#pragma unroll
					for (int k = 0; k < PARTS; k++)
						sum[k] += __shfl_sync(all, part[k], from);
				}
#pragma unroll
				for (int k = 0; k < PARTS; k++)
					part[k] = sum[k];
			}
			shows = lane == first;
		}
	}
	if (!shows)
		return;
#pragma unroll
	for (int k = 0; k < PARTS; k++)
		atomicAdd(words + k, part[k]);
}

template <Variant variant> __global__ void __launch_bounds__(BATCH) splat(Scene scene)
{
	__shared__ Gaussian batch[BATCH];
	__shared__ int number[BATCH];
	__shared__ float sums[variant == STAGED ? BATCH * PARTS : 1];
	const int tile = blockIdx.y * gridDim.x + blockIdx.x, me = threadIdx.x;
	const int x = blockIdx.x * TILE + me % TILE, y = blockIdx.y * TILE + me / TILE;
	const int pixel_at = y * scene.size + x;
	const int begin = scene.begin[tile], n = scene.begin[tile + 1] - begin;

	LAUNCH_BEGIN();
	Pixel<float> pixel = {scene.through[pixel_at], {0, 0, 0}, {0, 0, 0}};
	const int last = scene.last[pixel_at];

	for (int k = 0; k < 3; k++)
		pixel.wanted[k] = scene.wanted[3 * pixel_at + k];
	for (int end = n; end > 0; end -= BATCH) {
		const int in_batch = min(end, BATCH);

		__syncthreads();
		if (me < in_batch) {
			number[me] = scene.order[begin + end - 1 - me];
			batch[me] = scene.gaussians[number[me]];
		}
		if (variant == STAGED)
			for (int i = me; i < BATCH * PARTS; i += BATCH)
				sums[i] = 0;
		__syncthreads();
		for (int i = 0; i < in_batch; i++) {
			float part[PARTS];
			const bool shows =
				end - 1 - i < last && shows_at(&batch[i], (float)x, (float)y);

			if (shows)
				differentiate(&batch[i], (float)x, (float)y, &pixel, part);
			add_parts<variant>(variant == STAGED
						   ? sums + i * PARTS
						   : scene.gradients + number[i] * PARTS,
					   shows, part);
		}
		if (variant != STAGED)
			continue;
		__syncthreads();
		for (int i = me; i < in_batch * PARTS; i += BATCH)
			atomicAdd(scene.gradients + number[i / PARTS] * PARTS + i % PARTS,
				  sums[i]);
	}
	LAUNCH_END();
}

static float random_between(uint32_t *state, float low, float high)
{
	return low + (high - low) * (float)(next_random(state) % 65536) / 65536;
}

/* Gaussians in order of their distance. */
static Gaussian *make_gaussians(int n, int size, float radius)
{
	Gaussian *gaussians = (Gaussian *)malloc(n * sizeof(*gaussians));
	uint32_t random = 2463534242u;

	for (int i = 0; i < n; i++) {
		Gaussian *g = &gaussians[i];
		const float wide = radius * random_between(&random, 0.2f, 0.5f);
		const float high = radius * random_between(&random, 0.2f, 0.5f);
		const float lean = random_between(&random, -0.6f, 0.6f);

		g->x = random_between(&random, 0, (float)size);
		g->y = random_between(&random, 0, (float)size);
		g->a = 1 / (wide * wide);
		g->c = 1 / (high * high);
		g->b = lean / (wide * high);
		g->opacity = random_between(&random, 0.05f, 0.9f);
		g->red = random_between(&random, 0, 1);
		g->green = random_between(&random, 0, 1);
		g->blue = random_between(&random, 0, 1);
	}
	return gaussians;
}

/* The Gaussians whose centre is within RADIUS of a tile, of all tiles; begin has the number of tiles and one more. */
static int *sort_by_tile(const Gaussian *gaussians, int n, int size, float radius, int *begin)
{
	const int tiles = size / TILE;
	int *order = (int *)malloc((size_t)n * tiles * tiles * sizeof(*order)), used = 0;

	for (int t = 0; t < tiles * tiles; t++) {
		const float left = t % tiles * TILE - radius, top = t / tiles * TILE - radius;
		const float span = TILE + 2 * radius;

		begin[t] = used;
		for (int i = 0; i < n; i++)
			if (gaussians[i].x >= left && gaussians[i].x < left + span &&
			    gaussians[i].y >= top && gaussians[i].y < top + span)
				order[used++] = i;
	}
	begin[tiles * tiles] = used;
	return order;
}

/* What the forward pass leaves: of each pixel the light behind all, and how many Gaussians it meets. */
static void render(const Gaussian *gaussians, const int *order, const int *begin, int size,
		   float *through, int *last)
{
	for (int i = 0; i < size * size; i++) {
		const int x = i % size, y = i / size;
		const int tile = y / TILE * (size / TILE) + x / TILE;

		through[i] = 1;
		last[i] = 0;
		for (int k = begin[tile]; k < begin[tile + 1]; k++) {
			const Gaussian *g = &gaussians[order[k]];
			const float alpha = keep(g, weigh(g, g->x - x, g->y - y));

			if (!shows_at(g, x, y))
				continue;
			if (through[i] * (1 - alpha) < 1e-4f)
				break;
			through[i] *= 1 - alpha;
			last[i] = k + 1 - begin[tile];
		}
	}
}

/* The same gradients in double precision, and the sums of their parts' sizes, by which errors are judged. */
static void differentiate_all(const Gaussian *gaussians, const int *order, const int *begin,
			      int size, const float *through, const int *last,
			      const float *wanted, double *gradients, double *sizes)
{
	for (int i = 0; i < size * size; i++) {
		const int x = i % size, y = i / size;
		const int tile = y / TILE * (size / TILE) + x / TILE;
		Pixel<double> pixel = {through[i], {0, 0, 0}, {0, 0, 0}};

		for (int k = 0; k < 3; k++)
			pixel.wanted[k] = wanted[3 * i + k];
		for (int k = begin[tile] + last[i] - 1; k >= begin[tile]; k--) {
			double part[PARTS];

			if (!shows_at(&gaussians[order[k]], x, y))
				continue;
			differentiate(&gaussians[order[k]], (double)x, (double)y, &pixel, part);
			for (int p = 0; p < PARTS; p++) {
				gradients[order[k] * PARTS + p] += part[p];
				sizes[order[k] * PARTS + p] += fabs(part[p]);
			}
		}
	}
}

static bool check(const float *found, const double *expected, const double *sizes, int n)
{
	for (int i = 0; i < n; i++)
		if (!(fabs(found[i] - expected[i]) <= 1e-3 * sizes[i] + 1e-3)) {
			fprintf(stderr, "part %d of Gaussian %d: %g, not %g\n", i % PARTS,
				i / PARTS, found[i], expected[i]);
			return false;
		}
	return true;
}

template <Variant variant> static void launch(dim3 blocks, const Scene &scene)
{
	splat<variant><<<blocks, BATCH>>>(scene);
}

int main(int argc, char **argv)
{
	const int variant = word_argument(argc, argv, 1, "naive serial butterfly staged");
	const int n = number_argument(argc, argv, 2, "GAUSSIANS", 192, 1, 1 << 20);
	const int size = number_argument(argc, argv, 3, "SIZE", 128, TILE, 4096) / TILE * TILE;
	const int radius = number_argument(argc, argv, 4, "RADIUS", 24, 1, 1024);
	static const char *const names[] = {"splat_naive", "splat_serial", "splat_butterfly",
					    "splat_staged"};
	const int n_tiles = size / TILE * (size / TILE), n_pixels = size * size;
	int *begin = (int *)malloc((n_tiles + 1) * sizeof(*begin));
	Gaussian *gaussians = make_gaussians(n, size, (float)radius);
	int *order = sort_by_tile(gaussians, n, size, (float)radius, begin);
	float *through = (float *)malloc(n_pixels * sizeof(*through));
	int *last = (int *)malloc(n_pixels * sizeof(*last));
	float *wanted = (float *)malloc(3 * n_pixels * sizeof(*wanted));
	float *found = (float *)malloc(n * PARTS * sizeof(*found));
	double *expected = (double *)calloc(n * PARTS, sizeof(*expected));
	double *sizes = (double *)calloc(n * PARTS, sizeof(*sizes));
	uint32_t random = 88172645u;

	for (int i = 0; i < 3 * n_pixels; i++)
		wanted[i] = random_between(&random, -1, 1);
	render(gaussians, order, begin, size, through, last);
	differentiate_all(gaussians, order, begin, size, through, last, wanted, expected,
			  sizes);

	Scene scene = {(Gaussian *)to_gpu(gaussians, n * sizeof(*gaussians)),
		       (int *)to_gpu(order, (begin[n_tiles] + 1) * sizeof(*order)),
		       (int *)to_gpu(begin, (n_tiles + 1) * sizeof(*begin)),
		       (float *)to_gpu(through, n_pixels * sizeof(*through)),
		       (int *)to_gpu(last, n_pixels * sizeof(*last)),
		       (float *)to_gpu(wanted, 3 * n_pixels * sizeof(*wanted)),
		       NULL,
		       size};
	const dim3 blocks(size / TILE, size / TILE);

	CHECK(cudaMalloc(&scene.gradients, n * PARTS * sizeof(float)));
	launch_measure(
		names[variant],
		[&] { CHECK(cudaMemset(scene.gradients, 0, n * PARTS * sizeof(float))); },
		[&] {
			if (variant == NAIVE)
				launch<NAIVE>(blocks, scene);
			else if (variant == SERIAL)
				launch<SERIAL>(blocks, scene);
			else if (variant == BUTTERFLY)
				launch<BUTTERFLY>(blocks, scene);
			else
				launch<STAGED>(blocks, scene);
		});
	CHECK(cudaMemcpy(found, scene.gradients, n * PARTS * sizeof(*found),
			 cudaMemcpyDeviceToHost));
	printf("%d tiles, %d Gaussians in all of them\n", n_tiles, begin[n_tiles]);
	return launch_conclude(check(found, expected, sizes, n * PARTS));
}
