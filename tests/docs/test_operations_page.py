"""The page of operations is true: its table is what the code counts, its units and its container file can be run."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from glossator.meters import GAUGES, METERS, TIMED_VERBS, VERB_SECONDS, Meters, Reading
from glossator.surfaces.watch.asgi import ServerMeters

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
FENCED = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
UNITS = {
    found[1]: text for kind, text in FENCED if kind == "ini" and (found := re.match(r"# .*/([\w.-]+)\n", text))
}  # fmt: skip


def fences(kind: str) -> list[str]:
    return [text for each, text in FENCED if each == kind]


def shown() -> dict[str, tuple[str, tuple[str, ...]]]:
    """The type and the labels of everything that a memory and a server show."""
    meters, server = Meters(), ServerMeters()
    for name, meter in METERS.items():
        if meter.label and not meter.known:
            (meters.shows if meter.gauge else meters.counted)(name, 1, **{meter.label: "x"})
    meters.took("recall", 1)
    server.began()
    server.ended(route="/x", method="GET", status=200, seconds=1)
    readings = [Reading(name=name, value=1, label="x" if gauge.label else "") for name, gauge in GAUGES.items()]
    families = text_string_to_metric_families(meters.exposition(readings) + server.exposition())
    found = {}
    for family in families:
        name = f"{family.name}_total" if family.type == "counter" else family.name
        labels = {label for sample in family.samples for label in sample.labels} - {"le"}
        found[name] = (family.type, tuple(sorted(labels)))
    return found


def test_the_table_of_metrics_is_what_is_counted() -> None:
    rows = re.findall(r"^\| `(glossator_\w+)` \| (\w+)(?:, now)? \|\s*(.*?)\s*\| .+ \|$", PAGE, re.MULTILINE)
    table = {name: (kind, tuple(sorted(re.findall(r"`(\w+)`", labels)))) for name, kind, labels in rows}
    assert len(rows) == len(table)
    assert table == shown()


def test_the_table_says_which_gauges_are_read_from_the_store_and_which_verbs_are_timed() -> None:
    assert set(re.findall(r"^\| `(glossator_\w+)` \| gauge, now \|", PAGE, re.MULTILINE)) == set(GAUGES)
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{VERB_SECONDS}`")]
    assert all(verb in row for verb in TIMED_VERBS)


def test_alerts_and_examples_name_metrics_that_there_are() -> None:
    names = set(re.findall(r"\bglossator_[a-z_]+", PAGE))
    known = set(shown()) | {f"{name}_{part}" for name in shown() for part in ("bucket", "count", "sum")}
    assert {name for name in names if name not in known} <= {"glossator_"}
    scrape, alerts = (yaml.safe_load(text) for text in fences("yaml"))
    assert scrape["scrape_configs"][0]["static_configs"][0]["targets"] == ["127.0.0.1:8377"]
    for rule in alerts["groups"][0]["rules"]:
        assert rule.keys() == {"alert", "expr", "for", "annotations"}
        assert rule["expr"].count("(") == rule["expr"].count(")")


def test_the_line_of_the_access_log_is_one_of_ours() -> None:
    (line,) = fences("json")
    assert list(json.loads(line)) == [
        "time", "level", "event", "method", "route", "status", "duration_ms", "key", "request_id", "logger",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_the_units_are_valid_and_the_server_is_locked_in(tmp_path: Path) -> None:
    assert set(UNITS) == {"glossator.service", "glossator-backup.service", "glossator-backup.timer"}
    for name, text in UNITS.items():
        runnable = text.replace("/opt/glossator/bin/glossator", sys.executable).replace("User=glossator", "User=daemon")
        (tmp_path / name).write_text(runnable.replace("Group=glossator", "Group=daemon"))
    environment = {**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    for name in UNITS:
        checked = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)],
            capture_output=True, text=True, timeout=60, env=environment, check=False,
        )  # fmt: skip
        own = [line for line in checked.stderr.splitlines() if name in line or "Unknown" in line]
        assert (checked.returncode, own) == (0, []), checked.stderr
    exposure = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(tmp_path / "glossator.service")],
        capture_output=True, text=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    assert exposure.returncode == 0, exposure.stdout[-800:] + exposure.stderr


def instructions() -> list[tuple[str, str]]:
    """The lines of the container file, those that go on joined."""
    (text,) = fences("dockerfile")
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in lines]


def test_the_container_runs_as_nobody_special_with_a_volume() -> None:
    found = dict(instructions())
    assert [name for name, _ in instructions()] == [
        "FROM", "RUN", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "CMD",
    ]  # fmt: skip
    assert int(found["USER"]) > 999
    variables = dict(each.split("=", 1) for each in shlex.split(found["ENV"]))
    assert Path(variables["GLOSSATOR_DB"]).parent == Path(found["VOLUME"])
    assert found["EXPOSE"] in json.loads(found["CMD"])
    for _, command in [each for each in instructions() if each[0] == "RUN"]:
        assert subprocess.run(["sh", "-n", "-c", command], check=False, timeout=20).returncode == 0


def glossator(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "glossator.surfaces.cli", *arguments]


def test_what_the_container_runs_starts_is_healthy_and_ends(tmp_path: Path) -> None:
    found = dict(instructions())
    (python, flag, script) = json.loads(found["HEALTHCHECK"].partition("CMD ")[2])
    entry, command = json.loads(found["ENTRYPOINT"]), json.loads(found["CMD"])
    assert (entry, python) == (["glossator"], "python")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [port if each == found["EXPOSE"] else each.replace("0.0.0.0", "127.0.0.1") for each in command]
    environment = {
        "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), "HOME": str(tmp_path),
        "GLOSSATOR_DB": str(tmp_path / "memory.db"), "GLOSSATOR_EMBEDDER": "hashing",
    }  # fmt: skip
    subprocess.run(glossator("key", "add", "assistant"), env=environment, check=True, timeout=60, capture_output=True)
    server = subprocess.Popen(glossator(*command), env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        _wait_for(f"http://127.0.0.1:{port}/health", server)
        check = [sys.executable, flag, script.replace(found["EXPOSE"], port)]
        assert subprocess.run(check, timeout=20, check=False).returncode == 0
        top = subprocess.run(glossator("top", "--once"), env=environment, timeout=60, capture_output=True, check=False)
        assert (top.returncode, b"messages 0" in top.stdout) == (0, True)
    finally:
        server.terminate()
        _, logged = server.communicate(timeout=30)
    assert server.returncode in (0, -15)
    assert all(json.loads(line)["time"] for line in logged.splitlines())
    assert subprocess.run(check, timeout=20, check=False, capture_output=True).returncode != 0


def _wait_for(url: str, server: Any) -> None:
    ends = time.monotonic() + 30
    while server.poll() is None and time.monotonic() < ends:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            server.poll()
    raise AssertionError(f"{url} does not answer")
