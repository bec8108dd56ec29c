"""`credibly curve`: points of a curve, with a band."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (read by the command line at run time)
from typing import Annotated, Literal

from cyclopts import Parameter

from credibly.cli.columns import DEFAULT, WHAT, Columns, many
from credibly.cli.output import OUTPUT, TEXT, Output


def command(
    name: str,
    file: Path,
    *,
    columns: Columns = DEFAULT,
    by: Annotated[
        str | None,
        Parameter(
            group=WHAT, help="Slices: model, repeat, fold, part, group, class; several with commas."
        ),
    ] = None,
    average: Annotated[
        Literal["vertical", "threshold"] | None,
        Parameter(group=WHAT, help="One curve out of those of the folds, with their spread."),
    ] = None,
    prevalence: Annotated[
        float | None,
        Parameter(group=WHAT, help="Share of positives where the model will be used."),
    ] = None,
    band: Annotated[
        str | None, Parameter(group=WHAT, help="A name from `credibly list band-methods`.")
    ] = None,
    confidence_level: Annotated[float, Parameter(group=WHAT, help="Of the band.")] = 0.95,
    rng: Annotated[int | None, Parameter(group=WHAT, help="Seed of a bootstrap.")] = None,
    replicates: Annotated[int, Parameter(group=WHAT, help="Replicates of a bootstrap.")] = 2000,
    points: Annotated[
        int | None,
        Parameter(
            group=OUTPUT,
            help="At most so many points, those that draw the picture best: 2,000 look like all.",
        ),
    ] = None,
    output: Output = TEXT,
) -> None:
    """Draw a curve from a file of predictions.

    For instance:
      credibly curve roc preds.csv --truth y --probability p --positive yes
      credibly curve "threshold(measure='f1')" preds.csv --csv
      credibly curve cost preds.csv --by model --band simultaneous --rng 1 --json

    Parameters
    ----------
    name
        A name from `credibly list curves`, with arguments in brackets if need be.
    file
        The file of predictions, one row a case.
    """
    from credibly.cli.printing import print_curves
    from credibly.curves import Curve, Curves, curve
    from credibly.curves import curves as kinds

    kind = kinds.parse(name)  # a name that is not known is told before a large file is read
    drawn = curve(
        kind,
        columns.read(file),
        by=many(by),
        band=band,
        average=average,
        prevalence=prevalence,
        confidence_level=confidence_level,
        rng=rng,
        replicates=replicates,
    )
    curves = Curves((drawn,)) if isinstance(drawn, Curve) else drawn
    if points is not None:
        curves = Curves(tuple(c.thinned(points) for c in curves.values()), curves.findings)
    print_curves(curves, output)
