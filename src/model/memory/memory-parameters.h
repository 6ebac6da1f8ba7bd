/* SPDX-License-Identifier: MIT */
/*
 * The numbers of the memory side, as a config gives them, and the same as ticks, in which it keeps time.
 *
 * A tick is 1/1024 of an SM's cycle: rates of the L2 are no whole cycles, and its clock is another one.
 * A field's path here is its key's path below `l2`, `network` and `dram`; the table of keys documents each.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_MEMORY_MEMORY_PARAMETERS_H
#define ATOMSIM_MODEL_MEMORY_MEMORY_PARAMETERS_H

#include <stdint.h>

#define TICKS_PER_CYCLE 1024

typedef uint64_t Tick;

#define SLICE_MAP_PICKS	    4096 /* of all pages of a map */
#define SLICE_MAP_LINE_BITS 5
#define SLICE_MAP_WAY_BITS  8
#define SLICE_MAP_GROUPS    64

/* Where lines and SMs of a GPU lie, as far as that was measured: model/memory/slice-map.h. All 0: nobody knows. */
typedef struct {
	uint32_t n_pages; /* a power of two, of so many picks each: 2 ^ n_line_bits */
	uint32_t n_line_bits;
	uint8_t line_bits[SLICE_MAP_LINE_BITS]; /* of a line's number in its page: the pick */
	uint8_t slices[SLICE_MAP_PICKS];	/* of page << n_line_bits | pick */
	uint32_t n_way_bits;			/* 0: a cluster has one egress */
	uint8_t way_bits
		[SLICE_MAP_WAY_BITS]; /* of a line's number: all set, it is the other way */
	uint32_t n_groups;
	uint16_t group_sms[SLICE_MAP_GROUPS]; /* a multiple of tpc_sms */
	uint8_t group_partition[SLICE_MAP_GROUPS];
	uint16_t first_sms; /* of group 0, which get a launch's first blocks: some, never all */
	uint16_t tpc_sms;   /* 1 or more */
	uint16_t clusters;  /* of a group, to which its TPCs go round robin: 1 or more */
} SliceMap;

/* The L2: slices behind ports. Times in thousandths of its clock. */
typedef struct {
	uint32_t clock_khz;
	SliceMap map;
	uint32_t partitions;	 /* 1 or 2 */
	uint32_t slices;	 /* of each partition: 1 .. 256 */
	uint32_t page_bytes;	 /* a page lies in one partition: a power of two, 128 or more */
	uint32_t page_slices;	 /* and in so many slices: 1 .. 8 */
	uint32_t partition_mask; /* bits of a page's number whose parity is its partition */
	uint32_t
		copies_kib; /* of lines that a partition keeps of the other, for loads; 0: all */
	uint32_t port_packets; /* that a slice's port holds at a time */
	uint32_t
		slice_packets; /* that a slice works on at a time, besides merge_packets, in the order of arrival */
	uint32_t port_flit_mclk; /* a port takes in a flit, */
	uint32_t
		port_turnaround_mclk; /* and waits between packets of one flit and of several */
	uint32_t sector_mclk;	      /* service of an atomic's sector */
	uint32_t
		result_turns; /* so often where lanes get results: 0 is 1; no key, paths_take_complete sets it */
	uint32_t same_line_mclk;     /* added when the sector before was of the same line, */
	uint32_t neighbour_mclk;     /* or of the other line of its pair, */
	uint32_t other_line_mclk;    /* or of any other */
	uint32_t full_sector_mclk;   /* the same when all its words take part */
	uint32_t cas_sector_mclk;    /* of a compare-and-swap by several lanes */
	uint32_t double_sector_mclk; /* with doubles in both halves */
	uint32_t float_gap_mclk;  /* between the starts of two float operations on one sector */
	uint32_t double_gap_mclk; /* on doubles in both halves */
	uint32_t store_sector_mclk; /* service of a store's sector */
	uint32_t load_request_mclk; /* service of a load, at least */
	uint32_t load_sector_mclk;  /* service of each sector of a load */
	uint32_t
		repeat_request_mclk; /* service of a load that repeats the last one of its line */
	uint32_t repeat_sector_mclk; /* of each sector of such a load */
	uint32_t repeat_sectors;     /* of loads that a slice remembers: 0 or a multiple of 4 */
	uint32_t
		merge_packets; /* of atomics that wait, that a slice knows, to merge others with them */
	uint32_t
		forward_packet_mclk; /* service of a packet on its way to the other partition */
	uint32_t forward_flit_mclk;  /* of each of its flits */
	uint32_t group_packet_mclk;  /* of SMs of a group, between packets to a slice */
	uint32_t links;		     /* between the partitions, for results: 1 .. 64 */
	uint32_t link_sector_mclk;   /* a link takes a sector of a result, */
	uint32_t link_word_mclk;     /* and each further word of a sector */
} L2Parameters;

/* Between SMs and slices. Times in thousandths of an SM cycle, except *_cycles. */
typedef struct {
	uint32_t one_way_cycles; /* least time from an SM's instruction to a slice */
	uint32_t load_cycles;	 /* both ways, with nothing in the way */
	uint32_t atomic_cycles;
	/* From a load's data at the SM to their first use, where a trace says what waits for what; */
	uint32_t writeback_cycles;
	uint32_t writeback_nonuniform_cycles; /* more, unless all lanes name one word */
	uint32_t far_cycles;	  /* added for an atomic on a page of the other partition, */
	uint32_t far_load_cycles; /* for a load that a partition has no copy for */
	uint32_t issue_cycles;	  /* from a warp's access to its next instruction, at least */
	uint32_t in_flight;	  /* accesses of a warp on their way, at most */
	/* Of an SM's atomics that slices have not served: those beyond so many flits keep the SM busy, and beyond so many more its warps wait. */
	uint32_t network_flits, queue_flits;
	uint32_t slice_rounds; /* of these to one slice, which count for neither */
	uint32_t
		lock_attempt_flits; /* of an SM's tries of locks under way; what follows more waits */
	uint32_t fence_cycles; /* of a fence of the device or system, after what it waits for */
	/* Of a fence at least, when the warp has accessed its SM's own partition since the last, or the other. */
	uint32_t fence_near_partition_cycles, fence_far_partition_cycles;
	/* Fences of an SM go in batches, so far apart at least (0: each goes at once); a batch takes those that come within
	   so many cycles of the first; and its trip is over so long before its fences end. */
	uint32_t fence_batch_interval_cycles, fence_batch_window_cycles,
		fence_batch_overlap_cycles;
	uint32_t
		latency_spread_cycles; /* latencies differ by up to this much either way, by SM and slice */
	uint32_t group_sms;		       /* SMs that share an ingress: 1 or more */
	uint32_t group_egress_packet_mcycles;  /* an egress takes each packet, */
	uint32_t group_egress_flit_mcycles;    /* and each of its flits, */
	uint32_t group_ingress_sector_mcycles; /* on the ingress each sector of a load, */
	uint32_t group_ingress_word_mcycles;   /* and each of its words */
	uint32_t
		egress_mix_mcycles; /* an SM's port out: lines of one word among those of several */
	uint32_t egress_flit_mcycles;  /* an SM's port out: each flit, */
	uint32_t ingress_word_mcycles; /* a reply bank: a result, */
	uint32_t
		ingress_bank_conflict_mcycles; /* of one lane behind another word of its bank, */
	uint32_t ingress_packet_mcycles;       /* an SM's port in: each result of an atomic, */
	uint32_t ingress_load_mcycles;	       /* each of a load */
} NetworkParameters;

/* Behind the L2. */
typedef struct {
	uint32_t capacity_kib;	    /* of what the L2 holds; 0: all that a kernel touches */
	uint32_t home_capacity_kib; /* the same where no line has a copy; 0: as above */
	uint32_t latency_cycles;
	uint32_t slow_lines,
		slow_cycles; /* one line in so many takes up to so much more; 0: none */
	uint32_t channels;   /* to which slices go round robin */
	/* Whole GPU, thousandths of an SM cycle: a line of which something is read, that is only written, or both. */
	uint32_t load_mcycles, store_mcycles, atomic_mcycles;
} DramParameters;

/* Translation of addresses. */
typedef struct {
	uint32_t entry_kib;	       /* that an entry translates; 0: nothing is simulated */
	uint32_t walk_cycles;	       /* of a translation that no TLB has */
	uint32_t walk_interval_cycles; /* from one walk's begin to the next one's */
} TlbParameters;

/* GPUs with two paths to memory: a fast one for loads and stores, what the rest says, and a complete one that
   can do atomics too. */
typedef enum {
	PATHS_ONE,		 /* there is one path */
	PATHS_KERNEL_HAS_ATOMIC, /* a kernel with an atomic by the memory goes the slow way with all */
	PATHS_ALL_BUT_STORES, /* ... with all but its stores */
	N_PATH_RULES,
} PathRule;

typedef struct {
	PathRule rule;
	uint32_t complete_cycles;      /* a round trip, of any access */
	uint32_t complete_sector_mclk; /* service of a full sector, of any access */
	uint32_t result_turns;	       /* of an access with result at a word */
} PathParameters;

/* What becomes of the other numbers for a kernel that goes the slow way. */
void paths_take_complete(const PathParameters *paths, L2Parameters *l2,
			 NetworkParameters *network);

#endif
