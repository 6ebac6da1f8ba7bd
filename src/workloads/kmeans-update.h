/* SPDX-License-Identifier: MIT */
/* What the update step of k-means and its rival share. Only kmeans-*.c include it. */
#ifndef ATOMSIM_WORKLOADS_KMEANS_UPDATE_H
#define ATOMSIM_WORKLOADS_KMEANS_UPDATE_H

#include "workloads/distribution.h"
#include "workloads/kernel.h"

enum {
	KMEANS_SHARED,
	BUFFER_CLUSTERS,
	BUFFER_POINTS,
	BUFFER_SUMS,
	BUFFER_COUNTS,
	BUFFER_LOCKS,
	BUFFER_BEFORE
};

typedef enum { FORM_POINTS, FORM_CLUSTERS, FORM_RIVAL, FORM_NORMALIZE } KmeansForm;

typedef struct {
	const WorkloadParameters *parameters;
	KmeansForm form;
	gboolean by_coordinate;	   /* a thread has one coordinate, a cluster a lock for each */
	gboolean shared;	   /* sums are in shared memory */
	gboolean atomic;	   /* atomics instead of locks */
	gboolean one_writes_back;  /* of a block's threads */
	gboolean fence_behind_try; /* of a lock in global memory, too */
	gboolean device_fences;	   /* both of them of the device, in shared memory too */
	uint64_t n;		   /* points */
	uint32_t k, d;		   /* clusters, coordinates */
	uint32_t chunk;		   /* clusters of a pass in shared memory */
	uint32_t cluster_words;	   /* of shared memory a cluster takes */
	uint32_t changed;	   /* points in 10,000 that were in another cluster before */
	uint32_t batch;		   /* rival: points of a batch */
	uint32_t *cluster;	   /* of each point */
} KmeansUpdate;

/* Sites of the lock versions. */
enum {
	SITE_CLUSTER = 1,
	SITE_LOCK,
	SITE_SUM,
	SITE_COUNT,
	SITE_UNLOCK,
	SITE_ZERO,
	SITE_BACK,
	SITE_NORMALIZE,
	/* Of their own with data flow. */
	SITE_SUM_LOAD,
	SITE_COUNT_LOAD,
	SITE_BACK_READ,
	SITE_BACK_LOAD,
	SITE_BACK_LOCK,
	SITE_BACK_UNLOCK,
	SITE_POINT, /* the first of KMEANS_AHEAD */
};

/* Coordinates of a point that are read ahead of the adds, at most. */
#define KMEANS_AHEAD 16

/* Steps of the forms by points. */
enum {
	STEP_START = N_KERNEL_STEPS, /* thread number */
	STEP_LANES,		     /* cluster, coordinate, address */
	STEP_PASS,		     /* whether the cluster is in this pass */
	STEP_SECTION,		     /* in a critical section, ahead of the adds */
	STEP_LOOP,		     /* of every KMEANS_AHEAD adds */
	STEP_COUNT,
	STEP_BACK, /* the word that is written back */
	STEP_ADD,  /* the first of KMEANS_AHEAD */
};

/* Writes the kernel, with the steps and sites of the forms by points; *code says all else of it. */
void kmeans_generate(KmeansUpdate *work, Kernel *kernel, KernelCode *code, TraceWriter *writer,
		     WarpWriter write, WorkloadLaunch *launch);

/* Where sums, counts and locks are: in global memory each in its buffer, in shared memory one
   behind the other for the clusters first .. first + n - 1. */
typedef struct {
	gboolean shared;
	uint32_t first, n;
} KmeansPlace;

/* Byte of a sum in its buffer, or in shared memory. */
uint64_t kmeans_sum_byte(const KmeansUpdate *work, KmeansPlace place, uint32_t cluster,
			 uint32_t j);
/* The same of a count. */
uint64_t kmeans_count_byte(const KmeansUpdate *work, KmeansPlace place, uint32_t cluster);

/* The lanes of `mask` add their points to the sums of their clusters: all coordinates, or the one that
   coordinate[lane] says; those of `counts` count. Without any lock. */
void kmeans_add(const KmeansUpdate *work, Warp *warp, KmeansPlace place, LaneMask mask,
		LaneMask counts, const uint64_t *point, const uint32_t *cluster,
		const uint32_t *coordinate);

/* A warp of the forms FORM_POINTS, FORM_CLUSTERS, FORM_NORMALIZE. */
/* As kmeans_add, by atomics. */
void kmeans_add_atomically(const KmeansUpdate *work, Warp *warp, KmeansPlace place,
			   LaneMask mask, const uint64_t *point, const uint32_t *cluster,
			   const uint32_t *coordinate);
extern const Vote kmeans_add_float, kmeans_add_one;
/* Loads, adds and stores; `load`: the site of its load with data flow. */
void kmeans_add_to(Warp *warp, uint16_t buffer, LaneMask mask, const uint64_t *byte,
		   uint32_t load, guint step);
/* Where the place has what a buffer of global memory has. */
uint16_t kmeans_buffer(KmeansPlace place, uint16_t buffer);

void kmeans_write_points(const KmeansUpdate *work, Warp *warp);
void kmeans_write_clusters(const KmeansUpdate *work, Warp *warp);
void kmeans_write_normalize(const KmeansUpdate *work, Warp *warp);

/* The rival: blocks, threads and shared memory; then its warps. */
void kmcuda_lay_out(KmeansUpdate *work, Kernel *kernel, uint64_t shared_bytes);
void kmcuda_write_warp(const KmeansUpdate *work, Warp *warp);

#endif
