#!/bin/bash
# SPDX-License-Identifier: MIT
# The reference paper's Fig 8 where clusters have unequal sizes, as those of real data have: cluster k is drawn with a weight of
# 1 / (k + 1)^0.5. Cyclic mapping without padding, as the figure has it.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

cases() {
	local components clusters r
	for components in 2 4 5; do
		for clusters in 128 256 512; do
			for r in 1 2 4 8; do
				[ $(((components + 1) * r * clusters)) -le 12288 ] || continue
				echo "$components,$clusters,0,cyclic,$r: kmeans --components $components --clusters $clusters" \
					"--replicas $r --distribution zipf --exponent 0.5"
			done
		done
	done
}

echo components,clusters,padding,mapping,replicas,cycles,time_us,rounds,retries
cases | measure cycles,time_us,atomics.rounds,atomics.retries
