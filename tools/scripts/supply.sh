#!/usr/bin/env bash
# Checks licences, sources and banned crates of all Cargo.lock files against tools/supply/deny.toml, the licences of the
# npm packages against the licences allowed there, then the advisories against both (such as known vulnerabilities, and
# unmaintained or yanked crates). If RustSec or npm cannot be reached, it prints what was not checked and continues.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf '\n\033[1m== %s\033[0m\n' "$1"; }
manifests=(Cargo.toml wasm/tools/Cargo.toml tools/fuzz/Cargo.toml)
deny() { cargo-deny --config tools/supply/deny.toml --manifest-path "$@"; }
unreachable=()

say "Licences, sources and bans of the crates"
for manifest in "${manifests[@]}"; do
  echo "$manifest"
  # Unused exceptions are allowed, because an exception that one lock file needs may be unused in another.
  deny "$manifest" --locked check --allow license-exception-not-encountered --allow license-not-encountered bans licenses sources
done

say "Licences of the npm packages"
node tools/supply/licences.mjs

say "Advisories against the crates"
if fetched=$(deny Cargo.toml fetch db 2>&1); then
  for manifest in "${manifests[@]}"; do
    echo "$manifest"
    deny "$manifest" --locked --offline check --allow advisory-not-detected advisories
  done
else
  tail -n 3 <<<"$fetched"
  unreachable+=("RustSec's database")
fi

say "Advisories against the npm packages"
for folder in web web/audit/lighthouse tools/bench tools/browsers tools/supply; do
  echo "$folder"
  # npm audit exits with 1 both for a finding and for an unreachable registry.
  report=$(npm --prefix "$folder" audit --package-lock-only --json 2>/dev/null) || true
  node tools/supply/advisories.mjs <<<"$report" || case $? in
    2) unreachable+=("npm's advisories for $folder") ;;
    *) exit 1 ;;
  esac
done

if [ ${#unreachable[@]} -gt 0 ]; then
  printf '\nNot checked, because unreachable: %s\n' "$(printf '%s; ' "${unreachable[@]}")"
fi
