"""Writes samples. In files based on ZIP, one fixed time replaces all times of creation, so that every run writes the same bytes."""

import io
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).parent.parent
STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?")
PROPERTIES = ("docProps/core.xml", "meta.xml")
PAGE = re.compile(rb"<style:master-page .*?</style:master-page>", re.DOTALL)
# The date and time in the page's footer.
CLOCK = re.compile(rb"<text:(date|time)\b.*?</text:\1>")


def write(name, content):
    if content[:2] == b"PK":
        target = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zipped:
            for part in source.infolist():
                if part.is_dir() or part.filename.startswith(("Thumbnails/", "Configurations2/")):
                    continue
                entry = zipfile.ZipInfo(part.filename, (2024, 5, 17, 8, 30, 0))
                entry.compress_type = part.compress_type
                data = source.read(part.filename)
                if part.filename in PROPERTIES:
                    data = STAMP.sub(lambda match: b"2024-05-17T08:30:00Z"[: len(match.group())], data)
                if part.filename == "styles.xml":
                    # The order of the pages differs from run to run.
                    pages = PAGE.findall(data := CLOCK.sub(b"", data))
                    data = PAGE.sub(b"", data).replace(b"<office:master-styles>", b"<office:master-styles>" + b"".join(sorted(pages)))
                zipped.writestr(entry, data)
        content = target.getvalue()
    (HERE / name).write_bytes(content)
