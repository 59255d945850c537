#!/usr/bin/env bash
# What cargo runs the tests of a wasm package with: in Node.js, and then in Chromium where the package lives there, the
# rules in the page itself, the readers of files in a worker.
set -euo pipefail

case "${1##*/}" in
  forecourt_rules-*) place=BROWSER ;;
  *) place=DEDICATED_WORKER ;;
esac
WASM_BINDGEN_TEST_ONLY_NODE=1 wasm-bindgen-test-runner "$@"
env WASM_BINDGEN_TEST_ONLY_WEB=1 "WASM_BINDGEN_USE_$place=1" wasm-bindgen-test-runner "$@"
