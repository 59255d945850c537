#!/usr/bin/env bash
# Installs Firefox, WebKit's driver and a display without a screen. Lists the missing packages in one line if it cannot install them.
set -euo pipefail

packages=()
command -v firefox-esr >/dev/null || packages+=(firefox-esr)
command -v WebKitWebDriver >/dev/null || packages+=(webkit2gtk-driver)
command -v xvfb-run >/dev/null || packages+=(xvfb xauth)
[ ${#packages[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
else
  echo "The story in other browsers needs these Debian packages: sudo apt-get install ${packages[*]}" >&2
  exit 1
fi
