/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "model/atomic/combine-buffer.h"

#define MAX_ENTRIES 4096

static const char *const per_names[N_PERS] = {"sm", "scheduler", "warp"};
static const char *const entry_names[N_ENTRY_KINDS] = {"word", "line"};
static const char *const eviction_names[N_EVICTIONS] = {"all", "oldest"};
static const char *const order_names[N_BUFFER_ORDERS] = {"arrival", "address"};

static const KeyNames pers = {KEY_NAME_LIST(per_names)};
static const KeyNames entry_kinds = {KEY_NAME_LIST(entry_names)};
static const KeyNames evictions = {KEY_NAME_LIST(eviction_names)};
static const KeyNames orders = {KEY_NAME_LIST(order_names)};

#define SECTION "global.atomic.buffer"
#define ENTRIES SECTION ".entries"
#define DAB	"DAB, MICRO 2020"
#define CHOICE(type, field)                                                                    \
	.path = SECTION "." #field, KEY_FIELD(KEY_CHOICE, type, Buffering, field),             \
	.needs = ENTRIES, .assumption = true
#define NUMBER(field, to) .path = SECTION "." #field, KEY_NUMBER(Buffering, field, 0, to)

static const Key keys[] = {
	{NUMBER(entries, MAX_ENTRIES), .unit = "entries", .default_value = "0", .neutral = true,
	 .doc = "Entries of each buffer in an SM that keeps global atomics without result; 0: "
		"no buffer.",
	 .source = "no GPU is known to buffer so; " DAB ", proposes it"},
	{CHOICE(Per, per), .names = &pers, .default_value = "scheduler",
	 .doc = "Scope of a buffer: sm, scheduler or warp.",
	 .source = DAB ", has the last two"},
	{CHOICE(EntryKind, entry), .names = &entry_kinds, .default_value = "word",
	 .doc = "Content of an entry: word, one operand; line, 128 bytes, each word of which "
		"can have an operand.",
	 .source = DAB ": word; line as a first cache would have it"},
	{NUMBER(fuse, 1), .default_value = "1", .needs = ENTRIES, .assumption = true,
	 .doc = "Fusing. 1: a lane whose word and operation are in the buffer needs no entry.",
	 .source = DAB ", which has both"},
	{CHOICE(Eviction, evict), .names = &evictions, .default_value = "all",
	 .doc = "Eviction: what leaves when a lane finds no entry. all; oldest, the oldest 32 "
		"words of one operation, or the oldest line.",
	 .source = DAB ": all; oldest as a first cache would"},
	{CHOICE(BufferOrder, order), .names = &orders, .default_value = "arrival",
	 .doc = "Order in which the contents of a buffer leave: arrival or address.",
	 .source = DAB ", has a fixed one, which takes waits, too, that are not modeled"},
	{NUMBER(lane_cycles, 1000), .unit = "cycles", .default_value = "1", .needs = ENTRIES,
	 .assumption = true, .doc = "Time of a lane at its buffer.",
	 .source = "one comparison with all entries"},
};

const KeyTable buffer_key_table = {SECTION,
				   "Buffers of global atomics in an SM",
				   keys,
				   G_N_ELEMENTS(keys),
				   sizeof(Buffering),
				   NULL};
