"""Creates workbooks with SheetJS, ExcelJS and LibreOffice, byte-identical in every run. Run it after workbooks.py.

    python3 core/tests/files/make/other_writers.py FOLDER
where FOLDER has a node_modules with the packages that other_writers.mjs imports. Needs LibreOffice 7.4 (`soffice`).
"""

import pathlib
import subprocess
import sys
import tempfile

from reproducible import HERE, write

MAKE = pathlib.Path(__file__).parent
FILTERS = {"xlsx": "Calc MS Excel 2007 XML", "xls": "MS Excel 97", "ods": "calc8"}


def convert(source, ending, folder):
    """Returns a workbook as LibreOffice saves it."""
    home = pathlib.Path(folder) / "home"
    command = ["soffice", f"-env:UserInstallation=file://{home}", "--headless", "--convert-to", f"{ending}:{FILTERS[ending]}", "--outdir", folder]
    subprocess.run([*command, str(source)], check=True, stdout=subprocess.DEVNULL)
    return (pathlib.Path(folder) / f"{source.stem}.{ending}").read_bytes()


with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["node", str(MAKE / "other_writers.mjs"), folder, sys.argv[1]], check=True)
    for file in sorted(pathlib.Path(folder).glob("*.*")):
        write(file.name, file.read_bytes())
with tempfile.TemporaryDirectory() as folder:
    for ending in ("xlsx", "xls", "ods"):
        write(f"libreoffice-oddities.{ending}", convert(HERE / "xlsxwriter-oddities.xlsx", ending, folder))
        write(f"libreoffice-dates.{ending}", convert(HERE / "xlsxwriter-dates.xlsx", ending, folder))
    write("libreoffice-1904.xls", convert(HERE / "xlsxwriter-1904.xlsx", "xls", folder))
    write("libreoffice-numbers.xls", convert(HERE / "xlsxwriter-numbers.xlsx", "xls", folder))
    write("libreoffice-far-cell.ods", convert(HERE / "far-cell.xlsx", "ods", folder))
