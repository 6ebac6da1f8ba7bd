#!/bin/bash
# SPDX-License-Identifier: MIT
# k-means once more, with objects whose neighbours are alike: the next lane's cluster is the same or the
# one beside it, as where objects are pixels.
DISTRIBUTION='walk --reach 1' exec bash "$(dirname "$0")/kmeans.sh"
