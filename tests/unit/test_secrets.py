"""Keys and passwords go before anything is stored; what only looks like one stays."""

import json
import string
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glossator.rules.secrets import redacted, redacted_values

PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n"
    + "MIIEowIBAAKCAQEAvT0ng8b1kZcYt0rDq9yJt5l2o0\n" * 3
    + "abc=\n-----END RSA PRIVATE KEY-----"
)
SECRETS = {
    "OpenAI": ("use sk-abcdEFGH1234ijklMNOP5678 please", "sk-abcdEFGH1234ijklMNOP5678"),
    "OpenAI project": ("sk-proj-ab_cd-1234567890efgh", "sk-proj-ab_cd-1234567890efgh"),
    "Anthropic": ("key sk-ant-api03-AbC_d-1234567890, ok?", "sk-ant-api03-AbC_d-1234567890"),
    "the complaint's own": ("my key is sk-test-0000…", "sk-test-0000"),
    "AWS id": ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    "AWS temporary id": ("(ASIAIOSFODNN7EXAMPLE)", "ASIAIOSFODNN7EXAMPLE"),
    "AWS secret": (
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ),
    "GitHub": ("ghp_" + "a1B2" * 9, "ghp_" + "a1B2" * 9),
    "GitHub app": ("gho_" + "a1B2" * 9, "gho_" + "a1B2" * 9),
    "GitHub fine-grained": ("github_pat_11ABCDEFG0abcdefghij_klmnop", "github_pat_11ABCDEFG0abcdefghij_klmnop"),
    "GitLab": ("glpat-abcdefghij1234567890", "glpat-abcdefghij1234567890"),
    "Slack": ("xoxb-123456789012-abcdefGHIJ", "xoxb-123456789012-abcdefGHIJ"),
    "Slack webhook": (
        "https://hooks.slack.com/services/T0AAAAAAA/B0BBBBBBB/abcdefghijklmnopqrstuvwx",
        "abcdefghijklmnopqrstuvwx",
    ),
    "Google": ("AIza" + "Sy1_-" * 7, "AIza" + "Sy1_-" * 7),
    "Google OAuth": ("ya29.a0AfB_byC-1234567890abcdef", "ya29.a0AfB_byC-1234567890abcdef"),
    "npm": ("npm_" + "a1B2" * 9, "npm_" + "a1B2" * 9),
    "PyPI": ("pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDA", "pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDA"),
    "Hugging Face": ("hf_" + "aBcD" * 9, "hf_" + "aBcD" * 9),
    "Stripe": ("sk_live_" + "a1B2" * 6, "sk_live_" + "a1B2" * 6),
    "Stripe restricted": ("rk_live_" + "a1B2" * 6, "rk_live_" + "a1B2" * 6),
    "Stripe webhook": ("whsec_" + "a1B2" * 6, "whsec_" + "a1B2" * 6),
    "Twilio": ("SK" + "0123456789abcdef" * 2, "SK" + "0123456789abcdef" * 2),
    "SendGrid": ("SG." + "a1" * 11 + "." + "b2" * 21, "SG." + "a1" * 11 + "." + "b2" * 21),
    "JWT": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123"),
    "PEM": (f"here it is\n{PEM}\nthanks", PEM),
    "PEM that was cut off": ("-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234\nabc", "MIIEowIBAAKCAQEA1234\nabc"),
    "PEM in JSON": (json.dumps({"x": PEM}), "MIIEowIBAAKCAQEAvT0ng8b1kZcYt0rDq9yJt5l2o0"),
    "bearer header": ("Authorization: Bearer abcdef1234567890abcd", "abcdef1234567890abcd"),
    "basic header": ('curl -H "Authorization: Basic dXNlcjpwYXNz"', "dXNlcjpwYXNz"),
    "address": ("postgres://ana:s3cr3t@db.local/x", "s3cr3t"),
    "address in a query": ("https://x.example/?api_key=abc123def456&page=1", "abc123def456"),
    "connection string": ("Server=a;User Id=b;Password=hunter2;Timeout=3", "hunter2"),
    "password with is": ("password is hunter2", "hunter2"),
    "password that is a word": ("my password is swordfish.", "swordfish"),
    "password with a colon": ("Password: swordfish", "swordfish"),
    "password with a purpose": ("the password for the wifi is Hunter22", "Hunter22"),
    "password in quotes": ("the password is 'correct horse'", "correct horse"),
    "password with a mark": ("my wifi password is Rover123!", "Rover123!"),
    "short password": ("pwd=abc", "abc"),
    "passphrase": ("my passphrase is correct horse battery staple", "correct horse battery staple"),
    "seed phrase": ("seed phrase: apple brick cat dog eel fox", "apple brick cat dog eel fox"),
    "PIN": ("my PIN is 4821", "4821"),
    "JSON member": ('{"api_key": "abcd1234efgh", "n": 1}', "abcd1234efgh"),
    "JSON in JSON": (json.dumps(json.dumps({"clientSecret": "abcd1234efgh"})), "abcd1234efgh"),
    "variable": ("export OPENAI_API_KEY=a-test-value-1", "a-test-value-1"),
    "password variable": ("DB_PASSWORD=foo", "foo"),
    "client secret": ("client_secret: Zm9vYmFyMTIz", "Zm9vYmFyMTIz"),
    "token": ("the token is A1B2C3D4", "A1B2C3D4"),
    "secret": ("secret: f00ba7ba2", "f00ba7ba2"),
    "UUID after a name": ("api key: 550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"),
    "German": ("das Passwort ist Geheim1", "Geheim1"),
    "French": ("mot de passe : soleil99", "soleil99"),
    "Chinese": ("我的密码是abc123", "abc123"),
}
HARMLESS = [
    "my password is long",
    "my password is not very strong",
    "my password is easy to guess",
    "my password is in the drawer",
    "The password is being reset",
    "the password is stored in the vault",
    "Is my password safe?",
    "I forgot my password again: the third time!",
    "password: required",
    "password: ********",
    "password=os.environ['X']",
    "password = ${DB_PASS}",
    "the key is to practise",
    "The key point is X2",
    "the meeting key is Thursday",
    "the key is under the mat",
    "monkey is abc123456",
    "sort key: created_at2x",
    "foreign key: user_id_2024",
    "API key: see below",
    "Secret: I love chocolate",
    "my secret is that I snore",
    "my secret is patience",
    "token: hello",
    "max_tokens=4096 and tokens: 50000",
    "Bearer of bad news",
    "commit 3f2a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a",
    "550e8400-e29b-41d4-a716-446655440000",
    "colour #ff00aa",
    "order number 1234567890123456",
    "my card is 4111 1111 1111 1111",
    "Bank code: 7171, Swift code: DBSSSGSG",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
    "sk-learn is nice, and so is task-based-learning-approach",
    "https://example.com:8080/@ana and ana@example.com",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
]


# proves: K37, D43
@pytest.mark.parametrize("sort", SECRETS)
def test_a_secret_is_replaced_by_a_mark_and_told_without_its_value(sort: str) -> None:
    text, secret = SECRETS[sort]
    shown, notes = redacted(text)

    assert secret not in shown
    assert "[redacted: " in shown
    assert notes
    assert not any(secret in note for note in notes)


@pytest.mark.parametrize("sort", SECRETS)
def test_it_is_found_in_the_middle_of_a_text_and_nothing_else_goes(sort: str) -> None:
    text, _ = SECRETS[sort]
    shown, notes = redacted(f"I walked home.\n\n{text}\n\nThen I slept for 8 hours.")

    assert notes
    assert shown.startswith("I walked home.\n\n")
    assert shown.endswith("\n\nThen I slept for 8 hours.")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redacted(text) == (text, ())


def test_the_words_around_a_secret_stay_as_they_are() -> None:
    assert redacted("my password is hunter2, and yours?") == (
        "my password is [redacted: password], and yours?",
        ("password x 1",),
    )


def test_each_kind_is_counted() -> None:
    text = "AKIAIOSFODNN7EXAMPLE, AKIAIOSFODNN8EXAMPLE and password=x9"

    assert redacted(text)[1] == ("AWS key id x 2", "password x 1")


PIECES = st.sampled_from(
    [
        "password",
        "is",
        "=",
        ":",
        " ",
        "\n",
        '"',
        "'",
        "my key",
        "sk-",
        "a1B2c3D4e5F6g7H8i9J0k1",
        "hunter2",
        "[redacted: ",
        "]",
        "AKIAIOSFODNN7EXAMPLE",
        "://",
        "ana:",
        "@",
        "Bearer ",
        "Authorization",
        "eyJhbGciOi.eyJhbGciOi.x",
        "token",
        "-----BEGIN PRIVATE KEY-----",
        "\\",
        "{",
        "&",
        "İ",
        "seed phrase",
        "for the",
        "pwd",
        "secret",
        ".",
        "密码",
    ]
)
NASTY = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=12).map("".join))


@settings(max_examples=300)
@given(NASTY)
@example("the password for the wifi is Hunter22")
def test_a_redacted_text_is_not_changed_again(text: str) -> None:
    shown, _ = redacted(text)

    assert redacted(shown) == (shown, ())


@settings(max_examples=100)
@given(
    st.text(string.ascii_letters + string.digits, min_size=20, max_size=40),
    st.text(" \n\tabcxyz.,", max_size=40),
    st.text(" \n\tabcxyz.,", max_size=40),
)
def test_a_key_is_found_whatever_stands_around_it(key: str, before: str, after: str) -> None:
    shown, notes = redacted(f"{before} sk-{key} {after}")

    assert key not in shown
    assert notes == ("API key x 1",)


def test_values_are_redacted_within_lists_and_dicts() -> None:
    value = {
        "user": "ana",
        "db_password": "hunter2",
        "pin": 4821,
        "headers": {"Authorization": "Bearer x", "Accept": "*/*"},
        "log": ["ok", "password is hunter2", {"apiKey": ["abcd1234", None, True]}],
        "max_tokens": 4096,
        "tokens": 12,
        "secret": False,
        "note": ("my key", 3.5),
    }
    shown, notes = redacted_values(value)

    assert shown == {
        "user": "ana",
        "db_password": "[redacted: secret]",
        "pin": "[redacted: secret]",
        "headers": {"Authorization": "[redacted: secret]", "Accept": "*/*"},
        "log": ["ok", "password is [redacted: password]", {"apiKey": ["[redacted: secret]", None, True]}],
        "max_tokens": 4096,
        "tokens": 12,
        "secret": False,
        "note": ("my key", 3.5),
    }
    assert notes == ("password x 1", "secret x 4")


def test_a_secret_that_is_a_key_goes_and_its_member_stays() -> None:
    shown, notes = redacted_values({"AKIAIOSFODNN7EXAMPLE": 1, "AKIAIOSFODNN8EXAMPLE": 2})

    assert sorted(shown.values()) == [1, 2]
    assert "AKIA" not in str(shown)
    assert notes == ("AWS key id x 2",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | NASTY,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "password", "pin"]) | NASTY, inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=100)
@given(JSON)
def test_redacted_values_are_not_changed_again_and_keep_their_shape(value: object) -> None:
    shown, _ = redacted_values(value)

    assert redacted_values(shown) == (shown, ())
    assert type(shown) is type(value) or shown == "[redacted: secret]"


def test_a_text_without_secrets_costs_next_to_nothing() -> None:
    text = ("I walked to the shop and we talked for an hour: it was nice, she said, at 5 or so. " * 13)[:1024]
    redacted(text)
    started = time.perf_counter()
    for _ in range(200):
        redacted(text)

    assert (time.perf_counter() - started) / 200 < 0.0005  # ten times the figure of a quiet machine


@pytest.mark.parametrize(
    "piece",
    [
        "password is ",
        "password=a1 ",
        "my key ",
        "sk-",
        "eyJaaaaaaaa.",
        "a://b:",
        "-----BEGIN PRIVATE KEY-----",
        "api_",
        "a.",
    ],
)
def test_the_time_grows_with_the_length_and_not_faster(piece: str) -> None:
    started = time.perf_counter()
    redacted(piece * (300_000 // len(piece)))

    assert time.perf_counter() - started < 3.0
