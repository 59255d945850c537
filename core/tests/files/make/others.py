"""Makes workbooks with SheetJS, ExcelJS and LibreOffice, the same bytes every time; after workbooks.py.

    python3 core/tests/files/make/others.py FOLDER
where FOLDER has the npm packages of others.mjs. Needs LibreOffice 7.4 (`soffice`).
"""

import pathlib
import subprocess
import sys
import tempfile

from still import HERE, write

MAKE = pathlib.Path(__file__).parent
FILTERS = {"xlsx": "Calc MS Excel 2007 XML", "xls": "MS Excel 97", "ods": "calc8"}


def converted(source, ending, folder):
    """What LibreOffice saves a workbook as."""
    home = pathlib.Path(folder) / "home"
    command = ["soffice", f"-env:UserInstallation=file://{home}", "--headless", "--convert-to", f"{ending}:{FILTERS[ending]}", "--outdir", folder]
    subprocess.run([*command, str(source)], check=True, stdout=subprocess.DEVNULL)
    return (pathlib.Path(folder) / f"{source.stem}.{ending}").read_bytes()


with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["node", str(MAKE / "others.mjs"), folder, sys.argv[1]], check=True)
    for made in sorted(pathlib.Path(folder).glob("*.*")):
        write(made.name, made.read_bytes())
with tempfile.TemporaryDirectory() as folder:
    for ending in ("xlsx", "xls", "ods"):
        write(f"libreoffice-oddities.{ending}", converted(HERE / "xlsxwriter-oddities.xlsx", ending, folder))
        write(f"libreoffice-dates.{ending}", converted(HERE / "xlsxwriter-dates.xlsx", ending, folder))
    write("libreoffice-1904.xls", converted(HERE / "xlsxwriter-1904.xlsx", "xls", folder))
    write("libreoffice-numbers.xls", converted(HERE / "xlsxwriter-numbers.xlsx", "xls", folder))
    write("libreoffice-far-cell.ods", converted(HERE / "far-cell.xlsx", "ods", folder))
