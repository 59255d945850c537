#!/usr/bin/env bash
# Attacks a demo server with so many generated calls (3000 where nothing is said). Its tools are in .tools/attack.
set -euo pipefail
cd "$(dirname "$0")/.."
exec .tools/attack/bin/python scripts/attack.py "$PWD/target/debug/forecourt" "${1:-3000}"
