/* SPDX-License-Identifier: MIT */
/* What must go when a signal ends the process: files not finished, private folders. Only base/output
   includes it. */
#ifndef ATOMSIM_BASE_UNFINISHED_H
#define ATOMSIM_BASE_UNFINISHED_H

#include <glib.h>

/* A new file for reading and writing by its owner and whom the umask lets; or -1 and errno, EEXIST
   for anything of that name. */
int unfinished_create(const char *path);
/* A new folder for its owner alone; fills in the XXXXXX at the end of `path`. */
gboolean unfinished_make_folder(char *path);

/* Removes a folder with the files in it, and forgets it. A try that fails is made again: a folder that stays is
   nobody's. */
void unfinished_remove_folder(const char *path);

/* It is finished, or gone. */
void unfinished_forget(const char *path);

/* Removes all. Calls only what a signal handler may call. */
void unfinished_remove_all(void);

#endif
