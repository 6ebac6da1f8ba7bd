#!/bin/bash
# SPDX-License-Identifier: MIT
# Histograms of a photograph, the whole kernel: 16 blocks of 1,024 threads on 16 SMs.
# shellcheck source=plots/study/designs.sh
. "$(dirname "$0")/designs.sh"

photograph
histograms --blocks 16 --threads 1024 | make_traces
echo "where,hash,bins,replicas,padding,$METRIC_NAMES"
replay_designs
