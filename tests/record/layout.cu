/* SPDX-License-Identifier: MIT */
/* atomsim_record.cuh has the raw capture's structures of its own: they are those of raw.h. Compiles if so. */
#include "atomsim_record.cuh"

#include <stddef.h>

#include "raw.h"

#define SAME_SIZE(theirs, ours)                                                                \
	static_assert(sizeof(theirs) == sizeof(::ours), "the size of " #ours)
#define SAME_PLACE(theirs, ours, member)                                                       \
	static_assert(offsetof(theirs, member) == offsetof(::ours, member),                    \
		      "the place of " #member)
#define SAME_NUMBER(theirs, ours)                                                              \
	static_assert((int)(theirs) == (int)(ours), "the number of " #ours)

SAME_SIZE(atomsim::RawHead, RawFileHeader);
SAME_SIZE(atomsim::RawChunk, RawChunkHeader);
SAME_SIZE(atomsim::RawLaunch, RawLaunch);
SAME_SIZE(atomsim::RawEnd, RawEnd);
SAME_SIZE(atomsim::RawEvent, RawEvent);
SAME_SIZE(atomsim::Range, RawMemory);
SAME_PLACE(atomsim::RawLaunch, RawLaunch, grid);
SAME_PLACE(atomsim::RawLaunch, RawLaunch, block);
SAME_PLACE(atomsim::RawLaunch, RawLaunch, module);
SAME_PLACE(atomsim::RawLaunch, RawLaunch, name_bytes);
SAME_PLACE(atomsim::RawEnd, RawEnd, dropped);
SAME_PLACE(atomsim::RawEvent, RawEvent, mask);
SAME_PLACE(atomsim::RawEvent, RawEvent, detail);
SAME_PLACE(atomsim::RawEvent, RawEvent, warp);
SAME_PLACE(atomsim::RawEvent, RawEvent, kind);
SAME_PLACE(atomsim::RawEvent, RawEvent, bytes);
SAME_PLACE(atomsim::RawEvent, RawEvent, flags);
SAME_NUMBER(atomsim::CHUNK_LAUNCH, RAW_CHUNK_LAUNCH);
SAME_NUMBER(atomsim::CHUNK_EVENTS, RAW_CHUNK_EVENTS);
SAME_NUMBER(atomsim::CHUNK_END, RAW_CHUNK_END);
SAME_NUMBER(atomsim::CHUNK_MEMORY, RAW_CHUNK_MEMORY);
SAME_NUMBER(atomsim::RAW_ENTER, ::RAW_ENTER);
SAME_NUMBER(atomsim::RAW_EXIT, ::RAW_EXIT);
SAME_NUMBER(atomsim::RAW_SHARED, ::RAW_SHARED);
SAME_NUMBER(atomsim::RAW_GLOBAL, ::RAW_GLOBAL);
SAME_NUMBER(atomsim::RAW_BARRIER, ::RAW_BARRIER);
SAME_NUMBER(atomsim::RAW_REMOTE, ::RAW_REMOTE);
SAME_NUMBER(atomsim::RAW_SHUFFLE, ::RAW_SHUFFLE);
SAME_NUMBER(atomsim::RAW_SYNCWARP, ::RAW_SYNCWARP);
SAME_NUMBER(atomsim::RAW_CALL, ::RAW_CALL);
SAME_NUMBER(atomsim::RAW_LOCAL, ::RAW_LOCAL);
