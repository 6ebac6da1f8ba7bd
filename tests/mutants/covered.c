/* SPDX-License-Identifier: MIT */
/*
 * Which functions of a library a test enters: linked into one whose objects are compiled with -finstrument-functions. The file that
 * COVERED of the environment names has a byte for each byte of the library, and gets a 1 where a function begins that was entered. It
 * is mapped, so a process that is killed has written, too; the processes of one test share it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden"))); /* the linker's */
static unsigned char *entered;
static uintptr_t n_bytes;

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

__attribute__((constructor)) static void map_entered(void)
{
	const char *path = getenv("COVERED");
	int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	struct stat status;
	void *mapped = MAP_FAILED;

	if (file >= 0 && fstat(file, &status) == 0)
		mapped = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			      file, 0);
	if (file >= 0)
		close(file);
	if (mapped != MAP_FAILED) {
		n_bytes = (uintptr_t)status.st_size;
		entered = mapped;
	}
}

void __cyg_profile_func_enter(void *function, void *site)
{
	uintptr_t at = (uintptr_t)function - (uintptr_t)__ehdr_start;

	(void)site;
	if (at < n_bytes)
		entered[at] = 1;
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)function;
	(void)site;
}
