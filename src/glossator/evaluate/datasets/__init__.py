"""How is a published benchmark read? One loader per dataset, all into the values of evaluate/values.py."""

from pathlib import Path

from glossator.errors import UsageError
from glossator.evaluate.datasets.locomo import load_locomo
from glossator.evaluate.datasets.longmemeval import load_longmemeval
from glossator.evaluate.datasets.memdaily import load_memdaily
from glossator.evaluate.datasets.realmem import load_realmem
from glossator.evaluate.values import Dataset

__all__ = ["DATASETS", "load"]

DATASETS = ("locomo", "longmemeval", "memdaily", "realmem")


def load(
    dataset: str,
    data: str | Path,
    *,
    pool: str | None,
    filler: str | Path | None,
    seed: int,
    unscored: bool = False,
) -> Dataset:
    """The benchmark of this name, read from its published file or a folder of such files.

    With `unscored` also the questions that have an answer but no evidence to score retrieval on (`Question.scored`).
    Raises UsageError naming the argument: an unknown dataset, a missing file, another format, a pool where none fits.
    """
    if dataset not in DATASETS:
        raise UsageError("dataset", f"{dataset!r} is not known", remedy=f"choose from {', '.join(DATASETS)}")
    path = Path(data)
    if dataset == "longmemeval":
        return load_longmemeval(path, pool=_pool(pool), filler=_filler(filler, pool), seed=seed, unscored=unscored)
    for argument, value in (("pool", pool), ("filler", filler)):
        if value is not None:
            raise UsageError(argument, f"{dataset} brings its own haystacks", remedy="only for longmemeval")
    if dataset == "realmem":
        return load_realmem(path)
    loaders = {"locomo": load_locomo, "memdaily": load_memdaily}
    return loaders[dataset](path, unscored=unscored)


def _pool(pool: str | None) -> str | None:
    if pool is None or pool == "all" or (pool.isascii() and pool.isdigit() and int(pool) > 0):
        return pool
    raise UsageError("pool", f"{pool!r} is neither a number of sessions nor 'all'", remedy="pass for example 48 or all")


def _filler(filler: str | Path | None, pool: str | None) -> Path | None:
    if filler is None:
        return None
    if pool is None:
        raise UsageError("filler", "is used with a pool only", remedy="add --pool all or --pool 48")
    if not Path(filler).is_file():
        raise UsageError("filler", f"{filler} is no file", remedy="pass the JSON Lines file of filler sessions")
    return Path(filler)
