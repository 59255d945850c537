#!/usr/bin/env bash
# The system packages that the tests need and nothing else does: a browser with its driver, PostgreSQL's
# programs, strace and Python for the faults, and Python's environments for the attack.
# Installs what is missing when it may, else names it in one line.
set -euo pipefail

postgres_programs() {
  command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

packages=()
command -v chromium >/dev/null || packages+=(chromium)
command -v chromedriver >/dev/null || packages+=(chromium-driver)
command -v chromium-headless-shell >/dev/null || packages+=(chromium-headless-shell)
postgres_programs || packages+=(postgresql)
# Debian's Python comes without what its environments begin with.
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
