/* SPDX-License-Identifier: MIT */
#include "report/format.h"

#include <string.h>

#include "base/text.h"

char *format_count(uint64_t count)
{
	char digits[24];
	GString *text = g_string_new(NULL);
	gsize n;

	g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, count);
	n = strlen(digits);
	for (gsize i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			g_string_append_c(text, ',');
		g_string_append_c(text, digits[i]);
	}
	return g_string_free(text, FALSE);
}

char *format_count_short(uint64_t count)
{
	static const char units[] = "MGTP";
	g_autofree char *text = NULL;
	guint unit = 0;

	if (count < 1000000000)
		return format_count(count);
	count /= 1000000;
	while (count >= 10000 && unit + 1 < sizeof(units) - 1) {
		count /= 1000;
		unit++;
	}
	text = format_count(count);
	return g_strdup_printf("%s %c", text, units[unit]);
}

char *format_time_us(double time_us)
{
	if (time_us < 1000.0)
		return g_strdup_printf("%.2f us", time_us);
	if (time_us < 1e6)
		return g_strdup_printf("%.2f ms", time_us / 1e3);
	return g_strdup_printf("%.2f s", time_us / 1e6);
}

char *format_gain(double gain)
{
	return g_strdup_printf("%.*f", gain < 1.095 ? 2 : gain < 9.95 ? 1 : 0, gain);
}

double format_percent(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

char *format_name(const char *name, guint width)
{
	g_autofree char *text = text_printable(name);

	g_assert(width >= 4);
	if (g_utf8_strlen(text, -1) <= (glong)width)
		return g_steal_pointer(&text);
	*g_utf8_offset_to_pointer(text, width - 3) = '\0';
	return g_strconcat(text, "...", NULL);
}

char *format_path(const char *path, guint width)
{
	g_autofree char *text = text_printable(path);
	glong length = g_utf8_strlen(text, -1);

	g_assert(width >= 4);
	if (length <= (glong)width)
		return g_steal_pointer(&text);
	return g_strconcat("...", g_utf8_offset_to_pointer(text, length - (width - 3)), NULL);
}
