/* SPDX-License-Identifier: MIT */
/* The weights of the table of costs. */
#include <glib.h>

#include "model/cost.h"

#define WEIGHT(field, from, to)                                                                \
	.path = "cost." #field, KEY_NUMBER(CostWeights, field, from, to), .assumption = true,  \
	.acts_on = KEY_ACTS_NEVER

static const Key keys[] = {
	{WEIGHT(gate_mbits, 0, 1000000), .unit = "thousandths of a bit",
	 .default_value = "1000",
	 .doc = "Cost of a gate of two inputs; a bit of storage with one port is 1000.",
	 .source = "six transistors each: a static memory cell has six, a NAND four, an XOR "
		   "six to ten"},
	{WEIGHT(tag_bit_mbits, 0, 1000000), .unit = "thousandths of a bit",
	 .default_value = "1667",
	 .doc = "Cost of a bit of content-addressable storage (CAM), which is compared with "
		"the key of a lookup.",
	 .source = "ten transistors, where a cell without a comparison has six"},
	{WEIGHT(port_power, 0, 3), .default_value = "2",
	 .doc = "Exponent of ports: storage of p ports costs p to this power as much as with "
		"one port.",
	 .source = "each port adds a word line and a bit line to a cell, and so to its height "
		   "and its width"},
	{WEIGHT(integer_gates, 0, 100000), .unit = "gates", .default_value = "12",
	 .doc = "Gates for each bit of a unit that does all integer atomics.",
	 .source = "five of a full adder (a comparison, too), three of AND, OR and XOR, four "
		   "that select the result"},
	{WEIGHT(float_gates, 0, 100000000), .unit = "gates", .default_value = "3000",
	 .doc = "Gates of an adder of 32-bit floats.",
	 .source = "two shifters of 24 bits by 5 levels, an adder, a count of zeros, rounding: "
		   "about eight units for integers"},
	{WEIGHT(compare_gates, 0, 100000), .unit = "gates", .default_value = "2",
	 .doc = "Gates for each bit of a test for equality, as in a compare-and-swap.",
	 .source = "an XOR, and its place in a tree of ORs"},
	{WEIGHT(product_gates, 0, 100000), .unit = "gates", .default_value = "6",
	 .doc = "Gates for each pair of bits of a multiplier or divider, for hashes that are "
		"not linear.",
	 .source = "an AND and a full adder of an array of them"},
};

const KeyTable cost_keys = {"cost",
			    "Hardware cost: no run depends on it",
			    keys,
			    G_N_ELEMENTS(keys),
			    sizeof(CostWeights),
			    NULL};
