#!/usr/bin/env bash
# Installs the system packages that only the tests need: Chromium with its driver, PostgreSQL, strace and Python for the fault
# tests, and venv for the generated requests. Lists the missing packages in one line if it cannot install them.
set -euo pipefail

postgres_programs() {
  command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

packages=()
command -v chromium >/dev/null || packages+=(chromium)
command -v chromedriver >/dev/null || packages+=(chromium-driver)
command -v chromium-headless-shell >/dev/null || packages+=(chromium-headless-shell)
postgres_programs || packages+=(postgresql)
# Debian's Python does not include ensurepip, which venv needs.
python3 -c 'import ensurepip' 2>/dev/null || packages+=(python3 python3-venv)
command -v strace >/dev/null || packages+=(strace)
[ ${#packages[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
else
  echo "The tests need these Debian packages: sudo apt-get install ${packages[*]}" >&2
  exit 1
fi
