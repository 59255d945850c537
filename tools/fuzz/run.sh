#!/usr/bin/env bash
# Runs one fuzz target: tools/fuzz/run.sh TARGET RUNS. Starts with the corpus of earlier runs. The target `sniffing`,
# whose input is a file and a byte that selects its extension, also starts with those files of core's tests that are
# short enough.
set -euo pipefail
cd "$(dirname "$0")"
target=$1 runs=$2
mkdir -p "corpus/$target"
if [ "$target" = sniffing ]; then
  for file in $(find ../../core/tests/files -maxdepth 1 -type f -size -16384c); do
    # The number of the extension, appended as the last byte: 0 is csv, 3 is xlsx, 5 is xls.
    for extension in 0 3 5; do
      { cat "$file"; printf '%b' "\\00$extension"; } >"corpus/$target/$extension-$(basename "$file")"
    done
  done
fi
# Cargo then builds into this folder: the instrumented code does not mix with other builds.
unset CARGO_TARGET_DIR
# An input that takes more than 60 seconds counts as a hang. The limit is generous, because instrumented code is slow.
exec cargo fuzz run --fuzz-dir . -s none "$target" -- -runs="$runs" -max_len=16384 -timeout=60 -rss_limit_mb=4096 -print_final_stats=1
