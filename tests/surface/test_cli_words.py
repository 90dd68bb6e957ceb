"""One statement in, one block out: `glossator remember`, `context` and `facts search`."""


def test_a_statement_becomes_a_fact_and_closes_what_it_replaces(cli):
    first = cli("remember", "I live in Oslo.", "--speaker", "Ana", "--category", "identity")
    later = cli("remember", "I live in Bonn.", "--speaker", "Ana", "--category", "identity", "--json").json

    assert first.out.startswith("kept as a new fact")
    assert later["decided"]["decision"] == "supersede"
    assert later["fact"]["text"] == "I live in Bonn."
    assert [each["id"] for each in cli("facts", "list", "--json").json["facts"]] == [later["fact"]["id"]]


def test_whoever_holds_the_file_may_say_how_the_agent_shall_behave(cli):
    kept = cli("remember", "Never deploy on a Friday.", "--category", "directive", "--json").json

    assert (kept["fact"]["category"], kept["fact"]["source_trust"]) == ("directive", "operator")


def test_what_is_wrong_with_a_statement_is_said_in_the_words_of_the_command_line(cli):
    for arguments, named in (
        ([""], "TEXT"),
        (["I live in Oslo.", "--category", "mood"], "--category"),
        (["I live in Oslo.", "--at", "soonish"], "--at"),
        (["I live in Oslo.", "--expires", "2001-01-01"], "--expires"),
        (["I live in Oslo.", "--within", "world"], "--within"),
    ):
        refused = cli("remember", *arguments)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.startswith(f"glossator: {named}: "), refused.err


def test_a_statement_may_end_belong_to_a_project_and_carry_tags(cli):
    arguments = ("--expires", "2099-01-01", "--project", "boat", "--tag", "sea", "--tag", "wood", "--at", "2026-01-05")
    fact = cli("remember", "The hull's paint is O'Malley green.", *arguments, "--json").json["fact"]

    assert (fact["project"], set(fact["tags"])) == ("boat", {"sea", "wood"})
    assert fact["expires_at"].startswith("2099-01-01")
    assert fact["valid_from"].startswith("2026-01-05")


def test_a_request_gets_its_block_and_nothing_else_on_stdout(cli):
    cli("record", "I keep the boat in Bergen.", "--speaker", "Ana")

    shown = cli("context", "Where do I keep the boat in Bergen?")

    assert shown.out.startswith("<memory-context")
    assert shown.out.endswith("</memory-context>\n")
    assert "Ana: I keep the boat in Bergen." in shown.out
    assert "tokens" in shown.err


def test_a_request_that_gets_no_block_is_told_why(cli):
    cli("record", "I keep the boat in Bergen.")

    shown = cli("context", "hi")

    assert (shown.code, shown.out) == (0, "")
    assert "trivial" in shown.err
    assert cli("context", "hi", "--json").json["skipped"] == "trivial"


def test_a_block_keeps_to_its_budget(cli):
    for number in range(30):
        cli("record", f"I keep boat number {number} in Bergen.", "--no-embed")

    block = cli("context", "Which boat do I keep in Bergen?", "--budget", "120", "--json").json

    assert 0 < block["token_count"] <= 120


def test_facts_are_found_by_their_words_and_by_state(cli):
    cli("remember", "I live in Oslo.", "--category", "identity")
    cli("remember", "I live in Bonn.", "--category", "identity")

    assert [fact["text"] for fact in cli("facts", "search", "Bonn", "--json").json["facts"]] == ["I live in Bonn."]
    gone = cli("facts", "search", "Oslo", "--state", "superseded", "--json").json["facts"]
    assert [fact["text"] for fact in gone] == ["I live in Oslo."]
    assert "no facts" in cli("facts", "search", "xylophone", "--owner", "ben").out
