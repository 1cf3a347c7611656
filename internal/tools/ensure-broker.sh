#!/bin/sh
# Makes sure that tests find a RabbitMQ server: the one that AMQP_URL names, or an
# installed one, of which they start private nodes.
#
# As root in CI or in a container it installs Debian's package; elsewhere it says
# what to run and succeeds, and the tests that need a broker are skipped.
set -eu

[ -z "${AMQP_URL:-}" ] || exit 0
for dir in /usr/lib/rabbitmq/bin /usr/sbin /usr/local/sbin /opt/homebrew/sbin; do
	[ ! -x "$dir/rabbitmq-server" ] || exit 0
done
! command -v rabbitmq-server >/dev/null || exit 0

disposable() {
	[ "${CI:-}" = true ] || [ -e /.dockerenv ] || [ -e /run/.containerenv ]
}

if [ "$(id -u)" != 0 ] || ! disposable || ! command -v apt-get >/dev/null; then
	cat >&2 <<-'END'
		No RabbitMQ server is installed and AMQP_URL is not set: tests that need a broker
		are skipped, or fail if CI=true. To run them:
		    sudo apt-get install --no-install-recommends rabbitmq-server   # Debian, Ubuntu
		    brew install rabbitmq                                          # macOS
		or set AMQP_URL, as in AMQP_URL=amqp://guest:guest@localhost:5672/
	END
	exit 0
fi

echo 'installing rabbitmq-server' >&2
# The package would start a broker of its own; nobody here needs that one.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	trap 'rm -f "$policy"' EXIT
	trap 'exit 1' HUP INT TERM
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod +x "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { apt-get update && apt-get install -y --no-install-recommends rabbitmq-server; } >"$log" 2>&1 </dev/null; then
	cat "$log" >&2
	rm -f "$log"
	exit 1
fi
rm -f "$log"
