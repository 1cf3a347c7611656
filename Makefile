# Everything here works from a clean clone with Go 1.26 and a POSIX shell; the
# tests want a RabbitMQ, see internal/tools/ensure-broker.sh.

MODULES = . analyzer cmd/amqpfix internal/tools

# Go files that need not be formatted: the inputs and expectations of tests.
UNFORMATTED = ^(analyzer|cmd|internal)/.*/?testdata/

# in-each-module runs a command in every module and fails if it failed in any.
in-each-module = status=0; for module in $(MODULES); do (cd $$module && $(1)) || status=1; done; exit $$status

FUZZTIME ?= 30s
COUNT ?= 20
BENCHFLAGS ?=

.SILENT:
.PHONY: help demo demo-selftest test check bench plot treebench long fuzz soak conformance api clean

help: ## list the targets
	awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' Makefile

demo: ## migrate testdata/shop in a copy and compare what it publishes before and after
	go run ./internal/tools/demo

demo-selftest: ## prove that the demo's comparison notices a difference
	go run ./internal/tools/demo -selftest

test: ## run every test of every module once, with the race detector
	sh internal/tools/ensure-broker.sh
	$(call in-each-module,go test -race -timeout 20m ./...)

check: ## check statically: format, vet, staticcheck, amqpfix, go.mod, API
	echo '== gofmt'
	set -e; files=$$(git ls-files --cached --others --exclude-standard '*.go'); \
		bad=$$(printf '%s\n' $$files | grep -Ev '$(UNFORMATTED)' | while read -r f; do test ! -e "$$f" || echo "$$f"; done | xargs gofmt -l); \
		test -z "$$bad" || { printf 'not formatted; run gofmt -w on\n%s\n' "$$bad" >&2; exit 1; }
	echo '== go vet'
	$(call in-each-module,go vet ./...)
	echo '== staticcheck'
	staticcheck=$$(go -C internal/tools tool -n staticcheck) || exit; \
		$(call in-each-module,"$$staticcheck" ./...)
	echo '== amqpfix'
	go run ./cmd/amqpfix ./...
	echo '== go mod tidy'
	$(call in-each-module,GOWORK=off go mod tidy -diff)
	echo '== API'
	go run ./internal/tools/apigolden -check

bench: ## compare newapi with amqp091-go; BENCHFLAGS='-run regexp -rounds n'
	go run ./internal/bench $(BENCHFLAGS)

plot: ## draw what bench wrote as internal/bench/bench.svg
	go run ./internal/tools/plot bench.csv internal/bench/bench.svg

treebench: ## measure amqpfix against go vet in modules of 2,000 packages
	go run ./internal/tools/treebench

long: ## what takes too long for every change: the tests COUNT times, long fuzzing
	sh internal/tools/ensure-broker.sh
	$(call in-each-module,AMQPFIX_LONG=1 go test -race -count=$(COUNT) -cpu=1,2,4 -timeout 8h ./...)
	cd analyzer && go test . -run Behaviour -programs=5000 -seed=$$(date +%s) -timeout=60m -v
	sh internal/tools/fuzz.sh 10000000x $(MODULES)

fuzz: ## run every fuzz target for FUZZTIME, a duration or a number of executions such as 1000000x
	sh internal/tools/fuzz.sh $(FUZZTIME) $(MODULES)

soak: ## publish and consume five million messages and watch the memory
	go run ./internal/soak

conformance: ## run amqp091-go's own integration tests against compat/amqp091
	go run ./internal/tools/conformance

api: ## record the exported API in api/
	go run ./internal/tools/apigolden

clean: ## remove what the other targets write
	rm -f bench.csv
