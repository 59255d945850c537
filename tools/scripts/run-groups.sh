#!/usr/bin/env bash
# Runs groups of make targets one after the other, and the targets of a group in parallel. Stops at the first group that fails.
# Prints at the end the result, the duration and the CPU time of each group.
set -uo pipefail

if [ $# -eq 0 ]; then
  echo "Usage: tools/scripts/run-groups.sh \"TARGET...\"..." >&2
  exit 2
fi

TIMEFORMAT='%0R %0U %0S'
times=$(mktemp)
lines=()
report() {
  rm -f "$times"
  printf '\n\033[1m== %s\033[0m\n' "Summary"
  printf '%s\n' "${lines[@]}"
}
trap report EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

status=0
for group in "$@"; do
  if [ "$status" != 0 ]; then
    lines+=("$(printf '  %-30s  not run' "$group")")
    continue
  fi
  # The group's line for the summary, in case the script is interrupted. Replaced when the group ends.
  lines+=("$(printf '  %-30s  interrupted' "$group")")
  # shellcheck disable=SC2086 # A group is several words.
  { time "${MAKE:-make}" --jobs="$(getconf _NPROCESSORS_ONLN)" $group 2>&3; } 3>&2 2>"$times" || status=$?
  read -r wall user system <"$times"
  verdict=passed
  [ "$status" = 0 ] || verdict=FAILED
  lines[-1]=$(printf '  %-30s  %s after %s (CPU time: %s)' "$group" "$verdict" \
    "$(minutes "$wall")" "$(minutes $((user + system)))")
done
exit "$status"
