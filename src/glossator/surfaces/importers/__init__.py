"""What is in an export of another program? One file per format, pure functions from text to pieces."""

from glossator.surfaces.importers.files import FORMATS, InputFile, input_files, read_file
from glossator.surfaces.importers.pieces import (
    Home,
    ImportedMessage,
    LeftOut,
    Note,
    Page,
    Piece,
    Rejected,
    Transcript,
)

__all__ = [
    "FORMATS",
    "Home",
    "ImportedMessage",
    "InputFile",
    "LeftOut",
    "Note",
    "Page",
    "Piece",
    "Rejected",
    "Transcript",
    "input_files",
    "read_file",
]
