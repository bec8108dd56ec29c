"""`credibly mdl`: the shortest description of a target, or of rows in clusters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from credibly.cli.command_groups import LEARN
from credibly.cli.data import DataColumns
from credibly.cli.options import Options, calls
from credibly.cli.output import TEXT, Output
from credibly.errors import MissingColumnError, ParameterError, says

if TYPE_CHECKING:
    from credibly.description_length import DescriptionLengths
    from credibly.io.datasets import Dataset

GROUP = LEARN

THEORIES = Group.create_ordered("Theories of a target")
CLUSTERS = Group.create_ordered("Clusterings of the rows instead")
CODE = Group.create_ordered("How to encode")


def sizes(text: str) -> list[int]:
    """Read numbers of clusters.

    >>> sizes("1..3"), sizes("2, 5")
    ([1, 2, 3], [2, 5])
    """
    first, dots, last = text.partition("..")
    try:
        found = [*range(int(first), int(last) + 1)] if dots else [int(s) for s in text.split(",")]
    except ValueError:
        found = []
    if not found:
        raise ParameterError(
            f"k must be numbers of clusters such as 1..8, from few to many, or 2,4; got {text!r}."
        )
    return found


class MdlColumns(DataColumns):
    """Which column is to be predicted, which are no inputs, and what is missing."""

    leave_out = ""
    takes = "target ignore missing"


class Theories(Options):
    """How theories of a target are described."""

    verb = "credibly.description_length.mdl:mdl"
    takes = "code labels refits resampling task n_jobs"
    group = THEORIES
    defaults = {"resampling": "10", "n_jobs": 1}
    says = {
        "resampling": "Resampling for the error that is shown beside the lengths, such as 10 or 10x10; or none."
    }


class Clusterings(Options):
    """How clusterings are described."""

    verb = "credibly.description_length.clustering:clustering_mdl"
    takes = "k membership nominal"
    group = CLUSTERS
    reads = {"k": sizes}
    says = {"k": "Numbers of clusters, such as 1..8 or 2,4."}


class MdlOptions(Options):
    """What both have in common."""

    verb = "credibly.description_length.mdl:mdl"
    takes = "zero_frequency precision rng"
    group = CODE
    defaults = {"rng": 1}
    says = {"rng": "Seed of everything random."}


def command(
    data: str,
    /,
    *,
    columns: MdlColumns,
    scheme: Annotated[list[str] | None, Parameter(group=THEORIES)] = None,
    theories: Theories,
    clusters: Annotated[str | None, Parameter(group=CLUSTERS)] = None,
    clusterings: Clusterings,
    coded: MdlOptions,
    plot: Path | None = None,
    output: Output = TEXT,
) -> None:
    """Choose a model by minimum description length, without a test set.

    For instance:
      credibly mdl iris --scheme "tree(max_depth=2),tree,naive-bayes,knn"
      credibly mdl loans.csv --target default --scheme forest,svm --code prequential
      credibly mdl iris --clusters kmeans --k 1..8 --plot lengths.svg

    Parameters
    ----------
    data
        A file, or the name of a bundled dataset.
    scheme
        Learning schemes (learners) such as tree,'tree(max_depth=3)'; may be repeated. See `credibly list
        schemes` and, for those that have a coder, `credibly list coders`.
    clusters
        kmeans, a clusterer such as 'sklearn.cluster:Birch', or a column of labels.
    plot
        Draw the parts: a .svg, .png, .pdf, .html or .json file.
    """
    from credibly.cli.terminal import print_result

    if clusters is None:
        result = _theories(data, columns, calls(scheme), {**theories, **coded})
    elif scheme:
        raise ParameterError(says("Set either <scheme=...> or <clusters=...>, not both."))
    else:
        result = _clusterings(data, columns, clusters, {**clusterings, **coded})
    if plot is not None:
        result.plot().save(plot)
    print_result(result, output)


def _theories(
    data: str, columns: MdlColumns, schemes: list[str] | None, how: dict[str, Any]
) -> DescriptionLengths:
    from dataclasses import replace

    from credibly.description_length import mdl

    if schemes is None:
        raise ParameterError(
            "No scheme is named.",
            remedy=says("Set <scheme=...>, such as tree or naive-bayes, or <clusters=...>."),
        )
    if how["resampling"] == "none":
        del how["resampling"]
    table = columns.read(data)
    lengths = mdl(schemes, table.X, table.y, **how)
    return replace(lengths, findings=table.and_more(lengths.findings))


def _clusterings(
    data: str, columns: MdlColumns, clusters: str, how: dict[str, Any]
) -> DescriptionLengths:
    """Take a clusterer by name or path, or a column of labels; a target is left out."""
    from dataclasses import replace

    from credibly.description_length import clustering_mdl
    from credibly.io.datasets import read_inputs
    from credibly.schemes.choice import made_from_path

    target = columns.pop("target", None)
    given: Any
    if clusters == "kmeans" or ":" in clusters:
        columns["ignore"] = [*columns.get("ignore", []), *([target] if target else [])]
        table = read_inputs(data, **columns)
        given = clusters if clusters == "kmeans" else made_from_path(clusters)
    else:
        table = _labelled(data, clusters, columns)
        given = {clusters: table.y}
    lengths = clustering_mdl(table.X, given, **how)
    return replace(lengths, findings=table.and_more(lengths.findings))


def _labelled(data: str, clusters: str, columns: MdlColumns) -> Dataset:
    """Read data with a column of labels."""
    try:
        return columns.read(data, target=clusters)
    except MissingColumnError:
        raise MissingColumnError(
            f"There is no column or clusterer called {clusters!r}.",
            asked=clusters,
            choices=["kmeans"],
            remedy=says(
                "<clusters=> takes kmeans, a path such as 'sklearn.mixture:GaussianMixture', or a "
                "column of labels."
            ),
        ) from None
