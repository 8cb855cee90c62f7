STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 10s
BIN = bin/retrace

.PHONY: test demo build check unit e2e chrome fuzz vuln peers bench bench-go compare axe

# Everything that must hold before a change is merged. Needs Go and Chrome; Chrome is installed when there is none.
test: check chrome unit e2e

demo: build chrome
	$(BIN) demo

build:
	go build -trimpath -ldflags "-s -w" -o $(BIN) ./cmd/retrace

check:
	@unformatted=$$(gofmt -l $$(go list -f '{{.Dir}}' ./...)); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) ./...

chrome:
	@go run ./cmd/retrace browser path >/dev/null 2>&1 || go run ./cmd/retrace browser install

# The browser tests of the packages and those of e2e do not run at the same time: they would take each other's processor.
unit:
	RETRACE_E2E_REQUIRED=1 go test -race $$(go list ./... | grep -v '/e2e$$')

e2e:
	RETRACE_E2E_REQUIRED=1 go test -race -count=1 -parallel 5 -timeout 20m ./e2e

fuzz:
	@for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

# The tools that retrace is compared with, from npm, with the browser that is there.
peers:
	cd e2e/peers && npm ci --ignore-scripts --no-audit --no-fund

# Known flaws of the dependencies and of the Go release that go.mod names. Needs the network: https://vuln.go.dev or a module proxy.
vuln:
	.ci/vuln

# Speed, commands and memory beside the peers'; what became of every recording beside what they made of it.
bench: chrome peers
	go run ./e2e/bench $(BENCHFLAGS)

compare: chrome peers
	go run ./e2e/compare $(COMPAREFLAGS)

bench-go:
	go test -run '^$$' -bench . -benchmem ./...

# The accessibility checker for the report page. Its test is skipped without it.
axe:
	cd e2e/axe && npm ci --no-audit --no-fund --ignore-scripts
