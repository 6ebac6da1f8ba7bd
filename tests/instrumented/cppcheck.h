/* SPDX-License-Identifier: MIT */
/* What cppcheck does not know of the libraries' macros, for it reads no system headers. */
#define G_GUINT64_FORMAT  "lu"
#define G_GINT64_FORMAT	  "ld"
#define G_GSIZE_FORMAT	  "lu"
#define G_GOFFSET_FORMAT  "ld"
#define G_GINT64_MODIFIER "l"
#define G_DEFINE_QUARK(a, b)
#define G_GNUC_PRINTF(a, b)
#define cJSON_ArrayForEach(item, array)                                                        \
	for ((item) = (array)->child; (item); (item) = (item)->next)
