"""Estimates of several measures together, and how they are laid out as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from keyword import iskeyword
from typing import Any, Self, overload

from credibly._core.findings import Finding
from credibly._core.grouping import grouped_by
from credibly._core.layout import Key
from credibly._core.names import name_key
from credibly._core.search_names import search_names
from credibly._core.text import interval_text, name_text, number_text, percent
from credibly.errors import did_you_mean, listed, says
from credibly.results.about import about_text
from credibly.results.estimate import SIGNS, Estimate
from credibly.results.formats import Column, cell_text, plain_scalar, table_of
from credibly.results.result import (
    MAX_TABLE_LINES,
    SPARE_LINES,
    Blocks,
    Cells,
    Result,
    Screen,
    Whole,
)

MAX_SIDE_BY_SIDE = 6
MAX_MODELS_BESIDE = 3  # models whose intervals stand side by side; more have a row each
MAX_RULES = 12  # trivial rules with a column each; of more, those that are best
MAX_NAMED = 10  # measures that an error lists
MEAN_OVER_DATASETS = "mean over datasets"  # what stands where those of one have its name
MAX_ROWS = MAX_TABLE_LINES + SPARE_LINES  # of a text that does not show all
MODEL_KEYS = ({"model"}, {"model", "estimate"})  # keys beside which the best trivial rule stands
ROW_COLUMNS = (
    *("measure", "average", "value", "low", "high", "confidence_level", "method", "about", "n"),
    "standard_error",
)


class Estimates(Result):
    """Estimates of several measures, models, classes, folds or groups: looked up, in rows, and laid out whole."""

    heading: str
    estimates: tuple[Estimate, ...]
    findings: tuple[Finding, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    shows_spread: bool = False  # in its text too, beside each value
    down: str = ""  # the key, such as what grows, that its text has a row for each value of
    margin: str = ""  # the measure that says how much better than the best rule it is, if one does
    first_look: tuple[str, ...] = ()  # the measures that its text shows, if it does not show all
    lead: str = ""  # the measure that is spoken of first, if not the first one
    # The columns that split its cases, of which no two slices share one.
    slices: tuple[str, ...] = ()
    # What the estimators that made its values are called in sentences, by their names.
    estimator_words: Mapping[str, str] = field(default_factory=dict)
    shows_all: bool = False

    versioned = True
    json_keys = "heading [sentence=meaning] *details estimates findings"

    empty_columns = "measure"
    finding_parts = "estimates"

    def __len__(self) -> int:
        return len(self.estimates)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def _instead_of(self, name: str) -> str:
        return f"[{name!r}]" if any(e.measure == name for e in self.estimates) else ""

    @overload
    def __getitem__(self, measure: str | int | tuple[Any, ...]) -> Estimate: ...
    @overload
    def __getitem__(self, measure: slice) -> tuple[Estimate, ...]: ...
    def __getitem__(
        self, measure: str | int | tuple[Any, ...] | slice
    ) -> Estimate | tuple[Estimate, ...]:
        """Return the estimate of a measure, and of a model, class or fold if there are several; or of a row, or rows.

        >>> import credibly
        >>> models = {"a": credibly.Predictions.of([1, 0, 0], label=[1, 1, 0])}
        >>> models["b"] = credibly.Predictions.of([1, 0, 0], label=[1, 0, 0])
        >>> credibly.evaluate(models)["accuracy", "b"].value
        1.0
        """
        if isinstance(measure, int | slice):
            return self.estimates[measure]
        name, *others = measure if isinstance(measure, tuple) else (measure,)
        estimates = tuple(
            e
            for e in self._matching(measure=name)
            if e.is_headline is not False
            and all(any(_matches(e, k, plain_scalar(v)) for k in e.keys) for v in others)
        )
        if len(estimates) != 1:
            self._refuse(measure if others and not estimates else name, estimates)
        return estimates[0]

    def _refuse(self, measure: object, found: tuple[Estimate, ...]) -> None:
        """Say that there is no such estimate, or how to choose one of several."""
        if not found:
            names = sorted({e.measure for e in self.estimates})
            more = " ..." * (len(names) > MAX_NAMED)
            near = did_you_mean(str(measure), names)
            near = near or f" Measures: {', '.join(names[:MAX_NAMED])}{more or '.'}"
            raise KeyError(f"{measure!r} is not in this table.{near}")
        texts = [k for k in self._keys() if len({str(e.keys.get(k)) for e in found}) > 1]
        one = {k: plain_scalar(found[0].keys[k]) for k in texts if k in found[0].keys}
        written = (f"**{ {k: v} }" if iskeyword(k) else f"{k}={v!r}" for k, v in one.items())
        raise KeyError(
            f"{measure!r} occurs {len(found)} times in this table. Select one, such as "
            f"{[measure, *one.values()]}, or several with .where, such as "
            f".where({', '.join([f'measure={measure!r}', *written])})."
        )

    @search_names(
        {
            "loc, iloc, query, filter, get, select": ".where(measure='auc', ...), or .frame()",
            "value, score, low, high, interval, ci, standard_error": "['auc'].value, ['auc'].interval ...",
        }
    )
    def where(self, **conditions: object) -> Self:
        """Return the table of the estimates whose measure, average, class, fold ... equal the given values.

        >>> import credibly
        >>> both = credibly.Predictions.of([1, 0, 0], {"a": [1, 1, 0], "b": [1, 0, 0]})
        >>> credibly.evaluate(both).where(model="b")["accuracy"].value
        1.0
        """
        return replace(self, estimates=self._matching(**conditions), first_look=())

    def _matching(self, **conditions: object) -> tuple[Estimate, ...]:
        return tuple(
            e
            for e in self.estimates
            if all(_matches(e, k, plain_scalar(v)) for k, v in conditions.items())
        )

    @property
    def all(self) -> Self:
        """The same table, whose text shows every measure.

        >>> import credibly
        >>> table = credibly.evaluate(credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0]))
        >>> len(table), len(table.cells()[1]), len(table.all.cells()[1])
        (22, 4, 22)
        """
        lead = next(iter(self.first_look), self.lead)
        return replace(self, first_look=(), lead=lead, shows_all=True)

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per estimate: the long form."""
        baselines = {f"baseline_{name}": math.nan for name in self._baselines()}
        spread = dict.fromkeys((s for e in self.estimates for s in e.spread), math.nan)
        alike = {**dict.fromkeys(self._keys()), **dict.fromkeys(ROW_COLUMNS), **spread, **baselines}
        return [{**alike, **e.rows()[0]} for e in self.estimates]

    def cells(self) -> Cells:
        """Return header and body of the table as people read it.

        A few models, classes or folds stand side by side; many stand below each other.
        """
        columns = list(dict.fromkeys(self._key_texts()))
        models = self._telling() == ["model"]
        most = MAX_MODELS_BESIDE if models else MAX_SIDE_BY_SIDE
        few = 1 < len(columns) <= MAX_SIDE_BY_SIDE and not self.shows_spread
        many = len(columns) > most and not self.shows_spread
        apart = self.slices or (("model",) if models else ())
        down = apart if many and apart else (self.down,) if self.down else ()
        if down and len(titles := self._titles(down)) <= MAX_SIDE_BY_SIDE:
            return self._below_each_other(down, titles)
        return self._side_by_side(columns) if few else self._long()

    def blocks(self) -> Blocks:
        """Yield the table; with a margin, what trivial rules stand beside first, so that no column is half empty."""
        parts = [
            [e for e in self.estimates if bool(e.baselines) is beside] for beside in (True, False)
        ]
        if not self.margin or not all(parts) or any(e.keys for e in self.estimates):
            yield "", *self.cells()
            return
        for title, part in zip(("", "Further numbers"), parts, strict=True):
            yield title, *replace(self, estimates=tuple(part)).cells()

    def screen(self) -> Screen:
        """Return its tables: measures that were asked for are shown unless they are very many."""
        blocks = list(self.blocks())
        few = sum(len(body) for _, _, body in blocks) <= MAX_ROWS
        return Screen(blocks, []) if few else Result.screen(self)

    def _key_texts(self) -> list[str]:
        """Return what distinguishes each estimate from others of its measure."""
        telling = self._telling()
        return [
            ", ".join(name_text(plain_scalar(v)) for k, v in e.keys.items() if k in telling)
            for e in self
        ]

    def _telling(self) -> list[str]:
        """Return the keys that distinguish estimates of a measure: how each was made only where there are several."""
        without = [(e.name, *(v for k, v in e.keys.items() if k != "estimate")) for e in self]
        several = len(set(map(str, without))) < len(without)
        return [k for k in self._keys() if several or k != "estimate"]

    def _side_by_side(self, columns: list[str]) -> Cells:
        rows: dict[str, dict[str, str]] = {}
        for e, column in zip(self.estimates, self._key_texts(), strict=True):
            rows.setdefault(e.name, {})[column] = interval_text(e.value, e.interval)
        corner = f"measure \\ {', '.join(self._telling())}"
        header = [corner, *columns]
        body = [[name, *(r.get(c, "") for c in columns)] for name, r in rows.items()]
        beside = self.estimates if {*self._keys()} in MODEL_KEYS else ()
        return with_rules(header, body, beside)

    def _titles(self, down: tuple[str, ...]) -> dict[str, list[Estimate]]:
        """Return the estimates by what stands above them where some keys stand on their left."""
        several = len({e.name for e in self.estimates}) > 1

        def title(e: Estimate) -> str:
            others = [name_text(plain_scalar(v)) for k, v in e.keys.items() if k not in down]
            return ", ".join([*([e.name] if several or not others else []), *others])

        return grouped_by(title, self.estimates)

    def _below_each_other(self, down: tuple[str, ...], titles: dict[str, list[Estimate]]) -> Cells:
        names = {e.name for e in self.estimates}
        left = ", ".join(down)
        corner = f"{left} \\ {names.pop()}" if len(names) == 1 < len(titles) else left
        rows: dict[tuple[object, ...], dict[str, str]] = {}
        for title, mine in titles.items():
            for e in mine:
                told = rows.setdefault(tuple(e.keys[k] for k in down), {})
                told[title] = interval_text(e.value, e.interval)
        body = [
            [", ".join(name_text(plain_scalar(v)) for v in of), *(told.get(t, "") for t in titles)]
            for of, told in rows.items()
        ]
        models = titles if down == ("model",) else {}
        ruled = {title: beside_best_rule(mine) for title, mine in models.items()}
        return [corner, *titles], [*body, *rules_row(ruled)]

    def _long(self) -> Cells:
        keys = self._telling()
        baselines = [] if self.shows_spread else self._baselines()
        if len(baselines) > MAX_RULES:
            baselines = list(dict.fromkeys(e.rule.name for e in self.estimates if e.rule))
        levels = {e.interval.confidence_level for e in self.estimates if e.interval}
        interval = f"{percent(levels.pop())} interval" if len(levels) == 1 else "interval"

        def key(name: str) -> Callable[[Estimate], str]:
            return lambda e: str(plain_scalar(e.keys.get(name, "")))

        def baseline(name: str) -> Callable[[Estimate], str]:
            return lambda e: e.beside_text(e.baselines[name]) if name in e.baselines else ""

        columns: dict[str, Column] = {
            **{Key(k): key(k) for k in keys},
            Key("measure"): "name",
            "value": lambda e: number_text(e.value, e.interval),
            interval: lambda e: interval_text(None, e.interval),
            **self._spread_columns(),
            "n": lambda e: number_text(e.n),
            **{b.replace("_", " "): baseline(b) for b in baselines},
        }
        return table_of(self.estimates, columns)

    def _spread_columns(self) -> dict[str, Callable[[Estimate], str]]:
        """Return the columns that show how far values may be off, and how those of folds lie."""
        if not self.shows_spread:
            return {}

        def of(name: str) -> Callable[[Estimate], str]:
            return lambda e: cell_text(e.spread.get(name))

        names = dict.fromkeys(s for e in self.estimates for s in e.spread)
        errors = {"standard error": lambda e: cell_text(e.standard_error)}
        return errors | {name.replace("_", " "): of(name) for name in names}

    def intervals_text(self) -> str:
        """Say how the intervals were made, what they are about, and why there are none."""
        return "\n".join(self.remarks())

    def about_intervals(self) -> str:
        """Say how the intervals were made and what they are about."""
        return self.about_what(methods=True)

    def about_what(self, *, methods: bool = False) -> str:
        """Say what the intervals are about, and if asked how they were made."""
        several = several_models(e.keys for e in self.estimates)
        made = [(e.interval, e.name) for e in self.estimates if e.interval]
        intervals, names = [i for i, _ in made], [name for _, name in made]
        return about_text(intervals, counted=True, several=several, methods=methods, names=names)

    def remarks(self) -> list[str]:
        """Say how the intervals were made, what they are about, and why there are none."""
        return self.remarks_about(self.about_intervals())

    def remarks_about(self, about: str) -> list[str]:
        """Say what intervals are about, in the words that are given, and why there are none."""
        reasons: dict[str, dict[str, None]] = {}
        for e in self.estimates:
            if e.interval is None and math.isfinite(e.value):
                reasons.setdefault(e.why_no_interval, {})[e.name] = None
        missing = [
            says("No interval for {names}: {why}.", names=", ".join(names), why=why)
            for why, names in reasons.items()
        ]
        return [*([about] if about else []), *self._headlines(self.estimates), *missing]

    def _headlines(self, estimates: Iterable[Estimate]) -> list[str]:
        """Say which of several estimates of a measure stands for all."""
        headlines = (e for e in estimates if e.is_headline and "estimate" in e.keys)
        heads = grouped_by(lambda e: str(e.keys["estimate"]), headlines)
        if not heads:
            return []
        (main, _), *others = sorted(heads.items(), key=lambda each: -len(each[1]))
        said = {name: self.estimator_words.get(name, name) for name in heads}
        of_others = (
            f"; of {listed(dict.fromkeys(e.name for e in them))}, {said[name]}"
            for name, them in others
        )
        return [f"Headline estimate: {said[main]}{''.join(of_others)}."]

    def _keys(self) -> list[str]:
        return list(dict.fromkeys(k for e in self.estimates for k in e.keys))

    def _baselines(self) -> list[str]:
        return list(dict.fromkeys(b for e in self.estimates for b in e.baselines))


def several_models(keys: Iterable[Mapping[str, object]]) -> bool:
    """Whether the keys of estimates or curves are of more than one model."""
    return len({str(each["model"]) for each in keys if "model" in each}) > 1


def best_ruled(estimates: Iterable[Estimate]) -> dict[str, Estimate | None]:
    """Return of each measure, by its name in tables, the estimate beside the best trivial rule.

    A rule has another value on each dataset: beside several stands that of their mean.
    """
    alike = grouped_by(lambda e: e.name, estimates)
    return {
        name: beside_best_rule(
            e for e in each if e.keys.get("dataset") in {None, MEAN_OVER_DATASETS}
        )
        for name, each in alike.items()
    }


def beside_best_rule(estimates: Iterable[Estimate]) -> Estimate | None:
    """Return the one of some estimates of a measure that stands beside the best trivial rule, if any has a value."""
    known = [(SIGNS[e.direction] * rule.value, e) for e in estimates if (rule := e.rule)]
    return max(known, key=lambda each: each[0])[1] if known else None


def with_rules(header: list[str], body: list[list[str]], estimates: Sequence[Estimate]) -> Cells:
    """Return a table with the best trivial rule of each row, or of each estimate, at its end, where there are any."""
    ruled = best_ruled(estimates)
    alone = len(body) == len(estimates)
    ends = [*estimates] if alone else [ruled.get(row[0]) for row in body]
    texts = [f"{e.rule_text} ({e.rule.words})" if e and e.rule else "" for e in ends]
    if not any(texts):
        return header, body
    mean = " (mean)" * (MEAN_OVER_DATASETS in header)
    return [*header, f"best trivial rule{mean}"], [
        [*row, rule] for row, rule in zip(body, texts, strict=True)
    ]


def rules_row(ruled: Mapping[str, Estimate | None]) -> list[list[str]]:
    """Return the row of the best trivial rules below those of models, where there are any."""
    texts = [e.rule_text if e else "" for e in ruled.values()]
    return [["trivial rule", *texts]] if any(texts) else []


class Tabled(Result):
    """A result that is presented by the table it holds."""

    json_keys = "*table"
    row_parts = "table"
    finding_parts = "table"
    table: Estimates

    def _instead_of(self, name: str) -> str:
        return f".table[{name!r}]" if len(self.table.where(measure=name)) else ""

    @property
    def all(self) -> Result:
        """The same result, whose table shows every measure."""
        return Whole(replace(self, table=self.table.all))


def _matches(estimate: Estimate, name: str, value: object) -> bool:
    if name in estimate.keys:
        return plain_scalar(estimate.keys[name]) == value
    if name == "measure" and isinstance(value, str):
        return name_key(value) in map(name_key, (estimate.measure, *estimate.also))
    return bool(getattr(estimate, name, None) == value)
