/* SPDX-License-Identifier: MIT */
#include "sim/run/thread-pool.h"

#include <glib.h>

struct ThreadPool {
	GMutex mutex;
	GCond begin, end;
	GThread **threads;
	uint32_t n_threads; /* besides the caller's */
	uint64_t errand;    /* number of the current thread_pool_do; 0 before the first */
	uint32_t busy;	    /* threads that have not finished it */
	gboolean quit;
	uint32_t n;
	gint next; /* piece to take, atomically */
	void (*work)(void *data, uint32_t i);
	void *data;
};

static void do_pieces(ThreadPool *pool)
{
	for (;;) {
		uint32_t i = (uint32_t)g_atomic_int_add(&pool->next, 1);

		if (i >= pool->n)
			return;
		pool->work(pool->data, i);
	}
}

static gpointer member(gpointer data)
{
	ThreadPool *pool = data;
	uint64_t done = 0;

	g_mutex_lock(&pool->mutex);
	for (;;) {
		while (!pool->quit && pool->errand == done)
			g_cond_wait(&pool->begin, &pool->mutex);
		if (pool->quit)
			break;
		done = pool->errand;
		g_mutex_unlock(&pool->mutex);
		do_pieces(pool);
		g_mutex_lock(&pool->mutex);
		if (--pool->busy == 0)
			g_cond_signal(&pool->end);
	}
	g_mutex_unlock(&pool->mutex);
	return NULL;
}

ThreadPool *thread_pool_new(uint32_t n_threads)
{
	ThreadPool *pool = g_new0(ThreadPool, 1);

	g_mutex_init(&pool->mutex);
	g_cond_init(&pool->begin);
	g_cond_init(&pool->end);
	pool->threads = g_new(GThread *, n_threads);
	/* Where there are no more threads to be had, those that there are do the work. */
	while (pool->n_threads < n_threads - 1) {
		GThread *thread = g_thread_try_new("sm", member, pool, NULL);

		if (thread == NULL)
			break;
		pool->threads[pool->n_threads++] = thread;
	}
	return pool;
}

void thread_pool_free(ThreadPool *pool)
{
	g_mutex_lock(&pool->mutex);
	pool->quit = TRUE;
	g_cond_broadcast(&pool->begin);
	g_mutex_unlock(&pool->mutex);
	for (uint32_t i = 0; i < pool->n_threads; i++)
		g_thread_join(pool->threads[i]);
	g_mutex_clear(&pool->mutex);
	g_cond_clear(&pool->begin);
	g_cond_clear(&pool->end);
	g_free(pool->threads);
	g_free(pool);
}

uint32_t thread_pool_threads(const ThreadPool *pool)
{
	return pool->n_threads + 1;
}

void thread_pool_do(ThreadPool *pool, uint32_t n, void (*work)(void *data, uint32_t i),
		    void *data)
{
	if (pool->n_threads == 0 || n == 1) {
		for (uint32_t i = 0; i < n; i++)
			work(data, i);
		return;
	}
	g_mutex_lock(&pool->mutex);
	pool->n = n;
	pool->work = work;
	pool->data = data;
	g_atomic_int_set(&pool->next, 0);
	pool->busy = pool->n_threads;
	pool->errand++;
	g_cond_broadcast(&pool->begin);
	g_mutex_unlock(&pool->mutex);

	do_pieces(pool);
	g_mutex_lock(&pool->mutex);
	while (pool->busy)
		g_cond_wait(&pool->end, &pool->mutex);
	g_mutex_unlock(&pool->mutex);
}
