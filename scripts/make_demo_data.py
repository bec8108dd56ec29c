"""Make the bundled predictions of `credibly demo`: four schemes on the Wisconsin breast-cancer data.

Ten-fold stratified cross-validation, so every case is predicted once by each scheme, by a model that
has not seen it. Needs scikit-learn, whose copy of the data (569 tumours, Wolberg, Street &
Mangasarian 1995) is used. Run from the repository: python scripts/make_demo_data.py
"""

import csv
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

TARGET = Path(__file__).parent.parent / "src/credibly/demo_data/breast-cancer.csv"
SCHEMES = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive-bayes": GaussianNB(),
    "nearest-neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5)),
    "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
}


def main():
    data = load_breast_cancer()
    malignant = data.target == 0
    rows = []
    for name, scheme in SCHEMES.items():
        folds = StratifiedKFold(10, shuffle=True, random_state=0).split(data.data, malignant)
        for fold, (train, test) in enumerate(folds):
            probability = scheme.fit(data.data[train], malignant[train]).predict_proba(
                data.data[test]
            )[:, 1]
            # Laplace's rule of succession, as Weka takes a training prior.
            prior = (malignant[train].sum() + 1) / (len(train) + 2)
            for i, p in zip(test, probability, strict=True):
                truth = "malignant" if malignant[i] else "benign"
                rows.append(
                    [
                        int(i),
                        name,
                        fold,
                        truth,
                        repr(round(float(p), 12)),
                        repr(round(float(1 - prior), 12)),
                        repr(round(float(prior), 12)),
                        len(train),
                    ]
                )
    rows.sort(key=lambda r: (r[1], r[0]))
    with TARGET.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            [
                "row",
                "model",
                "fold",
                "truth",
                "probability",
                "baseline_benign",
                "baseline_malignant",
                "n_train",
            ]
        )
        writer.writerows(rows)


if __name__ == "__main__":
    main()
