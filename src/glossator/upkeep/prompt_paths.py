"""Where does the prompt file of a scope lie? A pure function of the scope: another owner, another path, on every disk.

    helper/USER.md                                 workspace "default", owner "default"
    workspace=acme/helper/owner=ana/USER.md        everybody else

What is no lower-case letter, digit, "-" or "_" is percent-encoded, so that no id leaves the folder, and none meets
another on a disk that takes "Ana" for "ana" or keeps "con" for itself.
"""

from hashlib import sha256

import regex

from glossator.model import FILE_NAMES, PromptFileKind, Scope

DEFAULT = "default"
NAME_BYTES_MAX = 120
"""File systems take 255; a longer id keeps its beginning and a hash of the whole."""
_HASH_DIGITS = 32
_TO_ENCODE = regex.compile(rb"[^a-z0-9_-]")
_RESERVED = regex.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")
"""Names that Windows keeps for devices."""


def prompt_folder(scope: Scope) -> str:
    """The folder of the owner's files with this agent; conversation, job and trust have no part in it."""
    workspace = [] if scope.workspace == DEFAULT else [f"workspace={path_part(scope.workspace)}"]
    owner = [] if scope.owner == DEFAULT else [f"owner={path_part(scope.owner)}"]
    return "/".join([*workspace, path_part(scope.agent), *owner])


def prompt_path(scope: Scope, kind: PromptFileKind) -> str:
    """The name of the file, as `ports.Files` takes it."""
    return f"{prompt_folder(scope)}/{FILE_NAMES[kind]}"


def path_part(name: str) -> str:
    """The id as one part of a path. Different ids have different parts, whatever their case; none is blank."""
    encoded = bytes(_TO_ENCODE.sub(_percent, name.encode("utf-8", "surrogatepass"))).decode("ascii")
    if not encoded or _RESERVED.fullmatch(encoded):
        encoded = f"%{ord(name[0]):02X}{encoded[1:]}" if name else "%"
    if len(encoded) <= NAME_BYTES_MAX:
        return encoded
    digits = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    return f"{encoded[: NAME_BYTES_MAX - _HASH_DIGITS - 1]}~{digits}"


def _percent(found: "regex.Match[bytes]") -> bytes:
    return b"%%%02X" % found[0][0]
