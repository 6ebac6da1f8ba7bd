/* SPDX-License-Identifier: MIT */
/* Keys of older configs that are gone. */
#include "config/keys.h"

#include <string.h>

#define NOT_WORTH_IT                                                                           \
	"without its rule no set of unseen programs or points is 0.2 points further off in "   \
	"the "                                                                                 \
	"mean (docs/validation/global-atomics.md)"

static const struct {
	const char *path, *why;
} removed[] = {
	{"global.store_line_cycles", NOT_WORTH_IT},
	{"l2.repeat_after", NOT_WORTH_IT},
	{"network.egress_instruction_mcycles", NOT_WORTH_IT},
	{"network.egress_load_mcycles", NOT_WORTH_IT},
	{"network.egress_packet_mcycles", NOT_WORTH_IT},
	{"network.fence_lines", NOT_WORTH_IT},
	{"network.fence_other_warps_cycles", NOT_WORTH_IT},
	{"network.fence_others_cycles", NOT_WORTH_IT},
	{"network.group_mix_mcycles", NOT_WORTH_IT},
	{"network.ingress_load_sector_mcycles", NOT_WORTH_IT},
	{"network.instruction_mcycles", NOT_WORTH_IT},
	{"network.load_mcycles", NOT_WORTH_IT},
	{"network.packet_mcycles", NOT_WORTH_IT},
	{"network.reply_lanes_mcycles", NOT_WORTH_IT},
	{"network.reply_load_sector_mcycles", NOT_WORTH_IT},
	{"network.reply_sector_mcycles", NOT_WORTH_IT},
	{"network.shared_word_mcycles", NOT_WORTH_IT},
	{"network.store_accesses", NOT_WORTH_IT},
	{"network.swap_mcycles", NOT_WORTH_IT},
	{"network.way_flits", NOT_WORTH_IT},
	{"sm.issue.code_ahead_cycles", NOT_WORTH_IT},
	{"sm.rotate_blocks", NOT_WORTH_IT},
	{"sm.rotate_first_scheduler", NOT_WORTH_IT},
};

const Key *key_find_replacing(const char *path)
{
	for (guint i = 0; i < key_count(); i++) {
		if (g_strcmp0(key_at(i)->replaces, path) == 0)
			return key_at(i);
	}
	return NULL;
}

const char *key_why_removed(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(removed); i++) {
		if (strcmp(removed[i].path, path) == 0)
			return removed[i].why;
	}
	return NULL;
}
