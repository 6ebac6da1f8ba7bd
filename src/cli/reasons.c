/* SPDX-License-Identifier: MIT */
#include "cli/reasons.h"

#include "config/acts.h"

/* What is known of one key on one trace. */
typedef struct {
	char *why; /* of the first run that had a reason */
	gboolean acts;
} Reason;

struct Reasons {
	GMutex mutex;
	GHashTable *table; /* "KEY\nTRACE" to Reason */
};

static void reason_free(gpointer data)
{
	Reason *reason = data;

	g_free(reason->why);
	g_free(reason);
}

Reasons *reasons_new(void)
{
	Reasons *reasons = g_new0(Reasons, 1);

	g_mutex_init(&reasons->mutex);
	reasons->table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, reason_free);
	return reasons;
}

void reasons_free(Reasons *reasons)
{
	if (reasons == NULL)
		return;
	g_mutex_clear(&reasons->mutex);
	g_hash_table_unref(reasons->table);
	g_free(reasons);
}

void reasons_see(Reasons *reasons, const char *path, const char *trace, const KeyRun *run)
{
	const Key *key = key_find(path);
	g_autofree char *why = key != NULL && run->result->status == SIM_OK
				       ? key_why_idle(key, run, NULL)
				       : NULL;
	g_autofree char *name = g_strconcat(path, "\n", trace, NULL);
	Reason *reason;

	g_mutex_lock(&reasons->mutex);
	reason = g_hash_table_lookup(reasons->table, name);
	if (reason == NULL) {
		reason = g_new0(Reason, 1);
		g_hash_table_insert(reasons->table, g_steal_pointer(&name), reason);
	}
	reason->acts |= why == NULL;
	if (reason->why == NULL)
		reason->why = g_steal_pointer(&why);
	g_mutex_unlock(&reasons->mutex);
}

const char *reasons_of(const Reasons *reasons, const char *path, const char *trace)
{
	g_autofree char *name = g_strconcat(path, "\n", trace, NULL);
	const Reason *reason = g_hash_table_lookup(reasons->table, name);

	return reason != NULL && !reason->acts ? reason->why : NULL;
}
