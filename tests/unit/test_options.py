"""Choices: their defaults, where they are read from, and what is refused."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.configuring import BARE_NAMES, FLAGS
from glossator.errors import UsageError
from glossator.options import Options
from glossator.wiring import options_from, origins_from

Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(text: str) -> Path:
        path = tmp_path / "glossator.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


# proves: A87
def test_the_seven_flags_have_the_names_and_defaults_of_the_table() -> None:
    options = options_from({})

    assert {name.upper(): getattr(options, name) for name in FLAGS} == {
        "TURN_FACT_EXTRACTION_ENABLED": False,
        "TURN_FACT_PRE_COMPRESS_ENABLED": True,
        "TURN_FACT_VECTOR_RECALL_ENABLED": False,
        "LANCEDB_CLOUD_ENABLED": False,
        "TURN_FACT_MAX_PER_TURN": 5,
        "TURN_FACT_EXTRACTION_SAMPLE_RATE": 1.0,
        "TURN_FACT_QUEUE_MAXSIZE": 100,
    }


# proves: A25
def test_by_default_rules_extract_and_no_model_is_asked() -> None:
    assert Options().extracts_by == "rules"
    assert not Options().turn_fact_extraction_enabled
    assert Options().language_model == "none"


@pytest.mark.parametrize(
    ("mode", "enabled", "by"),
    [
        ("off", False, "none"),
        ("off", True, "none"),
        ("review", False, "none"),
        ("review", True, "none"),
        ("offline", False, "rules"),
        ("offline", True, "model"),
        ("per_turn", True, "model"),
        ("both", True, "model"),
    ],
)
def test_the_mode_and_the_flag_say_who_extracts(mode: str, enabled: bool, by: str) -> None:
    options = Options(capture_mode=mode, turn_fact_extraction_enabled=enabled)  # type: ignore[arg-type]

    assert options.extracts_by == by


@pytest.mark.parametrize("mode", ["per_turn", "both"])
def test_a_mode_that_calls_a_model_needs_the_flag(mode: str) -> None:
    with pytest.raises(UsageError, match="turn_fact_extraction_enabled"):
        Options(capture_mode=mode)  # type: ignore[arg-type]


def test_a_model_that_is_to_extract_must_be_named_or_handed_in() -> None:
    options = Options(turn_fact_extraction_enabled=True)

    with pytest.raises(UsageError, match=r"options\.language_model"):
        options.checked_model(given=False)
    options.checked_model(given=True)
    replace(options, language_model="ollama:qwen3").checked_model(given=False)
    Options().checked_model(given=False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("capture_mode", "sometimes"),
        ("facts_join", "glued"),
        ("prompt_sensitivity_max", "secret"),
        ("turn_fact_extraction_sample_rate", 1.1),
        ("turn_fact_extraction_sample_rate", -0.1),
        ("turn_fact_extraction_sample_rate", float("nan")),
        ("fact_weight", 2.0),
        ("turn_fact_max_per_turn", 0),
        ("turn_fact_queue_maxsize", 0),
        ("turn_fact_cb_threshold", 0),
        ("turn_fact_cb_cooldown_s", -1.0),
        ("extraction_timeout_s", -1.0),
        ("busy_timeout_s", float("nan")),
        ("signals", frozenset({"hunch"})),
        ("tiers", {"scribe": "BOSS"}),
    ],
)
def test_a_value_out_of_its_range_is_refused_by_name_with_a_remedy(name: str, value: object) -> None:
    with pytest.raises(UsageError) as refused:
        Options(**{name: value})  # type: ignore[arg-type]

    assert refused.value.argument == f"options.{name}"
    assert refused.value.remedy


def test_options_with_tiers_can_be_compared_and_hashed() -> None:
    one, same = Options(tiers={"a": "INTERN"}), Options(tiers={"a": "INTERN"})

    assert one == same
    assert hash(one) == hash(same)
    assert one != Options()


@pytest.mark.parametrize("name", BARE_NAMES)
def test_a_flag_is_read_with_and_without_the_prefix_and_with_it_first(name: str) -> None:
    texts = {False: "true", True: "false"}
    default = getattr(Options(), name)
    other, third = (texts[default], str(default)) if isinstance(default, bool) else ("0.5", "0.25")
    if isinstance(default, int) and not isinstance(default, bool):
        other, third = "7", "8"

    bare = getattr(options_from({name.upper(): other}), name)
    both = getattr(options_from({name.upper(): third, f"GLOSSATOR_{name.upper()}": other}), name)

    assert bare == both != default
    assert origins_from({name.upper(): other})[name] == f"environment {name.upper()}"


@pytest.mark.parametrize("name", [field.name for field in fields(Options) if field.name not in BARE_NAMES])
def test_any_other_option_is_read_with_the_prefix_only(name: str) -> None:
    assert options_from({name.upper(): "nonsense"}) == Options()


def test_the_environment_comes_before_the_file_and_the_file_before_the_default(written: Written) -> None:
    file = written('[glossator]\nzone = "Europe/Oslo"\nturn_fact_max_per_turn = 3\n')
    environment = {"GLOSSATOR_TURN_FACT_MAX_PER_TURN": "4"}

    options, origins = options_from(environment, file), origins_from(environment, file)

    assert (options.zone, options.turn_fact_max_per_turn) == ("Europe/Oslo", 4)
    assert origins["zone"] == f"file {file}"
    assert origins["turn_fact_max_per_turn"] == "environment GLOSSATOR_TURN_FACT_MAX_PER_TURN"
    assert origins["facts_join"] == "default"
    assert list(origins) == [field.name for field in fields(Options)]


@pytest.mark.parametrize(
    "text",
    [
        '[glossator]\ncapture_mode = "off"\n',
        '[glossator]\n"capture.mode" = "off"\n',
        '[glossator]\ncapture.mode = "off"\n',
        '[glossator.capture]\nmode = "off"\n',
    ],
)
def test_the_mode_may_stand_in_a_table_of_its_own(written: Written, text: str) -> None:
    assert options_from({}, written(text)).capture_mode == "off"


def test_tiers_are_a_table_in_the_file_and_pairs_in_the_environment(written: Written) -> None:
    file = written('[glossator.tiers]\nscribe = "SUPERVISED"\n"agent.two" = "junior"\n')

    assert options_from({}, file).tiers == {"scribe": "SUPERVISED", "agent.two": "junior"}
    assert options_from({"GLOSSATOR_TIERS": "scribe=INTERN, other = STUDENT"}).tiers == {
        "scribe": "INTERN",
        "other": "STUDENT",
    }
    assert options_from({"GLOSSATOR_TIERS": ""}).tiers == {}


@pytest.mark.parametrize(
    ("variable", "text", "named"),
    [
        ("GLOSSATOR_CAPTURE_MODE", "often", "offline, review, per_turn, both, off"),
        ("GLOSSATOR_FACTS_JOIN", "glue", "off, separate, merge, replace"),
        ("TURN_FACT_EXTRACTION_ENABLED", "perhaps", "true and false"),
        ("TURN_FACT_MAX_PER_TURN", "2.5", "whole number"),
        ("TURN_FACT_MAX_PER_TURN", "0", "positive"),
        ("TURN_FACT_EXTRACTION_SAMPLE_RATE", "nan", "number"),
        ("TURN_FACT_EXTRACTION_SAMPLE_RATE", "2", "from 0 to 1"),
        ("GLOSSATOR_TIERS", "scribe", "agent=INTERN"),
        ("GLOSSATOR_TIERS", "a=STUDENT,a=INTERN", "agent=INTERN"),
        ("GLOSSATOR_TIERS", "scribe=BOSS", "STUDENT, INTERN, SUPERVISED, AUTONOMOUS"),
        ("GLOSSATOR_SIGNALS", "hunch", "lexical"),
    ],
)
def test_a_wrong_variable_is_named_with_what_it_may_be(variable: str, text: str, named: str) -> None:
    with pytest.raises(UsageError) as refused:
        options_from({variable: text})

    assert refused.value.argument == variable
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[glossator]\nturn_fact_max = 3\n", "turn_fact_max_per_turn"),
        ("[glossator.capture]\nmodus = 'off'\n", "capture_mode"),
        ("[glossator]\ncapture_mode = 'often'\n", "offline, review, per_turn, both, off"),
        ("[glossator]\ncapture_mode = 'off'\ncapture.mode = 'off'\n", "twice"),
        ("[glossator]\nturn_fact_max_per_turn = true\n", "whole number"),
        ("[glossator]\nturn_fact_max_per_turn = 2.5\n", "whole number"),
        ("[glossator]\nembedder = 3\n", "text"),
        ("[glossator]\nsignals = 3\n", "list of words"),
        ("[glossator.tiers]\nscribe = 3\n", "table of tiers"),
        ("glossator = 3\n", "no table"),
        ("[glossator\n", "cannot be read"),
    ],
)
def test_a_wrong_file_is_named_with_what_may_stand_there(written: Written, text: str, named: str) -> None:
    file = written(text)

    with pytest.raises(UsageError, match=r"glossator\.toml") as refused:
        options_from({}, file)
    assert named in str(refused.value)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "none.toml", tmp_path / "binary.toml", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            options_from({}, path)


def test_a_variable_that_is_no_option_is_ignored() -> None:
    assert options_from({"GLOSSATOR_PORT": "tcp://10.0.0.1:80", "ZONE": "Mars"}) == Options()


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from([f"GLOSSATOR_{each.name.upper()}" for each in fields(Options)]), st.text()))
def test_whatever_the_environment_holds_it_is_taken_or_refused_by_name(environment: dict[str, str]) -> None:
    try:
        options = options_from(environment)
    except UsageError as error:
        refused = error.argument
    else:
        refused = ""
        assert options == replace(options)
    assert refused in ("", *environment)
