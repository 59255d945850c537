#!/usr/bin/env bash
# Says how much of each wasm package a browser fetches, and fails if one that a screen waits for has outgrown its budget.
# Whoever has a reason for more says so in docs/performance.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

# In bytes after gzip -9.
budget() {
  case $1 in
    rules) echo 120000 ;;
    import) echo 90000 ;;
  esac
}

status=0
for module in web/src/wasm/*/*_bg.wasm; do
  package=$(basename "$module" _bg.wasm)
  size=$(gzip -9c "$module" | wc -c)
  most=$(budget "$package")
  printf '  %-9s %7d bytes, %7d gzip%s\n' "$package" "$(wc -c <"$module")" "$size" "${most:+, at most $most}"
  [ "$size" -le "${most:-$size}" ] || status=1
done
[ "$status" = 0 ] || echo "A wasm package is larger than its budget (tools/scripts/wasm-sizes.sh)" >&2
exit "$status"
