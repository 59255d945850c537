#!/usr/bin/env bash
# Cargo's runner for the tests of a wasm package: first in Node.js, then in Chromium, in the page for `rules` and in a Web Worker
# for the packages that read files.
set -euo pipefail

case "${1##*/}" in
  forecourt_rules-*) place=BROWSER ;;
  *) place=DEDICATED_WORKER ;;
esac
WASM_BINDGEN_TEST_ONLY_NODE=1 wasm-bindgen-test-runner "$@"
env WASM_BINDGEN_TEST_ONLY_WEB=1 "WASM_BINDGEN_USE_$place=1" wasm-bindgen-test-runner "$@"
