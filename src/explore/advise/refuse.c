/* SPDX-License-Identifier: MIT */
/* Changes that cannot be made. */
#include <string.h>

#include "explore/advise/internal.h"

/* The error without what names the change, or the block that cannot run with it. */
static const char *reason_of(const GError *why, const char *change)
{
	const char *place = strstr(why->message, change);
	const char *block = strstr(why->message, ": block ");

	if (place)
		return place + strlen(change) + strlen(": ");
	return block ? block + strlen(": ") : why->message;
}

/* Whether two reasons differ in numbers alone. */
static bool is_same_reason(const char *a, const char *b)
{
	for (; *a != '\0' || *b != '\0'; a++, b++) {
		while (g_ascii_isdigit(*a))
			a++;
		while (g_ascii_isdigit(*b))
			b++;
		if (*a != *b)
			return false;
		if (*a == '\0')
			break;
	}
	return true;
}

void advice_refuse(AdviceReport *report, const Candidate *candidate, const GError *why)
{
	AdviceRefusal *refusal;
	const char *reason = reason_of(why, candidate->change);

	for (guint i = 0; i < report->refused->len; i++) {
		refusal = report->refused->pdata[i];
		if (advice_is_same_kind(refusal->change, candidate->change) &&
		    is_same_reason(refusal->why, reason))
			return;
	}
	refusal = g_new0(AdviceRefusal, 1);
	refusal->change = g_strdup(candidate->change);
	refusal->why = g_strdup(reason);
	g_ptr_array_add(report->refused, refusal);
}
