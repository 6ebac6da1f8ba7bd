/* SPDX-License-Identifier: MIT */
/*
 * A pool of threads that does n independent pieces of work, again and again. Who may include it: sim and replay.
 */
#ifndef ATOMSIM_SIM_RUN_THREAD_POOL_H
#define ATOMSIM_SIM_RUN_THREAD_POOL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ThreadPool ThreadPool;

/* n_threads 1 or more, the caller's included. */
ThreadPool *thread_pool_new(uint32_t n_threads);
void thread_pool_free(ThreadPool *pool);
/* How many it has, the caller's included: fewer than asked for where there are no more to be had. */
uint32_t thread_pool_threads(const ThreadPool *pool);

/* Calls work(data, i) for i = 0 .. n-1, each once, on any thread, and returns when all are done. */
void thread_pool_do(ThreadPool *pool, uint32_t n, void (*work)(void *data, uint32_t i),
		    void *data);

#endif
