"""`credibly mdl`: the shortest description of a target, or of rows in clusters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from credibly.cli.columns import calls, many
from credibly.cli.data import data_column
from credibly.cli.output import OUTPUT, TEXT, Output

if TYPE_CHECKING:
    from credibly.description_length import DescriptionLengths
    from credibly.io.datasets import Dataset

THEORIES = Group.create_ordered("Theories of a target")
CLUSTERS = Group.create_ordered("Clusterings of the rows, instead")
CODE = Group.create_ordered("How to code")
Options = dict[str, Any]


def command(
    data: str,
    /,
    *,
    target: Annotated[str | None, data_column("What is to be predicted.")] = None,
    ignore: Annotated[
        str | None, data_column("Columns to leave out, such as identifiers; several with commas.")
    ] = None,
    missing: Annotated[
        str | None,
        data_column(
            "Texts for a missing value, with commas; NA, N/A, NaN, null and ? when not given."
        ),
    ] = None,
    scheme: Annotated[
        list[str] | None,
        Parameter(
            group=THEORIES,
            negative=(),
            help="Learning schemes such as tree,'tree(max_depth=3)'; may be given again. See `credibly "
            "list schemes` and, for those that can be coded, `credibly list coders`.",
        ),
    ] = None,
    code: Annotated[
        Literal["two-part", "prequential"],
        Parameter(
            group=THEORIES,
            help="Send the theory and what it leaves, or each row by what was learnt before it.",
        ),
    ] = "two-part",
    labels: Annotated[
        Literal["probabilities", "exceptions"],
        Parameter(group=THEORIES, help="Code classes by their probabilities, or as exceptions."),
    ] = "probabilities",
    refits: Annotated[int, Parameter(group=THEORIES, help="Fits of a prequential code.")] = 20,
    resampling: Annotated[
        str,
        Parameter(group=THEORIES, help="Of the error beside the lengths: 10, 10x10 ...; or none."),
    ] = "10",
    task: Annotated[
        Literal["classification", "numeric"] | None,
        Parameter(group=THEORIES, help="Where the target does not tell."),
    ] = None,
    jobs: Annotated[int, Parameter(group=THEORIES, help="Processes of the resampling.")] = 1,
    clusters: Annotated[
        str | None,
        Parameter(
            group=CLUSTERS,
            help="kmeans, a clusterer such as 'sklearn.mixture:GaussianMixture', or a column of labels.",
        ),
    ] = None,
    k: Annotated[
        str | None, Parameter(group=CLUSTERS, help="Numbers of clusters, such as 1..8 or 2,4.")
    ] = None,
    membership: Annotated[
        Literal["adaptive", "uniform"],
        Parameter(
            group=CLUSTERS, help="Learn the sizes of clusters on the way, or take log2 of k."
        ),
    ] = "adaptive",
    nominal: Annotated[
        Literal["adaptive", "sent"],
        Parameter(group=CLUSTERS, help="Learn shares of categories on the way, or send them."),
    ] = "adaptive",
    zero_frequency: Annotated[
        Literal["kt", "laplace"],
        Parameter(group=CODE, help="Half a case or one more of every class, seen or not."),
    ] = "kt",
    precision: Annotated[
        float | None,
        Parameter(group=CODE, help="Of numbers; their smallest difference when not given."),
    ] = None,
    rng: Annotated[int, Parameter(group=CODE, help="Seed of everything random.")] = 1,
    plot: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Draw the parts: a .svg, .png, .pdf, .html or .json file."),
    ] = None,
    output: Output = TEXT,
) -> None:
    """Find the theory that describes itself and the data in the fewest bits, without a test set.

    For instance:
      credibly mdl iris --scheme "tree(max_depth=2),tree,naive-bayes,knn"
      credibly mdl loans.csv --target default --scheme forest,svm --code prequential
      credibly mdl iris --clusters kmeans --k 1..8 --plot lengths.svg

    Parameters
    ----------
    data
        A file, or the name of a bundled set.
    """
    from credibly.cli.printing import print_answer

    coded: Options = {"zero_frequency": zero_frequency, "precision": precision, "rng": rng}
    read: Options = {"ignore": many(ignore) or (), "missing": many(missing)}
    if clusters is None:
        tested = None if resampling == "none" else resampling
        coded |= {"code": code, "labels": labels, "refits": refits, "resampling": tested}
        coded |= {"task": task, "n_jobs": jobs}
        result = _theories(data, target, read, scheme, coded)
    else:
        _refuse(scheme)
        coded |= {"membership": membership, "nominal": nominal, "k": _sizes(k)}
        result = _clusterings(data, target, read, clusters, coded)
    if plot is not None:
        result.plot().save(plot)
    print_answer(result, output, said=[result.verdict()], findings=result.findings)


def _theories(
    data: str, target: str | None, read: Options, scheme: list[str] | None, how: Options
) -> DescriptionLengths:
    from dataclasses import replace

    from credibly._core.errors import ParameterError
    from credibly.description_length import mdl
    from credibly.io.datasets import read_data

    if not scheme:
        raise ParameterError(
            "Name at least one scheme=..., such as tree or naive-bayes, or clusters=... ."
        )
    table = read_data(data, target, **read)
    made = mdl(calls(scheme), table.X, table.y, **how)
    return replace(made, findings=table.and_more(made.findings))


def _refuse(scheme: list[str] | None) -> None:
    from credibly._core.errors import ParameterError

    if scheme:
        raise ParameterError("Ask for scheme=... or for clusters=..., one at a time.")


def _clusterings(
    data: str, target: str | None, read: Options, clusters: str, how: Options
) -> DescriptionLengths:
    """Take a clusterer by name or path, or a column of labels; a target is left out."""
    from dataclasses import replace

    from credibly.description_length import clustering_mdl
    from credibly.io.datasets import read_inputs
    from credibly.schemes.choice import made_from_path

    if clusters == "kmeans" or ":" in clusters:
        more = read | {"ignore": (*read["ignore"], *([target] if target else []))}
        table = read_inputs(data, **more)
        given = clusters if clusters == "kmeans" else made_from_path(clusters)
    else:
        table = _labelled(data, clusters, read)
        given = {clusters: table.y}
    made = clustering_mdl(table.X, given, **how)
    return replace(made, findings=table.and_more(made.findings))


def _labelled(data: str, clusters: str, read: Options) -> Dataset:
    """Read data with a column of labels."""
    from credibly._core.errors import MissingColumnError, did_you_mean
    from credibly.io.datasets import read_data

    try:
        return read_data(data, clusters, **read)
    except MissingColumnError:
        near = did_you_mean(clusters, ["kmeans"])
        raise MissingColumnError(
            f"There is no column and no clusterer {clusters!r}.{near} clusters= takes kmeans, a path "
            "such as 'sklearn.mixture:GaussianMixture', or a column of labels."
        ) from None


def _sizes(text: str | None) -> list[int] | None:
    """Read numbers of clusters.

    >>> _sizes("1..3"), _sizes("2, 5"), _sizes(None)
    ([1, 2, 3], [2, 5], None)
    """
    from credibly._core.errors import ParameterError

    if text is None:
        return None
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
