/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "base/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* More at a time than any command has; one that finds no place, or has a longer path, stays after a
   signal. No memory is taken and freed, for a handler may be reading. */
#define N_PLACES   32
#define PATH_BYTES 4096

#define REMOVE_TRIES 3

enum { FREE, BEING_FILLED, TAKEN };

static struct {
	gint state; /* atomic */
	char path[PATH_BYTES];
} places[N_PLACES];

/* Between a file's making and its entry no handler may run. */
static void hold_signals(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, old);
}

static void enter(const char *path)
{
	gsize bytes = strlen(path) + 1;

	for (guint i = 0; bytes <= PATH_BYTES && i < N_PLACES; i++) {
		if (!g_atomic_int_compare_and_exchange(&places[i].state, FREE, BEING_FILLED))
			continue;
		memcpy(places[i].path, path, bytes);
		g_atomic_int_set(&places[i].state, TAKEN);
		return;
	}
}

int unfinished_create(const char *path)
{
	sigset_t old;
	int fd, reason;

	hold_signals(&old);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	reason = errno;
	if (fd >= 0)
		enter(path);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = reason;
	return fd;
}

gboolean unfinished_make_folder(char *path)
{
	sigset_t old;
	gboolean made;
	int reason;

	hold_signals(&old);
	made = mkdtemp(path) != NULL;
	reason = errno;
	if (made)
		enter(path);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = reason;
	return made;
}

void unfinished_forget(const char *path)
{
	for (guint i = 0; i < N_PLACES; i++)
		if (g_atomic_int_get(&places[i].state) == TAKEN &&
		    strcmp(places[i].path, path) == 0) {
			g_atomic_int_set(&places[i].state, FREE);
			return;
		}
}

/* opendir() takes memory, which a handler must not. As the kernel has it (getdents64(2)): */
typedef struct {
	uint64_t number, offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
} Entry;

static gboolean remove_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	_Alignas(Entry) char bytes[4096];
	long n;

	while (fd >= 0 && (n = syscall(SYS_getdents64, fd, bytes, sizeof(bytes))) > 0)
		for (long at = 0; at < n;) {
			const Entry *entry = (const Entry *)(bytes + at);

			unlinkat(fd, entry->name, 0);
			at += entry->bytes;
		}
	if (fd >= 0)
		close(fd);
	return rmdir(path) == 0;
}

void unfinished_remove_folder(const char *path)
{
	for (guint tries = 0; tries < REMOVE_TRIES && !remove_folder(path); tries++)
		continue;
	unfinished_forget(path);
}

void unfinished_remove_all(void)
{
	for (guint i = 0; i < N_PLACES; i++)
		if (g_atomic_int_get(&places[i].state) == TAKEN &&
		    unlink(places[i].path) != 0 && (errno == EISDIR || errno == EPERM))
			remove_folder(places[i].path);
}
