"""Figures as data: what each plot puts where, and what happens at the edges."""

import json
import math
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from scipy.stats import t as student

import credibly
from credibly import DataError, ParameterError, Predictions
from credibly._core.text import visible
from credibly.comparisons import DatasetTable, FoldValues
from credibly.intervals import bootstrap
from credibly.intervals.row_bootstrap import bootstrap_rows
from credibly.plots import Axis, Figure, Layer, plot, plots
from credibly.results.figure import MAX_NOTEBOOK_BYTES

SEED = 4


def scored(n=200, seed=4, **more):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return Predictions.of(y, score=y + rng.normal(size=n), **more)


def small(**layers):
    return Figure("Small", Axis("x"), Axis("y"), (Layer.of("points", **layers),), "A small figure.")


# --- the figure itself --------------------------------------------------------------------------


def test_columns_are_of_one_length():
    with pytest.raises(ParameterError, match="must be of one length"):
        Layer.of("line", x=[1, 2], y=[1])


def test_what_is_not_finite_is_a_gap():
    layer = Layer.of("line", x=[0.0, 1.0, 2.0], y=[np.nan, np.inf, 1.0])
    assert layer.columns["y"] == [None, None, 1.0]


@pytest.mark.parametrize(
    "columns", [{"x": [], "y": []}, {"x": [1.0], "y": [math.nan]}, {"x": [1], "y": [1]}]
)
def test_nothing_or_one_point_is_drawn_too(columns):
    figure = small(**columns)
    assert figure.svg().startswith("<svg")
    assert figure.draw() is not None


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.pdf", "a.html", "a.json"])
def test_saved_by_suffix(tmp_path, name):
    made = small(x=[1.0, 2.0], y=[1.0, 3.0]).save(tmp_path / name, theme="dark").read_bytes()
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE", "json": b"{"}
    assert made.startswith(start[name[2:]])


def test_other_suffixes_and_places_are_refused(tmp_path):
    figure = small(x=[1.0], y=[1.0])
    with pytest.raises(ParameterError, match=r"'a.gif' is not one of them"):
        figure.save(tmp_path / "a.gif")
    with pytest.raises(DataError, match="cannot be written"):
        figure.save(tmp_path / "no" / "a.json")


def test_pages_ask_for_nothing_and_hold_labels_as_text():
    hostile = '</script><script>alert("x")</script>'
    page = Figure(
        hostile, Axis(hostile), Axis("y"), (Layer.of("points", x=[1], y=[2], series=hostile),), hostile
    ).html()  # fmt: skip
    start = page.rindex("<figure>")
    assert page[start:].count("<script") == page[start:].count("</script>") == 1
    assert "&lt;script&gt;" in page[start:]
    assert 'src="' not in page[:400]
    assert "</script><script>" not in page


def test_titles_and_names_stand_in_the_svg_as_text():
    hostile = ["<script>", 'say "no" & go', "$x^2$", "שלום", "n" * 300]
    layer = Layer.of("points", x=[1, 2, 3, 4, 5], y=[1, 2, 3, 4, 5], series=hostile)
    tree = ET.fromstring(Figure("a < b", Axis("x"), Axis("y"), (layer,), "Five.").svg())
    texts = [t.text or "" for t in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", *map(visible, hostile[:4])} <= set(texts)
    assert any(t.startswith("nnn") and "…" in t and len(t) < 60 for t in texts)


def test_matplotlib_shows_names_as_they_are():
    names = ["$a$", "_hidden", "n" * 300]
    layer = Layer.of("line", x=[0, 1, 2], y=[0, 1, 2], series=names)
    ax = Figure("$t$", Axis("$x$"), Axis("y"), (layer,), "Three.").draw()
    ax.figure.canvas.draw()
    shown = [t.get_text() for t in ax.get_legend().get_texts()]
    assert shown[:2] == [r"\$a\$", "_hidden"]
    assert len(shown[2]) <= 30


def test_matplotlib_takes_dark_axes_for_dark():
    import matplotlib.pyplot as plt

    inks = []
    for ground in ("white", "black"):
        ax = plt.figure().subplots(subplot_kw={"facecolor": ground})
        small(x=[1.0], y=[1.0]).draw(ax)
        inks.append(ax.collections[0].get_facecolor()[0, :3].mean())
        plt.close(ax.figure)
    assert inks[0] < 0.3 < 0.7 < inks[1]


def test_many_series_are_told_apart_by_dashes():
    y = np.arange(40) % 2
    rng = np.random.default_rng(SEED)
    models = {f"m{i}": Predictions.of(y, score=y + rng.normal(size=40)) for i in range(12)}
    figure = credibly.curve("roc", models).plot()
    assert len(figure.series()) == 12
    line = next(p for p in figure.spec()["layer"] if "strokeDash" in p["encoding"])
    looks = line["encoding"]["strokeDash"]["scale"]["range"]
    assert looks[0] == looks[7] != looks[8]
    lines = [ln for ln in figure.draw().lines if len(ln.get_xdata()) > 2]
    drawn = {(ln.get_color(), str(ln._dash_pattern)) for ln in lines}
    assert len(drawn) == 12


def test_a_click_on_the_legend_fades_the_others():
    figure = credibly.curve("roc", {"a": scored(), "b": scored(seed=5)}).plot()
    spec = figure.spec(interactive=True)
    named = [p for p in spec["layer"] if "params" in p]
    assert [p["params"][0]["bind"] for p in named] == ["legend"]
    hovered = [p for p in spec["layer"] if p["mark"].get("opacity") == 0]
    assert [t["title"] for t in hovered[-1]["encoding"]["tooltip"]] == [
        "false positive rate", "true positive rate", "threshold", "series",
    ]  # fmt: skip


def test_altair_takes_it_over():
    chart = credibly.curve("roc", scored()).plot().altair()
    assert chart.to_dict()["description"].startswith("ROC curve")


def test_notebooks_get_little():
    y = np.arange(5_000) % 2
    rng = np.random.default_rng(SEED)
    models = {f"m{i}": Predictions.of(y, score=y + rng.normal(size=y.size)) for i in range(5)}
    drawn = credibly.curve("roc", models, band="pointwise", rng=1, replicates=20)
    bundle = drawn.plot()._repr_mimebundle_()
    assert len(bundle["image/svg+xml"]) < MAX_NOTEBOOK_BYTES
    assert "http" not in bundle["image/svg+xml"].replace("http://www.w3.org", "")
    rng = np.random.default_rng(SEED)
    value = rng.normal(size=5000)
    many = Predictions.of(value, value=value).plot()._repr_mimebundle_()
    assert set(many) == {"image/png", "text/plain"}


# --- what plots show ----------------------------------------------------------------------------


@pytest.mark.daily(n=[50_000])
@pytest.mark.parametrize("n", [50_000, 1_000_000])
def test_many_rows_are_thinned(n):
    y = np.arange(n) % 2
    p = Predictions.of(y, score=y + np.random.default_rng(1).normal(size=n))
    for figure in (p.plot(), p.plot("lift"), p.plot("scores_by_class"), p.plot("hull")):
        assert len(json.dumps(figure.spec())) < 100_000


def test_thinned_scatter_is_spread_over_all_rows():
    truth = np.arange(10_000.0)
    figure = Predictions.of(truth, value=truth).plot()
    x = figure.layers[1].columns["x"]
    assert (len(x), x[0], x[-1]) == (2000, 0.0, 9999.0)
    assert figure.subtitle.startswith("2,000 of 10,000 cases;")


def test_predictions_are_shown_by_what_they_have():
    chosen = {
        "curve": scored(),
        "confusion_matrix": Predictions.of(["a", "b"], label=["a", "a"]),
        "prediction_against_truth": Predictions.of([1.0, 2.0], value=[1.0, 3.0]),
    }
    assert {name: p.plot().name for name, p in chosen.items()} == {k: k for k in chosen}
    three = Predictions.of([0, 1, 2], probability=np.eye(3), classes=[0, 1, 2])
    assert three.plot().name == "confusion_matrix"


def test_predictions_take_the_options_of_what_is_made_of_them():
    figure = scored().plot("roc", band="pointwise", rng=1, replicates=50, confidence_level=0.9)
    about = "90 % interval and pointwise band about this model on new cases"
    assert figure.subtitle == f"AUC 0.800 [0.744, 0.847]; {about}; dashed: chance"
    assert scored().plot("estimates", measures=["auc"]).title == "Area under the ROC curve"
    with pytest.raises(ParameterError, match="estimates has no option 'nonsense'"):
        scored().plot("estimates", nonsense=1)
    with pytest.raises(ParameterError, match="curve shows Curve or Curves; got Predictions"):
        scored().plot("curve")


def test_what_has_no_plot_is_said():
    with pytest.raises(ParameterError, match="There is no plot of int; there are plots of"):
        plot(3)
    with pytest.raises(ParameterError, match="There is no plot 'rok'"):
        plot(scored(), "rok")


def test_shares_of_a_confusion_matrix():
    p = Predictions.of(["a", "a", "a", "b"], label=["a", "a", "b", "b"])
    cells = {
        s: p.plot("confusion_matrix", show=s).layers[0].columns["value"]
        for s in ("rows", "columns")
    }
    assert np.allclose(cells["rows"], [2 / 3, 1 / 3, 0, 1])
    assert np.allclose(cells["columns"], [1, 0.5, 0, 0.5])
    with pytest.raises(ParameterError, match="show must be one of"):
        p.plot("confusion_matrix", show="all")


def test_a_class_that_is_never_predicted_has_gaps():
    p = Predictions.of(["a", "b"], label=["a", "a"])
    assert p.plot("confusion_matrix", show="columns").layers[0].columns["value"] == [
        0.5,
        None,
        0.5,
        None,
    ]


def test_undecided_cases_have_a_column():
    p = Predictions.of(["a", "b"], label=["a", None])
    assert p.plot().x.categories == ("a", "b", "(undecided)")


def test_the_tangent_touches_the_hull_from_above():
    h = credibly.hull({"a": scored(), "b": scored(seed=9)})
    for prevalence in (0.01, 0.3, 0.5, 0.9):
        figure = h.plot(prevalence=prevalence, false_negative=3)
        line = next(layer for layer in figure.layers if layer.emphasis == "dashed").columns
        best = h.best(prevalence=prevalence, false_negative=3)
        above = best.intercept + best.slope * h.false_positive_rates - h.true_positive_rates
        assert above.min() == pytest.approx(0, abs=1e-12)
        assert all(0 <= v <= 1 for v in (*line["x"], *line["y"]))
        slope = (line["y"][1] - line["y"][0]) / (line["x"][1] - line["x"][0])
        assert slope == pytest.approx(best.slope)


def test_corners_carry_model_and_threshold():
    h = credibly.hull({"a": scored(), "b": scored(seed=9)})
    corners = next(layer for layer in h.plot().layers if layer.kind == "points").columns
    inner = [q for q in h.points if not q.trivial]
    assert corners["threshold"] == [q.threshold for q in inner]
    assert corners["series"] == [q.model for q in inner]


def test_lines_of_a_critical_difference_diagram_do_not_cross():
    rng = np.random.default_rng(3)
    for k in (3, 4, 7, 12):
        table = DatasetTable(
            rng.random((10, k)) + 0.1 * np.arange(k), tuple(f"s{i}" for i in range(k))
        )
        ranking = credibly.compare(table)
        up, out, *_ = ranking.plot().layers
        for x, right, y in zip(
            out.columns["x"], out.columns["right"], out.columns["y"], strict=True
        ):
            crossed = [
                h
                for a, h in zip(up.columns["x"], up.columns["high"], strict=True)
                if min(x, right) < a < max(x, right) and h > y
            ]
            assert not crossed
        bars = [layer for layer in ranking.plot().layers if layer.emphasis == "strong"]
        assert sum(len(b.columns["x"]) for b in bars) == len(ranking.groups)


def test_average_ranks_with_a_control():
    table = DatasetTable(np.random.default_rng(3).random((10, 4)), ("a", "b", "c", "d"))
    ranking = credibly.compare(table, correction="bonferroni_dunn", against="b")
    figure = ranking.plot()
    assert figure.name == "average_ranks"
    low, high = figure.layers[0].columns["x"]
    assert high - low == pytest.approx(2 * ranking.critical_difference)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_shaded_area_is_the_pvalue(alternative):
    folds = FoldValues([0.9, 0.8, 0.7, 0.8], [0.8, 0.8, 0.6, 0.9], test_train_ratio=1 / 3)
    result = credibly.compare(folds, alternative=alternative)
    curve, *bands, _ = result.plot("two_sided_test").layers
    freedom = result.parameters["freedom"]
    x = np.array(curve.columns["x"])
    np.testing.assert_allclose(curve.columns["y"], student.pdf(x, freedom), rtol=1e-12)
    step = x[1] - x[0]
    seen = sum(h for b in bands for h in b.columns["high"] if h is not None) * step
    cut = {"two-sided": 2, "less": 1, "greater": 1}[alternative] * student.sf(x[-1], freedom)
    # Sums of heights over a grid are off by at most one column an edge.
    assert seen + cut == pytest.approx(result.pvalue, abs=2 * step * max(curve.columns["y"]))


def test_a_test_without_standard_errors_shows_its_difference():
    a, b = (
        Predictions.of([0, 1] * 20, label=[0] * 40),
        Predictions.of([0, 1] * 20, label=[0, 1] * 20),
    )
    result = credibly.compare(a, b, "error_rate")
    assert result.plot().name == "differences"
    with pytest.raises(ParameterError, match="in standard errors"):
        result.plot("two_sided_test")


def test_every_replicate_is_in_the_histogram():
    b = bootstrap(scored(), ["auc", "ks"], replicates=300, rng=1)
    figure = b.plot(measure="ks")
    assert sum(figure.layers[0].columns["y"]) == 300
    assert figure.layers[1].columns["x"] == [b.values[1]]
    limits = b.interval("ks")
    assert figure.layers[2].columns["x"] == [limits.low, limits.high]
    with pytest.raises(ParameterError, match="'recall' was not bootstrapped"):
        b.plot(measure="recall")


def test_replicates_that_do_not_vary_are_shown_without_an_interval():
    figure = bootstrap_rows(np.median, [2.0, 2.0, 2.0], replicates=50, rng=1).plot()
    assert len(figure.layers) == 2
    assert "interval" not in figure.alt


def test_an_estimate_without_values_says_so():
    estimate = credibly.evaluate(scored(), "auc")["auc"]
    with pytest.raises(ParameterError, match="no values of folds or replicates"):
        estimate.plot()


def test_fold_values_of_means_and_of_folds_agree():
    p = scored(fold=np.arange(200) % 5)
    by_fold = credibly.evaluate(p, "auc", by="fold").plot("fold_values")
    means = credibly.evaluate(p, "auc", estimate="fold_mean").plot("fold_values")
    assert by_fold.layers[0].columns["x"] == means.layers[0].columns["x"]
    with pytest.raises(ParameterError, match="no values by fold of brier"):
        credibly.evaluate(p, "auc", by="fold").plot("fold_values", measure="brier")


def test_shares_by_class_sum_to_one():
    figure = scored().plot("scores_by_class", threshold=0.5)
    bars = [layer for layer in figure.layers if layer.kind == "bars"]
    assert [sum(b.columns["y"]) for b in bars] == pytest.approx([1, 1])
    assert figure.layers[-1].columns["x"] == [0.5]


def test_profit_is_that_of_the_analysis():
    result = credibly.cost_benefit(scored(), {"tp": -15, "fp": 4})
    figure = result.plot()
    best = figure.layers[-1].columns
    assert (best["x"], best["y"]) == ([result.point.selected], [result.point.profit])
    line = figure.layers[-2].columns
    assert max(line["y"]) == pytest.approx(result.point.profit)


def test_differences_are_counted_from_one():
    figure = FoldValues([0.9, 0.8], [0.8, 0.9], names=("a", "b")).plot()
    assert figure.layers[1].columns["x"] == [1.0, 2.0]
    assert figure.layers[2].columns["y"] == [pytest.approx(0.0)]
    assert "above 0 in 1 and below in 1" in figure.alt


def test_estimates_have_baselines_beside_them():
    p = Predictions.of([1, 1, 1, 0], label=[1, 1, 0, 0])
    quiet, loud = credibly.evaluate(p, "accuracy").plot().layers
    assert (quiet.columns["x"], loud.columns["x"]) == ([0.75], [0.75])


def test_measures_of_different_scales_stand_in_panels():
    rng = np.random.default_rng(SEED)
    y = np.arange(120) % 2
    p = Predictions.of(y, probability=np.clip(0.3 + 0.4 * y + rng.normal(0, 0.2, 120), 0.01, 0.99))
    assert len(credibly.evaluate(p).plot("estimates").y.categories) == 6, "a first look"
    table = credibly.evaluate(p).all
    figure = table.plot("estimates")
    frames = [figure, *figure.panels]
    shown = [row for f in frames for row in f.y.categories]
    assert len(shown) == len(set(shown)) == sum(np.isfinite(e.value) for e in table.estimates)
    for f in frames:
        points = f.layers[-1].columns
        reach = [v for c in ("x", "left", "right") for v in points[c] if v is not None]
        if f.x.ends is None:
            sizes = [abs(v) for v in points["x"] if v]
            assert max(sizes, default=1) <= 100 * min(sizes, default=1)
        else:
            assert f.x.ends[0] <= min(reach) <= max(reach) <= f.x.ends[1]
    assert {"0 to 1, higher is better", "0 to 1, lower is better"} <= {f.x.title for f in frames}
    assert figure.subtitle.endswith("hollow: best trivial rule")
    assert len(figure.spec()["vconcat"]) == len(frames)
    axes = figure.draw().figure.axes
    assert sum(ax.axison for ax in axes) == len(frames)
    numbers = Predictions.of(rng.normal(1e4, 1, 50), value=rng.normal(1e4, 1, 50))
    numbers = credibly.evaluate(numbers).all.plot("estimates")
    assert len(numbers.panels) >= 2


def test_tables_by_fold_show_their_folds_first():
    p = scored(fold=np.arange(200) % 5)
    assert credibly.evaluate(p, "auc", by="fold").plot().name == "fold_values"
    assert credibly.evaluate(p, "auc").plot().name == "estimates"


def test_measures_that_are_undefined_are_left_out_or_refused():
    p = Predictions.of([1, 1], label=[1, 1], classes=[0, 1])
    table = credibly.evaluate(p, ["accuracy", "specificity"])
    assert table.plot().y.categories == ("Accuracy",)
    with pytest.raises(ParameterError, match="nothing to show"):
        credibly.evaluate(p, "specificity").plot()
    undefined = table.plot(measure="specificity")
    assert undefined.layers[-1].columns["x"] == [None]
    assert undefined.svg().startswith("<svg")


def test_the_registry_takes_a_new_plot():
    from credibly.plots import plot_kind

    @plot_kind("Dots", of=Axis)
    def dots(axis):
        """Nothing but dots."""
        return small(x=[1.0], y=[1.0])

    try:
        assert plot(Axis("any")).name == "dots"
    finally:
        plots.remove("dots")


def test_text_on_cells_can_be_read():
    """Black or white on every shade between the ends has a contrast of at least 4.5 to 1 (WCAG 2)."""
    from credibly.render.palette import DIVERGING, FULL_SHADE, HEAT, ON_FAINT, ON_FULL

    def luminance(rgb):
        c = np.asarray(rgb) / 255
        return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [
            0.2126,
            0.7152,
            0.0722,
        ]

    def rgb(text):
        return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)])

    scales = [(theme, low, high) for theme, (low, high) in HEAT.items()]
    scales += [
        (theme, middle, end) for theme, (a, middle, b) in DIVERGING.items() for end in (a, b)
    ]
    for theme, low, high in scales:
        for part in np.linspace(0, 1, 101):
            ink = ON_FULL[theme] if part > FULL_SHADE else ON_FAINT[theme]
            shade = luminance(rgb(low) + part * (rgb(high) - rgb(low)))
            dark, light = sorted([shade, luminance(rgb(ink))])
            assert (light + 0.05) / (dark + 0.05) > 4.5, (theme, part)


def test_wins_are_shown_from_the_row():
    from credibly.comparisons import wins_ties_losses

    folds = {"good": [0.9, 0.91, 0.9, 0.92], "bad": [0.5, 0.52, 0.5, 0.51]}
    table = wins_ties_losses({"a": folds, "b": folds}, test_train_ratio=1 / 3)
    cells = table.plot().layers[0].columns
    assert list(zip(cells["y"], cells["x"], cells["text"], strict=True)) == [
        ("good", "bad", "2/0/0"),
        ("bad", "good", "0/0/2"),
    ]
    assert table.frame()["verdict"].tolist() == [1, 1]


def test_replicates_come_as_a_frame():
    frame = bootstrap(scored(), ["auc", "ks"], replicates=20, rng=1).frame()
    assert (list(frame), len(frame)) == (["auc", "ks"], 20)


def test_of_too_many_models_the_best_are_named_and_the_others_say_their_name_under_the_pointer():
    rng = np.random.default_rng(SEED)
    y = np.arange(80) % 2
    models = {f"m{i}": Predictions.of(y, score=y * i / 10 + rng.normal(size=80)) for i in range(22)}
    found = credibly.curve("roc", models)
    figure = found.plot()
    best = sorted(found.curves, key=lambda c: -c.numbers["auc"])[:5]
    assert set(figure.series()) == {c.label for c in best} == set(figure.notes)
    lines = [layer for layer in figure.layers if "path" in layer.columns]
    assert [layer.emphasis for layer in lines] == ["quiet"] * 17 + ["plain"] * 5
    hidden = {layer.columns["curve"][0] for layer in lines if layer.emphasis == "quiet"}
    assert hidden | set(figure.series()) == set(models)
    assert figure.subtitle.startswith("22 curves, the best 5 named")


def test_a_comparison_of_two_models_shows_the_difference_first():
    """Also where its statistic has Student's distribution, which is shown on request."""
    from credibly.comparisons import FoldValues

    found = credibly.compare(
        FoldValues([0.81, 0.84, 0.79, 0.9], [0.8, 0.8, 0.77, 0.82], test_train_ratio=1 / 3)
    )
    assert found.plot().name == "differences"
    assert found.plot("two_sided_test").name == "two_sided_test"
