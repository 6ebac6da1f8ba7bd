/* SPDX-License-Identifier: MIT */
#include "trace/references.h"

void references_clear(References *references)
{
	g_clear_pointer(&references->spans, g_array_unref);
	g_clear_pointer(&references->templates, g_array_unref);
	g_clear_pointer(&references->pieces, g_array_unref);
	g_clear_pointer(&references->begins, g_array_unref);
	g_clear_pointer(&references->shifts, g_array_unref);
	g_clear_pointer(&references->stored_place, g_free);
}

Place references_place(const References *references, const TraceIndexEntry *index,
		       uint64_t block)
{
	const Span *spans, *span;
	guint low = 0, high;

	if (!references->spans)
		return (Place){.stored = block, .block_id = index[block].block_id};
	spans = (const Span *)references->spans->data;
	for (high = references->spans->len; high - low > 1;) {
		const guint middle = low + (high - low) / 2;

		if (spans[middle].position <= block)
			low = middle;
		else
			high = middle;
	}
	span = &spans[low];
	return (Place){.stored = span->stored,
		       .block_id = span->block_id + (block - span->position),
		       .span = span->template ? span : NULL,
		       .number = block - span->position};
}

uint64_t references_stored_place(const References *references, uint64_t stored)
{
	return references->spans ? references->stored_place[stored] : stored;
}

const Template *references_template(const References *references, uint64_t stored)
{
	guint low = 0, high = references->templates ? references->templates->len : 0;

	while (low < high) {
		const guint middle = low + (high - low) / 2;
		const Template *at = &g_array_index(references->templates, Template, middle);

		if (at->stored == stored)
			return at;
		if (at->stored < stored)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

int64_t references_shift(const References *references, const Place *place, uint32_t class)
{
	const int64_t *shifts = (const int64_t *)references->shifts->data + place->span->shifts;
	const uint32_t n = place->span->template->n_classes;

	/* A span of one block has no steps. */
	return place->number == 0 ? shifts[class]
				  : shifts[class] + (int64_t)place->number * shifts[n + class];
}

const ClassPiece *references_pieces(const References *references, const Template *template,
				    uint32_t warp)
{
	if (template->n_classes < 2)
		return NULL;
	return &g_array_index(
		references->pieces, ClassPiece,
		g_array_index(references->begins, uint64_t, template->warps + warp));
}
