"""What does `glossator config` show of the choices, and what does it refuse?"""

import pytest

from glossator.configuring import FLAGS


def settings_in(document):
    return {each["option"]: (each["value"], each["origin"]) for each in document["options"]}


# proves: A87
def test_the_dump_of_the_flags_equals_the_table(cli):
    shown = settings_in(cli("config", "--json").json)

    assert [shown[name] for name in FLAGS] == [
        (False, "default"),
        (True, "default"),
        (False, "default"),
        (False, "default"),
        (5, "default"),
        (1.0, "default"),
        (100, "default"),
    ]


def test_each_value_stands_with_the_place_it_comes_from(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("GLOSSATOR_CAPTURE_MODE", "off")
    monkeypatch.setenv("TURN_FACT_QUEUE_MAXSIZE", "7")
    file = tmp_path / "mine.toml"
    file.write_text('[glossator]\nturn_fact_max_per_turn = 2\nturn_fact_queue_maxsize = 9\nzone = "Europe/Oslo"\n')

    shown = settings_in(cli("config", "--file", file, "--zone", "Europe/Rome", "--json").json)

    assert shown["capture_mode"] == ("off", "environment GLOSSATOR_CAPTURE_MODE")
    assert shown["turn_fact_queue_maxsize"] == (7, "environment TURN_FACT_QUEUE_MAXSIZE")
    assert shown["turn_fact_max_per_turn"] == (2, f"file {file}")
    assert shown["embedder"] == ("hashing", "environment GLOSSATOR_EMBEDDER")
    assert shown["zone"] == ("Europe/Rome", "--zone")
    assert shown["worker"] == (True, "default")


def test_a_person_sees_a_table(cli, monkeypatch):
    monkeypatch.setenv("GLOSSATOR_TIERS", "scribe=INTERN")
    monkeypatch.setenv("COLUMNS", "140")

    result = cli("config")

    assert result.code == 0
    assert result.out.splitlines()[0].split() == ["option", "value", "origin"]
    lines = {line.split()[0]: line.split()[1:] for line in result.out.splitlines()[2:]}
    assert lines["tiers"] == ["scribe=INTERN", "environment", "GLOSSATOR_TIERS"]
    assert lines["redact_secrets"] == ["true", "default"]


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("GLOSSATOR_CAPTURE_MODE", "often", "choose from offline, review, per_turn, both, off"),
        ("TURN_FACT_MAX_PER_TURN", "none", "whole number"),
        ("GLOSSATOR_CAPTURE_MODE", "both", "turn_fact_extraction_enabled"),
    ],
)
def test_an_invalid_value_exits_with_2_and_names_what_is_allowed(cli, monkeypatch, variable, value, named):
    monkeypatch.setenv(variable, value)

    result = cli("config")

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"glossator: {variable}: ")
    assert named in result.err


def test_an_unknown_name_in_the_file_exits_with_2_and_names_those_there_are(cli, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[glossator]\nturn_fact_limit = 2\n")

    result = cli("config", "--file", file)

    assert result.code == 2
    assert "--file" in result.err
    assert "turn_fact_max_per_turn" in result.err


def test_a_password_in_a_value_is_not_shown(cli, monkeypatch):
    monkeypatch.setenv("GLOSSATOR_RERANKER", "cross-encoder:https://ana:s3cr3t-w0rd@models.example/x")
    monkeypatch.setenv("GLOSSATOR_EMBEDDER_KEY", "sk-proj-abcdefghij0123456789")

    for result in (cli("config"), cli("config", "--json")):
        assert result.code == 0
        assert "s3cr3t" not in result.out
        assert "sk-proj" not in result.out


def test_it_opens_no_memory(cli, tmp_path):
    assert cli("config").code == 0
    assert not (tmp_path / "memory.db").exists()
