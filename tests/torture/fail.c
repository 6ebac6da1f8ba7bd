/* SPDX-License-Identifier: MIT */
/*
 * A library to be preloaded: makes the Nth call of a kind fail, once, as a full disk or used up memory
 * would. The environment says which:
 *   TORTURE_KIND  alloc, write, sync, rename, open or thread; memory: the Nth allocation and all after it
 *   TORTURE_N     counted from 1
 *   TORTURE_HIT   a file that is made when that call came
 * Calls from within the C library itself (of fopen to open) are not seen: so each is caught where a
 * program makes it.
 */
#define _GNU_SOURCE
/* Both open and open64, where these differ. */
#undef _FILE_OFFSET_BITS
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(default)

typedef enum { NONE, ALLOC, WRITE, SYNC, RENAME, OPEN, THREAD } Kind;

static Kind wanted;
static int for_good; /* what fails once fails ever after */
static long left;    /* calls until the one that fails, that included */
static char hit[4096];

__attribute__((constructor)) static void begin(void)
{
	static const char *const names[] = {"none",   "alloc", "write", "sync",
					    "rename", "open",  "thread"};
	const char *kind = getenv("TORTURE_KIND"), *n = getenv("TORTURE_N"),
		   *file = getenv("TORTURE_HIT");

	/* Not the programs that it runs. */
	unsetenv("LD_PRELOAD");
	if (!kind || !n || !file || strlen(file) >= sizeof(hit))
		return;
	strcpy(hit, file);
	left = atol(n);
	for (unsigned i = 1; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(kind, names[i]) == 0)
			wanted = (Kind)i;
	for_good = strcmp(kind, "memory") == 0;
	if (for_good)
		wanted = ALLOC;
}

/* Whether this call is the one. */
static int fails(Kind kind, int reason)
{
	long calls;

	if (wanted != kind)
		return 0;
	calls = __atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED);
	if (calls > 0 || (calls < 0 && !for_good))
		return 0;
	errno = reason;
	if (calls < 0)
		return 1;
	syscall(SYS_close,
		syscall(SYS_openat, AT_FDCWD, hit, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	errno = reason;
	return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* --- Memory: dlsym itself allocates, so these are the C library's by another name --- */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes)
{
	return fails(ALLOC, ENOMEM) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return fails(ALLOC, ENOMEM) ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return fails(ALLOC, ENOMEM) ? NULL : __libc_realloc(old, bytes);
}

/* --- Files --- */

ssize_t write(int fd, const void *bytes, size_t n)
{
	return fails(WRITE, ENOSPC) ? -1 : REAL(write)(fd, bytes, n);
}

size_t fwrite(const void *bytes, size_t size, size_t n, FILE *file)
{
	return fails(WRITE, ENOSPC) ? 0 : REAL(fwrite)(bytes, size, n, file);
}

int fflush(FILE *file)
{
	return fails(WRITE, ENOSPC) ? EOF : REAL(fflush)(file);
}

int fclose(FILE *file)
{
	int failed = fails(WRITE, ENOSPC), status = REAL(fclose)(file);

	if (failed)
		errno = ENOSPC;
	return failed ? EOF : status;
}

int fputs(const char *text, FILE *file)
{
	return fails(WRITE, ENOSPC) ? EOF : REAL(fputs)(text, file);
}

int ftruncate(int fd, off_t length)
{
	return fails(WRITE, ENOSPC) ? -1 : REAL(ftruncate)(fd, length);
}

int fsync(int fd)
{
	return fails(SYNC, EIO) ? -1 : REAL(fsync)(fd);
}

int fdatasync(int fd)
{
	return fails(SYNC, EIO) ? -1 : REAL(fdatasync)(fd);
}

int rename(const char *from, const char *to)
{
	return fails(RENAME, EIO) ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
	return fails(RENAME, EIO) ? -1 : REAL(unlink)(path);
}

int unlinkat(int folder, const char *path, int flags)
{
	return fails(RENAME, EIO) ? -1 : REAL(unlinkat)(folder, path, flags);
}

int rmdir(const char *path)
{
	return fails(RENAME, EIO) ? -1 : REAL(rmdir)(path);
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return fails(OPEN, EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return fails(OPEN, EMFILE) ? -1 : REAL(open64)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	return fails(OPEN, EMFILE) ? NULL : REAL(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	return fails(OPEN, EMFILE) ? NULL : REAL(fopen64)(path, mode);
}

FILE *fdopen(int fd, const char *mode)
{
	return fails(OPEN, EMFILE) ? NULL : REAL(fdopen)(fd, mode);
}

DIR *opendir(const char *path)
{
	return fails(OPEN, EMFILE) ? NULL : REAL(opendir)(path);
}

int mkdir(const char *path, mode_t mode)
{
	return fails(OPEN, ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}

char *mkdtemp(char *path)
{
	return fails(OPEN, ENOSPC) ? NULL : REAL(mkdtemp)(path);
}

/* --- Threads --- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		   void *data)
{
	return fails(THREAD, EAGAIN) ? EAGAIN
				     : REAL(pthread_create)(thread, attributes, run, data);
}
