"""What others wrote and the inspector ships is what their packages ship, with its licence."""

import hashlib
import re
from importlib.resources import files

VENDOR = files("glossator.surfaces.web") / "static" / "vendor"
ROW = re.compile(
    r"^\| (?P<file>\S+) \| \S+ \| [\d.]+ \| \S+ \| \[\w+\]\((?P<licence>\S+)\) \| (?P<sha256>[0-9a-f]{64}) \|$", re.M
)


def test_every_vendored_file_is_listed_with_its_hash_and_its_licence() -> None:
    rows = list(ROW.finditer((VENDOR / "VENDORED.md").read_text(encoding="utf-8")))
    assets = {each.name for each in VENDOR.iterdir() if each.name.endswith((".js", ".css"))}

    assert {row["file"] for row in rows} == assets == {
        "htmx.min.js", "uPlot.iife.min.js", "uPlot.min.css", "cytoscape.min.js",
    }  # fmt: skip
    for row in rows:
        assert hashlib.sha256((VENDOR / row["file"]).read_bytes()).hexdigest() == row["sha256"], row["file"]
        assert "Permission" in (VENDOR / row["licence"]).read_text(encoding="utf-8")


def test_no_vendored_file_asks_for_another_one() -> None:
    for asset in ("htmx.min.js", "uPlot.iife.min.js", "uPlot.min.css", "cytoscape.min.js"):
        text = (VENDOR / asset).read_text(encoding="utf-8")
        assert "sourceMappingURL" not in text
        assert not re.search(r"@import|url\(\s*['\"]?https?:", text)
