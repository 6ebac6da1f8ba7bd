#!/bin/bash
# SPDX-License-Identifier: MIT
# Each shipped design on each shipped trace, and what its hardware costs (docs/papers/designs.md). `base` is the GPU that a design changes:
# times of another one's clock are not to be compared.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

export ATOMSIM_TRACE_PATH="$SOURCE/traces"
COLUMNS_SHOWN=trace,config,cycles,time_us,contention_free_cycles,slowdown,cost_bits,what_if
# table BASE GPU [OPTION]...
table() {
	local base=$1 gpu=$2
	shift 2
	"$ATOMSIM" list designs | awk -v gpu="$gpu" '$0 ~ gpu { print "--config"; print $1 }' |
		xargs "$ATOMSIM" table --format csv --columns "$COLUMNS_SHOWN" "$@" | awk -v base="$base" '{ print $0 "," (NR == 1 ? "base" : base) }'
}

table fermi "GTX 580"
table h200 H200 --config h200 | tail -n +2
