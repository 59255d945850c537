# The only way in. `make` prints what there is. Needed before: rustup, Node 20.19 or newer with npm, make, a C compiler.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The pinned wasm tools and the npm ones (wasm-opt among them) before whatever else is installed.
export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/web/node_modules/.bin:$(PATH)

PACK := wasm-pack --quiet build --mode no-install --target bundler --no-pack
CORE := $(shell find core/src core/Cargo.toml Cargo.toml Cargo.lock rust-toolchain.toml)
RULES := $(CORE) $(shell find wasm/rules/src wasm/rules/Cargo.toml)
IMPORT := $(CORE) $(shell find wasm/import/src wasm/import/Cargo.toml)

.PHONY: help
help: ## Print every target with its sentence
	@sed -nE 's/^([a-z0-9-]+):.* ## (.*)$$/\1\t\2/p' Makefile | while IFS=$$'\t' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

.PHONY: wasm-dev
wasm-dev: .tools/stamp ## Build the wasm packages quickly, for development
	$(PACK) --dev --no-opt wasm/rules --out-name rules --out-dir ../../web/src/wasm/rules
	$(PACK) --dev --no-opt wasm/import --out-name import --out-dir ../../web/src/wasm/import

# --- what the others stand on ---

.tools/stamp: wasm/tools/Cargo.toml wasm/tools/Cargo.lock $(wildcard wasm/tools/src/*.rs)
	cargo build --locked --manifest-path wasm/tools/Cargo.toml --target-dir .tools/target
	mkdir -p .tools/bin
	cp .tools/target/debug/wasm-pack .tools/target/debug/wasm-bindgen .tools/target/debug/wasm-bindgen-test-runner .tools/bin/
	touch $@
