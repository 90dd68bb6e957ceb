"""`glossator receipt ...`: show what was forgotten, and check a receipt. Also writes one for `forget --receipt`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.errors import UsageError
from glossator.surfaces.call import Call

if TYPE_CHECKING:
    from rich.console import RenderableType

KEY_CHARACTERS_MAX = 1_000


def list_receipts(call: Call) -> None:
    """The receipts of the scope."""
    with call.open(new=False, embeds=False) as memory:
        receipts = memory.receipts(scope=call.scope)

    def render() -> "RenderableType":
        from glossator.surfaces.show.receipts import render_receipts

        return render_receipts(receipts)

    call.screen.answer({"receipts": [json.loads(each.text) for each in receipts]}, render=render)


def show_key(call: Call) -> None:
    """The public key, as it may be piped into a file."""
    with call.open(new=False, embeds=False) as memory:
        key = memory.receipt_key()
    call.screen.answer({"public_key": key}, render=lambda: key.rstrip("\n"))


def verify(call: Call, file: Path, *, key: str | None) -> int:
    """0 if the receipt is genuine, else 1."""
    from glossator.providers.signing import verify_receipt

    text = _read(file)
    if key is None:
        with call.open(new=False, embeds=False) as memory:
            public_key = memory.receipt_key()
    else:
        public_key = _key(key)
    genuine = verify_receipt(text, public_key)

    def render() -> "RenderableType":
        from glossator.surfaces.show.receipts import render_verdict

        return render_verdict(file.name, text, genuine=genuine)

    call.screen.answer({"genuine": genuine}, render=render)
    return 0 if genuine else 1


def check_new(path: Path | None) -> None:
    """Raises UsageError for a file that cannot be written: said before anything is erased."""
    if path is None:
        return
    if path.exists():
        raise UsageError("receipt", f"{path} exists and is not overwritten", remedy="name a new file")
    if not path.parent.is_dir():
        raise UsageError("receipt", f"the folder {path.parent} does not exist", remedy="create it or name another")


def written(path: Path | None, signed: str) -> None:
    """Write the receipt, one line."""
    if path is not None:
        path.write_text(signed + "\n", encoding="utf-8")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        problem = f"cannot be read: {error.strerror or type(error).__name__}"
        raise UsageError("file", problem, remedy="name what --receipt wrote") from error


def _key(given: str) -> str:
    """The key itself, or what stands in the file of that name."""
    path = Path(given)
    if len(given) < KEY_CHARACTERS_MAX and "\n" not in given and path.is_file():
        return path.read_text(encoding="utf-8", errors="replace")
    return given
