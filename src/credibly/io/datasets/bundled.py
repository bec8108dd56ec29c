"""Sets that come with scikit-learn, by their names here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from credibly._core.declared import Declarator, DeclaredFunction
from credibly._core.registry import Registry


@dataclass(frozen=True, eq=False, kw_only=True)
class Bundled(DeclaredFunction[[], Any]):
    """A set that can be named in place of a file, and what its target is called; calling it loads it."""

    target: str
    dashed: ClassVar = True

    def columns(self, n: int = 0) -> dict[str, Any]:  # noqa: ARG002
        """Return what a listing tells of it: its size, its target and the task."""
        found = self()
        rows, inputs = found.data.shape
        task = "classification" if "target_names" in found else "numeric"
        return {"rows": rows, "inputs": inputs, "target": self.target, "task": task}

    facts = columns  # which `credibly show` tells too


datasets: Registry[Bundled] = Registry("dataset", "credibly.io.datasets")
dataset = Declarator(Bundled, datasets)


@dataset(target="species")
def iris() -> Any:  # noqa: ANN401
    """Sepals and petals of three species of iris."""
    from sklearn.datasets import load_iris

    return load_iris()


@dataset(target="class")
def breast_cancer() -> Any:  # noqa: ANN401
    """Cell nuclei in images of breast tissue, malignant or benign."""
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer()


@dataset(target="class")
def wine() -> Any:  # noqa: ANN401
    """Chemical analyses of wines of three growers."""
    from sklearn.datasets import load_wine

    return load_wine()


@dataset(target="progression")
def diabetes() -> Any:  # noqa: ANN401
    """Progression of diabetes a year after baseline."""
    from sklearn.datasets import load_diabetes

    return load_diabetes()


@dataset(target="class")
def digits() -> Any:  # noqa: ANN401
    """Images of handwritten digits, 8 by 8 pixels."""
    from sklearn.datasets import load_digits

    return load_digits()
