/* SPDX-License-Identifier: MIT */
/* What commands share: signals, and progress of what takes long. */
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/output.h"

/* --- Signals --- */

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t can_stop; /* somebody asks cli_progress whether to go on */

/* The first SIGINT asks a command that can stop to do so; all else ends the process here, and what is
   not finished goes with it. */
static void on_signal(int signal)
{
	if (signal == SIGINT && can_stop && !interrupted) {
		interrupted = 1;
		return;
	}
	output_clean_up();
	if (signal == SIGINT)
		_exit(CLI_INTERRUPTED);
	/* So that who waits for the process learns what ended it. */
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t mask;

	sigaction(signal, &action, NULL);
	sigemptyset(&mask);
	sigaddset(&mask, signal);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
}

static void handle(int signal)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigfillset(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

/* Whether a signal that nobody handles ends a process, but for KILL, and for crashes, after which nothing is
   sure. ABRT and TRAP are how GLib ends a program that gets no memory, or whose assertion fails. */
static gboolean ends(int signal)
{
	static const int signals[] = {
		SIGHUP,	   SIGINT,  SIGQUIT, SIGTRAP, SIGABRT,	 SIGUSR1, SIGUSR2,
		SIGPIPE,   SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF,
#ifdef SIGPOLL
		SIGPOLL,
#endif
#ifdef SIGPWR
		SIGPWR,
#endif
#ifdef SIGSTKFLT
		SIGSTKFLT,
#endif
	};

	for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
		if (signals[i] == signal)
			return TRUE;
	return signal >= SIGRTMIN && signal <= SIGRTMAX;
}

void cli_handle_signals(void)
{
	/* A file that reaches the limit of its size is an error of the write, not the end. */
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 1; i <= SIGRTMAX; i++) {
		struct sigaction old;

		/* What nohup and the like have ignored stays so, and what a sanitizer handles. */
		if (ends(i) && sigaction(i, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			handle(i);
	}
}

gboolean cli_interrupted(void)
{
	return interrupted;
}

/* --- Progress --- */

static void print_progress(const char *unit, guint64 done, guint64 total, double seconds)
{
	const int width = 30;
	double part = total ? (double)done / total : 0;
	int filled = part * width;

	fprintf(stderr,
		"\r[%-*.*s] %3.0f %%  %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " %s", width,
		filled, "##############################", 100 * part, done, total, unit);
	/* Before something is done nobody can say when all will be, only that there is work: all blocks of a grid that an SM
	   has room for at once end late. */
	if (part > 0)
		fprintf(stderr, ", %.0f s left", seconds / part - seconds);
	else
		fprintf(stderr, ", for %.0f s", seconds);
	fputs(" \033[K", stderr);
}

gboolean cli_progress(const char *unit, guint64 done, guint64 total)
{
	static gint64 start_us, shown_us;
	static gboolean terminal;
	gint64 now_us = g_get_monotonic_time();

	if (!start_us) {
		/* Also where a shell without job control ignores it for what runs beside it. */
		handle(SIGINT);
		can_stop = 1;
		start_us = now_us;
		terminal = isatty(STDERR_FILENO);
	}
	if (terminal && done == total && shown_us) {
		fputs("\r\033[K", stderr);
		shown_us = 0;
	} else if (terminal && done < total && now_us - start_us > G_USEC_PER_SEC &&
		   now_us - shown_us > G_USEC_PER_SEC / 10) {
		print_progress(unit, done, total, (now_us - start_us) / 1e6);
		shown_us = now_us;
	}
	return !interrupted;
}

guint cli_jobs(int jobs)
{
	return jobs > 0 ? (guint)jobs : g_get_num_processors();
}

bool cli_on_blocks(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)data;
	return cli_progress("blocks", blocks_done, n_blocks);
}
