/* SPDX-License-Identifier: MIT */
/* The packets of random accesses against a second reading of the rules in model/memory/coalesce.h, lane by lane. */
#include <glib.h>

#include "model/memory/coalesce.h"

#define N_ACCESSES 4000
#define HALF_BYTES (LINE_BYTES / 2)

typedef struct {
	AccessKind kind;
	uint32_t width, n_lanes;
	uint64_t address[COALESCE_MAX_LANES];
} Access;

/* Which of the lanes of its word this one is. */
static uint32_t turn(const Access *access, uint32_t lane)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < lane; i++)
		n += access->address[i] == access->address[lane];
	return n;
}

/* Lanes that go with `lane` in a packet of its round. */
static bool together(const Access *access, uint32_t lane, uint32_t other)
{
	uint64_t bytes = access->kind == ACCESS_CAS ? HALF_BYTES : LINE_BYTES;

	return turn(access, lane) == turn(access, other) &&
	       access->address[lane] / bytes == access->address[other] / bytes;
}

static bool is_first(const Access *access, uint32_t lane)
{
	for (uint32_t i = 0; i < lane; i++)
		if (together(access, lane, i))
			return false;
	return true;
}

static Packet packet_of(const Access *access, uint32_t lane)
{
	uint32_t n_in[LINE_SECTORS] = {0}, n_low[LINE_SECTORS] = {0}, n_sectors = 0;
	Packet packet = {.line = access->address[lane] / LINE_BYTES, .n_rounds = 1};

	for (uint32_t i = 0; i < access->n_lanes; i++)
		if (together(access, lane, i)) {
			uint32_t s = access->address[i] % LINE_BYTES / SECTOR_BYTES;

			n_in[s]++;
			n_low[s] += access->address[i] % SECTOR_BYTES < SECTOR_BYTES / 2;
			packet.n_lanes++;
		}
	for (uint32_t s = 0; s < LINE_SECTORS; s++) {
		if (n_in[s] == 0)
			continue;
		packet.sectors |= 1u << s & 0xf;
		packet.full |= (unsigned)(n_in[s] * access->width == SECTOR_BYTES) << s & 0xf;
		packet.both |= (unsigned)(n_low[s] > 0 && n_low[s] < n_in[s]) << s & 0xf;
		n_sectors++;
	}
	if (packet.n_lanes == 1)
		packet.word = access->address[lane] % SECTOR_BYTES / 4 & 7;
	if (access->kind == ACCESS_CAS)
		n_sectors *= 2;
	packet.flits = (uint8_t)(1 + n_sectors);
	if (access->kind == ACCESS_STORE && packet.full == packet.sectors)
		packet.flits = (uint8_t)n_sectors;
	if (access->kind == ACCESS_LOAD ||
	    (packet.n_lanes == 1 && access->kind != ACCESS_STORE))
		packet.flits = 1;
	return packet;
}

/* Whether the packet of `lane` goes out behind those of the others that only want the lower half. */
static bool is_later_half(const Access *access, uint32_t lane)
{
	uint64_t line = access->address[lane] / LINE_BYTES * LINE_BYTES;

	if (access->kind != ACCESS_CAS || access->address[lane] < line + HALF_BYTES)
		return false;
	for (uint32_t i = 0; i < access->n_lanes; i++)
		if (turn(access, i) == turn(access, lane) && access->address[i] >= line &&
		    access->address[i] < line + HALF_BYTES)
			return true;
	return false;
}

static void append(GArray *packets, const Packet *packet)
{
	if (packets->len > 0) {
		Packet *last = &g_array_index(packets, Packet, packets->len - 1);

		if (last->line == packet->line && last->sectors == packet->sectors &&
		    last->full == packet->full && last->n_lanes == packet->n_lanes) {
			last->n_rounds++;
			return;
		}
	}
	g_array_append_val(packets, *packet);
}

/* Round after round; of split ones the upper halves last, in the order of their lines' first lanes. */
static GArray *expected(const Access *access)
{
	GArray *packets = g_array_new(FALSE, FALSE, sizeof(Packet));
	uint32_t n_rounds = access->kind < ACCESS_ATOMIC ? 1 : access->n_lanes;

	for (uint32_t round = 0; round < n_rounds; round++) {
		uint64_t lines[COALESCE_MAX_LANES];
		uint32_t n_lines = 0;

		for (uint32_t i = 0; i < access->n_lanes; i++) {
			uint64_t line = access->address[i] / LINE_BYTES;
			uint32_t k = 0;

			while (k < n_lines && lines[k] != line)
				k++;
			if (turn(access, i) == round && k == n_lines)
				lines[n_lines++] = line;
		}
		for (int later = 0; later < 2; later++)
			for (uint32_t k = 0; k < n_lines; k++)
				for (uint32_t i = 0; i < access->n_lanes; i++) {
					Packet packet;

					if (access->address[i] / LINE_BYTES != lines[k] ||
					    turn(access, i) != round || !is_first(access, i) ||
					    is_later_half(access, i) != later)
						continue;
					packet = packet_of(access, i);
					append(packets, &packet);
				}
	}
	return packets;
}

/* Whether all lanes are in one line. */
static bool one_line(const Access *access)
{
	for (uint32_t i = 1; i < access->n_lanes; i++)
		if (access->address[i] / LINE_BYTES != access->address[0] / LINE_BYTES)
			return false;
	return true;
}

/* v s (v + 4 s) / (v + s)^2 of v lines of which several words are wanted and s of which one is; halves of lines for a compare-and-swap. */
static uint32_t mix_of(const Access *access)
{
	uint32_t unit = access->kind == ACCESS_CAS ? HALF_BYTES : LINE_BYTES;
	uint32_t n_several = 0, n_one = 0;

	if (one_line(access))
		return 0;
	for (uint32_t i = 0; i < access->n_lanes; i++) {
		bool is_new = true, several = false;

		for (uint32_t k = 0; k < access->n_lanes; k++) {
			if (access->address[k] / unit != access->address[i] / unit)
				continue;
			is_new = is_new && k >= i;
			several = several || access->address[k] != access->address[i];
		}
		n_several += is_new && several;
		n_one += is_new && !several;
	}
	return MIX_UNIT * n_several * n_one * (n_several + 4 * n_one) /
	       ((n_several + n_one) * (n_several + n_one));
}

static Access random_access(GRand *rand)
{
	Access access = {.kind = (AccessKind)g_rand_int_range(rand, 0, ACCESS_CAS + 1)};
	int widths = access.kind < ACCESS_ATOMIC ? 3 : 2, shape = g_rand_int_range(rand, 0, 4);
	int words = 1 << g_rand_int_range(rand, 0, 10);
	uint32_t apart = 1u << g_rand_int_range(rand, 0, 6);
	uint64_t base = (uint64_t)g_rand_int(rand) * LINE_BYTES;

	access.width = 4u << g_rand_int_range(rand, 0, widths);
	access.n_lanes = (uint32_t)g_rand_int_range(rand, 1, COALESCE_MAX_LANES + 1);
	if (shape == 3) /* in a row, from anywhere in a line */
		base += (uint64_t)g_rand_int_range(rand, 0, LINE_BYTES) / access.width *
			access.width;
	for (uint32_t i = 0; i < access.n_lanes; i++) {
		uint64_t word = shape ? (uint64_t)g_rand_int_range(rand, 0, words)
				      : i % (uint32_t)words;

		if (shape == 3)
			access.address[i] = base + (uint64_t)i * access.width;
		else
			access.address[i] =
				base + word * (shape == 2 ? 1 : apart) * access.width;
	}
	return access;
}

static void test_packets(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (int a = 0; a < N_ACCESSES; a++) {
		Access access = random_access(rand);
		g_autoptr(GArray) wanted = expected(&access);
		Packet packets[COALESCE_MAX_PACKETS];
		uint32_t n = coalesce(access.kind, access.width, access.n_lanes, access.address,
				      packets);

		g_assert_cmpuint(n, ==, wanted->len);
		for (uint32_t p = 0; p < n; p++) {
			const Packet *found = &packets[p];
			const Packet *want = &g_array_index(wanted, Packet, p);

			g_assert_cmpuint(found->line, ==, want->line);
			g_assert_cmphex(found->sectors, ==, want->sectors);
			g_assert_cmphex(found->full, ==, want->full);
			g_assert_cmphex(found->both, ==, want->both);
			g_assert_cmpuint(found->word, ==, want->word);
			g_assert_cmpuint(found->mix, ==, p == 0 ? mix_of(&access) : 0);
			g_assert_cmpuint(found->n_lanes, ==, want->n_lanes);
			g_assert_cmpuint(found->flits, ==, want->flits);
			g_assert_cmpuint(found->n_rounds, ==, want->n_rounds);
			g_assert_cmpuint(packet_sectors(found), ==,
					 (guint)__builtin_popcount(found->sectors));
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/coalesce/random accesses go out as the rules say", test_packets);
	return g_test_run();
}
