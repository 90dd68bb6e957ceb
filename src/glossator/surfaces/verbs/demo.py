"""`glossator demo`: a newcomer watches a conversation go in, questions being answered, and an answer forgotten."""

import shlex
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

from glossator import Memory, Scope
from glossator.errors import UsageError
from glossator.model import Answer, Hit
from glossator.surfaces import demo_talk
from glossator.surfaces.call import Call
from glossator.surfaces.demo_talk import Asked
from glossator.surfaces.installation import executable
from glossator.surfaces.mcp import clients as snippets
from glossator.surfaces.show.answers import QUIET, event_line, missing_parts, spoken, trace_words
from glossator.surfaces.show.facts import render_explanation, render_facts
from glossator.surfaces.show.plain_json import shown_path
from glossator.surfaces.show.upkeep import render_forgotten, render_preview
from glossator.surfaces.show.wording import heading, interval_words, plural, reason
from glossator.surfaces.verbs.forget import erased, previewed
from glossator.surfaces.verbs.recall import answer_value
from glossator.surfaces.verbs.settling import settle

HITS_SHOWN = 2
"""The best hit and the next one: enough to see that the first is no accident."""

OWN_CODE = """\
from glossator import Memory, Scope
memory, me = Memory.open("memory.db"), Scope(workspace="me")
memory.record([{"content": "I like tea."}], scope=me, conversation="chat:1")
prompt = memory.recall("What do I like to drink?", scope=me).text(tokens=500)
"""


NEXT_STEPS = """\
In your shell: glossator ingest EXPORT.zip, then glossator recall "a question"."""


def run(call: Call, *, keep: bool) -> None:
    """The whole demo, in a temporary folder unless a path was chosen."""
    if call.chosen_path is None and not keep:
        with tempfile.TemporaryDirectory(prefix="glossator-demo-") as folder:
            _run_at(call, Path(folder) / "memory.db", kept=False)
        return
    path = call.chosen_path or Path(tempfile.mkdtemp(prefix="glossator-demo-")) / "memory.db"
    if path.exists():
        raise UsageError("--db", f"{shown_path(path)} exists already", remedy="the demo wants a file of its own")
    _run_at(call, path, kept=True)


def _run_at(call: Call, path: Path, *, kept: bool) -> None:
    scope = Scope(workspace="demo", agent=demo_talk.AGENT, owner=demo_talk.OWNER, trust="operator")
    shown: dict[str, Any] = {"path": path if kept else None}
    with Memory.open(path, options=call.options) as memory:
        shown["recorded"] = _record(call, memory, scope)
        shown["pending"] = settle(memory, call)
        memory.warm()
        call.screen.show(_title("Questions"))
        answers = [_ask(call, memory, scope, asked) for asked in demo_talk.QUESTIONS]
        call.screen.show(Text(""), *missing_parts(answers))
        shown["answers"] = [
            answer_value(asked.query, answer, explain=True, text=None)
            for asked, answer in zip(demo_talk.QUESTIONS, answers, strict=True)
        ]
        call.screen.show(_title("Facts, taken out of the talk by rules, without a model"))
        shown["facts"] = _facts(call, memory, scope)
        call.screen.show(_title("Forgetting"))
        shown["forgotten"] = _forget(call, memory, scope)
        shown["prompt_files"], read_next = _prompt_files(memory, scope)
    if call.screen.as_json:
        call.screen.answer(shown, render=lambda: "")
        return
    code = Syntax(OWN_CODE, "python", theme="ansi_dark", background_color="default")
    call.screen.show(_title("In your own code"), code)
    call.screen.show(Text(NEXT_STEPS, style=QUIET))
    call.screen.show(_title("What the agent reads before its next turn"), *read_next)
    _surfaces(call, path, scope, kept=kept)


def _surfaces(call: Call, path: Path, scope: Scope, *, kept: bool) -> None:
    """How this memory is asked again and looked at in a browser, and how a coding agent gets one."""
    program = executable()
    if kept:
        words = ["--db", shown_path(path), "--workspace", scope.workspace]
        whose = ["--agent", scope.agent, "--owner", scope.owner]
        call.screen.show(_title("This memory stays"), Text("Ask it:", style=QUIET))
        call.screen.line(f"  {shlex.join([*program, 'recall', *words, *whose, 'Who is Tomasz?'])}", style="")
        call.screen.show(Text("Look into it with a browser; the address is printed:", style=QUIET))
        call.screen.line(f"  {shlex.join([*program, 'serve', *words, '--no-key', '--trust', 'operator'])}", style="")
    else:
        call.screen.show(_title("In a browser"), Text("For your own memory; the address is printed:", style=QUIET))
        call.screen.line(f"  {shlex.join([*program, 'serve', '--no-key'])}", style="")
    call.screen.show(_title("In a coding agent, over MCP"), Text("Claude Code:", style=QUIET))
    call.screen.line(f"  {snippets.snippet_for('claude-code', arguments=['mcp']).snippet}", style="")
    others = ", ".join(each for each in snippets.CLIENTS if each != "claude-code")
    call.screen.show(Text(f"Others: glossator mcp install --print {others}", style=QUIET))


def _title(words: str) -> RenderableType:
    return Padding(Rule(Text(words, style="bold"), style=QUIET, align="left"), (1, 0, 0, 0))


def _record(call: Call, memory: Memory, scope: Scope) -> dict[str, int]:
    """Record each session, and show the first words of each."""
    call.screen.show(_title("A conversation goes in, word for word"))
    stored = 0
    for session, messages in demo_talk.talk():
        receipt = memory.record(messages, scope=scope, conversation=demo_talk.CONVERSATION, session=session)
        stored += receipt.count("stored")
        opening = str(messages[0]["content"])
        line = Text.assemble((f"{session}  ", "bold"), (f"{len(messages)} turns  ", QUIET), f"“{opening}”")
        line.no_wrap, line.overflow = True, "ellipsis"
        call.screen.show(line)
    words = f"{plural(stored, 'message')} on disk; found by keyword now, by meaning once embedded"
    call.screen.show(Text(words, style="green"))
    return {"sessions": len(demo_talk.SESSIONS), "stored": stored}


def _ask(call: Call, memory: Memory, scope: Scope, asked: Asked) -> Answer:
    answer = memory.recall(asked.query, scope=scope, now=demo_talk.NOW, limit=HITS_SHOWN, explain=True, **asked.choices)
    call.screen.show(Text(""), _question(asked, answer))
    for number, hit in enumerate(answer.hits):
        call.screen.show(_evidence(hit, first=number == 0))
    if not answer.hits:
        call.screen.show(Padding(Text("nothing found", style=QUIET), (0, 0, 0, 2)))
    return answer


def _facts(call: Call, memory: Memory, scope: Scope) -> dict[str, Any]:
    """The facts that hold now, and one that changed: its sentences, its versions, and what held before."""
    facts = memory.facts(scope=scope)
    zone = call.options.zone
    call.screen.show(render_facts(facts, zone=zone))
    changed = next((fact for fact in facts if fact.key == demo_talk.CHANGED), None)
    if changed is None:
        return {"facts": facts}
    call.screen.show(Text(""), Text(f"? Why {changed.id}?", style="bold"))
    why = memory.explain(changed.id, scope=scope)
    call.screen.show(Padding(render_explanation(why, zone=zone), (0, 0, 0, 2)))
    then = memory.facts(scope=scope, as_of=demo_talk.THEN, categories=["identity"])
    call.screen.show(Text(f"? Who was she on {demo_talk.THEN}?", style="bold"))
    call.screen.show(Padding(render_facts(then, zone=zone), (0, 0, 0, 2)))
    return {"facts": facts, "explained": why, "then": then}


def _prompt_files(memory: Memory, scope: Scope) -> tuple[dict[str, Any], list[RenderableType]]:
    """USER.md and MEMORY.md as they are now, and what was asked of the agent by somebody who may not."""
    files = memory.prompt_files(scope=scope)
    told = memory.learned(scope=scope, message_ids=[demo_talk.GUEST_MESSAGE]).decided
    refused = [each for each in told if each.decision == "refuse"]
    lines: list[RenderableType] = []
    for each in refused:
        reason_words = (f"({each.reason})", QUIET)
        lines += [Text(""), Text.assemble(("not kept: ", "yellow"), f"“{each.text}” ", reason_words)]
    for file in (files.user, files.memory):
        used = f"   {file.used_percent} % of {file.tokens_max} tokens"
        lines += [Text(""), Text.assemble((file.name, "bold green"), (used, QUIET))]
        lines.append(Padding(Text(file.text.rstrip()), (0, 0, 0, 2)))
    return {"user_md": files.user_md, "memory_md": files.memory_md, "refused": refused}, lines


def _question(asked: Asked, answer: Answer) -> RenderableType:
    line = Text.assemble(("? ", "bold magenta"), (asked.query, "bold"), (f"   {asked.about}", QUIET))
    if answer.asked_time is not None:
        line.append(f" [{interval_words(answer.asked_time)}]", style=QUIET)
    return line


def _evidence(hit: Hit, *, first: bool) -> RenderableType:
    """The best hit whole, with its time and why it was found; the next one quietly."""
    if not first:
        return Padding(Text.assemble((f"then {heading(hit)}: ", QUIET), spoken(hit)), (0, 0, 0, 4))
    lines: list[RenderableType] = [spoken(hit)]
    happened = event_line(hit)
    if happened is not None:
        lines.append(happened)
    if hit.trace is not None:
        lines.append(Text(f"found by {reason(hit.trace, trace_words(hit))}", style=QUIET))
    return Padding(Group(Text(heading(hit), style="bold green"), Padding(Group(*lines), (0, 0, 0, 2))), (0, 0, 0, 2))


def _forget(call: Call, memory: Memory, scope: Scope) -> dict[str, Any]:
    """Ask, erase the best hit's message, and ask again."""
    asked = Asked(query=demo_talk.TO_FORGET, about="before")
    before = memory.recall(asked.query, scope=scope, now=demo_talk.NOW, limit=1, explain=True)
    call.screen.show(Text(""), _question(asked, before), *(_evidence(hit, first=True) for hit in before.hits), Text(""))
    if not before.hits:
        return {}
    target: dict[str, Any] = {"scope": scope, "message_ids": before.hits[0].message_ids}
    target["conversation"] = demo_talk.CONVERSATION
    preview = previewed(memory, target)
    receipt = erased(memory, target, preview)
    call.screen.show(render_preview(preview), Text(""), render_forgotten(receipt), Text(""))
    after = memory.recall(asked.query, scope=scope, now=demo_talk.NOW, limit=200, explain=True)
    gone = not any(set(hit.message_ids) & set(receipt.message_ids) for hit in after.hits)
    call.screen.show(_question(replace(asked, about="after"), after))
    rest = plural(len(after.hits), "hit")
    verdict = f"the forgotten message is not among the {rest}" if gone else "IT IS STILL FOUND"
    call.screen.show(Padding(Text(verdict, style="green" if gone else "bold red"), (0, 0, 0, 2)))
    return {"preview": preview, "receipt": receipt, "found_again": not gone}
