#!/usr/bin/env bash
# What isn't ours, held against deny.toml: licences, sources and bans of every library, from the lock files. Then what is
# known against them, as far as that can be asked from here: where RustSec or npm can't be reached, that is said.
set -euo pipefail
cd "$(dirname "$0")/../.."

say() { printf '\n\033[1m== %s\033[0m\n' "$1"; }
manifests=(Cargo.toml wasm/tools/Cargo.toml tools/fuzz/Cargo.toml)
deny() { cargo-deny --config tools/supply/deny.toml --manifest-path "$@"; }
unknown=()

say "Licences, sources and bans of the crates"
for manifest in "${manifests[@]}"; do
  echo "$manifest"
  # An exception is one lock file's, and may be needed in no other.
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
  unknown+=("RustSec's database")
fi

say "Advisories against the npm packages"
for folder in web web/audit/lighthouse tools/bench tools/supply; do
  echo "$folder"
  # It ends with 1 for a finding and for want of an answer alike.
  answer=$(npm --prefix "$folder" audit --package-lock-only --json 2>/dev/null) || true
  node tools/supply/advisories.mjs <<<"$answer" || case $? in
    2) unknown+=("npm's advisories for $folder") ;;
    *) exit 1 ;;
  esac
done

if [ ${#unknown[@]} -gt 0 ]; then
  printf '\nNot known, because it could not be reached: %s\n' "$(printf '%s; ' "${unknown[@]}")"
fi
