# Every task of the project. `make` lists the targets. Requires rustup, Node.js 20.19 or newer with npm, and a C compiler.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The pinned wasm tools and npm's programs (wasm-opt is one) have priority over installed ones.
export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/web/node_modules/.bin:$(PATH)

WASM := wasm32-unknown-unknown
TOOLCHAIN := $(shell sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
# Replaces a target folder that the environment sets, because the rules below look for build results in this one.
export CARGO_TARGET_DIR := $(CURDIR)/target

# The wasm packages: folders of wasm/, each built into a folder of web/src/wasm/. Add a new package here.
PACKAGES := rules lists import fallback
# The packages that read whole files: optimised for speed instead of size, with SIMD (in all browsers since 2023).
FAST := import fallback
BUILT := $(PACKAGES:%=web/src/wasm/%/.built)
# The same packages for `make run` and for development: compiled in a third of the time, larger and slower.
QUICK := web/src/wasm/.quick
# The packages that the web app is built with: $(BUILT) or $(QUICK).
MODULES := $(BUILT)
VECTORS := CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=-Ctarget-feature=+simd128
# Non-empty if the package that is being built (the stem % of the rule) is one of FAST.
fast = $(filter $*,$(FAST))
# Builds package $*. Its Cargo.toml has the options of wasm-opt. The optimisation level is overridden, because another profile would
# compile the libraries' macros again.
pack = $(if $(fast),$(VECTORS) CARGO_PROFILE_WASM_OPT_LEVEL=3) wasm-pack --log-level warn build --mode no-install \
  --target bundler --no-pack --profile wasm --out-name $* --out-dir ../../web/src/wasm/$*

# The packages that run natively. Lints and tests use the same packages and features, so that libraries are compiled once.
NATIVE := -p forecourt-core -p forecourt --features forecourt-core/files,forecourt-core/schema
# Compiles with clippy-driver, a rustc that also lints. `cargo clippy` would check two hundred libraries a second time
# (docs/decisions/0018-lints-while-compiling.md).
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__
# All wasm packages are tested in one call, so that their dependencies are compiled once.
WASM_TESTS := --locked -p forecourt-call -p forecourt-engine $(PACKAGES:%=-p forecourt-%)
# The names of the server's test targets, to run them on PostgreSQL without core's tests, which use no database.
SERVER_TESTS := $(patsubst server/tests/%,--test %,$(patsubst %/main.rs,%,$(wildcard server/tests/*/main.rs)) \
  $(basename $(wildcard server/tests/*.rs)))

files = $(shell find $(1) -type f 2>/dev/null)
CORE := Cargo.toml Cargo.lock rust-toolchain.toml core/Cargo.toml $(wildcard wasm/*/Cargo.toml) \
  $(call files,core/src wasm/call/src wasm/engine/src)
WEB := $(filter-out web/src/wasm/%,$(call files,web/src web/public)) $(wildcard web/*.json web/*.ts web/*.mjs web/index.html)

# The folder for temporary files of the server's tests: in memory if there is more than 4 GB, otherwise on disk.
SCRATCH = $(shell [ "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 4000000 ] 2>/dev/null && echo /dev/shm || \
  echo "$${TMPDIR:-/tmp}")

# Server tests mostly wait for mails and child processes, so two run per core.
WAITING = RUST_TEST_THREADS=$$((2 * $$(getconf _NPROCESSORS_ONLN)))

# The format of what bash's `time` prints after a step: its duration, and the CPU time of its processes.
export TIMEFORMAT = [$@: %0lR, CPU time %0lU]

# Prints a heading.
say = @printf '\n\033[1m== %s\033[0m\n' "$(1)"

.PHONY: help
help: ## List all targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)$$/\1\t\2/p' Makefile | \
	  while IFS=$$'\t' read -r target sentence; do printf '  make %-14s %s\n' "$$target" "$$sentence"; done

# Without incremental compilation, which only pays from the second build on.
.PHONY: run
run: export CARGO_INCREMENTAL := 0
run: ## Build everything and start the demo on http://127.0.0.1:8080
	@MAKE="$(MAKE)" tools/scripts/run-groups.sh "demo web MODULES=$(QUICK)"
	target/debug/forecourt demo

.PHONY: test
test: ## Run all checks and tests
	@MAKE="$(MAKE)" tools/scripts/run-groups.sh "setup check" "test-wasm test-sqlite test-postgres" \
	  "test-web test-attack test-faults" e2e
	$(call say,Everything passed)

.PHONY: build
build: web/dist/index.html ## Build target/release/forecourt, including the web app
	$(call say,Server)
	time cargo build --release --locked -p forecourt

# The server for the demo is a debug build, because a release build takes twice as long. It reads web/dist only when it runs, so
# both can be built at the same time: the web app with slightly lower priority, so that both are ready at about the same time.
.PHONY: demo
demo: .tools/toolchain
	$(call say,Server of the demo)
	time cargo build --locked -p forecourt

.PHONY: dev
dev: web/node_modules/.stamp wasm-dev demo ## Start the demo server and Vite with hot reload
	trap 'kill 0' EXIT; cargo run --locked -p forecourt -- demo & npm --prefix web run dev & wait -n

.PHONY: check
check: check-structure check-rust $(BUILT) check-web check-wasm ## Check structure, words, format, lints and types
	$(call say,Sizes of the wasm packages)
	tools/scripts/wasm-sizes.sh

# The parts of `check`, which make can run in parallel. check-wasm is the last, because it shares libraries with a longer one and
# would wait for it.
.PHONY: check-structure check-rust check-web check-wasm
check-structure:
	$(call say,Layers, import cycles and words)
	tools/scripts/check-structure.py
	tools/scripts/check-words.sh

check-rust: .tools/toolchain
	$(call say,Format and lints)
	cargo fmt --all --check
	time $(LINTED) cargo test --quiet --locked $(NATIVE) --all-targets --no-run

check-web: web/node_modules/.stamp $(BUILT)
	$(call say,Types and lints of the web app)
	time npm --prefix web --silent run check

check-wasm: .tools/toolchain
	$(call say,Lints of the wasm packages)
	time $(VECTORS) $(LINTED) cargo test --quiet --target $(WASM) $(WASM_TESTS) --no-run

.PHONY: fmt
fmt: .tools/toolchain web/node_modules/.stamp ## Format all code
	cargo fmt --all
	cd web && biome check --write .

.PHONY: test-core
test-core: .tools/toolchain ## Test core
	$(call say,Tests of core)
	$(LINTED) cargo test --locked -p forecourt-core --features files,schema

.PHONY: test-wasm
test-wasm: .tools/toolchain .tools/stamp ## Test the wasm packages in Node.js and in Chromium
	$(call say,Tests of the wasm packages in Node.js)
	time $(VECTORS) $(LINTED) wasm-pack --log-level warn test --mode no-install --node wasm/rules $(WASM_TESTS)
	$(call say,Tests of the wasm packages in Chromium)
	time $(VECTORS) $(LINTED) WASM_BINDGEN_USE_BROWSER=1 \
	  wasm-pack --log-level warn test --mode no-install --headless --chrome wasm/rules $(WASM_TESTS)
	$(call say,Tests of the wasm packages in a worker of Chromium)
	time $(VECTORS) $(LINTED) WASM_BINDGEN_USE_DEDICATED_WORKER=1 \
	  wasm-pack --log-level warn test --mode no-install --headless --chrome wasm/import --locked -p forecourt-engine $(FAST:%=-p forecourt-%)

.PHONY: test-server
test-server: test-sqlite test-postgres ## Test core, and the server on SQLite and on PostgreSQL

# Two targets, so that they can run at the same time.
.PHONY: test-sqlite test-postgres
test-sqlite: .tools/toolchain web/node_modules/.stamp
	$(call say,Tests of core and of the server on SQLite)
	time TMPDIR=$(SCRATCH) $(WAITING) $(LINTED) cargo test --locked $(NATIVE)
test-postgres: .tools/toolchain web/node_modules/.stamp
	$(call say,Tests of the server on PostgreSQL)
	time TMPDIR=$(SCRATCH) $(WAITING) $(LINTED) tools/scripts/with-postgres.sh cargo test --locked $(NATIVE) --lib --bins $(SERVER_TESTS)

.PHONY: test-faults
test-faults: target/debug/forecourt ## Run the short version of the fault tests
	$(call say,Faults)
	time FORECOURT=$(CURDIR)/target/debug/forecourt tools/faults/run.py --untimed order=50 kill=10 kill-history=10 sales=10 immediate=3 stop=3 slow newer \
	  neighbour-readers neighbour-sockets=3000 neighbour-string=500 neighbour-uploads neighbour-imports=20000

.PHONY: faults
faults: build ## Run every fault test (FAULTS="kill=1000 full=3" for some; the full disk needs root)
	tools/faults/run.py $(FAULTS)

.PHONY: test-attack
test-attack: ## Send 3,000 generated requests to the server, half of them per database
	@$(MAKE) attack CASES=1500 SEED=1 PHASES=fuzzing,stateful

.PHONY: attack
attack: target/debug/forecourt .tools/attack/stamp ## Send generated requests to the server as three roles (CASES=20000 SEED=1)
	$(call say,Attack on SQLite)
	time TMPDIR=$(SCRATCH) .tools/attack/bin/python tools/attack/run.py
	$(call say,Attack on PostgreSQL)
	time TMPDIR=$(SCRATCH) tools/scripts/with-postgres.sh .tools/attack/bin/python tools/attack/run.py

.PHONY: test-web
test-web: web/node_modules/.stamp $(BUILT) ## Test the web app's components
	$(call say,Tests of the web app)
	time npm --prefix web --silent test

.PHONY: e2e
e2e: target/debug/forecourt web/dist/index.html ## Run the end-to-end tests in Chromium (FORECOURT=target/release/forecourt for the release build)
	$(call say,End-to-end tests in Chromium)
	time FORECOURT=$(abspath $(or $(FORECOURT),$<)) npm --prefix web --silent run e2e

.PHONY: e2e-browsers
e2e-browsers: target/debug/forecourt web/dist/index.html tools/browsers/node_modules/.stamp ## Run the main story in Firefox and WebKit
	$(call say,Main story in Firefox and WebKit)
	cd tools/browsers && time FORECOURT=$(abspath $(or $(FORECOURT),$<)) xvfb-run -a node run.mjs

.PHONY: audit
audit: build web/audit/lighthouse/node_modules/.stamp ## Check every screen in every state with axe and Lighthouse, and write docs/screens
	rm -rf web/test-results/audit
	cd web && export FORECOURT=$(CURDIR)/target/release/forecourt && status=0; \
	playwright test budget || status=1; \
	playwright test -c playwright.audit.config.ts --project report || status=1; \
	playwright test -c playwright.audit.config.ts --project animation || status=1; \
	playwright test -c playwright.audit.config.ts --project lighthouse || status=1; \
	exit $$status

.PHONY: bench
bench: .tools/toolchain ## Measure core's readers, sign-ins, lists, exports, the history and streams
	cargo bench --quiet --locked -p forecourt-core --features files --bench import --bench xlsx
	cargo bench --quiet --locked -p forecourt --bench logins
	cargo bench --quiet --locked -p forecourt --bench lists
	tools/scripts/with-postgres.sh cargo bench --quiet --locked -p forecourt --bench lists
	cargo bench --quiet --locked -p forecourt --bench exports
	tools/scripts/with-postgres.sh cargo bench --quiet --locked -p forecourt --bench exports
	cargo bench --quiet --locked -p forecourt --bench history
	DURABLE=1 tools/scripts/with-postgres.sh cargo bench --quiet --locked -p forecourt --bench history
	cargo bench --quiet --locked -p forecourt --bench events
	DURABLE=1 tools/scripts/with-postgres.sh cargo bench --quiet --locked -p forecourt --bench events

.PHONY: bench-import
bench-import: web/dist/index.html tools/bench/node_modules/.stamp ## Compare imports with PapaParse, uDSV, SheetJS, ExcelJS and a raw insert (BENCH="--rounds 5")
	cargo build --quiet --release --locked -p forecourt-core --features files --example check_file --example bench_workbook
	node tools/bench/run.mjs $(BENCH)
	cargo bench --quiet --locked -p forecourt --bench imports
	tools/scripts/with-postgres.sh cargo bench --quiet --locked -p forecourt --bench imports

.PHONY: fuzz
fuzz: .tools/bin/cargo-fuzz ## Fuzz every file reader (RUNS=1000000 FUZZ="csv xlsx")
	for target in $(or $(FUZZ),csv sniffing mapping xlsx xls books); do tools/fuzz/run.sh $$target $(or $(RUNS),1000000); done

.PHONY: supply
supply: .tools/bin/cargo-deny tools/supply/node_modules/.stamp ## Check licences, sources and advisories of all libraries
	tools/scripts/supply.sh

.PHONY: bench-load
bench-load: .tools/toolchain ## Simulate 500 users on SQLite and on PostgreSQL
	cargo bench --quiet --locked -p forecourt --bench load
	DURABLE=1 tools/scripts/with-postgres.sh cargo bench --quiet --locked -p forecourt --bench load

.PHONY: bench-hostile
bench-hostile: build ## Send every malicious file while another user reads, then open each in Chromium (HOSTILE="--only server")
	node tools/bench/hostile.mjs $(HOSTILE)

.PHONY: demo-data
demo-data: .tools/toolchain ## Add N contacts, customers and invoices to the demo (N=100000 CORPORATION="Nordbil AB")
	cargo run --release --locked -p forecourt -- demo-data --count "$(N)" --corporation "$(CORPORATION)"

.PHONY: sample-data
sample-data: .tools/toolchain ## Write large, realistic import files to samples/ (ROWS=100000)
	cargo run --release --locked -p forecourt-core --features files --example sample_data -- $(ROWS)

.PHONY: web
web: web/dist/index.html ## Build the web app into web/dist

.PHONY: wasm
wasm: $(BUILT) ## Build the wasm packages for release

.PHONY: wasm-dev
wasm-dev: $(QUICK) ## Build the wasm packages for development, which is faster

.PHONY: setup
setup: system .tools/toolchain .tools/stamp web/node_modules/.stamp ## Install everything that building and testing needs

# The first prerequisite of `setup`, so that missing system packages are reported before anything is built.
.PHONY: system
system:
	@tools/scripts/setup-needs.sh
	@tools/scripts/setup-system.sh tests

.PHONY: clean
clean: ## Delete all build results except the tools
	cargo clean
	rm -rf web/dist web/src/wasm web/test-results web/playwright-report samples tools/bench/built

# What other targets need: tools and libraries. Each of these targets is a file that is touched once they are installed.

.tools/needs: tools/scripts/setup-needs.sh
	$<
	mkdir -p $(@D)
	touch $@

# rustup does not always install the components and targets of rust-toolchain.toml, so they are named here.
.tools/toolchain: .tools/needs rust-toolchain.toml
	$(call say,Rust toolchain)
	time rustup toolchain install $(TOOLCHAIN) --profile minimal -c rustfmt -c clippy -t $(WASM) --no-self-update
	touch $@

TOOLS := wasm/tools/Cargo.toml wasm/tools/Cargo.lock $(wildcard wasm/tools/src/*.rs)
.tools/stamp: .tools/toolchain $(TOOLS)
	$(call say,Tools of the wasm packages)
	time cargo build --locked --manifest-path wasm/tools/Cargo.toml --target-dir .tools/target --features pack
	mkdir -p .tools/bin
	cp $(addprefix .tools/target/debug/,wasm-bindgen wasm-bindgen-test-runner wasm-pack) .tools/bin/
	touch $@

.tools/bin/wasm-bindings: .tools/toolchain $(TOOLS)
	$(call say,Tool of the wasm packages)
	time nice -n 2 cargo build --locked --manifest-path wasm/tools/Cargo.toml --target-dir .tools/target --bin wasm-bindings
	mkdir -p $(@D)
	cp .tools/target/debug/wasm-bindings $@

.tools/bin/cargo-fuzz: .tools/toolchain
	$(call say,Tools of the fuzzer)
	cargo install --quiet --locked --root .tools --target-dir .tools/target cargo-fuzz@0.13.2
	touch $@

# schemathesis, with the system's Python.
.tools/attack/stamp: tools/attack/requirements.txt .tools/toolchain
	$(call say,Tools of the generated requests)
	python3 -m venv .tools/attack
	.tools/attack/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# Builds cargo-deny without its link-time optimisation, which would double the time of this build.
.tools/bin/cargo-deny: .tools/toolchain
	$(call say,cargo-deny)
	CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
	  cargo install --quiet --locked --root .tools --target-dir .tools/target cargo-deny@0.20.2
	touch $@

tools/supply/node_modules/.stamp: .tools/toolchain tools/supply/package.json tools/supply/package-lock.json
	$(call say,npm packages of the licence check)
	npm --prefix tools/supply ci --include=dev --no-audit --no-fund
	touch $@

tools/bench/node_modules/.stamp: .tools/toolchain tools/bench/package.json tools/bench/package-lock.json
	$(call say,npm packages of the benchmark)
	npm --prefix tools/bench ci --include=dev --no-audit --no-fund
	touch $@

tools/browsers/node_modules/.stamp: .tools/toolchain tools/browsers/package.json tools/browsers/package-lock.json
	$(call say,npm packages and Debian packages of the story in other browsers)
	tools/scripts/setup-system.sh browsers
	npm --prefix tools/browsers ci --include=dev --no-audit --no-fund
	touch $@

web/audit/lighthouse/node_modules/.stamp: .tools/toolchain web/audit/lighthouse/package.json web/audit/lighthouse/package-lock.json
	$(call say,npm packages of the audit)
	npm --prefix web/audit/lighthouse ci --include=dev --no-audit --no-fund
	touch $@

web/node_modules/.stamp: .tools/needs web/package.json web/package-lock.json
	$(call say,npm packages)
	time npm --prefix web ci --include=dev --no-audit --no-fund
	touch $@

.SECONDEXPANSION:
$(BUILT): web/src/wasm/%/.built: .tools/stamp web/node_modules/.stamp $(CORE) $$(call files,wasm/$$*/src wasm/$$*/build.rs)
	$(call say,wasm package: $*)
	rm -f $(QUICK)
	time $(pack) wasm/$* -- --locked
	touch $@

# One call of cargo compiles all of them. wasm-pack would compile core for each package, because each enables other features.
$(QUICK): .tools/bin/wasm-bindings $(CORE) $$(call files,wasm/*/src wasm/*/build.rs)
	$(call say,wasm packages)
	rm -f $(BUILT)
	time $(VECTORS) nice -n 2 cargo build --locked --profile wasm-dev --target $(WASM) $(PACKAGES:%=-p forecourt-%)
	$(foreach package,$(PACKAGES),wasm-bindings target/$(WASM)/wasm-dev/forecourt_$(package).wasm web/src/wasm/$(package) $(package) &&) true
	touch $@

# The debug build of the program, which the server's tests produce anyway; a release build takes five times as long. The target is
# phony, because Cargo decides what is out of date.
.PHONY: target/debug/forecourt
target/debug/forecourt: .tools/toolchain web/node_modules/.stamp
	time $(LINTED) cargo test --quiet --locked $(NATIVE) --no-run

# The server embeds web/dist and is rebuilt when the folder's modification time changes.
web/dist/index.html: web/node_modules/.stamp $(MODULES) $(WEB)
	$(call say,Web app)
	time npm --prefix web --silent run build
	touch web/dist $@
