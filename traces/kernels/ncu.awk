# SPDX-License-Identifier: MIT
# Reads what ncu --csv printed, split at '","': of launch 1 .. n kernel[i], grid[i] and block[i], and counted[i, METRIC].
$1 !~ /^"[0-9]+$/ { next }
{
	id = substr($1, 2)
	if (id != last)
		n++
	last = id
	kernel[n] = $5
	block[n] = $8
	grid[n] = $9
	value = $15
	gsub(/[",]/, "", value)
	counted[n, $13] = value
}
# "(2, 3, 1)": 6
function product(text,   parts) {
	gsub(/[() ]/, "", text)
	split(text, parts, ",")
	return parts[1] * parts[2] * parts[3]
}
# Of n_values launches from `from` on, `step` from one to the next; the lower of two in the middle.
function median(from, step, n_values, metric,   k, j, value, list) {
	for (k = 0; k < n_values; k++) {
		value = counted[from + k * step, metric] + 0
		for (j = k; j > 0 && list[j - 1] > value; j--)
			list[j] = list[j - 1]
		list[j] = value
	}
	return list[int((n_values - 1) / 2)]
}
