/* SPDX-License-Identifier: MIT */
/* What a launch finds, by what its trace says that its buffers had met. */
#include <glib.h>

#include "sim/run/launch-state.h"

#define SMALL (UINT64_C(16) << 20)
#define LARGE (SMALL + 1)

static void test_buffers(void)
{
	static const struct {
		BufferBefore before;
		uint64_t bytes;
		LaunchL2 first, later; /* launch of the kernel */
	} rows[] = {
		{BUFFER_UNKNOWN, LARGE, LAUNCH_L2_HOME, LAUNCH_L2_HOME},
		{BUFFER_FRESH, SMALL, LAUNCH_L2_COLD, LAUNCH_L2_HOME},
		{BUFFER_COPIED, SMALL, LAUNCH_L2_HOME, LAUNCH_L2_HOME},
		{BUFFER_COPIED, LARGE, LAUNCH_L2_COLD, LAUNCH_L2_HOME},
		{BUFFER_REUSED, LARGE, LAUNCH_L2_HOME, LAUNCH_L2_HOME},
		{BUFFER_SET, LARGE, LAUNCH_L2_WRITTEN, LAUNCH_L2_WRITTEN},
		{BUFFER_USED, LARGE, LAUNCH_L2_WARM, LAUNCH_L2_WARM},
		{BUFFER_WRITTEN, LARGE, LAUNCH_L2_WRITTEN, LAUNCH_L2_WRITTEN},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const uint8_t before[] = {BUFFER_UNKNOWN, (uint8_t)rows[i].before};
		const uint64_t bytes[] = {1, rows[i].bytes};
		const KernelInfo first = {.n_buffers = 2,
					  .buffer_bytes = bytes,
					  .buffer_before = before,
					  .was_launched = KERNEL_HAS_NOT};
		KernelInfo later = first;
		LaunchState launch = {.l2 = LAUNCH_L2_RECORDED};

		later.was_launched = KERNEL_HAS;
		g_assert_cmpint(launch_finds(&launch, &first, 0), ==, LAUNCH_L2_HOME);
		g_assert_cmpint(launch_finds(&launch, &first, 1), ==, rows[i].first);
		g_assert_cmpint(launch_finds(&launch, &later, 1), ==, rows[i].later);
		later.was_launched = KERNEL_UNKNOWN;
		g_assert_cmpint(launch_finds(&launch, &later, 1), ==, rows[i].later);
		later.buffer_before = NULL;
		g_assert_cmpint(launch_finds(&launch, &later, 1), ==, LAUNCH_L2_HOME);
		launch.l2 = LAUNCH_L2_WRITTEN;
		g_assert_cmpint(launch_finds(&launch, &first, 1), ==, LAUNCH_L2_WRITTEN);
	}
}

static void test_code(void)
{
	for (KernelFact fact = KERNEL_UNKNOWN; fact <= KERNEL_HAS_NOT; fact++) {
		const KernelInfo kernel = {.has_code = fact};
		LaunchState launch = {.code = LAUNCH_CODE_RECORDED};

		g_assert_cmpint(launch_code_is_cold(&launch, &kernel), ==,
				fact == KERNEL_HAS_NOT);
		launch.code = LAUNCH_CODE_COLD;
		g_assert_true(launch_code_is_cold(&launch, &kernel));
		launch.code = LAUNCH_CODE_WARM;
		g_assert_false(launch_code_is_cold(&launch, &kernel));
	}
}

static void test_constants(void)
{
	for (KernelFact fact = KERNEL_UNKNOWN; fact <= KERNEL_HAS_NOT; fact++) {
		const KernelInfo kernel = {.was_launched = fact, .has_code = KERNEL_HAS_NOT};
		LaunchState launch = {.code = LAUNCH_CODE_RECORDED};

		g_assert_cmpint(launch_constants_are_cold(&launch, &kernel), ==,
				fact == KERNEL_HAS_NOT);
		launch.code = LAUNCH_CODE_COLD;
		g_assert_true(launch_constants_are_cold(&launch, &kernel));
		launch.code = LAUNCH_CODE_WARM;
		g_assert_false(launch_constants_are_cold(&launch, &kernel));
	}
}

/* Of thread-local memory nothing is known, but that nobody had it before. */
static void test_local_memory(void)
{
	static const uint64_t bytes[] = {128, 128};

	for (KernelFact fact = KERNEL_UNKNOWN; fact <= KERNEL_HAS_NOT; fact++) {
		const uint8_t before[] = {BUFFER_USED, BUFFER_UNKNOWN};
		const KernelInfo kernel = {.n_buffers = 2,
					   .buffer_bytes = bytes,
					   .buffer_before = before,
					   .local_buffer = 2,
					   .was_launched = fact};
		LaunchState launch = {.l2 = LAUNCH_L2_RECORDED};

		g_assert_cmpint(launch_finds(&launch, &kernel, 0), ==, LAUNCH_L2_WARM);
		g_assert_cmpint(launch_finds(&launch, &kernel, 1), ==,
				fact == KERNEL_HAS_NOT ? LAUNCH_L2_COLD : LAUNCH_L2_HOME);
		launch.l2 = LAUNCH_L2_WRITTEN;
		g_assert_cmpint(launch_finds(&launch, &kernel, 1), ==, LAUNCH_L2_WRITTEN);
	}
}

static void test_tlb(void)
{
	static const struct {
		BufferBefore before[2];
		bool cold;
	} rows[] = {
		{{BUFFER_FRESH, BUFFER_COPIED}, true},
		{{BUFFER_SET, BUFFER_SET}, true},
		{{BUFFER_COPIED, BUFFER_USED}, false},
		{{BUFFER_REUSED, BUFFER_COPIED}, false},
		{{BUFFER_UNKNOWN, BUFFER_SET}, false},
		{{BUFFER_USED, BUFFER_REUSED}, false},
		{{BUFFER_WRITTEN, BUFFER_COPIED}, false},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const uint8_t before[] = {(uint8_t)rows[i].before[0],
					  (uint8_t)rows[i].before[1]};
		KernelInfo kernel = {.n_buffers = 2, .buffer_before = before};
		LaunchState launch = {.tlb = LAUNCH_TLB_RECORDED};

		g_assert_cmpint(launch_tlb_is_cold(&launch, &kernel), ==, rows[i].cold);
		launch.tlb = LAUNCH_TLB_WARM;
		g_assert_false(launch_tlb_is_cold(&launch, &kernel));
		launch.tlb = LAUNCH_TLB_COLD;
		g_assert_true(launch_tlb_is_cold(&launch, &kernel));
		launch.tlb = LAUNCH_TLB_RECORDED;
		/* A program's first launch: nobody has used what nothing is known of. */
		kernel.launch = 1;
		g_assert_cmpint(launch_tlb_is_cold(&launch, &kernel), ==,
				rows[i].cold || rows[i].before[0] == BUFFER_UNKNOWN);
		kernel.launch = 2;
		g_assert_false(launch_tlb_is_cold(&launch, &kernel));
		kernel.launch = 0;
		/* Of thread-local memory nothing is ever known. */
		kernel.local_buffer = 1;
		g_assert_cmpint(launch_tlb_is_cold(&launch, &kernel), ==,
				rows[i].before[1] == BUFFER_COPIED ||
					rows[i].before[1] == BUFFER_SET);
		kernel.buffer_before = NULL;
		g_assert_false(launch_tlb_is_cold(&launch, &kernel));
	}
}

static void test_parameters(void)
{
	static const struct {
		LaunchParameters state;
		uint32_t launch;
		bool cold;
	} rows[] = {
		{LAUNCH_PARAMETERS_RECORDED, 0, false}, {LAUNCH_PARAMETERS_RECORDED, 1, true},
		{LAUNCH_PARAMETERS_RECORDED, 8, true},	{LAUNCH_PARAMETERS_RECORDED, 9, false},
		{LAUNCH_PARAMETERS_COLD, 9, true},	{LAUNCH_PARAMETERS_WARM, 1, false},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		static const uint16_t read = 2, unread = 0;
		KernelInfo kernel = {.launch = rows[i].launch,
				     .parameters = {0x210, 24, 1, &read}};
		const LaunchState launch = {.parameters = rows[i].state};

		g_assert_cmpint(launch_parameters_are_cold(&launch, &kernel, 8), ==,
				rows[i].cold);
		kernel.parameters.lines = &unread;
		g_assert_false(launch_parameters_are_cold(&launch, &kernel, 8));
		kernel.parameters = (KernelParameters){0};
		g_assert_false(launch_parameters_are_cold(&launch, &kernel, 8));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/launch-state/buffers", test_buffers);
	g_test_add_func("/launch-state/code", test_code);
	g_test_add_func("/launch-state/constants", test_constants);
	g_test_add_func("/launch-state/local memory", test_local_memory);
	g_test_add_func("/launch-state/tlb", test_tlb);
	g_test_add_func("/launch-state/parameters", test_parameters);
	return g_test_run();
}
