"""Results made elsewhere: what is read, in which units, and what is refused."""

import csv
import gzip
import re
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import CrediblyError, Predictions, compare
from credibly.errors import DataError, MissingColumnError, ParameterError
from credibly.experiments import (
    analyse,
    from_cross_validate,
    from_grid_search,
    from_outcomes,
    from_table,
    from_weka,
    read_results,
)
from credibly.io.weka import unquoted

J48, SMO = "weka.classifiers.trees.J48", "weka.classifiers.functions.SMO"
KERNEL = r"-C 1.0 -K \"weka.classifiers.functions.supportVector.PolyKernel -E 1.0\""
HEADER = (
    "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Date_time,"
    "Number_of_training_instances,Number_of_testing_instances,Percent_correct,Kappa_statistic,"
    "Root_mean_squared_error,Relative_absolute_error,Area_under_ROC,Elapsed_Time_training,"
    "Elapsed_Time_testing,Summary,measureTreeSize"
)


def weka_rows():
    """Lines as CSVResultListener writes them: ARFF's quotes, ? for what is missing."""
    rng = np.random.default_rng(1)
    for dataset in ("iris", "'my data'"):
        for scheme, options, gain in ((J48, "-C 0.25 -M 2", 0.0), (SMO, KERNEL, 10.0)):
            for run in (1, 2):
                for fold in range(1, 6):
                    right = round(80 + gain + rng.normal(), 6)
                    area = "?" if fold == 3 and scheme == SMO else round(right / 100, 6)
                    yield (
                        f"{dataset},{run},{fold},{scheme},'{options}',-217733168393644444,"
                        f"2.02611151214E7,120.0,30.0,{right},0.7,0.2,{right},{area},0.25,0.01,"
                        f"'Number of leaves: 5\\nSize of the tree: 9\\n',9.0"
                    )


@pytest.fixture
def weka_csv(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("\n".join([HEADER, *weka_rows()]) + "\n")
    return path


@pytest.fixture
def weka_arff(tmp_path):
    """The same as InstancesResultListener writes it."""
    kinds = dict.fromkeys(HEADER.split(","), "numeric")
    kinds |= {
        "Key_Dataset": "{iris,'my data'}",
        "Key_Run": "{1,2}",
        "Key_Fold": "{1,2,3,4,5}",
        "Key_Scheme": f"{{{J48},{SMO}}}",
        "Key_Scheme_options": f"{{'-C 0.25 -M 2','{KERNEL}'}}",
        "Key_Scheme_version_ID": "{-217733168393644444}",
        "Summary": r"{'Number of leaves: 5\nSize of the tree: 9\n'}",
    }
    lines = [f"@attribute {name} {kind}" for name, kind in kinds.items()]
    path = tmp_path / "results.arff"
    path.write_text(
        "\n".join(["@relation InstanceResultListener", "", *lines, "", "@data", *weka_rows()])
    )
    return path


# --- Weka -----------------------------------------------------------------------------------------


def test_wekas_columns_get_our_names_and_units(weka_csv):
    r = from_weka(weka_csv)
    assert r.schemes == ("J48", "SMO")
    assert r.datasets == ("iris", "my data")
    assert {"accuracy", "kappa", "auc", "probability_rmse", "probability_rae"} == set(r.measures)
    first = float(next(weka_rows()).split(",")[9])
    assert r.values["accuracy"][0] == first / 100
    assert r.values["probability_rae"][0] == first / 100
    assert (r.values["kappa"] == 0.7).all()
    assert r.directions["probability_rae"] == "lower"
    assert (r.n_train == 120).all()
    assert (r.fit_seconds == 0.25).all()
    assert set(zip(r.repeat.tolist(), r.fold.tolist(), strict=True)) == {
        (run, fold) for run in (1, 2) for fold in range(1, 6)
    }
    assert np.isnan(r.where(scheme="SMO", fold=3).values["auc"]).all()
    assert r.findings[0].code == "weka-units"


def test_arff_gives_the_same_as_csv(weka_csv, weka_arff):
    first, second = from_weka(weka_csv), read_results(weka_arff)
    for column in ("dataset", "scheme", "repeat", "fold", "n_test"):
        assert (getattr(first, column) == getattr(second, column)).all()
    for m in first.measures:
        np.testing.assert_array_equal(first.values[m], second.values[m])


def test_a_gzipped_file_is_unpacked(weka_csv):
    packed = weka_csv.with_suffix(".csv.gz")
    packed.write_bytes(gzip.compress(weka_csv.read_bytes()))
    assert read_results(packed).n == read_results(weka_csv).n


def test_numbers_are_told_from_classes(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(
        "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Root_mean_squared_error,"
        "Root_relative_squared_error,Correlation_coefficient\ncpu,1,1,weka.M5P,3.5,40.0,0.9\n"
    )
    values = from_weka(path).values
    assert {m: v[0] for m, v in values.items()} == {"rmse": 3.5, "rrse": 0.4, "correlation": 0.9}


def test_schemes_are_told_apart_by_options_class_and_version(tmp_path):
    header = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Percent_correct\n"

    def names(*schemes):
        path = tmp_path / "r.csv"
        path.write_text(header + "\n".join(f"iris,1,1,{s},90" for s in schemes))
        return from_weka(path).schemes

    assert names("a.J48,'-M 2',1", "a.J48,'-M 5',1") == ("J48 -M 2", "J48 -M 5")
    assert names("a.J48,'-M 2',1", "b.J48,'-M 2',1") == ("a.J48 -M 2", "b.J48 -M 2")
    assert names("a.J48,?,1", "a.J48,?,2") == ("a.J48 (version 1)", "a.J48 (version 2)")


def test_other_columns_of_weka_on_request(weka_csv):
    r = from_weka(weka_csv, measures=["accuracy", "measureTreeSize"])
    assert r.measures == ("accuracy", "measureTreeSize")
    assert r.directions["measureTreeSize"] == "neither"
    r = from_weka(weka_csv, measures=["measureTreeSize"], directions={"measureTreeSize": "lower"})
    assert r.directions["measureTreeSize"] == "lower"
    with pytest.raises(MissingColumnError, match=r"has no .acuracy.*Did you mean accuracy"):
        from_weka(weka_csv, measures=["acuracy"])


def test_a_learning_curve_of_weka(tmp_path):
    path = tmp_path / "r.csv"
    rows = [f"iris,{n},1,{f},weka.J48,{n}.0,10,{90 - 100 / n}" for n in (50, 100) for f in (1, 2)]
    path.write_text(
        "Key_Dataset,Key_Total_instances,Key_Run,Key_Fold,Key_Scheme,Number_of_training_instances,"
        "Number_of_testing_instances,Percent_correct\n" + "\n".join(rows)
    )
    r = from_weka(path)
    assert sorted(set(r.size.tolist())) == [50, 100]
    growth = analyse(r).growth
    assert [e.keys["trained on"] for e in growth.estimates] == [50, 100]


@pytest.mark.parametrize("deviations", [True, False])
def test_averages_of_wekas_averaging_producer(tmp_path, deviations):
    """Means over folds for each run, with deviations beside them or under the plain names."""
    rng = np.random.default_rng(3)
    names = [f"data {i}" for i in range(8)]
    values = {(d, s, run): rng.uniform(70, 90) for d in names for s in "ab" for run in (1, 2)}
    column = "Avg_Percent_correct,Dev_Percent_correct" if deviations else "Percent_correct"
    path = tmp_path / "averages.csv"
    path.write_text(
        f"Key_Dataset,Key_Run,Key_Scheme,Num_Fold,{column}\n"
        + "\n".join(
            f"{d},{run},weka.{s},10,{v}" + (",3.5" if deviations else "")
            for (d, s, run), v in values.items()
        )
    )
    r = read_results(path)
    assert r.n == 16
    mean = (values["data 3", "b", 1] + values["data 3", "b", 2]) / 200
    assert r.where(dataset="data 3", scheme="b").values["accuracy"][0] == pytest.approx(mean)
    assert "averaged-results" in {f.code for f in r.findings}
    analysis = analyse(r)
    assert analysis.over_datasets.test == "wilcoxon"
    assert analysis.wins is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Key_Scheme,Key_Run,x\n", "contains no results"),
        ("Key_Scheme,Key_Run,x\nJ48,1,2\n", "no column 'key_dataset'"),
        ("Key_Dataset,Key_Run,Key_Scheme,Avg_Percent_correct\na,1,J48,?\n", "no values of a known measure"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\na,1,J48\n", "line 2: 3 values where the header names 4"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\na,1,'J48,90\n", "quote is not closed"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\na,1,J48,many\n", "something other than numbers"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\na,1.5,J48,90\n", "key_run must hold a whole number"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\na,1e30,J48,90\n", "key_run must hold a whole number"),
        ("Key_Dataset,Key_Run,Key_Scheme,X,x\na,1,J48,90,91\n", "two columns 'x'"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\n?,1,J48,90\n", "key_dataset is missing in row 0"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\na,1,J48,?\n", "no values of a known measure"),
        ("Key_Dataset,Key_Run,Key_Scheme,Percent_correct\na,1,J48,9\na,1,J48,9\n", "two rows for dataset a"),
        ("Key_Dataset,Key_Run,Key_Scheme,Summary\na,1,J48,text\n", "no values of a known measure"),
        ("@relation r\n@attribute Key_Scheme {a}\n@data\n", "contains no results"),
        ("@relation r\n@attribute Key_Scheme {a}\n@attribute x numeric\n@data\n{1 5}\n", "sparse"),
    ],
)  # fmt: skip
def test_what_is_no_result_of_weka(tmp_path, text, message):
    path = tmp_path / "r.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_results(path)


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=4), st.booleans())
def test_no_damage_goes_further_than_a_clear_error(tmp_path_factory, place, damage, cut):
    text = "\n".join([HEADER, *islice(weka_rows(), 3)]).encode()
    place %= len(text)
    path = tmp_path_factory.mktemp("damaged") / "results.csv"
    path.write_bytes(text[:place] + damage + (b"" if cut else text[place:]))
    try:
        found = read_results(path)
    except CrediblyError:
        return
    assert found.n <= 4


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="There is no file"):
        read_results(tmp_path / "nothing.csv")


# --- tables ---------------------------------------------------------------------------------------


def table(**more):
    return {
        "Dataset": ["iris"] * 4 + ["wine"] * 4,
        "classifier": ["a", "a", "b", "b"] * 2,
        "fold": [1, 2] * 4,
        "accuracy": [0.9, 0.8, 0.7, 0.8, 0.9, 0.9, 0.6, 0.7],
        **more,
    }


def test_a_table_from_a_file_a_frame_or_a_dictionary(tmp_path):
    import pandas as pd

    frame = pd.DataFrame(table(note=["x"] * 8))
    frame.to_csv(tmp_path / "r.csv", index=False)
    frame.to_parquet(tmp_path / "r.parquet")
    made = [from_table(table()), from_table(frame)]
    made += [read_results(tmp_path / f"r.{kind}") for kind in ("csv", "parquet")]
    for r in made:
        assert r.measures == ("accuracy",)
        assert r.schemes == ("a", "b")
        assert r.fold.tolist() == [1, 2] * 4
        assert r.values["accuracy"].tolist() == table()["accuracy"]


def test_missing_numbers_of_a_frame_stay_numbers():
    import polars as pl

    frame = pl.DataFrame({**table(), "auc": [0.5, None, *[0.6] * 6], "run": [1.0, 1e30] * 4})
    r = from_table(frame)
    assert r.measures == ("accuracy", "auc")
    assert np.isnan(r.values["auc"][1])
    assert r.repeat.tolist() == [0, 1] * 4


def test_results_written_as_a_table_come_back(tmp_path):
    first = from_table(table(n_train=[10] * 8, n_test=[5] * 8, fit_time=[0.5] * 8))
    first.frame().to_csv(tmp_path / "r.csv", index=False)
    again = read_results(tmp_path / "r.csv")
    for column in ("dataset", "scheme", "fold", "n_train", "fit_seconds", "status"):
        assert (getattr(first, column) == getattr(again, column)).all(), column
    assert again.measures == ("accuracy",)


def test_folds_may_have_any_names():
    """As caret writes them: Fold01.Rep1."""
    names = ["Fold1.Rep1", "Fold2.Rep1"] * 4
    r = from_table({**{k: v for k, v in table().items() if k != "fold"}, "Resample": names})
    assert r.fold.tolist() == [0, 1] * 4


def test_a_column_of_numbers_called_error_is_a_measure():
    values = {k: v for k, v in table().items() if k != "accuracy"}
    r = from_table({**values, "error": [0.1] * 8}, directions="lower")
    assert r.measures == ("error",)
    assert r.directions == {"error": "lower"}


def test_numbers_may_be_names_of_datasets(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("dataset,scheme,fold,auc\n1,2,0,0.5\n2,2,0,0.6\n")
    r = read_results(path)
    assert (r.datasets, r.schemes) == (("1", "2"), ("2",))


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ({"scheme": ["a"], "auc": [1]}, {}, MissingColumnError, "no column for the dataset"),
        ({"dataset": ["a"], "auc": [1]}, {}, MissingColumnError, "Name it with scheme="),
        ({"dataset": ["a"], "scheme": ["b"]}, {}, MissingColumnError, "no column of values"),
        (table(), {"directions": "up"}, ParameterError, "must be 'higher' or 'lower'; got 'up'"),
        (table(), {"directions": {"eror_rate": "lower"}}, ParameterError, "directions names 'eror_rate'"),
        ({"dataset": ["a"] * 2, "scheme": ["b"] * 2, "auc": [1, 1]}, {}, DataError, "two rows for dataset a"),
        ({"dataset": ["a"], "scheme": [None], "auc": [1]}, {}, DataError, "scheme is missing in row 0"),
        ({"dataset": ["a"], "scheme": ["b"], "auc": [1, 2]}, {}, DataError, "columns of the same length"),
        ({"dataset": ["a"], "scheme": ["b"], "auc": [[1], [1, 2]]}, {}, DataError, "rows of different lengths"),
        ({"dataset": [], "scheme": [], "auc": []}, {}, DataError, "at least one row"),
        (table(), {"measures": "auc"}, MissingColumnError, "no column 'auc'"),
        (table(), {"measures": "Dataset"}, DataError, "something other than numbers"),
        (table(), {"scheme": "clasifier"}, MissingColumnError, "Did you mean classifier"),
        (table(), {"folds": "fold"}, ParameterError, "Did you mean fold"),
        (table(status=["ok"] * 8), {}, DataError, "status must be one of"),
        (5, {}, ParameterError, "got int"),
    ],
)  # fmt: skip
def test_what_is_no_table_of_results(given, options, error, message):
    with pytest.raises(error, match=message):
        from_table(given, **options)


# --- scikit-learn -----------------------------------------------------------------------------------


def test_cross_validate_of_scikit_learn():
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
    from sklearn.naive_bayes import GaussianNB

    data = load_iris(return_X_y=True)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)
    scoring = ["accuracy", "neg_log_loss", "roc_auc_ovr"]
    scores = {
        name: cross_validate(model, *data, cv=cv, scoring=scoring, return_indices=True)
        for name, model in (("bayes", GaussianNB()), ("prior", DummyClassifier()))
    }
    r = from_cross_validate(scores, dataset="iris", repeats=2)
    assert r.measures == ("accuracy", "log_loss", "roc_auc_ovr")
    assert [r.directions[m] for m in r.measures] == ["higher", "lower", "higher"]
    np.testing.assert_array_equal(
        r.where(scheme="bayes").values["log_loss"], -scores["bayes"]["test_neg_log_loss"]
    )
    assert (r.n_train == 120).all()
    assert (r.n_test == 30).all()
    assert r.where(scheme="bayes").repeat.tolist() == [0] * 5 + [1] * 5
    analysis = analyse(r, "log_loss", base="prior")
    assert analysis.verdict("iris", "bayes") == "better"


def test_several_datasets_at_once():
    scores = {"test_accuracy": [0.9, 0.8], "test_roc_auc": [0.9, 0.7]}
    r = from_cross_validate({"iris": {"a": scores, "b": scores}, "wine": {"a": scores}})
    assert r.datasets == ("iris", "wine")
    assert r.where(dataset="iris").schemes == ("a", "b")
    assert r.measures == ("accuracy", "auc")
    with pytest.raises(DataError, match="what cross_validate returns"):
        from_cross_validate({"iris": {"a": scores}, "wine": {}})


def test_one_scheme_with_one_score_and_failed_fits():
    r = from_cross_validate({"test_score": [0.9, np.nan], "fit_time": [1, 2]}, measure="accuracy")
    assert r.schemes == ("scheme",)
    assert r.status.tolist() == ["done", "error"]
    np.testing.assert_array_equal(r.fit_seconds, [1, np.nan])  # what failed has no time


def test_a_search_of_scikit_learn():
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier

    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 50]}, cv=5)
    search.fit(*load_iris(return_X_y=True))
    r = from_grid_search(
        search.cv_results_, dataset="iris", measure="accuracy", n_train=120, n_test=30
    )
    assert r.schemes == ("n_neighbors=1", "n_neighbors=5", "n_neighbors=50")
    means = [r.where(scheme=s).values["accuracy"].mean() for s in r.schemes]
    assert means == pytest.approx(search.cv_results_["mean_test_score"], rel=1e-14)
    analysis = analyse(r)
    assert analysis.findings[0].code == "chosen-by-splits"
    best, splits = analysis.choices[0].best, analysis.grid.tables["iris"].table
    assert best.naive.value == pytest.approx(search.best_score_, rel=1e-14)
    chosen = splits[:, r.schemes.index(best.chosen)]
    assert best.optimism == pytest.approx((splits.max(axis=1) - chosen).mean(), rel=1e-12)
    assert best.meaning() in str(analysis)
    for found in (search, {"iris": search}, {"iris": search.cv_results_}):
        same = from_grid_search(found, dataset="iris", measure="accuracy", n_train=120, n_test=30)
        assert same.to_json() == r.to_json()


@pytest.mark.parametrize(
    ("take", "given", "message"),
    [
        (from_cross_validate, {}, "what cross_validate returns"),
        (from_cross_validate, {"fit_time": [1]}, "what cross_validate returns"),
        (from_cross_validate, {"a": {"test_x": [1]}, "b": {"test_y": [1]}}, "the same scorers"),
        (from_cross_validate, {"test_accuracy": ["high"]}, "something other than numbers"),
        (from_cross_validate, {"test_accuracy": [1], "fit_time": [1, 2]}, "one per split"),
        (from_grid_search, {"params": [{}]}, "a fitted search, or its cv_results_"),
        (from_grid_search, {"split0_test_score": [1]}, "a fitted search, or its cv_results_"),
        (from_grid_search, {}, "a fitted search, or its cv_results_"),
        (from_grid_search, object(), "a fitted search, or its cv_results_"),
    ],
)
def test_what_is_no_result_of_scikit_learn(take, given, message):
    with pytest.raises(DataError, match=message):
        take(given)


def test_repeats_must_divide_the_splits():
    with pytest.raises(ParameterError, match="repeats=2 does not divide the 3 values of scheme"):
        from_cross_validate({"test_accuracy": [1, 1, 1]}, repeats=2)


TABLE = "dataset,scheme,fold,accuracy,version\n" + "".join(
    f"iris,{scheme},{fold},0.{fold}5,v{fold}\n" for scheme in "ab" for fold in range(5)
)


def test_a_cell_that_is_no_number_is_named_and_costs_no_measure(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text(TABLE.replace("b,1,0.15", "b,1,abc"))
    said = r"plain.csv: column 'accuracy' is not a number in 1 row: row 6 \('abc'\)"
    with pytest.raises(DataError, match=said):
        read_results(path)


def test_marks_of_missing_values_are_no_text_and_labels_stay_labels(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text(TABLE.replace("b,1,0.15", "b,1,NA"))
    r = read_results(path)
    assert r.measures == ("accuracy",)
    assert np.flatnonzero(np.isnan(r.values["accuracy"])).tolist() == [6]


def test_columns_that_were_not_asked_for_may_hold_anything(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text(re.sub(r",v(\d)", r",\1", TABLE.replace("v0", "auto")))
    with pytest.raises(DataError, match="column 'version' is not a number in 2 rows"):
        read_results(path)
    assert read_results(path, measures="accuracy").measures == ("accuracy",)


def test_a_table_names_its_cells_too():
    table = {"dataset": ["a"] * 3, "scheme": ["s"] * 3, "fold": [0, 1, 2], "auc": [0.9, "x", 0.8]}
    with pytest.raises(DataError, match=r"The table: column 'auc' .* row 1 \('x'\)"):
        from_table(table)


def test_only_what_is_analysed_needs_a_direction():
    folds = {"dataset": ["d"] * 6, "scheme": list("aaabbb"), "fold": [0, 1, 2] * 2}
    values = {"accuracy": [0.8, 0.7, 0.9, 0.6, 0.7, 0.5], "mine": [1, 2, 3, 4, 5, 6]}
    r = from_table({**folds, **values})
    analysis = analyse(r, "accuracy", test_train_ratio=0.5)
    assert {e.measure for e in analysis.estimates.estimates} == {"accuracy"}
    (said,) = [f for f in analysis.findings if f.code == "unknown-direction"]
    assert said.message.endswith("better: mine.")
    with pytest.raises(ParameterError, match="Is higher or lower 'mine' better"):
        analyse(r, "mine")
    r = from_table({**folds, **values}, directions={"mine": "lower"})
    assert analyse(r, "mine", test_train_ratio=0.5).direction == "lower"


@pytest.mark.parametrize("how", [{}, {"quoting": csv.QUOTE_ALL}, {"quoting": csv.QUOTE_NONNUMERIC}])
@pytest.mark.parametrize("plain", [True, False])
def test_standard_quotes_give_the_same(tmp_path, weka_csv, how, plain):
    rows = [line.split(",") for line in weka_csv.read_text().splitlines()]
    path = tmp_path / "standard.csv"
    with path.open("w", newline="") as file:
        csv.writer(file, **how).writerows([[unquoted(c) if plain else c for c in r] for r in rows])
    assert '""' in path.read_text()
    ours, theirs = from_weka(path), from_weka(weka_csv)
    assert ours.schemes == theirs.schemes
    assert ours.dataset.tolist() == theirs.dataset.tolist()
    for m, values in theirs.values.items():
        assert np.array_equal(ours.values[m], values, equal_nan=True)


def test_missing_values_as_other_programs_write_them(tmp_path):
    path = tmp_path / "r.csv"
    head = '"Key_Dataset","Key_Run","Key_Fold","Key_Scheme","Percent_correct"\n'
    path.write_text(head + '"a",1,1,"J48",NA\n"a",1,2,"J48",\n"a",1,3,"J48",90\n')
    assert np.array_equal(from_weka(path).values["accuracy"], [np.nan, np.nan, 0.9], equal_nan=True)


def test_outcomes_are_results_by_task_and_are_tested_over_their_cases():
    rng = np.random.default_rng(3)
    task = np.repeat(["maths", "reading", "code"], 80)
    old = rng.random(240) < 0.5
    new = old | (rng.random(240) < 0.3)
    p = Predictions.of(outcome={"old": old, "new": new}, columns={"task": task})
    r = from_outcomes(p)
    assert r.values["pass_rate"].tolist()[:3] == [old[task == t].mean() for t in sorted(set(task))]
    assert r.directions == {"pass_rate": "higher"}
    found = analyse(p)
    assert found.verdict("maths", "new") == "better"
    reading = compare(p.take(p.columns["task"] == "reading")).pvalue
    assert found.wins.pvalues[found.wins.datasets.index("reading"), 0, 1] == pytest.approx(reading)
    (e,) = [e for e in found.estimates if list(e.keys.values())[:2] == ["maths", "old"]]
    assert e.interval.method == "Wilson"
    with pytest.raises(ParameterError, match="higher or lower"):
        analyse(
            Predictions.of(outcome={"a": [1.5, 2], "b": [2, 1.5]}, columns={"task": ["x", "y"]})
        )
