/* SPDX-License-Identifier: MIT */
#include "transform/arrays.h"

void array_take_size(SharedArray *array, const KernelInfo *kernel)
{
	if (kernel->array_bytes == 0 || array->buffer != kernel->array_buffer ||
	    array->base + array->end > kernel->array_bytes)
		return;
	array->first = 0;
	array->base = 0;
	array->end = (uint32_t)MIN(kernel->array_bytes, UINT32_MAX);
}
