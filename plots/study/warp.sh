#!/bin/bash
# SPDX-License-Identifier: MIT
# The same histograms by one warp alone: no other warp hides its conflicts or holds its locks.
# shellcheck source=plots/study/designs.sh
. "$(dirname "$0")/designs.sh"

photograph
# A quarter of the photograph is enough.
head -n $((1 + 509 * 128)) "$image" | sed '1s/.*/P2 509 128 4095/' >"$folder/quarter.pgm"
image=$folder/quarter.pgm
histograms --blocks 1 --threads 32 | make_traces
echo "where,hash,bins,replicas,padding,$METRIC_NAMES"
replay_designs
