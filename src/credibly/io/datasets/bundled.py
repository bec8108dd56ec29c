"""Sets that come with scikit-learn, by their names here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from credibly._core.registry import Registry


@dataclass(frozen=True, slots=True)
class Bundled:
    """A set that can be named in place of a file: what loads it, and what its target is called."""

    name: str
    loader: str
    target: str
    doc: str
    aliases: tuple[str, ...] = ()

    def load(self) -> Any:  # noqa: ANN401
        """Return it as scikit-learn gives it."""
        from sklearn import datasets as theirs

        return getattr(theirs, self.loader)()

    def columns(self, n: int = 0) -> dict[str, Any]:  # noqa: ARG002
        """Return what a listing tells of it: its size, its target and the task."""
        found = self.load()
        rows, inputs = found.data.shape
        task = "classification" if "target_names" in found else "numeric"
        return {"rows": rows, "inputs": inputs, "target": self.target, "task": task}


datasets: Registry[Bundled] = Registry("dataset", "credibly.io.datasets")

SETS = (
    Bundled("iris", "load_iris", "species", "Sepals and petals of three species of iris."),
    Bundled(
        "breast-cancer",
        "load_breast_cancer",
        "class",
        "Cell nuclei in images of breast tissue, malignant or benign.",
    ),
    Bundled("wine", "load_wine", "class", "Chemical analyses of wines of three growers."),
    Bundled(
        "diabetes", "load_diabetes", "progression", "Progression of diabetes a year after baseline."
    ),
    Bundled("digits", "load_digits", "class", "Images of handwritten digits, 8 by 8 pixels."),
)
for each in SETS:
    datasets.add(each)

BUNDLED = tuple(each.name for each in SETS)
