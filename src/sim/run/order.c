/* SPDX-License-Identifier: MIT */
#include "sim/run/order.h"

RunOrder *run_order_new(RecordSource *source)
{
	RunOrder *order = g_new0(RunOrder, 1);

	order->first_warp = g_new(uint64_t, source->n_blocks);
	for (uint64_t block = 0; block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		order->first_warp[block] = order->n_warps;
		order->n_warps += info.n_warps;
	}
	order->warps = g_new0(WarpOrder, order->n_warps);
	return order;
}

void run_order_free(RunOrder *order)
{
	for (uint64_t i = 0; i < order->n_warps; i++) {
		g_clear_pointer(&order->warps[i].at, g_array_unref);
		g_clear_pointer(&order->warps[i].begins, g_array_unref);
		g_clear_pointer(&order->warps[i].swaps, g_array_unref);
	}
	g_free(order->warps);
	g_free(order->first_warp);
	g_free(order);
}

WarpOrder *run_order_of(const RunOrder *order, uint64_t block, uint32_t warp)
{
	return &order->warps[order->first_warp[block] + warp];
}

void warp_order_add(WarpOrder *order, uint64_t at, bool begins_record)
{
	if (order->at == NULL) {
		order->at = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		order->begins = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		order->swaps = g_array_new(FALSE, FALSE, sizeof(WarpSwap));
	}
	if (begins_record)
		g_array_append_val(order->begins, order->at->len);
	g_array_append_val(order->at, at);
}

void warp_order_swapped(WarpOrder *order, LaneMask winners)
{
	const WarpSwap swap = {winners, order->at->len - 1};

	g_array_append_val(order->swaps, swap);
}
