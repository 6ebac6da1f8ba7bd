/* SPDX-License-Identifier: MIT */
/* Programs that are run, with a limit, and ended when the user wants to stop. */
#include "cli/measure/measure.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_US	 20000
#define PATIENCE 100 /* ticks between the two signals */

/* In the child: it does not outlive us, and a terminal's Ctrl-C, which goes to a whole group of processes, is ours alone: a
   program that it ended would look like one that failed. */
static void set_apart(gpointer data)
{
	(void)data;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);
}

static int open_output(const char *path)
{
	return open(path ? path : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* 0: it could not be run. */
static GPid start(const Child *child)
{
	int out = open_output(child->out), err = open_output(child->err);
	GPid pid = 0;

	if (out < 0 || err < 0 ||
	    !g_spawn_async_with_fds(child->folder, (char **)child->words, NULL,
				    G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, set_apart,
				    NULL, &pid, -1, out, err, NULL))
		pid = 0;
	if (out >= 0)
		close(out);
	if (err >= 0)
		close(err);
	return pid;
}

/* How many still run. */
static guint reap(GPid *pids, guint n, ChildEnd *ends)
{
	guint running = 0;

	for (guint i = 0; i < n; i++) {
		int status;
		pid_t ended;

		if (pids[i] == 0)
			continue;
		ended = waitpid(pids[i], &status, WNOHANG);
		if (ended == 0) {
			running++;
			continue;
		}
		ends[i] = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0
				  ? CHILD_GOOD
				  : CHILD_FAILED;
		pids[i] = 0;
	}
	return running;
}

/* Ends those that run: gently, so that nvcc takes its own files away, then not. */
static void end_all(GPid *pids, guint n, ChildEnd how, ChildEnd *ends)
{
	for (guint i = 0; i < n; i++)
		if (pids[i] > 0)
			kill(-pids[i], SIGTERM);
	for (guint i = 0; i < n; i++) {
		if (pids[i] == 0)
			continue;
		for (guint wait = 0; wait < PATIENCE; wait++) {
			if (waitpid(pids[i], NULL, WNOHANG) != 0)
				break;
			g_usleep(TICK_US);
			if (wait + 1 == PATIENCE) {
				kill(-pids[i], SIGKILL);
				waitpid(pids[i], NULL, 0);
			}
		}
		pids[i] = 0;
		ends[i] = how;
	}
}

void children_run(const Child *children, guint n, double limit, ChildTick tick, gpointer data,
		  ChildEnd *ends)
{
	g_autofree GPid *pids = g_new0(GPid, n);
	const gint64 begin = g_get_monotonic_time();

	/* Where who started us ignores it, nobody learns how a child has ended. */
	signal(SIGCHLD, SIG_DFL);
	for (guint i = 0; i < n; i++) {
		ends[i] = CHILD_FAILED;
		pids[i] = start(&children[i]);
	}
	while (reap(pids, n, ends) > 0) {
		const double seconds = (double)(g_get_monotonic_time() - begin) / 1e6;

		if (tick != NULL && !tick(data, seconds))
			end_all(pids, n, CHILD_INTERRUPTED, ends);
		else if (seconds > limit)
			end_all(pids, n, CHILD_LATE, ends);
		else
			g_usleep(TICK_US);
	}
}
