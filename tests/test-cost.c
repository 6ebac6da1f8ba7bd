/* SPDX-License-Identifier: MIT */
/* What hardware costs: by hand, by what must grow with what, and the ports of the lock array by trying all words. */
#include "config/config.h"
#include "config/value.h"
#include "model/cost.h"

static Config *load(const char *name, const char *const *settings)
{
	g_autoptr(GError) error = NULL;
	Config *config = config_load(name, settings, &error);

	g_assert_no_error(error);
	return config;
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static uint64_t total(const char *name, const char *const *settings)
{
	g_autoptr(Config) config = load(name, settings);
	const CostMachine hardware = machine_hardware(config_machine(config));

	return cost_total(&hardware);
}

/* The row of that name; all 0: the machine has none. */
static CostLine line(const char *name, const char *const *settings, const char *row)
{
	g_autoptr(Config) config = load(name, settings);
	const CostMachine hardware = machine_hardware(config_machine(config));
	CostLine lines[COST_MAX_LINES];
	const uint32_t n = cost_lines(&hardware, lines);

	for (uint32_t i = 0; i < n; i++)
		if (g_str_equal(lines[i].row->name, row))
			return lines[i];
	return (CostLine){0};
}

/* 16 SMs, 48 warps of 32 lanes on each, 14 bits of a word's index. */
static void test_by_hand(void)
{
	g_assert_cmpuint(total("designs/fermi", NULL), ==, 16 * 1024);
	g_assert_cmpuint(total("fermi", NULL), ==, 16 * 1024);
	/* Bits 0 to 7 XOR bits 8 to 13: six gates for each of 32 addresses. */
	g_assert_cmpuint(total("designs/hashed", NULL), ==, 16 * (256 + 32 * 6));
	/* 14 bits of address, 11 of the owner and one of use; a chain of two gates by four ports; the ports' square. */
	g_assert_cmpuint(line("designs/cam", NULL, "lock CAM").part.tag_bits, ==, 64 * 14);
	g_assert_cmpuint(total("designs/cam", NULL), ==,
			 (16 * (16 * 64 * (12 * 1000 + 14 * UINT64_C(1667)) +
				64 * 4 * 2 * UINT64_C(1000)) +
			  500) / 1000);
	/* Five bits of the address are the bank's. */
	g_assert_cmpuint(
		total("designs/bank-cam", NULL), ==,
		(16 * (128 * (12 * 1000 + 9 * UINT64_C(1667)) + 128 * 2 * UINT64_C(1000)) +
		 500) / 1000);
	g_assert_cmpuint(line("designs/cam", SETTINGS("atomic.lock_bits.ports=0"), "lock CAM")
				 .part.ports,
			 ==, 32);
	g_assert_cmpuint(
		line("designs/cam", SETTINGS("atomic.lock_bits.retry=fifo"), "lock queues")
			.part.bits,
		==, 64 * 22);
	g_assert_cmpuint(
		line("designs/cam", SETTINGS("atomic.lock_hash=xor"), "lock hash").bits, ==, 0);
	/* 1,536 lanes: a number of them has 11 bits. */
	g_assert_cmpuint(total("designs/fifo", NULL), ==,
			 16 * (1024 + 1024 * 22 + 1536 * (1 + 11)));
	g_assert_cmpuint(total("designs/one-winner", NULL), ==,
			 16 * (1024 + 1536) + (16 * 1536 * 10 * UINT64_C(1667) + 500) / 1000);
	g_assert_cmpuint(total("designs/native", NULL), ==, 16 * 32 * 32 * (12 + 2));
	g_assert_cmpuint(total("fermi", SETTINGS("atomic.mechanism=none")), ==, 0);
	g_assert_cmpuint(total("h200", NULL), ==,
			 132 * 32 * 32 * (12 + 2) + 94 * 8 * (32 * 12 + 3000));
	/* A bit for each of 58,368 words, whose numbers have 16 bits, and 2,048 lanes. */
	g_assert_cmpuint(total("designs/cas-winner", NULL) - total("h200", NULL), ==,
			 132 * (58368 + 2048) +
				 (132 * 2048 * 16 * UINT64_C(1667) + 500) / 1000);
	/* Of 16 packets 41 bits of a line, 4 sectors, 3 of a word and 5 of an operation; and units like the L2's. */
	g_assert_cmpuint(total("designs/slice-merge", NULL) - total("h200", NULL), ==,
			 (94 * 16 * 53 * UINT64_C(1667) + 500) / 1000 +
				 94 * 8 * (32 * 12 + 3000));
	/* A scheduler's merging: 46 bits of an address by 32 lanes, 31 adders of two kinds. */
	g_assert_cmpuint(total("designs/arc", NULL) - total("h200", NULL), ==,
			 132 * 4 * (32 * 46 * 2 + 31 * (32 * 12 + 3000)));
	g_assert_cmpuint(line("designs/arc", SETTINGS("global.atomic.merge.order=serial"),
			      "merge, global")
				 .part.gates,
			 ==, 32 * 46 * 2 + 32 * 12 + 3000);
	/* 64 entries of a word each, fused; 256 lines of 41 bits of address. */
	g_assert_cmpuint(line("designs/dab", NULL, "atomics' buffer").part.units, ==, 132 * 4);
	g_assert_cmpuint(line("designs/dab", NULL, "atomics' buffer").part.bits, ==, 64 * 36);
	g_assert_cmpuint(line("designs/dab", NULL, "atomics' buffer").part.tag_bits, ==,
			 64 * 46);
	g_assert_cmpuint(
		line("designs/dab", SETTINGS("global.atomic.buffer.fuse=0"), "atomics' buffer")
			.part.bits,
		==, 64 * (36 + 46));
	g_assert_cmpuint(line("designs/buffered-l1", NULL, "atomics' buffer").part.bits, ==,
			 256 * (4 + 32 * 33));
	g_assert_cmpuint(line("designs/buffered-l1", NULL, "atomics' buffer").part.tag_bits, ==,
			 256 * 41);
	/* 6 of 32 bits by 16 bits, for 32 addresses: a hash that is not linear. */
	g_assert_cmpuint(
		line("fermi", SETTINGS("atomic.lock_hash=mul"), "lock hash").part.gates, ==,
		32 * 6 * 14 * 10);
}

static void test_ports(void)
{
	static const char *const powers[] = {"cost.port_power=0", "cost.port_power=1",
					     "cost.port_power=2", "cost.port_power=3"};

	for (guint power = 0, times = 1; power < G_N_ELEMENTS(powers); power++, times *= 3)
		g_assert_cmpuint(
			total("fermi", SETTINGS("atomic.lock_bits.ports=3", powers[power])), ==,
			16 * 1024 * times);
	/* Any lane reaches any lock: as many ports as addresses. */
	g_assert_cmpuint(line("fermi",
			      SETTINGS("atomic.lock_bits.ports=0", "atomic.lock_hash=xor"),
			      "lock array")
				 .part.ports,
			 ==, 32);
	g_assert_cmpuint(line("fermi",
			      SETTINGS("atomic.lock_bits.ports=0", "atomic.locks=1000"),
			      "lock array")
				 .part.ports,
			 ==, 32);
}

/* One port is counted for an array of any number of them only if all words of a lock are one bank's. */
static void test_beside_bank(void)
{
	static const char *const hashes[] = {"mod", "xor", "ipoly", "mul"};
	guint n_beside = 0;

	for (guint i = 0; i < G_N_ELEMENTS(hashes) * G_N_ELEMENTS(hashes); i++) {
		g_autofree char *of_bank =
			g_strconcat("shared.bank_hash=", hashes[i % 4], NULL);
		g_autofree char *of_lock =
			g_strconcat("atomic.lock_hash=", hashes[i / 4], NULL);
		const char *const *settings =
			SETTINGS(of_bank, of_lock, "atomic.lock_bits.ports=0");
		g_autoptr(Config) config = load("fermi", settings);
		const Machine *machine = config_machine(config);
		g_autofree uint32_t *bank_of = g_new0(uint32_t, machine->atomic.locks);
		gboolean beside = TRUE;
		Hash bank, lock;

		hash_build(&machine->shared.bank_hash, machine->shared.banks, &bank);
		hash_build(&machine->atomic.lock_hash, machine->atomic.locks, &lock);
		for (uint32_t word = 0; word < machine->shared.bytes / 4; word++) {
			uint32_t *first = &bank_of[hash_apply(&lock, word)];
			const uint32_t here = 1 + hash_apply(&bank, word);

			beside = beside && (*first == 0 || *first == here);
			*first = here;
		}
		g_assert_cmpuint(line("fermi", settings, "lock array").part.ports, ==,
				 beside ? 1 : machine->shared.banks);
		n_beside += beside;
	}
	g_assert_cmpuint(n_beside, >, 0);
}

/* A machine that has more costs more. */
static void test_more_costs_more(void)
{
	static const char *const more[][2] = {
		{"designs/fermi", "atomic.locks=2048"},
		{"designs/fermi", "sm.count=17"},
		{"designs/fermi", "atomic.lock_hash=xor"},
		{"designs/fermi", "shared.bank_hash=xor"},
		{"designs/fermi", "atomic.lock_bits.ports=2"},
		{"designs/fermi", "atomic.lock_bits.back_off_cycles=2"},
		{"designs/back-off", "atomic.lock_bits.back_off_cycles=128"},
		{"designs/back-off", "atomic.lock_bits.back_off_doublings=20"},
		{"designs/fifo", "sm.max_warps=64"},
		{"designs/one-winner", "sm.max_warps=64"},
		{"designs/native", "shared.banks=64"},
		{"designs/native", "atomic.cas_loop.retry=one-winner"},
		{"designs/native", "atomic.cas_loop.back_off_cycles=2"},
		{"designs/cas-winner", "atomic.cas_loop.retry=fifo"},
		{"designs/cas-winner", "sm.count=133"},
		{"designs/cam", "atomic.lock_bits.cam_entries=65"},
		{"designs/cam", "atomic.lock_bits.ports=5"},
		{"designs/bank-cam", "atomic.lock_bits.cam_entries=160"},
		{"designs/arc", "atomic.merge.threshold=2"},
		{"designs/dab", "global.atomic.buffer.entries=65"},
		{"designs/native", "atomic.native.merge_operations=1"},
		{"designs/slice-merge", "l2.merge_packets=32"},
		{"designs/dab", "global.atomic.buffer.per=warp"},
		{"designs/native", "cost.integer_gates=13"},
		{"designs/native", "cost.compare_gates=3"},
		{"designs/native", "cost.gate_mbits=1001"},
		{"designs/one-winner", "cost.tag_bit_mbits=2000"},
		{"h200", "cost.float_gates=3001"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(more); i++)
		if (total(more[i][0], SETTINGS(more[i][1])) <= total(more[i][0], NULL))
			g_error("%s with %s costs no more", more[i][0], more[i][1]);
}

/* Rows add up, none says nothing, and the largest machine that a config can say does not overflow. */
static void test_rows(void)
{
	static const char *const names[] = {"fermi",
					    "gtx1080",
					    "h200",
					    "hd5870",
					    "designs/hashed",
					    "designs/fifo",
					    "designs/back-off",
					    "designs/cam",
					    "designs/cas-winner"};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(Config) config = load(names[i], NULL);
		const CostMachine hardware = machine_hardware(config_machine(config));
		CostLine lines[COST_MAX_LINES];
		const uint32_t n = cost_lines(&hardware, lines);
		uint64_t sum = 0;

		for (uint32_t k = 0; k < n; k++) {
			g_assert_cmpuint(lines[k].bits, >, 0);
			g_assert_cmpuint(lines[k].part.units, >, 0);
			sum += lines[k].bits;
		}
		g_assert_cmpuint(sum, ==, cost_total(&hardware));
	}
	/* 3e17, exactly: 23 bits a lock, 64 ports cubed. */
	g_assert_cmpuint(line("designs/fifo",
			      SETTINGS("sm.count=1024", "atomic.locks=65536", "sm.max_warps=64",
				       "atomic.lock_bits.ports=64", "cost.port_power=3"),
			      "lock queues")
				 .bits,
			 ==, UINT64_C(1024) * 65536 * 22 * 64 * 64 * 64);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cost/designs cost what their parts come to by hand", test_by_hand);
	g_test_add_func("/cost/storage grows by a power of its ports", test_ports);
	g_test_add_func("/cost/a lock beside its bank needs one port", test_beside_bank);
	g_test_add_func("/cost/a machine that has more costs more", test_more_costs_more);
	g_test_add_func("/cost/rows add up", test_rows);
	return g_test_run();
}
