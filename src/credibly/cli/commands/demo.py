"""`credibly demo`: the main job on bundled data, in a few seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from credibly.cli.command_groups import FIRST
from credibly.errors import listed
from credibly.predictions import Predictions
from credibly.results.estimate import Estimate
from credibly.results.table import Table

GROUP = FIRST

DEMO_FILE = Path(__file__).parents[2] / "demo_data" / "breast-cancer.csv"
COSTS = {"fn": 10, "fp": 1}  # a missed tumour beside a false alarm
INFINITE_LOSS = "informational_loss"  # infinite where a probability of 0 was given to what happened


def command(
    *,
    save: Path | None = None,
    output: Annotated[Path, Parameter(name=["--output", "-o"])] = Path("credibly-demo.html"),
    json: bool = False,
) -> None:
    """Evaluate predictions by four schemes for 569 tumours, explain the numbers, and write a report.

    Parameters
    ----------
    save
        Write the bundled predictions to this file, for trying other commands.
    output
        Where to write the report.
    json
        Print the table as JSON, without a report.
    """
    from credibly._core.files import write_new
    from credibly.cli.terminal import print_joined, print_text, table_text
    from credibly.evaluation import evaluate
    from credibly.measures.selection import PANEL
    from credibly.results.brief import Brief

    if save is not None:
        # The name of the column says which class is the positive one.
        text = DEMO_FILE.read_text(encoding="utf-8").replace("probability", "p_malignant", 1)
        write_new(save, text)
        print(f"Wrote {save}: 569 tumours x 4 models. Try: credibly evaluate {save}")
        return
    predictions = _predictions()
    table = evaluate(predictions, PANEL)
    if json:
        print(table.to_json())
        return
    print_text(
        "Four learning schemes were run in ten-fold cross-validation on 569 tumours. Each "
        "predicted the probability that a tumour is malignant, with a model that had not seen that tumour.\n"
    )
    brief = Brief(table)
    belief = evaluate(predictions, INFINITE_LOSS)
    print_text(meaning(brief.first(), belief) + "\n")
    print(table_text(*brief.cells()))
    print_text("\n" + "\n".join(brief.remarks()))
    print_joined(brief.all_findings())
    print_text(f"\nThe full report, to open in a browser: {_report(predictions, output)}\n")
    print_text(
        "Next, with the same predictions as a file:\n"
        "  credibly demo --save demo.csv\n"
        "  credibly compare demo.csv\n"
        "  credibly calibration demo.csv\n"
        "  credibly decide demo.csv --cost fn=10,fp=1"
    )


def _predictions() -> Predictions:
    from credibly.io import read

    named: dict[str, Any] = {
        name: name for name in ("truth", "probability", "row", "model", "fold", "n_train")
    }
    baseline = ["baseline_benign", "baseline_malignant"]
    return read(DEMO_FILE, **named, positive="malignant", baseline=baseline)


def _report(predictions: Predictions, output: Path) -> Path:
    from credibly.reports import report

    made = report(
        predictions,
        costs=COSTS,
        title="Four schemes on 569 tumours",
        command=f"credibly demo --output {output}",
    )
    return made.save(output)


def meaning(shown: Sequence[Estimate], belief: Table) -> str:
    """Put estimates into sentences; ``belief`` has the measure that is infinite for what was ruled out."""
    errors = sorted((e for e in shown if e.measure == "error_rate"), key=lambda e: e.value)
    best, worst = errors[0], errors[-1]
    ends = best.interval and (best.interval.low, best.interval.high)
    limits = " to ".join(map(_in_thousand, ends)) if ends else "no interval"
    lines = [
        f"- {_model(best)} makes the fewest errors: about {_in_thousand(best.value)} tumours in 1,000 "
        f"({limits} with 95 % confidence). Calling every tumour benign would be wrong for "
        f"{_in_thousand(best.baselines['majority'])}.",
        f"- {_model(worst)} makes the most errors ({_in_thousand(worst.value)} in 1,000). "
        + _overlap(best, errors[1:]),
    ]
    recalls = {_model(e): e for e in shown if e.measure == "recall"}
    recall = max(recalls.values(), key=lambda e: e.value)
    lines.append(
        f"- {_model(recall)} finds the largest share of the malignant tumours ({100 * recall.value:.1f} %); "
        f"{_model(worst)} misses about {1000 * (1 - recalls[_model(worst)].value):.0f} in 1,000 of them. "
        "If a missed cancer costs more than a false alarm, the error rate is the wrong thing to minimise."
    )
    infinite = dict.fromkeys(_model(e) for e in belief if e.value == math.inf)
    if infinite:
        lines.append(
            f"- {listed(infinite)} gave probability 0 to an outcome that occurred: "
            "do not trust these probabilities as they are."
        )
    return "\n".join(lines)


def _overlap(best: Estimate, others: list[Estimate]) -> str:
    top = best.interval.high if best.interval else -math.inf
    close = [_model(e) for e in others if e.interval and e.interval.low <= top]
    if not close:
        return "Its interval does not overlap that of the best one."
    which = f"that of {close[0]}" if len(close) == 1 else f"those of {listed(close)}"
    return (
        f"The interval of {_model(best)} overlaps {which}: these rates alone do not show which "
        "of them is best. They were evaluated on the same cases, so a paired comparison can show more."
    )


def _model(e: Estimate) -> str:
    return str(e.keys["model"])


def _in_thousand(value: float) -> str:
    return f"{1000 * value:.0f}"
