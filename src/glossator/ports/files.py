"""Where do prompt files lie, for agents and people who read them as files?"""

from typing import Protocol


class Files(Protocol):
    """A folder of small texts. A name is a path in it, its parts joined by "/", for example "helper/USER.md".

    What stands in it is a copy that can be rendered again, never the truth. Every method raises UsageError for a name
    that is no plain path inside the folder, and StoreError where the disk refuses.
    """

    def read(self, name: str) -> str | None:
        """The text, None where there is no such file. Raises StoreError for one that is no text or is a link."""
        ...

    def write(self, name: str, text: str) -> None:
        """Put the text there, durably. A reader and a crash at any moment find the old text or the new one, whole."""
        ...

    def remove(self, name: str) -> bool:
        """Take the file away; False where there is none."""
        ...

    def names(self, folder: str = "") -> tuple[str, ...]:
        """All files below a folder of it, sorted, without what an interrupted write has left."""
        ...

    def tidy(self, folder: str = "") -> int:
        """Take away what interrupted writes have left in this one folder; how many there were."""
        ...
