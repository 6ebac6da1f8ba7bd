/* SPDX-License-Identifier: MIT */
/* Runs a command without its output and prints the KiB of memory that it took at most. usage: peak PROGRAM ARGUMENT... */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(char **command)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
		return 126;
	execv(command[0], command);
	return 127;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status = 0;
	pid_t child;

	if (argc < 2)
		return 2;
	child = fork();
	if (child == 0)
		_exit(run(argv + 1));
	if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
		return 1;
	printf("%ld\n", usage.ru_maxrss);
	return 0;
}
