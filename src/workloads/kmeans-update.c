/* SPDX-License-Identifier: MIT */
/*
 * The update step of k-means under spin locks, after "Don't Forget About Synchronization! A Case
 * Study of K-Means on GPU" (PMAM 2019, doi 10.1145/3303084.3309488): each point adds its d
 * coordinates to the sums of its cluster and 1 to its count.
 *
 *   gm-cl  a point a thread, a lock a cluster, all in global memory
 *   gm-dl  a coordinate of a point a thread, a lock for each coordinate of a cluster
 *   sm-*   the same on sums in shared memory, for as many clusters at a time as fit; then one thread
 *          of the block, or all, add the block's sums to global memory under global locks
 *   *-atomic  as *-cl, with atomics instead of locks
 *   *-ct   a cluster a thread, which looks at every point; *-dt a coordinate of a cluster a thread
 *   kmcuda the rival's kernel (kmeans-kmcuda.c)
 *   --kernel normalize: the second kernel, sums divided by counts
 *
 * Data under a lock are volatile, and a fence comes before the lock is given back. Clusters are
 * drawn: only they decide who meets whom.
 */
#include "base/error.h"
#include "workloads/kmeans-update.h"

#define START_ALU 8 /* thread number, its point and coordinate */

static const char *const sites[] = {"kmeans_update: read the cluster",
				    "kmeans_update: lock",
				    "kmeans_update: add a coordinate",
				    "kmeans_update: count",
				    "kmeans_update: unlock",
				    "kmeans_update: zero",
				    "kmeans_update: write back",
				    "kmeans_update: normalize",
				    NULL};
#define READ_1 "kmeans_update: read a coordinate"
#define READ_4 READ_1, READ_1, READ_1, READ_1 /* of KMEANS_AHEAD */
static const char *const flow_sites[] = {"kmeans_update: read the cluster",
					 "kmeans_update: lock",
					 "kmeans_update: store a sum",
					 "kmeans_update: store a count",
					 "kmeans_update: unlock",
					 "kmeans_update: zero",
					 "kmeans_update: write back",
					 "kmeans_update: normalize",
					 "kmeans_update: read a sum",
					 "kmeans_update: read a count",
					 "kmeans_update: read the copy",
					 "kmeans_update: read what was written back",
					 "kmeans_update: lock a sum",
					 "kmeans_update: unlock a sum",
					 READ_4,
					 READ_4,
					 READ_4,
					 READ_4,
					 NULL};
static void write_warp(Warp *warp, gpointer data)
{
	const KmeansUpdate *work = data;

	if (has_dataflow(&warp->emit))
		emit_step(&warp->emit, STEP_START);
	else
		emit_alu(&warp->emit, START_ALU);
	switch (work->form) {
	case FORM_POINTS:
		kmeans_write_points(work, warp);
		break;
	case FORM_CLUSTERS:
		kmeans_write_clusters(work, warp);
		break;
	case FORM_RIVAL:
		kmcuda_write_warp(work, warp);
		break;
	case FORM_NORMALIZE:
		kmeans_write_normalize(work, warp);
	}
}

/* A cluster for each point. The distribution deals out a warp's words, here 32 points each. */
static gboolean draw_clusters(const WorkloadParameters *parameters, KmeansUpdate *work,
			      GError **error)
{
	uint64_t n_warps = (work->n + WARP_LANES - 1) / WARP_LANES;
	uint32_t n_blocks = (uint32_t)((n_warps + 31) / 32), word[WARP_LANES];
	g_autoptr(Distribution) distribution =
		distribution_new(parameters, work->k, n_blocks, 32, 1, error);

	if (!distribution)
		return FALSE;
	work->cluster = g_new(uint32_t, n_warps * WARP_LANES);
	for (uint64_t warp = 0; warp < n_warps; warp++) {
		distribution_begin(distribution, (uint32_t)(warp / 32), (uint32_t)(warp % 32));
		distribution_next(distribution, word);
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			work->cluster[warp * WARP_LANES + lane] = word[lane];
	}
	return TRUE;
}

typedef enum {
	GM_CL,
	GM_DL,
	SM_CL,
	SM_DL,
	GM_CT,
	GM_DT,
	SM_CT,
	SM_DT,
	KMCUDA,
	GM_ATOMIC,
	SM_ATOMIC
} Algorithm;

/* How the kernel is laid out; FALSE and an error if its sums do not fit. */
static gboolean lay_out(const WorkloadParameters *parameters, KmeansUpdate *work,
			Kernel *kernel, GError **error)
{
	Algorithm algorithm = (Algorithm)workload_choice(parameters, "algorithm");
	gboolean normalize = workload_choice(parameters, "kernel") == 1;
	uint64_t limit = (uint64_t)workload_integer(parameters, "shared-bytes"), n_threads;
	uint32_t locks;

	work->form = normalize					? FORM_NORMALIZE
		     : algorithm == KMCUDA			? FORM_RIVAL
		     : algorithm >= GM_CT && algorithm <= SM_DT ? FORM_CLUSTERS
								: FORM_POINTS;
	work->atomic = algorithm == GM_ATOMIC || algorithm == SM_ATOMIC;
	work->by_coordinate = algorithm <= SM_DT && algorithm % 2 == 1;
	work->shared =
		!normalize && (algorithm == SM_CL || algorithm == SM_DL || algorithm == SM_CT ||
			       algorithm == SM_DT || algorithm == SM_ATOMIC);
	locks = work->form == FORM_CLUSTERS || work->atomic ? 0
		: work->by_coordinate			    ? work->d
							    : 1;
	work->cluster_words = work->d + 1 + locks;
	work->chunk = (uint32_t)MIN(limit / (work->cluster_words * WORD_BYTES), work->k);
	if (work->shared && work->form == FORM_POINTS && work->chunk == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--shared-bytes: %" G_GUINT64_FORMAT
				    " found; allowed: a cluster's %u bytes or more",
				    limit, work->cluster_words * WORD_BYTES);
	if (work->form == FORM_RIVAL) {
		kmcuda_lay_out(work, kernel, limit);
		return TRUE;
	}
	n_threads =
		work->form == FORM_POINTS
			? work->n * (work->by_coordinate ? work->d : 1)
			: (uint64_t)work->k *
				  (work->by_coordinate || work->form == FORM_NORMALIZE ? work->d
										       : 1);
	kernel->n_blocks = (uint32_t)((n_threads + kernel->n_threads - 1) / kernel->n_threads);
	if (work->shared && work->form == FORM_POINTS)
		kernel->shared_bytes = work->chunk * work->cluster_words * WORD_BYTES;
	else if (work->shared)
		kernel->shared_bytes = (uint32_t)MIN(
			(uint64_t)work->k * work->cluster_words * WORD_BYTES,
			((uint64_t)kernel->n_threads / (work->by_coordinate ? work->d : 1) +
			 2) * work->cluster_words *
				WORD_BYTES);
	if (kernel->shared_bytes > TRACE_MAX_SHARED_BYTES)
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"sums of a block: %u bytes of shared memory found; allowed: up to %u",
			kernel->shared_bytes, TRACE_MAX_SHARED_BYTES);
	return TRUE;
}

static gboolean generate(const WorkloadParameters *parameters, TraceWriter *writer,
			 WorkloadLaunch *launch, GError **error)
{
	KmeansUpdate work = {
		.parameters = parameters,
		.n = (uint64_t)workload_integer(parameters, "points"),
		.k = (uint32_t)workload_integer(parameters, "clusters"),
		.d = (uint32_t)workload_integer(parameters, "dimensions"),
		.changed = (uint32_t)workload_integer(parameters, "changed"),
		.one_writes_back = workload_choice(parameters, "write-back") == 0,
		.fence_behind_try = workload_choice(parameters, "fences") >= 1,
		.device_fences = workload_choice(parameters, "fences") == 2,
	};
	Kernel kernel = {.lanes = WARP_LANES,
			 .n_threads = (uint32_t)workload_integer(parameters, "threads")};
	KernelCode code = {
		.name = "kmeans_update", .sites = sites, .dataflow_sites = flow_sites};

	if (!lay_out(parameters, &work, &kernel, error) ||
	    !draw_clusters(parameters, &work, error))
		return FALSE;
	if (work.form != FORM_POINTS && workload_choice(parameters, "dataflow") != 0) {
		g_free(work.cluster);
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--dataflow: yes found; allowed: no, but for --kernel update and "
			"gm-cl, gm-dl, sm-cl, sm-dl, gm-atomic and sm-atomic");
	}
	kmeans_generate(&work, &kernel, &code, writer, write_warp, launch);
	launch->buffers[0] = (WorkloadBuffer){"clusters", work.n * WORD_BYTES};
	launch->buffers[1] = (WorkloadBuffer){"points", work.n * work.d * WORD_BYTES};
	launch->buffers[2] = (WorkloadBuffer){"sums", (uint64_t)work.k * work.d * WORD_BYTES};
	launch->buffers[3] = (WorkloadBuffer){"counts", (uint64_t)work.k * WORD_BYTES};
	launch->buffers[4] = (WorkloadBuffer){"locks", (uint64_t)work.k * work.d * WORD_BYTES};
	launch->buffers[5] = (WorkloadBuffer){"clusters before", work.n * WORD_BYTES};
	g_free(work.cluster);
	return TRUE;
}

static const WorkloadOption options[] = {
	CHOICE_ROW("algorithm",
		   "gm-cl|gm-dl|sm-cl|sm-dl|gm-ct|gm-dt|sm-ct|sm-dt|kmcuda|gm-atomic|sm-atomic",
		   "gm-cl", "who adds what under which lock"),
	CHOICE_ROW("kernel", "update|normalize", "update",
		   "the kernel that adds up, or the one after it, the same for all"),
	INTEGER_ROW("points", "points", 1, 1 << 24, "5000", "points to sum up"),
	INTEGER_ROW("clusters", "clusters", 1, 65536, "32",
		    "clusters that they are drawn from"),
	INTEGER_ROW("dimensions", "coordinates", 1, 8192, "32", "coordinates of a point"),
	DISTRIBUTION_ROWS,
	INTEGER_ROW("threads", "threads", 1, 1024, "1024",
		    "threads of a block; kmcuda has 256"),
	INTEGER_ROW("shared-bytes", "bytes", 8, TRACE_MAX_SHARED_BYTES, "49152",
		    "sm-*: what the clusters of a pass may take; kmcuda: the batch"),
	CHOICE_ROW("write-back", "one|all", "one",
		   "sm-cl, sm-dl: threads of a block that add its sums to global memory"),
	CHOICE_ROW(
		"fences", "one|two|device", "one",
		"under a lock in global memory: before its release, or after the attempt too; "
		"or both, and of the device in shared memory as well"),
	{.name = "changed",
	 .type = WORKLOAD_HUNDREDTHS,
	 .minimum = 0,
	 .maximum = 10000,
	 .default_value = "0",
	 .doc = "kmcuda: points in a hundred that were in another cluster before"},
	DATAFLOW_ROW,
	END_ROW,
	{0},
};

const Workload workload_kmeans_update = {
	.name = "kmeans-update",
	.summary = "update step of k-means under spin locks, and its rivals",
	.description =
		"Every point adds its coordinates to its cluster's sums and 1 to its count. "
		"gm-cl, sm-cl: a point a thread, a lock a cluster, in global or in shared "
		"memory. gm-dl, sm-dl: a coordinate a thread, a lock for each coordinate. "
		"*-ct, *-dt: a thread a cluster or a coordinate of one, no locks. *-atomic: "
		"atomics instead of locks. kmcuda: a thread a cluster, only points that "
		"changed count. --kernel normalize: the kernel after all of them.",
	.options = options,
	.generate = generate,
};
