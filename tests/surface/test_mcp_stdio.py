"""How does `glossator mcp` behave as a process: on the wire, at the start, at the end, and beside seven others?"""

import asyncio
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp_types import TextResourceContents
from tests.surface.mcp_sessions import HELLO, READY, Raw, answer_of, calling, stdio

from glossator import Memory, Options, Scope

SCOPE = Scope(workspace="default")
CHAT = "telegram:42"
NOISE = '''
"""A library that prints, at every level, once the server is up."""
import ctypes, logging, os, sys, threading, time

def shout():
    while "glossator.surfaces.mcp.stdio" not in sys.modules:
        time.sleep(0.005)
    logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, force=True)
    libc = ctypes.CDLL(None)
    for number in range(200):
        print("PROGRESS", number, flush=True)
        sys.__stdout__.write("progress bar\\r")
        sys.__stdout__.flush()
        os.write(1, b"BAR FROM BELOW\\n")
        libc.puts(b"FROM C")
        libc.fflush(None)
        logging.getLogger("noisy").debug("DEBUG LINE")
        time.sleep(0.01)

if any("glossator" in each for each in sys.orig_argv):
    threading.Thread(target=shout, daemon=True).start()
'''


def said(text: str, name: str = "m1") -> dict[str, object]:
    return {"role": "user", "content": text, "id": name}


@pytest.fixture
def silent_server() -> Iterator[str]:
    """An address that takes a request and never answers: a model that is still being loaded somewhere."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held: list[socket.socket] = []

        def hold() -> None:
            while True:
                try:
                    held.append(listener.accept()[0])
                except OSError:
                    return

        threading.Thread(target=hold, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        for each in held:
            each.close()


# proves: K31
def test_the_handshake_takes_less_than_a_second_while_the_model_is_still_loading(tmp_path, silent_server):
    began = time.monotonic()
    with Raw(tmp_path / "m.db", GLOSSATOR_EMBEDDER=f"openai:slow@{silent_server}") as client:
        client.hello()
        took_s = time.monotonic() - began
        # What the process itself has worked until then: others use this machine too, and nothing was waited for
        worked_s = sum(map(int, stat_of(client.process.pid)[13:15])) / os.sysconf("SC_CLK_TCK")
        client.call(2, "record", messages=[said("I moved to Edinburgh.")], conversation=CHAT)
        found = client.call(3, "recall", q="Edinburgh")
        while client.process.poll() is None:  # a client without patience need not wait for the model either
            client.process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        code = client.process.returncode

    assert worked_s < 1.0
    assert took_s < 5.0  # the model never answers: whoever waits for it is still waiting then
    assert found["structuredContent"]["hits"][0]["text"] == "I moved to Edinburgh."
    assert "still loading" in found["content"][0]["text"]
    assert code == 0


def stat_of(process_id: int) -> list[str]:
    """The fields of /proc/PID/stat: 13 and 14 are the ticks that the process has worked."""
    return Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").split()


# proves: K32
def test_nothing_but_json_rpc_is_on_stdout_whoever_prints(tmp_path):
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "sitecustomize.py").write_text(NOISE, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path / "noise"), str(Path(__file__).parents[2] / "src")])

    with Raw(tmp_path / "m.db", "--log-level", "debug", PYTHONPATH=path) as client:
        client.hello()
        client.call(2, "record", messages=[said("I like tea.")], conversation=CHAT)
        for number in range(3, 30):
            client.call(number, "recall", query="tea")
            time.sleep(0.01)  # the noise goes on meanwhile
        client.close_input()
        code, err = client.ended()

    assert code == 0
    assert len(client.lines) >= 29
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in client.lines)
    for each in ("PROGRESS", "BAR FROM BELOW", "FROM C", "progress bar", "DEBUG LINE"):
        assert each in err
    assert "I like tea" not in err


# proves: K33
def test_a_foreign_locale_and_a_path_with_spaces_and_umlauts_do_no_harm(tmp_path):
    folder = tmp_path / "Ordner mit Ümläuten"
    folder.mkdir()
    text = "Grüße aus Zürich 猫 👩‍👩‍👧"
    foreign = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "latin-1"}

    with Raw(folder / "gedächtnis.db", "--owner", "Jürgen", **foreign) as client:
        client.hello()
        client.send(json.dumps(calling(2, "record", messages=[said(text)]), ensure_ascii=False).encode() + b"\n")
        client.answer(2)
        found = client.call(3, "recall", query="Grüße aus Zürich")
        client.close_input()
        code, err = client.ended()

    assert (code, err) == (0, "")
    assert found["structuredContent"]["hits"][0]["text"] == text
    assert text in client.lines[-1].decode("utf-8")
    with Memory.open(folder / "gedächtnis.db", options=Options(embedder="none", worker=False)) as memory:
        assert memory.messages(scope=Scope(workspace="default", owner="Jürgen"))[0].content == text


# proves: K30
def test_starting_and_stopping_leaves_no_process_and_a_file_that_does_not_grow(tmp_path):
    db, sizes = tmp_path / "m.db", []
    for round_ in range(3):  # 50 of them: bench/mcp_server.py
        clients = [Raw(db, GLOSSATOR_EMBEDDER="none") for _ in range(2)]
        for client in clients:
            with client:
                client.hello()
                client.call(2, "record", messages=[said("I like tea.")], conversation=CHAT)
                client.close_input()
                assert client.ended() == (0, "")
        sizes.append(sum(each.stat().st_size for each in tmp_path.iterdir()))
        names = {each.name for each in tmp_path.iterdir()}
        assert names == {"m.db"}, round_
    assert len(set(sizes)) == 1
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not [line for line in running if str(db).encode() in line]


def test_eight_clients_work_on_one_file_and_nothing_is_lost(tmp_path):
    db = tmp_path / "m.db"

    async def client_of(number: int) -> int:
        async with stdio(db, mode="legacy" if number % 2 else "auto") as client:
            for each in range(5):
                message = said(f"Client {number} keeps pearl {each}.", f"c{number}-{each}")
                result = await client.call_tool("record", {"messages": [message], "conversation": f"chat:{number}"})
                assert answer_of(result)["stored"] == 1
                answer_of(await client.call_tool("recall", {"query": f"Which pearl does client {number} keep?"}))
            own = answer_of(await client.call_tool("messages", {"conversation": f"chat:{number}"}))
            return len(own["messages"])

    async def together() -> list[int]:
        return await asyncio.gather(*map(client_of, range(8)))

    assert asyncio.run(together()) == [5] * 8
    with Memory.open(db, options=Options(embedder="none", worker=False)) as memory:
        kept = {each.external_id for each in memory.messages(scope=SCOPE)}
        assert kept == {f"c{number}-{each}" for number in range(8) for each in range(5)}
        assert all(finding.ok for finding in memory.doctor() if finding.check == "integrity")


HOSTILE: dict[str, tuple[bytes, int | None]] = {
    "no JSON": (b"hello there\n", -32700),
    "half a line of JSON": (b'{"jsonrpc": "2.0", "id": 5, "meth\n', -32700),
    "no message": (b'{"id": 7}\n', -32600),
    "bytes that are no UTF-8": (b"\xff\xfe\x00\n", -32700),
    "very deep": (b"[" * 100_000 + b"\n", -32700),
    "too long": (b'{"x": "' + b"y" * (17 * 1024 * 1024) + b'"}\n', -32700),
    "an empty line": (b"\n", None),
    "only a NUL": (b"\x00\n", -32700),
    "arguments that are a list": (
        b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "recall", "arguments": [1]}}\n',
        -32602,
    ),
    "an unknown tool": (json.dumps(calling(9, "frobnicate")).encode() + b"\n", -32602),
    "an unknown method": (b'{"jsonrpc": "2.0", "id": 9, "method": "tools/burn"}\n', -32601),
}  # fmt: skip


def test_hostile_lines_are_answered_and_the_session_goes_on(tmp_path):
    with Raw(tmp_path / "m.db") as client:
        client.hello()
        for number, (kind, (line, code)) in enumerate(HOSTILE.items()):
            client.send(line)
            if code is not None:
                assert json.loads(client.line())["error"]["code"] == code, kind
            assert not client.call(f"after {number}", "status")["isError"], kind


def test_half_a_surrogate_pair_is_taken_as_an_unknown_character(tmp_path):
    with Raw(tmp_path / "m.db") as client:
        client.hello()
        message = rb'{"role": "user", "content": "I like \ud83d tea and \u0000 nothing.", "id": "m1"}'
        arguments = b'{"messages": [' + message + b'], "conversation": "telegram:42"}'
        client.send(b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "record", "arguments": '
                    + arguments + b"}}\n")  # fmt: skip
        client.answer(2)

        read = client.call(3, "messages", conversation=CHAT)
        echo = client.call(4, "recall", query="x", **{"\ud800": 1})

        assert "I like ? tea" in read["structuredContent"]["messages"][0]["text"]
        assert echo["isError"]


def test_a_cancelled_request_is_not_answered_and_the_next_one_is(tmp_path, silent_server):
    with Raw(tmp_path / "m.db") as client:
        client.hello()
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}

        client.send(calling(2, "recall", query="word " * 4000), cancel, {"jsonrpc": "2.0", "id": 3, "method": "ping"})

        assert client.answer(3)["result"] == {}
        assert not client.call(4, "status")["isError"]


def test_what_was_asked_before_the_input_ended_is_still_answered(tmp_path):
    with Raw(tmp_path / "m.db") as client:
        record = calling(2, "record", messages=[said("I like tea.")], conversation=CHAT)
        client.send(HELLO, READY, record, calling(3, "status"))
        client.close_input()

        code, err = client.ended()

        assert (code, err) == (0, "")
        answers = {json.loads(line)["id"] for line in client.lines}
        assert answers == {1, 2, 3}


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_well(tmp_path, sent):
    with Raw(tmp_path / "m.db") as client:
        client.hello()
        client.call(2, "record", messages=[said("I like tea.")], conversation=CHAT)

        client.process.send_signal(sent)

        code, err = client.ended()
        assert (code, err) == (0, "")
        assert [each.name for each in tmp_path.iterdir()] == ["m.db"]  # no journal: the store was closed


def test_a_client_that_is_gone_ends_it_well(tmp_path):
    with Raw(tmp_path / "m.db") as client:
        client.hello()
        client.process.stdout.close()

        client.send(calling(2, "status"))

        assert client.process.wait(20) == 0
        assert client.process.stderr.read() == b""


def test_a_memory_that_cannot_be_opened_is_told_by_every_tool_and_on_stderr(tmp_path):
    (tmp_path / "m.db").write_bytes(b"this is no store" * 1000)

    with Raw(tmp_path / "m.db") as client:
        client.hello()
        result = client.call(2, "recall", query="tea")
        client.close_input()
        code, err = client.ended()

    assert result["isError"]
    assert result["structuredContent"]["problem"].startswith("StoreCorruptError")
    assert code == 1
    assert err.startswith("glossator: ")
    assert "Traceback" not in err


def test_a_wrong_option_is_told_by_every_tool_and_by_the_exit_code(tmp_path):
    with Raw(tmp_path / "m.db", "--zone", "Mars/Olympus") as client:
        client.hello()
        result = client.call(2, "recall", query="tea")
        client.close_input()
        code, err = client.ended()

    assert result["isError"]
    assert "Mars/Olympus" in result["structuredContent"]["problem"]
    assert code == 2
    assert err.startswith("glossator: --zone: ")


def test_wrong_choices_are_one_line_and_exit_code_2(process):
    for arguments in (("--trust", "operator"), ("--trust", "god"), ("--log-level", "loud")):
        result = process("mcp", *arguments)

        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), arguments


def test_the_scope_comes_from_the_command_line_and_the_environment(tmp_path):
    async def told() -> dict[str, object]:
        async with stdio(tmp_path / "m.db", "--owner", "ana", GLOSSATOR_WORKSPACE="acme") as client:
            await client.call_tool("remember", {"text": "I like tea.", "said_by": "user", "category": "preference"})
            (content,) = (await client.read_resource("glossator://prompt/USER.md")).contents
            assert isinstance(content, TextResourceContents)
            assert "I like tea." in content.text
            return answer_of(await client.call_tool("status", {}))

    status = asyncio.run(told())

    assert (status["workspace"], status["agent"], status["owner"]) == ("acme", "default", "ana")
    assert (status["trust"], status["conversation"]) == ("owner", None)


def test_a_client_that_listens_hears_that_a_resource_has_changed(tmp_path):
    uri = "glossator://prompt/USER.md"

    async def heard() -> str:
        async with stdio(tmp_path / "m.db") as client, client.listen(resource_subscriptions=[uri]) as changes:
            await client.call_tool("remember", {"text": "I like tea.", "said_by": "user", "category": "preference"})
            event = await asyncio.wait_for(anext(aiter(changes)), 20)
            (content,) = (await client.read_resource(event.uri)).contents
            return str(content.text)

    assert "I like tea." in asyncio.run(heard())
