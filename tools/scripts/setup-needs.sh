#!/usr/bin/env bash
# Fails with one line that lists the missing prerequisites of a build.
set -euo pipefail

missing=()
command -v rustup >/dev/null || missing+=("rustup (https://rustup.rs)")
command -v cc >/dev/null || missing+=("a C compiler (Debian: build-essential)")
if ! command -v npm >/dev/null || ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
  missing+=("Node.js 20.19 or newer with npm")
fi
if [ ${#missing[@]} -gt 0 ]; then
  printf -v list '%s, ' "${missing[@]}"
  echo "Please install first: ${list%, }" >&2
  exit 1
fi
