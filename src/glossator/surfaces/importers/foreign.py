"""Which files are no text at all, whatever they are called? Told by their first bytes."""

import re
from collections.abc import Iterable, Mapping

SIGNATURES: Mapping[bytes, str] = {
    b"%PDF-": "a PDF document",
    b"PK\x03\x04": "a document or program packed as zip, or a torn zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"\x89PNG\r\n": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF87a": "a GIF image",
    b"GIF89a": "a GIF image",
    b"II*\0": "a TIFF image",
    b"MM\0*": "a TIFF image",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"{\\rtf": "an RTF document",
    b"SQLite format 3\0": "a SQLite database",
    b"\x7fELF": "a program",
    b"OggS\0": "a sound",
    b"ID3\x03": "a sound",
    b"ID3\x04": "a sound",
}
_RIFF = {b"WEBP": "a WebP image", b"WAVE": "a sound", b"AVI ": "a film"}
PACKED = frozenset({"[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"})
"""What only documents (Office, OpenDocument, EPUB) and programs have in their zip archive."""
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+)?html\b", re.I | re.S)
HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
HEAD_BYTES = 8192
"""As much of a file as is looked at."""


def is_packed(names: Iterable[str]) -> bool:
    """True if an archive with these members is a document or program, not a folder of files."""
    return not PACKED.isdisjoint(names)


def binary_kind(head: bytes) -> str | None:
    """What a file that begins so is, if it is a known kind that has no text to read."""
    for signature, kind in SIGNATURES.items():
        if head.startswith(signature):
            return kind
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    return "a film or image" if head[4:8] == b"ftyp" else None


def is_html(head: bytes) -> bool:
    """True if a file that begins so is a web page."""
    return bool(_HTML.match(head))
