#!/usr/bin/env bash
# Prints the size of each wasm package, and fails if one exceeds its budget. A larger budget needs a reason in
# docs/performance.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The budget in bytes after gzip -9. Every visitor loads `rules`, and the import page loads `import`; the others have no
# budget.
budget() {
  case $1 in
    rules) echo 120000 ;;
    import) echo 225000 ;;
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
[ "$status" = 0 ] || echo "A wasm package exceeds its budget (tools/scripts/wasm-sizes.sh)" >&2
exit "$status"
