#!/bin/sh
# usage: fuzz.sh fuzztime module...
#
# Runs every fuzz target of the modules, one after the other, for fuzztime as
# go test -fuzztime takes it: 30s, or 1000000x for so many executions. It goes on
# after a failure, and then fails at the end.
set -eu

time=$1
shift
status=0
for module in "$@"; do
	# go test prints a package's matching names, then "ok" and the package.
	list=$(cd "$module" && go test -list '^Fuzz' ./...)
	targets=$(printf '%s\n' "$list" | awk '
		/^Fuzz/ { names[++n] = $1 }
		/^ok/   { for (i = 1; i <= n; i++) print $2, names[i]; n = 0 }')
	[ -n "$targets" ] || continue
	while read -r package name; do
		echo "== $package $name"
		(cd "$module" && go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" -timeout 0 "$package" </dev/null) || status=1
	done <<-END
		$targets
	END
done
exit $status
