/* SPDX-License-Identifier: MIT */
/* The words of --set. Who may include it: config. */
#ifndef ATOMSIM_CONFIG_SETTING_H
#define ATOMSIM_CONFIG_SETTING_H

#include "config/document.h"

/* The value of a "key=value", JSON or a bare word for a text, and the key's path (g_free). NULL if it is no such
   thing; without root if the value is bad: `problems` has why. document_free. */
Document *setting_parse(const char *setting, char **path, Problems *problems);

/* The longest section that the path's parts before its last name; "" if none does. g_free. */
char *setting_section(const char *path);

#endif
