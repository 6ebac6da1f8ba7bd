#!/bin/bash
# SPDX-License-Identifier: MIT
# The reference paper's Fig 8: update step of k-means, 212,340 objects, 16 blocks of 1,024 threads.
# 0 components: the counters alone, without the aliases between vote spaces.
# DISTRIBUTION: which clusters the objects are of, as options of atomsim gen.
# shellcheck source=plots/lib.sh
. "$(dirname "$0")/lib.sh"

# A case for each number of copies that 48 KiB hold.
cases() {
	local components clusters padding r mapping
	for components in 0 2 4 5; do
		for clusters in 128 256 512; do
			for padding in 0 1; do
				for r in 1 2 4 8 16 32; do
					[ $(((components + 1) * r * (clusters + padding) - padding)) -le 12288 ] || continue
					for mapping in cyclic block; do
						echo "$components,$clusters,$padding,$mapping,$r: kmeans --components $components" \
							"--clusters $clusters --padding $padding --mapping $mapping --replicas $r" \
							"--distribution ${DISTRIBUTION:-uniform}"
					done
				done
			done
		done
	done
}

echo components,clusters,padding,mapping,replicas,cycles,time_us,rounds,retries
cases | measure cycles,time_us,atomics.rounds,atomics.retries
