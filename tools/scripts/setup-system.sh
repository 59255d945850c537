#!/usr/bin/env bash
# Installs the system packages that checks, tests and benchmarks need, but not the build. `setup-system.sh tests`: Chromium with
# its driver, PostgreSQL, Python with venv, and strace, which the fault tests use. `setup-system.sh browsers`: Firefox, WebKit's driver and a
# display without a screen. Lists the missing packages in one line if it cannot install them.
set -euo pipefail

postgres_programs() {
  command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

packages=()
# Adds package $2 if there is no program $1.
need() { command -v "$1" >/dev/null || packages+=("$2"); }

case "$1" in
  tests)
    need chromium chromium
    need chromedriver chromium-driver
    need chromium-headless-shell chromium-headless-shell
    postgres_programs || packages+=(postgresql)
    # Debian's Python does not include ensurepip, which venv needs.
    python3 -c 'import ensurepip' 2>/dev/null || packages+=(python3 python3-venv)
    need strace strace
    ;;
  browsers)
    need firefox-esr firefox-esr
    need WebKitWebDriver webkit2gtk-driver
    need xvfb-run xvfb
    need xauth xauth
    ;;
esac
[ ${#packages[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
else
  echo "The $1 need these Debian packages: sudo apt-get install ${packages[*]}" >&2
  exit 1
fi
