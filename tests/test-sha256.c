/* SPDX-License-Identifier: MIT */
/* SHA-256 against GLib's, on every path of this processor. */
#include "base/sha256.h"

#include <glib.h>
#include <string.h>

#define MAX_BYTES 4096

static void check(const Sha256Path *path, const uint8_t *bytes, size_t n, GRand *rand)
{
	g_autofree char *expected = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, n);
	char hex[65];
	Sha256 sha;

	sha256_init(&sha);
	sha.blocks = path->blocks;
	for (size_t at = 0, piece; at < n; at += piece) {
		piece = (size_t)g_rand_int_range(rand, 1, 300);
		piece = MIN(piece, n - at);
		sha256_add(&sha, bytes + at, piece);
	}
	sha256_end(&sha, hex);
	g_assert_cmpstr(hex, ==, expected);
}

/* All lengths around a block's and the padding's ends, and random ones, in random pieces. */
static void test_path(gconstpointer data)
{
	const Sha256Path *path = data;
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	uint8_t bytes[MAX_BYTES];

	for (size_t i = 0; i < MAX_BYTES; i++)
		bytes[i] = (uint8_t)g_rand_int(rand);
	for (size_t n = 0; n <= 200; n++)
		check(path, bytes, n, rand);
	for (unsigned i = 0; i < 500; i++)
		check(path, bytes, (size_t)g_rand_int_range(rand, 0, MAX_BYTES + 1), rand);
}

static void test_published(void)
{
	static const uint8_t text[] = "abc"; /* FIPS 180-4's example */
	char hex[65];
	Sha256 sha;

	sha256_init(&sha);
	sha256_add(&sha, text, 3);
	sha256_end(&sha, hex);
	g_assert_cmpstr(hex, ==,
			"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

int main(int argc, char **argv)
{
	static Sha256Path paths[SHA256_MAX_PATHS];
	unsigned n;

	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sha256/gives-the-published-digest", test_published);
	n = sha256_paths(paths);
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *name =
			g_strdup_printf("/sha256/agrees-with-glib/%s", paths[i].name);

		g_test_add_data_func(name, &paths[i], test_path);
	}
	return g_test_run();
}
