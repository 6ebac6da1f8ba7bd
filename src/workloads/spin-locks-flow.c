/* SPDX-License-Identifier: MIT */
/* What waits for what in `spin-locks`, as nvcc compiles measurements/programs/locks.cu. */
#include "workloads/spin-locks.h"

const char *const spin_locks_sites[] = {
	"spin_locks: lock",	      "spin_locks: read the word",
	"spin_locks: write the word", "spin_locks: fence",
	"spin_locks: unlock",	      "spin_locks: load an addend",
	"spin_locks: load another",   NULL};

enum {
	NO_VALUE,
	LOCK_ADDRESS,
	WORD_ADDRESS,
	ADDEND_ADDRESS,
	OLD,
	TAKEN,
	VALUE,
	DONE,
	WANTS,
	ADDEND,
	ADDENDS
};

static const FlowOperation start_code[] = {
	{CODE_INT, LOCK_ADDRESS, {0}, 0},
	{CODE_INT, WORD_ADDRESS, {0}, 0},
	{CODE_INT, ADDEND_ADDRESS, {0}, 0},
};
static const FlowOperation enter_code[] = {
	{CODE_COMPARE, WANTS, {0}, 0},
	{CODE_BRANCH, 0, {0}, WANTS},
	{CODE_MOVE, OLD, {0}, 0},
	{CODE_YIELD, 0, {0}, 0},
};
/* Some lanes go past the loop, and are joined behind it. */
static const FlowOperation enter_parted_code[] = {
	{CODE_COMPARE, WANTS, {0}, 0},
	{CODE_JUMP, 0, {0}, WANTS},
	{CODE_MOVE, OLD, {0}, 0},
	{CODE_YIELD, 0, {0}, 0},
};
static const FlowOperation wait_code[] = {{CODE_INT, VALUE, {ADDEND, ADDENDS}, 0}};
static const FlowOperation part_code[] = {{CODE_JOIN, 0, {0}, 0}};
static const FlowOperation guard_code[] = {
	{CODE_SPLIT, 0, {0}, 0},
	{CODE_MOVE, DONE, {0}, 0},
	{CODE_COMPARE, TAKEN, {OLD}, 0},
	{CODE_BRANCH, 0, {0}, TAKEN},
};
static const FlowOperation add_code[] = {{CODE_INT, VALUE, {VALUE}, 0}};
static const FlowOperation add_loaded_code[] = {{CODE_INT, VALUE, {VALUE, ADDEND}, 0}};
static const FlowOperation add_third_code[] = {{CODE_INT, VALUE, {VALUE, ADDENDS}, 0}};
static const FlowOperation leave_code[] = {
	{CODE_MOVE, DONE, {0}, 0},    {CODE_JOIN, 0, {0}, 0},
	{CODE_INT, DONE, {DONE}, 0},  {CODE_COMPARE, TAKEN, {DONE}, 0},
	{CODE_BRANCH, 0, {0}, TAKEN}, {CODE_SYNC, 0, {0}, 0},
};

void spin_locks_begin(SpinLocksGaps *gaps, gboolean parted, TraceWriter *writer)
{
	trace_writer_set_version_2(writer, WARP_LANES);
	gaps->start = FLOW_GAP(writer, start_code);
	gaps->enter =
		parted ? FLOW_GAP(writer, enter_parted_code) : FLOW_GAP(writer, enter_code);
	gaps->guard = FLOW_GAP(writer, guard_code);
	gaps->add = FLOW_GAP(writer, add_code);
	gaps->add_loaded = FLOW_GAP(writer, add_loaded_code);
	gaps->add_third = FLOW_GAP(writer, add_third_code);
	gaps->part = FLOW_GAP(writer, part_code);
	gaps->wait = FLOW_GAP(writer, wait_code);
	gaps->leave = FLOW_GAP(writer, leave_code);
	flow_site(writer, SITE_LOCK, LOCK_ADDRESS, 0, OLD);
	flow_site(writer, SITE_READ, WORD_ADDRESS, 0, VALUE);
	flow_site(writer, SITE_WRITE, WORD_ADDRESS, VALUE, 0);
	flow_site(writer, SITE_UNLOCK, LOCK_ADDRESS, 0, 0);
	flow_site(writer, SITE_ADDEND, ADDEND_ADDRESS, 0, ADDEND);
	flow_site(writer, SITE_ADDENDS, ADDEND_ADDRESS, 0, ADDENDS);
}
