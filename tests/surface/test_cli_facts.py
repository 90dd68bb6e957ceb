"""What do `glossator facts`, `explain` and `recall` show of facts, as text and as JSON?"""

import pytest

FIRST = ("I live in Oslo. I love jazz.", "2026-01-05T10:00+01:00", "m1")
LATER = ("I hate jazz now.", "2026-06-05T10:00+01:00", "m2")


def told(cli, text, at, message_id, **options):
    arguments = {"at": at, "speaker": "Ana", "id": message_id, "conversation": "telegram:42"} | options
    return cli("record", text, *(part for name, value in arguments.items() for part in (f"--{name}", value)))


@pytest.fixture
def ana(cli):
    """A memory in which Ana has changed her mind about jazz."""
    told(cli, *FIRST)
    told(cli, *LATER)
    return cli


def listed(cli, *flags):
    return {fact["text"].rstrip("."): fact for fact in cli("facts", "list", "--json", *flags).json["facts"]}


def test_facts_are_listed_with_their_state_sort_and_date_the_latest_first(ana):
    shown = ana("facts", "list")

    assert shown.code == 0
    assert shown.out.index("Ana: I hate jazz now") < shown.out.index("Ana: I live in Oslo.")
    assert "current · identity · said Mon 5 Jan 2026 · telegram:42" in shown.out
    assert "I love jazz" not in shown.out


def test_facts_are_listed_by_category_by_state_and_as_they_stood(ana):
    assert set(listed(ana)) == {"I hate jazz now", "I live in Oslo"}
    assert set(listed(ana, "--category", "identity")) == {"I live in Oslo"}
    assert set(listed(ana, "--state", "superseded")) == {"I love jazz"}
    assert set(listed(ana, "--as-of", "2026-02-01")) == {"I love jazz", "I live in Oslo"}
    assert set(listed(ana, "--state", "active", "--state", "superseded")) == {
        "I love jazz",
        "I hate jazz now",
        "I live in Oslo",
    }
    assert ana("facts", "list", "--as-of", "2026-02-01").out.startswith("as of 2026-02-01\n")


def test_a_list_that_was_cut_says_so(ana):
    cut = ana("facts", "list", "-n", "1", "--json").json

    assert (len(cut["facts"]), cut["more"]) == (1, True)
    assert "--limit shows them" in ana("facts", "list", "-n", "1").out
    assert "--limit" not in ana("facts", "list").out


def test_an_empty_list_says_what_to_do_next(cli):
    cli("record", "Good morning.")
    assert "glossator record" in cli("facts", "list").out

    told(cli, *FIRST)
    assert "--state superseded" in cli("facts", "list", "--category", "goal").out

    cli("record", "I live in Bonn.", "--no-embed", "--owner", "ben")
    assert "glossator worker --once" in cli("facts", "list", "--owner", "ben").out


def test_facts_without_a_verb_says_which_there_are(cli):
    result = cli("facts")

    assert (result.code, result.err) == (0, "")
    assert all(verb in result.out for verb in ("list", "show", "history", "restore", "forget"))


# proves: K22
@pytest.mark.parametrize("flag", ["--workspace", "--agent", "--owner"])
def test_facts_of_another_scope_are_neither_listed_nor_shown_nor_forgotten(ana, flag):
    assert listed(ana, flag, "other") == {}
    for verb in (["facts", "show"], ["facts", "history"], ["facts", "restore"], ["facts", "forget"], ["explain"]):
        result = ana(*verb, "f1", flag, "other")
        assert result.code == 2
        assert "f1" in result.err
    assert ana("facts", "forget", "--containing", "jazz", "--yes", flag, "other").code == 2
    assert len(listed(ana)) == 2


def test_a_fact_is_shown_with_all_that_is_known_and_the_words_that_it_rests_on(ana):
    fact = listed(ana)["I live in Oslo"]

    shown = ana("facts", "show", fact["id"])
    value = ana("facts", "show", fact["id"], "--json").json

    assert "“I live in Oslo.”" in shown.out
    assert "Ana, Mon 5 Jan 2026, 10:00 +01:00" in shown.out
    assert "telegram:42 · id m1" in shown.out
    assert value["fact"] == fact
    assert value["evidence"][0]["quote"] == "I live in Oslo."
    assert value["evidence"][0]["external_id"] == "m1"


def test_explain_gives_the_sentence_the_date_with_its_zone_the_decisions_and_the_versions(ana):
    fact_id = listed(ana, "--state", "superseded")["I love jazz"]["id"]
    current = listed(ana)["I hate jazz now"]["id"]

    shown = ana("explain", fact_id).out
    value = ana("explain", fact_id, "--json").json

    assert f"no longer so since Fri 5 Jun 2026, see {current}" in shown
    assert "Ana, Mon 5 Jan 2026, 10:00 +01:00" in shown
    assert "“I love jazz.”" in shown
    assert "kept as a new fact" in shown
    assert [fact["id"] for fact in value["chain"]] == [fact_id, current]
    assert [each["decision"] for each in value["decided"]] == ["admit"]
    assert [each["to_state"] for each in value["changes"]] == ["superseded"]
    assert value["evidence"][0]["said"]["offset_minutes"] == 60


def test_history_shows_the_versions_oldest_first(ana):
    current = listed(ana)["I hate jazz now"]["id"]

    shown = ana("facts", "history", current).out

    assert shown.index("I love jazz") < shown.index("I hate jazz now")
    versions = ana("facts", "history", current, "--json").json["versions"]
    assert [fact["state"] for fact in versions] == ["superseded", "active"]


# proves: D9
def test_forgetting_shows_first_and_does_it_only_with_yes(ana):
    preview = ana("facts", "forget", "--containing", "oslo")
    assert (preview.code, "I live in Oslo." in preview.out) == (0, True)
    assert "--yes" in preview.err
    assert ana("facts", "forget", "--containing", "oslo", "--json").json["receipt"] is None
    assert "I live in Oslo" in listed(ana)

    done = ana("facts", "forget", "--containing", "oslo", "--yes", "--json").json

    assert [fact["state"] for fact in done["receipt"]["facts"]] == ["invalidated"]
    assert "I live in Oslo" not in listed(ana)
    assert FIRST[0] in [hit["text"] for hit in ana("recall", "Where do I live?", "--json").json["hits"]]


# proves: D9, K23
@pytest.mark.parametrize("target", [[], [""], ["f1", "--containing", "jazz"], ["--containing", "%"],
                                    ["--containing", "j_zz"], ["--containing", "jazz*"], ["*"], ["f99"]])  # fmt: skip
def test_what_names_no_fact_exactly_is_refused_and_touches_nothing(ana, target):
    result = ana("facts", "forget", *target, "--yes")

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(("glossator: ID: ", "glossator: --containing: "))
    assert len(listed(ana)) == 2


def test_a_forgotten_fact_is_restored_and_one_whose_place_is_taken_is_not(ana):
    fact_id = listed(ana)["I live in Oslo"]["id"]
    replaced = listed(ana, "--state", "superseded")["I love jazz"]["id"]
    ana("facts", "forget", fact_id, "--yes")

    restored = ana("facts", "restore", fact_id)
    refused = ana("facts", "restore", replaced)

    assert (restored.code, "I live in Oslo." in restored.out) == (0, True)
    assert listed(ana)["I live in Oslo"]["state"] == "active"
    assert (refused.code, refused.err.startswith("glossator: ID: ")) == (2, True)


def test_erased_words_are_gone_from_the_fact_its_evidence_and_its_decisions(ana):
    fact_id = listed(ana)["I live in Oslo"]["id"]

    ana("facts", "forget", fact_id, "--erase", "--yes")

    shown = [ana(*verb, fact_id, *flags).out for verb in (["facts", "show"], ["explain"]) for flags in ([], ["--json"])]
    assert all("Oslo" not in each and "oslo" not in each for each in shown)
    assert ana("facts", "restore", fact_id).code == 2


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["facts", "list", "--category", "trivia"], "--category"),
        (["facts", "list", "--state", "gone"], "--state"),
        (["facts", "list", "--as-of", "soon"], "--as-of"),
        (["facts", "list", "-n", "0"], "--limit"),
        (["facts", "show", "fx"], "ID"),
        (["facts", "restore", "f99"], "ID"),
        (["explain", "nonsense"], "ID"),
    ],
)
def test_a_wrong_argument_is_named_as_it_was_typed(ana, arguments, named):
    result = ana(*arguments)

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"glossator: {named}: ")
    assert ana(*arguments, "--json").json["error"]["argument"] == named


def test_facts_of_a_memory_that_is_not_there_are_told_with_code_one(cli, tmp_path):
    for verb in (["facts", "list"], ["facts", "show", "f1"], ["explain", "f1"]):
        assert cli(*verb, "--db", tmp_path / "typo.db").code == 1
    assert not (tmp_path / "typo.db").exists()


def test_recall_shows_the_facts_below_a_hit_with_their_state(ana):
    shown = ana("recall", "jazz").out

    assert "I hate jazz now" in shown
    assert "current" in shown
    assert "no longer so since Fri 5 Jun 2026" in shown


# proves: O22
def test_recall_gives_the_link_of_a_derived_hit_and_none_for_verbatim_words(ana):
    verbatim = ana("recall", "Where do I live?", "--namespace", "episodic", "--json").json["hits"]
    derived = ana("recall", "Where do I live?", "--namespace", "knowledge", "--json").json["hits"]

    assert [hit["link"] for hit in verbatim] == [None, None]
    assert {hit["text"]: hit["link"] for hit in derived}["I live in Oslo."] == "m1"
    assert all("id" in fact for hit in verbatim for fact in hit["facts"])


def test_recall_finds_facts_that_hold_no_more_when_asked(ana):
    def texts(*flags):
        hits = ana("recall", "jazz", "--namespace", "preference", "--json", *flags).json["hits"]
        return {hit["text"].rstrip(".") for hit in hits}

    assert texts() == {"I hate jazz now"}
    assert texts("--history") == {"I hate jazz now", "I love jazz"}


def test_without_an_embedder_facts_are_taken_all_the_same(cli):
    told(cli, *FIRST, embedder="none")
    cli("record", "I am allergic to peanuts.", "--no-embed")
    cli("worker", "--once", "--embedder", "none")

    assert set(listed(cli, "--embedder", "none")) == {"I love jazz", "I live in Oslo", "I am allergic to peanuts"}


def test_status_counts_the_facts(ana):
    value = ana("status", "--json").json

    assert (value["file"]["fact_count"], value["scope"]["fact_count"]) == (2, 2)
    assert "facts" in ana("status").out


# proves: K20, O18
def test_forgetting_a_message_shows_and_takes_the_facts_that_rest_on_it(ana):
    shown = ana("forget", "m2", "--yes").out

    assert "1 message (1 chunk, 1 fact)" in shown
    assert "jazz" not in ana("facts", "list", "--state", "active", "--json").out
    assert "hate" not in ana("explain", "f3", "--json").out


def test_what_was_stored_does_not_steer_the_terminal(cli):
    told(cli, "My cat is called \x1b[31mRed\x1b[0m. I live in Oslo.", "2026-01-05", "m1")

    for verb in (["facts", "list"], ["facts", "show", "f1"], ["explain", "f1"], ["recall", "cat"]):
        assert "\x1b" not in cli(*verb).out


def test_facts_are_archived_deprioritised_and_reinstated_with_the_reason_in_their_audit(ana):
    assert ana("facts", "archive", "f1", "f3", "--reason", "not now").out.count("archived") == 2
    assert listed(ana) == {}
    again = ana("facts", "archive", "f1")
    assert (again.code, again.err.count("f1 is archived, it cannot become archived")) == (2, 1)
    assert ana("facts", "reinstate", "f1", "f3").out.count("current") == 2
    answer = ana("facts", "deprioritise", "f1", "--hint", "back in Oslo", "--json").json
    assert [(each["id"], each["state"]) for each in answer["facts"]] == [("f1", "deprioritised")]
    shown = ana("explain", "f1").out
    assert "active to archived  not now (by operator)" in shown
    told(ana, "Now I am back in Oslo for good.", "2026-07-01T10:00Z", "m9")
    assert listed(ana)["I live in Oslo"]["state"] == "active"


def test_a_fact_that_cannot_be_moved_is_told_by_its_id_and_nothing_is_changed(ana):
    for verb, problem in (("archive", "f99 is not in this scope"), ("reinstate", "f1 is active, not put away")):
        refused = ana("facts", verb, "f1" if verb == "reinstate" else "f99", "f3")
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.startswith("glossator: ID: ")
        assert problem in refused.err
    assert ana("facts", "archive", "f1", "--reason", " ").err.startswith("glossator: --reason: ")
    assert set(listed(ana)) == {"I live in Oslo", "I hate jazz now"}
