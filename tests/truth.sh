#!/bin/bash
# SPDX-License-Identifier: MIT
# Small programs of which it is known by construction what bounds them and what helps: the first cause and what it saves, and
# what is advised. They are in tests/truth.txt, whose head says the format.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$work" || exit 99
# Heads into a table, texts into a file each.
awk '/^== / { name = $2 ".trace"; print substr($0, 4) >"table"; next } name { print >name }' "$SOURCE/tests/truth.txt"

# first_cause: of the advice in JSON the cause that saves most, and so many percent; "none 0" if none saves 5 %
first_cause() {
	sed -E 's/.*"cycles":([0-9]+),"contention_free.*"cycles_without":\{([^}]*)\}.*/\1,\2/' advice | awk -F, '{
		name = "none"
		for (i = 2; i <= NF; i++) {
			if (split($i, pair, ":") < 2) continue
			saves = 100 * ($1 - pair[2]) / $1
			if (saves >= 5 && saves > most) { most = saves; name = pair[1] }
		}
		gsub(/"/, "", name)
		printf "%s %d\n", name, most
	}'
}

# of KEY: the values of all keys of that name, one a line
of() {
	grep -oE "\"$1\":\"[^\"]*\"" advice | cut -d '"' -f 4
}

# holds CAUSE LEAST MOST ADVICE FORBIDDEN LIMIT: the file advice says so
holds() {
	local cause saves first limit bad
	read -r cause saves < <(first_cause)
	sed -E 's/"refused".*//' advice >tried
	first=$(grep -oE '"what_if":"[^"]*"' tried | head -n 1 | cut -d '"' -f 4)
	limit=$(sed -E 's/.*"not_simulated"://' tried | grep -oE '"words":"[^"]*"' | head -n 1)
	echo "first cause: $cause, $saves %; expected: $1, $2 to $3 %"
	echo "first advice: ${first:-nothing}; expected: $4"
	echo "first limit: $limit; expected: $6"
	cat advice
	[ "$cause" = "$1" ] && [ "$saves" -ge "$2" ] && [ "$saves" -le "$3" ] || return 1
	[[ $4 = - || ${first:-nothing} = "$4"* ]] || return 1
	for bad in $5; do
		[ "$bad" = - ] || ! grep -q "\"what_if\":\"$bad" tried || return 1
	done
	[[ $6 = - || $limit = *"$6"* ]]
}

while IFS='|' read -r name configs cause first forbidden limit; do
	read -r name <<<"$name"
	read -r cause least most <<<"${cause/../ }"
	read -r first <<<"$first"
	read -r limit <<<"$limit"
	"$ATOMSIM" trace assemble -o "$name.bin" "$name.trace" || exit 99
	for config in $configs; do
		options=(--config "${config%%:*}")
		[ "${config#*:}" = "$config" ] || options+=(--set "${config#*:}")
		"$ATOMSIM" advise "${options[@]}" --format json "$name.bin" >advice
		check "$name on $config: first cause $cause, first advice $first" \
			holds "$cause" "${least:-0}" "${most:-0}" "$first" "$forbidden" "$limit"
	done
done <table
done_testing
