#!/bin/sh
# Creates all samples of core/tests/files, byte-identical in every run. A file that git shows as changed was written by another
# version of a library. Needs Python 3.11, Node.js 20 and LibreOffice 7.4.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=${1:-${TMPDIR:-/tmp}/sample-tools}
mkdir -p "$tools"
cd "$tools"
[ -d venv ] || python3 -m venv venv
venv/bin/pip install --quiet openpyxl==3.1.5 xlsxwriter==3.2.9 xlwt==1.3.0 msoffcrypto-tool==6.1.0
# The version of this package that exceljs requires no longer exists.
cat > package.json <<'end'
{"private": true, "dependencies": {"@e965/xlsx": "0.20.3", "exceljs": "4.4.0"}, "overrides": {"typedarray.prototype.slice": "1.0.5"}}
end
npm install --silent --no-audit --no-fund
for script in "$here/../make.py" "$here/texts.py" "$here/more_texts.py" "$here/workbooks.py"; do venv/bin/python "$script"; done
venv/bin/python "$here/other_writers.py" "$tools"
venv/bin/python "$here/hostile.py"
venv/bin/python "$here/odd.py"
venv/bin/python "$here/foreign.py"
