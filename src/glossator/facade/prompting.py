"""The verbs of prompt files: prompt_files, rebuild_prompt_files, load_prompt_files."""

from glossator.context.compose import loaded_files
from glossator.errors import GlossatorError, UsageError
from glossator.facade.checks import checked_scope, reading_scope
from glossator.facade.core import Core
from glossator.model import PROMPT_FILE_KINDS, Conversation, PromptFiles, ResourceKind, Scope
from glossator.rules.trust import TRUSTED
from glossator.upkeep.prompt_files import read_back
from glossator.upkeep.prompt_paths import prompt_folder
from glossator.upkeep.resources import FILES


class PromptVerbs(Core):
    """USER.md and MEMORY.md: what is known about an owner, small enough for every prompt."""

    def prompt_files(self, *, scope: Scope, conversation: str | None = None) -> PromptFiles:
        """Both texts, rendered from the facts as they are now, and `block`, the fenced text that goes into a prompt.

        `conversation` is the one that the prompt is for, by default the scope's: `Options.render_conversation_context`
        says where its own facts may be shown. A guest is shown no rules, a job nothing. No folder is needed.
        """
        seen = reading_scope(scope)
        key = seen.conversation if conversation is None else Conversation.parse(conversation).key
        whole = Scope(workspace=seen.workspace, agent=seen.agent, owner=seen.owner, job=seen.job, trust=seen.trust)
        return self._prompt_folder.rendered(whole, conversation=key)

    def rebuild_prompt_files(self, *, scope: Scope) -> PromptFiles:
        """Render both files, write them to the folder if there is one, and keep a revision of each that has changed.

        It happens by itself behind every change of facts where a folder is configured. Raises StoreError when the
        folder fails, UsageError for a job and for whoever is neither operator nor owner.
        """
        return self._prompt_folder.rebuilt(_trusted(scope), trigger="asked for").files

    def load_prompt_files(self, *, scope: Scope) -> PromptFiles:
        """What stands in the folder now, for an agent that goes by its files: also after a rollback or an edit by hand.

        Lines that read like an instruction are left out and counted, a file that cannot be read is skipped. Raises
        UsageError where there is no folder, for a job, and for whoever is neither operator nor owner.
        """
        owner = _trusted(scope)
        files = self._prompt_folder.files
        if files is None:
            raise UsageError("options.prompt_folder", "names no folder", remedy="set it, or use `prompt_files`")
        loaded = loaded_files(read_back(files, owner, PROMPT_FILE_KINDS), zone=self._zone)
        self._prompt_folder.tell(loaded)
        return loaded

    def drain(self, timeout_s: float | None = None) -> None:
        """Return once everything acknowledged has been embedded, facts have been taken from it, and all is settled.

        Then prompt files are up to date as well. Helps with the work itself. Raises NotDrainedError with the backlog,
        or ProviderError when a model fails.
        """
        with self._prompt_folder.put_off():
            super().drain(timeout_s)

    def _rolled_back(self, scope: Scope, kind: ResourceKind, content: str) -> None:
        """Write a text that was edited or brought back to its file, where there is a folder."""
        files = self._prompt_folder.files
        if files is None or kind == "checkpoint":
            return
        name = f"{prompt_folder(scope)}/{FILES[kind]}"
        try:
            if files.read(name) != content:
                files.write(name, content)
        except (GlossatorError, OSError) as error:
            self._prompt_folder.failed(error)


def _trusted(scope: object) -> Scope:
    """All of the owner's, for an operator or the owner. Raises UsageError for everybody else."""
    checked = checked_scope(scope)
    if checked.job is not None:
        raise UsageError("scope.job", "has no prompt files", remedy="leave the job out")
    if checked.believed not in TRUSTED:
        raise UsageError("scope.trust", f"{checked.believed!r} may not do this", remedy="it takes operator or owner")
    return checked.whole
