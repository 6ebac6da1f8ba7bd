/* SPDX-License-Identifier: MIT */
#include "sim/team.h"

#include <glib.h>

struct Team {
	GMutex mutex;
	GCond begin, end;
	GThread **threads;
	uint32_t n_threads; /* besides the caller's */
	uint64_t errand;    /* number of the current team_do; 0 before the first */
	uint32_t busy;	    /* threads that have not finished it */
	gboolean quit;
	uint32_t n;
	gint next; /* piece to take, atomically */
	void (*work)(void *data, uint32_t i);
	void *data;
};

static void do_pieces(Team *team)
{
	for (;;) {
		uint32_t i = (uint32_t)g_atomic_int_add(&team->next, 1);

		if (i >= team->n)
			return;
		team->work(team->data, i);
	}
}

static gpointer member(gpointer data)
{
	Team *team = data;
	uint64_t done = 0;

	g_mutex_lock(&team->mutex);
	for (;;) {
		while (!team->quit && team->errand == done)
			g_cond_wait(&team->begin, &team->mutex);
		if (team->quit)
			break;
		done = team->errand;
		g_mutex_unlock(&team->mutex);
		do_pieces(team);
		g_mutex_lock(&team->mutex);
		if (--team->busy == 0)
			g_cond_signal(&team->end);
	}
	g_mutex_unlock(&team->mutex);
	return NULL;
}

Team *team_new(uint32_t n_threads)
{
	Team *team = g_new0(Team, 1);

	g_mutex_init(&team->mutex);
	g_cond_init(&team->begin);
	g_cond_init(&team->end);
	team->threads = g_new(GThread *, n_threads);
	/* Where there are no more threads to be had, those that there are do the work. */
	while (team->n_threads < n_threads - 1) {
		GThread *thread = g_thread_try_new("sm", member, team, NULL);

		if (thread == NULL)
			break;
		team->threads[team->n_threads++] = thread;
	}
	return team;
}

void team_free(Team *team)
{
	g_mutex_lock(&team->mutex);
	team->quit = TRUE;
	g_cond_broadcast(&team->begin);
	g_mutex_unlock(&team->mutex);
	for (uint32_t i = 0; i < team->n_threads; i++)
		g_thread_join(team->threads[i]);
	g_mutex_clear(&team->mutex);
	g_cond_clear(&team->begin);
	g_cond_clear(&team->end);
	g_free(team->threads);
	g_free(team);
}

void team_do(Team *team, uint32_t n, void (*work)(void *data, uint32_t i), void *data)
{
	if (team->n_threads == 0 || n == 1) {
		for (uint32_t i = 0; i < n; i++)
			work(data, i);
		return;
	}
	g_mutex_lock(&team->mutex);
	team->n = n;
	team->work = work;
	team->data = data;
	g_atomic_int_set(&team->next, 0);
	team->busy = team->n_threads;
	team->errand++;
	g_cond_broadcast(&team->begin);
	g_mutex_unlock(&team->mutex);

	do_pieces(team);
	g_mutex_lock(&team->mutex);
	while (team->busy)
		g_cond_wait(&team->end, &team->mutex);
	g_mutex_unlock(&team->mutex);
}
