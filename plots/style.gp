# SPDX-License-Identifier: MIT
# What all figures share. Drawn in this folder: gnuplot NAME.gp reads NAME.csv, writes NAME.svg.
set datafile separator ','
set border 3
set tics nomirror out
set grid y linecolor '#dddddd'
set key top left reverse Left samplen 2 spacing 0.9
set style line 1 linecolor '#4477aa' linewidth 2 pointtype 7 pointsize 0.5
set style line 2 linecolor '#cc6677' linewidth 2 pointtype 5 pointsize 0.5
set style line 3 linecolor '#228833' linewidth 2 pointtype 9 pointsize 0.6
set style line 4 linecolor '#ccbb44' linewidth 2 pointtype 11 pointsize 0.6
set style line 5 linecolor '#aa3377' linewidth 2 pointtype 13 pointsize 0.6
set style line 9 linecolor '#888888' linewidth 1 dashtype 2
svg = "svg noenhanced font 'sans-serif,12' background '#ffffff'"
# Rows of the CSV for which the awk condition holds, without the header.
rows(condition) = sprintf("< awk -F, 'NR > 1 && (%s)' %s.csv", condition, name)
